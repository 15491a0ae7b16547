//! One example: its lines are carried out in order; what does not hold is noted, and the rest is still looked at as long as
//! the game can stand where the example says.

use crate::base::{Code, Diagnostic, Span};
use crate::engine::{Engine, Outcome, OutcomeResult, PlayError, Position};
use crate::program::PlayerId;
use crate::syntax::ast::{
    Example, ExampleKind, ExampleLine, ExampleOutcome, ExampleResult, Name, Place,
};
use crate::tools::examples::drawn::{self, BadPlace};
use crate::tools::examples::{Failure, Report, names};
use crate::tools::why::{Clause, ClauseKind, Why, why};
use crate::tools::{draw, phrase};

/// Runs an example and shows every position that it comes through.
pub fn example(engine: &Engine, example: &Example, seen: &mut dyn FnMut(&Position)) -> Report {
    let mut run = Run {
        engine,
        position: engine.initial(),
        failures: Vec::new(),
        checked: 0,
        seen,
    };
    (run.seen)(&run.position);
    for line in &example.lines {
        match run.line(line) {
            Ok(true) => {}
            Ok(false) => break,
            Err(error) => {
                let finding =
                    Diagnostic::new(error.code(), line.span, error.to_string()).help(error.help());
                run.fail(finding);
                break;
            }
        }
    }
    if run.checked == 0 && run.failures.is_empty() {
        let finding = Diagnostic::new(
            Code::BadExample,
            example.title.span,
            "the example holds nothing against the rules",
        )
        .here("nothing is said to be legal, illegal or to come of it")
        .help("add a line that begins with `legal`, `illegal`, `becomes` or `outcome`");
        run.fail(finding);
    }
    Report {
        title: example.title.text.clone(),
        place: example.title.span,
        failures: run.failures,
        checked: run.checked,
    }
}

struct Run<'e> {
    engine: &'e Engine,
    position: Position,
    failures: Vec<Failure>,
    checked: usize,
    seen: &'e mut dyn FnMut(&Position),
}

impl Run<'_> {
    /// Carries out a line; false when the lines behind it make no sense any more.
    fn line(&mut self, line: &ExampleLine) -> Result<bool, PlayError> {
        match &line.kind {
            ExampleKind::Position(place) => return Ok(self.stand(place)),
            ExampleKind::Play(actions) => {
                for action in actions {
                    if !self.play(action)? {
                        return Ok(false);
                    }
                }
            }
            ExampleKind::Legal { only, actions } => {
                self.checked += 1;
                self.legal(*only, actions, line.span)?;
            }
            ExampleKind::Illegal { actions, because } => {
                self.checked += 1;
                for action in actions {
                    self.illegal(action, because.as_ref())?;
                }
            }
            ExampleKind::Becomes(place) => {
                self.checked += 1;
                self.becomes(place, line.span);
            }
            ExampleKind::Outcome(wanted) => {
                self.checked += 1;
                self.outcome(wanted, line.span)?;
            }
        }
        Ok(true)
    }

    fn stand(&mut self, place: &Place) -> bool {
        let line = drawn::line(self.engine, place);
        match drawn::position(self.engine, &line) {
            Ok(position) => {
                self.position = position;
                (self.seen)(&self.position);
                true
            }
            Err(bad) => {
                self.bad_place(bad);
                false
            }
        }
    }

    fn bad_place(&mut self, bad: BadPlace) {
        let finding = Diagnostic::new(
            Code::BadExample,
            bad.place,
            format!("this is no position of the game: {}", bad.message),
        )
        .here(bad.message);
        self.fail(match bad.help {
            Some(help) => finding.help(help),
            None => finding,
        });
    }

    fn fail(&mut self, finding: Diagnostic) {
        self.differ(finding, Vec::new(), Vec::new());
    }

    fn differ(&mut self, finding: Diagnostic, expected: Vec<String>, found: Vec<String>) {
        self.failures.push(Failure {
            finding,
            expected,
            found,
            position: self.engine.print(&self.position),
        });
    }

    fn play(&mut self, action: &Name) -> Result<bool, PlayError> {
        let actions = self.engine.legal_actions(&self.position)?;
        if let Some(found) = actions.iter().find(|a| a.text == action.text) {
            self.position = self.engine.play(&self.position, found);
            (self.seen)(&self.position);
            return Ok(true);
        }
        let finding = Diagnostic::new(
            Code::ExampleFails,
            action.span,
            format!("`{}` cannot be played here", action.text),
        )
        .here("not legal");
        let finding = self.with_reason(finding, &action.text)?;
        let board = draw::board_lines(self.engine, &self.position);
        self.differ(finding, Vec::new(), board);
        Ok(false)
    }

    /// Adds what refuses an action, and where.
    fn with_reason(&self, finding: Diagnostic, action: &str) -> Result<Diagnostic, PlayError> {
        Ok(match why(self.engine, &self.position, action)? {
            Why::Refused { clauses, .. } => clauses
                .iter()
                .fold(finding, |f, c| f.and(c.place, c.text.clone())),
            Why::NoAction { nearest } if nearest.is_empty() => {
                finding.help("nothing is legal here")
            }
            Why::NoAction { nearest } => {
                finding.help(format!("legal actions like it: {}", nearest.join(", ")))
            }
            Why::Over { outcome, place } => finding.and(
                place,
                format!(
                    "the game is over: {}",
                    phrase::outcome(self.engine.program(), &outcome)
                ),
            ),
            Why::Legal { .. } => finding,
        })
    }

    fn legal(&mut self, only: bool, wanted: &[Name], span: Span) -> Result<(), PlayError> {
        let actions = self.engine.legal_actions(&self.position)?;
        let texts: Vec<String> = actions.into_iter().map(|a| a.text).collect();
        let board = draw::board_lines(self.engine, &self.position);
        for action in wanted.iter().filter(|a| !texts.contains(&a.text)) {
            let finding = Diagnostic::new(
                Code::ExampleFails,
                action.span,
                format!("`{}` is not legal", action.text),
            )
            .here("said to be legal");
            let finding = self.with_reason(finding, &action.text)?;
            self.differ(finding, Vec::new(), board.clone());
        }
        let more: Vec<&str> = texts
            .iter()
            .map(String::as_str)
            .filter(|t| wanted.iter().all(|a| a.text != **t))
            .collect();
        if only && !more.is_empty() {
            let finding = Diagnostic::new(
                Code::ExampleFails,
                span,
                match more.len() {
                    1 => "another action is legal too".to_owned(),
                    n => format!("{n} other actions are legal too"),
                },
            )
            .here(format!("legal besides: {}", shortened(&more)));
            let mut names: Vec<String> = wanted.iter().map(|a| a.text.clone()).collect();
            names.sort();
            self.differ(finding, names, texts);
        }
        Ok(())
    }

    fn illegal(&mut self, action: &Name, because: Option<&Name>) -> Result<(), PlayError> {
        let answer = why(self.engine, &self.position, &action.text)?;
        let board = draw::board_lines(self.engine, &self.position);
        if let Why::Legal { rule, .. } = &answer {
            let finding = Diagnostic::new(
                Code::ExampleFails,
                action.span,
                format!("`{}` is legal, by {rule}", action.text),
            )
            .here("said to be illegal");
            self.differ(finding, Vec::new(), board);
            return Ok(());
        }
        let Some(because) = because else {
            return Ok(());
        };
        let refused_by_it = match &answer {
            Why::Refused { clauses, .. } => refused_by(clauses, &because.text),
            Why::Over { outcome, .. } => *outcome.by == *because.text,
            Why::Legal { .. } | Why::NoAction { .. } => false,
        };
        if refused_by_it {
            return Ok(());
        }
        let finding = Diagnostic::new(
            Code::ExampleFails,
            because.span,
            format!("`{}` is illegal, but not for this reason", action.text),
        )
        .here("this does not refuse it");
        let finding = self.with_reason(finding, &action.text)?;
        self.differ(finding, Vec::new(), board);
        Ok(())
    }

    fn becomes(&mut self, place: &Place, span: Span) {
        let line = drawn::line(self.engine, place);
        let wanted = match drawn::position(self.engine, &line) {
            Ok(position) => position,
            Err(bad) => return self.bad_place(bad),
        };
        let cut = |text: String| match line.board_only {
            true => text.split(' ').next().unwrap_or("").to_owned(),
            false => text,
        };
        let (expected, found) = (
            cut(self.engine.print(&wanted)),
            cut(self.engine.print(&self.position)),
        );
        if expected == found {
            return;
        }
        let finding = Diagnostic::new(Code::ExampleFails, span, "the position is another one")
            .here(format!("found {found}"));
        let lines = |position| {
            let mut lines = draw::board_lines(self.engine, position);
            lines.push(cut(self.engine.print(position)));
            lines
        };
        let (expected, found) = (lines(&wanted), lines(&self.position));
        self.differ(finding, expected, found);
    }

    fn outcome(&mut self, wanted: &ExampleOutcome, span: Span) -> Result<(), PlayError> {
        let program = self.engine.program();
        let found = self.engine.outcome(&self.position)?;
        let player = |name: &Name| {
            let at = program.players.iter().position(|p| p.name == name.text);
            at.map(|p| PlayerId(u8::try_from(p).unwrap_or(0)))
        };
        if let Some(finding) = names::of_outcome(program, wanted) {
            self.fail(finding);
            return Ok(());
        }
        if holds(wanted, found.as_ref(), &player) {
            return Ok(());
        }
        let said = found.map_or_else(
            || "the game is not over".to_owned(),
            |o| phrase::outcome(program, &o),
        );
        let finding = Diagnostic::new(Code::ExampleFails, span, "the game stands otherwise")
            .here(format!("found: {said}"));
        let board = draw::board_lines(self.engine, &self.position);
        self.differ(finding, Vec::new(), board);
        Ok(())
    }
}

fn holds(
    wanted: &ExampleOutcome,
    found: Option<&Outcome>,
    player: &dyn Fn(&Name) -> Option<PlayerId>,
) -> bool {
    let Some(found) = found else {
        return wanted.result == ExampleResult::None;
    };
    let result = match (&wanted.result, &found.result) {
        (ExampleResult::Draw, OutcomeResult::Draw) => true,
        (ExampleResult::Draw, OutcomeResult::Scores { winner, .. }) => winner.is_none(),
        (ExampleResult::Wins(name), OutcomeResult::Win(p)) => player(name) == Some(*p),
        (ExampleResult::Wins(name), OutcomeResult::Scores { winner, .. }) => {
            winner.is_some() && player(name) == *winner
        }
        (ExampleResult::Loses(name), OutcomeResult::Lose(p)) => player(name) == Some(*p),
        // Of two players one loses when the other wins.
        (ExampleResult::Loses(name), OutcomeResult::Win(p)) => {
            player(name).is_some_and(|l| l != *p)
        }
        _ => false,
    };
    let by = wanted.by.as_ref().is_none_or(|by| *by.text == *found.by);
    let scores = match &found.result {
        _ if wanted.scores.is_empty() => true,
        OutcomeResult::Scores { scores, .. } => *scores == wanted.scores,
        OutcomeResult::Win(_) | OutcomeResult::Lose(_) | OutcomeResult::Draw => false,
    };
    result && by && scores
}

/// A list of actions, not more than ten of them.
fn shortened(names: &[&str]) -> String {
    let more = names.len().saturating_sub(10);
    let shown = names
        .iter()
        .take(10)
        .copied()
        .collect::<Vec<_>>()
        .join(", ");
    match more {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// Whether a clause with a text is what refuses an action: a requirement only when what it speaks of is there.
fn refused_by(clauses: &[Clause], text: &str) -> bool {
    let fits = |c: &Clause| !matches!(c.kind, ClauseKind::Choice | ClauseKind::Picture);
    let says = |c: &Clause| match c.kind {
        ClauseKind::Choice | ClauseKind::Picture => {
            // Where it does not fit may be left out.
            let rest = c.text.strip_prefix(text);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(" at "))
        }
        ClauseKind::Turn => {
            let before = c.text.strip_suffix(text);
            before.is_some_and(|before| before.is_empty() || before.ends_with("behind it: "))
        }
        ClauseKind::Requirement | ClauseKind::Order | ClauseKind::Effect => c.text == text,
    };
    let asked = |c: &&Clause| says(c) && (!fits(c) || clauses.iter().all(fits));
    !text.is_empty() && clauses.iter().any(|c| asked(&c))
}
