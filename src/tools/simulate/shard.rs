//! Parts of a run as text: a plan and sums in, lines with checksums out, and back. A file may end anywhere; what is whole of it
//! counts.
//!
//! The first line tells plan and part, every further one the games of one piece of work. A line ends with a checksum of all that
//! stands before it, so that a line which was cut off, or changed, is noticed.

use crate::engine::text_hash;
use crate::tools::simulate::plan::{Plan, Range64, Shard, Task};
use crate::tools::simulate::tally::Tally;
use serde::{Deserialize, Serialize};

/// What the first line says.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    schema: u32,
    simulation: [u64; 2],
    plan: Plan,
}

/// What a further line says.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Body {
    configuration: usize,
    games: [u64; 2],
    tally: Tally,
}

/// The version of the format.
const SCHEMA: u32 = 1;

/// A piece of work that is done.
#[derive(Clone, PartialEq, Debug)]
pub struct Batch {
    /// What was to be done.
    pub task: Task,
    /// What it came to.
    pub tally: Tally,
}

/// A file as it was read.
#[derive(Clone, PartialEq, Debug)]
pub struct Part {
    /// The plan.
    pub plan: Plan,
    /// Which part of it.
    pub shard: Shard,
    /// What is done.
    pub batches: Vec<Batch>,
    /// How many bytes are whole lines.
    pub whole: usize,
    /// The number of the last line, when that is cut off.
    pub cut: Option<usize>,
}

/// Why a file is no part of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BadPart {
    /// It is something else.
    Foreign,
    /// A line is not as it was written.
    Damaged {
        /// Its number, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
}

/// The first line of a file.
#[must_use]
pub fn head(plan: &Plan, shard: Shard) -> String {
    sealed(&Head {
        schema: SCHEMA,
        simulation: [shard.index, shard.of],
        plan: plan.clone(),
    })
}

/// The line of a piece of work.
#[must_use]
pub fn line(task: &Task, tally: &Tally) -> String {
    sealed(&Body {
        configuration: task.configuration,
        games: [task.games.from, task.games.to],
        tally: tally.clone(),
    })
}

const SEAL: &str = ",\"sum\":\"";

fn sealed(content: &impl Serialize) -> String {
    // What is written here are numbers, texts and lists: they can be written.
    let text = serde_json::to_string(content).unwrap_or_default();
    let text = text.strip_suffix('}').unwrap_or(&text);
    format!("{text}{SEAL}{:016x}\"}}\n", text_hash(text))
}

/// What stands before the checksum, as a whole again; nothing when it is not what was written.
fn unsealed(line: &[u8]) -> Option<String> {
    let line = std::str::from_utf8(line).ok()?;
    let (text, sum) = line.strip_suffix("\"}")?.rsplit_once(SEAL)?;
    (sum == format!("{:016x}", text_hash(text))).then(|| format!("{text}}}"))
}

/// Reads a file.
///
/// # Errors
/// When it is none of ours, or when another line than the last is not as it was written.
pub fn read(bytes: &[u8]) -> Result<Part, BadPart> {
    let mut lines = bytes
        .split_inclusive(|b| *b == b'\n')
        .enumerate()
        .peekable();
    let first = lines
        .next()
        .and_then(|(_, first)| first.strip_suffix(b"\n"));
    let known = bytes.starts_with(b"{\"schema\":") && find(bytes, b"\"simulation\":");
    let head = first.and_then(unsealed).ok_or_else(|| {
        if !known {
            return BadPart::Foreign;
        }
        BadPart::Damaged {
            line: 1,
            reason: "it is cut off, or was changed".to_owned(),
        }
    })?;
    let wrong = |line: usize, reason: String| BadPart::Damaged { line, reason };
    let head: Head = serde_json::from_str(&head).map_err(|e| wrong(1, e.to_string()))?;
    let [index, of] = head.simulation;
    if head.schema != SCHEMA || !(1..=of).contains(&index) || head.plan.configurations.is_empty() {
        let reason = "it is of another version of the program".to_owned();
        return Err(wrong(1, reason));
    }
    let mut part = Part {
        plan: head.plan,
        shard: Shard { index, of },
        batches: Vec::new(),
        whole: first.map_or(0, |first| first.len() + 1),
        cut: None,
    };
    while let Some((number, text)) = lines.next() {
        let content = text.strip_suffix(b"\n").and_then(unsealed);
        let Some(content) = content else {
            if lines.peek().is_some() {
                let reason = "it is not as it was written".to_owned();
                return Err(wrong(number + 1, reason));
            }
            part.cut = Some(number + 1);
            break;
        };
        let batch = part.batch(&content).map_err(|e| wrong(number + 1, e))?;
        part.batches.push(batch);
        part.whole += text.len();
    }
    part.without_doubles()?;
    Ok(part)
}

fn find(bytes: &[u8], word: &[u8]) -> bool {
    bytes
        .get(..100)
        .unwrap_or(bytes)
        .windows(word.len())
        .any(|w| w == word)
}

impl Part {
    fn batch(&self, text: &str) -> Result<Batch, String> {
        let body: Body = serde_json::from_str(text).map_err(|e| e.to_string())?;
        let [from, to] = body.games;
        let games = Range64 { from, to };
        let part = self.plan.part(self.shard);
        let configuration = self.plan.configurations.get(body.configuration);
        let fits = configuration.is_some_and(|c| body.tally.fits(c))
            && (part.from..part.to).contains(&from)
            && (from + 1..=part.to).contains(&to)
            && body.tally.games == games.len();
        if !fits {
            return Err("it does not fit the first line".to_owned());
        }
        Ok(Batch {
            task: Task {
                configuration: body.configuration,
                games,
            },
            tally: body.tally,
        })
    }

    /// No game may stand in two lines.
    fn without_doubles(&self) -> Result<(), BadPart> {
        let mut order: Vec<(&Task, usize)> =
            self.batches.iter().map(|b| &b.task).zip(2..).collect();
        order.sort();
        let twice = order.windows(2).find(|w| {
            let (a, b) = (w[0].0, w[1].0);
            a.configuration == b.configuration && b.games.from < a.games.to
        });
        match twice {
            None => Ok(()),
            Some(w) => Err(BadPart::Damaged {
                line: w[0].1.max(w[1].1),
                reason: format!("its games stand in line {} already", w[0].1.min(w[1].1)),
            }),
        }
    }

    /// How many games are done.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.batches.iter().map(|b| b.task.games.len()).sum()
    }

    /// How many games there are to be.
    #[must_use]
    pub fn all(&self) -> u64 {
        let part = self.plan.part(self.shard).len();
        part.saturating_mul(self.plan.configurations.len() as u64)
    }
}

/// What of a file is taken over by a run that goes on.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Begun {
    /// How many bytes stay.
    pub whole: usize,
    /// What is done.
    pub batches: Vec<Batch>,
}

/// Why a run cannot go on with a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotBegun {
    /// It is no file of a simulation.
    Foreign,
    /// It is one, but of another run, or damaged: how.
    Other(String),
}

/// What of a file a run can take over.
///
/// # Errors
/// When it is not a file of the same run, why not.
pub fn begun(bytes: &[u8], plan: &Plan, shard: Shard) -> Result<Begun, NotBegun> {
    // It may have been broken off in its first line.
    if head(plan, shard).as_bytes().starts_with(bytes) && !bytes.ends_with(b"\n") {
        return Ok(Begun::default());
    }
    let part = read(bytes).map_err(|bad| match bad {
        BadPart::Foreign => NotBegun::Foreign,
        BadPart::Damaged { line, reason } => {
            NotBegun::Other(format!("line {line} cannot be used: {reason}"))
        }
    })?;
    if let Some(difference) = plan.difference(&part.plan) {
        return Err(NotBegun::Other(format!(
            "it is of another run: {difference}"
        )));
    }
    if part.shard != shard {
        return Err(NotBegun::Other(format!(
            "it holds part {}, not {shard}",
            part.shard
        )));
    }
    let tasks = plan.tasks(shard);
    let known = |batch: &Batch| tasks.binary_search(&batch.task).is_ok();
    if let Some(at) = part.batches.iter().position(|batch| !known(batch)) {
        let line = at + 2;
        return Err(NotBegun::Other(format!(
            "line {line} cannot be used: its games are cut otherwise"
        )));
    }
    Ok(Begun {
        whole: part.whole,
        batches: part.batches,
    })
}

/// What of some pieces of work is still to be done.
#[must_use]
pub fn missing(tasks: Vec<Task>, done: &[Batch]) -> Vec<Task> {
    let mut done: Vec<&Task> = done.iter().map(|b| &b.task).collect();
    done.sort();
    let mut left = tasks;
    left.retain(|task| done.binary_search(&task).is_err());
    left
}
