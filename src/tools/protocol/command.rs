//! The lines of both protocols: a line in, a command out, or one sentence that says what is wrong with it.

use crate::tools::protocol::limits::Go;

/// Which protocol is spoken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tongue {
    /// The Universal Game Interface: positions and actions as everywhere else here.
    Ugi,
    /// UCI: positions in FEN, actions as two cells and perhaps a letter.
    Uci,
}

impl Tongue {
    /// The word that begins it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Tongue::Ugi => "ugi",
            Tongue::Uci => "uci",
        }
    }
}

/// What can be asked about the position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Question {
    /// Is the game over?
    GameOver,
    /// Has the first player to act?
    FirstToMove,
    /// How has it ended?
    Result,
}

/// What a line says.
#[derive(Clone, PartialEq, Debug)]
pub enum Command {
    /// `ugi` or `uci`.
    Hello(Tongue),
    /// `isready`
    Ready,
    /// `uginewgame` or `ucinewgame`
    NewGame,
    /// `setoption name X value Y`
    Set {
        /// X.
        name: String,
        /// Y; empty when there is none.
        value: String,
    },
    /// `position startpos moves …` or `position fen LINE moves …`
    Position {
        /// The line, unless it is the start of the game.
        line: Option<String>,
        /// The actions from there.
        moves: Vec<String>,
    },
    /// `go …`, and what was not understood of it.
    Go(Box<Go>, Vec<String>),
    /// `stop`, or `ponderhit`.
    Stop,
    /// `query …`
    Query(Question),
    /// `d`: tell the position.
    Tell,
    /// `quit`
    Quit,
    /// An empty line, or one that needs no answer.
    Nothing,
}

/// The words that begin a line.
const WORDS: [&str; 12] = [
    "ugi",
    "uci",
    "isready",
    "uginewgame",
    "ucinewgame",
    "setoption",
    "position",
    "go",
    "stop",
    "query",
    "d",
    "quit",
];

impl Command {
    /// Reads a line.
    ///
    /// # Errors
    /// What is wrong with it, and what to write instead.
    pub fn read(line: &str) -> Result<Command, String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some((first, rest)) = words.split_first() else {
            return Ok(Command::Nothing);
        };
        let command = match *first {
            "ugi" => Command::Hello(Tongue::Ugi),
            "uci" => Command::Hello(Tongue::Uci),
            "isready" => Command::Ready,
            "uginewgame" | "ucinewgame" => Command::NewGame,
            "stop" | "ponderhit" => Command::Stop,
            "d" => Command::Tell,
            "quit" => Command::Quit,
            "debug" | "register" => Command::Nothing,
            "setoption" => return option(rest),
            "position" => return position(rest),
            "go" => {
                let (go, notes) = Go::read(rest);
                Command::Go(Box::new(go), notes)
            }
            "query" => return query(rest),
            other => return Err(unknown(other)),
        };
        Ok(command)
    }

    /// Whether it is answered while a search is on; what else comes waits for the end of it.
    #[must_use]
    pub fn is_urgent(&self) -> bool {
        matches!(
            self,
            Command::Ready | Command::Stop | Command::Quit | Command::Nothing
        )
    }
}

fn unknown(word: &str) -> String {
    let shown: String = word.chars().take(40).collect();
    let near = WORDS
        .iter()
        .map(|known| (strsim::damerau_levenshtein(&shown, known), *known))
        .min()
        .filter(|(far, known)| *far < known.len());
    match near {
        Some((_, known)) => format!("unknown command `{shown}`: did you mean `{known}`?"),
        None => format!(
            "unknown command `{shown}`: write one of {}",
            WORDS.join(", ")
        ),
    }
}

fn option(words: &[&str]) -> Result<Command, String> {
    let wrong = || "write `setoption name NAME value VALUE`".to_owned();
    let Some((&"name", rest)) = words.split_first() else {
        return Err(wrong());
    };
    let at = rest.iter().position(|w| *w == "value");
    let (name, value) = match at {
        Some(at) => (&rest[..at], &rest[at + 1..]),
        None => (rest, &[][..]),
    };
    if name.is_empty() {
        return Err(wrong());
    }
    Ok(Command::Set {
        name: name.join(" "),
        value: value.join(" "),
    })
}

fn position(words: &[&str]) -> Result<Command, String> {
    let at = words.iter().position(|w| *w == "moves");
    let (place, moves) = match at {
        Some(at) => (&words[..at], &words[at + 1..]),
        None => (words, &[][..]),
    };
    let line = match place {
        ["startpos"] => None,
        ["startpos", word, ..] => {
            return Err(format!(
                "`{word}` behind `startpos`: write `position startpos moves ACTION …`"
            ));
        }
        ["fen"] => {
            return Err(
                "the position is missing: write `position fen LINE`, with the line as `d` tells it"
                    .to_owned(),
            );
        }
        ["fen", line @ ..] => Some(line.join(" ")),
        _ => {
            return Err(
                "write `position startpos` or `position fen LINE`, then perhaps `moves ACTION …`"
                    .to_owned(),
            );
        }
    };
    Ok(Command::Position {
        line,
        moves: moves.iter().map(|&m| m.to_owned()).collect(),
    })
}

fn query(words: &[&str]) -> Result<Command, String> {
    match words {
        ["gameover"] => Ok(Command::Query(Question::GameOver)),
        ["p1turn"] => Ok(Command::Query(Question::FirstToMove)),
        ["result"] => Ok(Command::Query(Question::Result)),
        _ => Err("write `query gameover`, `query p1turn` or `query result`".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use crate::tools::protocol::{Command, Question, Tongue};

    #[test]
    fn lines_are_read() {
        let read = |line: &str| Command::read(line).unwrap();
        assert_eq!(read("  ugi\t "), Command::Hello(Tongue::Ugi));
        assert_eq!(read(""), Command::Nothing);
        assert_eq!(read("query p1turn"), Command::Query(Question::FirstToMove));
        assert_eq!(
            read("setoption name Move Overhead value 30"),
            Command::Set {
                name: "Move Overhead".into(),
                value: "30".into()
            }
        );
        assert_eq!(
            read("position fen 3/3/3 c  turns=2 moves a1  moves"),
            Command::Position {
                line: Some("3/3/3 c turns=2".into()),
                moves: vec!["a1".into(), "moves".into()]
            }
        );
        let Command::Position { line: None, moves } = read("position startpos") else {
            panic!("another command");
        };
        assert!(moves.is_empty());
    }

    #[test]
    fn what_is_wrong_says_what_to_write() {
        for line in [
            "Ugi",
            "isredy",
            "xyzzy plugh",
            "position",
            "position fen",
            "position 3/3/3 c",
            "position startpos a1",
            "setoption",
            "setoption Threads 2",
            "setoption name",
            "setoption name value 3",
            "query",
            "query winner",
        ] {
            let told = Command::read(line).unwrap_err();
            assert!(told.contains('`') && !told.contains('\n'), "{line}: {told}");
        }
        let long = "x".repeat(100_000);
        assert!(Command::read(&long).unwrap_err().len() < 300);
    }
}
