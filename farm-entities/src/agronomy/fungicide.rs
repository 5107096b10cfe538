//! A fungicide on the leaves of the plots: it decays, rain washes it off, and new leaves are not covered.

use farm_core::math::powf;
use farm_core::{Column, Columns, Context};
use farm_roles::{CURED, LEAF_AREA, PREVENTED, RAIN_AMOUNT};

use super::laws::disease::{prevented, unwashed};
use super::scatter::MAX_GRAMS;

/// The kinds of pathogens on which fungicides act, in the order of the roles.
pub(super) const PATHOGENS: [&str; 2] = ["oomycetes", "fungi"];

/// Upper limit of the covered leaf area on a plot, in m².
const MANY: f64 = 1e9;
/// Smaller doses are nothing, in g m⁻².
const NOTHING: f64 = 1e-9;

/// What a fungicide does on leaves.
#[derive(Clone)]
pub(super) struct Fungicide {
    /// Share of each gram that acts on each kind of pathogens.
    pub shares: [f64; 2],
    /// Days after which half of it has decayed.
    pub half_life_days: f64,
    /// Rain that washes off half of it, in mm.
    pub washed_half_mm: f64,
    /// Dose that prevents half of the infections, in g m⁻².
    pub prevents_half: f64,
    /// Age of infections up to which it kills them, in days.
    pub cures_days: f64,
}

/// The fungicide on the leaves of the plots. Kinds of pathogens on which it does not act have no column.
#[derive(Columns)]
pub(super) struct OnLeaves {
    p: Fungicide,
    #[with(powf(0.5, 1.0 / p.half_life_days))]
    kept: f64,
    #[with(d.field().plot_area_m2())]
    area: f64,
    /// Fungicide on the covered leaves, per area of the plot.
    #[real(name = "on_leaves#g.m-2", range = 0.0..=MAX_GRAMS, per_plot, hidden)]
    dose: Column<f64>,
    /// Leaf area that the fungicide covers.
    #[real(name = "covered_leaves#m2", range = 0.0..=MANY, per_plot, hidden)]
    covered: Column<f64>,
    #[nested(Kind::of(&p, 0))]
    oomycetes: Option<Effect>,
    #[nested(Kind::of(&p, 1))]
    fungi: Option<Effect>,
    #[one(RAIN_AMOUNT)]
    rain: Column<f64>,
    #[all(LEAF_AREA)]
    leaves: Vec<Column<f64>>,
}

/// A kind of pathogens on which the fungicide acts.
#[derive(Clone)]
struct Kind {
    index: usize,
    share: f64,
    cures_days: f64,
}

impl Kind {
    fn of(p: &Fungicide, index: usize) -> Option<Self> {
        let share = p.shares[index];
        (share > 0.0).then_some(Self { index, share, cures_days: p.cures_days })
    }
}

/// The effect on a kind of pathogens.
#[derive(Columns)]
struct Effect {
    kind: Kind,
    #[real(
        name = &format!("prevented_{}#prop", PATHOGENS[kind.index]),
        doc = &format!("Share of the infections with {} that the fungicide on the leaves prevents.", PATHOGENS[kind.index]),
        range = 0.0..=1.0,
        per_plot,
        hidden,
        role = PREVENTED[kind.index]
    )]
    prevented: Column<f64>,
    #[real(
        name = &format!("cured_{}#day", PATHOGENS[kind.index]),
        doc = &format!("Age up to which today's spray kills infections with {}.", PATHOGENS[kind.index]),
        range = 0.0..=kind.cures_days,
        per_plot,
        hidden,
        role = CURED[kind.index]
    )]
    cured: Column<f64>,
}

impl OnLeaves {
    /// A day: the fungicide decays, today's spray of `grams` covers all leaves, and rain washes off a part of all.
    pub(super) fn settle(&self, grams: Column<f64>, c: &Context<'_>) {
        let rain = unwashed(c.value(self.rain), self.p.washed_half_mm);
        let (doses, covered) = (c.get(self.dose), c.get(self.covered));
        for (plot, grams) in c.get(grams).iter().enumerate() {
            let (dose, sprayed) = (&doses[plot], grams.get() / self.area);
            if dose.get() == 0.0 && sprayed <= 0.0 {
                continue;
            }
            let leaves = self.leaves.iter().fold(0.0, |sum, column| sum + c.get(*column)[plot].get()).min(MANY);
            let old = if leaves > 0.0 { (covered[plot].get() / leaves).min(1.0) } else { 0.0 };
            let mut here = self.kept * dose.get();
            let mut share = old;
            if sprayed > 0.0 && leaves > 0.0 {
                // The former dose counts for the leaves that it covers.
                here = (here * old + sprayed).min(MAX_GRAMS);
                share = 1.0;
            }
            here *= rain;
            if here < NOTHING || share == 0.0 {
                (here, share) = (0.0, 0.0);
            }
            dose.set(here);
            covered[plot].set(share * leaves);
            let cures = sprayed > 0.0;
            for effect in self.oomycetes.iter().chain(&self.fungi) {
                let prevented = share * prevented(effect.kind.share * here, self.p.prevents_half);
                c.get(effect.prevented)[plot].set(prevented);
                c.get(effect.cured)[plot].set(if cures { effect.kind.cures_days } else { 0.0 });
            }
        }
    }
}
