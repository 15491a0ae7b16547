//! What is certain a few actions ahead: a position in, what its next positions are surely worth out. By alpha-beta search, deeper
//! and deeper, as long as its limit lasts; so a search by random games misses no short win and walks into no short loss.

use crate::engine::{Action, Engine, PlayError, Position};
use crate::tools::solve::Bounds;
use crate::tools::solve::alphabeta::{AlphaBeta, Broken, Limit};
use crate::tools::worth::Shares;
use smallvec::smallvec;

/// The deepest that it looks.
const DEEPEST: u8 = 40;

/// Bytes of the table for each position that may be looked at.
const BYTES_A_NODE: u64 = 48;

/// A next position of which something is certain.
pub struct Certain {
    /// The position.
    pub position: Position,
    /// What it is worth at least to each of the two persons.
    pub least: Shares,
    /// And at most.
    pub most: Shares,
    /// Actions from there to the end.
    pub distance: u16,
}

/// Looks ahead until something is found that settles the position, or the limit is come to. There must be two persons.
///
/// # Errors
/// When the rules fail.
pub fn look(
    engine: &Engine,
    position: &Position,
    actions: &[Action],
    limit: Limit<'_>,
) -> Result<Vec<Certain>, PlayError> {
    let bytes = usize::try_from(limit.nodes.saturating_mul(BYTES_A_NODE)).unwrap_or(0);
    let mut search = AlphaBeta::new(engine, bytes);
    let nexts: Vec<Position> = actions.iter().map(|a| engine.play(position, a)).collect();
    let mut found: Vec<Option<Certain>> = nexts.iter().map(|_| None).collect();
    for depth in 1..=DEEPEST {
        let looked = search.look(position, depth, limit);
        for (next, certain) in nexts.iter().zip(&mut found) {
            let bounds = search.known(next)?;
            if certain.as_ref().is_none_or(|c| c.least != c.most) && bounds != Bounds::UNKNOWN {
                *certain = Some(Certain::new(next, bounds, depth));
            }
        }
        match looked {
            Ok(bounds) if bounds.known().is_some() => break,
            Ok(_) => {}
            Err(Broken::Limit) => break,
            Err(Broken::Failed(error)) => return Err(error),
        }
    }
    Ok(found.into_iter().flatten().collect())
}

impl Certain {
    fn new(position: &Position, bounds: Bounds, depth: u8) -> Certain {
        let (least, most) = (bounds.least.share(), bounds.most.share());
        Certain {
            position: position.clone(),
            least: smallvec![least, 1.0 - most],
            most: smallvec![most, 1.0 - least],
            distance: u16::from(depth - 1),
        }
    }
}
