//! Columns. In: placed lines with their spaces. Out: more spaces, so that like things of neighbouring lines stand under one
//! another. What is neighbouring and alike is told by the text alone.

use crate::syntax::format::layout::{HEADING, HEADING_WORDS, Part, Place};
use crate::syntax::format::spacing::ASIDE;
use crate::syntax::format::tokens::{Block, Kind, Line, Token};
use std::collections::BTreeMap;

/// A reason or comment that would have to move further than this stands alone.
const FAR: usize = 24;

/// Lines on their way to be printed.
pub struct Rows<'a> {
    /// The tokens.
    pub lines: &'a [Line<'a>],
    /// The places.
    pub places: &'a [Place],
    /// Spaces before each token.
    pub spaces: Vec<Vec<usize>>,
}

/// A token of a line: line, place in the line.
type Stop = (usize, usize);

/// Kinds of lines whose parts stand in columns.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    /// `option size = 9 in 3..25 "…"`
    Option,
    /// `define home of p = …`
    Define,
    /// `keep quiet = 0`
    Keep,
    /// `win "…" when …`
    Clause,
    /// `require … "…"`
    Require,
}

impl<'a> Rows<'a> {
    /// Puts everything into columns that stands in columns.
    pub fn align(&mut self) {
        self.headings();
        self.trails();
        for run in self.runs() {
            self.run(&run);
        }
        self.pictures();
        self.comments();
    }

    fn code(&self, line: usize) -> &'a [Token<'a>] {
        let lines: &'a [Line<'a>] = self.lines;
        lines[line].code()
    }

    /// The column where a token stands.
    fn column(&self, (line, place): Stop) -> usize {
        let tokens = self.lines[line].tokens.iter().zip(&self.spaces[line]);
        let before: usize = tokens
            .take(place)
            .map(|(t, spaces)| spaces + width(t))
            .sum();
        self.places[line].indent + before + self.spaces[line][place]
    }

    /// Moves tokens to the right, until they stand in one column.
    fn shift(&mut self, stops: &[Stop]) {
        let target = stops.iter().map(|stop| self.column(*stop)).max();
        for &(line, place) in stops {
            let missing = target
                .unwrap_or(0)
                .saturating_sub(self.column((line, place)));
            self.spaces[line][place] += missing;
        }
    }

    /// As `shift`, but neighbours that stand far apart stay so.
    fn shift_near(&mut self, stops: &[Stop]) {
        let near = |a: &Stop, b: &Stop| self.column(*a).abs_diff(self.column(*b)) <= FAR;
        let runs: Vec<Vec<Stop>> = stops.chunk_by(near).map(<[Stop]>::to_vec).collect();
        for run in runs {
            self.shift(&run);
        }
    }

    /// `players`, `board`, `piece`.
    fn headings(&mut self) {
        for at in 0..self.lines.len() {
            let (place, code) = (self.places[at], self.code(at));
            if let ([first, _, ..], Part::Start, Block::Top) = (code, place.part, place.block)
                && HEADING_WORDS.contains(&first.text)
            {
                self.spaces[at][1] = HEADING.saturating_sub(width(first)).max(1);
            }
        }
    }

    /// The clauses of each trail.
    fn trails(&mut self) {
        let mut clauses: BTreeMap<usize, Vec<Stop>> = BTreeMap::new();
        for (at, place) in self.places.iter().enumerate() {
            if place.block == Block::Trail && place.part == Part::Start && self.code(at).len() > 1 {
                clauses.entry(place.frame).or_default().push((at, 1));
            }
        }
        for stops in clauses.into_values() {
            self.shift(&stops);
        }
    }

    /// Neighbouring lines of one class. Lines that go on with one of them do not part them.
    fn runs(&self) -> Vec<Vec<(usize, Class)>> {
        let mut runs: Vec<Vec<(usize, Class)>> = Vec::new();
        let mut last: Option<Class> = None;
        for at in 0..self.lines.len() {
            let place = self.places[at];
            if self.lines[at].gap {
                last = None;
            } else if place.part == Part::More && !place.opens {
                continue;
            }
            let class = self.class(at);
            match (class, runs.last_mut()) {
                (Some(class), Some(run)) if last == Some(class) => run.push((at, class)),
                (Some(class), _) => runs.push(vec![(at, class)]),
                (None, _) => {}
            }
            last = class;
        }
        runs
    }

    fn class(&self, at: usize) -> Option<Class> {
        let (place, code) = (self.places[at], self.code(at));
        let (first, rest) = code.split_first()?;
        if place.part != Part::Start || place.opens {
            return None;
        }
        let equals = rest.iter().position(|t| t.is_sign("="));
        let whole = equals.is_some_and(|at| at + 1 < rest.len());
        match (place.block, first.text) {
            (Block::Top, "option") if whole => Some(Class::Option),
            (Block::Top, "define") if whole => Some(Class::Define),
            (Block::Top, "keep") if whole => Some(Class::Keep),
            (Block::Top | Block::Statements, "require") => Some(Class::Require),
            (Block::Ends, _) => Some(Class::Clause),
            _ => None,
        }
    }

    fn run(&mut self, run: &[(usize, Class)]) {
        let Some(&(_, class)) = run.first() else {
            return;
        };
        let lines: Vec<usize> = run.iter().map(|(at, _)| *at).collect();
        match class {
            Class::Option => {
                self.shift(&self.stops(&lines, equals));
                for stop in self.stops(&lines, last_text) {
                    self.spaces[stop.0][stop.1] = ASIDE;
                }
                self.shift(&self.stops(&lines, last_text));
            }
            Class::Define => {
                self.cases(&lines, |t| {
                    t.text.starts_with(|c: char| c.is_ascii_uppercase())
                });
                self.shift(&self.stops(&lines, equals));
            }
            Class::Keep => {
                self.cases(&lines, |t| t.is_word("each"));
                self.shift(&self.stops(&lines, equals));
            }
            Class::Clause => {
                self.shift(&self.stops(&lines, name_of_end));
                self.shift(&self.stops(&lines, |code| code.iter().position(|t| t.is_word("when"))));
            }
            Class::Require => self.shift_near(&self.stops(&lines, last_text)),
        }
    }

    /// The token that is looked for, in each of the lines that has it.
    fn stops(&self, lines: &[usize], find: impl Fn(&[Token<'_>]) -> Option<usize>) -> Vec<Stop> {
        let stop = |at: &usize| find(self.code(*at)).map(|place| (*at, place));
        lines.iter().filter_map(stop).collect()
    }

    /// `of` in neighbours such as `exit of White`.
    fn cases(&mut self, lines: &[usize], wanted: impl Fn(&Token<'_>) -> bool) {
        let is_case = |at: usize| matches!(self.code(at), [_, _, of, whose, ..] if of.is_word("of") && wanted(whose));
        let runs: Vec<Vec<Stop>> = lines
            .chunk_by(|a, b| is_case(*a) == is_case(*b))
            .filter(|run| is_case(run[0]))
            .map(|run| run.iter().map(|at| (*at, 2)).collect())
            .collect();
        for run in runs {
            self.shift(&run);
        }
    }

    /// Pictures joined by `or`, each on a line of its own.
    fn pictures(&mut self) {
        let mut at = 0;
        while at < self.lines.len() {
            let follows = |next: usize| {
                self.places[next].part == Part::More
                    && !self.lines[next].gap
                    && self.code(next).first().is_some_and(|t| t.is_word("or"))
                    && picture(self.code(next)).is_some()
            };
            let mut run: Vec<Stop> = Vec::new();
            if let Some(place) = picture(self.code(at)) {
                run.push((at, place));
                let more = (at + 1..self.lines.len()).take_while(|next| follows(*next));
                run.extend(more.filter_map(|next| picture(self.code(next)).map(|p| (next, p))));
            }
            at += run.len().max(1);
            if run.len() > 1 {
                self.shift(&run);
                self.first_squares(&run);
            }
        }
    }

    /// The first squares of neighbouring pictures with as many squares.
    fn first_squares(&mut self, run: &[Stop]) {
        let bars = |at: usize| self.code(at).iter().filter(|t| t.is_sign("|")).count();
        let alike: Vec<Vec<Stop>> = run
            .chunk_by(|a, b| bars(a.0) == bars(b.0))
            .map(<[Stop]>::to_vec)
            .collect();
        for run in alike {
            let bar = |(at, open): &Stop| {
                let found = self
                    .code(*at)
                    .iter()
                    .skip(*open)
                    .position(|t| t.is_sign("|"));
                found.map(|n| (*at, open + n))
            };
            let Some(bars) = run.iter().map(bar).collect::<Option<Vec<Stop>>>() else {
                continue;
            };
            let name = |((at, open), (_, bar)): (&Stop, &Stop)| {
                let square = &self.code(*at)[*open..*bar];
                let found = square.iter().position(|t| t.is_word("as"));
                found.map(|n| (*at, open + n))
            };
            let names: Option<Vec<Stop>> = run.iter().zip(&bars).map(name).collect();
            if let Some(names) = names {
                self.shift(&names);
            }
            self.shift(&bars);
        }
    }

    /// Comments behind the code of neighbouring lines.
    fn comments(&mut self) {
        let mut runs: Vec<Vec<Stop>> = Vec::new();
        let mut near = false;
        for (at, line) in self.lines.iter().enumerate() {
            let behind = !line.code().is_empty() && line.code().len() < line.tokens.len();
            if behind {
                let stop = (at, line.code().len());
                match runs.last_mut() {
                    Some(run) if near && !line.gap => run.push(stop),
                    _ => runs.push(vec![stop]),
                }
            }
            near = behind;
        }
        for run in runs {
            self.shift_near(&run);
        }
    }
}

/// How many columns a token takes.
pub fn width(token: &Token<'_>) -> usize {
    token.text.chars().count()
}

fn equals(code: &[Token<'_>]) -> Option<usize> {
    code.iter().position(|t| t.is_sign("="))
}

fn last_text(code: &[Token<'_>]) -> Option<usize> {
    let last = code.len().checked_sub(1)?;
    (last > 1 && code[last].kind == Kind::Text).then_some(last)
}

fn name_of_end(code: &[Token<'_>]) -> Option<usize> {
    let when = code.iter().position(|t| t.is_word("when"));
    code.iter()
        .position(|t| t.kind == Kind::Text)
        .filter(|text| when.is_none_or(|when| *text < when))
}

/// The `[` of a line that begins with a picture: `or some line forward [`.
fn picture(code: &[Token<'_>]) -> Option<usize> {
    let line = code.iter().position(|t| t.is_word("line"))?;
    let before = code[..line].iter();
    if !before
        .clone()
        .all(|t| ["or", "some", "no"].contains(&t.text))
    {
        return None;
    }
    code.iter().position(|t| t.is_sign("["))
}
