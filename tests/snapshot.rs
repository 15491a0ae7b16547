//! The command `snapshot` on folders of its own: what is written, what is told of changes, and what goes wrong.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

const RULES: &str = "game \"Small\"\noption size = 4 in 3..7\nrequire size > 3 \"the board is too small\"\n\
    players White facing north, Black facing south\nboard square(size, 4)\npiece man\n\
    setup { for each p in players { place man of p at row(1) seen by p } }\n\
    rule Step { line forward orthogonal [ own as mover | empty as target ]\n move mover to target }\n\
    rule Take { line forward diagonal [ own as mover | enemy as target ]\n move mover to target }\n\
    turn Step or Take\nend after turn { win \"crossed\" when some own in row(4) seen by me }\n\
    end at start of turn { draw \"blocked\" when stuck }\n";

/// A folder with the rule file in it.
struct Sandbox(TempDir);

impl Sandbox {
    fn new() -> Sandbox {
        let sandbox = Sandbox(tempfile::tempdir().expect("a folder"));
        sandbox.write("small.game", RULES);
        sandbox
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).expect("written");
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    fn has(&self, name: &str) -> bool {
        self.path(name).exists()
    }

    /// Changes the rules.
    fn change(&self, from: &str, to: &str) {
        let changed = RULES.replacen(from, to, 1);
        assert_ne!(changed, RULES);
        self.write("small.game", &changed);
    }

    /// Standard output, standard error and the exit code of `gambol snapshot`.
    fn run(&self, args: &str) -> (String, String, i32) {
        self.run_under("CI", "", args)
    }

    fn run_under(&self, name: &str, value: &str, args: &str) -> (String, String, i32) {
        let output = Command::new(env!("CARGO_BIN_EXE_gambol"))
            .current_dir(self.0.path())
            .env("CI", "")
            .env("NO_COLOR", "1")
            .env(name, value)
            .arg("snapshot")
            .args(args.split(' '))
            .output()
            .expect("the program runs");
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        let code = output.status.code().expect("a code");
        (text(output.stdout), text(output.stderr), code)
    }

    /// The same, for runs that complain of nothing.
    fn told(&self, args: &str) -> (String, i32) {
        let (told, complaints, code) = self.run(args);
        assert_eq!(complaints, "", "{args}");
        (told, code)
    }

    /// The names of all files below, sorted.
    fn files(&self) -> Vec<String> {
        fn below(folder: &Path, root: &Path, found: &mut Vec<String>) {
            for entry in fs::read_dir(folder).expect("a folder") {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    below(&path, root, found);
                } else {
                    let name = path.strip_prefix(root).expect("below");
                    found.push(name.display().to_string().replace('\\', "/"));
                }
            }
        }
        let mut found = Vec::new();
        below(self.0.path(), self.0.path(), &mut found);
        found.sort();
        found
    }
}

const NEW: &str = "small.game: new, see snapshots/small.snap.new\n";

#[test]
fn new_then_accepted_then_same() {
    let sandbox = Sandbox::new();
    assert_eq!(sandbox.told("small.game"), (NEW.to_owned(), 1));
    assert_eq!(sandbox.files(), ["small.game", "snapshots/small.snap.new"]);
    let proposed = sandbox.read("snapshots/small.snap.new");
    assert!(proposed.starts_with(
        "---\nsource: \"../small.game\"\nexpression: gambol snapshot\n---\nsnapshot 1\n"
    ));
    let accepted = ("small.game: new, accepted\n".to_owned(), 0);
    assert_eq!(sandbox.told("small.game --accept"), accepted);
    assert_eq!(sandbox.files(), ["small.game", "snapshots/small.snap"]);
    assert_eq!(sandbox.read("snapshots/small.snap"), proposed);
    for args in [
        "small.game",
        "small.game --check",
        "small.game --accept",
        ".",
        "--threads 1 .",
    ] {
        let (told, code) = sandbox.told(args);
        assert_eq!(
            (told.ends_with("small.game: same\n"), code),
            (true, 0),
            "{args}"
        );
    }
    assert_eq!(sandbox.read("snapshots/small.snap"), proposed);
}

#[test]
fn a_change_is_told_proposed_and_taken_back() {
    let sandbox = Sandbox::new();
    sandbox.told("small.game --accept");
    let before = sandbox.read("snapshots/small.snap");
    sandbox.change("forward diagonal", "diagonal");
    let (told, code) = sandbox.told("small.game");
    assert_eq!(code, 1);
    assert!(
        told.starts_with(
            "small.game: different, see snapshots/small.snap.new\n  first difference after `"
        ),
        "{told}"
    );
    assert_eq!(sandbox.read("snapshots/small.snap"), before);
    assert_ne!(sandbox.read("snapshots/small.snap.new"), before);
    sandbox.write("small.game", RULES);
    assert_eq!(
        sandbox.told("small.game"),
        ("small.game: same\n".to_owned(), 0)
    );
    assert!(
        !sandbox.has("snapshots/small.snap.new"),
        "what was proposed is out of date"
    );
    sandbox.change("size = 4", "size = 5");
    let (told, code) = sandbox.told("small.game --accept");
    assert_eq!(code, 0);
    assert!(
        told.contains("\n  options changed: size=4 → 5\n  cells of the board 16 → 20\n"),
        "{told}"
    );
    assert_eq!(sandbox.told("small.game --check").1, 0);
}

#[test]
fn nothing_is_written_when_only_checking() {
    let sandbox = Sandbox::new();
    assert_eq!(
        sandbox.told("small.game --check"),
        ("small.game: new\n".to_owned(), 1)
    );
    for value in ["true", "1"] {
        let (told, _, code) = sandbox.run_under("CI", value, "small.game");
        assert_eq!((told.as_str(), code), ("small.game: new\n", 1));
        assert_eq!(sandbox.run_under("CI", value, "small.game --accept").2, 2);
    }
    assert_eq!(sandbox.files(), ["small.game"]);
}

#[test]
fn a_sweep_keeps_each_size_and_a_plain_run_holds_all() {
    let sandbox = Sandbox::new();
    let (told, code) = sandbox.told("small.game --set size=3..5 --accept");
    let expected = "small.game with size=3: refused: the board is too small\n\
                    small.game with size=4: new, accepted\nsmall.game with size=5: new, accepted\n";
    assert_eq!((told.as_str(), code), (expected, 0));
    sandbox.told("small.game --accept");
    let held = "small.game: same\nsmall.game with size=4: same\nsmall.game with size=5: same\n";
    assert_eq!(sandbox.told("small.game"), (held.to_owned(), 0));
    let names = [
        "small.game",
        "snapshots/small.snap",
        "snapshots/small@size=4.snap",
        "snapshots/small@size=5.snap",
    ];
    assert_eq!(sandbox.files(), names);
    sandbox.change("4 in 3..7", "4 in 3..4");
    let (told, code) = sandbox.told("small.game --check");
    assert_eq!(code, 1);
    assert!(
        told.contains("snapshots/small@size=5.snap: unused: `size` cannot be `5`\n"),
        "{told}"
    );
    assert!(
        told.contains(
            "small.game with size=4: different\n  options changed: `size` may be 3..4, not 3..7\n"
        ),
        "{told}"
    );
    let (told, code) = sandbox.told("small.game --set size=3 --accept");
    assert_eq!(
        (told.as_str(), code),
        (
            "small.game with size=3: refused: the board is too small\n",
            1
        )
    );
}

#[test]
fn snapshots_of_no_game_are_told() {
    let sandbox = Sandbox::new();
    sandbox.told("small.game --accept");
    let text = sandbox.read("snapshots/small.snap");
    sandbox.write("snapshots/gone.snap", &text);
    sandbox.write("snapshots/small@odd.snap", &text);
    sandbox.write(
        "snapshots/other.snap",
        "---\nsource: x\n---\nof another tool\n",
    );
    sandbox.write("snapshots/small@rows=3.snap", &text);
    let expected = "./small.game: same\n./snapshots/small@rows=3.snap: unused: the game has no option `rows`\n\
        ./snapshots/gone.snap: unused: there is no gone.game in the folder above\n\
        ./snapshots/small@odd.snap: unused: its name should end with settings, such as @size=5,men=3\n";
    assert_eq!(sandbox.told("."), (expected.to_owned(), 1));
}

#[test]
fn a_broken_snapshot_is_told_with_its_place_and_never_overwritten() {
    let sandbox = Sandbox::new();
    sandbox.told("small.game --accept");
    let good = sandbox.read("snapshots/small.snap");
    for (from, to, words) in [
        (
            "snapshot 1\n",
            "snapshot 9\n",
            "this is form 9, and this program knows form 1",
        ),
        ("  1: ", "  1: x", "expected `depth: count`"),
        (
            "games: 20",
            "games: 21",
            "this line should be `  games: 20`",
        ),
    ] {
        let bad = good.replacen(from, to, 1);
        assert_ne!(bad, good);
        sandbox.write("snapshots/small.snap", &bad);
        for args in ["small.game", "small.game --accept", "small.game --check"] {
            let (told, complaint, code) = sandbox.run(args);
            assert_eq!(
                (told.as_str(), code),
                ("small.game: its snapshot cannot be read\n", 1)
            );
            assert!(
                complaint.contains(words) && complaint.contains("snapshots/small.snap:"),
                "{complaint}"
            );
        }
        assert_eq!(sandbox.read("snapshots/small.snap"), bad);
        assert_eq!(sandbox.files(), ["small.game", "snapshots/small.snap"]);
    }
    fs::write(sandbox.path("snapshots/small.snap"), b"---\n\xff").expect("written");
    assert!(sandbox.run("small.game").1.contains("not UTF-8"));
}

#[test]
fn a_place_that_cannot_be_written_is_told_and_loses_nothing() {
    let sandbox = Sandbox::new();
    sandbox.write("snapshots", "a file where the folder should be");
    for args in ["small.game", "small.game --accept"] {
        let (_, complaint, code) = sandbox.run(args);
        assert_eq!(code, 3, "{complaint}");
        assert!(complaint.starts_with("error: cannot "), "{complaint}");
    }
    assert_eq!(
        sandbox.read("snapshots"),
        "a file where the folder should be"
    );
    let sandbox = Sandbox::new();
    sandbox.told("small.game --accept");
    sandbox.change("size = 4", "size = 5");
    fs::create_dir(sandbox.path("snapshots/small.snap.new")).expect("a folder");
    let (told, complaint, code) = sandbox.run("small.game");
    assert!(
        complaint.contains("cannot write snapshots/small.snap.new"),
        "{complaint}"
    );
    assert_eq!(
        (told.starts_with("small.game: different\n"), code),
        (true, 3)
    );
}

#[test]
fn a_plan_is_kept_and_repeated() {
    let sandbox = Sandbox::new();
    sandbox.told("small.game --accept --depth 2 --games 3 --plies 1 --seed 9 --budget 5000");
    let text = sandbox.read("snapshots/small.snap");
    assert!(
        text.contains("\ndepth=2 budget=5000 games=3 plies=1 seed=9\n"),
        "{text}"
    );
    assert_eq!(sandbox.told("small.game").1, 0);
    let (told, code) = sandbox.told("small.game --check --games 4");
    assert_eq!(code, 1);
    assert!(
        told.contains("\n  made with games 3 → 4\n  games 3 → 4; mean length "),
        "{told}"
    );
}

#[test]
fn json_is_a_line_for_each_snapshot() {
    let sandbox = Sandbox::new();
    sandbox.told("small.game --set size=4..5 --accept");
    sandbox.change("forward diagonal", "diagonal");
    let (told, code) = sandbox.told("small.game --json --set size=3..5");
    let lines: Vec<Value> = told
        .lines()
        .map(|l| serde_json::from_str(l).expect("JSON"))
        .collect();
    let words: Vec<&str> = lines.iter().filter_map(|l| l["verdict"].as_str()).collect();
    assert_eq!(
        (words, code),
        (vec!["refused", "different", "different"], 1)
    );
    let keys: Vec<&String> = lines[1].as_object().expect("an object").keys().collect();
    assert_eq!(
        keys,
        [
            "schema",
            "file",
            "set",
            "snapshot",
            "verdict",
            "message",
            "differences",
            "written"
        ]
    );
    assert_eq!(
        (&lines[1]["schema"], &lines[1]["set"]["size"]),
        (&1.into(), &"4".into())
    );
    assert_eq!(lines[1]["differences"][0]["subject"], "first");
    assert_eq!(lines[1]["written"], "snapshots/small@size=4.snap.new");
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let told = |threads| {
        let sandbox = Sandbox::new();
        let told = sandbox.told(&format!(
            "small.game --set size=4..7 --accept --threads {threads}"
        ));
        let files = sandbox.files();
        let texts: Vec<String> = files.iter().map(|name| sandbox.read(name)).collect();
        (told, files, texts)
    };
    assert_eq!(told(1), told(3));
}
