//! What a kernel is asked for from outside: which functions, for each player, and in which order they are asked for.

use crate::compile::kernel::env::Env;
use crate::compile::kernel::lower::{Begin, Cx, Exit, Lowerer, Mode, Tell};
use crate::compile::kernel::presumed::Presumption;
use crate::program::kernel::{Alike, Counting, Entry, FuncId, Work};
use crate::program::{EndResult, Moment, Pc, Program};

/// What is asked from outside, for each player.
#[derive(Default)]
pub struct Asked {
    pub turn: Vec<FuncId>,
    pub entries: Vec<Vec<Entry>>,
    pub ends: Vec<[Option<FuncId>; 3]>,
    pub moving: Vec<Option<FuncId>>,
    pub scores: Vec<Vec<Option<FuncId>>>,
    pub presumed: Vec<Vec<Presumption>>,
}

impl Asked {
    /// Asks for all functions of a player.
    pub fn add(&mut self, l: &mut Lowerer<'_>, me: u8, work: Work) {
        let program = l.program;
        let ask = |l: &mut Lowerer<'_>, begin, rests| l.ask_for(me, begin, Mode::Exists, rests);
        self.turn.push(ask(l, Begin::TurnNumber, Some(0)));
        let entries = starts(program).map(|(pc, point)| l.entry(me, pc, point, work));
        self.entries.push(entries.collect());
        let has = |m: Moment| program.ends.iter().any(|e| e.moment == m);
        let moments = [Moment::StartOfTurn, Moment::AfterTurn, Moment::AfterAction];
        let mut of_moments = [None; 3];
        for (i, m) in moments.into_iter().enumerate() {
            of_moments[i] = has(m).then(|| ask(l, Begin::Ends(i as u8), None));
        }
        self.ends.push(of_moments);
        let moving = has(Moment::StartOfTurn).then(|| ask(l, Begin::EndsMoving, None));
        self.moving.push(moving);
        let mut of_ends = Vec::new();
        for (i, end) in program.ends.iter().enumerate() {
            let counts = matches!(end.result, EndResult::Score(_));
            of_ends.push(counts.then(|| ask(l, Begin::Scores(i as u16), None)));
        }
        self.scores.push(of_ends);
    }

    /// Asks for what plays actions, now that it is known what lists leave open: whether all that is listed is legal, and whether
    /// its texts differ.
    pub fn plays(&mut self, l: &mut Lowerer<'_>, work: Work, whole: bool) {
        let (refuses, doubts) = (l.unasked.any(), l.doubts);
        if whole && work == Work::Games {
            l.presume(&self.entries);
        }
        let pairs = whole && work == Work::Counting && !l.openings.is_empty();
        // Where two ways may have one text it is told in order which is the first.
        let any = l.counts_lanes && !doubts;
        let deep = whole && work == Work::Counting && l.looks_ahead;
        let ahead = deep && l.ahead.is_some() && l.counts_deep();
        if work == Work::Counting {
            l.unasked.all();
        }
        for (me, entries) in self.entries.iter_mut().enumerate() {
            for (entry, (pc, point)) in entries.iter_mut().zip(starts(l.program)) {
                let mut ask = |mode| l.ask_for(me as u8, Begin::Code(pc), mode, Some(point));
                let apply = |checked, tell, listed| Mode::Apply {
                    checked,
                    tell,
                    listed,
                };
                entry.play = ask(apply(refuses, Tell::Nothing, work == Work::Games));
                if let Some(counting) = &mut entry.counting {
                    counting.behind = if pairs {
                        ask(apply(refuses, Tell::Nothing, true))
                    } else {
                        entry.play
                    };
                    counting.tell = ask(apply(false, Tell::Too, false));
                    counting.alike = doubts.then(|| Alike {
                        text: ask(apply(false, Tell::Alone, false)),
                        apply: ask(apply(true, Tell::Nothing, false)),
                    });
                    if any {
                        counting.any = ask(Mode::Any);
                    }
                    counting.ahead = ahead.then(|| ask(Mode::Ahead));
                }
            }
            self.presumed.push(l.ask_presumed(me as u8, refuses));
        }
    }

    /// Does something with every function.
    pub fn each(&mut self, mut work: impl FnMut(&mut FuncId)) {
        let of_ends = self.ends.iter_mut().flatten().chain(&mut self.moving);
        let of_scores = self.scores.iter_mut().flatten();
        let of_presumed = self.presumed.iter_mut().flatten();
        of_presumed
            .flat_map(Presumption::functions)
            .for_each(&mut work);
        let of_ends = of_ends.chain(of_scores).flatten();
        of_ends.chain(&mut self.turn).for_each(&mut work);
        let of_entries = self.entries.iter_mut().flatten();
        of_entries.flat_map(Entry::functions).for_each(work);
    }
}

impl Lowerer<'_> {
    /// The function that answers a question for a player; at which point the turn is when it is asked, 0 at its beginning.
    pub fn ask_for(&mut self, me: u8, begin: Begin, mode: Mode, rests: Option<usize>) -> FuncId {
        let cx = Cx {
            mode,
            acted: false,
            me,
            exit: Exit::Return,
        };
        self.order_from(begin, cx, rests)
    }

    /// The same for what goes on from an instruction behind an action, as though the turn had rested at a point.
    pub fn ask_behind(&mut self, me: u8, pc: Pc, mode: Mode, point: usize) -> FuncId {
        let cx = Cx {
            mode,
            acted: true,
            me,
            exit: Exit::Return,
        };
        self.order_from(Begin::Code(pc), cx, Some(point))
    }

    fn order_from(&mut self, begin: Begin, cx: Cx, rests: Option<usize>) -> FuncId {
        self.at_entry = true;
        let mut env = Env::default();
        if let Some(point) = rests {
            if self.certain.rests(point).is_none() {
                return self.never();
            }
            match point {
                0 => self.fresh_turn(&mut env),
                point => self.note_rest(point, &mut env),
            }
        }
        self.demand(begin, &mut env, cx).0
    }

    /// What lists and counts where a turn begins or goes on; what plays is asked for behind that.
    fn entry(&mut self, me: u8, pc: Pc, point: usize, work: Work) -> Entry {
        let mut ask = |mode| self.ask_for(me, Begin::Code(pc), mode, Some(point));
        let (list, count) = match work {
            Work::Games => (ask(Mode::Candidates), None),
            Work::Counting => (ask(Mode::List), Some(ask(Mode::Count))),
        };
        Entry {
            list,
            play: list,
            counting: count.map(|count| Counting {
                count,
                any: list,
                ahead: None,
                behind: list,
                tell: count,
                alike: None,
            }),
        }
    }
}

/// Where turns begin, and behind them where they go on: the instruction, and the point, 0 where a turn begins.
fn starts(program: &Program) -> impl Iterator<Item = (Pc, usize)> {
    let turns = program.turns.iter().map(|t| (t.pc, 0));
    let points = program.points.iter().enumerate().skip(1);
    turns.chain(points.map(|(point, p)| (p.pc, point)))
}
