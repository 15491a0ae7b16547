//! Texts near the language: whatever they are, compiling and laying out end and do not panic; what is a game can be asked for
//! its first actions, and what is laid out has the tree that it had.
#![no_main]

use gambol::base::Source;
use gambol::engine::Engine;
use gambol::syntax::{format, same_tree};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let source = Source::new("text", text);
    let compiled = gambol::compile(&source, &[]);
    if let Ok(laid) = format(&source) {
        let again = Source::new("text", laid.clone());
        let (tree, _) = gambol::syntax::parse_alone(&again);
        let (own, _) = gambol::syntax::parse_alone(&source);
        assert!(
            same_tree(&own, &tree),
            "laid out it is another text:\n{laid}"
        );
        assert_eq!(format(&again).ok().as_ref(), Some(&laid), "laid out twice");
    }
    // Large boards are for other tests: here many texts count.
    let small = |p: &gambol::program::Program| p.board.len() <= 64;
    if let Some(engine) = compiled
        .program
        .filter(small)
        .and_then(|p| Engine::new(p).ok())
    {
        let start = engine.initial();
        let line = engine.print(&start);
        assert_eq!(engine.parse(&line).as_ref(), Ok(&start), "{line}");
        let _ = engine.legal_actions(&start);
        let _ = engine.outcome(&start);
    }
});
