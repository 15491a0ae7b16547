//! Lists of fronts: a lane for each axis, along which runs grow cell by cell. In: the classes of pictures that begin with a run. Out:
//! for each length of that run its fronts in one direction, as the cells behind its last cell; and where the opposite direction
//! is asked for as well, the runs of the same cells that way, told by where they begin.

use crate::board::{Board, Cell, Cells, Direction, Directions};
use crate::compile::kernel::fronts::{Fronts, Way, value};
use crate::compile::kernel::fun::{NO, SV, V, YES};
use crate::compile::kernel::lanes::Thread;
use crate::compile::kernel::lower::Lowerer;
use crate::compile::kernel::rays::ray;
use crate::program::kernel::{
    Bin, Fault, LANE_ENTRY, LANE_HEAD, Set, Stmt, W, Word, front_words, heading,
};
use crate::program::{Count, Square};

/// The list of actions while lanes are taken down: how many words and candidates it has.
struct List {
    used: W,
    count: W,
}

/// A lane while its fronts are taken down: where the next ones stand, and how many candidates there are so far.
struct Lane {
    at: W,
    total: W,
}

/// The most cells of a ray.
fn longest_ray(board: &Board) -> u64 {
    let ways = (0..board.directions()).map(|d| Direction(d as u8));
    let of_way = |d| (board.cells().iter()).map(move |c| ray(board, Some(c), d).len());
    ways.flat_map(of_way).max().unwrap_or(0) as u64
}

/// For each length the cells from which so many steps along a direction stay on the board.
fn far_from_edge(board: &Board, way: Direction) -> Vec<Cells> {
    let from = |far: usize| {
        let stays = |c: &Cell| ray(board, Some(*c), way).len() > far;
        board.cells().iter().filter(stays).collect()
    };
    (0..=longest_ray(board) as usize).map(from).collect()
}

impl<'p> Lowerer<'p> {
    /// Lists the fronts of pictures along some directions.
    pub fn list_fronts(&mut self, fronts: &Fronts<'p>, all: &[Thread<'p>], ways: Directions) {
        let class = |t: &Thread<'p>, at: usize| t.m.classes.get(at).copied().flatten();
        let Some((own, path)) = all.first().and_then(|t| Some((class(t, 0)?, class(t, 1)?))) else {
            return;
        };
        let long = all.iter().find(|t| t.m.picture.squares.len() > 2);
        let rest = long.map_or(Vec::new(), |t| t.m.classes[2..].to_vec());
        let rest: Vec<SV> = rest.into_iter().flatten().collect();
        let known = self.fronts.iter().position(|(of, _)| of == fronts);
        let at = known.unwrap_or_else(|| {
            let classes = self.scratch(self.room.words * (1 + rest.len() as u32));
            self.fronts.push((fronts.clone(), classes));
            self.fronts.len() - 1
        });
        let classes = self.fronts[at].1;
        for (nth, class) in (0..).zip(std::iter::once(&path).chain(&rest)) {
            let place = self.f.place(classes, V::K(nth), self.room.words);
            let class = self.f.sreg(*class);
            self.f.push(Stmt::StoreSet(place, class));
        }
        let reach = match rest.first() {
            Some(next) => self.f.or(&mut self.fixed, path, *next),
            None => path,
        };
        let list = self.begin_lanes(fronts, ways);
        let mut done = Directions(0);
        for d in ways.iter() {
            let back = self.taken_back(d).filter(|o| ways.contains(*o));
            if !done.contains(d) {
                self.lane_of_fronts((d, back), (own, reach), (fronts, at as u32 + 1), &list);
            }
            done = back.map_or(done, |back| Directions(done.0 | 1 << back.0));
        }
        self.f.store(self.room.moves_used, NO, V::R(list.used));
        self.f.store(self.room.moves_count, NO, V::R(list.count));
    }

    /// The direction of which every step takes back one along another, and the other way round.
    fn taken_back(&self, way: Direction) -> Option<Direction> {
        let back = self.program.board.opposite(way)?;
        let both = Directions(1 << way.0 | 1 << back.0);
        (back != way && self.leads_back(both)).then_some(back)
    }

    /// The list as it is; gives up where not all fronts have room.
    fn begin_lanes(&mut self, fronts: &Fronts<'p>, ways: Directions) -> List {
        let room = self.room;
        let list = List {
            used: self.f.word(),
            count: self.f.word(),
        };
        for (word, at) in [(list.used, room.moves_used), (list.count, room.moves_count)] {
            let now = self.f.load(at, NO);
            self.let_word(word, now);
        }
        let longest = longest_ray(&self.program.board);
        let lane = 1 + fronts.path + LANE_HEAD + (longest + 1) * self.front_words();
        let all = ways.iter().count() as u64 * lane;
        let full = match u64::from(room.memory - room.moves).checked_sub(all) {
            Some(most) => self.f.bin(Bin::Less, V::K(most), V::R(list.used)),
            None => YES,
        };
        self.f.open();
        self.f.fault(Fault::Room);
        let body = self.f.close();
        self.f.when(full, body);
        list
    }

    /// How many words fronts of one length have in the list.
    fn front_words(&self) -> u64 {
        LANE_ENTRY + u64::from(self.room.words)
    }

    /// The fronts along a direction, and perhaps back, for each length of the first run, whose class is `own`; they are among the
    /// cells of `reach`.
    fn lane_of_fronts(
        &mut self,
        (way, back): (Direction, Option<Direction>),
        (own, reach): (SV, SV),
        (fronts, family): (&Fronts<'p>, u32),
        list: &List,
    ) {
        let Some(on) = self.shift_id(way.0, false) else {
            return;
        };
        let room = self.room;
        let begins = self.f.make(Word::Copy(list.used));
        let head = self.f.bin(Bin::Add, begins, V::K(1 + fronts.path));
        let first = self.f.bin(Bin::Add, head, V::K(LANE_HEAD));
        let lane = Lane {
            at: self.f.word(),
            total: self.f.word(),
        };
        self.let_word(lane.at, first);
        self.let_word(lane.total, NO);
        let (lasts, length, run) = (self.f.set(), self.f.word(), self.f.label());
        let first_lasts = self.f.sreg(own);
        self.f.push(Stmt::LetSet(lasts, Set::Copy(first_lasts)));
        self.let_word(length, YES);
        self.f.open();
        let here = self.f.make_set(Set::Copy(lasts));
        let cells = self.f.make(Word::Copy(length));
        let times = self.most_behind(fronts, family, cells);
        let next = self.f.shift(here, on);
        let ends = self.f.and(&mut self.fixed, next, reach);
        self.take_fronts(&lane, ends, times, (cells, front_words(way.0, 0)));
        let longer = self.f.and(&mut self.fixed, next, own);
        if let Some(back) = back {
            let rows = self.rows(&format!("far from the edge {}", back.0), |p| {
                far_from_edge(&p.board, back)
            });
            let begun = self.f.without(&mut self.fixed, here, longer);
            let inside = self.f.row(rows, cells);
            let begun = self.f.and(&mut self.fixed, begun, inside);
            let stride = self.strides.as_ref().map_or(0, |s| s[usize::from(back.0)]);
            self.take_fronts(&lane, begun, times, (cells, front_words(back.0, stride)));
        }
        let some = self.f.some(&self.fixed, longer);
        self.leave_unless(some, run);
        let one_more = self.f.bin(Bin::Add, cells, YES);
        self.let_word(length, one_more);
        let longer = self.f.sreg(longer);
        self.f.push(Stmt::LetSet(lasts, Set::Copy(longer)));
        let body = self.f.close();
        self.f.push(Stmt::Loop(run, body));
        // The heading of the lane, which stands before its fronts.
        let heading = V::K(heading(fronts.path, Some(family)));
        self.f.store(room.moves, begins, heading);
        for word in 0..fronts.path {
            let word_of_path = self.f.load(room.path, V::K(word));
            let place = room.moves + 1 + word as u32;
            self.f.store(place, begins, word_of_path);
        }
        let words = self.f.bin(Bin::Sub, V::R(lane.at), first);
        self.f.store(room.moves, head, V::R(lane.total));
        self.f.store(room.moves + 1, head, words);
        let used = self.f.select(V::R(lane.total), V::R(lane.at), begins);
        self.let_word(list.used, used);
        let count = self.f.bin(Bin::Add, V::R(list.count), V::R(lane.total));
        self.let_word(list.count, count);
    }

    /// Takes down fronts, or cells that tell them, behind each of which so many actions may be: with how many cells their first run
    /// has, and what is to be added for each of these to what tells one cell.
    fn take_fronts(&mut self, lane: &Lane, set: SV, times: V, (cells, each): (V, [u64; 2])) {
        let room = self.room;
        let many = self.f.count(&self.fixed, set);
        let candidates = self.f.bin(Bin::Mul, many, times);
        let told = self.f.bin(Bin::Mul, cells, V::K(each[1]));
        let told = self.f.bin(Bin::Add, told, V::K(each[0]));
        // What has no candidates is written over.
        self.f.store(room.moves, V::R(lane.at), candidates);
        self.f.store(room.moves + 1, V::R(lane.at), told);
        let place = (self.f).place(room.moves + LANE_ENTRY as u32, V::R(lane.at), 1);
        let set = self.f.sreg(set);
        self.f.push(Stmt::StoreSet(place, set));
        let behind = V::K(self.front_words());
        let behind = self.f.bin(Bin::Add, V::R(lane.at), behind);
        let behind = self.f.select(candidates, behind, V::R(lane.at));
        self.let_word(lane.at, behind);
        let total = self.f.bin(Bin::Add, V::R(lane.total), candidates);
        self.let_word(lane.total, total);
    }

    /// By the cells of the first run, how many there may be of the second before something else comes, or none: at most one less.
    fn most_behind(&mut self, fronts: &Fronts<'p>, family: u32, cells: V) -> V {
        let longest = longest_ray(&self.program.board);
        let high = |way: &Option<Way<'p>>, cells: u64| {
            let way = way.as_ref()?;
            match way.picture.squares.get(1)? {
                Square::Cells {
                    count: Count::Between(_, Some(high)),
                    ..
                } => value(high, way.letter, cells as i64),
                _ => None,
            }
        };
        let most = |cells: u64| {
            let short = high(&fronts.short, cells).unwrap_or(0);
            let long = high(&fronts.long, cells).map_or(0, |high| high.saturating_add(1));
            short.max(long).clamp(0, longest as i64) as u64
        };
        let all = (0..=longest).map(most).collect();
        let table = self.table(&format!("behind fronts {family}"), |_| all);
        self.f.table(&self.tables, table, cells)
    }
}
