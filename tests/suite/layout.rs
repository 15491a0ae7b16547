//! The layout of rule files: shipped files have it, it changes no tree, keeps every comment, and is the same however a text is spaced.

use crate::common::{games, root};
use gambol::base::Source;
use gambol::syntax;
use gambol::tools::rng::Rng;
use proptest::prelude::{ProptestConfig, any, proptest};
use std::path::PathBuf;

/// All whole rule files: the games, the examples, the blocks of the manual.
fn whole() -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let folder = |name: &str| -> Vec<PathBuf> {
        let entries = std::fs::read_dir(root().join(name)).unwrap();
        entries.map(|e| e.unwrap().path()).collect()
    };
    let ends = |p: &PathBuf, ending: &str| p.extension().is_some_and(|e| e == ending);
    let mut files = games();
    files.extend(
        folder("docs/examples")
            .into_iter()
            .filter(|p| ends(p, "game")),
    );
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        found.push((file.display().to_string(), text));
    }
    let pages = folder("docs").into_iter().filter(|p| ends(p, "md"));
    for page in pages.chain([root().join("README.md")]) {
        let text = std::fs::read_to_string(&page).unwrap();
        for (nth, part) in text.split("\n```game\n").skip(1).enumerate() {
            let block = part.split("```").next().unwrap().to_owned();
            found.push((format!("{}, block {}", page.display(), nth + 1), block));
        }
    }
    found.sort();
    found
}

/// About a third of them, by chance: a text takes its time.
fn some(rng: &mut Rng) -> Vec<(String, String)> {
    let mut all = whole();
    all.retain(|_| below(rng, 3) == 0);
    all
}

fn format(name: &str, text: &str) -> String {
    syntax::format(&Source::new(name, text)).unwrap_or_else(|d| panic!("{name}: {d:#?}\n{text}"))
}

fn readable(text: &str) -> bool {
    !syntax::parse_alone(&Source::new("", text)).1.has_errors()
}

/// Where the comment of a line begins, outside of texts.
fn comment(line: &str) -> Option<usize> {
    let mut quoted = false;
    for (at, c) in line.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '/' if !quoted && line[at..].starts_with("//") => return Some(at),
            _ => {}
        }
    }
    None
}

fn comments(text: &str) -> Vec<&str> {
    let found = text.lines().filter_map(|l| comment(l).map(|at| &l[at..]));
    found.map(str::trim_end).collect()
}

/// Formats a text and holds true what holds for every text.
fn held(name: &str, text: &str) -> String {
    let once = format(name, text);
    let tree = |text: &str| syntax::parse_alone(&Source::new(name, text)).0;
    assert!(
        syntax::same_tree(&tree(text), &tree(&once)),
        "{name}: another tree\n{text}\n---\n{once}"
    );
    assert_eq!(comments(text), comments(&once), "{name}");
    assert_eq!(format(name, &once), once, "{name}: formatted twice");
    let lines = |text: &str| text.lines().filter(|l| !l.trim().is_empty()).count();
    assert_eq!(lines(text), lines(&once), "{name}: other lines");
    once
}

/// A number below `n`.
fn below(rng: &mut Rng, n: usize) -> usize {
    rng.index(n).unwrap()
}

fn blank(rng: &mut Rng) -> String {
    let one = |rng: &mut Rng| if below(rng, 5) == 0 { '\t' } else { ' ' };
    (0..=below(rng, 3)).map(|_| one(rng)).collect()
}

/// The same line with other spaces where spaces mean nothing.
fn respace(line: &str, rng: &mut Rng) -> String {
    let code = &line[..comment(line).unwrap_or(line.len())];
    let trimmed = code.trim_start();
    let mut out = String::new();
    // What is indented stays so: a line that is not may begin an item.
    if trimmed.len() < line.len() {
        out.push_str(&blank(rng));
    }
    let signs = "=|,+*/<>{}[]";
    let mut quoted = false;
    let mut chars = trimmed.chars().peekable();
    while let Some(c) = chars.next() {
        quoted ^= c == '"';
        if quoted || c != ' ' {
            if !quoted && [')', ','].contains(&c) && below(rng, 4) == 0 {
                out.push_str(&blank(rng));
            }
            out.push(c);
            if !quoted && ['(', ','].contains(&c) && below(rng, 4) == 0 {
                out.push_str(&blank(rng));
            }
            continue;
        }
        while chars.peek() == Some(&' ') {
            chars.next();
        }
        let beside = |c: Option<char>| c.is_some_and(|c| signs.contains(c));
        let free = beside(out.chars().last()) || beside(chars.peek().copied());
        if !free || below(rng, 2) == 0 {
            out.push_str(&blank(rng));
        }
    }
    out.push_str(&line[code.len()..]);
    if below(rng, 4) == 0 {
        out.push_str(&blank(rng));
    }
    out
}

/// The same text with other spaces and empty lines; pictures of positions and examples stay.
fn respaced(text: &str, rng: &mut Rng) -> String {
    let ending = if below(rng, 4) == 0 { "\r\n" } else { "\n" };
    let mut out = String::new();
    let mut fixed = false;
    for line in text.lines() {
        if line.is_empty() {
            (0..=below(rng, 2)).for_each(|_| out.push_str(ending));
            continue;
        }
        fixed |= line.starts_with("setup draw") || line.starts_with("example");
        out.push_str(&if fixed {
            line.to_owned()
        } else {
            respace(line, rng)
        });
        out.push_str(ending);
        fixed &= !line.starts_with('}');
    }
    out
}

/// The text with comments behind some lines and between some.
fn commented(text: &str, rng: &mut Rng) -> String {
    let mut out = String::new();
    for (at, line) in text.lines().enumerate() {
        out.push_str(line);
        if comment(line).is_none() && below(rng, 4) == 0 {
            out.push_str(&format!("{}// note {at}", blank(rng)));
        }
        out.push('\n');
        if below(rng, 5) == 0 {
            out.push_str(&format!("{}// between {at}  \n", blank(rng)));
        }
    }
    out
}

/// The text with some lines joined and some broken, as far as it can still be read.
fn rejoined(text: &str, rng: &mut Rng) -> String {
    let mut text = text.to_owned();
    for _ in 0..12 {
        let spaces: Vec<usize> = text.match_indices([' ', '\n']).map(|(at, _)| at).collect();
        let at = spaces[below(rng, spaces.len())];
        // The lines of a drawn position are its rows.
        let drawn = |word: &str| {
            let begun = text[..at].rfind(word);
            begun.is_some_and(|begun| text[begun..].find('}').is_none_or(|end| begun + end >= at))
        };
        if drawn("position {") || drawn("becomes {") || drawn("draw {") {
            continue;
        }
        let new = if &text[at..=at] == " " { "\n" } else { " ; " };
        for new in [new, " "] {
            let mut other = text.clone();
            other.replace_range(at..=at, new);
            if readable(&other) {
                text = other;
                break;
            }
        }
    }
    text
}

#[test]
fn shipped_rule_files_have_the_layout() {
    let all = whole();
    assert!(all.len() > 40, "only {} rule files", all.len());
    for (name, text) in all {
        assert_eq!(
            held(&name, &text),
            text,
            "{name} is not in the layout: gambol fmt"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn spaces_do_not_matter(seed in any::<u64>()) {
        let mut rng = Rng::new(seed);
        for (name, text) in some(&mut rng) {
            let mangled = respaced(&text, &mut rng);
            assert_eq!(held(&name, &mangled), text, "{name}:\n{mangled}");
        }
    }

    #[test]
    fn comments_stay(seed in any::<u64>()) {
        let mut rng = Rng::new(seed);
        let mut notes = 0;
        for (name, text) in some(&mut rng) {
            let mangled = respaced(&commented(&text, &mut rng), &mut rng);
            notes += held(&name, &mangled).matches("// note").count();
        }
        assert!(notes > 30, "only {notes} notes");
    }

    #[test]
    fn lines_may_end_anywhere(seed in any::<u64>()) {
        let mut rng = Rng::new(seed);
        let mut changed = 0;
        for (name, text) in some(&mut rng) {
            changed += usize::from(held(&name, &rejoined(&text, &mut rng)) != text);
        }
        assert!(changed > 10, "only {changed} texts have other lines");
    }
}
