//! A guess of what a position is worth, learnt while searching: pieces and where they stand in, a share of the point out. It knows
//! no game: what counts for how much is found from the random games that the search plays anyway, by least squares with a little
//! ridge. How well it guesses is measured on games before they are learnt from; until it guesses well enough it is not asked.

use crate::engine::{Engine, Position};
use crate::program::{KindId, PlayerId};
use std::sync::{Arc, Mutex};

/// So many samples are learnt from before a guess is tried.
const ENOUGH: u32 = 150;

/// The share of the variance that guesses must explain before they are used.
const USEFUL: f64 = 0.12;

/// What keeps weights small that little is known of.
const RIDGE: f64 = 3.0;

/// What is counted of each kind of piece of each player.
const OF_KIND: usize = 6;

/// The most numbers that a position is seen as.
const MOST: usize = 160;

/// What was learnt so far.
#[derive(Clone, Debug)]
pub struct Estimate {
    size: usize,
    /// Sums of products of numbers, and of numbers and results.
    products: Vec<f64>,
    results: Vec<f64>,
    guesser: Option<Arc<Guesser>>,
    samples: u32,
    next_fit: u32,
    /// Squared errors of guesses and of the mean, on games not yet learnt from.
    guess_error: f64,
    mean_error: f64,
    mean: f64,
}

/// What was learnt up to some time, to guess by.
#[derive(Clone, Debug)]
pub struct Guesser {
    weights: Vec<f64>,
}

impl Guesser {
    /// The share of the point that the first player can expect.
    #[must_use]
    pub fn guess(
        &self,
        engine: &Engine,
        lie: &Lie,
        position: &Position,
        numbers: &mut Vec<f64>,
    ) -> f64 {
        lie.see(engine, position, numbers);
        self.value(numbers).clamp(0.02, 0.98)
    }

    fn value(&self, numbers: &[f64]) -> f64 {
        let sum: f64 = self.weights.iter().zip(numbers).map(|(w, n)| w * n).sum();
        0.5 + sum
    }
}

/// What the threads of a search learn together.
#[derive(Debug)]
pub struct Learning {
    /// How the board lies.
    pub lie: Lie,
    estimate: Option<Mutex<Estimate>>,
}

impl Learning {
    /// Nothing learnt yet.
    #[must_use]
    pub fn new(engine: &Engine) -> Learning {
        let lie = Lie::new(engine);
        let estimate = Estimate::new(engine, &lie).map(Mutex::new);
        Learning { lie, estimate }
    }

    /// Whether anything can be learnt here.
    #[must_use]
    pub fn learns(&self) -> bool {
        self.estimate.is_some()
    }

    /// What to guess by, when that is good enough.
    #[must_use]
    pub fn guesser(&self) -> Option<Arc<Guesser>> {
        self.estimate.as_ref()?.lock().ok()?.useful()
    }

    /// Learns that a game that went through a position came to a share for the first player.
    pub fn learn(&self, engine: &Engine, seen: (&Position, f64), numbers: &mut Vec<f64>) {
        if let Some(mut estimate) = self.estimate.as_ref().and_then(|e| e.lock().ok()) {
            estimate.learn(engine, &self.lie, seen, numbers);
        }
    }
}

/// How a board lies: for each cell how far up and how near the middle it is.
#[derive(Clone, Debug)]
pub struct Lie {
    up: Vec<f64>,
    middle: Vec<f64>,
    kinds: usize,
    stacking: bool,
    hands: bool,
}

impl Lie {
    /// Of the board of a game.
    #[must_use]
    pub fn new(engine: &Engine) -> Lie {
        let program = engine.program();
        let board = &program.board;
        let places: Vec<(f64, f64)> = board
            .cells()
            .iter()
            .map(|cell| {
                let (x, y) = board.place(cell);
                (f64::from(x), f64::from(y))
            })
            .collect();
        let count = places.len().max(1) as f64;
        let sum = places
            .iter()
            .fold((0.0, 0.0), |s, p| (s.0 + p.0, s.1 + p.1));
        let centre = (sum.0 / count, sum.1 / count);
        let far = |p: &(f64, f64)| (p.0 - centre.0).hypot((p.1 - centre.1) * 2.0);
        let widest = places.iter().map(far).fold(1.0, f64::max);
        let highest = places.iter().map(|p| p.1).fold(1.0, f64::max);
        Lie {
            up: places.iter().map(|p| p.1 / highest).collect(),
            middle: places.iter().map(|p| 1.0 - far(p) / widest).collect(),
            kinds: program.kinds.len(),
            stacking: program.stacking,
            hands: program.hands,
        }
    }

    /// How many numbers a position is seen as; nothing when they are too many.
    fn size(&self) -> Option<usize> {
        let size = 2 + 2 * self.kinds * OF_KIND;
        (size <= MOST).then_some(size)
    }

    /// A position as numbers: for both players and each kind how many are on top, how far up and how near the middle, how many
    /// lie below them and how many are buried, how many are in hand; and whose turn it is.
    fn see(&self, engine: &Engine, position: &Position, numbers: &mut Vec<f64>) {
        numbers.clear();
        numbers.resize(2 + 2 * self.kinds * OF_KIND, 0.0);
        numbers[0] = 1.0;
        numbers[1] = if engine.to_move(position).0 == 0 {
            1.0
        } else {
            -1.0
        };
        let at = |player: PlayerId, kind: KindId| {
            2 + (usize::from(player.0) * self.kinds + usize::from(kind.0)) * OF_KIND
        };
        engine.each_piece(position, &mut |cell, piece, below, on_top| {
            let Some(owner) = piece.owner.filter(|o| o.0 < 2) else {
                return;
            };
            let numbers = &mut numbers[at(owner, piece.kind)..][..OF_KIND];
            if on_top {
                numbers[0] += 1.0;
                numbers[1] += self.up.get(cell.index()).copied().unwrap_or(0.0);
                numbers[2] += self.middle.get(cell.index()).copied().unwrap_or(0.0);
                numbers[3] += below as f64;
            } else if self.stacking {
                numbers[4] += 1.0;
            }
        });
        if self.hands {
            for player in [PlayerId(0), PlayerId(1)] {
                for kind in (0..self.kinds).filter_map(|k| u8::try_from(k).ok()) {
                    let hand = engine.hand(position, player, KindId(kind)) as f64;
                    numbers[at(player, KindId(kind)) + 5] = hand;
                }
            }
        }
    }
}

impl Estimate {
    /// One that has learnt nothing; nothing where positions are seen as too many numbers, or there are not two players.
    #[must_use]
    pub fn new(engine: &Engine, lie: &Lie) -> Option<Estimate> {
        let size = lie.size().filter(|_| engine.program().players.len() == 2)?;
        Some(Estimate {
            size,
            products: vec![0.0; size * size],
            results: vec![0.0; size],
            guesser: None,
            samples: 0,
            next_fit: ENOUGH,
            guess_error: 0.0,
            mean_error: 0.0,
            mean: 0.5,
        })
    }

    /// What to guess by, when that is good enough.
    #[must_use]
    pub fn useful(&self) -> Option<Arc<Guesser>> {
        self.guesser.clone().filter(|_| self.explains() > USEFUL)
    }

    /// The share of the variance that it explains.
    #[must_use]
    pub fn explains(&self) -> f64 {
        if self.mean_error <= 0.0 || self.samples < 2 * ENOUGH {
            return 0.0;
        }
        1.0 - self.guess_error / self.mean_error
    }

    /// Learns that a game that went through a position came to a share for the first player.
    pub fn learn(
        &mut self,
        engine: &Engine,
        lie: &Lie,
        (position, share): (&Position, f64),
        numbers: &mut Vec<f64>,
    ) {
        lie.see(engine, position, numbers);
        if let Some(guesser) = &self.guesser {
            self.guess_error += (guesser.value(numbers).clamp(0.0, 1.0) - share).powi(2);
            self.mean_error += (self.mean - share).powi(2);
        }
        self.samples += 1;
        self.mean += (share - self.mean) / f64::from(self.samples + 2);
        for (row, a) in self.products.chunks_exact_mut(self.size).zip(&*numbers) {
            if *a != 0.0 {
                for (sum, b) in row.iter_mut().zip(&*numbers) {
                    *sum += a * b;
                }
            }
        }
        for (sum, a) in self.results.iter_mut().zip(&*numbers) {
            *sum += a * (share - 0.5);
        }
        if self.samples >= self.next_fit {
            self.next_fit += self.next_fit / 3;
            self.fit();
            // What was guessed with less knowledge counts less.
            self.guess_error *= 0.7;
            self.mean_error *= 0.7;
        }
    }

    /// Weights by Cholesky's decomposition.
    fn fit(&mut self) {
        let n = self.size;
        let mut low = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..=i {
                let mut sum = self.products[i * n + j];
                if i == j {
                    sum += RIDGE;
                }
                let (row_i, row_j) = (&low[i * n..i * n + j], &low[j * n..j * n + j]);
                sum -= row_i.iter().zip(row_j).map(|(a, b)| a * b).sum::<f64>();
                low[i * n + j] = if i == j {
                    sum.max(1e-9).sqrt()
                } else {
                    sum / low[j * n + j]
                };
            }
        }
        let mut half = vec![0.0; n];
        for i in 0..n {
            let sum: f64 = (0..i).map(|k| low[i * n + k] * half[k]).sum();
            half[i] = (self.results[i] - sum) / low[i * n + i];
        }
        let mut weights = vec![0.0; n];
        for i in (0..n).rev() {
            let sum: f64 = (i + 1..n).map(|k| low[k * n + i] * weights[k]).sum();
            weights[i] = (half[i] - sum) / low[i * n + i];
        }
        self.guesser = Some(Arc::new(Guesser { weights }));
    }
}

#[cfg(test)]
mod tests {
    use crate::tools::search::estimate::{Estimate, Lie};
    use crate::tools::testing::three_in_a_row;

    #[test]
    fn weights_are_the_least_squares() {
        let engine = three_in_a_row();
        let lie = Lie::new(&engine);
        let mut estimate = Estimate::new(&engine, &lie).unwrap();
        // Stones on the board decide: nothing else tells the positions apart.
        let mut position = engine.initial();
        let mut numbers = Vec::new();
        let start = position.clone();
        for action in ["a1", "c3", "b2"] {
            position = engine.play_text(&position, action).unwrap();
        }
        for _ in 0..400 {
            estimate.learn(&engine, &lie, (&position, 0.9), &mut numbers);
            estimate.learn(&engine, &lie, (&start, 0.3), &mut numbers);
        }
        let guesser = estimate.useful().unwrap();
        let near = |a: f64, b: f64| (a - b).abs() < 0.05;
        let guess = |p| guesser.guess(&engine, &lie, p, &mut Vec::new());
        assert!(near(guess(&position), 0.9) && near(guess(&start), 0.3));
    }
}
