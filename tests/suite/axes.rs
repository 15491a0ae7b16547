//! The lines through a cell, all together and one by one, on boards where lines come back and cross each other as well: every engine
//! finds what is found by going along each of them alone.

use crate::agree::rivals;
use gambol::base::Source;
use gambol::board::{Board, Cell, Direction};
use gambol::engine::Engine;
use std::collections::BTreeSet;

const BOARDS: &[&str] = &[
    "square(5, 4)",
    "square(5, 4) wrapping rows",
    "square(3, 6) wrapping columns",
    "square(4, 6) wrapping columns wrapping rows",
    "square(6, 4) without b2 wrapping columns",
    "hexagons(4, 3)",
    "graph { line(on) a b c d a line(inward) e c line(round, about) b e d b }",
];

/// The cells that are come to from one along some directions and back.
fn through(board: &Board, cell: Cell, directions: &[u8]) -> BTreeSet<u16> {
    let mut all = BTreeSet::from([cell.0]);
    for d in directions.iter().map(|d| Direction(*d)) {
        for way in [Some(d), board.opposite(d)].into_iter().flatten() {
            let on = |at: &Cell| board.step(*at, way);
            let line = std::iter::successors(on(&cell), on).take(board.len());
            all.extend(line.map(|c| c.0));
        }
    }
    all
}

#[test]
fn lines_through_a_cell_do_not_stop_where_they_cross() {
    for text in BOARDS {
        let game = format!(
            "game \"Axes\"\n\nplayers White, Black\nboard   {text}\npiece   stone\n\n\
             rule All \"{{spot}}*{{count(axis(spot, directions))}}\" {{\n  choose spot in empty\n  place stone at spot\n}}\n\n\
             rule One \"{{spot}}-{{count(axis(spot, way))}}\" {{\n  choose spot in empty\n  choose way in directions\n  place stone at spot\n}}\n\n\
             turn All or One\n\nend after turn {{\n  draw \"long\" when turns = 2\n}}\n"
        );
        let compiled = gambol::compile(&Source::new("axes", game), &[]);
        let program = (compiled.program).unwrap_or_else(|| panic!("{:#?}", compiled.diagnostics));
        let board = &program.board;
        let ways: Vec<u8> = board.all().iter().map(|d| d.0).collect();
        let mut expected = BTreeSet::new();
        for cell in board.cells().iter() {
            let name = board.name(cell);
            expected.insert(format!("{name}*{}", through(board, cell, &ways).len()));
            for way in &ways {
                expected.insert(format!("{name}-{}", through(board, cell, &[*way]).len()));
            }
        }
        let plain = ("plain", Engine::new(program.clone()).unwrap());
        let others = rivals(&program, false).unwrap().into_iter();
        let others = others.map(|rival| (rival.name, rival.engine));
        for (name, engine) in others.chain([plain]) {
            let listed = engine.legal_actions(&engine.initial()).unwrap();
            let listed: BTreeSet<String> = listed.into_iter().map(|a| a.text).collect();
            assert_eq!(listed, expected, "{name}: {text}");
        }
    }
}
