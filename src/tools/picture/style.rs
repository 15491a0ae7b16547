//! Colours: a theme and the players of a program in, the style sheet of a picture out.
//!
//! Colours of players are told apart by people who see few colours: they differ in lightness, and come from the palette of
//! Okabe and Ito. A player who is called by a colour has it; the others have the first that are free.

use crate::program::Program;
use std::fmt::Write as _;

/// What a picture is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Theme {
    /// A light page.
    #[default]
    Light,
    /// A dark page.
    Dark,
    /// Paper: black lines, and hardly a filled surface.
    Print,
}

/// The colours of a board.
struct Ground {
    page: &'static str,
    light: &'static str,
    dark: &'static str,
    grid: &'static str,
    line: &'static str,
    text: &'static str,
    last: &'static str,
    legal: &'static str,
    neutral: Paint,
}

/// The colours of a player's pieces.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Paint {
    /// The surface.
    pub fill: &'static str,
    /// The outline.
    pub edge: &'static str,
    /// Letters on it.
    pub ink: &'static str,
}

const fn paint(fill: &'static str, edge: &'static str, ink: &'static str) -> Paint {
    Paint { fill, edge, ink }
}

/// Colours by the words for them, in the order in which they are given to players who are not called by one.
const COLOURS: [(&[&str], Paint); 16] = [
    (&["white", "ivory"], paint("#fffdf6", "#2b2b2e", "#2b2b2e")),
    (&["black", "ebony"], paint("#26272b", "#f4f1e8", "#ffffff")),
    (
        &["red", "vermilion"],
        paint("#cf4a14", "#fff1e6", "#ffffff"),
    ),
    (&["blue"], paint("#0a6cab", "#e9f4fb", "#ffffff")),
    (&["yellow"], paint("#f2dc3c", "#4d4300", "#332c00")),
    (&["green"], paint("#00936b", "#e2f7ef", "#ffffff")),
    (&["pink", "rose"], paint("#d887b4", "#4a1f38", "#2d0f20")),
    (&["sky", "cyan"], paint("#6cc0ee", "#123f59", "#0c2b3d")),
    (&["orange"], paint("#e99f0c", "#4a3100", "#2f1f00")),
    (
        &["purple", "violet"],
        paint("#6f3f91", "#f2e8f9", "#ffffff"),
    ),
    (&["brown"], paint("#7a4a21", "#f7ead9", "#ffffff")),
    (
        &["grey", "gray", "silver"],
        paint("#a2a7ad", "#2b2b2e", "#1c1c1e"),
    ),
    (&["gold"], paint("#c9a227", "#3b2e00", "#241c00")),
    (&["teal"], paint("#11666e", "#dff3f5", "#ffffff")),
    (&["olive"], paint("#75791f", "#f6f7dc", "#ffffff")),
    (&["maroon"], paint("#6b1526", "#fae3e7", "#ffffff")),
];

/// On paper: surfaces and patterns in the same order.
const PAPER: [Paint; 16] = [
    paint("#fff", "#000", "#000"),
    paint("#000", "#fff", "#fff"),
    paint("url(#h0)", "#000", "#000"),
    paint("url(#h1)", "#000", "#000"),
    paint("url(#h2)", "#000", "#000"),
    paint("url(#h3)", "#000", "#000"),
    paint("url(#h4)", "#000", "#000"),
    paint("url(#h5)", "#000", "#000"),
    paint("url(#h6)", "#000", "#000"),
    paint("url(#h7)", "#000", "#000"),
    paint("url(#h8)", "#000", "#000"),
    paint("url(#h9)", "#000", "#000"),
    paint("url(#h10)", "#000", "#000"),
    paint("url(#h11)", "#000", "#000"),
    paint("url(#h12)", "#000", "#000"),
    paint("url(#h13)", "#000", "#000"),
];

impl Theme {
    fn ground(self) -> Ground {
        match self {
            Theme::Light => Ground {
                page: "#fdfcf9",
                light: "#f3e8d2",
                dark: "#e7d6b6",
                grid: "#bda67c",
                line: "#8c774f",
                text: "#3a362f",
                last: "#d1490a",
                legal: "#0a6cab",
                neutral: paint("#9a9ea3", "#35373a", "#161718"),
            },
            Theme::Dark => Ground {
                page: "#23272e",
                light: "#5a626e",
                dark: "#4b535e",
                grid: "#2f343c",
                line: "#8b93a0",
                text: "#d9dce1",
                last: "#ff9d4d",
                legal: "#6cc0ee",
                neutral: paint("#8d939b", "#0e0f11", "#0e0f11"),
            },
            Theme::Print => Ground {
                page: "#fff",
                light: "none",
                dark: "none",
                grid: "#000",
                line: "#000",
                text: "#000",
                last: "#000",
                legal: "#000",
                neutral: paint("#fff", "#000", "#000"),
            },
        }
    }
}

/// The colours of the players, in their order.
#[must_use]
pub fn paints(theme: Theme, program: &Program) -> Vec<Paint> {
    let called = |name: &str| {
        let name = name.to_lowercase();
        COLOURS
            .iter()
            .position(|(words, _)| words.contains(&name.as_str()))
    };
    // On paper only white and black are colours.
    let known = |at: &usize| theme != Theme::Print || *at < 2;
    let named: Vec<Option<usize>> = program
        .players
        .iter()
        .map(|p| called(&p.name).filter(known))
        .collect();
    let mut taken: Vec<usize> = named.iter().flatten().copied().collect();
    let mut own = |named: &Option<usize>| {
        let at = named.unwrap_or_else(|| {
            let free = (0..COLOURS.len()).find(|c| !taken.contains(c)).unwrap_or(0);
            taken.push(free);
            free
        });
        match theme {
            // On a dark page black is darker still.
            Theme::Dark if at == 1 => paint("#0b0c0e", "#dfe2e7", "#ffffff"),
            Theme::Light | Theme::Dark => COLOURS[at].1.clone(),
            Theme::Print => PAPER[at].clone(),
        }
    };
    named.iter().map(&mut own).collect()
}

/// The style sheet; lengths are in units of the plan.
#[must_use]
pub fn sheet(theme: Theme, paints: &[Paint]) -> String {
    let ground = theme.ground();
    let Ground {
        page,
        light,
        dark,
        grid,
        line,
        text,
        last,
        legal,
        neutral,
    } = &ground;
    let thin = if theme == Theme::Print { "1" } else { "1.2" };
    let mut css = format!(
        ".bg{{fill:{page}}}.c{{fill:{light};stroke:{grid};stroke-width:{thin}}}.d{{fill:{dark};stroke:{grid};stroke-width:{thin}}}\
         .l{{fill:none;stroke:{line};stroke-width:1.6;stroke-linejoin:round}}.i{{fill:{line}}}.h{{fill:none;stroke:none;pointer-events:all}}\
         .t{{fill:{text};paint-order:stroke;stroke:{page};stroke-width:2}}\
         .m{{fill:none;stroke:{last};stroke-width:3}}\
         .v{{fill:none;stroke:{legal};stroke-linecap:round}}.w{{fill:{legal};stroke:{page};stroke-width:1}}\
         .y{{fill:none;stroke:{legal};stroke-width:2.6}}"
    );
    // Regions inside of the board: thinner, behind the lines of edges.
    let regions = ".a,.b{fill:none;stroke-width:8;stroke-linecap:round;stroke-linejoin:round}.b{stroke-width:5.6}\
                   .a.z{stroke-width:4}.b.z{stroke-width:2.4}";
    css.push_str(regions);
    if theme == Theme::Print {
        css.push_str(".m{stroke-dasharray:6 3}.w{stroke-width:1.6}");
    }
    for (class, paint) in paints
        .iter()
        .enumerate()
        .map(|(n, p)| (n.to_string(), p))
        .chain([("n".to_owned(), neutral)])
    {
        let Paint { fill, edge, ink } = paint;
        let _ = write!(
            css,
            ".p{class}{{fill:{fill};stroke:{edge}}}.x{class}{{fill:{ink};stroke:none"
        );
        if fill.starts_with("url") {
            css.push_str(";paint-order:stroke;stroke:#fff;stroke-width:5");
        }
        css.push('}');
        let flat = if fill.starts_with("url") {
            "#777"
        } else {
            fill
        };
        let outer = if theme == Theme::Print { "#000" } else { edge };
        let _ = write!(css, ".a{class}{{stroke:{outer}}}.b{class}{{stroke:{flat}}}");
    }
    css
}

/// The patterns that players have on paper.
#[must_use]
pub fn patterns(paints: &[Paint]) -> String {
    let mut out = String::new();
    for (n, paint) in PAPER.iter().skip(2).enumerate() {
        if !paints.contains(paint) {
            continue;
        }
        let turn = [45, 0, 90, 135][n % 4];
        let lines = match n / 4 {
            0 => "M0 2h4",
            1 => "M0 2h4M2 0v4",
            2 => "M0 1h2M2 3h2",
            _ => "M0 1h4M0 3h1",
        };
        let _ = write!(
            out,
            "<pattern id=\"h{n}\" width=\"4\" height=\"4\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate({turn})\">\
             <path d=\"M0 0h4v4h-4z\" fill=\"#fff\"/><path d=\"{lines}\" stroke=\"#000\"/></pattern>"
        );
    }
    out
}
