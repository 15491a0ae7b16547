//! Trails: a picture repeated from cell to cell, said with the core steps: a choice, and a repetition of a line.

use crate::base::{Code, Diagnostic, Span, nearest};
use crate::model::names::{Binding, Local};
use crate::model::reach::Walk;
use crate::model::resolver::Resolver;
use crate::model::sought::{Told, end_of};
use crate::model::{Block, Repeat, Step};
use crate::program::{
    CellExpr, Cells, DirExpr, Dirs, Domain, KindExpr, Life, Num, Picture, Square, SubId, Template,
    Truth, Value, VarId, VarType, cells_vars,
};
use crate::syntax::ast::{Bound, Name, Notation, Trail, TrailLength, TrailStep};

/// What may be forbidden to a trail.
const NEVER: &[&str] = &["back", "straight", "twice"];

/// The variables of a trail.
struct Marks {
    here: VarId,
    heading: Option<VarId>,
    used: Option<VarId>,
    back: bool,
    straight: bool,
    /// Where each kind of step leads, when that is the same all along the way.
    ends: Vec<Option<Cells>>,
    /// The pictures of the steps as they are written, and what each calls the next cell.
    steps: Vec<(Picture, VarId)>,
}

impl Resolver<'_> {
    /// The steps of a trail. The names of its ends are bound in the scope.
    pub fn trail(&mut self, trail: &Trail) -> Option<Block> {
        Some(self.trail_told(trail)?.block)
    }

    /// The same, and what is known of where it goes.
    pub fn trail_told(&mut self, trail: &Trail) -> Option<Told> {
        let span = trail.span;
        let Some((start, start_name)) = &trail.start else {
            return self.fail(clause_missing(span, "start", "start own as mover"));
        };
        if trail.steps.is_empty() {
            return self.fail(clause_missing(
                span,
                "step",
                "step [ here | empty as next ]",
            ));
        }
        let never = |word: &str| trail.never.iter().any(|n| n.text == word);
        self.check_never(&trail.never);
        let start_set = self.cells(start)?;
        let here = self.new_var("here", VarType::Cell, Life::Local);
        let turning = never("back") || never("straight");
        let mut marks = Marks {
            here,
            heading: turning.then(|| self.new_var("heading", VarType::Direction, Life::Local)),
            used: never("twice").then(|| self.new_var("visited", VarType::Cells, Life::Local)),
            back: never("back"),
            straight: never("straight"),
            ends: Vec::new(),
            steps: Vec::new(),
        };
        let mut begin: Block = Vec::new();
        if let Some(heading) = marks.heading {
            begin.push((span, Step::Clear(heading)));
        }
        let single = Cells::Single(Box::new(CellExpr::Var(here)));
        if let Some(used) = marks.used {
            begin.push((span, Step::Let(used, Value::Cells(single))));
        }
        let mut begun = None;
        if let Some(name) = start_name {
            let id = self.bind(name, VarType::Cell);
            begun = Some(id);
            begin.push((span, Step::Let(id, Value::Cell(CellExpr::Var(here)))));
        }
        let repeat = self.rounds(trail)?;
        let between = match &trail.between {
            Some(e) => {
                let set = self.cells(e)?;
                let origin = self.new_var("origin", VarType::Cell, Life::Local);
                begin.push((span, Step::Let(origin, Value::Cell(CellExpr::Var(here)))));
                Some((set, origin))
            }
            None => None,
        };
        let within = between.as_ref().map(|(set, _)| set.clone());
        let steps = self.trail_steps(trail, &mut marks, between, &start_set)?;
        let goes = |r: &mut Self, from: Cells, steps: Vec<Block>| {
            let body = r.one_of(steps, span);
            let mut block = vec![(start.span, Step::Choose(here, Domain::Cells(from)))];
            block.extend(begin.clone());
            let repeat = Repeat {
                body,
                ..repeat.clone()
            };
            block.push((span, Step::Repeat(Box::new(repeat))));
            block
        };
        let mut block = match self.by_kind(here, &repeat, &marks.steps, &steps) {
            None => goes(self, start_set.clone(), steps),
            Some(kinds) => {
                let each = kinds.into_iter().map(|(kind, steps)| {
                    let from = Cells::and(start_set.clone(), Cells::Kind(KindExpr::Const(kind)));
                    goes(self, from, steps)
                });
                let each: Vec<Block> = each.collect();
                let ways = each.into_iter().map(|b| self.new_block(b)).collect();
                vec![(span, Step::Either(ways))]
            }
        };
        let mut finish = None;
        if let Some((set, name)) = &trail.finish {
            let set = self.cells(set)?;
            finish = Some(set.clone());
            let reason = self.new_reason("the trail ends elsewhere", span);
            let test = Truth::Contains(Box::new(CellExpr::Var(here)), Box::new(set));
            block.push((span, Step::Require(test, reason)));
            if let Some(name) = name {
                let id = self.bind(name, VarType::Cell);
                block.push((span, Step::Let(id, Value::Cell(CellExpr::Var(here)))));
            }
        }
        Some(Told {
            block,
            start: start_set,
            ends: marks.ends,
            finish,
            walk: Walk {
                here,
                begun,
                steps: marks.steps,
                within,
            },
        })
    }

    fn check_never(&mut self, never: &[Name]) {
        for name in never {
            if !NEVER.contains(&name.text.as_str()) {
                let d = Diagnostic::new(
                    Code::Misplaced,
                    name.span,
                    format!("a trail is never `{}`", name.text),
                )
                .here("not known");
                self.report(match nearest(&name.text, NEVER.iter().copied()) {
                    Some(near) => d.help(format!("did you mean `{near}`?")).repair(near),
                    None => d.help(format!("it may be forbidden to go {}", NEVER.join(", "))),
                });
            }
        }
    }

    /// How often a trail steps.
    fn rounds(&mut self, trail: &Trail) -> Option<Repeat> {
        let mut repeat = Repeat {
            test: None,
            left: None,
            due: None,
            while_possible: true,
            may_stop: false,
            until: None,
            body: crate::program::SubId(0),
        };
        let due = self.new_var("due", VarType::Number, Life::Local);
        match &trail.length {
            None => {
                return self.fail(clause_missing(trail.span, "length", "length full"));
            }
            Some(TrailLength::Full) => repeat.due = Some((due, Num::Const(1))),
            Some(TrailLength::Range { least, most, cells }) => {
                let minus = |n: Num| {
                    if *cells {
                        Num::arithmetic('-', n, Num::Const(1))
                    } else {
                        n
                    }
                };
                let low = minus(self.number(least)?);
                match most {
                    Bound::Same => {
                        let left = self.new_var("steps", VarType::Number, Life::Local);
                        repeat.left = Some((left, low));
                        repeat.while_possible = false;
                    }
                    Bound::Open => {
                        repeat.due = Some((due, low));
                        repeat.may_stop = true;
                    }
                    Bound::At(e) => {
                        let left = self.new_var("steps", VarType::Number, Life::Local);
                        repeat.due = Some((due, low));
                        repeat.left = Some((left, minus(self.number(e)?)));
                        repeat.may_stop = true;
                    }
                }
            }
        }
        Some(repeat)
    }

    /// What each kind of step does.
    fn trail_steps(
        &mut self,
        trail: &Trail,
        marks: &mut Marks,
        between: Option<(Cells, VarId)>,
        start: &Cells,
    ) -> Option<Vec<Block>> {
        let steps = trail.steps.iter();
        steps
            .map(|step| self.scoped(|r| r.trail_step(step, marks, between.as_ref(), start)))
            .collect()
    }

    /// One of some blocks.
    fn one_of(&mut self, blocks: Vec<Block>, span: Span) -> SubId {
        let ways: Vec<SubId> = blocks.into_iter().map(|b| self.new_block(b)).collect();
        match ways.as_slice() {
            [only] => *only,
            _ => self.new_block(vec![(span, Step::Either(ways))]),
        }
    }

    fn trail_step(
        &mut self,
        step: &TrailStep,
        marks: &mut Marks,
        between: Option<&(Cells, VarId)>,
        start: &Cells,
    ) -> Option<Block> {
        let span = step.line.span;
        self.scope.push(Local {
            name: "here".to_owned(),
            span,
            binding: Binding::Var(marks.here),
        });
        let scope_mark = self.scope.len();
        let mut picture = self.picture_with_next(step)?;
        let Some(next) = self.scope[scope_mark..]
            .iter()
            .find(|l| l.name == "next")
            .cloned()
        else {
            return self.fail(
                Diagnostic::new(Code::MissingItem, span, "the step leads nowhere")
                    .here("no square is called `next`")
                    .help("name the cell it leads to: `empty as next`"),
            );
        };
        let Binding::Var(next) = next.binding else {
            return None;
        };
        self.begins_here(&picture, marks.here, span)?;
        self.lint_trail_start(start, next, span);
        marks.ends.push(end_of(&picture, next));
        marks.steps.push((picture.clone(), next));
        let way = self.trail_ways(&mut picture, marks);
        let mut inner: Block = Vec::new();
        if let Some((set, origin)) = between {
            let reason = self.new_reason("the trail may not pass there", span);
            let at_start = Truth::SameCell(
                Box::new(CellExpr::Var(marks.here)),
                Box::new(CellExpr::Var(*origin)),
            );
            let inside =
                Truth::Contains(Box::new(CellExpr::Var(marks.here)), Box::new(set.clone()));
            inner.push((span, Step::Require(Truth::or(at_start, inside), reason)));
        }
        inner.push((span, Step::Line(Box::new(picture))));
        if let Some(used) = marks.used {
            let reason = self.new_reason("the trail would come to a cell twice", span);
            let seen = Truth::Contains(Box::new(CellExpr::Var(next)), Box::new(Cells::Var(used)));
            inner.push((span, Step::Require(Truth::not(seen), reason)));
        }
        if let Some(body) = &step.body {
            let block = self.scoped(|r| r.block(body));
            inner.extend(block);
        }
        let template = match &step.notation {
            Some(n) => Some(self.step_template(n)?),
            None => None,
        };
        let mut after: Block = Vec::new();
        if let (Some(heading), Some(way)) = (marks.heading, way) {
            after.push((span, Step::Let(heading, Value::Dir(DirExpr::Var(way)))));
        }
        after.push((
            span,
            Step::Let(marks.here, Value::Cell(CellExpr::Var(next))),
        ));
        // Where a trail may come back to its start, that is a cell between the ends then.
        if let Some((_, origin)) = between.filter(|_| marks.used.is_none()) {
            after.push((span, Step::Clear(*origin)));
        }
        if let Some(used) = marks.used {
            let all = Cells::Or(
                Box::new(Cells::Var(used)),
                Box::new(Cells::Single(Box::new(CellExpr::Var(next)))),
            );
            after.push((span, Step::Let(used, Value::Cells(all))));
        }
        Some(match template {
            Some(template) => {
                // The text is complete before the step is taken: it may say `here`.
                let written = self.new_block(inner);
                let mut block = vec![(span, Step::Written(template, written))];
                block.extend(after);
                block
            }
            None => {
                inner.extend(after);
                inner
            }
        })
    }

    /// A step goes on from where the trail has come to.
    fn begins_here(&mut self, picture: &Picture, here: VarId, span: Span) -> Option<()> {
        let asks = |square: &Square| match square {
            Square::Cells { class, .. } => cells_vars(class).may_read(|var| var == here),
            Square::Edge => false,
        };
        if picture.squares.iter().any(asks) {
            return Some(());
        }
        self.fail(
            Diagnostic::new(
                Code::MissingItem,
                span,
                "the step does not begin where the trail has come to",
            )
            .here("no square is `here`")
            .help("a step goes from `here`: write `[ here | … ]`, or `[ here and own | … ]` to say what stands there"),
        )
    }

    fn picture_with_next(&mut self, step: &TrailStep) -> Option<Picture> {
        // `next` is a word of the language elsewhere; in a step's picture it is the name of a square.
        self.reuse.clear();
        let next_at = step
            .line
            .squares
            .iter()
            .find_map(|s| s.name.as_ref().filter(|n| n.text == "next"));
        if let Some(name) = next_at {
            let id = self.new_var("next", VarType::Cell, Life::Local);
            self.reuse.insert(name.text.clone(), id);
        }
        self.picture(&step.line)
    }

    /// Takes forbidden directions out of a step's picture, and makes sure that it tells the one taken.
    fn trail_ways(&mut self, picture: &mut Picture, marks: &Marks) -> Option<VarId> {
        let heading = marks.heading?;
        let way = match picture.way {
            Some(way) => way,
            None => self.new_var("way", VarType::Direction, Life::Local),
        };
        picture.way = Some(way);
        let mut ways = picture.ways.clone();
        if marks.back {
            ways = Dirs::without(
                ways,
                Dirs::Single(DirExpr::Opposite(Box::new(DirExpr::Var(heading)))),
            );
        }
        if marks.straight {
            ways = Dirs::without(ways, Dirs::Single(DirExpr::Var(heading)));
        }
        picture.ways = ways;
        if let Some(Square::Cells { fixed, .. }) = picture.squares.first_mut() {
            *fixed = true;
        }
        Some(way)
    }

    fn step_template(&mut self, notation: &Notation) -> Option<crate::program::TemplateId> {
        let parts = self.notation_parts(notation)?;
        let mark = self.new_var("text", VarType::Number, Life::Local);
        Some(self.new_template(Template {
            name: "step".to_owned(),
            parts,
            mark,
            span: notation.span,
        }))
    }
}

fn clause_missing(span: Span, what: &str, example: &str) -> Diagnostic {
    Diagnostic::new(
        Code::MissingItem,
        span,
        format!("the trail has no `{what}`"),
    )
    .here("a trail needs a start, a step and a length")
    .help(format!("add, for example: {example}"))
}
