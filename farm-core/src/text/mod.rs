//! How people and language models read and write a game: the instructions before the first step, replies, tools, and why an episode ends.
//!
//! The texts are generated from the game's declarations. The game's own two texts, `goal` and `rules_text`, insert numbers and words from
//! its parameters (see `game/template/`), so the texts always agree with the game.

mod actions;
mod ending;
mod initial;
mod instructions;
mod reply;
mod subject;
mod tools;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::game::Game;

pub(crate) use instructions::GOAL;
pub use reply::Reply;
pub use tools::ToolSchema;

/// Whether the instructions include the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum RulesText {
    /// Only the observations, how to write actions, and the goal.
    Hidden,
    /// Also the effects of actions, where rewards come from, and how the game ends.
    Shown,
}

impl RulesText {
    /// Both options.
    pub const ALL: [Self; 2] = [Self::Hidden, Self::Shown];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Hidden => "hidden",
            Self::Shown => "shown",
        }
    }
}

/// The form in which a player reads observations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum TextForm {
    /// Every value with its full name and all digits, as in [`crate::Environment::text`]. The text can be parsed back into the record.
    #[default]
    Full,
    /// Short names, three significant digits, and only the values that changed.
    Compact,
    /// All values on one line, in the order used in the instructions, with three significant digits.
    Rows,
}

impl TextForm {
    /// All forms.
    pub const ALL: [Self; 3] = [Self::Full, Self::Compact, Self::Rows];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Compact => "compact",
            Self::Rows => "rows",
        }
    }
}

/// The version of the texts that players read: instructions, observations and answers. The version increases when the wording changes,
/// because a language model's score also depends on the wording. The version is independent of a game's dynamics.
pub const TEXT_VERSION: u32 = 6;

/// A game as people and language models read and write it. Get it from [`Game::text`].
///
/// ```
/// fn first_reply(game: &farm_core::Game) -> Result<(), Box<farm_core::config::Problem>> {
///     println!("{}", game.text().goal());
///     let schedule = game.text().parse("wait")?;
///     assert_eq!(game.text().write(&schedule), "wait");
///     Ok(())
/// }
/// ```
#[derive(Debug, Clone, Copy)]
pub struct TextChannel<'g> {
    game: &'g Game,
}

impl Game {
    /// The game as people and language models read and write it: instructions, replies, tools.
    pub fn text(&self) -> TextChannel<'_> {
        TextChannel { game: self }
    }

    /// Copies another game's world texts. A level uses the texts from the game without the level, so that they reveal nothing about the
    /// level. If the field sizes differ, the texts are removed.
    pub fn tell_world_of(&mut self, drawn: &Self) {
        let sizes = |game: &Self| game.fields.iter().map(|field| (field.length(), field.width())).collect::<Vec<_>>();
        let is_alike = sizes(self) == sizes(drawn);
        for part in Arc::make_mut(&mut self.parts) {
            let known =
                drawn.parts.iter().find(|other| is_alike && (&other.name, other.field) == (&part.name, part.field));
            part.world_text = known.map(|other| other.world_text.clone()).unwrap_or_default();
        }
    }
}
