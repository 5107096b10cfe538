//! The codes of runs of agents.

use farm_core::codes;

codes! {
    /// Agents that play by text: their runs and traces.
    pub enum AgentsError: "agents" {
        /// The agent can't be used as it is described.
        ///
        /// An endpoint has an address that begins with `http://` or `https://` and no password in it, and the name of a model. The name of an
        /// agent is one line of visible characters.
        WrongAgent = "wrong-agent",
        /// The agent gave no reply, however often it was asked.
        ///
        /// What was played is in the trace. The same command goes on from there, and no reply is paid for twice.
        AgentFailed = "agent-failed",
        /// The file is not a trace, or a line of it is not a valid line of one.
        ///
        /// `farm agents GAME --out RUN` writes traces in a folder: `run.json`, and a file of JSON lines for each episode.
        NotATrace = "not-a-trace",
        /// The folder holds a run of something else.
        ///
        /// A run is gone on with by the command that began it. Another agent, game, list of episodes or budget needs a folder of its own.
        OtherRun = "other-run",
        /// Another process plays this run right now.
        ///
        /// Two processes would ask for the same replies, and pay for both.
        RunIsPlayed = "run-is-played",
        /// The trace is of a game that plays otherwise than the one here.
        ///
        /// The fingerprint of the game is another one. Verify it with the version of the program that wrote it.
        OtherGame = "other-fingerprint",
        /// The trace says something that the game does not confirm.
        ///
        /// The recorded replies were played again from the recorded seed, and something else came of it.
        ForgedTrace = "forged-trace",
        /// The run says something of itself that is not what was played.
        ///
        /// Its split, the games of its episodes and what they tell of the rules follow from the worlds that were played, and numbers of it are
        /// within what can be.
        WrongClaim = "wrong-claim",
        /// Looking at the run would take more time or memory than it may.
        ///
        /// A run of somebody else may be of any size. What is scored is in proportion to what was played.
        RunTooLarge = "run-too-large",
        /// Some episodes of the run were not played to their end.
        ///
        /// The command that began the run goes on with it.
        UnfinishedRun = "unfinished-run",
        /// The trace names files, which are opened only where that is allowed.
        ///
        /// A run of somebody else could name any file of yours. Look at what it names, and allow it with `--allow-files`.
        FilesInTrace = "files-in-trace",
        /// There are no runs where they were looked for.
        ///
        /// A run is a folder with a `run.json`, as `farm agents GAME --out RUN` writes it.
        NoRuns = "no-runs",
    }
}
