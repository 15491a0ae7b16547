//! Chunks of text into items. A chunk that cannot be read is reported and left out.

use crate::base::{Code, Diagnostic, Diagnostics, Span};
use crate::syntax::ast::{
    Block, Board, BoardClause, Domain, EndClause, EndResult, GraphLine, Item, ItemKind, Keep, Kind,
    Moment, Name, OptionItem, Params, Per, Player, Rule as RuleItem, Shape, Statement,
    StatementKind,
};
use crate::syntax::grammar::{Grammar, Pair, Rule, child, has, kids, same_line};
use crate::syntax::prescan::Chunk;
use crate::syntax::problems;
use crate::syntax::tree::Builder;
use pest::Parser;

/// Reads one item.
pub fn read(chunk: &Chunk<'_>, diagnostics: &mut Diagnostics) -> Option<Item> {
    let mut pairs = match Grammar::parse(Rule::item, chunk.text) {
        Ok(pairs) => pairs,
        Err(error) => {
            diagnostics.push(problems::diagnostic(&error, chunk.text, chunk.base));
            return None;
        }
    };
    let item = pairs.next()?;
    let replaces = has(&item, Rule::k_replace);
    let inner = kids(item).next()?;
    let span = Span::new(chunk.base, chunk.base + chunk.text.len());
    let mut builder = Builder {
        base: chunk.base,
        diagnostics,
    };
    let kind = builder.item(inner)?;
    Some(Item {
        span,
        lead: Span::new(chunk.lead, chunk.lead).start,
        doc: chunk.doc.clone(),
        replaces,
        kind,
    })
}

impl Builder<'_> {
    fn item(&mut self, pair: Pair<'_>) -> Option<ItemKind> {
        Some(match pair.as_rule() {
            Rule::game => self.game(pair)?,
            Rule::option => ItemKind::Option(self.option(pair)?),
            Rule::condition => {
                let test = self.expr(child(&pair, Rule::logic)?);
                ItemKind::Require {
                    test,
                    reason: self.name(&child(&pair, Rule::text)?),
                }
            }
            Rule::players => {
                ItemKind::Players(kids(pair).filter_map(|p| self.player(&p)).collect())
            }
            Rule::board => ItemKind::Board(self.board(pair)?),
            Rule::pieces => ItemKind::Pieces(kids(pair).filter_map(|k| self.kind(&k)).collect()),
            Rule::keep => ItemKind::Keep(self.keep(pair)?),
            Rule::mark => ItemKind::Mark {
                names: kids(pair.clone())
                    .filter(|p| p.as_rule() == Rule::name)
                    .map(|n| self.name(&n))
                    .collect(),
                each_turn: has(&pair, Rule::each_turn),
                aside: has(&pair, Rule::k_aside),
            },
            Rule::define => self.define(pair)?,
            Rule::setup => match child(&pair, Rule::drawing) {
                Some(drawing) => ItemKind::Drawing(kids(drawing).map(|g| self.name(&g)).collect()),
                None => ItemKind::Setup(self.block(child(&pair, Rule::block)?)),
            },
            Rule::rule_item => ItemKind::Rule(self.rule(pair)?),
            Rule::turn => self.turn(pair)?,
            Rule::end => {
                let moment = moment(&child(&pair, Rule::moment)?);
                let clauses = self.end_clauses(pair)?;
                ItemKind::End { moment, clauses }
            }
            Rule::end_change => ItemKind::EndChange {
                name: self.name(&child(&pair, Rule::text)?),
                clauses: self.end_clauses(pair)?,
            },
            Rule::variant => ItemKind::Variant(self.name(&child(&pair, Rule::text)?)),
            Rule::removal => self.removal(&pair)?,
            Rule::example => ItemKind::Example(self.example(&pair)?),
            _ => return None,
        })
    }

    fn game(&mut self, pair: Pair<'_>) -> Option<ItemKind> {
        let text = |b: &Self, rule| {
            child(&pair, rule)
                .and_then(|p| child(&p, Rule::text))
                .map(|t| b.name(&t))
        };
        let title = self.name(&child(&pair, Rule::text)?);
        let author = text(self, Rule::author);
        let source = text(self, Rule::source);
        let year = child(&pair, Rule::number).map(|n| u32::try_from(self.number(&n)).unwrap_or(0));
        Some(ItemKind::Game {
            title,
            author,
            year,
            source,
        })
    }

    fn option(&mut self, pair: Pair<'_>) -> Option<OptionItem> {
        let name = self.name(&child(&pair, Rule::name)?);
        let value = self.name(&child(&pair, Rule::option_value)?);
        let by = child(&pair, Rule::number).map_or(1, |n| self.step(&n));
        let text = child(&pair, Rule::text).map(|t| self.name(&t));
        let when = child(&pair, Rule::logic).map(|l| self.expr(l));
        let mut domain = Vec::new();
        for part in kids(pair).filter(|p| p.as_rule() == Rule::option_domain) {
            let inner = kids(part).next()?;
            domain.push(match inner.as_rule() {
                Rule::domain_range => {
                    let mut ends = kids(inner.clone());
                    let low = self.number(&ends.next()?);
                    let high = self.number(&ends.next()?);
                    if low > high {
                        let d = Diagnostic::new(
                            Code::BadOption,
                            self.span(&inner),
                            "the range is empty",
                        )
                        .here(format!("{low} is more than {high}"))
                        .repair(format!("{high}..{low}"));
                        self.diagnostics.push(d);
                    }
                    Domain::Range(low, high)
                }
                Rule::number => {
                    let n = self.number(&inner);
                    Domain::Range(n, n)
                }
                _ => Domain::Word(inner.as_str().trim_end().to_owned()),
            });
        }
        Some(OptionItem {
            name,
            value,
            domain,
            by,
            when,
            text,
        })
    }

    /// The step of an option's ranges.
    fn step(&mut self, pair: &Pair<'_>) -> u32 {
        let by = u32::try_from(self.number(pair)).unwrap_or(1);
        // A number that is too large has been told of, and came as 0.
        if by == 0 && pair.as_str().trim_end().bytes().all(|b| b == b'0') {
            let d = Diagnostic::new(Code::BadOption, self.span(pair), "a step of nothing");
            let d = d.here("every value would be the first").repair("1");
            self.diagnostics.push(d);
        }
        by.max(1)
    }

    fn player(&mut self, pair: &Pair<'_>) -> Option<Player> {
        let name = self.name(&child(pair, Rule::proper)?);
        Some(Player {
            name,
            facing: child(pair, Rule::word).map(|w| self.name(&w)),
        })
    }

    fn kind(&mut self, pair: &Pair<'_>) -> Option<Kind> {
        let name = self.name(&child(pair, Rule::name)?);
        let letter = child(pair, Rule::text).map(|t| self.name(&t));
        Some(Kind {
            name,
            letter,
            neutral: has(pair, Rule::k_neutral),
        })
    }

    fn board(&mut self, pair: Pair<'_>) -> Option<Board> {
        let shape = if let Some(graph) = child(&pair, Rule::graph) {
            self.graph(graph)
        } else {
            let call = child(&pair, Rule::call)?;
            let name = self.name(&child(&call, Rule::name)?);
            Shape::Named {
                name,
                args: child(&call, Rule::args)
                    .map(|a| self.args(a))
                    .unwrap_or_default(),
            }
        };
        let mut clauses = Vec::new();
        for clause in kids(pair).filter(|p| p.as_rule() == Rule::board_clause) {
            if has(&clause, Rule::k_stacking) {
                clauses.push(BoardClause::Stacking(self.span(&clause)));
                continue;
            }
            let inner = kids(clause).next()?;
            let value = child(&inner, Rule::logic).map(|l| self.expr(l));
            clauses.push(match (inner.as_rule(), value) {
                (Rule::board_only, Some(e)) => BoardClause::Only(e),
                (Rule::board_without, Some(e)) => BoardClause::Without(e),
                (Rule::board_joined, Some(e)) => BoardClause::Joined(e),
                _ => BoardClause::Wrapping(self.name(&child(&inner, Rule::word)?)),
            });
        }
        Some(Board { shape, clauses })
    }

    fn graph(&mut self, pair: Pair<'_>) -> Shape {
        let mut lines = Vec::new();
        let mut cells = Vec::new();
        for part in kids(pair) {
            let points: Vec<Name> = kids(part.clone())
                .filter(|p| p.as_rule() == Rule::point)
                .map(|p| self.name(&p))
                .collect();
            if part.as_rule() == Rule::graph_line {
                let ways = child(&part, Rule::way_names)
                    .map(|w| kids(w).map(|n| self.name(&n)).collect())
                    .unwrap_or_default();
                lines.push(GraphLine {
                    ways,
                    cells: points,
                });
            } else {
                cells.extend(points);
            }
        }
        Shape::Graph { lines, cells }
    }

    fn keep(&mut self, pair: Pair<'_>) -> Option<Keep> {
        let name = self.name(&child(&pair, Rule::name)?);
        let per = match child(&pair, Rule::keep_each) {
            Some(each) if has(&each, Rule::k_player) => Per::Player,
            Some(_) => Per::Cell,
            None => Per::Game,
        };
        let initial = self.expr(child(&pair, Rule::expr)?);
        let mut each_turn = false;
        let mut compared = None;
        for life in kids(pair).filter(|p| p.as_rule() == Rule::keep_life) {
            each_turn |= has(&life, Rule::each_turn);
            if has(&life, Rule::k_aside) {
                compared = Some(false);
            } else if has(&life, Rule::k_compared) {
                compared = Some(true);
            }
        }
        Some(Keep {
            name,
            per,
            initial,
            each_turn,
            compared,
        })
    }

    fn define(&mut self, pair: Pair<'_>) -> Option<ItemKind> {
        let name = self.name(&child(&pair, Rule::name)?);
        let params = match child(&pair, Rule::define_params) {
            None => Params::None,
            Some(p) => match child(&p, Rule::proper) {
                Some(player) => Params::Case(self.name(&player)),
                None => Params::Names(kids(p).map(|n| self.name(&n)).collect()),
            },
        };
        Some(ItemKind::Define {
            name,
            params,
            body: self.expr(child(&pair, Rule::expr)?),
        })
    }

    fn rule(&mut self, pair: Pair<'_>) -> Option<RuleItem> {
        let name = self.name(&child(&pair, Rule::proper)?);
        let params = child(&pair, Rule::rule_params)
            .map(|p| kids(p).map(|n| self.name(&n)).collect())
            .unwrap_or_default();
        let notation = child(&pair, Rule::text).map(|t| self.notation(&t));
        Some(RuleItem {
            name,
            params,
            notation,
            body: self.block(child(&pair, Rule::block)?),
        })
    }

    fn turn(&mut self, pair: Pair<'_>) -> Option<ItemKind> {
        let name = child(&pair, Rule::name).map(|n| self.name(&n));
        let test = child(&pair, Rule::logic).map(|l| self.expr(l));
        let body = if let Some(block) = child(&pair, Rule::block) {
            self.block(block)
        } else {
            let play = child(&pair, Rule::play)?;
            let span = self.span(&play);
            Block {
                statements: vec![Statement {
                    span,
                    kind: StatementKind::Play(self.play(play)),
                }],
            }
        };
        Some(ItemKind::Turn { name, test, body })
    }

    fn end_clauses(&mut self, pair: Pair<'_>) -> Option<Vec<EndClause>> {
        let mut clauses = Vec::new();
        let mut clauses_end = None;
        for clause in kids(pair.clone()) {
            if clause.as_rule() == Rule::bad {
                self.report_bad(
                    &clause,
                    clauses_end
                        .filter(|(end, _)| same_line(&clause, *end))
                        .map(|(_, start)| start),
                    Rule::clause_only,
                );
            } else if clause.as_rule() == Rule::end_clause {
                let s = clause.as_span();
                clauses_end = Some((s.start() + s.as_str().trim_end().len(), s.start()));
                clauses.push(self.end_clause(&clause)?);
            }
        }
        if clauses_end.is_none() && !has(&pair, Rule::bad) {
            let moment = child(&pair, Rule::moment).map(|m| moment(&m));
            let d = no_clause(moment, self.span(&pair));
            self.diagnostics.push(d);
        }
        Some(clauses)
    }

    fn end_clause(&mut self, pair: &Pair<'_>) -> Option<EndClause> {
        let result = child(pair, Rule::result)?;
        let result = if has(&result, Rule::k_win) {
            EndResult::Win
        } else if has(&result, Rule::k_lose) {
            EndResult::Lose
        } else if has(&result, Rule::k_draw) {
            EndResult::Draw
        } else {
            EndResult::Score(self.name(&child(&result, Rule::name)?))
        };
        let name = child(pair, Rule::text).map(|t| self.name(&t));
        Some(EndClause {
            span: self.span(pair),
            result,
            name,
            test: self.expr(child(pair, Rule::logic)?),
        })
    }
}

fn moment(pair: &Pair<'_>) -> Moment {
    if has(pair, Rule::at_start) {
        Moment::StartOfTurn
    } else if has(pair, Rule::after_turn) {
        Moment::AfterTurn
    } else {
        Moment::AfterAction
    }
}

/// Says that an end holds nothing, with a clause that could stand there.
fn no_clause(moment: Option<Moment>, span: Span) -> Diagnostic {
    let example = match moment {
        Some(Moment::StartOfTurn) => "lose \"blocked\" when stuck",
        Some(Moment::AfterTurn | Moment::AfterAction) | None => "win \"alone\" when no enemy",
    };
    Diagnostic::new(Code::MissingItem, span, "this end has no clause")
        .here("nothing ends the game here")
        .help(format!("write, for example: {example}"))
}
