//! Takes over the terminal for the game, and always restores it.

use std::io::{self, IsTerminal, Stdout, stdout};
use std::mem::ManuallyDrop;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Mutex;

use anyhow::{Context, anyhow, bail};
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::{Hide, Show};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    BeginSynchronizedUpdate, EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode,
    enable_raw_mode,
};
use ratatui::{Frame, Terminal};

/// The screen during the game. Dropping it restores the terminal.
pub(super) struct Screen {
    /// The terminal to draw on. It is never dropped, because its destructor would report a failure to show the cursor on standard error,
    /// and would panic if that is the same closed terminal.
    pub terminal: ManuallyDrop<Terminal<CrosstermBackend<Stdout>>>,
}

impl Screen {
    fn open() -> io::Result<Self> {
        enable_raw_mode()?;
        // From here on, the terminal is restored even after a failure.
        let restored = Restored;
        execute!(stdout(), EnterAlternateScreen, Hide)?;
        let terminal = Terminal::new(CrosstermBackend::new(stdout()))?;
        std::mem::forget(restored);
        Ok(Self { terminal: ManuallyDrop::new(terminal) })
    }

    /// Draws a frame. Terminals that support synchronised updates show it once it is complete.
    pub(super) fn draw(&mut self, draw: impl FnOnce(&mut Frame<'_>)) -> io::Result<()> {
        execute!(stdout(), BeginSynchronizedUpdate)?;
        self.terminal.draw(draw)?;
        execute!(stdout(), EndSynchronizedUpdate)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        restore();
    }
}

struct Restored;

impl Drop for Restored {
    fn drop(&mut self) {
        restore();
    }
}

/// Restores the terminal. If that fails, there is no output left to report it.
fn restore() {
    let _ = execute!(stdout(), EndSynchronizedUpdate, Show, LeaveAlternateScreen);
    let _ = disable_raw_mode();
}

/// The message from the last panic. Writing it immediately would spoil the screen.
static PANICKED: Mutex<Option<String>> = Mutex::new(None);

/// Rejects play without a terminal before doing anything else.
///
/// # Errors
/// Fails if standard input or standard output is not a terminal.
pub(super) fn check(instead: &str) -> anyhow::Result<()> {
    for (is_terminal, name) in
        [(io::stdin().is_terminal(), "standard input"), (stdout().is_terminal(), "standard output")]
    {
        if !is_terminal {
            bail!("{name} is not a terminal, which this command needs for its screen and keys; without one, {instead}");
        }
    }
    Ok(())
}

/// Takes over the terminal while `body` runs, and then restores it, even after an error or a panic. A panic is returned as an error.
///
/// # Errors
/// Returns errors from `body`, errors from the terminal, and panics.
pub(super) fn with_screen<T>(body: impl FnOnce(&mut Screen) -> anyhow::Result<T>) -> anyhow::Result<T> {
    guarded(|| {
        let mut screen = Screen::open().context("the terminal can't be taken over")?;
        body(&mut screen)
    })
}

fn guarded<T>(body: impl FnOnce() -> anyhow::Result<T>) -> anyhow::Result<T> {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(|info| {
        if let Ok(mut last) = PANICKED.lock() {
            *last = Some(info.to_string());
        }
    }));
    let result = panic::catch_unwind(AssertUnwindSafe(body));
    panic::set_hook(usual);
    let message = PANICKED.lock().ok().and_then(|mut last| last.take());
    result.unwrap_or_else(|panic| match message {
        Some(message) => Err(anyhow!("the program failed; please report this: {message}")),
        // A panic without a message is an exception of a part in Python, on its way to the caller.
        None => panic::resume_unwind(panic),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Something whose drop is visible, as the screen's is.
    struct Ends<'a>(&'a mut bool);

    impl Drop for Ends<'_> {
        fn drop(&mut self) {
            *self.0 = true;
        }
    }

    #[test]
    fn a_panic_ends_the_screen_and_is_told_as_an_error() {
        let mut has_ended = false;
        let result: anyhow::Result<()> = guarded(|| {
            let _screen = Ends(&mut has_ended);
            panic!("the roof is on fire");
        });
        assert!(has_ended);
        let error = result.unwrap_err().to_string();
        assert!(error.contains("the roof is on fire") && error.contains("please report"), "{error}");
        assert_eq!(guarded(|| Ok(7)).unwrap(), 7);
    }

    #[test]
    fn what_a_part_of_another_language_raises_reaches_the_caller() {
        let raised = panic::catch_unwind(|| guarded::<()>(|| panic::resume_unwind(Box::new(42_u8))));
        assert_eq!(raised.unwrap_err().downcast_ref::<u8>(), Some(&42));
    }
}
