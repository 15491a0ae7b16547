//! What has changed, in words: an earlier snapshot, the one of now and its engine in; a short list of sentences out, what is
//! seen first in the game before what only counts and random games show.

use crate::engine::{Engine, Position};
use crate::tools::phrase;
use crate::tools::snapshot::make::state;
use crate::tools::snapshot::{Share, Snapshot, Statistics, Transcript, statistics};
use std::collections::{BTreeMap, BTreeSet};

/// What a difference is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Subject {
    /// Depth, budget and the like.
    Plan,
    /// The game's name or its players.
    Game,
    /// Options, their values and what they may be.
    Options,
    /// Cells, directions, steps.
    Board,
    /// The first position.
    Start,
    /// The actions of the first position.
    Actions,
    /// The earliest difference along sequences of actions.
    First,
    /// Counts of sequences.
    Perft,
    /// Seeded games.
    Games,
}

impl Subject {
    /// The word for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Subject::Plan => "plan",
            Subject::Game => "game",
            Subject::Options => "options",
            Subject::Board => "board",
            Subject::Start => "start",
            Subject::Actions => "actions",
            Subject::First => "first",
            Subject::Perft => "perft",
            Subject::Games => "games",
        }
    }
}

/// Something that has changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// What it is about.
    pub subject: Subject,
    /// The change in words.
    pub text: String,
}

/// Actions that are named, of a long list.
const NAMED: usize = 6;

/// What has changed from `old` to `new`, which is of `engine`; nothing if and only if they are the same.
#[must_use]
pub fn compare(old: &Snapshot, new: &Snapshot, engine: &Engine) -> Vec<Difference> {
    let mut told = Told(Vec::new());
    if old == new {
        return told.0;
    }
    plan(old, new, &mut told);
    options(old, new, &mut told);
    board(old, new, &mut told);
    let at_start = start(old, new, &mut told);
    if !at_start && let Some(text) = first(old, new, engine) {
        told.add(Subject::First, text);
    }
    counts(old, new, &mut told);
    games(old, new, &mut told);
    if told.0.is_empty() {
        told.add(Subject::Games, "the seeded games go another way".to_owned());
    }
    told.0
}

struct Told(Vec<Difference>);

impl Told {
    fn add(&mut self, subject: Subject, text: String) {
        self.0.push(Difference { subject, text });
    }

    /// Tells two values that should be the same.
    fn change(&mut self, subject: Subject, name: &str, old: &str, new: &str) {
        if old != new {
            self.add(subject, format!("{name} {old} → {new}"));
        }
    }
}

fn plan(old: &Snapshot, new: &Snapshot, told: &mut Told) {
    let (was, is) = (&old.plan, &new.plan);
    let numbers = [
        ("depth", was.depth.to_string(), is.depth.to_string()),
        ("budget", was.budget.to_string(), is.budget.to_string()),
        ("games", was.games.to_string(), is.games.to_string()),
        ("plies", was.plies.to_string(), is.plies.to_string()),
        ("seed", was.seed.to_string(), is.seed.to_string()),
    ];
    for (name, was, is) in &numbers {
        told.change(Subject::Plan, &format!("made with {name}"), was, is);
    }
    told.change(Subject::Game, "the game is called", &old.title, &new.title);
    let (was, is) = (old.players.join(", "), new.players.join(", "));
    told.change(Subject::Game, "players", &was, &is);
}

fn options(old: &Snapshot, new: &Snapshot, told: &mut Told) {
    let mut changes = Vec::new();
    for option in &old.options {
        let name = &option.name;
        match new.options.iter().find(|o| o.name == *name) {
            None => changes.push(format!("`{name}` is gone")),
            Some(now) => {
                if now.value != option.value {
                    changes.push(format!("{name}={} → {}", option.value, now.value));
                }
                if now.domain != option.domain {
                    let (was, is) = (&option.domain, &now.domain);
                    changes.push(format!("`{name}` may be {is}, not {was}"));
                }
            }
        }
    }
    let known = |name: &str| old.options.iter().any(|o| o.name == name);
    for option in new.options.iter().filter(|o| !known(&o.name)) {
        changes.push(format!("`{}` is new, {}", option.name, option.value));
    }
    if changes.is_empty() && old.options != new.options {
        changes.push("their order".to_owned());
    }
    if !changes.is_empty() {
        told.add(
            Subject::Options,
            format!("options changed: {}", changes.join(", ")),
        );
    }
}

fn board(old: &Snapshot, new: &Snapshot, told: &mut Told) {
    let (was, is) = (&old.board, &new.board);
    if was == is {
        return;
    }
    let cells = |n: usize| n.to_string();
    told.change(
        Subject::Board,
        "cells of the board",
        &cells(was.cells),
        &cells(is.cells),
    );
    let gone = missing(&was.directions, &is.directions);
    let fresh = missing(&is.directions, &was.directions);
    for (list, what) in [(gone, "gone"), (fresh, "new")] {
        if !list.is_empty() {
            told.add(
                Subject::Board,
                format!("directions {what}: {}", list.join(", ")),
            );
        }
    }
    if was.cells == is.cells && was.directions == is.directions {
        told.add(
            Subject::Board,
            "the board has as many cells and the same directions, but other names or steps"
                .to_owned(),
        );
    } else if was.cells == is.cells && told.0.iter().all(|d| d.subject != Subject::Board) {
        told.add(Subject::Board, "the order of the directions".to_owned());
    }
}

/// Those of a list that another has not.
fn missing<'a>(list: &'a [String], other: &[String]) -> Vec<&'a str> {
    let other: BTreeSet<&str> = other.iter().map(String::as_str).collect();
    let words = list.iter().map(String::as_str);
    words.filter(|word| !other.contains(word)).collect()
}

/// Tells how the first position and its actions differ, and whether they do.
fn start(old: &Snapshot, new: &Snapshot, told: &mut Told) -> bool {
    told.change(Subject::Start, "the first position", &old.start, &new.start);
    if old.start == new.start && old.drawing != new.drawing {
        told.add(
            Subject::Start,
            "the first position is drawn in another way".to_owned(),
        );
    }
    let texts =
        |s: &Snapshot| -> Vec<String> { s.actions.iter().map(|a| a.action.clone()).collect() };
    let (was, is) = (texts(old), texts(new));
    let (gone, fresh) = (missing(&was, &is), missing(&is, &was));
    let list = |names: &[&str]| {
        let shown = names
            .iter()
            .take(NAMED)
            .copied()
            .collect::<Vec<_>>()
            .join(", ");
        let more = if names.len() > NAMED { ", …" } else { "" };
        format!("{shown}{more}")
    };
    let mut changes = Vec::new();
    if !gone.is_empty() {
        let n = phrase::number(gone.len(), "action");
        changes.push(format!("{n} gone at the start: {}", list(&gone)));
    }
    if !fresh.is_empty() {
        let n = phrase::number(fresh.len(), "action");
        let n = if changes.is_empty() {
            n + " new at the start"
        } else {
            format!("{} new", fresh.len())
        };
        changes.push(format!("{n}: {}", list(&fresh)));
    }
    if !changes.is_empty() {
        told.add(Subject::Actions, changes.join("; "));
    }
    old.start != new.start || was != is
}

/// The earliest difference after the start: along the old transcripts, or in the counts below first actions.
fn first(old: &Snapshot, new: &Snapshot, engine: &Engine) -> Option<String> {
    let played = old.transcripts.iter().filter_map(|t| along(t, engine));
    let found = played.min_by_key(|(plies, _)| *plies);
    let depth = old.perft.len();
    let below =
        below_first(&old.actions, &new.actions).filter(|_| depth == new.perft.len() && depth > 1);
    match (found, below) {
        // A different count means a difference after less than `depth` actions.
        (Some((plies, _)), Some(text)) if plies >= depth => Some(below_text(&text, depth)),
        (Some((_, text)), _) => Some(text),
        (None, below) => below.map(|text| below_text(&text, depth)),
    }
}

fn below_text((action, was, is): &(String, u64, u64), depth: usize) -> String {
    let (was, is) = (grouped(*was), grouped(*is));
    let more = phrase::number(depth - 1, "more action");
    format!("first difference after `{action}`: {was} → {is} sequences of {more}")
}

/// The first action below which there are more or fewer sequences than before.
fn below_first(old: &[Share], new: &[Share]) -> Option<(String, u64, u64)> {
    let pairs = old.iter().zip(new);
    let differs = |(was, is): &(&Share, &Share)| was.action == is.action && was.count != is.count;
    let (was, is) = pairs.into_iter().find(differs)?;
    Some((was.action.clone(), was.count, is.count))
}

/// How many actions of an old game are played until something differs, and what does.
fn along(transcript: &Transcript, engine: &Engine) -> Option<(usize, String)> {
    let mut position: Position = engine.initial();
    let mut path = Vec::new();
    for step in &transcript.steps {
        let action = step.action.as_str();
        position = match engine.play_text(&position, action) {
            Ok(next) => next,
            Err(_) => {
                let after = after(&path);
                let text = format!("first difference {after}: `{action}` is no longer legal");
                return Some((path.len(), text));
            }
        };
        path.push(action);
        let after = after(&path);
        let actions = match engine.legal_actions(&position) {
            Ok(actions) => actions,
            Err(error) => return Some((path.len(), format!("first difference {after}: {error}"))),
        };
        let now = state(engine, &position, &actions);
        if now.hash == step.hash && now.legal == step.legal {
            continue;
        }
        let text = match &step.position {
            Some(was) if *was != now.position => format!(
                "first different position {after}: was {was}, is {}",
                now.position
            ),
            _ if now.legal != step.legal => format!(
                "first difference {after}: {} → {} legal actions",
                step.legal, now.legal
            ),
            Some(_) => format!(
                "first difference {after}: as many legal actions, {}, but not the same ones",
                now.legal
            ),
            None => format!("first difference {after}: another position, or other legal actions"),
        };
        return Some((path.len(), text));
    }
    None
}

/// Actions that are shown at the end of a long path.
const TAIL: usize = 4;

/// `after `a1 b1``; of a long path only the end.
fn after(path: &[&str]) -> String {
    match path.len() {
        0 => "at the start".to_owned(),
        n if n > 2 * TAIL => {
            let tail = path.get(n - TAIL..).unwrap_or_default().join(" ");
            format!("after {n} actions, the last `{tail}`")
        }
        _ => format!("after `{}`", path.join(" ")),
    }
}

fn counts(old: &Snapshot, new: &Snapshot, told: &mut Told) {
    for (depth, (was, is)) in (1..).zip(old.perft.iter().zip(&new.perft)) {
        let name = format!("perft {depth}:");
        told.change(Subject::Perft, &name, &grouped(*was), &grouped(*is));
    }
    let (was, is) = (old.perft.len().to_string(), new.perft.len().to_string());
    let within = "counts within the budget reach depth";
    told.change(Subject::Perft, within, &was, &is);
}

fn games(old: &Snapshot, new: &Snapshot, told: &mut Told) {
    if old.games == new.games {
        if old.transcripts != new.transcripts && told.0.is_empty() {
            told.add(Subject::Games, "the transcripts differ".to_owned());
        }
        return;
    }
    let (was, is) = (
        statistics(&old.players, &old.games),
        statistics(&new.players, &new.games),
    );
    let mut changes = numbers(&was, &is);
    let other = old.games.iter().zip(&new.games).filter(|(a, b)| a != b);
    let (other, all) = (other.count(), old.games.len().min(new.games.len()));
    if other > 0 || changes.is_empty() {
        changes.insert(0, format!("{other} of {all} seeded games go another way"));
    }
    told.add(Subject::Games, changes.join("; "));
}

fn numbers(was: &Statistics, is: &Statistics) -> Vec<String> {
    let mut changes = Vec::new();
    let mut change = |name: &str, was: String, is: String| {
        if was != is {
            changes.push(format!("{name} {was} → {is}"));
        }
    };
    change("games", was.games.to_string(), is.games.to_string());
    change("mean length", was.mean(), is.mean());
    change(
        "shortest",
        was.shortest.to_string(),
        is.shortest.to_string(),
    );
    change("longest", was.longest.to_string(), is.longest.to_string());
    for (old, new, quote) in [(&was.results, &is.results, ""), (&was.ends, &is.ends, "\"")] {
        let table = |list: &[(String, usize)]| -> BTreeMap<String, usize> {
            list.iter().cloned().collect()
        };
        let (was, is) = (table(old), table(new));
        // In the order in which they are printed; those that are gone come last.
        let names = new
            .iter()
            .chain(old.iter().filter(|(n, _)| !is.contains_key(n)));
        for (name, _) in names {
            let of =
                |table: &BTreeMap<String, usize>| table.get(name).copied().unwrap_or(0).to_string();
            change(&format!("{quote}{name}{quote}"), of(&was), of(&is));
        }
    }
    changes
}

/// A number with its thousands apart: `12,996`.
fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use crate::base::Source;
    use crate::engine::Engine;
    use crate::tools::snapshot::compare::{after, grouped};
    use crate::tools::snapshot::{Plan, compare, make};

    const RULES: &str = "game \"Small\"\n\noption size = 4 in 3..9\n\nplayers White facing north, Black facing south\n\
        board square(size, size)\npiece man\n\n\
        setup {\n  for each p in players { place man of p at row(1) seen by p }\n}\n\n\
        rule Step \"{mover}-{target}\" {\n  line forward orthogonal [ own as mover | empty as target ]\n  move mover to target\n}\n\n\
        rule Take \"{mover}x{target}\" {\n  line forward diagonal [ own as mover | enemy as target ]\n  move mover to target\n}\n\n\
        turn Step or Take\n\n\
        end after turn {\n  win \"crossed\" when some own in row(size) seen by me\n}\n\
        end at start of turn {\n  draw \"blocked\" when stuck\n}\n";

    fn engine(text: &str) -> Engine {
        let compiled = crate::compile(&Source::new("small.game", text), &[]);
        Engine::new(compiled.program.ok_or(compiled.diagnostics).unwrap()).unwrap()
    }

    /// What is told of a change of the rules.
    fn told(from: &str, to: &str) -> Vec<String> {
        let changed = RULES.replacen(from, to, 1);
        assert_ne!(changed, RULES, "{from}");
        let plan = Plan {
            depth: 3,
            games: 6,
            ..Plan::default()
        };
        let (old, new) = (engine(RULES), engine(&changed));
        let (old, new_snapshot) = (make(&old, &plan).unwrap(), make(&new, &plan).unwrap());
        let differences = compare(&old, &new_snapshot, &new);
        assert_eq!(compare(&old, &old, &engine(RULES)), []);
        assert_eq!(differences.is_empty(), old == new_snapshot);
        differences.into_iter().map(|d| d.text).collect()
    }

    #[test]
    fn a_change_of_an_option_is_told_in_words() {
        let told = told("size = 4 in 3..9", "size = 5 in 3..8");
        assert_eq!(
            told[0],
            "options changed: size=4 → 5, `size` may be 3..8, not 3..9"
        );
        assert_eq!(told[1], "cells of the board 16 → 25");
        assert_eq!(
            told[2],
            "the first position mmmm/4/4/MMMM w → mmmmm/5/5/5/MMMMM w"
        );
        assert_eq!(told[3], "1 action new at the start: e1-e2");
    }

    #[test]
    fn a_rule_more_or_less_is_told_where_it_is_first_seen() {
        let fewer = told("turn Step or Take", "turn Take otherwise Step");
        assert!(
            fewer[0].starts_with("first difference after `"),
            "{fewer:?}"
        );
        let other = told("\"{mover}-{target}\"", "\"{mover}>{target}\"");
        assert_eq!(
            other[0],
            "4 actions gone at the start: a1-a2, b1-b2, c1-c2, d1-d2; 4 new: a1>a2, b1>b2, c1>c2, d1>d2"
        );
    }

    #[test]
    fn ends_and_names_are_told() {
        let named = told("win \"crossed\"", "win \"over\"");
        assert_eq!(named.len(), 1);
        assert!(
            named[0].contains(" of 6 seeded games go another way; \"over\" 0 → "),
            "{named:?}"
        );
        assert!(named[0].contains("\"crossed\" "), "{named:?}");
        assert_eq!(
            told("game \"Small\"", "game \"Tiny\""),
            ["the game is called Small → Tiny"]
        );
    }

    #[test]
    fn numbers_and_paths_are_short() {
        assert_eq!(
            [0, 999, 1000, 1_234_567].map(grouped),
            ["0", "999", "1,000", "1,234,567"]
        );
        let path: Vec<&str> = "a b c d e f g h i".split(' ').collect();
        assert_eq!(after(&path), "after 9 actions, the last `f g h i`");
        assert_eq!(after(&path[..8]), "after `a b c d e f g h`");
        assert_eq!(after(&[]), "at the start");
    }
}
