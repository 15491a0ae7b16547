//! Text into syntax tree. In: a source. Out: the tree of all items that could be read, and what is wrong with the others.
//! Nothing is resolved here, and nothing outside this folder knows the parser's own types.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "the grammar has a hundred rules; each builder knows a few"
)]

mod advice;
mod around;
pub mod ast;
mod brackets;
mod declared;
mod desk;
mod dump;
mod expressions;
mod format;
mod grammar;
mod items;
mod nouns;
mod pictures;
mod prescan;
mod problems;
mod signs;
mod statements;
mod tree;
mod variants;
pub mod visit;

pub use advice::{OUTSIDE, second_statement};
pub use dump::dump;
pub use format::{format, same_tree};
pub use grammar::{EFFECTS, RESERVED};

use crate::base::{Code, Diagnostic, Diagnostics, Source, Span};
use crate::syntax::ast::{File, Item, ItemKind, Name};
use crate::syntax::variants::Sourced;
use std::num::NonZeroUsize;

/// A file longer than this, in bytes, is refused.
pub const MAX_BYTES: usize = 1 << 20;

/// The parser gives up on an item after so many steps.
const MAX_CALLS: usize = 40_000_000;

/// Reads a source text, with the texts that it builds on: a variant is put upon its base.
///
/// Always gives a tree, of those items that could be read; the diagnostics tell about the rest.
#[must_use]
pub fn parse(source: &Source) -> (File, Diagnostics) {
    let mut diagnostics = Diagnostics::default();
    let mut removed = Vec::new();
    let items = read(source, 0, &mut removed, &mut diagnostics);
    let items = items.into_iter().map(|s| s.item).collect();
    (File { items, removed }, diagnostics)
}

/// Reads the first text of a source as it stands, whatever it builds on.
#[must_use]
pub fn parse_alone(source: &Source) -> (File, Diagnostics) {
    let mut diagnostics = Diagnostics::default();
    let items = own_items(source, 0, &mut diagnostics);
    let items = items.into_iter().map(|s| s.item).collect();
    let removed = Vec::new();
    (File { items, removed }, diagnostics)
}

/// The text of a whole game: that of the file, or of the file put upon its base.
///
/// # Errors
///
/// What is wrong with the text, if it cannot be read.
pub fn merged(source: &Source) -> Result<String, Diagnostics> {
    let mut diagnostics = Diagnostics::default();
    let items = read(source, 0, &mut Vec::new(), &mut diagnostics);
    if diagnostics.has_errors() {
        return Err(diagnostics);
    }
    if source.parts() == 1 {
        return Ok(source.text().to_owned());
    }
    let mut text = String::new();
    for item in &items {
        let written = item.print(source);
        let one = close_up(&written);
        if !text.is_empty() {
            let apart = apart(&text, &one, &written);
            text.push_str(apart);
        }
        text.push_str(&one);
    }
    text.push('\n');
    Ok(text)
}

/// The text of an item without empty lines around it, and without such among the comments above it.
fn close_up(written: &str) -> String {
    let mut above = true;
    let mut kept: Vec<&str> = Vec::new();
    for line in written.trim_end().lines() {
        let bare = line.trim();
        if !(above && bare.is_empty()) {
            kept.push(line.trim_end());
        }
        above = above && (bare.is_empty() || bare.starts_with("//"));
    }
    kept.join("\n")
}

/// What stands between two items: an empty line where one was written, or where one of them has several lines.
fn apart(before: &str, one: &str, written: &str) -> &'static str {
    let last = before.rsplit("\n\n").next().unwrap_or("");
    let wide = one.contains('\n') || last.trim_end().ends_with('}');
    let gap = written.len() - written.trim_start().len();
    let blank = written[..gap].matches('\n').count() > 1;
    if wide || blank { "\n\n" } else { "\n" }
}

/// The texts of the items in which something could not be read, by what was found wrong with them.
#[must_use]
pub fn unread<'s>(source: &'s Source, found: &[Diagnostic]) -> Vec<&'s str> {
    let mut unread = Vec::new();
    for part in 0..source.parts() {
        let (_, start, text) = source.part(part);
        let whole = &source.text()[..start + text.len()];
        let mut ignored = Diagnostics::default();
        let mut in_none: Vec<usize> = (found.iter())
            .map(|d| d.label.span.start as usize)
            .filter(|at| (start..=whole.len()).contains(at))
            .collect();
        for chunk in prescan::chunks(whole, start, &mut ignored) {
            let inside = |at: &usize| (chunk.base..=chunk.base + chunk.text.len()).contains(at);
            if in_none.iter().any(inside) {
                unread.push(chunk.text);
                in_none.retain(|at| !inside(at));
            }
        }
        // What belongs to no item may have been one.
        if !in_none.is_empty() {
            unread.push(text);
        }
    }
    unread
}

/// The file that the last text of a source is a variant of, as written, when it is one.
#[must_use]
pub fn base_of(source: &Source) -> Option<Name> {
    let (_, start, text) = source.part(source.parts() - 1);
    let whole = &source.text()[..start + text.len()];
    let mut ignored = Diagnostics::default();
    if text.len() > MAX_BYTES || !prescan::brackets(whole, start, &mut ignored) {
        return None;
    }
    pest::set_call_limit(NonZeroUsize::new(MAX_CALLS));
    let chunks = prescan::chunks(whole, start, &mut ignored);
    let chunk = chunks.iter().find(|c| c.text.starts_with("variant"))?;
    match items::read(chunk, &mut ignored)?.kind {
        ItemKind::Variant(name) => Some(name),
        _ => None,
    }
}

/// The items of one of the texts of a source, upon those of its base; and the names of what was taken out on the way.
fn read(
    source: &Source,
    part: usize,
    removed: &mut Vec<Name>,
    diagnostics: &mut Diagnostics,
) -> Vec<Sourced> {
    let items = own_items(source, part, diagnostics);
    let variant = items.iter().find_map(|i| match &i.item.kind {
        ItemKind::Variant(name) => Some(name.clone()),
        _ => None,
    });
    let Some(name) = variant else {
        alone(&items, diagnostics);
        // A line that could not be read may have named a base.
        let (_, _, text) = source.part(part);
        let unnamed = text.lines().any(|line| line.starts_with("variant"));
        return (items.into_iter())
            .filter(|i| !(changes(&i.item) || unnamed && needs_base(&i.item)))
            .collect();
    };
    misplaced_variants(&items, diagnostics);
    if part + 1 >= source.parts() {
        diagnostics.push(
            Diagnostic::new(
                Code::UnknownBase,
                name.span,
                format!("the file `{}` was not found", name.text),
            )
            .here("this is a variant of it")
            .help("the name is a path from the folder of this file, such as `../base.game`"),
        );
        return (items.into_iter())
            .filter(|i| !changes(&i.item) && !needs_base(&i.item))
            .collect();
    }
    let base = read(source, part + 1, removed, diagnostics);
    removed.extend(items.iter().filter_map(|i| match &i.item.kind {
        ItemKind::Remove(target) => variants::removed(target),
        _ => None,
    }));
    // Against a base that is not there, everything would be a change of nothing.
    let mut echoes = Diagnostics::default();
    let lost = diagnostics
        .as_slice()
        .iter()
        .any(|d| d.code == Code::UnknownBase);
    let heard = if lost { &mut echoes } else { diagnostics };
    let mut merged = variants::merge(base, items, heard);
    if lost {
        merged.retain(|i| !needs_base(&i.item));
    }
    merged
}

/// Whether an item means something only beside one of a base: another default of an option.
fn needs_base(item: &Item) -> bool {
    matches!(&item.kind, ItemKind::Option(option) if option.domain.is_empty())
}

/// Whether an item speaks of a base.
fn changes(item: &Item) -> bool {
    item.replaces
        || matches!(
            item.kind,
            ItemKind::Variant(_) | ItemKind::Remove(_) | ItemKind::EndChange { .. }
        )
}

/// A file that is no variant has nothing to replace.
fn alone(items: &[Sourced], diagnostics: &mut Diagnostics) {
    for one in items.iter().filter(|i| changes(&i.item)) {
        if let (ItemKind::EndChange { name, .. }, false) = (&one.item.kind, one.item.replaces) {
            let d = Diagnostic::new(Code::Syntax, name.span, "an end begins with its moment")
                .here("expected `at start of turn`, `after turn` or `after action`")
                .help("the name stands in the clause: end after turn { draw \"name\" when … }");
            diagnostics.push(d);
            continue;
        }
        let word = if one.item.replaces {
            "replace"
        } else {
            "remove"
        };
        let end = one.item.span.start as usize + word.len();
        let d = Diagnostic::new(
            Code::Misplaced,
            Span::new(one.item.span.start as usize, end),
            format!("`{word}` has meaning only in a variant"),
        )
        .here("this file builds on no other")
        .help("a variant begins with a line such as: variant of \"base.game\"");
        diagnostics.push(d);
    }
}

/// A variant says so once, and first.
fn misplaced_variants(items: &[Sourced], diagnostics: &mut Diagnostics) {
    for (at, one) in items.iter().enumerate() {
        let ItemKind::Variant(name) = &one.item.kind else {
            continue;
        };
        let earlier = items[..at]
            .iter()
            .any(|i| matches!(i.item.kind, ItemKind::Variant(_)));
        if earlier {
            let d = Diagnostic::new(
                Code::RepeatedItem,
                name.span,
                "a file is a variant of one other",
            )
            .here("a second one");
            diagnostics.push(d);
        } else if at > 0 {
            let d = Diagnostic::new(
                Code::Misplaced,
                one.item.span,
                "`variant of` stands first in its file",
            )
            .here("something stands before it")
            .help("move this line to the top");
            diagnostics.push(d);
        }
    }
}

/// The items of one of the texts of a source.
fn own_items(source: &Source, part: usize, diagnostics: &mut Diagnostics) -> Vec<Sourced> {
    let (_, start, text) = source.part(part);
    let whole = &source.text()[..start + text.len()];
    pest::set_call_limit(NonZeroUsize::new(MAX_CALLS));
    if text.len() > MAX_BYTES {
        diagnostics.push(
            Diagnostic::new(
                Code::TooLong,
                Span::new(start, start),
                format!("the file is {} bytes long", text.len()),
            )
            .help(format!("a rule file may have {MAX_BYTES} bytes")),
        );
        return Vec::new();
    }
    if !prescan::brackets(whole, start, diagnostics) {
        return Vec::new();
    }
    if text.starts_with('\u{feff}') {
        diagnostics.push(
            Diagnostic::new(
                Code::NotText,
                Span::new(start, start + 3),
                "the file begins with a byte order mark",
            )
            .here("three bytes that are no text")
            .help("save it as UTF-8 without a byte order mark")
            .repair(""),
        );
    }
    let mut found = Vec::new();
    for chunk in prescan::chunks(whole, start, diagnostics) {
        let end = chunk.base + chunk.text.len();
        let brackets = |d: &Diagnostic| {
            d.code == Code::UnclosedBracket
                && (chunk.base..=end).contains(&(d.label.span.start as usize))
        };
        // What else is wrong with an item whose brackets do not match is only an echo of that.
        let mut echoes = Diagnostics::default();
        let echo = diagnostics.as_slice().iter().any(brackets);
        if let Some(item) = items::read(&chunk, if echo { &mut echoes } else { diagnostics }) {
            found.push(Sourced::of(item));
        }
        if diagnostics.as_slice().len() >= prescan::MAX_FINDINGS {
            break;
        }
    }
    if found.is_empty() && diagnostics.as_slice().is_empty() {
        diagnostics.push(
            Diagnostic::new(
                Code::EmptyFile,
                Span::new(start, start),
                "the file holds no game",
            )
            .help("a game begins with a line such as: game \"Name of the game\""),
        );
    }
    found
}
