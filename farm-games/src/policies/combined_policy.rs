//! Several policies that decide together.
//!
//! The policies choose in order. Each chosen action is added to the day's schedule once, if the schedule's length and cost and the farmers'
//! time allow it. With one intervention a day, the first policy that wants to act uses it. If there is no room for an action, its policy
//! remembers the action, as it would if it played alone.
//!
//! You can name a policy (one of the game's own, or a kind with its defaults) or write it inline. A list is also a combination.
//!
//! Source: `+` and `combine_policies` of the Farm-gym reference.

use farm_core::action::Call;
use farm_core::config::{NameError, PartKind, Path, Problem, Problems, Tool, to_inline_yaml};
use farm_core::declare::DeclarationError;
use farm_core::registry::{kind, kinds, read_part};
use farm_core::serde_yaml::{self, Value};
use farm_core::spec::check_tagged;
use farm_core::{Agent, Game, Policy, State};

use super::schedule_budget::ScheduleBudget;
use crate::PolicyError;

/// Lets several policies decide together: each in turn adds its actions while the schedule has room.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct CombinedPolicy {
    /// The policies, the most important first: names of the game's policies or of kinds, or policies written inline.
    pub policies: Vec<Value>,
}

/// The key of the list in the YAML of a combination.
const LIST: &str = "policies";

/// The maximum number of policies in a combination, including nested ones: lists of lists grow fast.
const MOST: usize = 1000;

#[farm_core::register(source = "Policy interface of the Farm-gym reference (combine_policies)")]
impl Policy for CombinedPolicy {
    fn build(&self, game: &Game) -> Result<Box<dyn Agent>, Problems> {
        combine(game, &self.policies, &Path::default().child(LIST))
    }

    fn knows_hidden(&self, game: &Game) -> bool {
        let mut knows = false;
        let mut visit = |written: &Value| {
            knows = knows || read(written, &Path::default()).is_ok_and(|policy| policy.knows_hidden(game))
        };
        let policies = Value::Sequence(self.policies.clone());
        // A combination that can't be played advises nobody.
        explore(game, &policies, &mut Vec::new(), &mut 0, &mut visit).is_ok() && knows
    }
}

/// A player for policies that decide together; the paths of problems start with `path`.
fn combine(game: &Game, policies: &[Value], path: &Path) -> Result<Box<dyn Agent>, Problems> {
    let mut problems = Problems::default();
    let mut players = Vec::new();
    for (i, policy) in policies.iter().enumerate() {
        match player(game, policy, &path.child(i)) {
            Ok(player) => players.push(player),
            Err(found) => problems.0.extend(found.0),
        }
    }
    if problems.has_errors() { Err(problems) } else { Ok(together(game, players)) }
}

/// A player that asks others in order.
pub(super) fn together(game: &Game, players: Vec<Box<dyn Agent>>) -> Box<dyn Agent> {
    Box::new(Combined { players, budget: ScheduleBudget::of(game) })
}

/// A player for a policy as written: a name, a kind with parameters, or a list. The paths of problems start with `path`.
///
/// # Errors
/// An unknown name, with the nearest one, or the problems of the policy.
pub fn player(game: &Game, written: &Value, path: &Path) -> Result<Box<dyn Agent>, Problems> {
    match written {
        Value::Sequence(policies) => combine(game, policies, path),
        Value::String(name) if game.spec().policies().contains_key(name) => named(game, name, path),
        Value::String(name) if kind(PartKind::Policy, name).is_none() => Err(Problems(vec![unknown(game, name, path)])),
        written => {
            let policy = read(written, path)?;
            let path = path.child(policy.typetag_name());
            let placed =
                |problems: Problems| Problems(problems.0.into_iter().map(|problem| problem.below(&path)).collect());
            policy.build(game).map_err(placed)
        }
    }
}

/// The policy that a kind with parameters describes; the paths of problems start with `path`.
fn read(written: &Value, path: &Path) -> Result<Box<dyn Policy>, Problems> {
    let mut problems = Problems::default();
    let resolved = check_tagged(written, PartKind::Policy, path, &mut problems);
    if problems.has_errors() {
        return Err(problems);
    }
    read_part(resolved).map_err(|error| {
        Problems(vec![
            Problem::new(DeclarationError::PartProblem, path.clone(), error.to_string()).value(to_inline_yaml(written)),
        ])
    })
}

/// A player for one of the game's own policies.
fn named(game: &Game, name: &str, path: &Path) -> Result<Box<dyn Agent>, Problems> {
    if let Err(message) = explore(game, &name.into(), &mut Vec::new(), &mut 0, &mut |_| {}) {
        let problem = Problem::new(PolicyError::PolicyCircle, path.clone(), message).value(name);
        return Err(Problems(vec![problem.expected("policies without circular references")]));
    }
    game.player(name).map_err(|problems| {
        // They stand elsewhere in the game's file: here is where the policy is asked for.
        let here = |problem: Problem| {
            let message = format!("`{name}` does not fit this game: {} (at {})", problem.message, problem.path);
            Problem { path: path.clone(), message, location: None, ..problem }
        };
        Problems(problems.0.into_iter().map(here).collect())
    })
}

/// The problem to report for a name that is neither a policy of the game nor a kind.
pub(super) fn unknown(game: &Game, name: &str, path: &Path) -> Problem {
    let named = game.spec().policies().keys().map(String::as_str);
    let registered = kinds().iter().filter(|kind| kind.part() == PartKind::Policy).map(|kind| kind.name());
    let message = format!("`{}` has no policy `{name}`, and there is no such kind", game.spec().name());
    let problem =
        Problem::new(NameError::UnknownPolicy, path.clone(), message).value(name).among(name, named.chain(registered));
    let help =
        Tool::describe("GAME").and(" shows the policies of a game, ").with(Tool::list("policies")).and(" all kinds");
    problem.help(help)
}

/// Follows the names in a policy to policies that are not combinations, and passes these to `visit` as they are written. The error message
/// reports that the names form a circle, or that there are too many policies.
fn explore(
    game: &Game,
    written: &Value,
    trail: &mut Vec<String>,
    found: &mut usize,
    visit: &mut dyn FnMut(&Value),
) -> Result<(), String> {
    *found += 1;
    if *found > MOST {
        return Err(format!("this combination holds more than {MOST} policies"));
    }
    match written {
        Value::String(name) => {
            let Some(policy) = game.spec().policies().get(name) else {
                visit(written);
                return Ok(());
            };
            if trail.contains(name) {
                let way: Vec<&str> = trail.iter().chain([name]).map(String::as_str).collect();
                return Err(format!("the policies use each other in a circle: {}", way.join(" → ")));
            }
            // Its own list is read from its YAML, so that a policy need not tell what it consists of.
            let written = serde_yaml::to_value(policy).unwrap_or_default();
            trail.push(name.clone());
            explore(game, &written, trail, found, visit)?;
            trail.pop();
            Ok(())
        }
        Value::Sequence(policies) => policies.iter().try_for_each(|policy| explore(game, policy, trail, found, visit)),
        written => match written.get("CombinedPolicy").and_then(|combined| combined.get(LIST)) {
            Some(policies) => explore(game, policies, trail, found, visit),
            None => {
                visit(written);
                Ok(())
            }
        },
    }
}

struct Combined {
    players: Vec<Box<dyn Agent>>,
    budget: ScheduleBudget,
}

impl Agent for Combined {
    fn start(&mut self, seed: u64) {
        self.players.iter_mut().for_each(|player| player.start(seed));
    }

    fn fork(&self) -> Option<Box<dyn Agent>> {
        let players = self.players.iter().map(|player| player.fork()).collect::<Option<_>>()?;
        Some(Box::new(Self { players, budget: self.budget.clone() }))
    }

    fn choose(&mut self, game: &Game, state: &State, schedule: &mut Vec<Call>) {
        let waiting = game.catalogue().waiting();
        for player in &mut self.players {
            let before = schedule.len();
            player.choose(game, state, schedule);
            // To wait is not to act: it leaves its place to whom comes next.
            if !waiting.is_empty() && schedule.get(before..) == Some(waiting) {
                schedule.truncate(before);
            }
        }
        self.budget.wait_if_empty(game, schedule);
    }
}
