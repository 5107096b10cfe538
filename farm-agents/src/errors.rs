//! Error codes for agents' runs.

use farm_core::config::{Path, Problem, Problems};
use farm_core::{StepError, codes};

codes! {
    /// Runs and traces of agents that play by text.
    pub enum AgentsError: "agents" {
        /// The description of the agent is not valid.
        ///
        /// An endpoint needs an `http://` or `https://` URL without a password, and the name of a model. The name of an agent is one line
        /// of visible characters.
        WrongAgent = "wrong-agent",
        /// The agent gave no reply.
        ///
        /// The trace keeps the episode so far. Run the same command again to resume it: replies in the trace are not paid for again.
        AgentFailed = "agent-failed",
        /// All replies of an episode are empty.
        ///
        /// The episode ends, and the run starts no other one. A model that thinks until its token limit, or a server that removes its reply
        /// as a thought, sends empty replies.
        EmptyReplies = "empty-replies",
        /// The file is not a trace, or has an invalid line.
        ///
        /// `farm agents play GAME --out RUN` writes traces into a folder: `run.json`, and a JSON Lines file for each episode.
        NotATrace = "not-a-trace",
        /// The folder holds a different run.
        ///
        /// To resume a run, run the command that started it. Use another folder for another agent, game, list of episodes or budget.
        OtherRun = "other-run",
        /// Another process plays this run.
        ///
        /// Two processes would request the same replies, and you would pay for both.
        RunIsPlayed = "run-is-played",
        /// The trace belongs to another version of the game.
        ///
        /// The fingerprints of the game differ. Verify the run with the version of the program that wrote it.
        OtherGame = "other-fingerprint",
        /// The trace contradicts the game.
        ///
        /// A replay of the recorded replies from the recorded seed gave another result.
        ForgedTrace = "forged-trace",
        /// The run makes a claim that contradicts its episodes.
        ///
        /// The worlds of a run determine its split, the games of its episodes, and whether rules are shown. Numbers must be within their
        /// ranges.
        WrongClaim = "wrong-claim",
        /// Checking the run would take too much time or memory.
        ///
        /// A run from a third party can have any size. The work for a score is limited in proportion to the number of steps played.
        RunTooLarge = "run-too-large",
        /// Some episodes of the run are not finished.
        ///
        /// Run the command that started the run to resume it.
        UnfinishedRun = "unfinished-run",
        /// The run names files, and you have not allowed it to open them.
        ///
        /// A run from a third party could name any of your files. Check the files that it names, then pass `--allow-files`.
        FilesInTrace = "files-in-trace",
        /// The folder contains no run.
        ///
        /// A run is a folder with a `run.json`. `farm agents play GAME --out RUN` writes one.
        NoRuns = "no-runs",
    }
}

/// The problem for a failed step.
pub(crate) fn step_failed(error: &StepError) -> Problems {
    let message = format!("a step of the game failed: {error}");
    Problems(vec![
        Problem::new(AgentsError::AgentFailed, Path::default(), message).help("please report the game and the seed"),
    ])
}
