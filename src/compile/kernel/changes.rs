//! What functions change of the state, and whether they note it: who takes an action back then need not bring back every word. Reads
//! functions, changes nothing.

use crate::compile::kernel::sole::logs;
use crate::compile::kernel::tidy::reached;
use crate::program::kernel::{FuncId, Function, Place, Room, Stmt, called, each_statement};

/// For each function whether it, or one that it calls, notes what it changes.
pub fn loggers(functions: &[Function]) -> Vec<bool> {
    with_callers(functions, functions.iter().map(|f| logs(&f.body)).collect())
}

/// For each function whether it was found, or one that it calls.
pub fn with_callers(functions: &[Function], mut found: Vec<bool>) -> Vec<bool> {
    if !found.contains(&true) {
        return found;
    }
    let calls: Vec<Vec<FuncId>> = functions.iter().map(|f| called(&f.body)).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for (at, calls) in calls.iter().enumerate() {
            if !found[at] && calls.iter().any(|id| found[id.0 as usize]) {
                found[at] = true;
                changed = true;
            }
        }
    }
    found
}

/// The words of the state that functions, and those that they call, may change without a note, ascending; nothing when it is not
/// known which.
pub fn unnoted(functions: &[Function], asked: Vec<FuncId>, room: &Room) -> Option<Vec<u32>> {
    let reached = reached(functions, asked);
    let (mut words, mut known) = (Vec::new(), true);
    let mut change = |place: &Place, many: u32| match place.index {
        _ if place.base >= room.kept => {}
        None => words.extend(place.base..place.base + many),
        Some(_) => known = false,
    };
    for (function, _) in functions
        .iter()
        .zip(reached)
        .filter(|(_, reached)| *reached)
    {
        each_statement(&function.body, &mut |stmt| match stmt {
            Stmt::Store(place, _) => change(place, 1),
            Stmt::StoreSet(place, _) => change(place, room.words),
            _ => {}
        });
    }
    words.sort_unstable();
    words.dedup();
    known.then_some(words)
}

/// Whether a function, or one that it calls, may change a word of the state.
pub fn may_change(functions: &[Function], id: FuncId, word: u32, room: &Room) -> bool {
    let mut found = false;
    for (function, _) in functions
        .iter()
        .zip(reached(functions, vec![id]))
        .filter(|(_, reached)| *reached)
    {
        each_statement(&function.body, &mut |stmt| {
            let (place, many) = match stmt {
                Stmt::Store(place, _) | Stmt::StoreLogged(place, _) => (place, 1),
                Stmt::StoreSet(place, _) => (place, room.words),
                _ => return,
            };
            found |= place.base <= word && (place.index.is_some() || word < place.base + many);
        });
    }
    found
}

/// The words of memory that a statement itself may change, not one that stands in it; from, to.
pub fn changed(stmt: &Stmt, room: &Room) -> Option<(u32, u32)> {
    let (place, words) = match stmt {
        Stmt::Store(place, _) | Stmt::StoreLogged(place, _) => (place, 1),
        Stmt::StoreSet(place, _) => (place, room.words),
        Stmt::Call(..) | Stmt::Undo(_) | Stmt::Leaf(_) | Stmt::Leaves(..) | Stmt::Tally(_) => {
            return Some((0, u32::MAX));
        }
        _ => return None,
    };
    Some(span(place, words, room))
}

/// Between which words of memory so many words at a place lie.
pub fn span(place: &Place, words: u32, room: &Room) -> (u32, u32) {
    match place.index {
        None => (place.base, place.base + words),
        // The pile of a cell, or the one that is up.
        Some((_, 1)) if place.base == room.piles => (room.piles, room.tall),
        Some(_) => (place.base, u32::MAX),
    }
}

#[cfg(test)]
mod tests {
    use super::{loggers, unnoted};
    use crate::program::kernel::{FuncId, Function, Place, Room, S, Stmt, W};

    fn function(body: Vec<Stmt>) -> Function {
        Function {
            name: String::new(),
            params: Vec::new(),
            words: 1,
            sets: 1,
            body,
        }
    }

    fn at(base: u32) -> Place {
        Place { base, index: None }
    }

    fn call(id: u32) -> Stmt {
        Stmt::Call(FuncId(id), Vec::new(), None)
    }

    #[test]
    fn who_calls_what_notes_its_changes_notes_them() {
        let functions = [
            function(vec![call(1)]),
            function(vec![Stmt::If(W(0), vec![call(2)], Vec::new())]),
            function(vec![Stmt::StoreLogged(at(3), W(0))]),
            function(vec![Stmt::Store(at(3), W(0))]),
        ];
        assert_eq!(loggers(&functions), [true, true, true, false]);
    }

    #[test]
    fn words_that_may_change_without_a_note_are_known_unless_one_is_computed() {
        let room = Room {
            kept: 10,
            words: 2,
            ..Room::default()
        };
        let computed = Place {
            base: 4,
            index: Some((W(0), 1)),
        };
        let mut functions = vec![
            function(vec![call(1), Stmt::StoreLogged(computed, W(0))]),
            function(vec![Stmt::StoreSet(at(6), S(0)), Stmt::Store(at(3), W(0))]),
            function(vec![Stmt::Store(at(10), W(0)), Stmt::Store(at(1), W(0))]),
        ];
        let of = |functions: &[Function], id| unnoted(functions, vec![FuncId(id)], &room);
        assert_eq!(of(&functions, 0), Some(vec![3, 6, 7]));
        assert_eq!(of(&functions, 2), Some(vec![1]), "no word of the state");
        functions[1].body.push(Stmt::Store(computed, W(0)));
        assert_eq!(of(&functions, 0), None);
    }
}
