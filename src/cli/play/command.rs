//! What a person types: a line in, a command out. Whether an action is legal is known elsewhere, and decides first.

use crate::tools::search::Budget;
use std::str::FromStr;

/// What a person wants.
#[derive(Clone, PartialEq, Debug)]
pub enum Command {
    /// Play this action.
    Play(String),
    /// List the legal actions, perhaps only those with a text in them.
    Moves(String),
    /// Take a turn back.
    Undo,
    /// Play a turn again that was taken back.
    Redo,
    /// Take one action back.
    Back,
    /// Play one action again.
    Forward,
    /// Ask the search, perhaps with another budget.
    Hint(Option<Budget>),
    /// Tell why an action is legal, or is not.
    Why(String),
    /// Draw the board.
    Show,
    /// Write the record to a file.
    Save(String),
    /// Exchange sides.
    Sides,
    /// Give the searches another budget.
    Budget(Budget),
    /// Print the record.
    Record,
    /// Let the others go on.
    Go,
    /// Let the search play at once.
    Stop,
    /// Tell what can be typed.
    Help,
    /// End.
    Quit,
    /// A command that is not complete: what is wrong with it.
    Wrong(String),
}

/// All commands: what to write, what it does.
pub const COMMANDS: &[(&str, &str)] = &[
    ("an action", "plays it, as it is written in the list"),
    (
        "moves [PART]",
        "lists the legal actions, or those with PART in them",
    ),
    ("undo, redo", "a turn back, and forth again"),
    (
        "back, forward",
        "one action back, and forth again; the others wait",
    ),
    ("go", "lets the others go on"),
    (
        "hint [BUDGET]",
        "asks the search, for example `hint playouts=500`",
    ),
    (
        "why ACTION",
        "tells why it is legal, or which clause refuses it",
    ),
    ("show", "draws the board"),
    ("sides", "exchanges sides"),
    ("time 2s", "gives the search so long for an action"),
    ("budget BUDGET", "the same, also `playouts=500`"),
    ("stop", "lets the search play at once"),
    ("record", "prints the record so far"),
    ("save FILE", "writes it to a file"),
    ("help", "prints this list"),
    ("quit", "ends"),
];

impl Command {
    /// Reads a line; `legal` tells whether a text is a legal action, which comes before a command of the same name. A command
    /// with a colon before it is always a command.
    #[must_use]
    pub fn read(line: &str, legal: &dyn Fn(&str) -> bool) -> Command {
        let line = line.trim();
        let forced = line.strip_prefix(':').map(str::trim_start);
        if forced.is_none() && legal(line) {
            return Command::Play(line.to_owned());
        }
        let text = forced.unwrap_or(line);
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim();
        let known = Command::of_word(word, rest);
        known.unwrap_or_else(|| match forced {
            Some(_) => Command::Wrong(format!(
                "no command is called `{word}`: write `help` for a list"
            )),
            None => Command::Play(line.to_owned()),
        })
    }

    /// The command that begins with a word, if one does.
    fn of_word(word: &str, rest: &str) -> Option<Command> {
        let wrong = |text: &str| Command::Wrong(text.to_owned());
        let budget = |text: &str, with: fn(Budget) -> Command| {
            Budget::from_str(text).map_or_else(|e| Command::Wrong(e.to_string()), with)
        };
        let command = match (word, rest) {
            ("moves", part) => Command::Moves(part.to_owned()),
            ("hint", "") => Command::Hint(None),
            ("hint", text) => budget(text, |b| Command::Hint(Some(b))),
            ("why", "") => wrong("write `why` and an action"),
            ("why", action) => Command::Why(action.to_owned()),
            ("save", "") => wrong("write `save` and a file name"),
            ("save", file) => Command::Save(file.to_owned()),
            ("time", text) => budget(&format!("time={text}"), Command::Budget),
            ("budget", text) => budget(text, Command::Budget),
            ("undo", "") => Command::Undo,
            ("redo", "") => Command::Redo,
            ("back", "") => Command::Back,
            ("forward", "") => Command::Forward,
            ("show", "") => Command::Show,
            ("sides", "") => Command::Sides,
            ("record", "") => Command::Record,
            ("go", "") => Command::Go,
            ("stop", "") => Command::Stop,
            ("help" | "?", "") => Command::Help,
            ("quit" | "exit", "") => Command::Quit,
            // Perhaps an action with a blank in it.
            _ => return None,
        };
        Some(command)
    }
}

/// The list of commands, one a line.
#[must_use]
pub fn help() -> Vec<String> {
    let width = COMMANDS
        .iter()
        .map(|(word, _)| word.len())
        .max()
        .unwrap_or(0);
    let line = |(word, text): &(&str, &str)| format!("  {word:<width$}  {text}");
    COMMANDS.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use crate::cli::play::command::Command;
    use crate::tools::search::Budget;
    use std::time::Duration;

    fn read(line: &str) -> Command {
        Command::read(line, &|text| text == "stop" || text == "a1")
    }

    #[test]
    fn actions_come_before_commands_and_a_colon_makes_commands() {
        assert_eq!(read(" a1 "), Command::Play("a1".into()));
        assert_eq!(read("stop"), Command::Play("stop".into()));
        assert_eq!(read(":stop"), Command::Stop);
        assert_eq!(read("zz"), Command::Play("zz".into()));
        assert!(matches!(read(":zz"), Command::Wrong(_)));
        assert_eq!(read("undo all"), Command::Play("undo all".into()));
    }

    #[test]
    fn budgets_and_texts_are_read() {
        let two = Budget::of_time(Duration::from_secs(2));
        assert_eq!(read("time 2s"), Command::Budget(two));
        assert_eq!(
            read("hint playouts=9"),
            Command::Hint(Some(Budget::of_playouts(9)))
        );
        assert_eq!(read("why a1 x"), Command::Why("a1 x".into()));
        assert_eq!(read("moves"), Command::Moves(String::new()));
        for wrong in [
            "time",
            "time soon",
            "budget playouts=0",
            "why",
            "save",
            "hint x",
        ] {
            assert!(matches!(read(wrong), Command::Wrong(_)), "{wrong}");
        }
    }
}
