//! Exams. A person plays from the same texts as a model, under the same conditions, and the run has the same format.

use std::path::PathBuf;
use std::process::ExitCode;

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

/// The options of an exam.
#[derive(Debug, Args)]
pub(crate) struct Exam {
    /// Take an exam: play as a language model does, by text, without undo, branches, hints or the name of the game. `--out` stores
    /// each reply with its time
    #[arg(long, value_enum, value_name = "RULES", requires = "out", conflicts_with_all = ["actions", "record", "omniscient", "ascii"])]
    exam: Option<arguments::Rules>,
    /// Take the exam in the browser instead of the terminal. Prints the address of the page, which shows a picture next to each text.
    /// Requests without the token of that address are rejected
    #[cfg(feature = "serve")]
    #[arg(long, value_name = "ADDRESS:PORT", num_args = 0..=1, require_equals = true, default_missing_value = browser::LISTENS, value_parser = browser::address, requires = "exam")]
    browser: Option<std::net::SocketAddr>,
    /// Take the exam in the browser; this program was built without the feature `serve`
    #[cfg(not(feature = "serve"))]
    #[arg(long, value_name = "ADDRESS:PORT", num_args = 0..=1, require_equals = true, default_missing_value = "", requires = "exam")]
    browser: Option<String>,
    /// Folder of the run. An interrupted run is continued
    #[arg(long, value_name = "RUN", requires = "exam")]
    out: Option<PathBuf>,
    /// Your name in tables; any name
    #[arg(long, default_value = "person", requires = "exam")]
    name: String,
    /// Form of the observations in an exam
    #[arg(long, value_enum, default_value_t = Text::Full, requires = "exam")]
    text: Text,
    /// Play a split in an exam: the levels of the game, or the worlds of tiers of a family
    #[arg(long, value_parser = ["train", "validation", "test"], conflicts_with = "level", requires = "exam")]
    split: Option<String>,
    /// Play only the first N levels of the split
    #[arg(long, value_name = "N", value_parser = at_least_one::<u32>, requires = "split")]
    levels: Option<u32>,
    /// Episodes of an exam: per level or, without levels, for consecutive seeds
    #[arg(long, default_value_t = 1, value_parser = at_least_one::<u32>, requires = "exam")]
    episodes: u32,
    /// Trials per episode of an exam: same rules, different worlds
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = super::limits::lifetime, requires = "exam")]
    lifetime: u32,
}

impl Exam {
    /// Whether the options request an exam.
    pub(crate) fn is_wanted(&self) -> bool {
        self.exam.is_some()
    }
}

/// The signals during an exam; the first one ends the exam.
pub(super) fn interrupts() -> Interrupts {
    Interrupts::note_as("leaves the exam; the same command resumes it")
}

/// Takes the exam and prints its score.
///
/// # Errors
/// Fails if the game has errors, if the folder contains another run, or if the input ends before the exam ends.
pub(crate) fn take(game: &GameArguments, seed: u64, exam: &Exam) -> anyhow::Result<ExitCode> {
    #[cfg(not(feature = "serve"))]
    if exam.browser.is_some() {
        return Err(farm_output::OutputError::LeftOut { what: "`--browser`", feature: "serve" }.into());
    }
    let interrupts = interrupts();
    let agent = AgentChoice::person(&exam.name, &interrupts);
    let worlds =
        Worlds { split: exam.split.as_deref(), levels: exam.levels, episodes: exam.episodes, seed, hidden: None };
    let planned = worlds.plan(game, &agent)?;
    let rules = exam.exam.unwrap_or(arguments::Rules::Hidden).into();
    let conduct = Conduct {
        rules,
        text: exam.text.into(),
        history: History::Full,
        replies: 1,
        max_turns: playing::usual_turns(planned.most_steps, exam.lifetime),
        max_tokens: None,
        max_seconds: None,
        lifetime: exam.lifetime,
        vision: false,
    };
    let folder = exam.out.clone().unwrap_or_default();
    #[cfg(feature = "serve")]
    if let Some(address) = exam.browser {
        let page = browser::page(&planned.episodes, conduct.rules);
        let agent = browser::person(&exam.name, &page, &interrupts);
        let header = playing::header(game, worlds, &agent, conduct, planned);
        let play = || playing::play(&folder, header, &agent, 1, &interrupts, false);
        return browser::serve(address, &page, &interrupts, play);
    }
    let header = playing::header(game, worlds, &agent, conduct, planned);
    playing::play(&folder, header, &agent, 1, &interrupts, false)
}
