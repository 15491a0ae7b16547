//! What can be said of two boards that have no position in common: cells and pieces, counted. In: an engine. Out: numbers.

use crate::engine::Engine;
use crate::program::{KindId, PlayerId};
use crate::tools::phrase;

/// What there is at the start of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoardFacts {
    /// The names of the cells, in board order.
    pub cells: Vec<String>,
    /// How many pieces of each sort stand on the board, in the order of players and kinds; no zeros.
    pub pieces: Vec<(String, usize)>,
    /// How many pieces of each sort are in hand; no zeros.
    pub hands: Vec<(String, usize)>,
    /// How many actions there are at the start; nothing if the rules fail there.
    pub actions: Option<u64>,
}

/// Counts what there is at the start.
#[must_use]
pub fn facts(engine: &Engine) -> BoardFacts {
    let program = engine.program();
    let start = engine.initial();
    let board = &program.board;
    let ids = |n: usize| (0..n).filter_map(|i| u8::try_from(i).ok());
    let mut standing: Vec<_> = Vec::new();
    for cell in board.cells().iter() {
        standing.extend(engine.stack(&start, cell));
    }
    let (mut pieces, mut hands) = (Vec::new(), Vec::new());
    let owners = ids(program.players.len()).map(|p| Some(PlayerId(p)));
    for owner in owners.chain([None]) {
        for kind in ids(program.kinds.len()).map(KindId) {
            let piece = crate::engine::PieceAt { owner, kind };
            let name = phrase::piece(program, piece);
            let count = standing.iter().filter(|p| **p == piece).count();
            let held = owner.map_or(0, |owner| engine.hand(&start, owner, kind));
            let held = usize::try_from(held).unwrap_or(usize::MAX);
            pieces.extend((count > 0).then(|| (name.clone(), count)));
            hands.extend((held > 0).then_some((name, held)));
        }
    }
    BoardFacts {
        cells: names(engine),
        pieces,
        hands,
        actions: engine.count_actions(&start).ok(),
    }
}

/// Whether the boards have cells of the same names, in the same order.
pub(super) fn same_cells(a: &Engine, b: &Engine) -> bool {
    names(a) == names(b)
}

fn names(engine: &Engine) -> Vec<String> {
    let board = &engine.program().board;
    let cells = board.cells();
    cells
        .iter()
        .map(|cell| board.name(cell).to_owned())
        .collect()
}
