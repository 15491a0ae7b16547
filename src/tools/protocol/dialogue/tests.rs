//! What is answered to which line.

use crate::base::Source;
use crate::engine::Engine;
use crate::tools::protocol::{Dialogue, Fen, Reply, Thought};
use crate::tools::testing::three_in_a_row;

fn text(reply: Reply) -> String {
    match reply {
        Reply::Say(line) => line,
        Reply::Stop => "STOP".to_owned(),
        Reply::Forget => "FORGET".to_owned(),
        Reply::Leave => "LEAVE".to_owned(),
        Reply::Work(Thought::Think(task)) => {
            format!(
                "THINK {} {}",
                task.engine.print(&task.position),
                task.settings.budget
            )
        }
        Reply::Work(Thought::Count(count)) => format!("COUNT {}", count.depth),
    }
}

fn hear(dialogue: &mut Dialogue, line: &str) -> Vec<String> {
    let mut make = |set: &[(String, String)]| {
        if set.iter().any(|(_, value)| value == "11") {
            return Err("the board is too large".to_owned());
        }
        Ok(three_in_a_row())
    };
    let replies = dialogue.hear(line, false, &mut make).unwrap();
    replies.into_iter().map(text).collect()
}

fn dialogue() -> Dialogue {
    Dialogue::new(three_in_a_row(), Vec::new())
}

fn compiled(text: &str) -> Engine {
    let compiled = crate::compile(&Source::new("small.game", text), &[]);
    let program = compiled.program.ok_or(compiled.diagnostics);
    Engine::new(program.unwrap()).unwrap()
}

#[test]
fn a_game_from_hello_to_result() {
    let mut dialogue = dialogue();
    let hello = hear(&mut dialogue, "ugi");
    assert!(hello[0].starts_with("id name Gambol ") && hello[0].ends_with(" Small"));
    assert!(hello[1].starts_with("id author "));
    assert!(
        hello[2..hello.len() - 1]
            .iter()
            .all(|l| l.starts_with("option name "))
    );
    assert_eq!(hello.last().unwrap(), "ugiok");
    assert_eq!(hear(&mut dialogue, "isready"), ["readyok"]);
    assert_eq!(hear(&mut dialogue, "uginewgame"), ["FORGET"]);
    assert!(hear(&mut dialogue, "position startpos moves a1 b1 a2 b2").is_empty());
    assert_eq!(hear(&mut dialogue, "query p1turn"), ["response true"]);
    assert_eq!(hear(&mut dialogue, "query gameover"), ["response false"]);
    assert_eq!(hear(&mut dialogue, "query result"), ["response none"]);
    assert_eq!(
        hear(&mut dialogue, "go nodes 7"),
        ["THINK 3/Ss1/Ss1 w playouts=7"]
    );
    assert_eq!(hear(&mut dialogue, "go perft 2"), ["COUNT 2"]);
    assert!(hear(&mut dialogue, "position startpos moves a1 b1 a2 b2 a3").is_empty());
    assert_eq!(hear(&mut dialogue, "query gameover"), ["response true"]);
    assert_eq!(hear(&mut dialogue, "query result"), ["response p1win"]);
    assert!(hear(&mut dialogue, "position fen 3/1s1/SsS b moves b3").is_empty());
    assert_eq!(hear(&mut dialogue, "query result"), ["response p2win"]);
    let go = hear(&mut dialogue, "go");
    assert!(
        go[0].contains("the game is over") && go[1].starts_with("THINK"),
        "{go:?}"
    );
    assert_eq!(hear(&mut dialogue, "stop"), ["STOP"]);
    assert_eq!(hear(&mut dialogue, "quit"), ["STOP", "LEAVE"]);
}

#[test]
fn what_cannot_be_is_told_and_changes_nothing() {
    let mut dialogue = dialogue();
    hear(&mut dialogue, "position startpos moves a1");
    for line in [
        "position startpos moves a1 a1",
        "position startpos moves a1 b1 nonsense",
        "position startpos moves a1 b1 a2 b2 a3 b3",
        "position fen 3/3 w",
        "position fen 4/3/3 w",
        "position fen 3/3/3 x",
        "position fen 3/3/3 w wind=3",
        "go perft 0",
        "go perft 1000000",
        "setoption name Wind value 3",
        "setoption name size",
        "setoption name Threads value many",
        "\u{1F600}",
        "uci",
    ] {
        let told = hear(&mut dialogue, line);
        assert_eq!(told.len(), 1, "{line}: {told:?}");
        assert!(told[0].starts_with("info string "), "{line}: {told:?}");
        assert_eq!(
            hear(&mut dialogue, "d"),
            ["info string position 3/3/S2 b"],
            "{line}"
        );
    }
    let told = hear(&mut dialogue, "position startpos moves b1 zz");
    assert!(
        told[0].contains("action 2: `zz` is not legal here"),
        "{told:?}"
    );
}

#[test]
fn options_of_the_game_count_from_the_next_line_that_needs_it() {
    let mut dialogue = dialogue();
    hear(&mut dialogue, "position startpos moves a1");
    assert!(hear(&mut dialogue, "setoption name SIZE value 4").is_empty());
    assert_eq!(hear(&mut dialogue, "isready"), ["readyok"]);
    assert_eq!(hear(&mut dialogue, "d"), ["info string position 3/3/3 w"]);
    hear(&mut dialogue, "setoption name size value 11");
    let told = hear(&mut dialogue, "position startpos moves a1");
    assert_eq!(
        told,
        ["info string the options stay as they were: the board is too large"]
    );
    assert_eq!(hear(&mut dialogue, "d"), ["info string position 3/3/S2 b"]);
}

#[test]
fn only_few_lines_are_heard_while_work_is_done() {
    let mut dialogue = dialogue();
    let mut make = |_: &[(String, String)]| Err("never made".to_owned());
    for line in ["isready", "stop", "quit", ""] {
        assert!(dialogue.hear(line, true, &mut make).is_some(), "{line}");
    }
    for line in [
        "position startpos",
        "go",
        "query result",
        "ugi",
        "setoption name Seed value 2",
        "nonsense",
    ] {
        assert!(dialogue.hear(line, true, &mut make).is_none(), "{line}");
    }
}

/// Both move one step forward and take slantwise; `keeps` declares values, `does` sets them.
fn marching(keeps: &str, does: &str) -> Engine {
    compiled(&format!(
        "game \"March\"\n\nplayers White facing north, Black facing south\nboard square(4, 4)\npiece pawn\n{keeps}\n\
         setup draw {{\n  p p p p\n  . . . .\n  . . . .\n  P P P P\n}}\n\n\
         rule Step \"{{man}}{{-x}}{{target}}\" {{\n  line forward orthogonal [ own pawn as man | empty as target ]\n  \
         or line forward diagonal [ own pawn as man | enemy as target ]\n  move man to target\n}}\n\n\
         turn {{ Step; {does} }}\n\nend at start of turn {{ lose \"stuck\" when stuck }}\n"
    ))
}

#[test]
fn the_elder_protocol_is_for_games_that_fit() {
    let mut dialogue = Dialogue::new(marching("", ""), Vec::new());
    assert_eq!(hear(&mut dialogue, "uci").last().unwrap(), "uciok");
    assert!(hear(&mut dialogue, "position startpos moves a1a2 d4d3").is_empty());
    assert_eq!(
        hear(&mut dialogue, "d"),
        [
            "info string position ppp1/3p/P3/1PPP w",
            "info string fen ppp1/3p/P3/1PPP w - - 0 1"
        ]
    );
    let line = "position fen 4/p3/1P2/4 w - - 3 9 moves b2a3";
    assert!(hear(&mut dialogue, line).is_empty());
    for (line, why) in [
        ("position fen 4/4/4/4 w", "six fields"),
        ("position fen 4/4/4/4 w KQ - 0 1", "no right to castle"),
        ("position fen 4/4/4/4 w - - x 1", "no number of turns"),
        ("position fen 4/4/4/5 w - - 0 1", "column 7"),
        ("position startpos moves a1-a2", "not legal here"),
    ] {
        let told = hear(&mut dialogue, line);
        assert!(told[0].contains(why), "{line}: {told:?}");
    }
    hear(&mut dialogue, "ugi");
    assert!(hear(&mut dialogue, "position startpos moves a1-a2").is_empty());
}

#[test]
fn values_that_do_not_go_as_fen_says_are_found_by_playing() {
    let refused = |engine: &Engine| Fen::of(engine).unwrap_err();
    let clock = "set quiet = 0";
    assert_eq!(
        Fen::of(&marching("keep quiet = 0", clock)).map(|_| ()),
        Ok(())
    );
    let wrong = refused(&marching("keep steps = 0", "set steps = steps + 2"));
    assert!(wrong.contains("`steps` does not count turns"), "{wrong}");
    let wrong = refused(&marching("keep goal = nowhere", "set goal = a1"));
    assert!(wrong.contains("`goal` is not the cell"), "{wrong}");
    let wrong = refused(&marching("mark holy", "mark a1 as holy"));
    assert!(wrong.contains("`holy` does not go as rights"), "{wrong}");
    let wrong = refused(&marching("keep one = 0\nkeep two = 0", ""));
    assert!(wrong.contains("both `one` and `two`"), "{wrong}");
    let wrong = refused(&three_in_a_row());
    assert!(wrong.contains("not two cells"), "{wrong}");
}
