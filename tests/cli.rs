//! The command line as its users meet it: what is printed, exit codes, the shapes of JSON, and the commands of README.md.

use serde_json::{Value, json};
use std::io::Write as _;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

const TIC: &str = "games/classics/tic-tac-toe.game";
const SMALL: [&str; 7] = [
    "games/epaminondas.game",
    "--set",
    "columns=4",
    "--set",
    "rows=4",
    "--set",
    "filled=1",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The program with pipes to and from it.
fn started(args: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_gambol"))
        .current_dir(root())
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR_FORCE")
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

fn gambol(args: &[&str], stdin: &[u8]) -> Output {
    let mut child = started(args);
    // A program that does not read its input may be gone already.
    let _ = child.stdin.take().expect("a pipe").write_all(stdin);
    child.wait_with_output().expect("the program ends")
}

/// The exit code when nobody reads the result.
fn unread(args: &[&str]) -> Option<i32> {
    let mut child = started(args);
    drop((child.stdout.take(), child.stderr.take()));
    // It waits for its input until the pipes are closed.
    drop(child.stdin.take());
    child.wait().expect("the program ends").code()
}

/// Every line of the result as JSON, and the exit code.
fn lines(args: &[&str], stdin: &str) -> (Vec<Value>, i32) {
    let output = gambol(args, stdin.as_bytes());
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let parsed = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{args:?}: {e}: {line}")));
    (parsed.collect(), output.status.code().expect("a code"))
}

/// The one object of a command that succeeds.
fn object(args: &[&str]) -> Value {
    let (mut lines, code) = lines(args, "");
    assert_eq!((lines.len(), code), (1, 0), "{args:?}");
    lines.remove(0)
}

fn small(command: &'static str, more: &[&'static str]) -> Vec<&'static str> {
    let mut args = vec![command];
    args.extend(SMALL);
    args.extend(more);
    args
}

fn keys(value: &Value) -> Vec<&str> {
    let object = value.as_object().expect("an object");
    object.keys().map(String::as_str).collect()
}

fn names(actions: &Value, name: impl Fn(&Value) -> &Value) -> Vec<String> {
    let list = actions.as_array().expect("a list").iter();
    list.map(|a| name(a).as_str().expect("a text").to_owned())
        .collect()
}

fn assert_sorted(names: &[String]) {
    assert!(names.is_sorted(), "{names:?}");
}

#[test]
fn cases() {
    trycmd::TestCases::new()
        .env("NO_COLOR", "")
        .env("CLICOLOR_FORCE", "")
        .env("CI", "")
        .case("tests/cmd/*.trycmd")
        .case("tests/cmd/*.toml");
}

#[test]
fn who_reads_nothing_is_told_by_the_exit_code() {
    let broken = "tests/errors/set_a_piece.game";
    for (args, code) in [
        (&["check", "-"][..], 1),
        (&["check", broken, "-"], 1),
        (&["check", "-", "games/no.game"], 3),
        (&["why", TIC, "a9"], 1),
        (
            &[
                "diff",
                "games/network.game",
                "games/variants/network-10.game",
            ],
            1,
        ),
        (&["perft", TIC, "--depth", "3"], 0),
    ] {
        assert_eq!(unread(args), Some(code), "{args:?}");
    }
}

#[test]
fn json_of_moves() {
    let value = object(&small("moves", &["--json"]));
    let shape = [
        "schema", "game", "options", "position", "to_move", "outcome", "actions",
    ];
    assert_eq!(keys(&value), shape);
    let options = json!({"columns": 4, "rows": 4, "filled": 1, "symmetry": "banned"});
    assert_eq!(value["schema"], 1);
    assert_eq!(value["game"], "Epaminondas");
    assert_eq!(value["options"], options);
    assert_eq!(value["position"], "ssss/4/4/SSSS w");
    assert_eq!(value["to_move"], "White");
    assert_eq!(value["outcome"], Value::Null);
    assert_eq!(
        value["actions"][0],
        json!({"action": "a1-a2", "position": "ssss/4/S3/1SSS b"})
    );
    let actions = value["actions"].as_array().expect("a list");
    assert!(actions.iter().all(|a| keys(a) == ["action", "position"]));
    assert_sorted(&names(&value["actions"], |a| &a["action"]));
}

#[test]
fn json_of_the_end() {
    let won = object(&["moves", TIC, "--json", "--play", "a1 b1 a2 b2 a3"]);
    assert_eq!(
        won["outcome"],
        json!({"winner": "Cross", "by": "three in a row"})
    );
    assert_eq!(won["actions"], json!([]));
    let full = "a1 b1 c1 b2 a2 c2 b3 a3 c3";
    let drawn = object(&["moves", TIC, "--json", "--play", full]);
    assert_eq!(drawn["outcome"], json!({"draw": true, "by": "full"}));
}

#[test]
fn json_of_scores() {
    let go = "games/classics/go.game";
    let (lines, code) = lines(&["replay", go, "-", "--json"], "pass pass");
    assert_eq!(code, 0);
    let outcome = &lines.last().expect("a line")["outcome"];
    assert!(outcome["scores"].is_object(), "{outcome}");
    assert_eq!(keys(outcome).last(), Some(&"by"), "{outcome}");
}

#[test]
fn json_of_positions_leads_where_it_says() {
    let value = object(&small("moves", &["--json"]));
    for action in value["actions"].as_array().expect("a list") {
        let (name, line) = (action["action"].as_str(), action["position"].as_str());
        let (name, line) = (name.expect("a text"), line.expect("a text"));
        let mut played = small("moves", &["--json", "--play"]);
        played.push(name);
        let mut given = small("moves", &["--json", "--position"]);
        given.push(line);
        let there = object(&played);
        assert_eq!(there["position"], line);
        assert_eq!(there, object(&given));
    }
}

#[test]
fn json_of_show() {
    let value = object(&small("show", &["--json", "--position", "4/1s2/4/S2S b"]));
    let shape = [
        "schema", "game", "options", "position", "to_move", "outcome", "cells", "hands", "values",
    ];
    assert_eq!(keys(&value), shape);
    assert_eq!(value["to_move"], "Black");
    let cells = json!({"a1": ["White stone"], "d1": ["White stone"], "b3": ["Black stone"]});
    assert_eq!(value["cells"], cells);
    assert_eq!(keys(&value["cells"]), ["a1", "d1", "b3"]);
    assert_eq!(
        (&value["hands"], &value["values"]),
        (&json!({}), &json!({}))
    );

    let stack = "5/5/5/5/(SSs)3(s2) b turns=3";
    let value = object(&[
        "show",
        "docs/examples/stacks.game",
        "--json",
        "--position",
        stack,
    ]);
    let cells = json!({
        "a1": ["White stone", "White stone", "Black stone"],
        "e1": ["Black stone", "Black stone"],
    });
    assert_eq!(value["cells"], cells, "bottom to top");

    let value = object(&["show", "docs/examples/hands.game", "--json"]);
    assert_eq!(
        value["hands"],
        json!({"White": {"man": 12}, "Black": {"man": 12}})
    );
}

#[test]
fn json_of_perft() {
    let value = object(&small("perft", &["--json", "--depth", "2"]));
    assert_eq!(value, json!({"schema": 1, "depth": 2, "counts": [10, 100]}));
    assert_eq!(keys(&value), ["schema", "depth", "counts"]);
    let one = object(&small(
        "perft",
        &["--json", "--depth", "3", "--threads", "1"],
    ));
    let two = object(&small(
        "perft",
        &["--json", "--depth", "3", "--threads", "2"],
    ));
    assert_eq!(one, two);
    let divided = object(&small("perft", &["--json", "--depth", "2", "--divide"]));
    let shares = divided["divide"].as_array().expect("a list");
    let sum: u64 = shares.iter().filter_map(|s| s["count"].as_u64()).sum();
    assert_eq!((shares.len(), sum), (10, 100));
    assert_sorted(&names(&divided["divide"], |s| &s["action"]));
}

#[test]
fn json_of_replay() {
    let (lines, code) = lines(&["replay", TIC, "-", "--json"], "a1 b1\na2 b2 a3\n");
    assert_eq!((lines.len(), code), (6, 0));
    let shape = ["ply", "to_move", "position", "actions", "played", "outcome"];
    for (ply, line) in lines.iter().enumerate() {
        assert_eq!(keys(line), shape);
        assert_eq!(line["ply"], ply);
        assert_sorted(&names(&line["actions"], |a| a));
    }
    let played: Vec<&Value> = lines.iter().map(|line| &line["played"]).collect();
    assert_eq!(json!(played), json!(["a1", "b1", "a2", "b2", "a3", null]));
    assert!(lines[..5].iter().all(|line| line["outcome"].is_null()));
    assert_eq!(lines[0]["position"], "3/3/3 c");
    assert_eq!(
        lines[5]["outcome"],
        json!({"winner": "Cross", "by": "three in a row"})
    );
    assert_eq!(lines[5]["actions"], json!([]));
}

#[test]
fn replay_and_moves_agree() {
    let (lines, _) = lines(&["replay", TIC, "-", "--json"], "a1 b1 a2");
    for (line, play) in lines.iter().zip(["", "a1", "a1 b1", "a1 b1 a2"]) {
        let moves = object(&["moves", TIC, "--json", "--play", play]);
        for key in ["position", "to_move", "outcome"] {
            assert_eq!(line[key], moves[key]);
        }
        let names = names(&moves["actions"], |a| &a["action"]);
        assert_eq!(line["actions"], json!(names));
    }
}

#[test]
fn a_record_that_breaks_off_ends_with_played_null() {
    let (lines, code) = lines(&["replay", TIC, "-", "--json"], "a1 a1 b1");
    assert_eq!((lines.len(), code), (2, 1));
    assert_eq!(lines[1]["played"], Value::Null);
}

#[test]
fn a_record_with_the_hash_of_the_rules() {
    let foreign = "[GameHash \"0123456789abcdef\"]\n\na1 b1\n";
    let output = gambol(&["replay", TIC, "-"], foreign.as_bytes());
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty());
    let told = String::from_utf8(output.stderr).expect("UTF-8");
    let (_, rest) = told.split_once("the rules here have ").expect("the hash");
    let hash: String = rest.chars().take(16).collect();
    let own = foreign.replace("0123456789abcdef", &hash);
    assert_eq!(lines(&["replay", TIC, "-", "--json"], &own).1, 0);
    let other = "games/classics/gomoku.game";
    assert_eq!(
        gambol(&["replay", other, "-"], own.as_bytes())
            .status
            .code(),
        Some(1)
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    for args in [
        &["show", TIC][..],
        &["check", TIC],
        &["moves", TIC, "--json"],
        &["perft", TIC, "--depth", "1"],
        &["replay", TIC, "tests/records/cross.record"],
        &["replay", TIC, "tests/records/illegal.record"],
        &["dump", TIC, "--stage", "model"],
        &["explain"],
        &["explain", "syntax"],
        &["--help"],
        &["--version"],
    ] {
        let full = std::fs::File::create("/dev/full").expect("/dev/full");
        let status = Command::new(env!("CARGO_BIN_EXE_gambol"))
            .current_dir(root())
            .args(args)
            .stdout(full)
            .stderr(Stdio::null())
            .status()
            .expect("the program runs");
        assert_eq!(status.code(), Some(3), "{args:?}");
    }
}

#[test]
fn json_of_check() {
    let value = object(&["check", TIC, "--json"]);
    assert_eq!(
        value,
        json!({"schema": 1, "file": TIC, "ok": true, "diagnostics": []})
    );
    let (lines, code) = lines(
        &["check", TIC, "-", "--json"],
        "game \"X\"\nplayers A, B\nboard squar(3, 3)\n",
    );
    assert_eq!((lines.len(), code), (2, 1));
    assert_eq!(
        (&lines[1]["file"], &lines[1]["ok"]),
        (&json!("-"), &json!(false))
    );
    let diagnostics = lines[1]["diagnostics"].as_array().expect("a list");
    let shape = [
        "severity",
        "code",
        "message",
        "file",
        "line",
        "column",
        "end_line",
        "end_column",
        "label",
        "others",
        "help",
        "repair",
    ];
    assert!(diagnostics.iter().all(|d| keys(d) == shape));
    assert!(
        diagnostics
            .iter()
            .any(|d| d["line"] == 3 && d["severity"] == "error")
    );
}

#[test]
fn json_of_dump() {
    for stage in ["syntax", "model", "program"] {
        let value = object(&["dump", TIC, "--json", "--stage", stage]);
        assert_eq!(keys(&value), ["schema", "stage", "text"]);
        let plain = gambol(&["dump", TIC, "--stage", stage], b"").stdout;
        assert_eq!(value["text"].as_str().map(str::as_bytes), Some(&plain[..]));
    }
}

#[test]
fn json_of_explain() {
    let value = object(&["explain", "set-or-truth", "--json"]);
    let shape = [
        "schema", "code", "severity", "summary", "text", "wrong", "right",
    ];
    assert_eq!(keys(&value), shape);
    assert_eq!(
        (&value["schema"], &value["code"], &value["severity"]),
        (&json!(1), &json!("set-or-truth"), &json!("error"))
    );
    let told = |key: &str| value[key].as_str().expect("a text").to_owned();
    assert!(told("summary").ends_with('.'));
    assert!(told("text").contains("\n\n") && !told("text").contains("```"));
    for key in ["wrong", "right"] {
        assert!(told(key).starts_with("game \"") && told(key).ends_with("}\n"));
    }
    assert_ne!(told("wrong"), told("right"));
    let none = object(&["explain", "not-text", "--json"]);
    assert_eq!(
        (&none["wrong"], &none["right"]),
        (&json!(null), &json!(null))
    );

    let list = object(&["explain", "--json"]);
    assert_eq!(keys(&list), ["schema", "codes"]);
    let codes = list["codes"].as_array().expect("a list");
    assert_eq!(codes.len(), gambol::base::CODES.len());
    let shape = ["code", "severity", "summary"];
    assert!(codes.iter().all(|code| keys(code) == shape));
}

#[test]
fn results_are_on_stdout_and_the_rest_on_stderr() {
    for (args, code) in [
        (&["show", TIC][..], 0),
        (&["show", TIC, "--position", "x"], 1),
        (&["show", TIC, "--nonsense"], 2),
        (&["show", "nowhere.game"], 3),
        (&["show", "tests"], 3),
    ] {
        let output = gambol(args, b"");
        assert_eq!(output.status.code(), Some(code), "{args:?}");
        assert_eq!(output.stdout.is_empty(), code != 0, "{args:?}");
        assert_eq!(output.stderr.is_empty(), code == 0, "{args:?}");
    }
}

#[test]
fn not_text_and_empty_inputs() {
    for bytes in [&b"game \xff"[..], b"\xef\xbb\xbf", b"", b"\0", b"\n\n"] {
        for args in [
            &["check", "-"][..],
            &["show", "-"],
            &["moves", "-"],
            &["perft", "-", "--depth", "1"],
            &["dump", "-", "--stage", "program"],
        ] {
            let output = gambol(args, bytes);
            assert_eq!(output.status.code(), Some(1), "{args:?} {bytes:?}");
        }
    }
    assert_eq!(
        gambol(&["replay", TIC, "-"], b"a1 \xff").status.code(),
        Some(1)
    );
    assert_eq!(gambol(&["replay", TIC, "-"], b"").status.code(), Some(0));
}

#[test]
fn colour_is_asked_for() {
    let wrong = ["show", TIC, "--position", "x"];
    let run = |envs: &[(&str, &str)], more: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_gambol"))
            .current_dir(root())
            .env_remove("NO_COLOR")
            .env_remove("CLICOLOR_FORCE")
            .envs(envs.iter().copied())
            .args(wrong)
            .args(more)
            .output()
            .expect("the program runs");
        output.stderr.contains(&0x1b)
    };
    assert!(!run(&[], &[]));
    assert!(run(&[("CLICOLOR_FORCE", "1")], &[]));
    assert!(!run(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], &[]));
    assert!(run(&[("NO_COLOR", "1")], &["--color", "always"]));
    assert!(!run(&[("CLICOLOR_FORCE", "1")], &["--color", "never"]));
}

/// What stands for something in a command of the table.
fn filled(word: &str) -> &str {
    match word {
        "FILE" | "FILE…" => TIC,
        "RECORD" => "tests/records/cross.record",
        "N" => "2",
        "DIR" => "docs/tutorial",
        "ACTION" => "a1",
        "CODE" => "syntax",
        word => word,
    }
}

#[test]
fn files_are_laid_out_in_place_and_bad_ones_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let below = folder.path().join("below");
    std::fs::create_dir(&below).expect("a folder");
    let untidy = std::fs::read_to_string(root().join("tests/cmd/files/untidy.game")).expect("text");
    let tidy = std::fs::read_to_string(root().join(TIC)).expect("text");
    let bad = "game \"Bad\"\n  board square(";
    let texts = [
        ("a.game", &*untidy),
        ("below/b.game", &*tidy),
        ("c.game", bad),
        ("d.txt", bad),
    ];
    for (name, text) in texts {
        std::fs::write(folder.path().join(name), text).expect("written");
    }
    let link = below.join("link.game");
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder.path().join("a.game"), &link).expect("a link");
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("text");
    let made = |name: &str| {
        let file = std::fs::metadata(folder.path().join(name)).expect("a file");
        file.modified().expect("a time")
    };
    let before = made("below/b.game");
    let path = folder.path().to_str().expect("UTF-8");

    let (checked, code) = lines(&["fmt", "--check", "--json", path], "");
    assert_eq!(code, 1);
    let of = |nth: usize, key: &str| checked[nth][key].clone();
    assert_eq!([of(0, "ok"), of(0, "changed")], [json!(false), json!(true)]);
    let diff = of(0, "diff");
    assert!(
        diff.as_str()
            .expect("a text")
            .contains("\n+board   square(size, size)\n")
    );
    assert_eq!(
        [of(1, "ok"), of(1, "changed"), of(1, "diff")],
        [json!(true), json!(false), json!("")]
    );
    assert_eq!(read("a.game"), untidy, "--check writes nothing");

    let done = gambol(&["fmt", path], b"");
    assert_eq!(done.status.code(), Some(1), "one file is no game");
    let told = String::from_utf8(done.stdout).expect("UTF-8");
    assert_eq!(told, format!("{path}/a.game: laid out anew\n"));
    assert!(String::from_utf8_lossy(&done.stderr).contains("c.game:2:"));
    let laid = gambol(&["fmt", "-"], untidy.as_bytes()).stdout;
    assert_eq!(read("a.game").as_bytes(), laid);
    assert_eq!([read("c.game"), read("d.txt")], [bad, bad]);
    assert_eq!(made("below/b.game"), before, "what is tidy is not touched");
    assert!(cfg!(not(unix)) || link.is_symlink());
    let left = std::fs::read_dir(folder.path()).expect("a folder").count();
    assert_eq!(left, 4, "nothing is left beside");
}

#[test]
fn the_commands_of_the_readme_work() {
    let readme = std::fs::read_to_string(root().join("README.md")).expect("README.md");
    let mut commands = Vec::new();
    for line in readme.lines() {
        let shown = line.strip_prefix("    ").map(str::trim_start).into_iter();
        let quoted = line.split('`').skip(1).step_by(2);
        for text in shown.chain(quoted) {
            let args = text
                .strip_prefix("gambol ")
                .or_else(|| text.strip_prefix("cargo run --release -- "));
            let Some(args) = args else { continue };
            let words: Vec<&str> = args.split_whitespace().collect();
            let last = words.last().copied().unwrap_or("");
            for last in last.split("\\|") {
                let mut words: Vec<&str> = words.iter().map(|word| filled(word)).collect();
                words.pop();
                words.push(filled(last));
                commands.push(words.iter().map(|&w| w.to_owned()).collect::<Vec<_>>());
            }
        }
    }
    assert!(commands.len() >= 10, "{commands:?}");
    for command in commands {
        let args: Vec<&str> = command.iter().map(String::as_str).collect();
        // They would write here, take long or want somebody to talk to; they are tried elsewhere.
        let elsewhere = ["new", "render", "solve", "ugi", "play", "simulate", "merge"];
        if elsewhere.contains(&args[0]) {
            continue;
        }
        let output = gambol(&args, b"");
        let complaint = String::from_utf8_lossy(&output.stderr);
        // There may be changes that the tests of a game do not notice.
        let fine = if args[0] == "mutate" { 0..=1 } else { 0..=0 };
        let code = output.status.code().unwrap_or(101);
        assert!(fine.contains(&code), "{args:?}: {code}: {complaint}");
        // A file that has the layout already is nothing to talk about.
        assert!(args[0] == "fmt" || !output.stdout.is_empty(), "{args:?}");
    }
}

#[test]
fn a_new_game_is_written_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let dir = folder.path().display().to_string();
    let file = folder.path().join("three_hops.game");
    let path = file.display().to_string();
    let first = gambol(&["new", "three_hops", "--dir", &dir], b"");
    assert_eq!(first.status.code(), Some(0));
    let told = String::from_utf8_lossy(&first.stdout).into_owned();
    assert!(told.contains(&format!("gambol test {path}")), "{told}");
    let text = std::fs::read_to_string(&file).expect("the file");
    assert!(text.contains("\ngame \"Three hops\"\n"), "{text}");
    for command in ["check", "test"] {
        let done = gambol(&[command, &path], b"");
        assert_eq!(done.status.code(), Some(0), "{command}");
    }
    std::fs::write(&file, "mine").expect("written");
    let again = gambol(&["new", "three_hops.game", "--dir", &dir, "--json"], b"");
    assert_eq!(again.status.code(), Some(1));
    assert_eq!(std::fs::read_to_string(&file).expect("the file"), "mine");
    let other = object(&["new", "other", "--dir", &dir, "--json"]);
    assert_eq!(other["schema"], 1);
    let left = std::fs::read_dir(folder.path()).expect("a folder").count();
    assert_eq!(left, 2, "nothing else is left behind");
}

#[test]
fn pictures_are_written_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let mut forms = vec![("a.svg", &b"<svg "[..]), ("a.html", b"<!DOCTYPE html>")];
    if cfg!(feature = "png") {
        forms.push(("a.PNG", b"\x89PNG"));
    }
    for (name, begins) in forms {
        let file = path(name);
        let args = [
            "render", TIC, "--play", "b2 a1", "--size", "320", "--json", "-o", &file,
        ];
        let told = object(&args);
        assert_eq!(told["file"], json!(file));
        let width = if name == "a.html" {
            Value::Null
        } else {
            json!(320)
        };
        assert_eq!(told["width"], width, "{name}");
        let bytes = std::fs::read(&file).expect("a file");
        assert!(bytes.starts_with(begins), "{name}");
    }
    let record = "tests/records/cross.record";
    let file = path("b.svg");
    let moving = ["render", TIC, "--record", record, "--animate", "-o", &file];
    assert_eq!(gambol(&moving, b"").status.code(), Some(0));
    let before = std::fs::read_to_string(&file).expect("a file");
    assert_eq!(before.matches("data-cell").count(), 9);
    assert!(before.contains("<animate ") && !before.contains("<script"));
    // A file that must not be changed is not, and nothing is left beside it.
    let mut permissions = std::fs::metadata(&file).expect("a file").permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(&file, permissions).expect("permissions");
    let refused = gambol(&["render", TIC, "-o", &file], b"");
    assert_eq!(refused.status.code(), Some(3));
    assert_eq!(std::fs::read_to_string(&file).expect("a file"), before);
    let left = std::fs::read_dir(folder.path()).expect("a folder").count();
    assert_eq!(left, if cfg!(feature = "png") { 4 } else { 3 });
}
