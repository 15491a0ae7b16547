//! The points of Guerilla as sets of up to 256 cells, and a group on the move.

use super::common_b::Set;

const ROWS: usize = 13;
/// The rows lie so far apart.
const ROW: usize = 19;
/// All points.
pub const CELLS: Set = {
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
pub const OUTER: Set = {
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
pub const BESIDE: [Set; 256] = {
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
/// A group of so many grows no more.
pub const FULL: usize = 5;

/// All places beside those of a set; a place of the set may be among them.
pub const fn beside(x: &Set) -> Set {
    let (left, right) = (x.down(1), x.up(1));
    let above = x.or(&right).up(ROW as u32);
    let below = x.or(&left).down(ROW as u32);
    left.or(&right).or(&above.or(&below))
}

/// For each cell and direction, in a ring, whether the neighbour there is in the set.
#[inline]
pub const fn ring(x: &Set) -> [Set; 6] {
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
pub fn one_arc(ring: &[Set; 6]) -> Set {
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
pub fn strengths(ring: &[Set; 6]) -> [Set; 3] {
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

/// The strength of a cell.
#[inline]
pub fn strength(planes: &[Set; 3], cell: u8) -> u8 {
    u8::from(planes[0].has(cell))
        + 2 * u8::from(planes[1].has(cell))
        + 4 * u8::from(planes[2].has(cell))
}

/// Whether two points are neighbours, as a bit.
#[inline]
const fn adjacent(a: u8, b: u8) -> u16 {
    let apart = a.abs_diff(b);
    ((1u64 << 1 | 1 << 19 | 1 << 20) >> (apart & 63) & 1) as u16 & (apart < 64) as u16
}

/// A place that no point is beside.
const NOWHERE: u8 = 228;
/// Two of five.
const PAIRS: [(u8, u8); 10] = [
    (0, 1),
    (0, 2),
    (1, 2),
    (0, 3),
    (1, 3),
    (2, 3),
    (0, 4),
    (1, 4),
    (2, 4),
    (3, 4),
];
/// For the pairs that are neighbours the connected parts of most cells, each as bits that say which are in it, and last how
/// many those parts are and of how many cells.
const PARTS: [[u8; FULL + 2]; 1 << 10] = {
    let mut table = [[0; FULL + 2]; 1 << 10];
    let mut near = 0;
    while near < 1 << 10 {
        table[near] = parts(near);
        near += 1;
    }
    table
};

const fn parts(near: usize) -> [u8; FULL + 2] {
    let mut found = [0; FULL + 2];
    let mut left = 0x1fu8;
    while left != 0 {
        let mut part = left & left.wrapping_neg();
        let mut round = 0;
        while round < FULL {
            let mut pair = 0;
            while pair < 10 {
                let both = 1 << PAIRS[pair].0 | 1 << PAIRS[pair].1;
                if near >> pair & 1 == 1 && part & both != 0 {
                    part |= both;
                }
                pair += 1;
            }
            round += 1;
        }
        left &= !part;
        let size = part.count_ones() as u8;
        if size > found[FULL + 1] {
            found[FULL] = 0;
            found[FULL + 1] = size;
        }
        if size == found[FULL + 1] {
            found[found[FULL] as usize] = part;
            found[FULL] += 1;
        }
    }
    found
}

/// A group of at most five cells, perhaps on the move and in parts.
#[derive(Clone, Copy)]
pub struct Band {
    cells: [u8; FULL],
    size: u8,
    /// How many leaps are left.
    leaps: u8,
    /// The pairs that are neighbours, as bits.
    near: u16,
    /// Leaps: which cell, and where it lands.
    hops: [[u8; 2]; HOPS],
    ways: u8,
    /// Where pieces may land.
    open: Set,
}

/// A group of five has at most seven pairs of neighbours, and each could leap both ways.
const HOPS: usize = 16;

impl Band {
    /// No group.
    pub const NONE: Band = Band {
        cells: [NOWHERE; FULL],
        size: 0,
        leaps: 0,
        near: 0,
        hops: [[0; 2]; HOPS],
        ways: 0,
        open: Set::NONE,
    };

    /// Its cells.
    #[inline]
    pub fn all(&self) -> &[u8] {
        &self.cells[..(self.size as usize).min(FULL)]
    }

    /// How many they are.
    #[inline]
    pub fn size(&self) -> usize {
        self.size as usize
    }

    /// How many leaps there are to choose from.
    #[inline]
    pub fn ways(&self) -> u32 {
        u32::from(self.ways)
    }

    /// The group of a set that has a cell; the cell is the first.
    #[inline]
    pub fn of(set: &Set, cell: u8) -> Band {
        // The neighbours of a cell lie within one word that begins 20 places before it.
        const NEAR: u64 = 1 | 1 << 1 | 1 << 19 | 1 << 21 | 1 << 39 | 1 << 40;
        let [a, b, c, d] = set.0;
        let mut rest = [0, a, b, c, d, 0];
        rest[1 + (cell >> 6) as usize] ^= 1 << (cell & 63);
        let mut band = Band::NONE;
        band.cells[0] = cell;
        band.size = 1;
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

    /// Sets out with a leap of its first piece; the pieces may land where they touch no other group.
    #[inline]
    pub fn set_out(&mut self, open: &Set, landing: u8) {
        self.open = *open;
        self.leaps = self.size;
        self.leap(0, landing);
    }

    /// Leaps in the `chosen`-th way.
    #[inline]
    pub fn go_on(&mut self, chosen: u32) {
        let [piece, landing] = self.hops[chosen as usize % HOPS];
        self.leap(piece, landing);
    }

    fn leap(&mut self, piece: u8, landing: u8) {
        let cell = &mut self.cells[piece as usize % FULL];
        // No cell that the group leaves touches another.
        self.open.add(*cell);
        self.open.drop(landing);
        *cell = landing;
        self.near = 0;
        for (i, (a, b)) in PAIRS.iter().enumerate() {
            self.near |= adjacent(self.cells[*a as usize], self.cells[*b as usize]) << i;
        }
        self.ways = 0;
        self.leaps -= 1;
        if self.leaps == 0 {
            return;
        }
        let mut near = self.near;
        while near != 0 {
            let (a, b) = PAIRS[near.trailing_zeros() as usize % PAIRS.len()];
            near &= near - 1;
            let (from, to) = (self.cells[a as usize], self.cells[b as usize]);
            let apart = i16::from(to) - i16::from(from);
            self.hop(a, i16::from(to) + apart);
            self.hop(b, i16::from(from) - apart);
        }
    }

    #[inline]
    fn hop(&mut self, piece: u8, landing: i16) {
        self.hops[self.ways as usize % HOPS] = [piece, landing as u8];
        self.ways += u8::from(self.open.has(landing as u8)) & u8::from(landing & !0xff == 0);
    }

    /// Its largest parts, as bits that say which cells are in them.
    #[inline]
    pub fn largest_parts(&self) -> &[u8] {
        let found = &PARTS[self.near as usize & 0x3ff];
        // Where all are alone, the places that are not filled seem to be parts too, and come last.
        let number = if found[FULL + 1] == 1 {
            self.size
        } else {
            found[FULL]
        };
        &found[..(number as usize).min(FULL)]
    }
}
