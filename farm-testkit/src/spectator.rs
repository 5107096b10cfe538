//! An unrelated part that draws random numbers.

use farm_core::declare::real;
use farm_core::{Behaviour, Bind, Column, Context, Declarations, Entity, Phase, Purpose, typetag};
use serde::{Deserialize, Serialize};

/// A part that draws random numbers in every phase and that no other part reads. The kit adds it to games. No game file names it, so it is
/// not a registered kind.
#[derive(Debug, Serialize, Deserialize)]
pub struct TestkitSpectator {
    /// Number of random numbers for each plot in each phase.
    pub draws: u32,
}

#[typetag::serialize]
impl Entity for TestkitSpectator {
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
        let drawn = d.variable(real("drawn#prop", 0.0, 1.0, "The last draw.").per_plot().hidden());
        Phase::ALL.into_iter().for_each(|phase| d.runs_in(phase));
        let key = d.stream_key();
        Bind::new(move |found| Spectator { key, draws: self.draws, drawn: found.get(drawn) })
    }
}

struct Spectator {
    key: u64,
    draws: u32,
    drawn: Column<f64>,
}

impl Behaviour for Spectator {
    fn reset(&self, c: &mut Context<'_>) {
        self.tick(Phase::Account, c);
    }

    fn tick(&self, _: Phase, c: &mut Context<'_>) {
        let mut stream = c.stream(self.key, const { Purpose::named("spectating") });
        for drawn in c.get(self.drawn) {
            (0..self.draws).for_each(|_| drawn.set(stream.uniform()));
        }
    }
}
