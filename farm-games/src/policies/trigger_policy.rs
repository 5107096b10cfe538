//! Rules of thumb: if conditions hold, take an action.
//!
//! Each rule has conditions, written like stopping conditions, and one or several actions. A rule with `for_each_plot` is
//! checked for every plot in the field of its actions. Its conditions compare the values on this plot, and `plot: here` in
//! its actions means this plot. A rule without conditions acts whenever its period allows.
//!
//! **Order of decision.** Each day the policy checks the rules in their order, and for each rule the plots in order: (0, 0),
//! (0, 1) and so on. Each due action takes the next place in the schedule, within the schedule's maximum length, its maximum cost and the
//! farmer's time. With one intervention a day, the first rule that is due acts. If there is no room, a rule without delay is checked again
//! on the next day. A delayed action stays due until there is room. If a rule has several actions and only some of them have been done, the
//! others stay due.
//!
//! **Delay, period, once.** When the conditions of a rule hold, its action is due `delay#day` days later, even if they no
//! longer hold by then. The rule is not checked again until the action is done. Two actions of a rule on a plot are at least
//! `period#day` days apart. A rule with `once` acts once per episode on each plot. A new episode resets all of this.
//!
//! **Memory.** The policy can keep numbers from day to day; see [`Tally`]. Conditions compare them with `{memory: NAME, operator, ref_value}`.
//! Rules change them with `then_add` and `then_set` after they have acted.
//!
//! Conditions may use only variables that the game lets a learner observe. In games with paid observations, an action may be
//! an observation. The policy acts twice a day, first with observations and then with interventions. A condition on a variable that is not
//! shown at that moment does not hold.
//!
//! Source: the policy interface of the Farm-gym reference (triggers as OR of ANDs, delays, frequencies).

use farm_core::action::{ActionError, Call};
use farm_core::config::{NameError, Path, Problem, Problems, Tool};
use farm_core::rules::{Conditions, Formula};
use farm_core::serde_yaml::{self, Value};
use farm_core::{Agent, Game, Policy};
use indexmap::IndexMap;
use serde_json::Value as Json;

use super::each_plot::Template;
use super::memory::{Change, Slot, Slots, Tally, User, When, seen_conditions};
use super::triggers::{Rule, Target, Triggers};
use crate::PolicyError;

farm_core::free_form! {
    /// The actions of a rule of thumb.
    pub struct Doing = "an action, an observation, or a list of them";
}

/// A rule of thumb: if conditions hold, take an action.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Trigger {
    /// The conditions: a list (or) of lists (and) of {state_variable, function, operator, ref_value}. Default: always.
    pub when: Conditions,
    /// Whether to check the rule for each plot.
    pub for_each_plot: bool,
    /// The number of days between the first day on which the conditions hold and the action, even if they no longer hold.
    #[parameter(unit = "day", range = 0..=100_000)]
    pub delay: u32,
    /// The minimum number of days between two actions on the same plot.
    #[parameter(unit = "day", default = 1, range = 1..=100_000)]
    pub period: u32,
    /// Whether to act at most once per episode on each plot.
    pub once: bool,
    /// The action: {farmer, field, entity, action, parameters}, an observation [field, entity, variable, path], or a list of them.
    /// `here` is the plot.
    pub act: Doing,
    /// What is added to numbers in `memory` after the rule has acted: {NAME: NUMBER}.
    #[parameter(range = -1e9..=1e9)]
    pub then_add: IndexMap<String, f64>,
    /// The values that numbers in `memory` take after the rule has acted: {NAME: NUMBER}.
    #[parameter(range = -1e9..=1e9)]
    pub then_set: IndexMap<String, f64>,
}

/// Rules of thumb: if conditions hold, take an action.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct TriggerPolicy {
    /// The numbers that the policy keeps from day to day, by name.
    pub memory: IndexMap<String, Tally>,
    /// The rules, starting with the most important one.
    pub rules: Vec<Trigger>,
}

#[farm_core::register(source = "Policy interface of the Farm-gym reference (triggers)")]
impl Policy for TriggerPolicy {
    fn build(&self, game: &Game) -> Result<Box<dyn Agent>, Problems> {
        let mut problems = Problems::default();
        let (slots, book) = Tally::compile_all(&self.memory, game, &Path::default().child("memory"), &mut problems);
        let path = Path::default().child("rules");
        let compile = |(i, rule): (usize, &Trigger)| rule.compile(game, &slots, &path.child(i), &mut problems);
        let rules: Vec<Rule> = self.rules.iter().enumerate().map(compile).collect();
        if problems.has_errors() { Err(problems) } else { Ok(Box::new(Triggers::new(game, rules, book))) }
    }
}

impl Trigger {
    /// The rule with all names resolved against a game.
    pub(super) fn compile(&self, game: &Game, slots: &Slots, path: &Path, problems: &mut Problems) -> Rule {
        let place = path.child("when");
        let seen = seen_conditions(&self.when, game, self.for_each_plot, &place, problems);
        let acts = self.acts(&path.child("act"), problems);
        let field = if self.for_each_plot { self.field(game, seen.as_ref(), &acts, path, problems) } else { None };
        let user = User { field, own: None };
        let when = seen.map(|seen| When::new(seen, &self.when, slots, user, &place, problems));
        let then = self.then(slots, user, path, problems);
        let plots: Vec<Option<usize>> = match field {
            Some(field) => (0..game.fields()[field].plots()).map(Some).collect(),
            // A rule without a field is reported elsewhere.
            None if self.for_each_plot => Vec::new(),
            None => vec![None],
        };
        let mut targets = Vec::new();
        let mut refused = None;
        let mut templates: Vec<Option<Template>> = acts.iter().map(|_| None).collect();
        for plot in plots {
            let calls: Result<Vec<_>, Option<Box<Problem>>> = acts
                .iter()
                .zip(&mut templates)
                .map(|(act, template)| {
                    // Calls that the rules do not allow on this plot are parsed again only to get the problem.
                    if let (Some(template), Some(plot)) = (template.as_ref(), plot)
                        && let Some(calls) =
                            template.at(game, plot).map(Ok).or((!targets.is_empty()).then_some(Err(None)))
                    {
                        return calls;
                    }
                    let calls = act.calls(game, field, plot)?;
                    *template = Template::new(game, field, &calls, act.is_here());
                    Ok(calls)
                })
                .collect();
            match calls {
                Ok(calls) => targets.push(Target::new(plot, calls.concat())),
                Err(problem) => refused = refused.or(problem),
            }
        }
        // Rules may allow an action on some plots only; the other plots are skipped.
        if targets.is_empty() {
            problems.0.extend(refused.map(|problem| *problem));
        }
        Rule { when, delay: self.delay, period: self.period, once: self.once, targets, then }
    }

    /// What the rule does to the policy's memory.
    fn then(&self, slots: &Slots, user: User, path: &Path, problems: &mut Problems) -> Vec<(Slot, Change)> {
        let kinds =
            [("then_add", &self.then_add, Change::Add as fn(f64) -> Change), ("then_set", &self.then_set, Change::Set)];
        let mut then = Vec::new();
        for (key, changes, change) in kinds {
            for (name, amount) in changes {
                let slot = slots.find(name, user, &path.child(key).child(name), problems);
                then.extend(slot.map(|slot| (slot, change(*amount))));
            }
        }
        then
    }

    fn acts(&self, path: &Path, problems: &mut Problems) -> Vec<Act> {
        // `[farmer, field, entity, name, {…}]` is one action; a list of such lists or of mappings is several actions.
        let several = self.act.0.as_sequence().filter(|items| !items.first().is_some_and(Value::is_string));
        let items: Vec<(Path, &Value)> = match several {
            Some(items) => items.iter().enumerate().map(|(i, item)| (path.child(i), item)).collect(),
            None => vec![(path.clone(), &self.act.0)],
        };
        if self.act.0.is_null() || items.is_empty() {
            problems.push(
                Problem::new(PolicyError::RuleWithoutAction, path.clone(), "a rule needs an action")
                    .expected("{field: Field-0, entity: ENTITY-0, action: ACTION, parameters: {…}}, or a list of them")
                    .help(Tool::describe("GAME").and(" lists the actions of a game")),
            );
            return Vec::new();
        }
        let mut acts = Vec::new();
        for (path, item) in items {
            match serde_yaml::from_value::<Json>(item.clone()) {
                Ok(form) if !form.is_null() => acts.push(Act { path, form }),
                _ => problems.push(
                    Problem::new(ActionError::NotAnAction, path, "this is not a valid action")
                        .value(farm_core::config::to_inline_yaml(item))
                        .expected("{field: Field-0, entity: ENTITY-0, action: ACTION, parameters: {…}}"),
                ),
            }
        }
        acts
    }

    /// The field whose plots a rule with `for_each_plot` checks.
    fn field(
        &self,
        game: &Game,
        when: Option<&Formula>,
        acts: &[Act],
        path: &Path,
        problems: &mut Problems,
    ) -> Option<usize> {
        let mut fields = Vec::new();
        for act in acts {
            match act.field(game) {
                Ok(field) => fields.extend(field.map(|field| (field, act))),
                Err(problem) => problems.push(*problem),
            }
        }
        let clauses = when.map_or(&[][..], |when| when.0.as_slice()).iter().enumerate();
        let looks: Vec<(Path, &farm_core::rules::Condition, usize)> = clauses
            .flat_map(|(i, clause)| clause.iter().enumerate().map(move |(j, condition)| (i, j, condition)))
            .filter(|(.., condition)| condition.is_per_plot())
            .filter_map(|(i, j, condition)| {
                let field = game.parts()[condition.variable().part()].field()?;
                Some((path.child("when").child(i).child(j), condition, field))
            })
            .collect();
        let first = fields.first().map(|(field, _)| *field).or_else(|| looks.first().map(|(.., field)| *field));
        let Some(field) = first.or((game.fields().len() == 1).then_some(0)) else {
            // An unknown field or entity has been reported.
            if !problems.has_errors() {
                let names: Vec<&str> = game.fields().iter().map(|field| field.name()).collect();
                problems.push(
                    Problem::new(PolicyError::WrongPlots, path.child("act"), "the field of this rule is not set")
                        .expected(format!("`field: NAME` with one of {}", names.join(", "))),
                );
            }
            return None;
        };
        let name = game.fields()[field].name();
        for (other, act) in fields.iter().filter(|(other, act)| *other != field && act.is_here()) {
            let message =
                format!("`plot: here` is a plot of `{name}`, and this action is in `{}`", game.fields()[*other].name());
            problems.push(
                Problem::new(PolicyError::WrongPlots, act.path.clone(), message).help("write a rule for each field"),
            );
        }
        for (path, condition, _) in looks.into_iter().filter(|(.., other)| *other != field) {
            let message = format!("`{}` has no value at a plot of `{name}`", condition.variable().name());
            problems.push(
                Problem::new(PolicyError::WrongPlots, path, message)
                    .expected(format!("a variable of `{name}`, a path to one value, or one of sum, mean, min, max")),
            );
        }
        Some(field)
    }
}

/// The word for the plot that is checked.
const HERE: &str = "here";

/// An action as it is written.
struct Act {
    path: Path,
    form: Json,
}

impl Act {
    /// A word in an action, found by its key or, in a list, by its position from the end: farmer, field, entity, name.
    fn word<'a>(&'a self, key: &str, from_the_end: usize) -> Option<&'a str> {
        match &self.form {
            Json::Array(items) => {
                // `'*'` at the end is a path.
                let words: Vec<&str> = items.iter().map_while(Json::as_str).filter(|word| *word != "*").collect();
                words.len().checked_sub(from_the_end).and_then(|i| words.get(i).copied())
            }
            form => form.get(key).and_then(Json::as_str),
        }
        .filter(|word| !word.is_empty())
    }

    /// The values that name the action's plot: the parameter `plot` of an intervention, or the path of an observation.
    fn plots(form: &mut Json) -> Vec<&mut Json> {
        let said = match form {
            Json::Array(items) => items.last_mut().into_iter().collect(),
            Json::Object(entries) => {
                entries.iter_mut().filter(|(key, _)| *key != "action").map(|(_, said)| said).collect()
            }
            _ => Vec::new(),
        };
        let places = said.into_iter().flat_map(|said| match said {
            Json::Array(path) => path.iter_mut().collect(),
            Json::Object(parameters) => parameters.get_mut("plot").into_iter().collect(),
            _ => Vec::new(),
        });
        places.filter(|place| place.as_str() == Some(HERE)).collect()
    }

    /// The location of a problem within the action: the word or the value that causes it.
    fn place_of(&self, problem: &Problem) -> Path {
        let is_it = |value: &&Json| {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            problem.value.as_ref().is_some_and(|found| *found == text || *found == value.to_string())
        };
        let entries = self.form.as_object().into_iter().flatten();
        if let Some((key, _)) = entries.clone().find(|(_, value)| is_it(value)) {
            return self.path.child(key);
        }
        let parameters = self.form.get("parameters").and_then(Json::as_object).into_iter().flatten();
        match parameters.clone().find(|(_, value)| is_it(value)) {
            Some((key, _)) => self.path.child("parameters").child(key),
            None => self.path.clone(),
        }
    }

    fn is_here(&self) -> bool {
        !Self::plots(&mut self.form.clone()).is_empty()
    }

    /// The field that it names; otherwise the only field with its entity.
    fn field(&self, game: &Game) -> Result<Option<usize>, Box<Problem>> {
        if let Some(name) = self.word("field", 3) {
            let names = || game.fields().iter().map(|field| field.name());
            return names().position(|n| n == name).map(Some).ok_or_else(|| {
                let problem =
                    Problem::new(NameError::UnknownField, self.path.clone(), format!("there is no field `{name}`"));
                Box::new(problem.value(name).among(name, names()))
            });
        }
        let Some(entity) = self.word("entity", 2) else { return Ok(None) };
        let mut homes = game.parts().iter().filter(|part| part.name() == entity).filter_map(|part| part.field());
        match (homes.next(), homes.next()) {
            (Some(_), Some(_)) => {
                let names: Vec<&str> = game.fields().iter().map(|field| field.name()).collect();
                let problem = Problem::new(
                    NameError::AmbiguousName,
                    self.path.clone(),
                    format!("`{entity}` is in several fields"),
                );
                Err(Box::new(problem.expected(format!("`field: NAME` with one of {}", names.join(", ")))))
            }
            (home, _) => Ok(home),
        }
    }

    /// The calls on a plot. If the action names no farmer, each call comes with the same call by the other farmers that may make it.
    fn calls(&self, game: &Game, field: Option<usize>, plot: Option<usize>) -> Result<Vec<Vec<Call>>, Box<Problem>> {
        let mut form = self.form.clone();
        let width = field.map_or(1, |field| game.fields()[field].width());
        if let Some(plot) = plot {
            Self::plots(&mut form).into_iter().for_each(|here| *here = serde_json::json!([plot / width, plot % width]));
        }
        let calls = game.catalogue().parse(&form).map_err(|problem| {
            let problem = Problem { path: self.place_of(&problem), ..*problem };
            Box::new(match self.is_here() && plot.is_none() {
                true => problem.help("`plot: here` needs `for_each_plot: true`"),
                false => problem,
            })
        })?;
        let named = self.word("farmer", 4).is_some();
        Ok(calls
            .into_iter()
            .map(|call| if named { vec![call] } else { game.catalogue().by_all_farmers(call) })
            .collect())
    }
}
