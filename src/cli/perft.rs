//! `gambol perft`: how many sequences of actions, or of turns, there are.

use crate::cli::args::PerftArgs;
use crate::cli::engines::Choice;
use crate::cli::failure::Failure;
use crate::cli::out::Terminal;
use crate::cli::{engines, json, load};
use crate::tools::perft::{Question, Share, tally};
use serde_json::{Value, json};
use std::num::NonZero;
use std::thread::available_parallelism;

/// The depth from which on making a fast engine pays.
const WORTH_IT: u16 = 3;

/// Counts, and tells the numbers.
///
/// # Errors
///
/// If file or position are wrong, the engine fails, or the result cannot be written.
pub fn perft(args: &PerftArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let settings = &args.common.set;
    let choice = match args.engine.engine {
        // It would be done before a fast engine is ready.
        Choice::Auto if args.depth < WORTH_IT => Choice::Plain,
        choice => choice,
    };
    let engine = engines::engine(&args.file, settings, choice, terminal)?;
    let position = load::position(&engine, args.position.as_deref())?;
    let processors = || available_parallelism().map_or(1, NonZero::get);
    let threads = args.threads.map_or_else(processors, usize::from);
    let question = Question {
        depth: usize::from(args.depth),
        by_turns: args.turns,
        divided: args.divide,
    };
    let tally = tally(&engine, &position, question, threads)?;
    if args.common.json {
        let mut result =
            json!({"schema": json::SCHEMA, "depth": args.depth, "counts": tally.counts});
        if args.divide
            && let Some(result) = result.as_object_mut()
        {
            result.insert(
                "divide".to_owned(),
                tally.shares.iter().map(share).collect(),
            );
        }
        terminal.line(&result.to_string())?;
        return Ok(0);
    }
    if args.divide {
        for share in &tally.shares {
            terminal.line(&format!("{}: {}", share.text, share.count))?;
        }
        terminal.line("")?;
    }
    for (depth, count) in (1..).zip(&tally.counts) {
        terminal.line(&format!("{depth} {count}"))?;
    }
    Ok(0)
}

fn share(share: &Share) -> Value {
    json!({"action": share.text, "count": share.count})
}
