//! A kernel as readable text, one statement a line. Reads a kernel, changes nothing.

use crate::board::Cells;
use crate::program::kernel::{
    Bin, Body, Function, Kernel, Label, Place, S, Set, SetId, Stmt, Value, W, Word,
};
use std::fmt::Write;

/// All functions of a kernel.
#[must_use]
pub fn dump(kernel: &Kernel) -> String {
    let room = &kernel.room;
    let mut out = String::new();
    let _ = writeln!(
        out,
        "kernel for {}: {} cells, sets of {} words, memory {} words, {} kept",
        kernel.work.name(),
        kernel.cells,
        room.words,
        room.memory,
        room.kept
    );
    let _ = writeln!(
        out,
        "at piles {} tally {} fuel {} depth {} fault {} scratch {} path {} text {} log {} moves {}",
        room.piles,
        room.tally,
        room.fuel,
        room.depth,
        room.fault,
        room.scratch,
        room.path,
        room.text,
        room.log,
        room.moves
    );
    for function in &kernel.functions {
        Printer {
            kernel: Some(kernel),
            out: &mut out,
            depth: 0,
        }
        .function(function);
    }
    out
}

/// One function; functions, tables and fixed sets by number.
#[must_use]
pub fn dump_function(function: &Function) -> String {
    let mut out = String::new();
    Printer {
        kernel: None,
        out: &mut out,
        depth: 0,
    }
    .function(function);
    out
}

struct Printer<'p> {
    kernel: Option<&'p Kernel>,
    out: &'p mut String,
    depth: usize,
}

impl Printer<'_> {
    fn line(&mut self, text: &str) {
        for _ in 0..self.depth {
            self.out.push_str("  ");
        }
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn function(&mut self, function: &Function) {
        let head = format!(
            "function {}({}) {{",
            function.name,
            values(&function.params)
        );
        self.line(&head);
        self.body(&function.body);
        self.line("}");
    }

    fn body(&mut self, body: &Body) {
        self.depth += 1;
        for stmt in body {
            self.stmt(stmt);
        }
        self.depth -= 1;
    }

    /// A head, statements, and the closing bracket.
    fn block(&mut self, head: &str, body: &Body) {
        self.line(&format!("{head} {{"));
        self.body(body);
        self.line("}");
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let(w, value) => self.line(&format!("{} = {}", word(*w), say_word(value))),
            Stmt::LetSet(s, value) => {
                let value = self.say_set(value);
                self.line(&format!("{} = {value}", set(*s)));
            }
            Stmt::Store(p, w) => self.line(&format!("{} = {}", place(p), word(*w))),
            Stmt::StoreSet(p, s) => self.line(&format!("{} = {}", place(p), set(*s))),
            Stmt::StoreLogged(p, w) => self.line(&format!("log {} = {}", place(p), word(*w))),
            Stmt::Mark(w) => self.line(&format!("{} = mark", word(*w))),
            Stmt::Undo(w) => self.line(&format!("undo to {}", word(*w))),
            Stmt::If(w, then, other) => self.choice(*w, then, other),
            Stmt::Switch(w, bodies) => {
                self.line(&format!("switch {} {{", word(*w)));
                self.depth += 1;
                for (i, body) in bodies.iter().enumerate() {
                    self.block(&i.to_string(), body);
                }
                self.depth -= 1;
                self.line("}");
            }
            Stmt::ForCells(w, s, body) => {
                self.block(&format!("for {} in {}", word(*w), set(*s)), body);
            }
            Stmt::ForBits(w, of, body) => {
                self.block(&format!("for {} in bits of {}", word(*w), word(*of)), body);
            }
            Stmt::ForNumbers(w, from, to, body) => {
                let head = format!("for {} from {} to {}", word(*w), word(*from), word(*to));
                self.block(&head, body);
            }
            Stmt::Loop(l, body) => self.block(&format!("loop {}", label(*l)), body),
            Stmt::Block(l, body) => self.block(&format!("block {}", label(*l)), body),
            Stmt::Leave(l) => self.line(&format!("leave {}", label(*l))),
            Stmt::Call(f, arguments, result) => {
                let known = self.kernel.and_then(|k| k.functions.get(f.0 as usize));
                let name = known.map_or_else(|| format!("f{}", f.0), |f| f.name.clone());
                let result = result.map_or_else(String::new, |w| format!("{} = ", word(w)));
                self.line(&format!("{result}call {name}({})", values(arguments)));
            }
            Stmt::Return(w) => self.line(&format!("return {}", word(*w))),
            Stmt::Leaf(w) => self.line(&format!("leaf {}", word(*w))),
            Stmt::Leaves(w, s, 0) => self.line(&format!("leaves {} {}", word(*w), set(*s))),
            Stmt::Leaves(w, s, family) => {
                self.line(&format!("leaves {} {} by {family}", word(*w), set(*s)));
            }
            Stmt::Tally(w) => self.line(&format!("tally {}", word(*w))),
            Stmt::Note(all, pieces) => {
                self.line(&format!("note {} {}", word(*all), word(*pieces)));
            }
            Stmt::Fault(f) => self.line(&format!("fault {f:?}").to_lowercase()),
        }
    }

    fn choice(&mut self, w: W, then: &Body, other: &Body) {
        self.line(&format!("if {} {{", word(w)));
        self.body(then);
        if !other.is_empty() {
            self.line("} else {");
            self.body(other);
        }
        self.line("}");
    }

    fn say_set(&self, value: &Set) -> String {
        match value {
            Set::Const(id) => self.fixed(*id),
            Set::Copy(s) => set(*s),
            Set::Load(p) => format!("set at {}", place(p)),
            Set::And(a, b) => format!("{} and {}", set(*a), set(*b)),
            Set::Or(a, b) => format!("{} or {}", set(*a), set(*b)),
            Set::Without(a, b) => format!("{} without {}", set(*a), set(*b)),
            Set::Xor(a, b) => format!("{} xor {}", set(*a), set(*b)),
            Set::UpTo(a, b) => format!("{} up to {}", set(*a), set(*b)),
            Set::DownTo(a, b) => format!("{} down to {}", set(*a), set(*b)),
            Set::Single(w) => format!("cell {}", word(*w)),
            Set::With(s, w) => format!("{} with cell {}", set(*s), word(*w)),
            Set::Less(s, w) => format!("{} less cell {}", set(*s), word(*w)),
            Set::Row(rows, w) => format!("row {} of rows {}", word(*w), rows.0),
            Set::Shift(s, shift) => format!("{} by shift {}", set(*s), shift.0),
            Set::Around(s) => format!("around {}", set(*s)),
            Set::Part(s, w) => format!("part of {} from {}", set(*s), word(*w)),
            Set::Mapped(s, table) => format!("{} through table {}", set(*s), table.0),
            Set::Select(w, a, b) => format!("{} ? {} : {}", word(*w), set(*a), set(*b)),
        }
    }

    /// A fixed set as its cells, where the kernel is known.
    fn fixed(&self, id: SetId) -> String {
        match self.kernel.and_then(|k| k.sets.get(id.0 as usize)) {
            Some(cells) => list(cells),
            None => format!("fixed {}", id.0),
        }
    }
}

/// The cells of a set, runs of three and more as `first..last`.
fn list(cells: &Cells) -> String {
    let numbers: Vec<u16> = cells.iter().map(|c| c.0).collect();
    let mut parts = Vec::new();
    let mut at = 0;
    while at < numbers.len() {
        let run = (at..numbers.len())
            .take_while(|i| usize::from(numbers[*i] - numbers[at]) == i - at)
            .count();
        if run > 2 {
            parts.push(format!("{}..{}", numbers[at], numbers[at + run - 1]));
            at += run;
        } else {
            parts.push(numbers[at].to_string());
            at += 1;
        }
    }
    format!("{{{}}}", parts.join(" "))
}

fn say_word(value: &Word) -> String {
    match value {
        Word::Const(n) => number(*n),
        Word::Copy(w) => word(*w),
        Word::Bin(bin, a, b) => match sign(*bin) {
            (sign, true) => format!("{} {sign} {}", word(*a), word(*b)),
            (name, false) => format!("{name} {} {}", word(*a), word(*b)),
        },
        Word::Select(w, a, b) => format!("{} ? {} : {}", word(*w), word(*a), word(*b)),
        Word::Load(p) => place(p),
        Word::Byte(table, w) => format!("byte {} of table {}", word(*w), table.0),
        Word::Table(table, w) => format!("entry {} of table {}", word(*w), table.0),
        Word::Count(s) => format!("count {}", set(*s)),
        Word::First(s) => format!("first {}", set(*s)),
        Word::Last(s) => format!("last {}", set(*s)),
        Word::Nth(s, w) => format!("nth {} {}", set(*s), word(*w)),
        Word::Some(s) => format!("some {}", set(*s)),
        Word::Has(s, w) => format!("{} has {}", set(*s), word(*w)),
        Word::Within(a, b) => format!("{} within {}", set(*a), set(*b)),
        Word::Meet(a, b) => format!("{} meets {}", set(*a), set(*b)),
        Word::Same(a, b) => format!("{} same as {}", set(*a), set(*b)),
        Word::Leading(w) => format!("leading {}", word(*w)),
        Word::Mix(w) => format!("mix {}", word(*w)),
        Word::PileKey(cell, pile) => format!("pile key {} {}", word(*cell), word(*pile)),
        Word::Repeated(w) => format!("repeated {}", word(*w)),
        Word::Seen(w) => format!("seen {}", word(*w)),
    }
}

/// How an operation is said, and whether between its two words.
const fn sign(bin: Bin) -> (&'static str, bool) {
    match bin {
        Bin::Add => ("+", true),
        Bin::Sub => ("-", true),
        Bin::Mul => ("*", true),
        Bin::And => ("&", true),
        Bin::Or => ("|", true),
        Bin::Xor => ("^", true),
        Bin::Shl => ("<<", true),
        Bin::Shr => (">>", true),
        Bin::Equal => ("==", true),
        Bin::Differ => ("!=", true),
        Bin::Less => ("<", true),
        Bin::AtMost => ("<=", true),
        Bin::SumWithin => ("sum", false),
        Bin::DifferenceWithin => ("difference", false),
        Bin::ProductWithin => ("product", false),
        Bin::Quotient => ("quotient", false),
        Bin::Remainder => ("remainder", false),
        Bin::Smaller => ("smaller", false),
        Bin::Larger => ("larger", false),
        Bin::High => ("high", false),
    }
}

/// A small number, perhaps negative; others by their bits.
#[allow(clippy::cast_possible_wrap)]
fn number(n: u64) -> String {
    match n as i64 {
        small @ -65_536..=65_536 => small.to_string(),
        _ => format!("{n:#x}"),
    }
}

fn word(w: W) -> String {
    format!("w{}", w.0)
}

fn set(s: S) -> String {
    format!("s{}", s.0)
}

fn label(l: Label) -> String {
    format!("l{}", l.0)
}

fn place(p: &Place) -> String {
    match p.index {
        None => format!("mem[{}]", p.base),
        Some((w, 1)) => format!("mem[{} + {}]", p.base, word(w)),
        Some((w, times)) => format!("mem[{} + {} * {times}]", p.base, word(w)),
    }
}

fn values(values: &[Value]) -> String {
    let all: Vec<String> = values
        .iter()
        .map(|v| match v {
            Value::Word(w) => word(*w),
            Value::Set(s) => set(*s),
        })
        .collect();
    all.join(", ")
}

#[cfg(test)]
mod tests {
    use crate::board::{Cell, Cells};
    use crate::program::kernel::{
        Bin, Fault, FuncId, Function, Kernel, Label, Place, S, Set, SetId, Stmt, Value, W, Word,
        dump, dump_function,
    };

    fn function() -> Function {
        let (w0, w1, s1) = (W(0), W(1), S(1));
        let place = Place {
            base: 3,
            index: Some((w1, 2)),
        };
        Function {
            name: "moves".into(),
            params: vec![Value::Word(w0), Value::Set(S(0))],
            words: 2,
            sets: 2,
            body: vec![
                Stmt::LetSet(s1, Set::Const(SetId(0))),
                Stmt::ForCells(
                    w1,
                    s1,
                    vec![
                        Stmt::Let(w0, Word::Bin(Bin::SumWithin, w0, w1)),
                        Stmt::If(
                            w0,
                            vec![Stmt::Store(place, w0)],
                            vec![Stmt::Fault(Fault::Pile)],
                        ),
                    ],
                ),
                Stmt::Block(
                    Label(0),
                    vec![Stmt::Switch(w0, vec![vec![Stmt::Leave(Label(0))], vec![]])],
                ),
                Stmt::Let(w0, Word::Const(u64::MAX)),
                Stmt::Call(FuncId(0), vec![Value::Word(w0), Value::Set(s1)], Some(w1)),
                Stmt::Leaves(w0, s1, 0),
                Stmt::Leaves(w0, s1, 2),
            ],
        }
    }

    const BODY: &str = "  for w1 in s1 {
    w0 = sum w0 w1
    if w0 {
      mem[3 + w1 * 2] = w0
    } else {
      fault pile
    }
  }
  block l0 {
    switch w0 {
      0 {
        leave l0
      }
      1 {
      }
    }
  }
  w0 = -1
";

    #[test]
    fn a_function_reads_line_by_line() {
        assert_eq!(
            dump_function(&function()),
            format!(
                "function moves(w0, s0) {{\n  s1 = fixed 0\n{BODY}  w1 = call f0(w0, s1)\n  leaves w0 s1\n  leaves w0 s1 by 2\n}}\n"
            )
        );
    }

    #[test]
    fn a_kernel_names_functions_and_lists_cells() {
        let kernel = Kernel {
            cells: 9,
            functions: vec![function()],
            sets: vec![[0, 2, 3, 4, 7, 8].into_iter().map(Cell).collect::<Cells>()],
            ..Kernel::default()
        };
        let text = dump(&kernel);
        assert!(
            text.starts_with("kernel for random games: 9 cells,"),
            "{text}"
        );
        assert!(text.contains("  s1 = {0 2..4 7 8}\n"), "{text}");
        assert!(text.contains(&format!("{BODY}  w1 = call moves(w0, s1)\n")));
    }
}
