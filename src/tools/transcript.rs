//! A seeded game as text that a designer reads: board, position, legal actions and choice at each ply, then the outcome.

use crate::engine::{Action, Engine, PlayError};
use crate::tools::playout::{Visit, walk};
use crate::tools::{draw, phrase};

/// Legal actions that are listed at a ply; of more only the number is told.
const LISTED: usize = 40;
/// Columns after which a list of actions goes on in the next line.
const COLUMNS: usize = 100;

/// The game of a seed from the start, its first `shown` plies, and how it ended within `max_plies`.
///
/// # Errors
///
/// What the engine says.
pub fn transcript(
    engine: &Engine,
    seed: u64,
    shown: usize,
    max_plies: usize,
) -> Result<String, PlayError> {
    let mut text = heading(engine, seed);
    let mut plies = 0;
    let last = walk(engine, engine.initial(), seed, max_plies, |visit| {
        plies = visit.ply;
        if visit.ply < shown && visit.chosen.is_some() {
            text += &ply(engine, &visit);
        }
        Ok::<(), PlayError>(())
    })?;
    if plies > shown {
        text += &format!(
            "… {} not shown\n\n",
            phrase::number(plies - shown, "action")
        );
    }
    let ending = match engine.outcome(&last)? {
        Some(outcome) => phrase::outcome(engine.program(), &outcome),
        None if plies == max_plies => "not over".to_owned(),
        None => "no actions, and no end".to_owned(),
    };
    let (board, line) = (draw::draw(engine, &last), engine.print(&last));
    Ok(text + &format!("after ply {plies}\n{board}{line}\n{ending}\n"))
}

fn heading(engine: &Engine, seed: u64) -> String {
    let program = engine.program();
    let options = phrase::changed_options(program);
    let options = if options.is_empty() {
        options
    } else {
        format!(", {options}")
    };
    format!("{}{options}, seed {seed}\n\n", program.about.title)
}

fn ply(engine: &Engine, visit: &Visit<'_>) -> String {
    let mover = phrase::player(engine.program(), engine.to_move(visit.position));
    let within = if engine.starts_turn(visit.position) {
        ""
    } else {
        ", the turn goes on"
    };
    let chosen = visit.chosen.map_or("", |action| action.text.as_str());
    format!(
        "ply {}: {mover} to move{within}\n{}{}\n{}plays {chosen}\n\n",
        visit.ply + 1,
        draw::draw(engine, visit.position),
        engine.print(visit.position),
        action_lines(visit.actions),
    )
}

fn action_lines(actions: &[Action]) -> String {
    let mut text = format!("{}:", phrase::number(actions.len(), "action"));
    let mut column = text.len();
    let more = actions.len().saturating_sub(LISTED);
    let told = (more > 0).then(|| format!("… and {more} more"));
    for word in actions.iter().take(LISTED).map(|a| &a.text).chain(&told) {
        let width = word.chars().count() + 1;
        if column + width > COLUMNS {
            text += "\n ";
            column = 1;
        }
        text = text + " " + word;
        column += width;
    }
    text + "\n"
}

#[cfg(test)]
mod tests {
    use crate::engine::PlayError;
    use crate::tools::testing::two_a_turn;
    use crate::tools::transcript::transcript;

    #[test]
    fn a_game_reads_well() -> Result<(), PlayError> {
        let text = transcript(&two_a_turn(), 1, 2, 100)?;
        assert_eq!(text, EXPECTED);
        Ok(())
    }

    const EXPECTED: &str = "\
Small, seed 1

ply 1: White to move
3 . . .
2 . . .
1 . . .
  a b c
3/3/3 w
9 actions: a1 a2 a3 b1 b2 b3 c1 c2 c3
plays c2

ply 2: White to move, the turn goes on
3 . . .
2 . . S
1 . . .
  a b c

at = Drop
3/2S/3 w at=Drop
8 actions: a1 a2 a3 b1 b2 b3 c1 c3
plays b3

… 4 actions not shown

after ply 6
3 . S .
2 S S S
1 s . s
  a b c
1S1/SSS/s1s b
White wins: three in a row
";
}
