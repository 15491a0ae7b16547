//! The manual of diagnostics, `docs/errors.md`: a page for every code, whose wrong example raises it and whose right one
//! raises nothing.

use gambol::base::{CODES, Code, Diagnostic, Severity, Source, Span};
use gambol::engine::Engine;
use gambol::tools::examples;
use gambol::tools::manual::{self, Example, Page};
use gambol::tools::smoke::{Trial, smoke};

/// Codes whose page shows no game, each with its reason. The last test below raises them.
const WITHOUT_GAME: &[(Code, &str)] = &[
    (Code::NotText, "a text cannot show what is no text"),
    (
        Code::TooDeep,
        "nobody wants to read more than fifty brackets",
    ),
    (Code::EndlessVariant, "it takes two files"),
];

/// A variant of one of the files in `docs/examples`, with that file behind it.
fn with_base(source: Source) -> Source {
    let folder = crate::common::root().join("docs/examples");
    let base = gambol::syntax::base_of(&source).map(|name| folder.join(name.text));
    match base.and_then(|path| std::fs::read_to_string(path).ok()) {
        Some(text) => source.with_base(&Source::new("base.game", text)),
        None => source,
    }
}

/// What `gambol check` and `gambol test` find in a text: severities and codes.
fn found(name: &str, example: &Example) -> Vec<(Severity, Code)> {
    let source = with_base(Source::new(name, &example.text));
    let compiled = gambol::compile(&source, &example.settings);
    let make = |settings: &[(String, String)]| {
        let program = gambol::compile(&source, settings).program;
        Ok(Engine::new(program.expect("a game")).expect("a setup"))
    };
    let reports = if compiled.program.is_some() {
        examples::run(&compiled.file, &example.settings, &make)
    } else {
        Vec::new()
    };
    let failures = reports.into_iter().flat_map(|r| r.failures);
    let mut found = compiled.diagnostics;
    found.extend(failures.map(|f| f.finding));
    match compiled.program.map(Engine::new) {
        None => {}
        Some(Err(error)) => found.push(Diagnostic::new(
            error.code(),
            Span::default(),
            error.to_string(),
        )),
        Some(Ok(engine)) => {
            let played = smoke(&engine, &Trial::default());
            assert_eq!(played.internal, None, "{name}");
            found.extend(played.diagnostics);
            found.extend(gambol::only_plain(engine.program()));
        }
    }
    found.iter().map(|d| (d.severity, d.code)).collect()
}

fn pages() -> Vec<(Code, Page)> {
    let named = |page: Page| manual::code(&page.name).map(|info| (info.code, page));
    manual::pages(manual::TEXT)
        .into_iter()
        .filter_map(named)
        .collect()
}

#[test]
fn every_code_has_a_page_in_the_order_of_the_table() {
    let written: Vec<String> = manual::pages(manual::TEXT)
        .into_iter()
        .map(|page| page.name)
        .collect();
    for info in CODES {
        assert!(
            written.iter().any(|name| name == info.name),
            "docs/errors.md has no page for `{0}`; add a section `## {0}` with a paragraph, a block marked ```wrong and one marked ```right",
            info.name
        );
    }
    let expected: Vec<&str> = CODES.iter().map(|info| info.name).collect();
    assert_eq!(
        written, expected,
        "docs/errors.md: one section a code, in the order of src/base/codes.rs"
    );
}

#[test]
fn every_page_has_prose_and_a_pair_of_games() {
    for (code, page) in pages() {
        let name = code.name();
        assert!(
            page.text.split_whitespace().count() >= 20,
            "docs/errors.md: the page of `{name}` says too little"
        );
        let games = [("wrong", &page.wrong), ("right", &page.right)];
        for (mark, game) in games {
            if WITHOUT_GAME.iter().any(|w| w.0 == code) {
                assert!(
                    game.is_none(),
                    "`{name}` has a game now; take it off WITHOUT_GAME"
                );
                continue;
            }
            let Some(game) = game else {
                panic!(
                    "docs/errors.md: the page of `{name}` has no block marked ```{mark}; a code that cannot be shown goes into WITHOUT_GAME in tests/suite/manual.rs"
                );
            };
            assert!(
                ["game ", "variant "]
                    .iter()
                    .any(|word| game.text.starts_with(word))
                    || (code == Code::EmptyFile && mark == "wrong"),
                "docs/errors.md: the {mark} game of `{name}` is no whole file"
            );
            for (option, value) in &game.settings {
                let set = format!("`--set {option}={value}`");
                assert!(
                    page.text.contains(&set),
                    "docs/errors.md: the page of `{name}` does not speak of {set}"
                );
            }
        }
    }
}

#[test]
fn wrong_games_raise_the_code_of_their_page() {
    for (code, page) in pages() {
        let Some(game) = &page.wrong else { continue };
        let name = code.name();
        let found = found(name, game);
        let errors = found.iter().filter(|f| f.0 == Severity::Error);
        let first = errors.map(|f| f.1).next();
        let raised = match code.severity() {
            Severity::Error => first == Some(code),
            Severity::Warning | Severity::Note => {
                first.is_none() && found.iter().any(|f| f.1 == code)
            }
        };
        assert!(
            raised,
            "docs/errors.md: the wrong game of `{name}` does not raise it (an error as the first, another beside no error), but {found:?}"
        );
    }
}

#[test]
fn right_games_raise_nothing() {
    for (code, page) in pages() {
        let Some(game) = &page.right else { continue };
        let name = code.name();
        let found = found(name, game);
        let bad = |f: &&(Severity, Code)| f.0 != Severity::Note || f.1 == code;
        let bad: Vec<_> = found.iter().filter(bad).collect();
        assert!(
            bad.is_empty(),
            "docs/errors.md: the right game of `{name}` raises {bad:?}"
        );
    }
}

#[test]
fn codes_without_a_game_are_raised_by_made_ones() {
    for (code, why) in WITHOUT_GAME {
        let raised = match code {
            Code::TooDeep => {
                let deep = format!(
                    "game \"Deep\"\ndefine deep = {}1{}\n",
                    "(".repeat(60),
                    ")".repeat(60)
                );
                let example = Example {
                    text: deep,
                    settings: Vec::new(),
                };
                found("deep", &example)
                    .iter()
                    .find(|f| f.0 == Severity::Error)
                    .map(|f| f.1)
            }
            // Files are read by the command line.
            Code::EndlessVariant => {
                let file = crate::common::root().join("tests/cmd/files/circle_a.game");
                first_code(&file)
            }
            // Bytes that are no text never get as far as the library.
            Code::NotText => {
                let file = crate::common::root().join("tests/cmd/files/not_text.game");
                first_code(&file)
            }
            other => panic!(
                "`{}` ({why}): make an input for it here, or a page with games",
                other.name()
            ),
        };
        assert_eq!(raised, Some(*code), "{}: {why}", code.name());
    }
}

/// The code of what `gambol check` finds first in a file.
fn first_code(file: &std::path::Path) -> Option<Code> {
    let told = std::process::Command::new(env!("CARGO_BIN_EXE_gambol"))
        .args(["check", "--json"])
        .current_dir(crate::common::root())
        .arg(file)
        .output()
        .unwrap();
    let told: serde_json::Value = serde_json::from_slice(&told.stdout).unwrap();
    let first = &told["diagnostics"][0]["code"];
    CODES.iter().find(|c| first == c.name).map(|c| c.code)
}
