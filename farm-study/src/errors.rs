//! The codes of studies.

use farm_core::codes;

codes! {
    /// Studies: a game played over a grid of changes.
    pub enum StudyError: "studies" {
        /// The file is not a study.
        ///
        /// A study is a mapping with a game, a measure and what is expected of it.
        NotAStudy = "not-a-study",
        /// There is no study of this name.
        ///
        /// A study of your own is given by its path, `./study.yaml`.
        UnknownStudy = "unknown-study",
        /// What stands in braces can't be computed.
        ///
        /// It has numbers, names of the study's values, `+ - * /`, parentheses, and `round`, `min` and `max`.
        WrongExpression = "wrong-expression",
        /// An expectation says nothing that can be checked, or is about something that the study does not have.
        ///
        /// An expectation that nothing can fail proves nothing.
        WrongExpectation = "wrong-expectation",
        /// An episode of the study did not come to its end.
        ///
        /// A part of the game failed; that is a defect of the part.
        EpisodeFailed = "episode-failed",
        /// Episodes that another machine asks for are not those of the study as it is here.
        ///
        /// The machines of a cluster need the same version of the program and the same files.
        OtherBlock = "other-block",
    }
}
