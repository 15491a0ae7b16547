//! The compiled game as readable text, for `dump --stage program` and the snapshots. Reads a program, changes nothing.

use crate::board::{Cells as BoardCells, Directions};
use crate::program::{
    CellExpr, Cells, Count, DirExpr, Dirs, Domain, Effect, EndResult, KindExpr, Life, Moment,
    NO_PC, Num, Op, Part, Picture, PlayerExpr, Program, Square, Template, TemplateId, Truth, Value,
    VarId,
};
use std::fmt::Write;

/// The whole program as text.
#[must_use]
pub fn dump(program: &Program) -> String {
    let p = Printer { program };
    let mut out = String::new();
    p.header(&mut out);
    p.code(&mut out);
    p.ends(&mut out);
    out
}

/// What the words of a first value are, where they are not all 0.
fn first(words: &[u64]) -> String {
    let mut told: Vec<String> = words.iter().map(u64::to_string).collect();
    // Values for each player or cell begin alike.
    if words.windows(2).all(|two| two[0] == two[1]) {
        told.truncate(1);
    }
    if words.iter().all(|word| *word == 0) {
        return String::new();
    }
    format!(", first {}", told.join(" "))
}

struct Printer<'p> {
    program: &'p Program,
}

impl Printer<'_> {
    fn collisions(&self, out: &mut String) {
        let found = &self.program.collisions;
        if found.within {
            let _ = writeln!(out, "texts may run together");
        }
        for c in &found.between {
            let name = |id: TemplateId| self.program.templates[id.0 as usize].name.as_str();
            let other = c.b.map_or("the end", name);
            let how = if c.in_step { "" } else { ", out of step" };
            let _ = writeln!(out, "collision {} with {other}{how}", name(c.a));
        }
    }

    fn header(&self, out: &mut String) {
        let p = self.program;
        let _ = writeln!(out, "program {}", p.about.title);
        let options: Vec<String> = p
            .options
            .iter()
            .map(|o| format!(" {}={}", o.name, o.value))
            .collect();
        let _ = writeln!(out, "options{}", options.concat());
        let _ = writeln!(
            out,
            "board {} cells, {} directions, sets of {} words",
            p.board.len(),
            p.board.directions(),
            p.layout.words
        );
        let _ = writeln!(
            out,
            "memory {} words of state, {} in all",
            p.layout.state, p.layout.memory
        );
        self.collisions(out);
        for (i, var) in p.vars.iter().enumerate() {
            let life = match var.life {
                Life::Game => "kept",
                Life::Turn => "kept each turn",
                Life::Local if var.carried => "carried",
                Life::Local => "local",
            };
            let _ = writeln!(
                out,
                "var {i} {}: {}, {life}, word {}{}",
                var.name,
                var.ty.name(),
                var.offset,
                first(&var.initial)
            );
        }
        for (i, turn) in p.turns.iter().enumerate() {
            let test = turn
                .test
                .as_ref()
                .map(|t| format!(" while {}", self.truth(t)))
                .unwrap_or_default();
            let _ = writeln!(out, "turn {i} {} at {}{test}", turn.name, turn.pc.0);
        }
        for (i, point) in p.points.iter().enumerate().skip(1) {
            let carried: Vec<&str> = point
                .carried
                .iter()
                .map(|v| p.var(*v).name.as_str())
                .collect();
            let _ = writeln!(
                out,
                "point {i} {} at {} carries [{}]",
                point.name,
                point.pc.0,
                carried.join(", ")
            );
        }
        for (i, sub) in p.subs.iter().enumerate().filter(|(_, pc)| **pc != NO_PC) {
            let _ = writeln!(out, "sub {i} at {}", sub.0);
        }
        let _ = writeln!(out, "setup at {}", p.setup.0);
    }

    fn code(&self, out: &mut String) {
        for (i, op) in self.program.code.iter().enumerate() {
            let _ = writeln!(out, "{i:5}  {}", self.op(op));
        }
    }

    fn ends(&self, out: &mut String) {
        for end in &self.program.ends {
            let moment = match end.moment {
                Moment::StartOfTurn => "at start of turn",
                Moment::AfterTurn => "after turn",
                Moment::AfterAction => "after action",
            };
            let result = match &end.result {
                EndResult::Win => "win".to_owned(),
                EndResult::Lose => "lose".to_owned(),
                EndResult::Draw => "draw".to_owned(),
                EndResult::Score(s) => format!(
                    "score ({})",
                    s.iter().map(|n| self.num(n)).collect::<Vec<_>>().join(", ")
                ),
            };
            let _ = writeln!(
                out,
                "end {moment}: {result} \"{}\" when {}",
                end.name,
                self.truth(&end.test)
            );
        }
    }

    fn name(&self, var: VarId) -> &str {
        &self.program.var(var).name
    }

    fn op(&self, op: &Op) -> String {
        match op {
            Op::Require(t, reason) => {
                let text = &self.program.reasons[reason.0 as usize].text;
                format!(
                    "require {}{}",
                    self.truth(t),
                    if text.is_empty() {
                        String::new()
                    } else {
                        format!(" \"{text}\"")
                    }
                )
            }
            Op::Let(v, value) => format!("let {} = {}", self.name(*v), self.value(value)),
            Op::Clear(v) => format!("clear {}", self.name(*v)),
            Op::LetOfPlayer(v, p, value) => format!(
                "let {} of {} = {}",
                self.name(*v),
                self.player(p),
                self.value(value)
            ),
            Op::LetOfCell(v, c, value) => format!(
                "let {} of {} = {}",
                self.name(*v),
                self.cell(c),
                self.value(value)
            ),
            Op::Choose(v, domain) => format!("choose {} in {}", self.name(*v), self.domain(domain)),
            Op::Line(id) => format!(
                "line {}",
                self.picture(&self.program.pictures[id.0 as usize])
            ),
            Op::Branch(targets) => {
                format!(
                    "branch {}",
                    targets
                        .iter()
                        .map(|t| t.0.to_string())
                        .collect::<Vec<_>>()
                        .join(" or ")
                )
            }
            Op::Jump(to) => format!("jump {}", to.0),
            Op::JumpUnless(t, to) => format!("unless {} jump {}", self.truth(t), to.0),
            Op::Each {
                var,
                rest,
                members,
                exit,
            } => {
                format!(
                    "each {} of {} ({members:?}) else jump {}",
                    self.name(*var),
                    self.name(*rest),
                    exit.0
                )
            }
            Op::Effect(e) => self.effect(e),
            Op::Best {
                sub,
                key,
                most,
                into,
            } => {
                let which = if *most { "most" } else { "least" };
                format!(
                    "let {} = {which} {} of sub {}",
                    self.name(*into),
                    self.num(key),
                    sub.0
                )
            }
            Op::Open(id) => format!(
                "open {}",
                self.template(&self.program.templates[id.0 as usize])
            ),
            Op::Close(id) => format!(
                "write {}",
                self.template(&self.program.templates[id.0 as usize])
            ),
            Op::ActionDone => "action done".to_owned(),
            Op::Point(id) => format!("point {} {}", id.0, self.program.points[id.0 as usize].name),
            Op::Succeed => "succeed".to_owned(),
            Op::EndTurn => "end turn".to_owned(),
        }
    }

    fn template(&self, template: &Template) -> String {
        let parts: Vec<String> = template
            .parts
            .iter()
            .map(|p| match p {
                Part::Text(t) => t.clone(),
                Part::Hole(v) => format!("{{{}}}", self.value(v)),
                Part::Capture(a, b) => format!("{{{a}{b}}}"),
            })
            .collect();
        format!("{} \"{}\"", template.name, parts.concat())
    }

    fn domain(&self, domain: &Domain) -> String {
        match domain {
            Domain::Cells(c) => self.cells(c),
            Domain::Parts(c) => format!("parts of {}", self.cells(c)),
            Domain::Numbers(a, b) => format!("{}..{}", self.num(a), self.num(b)),
            Domain::Kinds(k) => k
                .iter()
                .map(|k| self.program.kinds[k.0 as usize].name.clone())
                .collect::<Vec<_>>()
                .join(", "),
            Domain::Dirs(d) => self.dirs(d),
        }
    }

    fn picture(&self, picture: &Picture) -> String {
        let squares: Vec<String> = picture.squares.iter().map(|s| self.square(s)).collect();
        let way = picture
            .way
            .map(|w| format!(" as {}", self.name(w)))
            .unwrap_or_default();
        format!(
            "{}{way} [ {} ]",
            self.dirs(&picture.ways),
            squares.join(" | ")
        )
    }

    fn square(&self, square: &Square) -> String {
        let Square::Cells {
            class,
            count,
            whole,
            bind,
            ..
        } = square
        else {
            return "edge".to_owned();
        };
        let whole = if *whole { "whole " } else { "" };
        let count = match count {
            Count::One => String::new(),
            Count::New(v) => format!("{} ", self.name(*v)),
            Count::Between(a, None) => format!("{}.. ", self.num(a)),
            Count::Between(a, Some(b)) => format!("{}..{} ", self.num(a), self.num(b)),
        };
        let bind = bind
            .map(|b| format!(" as {}", self.name(b)))
            .unwrap_or_default();
        format!("{whole}{count}{}{bind}", self.cells(class))
    }

    fn effect(&self, effect: &Effect) -> String {
        match effect {
            Effect::Place {
                kind,
                owner,
                at,
                times,
            } => {
                let of = owner
                    .as_ref()
                    .map(|p| format!(" of {}", self.player(p)))
                    .unwrap_or_default();
                format!(
                    "place {}{of} at {} times {}",
                    self.kind(kind),
                    self.cells(at),
                    self.num(times)
                )
            }
            Effect::Enter { kind, at, times } => {
                format!(
                    "enter {} at {} times {}",
                    self.kind(kind),
                    self.cells(at),
                    self.num(times)
                )
            }
            Effect::Deal { kind, to, times } => {
                format!(
                    "deal {} to {} times {}",
                    self.kind(kind),
                    self.player(to),
                    self.num(times)
                )
            }
            Effect::Move(a, b) => format!("move {} to {}", self.cell(a), self.cell(b)),
            Effect::Advance(run, by) => format!("advance {} by {}", self.name(*run), self.num(by)),
            Effect::Capture(c) => format!("capture {}", self.cells(c)),
            Effect::CaptureTop(c, None) => format!("capture top of {}", self.cell(c)),
            Effect::CaptureTop(c, Some(d)) => {
                format!("capture top of {} under {}", self.cell(c), self.cell(d))
            }
            Effect::Remove(c) => format!("remove {}", self.cells(c)),
            Effect::Flip(c) => format!("flip {}", self.cells(c)),
            Effect::Promote(c, k) => format!("promote {} to {}", self.cell(c), self.kind(k)),
            Effect::Lift(c) => format!("lift {}", self.cell(c)),
            Effect::Drop(c) => format!("drop at {}", self.cell(c)),
            Effect::Mark(v, c) => format!("mark {} as {}", self.cells(c), self.name(*v)),
            Effect::Unmark(v, c) => format!("unmark {} as {}", self.cells(c), self.name(*v)),
            Effect::Again => "again".to_owned(),
            Effect::ExchangeSeats => "exchange seats".to_owned(),
            Effect::Pass => "pass".to_owned(),
        }
    }

    fn value(&self, value: &Value) -> String {
        match value {
            Value::Num(n) => self.num(n),
            Value::Truth(t) => self.truth(t),
            Value::Cell(c) => self.cell(c),
            Value::Cells(c) => self.cells(c),
            Value::Groups(c) => format!("groups {}", self.cells(c)),
            Value::Run(v) => self.name(*v).to_owned(),
            Value::Dir(d) => self.dir(d),
            Value::Dirs(d) => self.dirs(d),
            Value::Player(p) => self.player(p),
            Value::Kind(k) => self.kind(k),
        }
    }

    fn num(&self, num: &Num) -> String {
        let two =
            |sign: &str, a: &Num, b: &Num| format!("({} {sign} {})", self.num(a), self.num(b));
        match num {
            Num::Const(n) => n.to_string(),
            Num::Var(v) => self.name(*v).to_owned(),
            Num::OfPlayer(v, p) => format!("{}({})", self.name(*v), self.player(p)),
            Num::OfCell(v, c) => format!("{}({})", self.name(*v), self.cell(c)),
            Num::Add(a, b) => two("+", a, b),
            Num::Sub(a, b) => two("-", a, b),
            Num::Mul(a, b) => two("*", a, b),
            Num::Div(a, b) => two("/", a, b),
            Num::Mod(a, b) => two("mod", a, b),
            Num::Count(c) => format!("count({})", self.cells(c)),
            Num::CountParts(c) => format!("count(parts {})", self.cells(c)),
            Num::RunLength(v) => format!("count({})", self.name(*v)),
            Num::Height(c) => format!("height({})", self.cell(c)),
            Num::Hand(p, None) => format!("hand({})", self.player(p)),
            Num::Hand(p, Some(k)) => format!(
                "hand({}, {})",
                self.player(p),
                self.kind(&KindExpr::Const(*k))
            ),
            Num::RowOf(c) => format!("row({})", self.cell(c)),
            Num::ColumnOf(c) => format!("column({})", self.cell(c)),
            Num::Occurrences => "occurrences".to_owned(),
            Num::If(t, a, b) => format!(
                "(if {} then {} else {})",
                self.truth(t),
                self.num(a),
                self.num(b)
            ),
        }
    }

    fn truth(&self, truth: &Truth) -> String {
        match truth {
            Truth::Const(b) => if *b { "yes" } else { "no" }.to_owned(),
            Truth::Var(v) => self.name(*v).to_owned(),
            Truth::OfPlayer(v, p) => format!("{}({})", self.name(*v), self.player(p)),
            Truth::Not(a) => format!("not {}", self.truth(a)),
            Truth::And(a, b) => format!("({} and {})", self.truth(a), self.truth(b)),
            Truth::Or(a, b) => format!("({} or {})", self.truth(a), self.truth(b)),
            Truth::Compare(how, a, b) => format!("{} {} {}", self.num(a), how.sign(), self.num(b)),
            Truth::SameCell(a, b) => format!("{} = {}", self.cell(a), self.cell(b)),
            Truth::SamePlayer(a, b) => format!("{} = {}", self.player(a), self.player(b)),
            Truth::SameKind(a, b) => format!("{} = {}", self.kind(a), self.kind(b)),
            Truth::SameDir(a, b) => format!("{} = {}", self.dir(a), self.dir(b)),
            Truth::SameCells(a, b) => format!("{} = {}", self.cells(a), self.cells(b)),
            Truth::Contains(a, b) => format!("{} in {}", self.cell(a), self.cells(b)),
            Truth::ContainsDir(a, b) => format!("{} in {}", self.dir(a), self.dirs(b)),
            Truth::Some(a) => format!("some {}", self.cells(a)),
            Truth::Subset(a, b) => format!("all {} in {}", self.cells(a), self.cells(b)),
            Truth::Possible(None, sub) => format!("possible(sub {})", sub.0),
            Truth::Possible(Some(p), sub) => {
                format!("possible(sub {} by {})", sub.0, self.player(p))
            }
            Truth::Stuck => "stuck".to_owned(),
            Truth::Mirrored(n) => format!("mirrored({n})"),
            Truth::Unseen => "unseen".to_owned(),
            Truth::If(t, a, b) => format!(
                "(if {} then {} else {})",
                self.truth(t),
                self.truth(a),
                self.truth(b)
            ),
        }
    }

    fn cell(&self, cell: &CellExpr) -> String {
        match cell {
            CellExpr::Const(c) => self.program.board.name(*c).to_owned(),
            CellExpr::Nowhere => "nowhere".to_owned(),
            CellExpr::Var(v) => self.name(*v).to_owned(),
            CellExpr::First(c) => format!("first({})", self.cells(c)),
            CellExpr::Last(c) => format!("last({})", self.cells(c)),
            CellExpr::RunFirst(v) => format!("first({})", self.name(*v)),
            CellExpr::RunLast(v) => format!("last({})", self.name(*v)),
            CellExpr::Step(c, d) => format!("step({}, {})", self.cell(c), self.dir(d)),
            CellExpr::If(t, a, b) => format!(
                "(if {} then {} else {})",
                self.truth(t),
                self.cell(a),
                self.cell(b)
            ),
        }
    }

    fn fixed(&self, set: &BoardCells) -> String {
        if *set == self.program.board.cells() {
            return "any".to_owned();
        }
        let names: Vec<&str> = set.iter().map(|c| self.program.board.name(c)).collect();
        format!("{{{}}}", names.join(" "))
    }

    fn cells(&self, cells: &Cells) -> String {
        match cells {
            Cells::Const(set) => self.fixed(set),
            Cells::Var(v) | Cells::Run(v) => self.name(*v).to_owned(),
            Cells::OfPlayer(v, p) => format!("{}({})", self.name(*v), self.player(p)),
            Cells::Single(c) => format!("{{{}}}", self.cell(c)),
            Cells::Owned(p) => format!("owned({})", self.player(p)),
            Cells::Kind(k) => self.kind(k),
            Cells::Occupied => "occupied".to_owned(),
            Cells::Empty => "empty".to_owned(),
            Cells::Or(a, b) => format!("({} or {})", self.cells(a), self.cells(b)),
            Cells::And(a, b) => format!("({} and {})", self.cells(a), self.cells(b)),
            Cells::Without(a, b) => format!("({} except {})", self.cells(a), self.cells(b)),
            Cells::Adjacent(a) => format!("adjacent({})", self.cells(a)),
            Cells::AdjacentAlong(a, d) => format!("adjacent({}, {})", self.cells(a), self.dirs(d)),
            Cells::Axis(c, d) => format!("axis({}, {})", self.cell(c), self.dirs(d)),
            Cells::GroupOf(c) => format!("group({})", self.cell(c)),
            Cells::PartAt(a, c) => format!("part({}, {})", self.cells(a), self.cell(c)),
            Cells::ByPlayer(sets, p) => {
                let sets: Vec<String> = sets.iter().map(|s| self.fixed(s)).collect();
                format!("[{}]({})", sets.join(", "), self.player(p))
            }
            Cells::Seen(a, p) => format!("({} seen by {})", self.cells(a), self.player(p)),
            Cells::Where(a, _, t) => format!("({} where {})", self.cells(a), self.truth(t)),
            Cells::With { set, most, key, .. } => {
                format!(
                    "({} with {} {})",
                    self.cells(set),
                    if *most { "most" } else { "least" },
                    self.num(key)
                )
            }
            Cells::PartsWhere(a, _, t) => {
                format!("(parts of {} where {})", self.cells(a), self.truth(t))
            }
            Cells::PartsWith { set, most, key, .. } => {
                format!(
                    "(parts of {} with {} {})",
                    self.cells(set),
                    if *most { "most" } else { "least" },
                    self.num(key)
                )
            }
            Cells::Gather(v, sub) => format!("({} from sub {})", self.name(*v), sub.0),
            Cells::Closure { seed, set, more } => format!(
                "(closure of {} with {} of {})",
                self.cells(seed),
                self.cells(more),
                self.name(*set)
            ),
            Cells::If(t, a, b) => format!(
                "(if {} then {} else {})",
                self.truth(t),
                self.cells(a),
                self.cells(b)
            ),
        }
    }

    fn dir(&self, dir: &DirExpr) -> String {
        match dir {
            DirExpr::Const(d) => self.program.board.direction_name(*d).to_owned(),
            DirExpr::Var(v) => self.name(*v).to_owned(),
            DirExpr::Opposite(d) => format!("opposite({})", self.dir(d)),
        }
    }

    fn fixed_dirs(&self, dirs: Directions) -> String {
        let names: Vec<&str> = dirs
            .iter()
            .map(|d| self.program.board.direction_name(d))
            .collect();
        format!("<{}>", names.join(" "))
    }

    fn dirs(&self, dirs: &Dirs) -> String {
        match dirs {
            Dirs::Const(d) => self.fixed_dirs(*d),
            Dirs::Var(v) => self.name(*v).to_owned(),
            Dirs::Single(d) => format!("<{}>", self.dir(d)),
            Dirs::ByPlayer(d, p) => {
                let sets: Vec<String> = d.iter().map(|d| self.fixed_dirs(*d)).collect();
                format!("[{}]({})", sets.join(", "), self.player(p))
            }
            Dirs::Or(a, b) => format!("({} or {})", self.dirs(a), self.dirs(b)),
            Dirs::And(a, b) => format!("({} and {})", self.dirs(a), self.dirs(b)),
            Dirs::Without(a, b) => format!("({} except {})", self.dirs(a), self.dirs(b)),
            Dirs::If(t, a, b) => format!(
                "(if {} then {} else {})",
                self.truth(t),
                self.dirs(a),
                self.dirs(b)
            ),
        }
    }

    fn player(&self, player: &PlayerExpr) -> String {
        match player {
            PlayerExpr::Me => "me".to_owned(),
            PlayerExpr::Const(p) => self.program.players[p.0 as usize].name.clone(),
            PlayerExpr::Var(v) => self.name(*v).to_owned(),
            PlayerExpr::Next(p) => format!("next({})", self.player(p)),
            PlayerExpr::Owner(c) => format!("owner({})", self.cell(c)),
        }
    }

    fn kind(&self, kind: &KindExpr) -> String {
        match kind {
            KindExpr::Const(k) => self.program.kinds[k.0 as usize].name.clone(),
            KindExpr::Var(v) => self.name(*v).to_owned(),
        }
    }
}
