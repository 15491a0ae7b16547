//! A position of Guerilla within a turn and what can be done in it.

use super::common_b::Set;
use super::guerilla_points::{
    BESIDE, Band, CELLS, FULL, OUTER, beside, one_arc, ring, strength, strengths,
};

const TURNS: u32 = 400;

/// What is to be done next.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// A group grows.
    Grow,
    /// A group is founded.
    Found,
    /// Which group moves, or none.
    Move,
    /// A group is on the move.
    Leap,
    /// Which part stays.
    Stay,
    /// Nothing but passing.
    Stuck,
    /// Perhaps there is something to kill.
    Kill,
    /// Nothing more.
    Over,
}

/// A position within a turn.
#[derive(Clone)]
pub struct Position {
    own: [Set; 2],
    /// Those in groups of five.
    full: [Set; 2],
    empty: Set,
    me: usize,
    /// What is to be done next.
    pub phase: Phase,
    acted: bool,
    passed: bool,
    passes: u32,
    turns: u32,
    /// Groups that have not grown, or not moved.
    left: Set,
    /// Where a stone may be placed.
    spots: Set,
    /// How many ways there are to go on, without passing and ending.
    ways: u32,
    /// Where pieces of groups that may move can land, by direction.
    landings: [Set; 6],
    counts: [u8; 6],
    band: Band,
    /// Beside enemies.
    closed: Set,
    killers: Set,
    slain: Set,
    ruined: Set,
}

/// The shifts of the ring, as differences.
const WAYS: [i16; 6] = [1, 20, 19, -1, -20, -19];

impl Position {
    /// The empty board.
    pub fn start() -> Position {
        let mut position = Position {
            own: [Set::NONE; 2],
            full: [Set::NONE; 2],
            empty: CELLS,
            me: 0,
            phase: Phase::Over,
            acted: false,
            passed: false,
            passes: 0,
            turns: 0,
            left: Set::NONE,
            spots: Set::NONE,
            ways: 0,
            landings: [Set::NONE; 6],
            counts: [0; 6],
            band: Band::NONE,
            closed: Set::NONE,
            killers: Set::NONE,
            slain: Set::NONE,
            ruined: Set::NONE,
        };
        position.begin();
        position
    }

    fn begin(&mut self) {
        let own = self.own[self.me];
        (self.acted, self.passed) = (false, false);
        self.left = own.except(&self.full[self.me]);
        self.closed = beside(&self.own[1 - self.me]);
        let open = self.empty.except(&self.closed).and(&beside(&self.left));
        self.spots = open.and(&one_arc(&ring(&own)));
        self.phase = Phase::Grow;
        self.ways = self.spots.count();
        if self.ways == 0 {
            self.found();
        }
    }

    fn found(&mut self) {
        let closed = self.closed.or(&beside(&self.own[self.me]));
        self.spots = self.empty.except(&closed);
        if self.empty == CELLS {
            self.spots = self.spots.and(&OUTER);
        }
        self.phase = Phase::Found;
        self.ways = self.spots.count();
        if self.ways == 0 {
            self.movement();
        }
    }

    fn movement(&mut self) {
        self.left = self.own[self.me];
        self.move_on();
    }

    /// Finds the groups that can still move.
    fn move_on(&mut self) {
        let own = self.own[self.me];
        let left = self.left;
        // The pieces that are leapt over.
        let over = [
            left.up(1).and(&own),
            left.up(20).and(&own),
            left.up(19).and(&own),
            left.down(1).and(&own),
            left.down(20).and(&own),
            left.down(19).and(&own),
        ];
        self.ways = 0;
        if !over.iter().fold(Set::NONE, |a, b| a.or(b)).is_empty() {
            let open = self.empty.and(&one_arc(&ring(&own)));
            self.landings = [
                over[0].up(1).and(&open),
                over[1].up(20).and(&open),
                over[2].up(19).and(&open),
                over[3].down(1).and(&open),
                over[4].down(20).and(&open),
                over[5].down(19).and(&open),
            ];
            for (count, landings) in self.counts.iter_mut().zip(&self.landings) {
                *count = landings.count() as u8;
                self.ways += u32::from(*count);
            }
        }
        self.phase = match (self.ways > 0, self.acted) {
            (true, _) => Phase::Move,
            (false, true) => Phase::Kill,
            (false, false) => Phase::Stuck,
        };
    }

    /// How many actions are legal.
    #[inline]
    pub fn number(&self) -> u32 {
        match self.phase {
            Phase::Grow | Phase::Found => self.ways + u32::from(!self.acted),
            Phase::Move => self.ways + 1 + u32::from(!self.acted),
            Phase::Leap => self.ways + 1,
            Phase::Stay => self.ways,
            Phase::Stuck => 1,
            Phase::Kill => {
                let mut number = 0;
                self.kills(|_, _| number += 1);
                number
            }
            Phase::Over => 0,
        }
    }

    /// Does the `chosen`-th action, in any phase but that of killing.
    pub fn act(&mut self, chosen: u32) {
        let passes = match self.phase {
            Phase::Move => chosen == self.ways + 1,
            Phase::Leap | Phase::Stay | Phase::Kill => false,
            Phase::Grow | Phase::Found | Phase::Stuck | Phase::Over => chosen == self.ways,
        };
        self.acted = true;
        if passes {
            self.passed = true;
            self.phase = Phase::Kill;
            return;
        }
        match self.phase {
            Phase::Grow => self.grow(self.spots.nth(chosen)),
            Phase::Found => {
                let spot = self.spots.nth(chosen);
                self.own[self.me].add(spot);
                self.empty.drop(spot);
                self.movement();
            }
            Phase::Move if chosen == self.ways => self.phase = Phase::Kill,
            Phase::Move => self.set_out(chosen),
            Phase::Leap if chosen == self.ways => self.halt(),
            Phase::Leap => {
                self.band.go_on(chosen);
                self.after_leap();
            }
            Phase::Stay => {
                if let Some(part) = self.band.largest_parts().get(chosen as usize) {
                    self.keep(*part);
                }
            }
            Phase::Stuck | Phase::Kill | Phase::Over => {}
        }
    }

    fn grow(&mut self, spot: u8) {
        let own = &mut self.own[self.me];
        own.add(spot);
        self.empty.drop(spot);
        self.spots.drop(spot);
        // Whatever touches the group may no longer be placed.
        let band = Band::of(own, spot);
        for cell in band.all() {
            if band.size() == FULL {
                self.full[self.me].add(*cell);
            }
            self.left.drop(*cell);
            self.spots = self.spots.except(&BESIDE[*cell as usize]);
        }
        self.ways = self.spots.count();
        if self.ways == 0 {
            self.found();
        }
    }

    fn set_out(&mut self, mut chosen: u32) {
        for (count, (landings, way)) in self.counts.iter().zip(self.landings.iter().zip(WAYS)) {
            let here = u32::from(*count);
            if chosen >= here {
                chosen -= here;
                continue;
            }
            let landing = landings.nth(chosen);
            let piece = (i16::from(landing) - 2 * way) as u8;
            self.band = Band::of(&self.own[self.me], piece);
            for cell in self.band.all() {
                self.own[self.me].drop(*cell);
                self.empty.add(*cell);
            }
            let others = self.own[self.me];
            self.left = self.left.and(&others);
            self.full[self.me] = self.full[self.me].and(&others);
            let mut open = self.empty.except(&beside(&others));
            for cell in self.band.all() {
                open.drop(*cell);
            }
            self.band.set_out(&open, landing);
            return self.after_leap();
        }
    }

    #[inline]
    fn after_leap(&mut self) {
        self.phase = Phase::Leap;
        self.ways = self.band.ways();
        if self.ways == 0 {
            self.halt();
        }
    }

    /// The group on the move stands still; of its parts the largest stays.
    #[inline]
    fn halt(&mut self) {
        let parts = self.band.largest_parts();
        if let [part] = *parts {
            self.keep(part);
        } else {
            self.phase = Phase::Stay;
            self.ways = parts.len() as u32;
        }
    }

    /// The group comes back to the board with one of its parts.
    fn keep(&mut self, part: u8) {
        for (place, cell) in self.band.all().iter().enumerate() {
            if part >> place & 1 == 1 {
                self.own[self.me].add(*cell);
                self.empty.drop(*cell);
                if part == (1 << FULL) - 1 {
                    self.full[self.me].add(*cell);
                }
            }
        }
        self.move_on();
    }

    /// Calls with every piece that can kill and its victim.
    pub fn kills(&self, mut f: impl FnMut(u8, u8)) {
        let (own, enemy) = (&self.own[self.me], &self.own[1 - self.me]);
        let killers = own.and(&self.closed).except(&self.killers);
        if killers.is_empty() {
            return;
        }
        let (mine, theirs) = (strengths(&ring(own)), strengths(&ring(enemy)));
        let victims = enemy.except(&self.slain);
        killers.each(|killer| {
            let power = strength(&mine, killer);
            if power > 0 {
                BESIDE[killer as usize].and(&victims).each(|victim| {
                    if power > strength(&theirs, victim) {
                        f(killer, victim);
                    }
                });
            }
        });
    }

    /// One piece kills another.
    pub fn kill(&mut self, killer: u8, victim: u8) {
        self.killers.add(killer);
        self.slain.add(victim);
        let mine = Band::of(&self.own[self.me], killer).size();
        if mine >= 3 && mine >= Band::of(&self.own[1 - self.me], victim).size() + 2 {
            self.ruined.add(victim);
        }
    }

    /// Ends the turn when nothing is left to kill.
    pub fn end(&mut self) {
        if !self.slain.is_empty() {
            let them = 1 - self.me;
            let (enemy, full) = (self.own[them], &mut self.full[them]);
            full.and(&self.slain).each(|cell| {
                for cell in Band::of(&enemy, cell).all() {
                    full.drop(*cell);
                }
            });
            self.own[them] = enemy.except(&self.slain);
            self.empty = self.empty.or(&self.slain).except(&self.ruined);
        }
        (self.killers, self.slain, self.ruined) = (Set::NONE, Set::NONE, Set::NONE);
        self.passes = if self.passed { self.passes + 1 } else { 0 };
        self.turns += 1;
        if self.passes == 2 || self.turns == TURNS {
            self.phase = Phase::Over;
        } else {
            self.me = 1 - self.me;
            self.begin();
        }
    }

    /// A player's points.
    pub fn score(&self, player: usize) -> u32 {
        let (own, enemy) = (&self.own[player], &self.own[1 - player]);
        own.count() + self.empty.and(&beside(own)).except(&beside(enemy)).count()
    }
}
