//! Pictures: every game is drawn well-formed, with every cell once and no text too small to be read; the shapes of boards are
//! held by snapshots; the pictures of `docs/pictures/` are up to date. `GAMBOL_WRITE=1` writes them.

use crate::common::{documented, engine, game_named, games, root, settings};
use gambol::base::Source;
use gambol::engine::{Engine, Position};
use gambol::tools::picture::{Frame, Last, Look, Overlay, Theme, animation, page, svg};
use gambol::tools::playout::playout;
use roxmltree::{Document, Node};
use std::collections::BTreeSet;
use std::fs;

/// The least height of letters, in pixels, on a picture that is 400 pixels wide.
const LEAST: f64 = 9.0;

const TWO: &str = "White, Black";

const THEMES: [Theme; 3] = [Theme::Light, Theme::Dark, Theme::Print];

fn compiled(source: &Source, options: &str) -> Engine {
    let compiled = gambol::compile(source, &settings(options));
    let program = compiled.program;
    Engine::new(program.unwrap_or_else(|| panic!("{:#?}", compiled.diagnostics))).unwrap()
}

fn small(board: &str, players: &str, pieces: &str) -> Engine {
    let text = format!(
        "game \"Small & <simple>\"\nplayers {players}\n{board}\npiece {pieces}\n\
         rule Drop \"{{spot}}\" {{\n  choose spot in empty\n  place stone at spot\n}}\nturn Drop\n\
         end at start of turn {{\n  draw \"full\" when stuck\n}}\n"
    );
    compiled(&Source::new("small.game", text), "")
}

/// Position and action after some random actions.
fn later(engine: &Engine, plies: usize) -> (Position, Option<Last>) {
    let last = playout(engine, engine.initial(), 7, plies).unwrap();
    let before = playout(engine, engine.initial(), 7, last.plies.saturating_sub(1)).unwrap();
    let played = last.actions.last().map(|text| Last {
        text: text.clone(),
        before: before.last,
    });
    (last.last, played)
}

fn size(node: Node<'_, '_>) -> f64 {
    let said = node.ancestors().find_map(|n| n.attribute("font-size"));
    said.expect("a text has a size").parse().unwrap()
}

/// Fails when a picture is not what every picture is.
fn hold(engine: &Engine, text: &str, name: &str) {
    let document = Document::parse(text).unwrap_or_else(|e| panic!("{name}: {e}\n{text}"));
    let root = document.root_element();
    assert_eq!(root.attribute("role"), Some("img"), "{name}");
    let board = &engine.program().board;
    let mut cells: Vec<&str> = document
        .descendants()
        .filter_map(|n| n.attribute("data-cell"))
        .collect();
    assert_eq!(cells.len(), board.len(), "{name}");
    cells.sort_unstable();
    cells.dedup();
    assert_eq!(cells.len(), board.len(), "{name}");
    for node in document
        .descendants()
        .filter(|n| n.has_attribute("data-cell"))
    {
        let cell = node.attribute("data-cell").unwrap();
        let title = node.children().find(|n| n.has_tag_name("title")).unwrap();
        let told = title.text().unwrap();
        assert!(told.starts_with(&format!("{cell}: ")), "{name}: {told}");
    }
    let ids: Vec<&str> = document
        .descendants()
        .filter_map(|n| n.attribute("id"))
        .collect();
    let once: BTreeSet<&str> = ids.iter().copied().collect();
    assert_eq!(ids.len(), once.len(), "{name}: some id is there twice");
    let links = document.descendants().filter_map(|n| n.attribute("href"));
    for link in links {
        assert!(
            once.contains(link.trim_start_matches('#')),
            "{name}: {link}"
        );
    }
    let width: f64 = root
        .attribute("viewBox")
        .and_then(|b| b.split(' ').nth(2))
        .unwrap()
        .parse()
        .unwrap();
    for text in document.descendants().filter(|n| n.has_tag_name("text")) {
        let pixels = size(text) * 400.0 / width;
        assert!(
            pixels >= LEAST,
            "{name}: {:?} is {pixels} high",
            text.text()
        );
    }
}

#[test]
fn every_game_is_drawn() {
    let shipped = games();
    let shipped = shipped
        .iter()
        .map(|path| (path.display().to_string(), engine(path, "")));
    let others = documented();
    let others = others
        .iter()
        .map(|source| (source.name().to_owned(), compiled(source, "")));
    for (name, engine) in shipped.chain(others) {
        let start = engine.initial();
        let plain = svg(&engine, &start, &Overlay::default(), Look::default()).unwrap();
        hold(&engine, &plain.text, &name);
        let (position, last) = later(&engine, 14);
        for theme in THEMES {
            let look = Look { theme, width: 400 };
            let overlay = Overlay {
                legal: true,
                last: last.clone(),
            };
            let drawn = svg(&engine, &position, &overlay, look).unwrap();
            hold(&engine, &drawn.text, &name);
            assert_eq!(drawn, svg(&engine, &position, &overlay, look).unwrap());
        }
    }
}

#[test]
fn regions_are_those_that_are_played_by() {
    let told = |name: &str| {
        let engine = engine(&game_named(name), "");
        let program = engine.program();
        let regions = program.regions.iter().map(|region| {
            let player = region
                .player
                .map_or("", |p| program.players[usize::from(p.0)].name.as_str());
            format!("{} {player} {}", region.name, region.cells.len())
        });
        regions.collect::<Vec<_>>().join(", ")
    };
    // Goals that are made of entries and exits are not told again, nor where only the setup places.
    assert_eq!(
        told("network"),
        "entry White 6, entry Black 6, exit White 6, exit Black 6"
    );
    assert_eq!(told("intermedium"), "city White 1, city Black 1");
    assert_eq!(told("epaminondas"), "back White 14, back Black 14");
    assert_eq!(told("go"), "");
}

#[test]
fn large_boards_can_be_read() {
    let emergo = game_named("emergo");
    for (name, options) in [
        ("go", "size=19"),
        ("epaminondas", "columns=26 rows=26"),
        ("hex", "size=19"),
        ("guerilla", "width=20 side=10"),
    ] {
        let engine = engine(&game_named(name), options);
        let drawn = svg(
            &engine,
            &engine.initial(),
            &Overlay::default(),
            Look::default(),
        );
        hold(&engine, &drawn.unwrap().text, name);
    }
    let engine = engine(&emergo, "");
    let tall = engine.parse("2(m9M11)2/4/5/4/5/4/5/4/5 w M2m2").unwrap();
    let drawn = svg(&engine, &tall, &Overlay::default(), Look::default()).unwrap();
    hold(&engine, &drawn.text, "a stack of 20");
    assert!(drawn.text.contains(">20</text>"));
    assert!(
        drawn
            .text
            .contains("9 Black man, 11 White man, from the bottom")
    );
}

#[test]
fn shapes_of_boards() {
    let chess = engine(&game_named("chess"), "");
    let free = "board graph {\n  line north east south west north\n  line centre north\n  line centre south\n  \
                line centre east\n  line centre west\n}";
    let shapes = [
        ("squares with pieces of many kinds", chess),
        (
            "squares with edges and without corners",
            engine(&game_named("network"), ""),
        ),
        (
            "squares with stacks",
            engine(&game_named("intermedium"), ""),
        ),
        ("dark squares only", engine(&game_named("emergo"), "")),
        (
            "squares with holes",
            small("board square(4, 4) without middle", TWO, "stone"),
        ),
        (
            "squares with joined edges",
            small("board square(4, 3) wrapping columns", TWO, "stone"),
        ),
        (
            "a row of many squares",
            small("board square(60, 1)", TWO, "stone, rock \"#\" neutral"),
        ),
        ("hexagons", small("board hexagons(3, 3)", TWO, "stone")),
        ("a rhombus", engine(&game_named("hex"), "size=4")),
        (
            "triangles",
            engine(&game_named("guerilla"), "width=4 side=3"),
        ),
        (
            "points with coordinates",
            engine(&game_named("nine-mens-morris"), ""),
        ),
        ("points with names", small(free, TWO, "stone")),
        (
            "three players",
            small("board square(3, 3)", "Red, Green, Third", "stone"),
        ),
    ];
    let mut config = insta::Settings::clone_current();
    config.set_snapshot_path("../snapshots/pictures");
    config.set_prepend_module_to_snapshot(false);
    config.set_omit_expression(true);
    config.bind(|| {
        for (name, engine) in shapes {
            let (position, last) = later(&engine, 9);
            let overlay = Overlay { legal: true, last };
            let drawn = svg(&engine, &position, &overlay, Look::default()).unwrap();
            hold(&engine, &drawn.text, name);
            insta::assert_snapshot!(name.replace(' ', "_"), drawn.text);
        }
    });
}

fn frames(engine: &Engine, plies: usize) -> Vec<Frame> {
    let game = playout(engine, engine.initial(), 1, plies).unwrap();
    let mut position = engine.initial();
    let mut frames = vec![Frame {
        position: position.clone(),
        played: None,
    }];
    for action in game.actions {
        position = engine.play_text(&position, &action).unwrap();
        frames.push(Frame {
            position: position.clone(),
            played: Some(action),
        });
    }
    frames
}

#[test]
fn games_move() {
    for (name, options, plies) in [("emergo", "", 200), ("go", "", 200), ("tic-tac-toe", "", 9)] {
        let engine = engine(&game_named(name), options);
        let frames = frames(&engine, plies);
        let drawn = animation(&engine, &frames, Look::default()).unwrap();
        hold(&engine, &drawn.text, name);
        assert!(
            drawn.text.len() < 600_000,
            "{name}: {} bytes",
            drawn.text.len()
        );
        let document = Document::parse(&drawn.text).unwrap();
        let mut durations = BTreeSet::new();
        for node in document.descendants().filter(|n| n.has_tag_name("animate")) {
            durations.insert(node.attribute("dur").unwrap());
            let times = node.attribute("keyTimes").unwrap().split(';');
            let times: Vec<f64> = times.map(|t| t.parse().unwrap()).collect();
            assert!(
                times[0] == 0.0
                    && times.windows(2).all(|w| w[0] < w[1])
                    && times.iter().all(|t| *t < 1.0)
            );
            let values = node.attribute("values").unwrap().split(';').count();
            assert_eq!(values, times.len());
        }
        assert_eq!(durations.len(), 1, "{name}");
    }
}

#[test]
fn pages_hold_everything() {
    let engine = small("board square(3, 3)", TWO, "stone");
    let page = page(&engine, &frames(&engine, 9), Look::default()).unwrap();
    assert!(page.contains("<title>Small &amp; &lt;simple&gt;</title>"));
    assert_eq!(page.matches("data-step=").count(), 10);
    let elsewhere = page.replace("http://www.w3.org/2000/svg", "");
    assert!(!elsewhere.contains("http") && !elsewhere.contains("src="));
    let script = page.split("<script>").nth(1).unwrap();
    let data = script.split("const game = ").nth(1).unwrap();
    let data = data.split(";\nconst at").next().unwrap();
    let data: serde_json::Value = serde_json::from_str(data).unwrap();
    assert_eq!(data["steps"].as_array().unwrap().len(), 10);
    let board = page.split("<figure>\n").nth(1).unwrap();
    let board = board.split("</figure>").next().unwrap();
    hold(&engine, board, "the board of a page");
}

#[cfg(feature = "png")]
#[test]
fn pixels_are_as_many_as_said() {
    let engine = engine(&game_named("nine-mens-morris"), "");
    let look = Look {
        theme: Theme::Light,
        width: 300,
    };
    let drawn = svg(&engine, &engine.initial(), &Overlay::default(), look).unwrap();
    let bytes = gambol::tools::picture::png(&drawn.text).unwrap();
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes))
        .read_info()
        .unwrap();
    assert_eq!(
        (reader.info().width, reader.info().height),
        (300, drawn.height)
    );
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    // The line below the board holds letters, which need a font.
    let row = |y: usize| &pixels[y * 1200..(y + 1) * 1200];
    let text =
        (drawn.height as usize - 60..drawn.height as usize).flat_map(|y| row(y)[200..].chunks(4));
    assert!(text.filter(|p| p[0] < 160).count() > 50);
}

/// The games whose pictures are shown, with what is played.
fn shown() -> Vec<(String, String)> {
    let text = fs::read_to_string(root().join("docs/pictures/positions.txt")).unwrap();
    let lines = text.lines().filter(|l| !l.starts_with('#'));
    lines
        .map(|l| l.split_once(": ").expect("a game and what is played"))
        .map(|(game, plays)| (game.to_owned(), plays.to_owned()))
        .collect()
}

#[test]
fn the_pictures_are_up_to_date() {
    let mut stale = Vec::new();
    for (game, plays) in shown() {
        let engine = engine(&game_named(&game), "");
        let (mut position, mut last) = (engine.initial(), None);
        for text in plays.split_whitespace() {
            let before = position.clone();
            position = engine
                .play_text(&position, text)
                .unwrap_or_else(|e| panic!("{game}: {text}: {e}"));
            last = Some(Last {
                text: text.to_owned(),
                before,
            });
        }
        let overlay = Overlay { legal: false, last };
        let drawn = svg(&engine, &position, &overlay, Look::default())
            .unwrap()
            .text;
        assert!(drawn.len() < 60_000, "{game}: {} bytes", drawn.len());
        let file = root().join(format!("docs/pictures/{game}.svg"));
        if std::env::var("GAMBOL_WRITE").is_ok_and(|v| v == "1") {
            fs::write(&file, &drawn).unwrap();
        }
        if fs::read_to_string(&file).unwrap_or_default() != drawn {
            stale.push(game);
        }
    }
    assert!(
        stale.is_empty(),
        "the pictures of {stale:?} are out of date: run this test with GAMBOL_WRITE=1 and look at them"
    );
}
