//! What the measurements share: every shipped game with every engine, the generators written by hand beside them, and one
//! way to let any of these count sequences and play random games.
// Not everything is used by each measurement.
#![allow(dead_code)]

use crate::native::{
    Played, breakthrough, emergo, epaminondas, guerilla, intermedium, network, reversi,
};
use gambol::EngineKind;
use gambol::base::Source;
use gambol::engine::{Engine, Position, Runner};
use gambol::program::Program;
use gambol::tools::rng::Rng;
use std::hint::black_box;
use std::path::{Path, PathBuf};

/// A generator written by hand: the game's name, and its two functions.
pub struct Reference {
    game: &'static str,
    perft: fn(u32) -> u64,
    playouts: fn(u64, u64, u32) -> Played,
}

macro_rules! reference {
    ($game:ident) => {
        Reference {
            game: stringify!($game),
            perft: $game::perft,
            playouts: $game::playouts,
        }
    };
}

const REFERENCES: [Reference; 7] = [
    reference!(breakthrough),
    reference!(emergo),
    reference!(epaminondas),
    reference!(guerilla),
    reference!(intermedium),
    reference!(network),
    reference!(reversi),
];

/// A random game of more actions is broken off.
const MAX_PLIES: u32 = 20_000;

/// Who does the work.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Way {
    Plain,
    Portable,
    Native,
    ByHand,
}

impl Way {
    pub const ALL: [Way; 4] = [Way::Plain, Way::Portable, Way::Native, Way::ByHand];

    pub fn name(self) -> &'static str {
        self.kind().map_or("by hand", EngineKind::name)
    }

    /// The engine; nothing for a generator written by hand.
    fn kind(self) -> Option<EngineKind> {
        match self {
            Way::Plain => Some(EngineKind::Plain),
            Way::Portable => Some(EngineKind::Portable),
            Way::Native => Some(EngineKind::Native),
            Way::ByHand => None,
        }
    }
}

/// All shipped games: their names and files, those of the folder `games` first.
pub fn games() -> Vec<(String, PathBuf)> {
    let mut games = Vec::new();
    for folder in ["games", "games/classics"] {
        let entries = std::fs::read_dir(root(folder)).unwrap();
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        files.retain(|path| path.extension().is_some_and(|end| end == "game"));
        files.sort();
        let name = |file: &Path| file.file_stem().unwrap().to_string_lossy().into_owned();
        games.extend(files.into_iter().map(|file| (name(&file), file)));
    }
    games
}

/// What is measured: all shipped games, and some with other options, which stand behind the name.
pub fn measured() -> Vec<(String, PathBuf)> {
    let mut games = games();
    for (name, options) in [("amazons", "split=on"), ("go", "size=19")] {
        if let Some(at) = games.iter().position(|(game, _)| game == name) {
            let file = games[at].1.clone();
            games.insert(at + 1, (format!("{name} {options}"), file));
        }
    }
    games
}

/// A path inside the repository.
pub fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The program of a game under some options.
pub fn program(file: &Path, settings: &[(String, String)]) -> Program {
    let text = std::fs::read_to_string(file).unwrap();
    let source = Source::new(file.to_string_lossy(), text);
    gambol::compile(&source, settings).program.unwrap()
}

/// A game and who does the work; not ready yet.
#[derive(Clone, Debug)]
pub struct Case {
    pub game: String,
    pub file: PathBuf,
    pub way: Way,
}

impl Case {
    /// All cases of all games.
    pub fn all() -> Vec<Case> {
        let mut cases = Vec::new();
        for (game, file) in measured() {
            for way in Way::ALL {
                let (game, file) = (game.clone(), file.clone());
                let case = Case { game, file, way };
                if way != Way::ByHand || case.reference().is_some() {
                    cases.push(case);
                }
            }
        }
        cases
    }

    fn reference(&self) -> Option<&'static Reference> {
        REFERENCES.iter().find(|r| r.game == self.game)
    }

    /// Lets `then` work.
    pub fn with<R>(&self, then: impl FnOnce(&mut Worker<'_>) -> R) -> R {
        let Some(kind) = self.way.kind() else {
            return then(&mut Worker::ByHand(self.reference().unwrap()));
        };
        let options = self.game.split(' ').skip(1);
        let pair = |option: &str| option.split_once('=').map(|(a, b)| (a.into(), b.into()));
        let settings: Vec<(String, String)> = options.filter_map(pair).collect();
        let engine = gambol::engine(program(&self.file, &settings), kind)
            .unwrap()
            .0;
        let mut worker = Worker::of(&engine);
        // Code that is being made better meanwhile would be in the way.
        let _ = (worker.depth(100), worker.play(1, 1));
        // What counts more than one action is made when it is asked for; where all code is made once, not before.
        if std::env::var_os("GAMBOL_CODE").is_none() {
            worker.count(2);
        }
        engine.settle();
        then(&mut worker)
    }
}

/// Counts and plays from the start.
pub enum Worker<'e> {
    Engine(Position, Box<Runner<'e>>),
    ByHand(&'static Reference),
}

impl<'e> Worker<'e> {
    pub fn of(engine: &'e Engine) -> Worker<'e> {
        Worker::Engine(engine.initial(), Box::new(Runner::new(engine)))
    }

    /// The number of sequences of so many actions.
    pub fn count(&mut self, depth: usize) -> u64 {
        let depth = black_box(depth);
        black_box(match self {
            Worker::Engine(start, runner) => runner.count(start, depth).unwrap(),
            Worker::ByHand(reference) => (reference.perft)(u32::try_from(depth).unwrap()),
        })
    }

    /// Plays so many random games, the first of this seed, the others of the next ones. The number of actions.
    pub fn play(&mut self, seed: u64, many: u64) -> u64 {
        black_box(match self {
            Worker::Engine(start, runner) => (seed..seed + many)
                .map(|seed| {
                    let mut rng = Rng::new(seed);
                    let game = runner.game(start, MAX_PLIES as usize, |n| rng.below(n));
                    game.unwrap().plies as u64
                })
                .sum(),
            Worker::ByHand(reference) => (reference.playouts)(seed, many, MAX_PLIES).plies,
        })
    }

    /// To which depth to count, and the number of sequences: as deep as there should be, going by the last step, not more than
    /// `most` of them. The same whoever counts.
    pub fn depth(&mut self, most: u64) -> (usize, u64) {
        let (mut depth, mut before, mut count) = (1, 1, self.count(1));
        while count > before && u128::from(count).pow(2) <= u128::from(most) * u128::from(before) {
            before = count;
            depth += 1;
            count = self.count(depth);
        }
        (depth, count)
    }
}

/// A number in three figures, without an exponent: `13.7 k`.
pub fn figures(number: f64) -> String {
    let sizes = [(1e9, " G"), (1e6, " M"), (1e3, " k"), (1.0, "")];
    // What would be rounded up to the next size belongs there.
    let size = sizes.iter().find(|(size, _)| number >= size * 0.9995);
    let (size, sign) = size.copied().unwrap_or((1.0, ""));
    let scaled = number / size;
    let before = scaled.max(1e-9).log10().floor() as i32;
    let places = usize::try_from(2 - before).unwrap_or(0);
    format!("{scaled:.places$}{sign}")
}
