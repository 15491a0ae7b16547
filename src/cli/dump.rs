//! `gambol dump`: a stage of the compiler as text.

use crate::cli::args::{DumpArgs, Stage};
use crate::cli::failure::{FINDINGS, Failure};
use crate::cli::out::Terminal;
use crate::cli::{files, json, load};
use crate::compile::kernel;
use crate::program::Program;
use crate::program::kernel::Work;
use crate::{model, program, syntax};
use serde_json::json;

/// Prints what the compiler made of a file, as far as it came; tells what is wrong with it.
///
/// # Errors
///
/// If the file cannot be read, the result cannot be written, or there is no kernel for the rules.
pub fn dump(args: &DumpArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let read = files::read(&args.file)?;
    let compiled = files::compile_text(&read, &args.common.set);
    let source = &read.source;
    let text = match args.stage {
        Stage::Text => syntax::merged(source).ok(),
        Stage::Syntax => Some(syntax::dump(&compiled.file, source)),
        Stage::Model => compiled.model.as_ref().map(model::dump),
        Stage::Program => compiled.program.as_ref().map(program::dump),
        Stage::Kernel => compiled.program.as_ref().map(of_kernel).transpose()?,
    };
    if let Some(text) = text {
        if args.common.json {
            let value = json!({"schema": json::SCHEMA, "stage": args.stage.name(), "text": text});
            terminal.line(&value.to_string())?;
        } else {
            terminal.print(&text)?;
        }
    }
    if load::has_errors(&compiled) {
        load::tell(source, &compiled.diagnostics, terminal);
        return Ok(FINDINGS);
    }
    Ok(0)
}

fn of_kernel(program: &Program) -> Result<String, Failure> {
    let of = |work| kernel::kernel(program, work, true).map_err(Failure::NoKernel);
    let dumps = Work::ALL.map(|work| of(work).map(|kernel| program::kernel::dump(&kernel)));
    dumps.into_iter().collect()
}
