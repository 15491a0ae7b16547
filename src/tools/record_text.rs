//! Reading records: PGN-shaped text in, tags and actions with their places out. Whether actions are legal is not known here.

use crate::base::{Source, Span};
use crate::tools::record::{Record, RecordError, Tag, Written};

/// Reads a record: tags, then actions between white space; or a bare list of actions.
///
/// Comments are `; …` to the end of the line and `{ … }`. Move numbers (`12.`) are skipped, and so is the value of the
/// `Result` tag where it stands at the end.
///
/// # Errors
///
/// If a tag or comment is not complete, stands twice, or comes after an action.
pub fn parse(text: &str) -> Result<Record, RecordError> {
    let source = Source::new("", text);
    let mut reader = Reader {
        source: &source,
        at: 0,
        record: Record::default(),
    };
    reader.read()?;
    let mut record = reader.record;
    let result = record.tag("Result").map(|tag| tag.value.clone());
    if let Some(last) = record.actions.last()
        && Some(&last.text) == result.as_ref()
    {
        record.actions.pop();
    }
    Ok(record)
}

struct Reader<'a> {
    source: &'a Source,
    at: usize,
    record: Record,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        self.source.text().get(self.at..).unwrap_or("")
    }

    fn read(&mut self) -> Result<(), RecordError> {
        while let Some(next) = self.rest().chars().next() {
            match next {
                c if c.is_whitespace() || c == '\u{feff}' => self.at += c.len_utf8(),
                ';' => self.at += self.rest().find('\n').unwrap_or(self.rest().len()),
                '{' => self.comment()?,
                '[' => self.tag()?,
                _ => self.action()?,
            }
        }
        Ok(())
    }

    fn error(&self, from: usize, to: usize, message: impl Into<String>, help: &str) -> RecordError {
        RecordError::new(self.source, Span::new(from, to), message, help)
    }

    fn comment(&mut self) -> Result<(), RecordError> {
        match self.rest().find('}') {
            Some(end) => {
                self.at += end + 1;
                Ok(())
            }
            None => Err(self.error(
                self.at,
                self.at + 1,
                "a comment is never closed",
                "end it with }",
            )),
        }
    }

    fn action(&mut self) -> Result<(), RecordError> {
        let end = |c: char| c.is_whitespace() || matches!(c, ';' | '{');
        let word = self.rest().split(end).next().unwrap_or("").to_owned();
        let span = Span::new(self.at, self.at + word.len());
        if word == "}" {
            return Err(self.error(
                self.at,
                self.at + 1,
                "a comment ends that never began",
                "begin it with {",
            ));
        }
        self.at += word.len();
        let number = word.trim_end_matches('.');
        let is_move_number = number.len() < word.len()
            && number.bytes().all(|b| b.is_ascii_digit())
            && !number.is_empty();
        if !is_move_number {
            self.record.actions.push(Written { text: word, span });
        }
        Ok(())
    }

    fn tag(&mut self) -> Result<(), RecordError> {
        let start = self.at;
        let shape = "a tag is written [Name \"value\"], in one line";
        if !self.record.actions.is_empty() {
            return Err(self.error(
                start,
                start + 1,
                "a tag stands behind the first action",
                "put all tags first",
            ));
        }
        self.at += 1;
        self.skip_blanks();
        let name: String = self
            .rest()
            .chars()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect();
        if name.is_empty() {
            return Err(self.error(self.at, self.at, "the tag has no name", shape));
        }
        let named = self.at;
        self.at += name.len();
        self.skip_blanks();
        if !self.rest().starts_with('"') {
            return Err(self.error(
                self.at,
                self.at,
                format!("expected the value of `{name}` in quotation marks"),
                shape,
            ));
        }
        let (value, span) = self.quoted(shape)?;
        self.skip_blanks();
        if !self.rest().starts_with(']') {
            return Err(self.error(self.at, self.at, "expected `]`", shape));
        }
        self.at += 1;
        if self.record.tag(&name).is_some() {
            return Err(self.error(
                named,
                named + name.len(),
                format!("the tag `{name}` stands twice"),
                "keep one of them",
            ));
        }
        self.record.tags.push(Tag { name, value, span });
        Ok(())
    }

    /// The text between quotation marks, `\"` and `\\` undone.
    fn quoted(&mut self, shape: &str) -> Result<(String, Span), RecordError> {
        let open = self.at;
        let mut value = String::new();
        let mut chars = self.rest().char_indices().skip(1);
        while let Some((i, c)) = chars.next() {
            match c {
                '"' => {
                    self.at = open + i + 1;
                    return Ok((value, Span::new(open + 1, open + i)));
                }
                '\n' => break,
                '\\' => value.extend(chars.next().map(|(_, escaped)| escaped)),
                c => value.push(c),
            }
        }
        Err(self.error(open, open + 1, "the quotation is never closed", shape))
    }

    fn skip_blanks(&mut self) {
        let blanks = self.rest().len() - self.rest().trim_start_matches([' ', '\t']).len();
        self.at += blanks;
    }
}

#[cfg(test)]
mod tests {
    use crate::base::Source;
    use crate::tools::record::{Record, RecordError};
    use crate::tools::record_text::parse;

    fn actions(record: &Record) -> Vec<&str> {
        record.actions.iter().map(|a| a.text.as_str()).collect()
    }

    #[test]
    fn tags_comments_and_numbers() -> Result<(), RecordError> {
        let text = "[Game \"A \\\"B\\\"\"]\n[Options \"size=5 men=3\"]\n[Result \"1-0\"]\n\n1. a1 b2 {good} 2. c3;bad x\n+v *v 1-0\n";
        let record = parse(text)?;
        assert_eq!(actions(&record), ["a1", "b2", "c3", "+v", "*v"]);
        assert_eq!(
            record.tag("Game").map(|t| t.value.as_str()),
            Some("A \"B\"")
        );
        let settings = record.settings(&Source::new("", text))?;
        assert_eq!(
            settings,
            [("size".into(), "5".into()), ("men".into(), "3".into())]
        );
        Ok(())
    }

    #[test]
    fn a_bare_list_and_results_that_are_no_results() -> Result<(), RecordError> {
        assert_eq!(actions(&parse("a1 b2\r\n *")?), ["a1", "b2", "*"]);
        assert_eq!(actions(&parse("[Result \"*\"] a1 *")?), ["a1"]);
        assert!(parse("")?.actions.is_empty());
        Ok(())
    }

    #[test]
    fn printing_and_reading_back() -> Result<(), RecordError> {
        let text = "[Game \"A \\\\ \\\"B\\\"\"]\n[Result \"*\"]\n\na1 b2\n";
        assert_eq!(parse(text)?.to_string(), text);
        let long = (0..60)
            .map(|i| format!("a{i}-b{i}"))
            .collect::<Vec<_>>()
            .join(" ");
        let printed = parse(&long)?.to_string();
        assert!(printed.lines().count() > 3 && printed.lines().all(|line| line.len() <= 100));
        assert_eq!(actions(&parse(&printed)?).join(" "), long);
        Ok(())
    }

    #[test]
    fn errors_say_where() {
        let cases = [
            ("a1 {x", "line 1, column 4: a comment is never closed"),
            ("a1 }", "line 1, column 4: a comment ends that never began"),
            ("[]", "line 1, column 2: the tag has no name"),
            (
                "\n[Game x]",
                "line 2, column 7: expected the value of `Game` in quotation marks",
            ),
            (
                "[Game \"x]",
                "line 1, column 7: the quotation is never closed",
            ),
            ("[Game \"x\" y]", "line 1, column 11: expected `]`"),
            (
                "[A \"\"] [A \"\"]",
                "line 1, column 9: the tag `A` stands twice",
            ),
            (
                "ä1 [A \"\"]",
                "line 1, column 4: a tag stands behind the first action",
            ),
        ];
        for (text, message) in cases {
            assert_eq!(
                parse(text).map_err(|e| e.to_string()),
                Err(message.to_owned()),
                "{text}"
            );
        }
    }
}
