//! Names that are taken: what a file declares against the words of the language, and against what else it declares. Kept values
//! and variables ask for themselves when they are bound.

use crate::base::{Code, Diagnostic};
use crate::model::names::{is_word, taken};
use crate::model::resolver::{Define, Resolver};
use crate::syntax::RESERVED;
use crate::syntax::ast::{Board, File, GraphLine, ItemKind, Name, Params, Per, Shape};

impl Resolver<'_> {
    /// Complains about names that could not be told from others, when all is declared.
    pub fn taken(&mut self, file: &File) {
        for item in &file.items {
            match &item.kind {
                ItemKind::Option(option) => self.no_word(&option.name),
                ItemKind::Pieces(kinds) => {
                    for kind in kinds {
                        self.no_word(&kind.name);
                    }
                }
                ItemKind::Define { name, params, .. } => match params {
                    Params::None => self.stands_alone(name),
                    Params::Names(names) => self.given(names),
                    Params::Case(_) => {}
                },
                ItemKind::Rule(rule) => self.given(&rule.params),
                ItemKind::Keep(keep) if keep.per != Per::Game => self.kept_of_each(&keep.name),
                ItemKind::Board(Board {
                    shape: Shape::Graph { lines, cells },
                    ..
                }) => self.of_graph(lines, cells),
                _ => {}
            }
        }
    }

    fn no_word(&mut self, name: &Name) {
        if is_word(&name.text) {
            self.report(taken(name, "a word of the language"));
        }
    }

    /// A definition without values.
    fn stands_alone(&mut self, name: &Name) {
        if self.options.has(&name.text) {
            self.report(taken(name, "an option"));
        } else if self.kinds.iter().any(|k| k.name == name.text) {
            self.report(taken(name, "a piece kind"));
        } else {
            self.no_word(name);
        }
    }

    /// A value kept of each player or cell: it is asked for as a definition with values is.
    fn kept_of_each(&mut self, name: &Name) {
        let defined =
            |d: &&Define<'_>| d.name.text == name.text && !matches!(d.params, Params::None);
        if let Some(first) = self.defines.iter().find(defined).map(|d| d.name.span) {
            self.report(taken(name, "a definition").and(first, "first given here"));
        }
    }

    /// What a definition or a rule is given.
    fn given(&mut self, names: &[Name]) {
        for (at, name) in names.iter().enumerate() {
            if let Some(first) = names[..at].iter().find(|n| n.text == name.text) {
                let text = format!("two values are called `{}`", name.text);
                let d = Diagnostic::new(Code::NameTaken, name.span, text);
                self.report(d.here("again here").and(first.span, "first here"));
            } else {
                self.check_free(name);
            }
        }
    }

    /// The names on a board that is drawn by hand. Directions may be called as on other boards.
    fn of_graph(&mut self, lines: &[GraphLine], cells: &[Name]) {
        let mut seen: Vec<&str> = Vec::new();
        let points = lines.iter().flat_map(|l| &l.cells).chain(cells);
        for cell in points {
            if seen.contains(&cell.text.as_str()) {
                continue;
            }
            seen.push(&cell.text);
            self.of_board(cell);
        }
        for line in lines {
            for (at, way) in line.ways.iter().enumerate() {
                if seen.contains(&way.text.as_str()) {
                    self.report(taken(way, "a cell"));
                } else if line.ways[..at].iter().any(|n| n.text == way.text) {
                    self.report(taken(way, "the direction the other way"));
                } else {
                    self.of_board(way);
                }
            }
        }
    }

    fn of_board(&mut self, name: &Name) {
        if RESERVED.contains(&name.text.as_str()) {
            self.report(taken(name, "a word of the grammar"));
        } else {
            self.check_free(name);
        }
    }
}
