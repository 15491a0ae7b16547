//! Pictures as pixels: SVG in, PNG out. Texts have a font of their own, so the machine needs none.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

/// The font, by the name that pictures ask for.
const FONT: &str = "Hack";

/// Makes a PNG of an SVG, as large as that says.
///
/// # Errors
///
/// Why it cannot be made, in words.
pub fn png(svg: &str) -> Result<Vec<u8>, String> {
    let mut options = Options {
        font_family: FONT.to_owned(),
        ..Options::default()
    };
    let fonts = options.fontdb_mut();
    fonts.load_font_data(epaint_default_fonts::HACK_REGULAR.to_vec());
    fonts.set_monospace_family(FONT);
    let tree = Tree::from_str(svg, &options).map_err(|error| error.to_string())?;
    let size = tree.size().to_int_size();
    let mut pixels =
        Pixmap::new(size.width(), size.height()).ok_or_else(|| "it is too large".to_owned())?;
    resvg::render(&tree, Transform::default(), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| error.to_string())
}
