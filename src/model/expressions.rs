//! Expressions: names, words, definitions put in place, filters, conditionals, tests of pictures, trails and rules.

use crate::base::{Code, Diagnostic, Span, nearest};
use crate::model::convert::{Term, cells, number, truth};
use crate::model::resolver::Resolver;
use crate::model::words;
use crate::model::written::source_of;
use crate::program::{
    CellExpr, Cells, Dirs, KindExpr, Life, Num, Per, Truth, Value, VarId, VarType,
};
use crate::syntax::ast::{Argument, Expr, ExprKind, Name};

impl Resolver<'_> {
    /// What an expression means.
    pub fn term(&mut self, e: &Expr) -> Option<Term> {
        if !self.spend(1, e.span) {
            return None;
        }
        match &e.kind {
            ExprKind::Number(n) => Some(number(*n)),
            ExprKind::Text(_) => self.fail(
                Diagnostic::new(Code::WrongType, e.span, "a text is no value").here("a text"),
            ),
            ExprKind::Name(text) => self.name(text, e.span),
            ExprKind::Call { name, args } => self.call(name, args, e.span),
            ExprKind::Together(parts) => self.together(parts, e.span),
            ExprKind::Infix { op, left, right } => self.infix(*op, left, right, e.span),
            ExprKind::Prefix { op, value } => self.prefix(*op, value, e.span),
            ExprKind::Where { set, test } => self.filter(set, test),
            ExprKind::With { set, extreme, key } => self.extreme(set, *extreme, key),
            ExprKind::If { test, yes, no } => self.conditional(test, yes, no, e.span),
            ExprKind::Seen { set, player } => self.seen(set, player),
            ExprKind::Line(_) | ExprKind::Trail(_) => self.fail(
                Diagnostic::new(Code::SetOrTruth, e.span, "a picture is no value")
                    .here("asked whether it is there?")
                    .help("write `some` or `no` before it; for its cells write `x from line […]`"),
            ),
            ExprKind::From { name, line } => self.gather(name, line, e.span),
            ExprKind::Can { player, rule } => self.can(player.as_deref(), rule, e.span),
        }
    }

    /// Names side by side: all of these at once.
    fn together(&mut self, parts: &[Expr], span: Span) -> Option<Term> {
        if let Some(d) = self.beside_its_value(parts, span) {
            return self.fail(d);
        }
        let mut terms = Vec::new();
        for part in parts {
            terms.push((self.term(part)?, part.span));
        }
        if terms.iter().all(|(t, _)| t.as_dirs().is_some()) {
            let all = terms
                .iter()
                .filter_map(|(t, _)| t.as_dirs())
                .reduce(Dirs::and)?;
            return Some(Term::Value(Value::Dirs(all)));
        }
        let mut result: Option<Cells> = None;
        for (term, part) in &terms {
            let Some(set) = term.as_cells() else {
                if let Some(d) = pieces_of_player(parts, &terms, span) {
                    return self.fail(d);
                }
                return self.fail(
                    Diagnostic::new(
                        Code::WrongType,
                        *part,
                        format!(
                            "names side by side are cells that are all of these; this is {}",
                            term.type_name()
                        ),
                    )
                    .here(format!("this is {}", term.type_name()))
                    .and(span, "all of these names belong together")
                    .help("put an operator or a new line between them"),
                );
            };
            result = Some(match result {
                Some(r) => Cells::and(r, set),
                None => set,
            });
        }
        result.map(cells)
    }

    /// Says that a word that takes a value stands beside one, as in `count enemy` and `victim top`.
    fn beside_its_value(&self, parts: &[Expr], span: Span) -> Option<Diagnostic> {
        let takes = |part: &Expr| match &part.kind {
            ExprKind::Name(text) if !self.needs_no_value(text) => {
                words::function(text).filter(|word| word.least == 1)
            }
            _ => None,
        };
        let mut all = parts.iter().enumerate();
        let (at, word) = all.find_map(|(at, part)| Some((at, takes(part)?)))?;
        let value: Vec<String> = match (&parts[..at], &parts[at + 1..]) {
            ([], []) => return None,
            // One is asked for the top piece; of what is asked for cells, the word before says which.
            ([before], []) if word.signature.ends_with("→ piece") => vec![source_of(before)],
            ([], after) if !after.iter().any(|part| takes(part).is_some()) => {
                after.iter().map(source_of).collect()
            }
            _ => return None,
        };
        let (name, of) = (word.name, format!("{} of ", word.name));
        let meant = match value.as_slice() {
            [value] if word.example.contains(&of) => of + value,
            value => format!("{name}({})", value.join(" ")),
        };
        let d = Diagnostic::new(
            Code::WrongCount,
            span,
            format!("`{name}` needs a value, and what stands beside it is not read as that"),
        );
        let d = d.here("read as cells that are all of these");
        Some(d.help(format!("write `{meant}`")).repair(meant))
    }

    /// Whether a bare name means something that takes no value.
    fn needs_no_value(&self, text: &str) -> bool {
        self.scope.iter().any(|l| l.name == text)
            || self.options.has(text)
            || self.kept.contains_key(text)
            || self.defines.iter().any(|d| d.name.text == text)
            || self.kind_named(text).is_some()
            || words::value(text).is_some()
    }

    fn call(&mut self, name: &Name, args: &[Argument], span: Span) -> Option<Term> {
        let text = name.text.as_str();
        if let Some(at) = self.defines.iter().position(|d| d.name.text == text) {
            return self.call_define(at, name, args, span);
        }
        if let Some(kind) = self.kind_named(text) {
            let [arg] = args else {
                return self.wrong_count(
                    name,
                    "a piece kind takes one player: `stone of me`",
                    args.len(),
                );
            };
            let player = self.player(&arg.value)?;
            let set = Cells::and(
                Cells::Kind(KindExpr::Const(kind)),
                Cells::Owned(Box::new(player)),
            );
            return Some(cells(set));
        }
        if let Some(&id) = self.kept.get(text)
            && self.vars[id.0 as usize].per != Per::Game
        {
            return self.kept_of(id, name, args);
        }
        if let Some(word) = words::function(text) {
            if args.len() < word.least || args.len() > word.most {
                return self.wrong_count(
                    name,
                    &format!("{}: {}", word.name, word.signature),
                    args.len(),
                );
            }
            let mut given = words::Given::new(name, span);
            for arg in args {
                let value = self.term(&arg.value)?;
                let to = match &arg.to {
                    Some(e) => Some((self.term(e)?, e.span)),
                    None => None,
                };
                given.push(value, arg.value.span, to);
            }
            return (word.meaning)(self, &given);
        }
        self.not_a_function(name, args)
    }

    fn not_a_function(&mut self, name: &Name, args: &[Argument]) -> Option<Term> {
        let text = name.text.as_str();
        let known_value = self.scope.iter().any(|l| l.name == text)
            || self.options.has(text)
            || self.kept.contains_key(text)
            || words::value(text).is_some();
        if known_value {
            return self.fail(
                Diagnostic::new(
                    Code::WrongCount,
                    name.span,
                    format!("`{text}` is a value and takes none"),
                )
                .here("takes no value")
                .help(format!("write `{text}` alone")),
            );
        }
        let _ = args;
        if self.is_broken(text) {
            return None;
        }
        if let Some(d) = self.taken_out(Code::UnknownName, text, name.span) {
            return self.fail(d);
        }
        let mut known: Vec<&str> = self.defines.iter().map(|d| d.name.text.as_str()).collect();
        known.extend(
            words::FUNCTIONS
                .iter()
                .flat_map(|list| list.iter())
                .map(|w| w.name),
        );
        known.extend(self.kinds.iter().map(|k| k.name.as_str()));
        let each = |id: &VarId| self.vars[id.0 as usize].per != Per::Game;
        known.extend(
            self.kept
                .iter()
                .filter(|(_, id)| each(id))
                .map(|(name, _)| name.as_str()),
        );
        let d = Diagnostic::new(
            Code::UnknownName,
            name.span,
            format!("no word or definition is called `{text}`"),
        )
        .here("not declared");
        let d = match nearest(text, known) {
            Some(near) => d.help(format!("did you mean `{near}`?")).repair(near),
            None => d.help(format!("define it: `define {text} of x = …`")),
        };
        self.fail(d)
    }

    pub fn wrong_count<T>(&mut self, name: &Name, usage: &str, given: usize) -> Option<T> {
        let values = if given == 1 {
            "1 value".to_owned()
        } else {
            format!("{given} values")
        };
        self.fail(
            Diagnostic::new(
                Code::WrongCount,
                name.span,
                format!("`{}` is given {values}", name.text),
            )
            .here("not that many")
            .help(usage.to_owned()),
        )
    }

    fn kept_of(&mut self, id: VarId, name: &Name, args: &[Argument]) -> Option<Term> {
        let [arg] = args else {
            return self.wrong_count(name, "kept for each player or cell: give one", args.len());
        };
        self.uses[id.0 as usize] += 1;
        let var = &self.vars[id.0 as usize];
        let (per, ty, life) = (var.per, var.ty, var.life);
        if life == Life::Turn && self.asked_moment().is_some() {
            return self.gone(&name.text.clone(), name.span);
        }
        if per == Per::Cell {
            let cell = Box::new(self.cell(&arg.value)?);
            return Some(Term::Value(Value::Num(Num::OfCell(id, cell))));
        }
        let player = Box::new(self.player(&arg.value)?);
        Some(match ty {
            VarType::Number => Term::Value(Value::Num(Num::OfPlayer(id, player))),
            VarType::Truth => truth(Truth::OfPlayer(id, player)),
            VarType::Cells => cells(Cells::OfPlayer(id, player)),
            VarType::Cell
            | VarType::Groups
            | VarType::Run
            | VarType::Direction
            | VarType::Directions
            | VarType::Player
            | VarType::Kind => {
                return self.fail(
                    Diagnostic::new(
                        Code::WrongType,
                        name.span,
                        "for each player, numbers, truths and sets of cells are kept",
                    )
                    .here("none of these")
                    .help("for one cell, keep a set that holds it, and begin with `= none`"),
                );
            }
        })
    }

    fn conditional(&mut self, test: &Expr, yes: &Expr, no: &Expr, span: Span) -> Option<Term> {
        let test = self.truth(test)?;
        // A branch that options rule out need not make sense under them.
        if let Truth::Const(b) = test {
            let (live, dead) = if b { (yes, no) } else { (no, yes) };
            self.dead(|r| r.term(dead));
            return self.term(live);
        }
        let (yes, no) = (self.term(yes)?, self.term(no)?);
        self.choose_between(test, yes, no, span)
    }

    pub fn choose_between(&mut self, test: Truth, yes: Term, no: Term, span: Span) -> Option<Term> {
        let t = Box::new(test);
        if let (Term::Value(Value::Num(a)), Term::Value(Value::Num(b))) = (&yes, &no) {
            return Some(Term::Value(Value::Num(Num::If(
                t,
                Box::new(a.clone()),
                Box::new(b.clone()),
            ))));
        }
        if let (Term::Value(Value::Cell(a)), Term::Value(Value::Cell(b))) = (&yes, &no) {
            return Some(Term::Value(Value::Cell(CellExpr::If(
                t,
                Box::new(a.clone()),
                Box::new(b.clone()),
            ))));
        }
        if let (Some(a), Some(b)) = (yes.as_truth(), no.as_truth()) {
            return Some(truth(Truth::If(t, Box::new(a), Box::new(b))));
        }
        if let (Some(a), Some(b)) = (yes.as_dirs(), no.as_dirs()) {
            return Some(Term::Value(Value::Dirs(Dirs::If(
                t,
                Box::new(a),
                Box::new(b),
            ))));
        }
        if let (Some(a), Some(b)) = (yes.as_cells(), no.as_cells()) {
            return Some(cells(Cells::If(t, Box::new(a), Box::new(b))));
        }
        self.fail(
            Diagnostic::new(Code::WrongType, span, "both values must be of one type")
                .here(format!("{} and {}", yes.type_name(), no.type_name())),
        )
    }
}

/// `1 value`, `2 values`
pub fn values(n: usize) -> String {
    if n == 1 {
        "1 value".to_owned()
    } else {
        format!("{n} values")
    }
}

/// A set turned to a player's side.
pub fn turned(set: &crate::board::Cells, view: &[crate::board::Cell]) -> crate::board::Cells {
    if view.is_empty() {
        return *set;
    }
    set.iter()
        .filter_map(|c| view.get(c.0 as usize).copied())
        .collect()
}

/// A player's name and a piece kind side by side, in either order: what is meant is the pieces of that player.
fn pieces_of_player(parts: &[Expr], terms: &[(Term, Span)], span: Span) -> Option<Diagnostic> {
    let named = |is: fn(&Term) -> bool| {
        let at = terms.iter().position(|(term, _)| is(term))?;
        match &parts[at].kind {
            ExprKind::Name(text) => Some(text),
            _ => None,
        }
    };
    let player = named(|t| matches!(t, Term::Value(Value::Player(_))))?;
    let kind = named(|t| matches!(t, Term::Value(Value::Kind(_))))?;
    let meant = format!("{kind} of {player}");
    let d = Diagnostic::new(
        Code::WrongType,
        span,
        "a player and a piece kind do not stand side by side",
    );
    (parts.len() == 2).then(|| {
        d.here("whose pieces?")
            .help(format!("the pieces of a player are `{meant}`"))
            .repair(meant.as_str())
    })
}
