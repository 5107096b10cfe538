//! Parts that only these tests register, as a third party would.

use farm_core::declare::{count, real};
use farm_core::{Behaviour, Builder, Column, Context, Entity, Phase, Score, ScoreBehaviour};

/// The names of the parts below, which no shipped source can know.
pub(crate) const NAMES: [&str; 3] = ["TestPoison", "TestTally", "TestVerdict"];

farm_core::parameters! {
    /// Writes a number that is not finite.
    pub struct TestPoison {
        /// The step, counted from 0, in which it writes.
        pub at: u32 = 1_000_000, "at#day", [0, 1_000_000];
        /// The plot, by flat index.
        pub plot: u32 = 0, "plot#nb", [0, 1_000_000];
        /// Whether it writes an infinite number instead of none at all.
        pub infinite: bool = false;
    }
}

farm_core::register!(Entity, TestPoison, "Writes a number that is not finite.", "Tests of the invariants");

#[farm_core::typetag::serde]
impl Entity for TestPoison {
    fn build(&self, b: &mut Builder<'_>) -> Box<dyn Behaviour> {
        let clean = b.declare(real("clean#L", 0.0, 1.0, "A number that stays as it is.").per_plot());
        let dose = b.declare(real("dose#L", 0.0, 1.0, "The number that is spoilt.").per_plot());
        b.runs_in(Phase::Develop);
        let value = if self.infinite { f64::NEG_INFINITY } else { f64::NAN };
        Box::new(Poison { at: self.at, plot: self.plot as usize, value, clean, dose })
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

farm_core::parameters! {
    /// A large whole number.
    pub struct TestTally {
        /// The number.
        pub value: u32 = 0, "value#nb", [0, 2_147_483_647];
    }
}

farm_core::register!(Entity, TestTally, "A large whole number.", "Tests of the invariants");

#[farm_core::typetag::serde]
impl Entity for TestTally {
    fn build(&self, b: &mut Builder<'_>) -> Box<dyn Behaviour> {
        let tally = count("tally#nb", 0, i32::MAX, "The number.").default(f64::from(self.value));
        b.declare(tally);
        Box::new(Tally)
    }
}

struct Tally;

impl Behaviour for Tally {}

farm_core::parameters! {
    /// Rewards with a number that is not finite.
    pub struct TestVerdict {
        /// The reward of every step, in words that only a number type knows.
        pub reward: String = "0".into();
    }
}

farm_core::register!(Score, TestVerdict, "Rewards with a number that is not finite.", "Tests of the invariants");

#[farm_core::typetag::serde]
impl Score for TestVerdict {
    fn build(&self, _: &mut Builder<'_>) -> Box<dyn ScoreBehaviour> {
        Box::new(Verdict(self.reward.parse().unwrap_or(0.0)))
    }
}

struct Verdict(f64);

impl Behaviour for Verdict {}

impl ScoreBehaviour for Verdict {
    fn reward(&self, _: &mut Context<'_>) -> f64 {
        self.0
    }
}
