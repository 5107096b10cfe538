//! The planner for a game: one of the two planners.

use farm_core::action::{ActionKind, Call};
use farm_core::config::{Path, Problem, Problems, Tool};
use farm_core::{Game, State, Stop};

use crate::parameters::{NO_PLAN, unmodelled};
use crate::{Plan, PlanError, backwards_valley, valley_farm};

/// The action in a step of a plan: a byte, because episodes may be long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step(u8);

impl Step {
    /// A step without an action: the observation step of a day in games with paid observations.
    const NOTHING: Self = Self(u8::MAX);
}

/// Reads a game's rules and an episode's state, for players that know the rules.
#[derive(Debug)]
pub enum GridReading {
    /// For games with things in stages, such as Backwards Valley.
    BackwardsValley(backwards_valley::Reading),
    /// For games with a market, such as Valley Farm.
    ValleyFarm(Box<valley_farm::Reading>),
}

impl GridReading {
    /// Finds the facts in a game.
    ///
    /// # Errors
    /// The reasons why no planner supports the game.
    pub fn of(game: &Game) -> Result<Self, Problems> {
        if let Some(problem) = backwards_valley::unplanned_law(game) {
            return Err(Problems(vec![problem]));
        }
        match (backwards_valley::Reading::of(game), valley_farm::Reading::of(game)) {
            (Ok(reading), _) => Ok(Self::BackwardsValley(reading)),
            (_, Ok(reading)) => Ok(Self::ValleyFarm(Box::new(reading))),
            // A rejection with a path comes from the planner that supports all parts of the game.
            (_, Err(problems)) if problems.0.iter().any(|problem| !problem.path.0.is_empty()) => Err(problems),
            (Err(first), Err(second)) => {
                let reason = |problems: &Problems| {
                    let message = problems.0.first().map_or("", |problem| problem.message.as_str());
                    message.rsplit_once("this game: ").map_or(message, |(_, reason)| reason).to_owned()
                };
                let message = format!("{NO_PLAN}: {}; and {}", reason(&first), reason(&second));
                let expected =
                    "a map with crops, animals and villagers, or one with fields, barns, neighbours and a market";
                let problem = Problem::new(PlanError::NoPlan, Path::default(), message).expected(expected);
                Err(Problems(vec![problem.help(Tool::describe("GAME").and(" lists the policies of a game"))]))
            }
        }
    }

    /// The calls for all actions, by action number.
    fn all_calls(&self) -> &[Vec<Call>] {
        match self {
            Self::BackwardsValley(reading) => reading.all_calls(),
            Self::ValleyFarm(reading) => reading.all_calls(),
        }
    }
}

/// A planner, with the facts about a game.
#[derive(Debug)]
pub struct Planner {
    reading: GridReading,
}

/// The tolerance between the return in the game and the value of the plan, in points.
///
/// It is smaller than the difference between any two plans, and larger than the rounding errors of sums.
const TOLERANCE: f64 = 1e-7;

impl Planner {
    /// The planner for a game.
    ///
    /// # Errors
    /// The reasons why no planner supports the game, or each rule that the planner does not support, with its path.
    pub fn of(game: &Game) -> Result<Self, Problems> {
        let reading = GridReading::of(game)?;
        let refused = match &reading {
            GridReading::BackwardsValley(reading) => backwards_valley::reject(game, reading),
            GridReading::ValleyFarm(reading) => valley_farm::reject(game, reading),
        };
        if refused.is_empty() { Ok(Self { reading }) } else { Err(Problems(refused)) }
    }

    /// The best plan from a state to the end of the episode, with one entry per step in the game.
    ///
    /// The planner has played the plan in a copy of the state and confirmed its value.
    ///
    /// # Errors
    /// The return in the game differs from the value of the plan. The problem shows both, and the number of steps.
    pub fn plan(&self, game: &Game, state: &State) -> Result<Plan<Step>, Problems> {
        let plan = self.search(game, state);
        let steps = self.play(game, state, &plan).map_err(|problem| Problems(vec![*problem]))?;
        Ok(Plan { actions: steps, ..plan })
    }

    /// The best plan, not checked in the game, with one action for each step in which time passes.
    ///
    /// This method is for players that play the plan in the episode itself.
    pub fn search(&self, game: &Game, state: &State) -> Plan<Step> {
        match &self.reading {
            GridReading::BackwardsValley(reading) => {
                reading.world(game, state).plan().map(|action| Step(action.number()))
            }
            GridReading::ValleyFarm(reading) => reading.world(game, state).plan().map(|action| Step(action as u8)),
        }
    }

    /// Plays a plan and returns the steps to the end of the episode, if their return is the value of the plan.
    fn play(&self, game: &Game, state: &State, plan: &Plan<Step>) -> Result<Vec<Step>, Box<Problem>> {
        let (mut state, mut record) = (state.clone(), game.new_record());
        let (mut steps, mut total, mut stop) = (Vec::new(), 0.0, None);
        let mut actions = plan.actions.iter();
        while !actions.as_slice().is_empty() {
            let step = match game.expects(&state) {
                ActionKind::Observation => Step::NOTHING,
                ActionKind::Intervention => actions.next().copied().unwrap_or(Step::NOTHING),
            };
            let outcome = game.step(&mut state, self.calls(step), &mut record).map_err(|error| {
                Box::new(Problem::new(PlanError::NoPlan, Path::default(), format!("{NO_PLAN}: {error}")))
            })?;
            steps.push(step);
            total += outcome.reward;
            if outcome.over() {
                stop = record.stop();
                break;
            }
        }
        if (total - plan.value).abs() <= TOLERANCE {
            return Ok(steps);
        }
        let reason = format!(
            "the plan has the value {}, but returns {total} in the game: the game has a rule that the planner does not know",
            plan.value
        );
        let rules = Path::default().child("rules").child(game.spec().rules().typetag_name());
        let (path, value) = match stop {
            Some(Stop::Condition(clause)) => {
                (rules.child("stopping_conditions").child(clause), game.text().stop_reason(Stop::Condition(clause)))
            }
            _ => (Path::default(), format!("{total} after {} steps", steps.len())),
        };
        Err(unmodelled(path, value, &reason, &plan.value.to_string()))
    }

    /// The calls for a step.
    pub fn calls(&self, step: Step) -> &[Call] {
        self.reading.all_calls().get(usize::from(step.0)).map(Vec::as_slice).unwrap_or_default()
    }
}
