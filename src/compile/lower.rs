//! Pass: steps become instructions. Before: blocks of steps. After: one flat list, with a decision point before every choice
//! that the turn itself makes, and a subprogram for every block that is only asked about. Variables have no places yet.

use crate::base::{Code, Diagnostic, Diagnostics, Span};
use crate::model::{Game, Repeat, Step};
use crate::program::{
    Collisions, Compare, EndResult, Layout, NO_PC, Num, Op, Pc, PictureId, Point, PointId, Program,
    Reason, ReasonId, SubId, TemplateId, Truth, TurnEntry, Value, num_vars, op_vars, truth_vars,
};
use rustc_hash::FxHashSet;

/// Where a block is put.
#[derive(Clone, Copy)]
struct Place {
    /// The turn itself makes its choices.
    top: bool,
    /// It is only asked whether the block can be run.
    asked: bool,
    /// What would be actions of the turn are counted as such while it is tried.
    counts: bool,
}

struct Lowering {
    game: Game,
    program: Program,
    wanted: Vec<SubId>,
    /// The subprograms that try a part of a turn, and in which actions are therefore counted, when that is asked.
    trials: FxHashSet<SubId>,
    counts: bool,
    diagnostics: Diagnostics,
}

/// Lowers a whole game.
pub fn lower(game: Game) -> (Program, Diagnostics) {
    if game.system.actions.is_none() {
        let lowered = lower_once(game, false);
        return (lowered.program, lowered.diagnostics);
    }
    let lowered = lower_once(game.clone(), false);
    if counts_in_trials(&lowered) {
        let Lowering {
            program,
            diagnostics,
            ..
        } = lower_once(game, true);
        return (program, diagnostics);
    }
    (lowered.program, lowered.diagnostics)
}

/// Whether what is tried of a turn asks for the number of its actions, itself or in something that it tries in turn.
fn counts_in_trials(lowered: &Lowering) -> bool {
    let program = &lowered.program;
    let Some(actions) = program.system.actions else {
        return false;
    };
    let mut open: Vec<SubId> = lowered.trials.iter().copied().collect();
    let mut seen: FxHashSet<SubId> = lowered.trials.clone();
    while let Some(sub) = open.pop() {
        let begin = program.subs[sub.0 as usize].0 as usize;
        let code = program.code.get(begin..).unwrap_or_default();
        for op in code.iter().take_while(|op| **op != Op::Succeed) {
            let access = op_vars(op, &program.pictures, &program.templates);
            if access.reads.contains(&actions) {
                return true;
            }
            open.extend(access.subs.into_iter().filter(|sub| seen.insert(*sub)));
        }
    }
    false
}

fn lower_once(game: Game, counts: bool) -> Lowering {
    let blocks = game.blocks.len();
    let program = Program {
        about: game.about.clone(),
        options: game.options.clone(),
        board: game.board.clone(),
        stacking: game.stacking,
        hands: game.hands,
        players: game.players.clone(),
        kinds: game.kinds.clone(),
        vars: game.vars.clone(),
        system: game.system,
        layout: Layout::default(),
        code: Vec::new(),
        subs: vec![NO_PC; 2 * blocks],
        pictures: Vec::new(),
        templates: game.templates.clone(),
        reasons: game.reasons.clone(),
        points: vec![Point {
            name: "start".to_owned(),
            pc: NO_PC,
            carried: Vec::new(),
        }],
        turns: Vec::new(),
        setup: Pc(0),
        ends: game.ends.clone(),
        places: Vec::new(),
        forced: Vec::new(),
        mirrors: game.mirrors.clone(),
        views: game.views.clone(),
        looks_back: game.looks_back,
        regions: game.regions.clone(),
        collisions: Collisions::default(),
    };
    let mut l = Lowering {
        game,
        program,
        wanted: Vec::new(),
        trials: FxHashSet::default(),
        counts,
        diagnostics: Diagnostics::default(),
    };
    l.everything();
    l
}

impl Lowering {
    fn everything(&mut self) {
        self.program.setup = self.here();
        self.block(
            self.game.setup,
            Place {
                top: false,
                asked: false,
                counts: false,
            },
        );
        self.emit(Op::Succeed, Span::default());
        for turn in self.game.turns.clone() {
            let pc = self.here();
            self.block(
                turn.body,
                Place {
                    top: true,
                    asked: false,
                    counts: false,
                },
            );
            self.has_action(pc, &turn.name);
            self.emit(Op::EndTurn, Span::default());
            if let Some(test) = &turn.test {
                self.wanted.extend(truth_vars(test).subs);
            }
            self.program.turns.push(TurnEntry {
                name: turn.name,
                test: turn.test,
                pc,
            });
        }
        for end in self.program.ends.clone() {
            self.wanted.extend(truth_vars(&end.test).subs);
            if let EndResult::Score(scores) = &end.result {
                self.wanted
                    .extend(scores.iter().flat_map(|n| num_vars(n).subs));
            }
        }
        while let Some(sub) = self.wanted.pop() {
            self.sub(sub);
        }
    }

    /// Complains about a turn in which nothing is an action.
    fn has_action(&mut self, from: Pc, name: &str) {
        if self.program.code[from.0 as usize..].contains(&Op::ActionDone) {
            return;
        }
        let span = self
            .program
            .places
            .get(from.0 as usize)
            .copied()
            .unwrap_or_default();
        let d = Diagnostic::new(
            Code::NoAction,
            span,
            format!("nothing in `{name}` is an action"),
        )
        .here("the turn would end without one")
        .help("put its statements into a rule and play that, or play `pass`");
        self.diagnostics.push(d);
    }

    /// The number under which a block is run to its end in every way, rather than asked about.
    fn full(&self, block: SubId) -> SubId {
        SubId(block.0 + u32::try_from(self.game.blocks.len()).unwrap_or(0))
    }

    fn sub(&mut self, sub: SubId) {
        if self.program.subs[sub.0 as usize] != NO_PC {
            return;
        }
        self.program.subs[sub.0 as usize] = self.here();
        let count = u32::try_from(self.game.blocks.len()).unwrap_or(0);
        let asked = sub.0 < count;
        let block = SubId(if asked { sub.0 } else { sub.0 - count });
        let counts = self.counts && self.trials.contains(&sub);
        let place = Place {
            top: false,
            asked,
            counts,
        };
        self.block(block, place);
        self.emit(Op::Succeed, Span::default());
    }

    fn here(&self) -> Pc {
        Pc(u32::try_from(self.program.code.len()).unwrap_or(u32::MAX))
    }

    fn emit(&mut self, op: Op, span: Span) -> Pc {
        let pc = self.here();
        self.wanted
            .extend(op_vars(&op, &self.program.pictures, &self.program.templates).subs);
        self.program.code.push(op);
        self.program.places.push(span);
        pc
    }

    /// Points a jump that was emitted earlier to the next instruction.
    fn land(&mut self, at: Pc) {
        let to = self.here();
        if let Op::Jump(t) | Op::JumpUnless(_, t) | Op::Each { exit: t, .. } =
            &mut self.program.code[at.0 as usize]
        {
            *t = to;
        }
    }

    fn land_all(&mut self, jumps: Vec<Pc>) {
        jumps.into_iter().for_each(|j| self.land(j));
    }

    fn unless(&mut self, test: Truth, span: Span) -> Pc {
        self.emit(Op::JumpUnless(test, NO_PC), span)
    }

    /// Goes on elsewhere only when a block cannot be run: as long as it can be, it must.
    fn while_possible(&mut self, body: SubId, span: Span, place: Place) -> Pc {
        self.tries(body, place);
        let pc = self.unless(Truth::Possible(None, body), span);
        self.program.forced.push(pc);
        pc
    }

    /// Notes that a part of a turn is tried by a subprogram.
    fn tries(&mut self, sub: SubId, place: Place) {
        let begun = self.program.subs[sub.0 as usize] != NO_PC;
        if !begun && (place.top || place.counts) {
            self.trials.insert(sub);
        }
    }

    fn jump(&mut self, span: Span) -> Pc {
        self.emit(Op::Jump(NO_PC), span)
    }

    fn branch(&mut self, span: Span, count: usize) -> Pc {
        self.emit(Op::Branch(vec![NO_PC; count]), span)
    }

    fn land_branch(&mut self, at: Pc, way: usize) {
        let to = self.here();
        if let Op::Branch(targets) = &mut self.program.code[at.0 as usize] {
            targets[way] = to;
        }
    }

    fn point(&mut self, name: &str, place: Place, span: Span) {
        if place.top {
            let id = PointId(u32::try_from(self.program.points.len()).unwrap_or(u32::MAX));
            let pc = self.emit(Op::Point(id), span);
            self.program.points.push(Point {
                name: name.to_owned(),
                pc,
                carried: Vec::new(),
            });
        }
    }

    fn block(&mut self, id: SubId, place: Place) {
        let steps = self.game.blocks[id.0 as usize].clone();
        for (span, step) in steps {
            self.step(step, span, place);
        }
    }

    #[allow(clippy::too_many_lines, reason = "one arm a step")]
    fn step(&mut self, step: Step, span: Span, place: Place) {
        match step {
            Step::Let(var, value) => {
                self.emit(Op::Let(var, value), span);
            }
            Step::LetOfPlayer(var, player, value) => {
                self.emit(Op::LetOfPlayer(var, player, value), span);
            }
            Step::LetOfCell(var, cell, value) => {
                self.emit(Op::LetOfCell(var, cell, value), span);
            }
            Step::Clear(var) => {
                self.emit(Op::Clear(var), span);
            }
            Step::Choose(var, domain) => {
                let name = self.program.var(var).name.clone();
                self.point(&name, place, span);
                self.emit(Op::Choose(var, domain), span);
            }
            Step::Line(picture) => {
                self.point("line", place, span);
                let id = PictureId(u32::try_from(self.program.pictures.len()).unwrap_or(u32::MAX));
                self.program.pictures.push(*picture);
                self.emit(Op::Line(id), span);
            }
            Step::Require(test, reason) => {
                if test != Truth::Const(true) {
                    self.emit(Op::Require(test, reason), span);
                }
            }
            Step::Effect(effect) => {
                self.emit(Op::Effect(effect), span);
            }
            Step::If(cases, last) => self.cases(cases, last, span, place),
            Step::Either(list) => self.either(&list, span, place),
            Step::Otherwise(list) => self.otherwise(&list, span, place),
            Step::IfPossible(body) => {
                let skip = self.while_possible(body, span, place);
                self.block(body, place);
                self.land(skip);
            }
            Step::Preferring {
                body,
                key,
                most,
                into,
            } => {
                if place.asked {
                    return self.block(body, place);
                }
                let sub = self.full(body);
                self.tries(sub, place);
                self.emit(
                    Op::Best {
                        sub,
                        key: key.clone(),
                        most,
                        into,
                    },
                    span,
                );
                self.block(body, place);
                let best = Truth::compare(Compare::Equal, key, Num::Var(into));
                let reason = self.reason(
                    if most {
                        "another way has more"
                    } else {
                        "another way has less"
                    },
                    span,
                );
                self.emit(Op::Require(best, reason), span);
            }
            Step::ForEach {
                var,
                rest,
                members,
                set,
                body,
            } => {
                self.emit(Op::Let(rest, set), span);
                let each = self.emit(
                    Op::Each {
                        var,
                        rest,
                        members,
                        exit: NO_PC,
                    },
                    span,
                );
                self.block(body, place);
                self.emit(Op::Jump(each), span);
                self.land(each);
            }
            Step::AnyOrder {
                rest,
                set,
                round,
                until,
                ..
            } => {
                self.emit(Op::Let(rest, set), span);
                let start = self.here();
                let mut exits = vec![self.while_possible(round, span, place)];
                self.offer_stop(until, span, place, &mut exits);
                self.block(round, place);
                self.emit(Op::Jump(start), span);
                self.land_all(exits);
            }
            Step::Repeat(repeat) => self.repeat(&repeat, span, place),
            Step::Written(template, body) => self.written(template, body, span, place),
            Step::Unwritten(template, body) if place.top => {
                let t = &self.program.templates[template.0 as usize];
                if t.parts.is_empty() {
                    let d = Diagnostic::new(Code::BadNotation, span, format!("`{}` needs a notation", t.name))
                        .here("an action that would be written as nothing")
                        .help(format!("what it chooses cannot be told from its statements; write, for example, `rule {} \"{{spot}}\" {{ … }}`", t.name));
                    self.diagnostics.push(d);
                }
                self.written(template, body, span, place);
            }
            Step::Unwritten(_, body) | Step::Run(body) => self.block(body, place),
        }
    }

    fn reason(&mut self, text: &str, span: Span) -> ReasonId {
        self.program.reasons.push(Reason {
            text: text.to_owned(),
            span,
        });
        ReasonId(u32::try_from(self.program.reasons.len() - 1).unwrap_or(0))
    }

    fn written(&mut self, template: TemplateId, body: SubId, span: Span, place: Place) {
        let name = self.program.templates[template.0 as usize].name.clone();
        self.point(&name, place, span);
        self.emit(Op::Open(template), span);
        self.block(
            body,
            Place {
                top: false,
                counts: false,
                ..place
            },
        );
        self.emit(Op::Close(template), span);
        self.action_done(span, place);
    }

    /// An action is complete, or would be.
    fn action_done(&mut self, span: Span, place: Place) {
        if place.top {
            self.emit(Op::ActionDone, span);
        } else if let Some(actions) = self.program.system.actions.filter(|_| place.counts) {
            let more = Num::arithmetic('+', Num::Var(actions), Num::Const(1));
            self.emit(Op::Let(actions, Value::Num(more)), span);
        }
    }

    fn cases(&mut self, cases: Vec<(Truth, SubId)>, last: SubId, span: Span, place: Place) {
        let mut ends = Vec::new();
        for (test, body) in cases {
            if test == Truth::Const(true) {
                self.block(body, place);
                return self.land_all(ends);
            }
            let next = self.unless(test, span);
            self.block(body, place);
            ends.push(self.jump(span));
            self.land(next);
        }
        self.block(last, place);
        self.land_all(ends);
    }

    fn either(&mut self, list: &[SubId], span: Span, place: Place) {
        let name = list
            .iter()
            .find_map(|b| self.first_name(*b))
            .unwrap_or_else(|| "choice".to_owned());
        self.point(&name, place, span);
        let branch = self.branch(span, list.len());
        let mut ends = Vec::new();
        for (way, body) in list.iter().enumerate() {
            self.land_branch(branch, way);
            self.block(*body, place);
            ends.push(self.jump(span));
        }
        self.land_all(ends);
    }

    fn otherwise(&mut self, list: &[SubId], span: Span, place: Place) {
        let mut ends = Vec::new();
        for (at, body) in list.iter().enumerate() {
            if at + 1 == list.len() {
                self.block(*body, place);
                break;
            }
            let next = self.while_possible(*body, span, place);
            self.block(*body, place);
            ends.push(self.jump(span));
            self.land(next);
        }
        self.land_all(ends);
    }

    /// Offers an action that ends a repetition; the other way goes on with the next instruction.
    fn offer_stop(
        &mut self,
        until: Option<TemplateId>,
        span: Span,
        place: Place,
        exits: &mut Vec<Pc>,
    ) {
        let Some(template) = until else { return };
        let name = self.program.templates[template.0 as usize].name.clone();
        self.point(&name, place, span);
        let branch = self.branch(span, 2);
        self.land_branch(branch, 0);
        self.emit(Op::Open(template), span);
        self.emit(Op::Close(template), span);
        self.action_done(span, place);
        exits.push(self.jump(span));
        self.land_branch(branch, 1);
    }

    fn repeat(&mut self, repeat: &Repeat, span: Span, place: Place) {
        for (var, first) in [&repeat.left, &repeat.due].into_iter().flatten() {
            self.emit(Op::Let(*var, Value::Num(first.clone())), span);
        }
        let start = self.here();
        let mut exits = Vec::new();
        if let Some(test) = &repeat.test {
            exits.push(self.unless(test.clone(), span));
        }
        if let Some((left, _)) = &repeat.left {
            exits.push(self.unless(
                Truth::compare(Compare::More, Num::Var(*left), Num::Const(0)),
                span,
            ));
        }
        let mut must: Option<Pc> = None;
        if let Some((due, _)) = &repeat.due {
            must = Some(self.unless(
                Truth::compare(Compare::AtMost, Num::Var(*due), Num::Const(0)),
                span,
            ));
        }
        if repeat.until.is_some() || (repeat.while_possible && !repeat.may_stop) {
            exits.push(self.while_possible(repeat.body, span, place));
        }
        self.offer_stop(repeat.until, span, place, &mut exits);
        if repeat.may_stop {
            if place.top && self.first_name(repeat.body).is_some() {
                let d = Diagnostic::new(Code::Misplaced, span, "in a turn, a trail with steps of their own cannot stop silently")
                    .here("stopping would be an action without a text")
                    .help("put the trail into a rule, give it one length, or say `repeat … or until \"stop\"`");
                self.diagnostics.push(d);
            }
            self.point("stop", place, span);
            let branch = self.branch(span, 2);
            self.land_branch(branch, 0);
            exits.push(self.jump(span));
            self.land_branch(branch, 1);
        }
        if let Some(must) = must {
            self.land(must);
        }
        self.block(repeat.body, place);
        if let Some((left, _)) = &repeat.left {
            let less = Num::arithmetic('-', Num::Var(*left), Num::Const(1));
            self.emit(Op::Let(*left, Value::Num(less)), span);
        }
        if let Some((due, _)) = &repeat.due {
            let more = Truth::compare(Compare::More, Num::Var(*due), Num::Const(0));
            let less = Num::arithmetic('-', Num::Var(*due), Num::Const(1));
            let next = Num::If(Box::new(more), Box::new(less), Box::new(Num::Const(0)));
            self.emit(Op::Let(*due, Value::Num(next)), span);
        }
        self.emit(Op::Jump(start), span);
        self.land_all(exits);
    }

    /// The name of the first thing that a block writes.
    fn first_name(&self, block: SubId) -> Option<String> {
        self.game.blocks[block.0 as usize]
            .iter()
            .find_map(|(_, step)| match step {
                Step::Written(t, _) | Step::Unwritten(t, _) => {
                    Some(self.program.templates[t.0 as usize].name.clone())
                }
                Step::Run(b) | Step::IfPossible(b) | Step::Preferring { body: b, .. } => {
                    self.first_name(*b)
                }
                Step::AnyOrder { round: b, .. } => self.first_name(*b),
                Step::Repeat(r) => self.first_name(r.body),
                Step::Either(list) | Step::Otherwise(list) => {
                    list.iter().find_map(|b| self.first_name(*b))
                }
                Step::ForEach { body, .. } => self.first_name(*body),
                Step::If(cases, last) => cases
                    .iter()
                    .map(|c| c.1)
                    .chain([*last])
                    .find_map(|b| self.first_name(b)),
                Step::Let(..)
                | Step::LetOfPlayer(..)
                | Step::LetOfCell(..)
                | Step::Clear(_)
                | Step::Choose(..)
                | Step::Line(_)
                | Step::Require(..)
                | Step::Effect(_) => None,
            })
    }
}
