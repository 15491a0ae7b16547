//! `gambol render`: a position, or a whole game, as a picture in a file: SVG, PNG, or a page of HTML.

use crate::cli::args::{Common, Standing, whole};
use crate::cli::failure::Failure;
use crate::cli::out::Terminal;
use crate::cli::{json, load, moves, replay, store};
use crate::engine::{Engine, Position};
use crate::tools::phrase;
use crate::tools::picture::{self, Drawn, Frame, Last, Look, Overlay, Theme};
use crate::tools::replay::replay as play;
use clap::{Args, ValueEnum};
use serde_json::{Value, json};
use std::path::Path;

/// The most pixels of a PNG.
#[cfg(feature = "png")]
const MOST_PIXELS: u64 = 64_000_000;

/// The arguments of `render`.
#[derive(Args, Clone, Debug)]
pub struct RenderArgs {
    /// The game file; `-` is the standard input.
    pub file: String,
    /// The picture: a name that ends in .svg, .png or .html; `-` writes SVG to the standard output.
    #[arg(short, long, value_name = "FILE")]
    pub output: String,
    /// Where the game stands.
    #[command(flatten)]
    pub at: Standing,
    /// A record, or a bare list of actions, to show instead; `-` is the standard input.
    #[arg(long, value_name = "RECORD", conflicts_with_all = ["position", "play"])]
    pub record: Option<String>,
    /// How many actions of the record are played before the picture [default: all].
    #[arg(long, value_name = "N", requires = "record", conflicts_with_all = ["animate", "page", "play", "position"], value_parser = whole(0..=usize::MAX))]
    pub ply: Option<usize>,
    /// Mark the legal actions.
    #[arg(long, conflicts_with_all = ["animate", "page"])]
    pub legal: bool,
    /// Mark the last action.
    #[arg(long)]
    pub last: bool,
    /// A picture that plays the record, or the actions of --play.
    #[arg(long, conflicts_with = "page")]
    pub animate: bool,
    /// A page of HTML on which the record, or the actions of --play, are stepped through.
    #[arg(long)]
    pub page: bool,
    /// Colours for a light page, a dark page, or paper.
    #[arg(long, value_enum, value_name = "THEME", default_value = "light")]
    pub theme: ThemeArg,
    /// The width in pixels; a PNG has 64 million pixels at most.
    #[arg(long, value_name = "PIXELS", default_value_t = picture::WIDTH, value_parser = whole(64..=8192_u32))]
    pub size: u32,
    /// Common ones.
    #[command(flatten)]
    pub common: Common,
}

/// What a picture is for.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ThemeArg {
    /// A light page.
    Light,
    /// A dark page.
    Dark,
    /// Paper: black on white, hardly a filled surface.
    Print,
}

/// What kind of file is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    Svg,
    Png,
    Page,
}

/// Draws a picture and writes it.
///
/// # Errors
///
/// If the arguments make no sense together, something that is read is wrong, or the picture cannot be written.
pub fn render(args: &RenderArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let form = form(args)?;
    check_folder(&args.output)?;
    let (engine, frames) = game(args, terminal)?;
    let look = Look {
        theme: match args.theme {
            ThemeArg::Light => Theme::Light,
            ThemeArg::Dark => Theme::Dark,
            ThemeArg::Print => Theme::Print,
        },
        width: args.size,
    };
    if form == Form::Page {
        let page = picture::page(&engine, &frames, look)?;
        return write(args, terminal, &engine, page.as_bytes(), None);
    }
    let drawn = if args.animate {
        picture::animation(&engine, &frames, look)?
    } else {
        still(args, &engine, &frames, look)?
    };
    let bytes = if form == Form::Png {
        pixels(&drawn)?
    } else {
        drawn.text.clone().into_bytes()
    };
    write(args, terminal, &engine, &bytes, Some(&drawn))
}

/// The kind of file that the arguments ask for.
fn form(args: &RenderArgs) -> Result<Form, Failure> {
    let usage = |message: String| Err(Failure::Usage(message));
    let output = args.output.as_str();
    let form = match ending(output).as_deref() {
        None if output == "-" && args.page => Form::Page,
        None if output == "-" => Form::Svg,
        Some("svg") => Form::Svg,
        Some("png") => Form::Png,
        Some("html" | "htm") => Form::Page,
        Some(_) | None => {
            return usage(format!(
                "`{}` does not say what to write: take a name that ends in .svg, .png or .html",
                output.escape_debug()
            ));
        }
    };
    if args.common.json && output == "-" {
        return usage(
            "--json tells of a file: write one with `-o`, not the standard output".to_owned(),
        );
    }
    if args.page && form != Form::Page {
        return usage("--page makes HTML: take a name that ends in .html".to_owned());
    }
    if args.animate && form != Form::Svg {
        return usage("--animate makes SVG: take a name that ends in .svg".to_owned());
    }
    if form == Form::Page && (args.legal || args.ply.is_some()) {
        let which = if args.legal { "--legal" } else { "--ply" };
        return usage(format!(
            "a page shows a whole game: {which} goes with a name that ends in .svg or .png"
        ));
    }
    if form == Form::Png && !cfg!(feature = "png") {
        return usage(
            "this program was built without PNG: take a name that ends in .svg".to_owned(),
        );
    }
    Ok(form)
}

/// What a file's name ends in, in small letters.
fn ending(name: &str) -> Option<String> {
    let ending = Path::new(name).extension()?;
    Some(ending.to_string_lossy().to_lowercase())
}

/// A picture that takes long to draw should not find out at its end that it has no place.
fn check_folder(output: &str) -> Result<(), Failure> {
    let missing = Path::new(output)
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir());
    match missing {
        Some(folder) if output != "-" => Err(Failure::NotWritten {
            file: output.to_owned(),
            reason: format!("there is no folder {}", folder.display()),
        }),
        Some(_) | None => Ok(()),
    }
}

/// The game, and all positions from the first to the one that is asked for.
fn game(args: &RenderArgs, terminal: &mut Terminal) -> Result<(Engine, Vec<Frame>), Failure> {
    let mut frames = Vec::new();
    let mut add = |played: Option<&str>, position: &Position| {
        frames.push(Frame {
            position: position.clone(),
            played: played.map(str::to_owned),
        });
    };
    let Some(record) = &args.record else {
        let engine = load::engine(&args.file, &args.common, terminal)?;
        let start = load::position(&engine, args.at.position.as_deref())?;
        add(None, &start);
        let list = args.at.play.as_deref().unwrap_or("");
        moves::play(&engine, start, list, &mut |word, position| {
            add(Some(word), position);
        })?;
        return Ok((engine, frames));
    };
    let recorded = replay::read(&args.file, record, &args.common, terminal)?;
    let replayed = play(&recorded.engine, &recorded.record);
    if let Some(error) = replayed.failure {
        return Err(recorded.explain(error));
    }
    let actions = recorded.record.actions.iter().map(|a| a.text.as_str());
    let count = actions.len();
    let wanted = args.ply.unwrap_or(count);
    if wanted > count {
        return Err(Failure::Usage(format!(
            "--ply {wanted} is beyond the end: the record has {}",
            phrase::number(count, "action")
        )));
    }
    let engine = recorded.engine;
    let start = recorded
        .record
        .tag("Position")
        .map(|tag| tag.value.as_str());
    let start = load::position(&engine, start)?;
    add(None, &start);
    let list = actions.take(wanted).collect::<Vec<_>>().join(" ");
    moves::play(&engine, start, &list, &mut |word, position| {
        add(Some(word), position);
    })?;
    Ok((engine, frames))
}

/// The last of the positions.
fn still(
    args: &RenderArgs,
    engine: &Engine,
    frames: &[Frame],
    look: Look,
) -> Result<Drawn, Failure> {
    let (before, frame) = match frames {
        [.., before, last] => (Some(before), last),
        [only] => (None, only),
        [] => return Err(Failure::Usage("there is no position".to_owned())),
    };
    let last = match (args.last, before, &frame.played) {
        (false, _, _) => None,
        (true, Some(before), Some(played)) => Some(Last {
            text: played.clone(),
            before: before.position.clone(),
        }),
        (true, _, _) => {
            return Err(Failure::Usage(
                "there is no last action: give some with --play, or a record with --record"
                    .to_owned(),
            ));
        }
    };
    let overlay = Overlay {
        legal: args.legal,
        last,
    };
    Ok(picture::svg(engine, &frame.position, &overlay, look)?)
}

#[cfg(feature = "png")]
fn pixels(drawn: &Drawn) -> Result<Vec<u8>, Failure> {
    let pixels = u64::from(drawn.width) * u64::from(drawn.height);
    if pixels > MOST_PIXELS {
        // As wide as this shape may be, in hundreds, so that a rounded height fits as well.
        let width = u64::from(drawn.width).pow(2) * MOST_PIXELS / pixels;
        let width = width.isqrt() / 100 * 100;
        return Err(Failure::Usage(format!(
            "the picture would have {} x {} pixels, more than a PNG may have here: --size {width} is a width that fits",
            drawn.width, drawn.height
        )));
    }
    picture::png(&drawn.text).map_err(Failure::Unwritable)
}

#[cfg(not(feature = "png"))]
fn pixels(_: &Drawn) -> Result<Vec<u8>, Failure> {
    Err(Failure::Unwritable(
        "this program was built without PNG".to_owned(),
    ))
}

/// Writes the file, or the result, and tells of it.
fn write(
    args: &RenderArgs,
    terminal: &mut Terminal,
    engine: &Engine,
    bytes: &[u8],
    drawn: Option<&Drawn>,
) -> Result<u8, Failure> {
    if args.output == "-" {
        terminal.print(&String::from_utf8_lossy(bytes))?;
        return Ok(0);
    }
    store::write_whole(Path::new(&args.output), bytes)?;
    let size = drawn.map(|d| (d.width, d.height));
    if args.common.json {
        let told = json!({
            "schema": json::SCHEMA,
            "game": engine.program().about.title,
            "file": args.output,
            "width": size.map_or(Value::Null, |s| json!(s.0)),
            "height": size.map_or(Value::Null, |s| json!(s.1)),
        });
        terminal.line(&told.to_string())?;
        return Ok(0);
    }
    let size = size.map_or(String::new(), |(w, h)| format!(": {w} x {h} pixels"));
    terminal.line(&format!("wrote {}{size}", args.output))?;
    Ok(0)
}
