//! The codes of studies.

use farm_core::codes;

codes! {
    /// Studies: a game played over a grid of changes.
    pub enum StudyError: "studies" {
        /// The file is not a study.
        ///
        /// A study is a mapping with at least `name`, `game` and `measure`.
        NotAStudy = "not-a-study",
        /// No study has this name.
        ///
        /// Pass the path of your own study, such as `./study.yaml`.
        UnknownStudy = "unknown-study",
        /// An expression in braces can't be computed.
        ///
        /// Expressions consist of numbers, names of the study's values, `+ - * /`, parentheses, `round`, `min` and `max`.
        WrongExpression = "wrong-expression",
        /// An expectation has no check or several checks, or it names something that the study does not have.
        ///
        /// Give each expectation one check, such as `within`, and use only panels, lines and axis values of the study.
        WrongExpectation = "wrong-expectation",
        /// An episode of the study failed before its end.
        ///
        /// The cause is a defect in a part of the game.
        EpisodeFailed = "episode-failed",
        /// Episodes requested by another machine do not match the study on this machine.
        ///
        /// All machines of a cluster need the same version of the program and the same files.
        OtherBlock = "other-block",
    }
}
