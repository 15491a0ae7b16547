//! `gambol options`: what may be set, with ranges, defaults and texts, and what the options must fulfil together.

use crate::cli::args::Common;
use crate::cli::failure::{FINDINGS, Failure};
use crate::cli::out::Terminal;
use crate::cli::{files, json, load};
use crate::model;
use crate::program::OptionValue;
use crate::syntax::ast::{File, ItemKind};
use clap::Args;
use serde_json::{Value, json};

/// The arguments of `options`.
#[derive(Args, Clone, Debug)]
pub struct OptionsArgs {
    /// The game file; `-` is the standard input.
    pub file: String,
    /// Common ones.
    #[command(flatten)]
    pub common: Common,
}

/// Lists the options; values that may not be set are told.
///
/// # Errors
///
/// If the file cannot be read, is no game, or the result cannot be written.
pub fn options(args: &OptionsArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let text = files::read(&args.file)?;
    let compiled = files::compile_text(&text, &args.common.set);
    let refused = load::has_errors(&compiled);
    // Values that are refused shall not keep the list from those who look for better ones.
    let readable = files::compile_text(&text, &[]);
    let program = compiled.program.as_ref().or(readable.program.as_ref());
    let conditions = conditions(&compiled.file);
    if let Some(program) = program {
        if args.common.json {
            terminal
                .line(&to_json(&program.about.title, &program.options, &conditions).to_string())?;
        } else {
            tell(
                &program.about.title,
                &program.options,
                &conditions,
                terminal,
            )?;
        }
    }
    if refused {
        load::tell(&text.source, &compiled.diagnostics, terminal);
        return Ok(FINDINGS);
    }
    Ok(0)
}

/// A condition that the options must fulfil together, and its text.
struct Condition {
    test: String,
    reason: String,
}

fn conditions(file: &File) -> Vec<Condition> {
    let items = file.items.iter();
    let found = items.filter_map(|item| {
        let ItemKind::Require { test, reason } = &item.kind else {
            return None;
        };
        Some(Condition {
            test: model::source_of(test),
            reason: reason.text.clone(),
        })
    });
    found.collect()
}

fn tell(
    title: &str,
    options: &[OptionValue],
    conditions: &[Condition],
    terminal: &mut Terminal,
) -> Result<(), Failure> {
    terminal.line(title)?;
    if options.is_empty() {
        return terminal.line("no options");
    }
    let width = |column: fn(&OptionValue) -> String| {
        options
            .iter()
            .map(|o| column(o).chars().count())
            .max()
            .unwrap_or(0)
    };
    let (first, second) = (width(value), width(|o| o.domain.clone()));
    for option in options {
        let mut more: Vec<String> = Vec::new();
        if option.value != option.default {
            more.push(format!("[default {}]", option.default));
        }
        if let Some(when) = &option.when {
            let idle = if option.idle { ", so not now" } else { "" };
            more.push(format!("[only when {when}{idle}]"));
        }
        if !option.text.is_empty() {
            more.push(option.text.clone());
        }
        let line = format!(
            "  {:<first$}  {:<second$}  {}",
            value(option),
            option.domain,
            more.join(" ")
        );
        terminal.line(line.trim_end())?;
    }
    for condition in conditions {
        terminal.line(&format!(
            "  require {}: {}",
            condition.test, condition.reason
        ))?;
    }
    Ok(())
}

fn value(option: &OptionValue) -> String {
    format!("{} = {}", option.name, option.value)
}

fn to_json(title: &str, options: &[OptionValue], conditions: &[Condition]) -> Value {
    let options: Vec<Value> = options
        .iter()
        .map(|o| {
            json!({
                "name": o.name, "value": json::setting(&o.value), "default": json::setting(&o.default), "domain": o.domain,
                "when": o.when, "counts": !o.idle, "text": o.text,
            })
        })
        .collect();
    let conditions: Vec<Value> = conditions
        .iter()
        .map(|c| json!({"test": c.test, "text": c.reason}))
        .collect();
    json!({"schema": json::SCHEMA, "game": title, "options": options, "conditions": conditions})
}
