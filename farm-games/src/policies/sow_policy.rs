//! Sows every empty plot once, on the first day in a window of the year when the farmer has time for it.
//!
//! It acts on parts with the role `plant_progress` that can be sown plot by plot. It observes the variable `stage`, if the game shows it,
//! and `day#int365`, if a window is set.
//!
//! Source: none; the policies in the Farm-gym reference do not sow.

use farm_core::action::Allowed;
use farm_core::config::{Path, Problem, Problems};
use farm_core::declare::{PartInfo, Quantity};
use farm_core::inspect::DAYS_PER_YEAR;
use farm_core::rules::Conditions;
use farm_core::serde_yaml::Value;
use farm_core::{Agent, Game, Policy};
use farm_roles::PLANT_PROGRESS;

use super::targets::{act, allowed, comparison, fills, find, is_by_plot, play};
use super::trigger_policy::Trigger;
use crate::PolicyError;

/// Sows every empty plot once, within a window of the year.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct SowPolicy {
    /// The plant to sow, such as `Plant-0` or `Field-0.Plant-0`, or '*' for all. Default: the only plant that can be sown.
    pub entity: Option<String>,
    /// The number of seeds per plot. Default: the nearest number to the usual one that the rules allow.
    #[parameter(unit = "seed", range = 1.0..=1e6)]
    pub amount: Option<f64>,
    /// The distance between seeds. Default: the minimum that the rules allow.
    #[parameter(unit = "cm", range = 1.0..=1000.0)]
    pub spacing: Option<f64>,
    /// The first day of the year on which to sow. If it is after the last day, the window includes the new year.
    #[parameter(unit = "int365", range = 0..=LAST_DAY)]
    pub first_day: u32,
    /// The last day of the year on which to sow.
    #[parameter(unit = "int365", default = LAST_DAY, range = 0..=LAST_DAY)]
    pub last_day: u32,
}

const ACTION: &str = "sow";
const AMOUNT: &str = "amount#seed";
const SPACING: &str = "spacing#cm";
const STAGE: &str = "stage";
const DAY: &str = "day#int365";
const FIRST_DAY: &str = "first_day#int365";
/// The last day of a year.
const LAST_DAY: u32 = DAYS_PER_YEAR - 1;

#[farm_core::register(source = "Rules of thumb of the Farm-gym reference (none of them sows)")]
impl Policy for SowPolicy {
    fn build(&self, game: &Game) -> Result<Box<dyn Agent>, Problems> {
        let mut problems = Problems::default();
        let fits = |part| fills(game, part, PLANT_PROGRESS.name()) && is_by_plot(game, part, ACTION);
        let parts = find(game, self.entity.as_deref(), "can be sown plot by plot", fits, &mut problems);
        let mut rules = Vec::new();
        for part in parts {
            let amount = self.amount.or_else(|| usual_amount(game, part)).map(Value::from);
            rules.push(Trigger {
                when: self.when(game, part, &mut problems),
                for_each_plot: true,
                once: true,
                act: act(game, part, ACTION, &[(AMOUNT, amount), (SPACING, self.spacing.map(Value::from))]),
                ..Trigger::default()
            });
        }
        let places = [(SPACING, SPACING), ("act", AMOUNT), ("when", FIRST_DAY)];
        play(game, &rules, &places, problems)
    }
}

impl SowPolicy {
    /// The conditions: an empty plot, and a day in the window.
    fn when(&self, game: &Game, part: usize, problems: &mut Problems) -> Conditions {
        let mut clauses = match self.window(game, part, problems) {
            clauses if clauses.is_empty() => vec![Vec::new()],
            clauses => clauses,
        };
        // If the stage is not shown, the policy sows without this condition. Sowing has no effect on a plot with growing plants.
        if is_seen(game, part, STAGE) {
            let is_empty = comparison(game, part, STAGE, &[("operator", "==".into()), ("ref_value", "none".into())]);
            clauses.iter_mut().for_each(|clause| clause.push(is_empty.clone()));
        }
        clauses.retain(|clause| !clause.is_empty());
        if clauses.is_empty() {
            return Conditions::default();
        }
        Conditions(Value::Sequence(clauses.into_iter().map(Value::Sequence).collect()))
    }

    /// The days in the window: a list of alternatives, each with comparisons that must all hold; none if the window is the whole year.
    fn window(&self, game: &Game, part: usize, problems: &mut Problems) -> Vec<Vec<Value>> {
        if self.first_day == 0 && self.last_day == LAST_DAY {
            return Vec::new();
        }
        let Some(calendar) = calendar(game, part) else {
            let message = "this game does not have the day of the year";
            problems.push(
                Problem::new(PolicyError::NothingToActOn, Path::default().child(FIRST_DAY), message)
                    .expected(format!("a part with the variable `{DAY}`"))
                    .help("remove `first_day#int365` and `last_day#int365` to sow on any day"),
            );
            return Vec::new();
        };
        let day = |operator: &str, day: u32| {
            comparison(game, calendar, DAY, &[("operator", operator.into()), ("ref_value", day.into())])
        };
        let (after, before) = (day(">=", self.first_day), day("<=", self.last_day));
        if self.first_day <= self.last_day { vec![vec![after, before]] } else { vec![vec![after], vec![before]] }
    }
}

/// The allowed number of seeds that is nearest to the usual one; none if the plant has no usual number.
fn usual_amount(game: &Game, part: usize) -> Option<f64> {
    let base = allowed(game, part, ACTION)?;
    let parameters = base.info(game.parts())?.parameters();
    let at = parameters.iter().position(|parameter| parameter.name() == AMOUNT)?;
    // Seeds are whole.
    let usual = parameters[at].middle()?.round();
    match &base.parameters()[at] {
        Allowed::Range { low, high } => Some(usual.max(*low).min(*high)),
        Allowed::Values(values) => {
            let distance = |value: &f64| (value - usual).abs();
            values.iter().copied().min_by(|one, other| distance(one).total_cmp(&distance(other)))
        }
    }
}

/// Whether the player observes any of the variable's values.
fn is_seen(game: &Game, part: usize, name: &str) -> bool {
    let at = game.parts()[part].variables().iter().position(|variable| variable.name() == name);
    at.is_some_and(|i| game.learner_view().locations(part, Quantity::Variable(i)).iter().any(Option::is_some))
}

/// The part with the day of the year: in the same field, otherwise the first one in another field.
fn calendar(game: &Game, part: usize) -> Option<usize> {
    let field = game.parts()[part].field();
    let tells_day = |part: &PartInfo| part.variables().iter().any(|variable| variable.name() == DAY);
    let mut known = (0..game.parts().len()).filter(|other| tells_day(&game.parts()[*other])).peekable();
    let first = known.peek().copied();
    known.find(|other| game.parts()[*other].field() == field).or(first)
}
