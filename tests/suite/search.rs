//! The search: it beats random play in every game, more of it beats less, and it finds what is won by force. The positions of
//! `tests/wins/` were found by the solver; `GAMBOL_WRITE=1` with `GAMBOL_SLOW=1` makes them and the tables of `docs/search.md` again.

use crate::common::{fast, root, slow};
use gambol::engine::{Engine, OutcomeResult, Position};
use gambol::tools::playout::walk;
use gambol::tools::search::{Budget, Proof, Search, Seat, Settings, Sitting};
use gambol::tools::solve::Bounds;
use gambol::tools::solve::alphabeta::{AlphaBeta, Broken, Limit};
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use std::fmt::Write as _;
use std::ops::Range;
use std::sync::atomic::AtomicBool;

/// Game, options, playouts an action, games in the ordinary run.
const AGAINST_RANDOM: &[(&str, &str, u64, u64)] = &[
    ("intermedium", "", 250, 1),
    ("network", "", 400, 10),
    ("epaminondas", "", 250, 0),
    ("guerilla", "", 150, 0),
    ("emergo", "", 100, 2),
    ("amazons", "", 200, 1),
    ("breakthrough", "", 150, 10),
    ("chess", "", 1600, 0),
    ("connect-four", "", 150, 20),
    ("english-draughts", "", 60, 4),
    ("go", "", 500, 2),
    ("gomoku", "", 1000, 2),
    ("hex", "", 300, 4),
    ("lines-of-action", "", 60, 2),
    ("nine-mens-morris", "", 100, 4),
    ("reversi", "", 300, 10),
    ("emergo-mindsports", "", 100, 0),
    ("emergo-strides", "", 100, 0),
    ("crossings", "", 600, 0),
    ("epaminondas-8x8", "", 200, 2),
    ("epaminondas-push", "", 150, 0),
    ("guerilla-differs", "", 150, 0),
    ("guerilla-hexagon", "", 60, 0),
    ("intermedium-free", "", 120, 0),
    ("network-10", "", 600, 0),
    ("network-anywhere", "", 400, 0),
];

/// Game, options, playouts of the one that thinks less.
const TWICE: &[(&str, &str, u64)] = &[
    ("intermedium", "", 60),
    ("network", "", 200),
    ("epaminondas", "columns=8 rows=8", 60),
    ("guerilla", "width=3 side=3", 60),
    ("emergo", "", 60),
    ("breakthrough", "", 100),
    ("connect-four", "", 200),
    ("hex", "size=7", 100),
    ("reversi", "", 100),
    ("lines-of-action", "", 40),
];

/// Won, drawn and lost games of the first seat.
#[derive(Default, Clone, Copy)]
struct Score {
    won: u64,
    drawn: u64,
    lost: u64,
}

impl Score {
    fn games(self) -> u64 {
        self.won + self.drawn + self.lost
    }

    /// The interval in which the share of points lies in 95 of 100 cases (Wilson 1927).
    fn interval(self) -> (f64, f64) {
        let (n, z) = (self.games() as f64, 1.96);
        let p = (self.won as f64 + self.drawn as f64 / 2.0) / n;
        let middle = (p + z * z / (2.0 * n)) / (1.0 + z * z / n);
        let half = z / (1.0 + z * z / n) * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
        ((middle - half).max(0.0), (middle + half).min(1.0))
    }

    fn row(self) -> String {
        let (low, high) = self.interval();
        format!(
            "{} | {} | {} | {:.1} to {:.1} %",
            self.won,
            self.drawn,
            self.lost,
            low * 100.0,
            high * 100.0
        )
    }
}

/// Plays games, the seats exchanged each time; the score of `a`.
fn compete(engine: &Engine, a: Seat, b: Seat, games: Range<u64>) -> Score {
    let results: Vec<i32> = games
        .into_par_iter()
        .map(|g| game(engine, [a, b], g))
        .collect();
    let count = |r| results.iter().filter(|x| **x == r).count() as u64;
    Score {
        won: count(1),
        drawn: count(0),
        lost: count(-1),
    }
}

fn game(engine: &Engine, seats: [Seat; 2], number: u64) -> i32 {
    let seed = |n| Settings {
        seed: number * 2 + n,
        ..Settings::default()
    };
    let mut sitting: Vec<Sitting<'_>> = (0..2)
        .map(|n| seats[n].sit(engine, seed(n as u64)))
        .collect();
    let first = usize::from(number % 2 == 1);
    let stop = AtomicBool::new(false);
    let mut position = engine.initial();
    let person =
        |position: &Position, player| usize::from(engine.person(position, player).0) ^ first;
    for _ in 0..3000 {
        let who = person(&position, engine.to_move(&position));
        let chosen = sitting[who].choose(&position, &stop, &mut |_| ()).unwrap();
        let Some(text) = chosen else { break };
        position = engine.play_text(&position, &text).unwrap();
    }
    let winner = match engine.outcome(&position).unwrap().map(|o| o.result) {
        Some(OutcomeResult::Win(p)) => Some(p),
        Some(OutcomeResult::Scores { winner, .. }) => winner,
        _ => None,
    };
    match winner.map(|p| person(&position, p)) {
        Some(0) => 1,
        Some(_) => -1,
        None => 0,
    }
}

/// Puts a table between two marks of a page.
fn write_table(mark: &str, table: &str) {
    let page = root().join("docs/search.md");
    let text = std::fs::read_to_string(&page).unwrap();
    let (begin, end) = (
        format!("<!-- {mark} -->\n"),
        format!("<!-- end of {mark} -->"),
    );
    let from = text.find(&begin).unwrap() + begin.len();
    let to = text.find(&end).unwrap();
    std::fs::write(&page, format!("{}{table}{}", &text[..from], &text[to..])).unwrap();
}

fn writes() -> bool {
    std::env::var("GAMBOL_WRITE").is_ok_and(|v| v == "1")
}

/// Only the game of this name, when it is said.
fn chosen(name: &str) -> bool {
    std::env::var("GAMBOL_GAME").map_or(true, |one| name == one)
}

/// Which games to play: so many, or those from one number to another, when it is said.
fn asked_for(many: u64) -> Range<u64> {
    let Ok(said) = std::env::var("GAMBOL_GAMES") else {
        return 0..many;
    };
    let (from, to) = said.split_once("..").unwrap_or(("0", &said));
    from.parse().unwrap()..to.parse().unwrap()
}

#[test]
fn search_beats_random_play() {
    let mut wrong = Vec::new();
    let mut table = "| game | playouts an action | won | drawn | lost | points, 95 % |\n|---|---|---|---|---|---|\n".to_owned();
    for (name, options, playouts, games) in AGAINST_RANDOM.iter().filter(|g| chosen(g.0)) {
        let games = asked_for(if slow() { 100 } else { *games });
        if games.is_empty() {
            continue;
        }
        let engine = fast(name, options);
        let seat = Seat::Search(Budget::of_playouts(*playouts));
        let score = compete(&engine, seat, Seat::Random, games);
        let row = format!("| {name} | {playouts} | {} |\n", score.row());
        eprint!("{row}");
        table += &row;
        // 99 of 100 points; in a few games all.
        if (score.won * 2 + score.drawn) * 50 < score.games() * 99 {
            wrong.push(row);
        }
    }
    if writes() && slow() {
        write_table("against random play", &table);
    }
    assert!(wrong.is_empty(), "{}", wrong.join(""));
}

#[test]
fn twice_the_search_beats_once() {
    let mut wrong = Vec::new();
    let mut table = "| game | playouts an action | won | drawn | lost | points, 95 % |\n|---|---|---|---|---|---|\n".to_owned();
    for (name, options, playouts) in TWICE.iter().filter(|g| chosen(g.0)) {
        if !slow() && *name != "connect-four" {
            continue;
        }
        let engine = fast(name, options);
        let seat = |n| Seat::Search(Budget::of_playouts(n));
        let games = asked_for(if slow() { 100 } else { 60 });
        let score = compete(&engine, seat(playouts * 2), seat(*playouts), games);
        let row = format!(
            "| {name} {options} | {} : {playouts} | {} |\n",
            playouts * 2,
            score.row()
        );
        eprint!("{row}");
        table += &row;
        if score.won <= score.lost {
            wrong.push(row);
        }
    }
    if writes() && slow() {
        write_table("twice against once", &table);
    }
    assert!(wrong.is_empty(), "{}", wrong.join(""));
}

/// Games for the positions that are won by force.
const WINS: &[(&str, &str)] = &[
    ("amazons", "size=4"),
    ("breakthrough", ""),
    ("chess", ""),
    ("connect-four", ""),
    ("emergo", ""),
    ("english-draughts", ""),
    ("epaminondas", "columns=8 rows=8"),
    ("gomoku", "size=9"),
    ("guerilla", "width=2 side=2"),
    ("hex", "size=7"),
    ("intermedium", ""),
    ("lines-of-action", ""),
    ("network", ""),
    ("nine-mens-morris", ""),
    ("reversi", "size=6"),
];

/// A position that is won in so many actions by these and by no others.
struct Won {
    depth: u8,
    position: String,
    actions: Vec<String>,
}

/// Looks whether somebody wins by force, in at most five actions.
fn won(engine: &Engine, position: &Position) -> Option<Won> {
    let stop = AtomicBool::new(false);
    let limit = Limit {
        nodes: 12_000,
        until: None,
        stop: &stop,
    };
    let mut search = AlphaBeta::new(engine, 8 << 20);
    let me = engine.person(position, engine.to_move(position)).0;
    let wins = |bounds: Bounds| {
        bounds
            .known()
            .is_some_and(|v| v.share() == 1.0 - f32::from(me))
    };
    let look = |search: &mut AlphaBeta<'_>, p: &Position, depth| match search.look(p, depth, limit)
    {
        Ok(bounds) => Some(wins(bounds)),
        Err(Broken::Limit) => None,
        Err(Broken::Failed(error)) => panic!("{error}"),
    };
    for depth in 1..=5 {
        if !look(&mut search, position, depth)? {
            continue;
        }
        let mut actions = Vec::new();
        let all = engine.legal_actions(position).unwrap();
        for action in &all {
            search.nodes = 0;
            if look(&mut search, &engine.play(position, action), depth - 1)? {
                actions.push(action.text.clone());
            }
        }
        let some = all.len() > 2 && actions.len() * 2 <= all.len();
        return some.then(|| Won {
            depth,
            position: engine.print(position),
            actions,
        });
    }
    None
}

/// Whether the solver can show that an action wins, sooner or later.
fn wins_later(engine: &Engine, position: &Position, action: &str) -> bool {
    let stop = AtomicBool::new(false);
    let limit = Limit {
        nodes: 2_000_000,
        until: None,
        stop: &stop,
    };
    let me = engine.person(position, engine.to_move(position)).0;
    let next = engine.play_text(position, action).unwrap();
    let mut search = AlphaBeta::new(engine, 64 << 20);
    (1..20).any(|depth| {
        let bounds = search.look(&next, depth, limit).unwrap();
        bounds
            .known()
            .is_some_and(|v| v.share() == 1.0 - f32::from(me))
    })
}

fn find_wins(name: &str, options: &str) -> String {
    let engine = fast(name, options);
    let mut text =
        format!("# {name} {options}: actions to the win, position, all actions that win so soon\n");
    let mut kept = [0; 6];
    for seed in 0..40 {
        let mut seen = Vec::new();
        walk::<gambol::engine::PlayError>(&engine, engine.initial(), seed, 2000, |visit| {
            seen.push(visit.position.clone());
            Ok(())
        })
        .unwrap();
        for position in seen.iter().rev().skip(1).take(8) {
            // What came before is not known when the line is read back.
            let position = engine.parse(&engine.print(position)).unwrap();
            let Some(won) = won(&engine, &position) else {
                continue;
            };
            let kept = &mut kept[usize::from(won.depth)];
            if *kept < 3 {
                *kept += 1;
                writeln!(
                    text,
                    "{} | {} | {}",
                    won.depth,
                    won.position,
                    won.actions.join(" ")
                )
                .unwrap();
                break;
            }
        }
    }
    text
}

#[test]
fn forced_wins_are_found() {
    let folder = root().join("tests/wins");
    if writes() && slow() {
        std::fs::create_dir_all(&folder).unwrap();
        let made: Vec<(&str, String)> = WINS
            .into_par_iter()
            .map(|(name, options)| (*name, find_wins(name, options)))
            .collect();
        for (name, text) in made {
            std::fs::write(folder.join(format!("{name}.wins")), text).unwrap();
        }
    }
    let (mut wrong, mut total) = (Vec::new(), 0);
    for (name, options) in WINS.iter().filter(|g| chosen(g.0)) {
        let engine = fast(name, options);
        let text = std::fs::read_to_string(folder.join(format!("{name}.wins"))).unwrap();
        for line in text.lines().filter(|l| !l.starts_with('#')) {
            let parts: Vec<&str> = line.split(" | ").collect();
            let position = engine.parse(parts[1]).unwrap();
            let mut search = Search::new(
                &engine,
                Settings {
                    budget: Budget::of_playouts(40_000),
                    ..Settings::default()
                },
            );
            let stop = AtomicBool::new(false);
            let report = search.think(&position, &stop, &mut |_| ()).unwrap();
            let best = report.best().unwrap();
            total += 1;
            if best.proven != Some(Proof::Win) {
                wrong.push(format!("{name}: {line}\n  {best:?}"));
            } else if !parts[2].split(' ').any(|a| a == best.action)
                && !wins_later(&engine, &position, &best.action)
            {
                wrong.push(format!("{name}: {line}\n  said to win: {best:?}"));
            }
        }
    }
    assert!(
        total >= 100 || std::env::var("GAMBOL_GAME").is_ok(),
        "only {total}"
    );
    assert!(
        wrong.is_empty(),
        "{} of {total}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
