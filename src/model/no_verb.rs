//! What was meant by a statement whose first word is no effect.

use crate::base::{Code, Diagnostic, nearest};
use crate::model::resolver::Resolver;
use crate::model::words::verbs;
use crate::program::KindInfo;
use crate::syntax::OUTSIDE;
use crate::syntax::ast::{Alternative, Expr, ExprKind, Name, Statement, StatementKind};

/// Words with which a statement begins, to be offered for misspelt verbs.
const STATEMENTS: &[&str] = &[
    "choose", "let", "require", "set", "if", "for", "repeat", "line", "trail", "pass", "or",
];

/// Words of other languages and rule books, with the effect that does it here.
const MEANT: &[(&str, &str)] = &[
    ("add", "place"),
    ("create", "place"),
    ("put", "place"),
    ("eat", "capture"),
    ("kill", "capture"),
    ("take", "capture"),
    ("clear", "remove"),
    ("delete", "remove"),
    ("destroy", "remove"),
    ("discard", "remove"),
    ("go", "move"),
    ("hop", "move"),
    ("jump", "move"),
    ("leap", "move"),
    ("slide", "move"),
    ("give", "deal"),
    ("reverse", "flip"),
    ("convert", "promote"),
    ("crown", "promote"),
];

/// Words that say how a game ends.
const ENDS: &[&str] = &["win", "lose", "draw", "score", "end"];

/// Words for changing a number.
const CHANGES: &[&str] = &[
    "add",
    "decrease",
    "decrement",
    "increase",
    "increment",
    "subtract",
];

impl Resolver<'_> {
    /// The finding for a verb that is none.
    pub fn no_verb(&mut self, verb: &Name, object: Option<&Expr>) -> Diagnostic {
        let d = Diagnostic::new(
            Code::UnknownVerb,
            verb.span,
            format!("`{}` is no effect", verb.text),
        )
        .here("no statement begins with this word");
        // Perhaps the misspelt word would have given a name a meaning.
        if let Some(ExprKind::Infix { left, .. }) = object.map(|e| &e.kind)
            && let ExprKind::Name(name) = &left.kind
        {
            self.broken.insert(name.clone());
        }
        let word = verb.text.as_str();
        if ["cells", "steps"].contains(&word) {
            return d.help(format!(
                "leave it out: `{word}` stands only behind a number, where a trail says how long it is"
            ));
        }
        if let Some(kind) = self.kind_of_word(word) {
            let owned = match self.players.first() {
                Some(player) if !kind.neutral => {
                    format!(", or `place {} of {} at …`", kind.name, player.name)
                }
                Some(_) | None => String::new(),
            };
            let kind = &kind.name;
            return d
                .help(format!(
                    "a piece is put down with `place`: `place {kind} at …`{owned}"
                ))
                .repair(format!("place {kind}"));
        }
        if CHANGES.contains(&word) {
            let number = |e: &Expr| matches!(e.kind, ExprKind::Number(_));
            let kept = |e: &Expr| match &e.kind {
                ExprKind::Name(name) => self.kept.contains_key(name),
                _ => false,
            };
            if word != "add" || object.is_some_and(|e| number(e) || kept(e)) {
                return d.help("a number that is kept is changed with `set`: `set n = n + 1`");
            }
        }
        if ENDS.contains(&word) {
            return d.help(OUTSIDE);
        }
        if let Some((_, effect)) = MEANT.iter().find(|(other, _)| *other == word) {
            let frame = verbs::verb(effect).map_or(*effect, |row| row.frame);
            return d
                .help(format!("the word for it is `{effect}`: write `{frame}`"))
                .repair(*effect);
        }
        let known = verbs::VERBS.iter().map(|v| v.name);
        match nearest(word, known.clone().chain(STATEMENTS.iter().copied())) {
            Some(near) => d.help(format!("did you mean `{near}`?")).repair(near),
            None => {
                let list: Vec<&str> = known.collect();
                d.help(format!("the effects are {}", list.join(", ")))
            }
        }
    }

    /// A player and a kind of piece where a statement should begin, `White stone at a1`, which was read as a rule and an effect: true when
    /// it is so, and has been told.
    pub fn is_piece_alone(&mut self, statement: &Statement, next: Option<&Statement>) -> bool {
        let (StatementKind::Play(attempts), Some(StatementKind::Effect { verb, .. })) =
            (&statement.kind, next.map(|next| &next.kind))
        else {
            return false;
        };
        let [attempt] = attempts.as_slice() else {
            return false;
        };
        let [Alternative::Rule { name, .. }] = attempt.alternatives.as_slice() else {
            return false;
        };
        let owned = self.players.iter().any(|p| p.name == name.text);
        let together = name.span.end + 1 == verb.span.start;
        let Some(kind) = self
            .kind_of_word(&verb.text)
            .filter(|_| owned && together && verbs::verb(&verb.text).is_none())
        else {
            return false;
        };
        let instead = format!("place {} of {}", kind.name, name.text);
        self.report(
            Diagnostic::new(
                Code::UnknownVerb,
                name.span.to(verb.span),
                format!("`{} {}` is no effect", name.text, verb.text),
            )
            .here("no statement begins with these words")
            .help(format!(
                "a piece is put down with `place`: `{instead} at …`"
            ))
            .repair(instead),
        );
        true
    }

    /// The kind of piece that a word names, perhaps as many.
    fn kind_of_word(&self, word: &str) -> Option<&KindInfo> {
        let one = match word.strip_suffix("men") {
            Some(begin) => format!("{begin}man"),
            None => word.strip_suffix('s').unwrap_or(word).to_owned(),
        };
        let mut kinds = self.kinds.iter();
        kinds.find(|kind| kind.name == word || kind.name == one)
    }
}
