//! `gambol play` as it is met: in a terminal of its own, driven by keys and signals, and line by line in a pipe.

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use std::io::{Read as _, Write};
use std::num::NonZeroU16;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const TIC: &str = "games/classics/tic-tac-toe.game";
const EMERGO: &str = "games/emergo.game";
/// A machine with much to do is waited for.
const PATIENCE: Duration = Duration::from_secs(60);

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// So many lines or columns.
fn lines(count: u16) -> NonZeroU16 {
    NonZeroU16::new(count).expect("some")
}

/// The program in a terminal.
struct Played {
    master: Box<dyn MasterPty + Send>,
    writer: Option<Box<dyn Write + Send>>,
    child: Box<dyn Child + Send + Sync>,
    screen: Arc<Mutex<vt100::Parser>>,
}

impl Played {
    fn start(args: &[&str], rows: u16, cols: u16) -> Played {
        let size = PtySize {
            rows,
            cols,
            pixel_width: 0,
            pixel_height: 0,
        };
        let pair = native_pty_system().openpty(size).expect("a terminal");
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_gambol"));
        command.cwd(root());
        command.env("TERM", "xterm-256color");
        command.env("NO_COLOR", "1");
        command.arg("play");
        command.args(args);
        let child = pair
            .slave
            .spawn_command(command)
            .expect("the program starts");
        drop(pair.slave);
        let screen = Arc::new(Mutex::new(vt100::Parser::new(lines(rows), lines(cols), 0)));
        let mut reader = pair.master.try_clone_reader().expect("a reader");
        let seen = Arc::clone(&screen);
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = reader.read(&mut bytes) {
                seen.lock().expect("a screen").process(&bytes[..count]);
            }
        });
        let writer = pair.master.take_writer().expect("a writer");
        Played {
            master: pair.master,
            writer: Some(writer),
            child,
            screen,
        }
    }

    fn send(&mut self, keys: &str) {
        let writer = self.writer.as_mut().expect("open");
        writer.write_all(keys.as_bytes()).expect("keys are taken");
        writer.flush().expect("keys are taken");
    }

    fn text(&self) -> String {
        self.screen.lock().expect("a screen").screen().contents()
    }

    /// Waits until a text is on the screen.
    fn wait(&self, wanted: &str) -> String {
        self.wait_for(wanted, |text| text.contains(wanted))
    }

    fn wait_for(&self, what: &str, test: impl Fn(&str) -> bool) -> String {
        let begun = Instant::now();
        loop {
            let text = self.text();
            if test(&text) {
                return text;
            }
            assert!(begun.elapsed() < PATIENCE, "waited for {what}:\n{text}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    fn resize(&self, rows: u16, cols: u16) {
        self.screen
            .lock()
            .expect("a screen")
            .screen_mut()
            .set_size(lines(rows), lines(cols));
        let size = PtySize {
            rows,
            cols,
            pixel_width: 0,
            pixel_height: 0,
        };
        self.master.resize(size).expect("a size");
    }

    /// Waits until the program has ended, and gives its exit code.
    fn end(&mut self) -> u32 {
        let begun = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("a status") {
                return status.exit_code();
            }
            assert!(
                begun.elapsed() < PATIENCE,
                "it does not end:\n{}",
                self.text()
            );
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    fn signal(&self, name: &str) {
        let id = self.child.process_id().expect("an id").to_string();
        let sent = Command::new("kill").args(["-s", name, &id]).status();
        assert!(sent.expect("kill runs").success());
    }

    /// The other screen is left and the cursor is there again.
    fn is_restored(&self) -> bool {
        let parser = self.screen.lock().expect("a screen");
        !parser.screen().alternate_screen() && !parser.screen().hide_cursor()
    }
}

impl Drop for Played {
    fn drop(&mut self) {
        // A test that has failed leaves nothing running.
        let _ = self.child.kill();
    }
}

const RIGHT: &str = "\x1b[C";
const UP: &str = "\x1b[A";
const F2: &str = "\x1bOQ";
const F3: &str = "\x1bOR";
const F1: &str = "\x1bOP";

#[test]
fn keys_play_and_take_back() {
    let mut game = Played::start(&[TIC, "--players", "person"], 24, 80);
    game.wait("Cross to move");
    game.send("\r");
    game.wait("Cross plays b2");
    game.send(&format!("{RIGHT}{UP}\r"));
    let text = game.wait("Nought plays c3");
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    insta::assert_snapshot!("two_moves", lines.join("\n"));
    game.send("a1\r");
    game.wait("Cross plays a1");
    game.send(F2);
    game.wait("1 action taken back");
    game.send(F3);
    game.wait("1 action played again");
    game.send("b2\r");
    game.wait("`b2` is not legal here");
    game.send("\x1b[17~");
    game.wait("the rule that comes nearest");
    game.send("\r");
    game.send(F1);
    game.wait("takes a turn back");
    game.send("q");
    game.wait("Nought to move");
    game.send("\x03");
    assert_eq!(game.end(), 0);
    game.wait_for("the screen is given back", |_| game.is_restored());
}

#[test]
fn a_resized_window_keeps_what_was_picked() {
    let file = "games/classics/breakthrough.game";
    let mut game = Played::start(&[file, "--players", "person"], 24, 80);
    game.wait("to move");
    game.send("b2");
    game.wait("3 of 22 actions");
    game.resize(10, 20);
    game.wait_for("a small screen", |text| {
        text.contains("> b2_") && !text.contains("F1: help")
    });
    game.resize(40, 120);
    game.wait("3 of 22 actions");
    game.send("-c3\r");
    game.wait("plays b2-c3");
    game.send("quit\r");
    assert_eq!(game.end(), 0);
}

#[test]
fn the_mouse_plays() {
    let mut game = Played::start(&[TIC, "--players", "person"], 24, 80);
    let text = game.wait("[+]");
    let (row, line) = text
        .lines()
        .enumerate()
        .find(|(_, l)| l.contains("[+]"))
        .expect("a cursor");
    let column = line.find("[+]").expect("a cursor") + 1;
    game.send(&format!("\x1b[<0;{};{}M", column + 1, row + 1));
    game.wait("Cross plays b2");
    game.send("\x11");
    assert_eq!(game.end(), 0);
}

#[test]
fn the_search_plays_and_can_be_stopped() {
    let seats = "person,search:playouts=20";
    let mut game = Played::start(&[TIC, "--players", seats], 24, 80);
    game.wait("Cross to move");
    game.send("b2\r");
    game.wait("Nought plays");
    game.send("hint playouts=5\r");
    game.wait("hint: ");
    game.send("sides\r");
    game.wait("Cross plays");
    game.send("quit\r");
    assert_eq!(game.end(), 0);
}

/// A record, and the actions that must stand in it.
fn ends_with_a_whole_record(how: impl Fn(&mut Played)) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.record");
    let file = path.to_str().expect("a name");
    let mut game = Played::start(&[EMERGO, "--players", "person", "--record", file], 24, 80);
    game.wait("to move");
    game.send("\t\r");
    game.wait(" plays ");
    how(&mut game);
    game.end();
    let text = std::fs::read_to_string(&path).expect("a record");
    assert!(text.contains("[Result \"*\"]"), "{text}");
    assert_eq!(
        text.lines().last().map(|l| l.split(' ').count()),
        Some(1),
        "{text}"
    );
    let beside = std::fs::read_dir(folder.path()).expect("a folder").count();
    assert_eq!(beside, 1, "nothing else is left");
    let replayed = Command::new(env!("CARGO_BIN_EXE_gambol"))
        .current_dir(root())
        .args(["replay", EMERGO, file])
        .output()
        .expect("replay runs");
    assert!(replayed.status.success());
}

#[test]
fn signals_leave_a_whole_record_and_a_whole_screen() {
    for signal in ["TERM", "INT", "HUP"] {
        ends_with_a_whole_record(|game| {
            game.signal(signal);
            game.end();
            game.wait_for("the screen is given back", |_| game.is_restored());
        });
    }
}

#[test]
fn a_terminal_that_is_closed_leaves_a_whole_record() {
    ends_with_a_whole_record(|game| {
        game.writer = None;
        let size = PtySize::default();
        let other = native_pty_system()
            .openpty(size)
            .expect("a terminal")
            .master;
        // The other end of the terminal goes; the reader in its thread sees the end.
        drop(std::mem::replace(&mut game.master, other));
        game.signal("HUP");
    });
}

/// What lines come to: results, complaints, exit code.
fn typed(args: &[&str], input: &str) -> (String, String, i32) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_gambol"))
        .current_dir(root())
        .env("NO_COLOR", "1")
        .arg("play")
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // A program that does not read its input may be gone already.
    let _ = child
        .stdin
        .take()
        .expect("a pipe")
        .write_all(input.as_bytes());
    let output = child.wait_with_output().expect("the program ends");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (
        text(output.stdout),
        text(output.stderr),
        output.status.code().expect("a code"),
    )
}

#[test]
fn the_same_lines_and_seed_play_the_same() {
    let args = [EMERGO, "--players", "random", "--seed", "3"];
    let (one, complaints, code) = typed(&args, "record\n");
    assert_eq!((complaints.as_str(), code), ("", 0));
    assert!(
        one.contains("[Game \"Emergo\"]") && one.contains(" plays "),
        "{one}"
    );
    assert_eq!(typed(&args, "record\n").0, one);
    let seats = ["--players", "search:playouts=20", "--seed", "3"];
    let args = [&[TIC][..], &seats].concat();
    assert_eq!(typed(&args, "").0, typed(&args, "").0);
}

#[test]
fn a_record_is_kept_and_gone_on_with() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.record");
    let file = path.to_str().expect("a name");
    let (_, told, code) = typed(&[TIC, "--players", "person", "--record", file], "a1\nb1\n");
    assert_eq!((told.as_str(), code), ("", 0));
    let (_, told, code) = typed(&[TIC, "--players", "person", "--record", file], "");
    assert!(told.contains("is there already") && code == 2, "{told}");
    let (text, told, code) = typed(
        &[TIC, "--players", "person", "--resume", file],
        "a2\nb2\na3\n",
    );
    assert_eq!((told.as_str(), code), ("", 0));
    assert!(text.contains("Cross wins: three in a row"), "{text}");
    let record = std::fs::read_to_string(&path).expect("a record");
    assert!(
        record.ends_with("\na1 b1 a2 b2 a3\n") && record.contains("\"1-0\""),
        "{record}"
    );
}

#[test]
fn a_record_that_cannot_be_written_does_not_end_the_game() {
    let folder = tempfile::tempdir().expect("a folder");
    let inner = folder.path().join("inner");
    std::fs::create_dir(&inner).expect("a folder");
    let path = inner.join("a.record");
    let file = path.to_str().expect("a name");
    let mut game = Played::start(&[TIC, "--players", "person", "--record", file], 24, 80);
    game.wait("Cross to move");
    std::fs::remove_dir_all(&inner).expect("the folder goes");
    game.send("a1\r");
    game.wait("cannot be written");
    std::fs::create_dir(&inner).expect("a folder");
    game.send("b1\r");
    game.wait("is written again");
    std::fs::remove_dir_all(&inner).expect("the folder goes");
    game.send("c1\r");
    game.wait("cannot be written");
    game.send("quit\r");
    assert_eq!(game.end(), 3);
}
