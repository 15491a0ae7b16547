//! How cost grows with the board: four games at many sizes with the engine that makes machine code, random games and counted
//! sequences. `cargo bench --bench growth` writes docs/growth.md and docs/growth.svg; with `-- --dry` it only prints the table.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

#[path = "growth/chart.rs"]
mod chart;

use cpu_time::ThreadTime;
use gambol::EngineKind;
use gambol::base::Source;
use gambol::engine::{Engine, Runner};
use gambol::program::Program;
use gambol::program::kernel::Work;
use gambol::tools::rng::Rng;
use std::fmt::Write as _;
use std::hint::black_box;
use std::path::{Path, PathBuf};

/// A game, how its options are made of a size, and the sizes.
struct Series {
    name: &'static str,
    file: &'static str,
    options: &'static [&'static str],
    sizes: std::ops::RangeInclusive<u32>,
    step: usize,
}

const SERIES: [Series; 4] = [
    Series {
        name: "Epaminondas",
        file: "epaminondas.game",
        options: &["columns", "rows"],
        sizes: 6..=26,
        step: 2,
    },
    Series {
        name: "Guerilla",
        file: "guerilla.game",
        options: &["side"],
        sizes: 2..=12,
        step: 1,
    },
    Series {
        name: "Go",
        file: "classics/go.game",
        options: &["size"],
        sizes: 5..=19,
        step: 2,
    },
    Series {
        name: "Network",
        file: "network.game",
        options: &["size"],
        sizes: 6..=16,
        step: 2,
    },
];

const MAX_PLIES: usize = 20_000;
/// Seconds of the processor for random games of one size, and for counting.
const ENOUGH: [f64; 2] = [1.0, 0.4];
/// To which depth sequences are counted.
const DEPTH: usize = 2;
/// How many games are looked into for the number of legal actions, and how often in a game.
const LOOKED: (u64, usize) = (4, 50);

/// What was measured at one size.
struct Point {
    options: String,
    cells: usize,
    /// Legal actions of a position.
    actions: f64,
    /// Actions of a game.
    plies: f64,
    /// Nanoseconds an action of random games.
    played: f64,
    /// Nanoseconds a counted sequence.
    counted: f64,
    /// Milliseconds until the kernel and all of its code are made.
    ready: f64,
}

fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The settings of a size, and the program under them.
fn program(series: &Series, size: u32) -> (Vec<(String, String)>, Program) {
    let text = std::fs::read_to_string(root("games").join(series.file)).unwrap();
    let set = |name: &&str| ((*name).to_owned(), size.to_string());
    let settings: Vec<(String, String)> = series.options.iter().map(set).collect();
    let compiled = gambol::compile(&Source::new(series.file, text), &settings);
    (settings, compiled.program.unwrap())
}

/// Nanoseconds that one of something takes: `work` is done for so many seconds, told its number, and tells how many it did;
/// and how many that were on the average.
fn time(enough: f64, mut work: impl FnMut(u64) -> u64) -> (f64, f64) {
    // Functions are made ready.
    black_box(work(1));
    let (mut calls, mut done) = (0, 0);
    let clock = ThreadTime::now();
    while calls == 0 || clock.elapsed().as_secs_f64() < enough {
        calls += 1;
        done += black_box(work(calls));
    }
    let seconds = clock.elapsed().as_secs_f64();
    (seconds * 1e9 / done as f64, done as f64 / calls as f64)
}

fn measure(series: &Series, size: u32) -> Point {
    let (settings, program) = program(series, size);
    let clock = std::time::Instant::now();
    let (engine, _) = gambol::engine(program, EngineKind::Native).unwrap();
    engine.prepare(Work::Games);
    let ready = clock.elapsed().as_secs_f64() * 1e3;
    engine.prepare(Work::Counting);
    engine.settle();
    let (start, mut runner) = (engine.initial(), Runner::new(&engine));
    let (played, plies) = time(ENOUGH[0], |seed| {
        let mut rng = Rng::new(seed);
        let game = runner.game(&start, MAX_PLIES, |n| rng.below(n)).unwrap();
        game.plies as u64
    });
    let (counted, _) = time(ENOUGH[1], |_| {
        runner.count(&start, black_box(DEPTH)).unwrap()
    });
    let settings = settings
        .iter()
        .map(|(name, value)| format!("{name}={value}"));
    Point {
        options: settings.collect::<Vec<_>>().join(" "),
        cells: engine.program().board.len(),
        actions: actions(&engine, &mut runner, plies),
        plies,
        played,
        counted,
        ready,
    }
}

/// The average number of legal actions, of positions evenly spread over some games.
fn actions(engine: &Engine, runner: &mut Runner<'_>, plies: f64) -> f64 {
    let every = (plies as usize / LOOKED.1).max(1);
    let (mut sum, mut positions) = (0, 0);
    for seed in 1..=LOOKED.0 {
        let mut rng = Rng::new(seed);
        let mut position = engine.initial();
        let mut played = 0;
        loop {
            let count = runner.count(&position, 1).unwrap();
            if count == 0 || played >= MAX_PLIES {
                break;
            }
            sum += count;
            positions += 1;
            let game = runner.game_on(&mut position, every, |n| rng.below(n));
            played += game.unwrap().plies;
        }
    }
    sum as f64 / f64::from(positions.max(1))
}

/// The power of the number of cells by which something grows: the slope of the straight line through the logarithms.
fn power(points: &[Point], value: impl Fn(&Point) -> f64) -> f64 {
    let log = |p: &Point| ((p.cells as f64).ln(), value(p).ln());
    let logs: Vec<(f64, f64)> = points.iter().map(log).collect();
    let n = logs.len() as f64;
    let (x, y) = logs
        .iter()
        .fold((0.0, 0.0), |s, l| (s.0 + l.0 / n, s.1 + l.1 / n));
    let both: f64 = logs.iter().map(|l| (l.0 - x) * (l.1 - y)).sum();
    let square: f64 = logs.iter().map(|l| (l.0 - x).powi(2)).sum();
    both / square
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if !words.iter().any(|word| word == "--bench") {
        // Run with the tests: nothing is to be measured.
        return;
    }
    let mut page = String::from(HEAD);
    let (mut played, mut counted) = (Vec::new(), Vec::new());
    for series in &SERIES {
        let sizes = series.sizes.clone().step_by(series.step);
        let points: Vec<Point> = sizes.map(|size| measure(series, size)).collect();
        let text = section(series.name, &points);
        println!("{text}");
        writeln!(page, "\n{text}").unwrap();
        let line = |value: fn(&Point) -> f64| {
            let place = |p: &Point| (p.cells as f64, value(p));
            points.iter().map(place).collect()
        };
        played.push((series.name, line(|p| p.played)));
        counted.push((series.name, line(|p| p.counted)));
    }
    if words.iter().any(|word| word == "--dry") {
        return;
    }
    let panels = [
        ("an action of a random game", played),
        ("a counted sequence of two actions", counted),
    ];
    std::fs::write(root("docs/growth.md"), page.trim_end().to_owned() + "\n").unwrap();
    std::fs::write(root("docs/growth.svg"), chart::chart(&panels)).unwrap();
}

const HEAD: &str = "# How cost grows with the board

With the engine that makes machine code, on one core of a shared machine, by the clock of the thread. Random games from the start,
every legal action equally likely, for about a second; all sequences of two actions from the start, counted again and again;
and how long it takes to make the kernel and the machine code that comes soon, for random games. Legal actions are the average over
positions spread evenly over four games. The power says how a column grows with the number of cells: 1 is in proportion, 2 with the
square. Made by `cargo bench --bench growth`, which takes a minute and a half.

![Nanoseconds against the number of cells, for random games and for counting, both on logarithmic scales](growth.svg)
";

/// The table of a game.
fn section(name: &str, points: &[Point]) -> String {
    let mut text = format!(
        "## {name}\n\n\
         | options | cells | legal actions | actions a game | ns an action | ns an action and legal action | \
         ns a counted sequence | ms until ready |\n|---|--:|--:|--:|--:|--:|--:|--:|\n"
    );
    let columns: [fn(&Point) -> f64; 6] = [
        |p| p.actions,
        |p| p.plies,
        |p| p.played,
        |p| p.played / p.actions,
        |p| p.counted,
        |p| p.ready,
    ];
    for p in points {
        let cells = columns.map(|column| figures(column(p)));
        let (options, cells) = (&p.options, format!("{} | {}", p.cells, cells.join(" | ")));
        writeln!(text, "| `{options}` | {cells} |").unwrap();
    }
    let powers = columns.map(|column| format!("{:.2}", power(points, column)));
    writeln!(text, "| power | 1 | {} |", powers.join(" | ")).unwrap();
    text
}

/// Three figures, or all in front of the point.
fn figures(number: f64) -> String {
    let before = number.max(1e-9).log10().floor() as i32;
    let places = usize::try_from(2 - before).unwrap_or(0);
    format!("{number:.places$}")
}
