//! A game with all that belongs to it: the session, the thread that thinks, the record's file. Commands in, what is to be told
//! out; lines and full screen are two faces of it.

use crate::base::Source;
use crate::cli::play::command::{self, Command};
use crate::cli::play::keeper::Keeper;
use crate::cli::play::telling::{advice, columns, lines, standing};
use crate::cli::play::worker::{News, Task, Worker, searches};
use crate::cli::{store, why as why_text};
use crate::engine::{PlayError, Refusal};
use crate::program::PlayerId;
use crate::tools::search::{Budget, Report};
use crate::tools::session::{Due, Session, Who};
use crate::tools::why::why;
use crate::tools::{draw, phrase};
use std::collections::BTreeSet;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};

/// What is said to somebody who plays when it is not their turn.
pub const NOT_YOURS: &str = "it is not your turn: wait, or let it be played now";

/// What is being thought about.
#[derive(Clone, Debug)]
pub struct Thinking {
    number: u64,
    /// Whether it is only advice for a person.
    pub hint: bool,
    /// What has been found so far.
    pub report: Option<Report>,
}

/// What is to be told.
#[derive(Clone, PartialEq, Debug)]
pub enum Told {
    /// One line about what happened.
    Note(String),
    /// Something was refused.
    Refused(String),
    /// Several lines, and what they are.
    Page(&'static str, Vec<String>),
    /// The board is to be looked at.
    Board,
    /// The game is left.
    Quit,
}

/// A game with all that belongs to it.
pub struct Desk {
    /// The game.
    pub session: Session,
    /// What is thought about now.
    pub thinking: Option<Thinking>,
    /// The rules' text.
    source: Source,
    worker: Worker,
    keeper: Option<Keeper>,
    /// Files that were saved from here and may be written again.
    saved: BTreeSet<PathBuf>,
}

impl Desk {
    /// A game at the beginning, or where it was left.
    #[must_use]
    pub fn new(session: Session, source: Source, worker: Worker, keeper: Option<Keeper>) -> Desk {
        Desk {
            session,
            thinking: None,
            source,
            worker,
            keeper,
            saved: BTreeSet::new(),
        }
    }

    /// The record's file.
    #[must_use]
    pub fn keeper(&self) -> Option<&Keeper> {
        self.keeper.as_ref()
    }

    /// Lets somebody think who is no person, when it is their turn; whether somebody does.
    pub fn begin(&mut self) -> bool {
        if self.thinking.is_some() {
            return true;
        }
        let Due::Sitter(sitter) = self.session.due() else {
            return false;
        };
        self.think(Task::Choose(sitter), false);
        true
    }

    fn think(&mut self, task: Task, hint: bool) {
        let number = self.worker.begin(self.session.position(), task);
        self.thinking = Some(Thinking {
            number,
            hint,
            report: None,
        });
    }

    /// What is thought about is not waited for any more.
    fn drop_thought(&mut self) {
        if self.thinking.take().is_some() {
            self.worker.stop();
        }
    }

    /// Lets the search choose by what it has found so far.
    pub fn stop(&self) {
        self.worker.stop();
    }

    /// Hears what the thread tells.
    ///
    /// # Errors
    /// When the rules fail.
    pub fn hear(&mut self, number: u64, news: News) -> Result<Vec<Told>, PlayError> {
        if let News::Broken(panic) = news {
            resume_unwind(panic);
        }
        let Some(thinking) = self.thinking.as_mut().filter(|t| t.number == number) else {
            return Ok(Vec::new());
        };
        match news {
            News::Progress(report) => {
                thinking.report = Some(report);
                Ok(Vec::new())
            }
            News::Chosen(action) => {
                self.thinking = None;
                let Some(action) = action else {
                    return Ok(Vec::new());
                };
                self.play(&action)
            }
            News::Hint(report) => {
                self.thinking = None;
                Ok(vec![Told::Note(advice(&report))])
            }
            News::Failed(error) => Err(error),
            News::Broken(_) => Ok(Vec::new()),
        }
    }

    /// Plays an action for whoever is to move.
    ///
    /// # Errors
    /// When the rules fail.
    pub fn play(&mut self, text: &str) -> Result<Vec<Told>, PlayError> {
        let player = self.session.engine().to_move(self.session.position());
        match self.session.play(text) {
            Ok(()) => {
                self.drop_thought();
                let name = self.name(player);
                let mut told = vec![Told::Note(format!("{name} plays {text}"))];
                told.extend(self.keep());
                Ok(told)
            }
            Err(Refusal::Failed(error)) => Err(error),
            Err(refusal @ Refusal::Over(_)) => Ok(vec![Told::Refused(refusal.to_string())]),
            Err(Refusal::Illegal { text, nearest }) => {
                let like = match nearest.as_slice() {
                    [] => String::new(),
                    nearest => format!("; legal ones like it: {}", nearest.join(", ")),
                };
                let told = format!("`{text}` is not legal here{like}");
                Ok(vec![Told::Refused(told)])
            }
        }
    }

    /// Writes the record; what is to be told about that.
    pub fn keep(&mut self) -> Option<Told> {
        let text = self.session.record().to_string();
        self.keeper.as_mut()?.keep(&text).map(Told::Note)
    }

    /// A player's name.
    #[must_use]
    pub fn name(&self, player: PlayerId) -> String {
        phrase::player(self.session.engine().program(), player).to_owned()
    }

    /// Carries a command out.
    ///
    /// # Errors
    /// When the rules fail.
    pub fn obey(&mut self, command: Command) -> Result<Vec<Told>, PlayError> {
        let told = match command {
            Command::Play(_) if matches!(self.session.due(), Due::Sitter(_)) => {
                Told::Refused(NOT_YOURS.to_owned())
            }
            Command::Play(text) => return self.play(&text),
            Command::Undo => {
                return self.travel(Session::undo, "nothing can be taken back", "taken back");
            }
            Command::Redo => {
                return self.travel(Session::redo, "nothing was taken back", "played again");
            }
            Command::Back => {
                let back = |s: &mut Session| s.back().map(usize::from);
                return self.travel(back, "nothing can be taken back", "taken back");
            }
            Command::Forward => {
                let forward = |s: &mut Session| s.forward().map(usize::from);
                return self.travel(forward, "nothing was taken back", "played again");
            }
            Command::Moves(part) => self.moves(&part),
            Command::Hint(budget) => self.hint(budget),
            Command::Why(action) => self.why(&action)?,
            Command::Show => Told::Board,
            Command::Save(file) => self.save(&file),
            Command::Sides => self.sides(),
            Command::Budget(budget) => self.budget(budget),
            Command::Record => Told::Page("the record", lines(&self.session.record().to_string())),
            Command::Go => self.go(),
            Command::Stop if self.thinking.is_some() => {
                self.stop();
                return Ok(Vec::new());
            }
            Command::Stop => Told::Refused("nobody is thinking".to_owned()),
            Command::Help => Told::Page("what can be typed", command::help()),
            Command::Quit => Told::Quit,
            Command::Wrong(message) => Told::Refused(message),
        };
        Ok(vec![told])
    }

    fn travel(
        &mut self,
        way: impl Fn(&mut Session) -> Result<usize, PlayError>,
        nothing: &str,
        done: &str,
    ) -> Result<Vec<Told>, PlayError> {
        let count = way(&mut self.session)?;
        if count == 0 {
            return Ok(vec![Told::Refused(nothing.to_owned())]);
        }
        self.drop_thought();
        let waits = match self.session.paused {
            true => "; the others wait: play for them, or `go`",
            false => "",
        };
        let mut told = vec![Told::Note(format!(
            "{} {done}{waits}",
            phrase::number(count, "action")
        ))];
        told.extend(self.keep());
        Ok(told)
    }

    fn moves(&self, part: &str) -> Told {
        let texts = self.session.choices().iter().map(|c| c.text.as_str());
        let found: Vec<&str> = texts.filter(|t| t.contains(part)).collect();
        let mut lines = vec![format!("{}:", phrase::number(found.len(), "action"))];
        lines.extend(columns(&found, 78));
        Told::Page("legal actions", lines)
    }

    fn hint(&mut self, budget: Option<Budget>) -> Told {
        if matches!(self.session.due(), Due::Over | Due::Stuck) {
            return Told::Refused("there is nothing to choose any more".to_owned());
        }
        let budget = budget.or(self.session.seats.budget()).unwrap_or_default();
        self.think(Task::Hint(budget), true);
        Told::Note(format!("looking for a good action ({budget})"))
    }

    fn why(&self, action: &str) -> Result<Told, PlayError> {
        let (engine, position) = (self.session.engine(), self.session.position());
        let answer = why(engine, position, action)?;
        let told = why_text::lines(&self.source, engine, position, action, &answer, false);
        let told = told.iter().flat_map(|text| lines(text)).collect();
        Ok(Told::Page("why", told))
    }

    fn save(&mut self, file: &str) -> Told {
        let (path, text) = (Path::new(file), self.session.record().to_string());
        let done = if self.saved.contains(path) {
            store::write_whole(path, &text).map(|()| true)
        } else {
            store::write_new(path, &text)
        };
        match done {
            Ok(true) => {
                self.saved.insert(path.to_owned());
                Told::Note(format!("saved in {file}"))
            }
            Ok(false) => Told::Refused(format!("{file} is there already: name another file")),
            Err(crate::cli::failure::Failure::NotWritten { file, reason }) => {
                Told::Refused(format!("cannot write {file}: {reason}"))
            }
            Err(failure) => Told::Refused(format!("cannot write {file}: {failure:?}")),
        }
    }

    fn sides(&mut self) -> Told {
        self.drop_thought();
        self.session.seats.exchange();
        self.session.paused = false;
        Told::Note(self.sitting())
    }

    /// Who plays for whom.
    #[must_use]
    pub fn sitting(&self) -> String {
        let players = 0..self.session.engine().program().players.len();
        let ids = players.filter_map(|p| u8::try_from(p).ok()).map(PlayerId);
        let told = ids.map(|id| format!("{}: {}", self.name(id), self.session.who(id)));
        told.collect::<Vec<_>>().join(", ")
    }

    fn budget(&mut self, budget: Budget) -> Told {
        if self.session.seats.set_budget(budget) == 0 {
            return Told::Refused(
                "nobody searches here: begin with `--players person,search`".to_owned(),
            );
        }
        self.worker.set_budget(budget);
        Told::Note(format!("the search has {budget} for an action from now on"))
    }

    fn go(&mut self) -> Told {
        if !self.session.paused {
            return Told::Refused("nobody waits".to_owned());
        }
        self.session.paused = false;
        Told::Note("the game goes on".to_owned())
    }

    /// Whether the one who is thinking listens to `stop`.
    #[must_use]
    pub fn stoppable(&self) -> bool {
        match self.session.due() {
            Due::Sitter(sitter) => {
                let who = self.session.seats.sitters().get(sitter);
                searches(who.copied().unwrap_or(Who::Person))
            }
            Due::Person | Due::Over | Due::Stuck => self.thinking.is_some(),
        }
    }

    /// Whose turn it is, or how the game ended.
    #[must_use]
    pub fn standing(&self) -> String {
        standing(&self.session)
    }

    /// The board and what stands beside it.
    #[must_use]
    pub fn board(&self) -> String {
        draw::draw(self.session.engine(), self.session.position())
    }
}
