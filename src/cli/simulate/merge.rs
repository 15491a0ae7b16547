//! `gambol merge`: the parts of a run, put together.

use crate::cli::failure::{FINDINGS, Failure};
use crate::cli::out::Terminal;
use crate::cli::render;
use crate::cli::simulate::tell::{self, Told};
use crate::tools::simulate::merge as put_together;
use crate::tools::simulate::shard::{BadPart, Part, read};
use clap::Args;

/// The arguments of `merge`.
#[derive(Args, Clone, Debug)]
pub struct MergeArgs {
    /// The files of all parts of a run, in any order.
    #[arg(required = true, value_name = "SHARD")]
    pub files: Vec<String>,
    /// How it is told.
    #[command(flatten)]
    pub told: Told,
}

/// Puts parts together and tells them.
///
/// # Errors
/// If a file cannot be read or is no part of a run, or the result cannot be written.
pub fn merge(args: &MergeArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let mut parts: Vec<(String, Part)> = Vec::new();
    let mut bad = false;
    tell::can_be_written(&args.told)?;
    for file in &args.files {
        let bytes = std::fs::read(file).map_err(|error| Failure::Unreadable {
            file: file.clone(),
            reason: error.to_string(),
        })?;
        match read(&bytes) {
            Ok(part) => parts.push((file.clone(), part)),
            Err(why) => {
                bad = true;
                let message = match why {
                    BadPart::Foreign => {
                        format!("{file} is no file of `gambol simulate --out`")
                    }
                    BadPart::Damaged { line, reason } => {
                        format!("{file} cannot be used: line {line}: {reason}")
                    }
                };
                let text = render::message(None, &message, None, terminal.color_err);
                terminal.complain(&text);
            }
        }
    }
    if bad {
        return Ok(FINDINGS);
    }
    match put_together(parts) {
        Ok((plan, tallies)) => {
            tell::tell(&plan, &tallies, &args.told, terminal)?;
            Ok(0)
        }
        Err(why) => {
            let help = why.help.as_deref();
            let text = render::message(None, &why.message, help, terminal.color_err);
            terminal.complain(&text);
            Ok(FINDINGS)
        }
    }
}
