//! Regions: definitions that come to the same cells in every position and that the game is played by, for drawing the board.
//! In: a resolver that has seen the whole file. Out: cells with names. Nothing is complained of here.

use crate::board::Cells;
use crate::model::convert::Term;
use crate::model::resolver::Resolver;
use crate::program::{PlayerExpr, PlayerId, Region, Value};
use crate::syntax::ast::{ExprKind, File, ItemKind, Params};
use crate::syntax::visit::{Node, visit};
use std::collections::BTreeSet;

impl Resolver<'_> {
    /// The regions in the order of their definitions, those of the first player first.
    ///
    /// Definitions that only the setup uses are left out, and those that are made of other regions of the same player.
    pub fn regions(&mut self, file: &File) -> Vec<Region> {
        let played = played_by(file);
        let mut found: Vec<Region> = Vec::new();
        let mut seen = BTreeSet::new();
        for at in 0..self.defines.len() {
            let name = self.defines[at].name.text.clone();
            if !played.contains(&name) || !seen.insert(name.clone()) {
                continue;
            }
            let sets = match self.defines[at].params {
                Params::None => vec![(None, self.fixed(at, None))],
                Params::Case(_) => self.of_each_player(at),
                Params::Names(names) if names.len() == 1 => self.of_each_player(at),
                Params::Names(_) => Vec::new(),
            };
            for (player, cells) in sets {
                let Some(cells) = cells else { continue };
                if !cells.is_empty() && cells != self.board.cells() {
                    let name = name.clone();
                    found.push(Region {
                        name,
                        player,
                        cells,
                    });
                }
            }
        }
        without_unions(found)
    }

    fn of_each_player(&mut self, at: usize) -> Vec<(Option<PlayerId>, Option<Cells>)> {
        let players = (0..self.players.len()).filter_map(|p| u8::try_from(p).ok().map(PlayerId));
        let sets: Vec<_> = players
            .map(|player| (Some(player), self.fixed(at, Some(player))))
            .collect();
        match sets.split_first() {
            Some(((_, first), rest)) if rest.iter().all(|(_, cells)| cells == first) => {
                vec![(None, *first)]
            }
            _ => sets,
        }
    }

    /// The cells of a definition, for a player when it is made for one; nothing when they depend on the position.
    fn fixed(&mut self, at: usize, player: Option<PlayerId>) -> Option<Cells> {
        let mark = self.diagnostics.as_slice().len();
        let (name, span) = (
            self.defines[at].name.text.clone(),
            self.defines[at].name.span,
        );
        let is_case = matches!(self.defines[at].params, Params::Case(_));
        let term = match player.map(PlayerExpr::Const) {
            Some(player) if is_case => self.use_cases(&name, &player, span),
            player => {
                let given = player.map(|p| (Term::Value(Value::Player(p)), 0, span));
                self.use_define(at, &name, given.into_iter().collect(), span)
            }
        };
        self.diagnostics.retain_after(mark, |_| false);
        let cells = term?.as_cells()?;
        self.fold_cells(&cells)
    }
}

/// The names that rules, turns and ends use, by way of definitions too.
fn played_by(file: &File) -> BTreeSet<String> {
    let names_of = |is_define: &dyn Fn(&str) -> bool, whole: bool| {
        let mut names = BTreeSet::new();
        for item in &file.items {
            let wanted = match &item.kind {
                ItemKind::Define { name, .. } => is_define(&name.text),
                ItemKind::Rule(_) | ItemKind::Turn { .. } | ItemKind::End { .. } => whole,
                _ => false,
            };
            if wanted {
                visit(item, &mut |node| {
                    if let Node::Expr(expr) = node {
                        names.extend(match &expr.kind {
                            ExprKind::Name(name) => Some(name.clone()),
                            ExprKind::Call { name, .. } => Some(name.text.clone()),
                            _ => None,
                        });
                    }
                });
            }
        }
        names
    };
    let mut names = names_of(&|_| false, true);
    loop {
        let more = names_of(&|define| names.contains(define), false);
        let before = names.len();
        names.extend(more);
        if names.len() == before {
            return names;
        }
    }
}

/// Leaves out what is made of other regions of the same player, and what is there twice.
fn without_unions(regions: Vec<Region>) -> Vec<Region> {
    let is_made = |at: usize| {
        let one = &regions[at];
        let parts = regions.iter().enumerate().filter(|(i, other)| {
            let smaller = other.cells != one.cells || *i < at;
            smaller && other.player == one.player && other.cells.is_subset(one.cells)
        });
        let union = parts.fold(Cells::EMPTY, |all, (_, part)| all | part.cells);
        union == one.cells
    };
    let kept: Vec<bool> = (0..regions.len()).map(|at| !is_made(at)).collect();
    let mut kept = kept.into_iter();
    regions
        .into_iter()
        .filter(|_| kept.next().unwrap_or(true))
        .collect()
}
