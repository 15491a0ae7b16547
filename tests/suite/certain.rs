//! What variables of a turn can only be where it is, kernels take for known. Every engine answers as the plain one does, also in positions
//! that somebody writes down and that no turn comes to.

use crate::agree::rivals;
use crate::engines::{dumps, hold};
use gambol::base::Source;
use gambol::engine::{Engine, Position};
use gambol::program::{Life, Program, Var, VarType};
use gambol::tools::rng::Rng;

/// Turns in which marks are set and taken back, are counted down, decide what comes, or are never set.
const TURNS: &[&str] = &[
    "repeat 1 to 3 times Step",
    "repeat 2 to 4 times Step or until \"stop\"",
    "Step; repeat 0 to 2 times Hop or until \"stop\"; set band = none",
    "Step; if bold { Hop } else { Add }; set bold = no; Step if possible",
    "for each part in groups of me, in any order { set band = part; Leave }; set band = none; Add",
    "for each part in groups of me, in any order or until \"done\" { set band = part; repeat 0 to 1 times Leave; set band = none }",
    "Step; mark own in row(1) as trod; Hop if possible; unmark trod as trod; Step",
    "Add or pass; repeat Hit; capture slain; Add if possible",
    "Step; set count = count + 1; repeat while count < 3 { set count = count + 1; Hop }; set count = 0; Add or pass",
    "Step; if count > 0 { Hop } else { Add }; Step if possible",
    "Step; set lone = first of own; Hop if possible; set lone = nowhere; Add",
    "Add; if some enemy in row(2) { again } else { Step }",
    "Step; mark own in row(1) as trod; Bite or pass",
    "Step; mark own in row(1) as trod; Add; Bite if possible; Step",
    "Step; if not some trod { set bold = yes; Hop }; if bold and count = 0 { Add }",
];

fn game(turn: &str) -> String {
    let turn = turn
        .replace("; ", "\n  ")
        .replace("{ ", "{\n    ")
        .replace(" }", "\n  }");
    format!(
        "game \"Certain\"\n\nplayers White, Black\nboard   square(4, 4)\npiece   stone\n\n\
         mark trod, slain, band each turn\nkeep bold = no each turn\nkeep count = 0 each turn\nkeep lone = nowhere each turn\n\n\
         setup {{\n  place stone of White at a1 or c1 or d1\n  place stone of Black at a4 or b4 or d3\n}}\n\n\
         rule Step \"{{mover}}-{{target}}\" {{\n  choose mover in own\n  choose target in empty in adjacent of mover\n  \
         move mover to target\n  if target in row(3) {{ set bold = yes }}\n}}\n\n\
         rule Hop \"{{mover}}^{{target}}\" {{\n  line [ own as mover | any except trod | empty as target ]\n  move mover to target\n  \
         mark target as trod\n}}\n\n\
         rule Add \"+{{target}}\" {{\n  choose target in empty in adjacent of own\n  require target not in adjacent of enemy\n  \
         place stone at target\n}}\n\n\
         rule Leave \"{{mover}}/{{target}}\" {{\n  choose mover in band\n  choose target in empty in adjacent of mover\n  \
         move mover to target\n}}\n\n\
         rule Bite \"*{{target}}\" {{\n  choose target in empty in adjacent of own\n  mark enemy in adjacent of target as trod\n  \
         capture trod\n  require count(enemy) > 1\n}}\n\n\
         rule Hit \"{{hitter}}x{{victim}}\" {{\n  choose hitter in own\n  choose victim in (enemy in adjacent of hitter) except slain\n  \
         mark victim as slain\n}}\n\n\
         turn {{\n  {turn}\n}}\n\n\
         end after turn {{\n  draw \"long\" when turns = 12\n}}\n\
         end at start of turn {{\n  lose \"blocked\" when stuck\n}}\n"
    )
}

fn program_of(turn: &str) -> (Source, Program) {
    let source = Source::new(turn, game(turn));
    let compiled = gambol::compile(&source, &[]);
    let said = format!("{:?}", compiled.diagnostics);
    let program = compiled.program;
    (
        source,
        program.unwrap_or_else(|| panic!("`{turn}` is no game: {said}")),
    )
}

#[test]
fn engines_agree_where_variables_can_only_be_what_they_are() {
    for turn in TURNS {
        let (source, _) = program_of(turn);
        let line = hold(turn, &source, "", 400).unwrap_or_else(|what| panic!("{what}"));
        assert!(line.contains("gave up 0 times"), "{line}");
    }
}

/// A value that a variable may be written down with.
fn values(var: &Var) -> &'static [&'static str] {
    match var.ty {
        VarType::Number => &["0", "1", "2"],
        VarType::Truth => &["yes", "no"],
        VarType::Cell => &["nowhere", "b2"],
        VarType::Cells | VarType::Groups => &["none", "c1", "a1,d3", "a4,b4"],
        _ => &[],
    }
}

/// A position line with a value of it written anew.
fn with(line: &str, name: &str, value: &str) -> String {
    let said = format!("{name}=");
    let others = line.split(' ').filter(|word| !word.starts_with(&said));
    let others: Vec<&str> = others.collect();
    format!("{} {said}{value}", others.join(" "))
}

/// Compares what can be done in a position, and what each of it leads to.
fn compare(plain: &Engine, rival: &Engine, position: &Position) -> Result<usize, String> {
    let of = |engine: &Engine| {
        let actions = engine
            .legal_actions(position)
            .map_err(|e| format!("{e:?}"))?;
        let led = |text: &str| {
            let next = engine.play_text(position, text);
            next.map_or_else(|e| format!("{e:?}"), |next| engine.print(&next))
        };
        let lines = actions
            .iter()
            .map(|a| format!("{} {}", a.text, led(&a.text)));
        Ok::<_, String>(lines.collect::<Vec<_>>())
    };
    let (expected, found) = (of(plain), of(rival));
    let counted = rival.count_actions(position).ok();
    if expected != found || counted != expected.as_ref().ok().map(|all| all.len() as u64) {
        return Err(format!("{expected:?}\n{found:?}\n{counted:?}"));
    }
    Ok(expected.map_or(0, |all| all.len()))
}

/// Positions within turns, of which one value is another, are answered as the plain engine does, whether a turn comes to them or not.
#[test]
fn positions_that_somebody_writes_down_are_answered_as_they_are() {
    let mut tried = 0;
    for (seed, turn) in (1..).zip(TURNS) {
        let (_, program) = program_of(turn);
        let plain = Engine::new(program.clone()).unwrap();
        let rivals = rivals(&program, false).unwrap();
        let mut rng = Rng::new(seed);
        let mut position = plain.initial();
        for _ in 0..30 {
            let actions = plain.legal_actions(&position).unwrap();
            if actions.is_empty() {
                position = plain.initial();
                continue;
            }
            let drawn = rng.below(actions.len() as u64) as usize;
            position = plain.play_text(&position, &actions[drawn].text).unwrap();
            let line = plain.print(&position);
            let kept = |v: &&Var| v.in_state() && v.life != Life::Game;
            for var in program.vars.iter().filter(kept) {
                let Some(value) = values(var).get(rng.below(4) as usize) else {
                    continue;
                };
                let Ok(odd) = plain.parse(&with(&line, &var.name, value)) else {
                    continue;
                };
                for rival in &rivals {
                    let same = compare(&plain, &rival.engine, &odd);
                    let many = same.unwrap_or_else(|what| {
                        panic!(
                            "{turn}\n{} {}={value}\n{}: {what}",
                            line, var.name, rival.name
                        )
                    });
                    tried += usize::from(many > 0);
                }
            }
        }
    }
    assert!(tried > 1000, "{tried} positions were tried");
}

/// A mark that is set in the last step of a turn is hardly looked up before; one that is set in the first is wherever pieces move.
#[test]
fn what_is_nothing_is_not_looked_at() {
    let looks = |turn: &str| {
        let (_, program) = program_of(turn);
        let slain = program.vars.iter().find(|v| v.name == "slain").unwrap();
        let place = format!("= set at mem[{}]", slain.offset);
        dumps(&program).matches(&place).count()
    };
    let late = looks("Step; Step; Hop; mark own as slain; capture slain and row(1)");
    let early = looks("mark own as slain; Step; Step; Hop; capture slain and row(1)");
    assert!(late * 4 < early, "{late} and {early}");
}
