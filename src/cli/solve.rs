//! `gambol solve`: what a small game is worth when everybody plays as well as can be, and a line of best play.

use crate::cli::args::{Common, Standing};
use crate::cli::engines::EngineArg;
use crate::cli::failure::{self, Failure};
use crate::cli::moves;
use crate::cli::out::Terminal;
use crate::cli::{engines, json};
use crate::engine::Engine;
use crate::program::{Effect, Op, PlayerId};
use crate::tools::phrase;
use crate::tools::search::duration;
use crate::tools::solve::{Means, Method, Solution, Value, solve as find};
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The arguments of `solve`.
#[derive(Args, Clone, Debug)]
pub struct SolveArgs {
    /// The game file; `-` is the standard input.
    pub file: String,
    /// Where the game stands.
    #[command(flatten)]
    pub at: Standing,
    /// How much memory may be used: 500M, 2G.
    #[arg(long, value_name = "BYTES", default_value = "1G", value_parser = bytes)]
    pub memory: usize,
    /// How long it may take: 30s, 10m.
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = time)]
    pub time: Duration,
    /// How to look for the value.
    #[arg(long, value_enum, value_name = "METHOD", default_value = "auto")]
    pub method: How,
    /// Which engine.
    #[command(flatten)]
    pub engine: EngineArg,
    /// Common ones.
    #[command(flatten)]
    pub common: Common,
}

/// How to look for the value.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum How {
    /// By all positions if they fit the memory, else by search.
    Auto,
    /// All positions are listed, and gone through backwards from the ends.
    Complete,
    /// Alpha-beta search, deeper and deeper.
    Search,
}

fn time(text: &str) -> Result<Duration, String> {
    duration(text).map_err(|error| error.to_string())
}

fn bytes(text: &str) -> Result<usize, String> {
    let units = [("G", 1 << 30), ("M", 1 << 20), ("K", 1 << 10)];
    let of = |(sign, size): &(&str, usize)| text.strip_suffix(sign).map(|n| (n, *size));
    let (number, size) = units.iter().find_map(of).unwrap_or((text, 1));
    let wrong = || format!("`{text}` is no size of memory: write `500M` or `2G`");
    let number: usize = number.trim().parse().map_err(|_| wrong())?;
    let bytes = number.checked_mul(size).ok_or_else(wrong)?;
    if !(1 << 20..=1 << 40).contains(&bytes) {
        return Err(format!(
            "`{text}` is not between 1M and 1024G: write `500M` or `2G`"
        ));
    }
    Ok(bytes)
}

/// Looks for the value and tells it, or how far it came.
///
/// # Errors
///
/// If file or position are wrong, there are more than two players, or the result cannot be written.
pub fn solve(args: &SolveArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let engine = engines::engine(&args.file, &args.common.set, args.engine.engine, terminal)?;
    let position = moves::standing(&engine, &args.at)?;
    let players = engine.program().players.len();
    if players > 2 {
        let told = format!("games of {players} players are not solved: there must be two");
        return Err(Failure::Usage(told));
    }
    let stop = Arc::new(AtomicBool::new(false));
    let heard = Arc::clone(&stop);
    // Without it an interruption ends the program at once, which loses nothing.
    let _ = ctrlc::set_handler(move || heard.store(true, Ordering::Relaxed));
    let means = Means {
        method: match args.method {
            How::Auto => Method::Auto,
            How::Complete => Method::Complete,
            How::Search => Method::Search,
        },
        memory: args.memory,
        time: args.time,
    };
    let progress = progress();
    let found = find(&engine, &position, means, &stop, &mut |so_far| {
        progress.set_message(format!(
            "{} positions, depth {}: {}",
            so_far.nodes,
            so_far.depth,
            verdict(&engine, so_far)
        ));
    });
    progress.finish_and_clear();
    let found = found?;
    let broken_off = stop.load(Ordering::Relaxed) && found.bounds.known().is_none();
    if args.common.json {
        terminal.line(&to_json(&engine, &found, broken_off).to_string())?;
    } else {
        tell(&engine, &found, (args, broken_off), terminal)?;
    }
    Ok(if broken_off { failure::BROKEN_OFF } else { 0 })
}

fn progress() -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {msg}") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(120));
    bar
}

fn tell(
    engine: &Engine,
    found: &Solution,
    (args, broken_off): (&SolveArgs, bool),
    terminal: &mut Terminal,
) -> Result<(), Failure> {
    terminal.line(&verdict(engine, found))?;
    match (found.positions, found.bounds.known()) {
        (Some(positions), _) => {
            terminal.line(&format!(
                "all {positions} positions that can come up were listed"
            ))?;
        }
        (None, Some(_)) => terminal.line(&format!("{} positions were looked at", found.nodes))?,
        (None, None) => {
            let what = if found.nodes == 0 && broken_off {
                "the positions were still being listed".to_owned()
            } else if found.nodes == 0 {
                "there are too many positions to list them".to_owned()
            } else {
                format!(
                    "{} positions were looked at, all lines of up to {}",
                    found.nodes,
                    phrase::number(usize::from(found.depth), "action")
                )
            };
            let why = if broken_off {
                "it was broken off".to_owned()
            } else {
                format!("the game is too large for {}", means(args))
            };
            terminal.line(&format!("{what}; {why}"))?;
        }
    }
    if !found.line.is_empty() {
        let more = if found.circle {
            ", and so on for ever"
        } else {
            ""
        };
        terminal.line(&format!("best play: {}{more}", found.line.join(" ")))?;
    }
    Ok(())
}

/// What was given to it, in words.
fn means(args: &SolveArgs) -> String {
    let megabytes = args.memory >> 20;
    format!(
        "{} s and {megabytes} MB (`--time` and `--memory` give it more)",
        args.time.as_secs_f64()
    )
}

/// A person, by the player that they are at the start; nobody where there is none.
fn person(engine: &Engine, id: PlayerId) -> Option<String> {
    let program = engine.program();
    let name = program.players.get(usize::from(id.0))?.name.clone();
    let exchange = |op: &Op| matches!(op, Op::Effect(Effect::ExchangeSeats));
    Some(if program.code.iter().any(exchange) {
        format!("the person who begins as {name}")
    } else {
        name
    })
}

/// The value in words.
fn verdict(engine: &Engine, found: &Solution) -> String {
    let first = person(engine, PlayerId(0)).unwrap_or_default();
    let second = person(engine, PlayerId(1));
    let within = found.distance.map_or(String::new(), |n| {
        format!(" in {}", phrase::number(n as usize, "action"))
    });
    let bounds = found.bounds;
    match (bounds.known(), second) {
        (Some(Value::Win), _) => format!("{first} wins{within}"),
        (Some(Value::Draw), _) if found.circle => {
            "a draw: neither side can force an end that it wins".to_owned()
        }
        (Some(Value::Draw), _) if found.dead_end => {
            "a draw, as nothing can be played at the end of this line, and no end says what then"
                .to_owned()
        }
        (Some(Value::Draw), _) => "a draw".to_owned(),
        (Some(Value::Loss), Some(second)) => format!("{second} wins{within}"),
        (Some(Value::Loss), None) => format!("{first} loses{within}"),
        (None, _) if bounds.least == Value::Draw => {
            format!("{first} does not lose; not solved further")
        }
        (None, _) if bounds.most == Value::Draw => {
            format!("{first} does not win; not solved further")
        }
        (None, _) => "not solved".to_owned(),
    }
}

fn word(value: Value) -> &'static str {
    match value {
        Value::Loss => "loss",
        Value::Draw => "draw",
        Value::Win => "win",
    }
}

fn to_json(engine: &Engine, found: &Solution, broken_off: bool) -> serde_json::Value {
    let program = engine.program();
    json!({
        "schema": json::SCHEMA,
        "game": program.about.title,
        "options": json::options(program),
        "solved": found.bounds.known().is_some(),
        "for": phrase::player(program, PlayerId(0)),
        "value": found.bounds.known().map(word),
        "least": word(found.bounds.least),
        "most": word(found.bounds.most),
        "actions": found.distance,
        "line": found.line,
        "endless": found.circle,
        "dead_end": found.dead_end,
        "broken_off": broken_off,
        "method": match found.method {
            Method::Complete => "complete",
            Method::Search | Method::Auto => "search",
        },
        "positions": found.positions,
        "looked_at": found.nodes,
        "depth": found.depth,
    })
}

#[cfg(test)]
mod tests {
    use crate::cli::solve::bytes;

    #[test]
    fn sizes_of_memory() {
        assert_eq!(bytes("2G"), Ok(2 << 30));
        assert_eq!(bytes("500M"), Ok(500 << 20));
        for wrong in ["", "0", "1K", "-1M", "2T", "99999999999G", "much"] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
    }
}
