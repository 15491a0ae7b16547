//! The text of an action, and the cells that it names, from the numbers that a run has left.

use crate::board::Cell;
use crate::program::{Part, Program, Value, mix};

/// The text of an action.
#[must_use]
pub fn text(program: &Program, words: &[u32]) -> String {
    let mut out = String::new();
    let mut at = 0;
    while at < words.len() {
        if words[at] == u32::MAX {
            // A list of cells, written by the hole that points to it.
            at += 2 + words.get(at + 1).copied().unwrap_or(0) as usize;
            continue;
        }
        let template = &program.templates[words[at] as usize];
        at += 1;
        for part in &template.parts {
            if let Part::Text(t) = part {
                out.push_str(t);
                continue;
            }
            let word = words.get(at).copied().unwrap_or(0);
            at += 1;
            match part {
                Part::Text(_) => {}
                Part::Capture(quiet, taking) => {
                    out.push_str(if word == 0 { quiet } else { taking })
                }
                Part::Hole(value) => hole(program, value, word, words, &mut out),
            }
        }
    }
    out
}

/// The key of an action's text: of its pieces, or of all that is written where pieces may run together.
#[must_use]
pub fn key(program: &Program, words: impl ExactSizeIterator<Item = u32>) -> u64 {
    if program.collisions.any() {
        let text = text(program, &words.collect::<Vec<u32>>());
        let bytes = text.bytes().map(u64::from);
        return bytes.fold(text.len() as u64, |h, b| mix(h ^ b));
    }
    let length = words.len() as u64;
    words.fold(length, |h, w| mix(h ^ u64::from(w)))
}

/// The cells that the text of an action names, in its order.
#[must_use]
pub fn cells(program: &Program, words: &[u32]) -> Vec<Cell> {
    let mut found = Vec::new();
    let mut add = |at: u32| found.extend(u16::try_from(at).ok().map(Cell));
    let mut at = 0;
    while let Some(word) = words.get(at) {
        if *word == u32::MAX {
            at += 2 + words.get(at + 1).copied().unwrap_or(0) as usize;
            continue;
        }
        let Some(template) = program.templates.get(*word as usize) else {
            break;
        };
        at += 1;
        for part in &template.parts {
            let value = match part {
                Part::Text(_) => continue,
                Part::Capture(..) => None,
                Part::Hole(value) => Some(value),
            };
            let word = words.get(at).copied().unwrap_or(0);
            at += 1;
            match value {
                Some(Value::Cell(_)) => {
                    if let Some(cell) = word.checked_sub(1) {
                        add(cell);
                    }
                }
                Some(Value::Cells(_) | Value::Groups(_)) => {
                    let count = words.get(word as usize + 1).copied().unwrap_or(0) as usize;
                    for cell in words.iter().skip(word as usize + 2).take(count) {
                        add(*cell);
                    }
                }
                None
                | Some(
                    Value::Num(_)
                    | Value::Truth(_)
                    | Value::Dir(_)
                    | Value::Player(_)
                    | Value::Kind(_)
                    | Value::Run(_)
                    | Value::Dirs(_),
                ) => {}
            }
        }
    }
    found
}

fn hole(program: &Program, value: &Value, word: u32, words: &[u32], out: &mut String) {
    let name = |at: u32| {
        program
            .board
            .name(crate::board::Cell(u16::try_from(at).unwrap_or(u16::MAX)))
    };
    let below = word.checked_sub(1);
    match value {
        Value::Num(_) => out.push_str(&i64::from(word.cast_signed()).to_string()),
        Value::Truth(_) => out.push_str(if word == 0 { "no" } else { "yes" }),
        Value::Cell(_) => out.push_str(below.map_or("", name)),
        Value::Cells(_) | Value::Groups(_) => {
            let from = word as usize + 2;
            let count = words.get(word as usize + 1).copied().unwrap_or(0) as usize;
            let names: Vec<&str> = words
                .iter()
                .skip(from)
                .take(count)
                .map(|c| name(*c))
                .collect();
            out.push_str(&names.join(","));
        }
        Value::Dir(_) => {
            if let Some(d) = below {
                out.push_str(
                    program
                        .board
                        .direction_name(crate::board::Direction(d.to_le_bytes()[0])),
                );
            }
        }
        Value::Player(_) => out.push_str(
            below
                .and_then(|p| program.players.get(p as usize))
                .map_or("", |p| &p.name),
        ),
        Value::Kind(_) => {
            if let Some(kind) = below.and_then(|k| program.kinds.get(k as usize)) {
                out.push(kind.letter);
            }
        }
        Value::Run(_) | Value::Dirs(_) => {}
    }
}
