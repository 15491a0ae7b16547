//! The resolver's state, and the order in which a file is resolved: options, players, board, pieces, kept values, setup,
//! turns, ends. Each area has a file of its own.

use crate::base::{Code, Diagnostic, Diagnostics, Severity, Span};
use crate::board::{Board, Cell};
use crate::model::convert::Term;
use crate::model::names::{Binding, Local};
use crate::model::options::Options;
use crate::model::{Block, Game, Turn, lints};
use crate::program::{
    About, End, KindInfo, Life, Moment, Per, PlayerInfo, Reason, ReasonId, SubId, System, Template,
    TemplateId, Var, VarId, VarType,
};
use crate::syntax::ast::{Expr, File, ItemKind, Name, Params, Rule, UNREADABLE};
use std::collections::{BTreeMap, BTreeSet};
use std::mem::take;

/// Work that one file may cause; more means definitions that grow without measure.
const MAX_WORK: u64 = 400_000;

/// When so much is wrong, no more is told.
const MAX_FINDINGS: usize = 200;

/// Findings about names, which are right whatever the board is.
const NAMES: [Code; 5] = [
    Code::UnknownName,
    Code::UnknownRule,
    Code::UnknownVerb,
    Code::UnknownPlayer,
    Code::NameTaken,
];

/// A definition as written.
pub struct Define<'f> {
    /// Its name.
    pub name: &'f Name,
    /// What stands behind the name.
    pub params: &'f Params,
    /// What it is.
    pub body: &'f Expr,
    /// Whether it has been used.
    pub used: bool,
}

/// What a definition came to: whether something can be run. Used once more with the same values it is the same.
pub struct DefinedTest {
    /// The definition's number.
    pub define: usize,
    /// The values.
    pub given: Vec<Term>,
    /// What came of it.
    pub term: Term,
}

/// A rule as written.
pub struct RuleEntry<'f> {
    /// The rule.
    pub rule: &'f Rule,
    /// Whether it has been played.
    pub used: bool,
}

/// Everything that is known while a file is resolved.
pub struct Resolver<'f> {
    /// Findings so far.
    pub diagnostics: &'f mut Diagnostics,
    /// The options.
    pub options: Options<'f>,
    /// What a variant has taken out.
    pub removed: &'f [Name],
    /// The players.
    pub players: Vec<PlayerInfo>,
    /// The board.
    pub board: Board,
    /// Whether a cell may hold a stack.
    pub stacking: bool,
    /// Whether `only` or `without` took cells from the board.
    pub cut: bool,
    /// The piece kinds.
    pub kinds: Vec<KindInfo>,
    /// Whether something is dealt into hands.
    pub hands: bool,
    /// The definitions.
    pub defines: Vec<Define<'f>>,
    /// The rules.
    pub rules: Vec<RuleEntry<'f>>,
    /// All variables.
    pub vars: Vec<Var>,
    /// How often each variable is named.
    pub uses: Vec<u32>,
    /// Kept values by name.
    pub kept: BTreeMap<String, VarId>,
    /// Where kept values are declared.
    pub kept_spans: BTreeMap<String, Span>,
    /// Those that the engine keeps.
    pub system: System,
    /// All blocks.
    pub blocks: Vec<Block>,
    /// Notations.
    pub templates: Vec<Template>,
    /// Texts of requirements.
    pub reasons: Vec<Reason>,
    /// Mirror images.
    pub mirrors: Vec<Vec<Cell>>,
    /// Views of the players.
    pub views: Vec<Vec<Cell>>,
    /// Whether the rules look at earlier positions.
    pub looks_back: bool,
    /// Names that can be seen here, the innermost last.
    pub scope: Vec<Local>,
    /// Names of definitions and rules that are being put in place, the innermost last.
    pub active: Vec<String>,
    /// Rules that were asked whether they can be run.
    pub can: BTreeMap<String, SubId>,
    /// Names to be bound to variables that are there already, in alternatives.
    pub reuse: BTreeMap<String, VarId>,
    /// Names of blocks and rules that have ended.
    pub ended: BTreeSet<String>,
    /// The moment of the end that is being resolved.
    pub moment: Option<Moment>,
    /// How often it was asked which moment that is.
    pub moment_asked: u32,
    /// Tests that definitions came to.
    pub tests: Vec<DefinedTest>,
    /// Whether the setup is being resolved.
    pub in_setup: bool,
    /// Where the definition or rule was used that is being put in place.
    pub used_at: Vec<Span>,
    /// Names whose own meaning could not be found: complaints about their uses would only distract.
    pub broken: BTreeSet<String>,
    /// Whether the players are known, with the sides they sit at.
    pub players_known: bool,
    /// Whether the board is the one of the file; else a stand-in, and cells have no names.
    pub board_known: bool,
    /// Work done.
    pub work: u64,
    /// What is watched for the lints.
    pub lints: lints::Watch,
}

impl Resolver<'_> {
    /// Reports a finding; one inside a definition or rule tells where that was used.
    pub fn report(&mut self, diagnostic: Diagnostic) {
        let many = self.diagnostics.as_slice().len() >= MAX_FINDINGS;
        if many && (diagnostic.severity != Severity::Error || self.diagnostics.has_errors()) {
            return;
        }
        self.diagnostics.push(diagnostic);
    }

    /// Whether a name's own meaning could not be found, which has been reported.
    pub fn is_broken(&self, text: &str) -> bool {
        text == UNREADABLE || (self.broken.contains(text) && self.diagnostics.has_errors())
    }

    /// Reports and gives nothing.
    pub fn fail<T>(&mut self, diagnostic: Diagnostic) -> Option<T> {
        self.report(diagnostic);
        None
    }

    /// A new variable.
    pub fn new_var(&mut self, name: &str, ty: VarType, life: Life) -> VarId {
        let id = VarId(u16::try_from(self.vars.len()).unwrap_or(u16::MAX));
        if self.vars.len() < usize::from(u16::MAX) {
            self.vars.push(Var {
                name: name.to_owned(),
                ty,
                life,
                per: Per::Game,
                compared: false,
                travels: false,
                carried: false,
                initial: Vec::new(),
                offset: 0,
                stride: 0,
                count: 1,
            });
            self.uses.push(0);
        } else {
            self.work = MAX_WORK;
        }
        id
    }

    /// A new block.
    pub fn new_block(&mut self, block: Block) -> SubId {
        self.blocks.push(block);
        SubId(u32::try_from(self.blocks.len() - 1).unwrap_or(u32::MAX))
    }

    /// A new text of a requirement.
    pub fn new_reason(&mut self, text: &str, span: Span) -> ReasonId {
        self.reasons.push(Reason {
            text: text.to_owned(),
            span,
        });
        ReasonId(u32::try_from(self.reasons.len() - 1).unwrap_or(u32::MAX))
    }

    /// A new notation.
    pub fn new_template(&mut self, template: Template) -> TemplateId {
        self.templates.push(template);
        TemplateId(u32::try_from(self.templates.len() - 1).unwrap_or(u32::MAX))
    }

    /// Counts work; false when there has been too much.
    pub fn spend(&mut self, amount: u64, span: Span) -> bool {
        let before = self.work;
        self.work = self.work.saturating_add(amount);
        if self.work < MAX_WORK {
            return true;
        }
        if before < MAX_WORK {
            self.report(
                Diagnostic::new(
                    Code::TooLong,
                    span,
                    "the definitions and rules grow without measure",
                )
                .here("too much has been put in place by now")
                .help("name intermediate results with `let`, and play fewer rules inside of rules"),
            );
        }
        false
    }

    /// The moment of the end that is being resolved, where it makes a difference which one that is.
    pub fn asked_moment(&mut self) -> Option<Moment> {
        self.moment_asked += 1;
        self.moment
    }

    /// Looks at text that the options rule out: names must be right, but it leaves nothing behind.
    pub fn dead<T>(&mut self, run: impl FnOnce(&mut Self) -> T) {
        let mark = self.diagnostics.as_slice().len();
        let (vars, system, can) = (self.vars.len(), self.system, self.can.clone());
        let (hands, looks_back) = (self.hands, self.looks_back);
        let (broken, tests) = (self.broken.clone(), self.tests.len());
        let named = self.lints.named_mark();
        self.scoped(|r| {
            run(r);
        });
        self.broken = broken;
        self.tests.truncate(tests);
        self.lints.forget_named(named);
        self.vars.truncate(vars);
        self.uses.truncate(vars);
        (self.system, self.can, self.hands, self.looks_back) = (system, can, hands, looks_back);
        let plain = [
            Code::UnknownName,
            Code::UnknownRule,
            Code::UnknownVerb,
            Code::UnknownPlayer,
            Code::SetOrTruth,
            Code::BadOption,
        ];
        self.diagnostics
            .retain_after(mark, |d| plain.contains(&d.code));
    }

    /// Runs something that may see only the names of the file.
    pub fn apart<T>(&mut self, bindings: Vec<Local>, run: impl FnOnce(&mut Self) -> T) -> T {
        let scope = std::mem::replace(&mut self.scope, bindings);
        let reuse = std::mem::take(&mut self.reuse);
        let result = run(self);
        let inner = std::mem::replace(&mut self.scope, scope);
        self.ended.extend(inner.into_iter().map(|local| local.name));
        self.reuse = reuse;
        result
    }

    /// Runs something whose names are forgotten afterwards.
    pub fn scoped<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        let depth = self.scope.len();
        let reuse = std::mem::take(&mut self.reuse);
        let result = run(self);
        let names = self.scope.drain(depth..).map(|local| local.name);
        self.ended.extend(names);
        self.reuse = reuse;
        result
    }

    /// Whether a variable is bound to a name that can be seen.
    pub fn sees(&self, id: VarId) -> bool {
        self.scope
            .iter()
            .any(|l| matches!(l.binding, Binding::Var(v) if v == id))
    }
}

/// Resolves a whole file.
pub fn resolve(
    file: &File,
    settings: &[(String, String)],
    diagnostics: &mut Diagnostics,
) -> Option<Game> {
    let items = || file.items.iter();
    let about = about(file, diagnostics);
    let options = Options::resolve(file, settings, diagnostics);
    let board = Board::square(1, 1, crate::board::Wrap::None).ok()?;
    let mut r = Resolver {
        diagnostics,
        options,
        removed: &file.removed,
        players: Vec::new(),
        board,
        stacking: false,
        cut: false,
        kinds: Vec::new(),
        hands: false,
        defines: Vec::new(),
        rules: Vec::new(),
        vars: Vec::new(),
        uses: Vec::new(),
        kept: BTreeMap::new(),
        kept_spans: BTreeMap::new(),
        system: System::default(),
        blocks: Vec::new(),
        templates: Vec::new(),
        reasons: Vec::new(),
        mirrors: Vec::new(),
        views: Vec::new(),
        looks_back: false,
        scope: Vec::new(),
        active: Vec::new(),
        can: BTreeMap::new(),
        reuse: BTreeMap::new(),
        ended: BTreeSet::new(),
        moment: None,
        moment_asked: 0,
        tests: Vec::new(),
        in_setup: false,
        used_at: Vec::new(),
        broken: BTreeSet::new(),
        players_known: true,
        board_known: true,
        work: 0,
        lints: lints::Watch::default(),
    };
    for item in items() {
        if let ItemKind::Define { name, params, body } = &item.kind {
            r.defines.push(Define {
                name,
                params,
                body,
                used: false,
            });
        }
        if let ItemKind::Rule(rule) = &item.kind {
            r.rules.push(RuleEntry { rule, used: false });
        }
    }
    r.conditions(file);
    r.players(file);
    let built = r.board(file);
    r.kinds(file);
    r.declared_twice(file);
    let mark = r.diagnostics.as_slice().len();
    if built.is_none() {
        r.stand_in(file);
    }
    r.views();
    r.keeps(file);
    r.taken(file);
    let setup = r.setup(file);
    let turns = r.turns(file);
    let ends = r.ends(file);
    let game = r.finish(file, about, setup, turns, ends);
    if built.is_none() {
        diagnostics.retain_after(mark, |d| NAMES.contains(&d.code));
        return None;
    }
    game
}

impl Resolver<'_> {
    fn turns(&mut self, file: &File) -> Vec<Turn> {
        let mut turns: Vec<Turn> = Vec::new();
        for item in &file.items {
            let ItemKind::Turn { name, test, body } = &item.kind else {
                continue;
            };
            if let Some(name) = name
                && turns.iter().any(|t| t.name == name.text)
            {
                self.report(
                    Diagnostic::new(
                        Code::NameTaken,
                        name.span,
                        format!("two turns are called `{}`", name.text),
                    )
                    .here("again here"),
                );
            }
            if turns.last().is_some_and(|t| t.test.is_none()) {
                self.report(
                    Diagnostic::new(Code::RepeatedItem, item.span, "this turn is never played")
                        .here("the turn before it has no `while`, so it is always played")
                        .help("put the turn without `while` last"),
                );
            }
            let test = match test {
                Some(t) => match self.truth(t) {
                    Some(t) => Some(t),
                    None => continue,
                },
                None => None,
            };
            let block = self.scoped(|r| r.block(body));
            let body = self.new_block(block);
            let name = name
                .as_ref()
                .map_or_else(|| "turn".to_owned(), |n| n.text.clone());
            turns.push(Turn { name, test, body });
        }
        if turns.is_empty()
            && !file
                .items
                .iter()
                .any(|i| matches!(i.kind, ItemKind::Turn { .. }))
        {
            self.report(missing("turn", "turn March or Assault"));
        }
        turns
    }

    fn finish(
        mut self,
        file: &File,
        about: About,
        setup: SubId,
        turns: Vec<Turn>,
        ends: Vec<End>,
    ) -> Option<Game> {
        self.look_at_unplayed();
        if self.diagnostics.has_errors() {
            return None;
        }
        self.unused();
        // Looking for regions puts definitions in place, of which nothing may stay behind.
        let (blocks, templates) = (take(&mut self.blocks), take(&mut self.templates));
        let (reasons, mirrors) = (take(&mut self.reasons), take(&mut self.mirrors));
        let (vars, system) = (self.vars.clone(), self.system);
        let (hands, looks_back) = (self.hands, self.looks_back);
        let regions = self.regions(file);
        Some(Game {
            about,
            options: self.options.values(),
            board: self.board,
            stacking: self.stacking,
            players: self.players,
            kinds: self.kinds,
            hands,
            vars,
            system,
            blocks,
            setup,
            turns,
            ends,
            templates,
            reasons,
            mirrors,
            views: self.views,
            looks_back,
            regions,
            rules: self
                .rules
                .iter()
                .map(|r| r.rule.name.text.clone())
                .collect(),
        })
    }
}

/// Says that an item is missing, with one that could stand there.
pub fn missing(what: &str, example: &str) -> Diagnostic {
    Diagnostic::new(
        Code::MissingItem,
        Span::default(),
        format!("the file has no `{what}`"),
    )
    .help(format!("add, for example: {example}"))
}

fn about(file: &File, diagnostics: &mut Diagnostics) -> About {
    let mut about = About::default();
    let mut first: Option<Span> = None;
    for item in &file.items {
        let ItemKind::Game {
            title,
            author,
            year,
            source,
        } = &item.kind
        else {
            continue;
        };
        if let Some(first) = first {
            diagnostics.push(
                Diagnostic::new(Code::RepeatedItem, item.span, "the game has two names")
                    .here("again here")
                    .and(first, "first here"),
            );
            continue;
        }
        first = Some(item.span);
        let text = |n: &Option<Name>| n.as_ref().map(|n| n.text.clone());
        about = About {
            title: title.text.clone(),
            author: text(author),
            year: *year,
            source: text(source),
            text: item.doc.clone(),
        };
    }
    if first.is_none() {
        diagnostics.push(missing("game", "game \"Name of the game\""));
    }
    about
}
