//! Chooses the worlds for a run.

use std::path::Path as FilePath;

use farm_agents::{EpisodePlan, HiddenSet, Rules, level_id};
use farm_core::config::{ParameterError, Path, Problem, Problems};
use farm_core::{SeedSplit, in_parallel};
use farm_games::Options;
use farm_games::families::{Ladder, PUBLISHED, RuleFamily, Told};
use farm_games::level::{self, Split};

use super::choice::AgentChoice;
use crate::arguments::{GameArguments, cores};
use crate::{commit, splits};

/// Plans the worlds of a hidden set, in the order of its file.
fn plan_hidden(path: &FilePath, game: &GameArguments, agent: &AgentChoice) -> anyhow::Result<Planned> {
    game.check_unchanged()?;
    let (head, worlds, hidden) = commit::hidden_set(path)?;
    if game.game != head.game() {
        let message = format!("the hidden set is of `{}`", head.game());
        let problem = Problem::new(ParameterError::UnknownChoice, Path::default(), message).value(&game.game);
        return Err(Problems(vec![problem.expected(head.game())]).into());
    }
    let family = RuleFamily::named(&head.family);
    let tier = head.tier.and_then(|tier| family?.tier(tier));
    let rules = tier.filter(|tier| tier.told == Told::Shown).map(|_| Rules::Shown);
    let (mut episodes, mut most_steps) = (Vec::new(), None);
    for (i, world) in worlds.iter().enumerate() {
        let name = head.member(world.rules)?.to_string();
        let game = farm_games::open(&name, &Options::default())?;
        agent.of_episode(&game)?;
        most_steps = most_steps.max(game.most_steps());
        let (id, fingerprint) = (format!("hidden-{i}"), world.fingerprint.clone());
        episodes.push(EpisodePlan { id, level: None, seed: world.seed, fingerprint, game: Some(name), rules });
    }
    Ok(Planned { episodes, most_steps, hidden: Some(hidden) })
}

/// The worlds to play in a run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Worlds<'a> {
    /// The split whose levels are played, if there is one.
    pub split: Option<&'a str>,
    /// The number of levels to play, starting with the first one.
    pub levels: Option<u32>,
    /// The number of episodes per level or, without levels, of consecutive seeds.
    pub episodes: u32,
    /// The seed of the first episode.
    pub seed: u64,
    /// The secret file of the hidden set to play, if there is one.
    pub hidden: Option<&'a FilePath>,
}

/// The plan of a run.
pub(super) struct Planned {
    pub(super) episodes: Vec<EpisodePlan>,
    /// The maximum number of steps in a trial.
    pub(super) most_steps: Option<u64>,
    /// The hidden set that the episodes play, if any.
    pub(super) hidden: Option<HiddenSet>,
}

impl Worlds<'_> {
    /// Plans the episodes. Also returns the maximum number of steps in a trial.
    ///
    /// # Errors
    /// Fails if the game has errors on a level, if the policy does not fit the game, or if the game does not have the split.
    pub(super) fn plan(&self, game: &GameArguments, agent: &AgentChoice) -> anyhow::Result<Planned> {
        if let Some(path) = self.hidden {
            return plan_hidden(path, game, agent);
        }
        if let Some(ladder) = Ladder::parse(&game.game).transpose()? {
            return Ok(self.plan_ladder(ladder, game, agent)?);
        }
        let (mut episodes, mut most_steps) = (Vec::new(), None);
        for (i, level) in self.level_names(game)?.iter().enumerate() {
            let arguments = GameArguments {
                game: game.game.clone(),
                presets: game.presets.clone(),
                level: level.clone(),
                context: game.context.clone(),
                set: game.set.clone(),
            };
            let game = arguments.open()?;
            // Checked before anything is written.
            agent.of_episode(&game)?;
            most_steps = most_steps.max(game.most_steps());
            let fingerprint = format!("{:016x}", game.fingerprint());
            // The same seeds as in `farm eval --split`.
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
        Ok(Planned { episodes, most_steps, hidden: None })
    }

    /// Plans the worlds of a split on a family's tiers. Each world has its own family member.
    fn plan_ladder(&self, ladder: Ladder, game: &GameArguments, agent: &AgentChoice) -> Result<Planned, Problems> {
        game.check_unchanged()?;
        let wrong = |message: &str, value: &str, expected: &str| {
            let problem = Problem::new(ParameterError::UnknownChoice, Path::default(), message).value(value);
            Problems(vec![problem.expected(expected)])
        };
        let Some(split) = self.split.and_then(SeedSplit::named) else {
            let message = "a tier without `rules=` needs a split, which decides the rules of each world";
            let expected = "`--split train`, `validation` or `test`, or one member, with `rules=`";
            return Err(wrong(message, &game.game, expected));
        };
        if self.seed != 0 {
            let message = "the worlds of a split have fixed seeds";
            let value = format!("--seed {}", self.seed);
            return Err(wrong(message, &value, "no seed; `--levels N` plays the first worlds"));
        }
        if self.episodes != 1 {
            let message = "a world of a tier has one seed and is played once";
            let value = format!("--episodes {}", self.episodes);
            return Err(wrong(message, &value, "one episode per world; `--levels N` plays more worlds"));
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
        Ok(Planned { episodes, most_steps, hidden: None })
    }

    /// The levels to play, by name. A `None` entry means that worlds are drawn from seeds.
    fn level_names(&self, game: &GameArguments) -> Result<Vec<Option<String>>, Problems> {
        let Some(split) = self.split else { return Ok(vec![game.level.clone()]) };
        let split = match split {
            "test" => Split::Test,
            "validation" => Split::Validation,
            _ => {
                let message = format!("`{}` has no levels in the split `{split}`", game.game);
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
