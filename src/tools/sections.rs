//! The sections of a file that play runs through: its setup, rules and turns, in the order of the text, and the statements in
//! them. In: a syntax tree. Out: names and places. What has become of a statement in a program is not known here.

use crate::base::Span;
use crate::syntax::ast::{Alternative, Block, Choices, File, ItemKind, StatementKind, Trail};

/// A rule or a turn, or the setup.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Section {
    /// What it is.
    pub kind: SectionKind,
    /// The name of the rule or turn; empty when there is none.
    pub name: String,
    /// The whole item.
    pub place: Span,
    /// What to point at: its name, else the whole item.
    pub title: Span,
}

/// The kinds of sections.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SectionKind {
    /// `setup { … }`
    Setup,
    /// `rule Step { … }`
    Rule,
    /// `turn …`
    Turn,
}

impl Section {
    /// As it stands in the text: `rule Step`, `turn dropping`, `turn`.
    #[must_use]
    pub fn heading(&self) -> String {
        let word = self.kind.name();
        if self.name.is_empty() {
            word.to_owned()
        } else {
            format!("{word} {}", self.name)
        }
    }
}

impl SectionKind {
    /// The word for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            SectionKind::Setup => "setup",
            SectionKind::Rule => "rule",
            SectionKind::Turn => "turn",
        }
    }
}

/// The sections of a file and what is worth knowing of their statements.
#[derive(Clone, Debug, Default)]
pub struct Sections {
    /// In the order of the text.
    pub list: Vec<Section>,
    /// The conditions with one case: `if e { … }`, perhaps with an `else`.
    pub conditions: Vec<Span>,
    /// The statements that become a clause: choices, requirements, effects; those of the setup aside.
    pub statements: Vec<Span>,
}

impl Sections {
    /// Those of a file.
    #[must_use]
    pub fn of(file: &File) -> Sections {
        let mut sections = Sections::default();
        for item in &file.items {
            let (kind, name, body) = match &item.kind {
                ItemKind::Setup(block) => (SectionKind::Setup, None, Some(block)),
                ItemKind::Drawing(_) => (SectionKind::Setup, None, None),
                ItemKind::Rule(rule) => (SectionKind::Rule, Some(&rule.name), Some(&rule.body)),
                ItemKind::Turn { name, body, .. } => (SectionKind::Turn, name.as_ref(), Some(body)),
                ItemKind::Game { .. }
                | ItemKind::Option(_)
                | ItemKind::Require { .. }
                | ItemKind::Players(_)
                | ItemKind::Board(_)
                | ItemKind::Pieces(_)
                | ItemKind::Keep(_)
                | ItemKind::Mark { .. }
                | ItemKind::Define { .. }
                | ItemKind::End { .. }
                | ItemKind::Variant(_)
                | ItemKind::Remove(_)
                | ItemKind::EndChange { .. }
                | ItemKind::Example(_) => continue,
            };
            sections.list.push(Section {
                kind,
                name: name.map(|n| n.text.clone()).unwrap_or_default(),
                place: item.span,
                title: name.map_or(item.span, |n| n.span),
            });
            if let Some(body) = body.filter(|_| kind != SectionKind::Setup) {
                sections.block(body);
            }
        }
        sections
    }

    /// The number of the section that a place is in.
    #[must_use]
    pub fn at(&self, place: Span) -> Option<usize> {
        let holds = |s: &Section| s.place.start <= place.start && place.end <= s.place.end;
        self.list.iter().position(holds)
    }

    /// The number of the rule of that name.
    #[must_use]
    pub fn rule(&self, name: &str) -> Option<usize> {
        let is = |s: &Section| s.kind == SectionKind::Rule && s.name == name;
        self.list.iter().position(is)
    }

    fn block(&mut self, block: &Block) {
        for statement in &block.statements {
            match &statement.kind {
                // One of several given words is taken without a choice when there is only one.
                StatementKind::Choose {
                    from: Choices::List(_),
                    ..
                }
                | StatementKind::Let { .. } => {}
                StatementKind::Choose { .. }
                | StatementKind::Require { .. }
                | StatementKind::Set { .. }
                | StatementKind::Effect { .. } => self.statements.push(statement.span),
                StatementKind::If { cases, otherwise } => {
                    if let [_] = cases.as_slice() {
                        self.conditions.push(statement.span);
                    }
                    let bodies = cases.iter().map(|(_, body)| body).chain(otherwise);
                    bodies.for_each(|body| self.block(body));
                }
                StatementKind::ForEach { body, .. }
                | StatementKind::AnyOrder { body, .. }
                | StatementKind::Repeat { body, .. } => self.block(body),
                StatementKind::Play(attempts) => {
                    let all = attempts.iter().flat_map(|a| &a.alternatives);
                    all.for_each(|alternative| self.alternative(alternative));
                }
            }
        }
    }

    fn alternative(&mut self, alternative: &Alternative) {
        match alternative {
            Alternative::Block(block) => self.block(block),
            Alternative::Trail(trail) => self.trail(trail),
            Alternative::Line(line) => self.statements.push(line.span),
            Alternative::Pass(_) | Alternative::Rule { .. } => {}
        }
    }

    fn trail(&mut self, trail: &Trail) {
        for step in &trail.steps {
            self.statements.push(step.line.span);
            step.body.iter().for_each(|body| self.block(body));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::base::Source;
    use crate::syntax::parse;
    use crate::tools::sections::{SectionKind, Sections};

    #[test]
    fn rules_and_turns_are_found_with_their_statements() {
        let text = "game \"S\"\nsetup { place man of White at a1 }\nrule Step {\n  if no own { pass } else { set x = 1 }\n  \
                    line [ own | empty ]\n}\nturn late while x = 1 { Step or { require x = 1 } }\n";
        let source = Source::new("s.game", text);
        let (file, _) = parse(&source);
        let sections = Sections::of(&file);
        let headings: Vec<String> = sections.list.iter().map(|s| s.heading()).collect();
        assert_eq!(headings, ["setup", "rule Step", "turn late"]);
        let texts: Vec<&str> = sections.statements.iter().map(|s| source.at(*s)).collect();
        assert_eq!(
            texts,
            ["set x = 1", "line [ own | empty ]", "require x = 1"]
        );
        assert_eq!(sections.conditions.len(), 1);
        assert_eq!(sections.rule("Step"), Some(1));
        let inside = sections.at(sections.statements[2]);
        assert_eq!(
            inside.map(|at| sections.list[at].kind),
            Some(SectionKind::Turn)
        );
        assert_eq!(sections.at(file.items[0].span), None);
    }
}
