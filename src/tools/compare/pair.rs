//! Two engines in step: one position on each side in, what differs there out, or what follows on both sides. Looks at one
//! position; where to go from there is decided elsewhere.

use crate::engine::{Action, Engine, Outcome, OutcomeResult, PlayError, Position, State};
use crate::program::{Life, PlayerId, Program};
use crate::tools::compare::{Extra, Extras, Kind, TOLD};
use crate::tools::phrase;
use std::cmp::Ordering;

/// The same position on both sides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Both {
    /// On the first.
    pub a: Position,
    /// On the second.
    pub b: Position,
}

/// A difference, without explanations.
pub(super) struct Found {
    pub path: Vec<String>,
    pub position: Both,
    pub kind: Kind,
}

/// What was seen in a position.
pub(super) enum Seen {
    /// Something differs.
    Differs(Box<Kind>),
    /// Nothing does; what follows, sorted by the texts of the actions.
    Same(Vec<Follow>),
}

/// What tells a pair of positions from other pairs.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Key {
    /// The words of both, which are the same.
    Words(State),
    /// The line of both, or the two lines.
    Lines(String),
}

/// What follows a position.
pub(super) struct Follow {
    /// The action.
    pub action: String,
    /// What tells the position behind it from others.
    pub key: Key,
    /// The position behind it.
    pub next: Both,
}

/// The engines, and what of their positions cannot be compared.
pub(super) struct Pair<'e> {
    pub a: &'e Engine,
    pub b: &'e Engine,
    /// Both have hands.
    hands: bool,
    /// Names of values that only one side keeps, or that live within a turn only.
    hidden: Vec<String>,
    /// The same words of a state mean the same on both sides.
    same_words: bool,
}

impl<'e> Pair<'e> {
    /// Two engines on boards of the same cells.
    pub fn new(a: &'e Engine, b: &'e Engine) -> Pair<'e> {
        let kept = |program: &Program, name: &str| {
            let mut vars = program.vars.iter();
            vars.any(|v| v.name == name && v.in_state() && v.life != Life::Local)
        };
        let (one, other) = (a.program(), b.program());
        let all = one.vars.iter().chain(&other.vars);
        let mut hidden: Vec<String> = all
            .filter(|v| v.in_state() && !(kept(one, &v.name) && kept(other, &v.name)))
            .map(|v| v.name.clone())
            .chain(["at".to_owned()])
            .collect();
        hidden.sort();
        hidden.dedup();
        Pair {
            a,
            b,
            hands: one.hands && other.hands,
            hidden,
            same_words: meaning(one) == meaning(other),
        }
    }

    /// The start of both games.
    pub fn start(&self) -> Both {
        Both {
            a: self.a.initial(),
            b: self.b.initial(),
        }
    }

    /// What tells a pair of positions from other pairs; nothing if the two are not one position, as far as both games keep
    /// the same things.
    pub fn key(&self, both: &Both) -> Option<Key> {
        if self.same_words && both.a.state() == both.b.state() {
            return Some(Key::Words(both.a.state().clone()));
        }
        let (a, b) = (self.a.print(&both.a), self.b.print(&both.b));
        if a == b {
            return Some(Key::Lines(a));
        }
        let starts = self.a.starts_turn(&both.a) == self.b.starts_turn(&both.b);
        let same = starts
            && self
                .comparable(&a, self.a.program().hands)
                .eq(self.comparable(&b, self.b.program().hands));
        same.then(|| Key::Lines(format!("{a}\n{b}")))
    }

    /// The parts of a position line that mean the same on both sides.
    fn comparable<'l>(&'l self, line: &'l str, has_hands: bool) -> impl Iterator<Item = &'l str> {
        let drop_hands = has_hands && !self.hands;
        line.split(' ').enumerate().filter_map(move |(at, part)| {
            let hand = at == 2 && drop_hands;
            let hidden = part.split_once('=').is_some_and(|(name, _)| {
                at >= 2
                    && self
                        .hidden
                        .binary_search_by(|h| h.as_str().cmp(name))
                        .is_ok()
            });
            (!hand && !hidden).then_some(part)
        })
    }

    /// What differs in a position, or what follows it.
    pub fn examine(&self, both: &Both) -> Seen {
        let differs = |kind| Seen::Differs(Box::new(kind));
        let ends = [self.a.outcome(&both.a), self.b.outcome(&both.b)];
        let ends = match ends {
            [Ok(a), Ok(b)] => [a, b],
            [a, b] => return failed([a.err(), b.err()]),
        };
        if !self.same_outcome(&ends) {
            return differs(Kind::Outcomes { outcomes: ends });
        }
        let actions = [self.a.legal_actions(&both.a), self.b.legal_actions(&both.b)];
        let (a, b) = match actions {
            [Ok(a), Ok(b)] => (a, b),
            [a, b] => return failed([a.err(), b.err()]),
        };
        let matched = Matched::of(&a, &b);
        if matched.only_a.count() + matched.only_b.count() > 0 {
            return differs(Kind::Actions {
                only_a: matched.only_a,
                only_b: matched.only_b,
                shared: matched.shared.len(),
            });
        }
        let mut follow = Vec::with_capacity(matched.shared.len());
        for (one, other) in matched.shared {
            let next = Both {
                a: self.a.play(&both.a, one),
                b: self.b.play(&both.b, other),
            };
            let action = one.text.clone();
            match self.key(&next) {
                Some(key) => follow.push(Follow { action, key, next }),
                None => return differs(Kind::Successors { action, next }),
            }
        }
        Seen::Same(follow)
    }

    /// Whether a game has ended on both sides in the same way, by the names of players and clauses.
    fn same_outcome(&self, ends: &[Option<Outcome>; 2]) -> bool {
        match ends {
            [None, None] => true,
            [Some(a), Some(b)] => {
                a.by == b.by
                    && standing(self.a.program(), &a.result)
                        == standing(self.b.program(), &b.result)
            }
            [Some(_), None] | [None, Some(_)] => false,
        }
    }
}

/// What the words of a state mean, as text.
fn meaning(program: &Program) -> String {
    let Program {
        players,
        kinds,
        vars,
        layout,
        hands,
        stacking,
        ..
    } = program;
    format!("{players:?} {kinds:?} {vars:?} {layout:?} {hands} {stacking}")
}

/// A result with names for players.
fn standing<'p>(program: &'p Program, result: &OutcomeResult) -> (&'static str, &'p str, Vec<i64>) {
    let name = |id: PlayerId| phrase::player(program, id);
    match result {
        OutcomeResult::Win(id) => ("win", name(*id), Vec::new()),
        OutcomeResult::Lose(id) => ("lose", name(*id), Vec::new()),
        OutcomeResult::Draw => ("draw", "", Vec::new()),
        OutcomeResult::Scores { scores, winner } => {
            ("score", winner.map_or("", name), scores.clone())
        }
    }
}

/// Rules that fail on both sides in the same way are alike, and nothing follows.
fn failed(failures: [Option<PlayError>; 2]) -> Seen {
    let kind = |e: &Option<PlayError>| e.as_ref().map(PlayError::code);
    if kind(&failures[0]) == kind(&failures[1]) {
        return Seen::Same(Vec::new());
    }
    Seen::Differs(Box::new(Kind::Failures { failures }))
}

/// Two sorted lists of actions, side by side.
#[derive(Default)]
struct Matched<'l> {
    only_a: Extras,
    only_b: Extras,
    shared: Vec<(&'l Action, &'l Action)>,
}

impl<'l> Matched<'l> {
    fn of(mut a: &'l [Action], mut b: &'l [Action]) -> Matched<'l> {
        let mut matched = Matched::default();
        loop {
            let order = match (a.first(), b.first()) {
                (None, None) => return matched,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(one), Some(other)) => one.text.cmp(&other.text),
            };
            match order {
                Ordering::Less => take(&mut a, &mut matched.only_a),
                Ordering::Greater => take(&mut b, &mut matched.only_b),
                Ordering::Equal => {
                    if let (Some((one, rest_a)), Some((other, rest_b))) =
                        (a.split_first(), b.split_first())
                    {
                        matched.shared.push((one, other));
                        (a, b) = (rest_a, rest_b);
                    }
                }
            }
        }
    }
}

/// Takes the first action for one that only this side has.
fn take(actions: &mut &[Action], extras: &mut Extras) {
    let Some((first, rest)) = actions.split_first() else {
        return;
    };
    *actions = rest;
    if extras.told.len() < TOLD {
        extras.told.push(Extra {
            action: first.text.clone(),
            clause: None,
        });
    } else {
        extras.more += 1;
    }
}
