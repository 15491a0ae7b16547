//! Records of games: tags and actions, and their PGN-shaped text. Reading it is done in `record_text`, playing it in `replay`.

use crate::base::{Source, Span};
use crate::engine::{Engine, Outcome, Position};
use crate::tools::phrase;
use std::fmt;

/// A game as it is written down.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Record {
    /// The tags in their order: name, value.
    pub tags: Vec<Tag>,
    /// The actions in their order.
    pub actions: Vec<Written>,
}

/// `[Name "value"]`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tag {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
    /// The place of the value in the text.
    pub span: Span,
}

/// An action, and where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Written {
    /// Its text.
    pub text: String,
    /// Its place in the text.
    pub span: Span,
}

/// Why a text is no record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordError {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
    /// The place.
    pub span: Span,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl RecordError {
    /// An error about a place of a text.
    pub(crate) fn new(
        source: &Source,
        span: Span,
        message: impl Into<String>,
        help: &str,
    ) -> RecordError {
        let (line, column) = source.line_column(span.start);
        RecordError {
            line,
            column,
            span,
            message: message.into(),
            help: Some(help.to_owned()),
        }
    }
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "line {}, column {}: {}",
            self.line, self.column, self.message
        )
    }
}

impl std::error::Error for RecordError {}

impl Record {
    /// The record of a game that has been played.
    #[must_use]
    pub fn of_game(
        engine: &Engine,
        start: &Position,
        actions: &[String],
        outcome: Option<&Outcome>,
    ) -> Record {
        let program = engine.program();
        let tag = |name: &str, value: String| Tag {
            name: name.to_owned(),
            value,
            span: Span::default(),
        };
        let mut tags = vec![
            tag("Game", program.about.title.clone()),
            tag("GameHash", hash_text(engine)),
        ];
        let options = phrase::changed_options(program);
        tags.extend((!options.is_empty()).then(|| tag("Options", options)));
        let position = (*start != engine.initial()).then(|| tag("Position", engine.print(start)));
        tags.extend(position);
        tags.push(tag("Result", phrase::result(program, outcome)));
        let written = |text: &String| Written {
            text: text.clone(),
            span: Span::default(),
        };
        Record {
            tags,
            actions: actions.iter().map(written).collect(),
        }
    }

    /// The value of a tag.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&Tag> {
        self.tags.iter().find(|tag| tag.name == name)
    }

    /// The settings of the `Options` tag: `size=5 men=3`.
    ///
    /// # Errors
    ///
    /// If one of them is not a name, `=` and a value, or set twice; `source` is the text that the record was read from.
    pub fn settings(&self, source: &Source) -> Result<Vec<(String, String)>, RecordError> {
        let Some(tag) = self.tag("Options") else {
            return Ok(Vec::new());
        };
        let setting = |word: &str| match word.split_once('=') {
            Some((name, value)) if !name.is_empty() && !value.is_empty() => {
                Ok((name.to_owned(), value.to_owned()))
            }
            _ => Err(RecordError::new(
                source,
                tag.span,
                format!("`{word}` sets no option"),
                "write name=value",
            )),
        };
        let mut settings: Vec<(String, String)> = Vec::new();
        for word in tag.value.split_whitespace() {
            let (name, value) = setting(word)?;
            if settings.iter().any(|(other, _)| *other == name) {
                let message = format!("`{name}` is set twice");
                return Err(RecordError::new(source, tag.span, message, "leave one out"));
            }
            settings.push((name, value));
        }
        Ok(settings)
    }
}

/// The rules' hash as records show it: 16 hexadecimal digits.
#[must_use]
pub fn hash_text(engine: &Engine) -> String {
    format!("{:016x}", engine.rules_hash())
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for tag in &self.tags {
            let value = tag.value.replace('\\', "\\\\").replace('"', "\\\"");
            writeln!(f, "[{} \"{value}\"]", tag.name)?;
        }
        if !self.tags.is_empty() && !self.actions.is_empty() {
            writeln!(f)?;
        }
        let mut column = 0;
        for (i, action) in self.actions.iter().enumerate() {
            let width = action.text.chars().count() + 1;
            let gap = match i {
                0 => "",
                _ if column + width > 100 => "\n",
                _ => " ",
            };
            column = if gap == " " { column + width } else { width };
            write!(f, "{gap}{}", action.text)?;
        }
        if self.actions.is_empty() {
            Ok(())
        } else {
            writeln!(f)
        }
    }
}
