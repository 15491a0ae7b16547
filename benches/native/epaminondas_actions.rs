//! The actions along one line of the Epaminondas board: from the stones on it to fronts, from fronts to actions, from an
//! action to the cells that it changes.

use super::epaminondas_lines::Change;

/// The front of a run of own stones, in one direction.
#[derive(Clone, Copy)]
pub struct Front {
    pub at: u32,
    run: u32,
    /// The empty cells ahead.
    gap: u32,
    /// The length of the enemies behind these, if there are any.
    foe: u32,
}

impl Front {
    pub fn marches(self) -> u32 {
        let short = self.run.min(self.gap);
        short * (short + 1) / 2 + (self.run - short) * self.gap
    }

    pub fn assaults(self) -> u32 {
        u32::from(self.foe > 0) * self.run.saturating_sub(self.gap.max(self.foe))
    }

    /// One of the actions: how many stones go how many steps, and how many are taken.
    pub fn action(self, mut k: u32) -> (u32, u32, u32) {
        let marches = self.marches();
        if k >= marches {
            let stones = self.gap.max(self.foe) + 1 + k - marches;
            return (stones, self.gap + 1, self.foe);
        }
        let mut stones = 1;
        while k >= self.gap.min(stones) {
            k -= self.gap.min(stones);
            stones += 1;
        }
        (stones, k + 1, 0)
    }
}

/// The fronts of a line towards the higher bits.
#[inline(always)]
pub fn fronts(own: u32, enemy: u32, length: u32) -> impl Iterator<Item = Front> {
    let mut rest = own & !(own >> 1) & !(1 << (length - 1));
    let all = own | enemy | 1 << length;
    std::iter::from_fn(move || {
        if rest == 0 {
            return None;
        }
        let at = rest.trailing_zeros();
        rest &= rest - 1;
        let gap = (all >> (at + 1)).trailing_zeros();
        Some(Front {
            at,
            run: (own << (31 - at)).leading_ones(),
            gap,
            foe: (enemy >> (at + 1 + gap)).trailing_ones(),
        })
    })
}

/// An action: the front stone's place on its line, seen from the end where the way begins.
#[derive(Clone, Copy)]
pub struct Move {
    pub line: usize,
    pub down: bool,
    pub front: u32,
    pub stones: u32,
    pub steps: u32,
    pub taken: u32,
}

impl Move {
    /// The `k`-th action of a front.
    #[inline(always)]
    pub fn new(line: usize, down: bool, front: Front, k: u32) -> Move {
        let (stones, steps, taken) = front.action(k);
        Move {
            line,
            down,
            front: front.at,
            stones,
            steps,
            taken,
        }
    }

    /// The changed places on the line.
    #[inline(always)]
    pub fn changes(self, length: u32, mut change: impl FnMut(Change, usize)) {
        let place = |p: u32| (if self.down { length - 1 - p } else { p }) as usize;
        let (rear, target) = (self.front + 1 - self.stones, self.front + self.steps);
        for step in 0..self.steps {
            change(Change::Leave, place(rear + step));
        }
        for p in self.front + 1..target {
            change(Change::Enter, place(p));
        }
        let last = if self.taken > 0 {
            Change::Storm
        } else {
            Change::Enter
        };
        change(last, place(target));
        for p in target + 1..target + self.taken {
            change(Change::Lose, place(p));
        }
    }
}
