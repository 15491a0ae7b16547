//! A kernel's tables packed as the board is wide, for generated code and for what it calls. Made once; never moves.

use crate::board::{Cell, Cells};
use crate::program::kernel::{Body, Kernel, Room, Set, Shift, Stmt, counted, each_statement};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The most distances between neighbours with which a whole set is moved at once.
const MOST_DISTANCES: usize = 16;

/// The most eights of cells for tables of what a shift makes of them.
const MOST_EIGHTS: usize = 5;

/// So many parts of a shift are slower than such tables.
const SCATTERED: usize = 4;

/// Where a table stands in the packed words.
#[derive(Clone, Copy)]
pub(super) struct Packed {
    /// Its first word.
    pub(super) at: usize,
    /// How many entries it has.
    pub(super) entries: usize,
}

/// Of sets of so many words joined parts are kept.
const KEPT: usize = 16;

/// The number of the next kernel.
static NUMBER: AtomicU64 = AtomicU64::new(1);

/// A kernel and its tables.
pub(super) struct Shared {
    /// The kernel.
    pub(super) kernel: Arc<Kernel>,
    /// Words of a set.
    pub(super) width: usize,
    /// All tables, one behind the other.
    flat: Box<[u64]>,
    /// Fixed sets.
    pub(super) sets: Packed,
    /// Tables of words.
    pub(super) tables: Vec<Packed>,
    /// Tables of sets.
    pub(super) rows: Vec<Packed>,
    /// For each shift of many parts on a small board: for every eight cells and what of them is in a set, where those come to.
    pub(super) eights: Vec<Option<Packed>>,
    /// For each cell those next to it.
    pub(super) neighbours: Packed,
    /// For each function whether it is counted while it is open.
    pub(super) counted: Vec<bool>,
    /// For each distance between neighbours the cells that have a neighbour so far on; none when there are too many.
    pub(super) distances: Option<Vec<(i32, Cells)>>,
    /// A number that no other has.
    pub(super) number: u64,
    /// So many words are kept of joined parts that were found, see `emit::parts`.
    pub(super) kept: usize,
}

impl Shared {
    /// Packs a kernel's tables. Says what is wrong with the kernel's room.
    pub(super) fn new(kernel: Arc<Kernel>) -> Result<Shared, String> {
        let width = checked_width(&kernel.room)?;
        let mut flat = Vec::new();
        let sets = pack_sets(&mut flat, &kernel.sets, width);
        let tables = (kernel.tables.iter())
            .map(|table| {
                let at = flat.len();
                flat.extend_from_slice(table);
                Packed {
                    at,
                    entries: table.len(),
                }
            })
            .collect();
        let rows = (kernel.rows.iter())
            .map(|rows| pack_sets(&mut flat, rows, width))
            .collect();
        let eights = (kernel.shifts.iter())
            .map(|shift| pack_eights(&mut flat, shift, width))
            .collect();
        let neighbours = pack_sets(&mut flat, &kernel.neighbours, width);
        let distances = distances(&kernel.neighbours);
        let parts = kernel.functions.iter().any(|f| joins(&f.body));
        Ok(Shared {
            number: NUMBER.fetch_add(1, Ordering::Relaxed),
            kept: if parts && width <= KEPT {
                kept_cells(width) * 2 * width
            } else {
                0
            },
            counted: counted(&kernel.functions),
            kernel,
            width,
            flat: flat.into_boxed_slice(),
            sets,
            tables,
            rows,
            eights,
            neighbours,
            distances,
        })
    }

    /// The cells next to one; nothing for what is no cell of the board. `N` is the width of sets, or more.
    #[inline]
    pub(super) fn next_to<const N: usize>(&self, cell: usize) -> [u64; N] {
        if cell >= self.neighbours.entries {
            return [0; N];
        }
        let from = self.neighbours.at + cell * self.width;
        let row = self.flat.get(from..from + self.width).unwrap_or(&[]);
        if let Some(row) = row.first_chunk::<N>() {
            return *row;
        }
        let mut wide = [0; N];
        for (to, from) in wide.iter_mut().zip(row) {
            *to = *from;
        }
        wide
    }

    /// The cells next to each, when sets are `N` words wide.
    #[inline]
    pub(super) fn all_next_to<const N: usize>(&self) -> Option<&[[u64; N]]> {
        let Packed { at, entries } = self.neighbours;
        let rows = self.flat.get(at..at + entries * self.width)?;
        (self.width == N).then_some(rows.as_chunks::<N>().0)
    }

    /// The address of a packed word. It stays as long as this does.
    pub(super) fn address(&self, at: usize) -> i64 {
        let start = self.flat.as_ptr() as usize + at * 8;
        start.cast_signed() as i64
    }
}

/// For so many cells joined parts are kept: as many as there are or more, and a power of two.
pub(super) fn kept_cells(width: usize) -> usize {
    (width * 64).next_power_of_two()
}

/// Whether statements look for joined parts.
fn joins(body: &Body) -> bool {
    let mut joins = false;
    each_statement(body, &mut |stmt| {
        joins |= matches!(stmt, Stmt::LetSet(_, Set::Part(..)));
    });
    joins
}

fn pack_sets(flat: &mut Vec<u64>, sets: &[Cells], width: usize) -> Packed {
    let at = flat.len();
    for set in sets {
        flat.extend(set.words().iter().take(width));
    }
    Packed {
        at,
        entries: sets.len(),
    }
}

fn pack_eights(flat: &mut Vec<u64>, shift: &Shift, width: usize) -> Option<Packed> {
    if width > 1 || shift.steps.len() > MOST_EIGHTS * 8 || shift.parts.len() < SCATTERED {
        return None;
    }
    let at = flat.len();
    for eight in shift.steps.chunks(8) {
        for members in 0..256_u32 {
            let moved = (0..eight.len())
                .filter(|bit| members >> bit & 1 == 1 && eight[*bit] < 64)
                .fold(0, |set, bit| set | 1_u64 << eight[bit]);
            flat.push(moved);
        }
    }
    let entries = flat.len() - at;
    Some(Packed { at, entries })
}

/// The words of a set, when everything has its place in memory.
fn checked_width(room: &Room) -> Result<usize, String> {
    let words = [
        room.tally,
        room.fuel,
        room.depth,
        room.fault,
        room.log_used,
        room.moves_used,
        room.moves_count,
    ];
    let width = room.words as usize;
    if width == 0 || width > Cells::EMPTY.words().len() {
        return Err(format!("sets of {width} words"));
    }
    if room.memory > 1 << 26 {
        return Err(format!("a memory of {} words", room.memory));
    }
    let ordered = room.path <= room.log && room.log <= room.moves && room.moves <= room.memory;
    if !ordered || words.iter().any(|&word| word >= room.memory) {
        return Err("areas outside the memory".to_owned());
    }
    Ok(width)
}

fn distances(neighbours: &[Cells]) -> Option<Vec<(i32, Cells)>> {
    let mut found: BTreeMap<i32, Cells> = BTreeMap::new();
    for (cell, row) in neighbours.iter().enumerate() {
        let cell = u16::try_from(cell).ok()?;
        for next in row.iter() {
            let distance = i32::from(next.0) - i32::from(cell);
            found.entry(distance).or_default().insert(Cell(cell));
        }
        if found.len() > MOST_DISTANCES {
            return None;
        }
    }
    Some(found.into_iter().collect())
}

/// How many statements there are, inner ones too.
pub(super) fn statements(body: &Body) -> usize {
    let inside = |stmt: &Stmt| stmt.bodies().map(statements).sum::<usize>();
    body.iter().map(|stmt| 1 + inside(stmt)).sum()
}
