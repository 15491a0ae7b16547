//! Names: what can be seen where, binding them, and looking them up. Values and functions are two spaces: `rows` may be an
//! option and `rows(1..2)` a word.

use crate::base::{Code, Diagnostic, Span, nearest};
use crate::model::convert::Term;
use crate::model::resolver::{Define, Resolver};
use crate::model::words;
use crate::program::{
    CellExpr, Cells, DirExpr, Dirs, KindExpr, KindId, Life, Num, Per, PlayerExpr, PlayerId, Truth,
    Value, VarId, VarType,
};
use crate::syntax::EFFECTS;
use crate::syntax::ast::{Name, Params};

/// A name that can be seen in a rule.
#[derive(Clone)]
pub struct Local {
    /// The name.
    pub name: String,
    /// Where it was bound.
    pub span: Span,
    /// What it stands for.
    pub binding: Binding,
}

/// What a local name stands for.
#[derive(Clone)]
pub enum Binding {
    /// A variable.
    Var(VarId),
    /// A value handed to a definition or rule, with the work it took.
    Term(Term, u64),
}

impl Resolver<'_> {
    /// Binds a name to a new variable, or to the one that an earlier alternative bound it to.
    pub fn bind(&mut self, name: &Name, ty: VarType) -> VarId {
        let seen = self.scope.iter().any(|l| l.name == name.text);
        if let Some(&id) = self.reuse.get(&name.text)
            && self.vars[id.0 as usize].ty == ty
            && !seen
        {
            self.scope.push(Local {
                name: name.text.clone(),
                span: name.span,
                binding: Binding::Var(id),
            });
            return id;
        }
        self.check_free(name);
        let id = self.new_var(&name.text, ty, Life::Local);
        self.scope.push(Local {
            name: name.text.clone(),
            span: name.span,
            binding: Binding::Var(id),
        });
        id
    }

    /// Binds a name to a value.
    pub fn local(name: &Name, term: Term, work: u64) -> Local {
        Local {
            name: name.text.clone(),
            span: name.span,
            binding: Binding::Term(term, work),
        }
    }

    /// Complains when a name is taken.
    pub fn check_free(&mut self, name: &Name) {
        if let Some(local) = self.scope.iter().rev().find(|l| l.name == name.text) {
            let d = taken(name, "bound here").and(local.span, "first given here");
            return self.report(d);
        }
        if let Some(other) = self.meaning_of(&name.text) {
            self.report(taken(name, other));
        }
    }

    /// What a name stands for in the whole file, in words.
    pub fn meaning_of(&self, text: &str) -> Option<&'static str> {
        let defines = |d: &Define<'_>| d.name.text == text && matches!(d.params, Params::None);
        Some(if self.options.has(text) {
            "an option"
        } else if self.kept.contains_key(text) {
            "a kept value"
        } else if self.kinds.iter().any(|k| k.name == text) {
            "a piece kind"
        } else if self.defines.iter().any(defines) {
            "a definition"
        } else if is_word(text) {
            "a word of the language"
        } else {
            return None;
        })
    }

    /// The value of a variable of the game.
    pub fn var_term(&mut self, id: VarId) -> Term {
        self.uses[id.0 as usize] += 1;
        Term::Value(match self.vars[id.0 as usize].ty {
            VarType::Number => Value::Num(Num::Var(id)),
            VarType::Truth => Value::Truth(Truth::Var(id)),
            VarType::Cell => Value::Cell(CellExpr::Var(id)),
            VarType::Cells => Value::Cells(Cells::Var(id)),
            VarType::Groups => Value::Groups(Cells::Var(id)),
            VarType::Run => Value::Run(id),
            VarType::Direction => Value::Dir(DirExpr::Var(id)),
            VarType::Directions => Value::Dirs(Dirs::Var(id)),
            VarType::Player => Value::Player(PlayerExpr::Var(id)),
            VarType::Kind => Value::Kind(KindExpr::Var(id)),
        })
    }

    /// What a bare name means.
    pub fn name(&mut self, text: &str, span: Span) -> Option<Term> {
        if let Some(local) = self.scope.iter().rev().find(|l| l.name == text).cloned() {
            return match local.binding {
                Binding::Var(id) => Some(self.var_term(id)),
                Binding::Term(term, work) => self.spend(work, span).then_some(term),
            };
        }
        if text.starts_with(|c: char| c.is_ascii_uppercase()) {
            return self
                .player_named(text, span)
                .map(|p| Term::Value(Value::Player(PlayerExpr::Const(p))));
        }
        if let Some(term) = self.options.term(text) {
            return Some(term);
        }
        if let Some(&id) = self.kept.get(text) {
            return self.kept_term(id, text, span);
        }
        // A definition with values may have the name of what stands alone.
        let stands_alone = self.kind_named(text).is_some() || is_word(text);
        let means = |d: &Define<'_>| !stands_alone || matches!(d.params, Params::None);
        let defined = |d: &Define<'_>| d.name.text == text && means(d);
        if let Some(at) = self.defines.iter().position(defined) {
            return self.use_define(at, text, Vec::new(), span);
        }
        if let Some(kind) = self.kind_named(text) {
            return Some(Term::Value(Value::Kind(KindExpr::Const(kind))));
        }
        if let Some(word) = words::value(text) {
            return (word.meaning)(self, span);
        }
        if let Some(cell) = self.board.cell_named(text) {
            return Some(Term::Value(Value::Cell(CellExpr::Const(cell))));
        }
        if let Some(d) = self.board.direction_named(text) {
            return Some(Term::Value(Value::Dir(DirExpr::Const(d))));
        }
        self.unknown(text, span)
    }

    fn kept_term(&mut self, id: VarId, text: &str, span: Span) -> Option<Term> {
        let var = &self.vars[id.0 as usize];
        if var.per != Per::Game {
            let what = if var.per == Per::Player {
                "player"
            } else {
                "cell"
            };
            let example = if var.per == Per::Player {
                format!("{text} of me")
            } else {
                format!("{text} of spot")
            };
            return self.fail(
                Diagnostic::new(
                    Code::WrongCount,
                    span,
                    format!("`{text}` is kept for each {what}"),
                )
                .here(format!("of which {what}?"))
                .help(format!("write, for example, `{example}`")),
            );
        }
        if var.life == Life::Turn && self.asked_moment().is_some() {
            return self.gone(text, span);
        }
        Some(self.var_term(id))
    }

    /// That something is used which a variant has taken out, if it has.
    pub fn taken_out(&self, code: Code, text: &str, used: Span) -> Option<Diagnostic> {
        let removed = self.removed.iter().rev().find(|n| n.text == text)?;
        let message = format!("`{text}` is taken out, but something still uses it");
        let d = Diagnostic::new(code, removed.span, message).here("taken out here");
        Some(
            d.and(used, "used here")
                .help("take out what uses it as well, or replace it"),
        )
    }

    /// Says that a value of the turn is asked for after the turn.
    pub fn gone<T>(&mut self, text: &str, span: Span) -> Option<T> {
        self.fail(
            Diagnostic::new(
                Code::ValueIsGone,
                span,
                format!("`{text}` is back at its beginning when the turn has ended"),
            )
            .here("asked after the turn")
            .help("in the turn, set a value that is kept without `each turn`, and ask for that"),
        )
    }

    /// The player of that name.
    pub fn player_named(&mut self, text: &str, span: Span) -> Option<PlayerId> {
        if let Some(at) = self.players.iter().position(|p| p.name == text) {
            return Some(PlayerId(u8::try_from(at).unwrap_or(0)));
        }
        if !self.players_known {
            return None;
        }
        let is_rule = self.rules.iter().any(|r| r.rule.name.text == text);
        let names: Vec<String> = self.players.iter().map(|p| p.name.clone()).collect();
        let d = if is_rule {
            Diagnostic::new(
                Code::WrongType,
                span,
                format!("`{text}` is a rule, not a value"),
            )
            .here("a rule cannot stand here")
            .help(format!(
                "to ask whether it could be run, write `can {text}`"
            ))
        } else {
            let d = Diagnostic::new(
                Code::UnknownPlayer,
                span,
                format!("no player is called `{text}`"),
            )
            .here("not declared");
            let near = nearest(text, names.iter().map(String::as_str));
            let small = text.to_ascii_lowercase();
            let is_name = self.needs_no_value(&small) || words::function(&small).is_some();
            match near.or_else(|| is_name.then_some(small.as_str())) {
                Some(near) => d.help(format!("did you mean `{near}`?")).repair(near),
                None => d.help(format!("the players are {}", names.join(", "))),
            }
        };
        self.fail(d)
    }

    /// The kind of that name.
    pub fn kind_named(&self, text: &str) -> Option<KindId> {
        self.kinds
            .iter()
            .position(|k| k.name == text)
            .map(|at| KindId(u8::try_from(at).unwrap_or(0)))
    }

    /// Complains about a name that means nothing, and offers the nearest that means something.
    pub fn unknown<T>(&mut self, text: &str, span: Span) -> Option<T> {
        if self.is_broken(text) || (!self.board_known && looks_like_a_cell(text)) {
            return None;
        }
        if let Some(d) = self.taken_out(Code::UnknownName, text, span) {
            return self.fail(d);
        }
        if let Some(word) = words::function(text) {
            let example = word.example;
            return self.fail(
                Diagnostic::new(Code::WrongCount, span, format!("`{text}` needs a value"))
                    .here("of what?")
                    .help(format!(
                        "{text}: {}, for example `{example}`",
                        word.signature
                    )),
            );
        }
        let mut known: Vec<&str> = self.scope.iter().map(|l| l.name.as_str()).collect();
        known.extend(self.options.names());
        known.extend(self.kept.keys().map(String::as_str));
        known.extend(self.defines.iter().map(|d| d.name.text.as_str()));
        known.extend(self.kinds.iter().map(|k| k.name.as_str()));
        known.extend(
            words::VALUES
                .iter()
                .flat_map(|list| list.iter())
                .map(|w| w.name),
        );
        known.extend(
            words::FUNCTIONS
                .iter()
                .flat_map(|list| list.iter())
                .map(|w| w.name),
        );
        let d = Diagnostic::new(
            Code::UnknownName,
            span,
            format!("nothing is called `{text}`"),
        )
        .here("not declared");
        // Between two values it may have been meant to join them.
        let mut players = self.players.iter().map(|p| p.name.as_str());
        let player = players.find(|name| name.eq_ignore_ascii_case(text));
        let near = player.or_else(|| instead(text));
        let near = near.or_else(|| nearest(text, known));
        let near = near.or_else(|| nearest(text, ["except"]));
        let d = if EFFECTS.contains(&text) {
            let meant = near.map_or(String::new(), |near| format!("did you mean `{near}`? "));
            Diagnostic {
                message: format!("nothing is called `{text}`; it is the verb of an effect"),
                ..d
            }
            .help(format!(
                "{meant}a statement that begins with `{text}` needs a line of its own, or a `;` before it"
            ))
        } else if text == "is" {
            d.help("did you mean `in`? values are compared by `=`, and what is denied is written `not in` or `!=`")
        } else if let Some(help) = meaning(text) {
            d.help(help)
        } else if self.ended.contains(text) {
            d.help(format!(
                "`{text}` is named in a block or rule that has ended: names are seen to the end of their block, and behind ways joined by `or` \
                 if each of them gives it"
            ))
        } else if let Some(near) = near {
            d.help(format!("did you mean `{near}`?")).repair(near)
        } else if looks_like_a_cell(text) {
            let cells = self.board.len();
            let holes = if self.cut {
                ", as `only` and `without` take some away"
            } else {
                ""
            };
            d.help(format!(
                "the board has no cell `{text}`; it has {cells} cells{holes}"
            ))
        } else {
            d.help(format!(
                "name it with `define {text} = …`, or keep a value with `keep {text} = …`"
            ))
        };
        self.fail(d)
    }
}

/// That a name is something else already.
pub fn taken(name: &Name, what: &str) -> Diagnostic {
    let text = format!("`{}` is already {what}", name.text);
    let d = Diagnostic::new(Code::NameTaken, name.span, text);
    d.here("given again here").help("use another name")
}

/// The language's way to say what is often written otherwise.
fn instead(text: &str) -> Option<&'static str> {
    const WORDS: [(&str, &str); 20] = [
        ("every", "each"),
        ("on", "in"),
        ("zero", "0"),
        ("one", "1"),
        ("two", "2"),
        ("three", "3"),
        ("four", "4"),
        ("five", "5"),
        ("six", "6"),
        ("seven", "7"),
        ("eight", "8"),
        ("nine", "9"),
        ("ten", "10"),
        ("mine", "own"),
        ("my", "own"),
        ("repetition", "occurrences"),
        ("opponents", "enemy"),
        ("into", "to"),
        ("onto", "to"),
        ("but", "except"),
    ];
    WORDS.iter().find(|(other, _)| *other == text).map(|w| w.1)
}

/// Whether more is said of a word that means nothing than that it is like others.
pub fn is_told_otherwise(text: &str) -> bool {
    text == "is" || instead(text).is_some() || meaning(text).is_some() || EFFECTS.contains(&text)
}

/// What to do about words that are written where they mean nothing.
fn meaning(text: &str) -> Option<&'static str> {
    Some(match text {
        "it" => {
            "`it` has a meaning only behind `where` and `with`; a reason behind `require` stands in quotes"
        }
        "knight" | "knights" => "a knight goes by leaps: `line leaps(1, 2) [ own as piece | … ]`",
        "here" | "next" => "`here` and `next` are the cells of a step of a trail",
        _ => return None,
    })
}

/// Whether the language has a word of that name that stands alone.
pub fn is_word(text: &str) -> bool {
    words::value(text).is_some() || ["it", "here", "next"].contains(&text)
}

fn looks_like_a_cell(text: &str) -> bool {
    let digits = text.trim_start_matches(|c: char| c.is_ascii_lowercase());
    !digits.is_empty() && digits.len() < text.len() && digits.chars().all(|c| c.is_ascii_digit())
}
