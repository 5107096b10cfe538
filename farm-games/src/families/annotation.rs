//! Known results for a world in a split: its optimum, with a proof or a bound, and the returns of scripts.

use farm_core::config::{Path, Problem, Problems};
use farm_core::{EpisodeRunner, Game, Observer, ObserverError, SeedSplit, Transition};
use farm_oracle::{PlanError, Planner};

use super::{Member, MemberName, SplitWorld, strange};
use crate::policy;

/// The scripts that play each world, if its game names them.
pub const SCRIPTS: [&str; 5] = ["wait", "informed", "caring", "adaptive", "bayesian"];

/// The best known result in a world: on a map, a planner's proven optimum; on a farm, the best result found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Optimum {
    /// The return of the best plan found.
    pub value: f64,
    /// The return that no plan exceeds: the optimum itself if it is proven; infinity on a farm, where nothing is proven.
    pub bound: f64,
    /// The number of steps until that plan has earned its whole return.
    pub length: u64,
}

/// The known results for a world.
#[derive(Debug, Clone, PartialEq)]
pub struct Annotation {
    /// The best known result.
    pub optimum: Optimum,
    /// The return of each script in [`SCRIPTS`]; none if the game does not have the script.
    pub scripts: [Option<f64>; SCRIPTS.len()],
}

impl Annotation {
    /// Plans and plays a world.
    ///
    /// # Errors
    /// The rules can't be drawn, or the game does not confirm the plan.
    pub fn of(world: &SplitWorld) -> Result<Self, Problems> {
        Self::with(world, &Member::of(world.member())?, None)
    }

    /// The same for worlds with the same rules, such as the same index on all tiers. The rules are drawn only once. The planner skips a
    /// world whose optimum is known.
    ///
    /// # Errors
    /// As for [`Annotation::of`], for the first world that has problems.
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
    /// Plans in a world, and plays the plan to confirm it.
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

    /// The best result found in hindsight for a world in a family of farms, which no planner supports; none for other games. It has no
    /// bound. If a script earns more than the best plan found by the search, returns the script's result.
    ///
    /// # Errors
    /// The game has a member's name, but is not that member.
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

    /// Whether the optimum is proven: no plan earns more.
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

/// A script's return in a seed's world, and the number of steps until it has earned all of it.
fn played(game: &Game, script: &str, seed: u64) -> Result<(f64, u64), String> {
    let mut player = policy(game, script).map_err(|problems| problems.to_string())?;
    let mut runner = EpisodeRunner::new(game);
    runner.name_split(SeedSplit::of(seed));
    let mut last = LastPaid::default();
    let episode = runner.play(player.as_mut(), seed, &mut last).map_err(|error| error.to_string())?;
    Ok((episode.total(), last.0))
}
