//! Items together with the text that they come from, so that a merged file can be written out again.

use crate::base::{Source, Span};
use crate::syntax::ast::{Item, ItemKind, Kind};
use crate::syntax::variants::keys::{Key, clause_name, moment_words};

/// A stretch of the text of an item.
#[derive(Clone, Debug)]
pub enum Stretch {
    /// As it stands in a file.
    Copied(Span),
    /// Made.
    Made(String),
}

/// An item with its text.
#[derive(Clone, Debug)]
pub struct Sourced {
    /// The item.
    pub item: Item,
    /// The stretches of its text, comments above included.
    pub text: Vec<Stretch>,
}

impl Sourced {
    /// An item as it stands in its file.
    pub fn of(item: Item) -> Sourced {
        let lead = Span {
            start: item.lead,
            end: item.span.end,
        };
        let text = match &item.kind {
            // The default stands apart: a variant may give another one.
            ItemKind::Option(option) => {
                let value = option.value.span;
                let (start, end) = (lead.start, lead.end);
                vec![
                    Stretch::Copied(Span {
                        start,
                        end: value.start,
                    }),
                    Stretch::Copied(value),
                    Stretch::Copied(Span {
                        start: value.end,
                        end,
                    }),
                ]
            }
            _ => vec![Stretch::Copied(lead)],
        };
        Sourced { item, text }
    }

    /// The comments above it.
    pub fn lead(&self) -> Span {
        Span {
            start: self.item.lead,
            end: self.item.span.start,
        }
    }

    /// Its text.
    pub fn print(&self, source: &Source) -> String {
        let parts = self.text.iter().map(|stretch| match stretch {
            Stretch::Copied(span) => source.at(*span),
            Stretch::Made(text) => text.as_str(),
        });
        parts.collect()
    }

    /// The comments above, and a text that was made.
    pub fn remade(item: Item, text: String) -> Sourced {
        let lead = Span {
            start: item.lead,
            end: item.span.start,
        };
        let text = vec![Stretch::Copied(lead), Stretch::Made(text)];
        Sourced { item, text }
    }
}

/// Takes the word `replace` out of the text of an item.
pub fn without_word(one: &mut Sourced) {
    let item = &one.item;
    let lead = Span {
        start: item.lead,
        end: item.span.start,
    };
    let start = item.span.start + u32::try_from("replace".len()).unwrap_or(0);
    let Some(Stretch::Copied(first)) = one.text.first().cloned() else {
        return;
    };
    // The `game` line replaces without the word.
    if matches!(item.kind, ItemKind::Game { .. }) {
        return;
    }
    let rest = Span {
        start: start + 1,
        end: first.end.max(start + 1),
    };
    one.text[0] = Stretch::Copied(rest);
    one.text.insert(0, Stretch::Copied(lead));
}

/// An item without one of the things that it declares, and its text if that is made; nothing when nothing is left.
pub fn without(item: &Item, key: &Key) -> Option<(Item, Option<String>)> {
    let mut left = item.clone();
    let text = match &mut left.kind {
        ItemKind::Pieces(kinds) => {
            kinds.retain(|k| k.name.text != key.name);
            if kinds.is_empty() {
                return None;
            }
            let kinds: Vec<String> = kinds.iter().map(kind_text).collect();
            Some(format!("piece {}", kinds.join(", ")))
        }
        ItemKind::Mark {
            names,
            each_turn,
            aside,
        } => {
            names.retain(|n| n.text != key.name);
            if names.is_empty() {
                return None;
            }
            let names: Vec<&str> = names.iter().map(|n| n.text.as_str()).collect();
            let life = [(*each_turn, " each turn"), (*aside, " aside")];
            let life: String = life.iter().filter(|l| l.0).map(|l| l.1).collect();
            Some(format!("mark {}{life}", names.join(", ")))
        }
        ItemKind::End { clauses, .. } => {
            clauses.retain(|c| clause_name(c) != key.name);
            if clauses.is_empty() {
                return None;
            }
            None
        }
        _ => return None,
    };
    Some((left, text))
}

pub fn kind_text(kind: &Kind) -> String {
    let letter = kind
        .letter
        .as_ref()
        .map_or_else(String::new, |l| format!(" \"{}\"", l.text));
    let neutral = if kind.neutral { " neutral" } else { "" };
    format!("{}{letter}{neutral}", kind.name.text)
}

/// The text of an item of ends, clause by clause.
pub fn ends_text(item: &Item) -> Vec<Stretch> {
    let ItemKind::End { moment, clauses } = &item.kind else {
        return Vec::new();
    };
    let lead = Span {
        start: item.lead,
        end: item.span.start,
    };
    let opening = format!("end {} {{\n", moment_words(*moment));
    let mut text = vec![Stretch::Copied(lead), Stretch::Made(opening)];
    for clause in clauses {
        text.push(Stretch::Made("  ".to_owned()));
        text.push(Stretch::Copied(clause.span));
        text.push(Stretch::Made("\n".to_owned()));
    }
    text.push(Stretch::Made("}".to_owned()));
    text
}
