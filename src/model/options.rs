//! Options: defaults, the values that were set, and what is wrong with those.

use crate::base::{Code, Diagnostic, Diagnostics, Span, nearest};
use crate::model::convert::{Term, number};
use crate::model::written::source_of;
use crate::program::OptionValue;
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
    /// Whether a setting gave it another value than its default.
    set: bool,
    /// Whether its condition does not hold.
    idle: bool,
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
            if option.domain.is_empty() {
                diagnostics.push(without_range(option));
            }
            let value = value_of(option, &option.value.text).unwrap_or_else(|d| {
                // An empty range, or none, has been reported already.
                if !option.domain.is_empty()
                    && !option
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
                set: false,
                idle: false,
            });
        }
        for (name, text) in settings {
            let Some(entry) = entries.iter_mut().find(|e| e.item.name.text == *name) else {
                diagnostics.push(unknown_option(name, &entries));
                continue;
            };
            match value_of(entry.item, text) {
                Ok(value) => {
                    entry.value = value;
                    entry.set = entry.value.text() != entry.item.value.text;
                }
                Err(d) => diagnostics.push(d),
            }
        }
        Options { entries }
    }

    fn entry(&self, name: &str) -> Option<&Entry<'f>> {
        self.entries.iter().find(|e| e.item.name.text == name)
    }

    /// The options with conditions: their numbers, the conditions, and whether they were set.
    pub fn conditional(&self) -> Vec<(usize, &'f OptionItem, bool)> {
        let entries = self.entries.iter().enumerate();
        entries
            .filter(|(_, e)| e.item.when.is_some())
            .map(|(i, e)| (i, e.item, e.set))
            .collect()
    }

    /// Notes that an option's condition does not hold.
    pub fn set_idle(&mut self, number: usize) {
        self.entries[number].idle = true;
    }

    /// How many options there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Gives an option another value; gives the old one back.
    pub fn exchange(&mut self, number: usize, value: Choice) -> Choice {
        std::mem::replace(&mut self.entries[number].value, value)
    }

    /// The values that an option may have besides the one in force, the nearest first, not more than `most`.
    pub fn others(&self, number: usize, most: usize) -> Vec<Choice> {
        let entry = &self.entries[number];
        let by = i64::from(entry.item.by);
        let mut found: Vec<(i64, Choice)> = Vec::new();
        for part in &entry.item.domain {
            match (part, entry.value.number) {
                (Domain::Range(low, high), Some(now)) => {
                    let first = low + ((now - low) / by - most as i64).max(0) * by;
                    let values = (0..2 * most as i64).map(|i| first + i * by);
                    let values = values.filter(|v| (*low..=*high).contains(v) && *v != now);
                    found.extend(
                        values.map(|v| ((v - now).abs(), choice(entry.item, &v.to_string()))),
                    );
                }
                (Domain::Range(low, _), None) => {
                    found.push((1, choice(entry.item, &low.to_string())));
                }
                (Domain::Word(word), _) => {
                    if entry.value.word.as_ref() != Some(word) {
                        found.push((1, choice(entry.item, word)));
                    }
                }
            }
        }
        found.sort_by_key(|(distance, choice)| (*distance, choice.number));
        found.into_iter().map(|(_, c)| c).take(most).collect()
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

    /// Which options have been named by now.
    pub fn named(&self) -> Vec<bool> {
        self.entries.iter().map(|e| e.used.get()).collect()
    }

    /// Forgets which options were named since they were asked for.
    pub fn forget_since(&self, named: &[bool]) {
        for (entry, used) in self.entries.iter().zip(named) {
            entry.used.set(*used);
        }
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
                when: e.item.when.as_ref().map(source_of),
                idle: e.idle,
                text: e
                    .item
                    .text
                    .as_ref()
                    .map_or_else(|| e.doc.to_owned(), |t| t.text.clone()),
            })
            .collect()
    }
}

fn without_range(option: &OptionItem) -> Diagnostic {
    let value = &option.value;
    let range = match value.text.parse::<i64>() {
        Ok(n) => format!("{} in {}..{}", value.text, (n - 2).max(0), n + 2),
        Err(_) => format!("{} in {}, other", value.text, value.text),
    };
    Diagnostic::new(
        Code::Syntax,
        value.span,
        format!(
            "the option `{}` does not say what it may be",
            option.name.text
        ),
    )
    .here("expected `in` and a range or words behind the default")
    .help(format!(
        "for example: option {} = {range}",
        option.name.text
    ))
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
