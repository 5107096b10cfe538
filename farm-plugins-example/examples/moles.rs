//! The entity of the README, as it stands there.

use farm_core::declare::count;
use farm_core::rng::Purpose;
use farm_core::{Behaviour, Builder, Column, Context, Entity, Phase};
use farm_roles::MICROLIFE;

farm_core::declare_plugin!();

/// Moles that dig where the soil lives.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Moles {
    /// Chance of a molehill on a plot in a day, where the microlife is perfect.
    #[parameter(name = "digging_chance#prop", default = 0.1, range = 0.0..=1.0)]
    pub digging: f64,
}

#[farm_core::register(source = "Example")]
impl Entity for Moles {
    fn build(&self, b: &mut Builder<'_>) -> Box<dyn Behaviour> {
        let hills = b.declare(count("molehills#nb", 0, 10_000, "Molehills on the plot.").per_plot());
        b.runs_in(Phase::Develop);
        Box::new(Digging { digging: self.digging, key: b.stream_key(), hills, life: b.one(MICROLIFE) })
    }
}

struct Digging {
    digging: f64,
    key: u64,
    hills: Column<i32>,
    life: Column<f64>,
}

const DIG: Purpose = Purpose::named("molehills");

impl Behaviour for Digging {
    fn tick(&self, _: Phase, c: &mut Context<'_>) {
        let mut stream = c.stream(self.key, DIG);
        for (hills, life) in c.get(self.hills).iter().zip(c.get(self.life)) {
            let dug = stream.bernoulli(self.digging * life.get() / 100.0);
            hills.set((hills.get() + i32::from(dug)).min(10_000));
        }
    }
}
