//! Pictures of one choice that may find the same piece and target: what one finds of them, the other does not look for.

use crate::board::Directions;
use crate::compile::kernel::phrased::less::less;
use crate::compile::kernel::phrased::{Phrasing, binds};
use crate::program::{Cells, Count, Dirs, Num, Op, Pc, Picture, Square, VarId};

/// No picture becomes more than so many.
const MOST: usize = 8;

/// One of the pictures of a choice.
#[derive(Clone)]
struct Way {
    /// Where it is looked for, if it is as it was.
    line: Option<usize>,
    picture: Picture,
}

impl Phrasing<'_> {
    /// Several pictures behind which the same is done: of a match that two of them find one is left.
    pub fn part_pictures(&mut self, at: usize) {
        let Op::Branch(ways) = &self.code[at] else {
            return;
        };
        let found = ways.iter().map(|way| self.line_at(*way));
        let Some(found) = found.collect::<Option<Vec<_>>>() else {
            return;
        };
        let first = found.first().map(|(line, _)| Pc(*line as u32 + 1));
        let Some(behind) = first.and_then(|pc| self.behind(pc)) else {
            return;
        };
        let same = |(line, _): &(usize, Picture)| self.behind(Pc(*line as u32 + 1)) == Some(behind);
        let told = |(_, picture): &(usize, Picture)| self.tells_ends(picture, &found[0].1);
        if !found.iter().all(same) || !found.iter().all(told) {
            return;
        }
        // What goes far comes first, as it is not parted; then the order is that of the text.
        let mut order: Vec<usize> = (0..found.len()).collect();
        order.sort_by_key(|way| (length(&found[*way].1).is_some(), *way));
        let mut left: Vec<Vec<Way>> = vec![Vec::new(); found.len()];
        let mut parted = false;
        for (nth, way) in order.iter().enumerate() {
            let mut ways = vec![Way {
                line: Some(found[*way].0),
                picture: found[*way].1.clone(),
            }];
            for before in &order[..nth] {
                let without = |way: Way| match self.without(&way.picture, &found[*before].1) {
                    None => vec![way],
                    Some(pictures) => (pictures.into_iter())
                        .map(|picture| Way {
                            line: None,
                            picture,
                        })
                        .collect(),
                };
                ways = ways.into_iter().flat_map(without).collect();
            }
            if ways.len() > MOST {
                return;
            }
            parted |= ways.iter().any(|way| way.line.is_none()) || ways.is_empty();
            left[*way] = ways;
        }
        if !parted {
            return;
        }
        let ways: Vec<Way> = left.into_iter().flatten().collect();
        let ways = ways.into_iter().map(|way| match way.line {
            Some(line) => Pc(line as u32),
            None => self.line_to(way.picture, behind),
        });
        let ways: Vec<Pc> = ways.collect();
        self.code[at] = match ways[..] {
            [only] => Op::Jump(only),
            _ => Op::Branch(ways),
        };
    }

    /// A picture that is looked for somewhere else, and then gone on from.
    pub fn line_to(&mut self, picture: Picture, behind: usize) -> Pc {
        let line = Op::Line(self.picture(picture));
        let at = Pc(self.code.len() as u32);
        self.code.extend([line, Op::Jump(Pc(behind as u32))]);
        self.entered.extend([true, false]);
        at
    }

    /// The picture that a way begins with, and where.
    fn line_at(&self, way: Pc) -> Option<(usize, Picture)> {
        let at = self.behind(way)?;
        match &self.code[at] {
            Op::Line(id) => Some((at, self.pictures[id.0 as usize].clone())),
            _ => None,
        }
    }

    /// Whether a picture gives the same piece and target as another, and nothing else that anybody asks for.
    fn tells_ends(&self, picture: &Picture, other: &Picture) -> bool {
        let [Some(these), Some(those)] = [ends(picture), ends(other)] else {
            return false;
        };
        let unasked = |var: &VarId| {
            these.contains(&Some(*var))
                || self.is_only_named(*var)
                    && !(0..self.code.len()).any(|at| self.vars_of(at).reads.contains(var))
        };
        these == those && binds(picture).iter().all(unasked)
    }

    /// The matches of a picture that another does not find; none where it finds none of them, or that cannot be said.
    fn without(&self, picture: &Picture, other: &Picture) -> Option<Vec<Picture>> {
        let cells = length(picture)?;
        let taken = of_length(other, cells)?;
        let own = of_length(picture, cells)?;
        let shared = Dirs::and(picture.ways.clone(), other.ways.clone());
        if !is_known(&shared) || is_none(&shared) {
            return None;
        }
        let with = |ways: &Dirs, classes: &[Cells]| Picture {
            ways: ways.clone(),
            way: picture.way,
            squares: squares(picture, classes),
        };
        let mut left = Vec::new();
        let others = Dirs::without(picture.ways.clone(), other.ways.clone());
        if !is_none(&others) {
            left.push(with(&others, &own));
        }
        let stacking = self.program.stacking;
        for square in 0..cells {
            // Up to here it is as the other has it, and no further.
            let Some(rest) = less(&own[square], &taken[square], stacking) else {
                continue;
            };
            if rest == own[square] {
                // The other finds nothing of it.
                return None;
            }
            let mut classes = own.clone();
            for before in 0..square {
                classes[before] = Cells::and(own[before].clone(), taken[before].clone());
            }
            classes[square] = rest;
            left.push(with(&shared, &classes));
        }
        Some(left)
    }
}

/// What a picture of one piece and one target calls them, and the direction.
fn ends(picture: &Picture) -> Option<[Option<VarId>; 3]> {
    let name = |square: &Square| match square {
        Square::Cells {
            count: Count::One,
            bind: Some(name),
            ..
        } => Some(*name),
        Square::Cells { .. } | Square::Edge => None,
    };
    let ([first, ..], [.., last]) = (&picture.squares[..], &picture.squares[..]) else {
        return None;
    };
    Some([Some(name(first)?), Some(name(last)?), picture.way])
}

/// How many cells a square has, at least and at most.
fn bounds(square: &Square) -> Option<(usize, Option<usize>)> {
    let known = |n: &Num| match n {
        Num::Const(n) => usize::try_from(*n).ok(),
        _ => None,
    };
    match square {
        Square::Cells {
            count,
            fixed: true,
            whole: false,
            ..
        } => match count {
            Count::One => Some((1, Some(1))),
            Count::Between(low, None) => Some((known(low)?, None)),
            Count::Between(low, Some(high)) => Some((known(low)?, Some(known(high)?))),
            Count::New(_) => None,
        },
        Square::Cells { .. } | Square::Edge => None,
    }
}

/// How many cells a picture has, if that is always the same.
fn length(picture: &Picture) -> Option<usize> {
    let exact = |square: &Square| match bounds(square)? {
        (low, Some(high)) if low == high => Some(low),
        _ => None,
    };
    picture.squares.iter().map(exact).sum()
}

/// The classes of a picture's cells, where it has so many; none where it never has, or has them in several ways.
fn of_length(picture: &Picture, cells: usize) -> Option<Vec<Cells>> {
    let all: Vec<(usize, Option<usize>)> =
        picture.squares.iter().map(bounds).collect::<Option<_>>()?;
    let least: usize = all.iter().map(|(low, _)| low).sum();
    let more = cells.checked_sub(least)?;
    let runs = all.iter().filter(|(low, high)| *high != Some(*low));
    if runs.clone().count() > 1 || runs.clone().next().is_none() && more > 0 {
        return None;
    }
    let mut classes = Vec::new();
    for (square, (low, high)) in picture.squares.iter().zip(all) {
        let Square::Cells { class, .. } = square else {
            return None;
        };
        let many = match high {
            Some(high) if high == low => low,
            _ => low + more,
        };
        if high.is_some_and(|high| many > high) {
            return None;
        }
        classes.extend(vec![class.clone(); many]);
    }
    Some(classes)
}

/// A picture's squares one cell each, of those classes.
fn squares(picture: &Picture, classes: &[Cells]) -> Vec<Square> {
    let names = ends(picture).unwrap_or([None; 3]);
    let last = classes.len().saturating_sub(1);
    let square = |(at, class): (usize, &Cells)| Square::Cells {
        class: class.clone(),
        fixed: true,
        count: Count::One,
        whole: false,
        bind: match at {
            0 => names[0],
            _ if at == last => names[1],
            _ => None,
        },
    };
    classes.iter().enumerate().map(square).collect()
}

/// Whether directions are known to the player who goes along them.
fn is_known(ways: &Dirs) -> bool {
    matches!(ways, Dirs::Const(_) | Dirs::ByPlayer(..))
}

/// Whether there are none of some directions.
fn is_none(ways: &Dirs) -> bool {
    match ways {
        Dirs::Const(ways) => *ways == Directions::EMPTY,
        Dirs::ByPlayer(ways, _) => ways.iter().all(|ways| *ways == Directions::EMPTY),
        _ => false,
    }
}
