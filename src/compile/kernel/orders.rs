//! Functions that are asked for, and written one after the other until none is left. In: where one begins, what for, and what is
//! known there. Out: its number and what it is given. For one that is asked for in many ways, the first is made for what is known
//! there; all others are one that is given what any of them knows.

use crate::compile::kernel::env::{Bind, Env, Slot};
use crate::compile::kernel::facts::Fact;
use crate::compile::kernel::fun::Fun;
use crate::compile::kernel::given::Operands;
use crate::compile::kernel::held::Held;
use crate::compile::kernel::lower::{Begin, Cx, Exit, Lowerer, Mode};
use crate::compile::kernel::unique::SURE_DOUBT;
use crate::program::VarId;
use crate::program::kernel::{Fault, FuncId, Function, Stmt, Value};
use rustc_hash::FxHashMap;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, VecDeque};

/// So many functions of a family are made for what is known; all others share what is given to them, and when more comes to be
/// given, what was written before only hands over.
const VARIANTS: usize = 1;

/// So many of those that find the most of something, which are asked much more often than they are asked for.
const VARIANTS_OF_BEST: usize = 3;

/// The most functions of a kernel.
const MOST_FUNCTIONS: usize = 4000;

/// How a function is given a value.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Given {
    Word,
    Cell(u32, u32),
    Set,
    FixedWord(u64),
    FixedCell(u64, u32, u32),
    FixedSet(u32),
    Run(u32, u32, [Option<VarId>; 2], bool),
}

/// What a function is asked for: where it begins, what for, and what it is given. Who asks for the same gets the same function.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Key {
    pub begin: Begin,
    pub mode: Mode,
    pub acted: bool,
    pub opening: bool,
    pub me: u8,
    pub given: Vec<(Slot, bool, Given)>,
    pub proven: Vec<u32>,
    pub choices: Vec<Held>,
    pub doubt: u64,
}

/// Functions that begin at one place for one purpose: place, purpose, whether an action is complete, player.
type Family = (Begin, Mode, bool, u8);

impl Key {
    fn family(&self) -> Family {
        (self.begin, self.mode, self.acted, self.me)
    }
}

/// How a value is given when nothing about it is known.
fn general(bind: &Bind) -> Given {
    match bind {
        Bind::Set(_) => Given::Set,
        Bind::Cell(_) => Given::Cell(Fact::ANY.owners, Fact::ANY.kinds),
        Bind::Run(run) => Given::Run(Fact::ANY.owners, Fact::ANY.kinds, run.next, run.some),
        Bind::Word(_) => Given::Word,
    }
}

/// A function that is still to be written.
struct Job {
    id: FuncId,
    key: Key,
    /// Whether it shares what is given with others of its family.
    shared: bool,
    /// Whether it is asked for from outside.
    entry: bool,
    /// What its family shared when it was asked for.
    version: u32,
}

/// What is given to the functions of a family that share it.
#[derive(Clone, Default)]
struct Shared {
    slots: BTreeMap<Slot, Given>,
    /// How often that has changed.
    version: u32,
}

impl Shared {
    /// A value is given to the functions as well: how.
    fn share(&mut self, slot: Slot, general: Given) -> Given {
        match self.slots.entry(slot) {
            Entry::Vacant(free) => {
                self.version += 1;
                free.insert(general).clone()
            }
            Entry::Occupied(known) if *known.get() == general => general,
            Entry::Occupied(mut known) => {
                self.version += u32::from(*known.get() != Given::Word);
                known.insert(Given::Word);
                Given::Word
            }
        }
    }
}

/// What has been asked for.
#[derive(Default)]
pub struct Orders {
    /// What each function is.
    known: FxHashMap<Key, FuncId>,
    /// How many functions of a family there are.
    variants: FxHashMap<Family, usize>,
    /// What is given to those of a family that share it.
    shared: FxHashMap<Family, Shared>,
    /// What is to be written: for what is known first, since by that more may come to be shared.
    jobs: VecDeque<Job>,
    shared_jobs: VecDeque<Job>,
    /// What was written for what is known, and not asked for from outside.
    special: Vec<(FuncId, Key)>,
}

impl Orders {
    /// A function is to be written.
    fn order(&mut self, family: Family, job: Job) {
        *self.variants.entry(family).or_default() += 1;
        self.known.insert(job.key.clone(), job.id);
        let jobs = if job.shared {
            &mut self.shared_jobs
        } else {
            &mut self.jobs
        };
        jobs.push_back(job);
    }

    /// Whether more is shared by now than this function is given: then it calls the one that is given all.
    fn is_outgrown(&self, job: &Job) -> bool {
        job.shared && self.version(job.key.family()) != job.version
    }

    fn version(&self, family: Family) -> u32 {
        self.shared.get(&family).map_or(0, |shared| shared.version)
    }

    /// What is made for what is known comes first, since by that more may be shared; last comes what was written and is outgrown
    /// since.
    fn next(&mut self, written: &mut [Option<Job>]) -> Option<Job> {
        let asked = self.jobs.pop_front();
        asked.or_else(|| self.shared_jobs.pop_front()).or_else(|| {
            let outgrown = |job: &&mut Option<Job>| {
                let job = job.as_ref();
                job.is_some_and(|job| self.is_outgrown(job))
            };
            written.iter_mut().find(outgrown)?.take()
        })
    }
}

impl Lowerer<'_> {
    /// Asks for a function that goes on from here with what is known here, and gives its number and arguments.
    pub fn demand(&mut self, begin: Begin, env: &mut Env, mut cx: Cx) -> (FuncId, Vec<Value>) {
        if !self.at_entry && !Self::opens_on(env, cx) {
            cx.mode = cx.mode.inside();
        }
        let most = match cx.mode {
            Mode::Best(..) => VARIANTS_OF_BEST,
            _ => VARIANTS,
        };
        let family = (begin, cx.mode, cx.acted, cx.me);
        let variants = self.orders.variants.get(&family).copied();
        let shared = !self.at_entry && variants.unwrap_or(0) >= most;
        let (key, args) = self.question(begin, env, cx, shared);
        if let Some(id) = self.orders.known.get(&key) {
            return (*id, args);
        }
        let id = FuncId(self.functions.len() as u32);
        self.functions.push(Function {
            name: cx.mode.name_from(begin),
            params: Vec::new(),
            words: 0,
            sets: 0,
            body: Vec::new(),
        });
        let entry = self.at_entry;
        let job = Job {
            id,
            key,
            shared,
            entry,
            version: self.orders.version(family),
        };
        self.orders.order(family, job);
        (id, args)
    }

    /// A function that is never called.
    pub fn never(&mut self) -> FuncId {
        FuncId(self.once("never".to_owned(), |l| {
            l.functions.push(Function {
                name: "never".to_owned(),
                params: Vec::new(),
                words: 0,
                sets: 0,
                body: vec![Stmt::Fault(Fault::NoTurn)],
            });
            l.functions.len() as u32 - 1
        }))
    }

    /// What a function would be asked for that goes on from here, for what is known here or for what is given to all that share it;
    /// and the arguments.
    fn question(&mut self, begin: Begin, env: &mut Env, cx: Cx, shared: bool) -> (Key, Vec<Value>) {
        let applies = cx.applies();
        let looks = match begin {
            Begin::Code(_) if matches!(cx.mode, Mode::Best(..) | Mode::Gather(..)) => true,
            Begin::Code(pc) if cx.tells() => self.tells[pc.0 as usize],
            Begin::Code(pc) => self.looks[pc.0 as usize],
            _ => true,
        };
        if applies || looks {
            self.flush(env, cx);
            if applies || self.asks_back {
                self.pay(env);
            }
        }
        let mut key = Key {
            begin,
            mode: cx.mode,
            acted: cx.acted,
            opening: Self::opens_on(env, cx),
            me: cx.me,
            given: Vec::new(),
            proven: env.proven.to_vec(),
            choices: Vec::new(),
            doubt: if cx.mode.is_for_all() { env.doubt } else { 0 },
        };
        let family = key.family();
        let passed: Vec<(Slot, Bind, bool)> = (0..env.binds.len())
            .filter_map(|at| {
                let (bind, changed) = env.binds[at].as_ref()?;
                let slot = Slot(at as u16);
                let known = !shared && self.is_known_to(slot, bind, begin);
                let passed = known || self.is_passed(slot, *changed, begin, cx, looks);
                passed.then(|| (slot, bind.clone(), *changed))
            })
            .collect();
        let mut args = Vec::new();
        if shared {
            key.proven.clear();
            let mut all = std::mem::take(self.orders.shared.entry(family).or_default());
            // Of what is passed: how, where it can be no other.
            let mut sure = Vec::with_capacity(passed.len());
            for (slot, bind, _) in &passed {
                let surely = self.surely_given(*slot, begin);
                let is_sure = surely.is_some();
                let how = all.share(*slot, surely.unwrap_or_else(|| general(bind)));
                sure.push((*slot, is_sure.then_some(how)));
            }
            let mut sure = sure.into_iter().peekable();
            let slots: Vec<Slot> = all.slots.keys().copied().collect();
            key.given.reserve_exact(slots.len());
            args.reserve(slots.len());
            for slot in slots {
                let known = match sure.next_if(|(passed, _)| *passed == slot) {
                    Some((_, how)) => how,
                    None => {
                        let how = self.surely_given(slot, begin);
                        how.map(|how| all.share(slot, how))
                    }
                };
                let how = match known {
                    Some(how) => how,
                    None => {
                        let bind = self.get(slot, env);
                        let how = all.share(slot, general(&bind));
                        args.extend(self.hand_over_as(&how, &bind));
                        how
                    }
                };
                key.given.push((slot, true, how));
            }
            self.orders.shared.insert(family, all);
        } else {
            key.given.reserve_exact(passed.len());
            args.reserve_exact(passed.len());
            for (slot, bind, changed) in passed {
                let (how, words) = match self.surely_given(slot, begin) {
                    Some(how) => (how, Operands::new()),
                    None => self.hand_over(slot, &bind, env),
                };
                key.given.push((slot, changed, how));
                args.extend(words);
            }
        }
        if Self::tells_apart(cx) {
            let passed: Vec<Slot> = key.given.iter().map(|(s, ..)| *s).collect();
            match self.choices_by_slot(env, &passed) {
                Some(slots) => key.choices = slots,
                None => key.doubt |= SURE_DOUBT,
            }
        }
        (key, args)
    }

    /// Writes all functions that were asked for.
    pub fn work(&mut self) {
        self.at_entry = false;
        let mut written: Vec<Option<Job>> = Vec::new();
        while let Some(job) = self.orders.next(&mut written) {
            if self.refused.is_some() || self.functions.len() > MOST_FUNCTIONS {
                self.refused
                    .get_or_insert_with(|| "the rules branch too much".to_owned());
                return;
            }
            self.write(&job);
            if !job.shared {
                self.orders
                    .special
                    .extend((!job.entry).then_some((job.id, job.key)));
            } else if !self.orders.is_outgrown(&job) {
                written.push(Some(job));
            }
        }
    }

    /// The beginning of a function: what is known there, its parameters, and what for.
    fn beginning(&mut self, key: &Key) -> (Env, Vec<Value>, Cx) {
        self.f = Fun::new();
        let (mut env, params) = self.receive(key);
        self.note_certain(key.begin, &mut env);
        let cx = Cx {
            mode: key.mode,
            acted: key.acted,
            me: key.me,
            exit: Exit::Return,
        };
        env.proven = key.proven.iter().copied().collect();
        env.doubt = key.doubt;
        env.opening = key.opening;
        self.choices_of_slots(&key.choices, &mut env);
        (env, params, cx)
    }

    /// Functions that were written for what is known, once more: where others of their family share what is given to them, they hand
    /// it on to those, which is shorter. For each its number, the one that it calls, and the function.
    pub fn hand_on(&mut self) -> Vec<(FuncId, FuncId, Function)> {
        let special = std::mem::take(&mut self.orders.special);
        let all = special.iter();
        all.filter_map(|(id, key)| self.handing_on(*id, key))
            .collect()
    }

    fn handing_on(&mut self, id: FuncId, key: &Key) -> Option<(FuncId, FuncId, Function)> {
        if !matches!(key.begin, Begin::Code(_)) {
            return None;
        }
        let before = self.orders.shared.get(&key.family())?.clone();
        let (mut env, params, cx) = self.beginning(key);
        let (asked, args) = self.question(key.begin, &mut env, cx, true);
        if self.orders.version(key.family()) != before.version {
            // It knows what the others are not given.
            self.orders.shared.insert(key.family(), before);
            return None;
        }
        let to = *self.orders.known.get(&asked).filter(|to| **to != id)?;
        self.go_on_in(to, args, cx);
        let (words, sets, body) = std::mem::take(&mut self.f).finish();
        let name = key.mode.name_from(key.begin);
        Some((
            id,
            to,
            Function {
                name,
                params,
                words,
                sets,
                body,
            },
        ))
    }

    /// Writes a function.
    fn write(&mut self, job: &Job) {
        self.writing = job.id;
        let (mut env, params, cx) = self.beginning(&job.key);
        env.opening |= job.entry && self.is_opening(job.key.begin, cx);
        self.untold_at_start = job.key.choices.is_empty() && job.key.doubt & SURE_DOUBT == 0;
        self.moving = job.key.begin == Begin::EndsMoving;
        if job.entry && cx.mode == Mode::Ahead {
            self.keep_ahead(&mut env, cx);
        }
        match job.key.begin {
            Begin::Code(pc) if self.orders.is_outgrown(job) => self.call_on(pc, &mut env, cx),
            Begin::Code(pc) => self.go(pc, true, env, cx),
            Begin::TurnNumber => self.turn_number(env, cx),
            Begin::Turn => self.turn(env, cx),
            Begin::Ends(moment) => self.ends(moment, env, cx),
            Begin::EndsMoving => self.ends(0, env, cx),
            Begin::Scores(end) => self.scores(end, env, cx),
        }
        let (words, sets, body) = std::mem::take(&mut self.f).finish();
        let function = &mut self.functions[job.id.0 as usize];
        function.params = params;
        (function.words, function.sets, function.body) = (words, sets, body);
    }
}
