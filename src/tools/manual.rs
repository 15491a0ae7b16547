//! The manual of diagnostics: `docs/errors.md` in, a page for each code out. Printing them is not done here.
//!
//! A page is a section `## code` of that file: prose, then a block marked `wrong` and one marked `right`. What stands
//! behind the word `wrong` are settings of options, `name=value`, under which that example is wrong.

use crate::base::{CODES, CodeInfo, nearest};

/// The whole text of the manual.
pub const TEXT: &str = include_str!("../../docs/errors.md");

/// A whole rule file that shows something.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Example {
    /// The file.
    pub text: String,
    /// The options that are set, as names and texts.
    pub settings: Vec<(String, String)>,
}

/// What the manual says of one code.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Page {
    /// The heading: the name of a code.
    pub name: String,
    /// The prose: paragraphs with an empty line between them.
    pub text: String,
    /// A file in which the code is found.
    pub wrong: Option<Example>,
    /// The same file, mended.
    pub right: Option<Example>,
}

/// The row of the table for the code of that name.
#[must_use]
pub fn code(name: &str) -> Option<&'static CodeInfo> {
    CODES.iter().find(|info| info.name == name)
}

/// The names of codes that may have been meant: the one nearest in spelling, else those that hold what was written.
#[must_use]
pub fn near_codes(written: &str) -> Vec<&'static str> {
    let written = written.to_ascii_lowercase().replace(['_', ' '], "-");
    let names = || CODES.iter().map(|info| info.name);
    if let Some(near) = nearest(&written, names()) {
        return vec![near];
    }
    names()
        .filter(|name| written.len() > 2 && name.contains(&written))
        .collect()
}

/// The page of the code of that name.
#[must_use]
pub fn page(name: &str) -> Option<Page> {
    pages(TEXT).into_iter().find(|page| page.name == name)
}

/// All pages of a text that is written as `docs/errors.md` is.
#[must_use]
pub fn pages(text: &str) -> Vec<Page> {
    let mut pages: Vec<Page> = Vec::new();
    let mut block: Option<Example> = None;
    let mut mark = "";
    for line in text.lines() {
        if let Some(example) = &mut block {
            if line.starts_with("```") {
                let example = block.take();
                match (pages.last_mut(), mark) {
                    (Some(page), "wrong") => page.wrong = example,
                    (Some(page), "right") => page.right = example,
                    _ => {}
                }
            } else {
                example.text.push_str(line);
                example.text.push('\n');
            }
        } else if let Some(name) = line.strip_prefix("## ") {
            pages.push(Page {
                name: name.trim().to_owned(),
                ..Page::default()
            });
        } else if let Some(info) = line.strip_prefix("```") {
            let mut words = info.split_whitespace();
            mark = words.next().unwrap_or("");
            block = Some(Example {
                text: String::new(),
                settings: words.filter_map(setting).collect(),
            });
        } else if let Some(page) = pages.last_mut() {
            page.text.push_str(line);
            page.text.push('\n');
        }
    }
    for page in &mut pages {
        let paragraphs = page.text.split("\n\n").map(str::trim);
        let paragraphs: Vec<&str> = paragraphs.filter(|p| !p.is_empty()).collect();
        page.text = paragraphs.join("\n\n");
    }
    pages
}

fn setting(word: &str) -> Option<(String, String)> {
    let (name, value) = word.split_once('=')?;
    Some((name.to_owned(), value.to_owned()))
}

#[cfg(test)]
mod tests {
    use crate::tools::manual::{code, near_codes, page, pages};

    #[test]
    fn a_section_is_a_page() {
        let text = "# Title\n\n```text\n## no heading\n```\n\n## one\n\nFirst\nline.\n\nSecond.\n\n```wrong a=1 b=2\ngame\n\n  x\n```\n\nAfter.\n\n```right\ngame\n```\n\n## two\n";
        let [one, two] = <[_; 2]>::try_from(pages(text)).unwrap();
        assert_eq!(one.name, "one");
        assert_eq!(one.text, "First\nline.\n\nSecond.\n\nAfter.");
        let wrong = one.wrong.unwrap();
        assert_eq!(wrong.text, "game\n\n  x\n");
        let set = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(wrong.settings, [set("a", "1"), set("b", "2")]);
        assert_eq!(one.right.unwrap().settings, []);
        assert_eq!((two.name.as_str(), two.text.as_str()), ("two", ""));
        assert_eq!((two.wrong, two.right), (None, None));
    }

    #[test]
    fn blocks_that_are_never_closed_are_left_out() {
        let pages = pages("## one\n```wrong\ngame\n");
        assert_eq!((pages.len(), &pages[0].wrong), (1, &None));
        assert_eq!(super::pages("```\n```wrong\n```"), []);
    }

    #[test]
    fn codes_are_found_and_guessed() {
        assert!(code("syntax").is_some() && page("syntax").is_some());
        assert!(code("Syntax").is_none() && page("syntax-").is_none());
        assert_eq!(near_codes("unkown-name"), ["unknown-name"]);
        assert_eq!(near_codes("Unknown_Name"), ["unknown-name"]);
        assert_eq!(near_codes("palin"), ["palindrome"]);
        assert_eq!(near_codes("truth"), ["set-or-truth"]);
        assert_eq!(
            near_codes("endless"),
            ["endless-rule", "endless-repeat", "endless-variant"]
        );
        assert_eq!(near_codes("mistaken"), Vec::<&str>::new());
        assert_eq!(near_codes(""), Vec::<&str>::new());
    }
}
