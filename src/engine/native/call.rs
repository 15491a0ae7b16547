//! The border between Rust and generated code, the only file with unsafe code: calling what was generated, being called by it,
//! and giving its memory back.
#![allow(
    unsafe_code,
    reason = "generated code is reached by its address alone, and reads memory by address"
)]

use crate::board::MAX_WORDS;
use crate::engine::executor::{Frame, Keys};
use crate::engine::native::aid::{self, View, as_wide};
use crate::engine::native::tables::Shared;
use cranelift_jit::JITModule;
use std::mem::offset_of;

/// What generated code hands on to what it calls: where things are during one run.
#[repr(C)]
pub(super) struct Ctx {
    mem: *mut u64,
    shared: *const Shared,
    past: *mut Keys,
    /// The lowest address down to which the stack may grow at a call.
    lowest: usize,
    /// What was out of range; see `View`.
    broken: u64,
    /// What is kept of joined parts, as many words as the kernel asks for.
    kept: *mut u64,
    /// The buckets of keys of earlier positions: of what repetition compares, and of the pieces alone.
    buckets: [*const u8; 2],
}

/// Where generated code finds the lowest address of the stack.
pub(super) const LOWEST: i32 = offset_of!(Ctx, lowest) as i32;

/// Where generated code notes what was out of range.
pub(super) const BROKEN_AT: i32 = offset_of!(Ctx, broken) as i32;

/// Where generated code finds what is kept of joined parts.
pub(super) const KEPT_AT: i32 = offset_of!(Ctx, kept) as i32;

/// Where generated code finds the buckets of keys of what repetition compares, and behind them those of the pieces alone.
pub(super) const BUCKETS_AT: i32 = offset_of!(Ctx, buckets) as i32;

/// How far the stack may grow in a run, in bytes, before a function that is counted is called. The smallest stacks of threads have twice
/// that, of which the few functions above it that are not counted take less than half (`emit::stack::MOST`).
const STACK: usize = 1 << 20;

/// What all runs begin with: memory, context and the function's address.
type Trampoline = extern "C" fn(*mut u64, *mut Ctx, usize) -> u64;

/// A generated function that can be run.
#[derive(Clone, Copy)]
pub(super) struct Ready<'a> {
    /// Where the trampoline is.
    pub(super) trampoline: usize,
    /// Where the function is; it has no parameters.
    pub(super) function: usize,
    /// The kernel that they are made from.
    pub(super) shared: &'a Shared,
}

/// Runs a function: its result, and what was out of range.
///
/// The addresses are those of code made from this very kernel that still stands; the memory has the size that the kernel asks
/// for. Both are seen to by `Native`, which keeps the code as long as it can be called.
pub(super) fn run(ready: Ready<'_>, frame: &mut Frame) -> (u64, u64) {
    let (mark, kept) = (0u8, &mut frame.kept);
    if ready.shared.kept > 0 && kept.owner != ready.shared.number {
        kept.owner = ready.shared.number;
        kept.words.clear();
        kept.words.resize(ready.shared.kept, 0);
    }
    let mut ctx = Ctx {
        mem: frame.mem.as_mut_ptr(),
        shared: ready.shared,
        buckets: frame.past.buckets().map(|all| all.as_ptr()),
        past: &raw mut frame.past,
        lowest: (&raw const mark as usize).saturating_sub(STACK),
        broken: 0,
        kept: kept.words.as_mut_ptr(),
    };
    // SAFETY: the trampoline was generated with this signature, for this convention.
    let trampoline = unsafe { std::mem::transmute::<usize, Trampoline>(ready.trampoline) };
    let result = trampoline(ctx.mem, &raw mut ctx, ready.function);
    (result, ctx.broken)
}

/// Gives back the memory of generated code. Nothing of it runs any more, since whoever runs it borrows its owner.
pub(super) fn free(module: JITModule) {
    // SAFETY: the owner is being dropped, so no run is open and no address of it can be used again.
    unsafe { module.free_memory() }
}

/// What a run lets Rust see.
///
/// # Safety
/// `ctx` is the context that `run` made, and the view is dropped before generated code goes on.
unsafe fn view<'a>(ctx: *mut Ctx) -> View<'a> {
    // SAFETY: the context lives during the whole run, on the stack of `run`; generated code is waiting meanwhile.
    let ctx = unsafe { &mut *ctx };
    // SAFETY: as above; the kernel is kept by the executor.
    let shared = unsafe { &*ctx.shared };
    let words = shared.kernel.room.memory as usize;
    View {
        // SAFETY: the memory was checked to have that many words, and is borrowed by `run` for as long as it takes.
        mem: unsafe { std::slice::from_raw_parts_mut(ctx.mem, words) },
        // SAFETY: the vector is borrowed by `run` for as long as it takes, and only one view of it is there at a time.
        past: unsafe { &mut *ctx.past },
        // SAFETY: `run` has seen to it that there are so many words, when there are any, and borrows them for as long as it takes.
        kept: unsafe { std::slice::from_raw_parts_mut(ctx.kept, shared.kept) },
        shared,
        broken: &mut ctx.broken,
    }
}

/// A set that generated code hands over.
///
/// # Safety
/// `at` points to as many words as the kernel's sets have, on the stack of the generated code.
unsafe fn set<'a>(view: &View<'_>, at: *const u64) -> &'a [u64] {
    // SAFETY: as said above.
    unsafe { std::slice::from_raw_parts(at, view.shared.width) }
}

/// Hands a set back.
///
/// # Safety
/// As for `set`; nothing else refers to these words meanwhile.
unsafe fn hand_back<const N: usize>(view: &View<'_>, to: *mut u64, words: &[u64; N]) {
    // SAFETY: as said above.
    let to = unsafe { std::slice::from_raw_parts_mut(to, view.shared.width) };
    aid::hand_on::<N>(to, words);
}

// SAFETY of all that follow: generated code calls them with the context of the run that it belongs to, and with addresses
// of areas on its own stack that are as wide as a set.

extern "C" fn leaf(ctx: *mut Ctx, length: u64) -> u64 {
    // SAFETY: see above.
    aid::leaf(&mut unsafe { view(ctx) }, length, None)
}

extern "C" fn leaves(ctx: *mut Ctx, length: u64, family: u64, from: *const u64) -> u64 {
    // SAFETY: see above.
    let mut view = unsafe { view(ctx) };
    // SAFETY: see above.
    let cells = unsafe { set(&view, from) };
    aid::leaf(&mut view, length, Some((cells, family as u32)))
}

extern "C" fn undo(ctx: *mut Ctx, mark: u64) -> u64 {
    // SAFETY: see above.
    aid::undo(&mut unsafe { view(ctx) }, mark)
}

extern "C" fn pile_key(ctx: *mut Ctx, cell: u64, pile: u64) -> u64 {
    // SAFETY: see above.
    aid::pile_key(&mut unsafe { view(ctx) }, cell, pile)
}

extern "C" fn repeated(ctx: *mut Ctx, key: u64) -> u64 {
    // SAFETY: see above.
    aid::repeated(&unsafe { view(ctx) }, key)
}

extern "C" fn seen(ctx: *mut Ctx, key: u64) -> u64 {
    // SAFETY: see above.
    aid::seen(&unsafe { view(ctx) }, key)
}

extern "C" fn count(ctx: *mut Ctx, from: *const u64) -> u64 {
    // SAFETY: see above.
    aid::count(unsafe { set(&view(ctx), from) })
}

extern "C" fn first(ctx: *mut Ctx, from: *const u64) -> u64 {
    // SAFETY: see above.
    aid::first(unsafe { set(&view(ctx), from) })
}

extern "C" fn last(ctx: *mut Ctx, from: *const u64) -> u64 {
    // SAFETY: see above.
    aid::last(unsafe { set(&view(ctx), from) })
}

extern "C" fn note(ctx: *mut Ctx, all: u64, pieces: u64) -> u64 {
    // SAFETY: see above.
    aid::note(&mut unsafe { view(ctx) }, all, pieces)
}

extern "C" fn nth(ctx: *mut Ctx, from: *const u64, n: u64) -> u64 {
    // SAFETY: see above.
    aid::nth(unsafe { set(&view(ctx), from) }, n)
}

extern "C" fn mapped(ctx: *mut Ctx, table: u64, from: *const u64, to: *mut u64) -> u64 {
    // SAFETY: see above.
    let mut view = unsafe { view(ctx) };
    // SAFETY: see above.
    let from = unsafe { set(&view, from) };
    let cells = aid::mapped(&mut view, table, from);
    // SAFETY: see above; the set that was read is no longer referred to.
    unsafe { hand_back(&view, to, cells.words()) }
    0
}

extern "C" fn shifted(ctx: *mut Ctx, shift: u64, from: *const u64, to: *mut u64) -> u64 {
    // SAFETY: see above.
    let mut view = unsafe { view(ctx) };
    // SAFETY: see above.
    let from = unsafe { set(&view, from) };
    let mut words = [0; MAX_WORDS];
    aid::shifted(&mut view, shift, from, &mut words);
    // SAFETY: see above; the set that was read is no longer referred to.
    unsafe { hand_back(&view, to, &words) }
    0
}

extern "C" fn around(ctx: *mut Ctx, from: *const u64, to: *mut u64) -> u64 {
    // SAFETY: see above.
    let view = unsafe { view(ctx) };
    // SAFETY: see above.
    as_wide!(view.shared.width, N => unsafe { around_in::<N>(&view, from, to) });
    0
}

/// For each width apart: drawn together they would copy words by a call.
///
/// # Safety
/// As for `set` and `hand_back`.
#[inline(never)]
unsafe fn around_in<const N: usize>(view: &View<'_>, from: *const u64, to: *mut u64) {
    // SAFETY: as said above.
    let words = aid::around::<N>(view, unsafe { set(view, from) });
    // SAFETY: as said above; the set that was read is no longer referred to.
    unsafe { hand_back(view, to, &words) }
}

extern "C" fn part(ctx: *mut Ctx, cell: u64, from: *const u64, to: *mut u64) -> u64 {
    // SAFETY: see above.
    let mut view = unsafe { view(ctx) };
    // SAFETY: see above.
    as_wide!(view.shared.width, N => unsafe { part_in::<N>(&mut view, cell, from, to) });
    0
}

/// For each width apart, as above.
///
/// # Safety
/// As for `set` and `hand_back`.
#[inline(never)]
unsafe fn part_in<const N: usize>(view: &mut View<'_>, cell: u64, from: *const u64, to: *mut u64) {
    // SAFETY: as said above.
    let from = unsafe { set(view, from) };
    let words = aid::part::<N>(view, from, cell);
    // SAFETY: as said above; the set that was read is no longer referred to.
    unsafe { hand_back(view, to, &words) }
}

/// A function of Rust that generated code calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Aid {
    /// `Stmt::Leaf`: length.
    Leaf,
    /// `Stmt::Leaves`: length, family, set.
    Leaves,
    /// `Stmt::Undo`: mark.
    Undo,
    /// `Word::PileKey`: cell, pile.
    PileKey,
    /// `Word::Repeated`: key.
    Repeated,
    /// `Word::Seen`: key.
    Seen,
    /// `Word::Count` of a wide set.
    Count,
    /// `Word::First` of a wide set.
    First,
    /// `Word::Last` of a wide set.
    Last,
    /// `Word::Nth` of a wide set: set, how many below.
    Nth,
    /// `Stmt::Note`: both keys.
    Note,
    /// `Set::Mapped`: table, set, result.
    Mapped,
    /// `Set::Shift`: shift, set, result.
    Shifted,
    /// `Set::Around`: set, result.
    Around,
    /// `Set::Part`: cell, set, result.
    Part,
}

impl Aid {
    /// All of them, in the order of their numbers.
    pub(super) const ALL: [Aid; 15] = [
        Aid::Leaf,
        Aid::Leaves,
        Aid::Undo,
        Aid::PileKey,
        Aid::Repeated,
        Aid::Seen,
        Aid::Count,
        Aid::First,
        Aid::Last,
        Aid::Nth,
        Aid::Note,
        Aid::Mapped,
        Aid::Shifted,
        Aid::Around,
        Aid::Part,
    ];

    /// Where it is, and how many words it takes beside the context.
    pub(super) fn entry(self) -> (*const u8, usize) {
        match self {
            Aid::Leaf => (leaf as *const u8, 1),
            Aid::Leaves => (leaves as *const u8, 3),
            Aid::Undo => (undo as *const u8, 1),
            Aid::PileKey => (pile_key as *const u8, 2),
            Aid::Repeated => (repeated as *const u8, 1),
            Aid::Seen => (seen as *const u8, 1),
            Aid::Count => (count as *const u8, 1),
            Aid::First => (first as *const u8, 1),
            Aid::Last => (last as *const u8, 1),
            Aid::Nth => (nth as *const u8, 2),
            Aid::Note => (note as *const u8, 2),
            Aid::Mapped => (mapped as *const u8, 3),
            Aid::Shifted => (shifted as *const u8, 3),
            Aid::Around => (around as *const u8, 2),
            Aid::Part => (part as *const u8, 3),
        }
    }
}
