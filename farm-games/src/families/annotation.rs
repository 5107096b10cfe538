//! What is known of a world of a split: its optimum, with a proof or a bound, and what scripts earn in it.

use farm_core::config::{Path, Problem, Problems};
use farm_core::{EpisodeRunner, Game, Observer, ObserverError, SeedSplit, Transition};
use farm_oracle::{PlanError, Planner};

use super::{Member, MemberName, SplitWorld, strange};
use crate::policy;

/// The scripts that are played in each world, where its game names them.
pub const SCRIPTS: [&str; 5] = ["wait", "informed", "caring", "adaptive", "bayesian"];

/// The best that can be earned in a world, as far as it is known: proven by a planner on a map, on a farm the best that was found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Optimum {
    /// What the best plan returns that was found.
    pub value: f64,
    /// What no plan exceeds: the optimum itself where it is proven, infinity on a farm, where nothing is.
    pub bound: f64,
    /// After how many steps that plan has earned everything.
    pub length: u64,
}

/// What is known of a world.
#[derive(Debug, Clone, PartialEq)]
pub struct Annotation {
    /// The best that can be earned.
    pub optimum: Optimum,
    /// What each of [`SCRIPTS`] earns; none where the game does not have it.
    pub scripts: [Option<f64>; SCRIPTS.len()],
}

impl Annotation {
    /// Plans and plays a world.
    ///
    /// # Errors
    /// Rules that can't be drawn, or a plan that the game does not confirm.
    pub fn of(world: &SplitWorld) -> Result<Self, Problems> {
        Self::with(world, &Member::of(world.member())?, None)
    }

    /// The same for worlds with the same rules, such as those of a number on all tiers: the rules are drawn once. A world whose optimum is
    /// known is not planned.
    ///
    /// # Errors
    /// As for [`Annotation::of`]; the first world that has problems.
    pub fn of_all(worlds: &[(SplitWorld, Option<Optimum>)]) -> Result<Vec<Self>, Problems> {
        let mut found: Vec<Self> = Vec::with_capacity(worlds.len());
        let mut drawn: Option<Member> = None;
        for (world, optimum) in worlds {
            let name = world.member();
            let member = match drawn.take() {
                Some(known) if (known.name.family, known.name.rules) == (name.family, name.rules) => {
                    known.on_tier(world.tier())?
                }
                _ => Member::of(name)?,
            };
            found.push(Self::with(world, &member, *optimum)?);
            drawn = Some(member);
        }
        Ok(found)
    }

    fn with(world: &SplitWorld, member: &Member, optimum: Option<Optimum>) -> Result<Self, Problems> {
        let game = member.open()?;
        let optimum = match optimum {
            Some(optimum) => optimum,
            None => match Optimum::found(&game, world.seed())? {
                Some(found) => found,
                None => Optimum::of(&game, world)?,
            },
        };
        let mut scripts = [None; SCRIPTS.len()];
        for (earned, script) in scripts.iter_mut().zip(SCRIPTS) {
            if game.spec().policies().contains_key(script) {
                let (total, _) = played(&game, script, world.seed()).map_err(|error| failed(world.member(), &error))?;
                *earned = Some(total);
            }
        }
        Ok(Self { optimum, scripts })
    }
}

fn failed(member: impl std::fmt::Display, error: &dyn std::fmt::Display) -> Problems {
    Problems(vec![Problem::new(PlanError::NoPlan, Path::default(), error.to_string()).value(member)])
}

impl Optimum {
    /// Plans a world.
    fn of(game: &Game, world: &SplitWorld) -> Result<Self, Problems> {
        let planner = Planner::of(game)?;
        let (mut state, mut record) = (game.new_state(), game.new_record());
        game.reset(&mut state, world.seed(), &mut record);
        let plan = planner.plan(game, &state)?;
        let (mut steps, mut length) = (0, 0);
        for step in &plan.actions {
            let outcome = game
                .step(&mut state, planner.calls(*step), &mut record)
                .map_err(|error| failed(world.member(), &error))?;
            steps += 1;
            if outcome.reward != 0.0 {
                length = steps;
            }
            if outcome.over() {
                break;
            }
        }
        Ok(Self { value: plan.value, bound: plan.bound, length })
    }

    /// The best that is found in hindsight in a world of a family of farms, of which no planner knows anything; none of other games. Nothing
    /// bounds it, and a script may have done better than what was searched: then it is what the script earns.
    ///
    /// # Errors
    /// A game that bears the name of a member and is another one.
    pub fn found(game: &Game, seed: u64) -> Result<Option<Self>, Problems> {
        let Ok(name) = MemberName::parse(game.spec().name()) else { return Ok(None) };
        if name.family != strange::FAMILY.name {
            return Ok(None);
        }
        let mut best = strange::best_of(game, seed)?;
        for script in SCRIPTS {
            if game.spec().policies().contains_key(script) {
                let (value, length) = played(game, script, seed).map_err(|error| failed(name, &error))?;
                if value > best.value + 1e-9 {
                    best = Self { value, length, ..best };
                }
            }
        }
        Ok(Some(best))
    }

    /// Whether no plan earns more than the optimum.
    pub fn is_proven(&self) -> bool {
        self.bound - self.value <= 1e-9
    }
}

/// The last step that paid.
#[derive(Default)]
pub(super) struct LastPaid(pub(super) u64);

impl Observer for LastPaid {
    fn after_step(&mut self, transition: &Transition<'_>) -> Result<(), ObserverError> {
        if transition.outcome.reward > 0.0 {
            self.0 = u64::from(transition.state.step());
        }
        Ok(())
    }
}

/// What a script earns in the world of a seed, and after how many steps it has earned everything.
fn played(game: &Game, script: &str, seed: u64) -> Result<(f64, u64), String> {
    let mut player = policy(game, script).map_err(|problems| problems.to_string())?;
    let mut runner = EpisodeRunner::new(game);
    runner.name_split(SeedSplit::of(seed));
    let mut last = LastPaid::default();
    let episode = runner.play(player.as_mut(), seed, &mut last).map_err(|error| error.to_string())?;
    Ok((episode.total(), last.0))
}
