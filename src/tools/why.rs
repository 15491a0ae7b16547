//! Why an action is legal, or is not: an engine, a position and a text in, the clauses responsible out, as places in the
//! rules. An illegal action is explained by the rule that comes nearest: the one that needs the fewest refusals excused.

use crate::base::Span;
use crate::board::Cell;
use crate::engine::{
    Account, Engine, Miss, MissKind, Outcome, PlayError, Position, Refusal, Watch,
};
use crate::program::{Op, Pc, Program, Square, Template};

/// So many refusals are excused at most to find an action that is not legal.
const EXCUSES: usize = 4;

/// The answer.
#[derive(Clone, Debug)]
pub enum Why {
    /// It is legal.
    Legal {
        /// The rule that plays it.
        rule: String,
        /// What it passed, in order.
        passed: Vec<Clause>,
        /// Where it leads.
        next: Position,
    },
    /// Some rule would play it, but for these clauses.
    Refused {
        /// That rule.
        rule: String,
        /// What refuses it, in order.
        clauses: Vec<Clause>,
    },
    /// No rule comes near.
    NoAction {
        /// Legal actions with a similar text, the nearest first.
        nearest: Vec<String>,
    },
    /// The game is over.
    Over {
        /// How.
        outcome: Outcome,
        /// The end clause.
        place: Span,
    },
}

/// A clause that an action passed, or that refused it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clause {
    /// Its place in the rules.
    pub place: Span,
    /// What it is.
    pub kind: ClauseKind,
    /// Its own text, when the rules give one; else what it means, in words.
    pub text: String,
    /// The cells that it is about.
    pub cells: Vec<Cell>,
}

/// The kinds of clauses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClauseKind {
    /// `choose`
    Choice,
    /// `line [ … ]`
    Picture,
    /// `require`, and what a trail demands.
    Requirement,
    /// `otherwise`, `if possible`, `repeat`: something else comes first.
    Order,
    /// An effect.
    Effect,
    /// What the turn demands after the action.
    Turn,
}

impl ClauseKind {
    /// The word for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            ClauseKind::Choice => "choice",
            ClauseKind::Picture => "picture",
            ClauseKind::Requirement => "requirement",
            ClauseKind::Order => "order",
            ClauseKind::Effect => "effect",
            ClauseKind::Turn => "turn",
        }
    }
}

/// Explains an action.
///
/// # Errors
///
/// What the engine says.
pub fn why(engine: &Engine, position: &Position, action: &str) -> Result<Why, PlayError> {
    if let (Some(outcome), Some(end)) = (engine.outcome(position)?, engine.ended_by(position)?) {
        let place = engine.program().ends[end].span;
        return Ok(Why::Over { outcome, place });
    }
    for excuses in 0..=EXCUSES {
        let watch = engine.watch(
            position,
            Watch::search(&engine.program().board, action, excuses),
        )?;
        if let Some(account) = watch.into_found() {
            return Ok(explained(engine, position, account));
        }
    }
    if let Some(elsewhere) = elsewhere(engine, position, action)? {
        return Ok(elsewhere);
    }
    let actions = engine.legal_actions(position)?;
    let nearest = match Refusal::illegal(action, actions.iter().map(|a| a.text.as_str())) {
        Refusal::Illegal { nearest, .. } => nearest,
        Refusal::Over(_) | Refusal::Failed(_) => Vec::new(),
    };
    Ok(Why::NoAction { nearest })
}

/// An action of another turn, or of an earlier part of this one.
fn elsewhere(engine: &Engine, position: &Position, action: &str) -> Result<Option<Why>, PlayError> {
    let program = engine.program();
    let point = &program.points[engine.point(position).0 as usize];
    let text = if engine.starts_turn(position) {
        "this turn is not played now".to_owned()
    } else {
        format!("the turn goes on from `{}` now", point.name)
    };
    for excuses in 0..EXCUSES {
        for turn in &program.turns {
            let mut watch = Watch::search(&program.board, action, excuses);
            watch.entry = Some(turn.pc);
            let Some(account) = engine.watch(position, watch)?.into_found() else {
                continue;
            };
            let written = account.path.iter().find_map(|pc| opened(program, *pc));
            let place = written.map_or(program.places[turn.pc.0 as usize], |t| t.span);
            let clause = Clause {
                place,
                kind: ClauseKind::Turn,
                text,
                cells: Vec::new(),
            };
            return Ok(Some(Why::Refused {
                rule: rule_of(program, &account.path),
                clauses: vec![clause],
            }));
        }
    }
    Ok(None)
}

/// The notation that an instruction begins to write.
fn opened(program: &Program, pc: Pc) -> Option<&Template> {
    if let Op::Open(template) = &program.code[pc.0 as usize] {
        Some(&program.templates[template.0 as usize])
    } else {
        None
    }
}

fn explained(engine: &Engine, position: &Position, account: Account) -> Why {
    let program = engine.program();
    let rule = rule_of(program, &account.path);
    if account.misses.is_empty() {
        return Why::Legal {
            rule,
            passed: passed(program, &account.path),
            next: engine.position_of(position, account.next),
        };
    }
    // An effect that cannot be done behind a refusal is only what comes of that.
    let first = account.misses.iter().take(1);
    let later = account.misses.iter().skip(1);
    let told = first.chain(later.filter(|m| m.kind != MissKind::Effect));
    let mut clauses: Vec<Clause> = Vec::new();
    for clause in told.map(|m| refusing(program, m)) {
        if !clauses.contains(&clause) {
            clauses.push(clause);
        }
    }
    Why::Refused { rule, clauses }
}

/// The name of the first rule that a run has written.
fn rule_of(program: &Program, path: &[Pc]) -> String {
    let written = path.iter().find_map(|pc| opened(program, *pc));
    written.map_or_else(String::new, |t| t.name.clone())
}

/// The clauses on the way, each once.
fn passed(program: &Program, path: &[Pc]) -> Vec<Clause> {
    let mut clauses: Vec<Clause> = Vec::new();
    for pc in path {
        let Some((kind, text)) = described(program, *pc) else {
            continue;
        };
        let clause = Clause {
            place: program.places[pc.0 as usize],
            kind,
            text,
            cells: Vec::new(),
        };
        if clauses.last() != Some(&clause) {
            clauses.push(clause);
        }
    }
    clauses
}

/// What an instruction is to a reader of the rules, and its own text; nothing for those that only serve others.
#[must_use]
#[allow(
    clippy::wildcard_enum_match_arm,
    reason = "few instructions mean something to a reader of the rules"
)]
pub fn described(program: &Program, pc: Pc) -> Option<(ClauseKind, String)> {
    match &program.code[pc.0 as usize] {
        Op::Require(_, reason) => Some((
            ClauseKind::Requirement,
            program.reasons[reason.0 as usize].text.clone(),
        )),
        Op::Choose(..) => Some((ClauseKind::Choice, String::new())),
        Op::Line(_) => Some((ClauseKind::Picture, String::new())),
        Op::Effect(_) => Some((ClauseKind::Effect, String::new())),
        _ => None,
    }
}

/// The clause that refuses, in words.
fn refusing(program: &Program, miss: &Miss) -> Clause {
    let own = |pc: Pc| {
        if let Op::Require(_, reason) = &program.code[pc.0 as usize] {
            program.reasons[reason.0 as usize].text.clone()
        } else {
            String::new()
        }
    };
    let names: Vec<&str> = miss.cells.iter().map(|c| program.board.name(*c)).collect();
    let list = names.join(", ");
    let place = |pc: Pc| program.places.get(pc.0 as usize).copied();
    let mut at = place(miss.pc).unwrap_or_default();
    let (kind, text) = match miss.kind {
        MissKind::Requirement => {
            let text = own(miss.pc);
            let text = if text.is_empty() {
                "this does not hold".to_owned()
            } else {
                text
            };
            (ClauseKind::Requirement, text)
        }
        MissKind::Forced => (
            ClauseKind::Order,
            "something that comes first here can be played, and so it must be".to_owned(),
        ),
        MissKind::Unfinished(refused) => {
            let reason = refused.map(own).unwrap_or_default();
            if let Some(place) = refused.and_then(place) {
                at = place;
            }
            let text = if reason.is_empty() {
                "the turn could not be completed behind it".to_owned()
            } else {
                format!("the turn could not be completed behind it: {reason}")
            };
            (ClauseKind::Turn, text)
        }
        MissKind::Lifted => (
            ClauseKind::Turn,
            "pieces that were lifted would not be put down".to_owned(),
        ),
        MissKind::Effect => (ClauseKind::Effect, "this cannot be done".to_owned()),
        MissKind::Choice if list.is_empty() => (
            ClauseKind::Choice,
            "what it needs may not be chosen".to_owned(),
        ),
        MissKind::Choice => (ClauseKind::Choice, format!("{list} may not be chosen")),
        MissKind::Square(number) => {
            let square = square_name(program, miss.pc, number);
            let text = if list.is_empty() {
                format!("{square} does not fit")
            } else {
                format!("{square} does not fit at {list}")
            };
            (ClauseKind::Picture, text)
        }
        MissKind::Direction => (
            ClauseKind::Picture,
            "the picture is not looked for in that direction".to_owned(),
        ),
    };
    Clause {
        place: at,
        kind,
        text,
        cells: miss.cells.clone(),
    }
}

/// A square of a picture by its name, else by its number.
fn square_name(program: &Program, pc: Pc, number: usize) -> String {
    let mut named = None;
    if let Op::Line(id) = &program.code[pc.0 as usize]
        && let Some(Square::Cells {
            bind: Some(var), ..
        }) = program.pictures[id.0 as usize].squares.get(number)
    {
        named = Some(program.var(*var).name.clone());
    }
    named.map_or_else(
        || format!("square {} of the picture", number + 1),
        |name| format!("`{name}`"),
    )
}
