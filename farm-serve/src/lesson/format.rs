//! The format of lessons.

use farm_core::config::ParameterDoc;
use farm_core::config::Parameters;
use farm_core::rules::Conditions;

/// A text in English and French.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(super) struct Both {
    /// The text in English.
    pub en: String,
    /// The text in French; default: English.
    pub fr: String,
}

/// A lesson.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(super) struct LessonFile {
    /// The name, which is part of the lesson's address.
    pub name: String,
    /// The title.
    pub title: Both,
    /// What pupils learn, in one sentence.
    pub learns: Both,
    /// The time that the lesson takes, in minutes.
    #[parameter(default = 20, range = 1..=600)]
    pub minutes: u32,
    /// The cards, in order.
    pub cards: Vec<Card>,
}

/// A card: a task with its checks, and perhaps a question.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(super) struct Card {
    /// The title.
    pub title: Both,
    /// The task.
    pub task: Both,
    /// The season that starts with this card; default: the season of the card before continues.
    pub season: Option<SeasonOf>,
    /// The checks. The card is done when all of them hold.
    pub checks: Vec<Check>,
    /// The question after the task; default: none.
    pub question: Option<Question>,
    /// A note for the teacher's sheet.
    pub teacher: Both,
}

/// A season of a lesson.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(super) struct SeasonOf {
    /// The name of a game with plots.
    pub game: String,
    /// A preset of the game; default: none.
    pub preset: String,
    /// The number of days after which the season ends; 0: as in the game.
    #[parameter(range = 0..=1000)]
    pub days: u32,
    /// The seed.
    #[parameter(range = 0..=1_000_000_000)]
    pub seed: u32,
    /// The number of days that the policy in `played_by` has played before.
    #[parameter(range = 0..=1000)]
    pub played: u32,
    /// A policy of the game.
    pub played_by: String,
}

/// A check: conditions on the days that are played in a card.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(super) struct Check {
    /// What the pupil has to reach.
    pub text: Both,
    /// The conditions: a list (or) of lists (and) of {state_variable, function, operator, ref_value}.
    pub when: Conditions,
    /// The days on which they must hold.
    #[parameter(default = On::Any)]
    pub on: On,
}

/// The days on which a check must hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub(super) enum On {
    /// On at least one day of the card.
    Any,
    /// On every day of the card.
    All,
    /// On the current day.
    Now,
}

/// A question with several answers, one of which is right.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(super) struct Question {
    /// The question.
    pub text: Both,
    /// The answers.
    pub answers: Vec<Both>,
    /// The number of the right answer, from 1.
    #[parameter(default = 1, range = 1..=9)]
    pub right: u32,
    /// Why it is right.
    pub because: Both,
}

/// The keys that every lesson must have.
pub(super) const REQUIRED: [&str; 3] = ["name", "title", "cards"];

/// The keys of a lesson.
pub(super) fn keys() -> Vec<ParameterDoc> {
    LessonFile::table()
}
