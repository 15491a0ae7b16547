//! The resolved game as readable text.

use crate::model::{Block, Game, Step};
use crate::program::SubId;
use std::fmt::Write;

/// The game as indented text.
#[must_use]
pub fn dump(game: &Game) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "game {}", game.about.title);
    for o in &game.options {
        let _ = writeln!(out, "option {} = {} in {}", o.name, o.value, o.domain);
    }
    for p in &game.players {
        let facing = p
            .facing
            .map(|f| format!(" facing {f:?}").to_lowercase())
            .unwrap_or_default();
        let _ = writeln!(out, "player {}{facing}", p.name);
    }
    let stacking = if game.stacking { " stacking" } else { "" };
    let _ = writeln!(out, "board {} cells{stacking}", game.board.len());
    for row in game.board.rows_top_down() {
        let names: Vec<&str> = row.iter().map(|c| game.board.name(*c)).collect();
        let _ = writeln!(out, "  {}", names.join(" "));
    }
    for k in &game.kinds {
        let neutral = if k.neutral { " neutral" } else { "" };
        let _ = writeln!(out, "piece {} {}{neutral}", k.name, k.letter);
    }
    for v in game
        .vars
        .iter()
        .filter(|v| v.life != crate::program::Life::Local)
    {
        let _ = writeln!(
            out,
            "keep {}: {} for {:?}, {:?}",
            v.name,
            v.ty.name(),
            v.per,
            v.life
        );
    }
    let _ = writeln!(out, "rules {}", game.rules.join(" "));
    let _ = writeln!(out, "setup");
    block(game, game.setup, 1, &mut out);
    for turn in &game.turns {
        let _ = writeln!(
            out,
            "turn {}{}",
            turn.name,
            if turn.test.is_some() {
                " while …"
            } else {
                ""
            }
        );
        block(game, turn.body, 1, &mut out);
    }
    for end in &game.ends {
        let _ = writeln!(out, "end {:?} \"{}\"", end.moment, end.name);
    }
    out
}

fn block(game: &Game, id: SubId, depth: usize, out: &mut String) {
    let steps: &Block = &game.blocks[id.0 as usize];
    for (_, step) in steps {
        one(game, step, depth, out);
    }
}

fn one(game: &Game, step: &Step, depth: usize, out: &mut String) {
    let pad = "  ".repeat(depth);
    let var = |id: crate::program::VarId| {
        format!(
            "{}: {}",
            game.vars[id.0 as usize].name,
            game.vars[id.0 as usize].ty.name()
        )
    };
    let mut line = |text: String| {
        let _ = writeln!(out, "{pad}{text}");
    };
    let inner: Vec<SubId> = match step {
        Step::Let(v, _) => {
            line(format!("let {}", var(*v)));
            vec![]
        }
        Step::LetOfPlayer(v, ..) | Step::LetOfCell(v, ..) => {
            line(format!("set {} of …", var(*v)));
            vec![]
        }
        Step::Clear(v) => {
            line(format!("clear {}", var(*v)));
            vec![]
        }
        Step::Choose(v, _) => {
            line(format!("choose {}", var(*v)));
            vec![]
        }
        Step::Line(p) => {
            line(format!("line of {} squares", p.squares.len()));
            vec![]
        }
        Step::Require(_, reason) => {
            line(format!(
                "require \"{}\"",
                game.reasons[reason.0 as usize].text
            ));
            vec![]
        }
        Step::Effect(e) => {
            let text = format!("{e:?}");
            let verb: String = text.chars().take_while(|c| c.is_alphanumeric()).collect();
            line(format!("effect {}", verb.to_lowercase()));
            vec![]
        }
        Step::If(cases, last) => {
            line("if".to_owned());
            cases.iter().map(|c| c.1).chain([*last]).collect()
        }
        Step::Either(list) => {
            line("either".to_owned());
            list.clone()
        }
        Step::Otherwise(list) => {
            line("otherwise".to_owned());
            list.clone()
        }
        Step::IfPossible(b) => {
            line("if possible".to_owned());
            vec![*b]
        }
        Step::Preferring { body, most, .. } => {
            line(format!(
                "preferring {}",
                if *most { "most" } else { "least" }
            ));
            vec![*body]
        }
        Step::ForEach { var: v, body, .. } => {
            line(format!("for each {}", var(*v)));
            vec![*body]
        }
        Step::AnyOrder { var: v, round, .. } => {
            line(format!("in any order {}", var(*v)));
            vec![*round]
        }
        Step::Repeat(r) => {
            line("repeat".to_owned());
            vec![r.body]
        }
        Step::Written(t, b) => {
            line(format!("written {}", game.templates[t.0 as usize].name));
            vec![*b]
        }
        Step::Unwritten(t, b) => {
            line(format!("unwritten {}", game.templates[t.0 as usize].name));
            vec![*b]
        }
        Step::Run(b) => {
            line("run".to_owned());
            vec![*b]
        }
    };
    for (at, id) in inner.iter().enumerate() {
        if inner.len() > 1 {
            let _ = writeln!(out, "{pad}- {}", at + 1);
        }
        block(game, *id, depth + 1, out);
    }
}
