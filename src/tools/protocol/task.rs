//! What is asked of a search or of counting: a task and a search in, lines of the protocol out, an action at the end.

use crate::engine::{Engine, PlayError, Position};
use crate::tools::perft::{Question, tally};
use crate::tools::protocol::{Notation, Tongue, remark};
use crate::tools::search::{Line, Proof, Report, Search, Settings};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// What stands for no action.
const NONE: &str = "0000";

/// What is certain, and how soon is not, is worth so many points.
const CERTAIN: i64 = 10_000;

/// The least time between two reports.
const PAUSE: Duration = Duration::from_millis(100);

/// Sequences of so many actions are counted without looking whether counting is stopped.
const AT_ONCE: usize = 3;

/// A position to think about.
#[derive(Clone, Debug)]
pub struct Task {
    /// Whose rules.
    pub engine: Arc<Engine>,
    /// How actions are told.
    pub notation: Notation,
    /// Where.
    pub position: Position,
    /// How, and how long.
    pub settings: Settings,
    /// So deep.
    pub depth: Option<usize>,
    /// Only among these, when there are any.
    pub only: Vec<String>,
    /// How many lines are told.
    pub lines: usize,
    /// Whether the answer waits until it is asked for.
    pub endless: bool,
}

/// A position to count from.
#[derive(Clone, Debug)]
pub struct Count {
    /// Whose rules.
    pub engine: Arc<Engine>,
    /// How actions are told.
    pub notation: Notation,
    /// Where.
    pub position: Position,
    /// How deep.
    pub depth: usize,
    /// With how many threads.
    pub threads: usize,
}

/// Work that takes its time.
#[derive(Clone, Debug)]
pub enum Thought {
    /// Think, and answer with an action.
    Think(Box<Task>),
    /// Count.
    Count(Box<Count>),
}

impl Task {
    /// Thinks with a search of this engine; tells what it finds, and gives the last lines, `bestmove` at the end.
    pub fn think(
        &self,
        search: &mut Search<'_>,
        stop: &AtomicBool,
        tell: &mut dyn FnMut(String),
    ) -> Vec<String> {
        search.set_budget(self.settings.budget);
        let mut next = PAUSE;
        let found = search.think(&self.position, stop, &mut |report| {
            if self.depth.is_some_and(|most| report.depth >= most) {
                stop.store(true, Ordering::Relaxed);
            }
            if report.elapsed >= next {
                next = report.elapsed + PAUSE;
                self.report(report).into_iter().for_each(&mut *tell);
            }
        });
        match found {
            Ok(report) => {
                let mut last = self.report(&report);
                last.push(self.answer(&report));
                last
            }
            Err(error) => vec![remark(&error.to_string()), self.fallback()],
        }
    }

    /// The best line of a report, of those that may be chosen.
    fn best<'r>(&self, report: &'r Report) -> Option<&'r Line> {
        let mut chosen = self.chosen(report);
        chosen.next().or_else(|| report.best())
    }

    fn chosen<'r>(&self, report: &'r Report) -> impl Iterator<Item = &'r Line> {
        let may = |line: &&Line| {
            self.only.is_empty()
                || self
                    .notation
                    .name(&self.engine, &line.action)
                    .is_ok_and(|name| self.only.contains(&name))
        };
        report.lines.iter().filter(move |line| may(line))
    }

    fn answer(&self, report: &Report) -> String {
        let name = |line: &Line| self.notation.name(&self.engine, &line.action).ok();
        match self.best(report).and_then(name) {
            Some(name) => format!("bestmove {name}"),
            None => self.fallback(),
        }
    }

    /// Some legal action, when the search has failed.
    fn fallback(&self) -> String {
        let actions = self.notation.actions(&self.engine, &self.position);
        let first = actions.ok().and_then(|all| all.into_iter().next());
        format!(
            "bestmove {}",
            first.map_or(NONE.to_owned(), |(name, _)| name)
        )
    }

    /// A report as lines of the protocol, one for each action that is told.
    fn report(&self, report: &Report) -> Vec<String> {
        let mut lines = Vec::new();
        for (at, line) in self.chosen(report).take(self.lines).enumerate() {
            let begun = report.best_line.first() == Some(&line.action);
            let alone = std::slice::from_ref(&line.action);
            let expected = if begun { &report.best_line } else { alone };
            let (names, over) = self.names(expected);
            let number = if self.lines > 1 {
                format!(" multipv {}", at + 1)
            } else {
                String::new()
            };
            lines.push(format!(
                "info depth {}{number} score {} {} pv {}",
                report.depth.max(1),
                self.score(line, over.then_some(names.len())),
                spent(report),
                names.join(" ")
            ));
        }
        if lines.is_empty() {
            lines.push(format!("info depth {} {}", report.depth, spent(report)));
        }
        lines
    }

    /// The names of actions that follow each other, and whether the game is then over.
    fn names(&self, actions: &[String]) -> (Vec<String>, bool) {
        let mut names = Vec::new();
        let mut position = self.position.clone();
        for action in actions {
            let Ok(next) = self.engine.play_text(&position, action) else {
                break;
            };
            let Ok(name) = self.notation.name(&self.engine, action) else {
                break;
            };
            names.push(name);
            position = next;
        }
        let over = self.engine.outcome(&position);
        (names, over.is_ok_and(|outcome| outcome.is_some()))
    }

    /// What a line is worth, in hundredths; or in how many actions the game is over, when that is certain.
    fn score(&self, line: &Line, end: Option<usize>) -> String {
        let end = end.and_then(|n| i64::try_from(n).ok());
        // One protocol counts actions, the other one pairs of them.
        let (win, loss) = match self.notation.tongue() {
            Tongue::Ugi => (end, end),
            Tongue::Uci => (end.map(|n| (n + 1) / 2), end.map(|n| n / 2)),
        };
        match (line.proven, win, loss) {
            (Some(Proof::Win), Some(n), _) => format!("mate {n}"),
            (Some(Proof::Win), None, _) => format!("cp {CERTAIN}"),
            (Some(Proof::Loss), _, Some(n)) if n > 0 => format!("mate -{n}"),
            (Some(Proof::Loss), _, _) => format!("cp -{CERTAIN}"),
            (Some(Proof::Draw), _, _) => "cp 0".to_owned(),
            (None, _, _) => format!("cp {}", points(line.value)),
        }
    }
}

/// A chance of winning in hundredths: 0 is even, 100 about five wins in eight, 400 ten in eleven.
fn points(value: f64) -> i64 {
    let most = (CERTAIN - 1) as f64;
    let points = 400.0 * (value / (1.0 - value)).log10();
    if points.is_nan() {
        return 0;
    }
    points.clamp(-most, most).round() as i64
}

fn spent(report: &Report) -> String {
    let time = report.elapsed.as_millis();
    let speed = u128::from(report.playouts) * 1000 / time.max(1);
    format!("nodes {} nps {speed} time {time}", report.playouts)
}

impl Count {
    /// Counts, tells the number behind each first action, and gives the sum as the last line.
    pub fn count(&self, stop: &AtomicBool, tell: &mut dyn FnMut(String)) -> Vec<String> {
        match self.shares(stop, tell) {
            Ok(last) => vec![last],
            Err(why) => vec![remark(&why)],
        }
    }

    fn shares(&self, stop: &AtomicBool, tell: &mut dyn FnMut(String)) -> Result<String, String> {
        let actions = self.notation.actions(&self.engine, &self.position)?;
        let mut sum = 0u64;
        for (at, (name, action)) in actions.iter().enumerate() {
            let next = self.engine.play(&self.position, action);
            let count = self.below(&next, self.depth - 1, stop);
            let Some(count) = count.map_err(|error| error.to_string())? else {
                let of = actions.len();
                return Ok(remark(&format!("stopped behind {at} of {of} actions")));
            };
            sum = sum.saturating_add(count);
            tell(format!("{name}: {count}"));
        }
        Ok(format!("nodes {sum}"))
    }

    /// The sequences of so many actions from a position; nothing when it is stopped.
    fn below(
        &self,
        position: &Position,
        depth: usize,
        stop: &AtomicBool,
    ) -> Result<Option<u64>, PlayError> {
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        if depth == 0 {
            return Ok(Some(1));
        }
        if depth <= AT_ONCE {
            let question = Question {
                depth,
                by_turns: false,
                divided: false,
            };
            let tally = tally(&self.engine, position, question, self.threads)?;
            return Ok(tally.counts.last().copied());
        }
        let mut sum = 0u64;
        for action in self.engine.legal_actions(position)? {
            let next = self.engine.play(position, &action);
            match self.below(&next, depth - 1, stop)? {
                Some(count) => sum = sum.saturating_add(count),
                None => return Ok(None),
            }
        }
        Ok(Some(sum))
    }
}

#[cfg(test)]
mod tests {
    use crate::engine::Engine;
    use crate::tools::perft::counts;
    use crate::tools::protocol::task::points;
    use crate::tools::protocol::{Count, Notation, Task};
    use crate::tools::search::{Budget, Line, Proof, Report, Search, Settings};
    use crate::tools::testing::three_in_a_row;
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    fn task(engine: Engine, line: &str) -> Task {
        let engine = Arc::new(engine);
        Task {
            position: engine.parse(line).unwrap(),
            engine,
            notation: Notation::Own,
            settings: Settings {
                budget: Budget::of_playouts(20),
                ..Settings::default()
            },
            depth: None,
            only: Vec::new(),
            lines: 1,
            endless: false,
        }
    }

    #[test]
    fn thinking_ends_with_a_legal_action() {
        let mut task = task(three_in_a_row(), "3/3/SS1 w");
        let engine = Arc::clone(&task.engine);
        let mut search = Search::new(&engine, task.settings.clone());
        let stop = AtomicBool::new(false);
        let last = task.think(&mut search, &stop, &mut |_| ());
        let [info, best] = last.as_slice() else {
            panic!("{last:?}")
        };
        for key in [" depth ", " score ", " nodes ", " nps ", " time ", " pv "] {
            assert!(info.contains(key), "{info}");
        }
        let action = best.strip_prefix("bestmove ").unwrap();
        assert!(engine.play_text(&task.position, action).is_ok());
        task.only = vec!["b2".to_owned()];
        let last = task.think(&mut search, &stop, &mut |_| ());
        assert_eq!(last.last().unwrap(), "bestmove b2");
        task.position = engine.parse("3/3/SSS b").unwrap();
        let last = task.think(&mut search, &stop, &mut |_| ());
        assert_eq!(last.last().unwrap(), "bestmove 0000");
    }

    #[test]
    fn scores_are_points_or_the_way_to_the_end() {
        let task = task(three_in_a_row(), "3/3/SS1 w");
        let line = |value, proven| Line {
            action: "c1".to_owned(),
            visits: 1,
            value,
            proven,
            distance: None,
        };
        let told = |line: Line| {
            let report = Report {
                best_line: vec![line.action.clone()],
                lines: vec![line],
                ..Report::default()
            };
            task.report(&report).remove(0)
        };
        assert!(told(line(0.5, None)).contains(" score cp 0 "));
        assert!(told(line(1.0, Some(Proof::Win))).contains(" score mate 1 "));
        assert!(told(line(0.0, Some(Proof::Loss))).contains(" score mate -1 "));
        assert!(told(line(0.5, Some(Proof::Draw))).contains(" score cp 0 "));
        assert_eq!((points(0.5), points(1.0), points(0.0)), (0, 9999, -9999));
        assert_eq!(points(0.64), 100);
        assert_eq!(points(f64::NAN), 0);
        let other = line(0.25, Some(Proof::Win));
        let report = Report {
            lines: vec![Line {
                action: "a2".into(),
                ..other
            }],
            ..Report::default()
        };
        assert!(task.report(&report)[0].contains(" score cp 10000 "));
    }

    #[test]
    fn counts_add_up() {
        let engine = Arc::new(three_in_a_row());
        let count = Count {
            position: engine.initial(),
            engine: Arc::clone(&engine),
            notation: Notation::Own,
            depth: 3,
            threads: 2,
        };
        let mut told = Vec::new();
        let stop = AtomicBool::new(false);
        let last = count.count(&stop, &mut |line| told.push(line));
        assert_eq!(told.len(), 9);
        assert_eq!(told[0], "a1: 56");
        assert_eq!(last, ["nodes 504"]);
        assert_eq!(
            counts(&engine, &engine.initial(), 3, false).unwrap()[2],
            504
        );
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
        let last = count.count(&stop, &mut |_| panic!("nothing is counted"));
        assert_eq!(last, ["info string stopped behind 0 of 9 actions"]);
    }
}
