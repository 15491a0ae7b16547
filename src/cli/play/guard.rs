//! The terminal as a full screen, and as it was before: whatever ends the program puts it back.

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{DisableMouseCapture, EnableMouseCapture};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use std::fs::OpenOptions;
use std::io::{self, Stdout, Write, stdout};
use std::panic;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

/// The terminal by its own name: other threads than the one that draws can write there.
const DEVICE: &str = if cfg!(windows) { "CONOUT$" } else { "/dev/tty" };

/// Whether the screen is taken.
static TAKEN: AtomicBool = AtomicBool::new(false);
/// The hook for panics is set once.
static HOOK: Once = Once::new();

/// The full screen; it is given back when this goes.
pub struct Screen {
    /// What is drawn on.
    pub terminal: Terminal<CrosstermBackend<Stdout>>,
}

impl Screen {
    /// Takes the screen.
    ///
    /// # Errors
    /// When the terminal cannot be set up.
    pub fn take() -> io::Result<Screen> {
        HOOK.call_once(|| {
            let before = panic::take_hook();
            panic::set_hook(Box::new(move |told| {
                restore();
                before(told);
            }));
        });
        enable_raw_mode()?;
        TAKEN.store(true, Ordering::SeqCst);
        let entered = execute!(stdout(), EnterAlternateScreen, EnableMouseCapture);
        let made = entered.and_then(|()| Terminal::new(CrosstermBackend::new(stdout())));
        match made {
            Ok(terminal) => Ok(Screen { terminal }),
            Err(error) => {
                restore();
                Err(error)
            }
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        if TAKEN.swap(false, Ordering::SeqCst) {
            // A terminal that is gone needs nothing put back.
            let _ = leave(&mut stdout());
            let _ = disable_raw_mode();
        }
    }
}

/// Gives the screen back, once: raw mode off, the other screen left, the cursor shown. Any thread may do it.
pub fn restore() {
    if !TAKEN.swap(false, Ordering::SeqCst) {
        return;
    }
    // The standard output may be held by the thread that draws.
    let _ = match OpenOptions::new().write(true).open(DEVICE) {
        Ok(mut device) => leave(&mut device),
        Err(_) => leave(&mut stdout()),
    };
    let _ = disable_raw_mode();
}

fn leave(device: &mut impl Write) -> io::Result<()> {
    execute!(device, DisableMouseCapture, LeaveAlternateScreen, Show)
}

#[cfg(all(test, unix))]
mod tests {
    use crate::cli::play::guard::Screen;
    use portable_pty::{CommandBuilder, PtySize, native_pty_system};
    use std::io::Read as _;

    /// What a terminal is told when the other screen is entered and left.
    const ENTERED: &str = "\x1b[?1049h";
    const LEFT: &str = "\x1b[?1049l";

    /// Set for the program that the test starts in a terminal of its own: there it breaks.
    const BREAKS: &str = "GAMBOL_TEST_BREAKS";

    #[test]
    fn a_panic_gives_the_screen_back_before_it_speaks() {
        if std::env::var_os(BREAKS).is_some() {
            let _screen = Screen::take().expect("a screen");
            panic!("all is lost");
        }
        let told = told_in_a_terminal();
        let place = |what: &str| {
            let found = told.find(what);
            found.unwrap_or_else(|| panic!("{what:?}: {told:?}"))
        };
        assert!(place(ENTERED) < place(LEFT));
        assert!(place(LEFT) < place("all is lost"), "{told:?}");
        assert!(place("\x1b[?25h") < place("all is lost"), "the cursor");
        assert_eq!(told.matches(LEFT).count(), 1, "once: {told:?}");
        // Lines begin at the left again, as they do not in raw mode.
        assert!(told[place(LEFT)..].contains("\r\n"), "{told:?}");
    }

    /// What this test writes when it breaks in a terminal.
    fn told_in_a_terminal() -> String {
        let pair = native_pty_system().openpty(PtySize::default());
        let pair = pair.expect("a terminal");
        let mut command = CommandBuilder::new(std::env::current_exe().expect("a program"));
        let this = "cli::play::guard::tests::a_panic_gives_the_screen_back_before_it_speaks";
        command.args(["--exact", this, "--nocapture"]);
        command.env("TERM", "xterm-256color");
        command.env(BREAKS, "1");
        let mut child = pair.slave.spawn_command(command).expect("a start");
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().expect("a reader");
        let (mut told, mut some) = (Vec::new(), [0; 4096]);
        // Linux says that the terminal is gone as an error.
        while let Ok(many @ 1..) = reader.read(&mut some) {
            told.extend_from_slice(&some[..many]);
        }
        assert!(!child.wait().expect("an end").success());
        String::from_utf8_lossy(&told).into_owned()
    }
}
