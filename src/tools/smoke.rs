//! The smoke test of `check`: an engine in, random games played, what they bring to light out, as diagnostics.

use crate::base::{Code, Diagnostic, Diagnostics, Span};
use crate::engine::{Engine, PlayError, Position};
use crate::tools::phrase;
use crate::tools::playout::{Visit, walk};
use crate::tools::rng::DEFAULT_SEED;

/// How much is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Trial {
    /// The seed of the first game; the others have the numbers that follow it.
    pub seed: u64,
    /// The most games.
    pub games: u64,
    /// The most actions of one game.
    pub plies: usize,
    /// No game is begun when so many actions have been played in all.
    pub budget: usize,
    /// No game is begun when so many legal actions have been listed in all: large boards are slow.
    pub listed: usize,
    /// No game is begun, and one goes no further, when the plain engine has done so much, see [`Engine::worked`]: some rules are slow.
    pub work: u64,
}

impl Default for Trial {
    fn default() -> Trial {
        Trial {
            seed: DEFAULT_SEED,
            games: 40,
            plies: 1000,
            budget: 20_000,
            listed: 50_000,
            work: 200_000_000,
        }
    }
}

/// What the games brought to light.
#[derive(Clone, Default, Debug)]
pub struct Findings {
    /// What is wrong with the rules.
    pub diagnostics: Vec<Diagnostic>,
    /// What is wrong with this program, in plain words.
    pub internal: Option<String>,
    /// Games played.
    pub games: u64,
    /// Games that came to an end.
    pub ended: u64,
    /// Actions played.
    pub plies: usize,
    /// Legal actions listed.
    pub listed: usize,
}

/// Why a game was broken off.
enum Halt {
    Failed(PlayError),
    Internal(String),
    Enough,
}

impl From<PlayError> for Halt {
    fn from(error: PlayError) -> Halt {
        Halt::Failed(error)
    }
}

/// From so many games on, one should have come to an end.
const ENOUGH: u64 = 4;
/// Merged actions are looked for in so many games,
const MERGE_GAMES: u64 = 4;
/// and in so many plies of each.
const MERGE_PLIES: usize = 120;

/// Plays the games of a trial; the first one that goes wrong is the last.
#[must_use]
pub fn smoke(engine: &Engine, trial: &Trial) -> Findings {
    let mut findings = Findings::default();
    let mut diagnostics = Diagnostics::default();
    let most = engine.worked().saturating_add(trial.work);
    while findings.games < trial.games
        && findings.plies < trial.budget
        && findings.listed < trial.listed
        && engine.worked() < most
    {
        let seed = trial.seed.wrapping_add(findings.games);
        findings.games += 1;
        let bounds = (trial.plies, most);
        match game(engine, seed, bounds, &mut findings, &mut diagnostics) {
            // A game that is over at once is the same with every seed.
            Ok(()) if findings.plies == 0 => break,
            Ok(()) => {}
            Err(Halt::Enough) => break,
            Err(Halt::Failed(error)) => {
                diagnostics.push(failure(&error, seed));
                break;
            }
            Err(Halt::Internal(message)) => {
                findings.internal = Some(format!("{message} (random game of seed {seed})"));
                break;
            }
        }
    }
    // Games that are broken off early tell nothing of their end.
    if findings.ended == 0
        && engine.worked() < most
        && findings.games >= ENOUGH
        && trial.plies >= Trial::default().plies
        && findings.internal.is_none()
        && diagnostics.as_slice().is_empty()
    {
        diagnostics.push(never_ends(&findings));
    }
    findings.diagnostics = diagnostics.into_sorted();
    findings
}

fn game(
    engine: &Engine,
    seed: u64,
    (limit, most): (usize, u64),
    findings: &mut Findings,
    diagnostics: &mut Diagnostics,
) -> Result<(), Halt> {
    let mut plies = 0;
    let last = walk(engine, engine.initial(), seed, limit, |visit: Visit<'_>| {
        if engine.worked() >= most {
            return Err(Halt::Enough);
        }
        plies = visit.ply;
        findings.plies += usize::from(visit.chosen.is_some());
        findings.listed += visit.actions.len();
        if visit.ply == 0 {
            diagnostics.extend(over_at_once(engine, visit.position)?);
        }
        reads_back(engine, visit.position).map_err(Halt::Internal)?;
        if findings.games <= MERGE_GAMES && plies < MERGE_PLIES {
            diagnostics.extend(merged(engine, visit.position)?);
        }
        if visit.actions.is_empty() && engine.outcome(visit.position)?.is_none() {
            diagnostics.push(stuck(engine, visit.position, seed));
        }
        Ok::<(), Halt>(())
    })?;
    if plies < limit || engine.outcome(&last)?.is_some() {
        findings.ended += 1;
    }
    Ok(())
}

/// A position line must be read as the position that it was printed from.
fn reads_back(engine: &Engine, position: &Position) -> Result<(), String> {
    let line = engine.print(position);
    match engine.parse(&line) {
        Err(error) => Err(format!(
            "the position `{line}` was printed and cannot be read: column {}, {}",
            error.column, error.message
        )),
        Ok(read) if read == *position => Ok(()),
        Ok(read) => Err(format!(
            "the position `{line}` was printed and is read as a different one, `{}`",
            engine.print(&read)
        )),
    }
}

fn failure(error: &PlayError, seed: u64) -> Diagnostic {
    let help = format!("{} (found in the random game of seed {seed})", error.help());
    Diagnostic::new(error.code(), error.span(), error.to_string()).help(help)
}

/// Two ways to one action: said once for each notation.
fn merged(engine: &Engine, position: &Position) -> Result<Option<Diagnostic>, PlayError> {
    let Some((text, places)) = engine.merged_action(position)? else {
        return Ok(None);
    };
    let message = format!(
        "`{text}` can be played in two ways that lead to the same position, and is one action"
    );
    let help = format!("in the position {}", engine.print(position));
    let first = places.first().copied().unwrap_or_default();
    let others = places.get(1..).unwrap_or_default();
    let d = Diagnostic::new(Code::MergedAction, first, message).help(help);
    let d = match others {
        [] => d,
        _ => d.here("written so here"),
    };
    let and = |d: Diagnostic, other: &Span| d.and(*other, "or here");
    Ok(Some(others.iter().fold(d, and)))
}

fn stuck(engine: &Engine, position: &Position, seed: u64) -> Diagnostic {
    let mover = phrase::player(engine.program(), engine.to_move(position));
    let message = format!("{mover} has no action, and no end says what then");
    Diagnostic::new(Code::NoEndWhenStuck, Span::default(), message)
        .help(format!("in the position {} (random game of seed {seed}); add an end such as: lose \"blocked\" when stuck", engine.print(position)))
}

/// The end that holds where nobody has played yet.
fn over_at_once(engine: &Engine, first: &Position) -> Result<Option<Diagnostic>, PlayError> {
    let (Some(outcome), Some(end)) = (engine.outcome(first)?, engine.ended_by(first)?) else {
        return Ok(None);
    };
    let program = engine.program();
    let told = phrase::outcome(program, &outcome);
    let message = format!("the game is over before anybody has played ({told})");
    Ok(Some(
        Diagnostic::new(Code::OverAtOnce, program.ends[end].span, message)
            .here("holds at the first position")
            .help("is the board set up as it should be, and can the player who begins do anything there?"),
    ))
}

fn never_ends(findings: &Findings) -> Diagnostic {
    let games = phrase::number(
        usize::try_from(findings.games).unwrap_or(usize::MAX),
        "random game",
    );
    let message = format!(
        "none of {games} came to an end, in {} actions together",
        findings.plies
    );
    Diagnostic::new(Code::NeverEnds, Span::default(), message).help(
        "a game should end whatever the players do; add a limit of turns or a rule of repetition",
    )
}

#[cfg(test)]
mod tests {
    use crate::base::Code;
    use crate::engine::Engine;
    use crate::tools::smoke::{Trial, smoke};
    use crate::tools::testing::{for_ever, no_end, three_in_a_row};

    fn codes(engine: &Engine) -> Vec<Code> {
        let findings = smoke(engine, &Trial::default());
        assert_eq!(findings.internal, None);
        findings.diagnostics.iter().map(|d| d.code).collect()
    }

    #[test]
    fn a_good_game_has_no_findings() {
        assert_eq!(codes(&three_in_a_row()), []);
        let findings = smoke(&three_in_a_row(), &Trial::default());
        assert_eq!((findings.games, findings.ended), (40, 40));
    }

    #[test]
    fn games_without_end_are_found() {
        assert_eq!(codes(&no_end()), [Code::NoEndWhenStuck]);
        assert_eq!(codes(&for_ever()), [Code::NeverEnds]);
        // What is played is bounded by what is listed.
        let findings = smoke(&for_ever(), &Trial::default());
        assert_eq!(
            (findings.games, findings.ended, findings.plies),
            (11, 0, 11_000)
        );
    }

    #[test]
    fn slow_rules_are_played_for_so_much_work() {
        let engine = for_ever();
        let few = Trial {
            work: 1_000,
            ..Trial::default()
        };
        let first = smoke(&engine, &few);
        assert_eq!((first.games, first.ended), (1, 0));
        assert!((2..200).contains(&first.plies), "{}", first.plies);
        assert!(first.diagnostics.is_empty());
        // What was done before does not count, and the same work comes equally far.
        let again = smoke(&engine, &few);
        assert_eq!((again.games, again.plies), (first.games, first.plies));
    }
}
