//! Exams: a person plays by the texts that models read, under the same conditions, and leaves a run behind as they do.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use clap::Args;
use farm_agents::{Conduct, History};

#[cfg(feature = "serve")]
use super::browser;
use super::choice::AgentChoice;
use super::playing;
use super::worlds::Worlds;
use crate::arguments::{self, GameArguments, at_least_one};
use crate::converse::Text;
use crate::interrupts::Interrupts;

/// How an exam is taken.
#[derive(Debug, Args)]
pub(crate) struct Exam {
    /// An exam: you play as language models do, by text alone, without undo, branches, hints or the name of the game, and are told the rules or
    /// not. Each reply is noted with its time in the run that `--out` names
    #[arg(long, value_enum, value_name = "RULES", requires = "out", conflicts_with_all = ["actions", "record", "omniscient", "ascii"])]
    exam: Option<arguments::Rules>,
    /// Takes the exam in the browser, and not on the terminal: prints the address of a page, which shows a picture beside each text. The address
    /// to listen on may be given; only who has the whole address that is printed is answered
    #[cfg(feature = "serve")]
    #[arg(long, value_name = "ADDRESS:PORT", num_args = 0..=1, require_equals = true, default_missing_value = browser::LISTENS, value_parser = browser::address, requires = "exam")]
    browser: Option<std::net::SocketAddr>,
    /// Takes the exam in the browser; this program was built without it
    #[cfg(not(feature = "serve"))]
    #[arg(long, value_name = "ADDRESS:PORT", num_args = 0..=1, require_equals = true, default_missing_value = "", requires = "exam")]
    browser: Option<String>,
    /// The folder of the run of an exam; one that is there is gone on with
    #[arg(long, value_name = "RUN", requires = "exam")]
    out: Option<PathBuf>,
    /// What you are called in tables of exams; need not be your name
    #[arg(long, default_value = "person", requires = "exam")]
    name: String,
    /// How observations of an exam are written
    #[arg(long, value_enum, default_value_t = Text::Full, requires = "exam")]
    text: Text,
    /// Plays the levels of a split that comes with the game, or the worlds of one on tiers of a family's ladder, in an exam
    #[arg(long, value_parser = ["train", "validation", "test"], conflicts_with = "level", requires = "exam")]
    split: Option<String>,
    /// Only the first levels of the split
    #[arg(long, value_name = "N", value_parser = at_least_one::<u32>, requires = "split")]
    levels: Option<u32>,
    /// Episodes of an exam: on each level, or, without levels, of seeds one after the other
    #[arg(long, default_value_t = 1, value_parser = at_least_one::<u32>, requires = "exam")]
    episodes: u32,
    /// How many trials an episode of an exam has, under the same rules in worlds that differ
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = super::lifetime, requires = "exam")]
    lifetime: u32,
}

impl Exam {
    /// Whether there is to be one.
    pub(crate) fn is_wanted(&self) -> bool {
        self.exam.is_some()
    }
}

/// Signals that end an exam: the first one leaves it.
pub(super) fn interrupts() -> Interrupts {
    Interrupts::note_as("leaves the exam; the same command goes on with it")
}

/// Takes the exam, and prints its score.
///
/// # Errors
/// Problems of the game; a folder that holds another run; an input that ends before the exam does.
pub(crate) fn take(game: &GameArguments, seed: u64, exam: &Exam) -> anyhow::Result<ExitCode> {
    #[cfg(not(feature = "serve"))]
    if exam.browser.is_some() {
        return Err(farm_output::OutputError::LeftOut { what: "`--browser`", feature: "serve" }.into());
    }
    let interrupts = interrupts();
    let agent = AgentChoice::person(&exam.name, &interrupts);
    let worlds = Worlds { split: exam.split.as_deref(), levels: exam.levels, episodes: exam.episodes, seed };
    let (episodes, most_steps) = worlds.plan(game, &agent)?;
    let rules = exam.exam.unwrap_or(arguments::Rules::Hidden).into();
    let conduct = Conduct {
        rules,
        text: exam.text.into(),
        history: History::Full,
        replies: 1,
        max_turns: playing::usual_turns(most_steps, exam.lifetime),
        max_tokens: None,
        max_seconds: None,
        lifetime: exam.lifetime,
    };
    let folder = exam.out.clone().unwrap_or_default();
    #[cfg(feature = "serve")]
    if let Some(address) = exam.browser {
        let page = browser::page(&episodes, conduct.rules);
        let agent = browser::person(&exam.name, &page, &interrupts);
        let header = playing::header(game, worlds, &agent, conduct, episodes);
        let play = || playing::play(&folder, header, &agent, 1, &interrupts, false);
        return browser::serve(address, &page, &interrupts, play);
    }
    let header = playing::header(game, worlds, &agent, conduct, episodes);
    playing::play(&folder, header, &agent, 1, &interrupts, false)
}

/// Where a person writes: standard input, of which a line is waited for until a signal comes.
#[derive(Debug, Clone)]
pub(super) struct Desk {
    interrupts: Interrupts,
    /// The lines; read from the first time that one is wanted.
    lines: Arc<OnceLock<Mutex<Receiver<io::Result<String>>>>>,
}

/// How long a line is waited for before it is looked whether a signal has come.
pub(super) const GLANCE: Duration = Duration::from_millis(50);

impl Desk {
    /// A desk that is left when a signal comes.
    pub(super) fn new(interrupts: Interrupts) -> Self {
        Self { interrupts, lines: Arc::default() }
    }

    /// The next line; none at the end of the input.
    ///
    /// # Errors
    /// An input that can't be read; a signal.
    pub(super) fn next_line(&self) -> io::Result<Option<String>> {
        let Ok(lines) = self.lines.get_or_init(|| Mutex::new(read_lines())).lock() else {
            return Err(io::Error::other("the input was given up"));
        };
        loop {
            match lines.recv_timeout(GLANCE) {
                Ok(line) => return line.map(Some),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) if self.interrupts.signal().is_some() => {
                    return Err(io::Error::other("the exam was left while this text was shown"));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

/// The lines of standard input, read by a thread that ends with them or with the program.
fn read_lines() -> Receiver<io::Result<String>> {
    let (sender, lines) = sync_channel(0);
    let read = move || {
        loop {
            let mut line = String::new();
            let read = io::stdin().read_line(&mut line);
            if matches!(read, Ok(0)) || sender.send(read.map(|_| line)).is_err() {
                break;
            }
        }
    };
    if let Err(error) = std::thread::Builder::new().name("lines".to_owned()).spawn(read) {
        let (sender, lines) = sync_channel(1);
        // It has room for one, and somebody listens.
        let _ = sender.send(Err(error));
        return lines;
    }
    lines
}
