//! What the tests of both grid games share: games whose hidden state they look into, episodes, and the fit of draws.

use std::fmt::Debug;

use farm_core::{Column, Element, Game, Outcome, State, StepRecord};
use farm_games::{Options, open};

/// A grid game, with the columns of its hidden state.
pub(crate) trait Known: Sized {
    /// What the catalogue calls it.
    const NAME: &'static str;
    /// All of the hidden state that its rules speak of.
    type World;

    fn of(game: Game) -> Self;

    fn game(&self) -> &Game;

    fn world(&self, state: &State) -> Self::World;

    fn shipped() -> Self {
        Self::open(&Options::default())
    }

    fn preset(name: &str) -> Self {
        Self::open(&Options { preset: Some(name.into()), ..Options::default() })
    }

    fn with(set: &[(&str, &str)]) -> Self {
        let set = set.iter().map(|(path, value)| ((*path).into(), (*value).into())).collect();
        Self::open(&Options { set, ..Options::default() })
    }

    fn open(options: &Options) -> Self {
        Self::of(open(Self::NAME, options).unwrap_or_else(|problems| panic!("{problems}")))
    }

    fn play(&self, seed: u64) -> Play<'_, Self> {
        let (mut state, mut record) = (self.game().new_state(), self.game().new_record());
        self.game().reset(&mut state, seed, &mut record);
        Play { known: self, state, record }
    }
}

pub(crate) fn column<T: Element>(game: &Game, part: &str, name: &str) -> Column<T> {
    let part = game.parts().iter().find(|p| p.path() == part).unwrap_or_else(|| panic!("no part {part}"));
    let named = |v: &&farm_core::declare::VariableInfo| v.name().split('#').next() == Some(name);
    let variable = part.variables().iter().find(named).unwrap_or_else(|| panic!("{} has no {name}", part.path()));
    variable.column().unwrap_or_else(|| panic!("{name} of {} has another type", part.path()))
}

/// An episode.
pub(crate) struct Play<'g, G> {
    known: &'g G,
    pub state: State,
    pub record: StepRecord,
}

impl<G> Clone for Play<'_, G> {
    fn clone(&self) -> Self {
        Self { known: self.known, state: self.state.clone(), record: self.record.clone() }
    }
}

impl<G: Known> Play<'_, G> {
    pub(crate) fn game(&self) -> &Game {
        self.known.game()
    }

    pub(crate) fn world(&self) -> G::World {
        self.known.world(&self.state)
    }

    pub(crate) fn step(&mut self, action: usize) -> Outcome {
        let outcome = self.known.game().step_discrete(&mut self.state, action, &mut self.record);
        outcome.unwrap_or_else(|e| panic!("{e}"))
    }

    /// Takes steps and returns their rewards.
    pub(crate) fn steps(&mut self, actions: &[usize]) -> Vec<f64> {
        actions.iter().map(|action| self.step(*action).reward).collect()
    }

    /// The state after one more step, which is not taken.
    pub(crate) fn after(&self, action: usize) -> Self {
        let mut copy = self.clone();
        copy.step(action);
        copy
    }

    pub(crate) fn observation(&self) -> Vec<u8> {
        let mut bytes = vec![0; self.game().observation().size()];
        self.game().observe_into(&self.state, &mut bytes);
        bytes
    }
}

/// Asserts that independent draws fit what is expected of each outcome (Pearson's chi-square).
///
/// One test of all cells together, instead of one per cell, so that many cells do not make a false alarm likely; the
/// statistic may lie four standard deviations above its mean (one false alarm in 30,000 such tests), after
/// Wilson and Hilferty's cube root, which is close to normal for few cells too.
pub(crate) fn assert_fits(what: impl Debug, counts: &[f64], expected: &[f64]) {
    assert_eq!(counts.len(), expected.len(), "{what:?}");
    let (total, wanted) = (counts.iter().sum::<f64>(), expected.iter().sum::<f64>());
    assert!((total - wanted).abs() < 1e-6 * wanted, "{what:?}: {total} draws, {wanted} expected");
    let cells = || counts.iter().zip(expected);
    assert!(cells().all(|(n, e)| *e > 0.0 || *n == 0.0), "{what:?}: something impossible happened: {counts:?}");
    let possible = || cells().filter(|(_, e)| **e > 0.0);
    let statistic = possible().map(|(n, e)| (n - e) * (n - e) / e).sum::<f64>();
    let freedom = possible().count() as f64 - 1.0;
    let spread = 2.0 / (9.0 * freedom);
    let z = ((statistic / freedom).cbrt() - (1.0 - spread)) / spread.sqrt();
    assert!(z < 4.0, "{what:?}: {z:.1} standard deviations from\n{expected:.0?}:\n{counts:?}");
}

/// [`assert_fits`] for outcomes that are all equally likely.
pub(crate) fn assert_uniform(what: impl Debug, counts: &[f64]) {
    let each = counts.iter().sum::<f64>() / counts.len() as f64;
    assert_fits(what, counts, &vec![each; counts.len()]);
}
