//! Which functions are counted while they are open, so that not too many are and the stack has room for all. In: what each function
//! calls. Out: one of each circle in which functions call themselves, and of others so many that only a few that are not counted stand
//! above each other.

use crate::program::kernel::{FuncId, Function, called};

/// So many functions may stand above each other without one that is counted: together they must fit on what an engine leaves free of the
/// stack.
const FEW: usize = 6;

/// How many functions can stand above each other from one on, itself included, until one is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Height {
    Unknown,
    /// It is being found out.
    Open,
    Steady(usize),
    Counted,
}

/// For each function whether [`Room::depth`](super::Room::depth) counts it while it is open.
#[must_use]
pub fn counted(functions: &[Function]) -> Vec<bool> {
    let callees: Vec<Vec<FuncId>> = functions.iter().map(|f| called(&f.body)).collect();
    let mut heights = vec![Height::Unknown; functions.len()];
    for id in 0..functions.len() as u32 {
        find(FuncId(id), &callees, &mut heights);
    }
    heights.iter().map(|h| *h == Height::Counted).collect()
}

/// Finds the height of a function and of all that it calls: one that is come to while it is open closes a circle, and is counted.
fn find(id: FuncId, callees: &[Vec<FuncId>], heights: &mut [Height]) {
    let id = id.0 as usize;
    let Some(height) = heights.get_mut(id) else {
        return;
    };
    match height {
        Height::Unknown => *height = Height::Open,
        Height::Open => {
            *height = Height::Counted;
            return;
        }
        Height::Steady(_) | Height::Counted => return,
    }
    let mut above = 0;
    for &callee in &callees[id] {
        find(callee, callees, heights);
        if let Some(Height::Steady(height)) = heights.get(callee.0 as usize) {
            above = above.max(*height);
        }
    }
    heights[id] = match heights[id] {
        Height::Open if above < FEW => Height::Steady(above + 1),
        Height::Unknown | Height::Open | Height::Steady(_) | Height::Counted => Height::Counted,
    };
}

#[cfg(test)]
mod tests {
    use super::{FEW, counted};
    use crate::program::kernel::{FuncId, Function, Stmt};

    fn of(calls: &[&[u32]]) -> Vec<bool> {
        let function = |calls: &&[u32]| Function {
            name: String::new(),
            params: Vec::new(),
            words: 0,
            sets: 0,
            body: (calls.iter())
                .map(|id| Stmt::Call(FuncId(*id), Vec::new(), None))
                .collect(),
        };
        counted(&calls.iter().map(function).collect::<Vec<_>>())
    }

    #[test]
    fn of_each_circle_one_is_counted() {
        assert_eq!(of(&[&[1, 2], &[2], &[]]), [false; 3]);
        assert_eq!(of(&[&[0]]), [true]);
        assert_eq!(of(&[&[1], &[2], &[1, 0]]), [true, true, false]);
        assert_eq!(of(&[&[1], &[2], &[3], &[1]]), [false, true, false, false]);
    }

    #[test]
    fn of_many_above_each_other_some_are_counted() {
        let many: Vec<Vec<u32>> = (1..20).map(|next| vec![next]).collect();
        let many: Vec<&[u32]> = many.iter().map(Vec::as_slice).collect();
        let counted = of(&many);
        let runs = counted.split(|c| *c).map(<[bool]>::len);
        assert_eq!(runs.max(), Some(FEW));
    }
}
