//! What would have been stored on a way, were it not for many positions at once: nothing is stored in memory, and what is not here is
//! there. What is logged can be taken back.

use crate::compile::kernel::summed::values::{Many, Num};
use std::collections::BTreeMap;
use std::rc::Rc;

/// What stands in a word of memory.
#[derive(Clone, PartialEq, Debug)]
enum Slot {
    /// A word.
    Word(Num),
    /// A set, of which this is the first word.
    Set(Many),
    /// A later word of a set.
    Later,
    /// It is not known what.
    Lost,
}

/// What was stored.
#[derive(Clone, PartialEq, Debug)]
pub struct Memory {
    /// Words of a set.
    words: u32,
    slots: Rc<BTreeMap<u32, Slot>>,
    /// What was there before.
    log: Rc<Vec<(u32, Option<Slot>)>>,
}

impl Memory {
    /// Where nothing was stored; sets have so many words.
    pub fn new(words: u32) -> Memory {
        Memory {
            words,
            slots: Rc::default(),
            log: Rc::default(),
        }
    }

    /// The word at a place, when something was stored there.
    pub fn word(&self, at: u32) -> Option<Num> {
        self.slots.get(&at).map(|slot| match slot {
            Slot::Word(num) => num.clone(),
            Slot::Set(_) | Slot::Later | Slot::Lost => Num::Unknown,
        })
    }

    /// The set at a place, when something was stored there.
    pub fn set(&self, at: u32) -> Option<Many> {
        if let Some(Slot::Set(set)) = self.slots.get(&at) {
            return Some(*set);
        }
        let touched = self.slots.range(at..at + self.words).next();
        touched.map(|_| Many::Unknown)
    }

    /// Whether nothing was stored from a place to before another.
    pub fn is_untouched(&self, from: u32, to: u32) -> bool {
        self.slots.range(from..to).next().is_none()
    }

    /// Stores a word.
    pub fn store(&mut self, at: u32, num: Num) {
        self.put(at, Some(Slot::Word(num)));
    }

    /// Stores a set.
    pub fn store_set(&mut self, at: u32, set: Many) {
        (at..at + self.words).for_each(|at| self.put(at, Some(Slot::Later)));
        Rc::make_mut(&mut self.slots).insert(at, Slot::Set(set));
    }

    /// Something was stored somewhere from one place to before another.
    pub fn lose(&mut self, from: u32, to: u32) {
        (from..to).for_each(|at| self.put(at, Some(Slot::Lost)));
    }

    /// Stores a word and notes what was there. Whether it can be told.
    pub fn store_logged(&mut self, at: u32, num: Num) -> bool {
        let before = self.slots.get(&at).cloned();
        if matches!(before, Some(Slot::Set(_) | Slot::Later)) {
            return false;
        }
        Rc::make_mut(&mut self.log).push((at, before));
        self.store(at, num);
        true
    }

    /// How long the log is.
    pub fn logged(&self) -> usize {
        self.log.len()
    }

    /// Forgets what was noted.
    pub fn forget_log(&mut self) {
        self.log = Rc::default();
    }

    /// Takes back what was noted since the log was so long.
    pub fn undo(&mut self, since: usize) {
        while self.log.len() > since {
            if let Some((at, before)) = Rc::make_mut(&mut self.log).pop() {
                self.put(at, before);
            }
        }
    }

    /// Whether words and sets are all such.
    pub fn all(&self, num: impl Fn(&Num) -> bool, many: impl Fn(Many) -> bool) -> bool {
        let is = |slot: &Slot| match slot {
            Slot::Word(word) => num(word),
            Slot::Set(set) => many(*set),
            Slot::Later | Slot::Lost => true,
        };
        let log = self.log.iter().filter_map(|(_, before)| before.as_ref());
        self.slots.values().chain(log).all(is)
    }

    /// Whether it is the very same as another.
    pub fn is(&self, other: &Memory) -> bool {
        Rc::ptr_eq(&self.slots, &other.slots) && Rc::ptr_eq(&self.log, &other.log)
    }

    /// One word; a set of which it was one is lost.
    fn put(&mut self, at: u32, slot: Option<Slot>) {
        let words = self.words;
        let slots = Rc::make_mut(&mut self.slots);
        if matches!(slots.get(&at), Some(Slot::Set(_) | Slot::Later)) {
            let first = (0..words).find(|back| {
                let head = at.checked_sub(*back).and_then(|at| slots.get(&at));
                matches!(head, Some(Slot::Set(_)))
            });
            let first = at - first.unwrap_or(0);
            for word in first..first + words {
                slots.insert(word, Slot::Lost);
            }
        }
        match slot {
            Some(slot) => slots.insert(at, slot),
            None => slots.remove(&at),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::Memory;
    use crate::compile::kernel::fun::{ALL, NO, NONE, YES};
    use crate::compile::kernel::summed::values::{Many, Num};

    #[test]
    fn a_word_within_a_set_makes_it_lost() {
        let mut memory = Memory::new(2);
        memory.store_set(4, Many::Same(ALL));
        memory.store_set(6, Many::Same(NONE));
        assert_eq!(memory.set(4), Some(Many::Same(ALL)));
        assert_eq!(memory.word(5), Some(Num::Unknown));
        assert_eq!(memory.set(3), Some(Many::Unknown));
        memory.store(5, Num::Same(NO));
        assert_eq!(memory.set(4), Some(Many::Unknown));
        assert_eq!(memory.word(4), Some(Num::Unknown));
        assert_eq!(memory.word(5), Some(Num::Same(NO)));
        assert_eq!(memory.set(6), Some(Many::Same(NONE)));
        memory.store_set(5, Many::Same(ALL));
        assert_eq!(memory.set(6), Some(Many::Unknown));
        assert_eq!(memory.set(5), Some(Many::Same(ALL)));
        assert_eq!(memory.word(8), None);
    }

    #[test]
    fn what_was_noted_comes_back() {
        let mut memory = Memory::new(1);
        memory.store(3, Num::Same(YES));
        let before = memory.clone();
        assert!(memory.store_logged(3, Num::Unknown));
        assert!(memory.store_logged(7, Num::Cell(1)));
        assert_eq!(memory.logged(), 2);
        memory.undo(1);
        assert_eq!(memory.word(7), None);
        assert_eq!(memory.word(3), Some(Num::Unknown));
        memory.undo(0);
        assert_eq!(memory, before);
        memory.store_set(3, Many::Same(ALL));
        assert!(!memory.store_logged(3, Num::Unknown));
    }
}
