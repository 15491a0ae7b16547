//! Snapshots as text: a snapshot in, sorted lines out that people read and `parse` reads back; and the file around them, in
//! the form that insta has for snapshots, so that its tools serve as well.

use crate::tools::snapshot::{Ending, Plan, Setting, Snapshot, Step, statistics};
use std::fmt::{self, Display, Formatter};

/// The version of the form.
pub const FORM: u32 = 1;

/// A snapshot's whole file: a header with the rule file it is of (as seen from the snapshot's folder), then the snapshot.
#[must_use]
pub fn file_text(snapshot: &Snapshot, source: &str) -> String {
    let quoted = source.replace('\\', "\\\\").replace('"', "\\\"");
    format!("---\nsource: \"{quoted}\"\nexpression: gambol snapshot\n---\n{snapshot}")
}

impl Display for Snapshot {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "snapshot {FORM}\n{}\n", self.plan)?;
        writeln!(f, "game \"{}\"\n", self.title)?;
        if !self.options.is_empty() {
            writeln!(f, "options")?;
            self.options.iter().try_for_each(|o| writeln!(f, "  {o}"))?;
            writeln!(f)?;
        }
        writeln!(f, "players\n  {}\n", self.players.join(" "))?;
        let board = &self.board;
        writeln!(f, "board\n  cells: {}", board.cells)?;
        writeln!(f, "  directions: {}", board.directions.join(" "))?;
        writeln!(f, "  geometry: {:016x}\n", board.hash)?;
        writeln!(f, "start\n  {}\n", self.start)?;
        writeln!(f, "drawing")?;
        for line in &self.drawing {
            let indent = if line.is_empty() { "" } else { "  " };
            writeln!(f, "{indent}{line}")?;
        }
        writeln!(f, "\nperft")?;
        for (depth, count) in (1..).zip(&self.perft) {
            writeln!(f, "  {depth}: {count}")?;
        }
        writeln!(f, "\ndivide {}", self.perft.len())?;
        for share in &self.actions {
            writeln!(f, "  {} {}", share.count, share.action)?;
        }
        for transcript in &self.transcripts {
            writeln!(f, "\ntranscript of seed {}", transcript.seed)?;
            for (ply, step) in (1..).zip(&transcript.steps) {
                writeln!(f, "  {ply}: {step}")?;
            }
        }
        writeln!(f, "\ngames")?;
        for game in &self.games {
            let (seed, plies, hash) = (game.seed, game.plies, game.hash);
            writeln!(
                f,
                "  seed {seed}: {plies} actions {hash:08x} {}",
                game.ending
            )?;
        }
        write!(
            f,
            "\nstatistics\n{}",
            statistics(&self.players, &self.games)
        )
    }
}

impl Display for Plan {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Plan {
            depth,
            budget,
            games,
            plies,
            seed,
        } = self;
        write!(
            f,
            "depth={depth} budget={budget} games={games} plies={plies} seed={seed}"
        )
    }
}

impl Display for Setting {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}", self.name, self.value)?;
        if !self.domain.is_empty() {
            write!(f, " in {}", self.domain)?;
        }
        Ok(())
    }
}

impl Display for Step {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:08x} {}", self.legal, self.hash, self.action)?;
        if let Some(position) = &self.position {
            write!(f, "{LEADS_TO}{position}")?;
        }
        Ok(())
    }
}

/// Between an action and the position it leads to.
pub(super) const LEADS_TO: &str = " => ";

impl Display for Ending {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Ending::Wins(player, by) => write!(f, "{player} wins \"{by}\""),
            Ending::Loses(player, by) => write!(f, "{player} loses \"{by}\""),
            Ending::Draw(by) => write!(f, "draw \"{by}\""),
            Ending::Unfinished => write!(f, "unfinished"),
            Ending::Stuck => write!(f, "stuck"),
        }
    }
}
