//! Options: defaults, the values that were set, and what is wrong with those.

use crate::base::{Code, Diagnostic, Diagnostics, Span, nearest};
use crate::model::convert::{Term, number};
use crate::model::resolver::Resolver;
use crate::program::{OptionValue, Truth};
use crate::syntax::ast::{Domain, File, ItemKind, OptionItem};
use std::cell::Cell;

/// The value of an option that may be a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The option.
    pub option: String,
    /// The word, when it is one.
    pub word: Option<String>,
    /// The number, when it is one.
    pub number: Option<i64>,
}

impl Choice {
    /// The value as text.
    pub fn text(&self) -> String {
        match (&self.word, self.number) {
            (Some(word), _) => word.clone(),
            (None, Some(n)) => n.to_string(),
            (None, None) => String::new(),
        }
    }
}

struct Entry<'f> {
    item: &'f OptionItem,
    doc: &'f str,
    value: Choice,
    used: Cell<bool>,
}

/// All options of a file with the values in force.
pub struct Options<'f> {
    entries: Vec<Entry<'f>>,
}

impl<'f> Options<'f> {
    /// Applies settings to the options of a file.
    pub fn resolve(
        file: &'f File,
        settings: &[(String, String)],
        diagnostics: &mut Diagnostics,
    ) -> Options<'f> {
        let mut entries: Vec<Entry<'f>> = Vec::new();
        for item in &file.items {
            let ItemKind::Option(option) = &item.kind else {
                continue;
            };
            if let Some(first) = entries
                .iter()
                .find(|e| e.item.name.text == option.name.text)
            {
                diagnostics.push(
                    Diagnostic::new(
                        Code::NameTaken,
                        option.name.span,
                        format!("two options are called `{}`", option.name.text),
                    )
                    .here("again here")
                    .and(first.item.name.span, "first here"),
                );
                continue;
            }
            let value = value_of(option, &option.value.text).unwrap_or_else(|d| {
                // An empty range has been reported already.
                if !option
                    .domain
                    .iter()
                    .any(|d| matches!(d, Domain::Range(a, b) if a > b))
                {
                    diagnostics.push(d.at(option.value.span));
                }
                fallback(option)
            });
            entries.push(Entry {
                item: option,
                doc: &item.doc,
                value,
                used: Cell::new(false),
            });
        }
        for (name, text) in settings {
            let Some(entry) = entries.iter_mut().find(|e| e.item.name.text == *name) else {
                diagnostics.push(unknown_option(name, &entries));
                continue;
            };
            match value_of(entry.item, text) {
                Ok(value) => entry.value = value,
                Err(d) => diagnostics.push(d),
            }
        }
        Options { entries }
    }

    fn entry(&self, name: &str) -> Option<&Entry<'f>> {
        self.entries.iter().find(|e| e.item.name.text == name)
    }

    /// Whether there is an option of that name.
    pub fn has(&self, name: &str) -> bool {
        self.entry(name).is_some()
    }

    /// The names of all options.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|e| e.item.name.text.as_str())
    }

    /// What the name of an option means.
    pub fn term(&self, name: &str) -> Option<Term> {
        let entry = self.entry(name)?;
        entry.used.set(true);
        let words = entry
            .item
            .domain
            .iter()
            .any(|d| matches!(d, Domain::Word(_)));
        Some(match entry.value.number {
            Some(n) if !words => number(n),
            _ => Term::Choice(entry.value.clone()),
        })
    }

    /// The words that an option may be.
    pub fn words_of(&self, name: &str) -> Vec<&str> {
        let domain = self
            .entry(name)
            .map(|e| e.item.domain.as_slice())
            .unwrap_or_default();
        domain
            .iter()
            .filter_map(|d| {
                if let Domain::Word(w) = d {
                    Some(w.as_str())
                } else {
                    None
                }
            })
            .collect()
    }

    /// The options that are named nowhere.
    pub fn unused(&self) -> impl Iterator<Item = &OptionItem> {
        self.entries
            .iter()
            .filter(|e| !e.used.get())
            .map(|e| e.item)
    }

    /// The options as data.
    pub fn values(&self) -> Vec<OptionValue> {
        self.entries
            .iter()
            .map(|e| OptionValue {
                name: e.item.name.text.clone(),
                value: e.value.text(),
                default: e.item.value.text.clone(),
                domain: domain_text(e.item),
                text: e
                    .item
                    .text
                    .as_ref()
                    .map_or_else(|| e.doc.to_owned(), |t| t.text.clone()),
            })
            .collect()
    }
}

fn choice(option: &OptionItem, text: &str) -> Choice {
    let number = text.parse::<i64>().ok();
    let word = if number.is_none() {
        Some(text.to_owned())
    } else {
        None
    };
    Choice {
        option: option.name.text.clone(),
        word,
        number,
    }
}

/// What stands for a default that is none: the nearest value, so that nothing else is wrong because of it.
fn fallback(option: &OptionItem) -> Choice {
    let written = choice(option, &option.value.text);
    let near = |n: i64| {
        let ends = option.domain.iter().flat_map(|d| match d {
            Domain::Range(low, high) => vec![*low, *high],
            Domain::Word(_) => Vec::new(),
        });
        ends.filter(|end| value_of(option, &end.to_string()).is_ok())
            .min_by_key(|end| end.abs_diff(n))
    };
    let number = written.number.map_or_else(|| near(0), near);
    let word = option.domain.iter().find_map(|d| match d {
        Domain::Word(word) => Some(word.clone()),
        Domain::Range(..) => None,
    });
    match (number, word) {
        (Some(n), _) if written.number.is_some() => choice(option, &n.to_string()),
        (_, Some(word)) => choice(option, &word),
        (Some(n), None) => choice(option, &n.to_string()),
        (None, None) => written,
    }
}

fn domain_text(option: &OptionItem) -> String {
    let parts: Vec<String> = option
        .domain
        .iter()
        .map(|d| match d {
            Domain::Word(w) => w.clone(),
            Domain::Range(a, b) if a == b => a.to_string(),
            Domain::Range(a, b) => format!("{a}..{b}"),
        })
        .collect();
    let by = if option.by > 1 {
        format!(" by {}", option.by)
    } else {
        String::new()
    };
    format!("{}{by}", parts.join(", "))
}

fn value_of(option: &OptionItem, text: &str) -> Result<Choice, Diagnostic> {
    let value = choice(option, text);
    let by = i64::from(option.by);
    let fits = option.domain.iter().any(|d| match (d, value.number) {
        (Domain::Word(w), None) => w == text,
        (Domain::Range(a, b), Some(n)) => (*a..=*b).contains(&n) && (n - a) % by == 0,
        (Domain::Word(_), Some(_)) | (Domain::Range(..), None) => false,
    });
    if fits {
        Ok(value)
    } else {
        Err(refused(option, &value, text))
    }
}

fn refused(option: &OptionItem, value: &Choice, text: &str) -> Diagnostic {
    let name = &option.name.text;
    let words: Vec<&str> = option
        .domain
        .iter()
        .filter_map(|d| {
            if let Domain::Word(w) = d {
                Some(w.as_str())
            } else {
                None
            }
        })
        .collect();
    let d = Diagnostic::new(
        Code::BadOption,
        Span::default(),
        format!("`{name}` cannot be `{text}`"),
    )
    .here(format!("it may be {}", domain_text(option)));
    let near: Vec<i64> = value
        .number
        .map(|n| nearest_numbers(option, n))
        .unwrap_or_default();
    match (near.as_slice(), nearest(text, words)) {
        ([], Some(word)) => d.help(format!(
            "did you mean `{name}={word}`? it may be {}",
            domain_text(option)
        )),
        ([], None) => d.help(format!("it may be {}", domain_text(option))),
        ([n], _) => d.help(format!(
            "the nearest value is {n}; it may be {}",
            domain_text(option)
        )),
        (list, _) => {
            let list: Vec<String> = list.iter().map(i64::to_string).collect();
            d.help(format!(
                "the nearest values are {}; it may be {}",
                list.join(" and "),
                domain_text(option)
            ))
        }
    }
}

/// The allowed numbers next to one that is not allowed: the one below and the one above.
fn nearest_numbers(option: &OptionItem, n: i64) -> Vec<i64> {
    let by = i64::from(option.by);
    let ranges = option.domain.iter().filter_map(|d| {
        if let Domain::Range(a, b) = d {
            Some((*a, *b))
        } else {
            None
        }
    });
    let mut below: Option<i64> = None;
    let mut above: Option<i64> = None;
    for (a, b) in ranges {
        let last = a + (b - a) / by * by;
        let low = if n < a {
            None
        } else {
            Some((a + (n - a) / by * by).min(last))
        };
        let high = if n > last {
            None
        } else {
            Some(low.map_or(a, |l| l + by).min(last))
        };
        below = below.max(low.filter(|l| *l < n));
        above = match (above, high.filter(|h| *h > n)) {
            (Some(x), Some(y)) => Some(x.min(y)),
            (x, y) => x.or(y),
        };
    }
    below.into_iter().chain(above).collect()
}

fn unknown_option(name: &str, entries: &[Entry<'_>]) -> Diagnostic {
    let names: Vec<&str> = entries.iter().map(|e| e.item.name.text.as_str()).collect();
    let d = Diagnostic::new(
        Code::UnknownOption,
        Span::default(),
        format!("the game has no option `{name}`"),
    );
    match nearest(name, names.iter().copied()) {
        Some(near) => d.help(format!("did you mean `{near}`?")),
        None if names.is_empty() => d.help("it has no options"),
        None => d.help(format!("its options are {}", names.join(", "))),
    }
}

impl Diagnostic {
    /// The same finding at a place.
    #[must_use]
    pub fn at(mut self, span: Span) -> Diagnostic {
        self.label.span = span;
        self
    }
}

impl Resolver<'_> {
    /// The conditions that the options together must fulfil.
    pub fn conditions(&mut self, file: &File) {
        for item in &file.items {
            let ItemKind::Require { test, reason } = &item.kind else {
                continue;
            };
            match self.truth(test) {
                Some(Truth::Const(true)) | None => {}
                Some(Truth::Const(false)) => {
                    let now: Vec<String> = self
                        .options
                        .values()
                        .iter()
                        .map(|o| format!("{}={}", o.name, o.value))
                        .collect();
                    self.report(
                        Diagnostic::new(Code::OptionRefused, test.span, reason.text.clone())
                            .here(format!("does not hold for {}", now.join(" ")))
                            .help("choose other values with --set"),
                    );
                }
                Some(_) => {
                    self.not_fixed::<()>("the condition", test.span);
                }
            }
        }
    }
}
