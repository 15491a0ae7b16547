//! `gambol bench`: how fast games are played and counted, how large a state is, how long compiling takes. A row or a JSON
//! object a file, written as soon as it is measured.

use crate::cli::args::{Common, whole};
use crate::cli::engines::{self, EngineArg};
use crate::cli::failure::Failure;
use crate::cli::out::Terminal;
use crate::cli::{files, json, load};
use crate::engine::Engine;
use crate::program::kernel::Work;
use crate::tools::bench::{Counted, Effort, Played, count, play, rate};
use clap::Args;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// The arguments of `bench`.
#[derive(Args, Clone, Debug)]
pub struct BenchArgs {
    /// Game files, or folders of them; `-` is the standard input.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<String>,
    /// How long random games are played, and how long sequences are counted at most.
    #[arg(long, value_name = "S", default_value = "1", value_parser = seconds)]
    pub seconds: Duration,
    /// Play so many random games instead, with the seeds 1, 2, …
    #[arg(long, value_name = "N", value_parser = whole(1..=u64::MAX))]
    pub games: Option<u64>,
    /// The most actions of one game.
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = whole(1..=u32::MAX))]
    pub plies: u32,
    /// How many threads to use; the games are the same.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(1..=1024_u16))]
    pub threads: u16,
    /// Which engine.
    #[command(flatten)]
    pub engine: EngineArg,
    /// Common ones.
    #[command(flatten)]
    pub common: Common,
}

/// The longest that may be asked for.
const LONGEST: f64 = 86_400.0;

/// Reads a number of seconds.
fn seconds(text: &str) -> Result<Duration, String> {
    let number = text.parse::<f64>().ok();
    let number = number.filter(|n| *n > 0.0 && *n <= LONGEST);
    let time = number.and_then(|n| Duration::try_from_secs_f64(n).ok());
    time.filter(|time| !time.is_zero())
        .ok_or_else(|| format!("expected a number above 0 and up to {LONGEST}, such as 0.5"))
}

/// What was measured.
struct Measured {
    file: String,
    engine: Engine,
    asked: &'static str,
    used: &'static str,
    instead: Option<String>,
    /// For how many actions of random games the texts of all that could be done were compared.
    told_apart: u64,
    /// From text to program, from there to the kernel, from there to machine code for games, and what counting needs besides.
    compiling: [Duration; 4],
    played: Played,
    counted: Counted,
}

/// Measures files; what is wrong with one does not keep the others from it.
///
/// # Errors
///
/// If the result cannot be written.
pub fn bench(args: &BenchArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let mut worst = 0;
    let mut notes: Vec<String> = Vec::new();
    let files = files::expand_all(&args.files)?;
    let width = files.iter().map(|file| file.chars().count()).max();
    let width = width.unwrap_or(0).max(4);
    let mut head = !args.common.json;
    for file in &files {
        let measured = match measure(file, args, terminal) {
            Ok(measured) => measured,
            Err(failure) => {
                failure.report(terminal);
                worst = worst.max(failure.code());
                continue;
            }
        };
        if args.common.json {
            terminal.line(&measured.to_json().to_string())?;
        } else {
            if head {
                terminal.line(&line(width, "game", &HEAD.map(str::to_owned)))?;
                head = false;
            }
            terminal.line(&line(width, file, &measured.row()))?;
            notes.extend(measured.note());
        }
        terminal.flush()?;
    }
    if !notes.is_empty() {
        terminal.line("")?;
    }
    for note in notes {
        terminal.line(&note)?;
    }
    Ok(worst)
}

fn measure(file: &str, args: &BenchArgs, terminal: &mut Terminal) -> Result<Measured, Failure> {
    let choice = args.engine.engine;
    let text = files::read(file)?;
    let begun = Instant::now();
    let program = load::program_of(&text, &args.common.set, terminal)?;
    let compiled = begun.elapsed();
    terminal.plays_alone(&text.source);
    let made = engines::make(program, choice, Work::Games)?;
    let ready = |work| {
        let begun = Instant::now();
        made.engine.prepare(work);
        let ready = begun.elapsed();
        made.engine.settle();
        ready
    };
    let effort = Effort {
        time: args.seconds,
        games: args.games,
        plies: usize::try_from(args.plies).unwrap_or(usize::MAX),
        threads: usize::from(args.threads),
    };
    let to_play = ready(Work::Games);
    let played = play(&made.engine, effort)?;
    let told_apart = made.engine.told_apart();
    let to_count = ready(Work::Counting);
    let counted = count(&made.engine, effort)?;
    let mut compiling = [compiled, made.kernel, to_play, to_count];
    if made.engine.kernel(Work::Games).is_none() {
        compiling[1..].fill(Duration::ZERO);
    }
    Ok(Measured {
        file: file.to_owned(),
        asked: choice.kind().name(),
        used: made.kind.name(),
        instead: made.instead,
        told_apart,
        compiling,
        played,
        counted,
        engine: made.engine,
    })
}

const HEAD: [&str; 13] = [
    "engine",
    "games/s",
    "actions/s",
    "games/cpu s",
    "actions/cpu s",
    "depth",
    "sequences",
    "seq./s",
    "state",
    "program",
    "kernel",
    "code",
    "to count",
];

/// How wide the columns are; the first is at the left.
const WIDTHS: [usize; 13] = [8, 8, 9, 11, 13, 5, 13, 7, 7, 8, 8, 8, 8];

fn line(width: usize, first: &str, cells: &[String; 13]) -> String {
    let mut line = format!("{first:<width$}");
    for (at, (cell, width)) in cells.iter().zip(WIDTHS).enumerate() {
        if at == 0 {
            line.push_str(&format!("  {cell:<width$}"));
        } else {
            line.push_str(&format!("  {cell:>width$}"));
        }
    }
    line
}

impl Measured {
    fn row(&self) -> [String; 13] {
        let (played, games) = (&self.played, &self.played.games);
        let speed = |things, time| figure(rate(things, time));
        let [program, kernel, code, to_count] = self.compiling.map(milliseconds);
        [
            self.used.to_owned(),
            speed(games.games, played.wall),
            speed(games.actions, played.wall),
            speed(games.games, played.cpu),
            speed(games.actions, played.cpu),
            self.counted.depth.to_string(),
            self.counted.count.to_string(),
            speed(self.counted.count, self.counted.wall),
            format!("{} B", self.engine.initial().bytes()),
            program,
            kernel,
            code,
            to_count,
        ]
    }

    fn note(&self) -> Option<String> {
        let (file, used) = (&self.file, self.used);
        if let Some(why) = self.instead.as_ref() {
            return Some(format!("{file}: {used}, because of this: {why}"));
        }
        let actions = self.played.games.actions;
        (self.told_apart > actions / 4).then(|| {
            let share = (100 * self.told_apart).checked_div(actions).unwrap_or(100);
            let share = share.min(100);
            format!(
                "{file}: slowed down, as two ways to an action may be written alike: {share} of 100 times the texts of all were compared"
            )
        })
    }

    fn to_json(&self) -> Value {
        let (played, games) = (&self.played, &self.played.games);
        let program = self.engine.program();
        let by_player = |numbers: &[u64]| {
            let players = program.players.iter().zip(numbers);
            json::object(players.map(|(player, n)| (player.name.clone(), json!(n))))
        };
        let [compiled, kernel, code, to_count] = self.compiling.map(|time| time.as_secs_f64());
        json!({
            "schema": json::SCHEMA,
            "file": self.file,
            "options": json::options(program),
            "asked": self.asked,
            "engine": self.used,
            "because": self.instead,
            "told_apart": self.told_apart,
            "games": games.games,
            "actions": games.actions,
            "wins": by_player(&games.wins),
            "losses": by_player(&games.losses),
            "draws": games.draws,
            "open": games.open,
            "refused": games.refused,
            "seconds": played.wall.as_secs_f64(),
            "cpu_seconds": played.cpu.as_secs_f64(),
            "games_per_second": rate(games.games, played.wall),
            "actions_per_second": rate(games.actions, played.wall),
            "games_per_cpu_second": rate(games.games, played.cpu),
            "actions_per_cpu_second": rate(games.actions, played.cpu),
            "perft": {
                "depth": self.counted.depth,
                "count": self.counted.count,
                "seconds": self.counted.wall.as_secs_f64(),
                "per_second": rate(self.counted.count, self.counted.wall),
            },
            "state_bytes": self.engine.initial().bytes(),
            "compile_seconds": {
                "program": compiled,
                "kernel": kernel,
                "code": code,
                "code_to_count": to_count,
            },
        })
    }
}

fn milliseconds(time: Duration) -> String {
    if time.is_zero() {
        return "-".to_owned();
    }
    format!("{:.1} ms", time.as_secs_f64() * 1e3)
}

/// A number in three figures: `12.3 k`.
fn figure(number: f64) -> String {
    let sizes = [(1e9, " G"), (1e6, " M"), (1e3, " k"), (1.0, "")];
    // What would be rounded up to the next size belongs there.
    let size = sizes.iter().find(|(size, _)| number >= size * 0.9995);
    let (size, sign) = size.copied().unwrap_or((1.0, ""));
    let scaled = number / size;
    let places = match scaled {
        s if s >= 99.95 => 0,
        s if s >= 9.995 => 1,
        _ => 2,
    };
    format!("{scaled:.places$}{sign}")
}

#[cfg(test)]
mod tests {
    use crate::cli::bench::{HEAD, WIDTHS, figure, line, seconds};
    use std::time::Duration;

    #[test]
    fn three_figures() {
        let cases = [
            (0.0, "0.00"),
            (0.0123, "0.01"),
            (7.0, "7.00"),
            (9.996, "10.0"),
            (99.96, "100"),
            (999.4, "999"),
            (999.6, "1.00 k"),
            (12_345.0, "12.3 k"),
            (999_960.0, "1.00 M"),
            (2_500_000_000.0, "2.50 G"),
        ];
        for (number, text) in cases {
            assert_eq!(figure(number), text, "{number}");
        }
    }

    #[test]
    fn seconds_are_above_nothing() {
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        for wrong in [
            "0", "-1", "-0.1", "nan", "inf", "1e300", "1e-30", "x", "", "86401",
        ] {
            assert!(seconds(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_head_fits_its_columns() {
        for (word, width) in HEAD.into_iter().zip(WIDTHS) {
            assert!(word.len() <= width, "{word}");
        }
        let row = line(6, "abc", &HEAD.map(|_| "1".to_owned()));
        assert_eq!(row.len(), line(6, "game", &HEAD.map(str::to_owned)).len());
    }
}
