//! Bad input: every file of `tests/errors` holds one mistake (or a few), and its snapshot what `gambol check` says of it.

use gambol::base::{CODES, Code, Diagnostic, Severity, Source};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn files(folder: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(root().join(folder))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "game"))
        .collect();
    files.sort();
    files
}

/// What `gambol check` prints of a file, given by its path below the crate.
fn check(file: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_gambol"))
        .current_dir(root())
        .args(["--color", "never", "check", file])
        .output()
        .expect("gambol runs");
    let mut text = String::from_utf8(output.stdout).expect("text");
    // The hint at the end is the same for every file.
    let told = String::from_utf8(output.stderr).expect("text");
    let told = told
        .lines()
        .filter(|l| !l.starts_with("for more about a code: gambol explain "));
    text.extend(told.flat_map(|line| [line, "\n"]));
    assert!(
        output.status.code().is_some_and(|code| code <= 1),
        "{file}: {:?}\n{text}",
        output.status
    );
    text
}

/// What `gambol check -` prints of some bytes, and its exit code.
fn check_bytes(bytes: &[u8]) -> (String, Option<i32>) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_gambol"))
        .args(["--color", "never", "check", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("gambol runs");
    let mut input = child.stdin.take().expect("a pipe");
    let bytes = bytes.to_vec();
    let writer = std::thread::spawn(move || input.write_all(&bytes));
    let output = child.wait_with_output().expect("gambol ends");
    writer.join().expect("no panic").expect("all of it is read");
    let text = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    (text, output.status.code())
}

fn compile(text: &str) -> Vec<Diagnostic> {
    gambol::compile(&Source::new("test.game", text), &[]).diagnostics
}

#[test]
fn every_mistake_is_told() {
    insta::glob!("errors/*.game", |path| {
        let name = path.file_name().and_then(|n| n.to_str()).expect("a name");
        let text = std::fs::read_to_string(path).expect("text");
        let told = check(&format!("tests/errors/{name}"));
        insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
            insta::assert_snapshot!(format!("{text}\n════\n{told}"));
        });
    });
}

/// Codes that no stored file can raise, each with its reason.
const ELSEWHERE: &[(Code, &str)] = &[
    (Code::UnknownOption, "raised by --set only"),
    (Code::IdleOption, "raised by --set only"),
    (Code::EndlessVariant, "it takes two files"),
    (Code::NotInBase, "it takes two files"),
    (Code::BadExample, "raised by running examples"),
    (Code::ExampleFails, "raised by running examples"),
    (Code::MergedAction, "a note"),
    (Code::CarriedValue, "a note, which good games raise too"),
];

#[test]
fn every_code_has_a_file() {
    let mut seen = BTreeSet::new();
    for path in files("tests/errors") {
        let told = check(&format!(
            "tests/errors/{}",
            path.file_name().and_then(|n| n.to_str()).expect("a name")
        ));
        seen.extend(
            CODES
                .iter()
                .filter(|c| told.contains(&format!("[{}]", c.name)))
                .map(|c| c.code),
        );
    }
    let missing: Vec<&str> = CODES
        .iter()
        .filter(|c| !seen.contains(&c.code) && !ELSEWHERE.iter().any(|e| e.0 == c.code))
        .map(|c| c.name)
        .collect();
    assert_eq!(missing, Vec::<&str>::new());
}

#[test]
fn an_option_that_is_not_there() {
    let source = Source::new(
        "games/network.game",
        std::fs::read_to_string(root().join("games/network.game")).expect("text"),
    );
    let told = gambol::compile(&source, &[("sise".to_owned(), "8".to_owned())]).diagnostics;
    assert!(
        told.iter()
            .any(|d| d.code == Code::UnknownOption
                && d.help.as_deref() == Some("did you mean `size`?")),
        "{told:?}"
    );
}

#[test]
fn messages_are_lower_case_without_full_stop_and_raw_names() {
    for path in files("tests/errors") {
        let text = std::fs::read_to_string(&path).expect("text");
        for d in compile(&text) {
            let own_words = d.code == Code::OptionRefused;
            let first = d.message.chars().next().expect("a message");
            let names_a_player = d.code == Code::NoSymmetry || d.code == Code::UnknownDirection;
            assert!(
                own_words || names_a_player || !first.is_uppercase(),
                "{path:?}: {}",
                d.message
            );
            for part in [Some(&d.message), Some(&d.label.text), d.help.as_ref()]
                .into_iter()
                .flatten()
            {
                assert!(!part.ends_with('.'), "{path:?}: {part}");
                for raw in [
                    "op_",
                    "k_",
                    "EOI",
                    "_only",
                    "something else",
                    "Rule::",
                    "??",
                ] {
                    assert!(!part.contains(raw), "{path:?}: {part}");
                }
            }
            assert!(d.label.span.range().end <= text.len(), "{path:?}: {d:?}");
            assert!(text.get(d.label.span.range()).is_some(), "{path:?}: {d:?}");
        }
    }
}

#[test]
fn repairs_repair() {
    let mut wrong = String::new();
    let mut count = 0;
    for path in files("tests/errors") {
        let text = std::fs::read_to_string(&path).expect("text");
        for d in compile(&text) {
            let Some(repair) = &d.repair else { continue };
            count += 1;
            let mut mended = text.clone();
            mended.replace_range(d.label.span.range(), repair);
            let again = compile(&mended);
            let syntax =
                |list: &[Diagnostic]| list.iter().filter(|d| d.code == Code::Syntax).count();
            let same = again.iter().any(|e| {
                e.code == d.code
                    && e.message == d.message
                    && e.label.span.start == d.label.span.start
            });
            if same || syntax(&again) > syntax(&compile(&text)) {
                let _ = writeln!(
                    wrong,
                    "{path:?}: {} → {repair:?}: {:?}",
                    d.message,
                    again.iter().map(|e| &e.message).collect::<Vec<_>>()
                );
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(count >= 30, "only {count} repairs");
}

/// Runs something in a thread with the stack of a test thread; fails when it panics or takes too long.
fn soon<T: Send + 'static>(what: &str, run: impl FnOnce() -> T + Send + 'static) -> (T, Duration) {
    let start = Instant::now();
    let thread = std::thread::Builder::new()
        .stack_size(2 << 20)
        .spawn(run)
        .expect("a thread");
    let result = thread.join().unwrap_or_else(|_| panic!("{what}: panic"));
    let took = start.elapsed();
    assert!(took < Duration::from_secs(30), "{what}: {took:?}");
    (result, took)
}

fn hostile(n: usize) -> Vec<(&'static str, String)> {
    let rule = |body: String| format!("game \"x\"\nrule Step {{\n  {body}\n}}\nturn Step\n");
    let nest = |open: &str, close: &str, n: usize| {
        rule(format!(
            "require {}turns > 0{}",
            open.repeat(n),
            close.repeat(n)
        ))
    };
    vec![
        ("parentheses", nest("(", ")", n)),
        ("open parentheses", nest("(", "", n)),
        ("calls", nest("count(", ")", n)),
        ("count of", nest("count of ", "", n)),
        ("not", nest("not ", "", n)),
        ("some", nest("some ", "", n)),
        ("minus", nest("- ", "", n)),
        ("if", nest("if yes then yes else ", "", n)),
        ("or", nest("yes or ", "", n)),
        (
            "where",
            rule(format!("let x = own {}", "where it in own ".repeat(n))),
        ),
        (
            "braces",
            rule(format!("{}{}", "{ ".repeat(n), "} ".repeat(n))),
        ),
        ("open braces", rule("{ ".repeat(n))),
        (
            "if braces",
            rule(format!("{}{}", "if yes { ".repeat(n), "} ".repeat(n))),
        ),
        (
            "squares",
            rule(format!("line [ {} own ]", "own | ".repeat(n))),
        ),
        ("square brackets", rule("line [ ".repeat(n))),
        ("trails", rule("trail { step [ own ] { ".repeat(n))),
        ("quotes", rule("\" ".repeat(n))),
        ("bad lines", rule("= \n".repeat(n))),
        ("statements", rule("again\n".repeat(n))),
        ("items", "nonsense\n".repeat(n)),
        (
            "rules",
            (0..n).map(|i| format!("rule R{i} {{ again }}\n")).collect(),
        ),
        (
            "defines",
            (0..n)
                .map(|i| format!("define d{i} = d{}\n", i + 1))
                .collect(),
        ),
        (
            "options",
            (0..n)
                .map(|i| format!("option o{i} = 1 in 1..2\n"))
                .collect(),
        ),
        (
            "keeps",
            (0..n).map(|i| format!("keep o{i} = 1\n")).collect(),
        ),
        ("comments", "// a comment\n".repeat(n)),
        ("notes", "/// a note\n".repeat(n) + "game \"x\""),
        ("closing", ")]}".repeat(n)),
        (
            "cells",
            format!("board graph {{ cell {} }}", "a ".repeat(n)),
        ),
        ("players", format!("players {}", "A, ".repeat(n))),
    ]
}

#[test]
fn hostile_nesting_is_refused_in_time() {
    for n in [30, 48, 49, 50, 51, 60, 10_000] {
        for (what, text) in hostile(n) {
            let (told, _) = soon(&format!("{what} {n}"), move || compile(&text));
            assert!(!told.is_empty(), "{what} {n}");
        }
    }
}

#[test]
fn time_grows_with_the_length() {
    for ((what, short), (_, long)) in hostile(10_000).into_iter().zip(hostile(20_000)) {
        // The best of three: other tests run at the same time.
        let best = |text: &String| {
            (0..3)
                .map(|_| {
                    let text = text.clone();
                    soon(what, move || gambol::syntax::parse(&Source::new("x", text))).1
                })
                .min()
                .expect("three")
        };
        let (one, two) = (best(&short), best(&long));
        assert!(
            two < one * 4 + Duration::from_millis(500),
            "{what}: {one:?}, then {two:?}"
        );
    }
}

/// A generator that is the same everywhere.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % (sides.max(1) as u64)).expect("small")
    }
}

#[test]
fn texts_without_measure_are_refused() {
    for many in [300, 30_000, 400_000] {
        let letters = "x".repeat(many);
        let text = format!(
            "game \"H\"\nplayers A, B\nboard square(3, 3)\npiece s\nrule R \"{letters}\" {{ place s at a1 }}\nturn R\n"
        );
        assert!(
            compile(&text).iter().any(|d| d.code == Code::TooLong),
            "{many}"
        );
    }
}

#[test]
fn a_megabyte_of_garbage() {
    let mut dice = Dice(7);
    let signs: Vec<char> = "abcdefgxyz {}()[]|.,=<>!\"/\n\n\n0123456789éß→\t_-+*"
        .chars()
        .collect();
    let garbage: String = (0..1_000_000)
        .map(|_| signs[dice.roll(signs.len())])
        .take_while({
            let mut n = 0;
            move |c| {
                n += c.len_utf8();
                n < 1 << 20
            }
        })
        .collect();
    let words = [
        "rule ", "turn ", "define ", "own ", "line [", "] ", "{ ", "} ", "\n", "x ", "= ",
        "require ", "(", ") ", "| ", "or ",
    ];
    let mut soup = String::new();
    while soup.len() < 1_000_000 {
        soup.push_str(words[dice.roll(words.len())]);
    }
    for text in [
        garbage,
        soup,
        "x".repeat(1 << 20),
        "(\n".repeat(1 << 19),
        "a ".repeat(1 << 19),
        format!("game \"x\" {}", "é".repeat(400_000)),
    ] {
        let (told, _) = soon("garbage", move || compile(&text));
        assert!(!told.is_empty() && told.len() <= 400, "{}", told.len());
    }
    let (text, code) = check_bytes(&vec![b'x'; (1 << 20) + 1]);
    assert_eq!(code, Some(1), "{text}");
    assert!(
        text.contains("error[too-long]: the file is 1048577 bytes long"),
        "{text}"
    );
}

#[test]
fn bytes_that_are_no_text() {
    for bytes in [
        &b"game \"\xff\xfe\"\n"[..],
        b"\xff",
        b"\0\0\0",
        b"game \"x\"\0\n",
        b"\xef\xbb\xbf",
        b"\xf0\x9f\x98\x80",
        b"\r\n\r\n",
        b"\xc3",
    ] {
        let (text, code) = check_bytes(bytes);
        assert_eq!(code, Some(1), "{bytes:?}: {text}");
        assert!(text.contains("error["), "{bytes:?}: {text}");
    }
    let (text, _) = check_bytes(b"game \"x\"\n\xff");
    assert!(
        text.contains("error[not-text]: the file is not UTF-8 text: the byte at offset 9 is wrong"),
        "{text}"
    );
}

#[test]
fn mutations_never_panic() {
    let mut dice = Dice(20_061);
    for path in files("games") {
        let text = std::fs::read_to_string(&path).expect("text");
        for round in 0..120 {
            let mut mutant = text.clone();
            for _ in 0..=dice.roll(3) {
                mutant = mutate(&mutant, &mut dice);
            }
            let kept = mutant.clone();
            let name = format!("{path:?}, round {round}");
            let (compiled, _) = soon(&name, move || {
                let compiled = gambol::compile(&Source::new("mutant", mutant), &[]);
                let errors = compiled
                    .diagnostics
                    .iter()
                    .any(|d| d.severity == Severity::Error);
                (errors, compiled.program.is_some(), compiled.diagnostics)
            });
            let (errors, program, told) = compiled;
            assert!(
                errors || program,
                "{name}: errors {errors}, program {program}\n{kept}"
            );
            for d in told {
                assert!(kept.get(d.label.span.range()).is_some(), "{name}: {d:?}");
            }
        }
    }
}

/// Deletes, doubles or swaps a token, a line or a bracket.
fn mutate(text: &str, dice: &mut Dice) -> String {
    let by_lines = dice.roll(3) == 0;
    let mut parts: Vec<&str> = if by_lines {
        text.split_inclusive('\n').collect()
    } else {
        tokens(text)
    };
    if !by_lines && dice.roll(3) == 0 {
        let brackets: Vec<usize> = (0..parts.len())
            .filter(|i| "{}()[]".contains(parts[*i]))
            .collect();
        if let Some(&at) = brackets.get(dice.roll(brackets.len())) {
            parts.remove(at);
            return parts.concat();
        }
    }
    if parts.is_empty() {
        return String::new();
    }
    let (a, b) = (dice.roll(parts.len()), dice.roll(parts.len()));
    match dice.roll(4) {
        0 => drop(parts.remove(a)),
        1 => parts.insert(a, parts[b]),
        2 => parts.swap(a, b),
        _ => parts.insert(a, parts[a]),
    }
    parts.concat()
}

fn tokens(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let end = if word(first) {
            rest.find(|c| !word(c)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        parts.push(&rest[..end]);
        rest = &rest[end..];
    }
    parts
}
