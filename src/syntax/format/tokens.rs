//! Text into lines of tokens. In: any text. Out: its lines, each with tokens, comments among them, and what each bracket opens.
//! Only as much of the language is known as tells where signs mean themselves: drawn rows, and lists of actions.

use crate::syntax::prescan::ITEM_WORDS;

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// `own`, `White`
    Word,
    /// `12`
    Number,
    /// `"text"`
    Text,
    /// `=`, `..`, `{`
    Sign,
    /// `a1xb2`, `+v`: an action in a list of them
    Action,
    /// `. k m .`: a row of a drawn position, spaces and all
    Row,
    /// `// …`, the last of its line
    Comment,
}

/// What a bracket opens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Block {
    /// Nothing: what stands between the items.
    Top,
    /// `{` of statements.
    Statements,
    /// `trail {`
    Trail,
    /// `end after turn {`
    Ends,
    /// `graph {`
    Graph,
    /// `example "…" {`
    Example,
    /// `setup draw {`, `position {`
    Rows,
    /// `(`
    Round,
    /// `[`
    Square,
}

/// A token with what must be known to print it.
#[derive(Clone, Copy, Debug)]
pub struct Token<'a> {
    /// As written.
    pub text: &'a str,
    /// What it is.
    pub kind: Kind,
    /// Whether something blank stood before it.
    pub spaced: bool,
    /// What it opens, for a bracket.
    pub opens: Option<Block>,
}

impl Token<'_> {
    /// Whether it is that word.
    pub fn is_word(&self, word: &str) -> bool {
        self.kind == Kind::Word && self.text == word
    }

    /// Whether it is that sign.
    pub fn is_sign(&self, sign: &str) -> bool {
        self.kind == Kind::Sign && self.text == sign
    }

    /// Whether it closes a bracket.
    pub fn closes(&self) -> bool {
        self.kind == Kind::Sign && [")", "]", "}"].contains(&self.text)
    }
}

/// A line with its tokens; never without any.
#[derive(Clone, Debug)]
pub struct Line<'a> {
    /// From left to right.
    pub tokens: Vec<Token<'a>>,
    /// Whether an empty line stood above it.
    pub gap: bool,
    /// How far it was indented.
    pub written: usize,
}

impl<'a> Line<'a> {
    /// The tokens without the comment.
    pub fn code(&self) -> &[Token<'a>] {
        match self.tokens.split_last() {
            Some((last, code)) if last.kind == Kind::Comment => code,
            _ => &self.tokens,
        }
    }
}

/// Words that begin an item of a variant file, or a test.
const MORE_ITEM_WORDS: &[&str] = &["variant", "replace", "remove", "example"];

/// Words that begin a part of an example.
pub const EXAMPLE_WORDS: &[&str] = &["position", "play", "legal", "illegal", "becomes", "outcome"];

/// Those of them behind which a list of actions stands.
pub const LIST_WORDS: &[&str] = &["play", "legal", "illegal"];

/// Whether a word begins an item when a line between the items begins with it.
pub fn begins_item(word: &str) -> bool {
    ITEM_WORDS.contains(&word) || MORE_ITEM_WORDS.contains(&word)
}

/// Reads a text.
pub fn lines(text: &str) -> Vec<Line<'_>> {
    let mut reader = Reader {
        open: Vec::new(),
        item: "",
        list: false,
        before: ["", ""],
        done: Vec::new(),
        gap: false,
    };
    for line in text.split('\n') {
        let line = line.strip_suffix('\r').unwrap_or(line);
        let mut rest = Some(line);
        while let Some(line) = rest {
            rest = reader.line(line);
        }
    }
    reader.done
}

struct Reader<'a> {
    open: Vec<Block>,
    /// The word with which the item began, `replace` aside.
    item: &'a str,
    /// Whether a list of actions goes on.
    list: bool,
    /// The last two tokens.
    before: [&'a str; 2],
    done: Vec<Line<'a>>,
    gap: bool,
}

impl<'a> Reader<'a> {
    /// Reads a line; gives what stands behind a bare carriage return, which ends a line as well.
    fn line(&mut self, text: &'a str) -> Option<&'a str> {
        let mut rest = text;
        let mut tokens: Vec<Token<'a>> = Vec::new();
        let blank = |c: char| c == ' ' || c == '\t';
        let written = text
            .chars()
            .take_while(|c| blank(*c))
            .map(|c| if c == '\t' { 2 } else { 1 })
            .sum();
        loop {
            let found = rest.trim_start_matches(blank);
            let spaced = found.len() < rest.len();
            if found.is_empty() || found.starts_with('\r') {
                self.end(tokens, written);
                return found.strip_prefix('\r');
            }
            let (len, kind) = self.next(found);
            let (token, more) = found.split_at(len);
            let opens = (kind == Kind::Sign).then(|| self.bracket(token)).flatten();
            self.note(token, kind, tokens.is_empty());
            tokens.push(Token {
                text: token.trim_end(),
                kind,
                spaced,
                opens,
            });
            rest = more;
        }
    }

    fn end(&mut self, tokens: Vec<Token<'a>>, written: usize) {
        if tokens.is_empty() {
            self.gap = true;
            return;
        }
        let gap = std::mem::take(&mut self.gap);
        self.done.push(Line {
            tokens,
            gap,
            written,
        });
    }

    /// The length of the token that begins a text, and what it is.
    fn next(&self, text: &str) -> (usize, Kind) {
        if text.starts_with("//") {
            return (text.len(), Kind::Comment);
        }
        // Looked for only where it is asked for, as a line may be long.
        let before_comment = |text: &str| text.find("//").unwrap_or(text.len());
        match self.open.last() {
            Some(Block::Rows) if !text.starts_with('}') => {
                let row = &text[..text.find('}').unwrap_or(text.len())];
                return (before_comment(row), Kind::Row);
            }
            Some(Block::Example) if self.list && !text.starts_with(['"', '}']) => {
                let end = text.find([' ', '\t', '\r']).unwrap_or(text.len());
                let word = &text[..before_comment(&text[..end])];
                let bare = match word.strip_suffix('}') {
                    Some(bare) if !bare.contains('{') => bare,
                    _ => word,
                };
                let known = EXAMPLE_WORDS.contains(&bare) || bare == "because";
                return (bare.len(), if known { Kind::Word } else { Kind::Action });
            }
            _ => {}
        }
        let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let word = text.find(|c| !part(c)).unwrap_or(text.len());
        if word > 0 {
            let number = text.starts_with(|c: char| c.is_ascii_digit());
            return (word, if number { Kind::Number } else { Kind::Word });
        }
        if let Some(inner) = text.strip_prefix('"') {
            return (inner.find('"').map_or(text.len(), |n| n + 2), Kind::Text);
        }
        let double = ["..", "<=", ">=", "!="];
        if double.iter().any(|sign| text.starts_with(sign)) {
            return (2, Kind::Sign);
        }
        (text.chars().next().map_or(0, char::len_utf8), Kind::Sign)
    }

    /// Keeps count of brackets; tells what one opens.
    fn bracket(&mut self, sign: &str) -> Option<Block> {
        let opened = match sign {
            "(" => Block::Round,
            "[" => Block::Square,
            "{" => self.braced(),
            ")" | "]" | "}" => {
                self.open.pop();
                self.list = false;
                return None;
            }
            _ => return None,
        };
        self.open.push(opened);
        Some(opened)
    }

    fn braced(&self) -> Block {
        match (self.open.last(), self.item, self.before) {
            (None, _, ["setup", "draw"])
            | (Some(Block::Example), _, [_, "position" | "becomes"]) => Block::Rows,
            (_, _, [_, "trail"]) => Block::Trail,
            (None, _, [_, "graph"]) => Block::Graph,
            (None, "end", _) => Block::Ends,
            (None, "example", _) => Block::Example,
            _ => Block::Statements,
        }
    }

    /// Remembers what the next tokens depend on.
    fn note(&mut self, token: &'a str, kind: Kind, first: bool) {
        if kind == Kind::Comment {
            return;
        }
        if kind == Kind::Word {
            let starts = self.open.is_empty() && first && begins_item(token);
            if starts || (self.open.is_empty() && self.item == "replace") {
                self.item = token;
            }
            if self.open.last() == Some(&Block::Example) {
                self.list = LIST_WORDS.contains(&token);
            }
        }
        self.before = [self.before[1], token];
    }
}

#[cfg(test)]
mod tests {
    use super::{Kind, lines};

    fn kinds(text: &str) -> Vec<(String, Kind)> {
        let tokens = lines(text).into_iter().flat_map(|l| l.tokens);
        tokens.map(|t| (t.text.to_owned(), t.kind)).collect()
    }

    #[test]
    fn a_list_of_actions_holds_any_signs() {
        let found = kinds("example \"x\" {\nplay +a1 *b2 c3xe5(d4)\n =v } // end");
        let actions: Vec<&str> = found
            .iter()
            .filter(|t| t.1 == Kind::Action)
            .map(|t| t.0.as_str())
            .collect();
        assert_eq!(actions, ["+a1", "*b2", "c3xe5(d4)", "=v"]);
        assert_eq!(found.last().unwrap().1, Kind::Comment);
    }

    #[test]
    fn rows_are_taken_whole() {
        let found = kinds("setup draw {\n . k  (ssS) // top\n #\n}");
        let rows: Vec<&str> = found
            .iter()
            .filter(|t| t.1 == Kind::Row)
            .map(|t| t.0.as_str())
            .collect();
        assert_eq!(rows, [". k  (ssS)", "#"]);
    }

    #[test]
    fn texts_hide_comments_and_brackets() {
        let found = kinds("win \"a // {\" when x");
        assert_eq!(found.len(), 4);
        assert_eq!(found[1], ("\"a // {\"".to_owned(), Kind::Text));
    }
}
