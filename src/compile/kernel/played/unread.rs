//! What is left of the way to an action for whom plays it is not stored where nobody reads it: a random game in, the same game out.
//! Conditions: neither the game nor what it calls loads that word of the way, nor one that is not told apart from it, nor takes down
//! an action.

use crate::compile::kernel::tidy;
use crate::program::kernel::{Body, FuncId, Kernel, Set, Stmt, Word, each_statement};

/// Stores no more of ways to actions than is read.
pub fn forget(kernel: &mut Kernel, game: FuncId) {
    let room = kernel.room;
    let way = room.path..room.text;
    let (mut read, mut all) = (vec![false; way.len()], false);
    let reached = tidy::reached(&kernel.functions, vec![game]);
    for (function, _) in kernel.functions.iter().zip(reached).filter(|(_, r)| *r) {
        each_statement(&function.body, &mut |stmt| {
            let (place, words) = match stmt {
                Stmt::Let(_, Word::Load(place)) => (place, 1),
                Stmt::LetSet(_, Set::Load(place)) => (place, room.words),
                Stmt::Leaf(_) | Stmt::Leaves(..) => {
                    all = true;
                    return;
                }
                _ => return,
            };
            if way.contains(&place.base) {
                all |= place.index.is_some();
                let from = (place.base - way.start) as usize;
                read.iter_mut()
                    .skip(from)
                    .take(words as usize)
                    .for_each(|read| *read = true);
            }
        });
    }
    if !all {
        let unread = |at: u32| way.contains(&at) && !read[(at - way.start) as usize];
        drop_stores(&mut kernel.functions[game.0 as usize].body, &unread);
    }
}

fn drop_stores(body: &mut Body, unread: &impl Fn(u32) -> bool) {
    body.retain(|stmt| {
        !matches!(stmt, Stmt::Store(place, _) if place.index.is_none() && unread(place.base))
    });
    for inner in body.iter_mut().flat_map(Stmt::bodies_mut) {
        drop_stores(inner, unread);
    }
}
