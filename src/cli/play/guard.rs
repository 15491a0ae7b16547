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
