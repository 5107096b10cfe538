//! Shared by plants in all equations: their start, the farmer's actions, and the release of nutrients from dead plants.

use farm_core::action::CallArguments;
use farm_core::declare::{ActionInfo, ActionParameter};
use farm_core::inspect::{format_number, listed};
use farm_core::{Column, Context, Declarations, Phase, Season};

use super::cells::*;
use super::{Equations, InitialStage, Plant};

/// Number of the action `sow`, the first that [`declare`] declares.
const SOW: usize = 0;

/// One of the farmer's actions.
pub(super) enum PlantAction {
    /// Sow a plot: the plot, the number of seeds, the spacing in cm and the cultivar, if there is a choice.
    Sow(usize, f64, f64, Option<u8>),
    HarvestAll,
    Harvest(usize),
    Remove(usize),
}

impl PlantAction {
    /// The action with this number, in the order in which [`declare`] declares them.
    pub(super) fn of(action: usize, arguments: CallArguments<'_>, p: &Plant) -> Self {
        match action {
            SOW => {
                let cultivar = (!p.cultivars.is_empty()).then(|| arguments.choice(3) as u8);
                Self::Sow(arguments.plot(0), arguments.real(1), arguments.real(2), cultivar)
            }
            1 => Self::HarvestAll,
            2 => Self::Harvest(arguments.plot(0)),
            _ => Self::Remove(arguments.plot(0)),
        }
    }
}

/// Largest factor by which a plausible number of plants differs from the usual number.
const FAR: f64 = 20.0;

/// Minimum and maximum of the plausible number of plants on a plot, from the usual number, and the usual number in words.
pub(super) fn believable(usual: f64, area_m2: f64) -> (f64, f64, String) {
    let words = format!("about {usual:.0} on a plot, {} per m²", format_number(usual / area_m2));
    (usual / FAR, usual * FAR, words)
}

/// Whether a plot in this stage can be sown.
pub(super) fn can_sow(stage: u8) -> bool {
    matches!(stage, NONE | SEED | HARVESTED)
}

impl Plant {
    /// Whether only ripe plants can be harvested, because the rules say so or because unripe fruits are worth nothing.
    fn harvests_ripe_only(&self) -> bool {
        self.ripe_only || self.equations == Equations::Agronomic && self.crop.fruits.unripe_worth == 0.0
    }

    /// Whether plants in this stage can be harvested.
    pub(super) fn can_harvest(&self, stage: u8) -> bool {
        stage == RIPE || stage == FRUIT && !self.harvests_ripe_only()
    }
}

/// Whether an action would change anything, with the plots' stages.
pub(super) fn has_effect(action: PlantAction, p: &Plant, stages: &[u8]) -> bool {
    match action {
        PlantAction::Sow(plot, ..) => can_sow(stages[plot]),
        PlantAction::HarvestAll => stages.iter().any(|stage| p.can_harvest(*stage)),
        PlantAction::Harvest(plot) => p.can_harvest(stages[plot]),
        PlantAction::Remove(plot) => !matches!(stages[plot], NONE | HARVESTED),
    }
}

/// Declares the actions and phases of plants. `offered` has the numbers of seeds in the action space, and `most_seeds` is their maximum.
/// `believable` has the plausible numbers, if they are known.
pub(super) fn declare(
    d: &mut Declarations<'_>,
    p: &Plant,
    most_seeds: f64,
    offered: &[f64],
    believable: Option<(f64, f64, String)>,
) {
    let mut amount = ActionParameter::real("amount#seed", 1.0, most_seeds, offered, "Number of seeds.");
    if let Some((low, high, words)) = believable {
        amount = amount.usual(low, high, words);
    }
    let spacing = ActionParameter::real(
        "spacing#cm",
        1.0,
        1000.0,
        &[5.0, 10.0, 15.0, 20.0],
        "Distance between seeds. If not all the seeds fit, fewer are sown.",
    );
    let names: Vec<&str> = p.cultivars.keys().map(String::as_str).collect();
    let needs = |(name, factor): (&String, &f64)| format!("`{name}` needs {:.0} %", 100.0 * factor);
    let needs = listed(&p.cultivars.iter().map(needs).collect::<Vec<_>>(), "and");
    let doc = format!("Cultivar. Of the usual warmth from emergence to ripeness, {needs}.");
    let cultivar = (!names.is_empty()).then(|| ActionParameter::choice("cultivar", &names, &doc));
    let sow = ActionInfo::new(
        "sow",
        "Sows the plot if it is in the `none`, `seed` or `harvested` stage. Any seeds already in the soil are replaced. \
         Has no effect in any other stage.",
        [ActionParameter::plot(), amount, spacing].into_iter().chain(cultivar).collect(),
    );
    let stages = if p.harvests_ripe_only() { "in the `ripe` stage" } else { "in the `fruit` or `ripe` stage" };
    let unripe = match p.crop.fruits.unripe_worth {
        _ if p.harvests_ripe_only() || p.equations != Equations::Agronomic => String::new(),
        1.0 => String::new(),
        worth => format!(" Only {:.0} % of the weight of unripe fruits can be sold.", 100.0 * worth),
    };
    let residue =
        if p.harvest_residue { " The rest of each plant stays on the plot, in the `dead` stage." } else { "" };
    let doc = |plots: &str| format!("Harvests {plots} {stages}. Has no effect in any other stage.{unripe}{residue}");
    let harvest = ActionInfo::new("harvest", &doc("every plot that is"), Vec::new());
    let micro_harvest = ActionInfo::new("micro_harvest", &doc("the plot if it is"), vec![ActionParameter::plot()]);
    let remove = ActionInfo::new(
        "remove",
        "Removes all plants from the plot, including dead ones. Seeds of the crop are also removed.",
        vec![ActionParameter::plot()],
    );
    let (seeds, basket) = (include_str!("../sprites/badges/seeds.svg"), include_str!("../sprites/badges/basket.svg"));
    d.action_with(sow.shown_as("sowed", seeds).on_soil().without_effect("there are plants or dead plants on the plot"));
    let nothing = if p.harvests_ripe_only() { "nothing there is ripe" } else { "nothing there has fruits" };
    let harvested = |action: ActionInfo| action.shown_as("harvested", basket).on_soil().without_effect(nothing);
    d.action_with(harvested(harvest).on_all_plots());
    d.action_with(harvested(micro_harvest));
    let remove = remove.shown_as("cleared", include_str!("../sprites/badges/hoe.svg"));
    d.action_with(remove.on_soil().without_effect("there are no plants on the plot"));
    for phase in [Phase::Release, Phase::Demand, Phase::Develop] {
        d.runs_in(phase);
    }
}

/// With the default start, plots start empty if the rules allow `sow` and set no start. One seed in each plot, the default, would stop a
/// farmer who sows only empty plots.
pub(super) fn plan(p: &mut Plant, season: &Season<'_>) {
    let is_default = p.initial_stage == InitialStage::Seed && p.initial_population == 1;
    if is_default && season.offers(SOW) && !season.sets_start() {
        p.initial_stage = InitialStage::None;
    }
}

/// Sets all plots to the initial stage of the parameters.
pub(super) fn begin(p: &Plant, stage: Column<u8>, population: Column<i32>, c: &Context<'_>) {
    let start = match p.initial_stage {
        InitialStage::None => NONE,
        InitialStage::Seed => SEED,
        InitialStage::Grow => GROW,
    };
    let plants = if start == NONE { 0 } else { p.initial_population as i32 };
    c.get(stage).iter().for_each(|cell| cell.set(start));
    c.get(population).iter().for_each(|cell| cell.set(plants));
}

/// The dead plants on a plot release their nutrients at these speeds, with the help of the microlife (II.6.7 dead). Before the last
/// release, `empty` is called, which may set both columns to 0.
#[farm_core::equation("II.6.7 dead: dead plants give back")]
pub(super) fn give_back(
    (plots, plot): (usize, usize),
    [nutrients, released]: [Column<f64>; 2],
    speed: Vec4,
    microlife: f64,
    c: &Context<'_>,
    empty: impl FnOnce(),
) {
    let held = values(plots, plot, nutrients, c);
    let freed: Vec4 = std::array::from_fn(|x| speed[x] * microlife * held[x]);
    // The last remains are released at once, so that nothing is lost when the plot is empty again.
    let is_last = (0..4).all(|x| held[x] - freed[x] < LAST_REMAINS_G);
    let freed = if is_last { held } else { freed };
    if is_last {
        empty();
    }
    for (x, (nutrient, release)) in four(plots, plot, nutrients, c).zip(four(plots, plot, released, c)).enumerate() {
        nutrient.set(held[x] - freed[x]);
        release.set(freed[x]);
    }
}
