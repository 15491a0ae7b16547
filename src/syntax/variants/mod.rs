//! A variant put upon its base: two lists of items in, one out, each item with the text that it comes from. What a variant
//! replaces or removes must be there, and what it adds must not.

mod keys;
mod sourced;

pub use keys::removed;
pub use sourced::Sourced;

use crate::base::{Code, Diagnostic, Diagnostics, Span, nearest};
use crate::syntax::ast::{EndClause, ItemKind, Moment, Name, OptionItem};
use crate::syntax::variants::keys::{Key, clause_name, head, keys, moment_words, target_key};
use crate::syntax::variants::sourced::{Stretch, ends_text, without, without_word};

/// Puts a variant's items upon those of its base.
pub fn merge(
    base: Vec<Sourced>,
    variant: Vec<Sourced>,
    diagnostics: &mut Diagnostics,
) -> Vec<Sourced> {
    let mut merge = Merge {
        // The base's examples speak of the base.
        items: base
            .into_iter()
            .filter(|s| !matches!(s.item.kind, ItemKind::Example(_)))
            .collect(),
        added: Vec::new(),
        diagnostics,
    };
    let above = variant
        .iter()
        .find(|s| matches!(s.item.kind, ItemKind::Variant(_)))
        .map(|s| (s.item.doc.clone(), s.lead()));
    said_twice(&variant, merge.diagnostics);
    for mut one in variant {
        // What stands above the first line of a variant speaks of the game that it makes.
        if let (ItemKind::Game { .. }, Some((doc, lead))) = (&one.item.kind, &above)
            && one.item.doc.is_empty()
        {
            one.item.doc.clone_from(doc);
            one.text.insert(0, Stretch::Copied(*lead));
        }
        merge.take(one);
    }
    let Merge {
        mut items, added, ..
    } = merge;
    // Of several turns the first that fits is played: those that are added are asked first, in their order.
    let is_turn = |s: &Sourced| matches!(s.item.kind, ItemKind::Turn { .. });
    let (turns, others): (Vec<_>, Vec<_>) = added.into_iter().partition(is_turn);
    let at = items.iter().position(is_turn).unwrap_or(items.len());
    items.splice(at..at, turns);
    items.extend(others);
    items
}

/// Complains where a variant changes something that it has changed already: only the last change would count.
fn said_twice(variant: &[Sourced], diagnostics: &mut Diagnostics) {
    let mut seen: Vec<(Key, Span)> = Vec::new();
    for Sourced { item, .. } in variant {
        let changes = match &item.kind {
            ItemKind::Game { .. } | ItemKind::EndChange { .. } => true,
            ItemKind::Option(option) => item.replaces || option.domain.is_empty(),
            ItemKind::End { .. } | ItemKind::Variant(_) | ItemKind::Remove(_) => false,
            _ => item.replaces,
        };
        if !changes {
            continue;
        }
        for key in keys(item) {
            if let Some((_, first)) = seen.iter().find(|(other, _)| *other == key) {
                let text = format!("`{}` is changed twice", key.written());
                let d = Diagnostic::new(Code::RepeatedItem, head(item), text)
                    .here("again here")
                    .and(*first, "first here");
                diagnostics.push(d);
            } else {
                seen.push((key, head(item)));
            }
        }
    }
}

struct Merge<'d> {
    items: Vec<Sourced>,
    added: Vec<Sourced>,
    diagnostics: &'d mut Diagnostics,
}

impl Merge<'_> {
    fn take(&mut self, one: Sourced) {
        match &one.item.kind {
            ItemKind::Variant(_) => {}
            ItemKind::Remove(target) => {
                let (key, span) = (target_key(target), target.span);
                self.remove(&key, span);
            }
            ItemKind::Game { .. } => self.replace_whole(one, &Key::new("game", "")),
            ItemKind::Option(option) if option.domain.is_empty() && !one.item.replaces => {
                self.set_default(&option.clone());
            }
            ItemKind::EndChange { name, clauses } => {
                self.replace_end(&name.clone(), &clauses.clone(), &one);
            }
            ItemKind::End { moment, .. } if one.item.replaces => {
                let moment = *moment;
                self.replace_moment(moment, one);
            }
            _ if one.item.replaces => {
                let keys = keys(&one.item);
                match keys.as_slice() {
                    [key] => self.replace_whole(one, key),
                    several => {
                        for key in several {
                            self.remove(key, head(&one.item));
                        }
                        self.added.push(one);
                    }
                }
            }
            _ => self.add(one),
        }
    }

    /// The keys of everything that is there.
    fn known(&self) -> Vec<Key> {
        self.items.iter().flat_map(|s| keys(&s.item)).collect()
    }

    fn find(&mut self, key: &Key, span: Span) -> Option<usize> {
        let at = self.items.iter().position(|s| keys(&s.item).contains(key));
        if at.is_none() {
            let d = self.missing(key, span);
            self.diagnostics.push(d);
        }
        at
    }

    /// Says that the base has no such thing, and what is like it.
    fn missing(&self, key: &Key, span: Span) -> Diagnostic {
        let known = self.known();
        let names: Vec<&str> = known
            .iter()
            .filter(|k| k.word == key.word)
            .map(|k| k.name.as_str())
            .collect();
        let d = Diagnostic::new(
            Code::NotInBase,
            span,
            format!("the base has no `{}`", key.written()),
        )
        .here("nothing of that name is there to be changed");
        let alike = nearest(&key.name, names.iter().copied());
        match (alike, names.as_slice()) {
            (Some(near), _) => d.help(format!("did you mean `{near}`?")),
            (None, []) => d.help(format!("it has no `{}` at all", key.word)),
            (None, [""]) => d.help(format!("its `{}` has no name", key.word)),
            (None, list) => {
                let mut list: Vec<&str> = list.to_vec();
                list.dedup();
                d.help(format!("it has {}", list.join(", ")))
            }
        }
    }

    fn remove(&mut self, key: &Key, span: Span) {
        if self.find(key, span).is_none() {
            return;
        }
        // Clauses of one name may stand in several places.
        for at in (0..self.items.len()).rev() {
            if keys(&self.items[at].item).contains(key) {
                self.shrink(at, key);
            }
        }
    }

    /// Takes one thing out of an item.
    fn shrink(&mut self, at: usize, key: &Key) {
        match without(&self.items[at].item, key) {
            Some((item, Some(text))) => self.items[at] = Sourced::remade(item, text),
            Some((item, None)) => {
                let text = ends_text(&item);
                self.items[at].item = item;
                self.items[at].text = text;
            }
            None => {
                self.items.remove(at);
            }
        }
    }

    fn replace_whole(&mut self, one: Sourced, key: &Key) {
        let span = head(&one.item);
        // A file with one turn, named or not, has no other that could be meant.
        let turns: Vec<Key> = self
            .known()
            .into_iter()
            .filter(|k| k.word == "turn")
            .collect();
        let key = match turns.as_slice() {
            [only] if key.word == "turn" && key.name.is_empty() => only,
            _ => key,
        };
        let Some(at) = self.find(key, span) else {
            return;
        };
        let mut one = one;
        one.item.replaces = false;
        without_word(&mut one);
        if keys(&self.items[at].item).len() > 1 {
            self.shrink(at, key);
            self.items.insert(at, one);
        } else {
            self.items[at] = one;
        }
    }

    fn set_default(&mut self, option: &OptionItem) {
        let key = Key::new("option", &*option.name.text);
        let Some(at) = self.find(&key, option.name.span) else {
            return;
        };
        let old = &mut self.items[at];
        let ItemKind::Option(there) = &mut old.item.kind else {
            return;
        };
        there.value = option.value.clone();
        if let Some(value) = old.text.get_mut(1) {
            *value = Stretch::Copied(option.value.span);
        }
        if let Some(text) = &option.text {
            // A text stands last.
            let before = there.text.replace(text.clone());
            if let (Some(before), Some(Stretch::Copied(rest))) = (before, old.text.get_mut(2)) {
                rest.end = before.span.start.min(rest.end);
            } else {
                old.text.push(Stretch::Made(" ".to_owned()));
            }
            old.text.push(Stretch::Copied(text.span));
        }
    }

    fn replace_moment(&mut self, moment: Moment, one: Sourced) {
        let same =
            |s: &Sourced| matches!(s.item.kind, ItemKind::End { moment: m, .. } if m == moment);
        let Some(at) = self.items.iter().position(same) else {
            let d = Diagnostic::new(
                Code::NotInBase,
                head(&one.item),
                format!("the base has no `end {}`", moment_words(moment)),
            )
            .here("nothing is there to be changed")
            .help("without `replace` it is added");
            self.diagnostics.push(d);
            return;
        };
        let mut one = one;
        one.item.replaces = false;
        without_word(&mut one);
        self.items[at] = one;
        let mut seen = 0;
        self.items.retain(|s| {
            seen += usize::from(same(s));
            !same(s) || seen == 1
        });
    }

    fn replace_end(&mut self, name: &Name, clauses: &[EndClause], one: &Sourced) {
        if !one.item.replaces {
            let d = Diagnostic::new(
                Code::Misplaced,
                name.span,
                "an end of this name is only replaced",
            )
            .here("expected a moment, such as `end after turn { … }`")
            .help("write `replace` before `end`, or name the moment");
            self.diagnostics.push(d);
            return;
        }
        let key = Key::new("end", &*name.text);
        let Some(at) = self.find(&key, name.span) else {
            return;
        };
        let mut first = true;
        if let ItemKind::End { clauses: there, .. } = &mut self.items[at].item.kind {
            let mut list = Vec::new();
            for clause in there.drain(..) {
                if clause_name(&clause) != name.text {
                    list.push(clause);
                } else if std::mem::take(&mut first) {
                    list.extend(clauses.iter().cloned());
                }
            }
            *there = list;
        }
        self.items[at].text = ends_text(&self.items[at].item);
        for other in (at + 1..self.items.len()).rev() {
            if keys(&self.items[other].item).contains(&key) {
                self.shrink(other, &key);
            }
        }
    }

    fn add(&mut self, one: Sourced) {
        let known = self.known();
        let taken = keys(&one.item)
            .into_iter()
            .find(|k| !["example", "end"].contains(&k.word) && known.contains(k));
        if let Some(key) = taken {
            let there = self
                .items
                .iter()
                .find(|s| keys(&s.item).contains(&key))
                .map_or(Span::default(), |s| head(&s.item));
            let d = Diagnostic::new(
                Code::NameTaken,
                head(&one.item),
                format!("`{}` is in the base already", key.written()),
            )
            .here("declared again here")
            .and(there, "in the base")
            .help(match key.word {
                "require" => format!(
                    "to put this in its place, write `replace require … \"{}\"`",
                    key.name
                ),
                "option" => format!(
                    "`option {} = …` alone gives it another value; to change what it may be, write `replace option {} …`",
                    key.name, key.name
                ),
                _ => format!(
                    "to put this in its place, write `replace {} …`",
                    key.written()
                ),
            });
            self.diagnostics.push(d);
            return;
        }
        self.added.push(one);
    }
}
