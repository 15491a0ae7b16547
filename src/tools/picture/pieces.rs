//! Pieces: what stands on a cell in, the drawing of it around the cell's centre out, and the shapes that drawings refer to.
//!
//! One kind is a disc; of several each has a shape and its letter. Where pieces may stand on each other they are chips in a
//! pile, drawn from the bottom; from four on the top tells the height.

use crate::engine::PieceAt;
use crate::program::{KindId, PlayerId, Program};
use crate::tools::phrase;
use crate::tools::picture::plan::{FONT, LETTER, Plan, Point};
use crate::tools::picture::write::{escape, num, path};
use std::f64::consts::TAU;
use std::fmt::Write as _;

/// The height from which on it is told.
const TOLD: usize = 4;

/// The most chips of a pile that are drawn one by one.
const HIGH: usize = 8;

/// How high the upper side of a chip seems, beside its width.
const FLAT: f64 = 0.44;

/// How pieces of a game are drawn on a board.
pub struct Kit<'p> {
    program: &'p Program,
    radius: f64,
    /// The least height of letters that can be read.
    least: f64,
}

/// The shapes of kinds: how many corners (none for a disc), where the first is in degrees, how large they are beside a disc.
const SHAPES: [(u32, f64, f64); 8] = [
    (0, 0.0, 1.0),
    (4, 45.0, 1.18),
    (3, -90.0, 1.3),
    (4, -90.0, 1.2),
    (5, -90.0, 1.1),
    (6, 0.0, 1.08),
    (8, 22.5, 1.05),
    (3, 90.0, 1.3),
];

/// How wide chips of a kind are beside those of the first.
const WIDTHS: [f64; 4] = [1.0, 0.84, 0.92, 0.76];

impl<'p> Kit<'p> {
    /// The kit of a game.
    #[must_use]
    pub fn new(program: &'p Program, plan: &Plan) -> Kit<'p> {
        Kit {
            program,
            radius: plan.radius,
            least: FONT * plan.width() * 0.92,
        }
    }

    /// Whether players have pieces of several kinds.
    fn lettered(&self) -> bool {
        self.program.kinds.iter().filter(|k| !k.neutral).count() > 1
    }

    /// The name of a player's colours in the style sheet.
    fn class(owner: Option<PlayerId>) -> String {
        owner.map_or("n".to_owned(), |p| p.0.to_string())
    }

    /// What stands on a cell, around its centre; nothing for an empty one.
    #[must_use]
    pub fn content(&self, pieces: &[PieceAt]) -> String {
        match pieces {
            [] => String::new(),
            [one] if !self.program.stacking => format!("<use href=\"#{}\"/>", Kit::id(*one)),
            pile => self.pile(pile),
        }
    }

    /// What stands on a cell, in words.
    #[must_use]
    pub fn told(&self, pieces: &[PieceAt]) -> String {
        let word = |(piece, count): &(PieceAt, usize)| {
            let piece = phrase::piece(self.program, *piece);
            if *count > 1 {
                format!("{count} {piece}")
            } else {
                piece
            }
        };
        let told: Vec<String> = runs(pieces).iter().map(word).collect();
        match told.as_slice() {
            [] => "empty".to_owned(),
            [one] => one.clone(),
            many => format!("{}, from the bottom", many.join(", ")),
        }
    }

    /// The name of a piece's shape.
    fn id(piece: PieceAt) -> String {
        match piece.owner {
            Some(owner) => format!("p{}k{}", owner.0, piece.kind.0),
            None => format!("nk{}", piece.kind.0),
        }
    }

    /// The shapes of all pieces that stand alone, to be referred to.
    #[must_use]
    pub fn shapes(&self) -> String {
        let mut out = String::new();
        if self.program.stacking {
            return out;
        }
        for (kind, info) in (0u8..).map(KindId).zip(&self.program.kinds) {
            let owners: Vec<Option<PlayerId>> = if info.neutral {
                vec![None]
            } else {
                (0u8..)
                    .take(self.program.players.len())
                    .map(|p| Some(PlayerId(p)))
                    .collect()
            };
            for owner in owners {
                let _ = write!(
                    out,
                    "<g id=\"{}\">{}</g>",
                    Kit::id(PieceAt { owner, kind }),
                    self.shape(kind, owner)
                );
            }
        }
        out
    }

    fn shape(&self, kind: KindId, owner: Option<PlayerId>) -> String {
        let class = Kit::class(owner);
        let info = &self.program.kinds[usize::from(kind.0)];
        let several = self.lettered();
        let at = if owner.is_none() {
            1
        } else if several {
            let shapes = self.program.kinds.iter().take(usize::from(kind.0));
            shapes.filter(|k| !k.neutral).count()
        } else {
            0
        };
        let (corners, first, size) = SHAPES[at % SHAPES.len()];
        let radius = self.radius * if owner.is_none() { 0.8 } else { 1.0 };
        let mut out = if corners == 0 {
            format!("<circle class=\"p{class}\" r=\"{}\"/>", num(radius))
        } else {
            let points = polygon(corners, first, size * radius);
            format!("<path class=\"p{class}\" d=\"{}\"/>", path(&points, true))
        };
        let sign = if several || owner.is_none() {
            Some(info.letter.to_string())
        } else {
            owner.and_then(|p| self.initial(p))
        };
        if let Some(sign) = sign {
            // On very large boards letters would be larger than the piece; its shape must do.
            if self.least > radius * 1.9 {
                return out;
            }
            let font = (radius * 1.05).max(self.least);
            // A triangle is widest away from its first corner.
            let low = if corners == 3 {
                -0.12 * radius * first.signum()
            } else {
                0.0
            };
            out.push_str(&text((0.0, low), font, &class, &sign));
        }
        out
    }

    /// With more than two players, what tells them apart besides colours.
    fn initial(&self, player: PlayerId) -> Option<String> {
        let players = &self.program.players;
        if players.len() < 3 {
            return None;
        }
        let first = |name: &str| name.chars().next();
        let own = first(&players.get(usize::from(player.0))?.name)?;
        let alike = players
            .iter()
            .filter(|p| first(&p.name) == Some(own))
            .count();
        Some(if alike == 1 {
            own.to_string()
        } else {
            (u32::from(player.0) + 1).to_string()
        })
    }

    /// Chips upon each other. In high piles those that are alike become one thick chip with their number.
    fn pile(&self, pieces: &[PieceAt]) -> String {
        let flat = self.radius * FLAT;
        let room = 2.0 * self.radius * 1.22 - 2.0 * flat;
        let high = pieces.len() > HIGH;
        let chips: Vec<(PieceAt, usize)> = if high {
            runs(pieces)
        } else {
            pieces.iter().map(|piece| (*piece, 1)).collect()
        };
        // A thick chip is less thick than the chips that it stands for, so that single ones can be seen.
        let weights: Vec<f64> = chips.iter().map(|(_, n)| number(*n).sqrt()).collect();
        let all: f64 = weights.iter().sum();
        let unit = (self.radius * 0.4).min(room / all);
        // Many thin chips need thin lines.
        let line = (unit * 0.3).clamp(0.2, 1.3);
        let mut out = format!("<g stroke-width=\"{}\">", num(line));
        let mut base = all * unit / 2.0;
        for ((piece, count), weight) in chips.iter().zip(weights) {
            let thick = unit * weight;
            let wide = self.chip(*piece);
            let (w, f) = (num(wide), num(flat * wide / self.radius));
            let class = Kit::class(piece.owner);
            let _ = write!(
                out,
                "<path class=\"p{class}\" d=\"M-{w} {}v{}a{w} {f} 0 0 1 {} 0v{}a{w} {f} 0 0 1 {} 0z\"/>",
                num(base),
                num(-thick),
                num(2.0 * wide),
                num(thick),
                num(-2.0 * wide),
            );
            if chips.len() > 1 && *count > 1 && thick > 0.85 * self.least {
                // The wall bends down in the middle.
                let middle = base - thick / 2.0 + flat * 0.92;
                out.push_str(&text((0.0, middle), self.least, &class, &count.to_string()));
            }
            base -= thick;
        }
        if let Some(top) = pieces.last() {
            out.push_str(&self.cap(*top, pieces.len(), base));
        }
        out.push_str("</g>");
        out
    }

    /// Half the width of a chip.
    fn chip(&self, piece: PieceAt) -> f64 {
        let several = self.lettered() || piece.owner.is_none();
        let kind = if several {
            usize::from(piece.kind.0)
        } else {
            0
        };
        self.radius * WIDTHS[kind % WIDTHS.len()]
    }

    /// The upper side of the chip on top, with its letter and the height of the pile.
    fn cap(&self, top: PieceAt, height: usize, base: f64) -> String {
        let class = Kit::class(top.owner);
        let wide = self.chip(top);
        let flat = self.radius * FLAT * wide / self.radius;
        let mut out = format!(
            "<ellipse class=\"p{class}\" cy=\"{}\" rx=\"{}\" ry=\"{}\"/>",
            num(base),
            num(wide),
            num(flat)
        );
        let mut told = String::new();
        if self.lettered() || top.owner.is_none() {
            told.push(self.program.kinds[usize::from(top.kind.0)].letter);
        } else if let Some(sign) = top.owner.and_then(|p| self.initial(p)) {
            told.push_str(&sign);
        }
        if height >= TOLD {
            told.push_str(&height.to_string());
        }
        if !told.is_empty() {
            let letters = number(told.chars().count());
            let fits = (1.7 * wide / (letters * LETTER)).min(flat * 2.1);
            out.push_str(&text((0.0, base), fits.max(self.least), &class, &told));
        }
        out
    }
}

/// Pieces that are alike and lie upon each other, with their number.
fn runs(pieces: &[PieceAt]) -> Vec<(PieceAt, usize)> {
    let mut runs: Vec<(PieceAt, usize)> = Vec::new();
    for piece in pieces {
        match runs.last_mut() {
            Some((last, count)) if last == piece => *count += 1,
            Some(_) | None => runs.push((*piece, 1)),
        }
    }
    runs
}

fn number(n: usize) -> f64 {
    f64::from(u32::try_from(n).unwrap_or(u32::MAX))
}

/// A text around a point.
fn text(at: Point, font: f64, class: &str, told: &str) -> String {
    format!(
        "<text class=\"x{class}\" y=\"{}\" font-size=\"{}\">{}</text>",
        // Capitals reach up by seven tenths of the height.
        num(at.1 + 0.36 * font),
        num(font),
        escape(told)
    )
}

/// The corners of a polygon, the first one at an angle in degrees.
fn polygon(corners: u32, first: f64, radius: f64) -> Vec<Point> {
    let corner = |n: u32| {
        let angle = TAU * f64::from(n) / f64::from(corners) + first.to_radians();
        (radius * angle.cos(), radius * angle.sin())
    };
    (0..corners).map(corner).collect()
}
