//! Records: whatever the text is, reading it and replaying it do not panic, and what was read is written so that it is read
//! as the same tags and actions.
#![no_main]

use gambol::engine::Engine;
use gambol::tools::record::Record;
use gambol::tools::record_text::parse;
use gambol::tools::replay::replay;
use libfuzzer_sys::fuzz_target;
use std::sync::OnceLock;

fn engine() -> &'static Engine {
    static ENGINE: OnceLock<Engine> = OnceLock::new();
    ENGINE.get_or_init(|| {
        let path = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../games/classics/tic-tac-toe.game"
        );
        let source = gambol::cli::read_source(path).expect("a file");
        Engine::new(gambol::compile(&source, &[]).program.expect("a game")).expect("a setup")
    })
}

fn texts(record: &Record) -> (Vec<(&str, &str)>, Vec<&str>) {
    let tags = record
        .tags
        .iter()
        .map(|t| (t.name.as_str(), t.value.as_str()));
    let actions = record.actions.iter().map(|a| a.text.as_str());
    (tags.collect(), actions.collect())
}

fuzz_target!(|text: &str| {
    let Ok(record) = parse(text) else { return };
    let written = record.to_string();
    let again = parse(&written);
    let again = again.unwrap_or_else(|e| panic!("{text:?} is written {written:?}: {e:?}"));
    assert_eq!(
        texts(&again),
        texts(&record),
        "{text:?} is written {written:?}"
    );
    let replayed = replay(engine(), &record);
    assert!(replayed.steps.len() <= record.actions.len() + 1);
});
