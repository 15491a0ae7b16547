//! A conversation with a program that runs games: a line in; lines to say, tasks, and requests out. It keeps the position,
//! the options and the protocol; it never waits.

use crate::engine::{Engine, OutcomeResult, PlayError};
use crate::program::PlayerId;
use crate::tools::protocol::options::{self, Own};
use crate::tools::protocol::standing::Standing;
use crate::tools::protocol::{
    Command, Count, Fen, Go, Notation, Question, Task, Thought, Tongue, remark,
};
use std::sync::Arc;

/// What is to be done after a line.
#[derive(Clone, Debug)]
pub enum Reply {
    /// Say it.
    Say(String),
    /// Work, in another thread.
    Work(Thought),
    /// End the work that is done; it still answers.
    Stop,
    /// Forget what was found in earlier games.
    Forget,
    /// End the program.
    Leave,
}

/// Makes an engine under settings of the game's options, or says why there is none.
pub type Make<'m> = dyn FnMut(&[(String, String)]) -> Result<Engine, String> + 'm;

/// The state of a conversation.
#[derive(Debug)]
pub struct Dialogue {
    engine: Arc<Engine>,
    notation: Notation,
    standing: Standing,
    own: Own,
    /// Settings of the game's options that are in force, and those that shall be.
    set: Vec<(String, String)>,
    wanted: Vec<(String, String)>,
}

impl Dialogue {
    /// The beginning of a conversation about a game that was made under some settings.
    #[must_use]
    pub fn new(engine: Engine, set: Vec<(String, String)>) -> Dialogue {
        Dialogue {
            standing: Standing::start(&engine),
            engine: Arc::new(engine),
            notation: Notation::Own,
            own: Own::default(),
            wanted: set.clone(),
            set,
        }
    }

    /// Hears a line. While work is done (`busy`), lines that must wait for its end are not heard: they are to be told
    /// again then.
    pub fn hear(&mut self, line: &str, busy: bool, make: &mut Make<'_>) -> Option<Vec<Reply>> {
        let command = match Command::read(line) {
            Ok(command) => command,
            Err(_) if busy => return None,
            Err(why) => return Some(vec![Reply::Say(remark(&why))]),
        };
        if busy && !command.is_urgent() {
            return None;
        }
        let mut replies = Vec::new();
        if !busy && needs_game(&command) && self.wanted != self.set {
            self.rebuild(make, &mut replies);
        }
        self.answer(command, &mut replies);
        Some(replies)
    }

    fn answer(&mut self, command: Command, replies: &mut Vec<Reply>) {
        let mut say = |line: String| replies.push(Reply::Say(line));
        match command {
            Command::Nothing => {}
            Command::Ready => say("readyok".to_owned()),
            Command::Stop => replies.push(Reply::Stop),
            Command::Quit => replies.extend([Reply::Stop, Reply::Leave]),
            Command::Hello(tongue) => self.hello(tongue, replies),
            Command::NewGame => {
                self.standing = Standing::start(&self.engine);
                replies.push(Reply::Forget);
            }
            Command::Set { name, value } => {
                if let Err(why) = self.set_option(&name, &value) {
                    say(remark(&why));
                }
            }
            Command::Position { line, moves } => {
                match self
                    .standing
                    .reach(&self.engine, &self.notation, line, moves)
                {
                    Ok(standing) => self.standing = standing,
                    Err(why) => say(remark(&why)),
                }
            }
            Command::Go(go, notes) => {
                notes.iter().for_each(|note| say(remark(note)));
                self.go(&go, replies);
            }
            Command::Query(question) => say(match self.query(question) {
                Ok(answer) => format!("response {answer}"),
                Err(error) => remark(&error.to_string()),
            }),
            Command::Tell => {
                let position = &self.standing.position;
                say(remark(&format!("position {}", self.engine.print(position))));
                if let Notation::Fen(fen) = &self.notation {
                    say(remark(&format!("fen {}", fen.line(&self.engine, position))));
                }
            }
        }
    }

    fn hello(&mut self, tongue: Tongue, replies: &mut Vec<Reply>) {
        let mut say = |line: String| replies.push(Reply::Say(line));
        let notation = match tongue {
            Tongue::Ugi => Notation::Own,
            Tongue::Uci => match Fen::of(&self.engine) {
                Ok(fen) => Notation::Fen(Arc::new(fen)),
                Err(why) => {
                    say(remark(&format!(
                        "this game cannot be played by `uci`, say `ugi` instead: {why}"
                    )));
                    return;
                }
            },
        };
        self.notation = notation;
        // Positions and actions are written in another way from here on.
        self.standing = Standing::start(&self.engine);
        let version = env!("CARGO_PKG_VERSION");
        say(format!(
            "id name Gambol {version} {}",
            self.engine.program().about.title
        ));
        say("id author The Gambol developers".to_owned());
        options::list(&self.engine).into_iter().for_each(&mut say);
        say(format!("{}ok", tongue.name()));
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), String> {
        if let Some(done) = self.own.set(name, value) {
            return done;
        }
        let Some(option) = options::of_game(&self.engine, name) else {
            let word = self.notation.tongue().name();
            let shown: String = name.chars().take(40).collect();
            return Err(format!(
                "there is no option `{shown}`: `{word}` lists them all"
            ));
        };
        let name = option.name.clone();
        if value.is_empty() {
            return Err(format!(
                "write `setoption name {name} value VALUE`, with one of {}",
                option.domain
            ));
        }
        self.wanted.retain(|(other, _)| *other != name);
        self.wanted.push((name, value.to_owned()));
        Ok(())
    }

    /// Makes the game anew under the options that were set.
    fn rebuild(&mut self, make: &mut Make<'_>, replies: &mut Vec<Reply>) {
        let mut say = |text: &str| replies.push(Reply::Say(remark(text)));
        let engine = match make(&self.wanted) {
            Ok(engine) => engine,
            Err(why) => {
                say(&format!("the options stay as they were: {why}"));
                self.wanted.clone_from(&self.set);
                return;
            }
        };
        if let Notation::Fen(_) = self.notation {
            match Fen::of(&engine) {
                Ok(fen) => self.notation = Notation::Fen(Arc::new(fen)),
                Err(why) => {
                    say(&format!(
                        "the options stay as they were: under these the game cannot be played by `uci`: {why}"
                    ));
                    self.wanted.clone_from(&self.set);
                    return;
                }
            }
        }
        self.set.clone_from(&self.wanted);
        self.standing = Standing::start(&engine);
        self.engine = Arc::new(engine);
    }

    fn go(&self, go: &Go, replies: &mut Vec<Reply>) {
        let position = &self.standing.position;
        if let Some(depth) = go.perft {
            if !(1..=1000).contains(&depth) {
                let why = "`go perft` counts from 1 to 1000 actions deep: write `go perft 3`";
                return replies.push(Reply::Say(remark(why)));
            }
            return replies.push(Reply::Work(Thought::Count(Box::new(Count {
                engine: Arc::clone(&self.engine),
                notation: self.notation.clone(),
                position: position.clone(),
                depth,
                threads: self.own.threads,
            }))));
        }
        let mut position = position.clone();
        if let Ok(Some(outcome)) = self.engine.outcome(&position) {
            let by = &outcome.by;
            match self.notation.reopened(&self.engine, &position) {
                Some(open) => {
                    position = open;
                    replies.push(Reply::Say(remark(&format!(
                        "the game is over, by \"{by}\"; playing on without what came before"
                    ))));
                }
                None => replies.push(Reply::Say(remark(&format!(
                    "the game is over, by \"{by}\": there is no action"
                )))),
            }
        }
        let mut only = go.only.clone();
        if !only.is_empty()
            && let Ok(known) = self.notation.actions(&self.engine, &position)
        {
            only.retain(|action| {
                let legal = known.iter().any(|(name, _)| name == action);
                if !legal {
                    let shown: String = action.chars().take(40).collect();
                    let left =
                        format!("`{shown}` is left out of searchmoves: it is not legal here");
                    replies.push(Reply::Say(remark(&left)));
                }
                legal
            });
        }
        let mut settings = self.own.settings(&self.engine);
        let player = self.engine.to_move(&position);
        let PlayerId(person) = self.engine.person(&position, player);
        settings.budget = go.limits.budget(usize::from(person), self.own.overhead());
        replies.push(Reply::Work(Thought::Think(Box::new(Task {
            engine: Arc::clone(&self.engine),
            notation: self.notation.clone(),
            position,
            settings,
            depth: go.limits.depth,
            only,
            lines: self.own.lines,
            endless: go.limits.endless,
        }))));
    }

    /// An answer about persons: the first player is who was the first at the start, whatever colour that is now.
    fn query(&self, question: Question) -> Result<String, PlayError> {
        let (engine, position) = (&self.engine, &self.standing.position);
        let outcome = engine.outcome(position)?;
        let truth = |truth: bool| truth.to_string();
        Ok(match question {
            Question::GameOver => truth(outcome.is_some()),
            Question::FirstToMove => {
                truth(engine.person(position, engine.to_move(position)) == PlayerId(0))
            }
            Question::Result => match outcome.map(|outcome| outcome.result) {
                None => "none".to_owned(),
                Some(
                    OutcomeResult::Win(winner)
                    | OutcomeResult::Scores {
                        winner: Some(winner),
                        ..
                    },
                ) => {
                    let PlayerId(person) = engine.person(position, winner);
                    format!("p{}win", person + 1)
                }
                Some(
                    OutcomeResult::Draw
                    | OutcomeResult::Lose(_)
                    | OutcomeResult::Scores { winner: None, .. },
                ) => "draw".to_owned(),
            },
        })
    }
}

/// Whether a command looks at the game, so that its options must be in force.
fn needs_game(command: &Command) -> bool {
    match command {
        Command::Hello(_)
        | Command::Ready
        | Command::NewGame
        | Command::Position { .. }
        | Command::Go(..)
        | Command::Query(_)
        | Command::Tell => true,
        Command::Set { .. } | Command::Stop | Command::Quit | Command::Nothing => false,
    }
}

#[cfg(test)]
mod tests;
