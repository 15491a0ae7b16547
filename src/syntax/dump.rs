//! The syntax tree as readable text, one node a line, for `dump --stage syntax` and the snapshots.

use crate::base::Source;
use crate::syntax::ast::File;
use serde_json::Value;
use std::fmt::Write;

/// The tree as indented text: names of nodes and fields, places left out.
#[must_use]
pub fn dump(file: &File, _source: &Source) -> String {
    let mut out = String::new();
    let value = serde_json::to_value(file).unwrap_or(Value::Null);
    if let Some(items) = value.get("items").and_then(Value::as_array) {
        for item in items {
            write_item(item, &mut out);
        }
    }
    out
}

fn write_item(item: &Value, out: &mut String) {
    if let Some(doc) = item.get("doc").and_then(Value::as_str) {
        for line in doc.lines() {
            let _ = writeln!(out, "/// {line}");
        }
    }
    if let Some(kind) = item.get("kind") {
        node(kind, 0, out);
    }
}

/// Texts, numbers and names that fit on the line of their parent.
fn short(value: &Value) -> Option<String> {
    match value {
        Value::Null => Some("-".to_owned()),
        Value::Bool(b) => Some(b.to_string()),
        Value::Number(n) => Some(n.to_string()),
        Value::String(s) => Some(s.clone()),
        Value::Array(list) if list.is_empty() => Some("none".to_owned()),
        Value::Array(list) => {
            let parts: Option<Vec<String>> = list.iter().map(short).collect();
            parts
                .filter(|p| p.iter().map(String::len).sum::<usize>() < 60)
                .map(|p| format!("[{}]", p.join(", ")))
        }
        Value::Object(map) => {
            if let (Some(Value::String(text)), 2) = (map.get("text"), map.len()) {
                return Some(format!("\"{text}\""));
            }
            if let (Some(kind), true) = (map.get("kind"), map.contains_key("span")) {
                return short(kind);
            }
            if let (1, Some((name, inner))) = (map.len(), map.iter().next()) {
                return short(inner)
                    .filter(|s| s.len() < 60)
                    .map(|s| format!("{name} {s}"));
            }
            None
        }
    }
}

fn node(value: &Value, depth: usize, out: &mut String) {
    let pad = "  ".repeat(depth);
    if let Some(text) = short(value) {
        let _ = writeln!(out, "{pad}{text}");
        return;
    }
    match value {
        Value::Array(list) => list.iter().for_each(|v| node(v, depth, out)),
        Value::Object(map) => {
            if let (Some(kind), true) = (map.get("kind"), map.contains_key("span")) {
                return node(kind, depth, out);
            }
            for (name, inner) in map.iter().filter(|(name, _)| *name != "span") {
                match short(inner) {
                    Some(text) => {
                        let _ = writeln!(out, "{pad}{name} {text}");
                    }
                    None => {
                        let _ = writeln!(out, "{pad}{name}");
                        node(inner, depth + 1, out);
                    }
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
