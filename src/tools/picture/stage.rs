//! What all pictures of a game share: its plan, its pieces, its colours, and the document around everything that is drawn.

use crate::board::Cell;
use crate::engine::{Engine, Position};
use crate::tools::picture::ground::{self, Regions};
use crate::tools::picture::pieces::Kit;
use crate::tools::picture::plan::Plan;
use crate::tools::picture::style::{self, Paint};
use crate::tools::picture::write::{escape, num, pair};
use crate::tools::picture::{Drawn, Look};
use std::fmt::Write as _;

/// The font of all texts; every letter of it is equally wide.
const FAMILY: &str = "Hack,'DejaVu Sans Mono',Menlo,Consolas,monospace";

/// The width of outlines of pieces.
const OUTLINE: &str = "1.5";

/// A game that is drawn.
pub struct Stage<'e> {
    engine: &'e Engine,
    look: Look,
    /// Where everything is.
    pub plan: Plan,
    /// The pieces.
    pub kit: Kit<'e>,
    regions: Regions<'e>,
    paints: Vec<Paint>,
}

impl<'e> Stage<'e> {
    /// The stage of a game.
    #[must_use]
    pub fn new(engine: &'e Engine, look: Look) -> Stage<'e> {
        let program = engine.program();
        let regions = Regions::of(program);
        let band = if program.board.wrap() == crate::board::Wrap::None {
            regions.band()
        } else {
            regions.band().max(9.0)
        };
        let plan = Plan::of(&program.board, band);
        Stage {
            engine,
            look,
            kit: Kit::new(program, &plan),
            plan,
            regions,
            paints: style::paints(look.theme, program),
        }
    }

    /// What lies under the cells.
    #[must_use]
    pub fn under(&self) -> String {
        ground::under(self.engine.program(), &self.plan, &self.regions)
    }

    /// What lies on the cells, and the names beside the board.
    #[must_use]
    pub fn over(&self) -> String {
        let mut out = ground::over(&self.plan, &self.regions);
        out.push_str(&ground::labels(&self.plan));
        out
    }

    /// All cells with what stands on them.
    #[must_use]
    pub fn cells(&self, position: &Position) -> String {
        self.every(|cell| {
            let pieces = self.engine.stack(position, cell);
            (self.kit.told(&pieces), self.kit.content(&pieces))
        })
    }

    /// All cells; each is asked for what it holds in words and as a drawing.
    pub fn every(&self, mut content: impl FnMut(Cell) -> (String, String)) -> String {
        let program = self.engine.program();
        let mut out =
            format!("<g id=\"cells\" stroke-width=\"{OUTLINE}\" stroke-linejoin=\"round\">");
        for cell in program.board.cells() {
            let name = escape(program.board.name(cell));
            let (told, drawn) = content(cell);
            let _ = write!(
                out,
                "\n<g id=\"cell-{name}\" data-cell=\"{name}\" transform=\"translate({})\"><title>{name}: {}</title>\
                 <use href=\"#o\" class=\"{}\"/>{drawn}</g>",
                pair(self.plan.centre(cell)),
                escape(&told),
                ground::class(program, cell)
            );
        }
        out.push_str("\n</g>\n");
        out
    }

    /// Lines below the board.
    #[must_use]
    pub fn beside(&self, lines: &str) -> String {
        format!(
            "<g id=\"beside\" class=\"t\" text-anchor=\"start\" font-size=\"{}\">{lines}</g>",
            num(self.plan.font)
        )
    }

    /// The document: `body` with room for lines of some height below the board, told in words.
    #[must_use]
    pub fn whole(&self, body: &str, height: f64, told: &str) -> Drawn {
        let plan = &self.plan;
        let (wide, tall) = (plan.width(), plan.to.1 - plan.from.1 + height);
        let width = self.look.width;
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a picture has some thousand pixels, and casts saturate"
        )]
        let pixels = (f64::from(width) * tall / wide).round() as u32;
        let (left, top) = (num(plan.from.0), num(plan.from.1));
        let (w, h) = (num(wide), num(tall));
        let title = escape(&self.engine.program().about.title);
        let text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{pixels}\" viewBox=\"{left} {top} {w} {h}\" \
             role=\"img\" aria-labelledby=\"title desc\" font-family=\"{FAMILY}\" text-anchor=\"middle\">\n\
             <title id=\"title\">{title}</title>\n<desc id=\"desc\">{}</desc>\n<style>{}</style>\n\
             <defs>{}{}{}</defs>\n\
             <rect class=\"bg\" x=\"{left}\" y=\"{top}\" width=\"{w}\" height=\"{h}\"/>\n{body}\n</svg>\n",
            escape(told),
            style::sheet(self.look.theme, &self.paints),
            style::patterns(&self.paints),
            ground::shapes(plan),
            self.kit.shapes(),
        );
        Drawn {
            text,
            width,
            height: pixels,
        }
    }
}
