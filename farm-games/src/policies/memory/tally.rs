//! The numbers of a policy, as they are written, and how they are compiled.

use farm_core::Game;
use farm_core::config::{NameError, ParameterError, Path, Problem, Problems};
use farm_core::declare::{Quantity, Reference};
use farm_core::rules::{Condition, Conditions, Reading};
use farm_core::serde_yaml::{Mapping, Value};
use indexmap::IndexMap;

use super::book::{Book, CompiledTally, CompiledTerm, Source};
use super::slots::{Slot, Slots, User};
use super::when::{When, check_observed, seen_conditions};
use crate::PolicyError;

farm_core::free_form! {
    /// The variable that a term reads.
    pub struct TermVariable = "a list of names";
}

/// One of the terms that are added to a number each day.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Term {
    /// The variable that it reads: [field, entity, variable, path], `step` or `remaining`. Default: none, so that the term is `plus`.
    pub state_variable: TermVariable,
    /// How to reduce several values to one: sum, mean, min, max, count or fraction. Default: a single value.
    pub function: Option<String>,
    /// The values that `count` and `fraction` look for; empty for other functions.
    pub of: Vec<Value>,
    /// A number in `memory` that it reads in the place of a variable: this number, or one written above it.
    pub memory: Option<String>,
    /// The factor of what it reads.
    #[parameter(default = 1.0, range = -1e9..=1e9)]
    pub times: f64,
    /// What is added to the product.
    #[parameter(range = -1e9..=1e9)]
    pub plus: f64,
    /// The lowest value of the term. Default: no limit.
    #[parameter(range = -1e9..=1e9)]
    pub at_least: Option<f64>,
    /// The highest value of the term. Default: no limit.
    #[parameter(range = -1e9..=1e9)]
    pub at_most: Option<f64>,
    /// The conditions for adding the term. Default: always.
    pub when: Conditions,
}

/// A number that a policy keeps from day to day.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Tally {
    /// The field in which each plot has a value of its own. Default: a single value.
    pub field: Option<String>,
    /// The value on the first day of an episode.
    #[parameter(range = -1e9..=1e9)]
    pub start: f64,
    /// The terms that are added each day, from the second day on, before the rules are checked.
    pub add: Vec<Term>,
    /// The lowest value of the number. Default: no limit.
    #[parameter(range = -1e9..=1e9)]
    pub at_least: Option<f64>,
    /// The highest value of the number. Default: no limit.
    #[parameter(range = -1e9..=1e9)]
    pub at_most: Option<f64>,
    /// The conditions for a reset, checked before the rules. Default: never.
    pub reset_when: Conditions,
    /// The term whose value the number takes at a reset. Default: `start`.
    pub reset_to: Option<Term>,
}

impl Tally {
    /// The names of a policy's numbers, and the numbers with all names resolved against a game.
    pub(in super::super) fn compile_all(
        memory: &IndexMap<String, Self>,
        game: &Game,
        path: &Path,
        problems: &mut Problems,
    ) -> (Slots, Book) {
        let mut slots = Slots::default();
        let mut first = 0;
        let mut lengths = Vec::new();
        for (i, (name, tally)) in memory.iter().enumerate() {
            let field = tally.field(game, &path.child(name).child("field"), problems);
            let len = field.map_or(1, |field| game.fields()[field].plots());
            slots.0.push((name.clone(), Slot { tally: i, first, field }));
            lengths.push(len);
            first += len;
        }
        let compile = |(i, (name, tally)): (usize, (&String, &Self))| {
            let place = Place { game, slots: &slots, own: slots.0[i].1 };
            tally.compile(&place, lengths[i], &path.child(name), problems)
        };
        let tallies = memory.iter().enumerate().map(compile).collect();
        (slots, Book::new(tallies))
    }

    fn field(&self, game: &Game, path: &Path, problems: &mut Problems) -> Option<usize> {
        let name = self.field.as_deref()?;
        let names = || game.fields().iter().map(|field| field.name());
        let found = names().position(|other| other == name);
        if found.is_none() {
            let problem = Problem::new(NameError::UnknownField, path.clone(), format!("there is no field `{name}`"));
            problems.push(problem.value(name).among(name, names()));
        }
        found
    }

    fn compile(&self, place: &Place<'_>, len: usize, path: &Path, problems: &mut Problems) -> CompiledTally {
        let (low, high) = bounds(self.at_least, self.at_most, path, problems);
        let add = self.add.iter().enumerate();
        let add =
            add.filter_map(|(i, term)| term.compile(place, true, &path.child("add").child(i), problems)).collect();
        let reset_when = place.when(&self.reset_when, false, &path.child("reset_when"), problems);
        let reset_to = self.reset_to.as_ref();
        let reset_to = reset_to.and_then(|term| term.compile(place, false, &path.child("reset_to"), problems));
        let start = self.start.clamp(low, high);
        CompiledTally { slot: place.own, len, start, low, high, add, reset_when, reset_to }
    }
}

/// The bounds of a term or a number. Infinite sums would have no difference.
fn bounds(at_least: Option<f64>, at_most: Option<f64>, path: &Path, problems: &mut Problems) -> (f64, f64) {
    let (low, high) = (at_least.unwrap_or(f64::MIN), at_most.unwrap_or(f64::MAX));
    if low > high {
        let problem = Problem::new(ParameterError::WrongRange, path.child("at_least"), "`at_least` is above `at_most`");
        problems.push(problem.value(low).expected(format!("a number up to {high}")));
    }
    (low, high.max(low))
}

/// The number `own`, whose terms and conditions are compiled.
struct Place<'a> {
    game: &'a Game,
    slots: &'a Slots,
    own: Slot,
}

impl Place<'_> {
    fn user(&self) -> User {
        User { field: self.own.field, own: Some(self.own.tally) }
    }

    fn when(&self, written: &Conditions, is_daily: bool, path: &Path, problems: &mut Problems) -> Option<When> {
        let seen = seen_conditions(written, self.game, self.own.field.is_some(), path, problems)?;
        for (i, clause) in seen.0.iter().enumerate() {
            for (j, condition) in clause.iter().enumerate() {
                let path = path.child(i).child(j).child("state_variable");
                self.check(condition.variable(), Condition::is_per_plot(condition), is_daily, &path, problems);
            }
        }
        Some(When::new(seen, written, self.slots, self.user(), path, problems))
    }

    /// Reports a variable without a value at this number's plots, and a variable that is never shown when the day's terms are added.
    fn check(&self, variable: &Reference, is_per_plot: bool, is_daily: bool, path: &Path, problems: &mut Problems) {
        if matches!(variable.quantity(), Quantity::Step | Quantity::Remaining) {
            return;
        }
        let field = self.game.parts()[variable.part()].field();
        if self.own.field.is_some() && is_per_plot && field != self.own.field {
            let message = format!("`{}` has no value at the plots of this memory", variable.name());
            let problem = Problem::new(PolicyError::WrongPlots, path.clone(), message).value(variable.name());
            problems
                .push(problem.expected("a variable of its `field`, a path to one value, or a function such as sum"));
        }
        if is_daily && self.game.observation().shows(variable) && !self.is_free(variable) {
            let message = format!("`{}` has a price, and is not shown when the day's terms are added", variable.name());
            let problem = Problem::new(NameError::NotObserved, path.clone(), message).value(variable.name());
            problems.push(problem.expected("a free observation").help("use it in `reset_when` and `reset_to`"));
        }
    }

    /// Whether all values of a variable are shown without a request.
    fn is_free(&self, variable: &Reference) -> bool {
        let found = self.game.learner_view().locations(variable.part(), variable.quantity());
        let wanted = found.iter().enumerate().filter(|(i, _)| variable.element().is_none_or(|element| element == *i));
        wanted.map(|(_, at)| *at).all(|at| at.is_some_and(|at| self.game.observation().is_free(at)))
    }
}

impl Term {
    /// `is_daily` is false for the term of a reset, which may read requested values.
    fn compile(&self, place: &Place<'_>, is_daily: bool, path: &Path, problems: &mut Problems) -> Option<CompiledTerm> {
        let (low, high) = bounds(self.at_least, self.at_most, path, problems);
        let when = place.when(&self.when, is_daily, &path.child("when"), problems);
        let source = match (&self.memory, self.state_variable.0.is_null()) {
            (Some(name), is_alone) => {
                if !is_alone {
                    let message = "a term reads `state_variable` or `memory`, not both";
                    let problem = Problem::new(ParameterError::UnknownKey, path.child("memory"), message).value(name);
                    problems.push(problem.expected("one of the two keys").help("write two terms"));
                }
                Source::Memory(place.slots.find(name, place.user(), &path.child("memory"), problems)?)
            }
            (None, true) => Source::Constant,
            (None, false) => Source::Variable(self.reading(place, is_daily, path, problems)?),
        };
        Some(CompiledTerm { source, times: self.times, plus: self.plus, low, high, when })
    }

    fn reading(&self, place: &Place<'_>, is_daily: bool, path: &Path, problems: &mut Problems) -> Option<Reading> {
        let game = place.game;
        let mut written = Mapping::from_iter([("state_variable".into(), self.state_variable.0.clone())]);
        written.extend(self.function.as_deref().map(|function| ("function".into(), function.into())));
        if !self.of.is_empty() {
            written.insert("of".into(), Value::Sequence(self.of.clone()));
        }
        let at_plot = place.own.field.is_some();
        let reading = Reading::parse(&Value::Mapping(written), game.names(), at_plot, path, problems)?;
        let variable = reading.variable();
        let path = path.child("state_variable");
        check_observed(game, variable, &path, problems);
        place.check(variable, reading.is_per_plot(), is_daily, &path, problems);
        let (kind, _) = game.names().kind_and_shape(variable);
        let is_counted = matches!(self.function.as_deref(), Some("count" | "fraction"));
        if !is_counted && !kind.is_quantity() && !kind.is_flag() {
            let message = format!("`{}` is a word, and a term adds numbers", variable.name());
            let problem = Problem::new(NameError::WrongValue, path, message).value(variable.name());
            problems
                .push(problem.expected("a number").help("use it in `when`, or count it: {function: count, of: […]}"));
        }
        Some(reading)
    }
}
