//! What the items of a file are known by, so that a variant can name them.

use crate::base::Span;
use crate::syntax::ast::{
    EndClause, EndResult, Item, ItemKind, Moment, Name, Params, Target, TargetKind,
};

/// What an item is known by: two items with the same key are the same thing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Key {
    /// The item's word.
    pub word: &'static str,
    /// Its name; empty where there is only one.
    pub name: String,
}

impl Key {
    /// The key of a thing.
    pub fn new(word: &'static str, name: impl Into<String>) -> Key {
        Key {
            word,
            name: name.into(),
        }
    }

    /// As it is written behind `replace` or `remove`.
    pub fn written(&self) -> String {
        match self.word {
            _ if self.name.is_empty() => self.word.to_owned(),
            "require" | "end" | "example" => format!("{} \"{}\"", self.word, self.name),
            _ => format!("{} {}", self.word, self.name),
        }
    }
}

/// A moment as it is written.
pub fn moment_words(moment: Moment) -> &'static str {
    match moment {
        Moment::StartOfTurn => "at start of turn",
        Moment::AfterTurn => "after turn",
        Moment::AfterAction => "after action",
    }
}

/// What an end clause is called.
pub fn clause_name(clause: &EndClause) -> String {
    let word = match &clause.result {
        EndResult::Win => "win",
        EndResult::Lose => "lose",
        EndResult::Draw => "draw",
        EndResult::Score(_) => "score",
    };
    clause
        .name
        .as_ref()
        .map_or_else(|| word.to_owned(), |n| n.text.clone())
}

/// The keys of the things that an item declares.
pub fn keys(item: &Item) -> Vec<Key> {
    let one = |word, name: &str| vec![Key::new(word, name)];
    match &item.kind {
        ItemKind::Game { .. } => one("game", ""),
        ItemKind::Option(option) => one("option", &option.name.text),
        ItemKind::Require { reason, .. } => one("require", &reason.text),
        ItemKind::Players(_) => one("players", ""),
        ItemKind::Board(_) => one("board", ""),
        ItemKind::Pieces(kinds) => kinds
            .iter()
            .map(|k| Key::new("piece", &*k.name.text))
            .collect(),
        ItemKind::Keep(keep) => one("keep", &keep.name.text),
        ItemKind::Mark { names, .. } => names.iter().map(|n| Key::new("mark", &*n.text)).collect(),
        ItemKind::Define { name, params, .. } => match params {
            Params::Case(player) => one("define", &format!("{} of {}", name.text, player.text)),
            Params::None | Params::Names(_) => one("define", &name.text),
        },
        ItemKind::Setup(_) | ItemKind::Drawing(_) => one("setup", ""),
        ItemKind::Rule(rule) => one("rule", &rule.name.text),
        ItemKind::Turn { name, .. } => one("turn", name.as_ref().map_or("", |n| &n.text)),
        ItemKind::End { clauses, .. } => clauses
            .iter()
            .map(|c| Key::new("end", clause_name(c)))
            .collect(),
        ItemKind::EndChange { name, .. } => one("end", &name.text),
        ItemKind::Example(example) => one("example", &example.title.text),
        ItemKind::Variant(_) | ItemKind::Remove(_) => Vec::new(),
    }
}

/// The key of what `remove` names.
pub fn target_key(target: &Target) -> Key {
    match &target.kind {
        TargetKind::Option(n) => Key::new("option", &*n.text),
        TargetKind::Require(n) => Key::new("require", &*n.text),
        TargetKind::Piece(n) => Key::new("piece", &*n.text),
        TargetKind::Keep(n) => Key::new("keep", &*n.text),
        TargetKind::Mark(n) => Key::new("mark", &*n.text),
        TargetKind::Define { name, of: None } => Key::new("define", &*name.text),
        TargetKind::Define { name, of: Some(of) } => {
            Key::new("define", format!("{} of {}", name.text, of.text))
        }
        TargetKind::Setup => Key::new("setup", ""),
        TargetKind::Rule(n) => Key::new("rule", &*n.text),
        TargetKind::Turn(n) => Key::new("turn", n.as_ref().map_or("", |n| &n.text)),
        TargetKind::End(n) => Key::new("end", &*n.text),
    }
}

/// The name that other items use of what `remove` takes out, with the place where it says so.
pub fn removed(target: &Target) -> Option<Name> {
    let name = match &target.kind {
        TargetKind::Option(n)
        | TargetKind::Piece(n)
        | TargetKind::Keep(n)
        | TargetKind::Mark(n)
        | TargetKind::Define { name: n, .. }
        | TargetKind::Rule(n) => n,
        TargetKind::Require(_) | TargetKind::Setup | TargetKind::Turn(_) | TargetKind::End(_) => {
            return None;
        }
    };
    Some(Name {
        text: name.text.clone(),
        span: target.span,
    })
}

/// The head of an item: where a finding about the whole of it is shown.
pub fn head(item: &Item) -> Span {
    match &item.kind {
        ItemKind::Option(o) => o.name.span,
        ItemKind::Require { reason, .. } => reason.span,
        ItemKind::Keep(k) => k.name.span,
        ItemKind::Define { name, .. } | ItemKind::EndChange { name, .. } => name.span,
        ItemKind::Rule(r) => r.name.span,
        ItemKind::Turn {
            name: Some(name), ..
        } => name.span,
        ItemKind::Mark { names, .. } => names.first().map_or(item.span, |n| n.span),
        ItemKind::Pieces(kinds) => kinds.first().map_or(item.span, |k| k.name.span),
        ItemKind::End { clauses, .. } => clauses.first().map_or(item.span, |c| c.span),
        ItemKind::Game { .. }
        | ItemKind::Players(_)
        | ItemKind::Board(_)
        | ItemKind::Setup(_)
        | ItemKind::Drawing(_)
        | ItemKind::Turn { .. }
        | ItemKind::Variant(_)
        | ItemKind::Remove(_)
        | ItemKind::Example(_) => Span {
            start: item.span.start,
            end: item.span.end.min(item.span.start + 5),
        },
    }
}
