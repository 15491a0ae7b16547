//! The text of a snapshot, with or without the file's header, in; the snapshot out, or the first line that is not as this
//! program writes it. Nothing is guessed: what is read prints as the same text.

use crate::base::Span;
use crate::tools::snapshot::form::LEADS_TO;
use crate::tools::snapshot::{
    Ending, FORM, Game, Geometry, Plan, Setting, Share, Snapshot, Step, Transcript,
};
use std::str::FromStr;

/// Why a text is no snapshot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FormError {
    /// The line, as a place in the text.
    pub span: Span,
    /// What is wrong there.
    pub here: String,
    /// What to do about it.
    pub help: &'static str,
}

const ANEW: &str = "restore it, or delete it and make it anew with --accept";
const OTHER_FORM: &str =
    "read it with the version of gambol that made it, or delete it and make it anew with --accept";

type Read<T> = Result<T, FormError>;

impl Snapshot {
    /// Reads the text of a snapshot, or a whole file.
    ///
    /// # Errors
    ///
    /// The first line that is not as it should be.
    pub fn parse(text: &str) -> Result<Snapshot, FormError> {
        let mut reader = Reader::new(text);
        let snapshot = reader.snapshot()?;
        reader.same(&snapshot)?;
        Ok(snapshot)
    }
}

/// A line and its place.
#[derive(Clone, Copy)]
struct Line<'t> {
    text: &'t str,
    span: Span,
}

struct Reader<'t> {
    lines: Vec<Line<'t>>,
    next: usize,
    end: Span,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str) -> Reader<'t> {
        let mut at = 0;
        let mut lines = Vec::new();
        for whole in text.split_inclusive('\n') {
            let line = whole.trim_end_matches(['\n', '\r']);
            let span = Span::new(at, at + line.len());
            lines.push(Line { text: line, span });
            at += whole.len();
        }
        while lines.last().is_some_and(|line| line.text.trim().is_empty()) {
            lines.pop();
        }
        let header = lines.first().is_some_and(|line| line.text == "---");
        let body = lines.iter().skip(1).position(|line| line.text == "---");
        if let Some(body) = body.filter(|_| header) {
            lines.drain(..body + 2);
        }
        let end = lines.last().map_or(Span::new(at, at), |line| {
            let end = line.span.range().end;
            Span::new(end, end)
        });
        Reader {
            lines,
            next: 0,
            end,
        }
    }

    fn peek(&self) -> Option<Line<'t>> {
        self.lines.get(self.next).copied()
    }

    fn wrong<T>(&self, line: Option<Line<'_>>, here: impl Into<String>) -> Read<T> {
        Err(FormError {
            span: line.map_or(self.end, |line| line.span),
            here: here.into(),
            help: ANEW,
        })
    }

    /// The next line, which must begin so; gives what follows.
    fn after(&mut self, start: &str) -> Read<(Line<'t>, &'t str)> {
        let line = self.peek();
        match line.and_then(|line| Some((line, line.text.strip_prefix(start)?))) {
            Some(found) => {
                self.next += 1;
                Ok(found)
            }
            None => self.wrong(line, format!("expected `{}`", start.trim())),
        }
    }

    /// The lines of a section: those that are indented or empty, without empty ones at the end, indent taken off.
    fn section(&mut self) -> Vec<Line<'t>> {
        let mut lines = Vec::new();
        while let Some(line) = self.peek() {
            let inner = line.text.strip_prefix("  ");
            let Some(text) = inner.or(Some("").filter(|_| line.text.is_empty())) else {
                break;
            };
            lines.push(Line {
                text,
                span: line.span,
            });
            self.next += 1;
        }
        while lines.last().is_some_and(|line| line.text.is_empty()) {
            lines.pop();
        }
        lines
    }

    /// A section of that name.
    fn named(&mut self, name: &str) -> Read<Vec<Line<'t>>> {
        let (line, rest) = self.after(name)?;
        if rest.is_empty() {
            Ok(self.section())
        } else {
            self.wrong(Some(line), format!("expected `{name}`"))
        }
    }

    fn one(&mut self, name: &str) -> Read<&'t str> {
        let lines = self.named(name)?;
        match lines.as_slice() {
            [line] => Ok(line.text),
            _ => self.wrong(self.peek(), format!("expected one line below `{name}`")),
        }
    }

    /// Each line of a section, read by `read`; `expected` says what such a line is.
    fn all<T>(
        &self,
        lines: &[Line<'t>],
        expected: &str,
        read: impl Fn(&'t str) -> Option<T>,
    ) -> Read<Vec<T>> {
        let one = |line: &Line<'t>| match read(line.text) {
            Some(value) => Ok(value),
            None => self.wrong(Some(*line), format!("expected {expected}")),
        };
        lines.iter().map(one).collect()
    }

    fn snapshot(&mut self) -> Read<Snapshot> {
        self.version()?;
        let (line, plan) = self.after("")?;
        let Some(plan) = read_plan(plan) else {
            return self.wrong(
                Some(line),
                "expected what it was made with: `depth=… budget=… games=… plies=… seed=…`",
            );
        };
        self.section();
        let (line, title) = self.after("game ")?;
        let quoted = title.strip_prefix('"').and_then(|t| t.strip_suffix('"'));
        let Some(title) = quoted.map(str::to_owned) else {
            return self.wrong(Some(line), "expected the game's name in quotes");
        };
        self.section();
        let mut options = Vec::new();
        if self.peek().is_some_and(|line| line.text == "options") {
            let lines = self.named("options")?;
            options = self.all(&lines, "`name = value in …`", setting)?;
        }
        let players = words(self.one("players")?);
        let board = self.board()?;
        let start = self.one("start")?.to_owned();
        let drawing = self.named("drawing")?;
        let drawing = drawing.iter().map(|line| line.text.to_owned()).collect();
        let counts = self.named("perft")?;
        let perft = self.all(&counts, "`depth: count`", |text| {
            number(text.split_once(": ")?.1)
        })?;
        self.after("divide ")?;
        let shares = self.section();
        let actions = self.all(&shares, "a count and an action", share)?;
        let transcripts = self.transcripts()?;
        let games = self.named("games")?;
        let games = self.all(&games, "`seed N: N actions`, a hash and an ending", game)?;
        self.named("statistics")?;
        Ok(Snapshot {
            plan,
            title,
            options,
            players,
            board,
            start,
            drawing,
            actions,
            perft,
            transcripts,
            games,
        })
    }

    fn version(&mut self) -> Read<()> {
        let (line, version) = self.after("snapshot ")?;
        if version == FORM.to_string() {
            return Ok(());
        }
        Err(FormError {
            span: line.span,
            here: format!("this is form {version}, and this program knows form {FORM}"),
            help: OTHER_FORM,
        })
    }

    fn board(&mut self) -> Read<Geometry> {
        let (line, _) = self.after("board")?;
        let section = self.section();
        let value = |at: usize, name: &str| section.get(at)?.text.strip_prefix(name);
        let read = || {
            Some(Geometry {
                cells: number(value(0, "cells: ")?)?,
                directions: words(value(1, "directions:")?),
                hash: u64::from_str_radix(value(2, "geometry: ")?, 16).ok()?,
            })
        };
        match read() {
            Some(board) => Ok(board),
            None => self.wrong(
                Some(line),
                "expected `cells: …`, `directions: …` and `geometry: …` below",
            ),
        }
    }

    fn transcripts(&mut self) -> Read<Vec<Transcript>> {
        const START: &str = "transcript of seed ";
        let mut transcripts = Vec::new();
        while self.peek().is_some_and(|line| line.text.starts_with(START)) {
            let (line, seed) = self.after(START)?;
            let Some(seed) = number(seed) else {
                return self.wrong(Some(line), "expected the seed, a number");
            };
            let lines = self.section();
            let steps = self.all(&lines, "`ply: count hash action`", step)?;
            transcripts.push(Transcript { seed, steps });
        }
        Ok(transcripts)
    }

    /// What was read must print as it stood; this finds numbers that do not follow from the others, and lost lines.
    fn same(&self, snapshot: &Snapshot) -> Read<()> {
        let printed = snapshot.to_string();
        let mut expected = printed.lines();
        for line in &self.lines {
            match expected.next() {
                Some(text) if text == line.text => {}
                Some(text) => {
                    return self.wrong(
                        Some(*line),
                        format!("by all else that stands here, this line should be `{text}`"),
                    );
                }
                None => return self.wrong(Some(*line), "nothing more is expected here"),
            }
        }
        match expected.next() {
            None => Ok(()),
            Some(text) => self.wrong(None, format!("expected one more line, `{text}`")),
        }
    }
}

/// A number as it is printed.
fn number<T: FromStr>(text: &str) -> Option<T> {
    text.parse().ok()
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

fn read_plan(text: &str) -> Option<Plan> {
    let mut words = text.split(' ');
    let mut value = |name: &str| {
        let (found, value) = words.next()?.split_once('=')?;
        Some(value).filter(|_| found == name)
    };
    Some(Plan {
        depth: number(value("depth")?)?,
        budget: number(value("budget")?)?,
        games: number(value("games")?)?,
        plies: number(value("plies")?)?,
        seed: number(value("seed")?)?,
    })
}

fn setting(text: &str) -> Option<Setting> {
    let (name, rest) = text.split_once(" = ")?;
    let (value, domain) = rest.split_once(" in ").unwrap_or((rest, ""));
    Some(Setting {
        name: name.to_owned(),
        value: value.to_owned(),
        domain: domain.to_owned(),
    })
}

fn share(text: &str) -> Option<Share> {
    let (count, action) = text.split_once(' ')?;
    Some(Share {
        action: action.to_owned(),
        count: number(count)?,
    })
}

fn step(text: &str) -> Option<Step> {
    let (_, rest) = text.split_once(": ")?;
    let (legal, rest) = rest.split_once(' ')?;
    let (hash, rest) = rest.split_once(' ')?;
    let (action, position) = match rest.split_once(LEADS_TO) {
        Some((action, position)) => (action, Some(position.to_owned())),
        None => (rest, None),
    };
    Some(Step {
        action: action.to_owned(),
        legal: number(legal)?,
        hash: u32::from_str_radix(hash, 16).ok()?,
        position,
    })
}

fn game(text: &str) -> Option<Game> {
    let (seed, rest) = text.strip_prefix("seed ")?.split_once(": ")?;
    let (plies, rest) = rest.split_once(" actions ")?;
    let (hash, rest) = rest.split_once(' ')?;
    Some(Game {
        seed: number(seed)?,
        plies: number(plies)?,
        ending: ending(rest)?,
        hash: u32::from_str_radix(hash, 16).ok()?,
    })
}

fn ending(text: &str) -> Option<Ending> {
    match text {
        "unfinished" => return Some(Ending::Unfinished),
        "stuck" => return Some(Ending::Stuck),
        _ => {}
    }
    let (what, by) = text.strip_suffix('"')?.split_once(" \"")?;
    let by = by.to_owned();
    match what.split_once(' ') {
        None if what == "draw" => Some(Ending::Draw(by)),
        Some((player, "wins")) => Some(Ending::Wins(player.to_owned(), by)),
        Some((player, "loses")) => Some(Ending::Loses(player.to_owned(), by)),
        None | Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::engine::PlayError;
    use crate::tools::snapshot::{Plan, Snapshot, file_text, make};
    use crate::tools::testing::{for_ever, no_end, three_in_a_row, two_a_turn};

    fn plan() -> Plan {
        Plan {
            depth: 2,
            games: 3,
            plies: 3,
            ..Plan::default()
        }
    }

    #[test]
    fn what_is_printed_is_read() -> Result<(), PlayError> {
        for engine in [three_in_a_row(), two_a_turn(), no_end(), for_ever()] {
            for plan in [plan(), Plan { games: 0, ..plan() }, Plan::default()] {
                let snapshot = make(&engine, &plan)?;
                assert_eq!(
                    Snapshot::parse(&snapshot.to_string()).as_ref(),
                    Ok(&snapshot)
                );
                let file = file_text(&snapshot, "../small.game");
                assert_eq!(Snapshot::parse(&file).as_ref(), Ok(&snapshot));
                let windows = file.replace('\n', "\r\n") + "\r\n";
                assert_eq!(Snapshot::parse(&windows).as_ref(), Ok(&snapshot));
            }
        }
        Ok(())
    }

    #[test]
    fn any_line_lost_or_changed_is_told_at_a_place() -> Result<(), PlayError> {
        let text = file_text(&make(&three_in_a_row(), &plan())?, "../small.game");
        let lines: Vec<&str> = text.lines().collect();
        let told = |lines: &[&str]| Snapshot::parse(&lines.join("\n")).map_err(|e| e.here);
        for at in 4..lines.len() {
            let mut lost = lines.clone();
            lost.remove(at);
            let mut twice = lines.clone();
            twice.insert(at, lines[at]);
            let mut longer = lines.clone();
            let more = format!("{}~ 0", lines[at]);
            longer[at] = &more;
            let deed = |changed: &[&str]| {
                let read = told(changed);
                let same = Snapshot::parse(&text).map_err(|e| e.here);
                assert!(read.is_err() || read != same, "line {at}: {}", lines[at]);
            };
            deed(&lost);
            deed(&twice);
            deed(&longer);
        }
        Ok(())
    }

    #[test]
    fn errors_have_their_place_and_words() -> Result<(), PlayError> {
        let text = make(&three_in_a_row(), &plan())?.to_string();
        let told = |from: &str, to: &str| {
            let changed = text.replacen(from, to, 1);
            assert_ne!(changed, text, "{from}");
            match Snapshot::parse(&changed) {
                Err(error) => format!("{}: {}", &changed[error.span.range()], error.here),
                Ok(_) => "read".to_owned(),
            }
        };
        assert_eq!(
            told("snapshot 1", "snapshot 2"),
            "snapshot 2: this is form 2, and this program knows form 1"
        );
        assert_eq!(
            told("  8 a1", "  eight a1"),
            "  eight a1: expected a count and an action"
        );
        assert_eq!(
            told("games: 3", "games: 4"),
            "  games: 4: by all else that stands here, this line should be `  games: 3`"
        );
        assert_eq!(
            told("start\n", "beginning\n"),
            "beginning: expected `start`"
        );
        assert_eq!(
            told("divide 2", "divide 3"),
            "divide 3: by all else that stands here, this line should be `divide 2`"
        );
        assert_eq!(
            told("depth=2", "depth=x"),
            "depth=x budget=20000 games=3 plies=3 seed=1: expected what it was made with: `depth=… budget=… games=… plies=… seed=…`"
        );
        assert!(Snapshot::parse("").is_err() && Snapshot::parse("---\n---\n").is_err());
        Ok(())
    }
}
