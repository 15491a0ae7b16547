//! Names and values side by side, which are cells that are all of these, or directions: and what else may have been meant by them.

use crate::base::{Code, Diagnostic, Span, nearest};
use crate::model::convert::{Term, cells};
use crate::model::names::is_told_otherwise;
use crate::model::resolver::Resolver;
use crate::model::words;
use crate::model::written::source_of;
use crate::program::{Cells, Dirs, Value};
use crate::syntax::ast::{Expr, ExprKind, Infix};

/// Words that stand before a value.
const BEFORE: &[&str] = &["some", "no", "all", "not"];
/// Words that stand between two.
const BETWEEN: &[&str] = &[
    "as", "in", "of", "or", "to", "at", "and", "except", "where", "with", "from", "seen",
];

impl Resolver<'_> {
    /// Names side by side: all of these at once.
    pub fn together(&mut self, parts: &[Expr], span: Span) -> Option<Term> {
        if let Some(d) = self.misspelt_between(parts) {
            return self.fail(d);
        }
        if let Some(d) = self.beside_its_value(parts, span) {
            return self.fail(d);
        }
        self.lint_of_takes_one(parts);
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

    /// Says that a word before a value, or between two, is like one that joins values, and nothing else.
    pub fn misspelt_between(&mut self, parts: &[Expr]) -> Option<Diagnostic> {
        for (at, part) in parts.iter().enumerate() {
            let ExprKind::Name(text) = &part.kind else {
                continue;
            };
            let words: &[&str] = match (at, parts.len() - at) {
                (0, 2..) => BEFORE,
                (1.., 2..) => BETWEEN,
                _ => continue,
            };
            let means = self.needs_no_value(text)
                || words::function(text).is_some()
                || self.is_broken(text)
                || self.is_like_a_name(text);
            if is_told_otherwise(text) {
                return None;
            }
            let near = |word: &&&str| nearest(text, [**word]).is_some();
            let like: Vec<&str> = words.iter().filter(near).copied().collect();
            if means || like.is_empty() || text.len() < 2 {
                continue;
            }
            // What should have been named is not missed elsewhere.
            if let (true, Some(ExprKind::Name(name))) =
                (like == ["as"], parts.get(at + 1).map(|e| &e.kind))
            {
                self.broken.insert(name.clone());
            }
            let d = Diagnostic::new(
                Code::UnknownName,
                part.span,
                format!("nothing is called `{text}`"),
            );
            let d = d.here("not declared");
            return Some(match like.as_slice() {
                [meant] => d.help(format!("did you mean `{meant}`?")).repair(*meant),
                [more @ .., last] => {
                    let more = more.join("`, `");
                    d.help(format!("did you mean `{more}` or `{last}`?"))
                }
                [] => d,
            });
        }
        None
    }

    /// Whether a name that can be seen here is spelt nearly so.
    fn is_like_a_name(&self, text: &str) -> bool {
        let seen = self.scope.iter().map(|l| l.name.as_str());
        let kinds = self.kinds.iter().map(|k| k.name.as_str());
        let defined = self.defines.iter().map(|d| d.name.text.as_str());
        nearest(text, seen.chain(kinds).chain(defined)).is_some()
    }

    /// Warns where two words for pieces stand behind an `of` that takes the first of them only.
    fn lint_of_takes_one(&mut self, parts: &[Expr]) {
        for pair in parts.windows(2) {
            let ExprKind::Call { name, args } = &pair[0].kind else {
                continue;
            };
            let ([taken], ExprKind::Name(left)) = (args.as_slice(), &pair[1].kind) else {
                continue;
            };
            // In brackets it would end before those do.
            let ExprKind::Name(of) = &taken.value.kind else {
                continue;
            };
            let by_of = taken.value.span.end == pair[0].span.end
                && (taken.value.span.end - taken.value.span.start) as usize == of.len();
            let whose = |word: &str| ["own", "enemy"].contains(&word);
            let kind = |word: &str| self.kind_named(word).is_some();
            let one = (whose(of) && kind(left)) || (kind(of) && whose(left));
            if !by_of || !one {
                continue;
            }
            let word = &name.text;
            let message = format!(
                "`{word} of` takes `{of}` only: these are `{word}({of})` that are `{left}` as well"
            );
            let d = Diagnostic::new(Code::OfTakesOne, pair[0].span.to(pair[1].span), message);
            let d = d.here("read as cells that are both");
            let d = d.help("put what belongs together in brackets");
            self.report(d.repair(format!("{word} of ({of} {left})")));
        }
    }

    /// Warns where whose a piece is stands before `or`, and behind it a kind of which it is not said.
    pub fn lint_or_begins_anew(&mut self, left: &Expr, right: &Expr, span: Span) {
        if let ExprKind::Infix {
            op: Infix::Or,
            left: before,
            right: last,
        } = &left.kind
            && left.span.start == before.span.start
        {
            return self.lint_or_begins_anew(last, right, last.span.to(right.span));
        }
        if let ExprKind::Infix {
            op: Infix::Except,
            left: of,
            right: taken,
        } = &left.kind
            && (left.span.start, left.span.end) == (of.span.start, taken.span.end)
        {
            return self.lint_or_behind_except((of, taken), right, span);
        }
        let (ExprKind::Together(parts), ExprKind::Name(kind)) = (&left.kind, &right.kind) else {
            return;
        };
        let [whose, first] = parts.as_slice() else {
            return;
        };
        let ExprKind::Name(word) = &whose.kind else {
            return;
        };
        let owned = |text: &str| {
            let kind = self.kinds.iter().find(|kind| kind.name == text);
            kind.is_some_and(|kind| !kind.neutral)
        };
        let kinds = match &first.kind {
            ExprKind::Name(text) => owned(text).then(|| text.clone()),
            ExprKind::Infix { op: Infix::Or, .. } => Some(source_of(first)),
            _ => None,
        };
        // Brackets belong to the place.
        let bracketed = left.span.start < whose.span.start;
        let Some(kinds) = kinds.filter(|_| !bracketed && owned(kind)) else {
            return;
        };
        if !["own", "enemy"].contains(&word.as_str()) {
            return;
        }
        let read = source_of(left);
        let message =
            format!("`or` begins anew: these are `({read}) or {kind}`, and any `{kind}` is one");
        let d = Diagnostic::new(Code::OrBeginsAnew, span, message);
        let d = d.here(format!("`{word}` is read before `or`"));
        let d = d.help("put what belongs together in brackets");
        self.report(d.repair(format!("{word} ({kinds} or {kind})")));
    }

    /// Warns where `or` stands behind `except`, which takes what is before it only.
    fn lint_or_behind_except(&mut self, (of, taken): (&Expr, &Expr), right: &Expr, span: Span) {
        let [of, taken, more] = [of, taken, right].map(source_of);
        let message = format!(
            "`or` begins anew: these are `({of} except {taken}) or {more}`, and `{more}` is not taken away"
        );
        let d = Diagnostic::new(Code::OrBeginsAnew, span, message);
        let d = d.here("`except` is read before `or`");
        let d = d.help("put what belongs together in brackets");
        self.report(d.repair(format!("{of} except ({taken} or {more})")));
    }

    /// Says how a piece that is put down is written, where whose it is stands beside what it is, or how many they are.
    pub fn new_piece_of(&self, parts: &[Expr], span: Span) -> Option<Diagnostic> {
        if let [many, kind] = parts
            && let (ExprKind::Number(many), ExprKind::Name(kind)) = (&many.kind, &kind.kind)
            && self.kind_named(kind).is_some()
        {
            let d = Diagnostic::new(Code::WrongType, span, "expected a piece kind");
            let d = d.here("a kind with a number before it");
            return Some(d.help(format!(
                "how many are put down stands last: `place {kind} at … times {many}`"
            )));
        }
        let mut names = Vec::new();
        for part in parts {
            let ExprKind::Name(text) = &part.kind else {
                return None;
            };
            names.push(text.as_str());
        }
        let at = (names.iter()).position(|name| self.kind_named(name).is_some())?;
        let kind = names.remove(at);
        let is_player = |name: &str| self.players.iter().any(|p| p.name == name);
        let meant = match names.as_slice() {
            ["own"] => kind.to_owned(),
            ["enemy"] => format!("{kind} of them"),
            [player] if is_player(player) || ["me", "them"].contains(player) => {
                format!("{kind} of {player}")
            }
            _ => return None,
        };
        let d = Diagnostic::new(
            Code::WrongType,
            span,
            "these are cells, and what is put down is a piece of a player",
        );
        let d = d.here("read as cells that are all of these");
        Some(d.help(format!("write `{meant}`")).repair(meant))
    }

    /// Whether a bare name means something that takes no value.
    pub fn needs_no_value(&self, text: &str) -> bool {
        self.scope.iter().any(|l| l.name == text)
            || self.options.has(text)
            || self.kept.contains_key(text)
            || self.defines.iter().any(|d| d.name.text == text)
            || self.kind_named(text).is_some()
            || words::value(text).is_some()
    }
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
