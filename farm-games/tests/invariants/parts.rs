//! Parts that only these tests register, as a third party would.

use farm_core::declare::{count, real};
use farm_core::{Behaviour, Bind, Column, Context, Declarations, Entity, Phase, Score, ScoreBehaviour};

/// The names of the parts below, which no shipped source can know.
pub(crate) const NAMES: [&str; 3] = ["TestPoison", "TestTally", "TestVerdict"];

/// Writes a number that is not finite.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct TestPoison {
    /// The step, counted from 0, in which it writes.
    #[parameter(unit = "day", default = 1_000_000, range = 0..=1_000_000)]
    pub at: u32,
    /// The plot, by flat index.
    #[parameter(unit = "nb", range = 0..=1_000_000)]
    pub plot: u32,
    /// Whether it writes an infinite number instead of none at all.
    pub infinite: bool,
}

#[farm_core::register(source = "Tests of the invariants")]
impl Entity for TestPoison {
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
        let clean = d.variable(real("clean#L", 0.0, 1.0, "A number that stays as it is.").per_plot());
        let dose = d.variable(real("dose#L", 0.0, 1.0, "The number that is spoilt.").per_plot());
        d.runs_in(Phase::Develop);
        let value = if self.infinite { f64::NEG_INFINITY } else { f64::NAN };
        Bind::new(move |found| {
            let (clean, dose) = found.get((clean, dose));
            Poison { at: self.at, plot: self.plot as usize, value, clean, dose }
        })
    }
}

struct Poison {
    at: u32,
    plot: usize,
    value: f64,
    clean: Column<f64>,
    dose: Column<f64>,
}

impl Behaviour for Poison {
    fn tick(&self, _: Phase, c: &mut Context<'_>) {
        c.get(self.clean).iter().for_each(|cell| cell.set(0.5));
        if c.step() == self.at {
            c.get(self.dose)[self.plot].set(self.value);
        }
    }
}

/// A large whole number.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct TestTally {
    /// The number.
    #[parameter(unit = "nb", range = 0..=2_147_483_647)]
    pub value: u32,
}

#[farm_core::register(source = "Tests of the invariants")]
impl Entity for TestTally {
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
        let tally = count("tally#nb", 0, i32::MAX, "The number.").default(f64::from(self.value));
        d.variable(tally);
        Bind::new(|_| Tally)
    }
}

struct Tally;

impl Behaviour for Tally {}

/// Rewards with a number that is not finite.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct TestVerdict {
    /// The reward of every step, in words that only a number type knows.
    #[parameter(default = "0".into())]
    pub reward: String,
}

#[farm_core::register(source = "Tests of the invariants")]
impl Score for TestVerdict {
    fn declare(&self, _: &mut Declarations<'_>) -> Bind<'_, dyn ScoreBehaviour> {
        Bind::new(|_| Verdict(self.reward.parse().unwrap_or(0.0)))
    }
}

struct Verdict(f64);

impl Behaviour for Verdict {}

impl ScoreBehaviour for Verdict {
    fn reward(&self, _: &mut Context<'_>) -> f64 {
        self.0
    }
}
