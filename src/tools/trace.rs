//! What every rule does in one position: an engine, a position and the sections of its file in, for each clause how often it
//! was tried and how much it let through out, in the order of the text. Only runs that list actions are counted, not those
//! that ask whether something is possible.

use crate::base::Span;
use crate::engine::{Engine, Outcome, PlayError, Position, Watch};
use crate::tools::clauses::{self, Clause, Clauses, Counts};
use crate::tools::sections::{Section, SectionKind, Sections};

/// What the rules do in a position.
#[derive(Clone, PartialEq, Debug)]
pub struct Trace {
    /// The rules and turns, in the order of the text; none when the game is over.
    pub parts: Vec<Part>,
    /// The number of legal actions.
    pub actions: usize,
    /// How the game ended, and the place of the end.
    pub over: Option<(Outcome, Span)>,
}

/// A rule or turn.
#[derive(Clone, PartialEq, Debug)]
pub struct Part {
    /// Which.
    pub section: Section,
    /// How many ways led through it to the end of an action; ways to the same action are counted each.
    pub ways: Option<u64>,
    /// Its clauses, in the order of the text.
    pub clauses: Vec<(Clause, Counts)>,
}

impl Part {
    /// Whether any clause of it was come to.
    #[must_use]
    pub fn tried(&self) -> bool {
        self.ways.is_some_and(|n| n > 0) || self.clauses.iter().any(|(_, c)| c.tried > 0)
    }
}

/// Runs the rules in a position.
///
/// # Errors
///
/// What the engine says.
pub fn trace(
    engine: &Engine,
    sections: &Sections,
    position: &Position,
) -> Result<Trace, PlayError> {
    let program = engine.program();
    if let (Some(outcome), Some(end)) = (engine.outcome(position)?, engine.ended_by(position)?) {
        let place = program.ends[end].span;
        return Ok(Trace {
            parts: Vec::new(),
            actions: 0,
            over: Some((outcome, place)),
        });
    }
    let watch = engine.watch(position, Watch::counting(true))?;
    let mut found = Clauses::new();
    clauses::gather(&mut found, program, sections, &watch);
    let mut ways = Vec::new();
    clauses::actions(program, sections, &watch, &mut ways);
    let parts = sections.list.iter().zip(ways).enumerate();
    let parts = parts
        .filter(|(_, (section, _))| section.kind != SectionKind::Setup)
        .map(|(at, (section, ways))| {
            let own = found
                .iter()
                .filter(|(c, _)| sections.at(c.place) == Some(at));
            Part {
                section: section.clone(),
                ways,
                clauses: own.map(|(c, n)| (c.clone(), *n)).collect(),
            }
        })
        .filter(|part| part.ways.is_some() || !part.clauses.is_empty());
    Ok(Trace {
        parts: parts.collect(),
        actions: engine.legal_actions(position)?.len(),
        over: None,
    })
}

#[cfg(test)]
mod tests {
    use crate::base::Source;
    use crate::compile;
    use crate::engine::{Engine, PlayError};
    use crate::tools::sections::Sections;
    use crate::tools::trace::{Trace, trace};

    const TEXT: &str = "game \"T\"\nplayers White, Black\nboard square(3, 3)\npiece stone\n\
        rule Drop {\n  choose spot in empty\n  require spot not in middle \"not there\"\n  place stone at spot\n}\n\
        rule Slide {\n  line [ own as mover | empty as target ]\n  move mover to target\n}\n\
        rule Asked {\n  choose spot in own\n  remove spot\n}\n\
        turn {\n  require not me can Asked or turns < 9\n  Drop or Slide\n}\n\
        end after turn {\n  draw \"long\" when turns = 2\n}\n";

    fn traced(play: &[&str]) -> Result<(Source, Trace), PlayError> {
        let source = Source::new("t.game", TEXT);
        let compiled = compile(&source, &[]);
        let engine = Engine::new(compiled.program.unwrap())?;
        let mut position = engine.initial();
        for action in play {
            position = engine.play_text(&position, action).unwrap();
        }
        let trace = trace(&engine, &Sections::of(&compiled.file), &position)?;
        Ok((source, trace))
    }

    #[test]
    fn every_clause_tells_what_it_let_through() -> Result<(), PlayError> {
        let (source, trace) = traced(&[])?;
        let parts = trace.parts.iter();
        let parts: Vec<(String, Option<u64>, bool)> = parts
            .map(|p| (p.section.heading(), p.ways, p.tried()))
            .collect();
        assert_eq!(
            parts,
            [
                ("rule Drop".to_owned(), Some(8), true),
                ("rule Slide".to_owned(), Some(0), true),
                ("turn".to_owned(), None, true),
            ]
        );
        let clauses = trace.parts[0].clauses.iter().chain(&trace.parts[1].clauses);
        let rows: Vec<(&str, u64, u64)> = clauses
            .map(|(c, n)| {
                (
                    source.at(c.place).lines().next().unwrap(),
                    n.tried,
                    n.passed,
                )
            })
            .collect();
        assert_eq!(
            rows,
            [
                ("choose spot in empty", 1, 9),
                ("require spot not in middle \"not there\"", 9, 8),
                ("place stone at spot", 8, 8),
                ("line [ own as mover | empty as target ]", 1, 0),
                ("move mover to target", 0, 0),
            ]
        );
        assert_eq!((trace.actions, trace.over), (8, None));
        Ok(())
    }

    #[test]
    fn a_game_that_is_over_tells_its_end() -> Result<(), PlayError> {
        let (source, trace) = traced(&["a1", "c3"])?;
        let (outcome, place) = trace.over.unwrap();
        assert_eq!(&*outcome.by, "long");
        assert_eq!(source.at(place).trim(), "draw \"long\" when turns = 2");
        assert_eq!((trace.parts.len(), trace.actions), (0, 0));
        Ok(())
    }
}
