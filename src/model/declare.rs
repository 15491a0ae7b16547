//! Declarations: players, piece kinds with their letters, and kept values.

use crate::base::{Code, Diagnostic, Span, nearest};
use crate::board::{Cell, Facing};
use crate::model::convert::Term;
use crate::model::resolver::{Resolver, missing};
use crate::program::{
    CellExpr, DirExpr, Dirs, KindExpr, KindInfo, Life, Num, Per, PlayerExpr, PlayerInfo, Truth,
    Value, VarType,
};
use crate::syntax::ast::{File, ItemKind, Keep, Kind, Name, Params, Per as AstPer};

/// The most players of a game.
const MOST_PLAYERS: usize = 16;

impl Resolver<'_> {
    /// The players.
    pub fn players(&mut self, file: &File) {
        let mut first: Option<Span> = None;
        for item in &file.items {
            let ItemKind::Players(players) = &item.kind else {
                continue;
            };
            if let Some(first) = first {
                self.report(
                    Diagnostic::new(Code::RepeatedItem, item.span, "the players are named twice")
                        .here("again here")
                        .and(first, "first here"),
                );
                continue;
            }
            first = Some(item.span);
            let before = self.diagnostics.as_slice().len();
            for player in players.iter().take(MOST_PLAYERS) {
                if self.players.iter().any(|p| p.name == player.name.text) {
                    let text = format!("two players are called `{}`", player.name.text);
                    self.report(
                        Diagnostic::new(Code::NameTaken, player.name.span, text).here("again here"),
                    );
                    continue;
                }
                let facing = player.facing.as_ref().and_then(|f| self.facing(f));
                self.players.push(PlayerInfo {
                    name: player.name.text.clone(),
                    facing,
                });
            }
            if self.diagnostics.as_slice().len() > before {
                self.players_known = false;
            } else if players.len() < 2 {
                self.players_known = false;
                self.report(
                    Diagnostic::new(
                        Code::WrongCount,
                        item.span,
                        "a game needs two players or more",
                    )
                    .here("only one")
                    .help("name all of them: `players White, Black`"),
                );
            } else if players.len() > MOST_PLAYERS {
                self.players_known = false;
                self.report(
                    Diagnostic::new(Code::WrongCount, item.span, "a game may have 16 players")
                        .here(format!("these are {}", players.len())),
                );
            }
        }
        self.players_known &= first.is_some();
        if first.is_none() && !self.diagnostics.has_errors() {
            self.report(missing("players", "players White, Black"));
        }
        if self.players.len() < 2 {
            for name in ["White", "Black"] {
                if !self.players.iter().any(|p| p.name == name) {
                    self.players.push(PlayerInfo {
                        name: name.to_owned(),
                        facing: None,
                    });
                }
            }
        }
    }

    fn facing(&mut self, name: &Name) -> Option<Facing> {
        Some(match name.text.as_str() {
            "north" => Facing::North,
            "south" => Facing::South,
            "east" => Facing::East,
            "west" => Facing::West,
            _ => {
                let d = Diagnostic::new(
                    Code::UnknownDirection,
                    name.span,
                    format!("nobody can face `{}`", name.text),
                )
                .here("not a side of the board");
                return self.fail(
                    match nearest(&name.text, ["north", "south", "east", "west"]) {
                        Some(near) => d.help(format!("did you mean `{near}`?")).repair(near),
                        None => d.help("players face north, south, east or west"),
                    },
                );
            }
        })
    }

    /// How each player sees the board; needs the board.
    pub fn views(&mut self) {
        for player in self.players.clone() {
            let view = match player.facing {
                None | Some(Facing::North) => Vec::new(),
                // A board that is no mirror image of itself, as one colour of squares, may be turned half round.
                Some(Facing::South) => self
                    .board
                    .symmetry(Facing::South)
                    .or_else(|| self.half_turn())
                    .unwrap_or_default(),
                Some(facing) => self.board.symmetry(facing).unwrap_or_default(),
            };
            self.views.push(view);
        }
    }

    /// Where each cell goes when the board is turned half round; nothing when some cell goes nowhere.
    fn half_turn(&self) -> Option<Vec<Cell>> {
        let board = &self.board;
        let image = |c: Cell| {
            board.cell_at(
                board.columns() + 1 - board.column_of(c),
                board.rows() + 1 - board.row_of(c),
            )
        };
        board.cells().iter().map(image).collect()
    }

    /// The piece kinds.
    pub fn kinds(&mut self, file: &File) {
        for item in &file.items {
            let ItemKind::Pieces(kinds) = &item.kind else {
                continue;
            };
            for kind in kinds {
                self.broken.insert(kind.name.text.clone());
                self.kind_item(kind);
            }
        }
        if self.kinds.is_empty() && !self.diagnostics.has_errors() {
            self.report(missing("piece", "piece stone"));
        }
    }

    fn kind_item(&mut self, kind: &Kind) {
        if self.kinds.iter().any(|k| k.name == kind.name.text) {
            let text = format!("two piece kinds are called `{}`", kind.name.text);
            return self
                .report(Diagnostic::new(Code::NameTaken, kind.name.span, text).here("again here"));
        }
        if self.options.has(&kind.name.text) {
            let text = format!("`{}` is already an option", kind.name.text);
            return self.report(
                Diagnostic::new(Code::NameTaken, kind.name.span, text).here("given again here"),
            );
        }
        let (text, span) = match &kind.letter {
            Some(letter) => (letter.text.clone(), letter.span),
            None => (kind.name.text.chars().take(1).collect(), kind.name.span),
        };
        let mut signs = text.chars();
        let (Some(sign), None) = (signs.next(), signs.next()) else {
            let first = text
                .chars()
                .find(char::is_ascii_alphabetic)
                .map_or('X', |c| c.to_ascii_uppercase());
            let d = Diagnostic::new(Code::BadLetter, span, "a piece's sign is one letter")
                .here(format!("{} signs", text.chars().count()));
            return self.report(d.help(format!("write, for example, `\"{first}\"`")));
        };
        let fits = if kind.neutral {
            !sign.is_alphanumeric() && !"()/.'-=,".contains(sign) && !sign.is_whitespace()
        } else {
            sign.is_ascii_alphabetic()
        };
        if !fits {
            let d = if kind.neutral {
                Diagnostic::new(
                    Code::BadLetter,
                    span,
                    "a neutral piece needs a sign of its own",
                )
                .here(match sign {
                    '.' => "this is the sign of an empty cell",
                    sign if sign.is_ascii_digit() => "in a position numbers count empty cells",
                    sign if sign.is_alphanumeric() => "this may be taken for a player's piece",
                    _ => "this has another meaning in positions",
                })
                .help(match sign {
                    sign if sign.is_alphanumeric() => "give it one behind its name, such as `\"#\"`",
                    _ => "take a sign that positions have no other use for, such as `\"#\"`, `\"*\"` or `\"+\"`",
                })
            } else {
                Diagnostic::new(Code::BadLetter, span, "a piece's sign must be a letter")
                    .here("not a letter")
                    .help("players are told apart by upper and lower case")
            };
            return self.report(d);
        }
        let letter = if kind.neutral {
            sign
        } else {
            sign.to_ascii_uppercase()
        };
        if let Some(other) = self.kinds.iter().find(|k| k.letter == letter) {
            let text = format!(
                "`{}` and `{}` have the same sign `{letter}`",
                other.name, kind.name.text
            );
            return self.report(
                Diagnostic::new(Code::BadLetter, span, text)
                    .here("taken")
                    .help(format!(
                        "give one of them another: `{} \"x\"`",
                        kind.name.text
                    )),
            );
        }
        self.kinds.push(KindInfo {
            name: kind.name.text.clone(),
            letter,
            neutral: kind.neutral,
        });
    }

    /// Definitions and rules that stand twice. What is defined for one player is defined for each of them, and in no other way.
    pub fn declared_twice(&mut self, file: &File) {
        let mut seen: Vec<(&str, &Name, Option<&str>)> = Vec::new();
        for item in &file.items {
            let (what, name, case) = match &item.kind {
                ItemKind::Define { name, params, .. } => match params {
                    Params::Case(player) => ("definitions", name, Some(player.text.as_str())),
                    Params::None | Params::Names(_) => ("definitions", name, None),
                },
                ItemKind::Rule(rule) => ("rules", &rule.name, None),
                _ => continue,
            };
            let clashes = |other: &&(&str, &Name, Option<&str>)| {
                let same = other.0 == what && other.1.text == name.text;
                same && (other.2 == case || other.2.is_some() != case.is_some())
            };
            if let Some((_, first, other)) = seen.iter().find(clashes) {
                let text = format!("two {what} are called `{}`", name.text);
                let d = Diagnostic::new(Code::NameTaken, name.span, text)
                    .here("again here")
                    .and(first.span, "first here");
                self.report(if *other == case {
                    d
                } else {
                    d.help("write it for each player, `define home of White = …`, or for whom it is asked, `define home of p = …`, not both")
                });
            }
            let is_player = self.players.iter().any(|p| p.name == name.text);
            if is_player {
                self.report(
                    Diagnostic::new(
                        Code::NameTaken,
                        name.span,
                        format!("`{}` is already a player", name.text),
                    )
                    .here("given again here"),
                );
            }
            seen.push((what, name, case));
        }
    }

    /// The kept values and marks.
    pub fn keeps(&mut self, file: &File) {
        for item in &file.items {
            match &item.kind {
                ItemKind::Keep(keep) if self.keep(keep).is_none() => {
                    self.broken.insert(keep.name.text.clone());
                }
                ItemKind::Mark {
                    names,
                    each_turn,
                    aside,
                } => {
                    for name in names {
                        let life = if *each_turn { Life::Turn } else { Life::Game };
                        if let Some(id) = self.keep_var(name, VarType::Cells, life) {
                            let var = &mut self.vars[id.0 as usize];
                            var.travels = true;
                            var.compared = !aside;
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn keep_var(&mut self, name: &Name, ty: VarType, life: Life) -> Option<crate::program::VarId> {
        if self.kept.contains_key(&name.text) {
            let d = Diagnostic::new(
                Code::NameTaken,
                name.span,
                format!("two kept values are called `{}`", name.text),
            )
            .here("again here");
            return self.fail(match self.kept_spans.get(&name.text) {
                Some(first) => d.and(*first, "first here"),
                None => d,
            });
        }
        self.check_free(name);
        let id = self.new_var(&name.text, ty, life);
        self.kept.insert(name.text.clone(), id);
        self.kept_spans.insert(name.text.clone(), name.span);
        Some(id)
    }

    fn keep(&mut self, keep: &Keep) -> Option<()> {
        let term = self.term(&keep.initial)?;
        let (ty, words) = self.initial(&term, keep.initial.span)?;
        let life = if keep.each_turn {
            Life::Turn
        } else {
            Life::Game
        };
        let per = match keep.per {
            AstPer::Game => Per::Game,
            AstPer::Player => Per::Player,
            AstPer::Cell => Per::Cell,
        };
        if per == Per::Cell && ty != VarType::Number {
            return self.fail(
                Diagnostic::new(
                    Code::WrongType,
                    keep.initial.span,
                    "only numbers are kept for each cell",
                )
                .here("not a number")
                .help("for yes or no, keep a set of cells: `keep x = none`"),
            );
        }
        let id = self.keep_var(&keep.name, ty, life)?;
        let var = &mut self.vars[id.0 as usize];
        var.per = per;
        // Numbers are mostly counters; a counter in the comparison would switch repetition off.
        var.compared = keep.compared.unwrap_or(ty != VarType::Number);
        var.initial = words;
        Some(())
    }

    /// The type and first value of a kept value, as words of memory.
    fn initial(&mut self, term: &Term, span: Span) -> Option<(VarType, Vec<u64>)> {
        if let Some(t) = term.as_truth() {
            let Truth::Const(b) = t else {
                return self.not_fixed("the first value", span);
            };
            return Some((VarType::Truth, vec![u64::from(b)]));
        }
        let Term::Value(value) = term else {
            return self.wrong_type("a value that can be kept", term, span);
        };
        Some(match value {
            Value::Num(Num::Const(n)) => (VarType::Number, vec![n.cast_unsigned()]),
            Value::Cell(CellExpr::Const(c)) => (VarType::Cell, vec![u64::from(c.0) + 1]),
            Value::Cell(CellExpr::Nowhere) => (VarType::Cell, vec![0]),
            Value::Cells(_) => {
                let set = term.as_cells().and_then(|c| self.fold_cells(&c));
                match set {
                    Some(set) => (VarType::Cells, set.words().to_vec()),
                    None => return self.not_fixed("the first value", span),
                }
            }
            Value::Dirs(Dirs::Const(d)) => (VarType::Directions, vec![d.0]),
            Value::Dir(DirExpr::Const(d)) => (VarType::Direction, vec![u64::from(d.0) + 1]),
            Value::Player(PlayerExpr::Const(p)) => (VarType::Player, vec![u64::from(p.0) + 1]),
            Value::Kind(KindExpr::Const(k)) => (VarType::Kind, vec![u64::from(k.0) + 1]),
            Value::Num(_)
            | Value::Truth(_)
            | Value::Cell(_)
            | Value::Dirs(_)
            | Value::Dir(_)
            | Value::Player(_)
            | Value::Kind(_) => {
                return self.not_fixed("the first value", span);
            }
            Value::Groups(_) | Value::Run(_) => {
                return self.wrong_type("a value that can be kept", term, span);
            }
        })
    }
}
