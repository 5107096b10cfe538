//! The message printed when memory runs out, with advice.
//!
//! The `farm` program calls [`out_of_memory`] when its allocator fails (`allocator.rs`). The message must not allocate memory, so each task
//! that may need a lot of memory stores its description in advance.

use std::cell::Cell;
use std::io::{Write, stderr};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use farm_core::inspect::escape_controls;

/// The exit code when memory runs out.
const EXIT_CODE: i32 = 3;

/// The current task, in words that can follow "out of memory", and a way to reduce its memory use.
static TASK: Mutex<Option<(String, &'static str)>> = Mutex::new(None);

/// Stores the current task, such as "while `full_farm` was compiled", and a way to reduce its memory use.
pub(crate) fn note(task: &str, remedy: &'static str) {
    let task = (escape_controls(task).into_owned(), remedy);
    if let Ok(mut noted) = TASK.lock() {
        *noted = Some(task);
    }
}

/// Stores that a game is being compiled.
pub(crate) fn note_compiling(game: &str) {
    note(
        &format!("while the game `{game}` was compiled"),
        "use fewer plots (`length#nb`, `width#nb` of a field's `shape`) or fewer entities",
    );
}

/// Stores that a game is being played.
pub(crate) fn note_playing(game: &str) {
    note(
        &format!("while the game `{game}` was played"),
        "use fewer plots, fewer episodes, or fewer threads or sessions at once",
    );
}

/// Ends the program after a failed allocation of this many bytes. Prints one sentence without allocating memory.
pub fn out_of_memory(bytes: usize) -> ! {
    static IS_ENDING: AtomicBool = AtomicBool::new(false);
    thread_local! {
        static IS_OWN: Cell<bool> = const { Cell::new(false) };
    }
    if IS_ENDING.swap(true, Ordering::SeqCst) && !IS_OWN.get() {
        // Another thread prints the message and ends the process.
        loop {
            std::thread::park();
        }
    }
    if !IS_OWN.replace(true) {
        let mut line = Line { text: [0; 600], length: 0 };
        let _ = line.tell(bytes);
        let _ = stderr().write_all(line.text.get(..line.length).unwrap_or_default());
    }
    std::process::exit(EXIT_CODE)
}

/// A line of limited length that does not allocate memory.
struct Line {
    text: [u8; 600],
    length: usize,
}

impl Line {
    fn tell(&mut self, bytes: usize) -> std::fmt::Result {
        use std::fmt::Write as _;
        write!(self, "error: out of memory: {bytes} more bytes could not be allocated")?;
        match TASK.try_lock().as_deref() {
            Ok(Some((task, remedy))) => write!(self, " {task}; {remedy}, or allow the program more memory")?,
            _ => self.write_str("; allow the program more memory")?,
        }
        self.write_str("\n")
    }
}

impl std::fmt::Write for Line {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        // The last byte is reserved for the line break.
        let room = self.text.len() - 1 - self.length;
        let text = if text == "\n" { text } else { &text[..text.floor_char_boundary(room)] };
        let end = self.length + text.len();
        self.text.get_mut(self.length..end).ok_or(std::fmt::Error)?.copy_from_slice(text.as_bytes());
        self.length = end;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sentence_names_the_task_and_the_remedy_and_ends_with_its_line() {
        note("while `a\u{1b}b` was compiled", "use fewer plots");
        let mut line = Line { text: [0; 600], length: 0 };
        line.tell(15).unwrap();
        let text = std::str::from_utf8(&line.text[..line.length]).unwrap();
        assert!(text.starts_with("error: out of memory: 15 more bytes could not be allocated while `a"), "{text}");
        assert!(
            text.ends_with("; use fewer plots, or allow the program more memory\n") && !text.contains('\u{1b}'),
            "{text}"
        );
        note(&"ä".repeat(1000), "");
        let mut line = Line { text: [0; 600], length: 0 };
        line.tell(15).unwrap();
        let text = std::str::from_utf8(&line.text[..line.length]).unwrap();
        assert!(text.ends_with("ä\n") && text.len() >= 598, "{text}");
    }
}
