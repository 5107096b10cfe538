//! The actions and variables of a field of crops: the possible calls for each plot, and the plot's observed state.

use farm_core::action::{Allowed, BaseAction, Call};
use farm_core::declare::{ActionParameterKind, Quantity, Reference};
use farm_core::{Column, Element, Game, State};

use crate::policies::targets::allowed;

/// The state of a plot, as its farmer sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Growth {
    /// No plants; the plot can be sown.
    Free,
    /// Seeds, or plants before their fruits.
    Growing,
    /// Young leaves: the time to fertilise.
    Leaves,
    /// Unripe fruits, which can be harvested.
    Fruits,
    /// Ripe fruits.
    Ripe,
    /// Dead plants.
    Dead,
}

/// A crop in the field.
#[derive(Debug, Clone)]
struct Crop {
    stage: Column<u8>,
    growth: Vec<Growth>,
    sow: Vec<Call>,
    harvest: Vec<Call>,
    remove: Option<Vec<Call>>,
}

/// A field with crops that are sown, watered, fertilised and harvested plot by plot.
#[derive(Debug, Clone)]
pub(crate) struct CropField {
    crops: Vec<Crop>,
    plots: usize,
    day: Column<i32>,
    /// The water in each plot, and whether it is observed.
    water: Column<f64>,
    is_water_seen: bool,
    /// The calls for each allowed amount, from the smallest.
    waterings: Vec<(f64, Vec<Call>)>,
    scatter: Vec<Call>,
    /// The sales so far. A learner knows them from its rewards.
    sales: Column<f64>,
    /// Number of days in an episode.
    pub(crate) days: u32,
}

impl CropField {
    /// A game's field. The error names the missing part or action.
    pub(crate) fn of(game: &Game) -> Result<Self, &'static str> {
        let parts = 0..game.parts().len();
        let [field] = game.fields() else { return Err("a single field") };
        let find = |action: &str| parts.clone().find(|part| allowed(game, *part, action).is_some());
        let crops: Vec<Crop> = parts
            .clone()
            .filter(|part| allowed(game, *part, "sow").is_some())
            .map(|part| Crop::of(game, part))
            .collect::<Option<_>>()
            .ok_or("crops with observed stages, `sow` and `micro_harvest`")?;
        if crops.len() < 2 {
            return Err("at least two crops that can be sown");
        }
        let soil = find("water_discrete").ok_or("a soil that can be watered with `water_discrete`")?;
        let (water, reference) = column::<f64>(game, soil, "available_Water#L").ok_or("water in the soil")?;
        let base = allowed(game, soil, "water_discrete").ok_or("a soil that can be watered")?;
        let mut amounts = values(game, base, "amount#L").ok_or("amounts of water")?;
        amounts.sort_by(f64::total_cmp);
        let of_amount =
            |amount: &f64| Some((*amount, at_plots(game, soil, "water_discrete", Some(("amount#L", *amount)))?));
        let waterings = amounts.iter().map(of_amount).collect::<Option<_>>().ok_or("amounts of water")?;
        let fertilizer = find("scatter").ok_or("a fertiliser that can be scattered")?;
        let scatter = at_plots(game, fertilizer, "scatter", None).ok_or("a fertiliser that can be scattered")?;
        let day = parts.clone().find_map(|part| seen::<i32>(game, part, "day#int365"));
        let sales = parts.clone().find_map(|part| column::<f64>(game, part, "sales"));
        Ok(Self {
            crops,
            plots: field.plots(),
            day: day.ok_or("an observed day of the year")?,
            water,
            is_water_seen: game.observation().shows(&reference),
            waterings,
            scatter,
            sales: sales.ok_or("a score with sales")?.0,
            days: game.rules().max_steps.ok_or("a last day")?,
        })
    }

    /// The number of plots.
    pub(crate) fn plots(&self) -> usize {
        self.plots
    }

    /// The number of crops.
    pub(crate) fn crops(&self) -> usize {
        self.crops.len()
    }

    /// Whether soil water is observed.
    pub(crate) fn is_water_seen(&self) -> bool {
        self.is_water_seen
    }

    /// The day of the year.
    pub(crate) fn day(&self, game: &Game, state: &State) -> u32 {
        game.reader(state).get(self.day)[0].max(0) as u32
    }

    /// Water in a plot, in litres.
    pub(crate) fn water(&self, game: &Game, state: &State, plot: usize) -> f64 {
        game.reader(state).get(self.water)[plot]
    }

    /// The sales of all harvests so far.
    pub(crate) fn sales(&self, game: &Game, state: &State) -> f64 {
        game.reader(state).get(self.sales)[0]
    }

    /// The crop in a plot and its growth; none for a plot without plants.
    pub(crate) fn standing(&self, game: &Game, state: &State, plot: usize) -> Option<(usize, Growth)> {
        let reader = game.reader(state);
        let growth = |crop: &Crop| crop.growth[usize::from(reader.get(crop.stage)[plot])];
        let crops = self.crops.iter().map(growth).enumerate();
        crops.into_iter().find(|(_, growth)| *growth != Growth::Free)
    }

    /// The call that sows a crop on a plot.
    pub(crate) fn sow(&self, crop: usize, plot: usize) -> Call {
        self.crops[crop].sow[plot]
    }

    /// The call that harvests a crop on a plot.
    pub(crate) fn harvest(&self, crop: usize, plot: usize) -> Call {
        self.crops[crop].harvest[plot]
    }

    /// The call that removes a dead crop from a plot, if the rules allow it.
    pub(crate) fn remove(&self, crop: usize, plot: usize) -> Option<Call> {
        Some(self.crops[crop].remove.as_ref()?[plot])
    }

    /// The call that gives the largest allowed amount of water up to `litres`, otherwise the smallest allowed amount.
    pub(crate) fn water_with(&self, litres: f64, plot: usize) -> Call {
        let fitting = self.waterings.iter().rev().find(|(amount, _)| *amount <= litres);
        fitting.unwrap_or(&self.waterings[0]).1[plot]
    }

    /// The call that fertilises a plot.
    pub(crate) fn feed(&self, plot: usize) -> Call {
        self.scatter[plot]
    }
}

impl Crop {
    fn of(game: &Game, part: usize) -> Option<Self> {
        let variable = game.parts()[part].variables().iter().find(|variable| variable.name() == "stage")?;
        let labels = variable.kind().labels(0)?;
        let growth = labels.names().into_iter().map(|name| match name.as_str() {
            "none" | "harvested" => Growth::Free,
            "grow" => Growth::Leaves,
            "fruit" => Growth::Fruits,
            "ripe" => Growth::Ripe,
            "dead" => Growth::Dead,
            _ => Growth::Growing,
        });
        Some(Self {
            stage: seen(game, part, "stage")?,
            growth: growth.collect(),
            sow: at_plots(game, part, "sow", None)?,
            harvest: at_plots(game, part, "micro_harvest", None)?,
            remove: at_plots(game, part, "remove", None),
        })
    }
}

/// The column for a part's variable, and the reference to it.
fn column<T: Element>(game: &Game, part: usize, name: &str) -> Option<(Column<T>, Reference)> {
    let variables = game.parts()[part].variables();
    let index = variables.iter().position(|variable| variable.name() == name)?;
    Some((variables[index].column()?, Reference::new(part, Quantity::Variable(index), name)))
}

/// The column, if a learner observes the variable.
fn seen<T: Element>(game: &Game, part: usize, name: &str) -> Option<Column<T>> {
    column(game, part, name).filter(|(_, reference)| game.observation().shows(reference)).map(|(column, _)| column)
}

/// The values that the rules allow for an action's parameter.
fn values(game: &Game, base: &BaseAction, name: &str) -> Option<Vec<f64>> {
    let at = base.info(game.parts())?.parameters().iter().position(|parameter| parameter.name() == name)?;
    match &base.parameters()[at] {
        Allowed::Values(values) => Some(values.clone()),
        Allowed::Range { .. } => None,
    }
}

/// An action's calls for all plots in order, with the given value for one parameter and the allowed maximum for the others.
fn at_plots(game: &Game, part: usize, action: &str, given: Option<(&str, f64)>) -> Option<Vec<Call>> {
    let base = allowed(game, part, action)?;
    let number = game.catalogue().base_actions().iter().position(|other| std::ptr::eq(other, base))?;
    let info = base.info(game.parts())?;
    let plots = game.fields()[game.parts()[part].field()?].plots();
    let argument = |plot: usize, at: usize| {
        let parameter = &info.parameters()[at];
        match (parameter.kind(), given) {
            (ActionParameterKind::Plot, _) => plot as f64,
            (_, Some((name, value))) if parameter.name() == name => value,
            _ => match &base.parameters()[at] {
                Allowed::Values(values) => values.iter().copied().fold(f64::MIN, f64::max),
                Allowed::Range { high, .. } => *high,
            },
        }
    };
    let at = |plot: usize| {
        let arguments: Vec<f64> = (0..info.parameters().len()).map(|at| argument(plot, at)).collect();
        game.catalogue().call(number, &arguments)
    };
    (0..plots).map(at).collect()
}
