//! An engine and a plan in, its snapshot out: the board hashed, sequences counted within the budget, seeded games played.

use crate::board::{Board, Directions};
use crate::engine::{Action, Engine, Outcome, OutcomeResult, PlayError, Position};
use crate::tools::playout::{Visit, walk};
use crate::tools::snapshot::{
    Ending, Game, Geometry, Plan, Setting, Share, Snapshot, Step, Transcript,
};
use crate::tools::{draw, phrase};

/// Games that are kept ply by ply.
const TRANSCRIPTS: u64 = 2;
/// A budget of so many allows for one action of a game, and for as much as that in all before the last game is begun.
const PER_PLY: u64 = 25;

/// Makes the snapshot of a game. The same rules and the same plan give the same snapshot.
///
/// # Errors
///
/// What the engine says.
pub fn make(engine: &Engine, plan: &Plan) -> Result<Snapshot, PlayError> {
    let program = engine.program();
    let start = engine.initial();
    let (actions, perft) = count(engine, &start, plan)?;
    let (transcripts, games) = play(engine, plan)?;
    let options = program.options.iter().map(|option| Setting {
        name: option.name.clone(),
        value: option.value.clone(),
        domain: option.domain.clone(),
    });
    Ok(Snapshot {
        plan: *plan,
        title: program.about.title.clone(),
        options: options.collect(),
        players: program.players.iter().map(|p| p.name.clone()).collect(),
        board: geometry(&program.board),
        start: engine.print(&start),
        drawing: draw::draw(engine, &start)
            .lines()
            .map(|line| line.trim_end().to_owned())
            .collect(),
        actions,
        perft,
        transcripts,
        games,
    })
}

/// Counts as deep as depth and budget allow, and shares the last count out to the first actions.
fn count(
    engine: &Engine,
    start: &Position,
    plan: &Plan,
) -> Result<(Vec<Share>, Vec<u64>), PlayError> {
    let first = engine.legal_actions(start)?;
    let share = |action: &Action, count| Share {
        action: action.text.clone(),
        count,
    };
    let mut shares: Vec<Share> = first.iter().map(|action| share(action, 1)).collect();
    let mut perft = vec![u64::try_from(first.len()).unwrap_or(u64::MAX)];
    for depth in 1..plan.depth {
        let mut left = plan.budget;
        let mut deeper = Vec::new();
        for action in &first {
            let Some(count) = below(engine, &engine.play(start, action), depth, &mut left)? else {
                return Ok((shares, perft));
            };
            deeper.push(share(action, count));
        }
        if deeper.iter().all(|share| share.count == 0) {
            break;
        }
        perft.push(plan.budget - left);
        shares = deeper;
    }
    Ok((shares, perft))
}

/// The number of sequences of so many actions from here; nothing when there are more than are left.
fn below(
    engine: &Engine,
    position: &Position,
    depth: usize,
    left: &mut u64,
) -> Result<Option<u64>, PlayError> {
    if depth <= 1 {
        let count = engine.count_actions(position)?;
        let rest = left.checked_sub(count);
        *left = rest.unwrap_or(0);
        return Ok(rest.map(|_| count));
    }
    let mut sum = 0;
    for action in engine.legal_actions(position)? {
        match below(engine, &engine.play(position, &action), depth - 1, left)? {
            Some(count) => sum += count,
            None => return Ok(None),
        }
    }
    Ok(Some(sum))
}

/// Plays the games; the first ones are kept ply by ply.
fn play(engine: &Engine, plan: &Plan) -> Result<(Vec<Transcript>, Vec<Game>), PlayError> {
    let (mut transcripts, mut games) = (Vec::new(), Vec::new());
    let (mut listed, mut played) = (0, 0);
    let longest = longest(plan);
    for number in 0..plan.games {
        if listed >= plan.budget || played >= longest {
            break;
        }
        let seed = plan.seed.wrapping_add(number);
        let kept = number < TRANSCRIPTS;
        let (steps, game) = play_one(engine, plan, seed, kept, &mut listed)?;
        played += game.plies;
        transcripts.extend(kept.then_some(Transcript { seed, steps }));
        games.push(game);
    }
    Ok((transcripts, games))
}

/// A game of more actions is broken off.
fn longest(plan: &Plan) -> usize {
    usize::try_from(plan.budget / PER_PLY).unwrap_or(usize::MAX)
}

fn play_one(
    engine: &Engine,
    plan: &Plan,
    seed: u64,
    kept: bool,
    listed: &mut u64,
) -> Result<(Vec<Step>, Game), PlayError> {
    let (mut steps, mut played): (Vec<Step>, Option<String>) = (Vec::new(), None);
    let (mut plies, mut whole, mut stuck) = (0, Digest::default(), false);
    let last = walk(
        engine,
        engine.initial(),
        seed,
        longest(plan),
        |visit: Visit<'_>| {
            *listed += u64::try_from(visit.actions.len()).unwrap_or(u64::MAX);
            plies = visit.ply;
            stuck = visit.actions.is_empty();
            let state = state(engine, visit.position, visit.actions);
            whole.text(&state.position);
            whole.text(&format!("{:08x}", state.hash));
            if let Some(action) = played.take() {
                steps.push(Step {
                    action,
                    legal: state.legal,
                    hash: state.hash,
                    position: (visit.ply <= plan.plies).then_some(state.position),
                });
            }
            played = visit
                .chosen
                .filter(|_| kept)
                .map(|action| action.text.clone());
            Ok::<(), PlayError>(())
        },
    )?;
    let ending = match engine.outcome(&last)? {
        Some(outcome) => ending(engine, outcome),
        None if stuck => Ending::Stuck,
        None => Ending::Unfinished,
    };
    let hash = whole.short();
    Ok((
        steps,
        Game {
            seed,
            plies,
            ending,
            hash,
        },
    ))
}

/// What a transcript says of a position.
pub(super) struct Standing {
    /// The position line.
    pub(super) position: String,
    /// How many actions are legal.
    pub(super) legal: usize,
    /// A hash of both.
    pub(super) hash: u32,
}

/// What a transcript says of a position and its legal actions.
pub(super) fn state(engine: &Engine, position: &Position, actions: &[Action]) -> Standing {
    let line = engine.print(position);
    let mut digest = Digest::default();
    digest.text(&line);
    actions.iter().for_each(|action| digest.text(&action.text));
    Standing {
        legal: actions.len(),
        hash: digest.short(),
        position: line,
    }
}

fn ending(engine: &Engine, outcome: Outcome) -> Ending {
    let name = |id| phrase::player(engine.program(), id).to_owned();
    match outcome.result {
        OutcomeResult::Win(id)
        | OutcomeResult::Scores {
            winner: Some(id), ..
        } => Ending::Wins(name(id), outcome.by.to_string()),
        OutcomeResult::Lose(id) => Ending::Loses(name(id), outcome.by.to_string()),
        OutcomeResult::Draw | OutcomeResult::Scores { winner: None, .. } => {
            Ending::Draw(outcome.by.to_string())
        }
    }
}

fn geometry(board: &Board) -> Geometry {
    let mut digest = Digest::default();
    for cell in board.cells().iter() {
        digest.text(board.name(cell));
        digest.text(&format!(
            "{} {} {:?}",
            board.column_of(cell),
            board.row_of(cell),
            board.place(cell)
        ));
        for next in board.neighbours(cell).iter() {
            digest.text(board.name(next));
        }
    }
    let directions: Vec<_> = Directions::range(board.directions()).iter().collect();
    for direction in &directions {
        digest.text(board.direction_name(*direction));
        let opposite = board.opposite(*direction);
        digest.text(opposite.map_or("", |o| board.direction_name(o)));
        for cell in board.cells().iter() {
            digest.text(
                board
                    .step(cell, *direction)
                    .map_or("", |next| board.name(next)),
            );
        }
    }
    Geometry {
        cells: board.cells().len(),
        directions: directions
            .iter()
            .map(|d| board.direction_name(*d).to_owned())
            .collect(),
        hash: digest.0,
    }
}

/// A hash of texts that never changes (FNV-1a), unlike those of libraries.
struct Digest(u64);

impl Default for Digest {
    fn default() -> Digest {
        Digest(0xcbf2_9ce4_8422_2325)
    }
}

impl Digest {
    /// Adds a text and its end.
    fn text(&mut self, text: &str) {
        for byte in text.bytes().chain([b'\n']) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// The upper half, into which all bytes have gone.
    fn short(&self) -> u32 {
        u32::try_from(self.0 >> 32).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use crate::engine::PlayError;
    use crate::tools::perft::{counts, divide};
    use crate::tools::snapshot::{Ending, Plan, make, statistics};
    use crate::tools::testing::{for_ever, no_end, three_in_a_row};

    #[test]
    fn counts_stop_before_the_budget_is_passed() -> Result<(), PlayError> {
        let engine = three_in_a_row();
        let start = engine.initial();
        for (depth, budget, reached) in [
            (4, 3024, 4),
            (4, 3023, 3),
            (2, 3024, 2),
            (1, 0, 1),
            (9, 1 << 40, 9),
        ] {
            let plan = Plan {
                depth,
                budget,
                ..Plan::default()
            };
            let snapshot = make(&engine, &plan)?;
            assert_eq!(snapshot.perft, counts(&engine, &start, reached, false)?);
            let shares: Vec<_> = snapshot
                .actions
                .iter()
                .map(|s| (s.action.clone(), s.count))
                .collect();
            let expected: Vec<_> = divide(&engine, &start, reached, false)?
                .into_iter()
                .map(|s| (s.text, s.count))
                .collect();
            assert_eq!(shares, expected);
        }
        Ok(())
    }

    #[test]
    fn games_end_as_they_end() -> Result<(), PlayError> {
        let plan = Plan {
            depth: 1,
            games: 1,
            ..Plan::default()
        };
        assert_eq!(make(&no_end(), &plan)?.games[0].ending, Ending::Stuck);
        assert_eq!(
            make(&for_ever(), &plan)?.games[0].ending,
            Ending::Unfinished
        );
        let snapshot = make(&three_in_a_row(), &Plan { games: 30, ..plan })?;
        assert_eq!(statistics(&snapshot.players, &snapshot.games).games, 30);
        let steps = &snapshot.transcripts[1].steps;
        assert_eq!(steps.len(), snapshot.games[1].plies);
        assert_eq!(steps[steps.len() - 1].legal, 0);
        Ok(())
    }

    #[test]
    fn only_the_first_plies_keep_their_positions() -> Result<(), PlayError> {
        let plan = Plan {
            plies: 2,
            games: 1,
            ..Plan::default()
        };
        let snapshot = make(&three_in_a_row(), &plan)?;
        let kept = snapshot.transcripts[0]
            .steps
            .iter()
            .filter(|s| s.position.is_some());
        assert_eq!(kept.count(), 2);
        Ok(())
    }
}
