//! Which worlds a run is played in.

use farm_agents::{EpisodePlan, Rules, level_id};
use farm_core::config::{ParameterError, Path, Problem, Problems};
use farm_core::{SeedSplit, in_parallel};
use farm_games::Options;
use farm_games::families::{Ladder, PUBLISHED, Told};
use farm_games::level::{self, Split};

use super::choice::AgentChoice;
use crate::arguments::{GameArguments, cores};
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

/// The episodes of a run, and the most steps that a trial of them may take.
pub(super) type Planned = (Vec<EpisodePlan>, Option<u64>);

impl Worlds<'_> {
    /// The episodes, and the most steps that one of them may take.
    ///
    /// # Errors
    /// Problems of the game on one of its levels; a policy that does not fit it; a split that the game does not have.
    pub(super) fn plan(&self, game: &GameArguments, agent: &AgentChoice) -> Result<Planned, Problems> {
        if let Some(ladder) = Ladder::parse(&game.game).transpose()? {
            return self.plan_ladder(ladder, game, agent);
        }
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
                    (Some(level), 1) => level_id(level),
                    (Some(level), _) => format!("{}-{}", level_id(level), episode + 1),
                    (None, _) => format!("seed-{seed}"),
                };
                let (level, fingerprint) = (level.clone(), fingerprint.clone());
                episodes.push(EpisodePlan { id, level, seed, fingerprint, game: None, rules: None });
            }
        }
        Ok((episodes, most_steps))
    }

    /// The worlds of a split on tiers of a family's ladder: each has a member of its own.
    fn plan_ladder(&self, ladder: Ladder, game: &GameArguments, agent: &AgentChoice) -> Result<Planned, Problems> {
        game.check_unchanged()?;
        let wrong = |message: &str, value: &str, expected: &str| {
            let problem = Problem::new(ParameterError::UnknownChoice, Path::default(), message).value(value);
            Problems(vec![problem.expected(expected)])
        };
        let Some(split) = self.split.and_then(SeedSplit::named) else {
            let message = "which members are played on a tier follows from the worlds of a split";
            let expected = "`--split train`, `validation` or `test`, or one member, with `rules=`";
            return Err(wrong(message, &game.game, expected));
        };
        if self.seed != 0 {
            let message = "the worlds of a split have seeds of their own";
            let value = format!("--seed {}", self.seed);
            return Err(wrong(message, &value, "no seed; `--levels N` plays the first worlds"));
        }
        if self.episodes != 1 {
            let message = "a world of a tier has one seed, so that it is played once";
            let value = format!("--episodes {}", self.episodes);
            return Err(wrong(message, &value, "one episode for each world; `--levels N` plays more of them"));
        }
        let worlds = ladder.worlds(split, self.levels.map_or(PUBLISHED, u64::from))?;
        let opened = in_parallel(
            worlds.len(),
            cores(),
            || (),
            |_: &mut (), i| -> Result<_, Problems> {
                let name = worlds[i].member().to_string();
                let game = farm_games::open(&name, &Options::default())?;
                agent.of_episode(&game)?;
                Ok((name, game.most_steps(), format!("{:016x}", game.fingerprint())))
            },
        );
        let (mut episodes, mut most_steps) = (Vec::new(), None);
        for (world, opened) in worlds.iter().zip(opened) {
            let (name, steps, fingerprint) = opened?;
            most_steps = most_steps.max(steps);
            let id = format!("tier-{}-{}-{}", world.tier().number, split.name(), world.index());
            let rules = (world.tier().told == Told::Shown).then_some(Rules::Shown);
            episodes.push(EpisodePlan { id, level: None, seed: world.seed(), fingerprint, game: Some(name), rules });
        }
        Ok((episodes, most_steps))
    }

    /// The levels to play, by name; one that is none for worlds of seeds.
    fn level_names(&self, game: &GameArguments) -> Result<Vec<Option<String>>, Problems> {
        let Some(split) = self.split else { return Ok(vec![game.level.clone()]) };
        let split = match split {
            "test" => Split::Test,
            "validation" => Split::Validation,
            _ => {
                let message = format!("no levels of the split `{split}` come with `{}`", game.game);
                let problem = Problem::new(ParameterError::UnknownChoice, Path::default(), message).value(split);
                let expected = "`validation` or `test`, or a family on a tier such as `FAMILY@tier=5`";
                return Err(Problems(vec![problem.expected(expected)]));
            }
        };
        let levels = level::of_split(&game.game, split);
        if levels.is_empty() {
            return Err(splits::no_levels(&game.game, split));
        }
        let most = self.levels.map_or(usize::MAX, |levels| levels as usize);
        Ok(levels.into_iter().take(most).map(|level| Some(level.source)).collect())
    }
}
