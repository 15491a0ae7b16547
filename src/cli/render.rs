//! Drawing findings as text: diagnostics and their sources in, rustc-like pictures out, with or without colour.

use crate::base::{Diagnostic, Label, Severity, Source, Span};
use annotate_snippets::{
    AnnotationKind, Group, Level, Origin, Patch, Renderer, Snippet, normalize_untrusted_str,
};
use std::ops::Range;

/// A finding about a text that is no game: a position line, a list of actions, a record.
#[derive(Debug)]
pub struct Finding {
    /// The text, under the name it is reported by.
    pub source: Source,
    /// The place.
    pub span: Span,
    /// What is wrong, in one sentence.
    pub message: String,
    /// What is wrong *here*.
    pub here: String,
    /// What else is to be known.
    pub note: Option<String>,
    /// What to do about it.
    pub help: Option<String>,
}

impl Finding {
    /// Draws it.
    #[must_use]
    pub fn render(&self, color: bool) -> String {
        let place = AnnotationKind::Primary
            .span(clamp(&self.source, self.span))
            .label(self.here.as_str());
        let snippet = Snippet::source(self.source.text())
            .path(self.source.name())
            .annotation(place);
        let mut group = Level::ERROR
            .primary_title(self.message.as_str())
            .element(snippet);
        for (level, text) in [(Level::NOTE, &self.note), (Level::HELP, &self.help)] {
            if let Some(text) = text {
                group = group.element(level.message(normalize_untrusted_str(text)));
            }
        }
        drawn(&[group], color)
    }
}

/// Draws a diagnostic over the source it is about; without an excerpt when it has no place there.
#[must_use]
pub fn diagnostic(source: &Source, diagnostic: &Diagnostic, color: bool) -> String {
    let title = level(diagnostic.severity)
        .primary_title(diagnostic.message.as_str())
        .id(diagnostic.code.name());
    let excerpts = excerpts(source, diagnostic);
    let mut group = if excerpts.is_empty() {
        title.element(Origin::path(source.name()))
    } else {
        title.elements(excerpts)
    };
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(normalize_untrusted_str(help)));
    }
    let repair = diagnostic
        .repair
        .as_ref()
        .filter(|_| has_place(diagnostic.label.span));
    let mut groups = vec![group];
    groups.extend(repair.map(|repair| suggestion(source, diagnostic.label.span, repair)));
    drawn(&groups, color)
}

/// A place in a text with a remark under it, and no title.
#[must_use]
pub fn remark(source: &Source, place: Span, remark: &str, color: bool) -> String {
    let (name, start, text) = source.part(source.part_of(place.start));
    let mark = AnnotationKind::Primary
        .span(within(source, place, start))
        .label(remark);
    let group =
        Group::with_level(Level::NOTE).element(Snippet::source(text).path(name).annotation(mark));
    drawn(&[group], color)
}

/// An error without a place: `error[code]: message`.
#[must_use]
pub fn message(code: Option<&str>, message: &str, help: Option<&str>, color: bool) -> String {
    let title = Level::ERROR.primary_title(message);
    let title = match code {
        Some(code) => title.id(code),
        None => title,
    };
    let group = Group::with_title(title);
    let help = help.map(|help| Level::HELP.message(normalize_untrusted_str(help)));
    drawn(&[group.elements(help)], color)
}

/// Whether a place is one: `0..0` stands for none.
#[must_use]
pub fn has_place(span: Span) -> bool {
    span != Span::default()
}

/// The texts in which a diagnostic has places, each with those places marked; the text of its own place first.
fn excerpts<'a>(
    source: &'a Source,
    diagnostic: &'a Diagnostic,
) -> Vec<Snippet<'a, annotate_snippets::Annotation<'a>>> {
    if !has_place(diagnostic.label.span) {
        return Vec::new();
    }
    let own = source.part_of(diagnostic.label.span.start);
    let others = diagnostic
        .others
        .iter()
        .filter(|label| has_place(label.span));
    let labels: Vec<&Label> = std::iter::once(&diagnostic.label).chain(others).collect();
    let elsewhere = (0..source.parts()).filter(|part| *part != own);
    let mut snippets = Vec::new();
    for part in std::iter::once(own).chain(elsewhere) {
        let (name, start, text_of_part) = source.part(part);
        let here = labels
            .iter()
            .enumerate()
            .filter(|(_, l)| source.part_of(l.span.start) == part);
        let marks: Vec<_> = here
            .map(|(i, label)| {
                let kind = if i == 0 {
                    AnnotationKind::Primary
                } else {
                    AnnotationKind::Context
                };
                kind.span(within(source, label.span, start))
                    .label(text(&label.text))
            })
            .collect();
        if !marks.is_empty() {
            let snippet = Snippet::source(text_of_part).path(name);
            snippets.push(snippet.annotations(marks));
        }
    }
    snippets
}

fn suggestion<'a>(source: &'a Source, span: Span, repair: &'a str) -> Group<'a> {
    let (name, start, text_of_part) = source.part(source.part_of(span.start));
    let mut place = within(source, span, start);
    if repair.starts_with([',', ';']) {
        // It stands right behind the word before it.
        let before = text_of_part[..place.start].trim_end_matches([' ', '\t']);
        place.start = before.len();
    }
    let patch = Patch::new(place, repair);
    let snippet = Snippet::source(text_of_part).path(name).patch(patch);
    Level::HELP
        .secondary_title("write this instead")
        .element(snippet)
}

/// The place counted from the first byte of the text that it is in.
fn within(source: &Source, span: Span, start: usize) -> Range<usize> {
    let range = clamp(source, span);
    range.start.saturating_sub(start)..range.end.saturating_sub(start)
}

fn text(label: &str) -> Option<&str> {
    (!label.is_empty()).then_some(label)
}

fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    }
}

/// The place within the text, on whole characters.
fn clamp(source: &Source, span: Span) -> Range<usize> {
    let text = source.text();
    let whole = |at: usize| {
        (0..=at.min(text.len()))
            .rev()
            .find(|at| text.is_char_boundary(*at))
            .unwrap_or(0)
    };
    let range = span.range();
    whole(range.start)..whole(range.end).max(whole(range.start))
}

fn drawn(groups: &[Group<'_>], color: bool) -> String {
    let renderer = if color {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    renderer.render(groups) + "\n"
}
