//! Which worlds a run is played in.

use farm_agents::EpisodePlan;
use farm_core::config::Problems;
use farm_games::level::{self, Split};

use super::choice::AgentChoice;
use crate::arguments::GameArguments;
use crate::splits;

/// The worlds of a run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Worlds<'a> {
    /// The split whose levels are played, if they are those of one.
    pub split: Option<&'a str>,
    /// So many levels of it, the first ones.
    pub levels: Option<u32>,
    /// Episodes on each level, or of seeds one after the other.
    pub episodes: u32,
    /// The seed of the first episode.
    pub seed: u64,
}

impl Worlds<'_> {
    /// The episodes, and the most steps that one of them may take.
    ///
    /// # Errors
    /// Problems of the game on one of its levels; a policy that does not fit it; a split that the game does not have.
    pub(super) fn plan(
        &self,
        game: &GameArguments,
        agent: &AgentChoice,
    ) -> Result<(Vec<EpisodePlan>, Option<u64>), Problems> {
        let (mut episodes, mut most_steps) = (Vec::new(), None);
        for (i, level) in self.level_names(game)?.iter().enumerate() {
            let arguments = GameArguments {
                game: game.game.clone(),
                presets: game.presets.clone(),
                level: level.clone(),
                set: game.set.clone(),
            };
            let game = arguments.open()?;
            // A policy that does not fit is told of before anything is written.
            agent.of_episode(&game)?;
            most_steps = most_steps.max(game.most_steps());
            let fingerprint = format!("{:016x}", game.fingerprint());
            // As `farm eval --split` counts them.
            let first = if self.split.is_some() { splits::SEEDS_OF_A_LEVEL.wrapping_mul(i as u64 + 1) } else { 0 };
            for episode in 0..u64::from(self.episodes) {
                let seed = first.wrapping_add(self.seed).wrapping_add(episode);
                let id = match (level, self.episodes) {
                    (Some(level), 1) => plain(level),
                    (Some(level), _) => format!("{}-{}", plain(level), episode + 1),
                    (None, _) => format!("seed-{seed}"),
                };
                episodes.push(EpisodePlan { id, level: level.clone(), seed, fingerprint: fingerprint.clone() });
            }
        }
        Ok((episodes, most_steps))
    }

    /// The levels to play, by name; one that is none for worlds of seeds.
    fn level_names(&self, game: &GameArguments) -> Result<Vec<Option<String>>, Problems> {
        let Some(split) = self.split else { return Ok(vec![game.level.clone()]) };
        let split = if split == "test" { Split::Test } else { Split::Validation };
        let levels = level::of_split(&game.game, split);
        if levels.is_empty() {
            return Err(splits::no_levels(&game.game, split));
        }
        let most = self.levels.map_or(usize::MAX, |levels| levels as usize);
        Ok(levels.into_iter().take(most).map(|level| Some(level.source)).collect())
    }
}

/// The name of a level as that of a file.
fn plain(level: &str) -> String {
    let name = std::path::Path::new(level).with_extension("");
    let text: String =
        name.to_string_lossy().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    text.trim_matches('-').chars().take(80).collect()
}
