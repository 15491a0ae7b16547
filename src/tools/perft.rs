//! Counting: a position and a depth in, the number of action sequences (or of sequences of whole turns) of each length out.

use crate::base::Span;
use crate::engine::{Action, Engine, PlayError, Position, Runner};
use rayon::ThreadPoolBuilder;
use rayon::prelude::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};

/// A turn with more actions than this is taken for one without an end.
pub const LONGEST_TURN: usize = 1000;

/// Stack of a counting thread, in bytes.
const STACK: usize = 64 << 20;

/// So many positions to count from are enough to be shared out.
const ENOUGH: usize = 64;

/// A first action or first whole turn, and how many sequences begin with it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Share {
    /// The action; for a whole turn its actions, joined by spaces.
    pub text: String,
    /// The sequences of the full length that begin so.
    pub count: u64,
}

/// The numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tally {
    /// The number of sequences of exactly 1, 2, 3 … actions or turns.
    pub counts: Vec<u64>,
    /// The number of the longest, by their beginning, sorted by text, when that was asked.
    pub shares: Vec<Share>,
}

/// The number of sequences of exactly 1, 2, … `depth` actions, or with `by_turns` of whole turns.
///
/// A turn is complete when the next position starts a turn, or when the game is over.
///
/// # Errors
///
/// What the engine says; and a turn of more than [`LONGEST_TURN`] actions, when turns are counted.
pub fn counts(
    engine: &Engine,
    position: &Position,
    depth: usize,
    by_turns: bool,
) -> Result<Vec<u64>, PlayError> {
    let mut counts = vec![0; depth];
    if by_turns {
        count_turns(engine, position, &mut counts, 0)?;
    } else {
        Runner::new(engine).counts(position, &mut counts)?;
    }
    Ok(counts)
}

/// The same for each first action or turn, sorted by text; the counts add up to the last of [`counts`].
///
/// # Errors
///
/// As of [`counts`].
pub fn divide(
    engine: &Engine,
    position: &Position,
    depth: usize,
    by_turns: bool,
) -> Result<Vec<Share>, PlayError> {
    let question = Question {
        depth,
        by_turns,
        divided: true,
    };
    tally(engine, position, question, 1).map(|tally| tally.shares)
}

/// What is to be counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Question {
    /// The length of the longest sequences.
    pub depth: usize,
    /// Whole turns instead of actions.
    pub by_turns: bool,
    /// Also for each beginning.
    pub divided: bool,
}

/// Counts on several threads; the result does not depend on their number.
///
/// # Errors
///
/// As of [`counts`]; of several errors the one that is first in the order of first actions.
pub fn tally(
    engine: &Engine,
    position: &Position,
    question: Question,
    threads: usize,
) -> Result<Tally, PlayError> {
    let mut sum = Tally {
        counts: vec![0; question.depth],
        shares: Vec::new(),
    };
    if question.depth == 0 {
        return Ok(sum);
    }
    if !question.by_turns && !question.divided {
        let (front, made) = front(engine, position, &mut sum.counts)?;
        let count = |position: &Position| counts(engine, position, question.depth - made, false);
        for part in shared_out(threads, &front, count) {
            add_all(&mut sum.counts[made..], &part?);
        }
        return Ok(sum);
    }
    let actions = engine.legal_actions(position)?;
    let branch = |action: &Action| {
        let mut tally = Tally {
            counts: vec![0; question.depth],
            shares: Vec::new(),
        };
        let next = engine.play(position, action);
        question.branch(engine, &mut vec![action.text.clone()], &next, &mut tally)?;
        Ok(tally)
    };
    for part in shared_out(threads, &actions, branch) {
        let part = part?;
        add_all(&mut sum.counts, &part.counts);
        sum.shares.extend(part.shares);
    }
    sum.shares.sort_by(|a, b| a.text.cmp(&b.text));
    Ok(sum)
}

/// The positions behind the first few actions, enough to be shared out, and how many actions that is; adds their numbers.
fn front(
    engine: &Engine,
    position: &Position,
    counts: &mut [u64],
) -> Result<(Vec<Position>, usize), PlayError> {
    let mut front = vec![position.clone()];
    let mut made = 0;
    while made + 1 < counts.len() && !front.is_empty() && front.len() < ENOUGH {
        let mut next = Vec::new();
        for position in &front {
            let actions = engine.legal_actions(position)?;
            next.extend(actions.iter().map(|action| engine.play(position, action)));
        }
        front = next;
        counts[made] = u64::try_from(front.len()).unwrap_or(u64::MAX);
        made += 1;
    }
    Ok((front, made))
}

impl Question {
    /// Counts what follows some first actions, `path`, that led to `next`.
    fn branch(
        self,
        engine: &Engine,
        path: &mut Vec<String>,
        next: &Position,
        tally: &mut Tally,
    ) -> Result<(), PlayError> {
        if !self.by_turns || turn_is_over(engine, next)? {
            let mut line = vec![1];
            line.extend(counts(engine, next, self.depth - 1, self.by_turns)?);
            add_all(&mut tally.counts, &line);
            if self.divided {
                let count = line.last().copied().unwrap_or(0);
                tally.shares.push(Share {
                    text: path.join(" "),
                    count,
                });
            }
            return Ok(());
        }
        if !self.divided {
            return count_turns(engine, next, &mut tally.counts, path.len());
        }
        check_turn(engine, next, path.len())?;
        for action in engine.legal_actions(next)? {
            let after = engine.play(next, &action);
            path.push(action.text);
            self.branch(engine, path, &after, tally)?;
            path.pop();
        }
        Ok(())
    }
}

/// Adds to the numbers of sequences of 1, 2 … whole turns from here, `played` actions into the first.
fn count_turns(
    engine: &Engine,
    position: &Position,
    counts: &mut [u64],
    played: usize,
) -> Result<(), PlayError> {
    if counts.is_empty() {
        return Ok(());
    }
    check_turn(engine, position, played)?;
    for action in engine.legal_actions(position)? {
        let next = engine.play(position, &action);
        if !turn_is_over(engine, &next)? {
            count_turns(engine, &next, counts, played + 1)?;
        } else if let Some((here, deeper)) = counts.split_first_mut() {
            add(here, 1);
            count_turns(engine, &next, deeper, 0)?;
        }
    }
    Ok(())
}

/// Whether a position between two actions is also between two turns.
pub(crate) fn turn_is_over(engine: &Engine, position: &Position) -> Result<bool, PlayError> {
    Ok(engine.starts_turn(position) || engine.outcome(position)?.is_some())
}

fn check_turn(engine: &Engine, position: &Position, played: usize) -> Result<(), PlayError> {
    if played < LONGEST_TURN {
        return Ok(());
    }
    Err(PlayError::Runaway {
        position: engine.print(position),
        span: Span::default(),
    })
}

fn add_all(sums: &mut [u64], numbers: &[u64]) {
    sums.iter_mut()
        .zip(numbers)
        .for_each(|(sum, n)| add(sum, *n));
}

fn add(sum: &mut u64, n: u64) {
    *sum = sum.saturating_add(n);
}

/// The results of the tasks, in their order, worked out by several threads.
pub fn shared_out<T: Sync, R: Send>(
    threads: usize,
    tasks: &[T],
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let threads = threads.min(tasks.len());
    let pool = ThreadPoolBuilder::new()
        .num_threads(threads)
        .stack_size(STACK);
    match (threads > 1).then(|| pool.build().ok()).flatten() {
        Some(pool) => pool.install(|| tasks.par_iter().with_max_len(1).map(&work).collect()),
        None => tasks.iter().map(work).collect(),
    }
}

#[cfg(test)]
mod tests {
    use crate::engine::PlayError;
    use crate::tools::perft::{Question, counts, divide, shared_out, tally};
    use crate::tools::testing::{three_in_a_row, two_a_turn};

    #[test]
    fn three_in_a_row_has_its_published_counts() -> Result<(), PlayError> {
        let engine = three_in_a_row();
        let counts = counts(&engine, &engine.initial(), 9, false)?;
        assert_eq!(
            counts,
            [9, 72, 504, 3024, 15120, 54720, 148_176, 200_448, 127_872]
        );
        Ok(())
    }

    #[test]
    fn a_turn_ends_with_the_game_at_the_latest() -> Result<(), PlayError> {
        let engine = two_a_turn();
        let start = engine.initial();
        assert_eq!(counts(&engine, &start, 3, true)?, [72, 3024, 60480]);
        assert_eq!(
            counts(&engine, &start, 6, false)?,
            [9, 72, 504, 3024, 15120, 60480]
        );
        Ok(())
    }

    #[test]
    fn shares_add_up_on_any_number_of_threads() -> Result<(), PlayError> {
        let engine = two_a_turn();
        let start = engine.initial();
        for depth in 0..=5 {
            let question = Question {
                depth,
                by_turns: false,
                divided: false,
            };
            for threads in [1, 2, 7] {
                let tally = tally(&engine, &start, question, threads)?;
                assert_eq!(tally.counts, counts(&engine, &start, depth, false)?);
            }
        }
        for (depth, by_turns) in [(1, true), (2, true), (3, true), (1, false), (4, false)] {
            let question = Question {
                depth,
                by_turns,
                divided: true,
            };
            let alone = tally(&engine, &start, question, 1)?;
            assert_eq!(tally(&engine, &start, question, 3)?, alone);
            assert_eq!(alone.counts, counts(&engine, &start, depth, by_turns)?);
            let sum: u64 = alone.shares.iter().map(|share| share.count).sum();
            assert_eq!(Some(&sum), alone.counts.last());
            assert!(alone.shares.is_sorted_by(|a, b| a.text < b.text));
        }
        assert!(
            divide(&engine, &start, 2, true)?
                .iter()
                .any(|share| share.text == "a1 b2")
        );
        Ok(())
    }

    #[test]
    fn results_keep_their_order_whatever_the_threads() {
        let tasks: Vec<u64> = (0..100).collect();
        let alone = shared_out(1, &tasks, |n| n * n);
        for threads in [0, 2, 3, 200] {
            assert_eq!(shared_out(threads, &tasks, |n| n * n), alone);
        }
        assert!(shared_out(4, &[], |n: &u8| *n).is_empty());
    }
}
