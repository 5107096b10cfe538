//! A pseudo-terminal with the program in it: keys in, screen out.

use std::io::{Read, Write};
use std::sync::{Arc, Mutex};
use std::thread::{JoinHandle, sleep};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

/// How long anything may take: the machine may have much else to do.
const PATIENCE: Duration = Duration::from_secs(120);

/// The keys that are no letters.
pub(crate) const UP: &str = "\x1b[A";
pub(crate) const DOWN: &str = "\x1b[B";
pub(crate) const RIGHT: &str = "\x1b[C";
pub(crate) const LEFT: &str = "\x1b[D";
pub(crate) const ENTER: &str = "\r";
/// The keys that page through a text.
pub(crate) const PAGE_UP: &str = "\x1b[5~";
pub(crate) const PAGE_DOWN: &str = "\x1b[6~";
pub(crate) const ESCAPE: &str = "\x1b";

/// What the card at the start ends with.
const CARD: &str = "Enter begins";

/// The start of a frame that is not complete yet, otherwise the end of the bytes. A terminal that supports synchronised updates shows the bytes
/// before it.
fn end_of_frames(bytes: &[u8]) -> usize {
    let last = |mark: &[u8]| bytes.windows(mark.len()).rposition(|window| window == mark);
    let begun = last(b"\x1b[?2026h");
    begun.filter(|begun| last(b"\x1b[?2026l").is_none_or(|ended| ended < *begun)).unwrap_or(bytes.len())
}

/// A terminal in which the program runs.
pub(crate) struct Terminal {
    parser: Arc<Mutex<vt100::Parser>>,
    bytes: Arc<Mutex<Vec<u8>>>,
    master: Box<dyn MasterPty + Send>,
    writer: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    reader: Option<JoinHandle<()>>,
    /// How the terminal treated keys before the program began.
    usual: String,
}

impl Terminal {
    /// Starts the program in a terminal of so many columns and rows.
    pub(crate) fn start((columns, rows): (u16, u16), arguments: &[&str]) -> Self {
        Self::start_with((columns, rows), arguments, &[])
    }

    /// The same with a game that begins: its card has been read.
    #[track_caller]
    pub(crate) fn play(size: (u16, u16), arguments: &[&str]) -> Self {
        Self::start(size, arguments).ready()
    }

    /// Waits for the card at the start, and takes it away.
    #[track_caller]
    pub(crate) fn ready(mut self) -> Self {
        self.shows(&[CARD]);
        self.press(ENTER);
        self.until("the card to go", |screen| !screen.contains(CARD));
        self
    }

    /// The same with variables of the environment.
    pub(crate) fn start_with((columns, rows): (u16, u16), arguments: &[&str], variables: &[(&str, &str)]) -> Self {
        let size = PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_farm"));
        command.args(arguments);
        command.cwd(std::env::current_dir().unwrap());
        command.env("TERM", "xterm-256color");
        for name in ["NO_COLOR", "COLORTERM", "FARM_GYM_PLUGINS"] {
            command.env_remove(name);
        }
        for (name, value) in variables {
            command.env(name, value);
        }
        let usual = local_flags(pair.master.as_ref());
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let parser = Arc::new(Mutex::new(vt100::Parser::new(rows, columns, 0)));
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let mut output = pair.master.try_clone_reader().unwrap();
        let writer = pair.master.take_writer().unwrap();
        let (screen, kept) = (parser.clone(), bytes.clone());
        let reader = std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            let mut shown = 0;
            // The end of the program is an error on some systems.
            while let Ok(n @ 1..) = output.read(&mut buffer) {
                let mut kept = kept.lock().unwrap();
                kept.extend_from_slice(&buffer[..n]);
                let whole = end_of_frames(&kept).max(shown);
                screen.lock().unwrap().process(&kept[shown..whole]);
                shown = whole;
            }
            screen.lock().unwrap().process(&kept.lock().unwrap()[shown..]);
        });
        Self { parser, bytes, master: pair.master, writer, child, reader: Some(reader), usual }
    }

    /// Presses keys.
    pub(crate) fn press(&mut self, keys: &str) {
        self.writer.write_all(keys.as_bytes()).unwrap();
        self.writer.flush().unwrap();
    }

    /// What the screen shows, line by line.
    pub(crate) fn screen(&self) -> String {
        self.parser.lock().unwrap().screen().contents()
    }

    /// Everything that the program has written.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.bytes.lock().unwrap().clone()
    }

    /// The background of a cell, by column and row.
    pub(crate) fn background(&self, column: u16, row: u16) -> vt100::Color {
        self.parser.lock().unwrap().screen().cell(row, column).unwrap().bgcolor()
    }

    /// The colour of the letter in a cell, by column and row.
    pub(crate) fn foreground(&self, column: u16, row: u16) -> vt100::Color {
        self.parser.lock().unwrap().screen().cell(row, column).unwrap().fgcolor()
    }

    /// Waits until the screen is as it should be.
    #[track_caller]
    pub(crate) fn until(&self, what: &str, is_so: impl Fn(&str) -> bool) -> String {
        let start = Instant::now();
        loop {
            let screen = self.screen();
            if is_so(&screen) {
                return screen;
            }
            assert!(start.elapsed() < PATIENCE, "waited for {what} in vain:\n{screen}");
            sleep(Duration::from_millis(10));
        }
    }

    /// Waits until the screen shows all of these.
    #[track_caller]
    pub(crate) fn shows(&self, words: &[&str]) -> String {
        self.until(&format!("{words:?}"), |screen| words.iter().all(|word| screen.contains(word)))
    }

    /// Presses keys, and waits until the screen shows all of these.
    #[track_caller]
    pub(crate) fn press_and_see(&mut self, keys: &str, words: &[&str]) -> String {
        self.press(keys);
        self.shows(words)
    }

    /// Sends the program a signal, such as `TERM`.
    #[cfg(unix)]
    pub(crate) fn signal(&self, name: &str) {
        let id = self.child.process_id().unwrap().to_string();
        let status = std::process::Command::new("kill").args(["-s", name, &id]).status().unwrap();
        assert!(status.success());
    }

    /// Gives the terminal another size.
    pub(crate) fn resize(&mut self, (columns, rows): (u16, u16)) {
        self.parser.lock().unwrap().screen_mut().set_size(rows, columns);
        self.master.resize(PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 }).unwrap();
    }

    /// Waits until the program has ended; tells its exit code and what then stands on the screen. The terminal must be as it was.
    #[track_caller]
    pub(crate) fn ends(mut self) -> (u32, String) {
        let start = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(start.elapsed() < PATIENCE, "the program does not end:\n{}", self.screen());
            sleep(Duration::from_millis(10));
        };
        self.reader.take().unwrap().join().unwrap();
        let parser = self.parser.lock().unwrap();
        assert!(!parser.screen().alternate_screen(), "the other screen is left");
        assert!(!parser.screen().hide_cursor(), "the cursor is back");
        assert_eq!(local_flags(self.master.as_ref()), self.usual, "keys are treated as before");
        (status.exit_code(), parser.screen().contents())
    }
}

impl Terminal {
    /// Waits until the program has ended well; tells all that it has written, without the signs that colour it.
    #[track_caller]
    pub(crate) fn printed(self) -> String {
        let bytes = self.bytes.clone();
        let (code, screen) = self.ends();
        assert_eq!(code, 0, "{screen}");
        let text = String::from_utf8_lossy(&bytes.lock().unwrap()).into_owned();
        let mut parts = text.split('\x1b');
        let first = parts.next().unwrap_or_default().to_owned();
        // `ESC [ numbers m` sets a colour.
        parts.fold(first, |plain, part| plain + part.split_once('m').map_or(part, |(_, rest)| rest))
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Starts a program in a terminal, waits until its screen shows some words, and takes the terminal away, as when a window is closed;
/// `before` is called with the program's id just before. Gives the program.
pub(crate) fn close(command: CommandBuilder, words: &str, before: impl FnOnce(u32)) -> Box<dyn Child + Send + Sync> {
    let size = PtySize { rows: 24, cols: 80, pixel_width: 0, pixel_height: 0 };
    let pair = native_pty_system().openpty(size).unwrap();
    let child = pair.slave.spawn_command(command).unwrap();
    drop(pair.slave);
    // No other thread may hold the terminal.
    let mut output = pair.master.try_clone_reader().unwrap();
    let mut parser = vt100::Parser::new(24, 80, 0);
    let mut buffer = [0; 4096];
    while !parser.screen().contents().contains(words) {
        let n = output.read(&mut buffer).unwrap();
        assert!(n > 0, "the program has ended:\n{}", parser.screen().contents());
        parser.process(&buffer[..n]);
    }
    before(child.process_id().unwrap());
    child
}

/// How a terminal treats keys: whether it echoes them, line by line or one by one.
fn local_flags(master: &dyn MasterPty) -> String {
    master.get_termios().map(|termios| format!("{:?} {:?}", termios.local_flags, termios.input_flags)).unwrap()
}
