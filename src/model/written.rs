//! Expressions as source text, for repairs and for those who set options: with the brackets that they need, and no others.

use crate::syntax::ast::{Argument, Expr, ExprKind, Extreme, Infix, Prefix};

// How tightly something is joined, the loosest first, as the parser has it.
const NOT: u8 = 3;
const QUANTIFIER: u8 = 4;
const MINUS: u8 = 9;
const OPERAND: u8 = 10;
const PHRASE: u8 = 11;
const CHAIN: u8 = 12;
const ATOM: u8 = 13;

/// An expression as source text.
#[must_use]
pub fn source_of(e: &Expr) -> String {
    match &e.kind {
        ExprKind::Number(n) => n.to_string(),
        ExprKind::Text(t) => format!("\"{t}\""),
        ExprKind::Name(n) => n.clone(),
        ExprKind::Call { name, args } => match args.as_slice() {
            [a] if of_one(a) => format!("{} of {}", name.text, source_of(&a.value)),
            _ => format!("{}({})", name.text, list(args)),
        },
        ExprKind::Together(parts) => {
            let parts: Vec<String> = parts.iter().map(|p| at_least(CHAIN, p)).collect();
            parts.join(" ")
        }
        ExprKind::Infix { op, left, right } => {
            let level = of_infix(*op);
            let (left, right) = (at_least(level, left), at_least(level + 1, right));
            format!("{left} {} {right}", op.text())
        }
        ExprKind::Prefix { op, value } => {
            let space = if *op == Prefix::Minus { "" } else { " " };
            format!("{}{space}{}", op.text(), at_least(of_prefix(*op), value))
        }
        ExprKind::Where { set, test } => format!("({} where {})", source_of(set), source_of(test)),
        ExprKind::With { set, extreme, key } => {
            let word = if *extreme == Extreme::Most {
                "most"
            } else {
                "least"
            };
            format!("({} with {word} {})", source_of(set), source_of(key))
        }
        ExprKind::If { test, yes, no } => format!(
            "(if {} then {} else {})",
            source_of(test),
            source_of(yes),
            source_of(no)
        ),
        ExprKind::Seen { set, player } => {
            let (set, player) = (at_least(PHRASE, set), at_least(PHRASE, player));
            format!("{set} seen by {player}")
        }
        ExprKind::Line(_) => "line […]".to_owned(),
        ExprKind::Trail(_) => "trail {…}".to_owned(),
        ExprKind::From { name, .. } => format!("{} from line […]", name.text),
        ExprKind::Can { player, rule } => match player {
            Some(p) => format!("{} can {}", at_least(PHRASE, p), rule.text),
            None => format!("can {}", rule.text),
        },
    }
}

/// As source text that stands where nothing looser may.
fn at_least(level: u8, e: &Expr) -> String {
    let text = source_of(e);
    if level_of(e) < level {
        format!("({text})")
    } else {
        text
    }
}

fn level_of(e: &Expr) -> u8 {
    match &e.kind {
        ExprKind::Infix { op, .. } => of_infix(*op),
        ExprKind::Prefix { op, .. } => of_prefix(*op),
        ExprKind::Seen { .. }
        | ExprKind::Line(_)
        | ExprKind::Trail(_)
        | ExprKind::From { .. }
        | ExprKind::Can { .. } => OPERAND,
        ExprKind::Together(_) => PHRASE,
        ExprKind::Call { args, .. } if matches!(args.as_slice(), [a] if of_one(a)) => CHAIN,
        // Those with a filter or a condition are written in brackets anyhow.
        ExprKind::Where { .. }
        | ExprKind::With { .. }
        | ExprKind::If { .. }
        | ExprKind::Number(_)
        | ExprKind::Text(_)
        | ExprKind::Name(_)
        | ExprKind::Call { .. } => ATOM,
    }
}

fn of_infix(op: Infix) -> u8 {
    match op {
        Infix::Or => 1,
        Infix::And => 2,
        Infix::In
        | Infix::NotIn
        | Infix::Equal
        | Infix::NotEqual
        | Infix::Less
        | Infix::AtMost
        | Infix::More
        | Infix::AtLeast => 5,
        Infix::Except => 6,
        Infix::Add | Infix::Subtract => 7,
        Infix::Multiply | Infix::Divide | Infix::Remainder => 8,
    }
}

fn of_prefix(op: Prefix) -> u8 {
    match op {
        Prefix::Not => NOT,
        Prefix::Some | Prefix::No | Prefix::All => QUANTIFIER,
        Prefix::Minus => MINUS,
    }
}

/// Whether something of this one thing is written with `of`.
fn of_one(argument: &Argument) -> bool {
    let plain = matches!(
        argument.value.kind,
        ExprKind::Name(_) | ExprKind::Call { .. }
    );
    argument.to.is_none() && plain
}

fn list(args: &[Argument]) -> String {
    let one = |a: &Argument| match &a.to {
        Some(to) => format!("{}..{}", source_of(&a.value), source_of(to)),
        None => source_of(&a.value),
    };
    args.iter().map(one).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use crate::base::Source;
    use crate::model::written::source_of;
    use crate::syntax::ast::ItemKind;
    use crate::syntax::parse;

    /// What is written of a definition, which reads the same again.
    fn again(text: &str) -> String {
        let (file, _) = parse(&Source::new("x", format!("define a = {text}\n")));
        match &file.items[0].kind {
            ItemKind::Define { body, .. } => source_of(body),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn brackets_stand_where_they_are_needed() {
        for text in [
            "(a + b) mod 2 = 1",
            "a + b mod 2 = 1",
            "a * (a + 1) < 40",
            "a - (b - 1) = 1",
            "a - b - 1 = 1",
            "not (a = 3 and b = c)",
            "not a = 3 and b = c",
            "-(a + 1) < 0",
            "-a * 2 < 0",
            "20 / (a * 2) > 0",
            "(a or b) and c > 1",
            "some (own in row(1))",
            "(some a) = b",
            "count(own except a) = height of b of c",
            "(own or enemy) king seen by me",
            "(own where it in b) except c",
        ] {
            let written = again(text);
            assert_eq!(again(&written), written, "{text}");
            let without = text.replace("some (own in row(1))", "some own in row(1)");
            assert_eq!(written, without);
        }
    }
}
