//! `gambol explain`: the manual page of a diagnostic's code, or the list of all codes.

use crate::base::{CODES, CodeInfo, Severity};
use crate::cli::failure::Failure;
use crate::cli::json;
use crate::cli::out::Terminal;
use crate::tools::manual::{self, Example, Page};
use clap::Args;
use serde_json::{Value, json};

/// The arguments of `explain`.
#[derive(Args, Clone, Debug)]
pub struct ExplainArgs {
    /// The code, as it stands in brackets in a diagnostic; all codes when none is given.
    pub code: Option<String>,
    /// Write JSON.
    #[arg(long)]
    pub json: bool,
}

/// Tells what a code means, or lists all of them.
///
/// # Errors
///
/// If there is no such code, or the result cannot be written.
pub fn explain(args: &ExplainArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let Some(written) = &args.code else {
        list(args.json, terminal)?;
        return Ok(0);
    };
    // What stands in a diagnostic may be copied with its brackets: error[unknown-name].
    let name = written
        .split_once('[')
        .map_or(written.as_str(), |(_, rest)| rest.trim_end_matches(']'))
        .trim();
    let Some(info) = manual::code(name) else {
        let hint = match manual::near_codes(name).as_slice() {
            [] => "`gambol explain` lists all codes".to_owned(),
            [near] => format!("did you mean `{near}`?"),
            [most @ .., last] => format!("did you mean `{}` or `{last}`?", most.join("`, `")),
        };
        return Err(Failure::Usage(format!(
            "no diagnostic has the code `{name}`; {hint}"
        )));
    };
    let page = manual::page(name).unwrap_or_default();
    if args.json {
        terminal.line(&to_json(info, &page).to_string())?;
    } else {
        terminal.print(&drawn(info, &page, terminal.color_out))?;
    }
    Ok(0)
}

fn list(as_json: bool, terminal: &mut Terminal) -> Result<(), Failure> {
    if as_json {
        let codes: Vec<Value> = CODES
            .iter()
            .map(|info| json!({"code": info.name, "severity": info.severity, "summary": info.text}))
            .collect();
        return terminal.line(&json!({"schema": json::SCHEMA, "codes": codes}).to_string());
    }
    let width = CODES.iter().map(|info| info.name.len()).max().unwrap_or(0);
    for info in CODES {
        let severity = word(info.severity);
        terminal.line(&format!(
            "{:width$}  {severity:7}  {}",
            info.name, info.text
        ))?;
    }
    Ok(())
}

fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

fn to_json(info: &CodeInfo, page: &Page) -> Value {
    let text = |example: &Option<Example>| example.as_ref().map(|e| e.text.clone());
    json!({
        "schema": json::SCHEMA,
        "code": info.name,
        "severity": info.severity,
        "summary": info.text,
        "text": page.text,
        "wrong": text(&page.wrong),
        "right": text(&page.right),
    })
}

/// The page as text: examples indented, headings bold.
fn drawn(info: &CodeInfo, page: &Page, color: bool) -> String {
    let bold = |text: &str| {
        if color {
            format!("\x1b[1m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    };
    let title = format!("{}[{}]", word(info.severity), info.name);
    let mut out = format!("{}: {}\n", bold(&title), info.text);
    if !page.text.is_empty() {
        out.push_str(&format!("\n{}\n", page.text));
    }
    for (heading, example) in [("wrong", &page.wrong), ("right", &page.right)] {
        let Some(example) = example else { continue };
        let set: Vec<String> = example
            .settings
            .iter()
            .map(|(name, value)| format!("--set {name}={value}"))
            .collect();
        let set = if set.is_empty() {
            String::new()
        } else {
            format!(", with {}", set.join(" "))
        };
        out.push_str(&format!("\n{}\n\n", bold(&format!("{heading}{set}:"))));
        for line in example.text.lines() {
            if !line.is_empty() {
                out.push_str("    ");
                out.push_str(line);
            }
            out.push('\n');
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use crate::cli::explain::drawn;
    use crate::tools::manual::{Example, Page, code};

    #[test]
    fn examples_are_indented_and_headings_bold() {
        let page = Page {
            name: "syntax".to_owned(),
            text: "Why.".to_owned(),
            wrong: Some(Example {
                text: "a\n\n  b\n".to_owned(),
                settings: vec![("x".to_owned(), "1".to_owned())],
            }),
            right: None,
        };
        let info = code("syntax").unwrap();
        let plain = "error[syntax]: The text does not follow the grammar.\n\nWhy.\n\nwrong, with --set x=1:\n\n    a\n\n      b\n";
        assert_eq!(drawn(info, &page, false), plain);
        assert!(drawn(info, &page, true).contains("\x1b[1mwrong, with --set x=1:\x1b[0m"));
    }

    #[test]
    fn a_code_without_a_page_is_told_in_a_sentence() {
        let info = code("syntax").unwrap();
        let told = drawn(info, &Page::default(), false);
        assert_eq!(
            told,
            "error[syntax]: The text does not follow the grammar.\n"
        );
    }
}
