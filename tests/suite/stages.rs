//! Snapshots of every stage of every shipped game, and of a seeded transcript of each.

use crate::common::{engine, source};
use gambol::tools::transcript;

fn with_settings(stage: &str, run: impl FnOnce()) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(format!("../snapshots/{stage}"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(run);
}

#[test]
fn syntax() {
    with_settings("syntax", || {
        insta::glob!("../../games", "{*,classics/*}.game", |path| {
            let source = source(path);
            let (file, diagnostics) = gambol::syntax::parse(&source);
            assert!(diagnostics.as_slice().is_empty());
            insta::assert_snapshot!("syntax", gambol::syntax::dump(&file, &source));
        });
    });
}

#[test]
fn model() {
    with_settings("model", || {
        insta::glob!("../../games", "{*,classics/*}.game", |path| {
            let compiled = gambol::compile(&source(path), &[]);
            insta::assert_snapshot!("model", gambol::model::dump(&compiled.model.unwrap()));
        });
    });
}

#[test]
fn program() {
    with_settings("program", || {
        insta::glob!("../../games", "{*,classics/*}.game", |path| {
            let compiled = gambol::compile(&source(path), &[]);
            insta::assert_snapshot!("program", gambol::program::dump(&compiled.program.unwrap()));
        });
    });
}

#[test]
fn transcripts() {
    with_settings("transcripts", || {
        insta::glob!("../../games", "{*,classics/*}.game", |path| {
            let engine = engine(path, "");
            insta::assert_snapshot!(
                "transcript",
                transcript::transcript(&engine, 1, 16, 2000).unwrap()
            );
        });
    });
}
