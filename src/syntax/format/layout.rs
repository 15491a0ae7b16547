//! Where lines begin. In: lines of tokens. Out: for each its indentation and its part in an item or statement.
//! Whether a line begins a statement or goes on with one is told by its first word and by how the line above ends.

use crate::syntax::format::tokens::{
    Block, EXAMPLE_WORDS, Kind, LIST_WORDS, Line, Token, begins_item,
};
use crate::syntax::grammar::RESERVED;

/// One level.
const STEP: usize = 2;

/// Items whose first word stands in a column.
pub const HEADING_WORDS: &[&str] = &["players", "board", "piece"];

/// The width of that column.
pub const HEADING: usize = 8;

/// Items whose further lines hang under what stands behind their first word.
const HANGING: &[&str] = &["game", "option", "require", "keep", "mark"];

/// Reserved words that begin a statement.
const STARTERS: &[&str] = &[
    "choose", "let", "require", "set", "if", "for", "repeat", "line", "trail", "pass",
];

/// Reserved words with which a statement can end.
const ENDERS: &[&str] = &["no", "pass", "possible", "stacking"];

/// What a line is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// It begins an item, a statement or a clause.
    Start,
    /// It goes on with what began above.
    More,
    /// It begins with a bracket that closes.
    Close,
    /// A row of a drawn position.
    Row,
    /// Nothing but a comment.
    Comment,
}

/// The place of a line.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// How far it is indented.
    pub indent: usize,
    /// What it is.
    pub part: Part,
    /// In what it stands.
    pub block: Block,
    /// Which of the brackets it stands in, by number.
    pub frame: usize,
    /// Whether it leaves a bracket open.
    pub opens: bool,
}

/// An open bracket.
struct Frame<'a> {
    block: Block,
    /// The indentation of what stands inside.
    inner: usize,
    /// The indentation of the line that closes it.
    outer: usize,
    number: usize,
    head: Option<Head<'a>>,
}

/// The first line of an item or statement.
#[derive(Clone, Copy)]
struct Head<'a> {
    first: Token<'a>,
    /// The indentation of the line that follows a `=` at a line's end, when it is special.
    equals: Option<usize>,
}

/// Finds the place of every line.
pub fn places(lines: &[Line<'_>]) -> Vec<Place> {
    let mut walk = Walk {
        frames: vec![Frame {
            block: Block::Top,
            inner: 0,
            outer: 0,
            number: 0,
            head: None,
        }],
        count: 0,
        last: None,
    };
    let mut found: Vec<Place> = Vec::with_capacity(lines.len());
    let mut comments: Vec<usize> = Vec::new();
    for at in 0..lines.len() {
        let inner = walk.top().inner;
        let place = walk.line(lines, at);
        if place.part == Part::Comment {
            comments.push(at);
        } else {
            // Comments stand as far in as what they are above; at the end of a block, as what is in it.
            let closing = place.part == Part::Close;
            for comment in comments.drain(..) {
                found[comment].indent = if closing { inner } else { place.indent };
            }
        }
        found.push(place);
    }
    shift_rows(lines, &mut found);
    found
}

struct Walk<'a> {
    frames: Vec<Frame<'a>>,
    count: usize,
    /// The last token of the code so far.
    last: Option<Token<'a>>,
}

impl<'a> Walk<'a> {
    fn top(&self) -> &Frame<'a> {
        &self.frames[self.frames.len() - 1]
    }

    fn top_mut(&mut self) -> &mut Frame<'a> {
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    fn close(&mut self) -> Option<usize> {
        // The outermost frame stays, whatever is closed.
        (self.frames.len() > 1)
            .then(|| self.frames.pop().map(|f| f.outer))
            .flatten()
    }

    fn line(&mut self, lines: &[Line<'a>], at: usize) -> Place {
        let code = lines[at].code();
        let (part, indent) = match code {
            [] => (Part::Comment, self.top().inner),
            [first, ..] if first.closes() => {
                let leading = code.iter().take_while(|t| t.closes()).count();
                let outer = (0..leading).filter_map(|_| self.close()).last();
                (Part::Close, outer.unwrap_or(0))
            }
            [first, ..] if first.kind == Kind::Row => (Part::Row, self.top().inner),
            [first, ..] => self.begin(*first, lines, at),
        };
        let (block, frame) = (self.top().block, self.top().number);
        let rest = code
            .iter()
            .skip_while(|t| part == Part::Close && t.closes());
        let mut lowest = self.frames.len();
        // What stands in a block is indented from where its item or statement begins.
        let home = self.top().inner;
        for token in rest {
            if let Some(block) = token.opens {
                self.count += 1;
                let bracket = matches!(block, Block::Round | Block::Square);
                let base = if part == Part::More && !bracket {
                    home
                } else {
                    indent
                };
                self.frames.push(Frame {
                    block,
                    inner: base + STEP,
                    outer: base,
                    number: self.count,
                    head: None,
                });
            } else if token.closes() {
                self.close();
                lowest = lowest.min(self.frames.len());
            }
            self.last = Some(*token);
        }
        if part == Part::Close {
            self.last = code.last().copied();
        }
        Place {
            indent,
            part,
            block,
            frame,
            opens: self.frames.len() > lowest,
        }
    }

    /// The part and indentation of a line that neither closes a bracket nor is a row.
    fn begin(&mut self, first: Token<'a>, lines: &[Line<'a>], at: usize) -> (Part, usize) {
        let code = lines[at].code();
        let frame = self.top();
        if matches!(frame.block, Block::Round | Block::Square) {
            return (Part::More, frame.inner);
        }
        let starts = match frame.block {
            Block::Top => begins_item(first.text) && first.kind == Kind::Word,
            Block::Trail => is_one_of(
                first,
                &["start", "step", "between", "finish", "never", "length"],
            ),
            Block::Ends => is_one_of(first, &["win", "lose", "draw", "score"]),
            Block::Graph => is_one_of(first, &["line", "cell"]),
            Block::Example => is_one_of(first, EXAMPLE_WORDS),
            _ => self.begins_statement(code),
        };
        let indent = frame.inner;
        if starts || frame.head.is_none() {
            let equals = equals(lines, at).map(|hang| indent + hang);
            self.top_mut().head = Some(Head { first, equals });
            return (Part::Start, indent);
        }
        let after_equals = self.last.is_some_and(|t| t.is_sign("="));
        let hang = match frame.head {
            Some(head) => match head.equals.filter(|_| after_equals) {
                Some(indent) => return (Part::More, indent),
                None => hanging(frame.block, head, first),
            },
            None => 0,
        };
        (Part::More, indent + hang)
    }

    /// Whether a line between braces begins a statement.
    fn begins_statement(&self, code: &[Token<'_>]) -> bool {
        let open = self.last.is_some_and(|t| match t.kind {
            Kind::Sign => !t.closes() && !t.is_sign(";") && !t.is_sign("{"),
            Kind::Word => RESERVED.contains(&t.text) && !ENDERS.contains(&t.text),
            _ => false,
        });
        match code {
            [first, second, ..] if first.is_word("if") && second.is_word("possible") => false,
            [first, ..] => match first.kind {
                Kind::Word if RESERVED.contains(&first.text) => {
                    !open && STARTERS.contains(&first.text)
                }
                Kind::Word => !open,
                _ => first.is_sign("{"),
            },
            [] => false,
        }
    }
}

fn is_one_of(token: Token<'_>, words: &[&str]) -> bool {
    token.kind == Kind::Word && words.contains(&token.text)
}

/// How much further in a line stands that goes on with an item or statement.
fn hanging(block: Block, head: Head<'_>, first: Token<'_>) -> usize {
    let word = head.first.text;
    let under = word.chars().count() + 1;
    let play = match head.first.kind {
        Kind::Word => {
            ["line", "trail", "pass", "repeat", "for"].contains(&word)
                || word.starts_with(|c: char| c.is_ascii_uppercase())
        }
        _ => head.first.is_sign("{"),
    };
    if first.is_sign("{") {
        return 0;
    }
    match block {
        Block::Top if HEADING_WORDS.contains(&word) => HEADING,
        Block::Top if HANGING.contains(&word) => under,
        Block::Example if LIST_WORDS.contains(&word) => under,
        Block::Statements if word == "require" => under,
        Block::Statements if word == "if" && first.is_word("else") => 0,
        // Alternatives stand under one another.
        Block::Statements if play && is_one_of(first, &["or", "otherwise"]) => 0,
        _ => STEP,
    }
}

/// Where the line under one that ends with `=` begins, when the lines below all begin with the same joining word:
/// its values then stand in a column.
fn equals(lines: &[Line<'_>], at: usize) -> Option<usize> {
    if !lines[at].code().last()?.is_sign("=") {
        return None;
    }
    let mut depth = 0usize;
    let mut joint = None;
    for (nth, line) in lines[at + 1..].iter().enumerate() {
        let code = line.code();
        let Some(first) = code.first() else { continue };
        if depth == 0 && nth > 0 {
            match joint {
                _ if begins_item(first.text) => break,
                None if is_one_of(*first, &["or", "and"]) => joint = Some(first.text),
                Some(word) if first.is_word(word) => {}
                _ => return None,
            }
        }
        for token in code {
            if token.opens.is_some() {
                depth += 1;
            } else if token.closes() {
                depth = depth.checked_sub(1)?;
            } else if depth == 0 && nth == 0 && is_one_of(*token, &["or", "and"]) {
                return None;
            }
        }
    }
    joint.map(|word| STEP + word.len() + 1)
}

/// Rows keep their places beside one another.
fn shift_rows(lines: &[Line<'_>], places: &mut [Place]) {
    let mut at = 0;
    while at < places.len() {
        let frame = places[at].frame;
        let end = at
            + places[at..]
                .iter()
                .take_while(|p| p.part == Part::Row && p.frame == frame)
                .count();
        let least = lines[at..end].iter().map(|l| l.written).min().unwrap_or(0);
        for (place, line) in places[at..end].iter_mut().zip(&lines[at..end]) {
            place.indent += line.written - least;
        }
        at = end.max(at + 1);
    }
}
