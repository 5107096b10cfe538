//! Contexts: changed climates, soils and prices that every farm game takes, in a split to train with and a split to test with.
//!
//! | file | contents |
//! |---|---|
//! | `contexts.yaml` | the levels of climate, soil and price, and the split of each level |
//! | `levels.rs` | the changes that a level makes to the parts of a game |
//! | `split.rs` | the two splits |
//!
//! A context has one level of each of the three, and its name has all three: `warmer_1/rich/low`. The levels of the two splits are
//! disjoint. The split `test` also has new combinations of the levels of `train`, which are marked as recombined. The list of a game and
//! its order depend only on the game, so `train/3` is always the same context.

mod levels;
mod split;

use std::fmt::{self, Display};

use farm_core::config::{Document, Location, NameError, Path, Problem, Problems, Tool};

use levels::{Change, Level, Levels, Parts};
pub use split::ContextSplit;

/// A context of a game.
#[derive(Debug, Clone, PartialEq)]
pub struct Context {
    /// The levels of climate, soil and price.
    pub levels: [String; 3],
    /// What each level is.
    pub docs: [String; 3],
    /// Its split.
    pub split: ContextSplit,
    /// Its number in the split.
    pub number: usize,
    /// Whether it has only levels of `train`, although it is in `test`.
    pub is_recombined: bool,
    changes: Vec<Change>,
}

impl Display for Context {
    /// Its name: `warmer_1/rich/low`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.levels.join("/"))
    }
}

impl Context {
    /// Its split and its number: `train/3`.
    pub fn place(&self) -> String {
        format!("{}/{}", self.split.name(), self.number)
    }
}

/// The level of one of the three, with its changes.
type Choice<'l> = (&'l String, &'l Level, Vec<Change>);

/// The contexts of a game, in order: first `train`, then `test`. Empty if the game has no climate, soil or price that a context can change.
///
/// # Errors
/// The problems of the game.
pub fn of_game(document: &Document) -> Result<Vec<Context>, Problems> {
    let parts = Parts::of(document)?;
    let levels = Levels::shipped().map_err(|error| unknown(error.to_string(), LEVELS_FILE))?;
    let of = |axis| -> Vec<Choice<'_>> {
        let axis: &indexmap::IndexMap<String, Level> = axis;
        axis.iter().filter_map(|(name, level)| Some((name, level, levels.changes(level, &parts)?))).collect()
    };
    let axes = [of(&levels.climate), of(&levels.soil), of(&levels.price)];
    if axes.iter().all(|axis| axis.len() == 1) {
        return Ok(Vec::new());
    }
    let within = |split: ContextSplit| {
        // A game without prices, for example, has its own prices in both splits.
        let axis = |axis: &[Choice<'_>]| -> Vec<usize> {
            let fits = |i: &usize| axis.len() == 1 || axis[*i].1.split == split;
            (0..axis.len()).filter(fits).collect()
        };
        let [climates, soils, prices] = [axis(&axes[0]), axis(&axes[1]), axis(&axes[2])];
        let mut all = Vec::new();
        for (c, climate) in climates.iter().enumerate() {
            for (s, soil) in soils.iter().enumerate() {
                all.extend(prices.iter().enumerate().map(|(p, price)| ((c + s + p) % 3, [*climate, *soil, *price])));
            }
        }
        all
    };
    // A Latin square: a third of the combinations is in `train`, and another third is recombined.
    let seen = |place: usize| within(ContextSplit::Train).into_iter().filter(move |(at, _)| *at == place);
    let train = seen(0).map(|(_, levels)| (ContextSplit::Train, false, levels));
    let test = within(ContextSplit::Test).into_iter().map(|(_, levels)| (ContextSplit::Test, false, levels));
    let recombined = seen(1).map(|(_, levels)| (ContextSplit::Test, true, levels));
    let mut numbers = [0; 2];
    let context = |(split, is_recombined, chosen): (ContextSplit, bool, [usize; 3])| {
        let chosen: [&Choice<'_>; 3] = std::array::from_fn(|x| &axes[x][chosen[x]]);
        let number = &mut numbers[split as usize];
        *number += 1;
        Context {
            levels: chosen.map(|(name, ..)| (*name).clone()),
            docs: chosen.map(|(_, level, _)| level.doc.clone()),
            split,
            number: *number - 1,
            is_recombined,
            changes: chosen.iter().flat_map(|(.., changes)| changes.clone()).collect(),
        }
    };
    Ok(train.chain(test).chain(recombined).map(context).collect())
}

/// Changes a game to one of its contexts: `train/3`, or a name such as `warmer_1/rich/low`.
///
/// # Errors
/// The game has no such context.
pub(crate) fn apply(document: &mut Document, name: &str) -> Result<(), Problems> {
    let contexts = of_game(document)?;
    let Some(context) = contexts.iter().find(|context| context.place() == name || context.to_string() == name) else {
        return Err(missing(document, &contexts, name));
    };
    let mut problems = Problems::default();
    for (path, value) in &context.changes {
        let option = Location::of_option(Tool::Context(name.to_owned()));
        problems.0.extend(document.set(path, value.clone(), option).err().map(|problem| *problem));
    }
    if problems.has_errors() { Err(problems) } else { Ok(()) }
}

const LEVELS_FILE: &str = "contexts.yaml";

fn missing(document: &Document, contexts: &[Context], name: &str) -> Problems {
    let game = document.value().get("name").and_then(|name| name.as_str()).unwrap_or("the game");
    if contexts.is_empty() {
        return unknown(format!("`{game}` has no contexts: it has no climate, soil or price that they change"), name);
    }
    let mut problems = unknown(format!("`{game}` has no context `{name}`"), name);
    let counts = ContextSplit::ALL.map(|split| {
        let count = contexts.iter().filter(|context| context.split == split).count();
        format!("`{0}/0` to `{0}/{1}`", split.name(), count.saturating_sub(1))
    });
    for problem in &mut problems.0 {
        *problem = problem.clone().expected(format!("{}, or a name such as `{}`", counts.join(", "), contexts[0]));
    }
    problems
}

fn unknown(message: String, name: &str) -> Problems {
    let mut problem = Problem::new(NameError::UnknownName, Path::default(), message).value(name);
    problem.location = Some(Location::of_option(Tool::Context(name.to_owned())));
    Problems(vec![problem])
}
