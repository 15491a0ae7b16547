//! Guerilla on 192 points, 12 and 7 to a side, groups of five, 400 turns. Four words for each kind of piece, the rows askew and
//! one place apart so that each of the six directions is a shift; a group on the move is a list of at most five cells.

use super::Played;
use super::common_b::{Rng, Set};

const ROWS: usize = 13;
/// The rows lie so far apart.
const ROW: usize = 19;
/// All points.
const CELLS: Set = {
    let mut cells = Set::NONE;
    let mut row = 0;
    while row < ROWS {
        let from = row.saturating_sub(6);
        let to = if row < 6 { 12 + row } else { 18 };
        let mut place = from;
        while place < to {
            cells.add((ROW * row + place) as u8);
            place += 1;
        }
        row += 1;
    }
    cells
};
/// The points of the four outer lines.
const OUTER: Set = {
    let mut inner = CELLS;
    let mut line = 0;
    while line < 4 {
        let [a, b, c, d, e, f] = ring(&inner);
        inner = inner.and(&a).and(&b).and(&c).and(&d).and(&e).and(&f);
        line += 1;
    }
    CELLS.except(&inner)
};
/// The points beside a point.
const BESIDE: [Set; 256] = {
    let mut table = [Set::NONE; 256];
    let mut cell = 0;
    while cell < 256 {
        let mut one = Set::NONE;
        one.add(cell as u8);
        table[cell] = beside(&one).and(&CELLS);
        cell += 1;
    }
    table
};
const FULL: usize = 5;
const TURNS: u32 = 400;
/// A group of five has at most seven pairs of neighbours, and each could leap both ways.
const HOPS: usize = 16;

/// All places beside those of a set; a place of the set may be among them.
const fn beside(x: &Set) -> Set {
    let (left, right) = (x.down(1), x.up(1));
    let above = x.or(&right).up(ROW as u32);
    let below = x.or(&left).down(ROW as u32);
    left.or(&right).or(&above.or(&below))
}

/// For each cell and direction, in a ring, whether the neighbour there is in the set.
#[inline]
const fn ring(x: &Set) -> [Set; 6] {
    [
        x.down(1),
        x.down(20),
        x.down(19),
        x.up(1),
        x.up(20),
        x.up(19),
    ]
}

/// Of all cells those whose neighbours in the set lie in one arc or are none. No group of fewer than five can touch a cell with
/// two arcs, nor one of five whose leap would end there: such a cell touches two groups.
#[inline]
fn one_arc(ring: &[Set; 6]) -> Set {
    let (mut one, mut two) = (Set::NONE, Set::NONE);
    for (a, b) in [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0)] {
        let end = ring[a].except(&ring[b]);
        two = two.or(&one.and(&end));
        one = one.or(&end);
    }
    CELLS.except(&two)
}

/// For each cell how many of its six neighbours are in the set, in three binary digits.
#[inline]
fn strengths(ring: &[Set; 6]) -> [Set; 3] {
    let add = |a: &Set, b: &Set, c: &Set| -> (Set, Set) {
        let (mut odd, mut carry) = (Set::NONE, Set::NONE);
        for i in 0..4 {
            let (a, b, c) = (a.0[i], b.0[i], c.0[i]);
            odd.0[i] = a ^ b ^ c;
            carry.0[i] = a & b | (a ^ b) & c;
        }
        (odd, carry)
    };
    let (odd1, carry1) = add(&ring[0], &ring[1], &ring[2]);
    let (odd2, carry2) = add(&ring[3], &ring[4], &ring[5]);
    let (one, carry3) = add(&odd1, &odd2, &Set::NONE);
    let (two, four) = add(&carry1, &carry2, &carry3);
    [one, two, four]
}

#[inline]
fn strength(planes: &[Set; 3], cell: u8) -> u8 {
    u8::from(planes[0].has(cell))
        + 2 * u8::from(planes[1].has(cell))
        + 4 * u8::from(planes[2].has(cell))
}

/// Whether two points are neighbours.
#[inline]
fn adjacent(a: u8, b: u8) -> bool {
    let apart = a.abs_diff(b);
    apart < 64 && (1 << 1 | 1 << 19 | 1 << 20) >> apart & 1 == 1u64
}

/// At most five cells.
#[derive(Clone, Copy)]
struct Band {
    cells: [u8; FULL],
    size: u8,
    /// For each cell bits that say which are beside it; only while the group moves.
    joined: [u8; FULL],
}

impl Band {
    #[inline]
    fn all(&self) -> &[u8] {
        &self.cells[..(self.size as usize).min(FULL)]
    }

    /// The group of a set that has a cell.
    #[inline]
    fn of(set: &Set, cell: u8) -> Band {
        // The neighbours of a cell lie within one word that begins 20 places before it.
        const NEAR: u64 = 1 | 1 << 1 | 1 << 19 | 1 << 21 | 1 << 39 | 1 << 40;
        let [a, b, c, d] = set.0;
        let mut rest = [0, a, b, c, d, 0];
        rest[1 + (cell >> 6) as usize] ^= 1 << (cell & 63);
        let mut band = Band {
            cells: [cell; FULL],
            size: 1,
            joined: [0; FULL],
        };
        let mut next = 0;
        while next < (band.size as usize).min(FULL) {
            let from = band.cells[next] as usize + 44;
            let (word, by) = (from >> 6, from & 63);
            let mut near = (rest[word] >> by | rest[word + 1] << 1 << (63 - by)) & NEAR;
            while near != 0 && (band.size as usize) < FULL {
                let found = from + near.trailing_zeros() as usize;
                rest[found >> 6] ^= 1 << (found & 63);
                band.cells[band.size as usize] = (found - 64) as u8;
                band.size += 1;
                near &= near - 1;
            }
            next += 1;
        }
        band
    }

    /// The connected parts with most cells, each as bits that say which of the cells are in it.
    fn largest_parts(&self) -> ([u8; FULL], usize) {
        let (mut parts, mut number, mut most) = ([0; FULL], 0, 0);
        let mut left = (1u8 << self.size) - 1;
        while left != 0 {
            let (mut part, mut edge) = (0, left & left.wrapping_neg());
            while edge != 0 {
                part |= edge;
                left &= !edge;
                let mut next = 0;
                for (i, j) in self.joined.iter().enumerate() {
                    next |= j & 0u8.wrapping_sub(edge >> i & 1);
                }
                edge = next & left;
            }
            let size = part.count_ones();
            if size > most {
                (number, most) = (0, size);
            }
            if size == most {
                parts[number] = part;
                number += 1;
            }
        }
        (parts, number)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Grow,
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
    Over,
}

/// A position within a turn.
#[derive(Clone)]
struct Position {
    own: [Set; 2],
    /// Those in groups of five.
    full: [Set; 2],
    empty: Set,
    me: usize,
    phase: Phase,
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
    /// Where the group on the move touches no other of its player; some of these are occupied.
    open: Set,
    leaps: u8,
    hops: [[u8; 2]; HOPS],
    killers: Set,
    slain: Set,
    ruined: Set,
}

/// The shifts of the ring, as differences.
const WAYS: [i16; 6] = [1, 20, 19, -1, -20, -19];

impl Position {
    fn start() -> Position {
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
            open: Set::NONE,
            band: Band {
                cells: [0; FULL],
                size: 0,
                joined: [0; FULL],
            },
            leaps: 0,
            hops: [[0; 2]; HOPS],
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
        let closed = beside(&self.own[1 - self.me]);
        let open = self.empty.except(&closed).and(&beside(&self.left));
        self.spots = open.and(&one_arc(&ring(&own)));
        self.phase = Phase::Grow;
        self.ways = self.spots.count();
        if self.ways == 0 {
            self.found();
        }
    }

    fn found(&mut self) {
        let stones = self.own[0].or(&self.own[1]);
        self.spots = self.empty.except(&beside(&stones));
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
        let open = self.empty.and(&one_arc(&ring(&own)));
        let left = self.left;
        let pair = |a: Set| a.and(&own);
        self.landings = [
            pair(left.up(1)).up(1).and(&open),
            pair(left.up(20)).up(20).and(&open),
            pair(left.up(19)).up(19).and(&open),
            pair(left.down(1)).down(1).and(&open),
            pair(left.down(20)).down(20).and(&open),
            pair(left.down(19)).down(19).and(&open),
        ];
        self.counts = self.landings.map(|l| l.count() as u8);
        self.ways = self.counts.iter().map(|n| u32::from(*n)).sum();
        self.phase = match (self.ways > 0, self.acted) {
            (true, _) => Phase::Move,
            (false, true) => Phase::Kill,
            (false, false) => Phase::Stuck,
        };
    }

    /// How many actions are legal.
    #[inline]
    fn number(&self) -> u32 {
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
    fn act(&mut self, chosen: u32) {
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
                let [piece, landing] = self.hops[chosen as usize % HOPS];
                self.leap(piece, landing);
            }
            Phase::Stay => {
                let (parts, _) = self.band.largest_parts();
                self.keep(parts[chosen as usize % FULL]);
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
            if band.size as usize == FULL {
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
            let mut others = self.own[self.me];
            self.band = Band::of(&others, piece);
            for cell in self.band.all() {
                others.drop(*cell);
            }
            self.left = self.left.and(&others);
            self.full[self.me] = self.full[self.me].and(&others);
            self.open = CELLS.except(&beside(&others));
            self.leaps = self.band.size;
            // The piece is the first of the band.
            return self.leap(0, landing);
        }
    }

    fn leap(&mut self, place: u8, landing: u8) {
        let cell = &mut self.band.cells[place as usize % FULL];
        self.own[self.me].drop(*cell);
        self.own[self.me].add(landing);
        self.empty.add(*cell);
        self.empty.drop(landing);
        *cell = landing;
        self.leaps -= 1;
        self.find_hops();
        self.phase = Phase::Leap;
        if self.leaps == 0 || self.ways == 0 {
            self.halt();
        }
    }

    /// Finds which pieces of the group are neighbours, and where each can leap over the other.
    fn find_hops(&mut self) {
        self.ways = 0;
        let cells = self.band.cells;
        let mut joined = [0; FULL];
        let size = (self.band.size as usize).min(FULL);
        for second in 1..size {
            for first in 0..second {
                let (a, b) = (cells[first], cells[second]);
                if !adjacent(a, b) {
                    continue;
                }
                joined[first] |= 1 << second;
                joined[second] |= 1 << first;
                let apart = i16::from(b) - i16::from(a);
                self.hop(first, i16::from(b) + apart);
                self.hop(second, i16::from(a) - apart);
            }
        }
        self.band.joined = joined;
    }

    #[inline]
    fn hop(&mut self, place: usize, landing: i16) {
        let Ok(landing) = u8::try_from(landing) else {
            return;
        };
        if self.empty.has(landing) && self.open.has(landing) {
            self.hops[self.ways as usize % HOPS] = [place as u8, landing];
            self.ways += 1;
        }
    }

    /// The group on the move stands still; of its parts the largest stays.
    fn halt(&mut self) {
        let (parts, number) = self.band.largest_parts();
        if number == 1 {
            self.keep(parts[0]);
        } else {
            self.phase = Phase::Stay;
            self.ways = number as u32;
        }
    }

    fn keep(&mut self, part: u8) {
        for (place, cell) in self.band.all().iter().enumerate() {
            if part >> place & 1 == 0 {
                self.own[self.me].drop(*cell);
                self.empty.add(*cell);
            } else if part.count_ones() as usize == FULL {
                self.full[self.me].add(*cell);
            }
        }
        self.move_on();
    }

    /// Calls with every piece that can kill and its victim.
    fn kills(&self, mut f: impl FnMut(u8, u8)) {
        let (own, enemy) = (&self.own[self.me], &self.own[1 - self.me]);
        let killers = own.and(&beside(enemy)).except(&self.killers);
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

    fn kill(&mut self, killer: u8, victim: u8) {
        self.killers.add(killer);
        self.slain.add(victim);
        let mine = Band::of(&self.own[self.me], killer).size;
        if mine >= 3 && mine >= Band::of(&self.own[1 - self.me], victim).size + 2 {
            self.ruined.add(victim);
        }
    }

    /// Ends the turn when nothing is left to kill.
    fn end(&mut self) {
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

    fn score(&self, player: usize) -> u32 {
        let (own, enemy) = (&self.own[player], &self.own[1 - player]);
        own.count() + self.empty.and(&beside(own)).except(&beside(enemy)).count()
    }
}

/// The number of action sequences of that length from the start.
pub fn perft(depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    sequences(&Position::start(), depth)
}

fn sequences(position: &Position, depth: u32) -> u64 {
    let number = position.number();
    if depth == 1 {
        return u64::from(number);
    }
    let mut total = 0;
    let mut follow = |mut next: Position| {
        if next.phase == Phase::Kill && next.number() == 0 {
            next.end();
        }
        total += sequences(&next, depth - 1);
    };
    if position.phase == Phase::Kill {
        position.kills(|killer, victim| {
            let mut next = position.clone();
            next.kill(killer, victim);
            follow(next);
        });
    } else {
        for chosen in 0..number {
            let mut next = position.clone();
            next.act(chosen);
            follow(next);
        }
    }
    total
}

/// Random games, every legal action equally likely.
pub fn playouts(seed: u64, games: u64, max_plies: u32) -> Played {
    let mut rng = Rng::new(seed);
    let mut played = Played::default();
    let mut pairs = Vec::with_capacity(256);
    for _ in 0..games {
        game(&mut rng, max_plies, &mut pairs, &mut played);
    }
    played
}

fn game(rng: &mut Rng, max_plies: u32, pairs: &mut Vec<[u8; 2]>, played: &mut Played) {
    let mut position = Position::start();
    let mut plies = 0;
    while position.phase != Phase::Over {
        if position.phase == Phase::Kill {
            pairs.clear();
            position.kills(|killer, victim| pairs.push([killer, victim]));
            while !pairs.is_empty() && plies < max_plies {
                let [killer, victim] = pairs[rng.below(pairs.len() as u32) as usize];
                position.kill(killer, victim);
                pairs.retain(|p| p[0] != killer && p[1] != victim);
                plies += 1;
            }
            if pairs.is_empty() {
                position.end();
                continue;
            }
        }
        if plies >= max_plies {
            played.plies += u64::from(plies);
            played.cut += 1;
            return;
        }
        position.act(rng.below(position.number()));
        plies += 1;
    }
    played.plies += u64::from(plies);
    let (white, black) = (position.score(0), position.score(1));
    if white == black {
        played.draws += 1;
    } else {
        played.wins[usize::from(black > white)] += 1;
    }
}
