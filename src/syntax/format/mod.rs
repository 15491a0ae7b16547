//! The layout of rule files. In: a source that can be read. Out: the same tokens and comments on the same lines, with the
//! spaces, indentation and columns that all rule files have. What the text means is not changed, nor where its lines end.

mod columns;
mod layout;
mod spacing;
mod tokens;

use crate::base::{Diagnostics, Source};
use crate::syntax::ast::File;
use crate::syntax::format::columns::Rows;
use crate::syntax::format::tokens::Line;
use crate::syntax::parse;
use serde_json::Value;

/// Lays a rule file out.
///
/// # Errors
///
/// What is wrong with the text, if it cannot be read.
pub fn format(source: &Source) -> Result<String, Diagnostics> {
    let (_, diagnostics) = parse(source);
    if diagnostics.has_errors() {
        return Err(diagnostics);
    }
    Ok(lay_out(source.text()))
}

/// Whether two trees say the same, wherever it stands.
#[must_use]
pub fn same_tree(one: &File, other: &File) -> bool {
    placeless(one) == placeless(other)
}

fn placeless(file: &File) -> Option<Value> {
    let mut value = serde_json::to_value(file).ok()?;
    forget_places(&mut value);
    Some(value)
}

fn forget_places(value: &mut Value) {
    match value {
        Value::Array(list) => list.iter_mut().for_each(forget_places),
        Value::Object(map) => {
            let number = |name| map.get(name).is_some_and(Value::is_number);
            if map.len() == 2 && number("start") && number("end") {
                *value = Value::Null;
                return;
            }
            map.values_mut().for_each(forget_places);
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Lays any text out, line by line.
fn lay_out(text: &str) -> String {
    let lines = tokens::lines(text);
    let places = layout::places(&lines);
    let mut rows = Rows {
        lines: &lines,
        places: &places,
        spaces: spacing::spaces(&lines),
    };
    rows.align();
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    let mut above: Option<&Line<'_>> = None;
    for ((line, place), spaces) in lines.iter().zip(&places).zip(&rows.spaces) {
        if line.gap && above.is_some_and(|above| parted(above, line)) {
            out.push('\n');
        }
        out.extend(std::iter::repeat_n(' ', place.indent));
        for (token, spaces) in line.tokens.iter().zip(spaces) {
            out.extend(std::iter::repeat_n(' ', *spaces));
            out.push_str(token.text);
        }
        out.push('\n');
        above = Some(line);
    }
    out
}

/// Whether an empty line between two lines stays: not at the start of a block, nor at its end.
fn parted(above: &Line<'_>, below: &Line<'_>) -> bool {
    let opens = above.code().last().is_some_and(|t| t.opens.is_some());
    let closes = below.code().first().is_some_and(|t| t.closes());
    !opens && !closes
}
