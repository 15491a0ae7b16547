//! `gambol simulate` and `gambol merge` as their users meet them: parts, interruptions, full disks, and every command of
//! `docs/simulate.md`.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A folder from which the games are found as from the root.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    copy(&root().join("games"), &folder.path().join("games"));
    folder
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a folder") {
        let path = entry.expect("an entry").path();
        let there = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy(&path, &there);
        } else {
            std::fs::copy(&path, &there).expect("a file");
        }
    }
}

fn command(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gambol"));
    command
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .args(args)
        .stdin(Stdio::null());
    command
}

fn gambol(folder: &Path, args: &[&str]) -> Output {
    command(folder, args).output().expect("the program runs")
}

fn fine(folder: &Path, args: &[&str]) -> String {
    let output = gambol(folder, args);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{args:?}: {told}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// A sweep that is soon played.
const RUN: [&str; 8] = [
    "simulate",
    "games/classics/breakthrough.game",
    "--games",
    "60",
    "--sweep",
    "rows=4..5",
    "--set",
    "columns=4",
];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let mut args = RUN.to_vec();
    args.extend(more);
    args
}

#[test]
fn parts_are_the_whole_in_every_form() {
    let folder = folder();
    let path = folder.path();
    for part in ["3/3", "1/3", "2/3"] {
        let file = format!("{}.part", &part[..1]);
        let told = fine(path, &with(&["--shard", part, "--out", &file]));
        assert_eq!(told, "", "a part tells nothing");
    }
    let parts = ["2.part", "3.part", "1.part"];
    for form in [&[][..], &["--json"], &["--csv"], &["--details"]] {
        let mut merge = vec!["merge"];
        merge.extend(parts);
        merge.extend(form);
        let whole = fine(path, &with(form));
        assert_eq!(fine(path, &merge), whole, "{form:?}");
        let threads = [form, &["--threads", "3"]].concat();
        assert_eq!(fine(path, &with(&threads)), whole, "{form:?}");
    }
    fine(path, &with(&["--html", "whole.html"]));
    let merge = [&["merge", "--html", "merged.html"][..], &parts].concat();
    fine(path, &merge);
    let read = |name: &str| std::fs::read_to_string(path.join(name)).expect("a page");
    assert_eq!(read("whole.html"), read("merged.html"));
}

#[test]
fn a_run_goes_on_from_its_file() {
    let folder = folder();
    let path = folder.path();
    let whole = fine(path, &with(&["--json"]));
    let out = path.join("run");
    assert_eq!(fine(path, &with(&["--json", "--out", "run"])), whole);
    let bytes = std::fs::read(&out).expect("a file");
    for cut in [0, 40, bytes.len() / 2, bytes.len() - 1, bytes.len()] {
        std::fs::write(&out, &bytes[..cut]).expect("a file");
        assert_eq!(
            fine(path, &with(&["--json", "--out", "run"])),
            whole,
            "{cut}"
        );
        assert_eq!(std::fs::read(&out).expect("a file"), bytes, "{cut}");
    }
    let other = gambol(path, &with(&["--seed", "2", "--out", "run"]));
    let told = String::from_utf8_lossy(&other.stderr).into_owned();
    assert_eq!(other.status.code(), Some(1));
    assert!(
        told.contains("the seed is `1` there and `2` here"),
        "{told}"
    );
    assert_eq!(std::fs::read(&out).expect("a file"), bytes);
}

/// A run that takes its time.
const LONG: [&str; 6] = [
    "simulate",
    "games/classics/go.game",
    "--games",
    "100000",
    "--out",
    "long",
];

#[cfg(unix)]
#[test]
fn a_run_that_is_broken_off_keeps_what_it_has() {
    let folder = folder();
    let path = folder.path();
    let lines =
        || std::fs::read_to_string(path.join("long")).map_or(0, |text| text.lines().count());
    let started = |least: usize| {
        let child = command(path, &LONG)
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let begun = Instant::now();
        while lines() < least {
            assert!(
                begun.elapsed() < Duration::from_secs(120),
                "nothing is written"
            );
            std::thread::sleep(Duration::from_millis(20));
        }
        child
    };
    let mut killed = started(2);
    let locked = gambol(path, &LONG);
    assert_eq!(locked.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&locked.stderr).contains("another run is writing it"));
    killed.kill().expect("it can be killed");
    killed.wait().expect("it ends");

    let before = lines();
    let stopped = started(before + 1);
    let signal = Command::new("kill")
        .args(["-INT", &stopped.id().to_string()])
        .status();
    assert!(signal.expect("a signal").success());
    let output = stopped.wait_with_output().expect("it ends");
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(130), "{told}");
    assert!(told.contains("games are there already"), "{told}");
    assert!(
        told.contains("the same command goes on from there"),
        "{told}"
    );

    let merged = gambol(path, &["merge", "long"]);
    assert_eq!(merged.status.code(), Some(1));
    let told = String::from_utf8_lossy(&merged.stderr).into_owned();
    assert!(told.contains("long is not finished"), "{told}");
}

#[cfg(unix)]
#[test]
fn a_full_disk_leaves_whole_lines() {
    let folder = folder();
    let path = folder.path();
    let whole = fine(path, &with(&["--json"]));
    let all = with(&["--json", "--out", "run"]).join(" ");
    // A file that may not grow any more is as good as a full disk.
    let script = format!(
        "trap '' XFSZ; ulimit -f 8; {} {all}",
        env!("CARGO_BIN_EXE_gambol")
    );
    let output = Command::new("sh")
        .current_dir(path)
        .args(["-c", &script])
        .output()
        .expect("a shell");
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(3), "{told}");
    assert!(told.contains("cannot write run"), "{told}");
    assert!(told.contains("games; the same command goes on"), "{told}");
    let kept = std::fs::read_to_string(path.join("run")).expect("a file");
    assert!(kept.ends_with("}\n") && kept.lines().count() > 2);
    assert_eq!(fine(path, &with(&["--json", "--out", "run"])), whole);
}

/// The commands of a page, each with what it prints where that is shown.
fn commands(page: &str) -> Vec<(String, Option<String>)> {
    let mut found: Vec<(String, Option<String>)> = Vec::new();
    let mut block: Option<&str> = None;
    for line in page.lines() {
        match (line.strip_prefix("```"), block) {
            (Some(mark), None) => block = Some(mark),
            (Some(_), Some(_)) => block = None,
            (None, Some("console")) => match line.strip_prefix("$ ") {
                Some(command) => found.push((command.to_owned(), Some(String::new()))),
                None => {
                    if let Some((_, Some(text))) = found.last_mut() {
                        text.push_str(line);
                        text.push('\n');
                    }
                }
            },
            (None, Some("sh")) => found.push((line.to_owned(), None)),
            (None, _) => {}
        }
    }
    found
}

#[test]
fn the_commands_of_the_page_do_what_it_says() {
    let folder = folder();
    let file = root().join("docs/simulate.md");
    let page = std::fs::read_to_string(&file).expect("docs/simulate.md");
    let commands = commands(&page);
    assert!(commands.len() > 8);
    let mut new = page.clone();
    for (line, shown) in &commands {
        let script = line.replacen("gambol", env!("CARGO_BIN_EXE_gambol"), 1);
        let output = Command::new("sh")
            .current_dir(folder.path())
            .env("NO_COLOR", "1")
            .args(["-c", &format!("{script} 2>&1")])
            .output()
            .expect("a shell");
        let told = String::from_utf8(output.stdout).expect("UTF-8");
        assert_eq!(output.status.code(), Some(0), "{line}: {told}");
        if let Some(shown) = shown {
            new = new.replacen(
                &format!("$ {line}\n{shown}"),
                &format!("$ {line}\n{told}"),
                1,
            );
        }
    }
    if std::env::var_os("INSTA_UPDATE").is_some_and(|how| how == "always") {
        std::fs::write(&file, new).expect("docs/simulate.md");
    } else {
        assert_eq!(page, new);
    }
}
