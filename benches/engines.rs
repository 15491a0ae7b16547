//! How fast random games are played and sequences of actions are counted: every shipped game with every engine, and seven of
//! them by generators written by hand. `cargo bench` measures and prints a table at the end; see docs/engines.md, which
//! `GAMBOL_WRITE=1 cargo bench` writes. Words behind `--` choose cases, `-- --max-time S` the seconds for each, and `GAMBOL_DEPTH=N`
//! says how deep is counted; then nothing is written.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

#[path = "cases/mod.rs"]
mod cases;
#[path = "native/mod.rs"]
mod native;

use cases::{Case, Way, Worker, figures, measured, root};
use cpu_time::ThreadTime;
use divan::Bencher;
use divan::counter::ItemsCount;
use std::collections::BTreeMap;
use std::fmt;
use std::fmt::Write as _;
use std::sync::Mutex;

/// How long one sample should take, in seconds.
const SAMPLE: f64 = 0.02;
/// More samples than there is time for.
const MANY: u32 = 10_000;
/// How many sequences are counted in one go, at most.
const SEQUENCES: u64 = 2_000_000;

const GAMES: &str = "games/s";
const COUNTS: &str = "counts/s";

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.game, self.way.name())
    }
}

/// A game, what was done and by whom.
type Key = (String, &'static str, Way);

/// How much of it was done a second, sample by sample.
static SPEEDS: Mutex<BTreeMap<Key, Vec<f64>>> = Mutex::new(BTreeMap::new());

/// How often native engine and generator by hand take turns.
const TURNS: usize = 40;

/// Work of which as much is done in one sample as takes some time.
struct Timed<W> {
    work: W,
    /// The number of the next piece.
    next: u64,
    /// How many pieces there are in a sample.
    many: u64,
}

impl<W: FnMut(u64, u64) -> u64> Timed<W> {
    /// `work` is told the number of the first piece and how many, and tells how much it did.
    fn new(work: W) -> Timed<W> {
        let mut timed = Timed {
            work,
            next: 1,
            many: 1,
        };
        // The first is not looked at: functions are made ready.
        timed.sample();
        loop {
            let time = timed.sample().1;
            if time >= SAMPLE / 2.0 {
                return timed;
            }
            timed.many = (timed.many as f64 * (SAMPLE / time).clamp(1.5, 100.0)) as u64 + 1;
        }
    }

    /// How much was done, and in how many seconds.
    fn sample(&mut self) -> (u64, f64) {
        let start = ThreadTime::now();
        let done = (self.work)(self.next, self.many);
        self.next += self.many;
        (done, start.elapsed().as_secs_f64().max(1e-9))
    }

    /// How much is done a second.
    fn speed(&mut self) -> f64 {
        let (done, time) = self.sample();
        done as f64 / time
    }
}

/// What is measured of whoever plays or counts, the latter to a depth.
fn timed(
    worker: &mut Worker<'_>,
    what: &'static str,
    depth: usize,
) -> Timed<impl FnMut(u64, u64) -> u64> {
    Timed::new(move |first, many| {
        if what == COUNTS {
            return (0..many).map(|_| worker.count(depth)).sum();
        }
        worker.play(first, many);
        many
    })
}

/// Measures one kind of work of a case.
fn measure(bencher: Bencher<'_, '_>, case: &Case, what: &'static str) {
    let depth = if what == COUNTS { depth(case) } else { 0 };
    case.with(|worker| {
        let mut timed = timed(worker, what, depth);
        let done = timed.sample().0;
        let mut speeds = Vec::new();
        bencher
            .counter(ItemsCount::new(done))
            .bench_local(|| speeds.push(timed.speed()));
        let key = (case.game.clone(), what, case.way);
        SPEEDS.lock().unwrap().insert(key, speeds);
    });
}

fn by(case: &Case, way: Way) -> Case {
    Case {
        way,
        ..case.clone()
    }
}

/// How deep is counted.
fn depth(case: &Case) -> usize {
    if let Ok(given) = std::env::var("GAMBOL_DEPTH") {
        return given.parse().expect("GAMBOL_DEPTH is a number of actions");
    }
    by(case, Way::Native).with(|worker| worker.depth(SEQUENCES).0)
}

/// How much faster the native engine is than the generator by hand: they take turns, since machines that are shared are quick and slow
/// by turns as well.
fn side_by_side(case: &Case, what: &'static str) -> f64 {
    let depth = if what == COUNTS { depth(case) } else { 0 };
    by(case, Way::Native).with(|native| {
        by(case, Way::ByHand).with(|by_hand| {
            let (mut native, mut by_hand) =
                (timed(native, what, depth), timed(by_hand, what, depth));
            median(
                (0..TURNS)
                    .map(|_| native.speed() / by_hand.speed())
                    .collect(),
            )
        })
    })
}

fn median(mut list: Vec<f64>) -> f64 {
    list.sort_by(f64::total_cmp);
    list[list.len() / 2]
}

#[divan::bench(args = Case::all(), sample_size = 1, sample_count = MANY, max_time = 1)]
fn random_games(bencher: Bencher<'_, '_>, case: &Case) {
    measure(bencher, case, GAMES);
}

#[divan::bench(args = Case::all(), sample_size = 1, sample_count = MANY, max_time = 1)]
fn sequences(bencher: Bencher<'_, '_>, case: &Case) {
    measure(bencher, case, COUNTS);
}

fn main() {
    divan::main();
    let Some(table) = table() else { return };
    println!("\n{table}");
    let has = |name| std::env::var_os(name).is_some();
    if has("GAMBOL_WRITE") && !has("GAMBOL_DEPTH") {
        std::fs::write(root("docs/engines.md"), format!("{HEAD}\n{table}")).unwrap();
    }
}

const HEAD: &str = "# Engines, and generators written by hand

Random games from the start, and sequences of actions from the start to a depth with at most about two million of them; how many a
second, on one core of a shared machine, by the clock of the thread, the median of the samples of one second. The generators
written by hand (`benches/native/`) know one game each. Ratios are of speeds: above one, the first is faster. That of native to by
hand is measured once more, both by turns for a fiftieth of a second each, and is the median of 40 of those pairs. Made by
`GAMBOL_WRITE=1 cargo bench --bench engines`, which takes about three minutes; without `GAMBOL_WRITE` the table is only printed.
";

/// Random games a second that are printed for others, on one core of other machines: rules that Regular Boardgames compiles to
/// C++, the games that OpenSpiel has in C++, rules that Ludii interprets, and native code for one game; 0 where nothing is.
const PRINTED: [(&str, [f64; 4]); 19] = [
    ("amazons", [0.0, 16e3, 0.0, 0.0]),
    ("amazons split=on", [24e3, 0.0, 0.0, 0.0]),
    ("breakthrough", [39e3, 22e3, 3.2e3, 0.0]),
    ("chess", [918.0, 622.0, 0.0, 0.0]),
    ("connect-four", [760e3, 0.0, 46e3, 0.0]),
    ("emergo", [0.0, 0.0, 0.0, 36e3]),
    ("english-draughts", [62e3, 0.0, 4.4e3, 0.0]),
    ("epaminondas", [0.0, 0.0, 0.0, 1.7e3]),
    ("go", [0.0, 7.5e3, 0.0, 0.0]),
    ("go size=19", [382.0, 0.0, 0.0, 0.0]),
    ("gomoku", [14e3, 0.0, 0.0, 0.0]),
    ("guerilla", [0.0, 0.0, 0.0, 1e3]),
    ("hex", [19e3, 22e3, 11e3, 0.0]),
    ("intermedium", [0.0, 0.0, 0.0, 10e3]),
    ("lines-of-action", [0.0, 1.1e3, 0.0, 0.0]),
    ("network", [0.0, 0.0, 0.0, 87e3]),
    ("nine-mens-morris", [40e3, 0.0, 0.0, 0.0]),
    ("reversi", [19e3, 4.3e3, 1.5e3, 0.0]),
    ("tic-tac-toe", [2.25e6, 0.0, 0.0, 0.0]),
];

const BESIDE: &str = "
## Beside printed figures

Random games a second: the native engine here, and what is printed for others on a core of other machines. Regular Boardgames
compiles rules to C++, OpenSpiel has each game in C++, Ludii interprets rules, and for the five games there are figures of native
code that knows one game. Turn limits, and what ends a game as a draw, may differ; Regular Boardgames plays Go without a ban on
repetition, which it has here. The last column compares with the fastest that is printed.

| game | native | Regular Boardgames | OpenSpiel | Ludii | native code | native : printed |
|---|--:|--:|--:|--:|--:|--:|
";

/// The native engine beside printed figures, if any of these games was measured.
fn beside(median: impl Fn(&str) -> Option<f64>) -> String {
    let mut table = String::new();
    for (game, printed) in PRINTED {
        if let Some(native) = median(game) {
            let most = printed.into_iter().fold(0.0, f64::max);
            let cells = [native].into_iter().chain(printed).chain([native / most]);
            let cell = |n| if n > 0.0 { figures(n) } else { String::new() };
            let cells: Vec<String> = cells.map(cell).collect();
            writeln!(table, "| {game} | {} |", cells.join(" | ")).unwrap();
        }
    }
    if table.is_empty() {
        table
    } else {
        format!("{BESIDE}{table}")
    }
}

/// The medians, if anything was measured.
fn table() -> Option<String> {
    let speeds = SPEEDS.lock().unwrap();
    let of = |game: &str, what: &'static str, way| {
        let list = speeds.get(&(game.to_owned(), what, way))?;
        (!list.is_empty()).then(|| median(list.clone()))
    };
    let ratio = |a: Option<f64>, b: Option<f64>| a.zip(b).map(|(a, b)| a / b);
    let mut table = String::from(
        "| game | | plain | portable | native | by hand | native : by hand | portable : native | native : plain |\n\
         |---|---|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    let head = table.len();
    let cases = Case::all();
    for (game, _) in measured() {
        for what in [GAMES, COUNTS] {
            let [plain, portable, native, by_hand] = Way::ALL.map(|way| of(&game, what, way));
            let case = cases.iter().find(|case| case.game == game);
            let beside = case.filter(|_| native.is_some() && by_hand.is_some());
            let beside = beside.map(|case| side_by_side(case, what));
            let ratios = [beside, ratio(portable, native), ratio(native, plain)];
            let cells = [plain, portable, native, by_hand].into_iter().chain(ratios);
            let cells: Vec<String> = cells.map(|n| n.map_or(String::new(), figures)).collect();
            if cells.iter().any(|cell| !cell.is_empty()) {
                writeln!(table, "| {game} | {what} | {} |", cells.join(" | ")).unwrap();
            }
        }
    }
    let whole = table.len() > head;
    table += &beside(|game| of(game, GAMES, Way::Native));
    whole.then_some(table)
}
