//! The parts that the engine is tested with: no more than the tests ask of them.
//!
//! They have names that shipped parts have, so that a game of these tests reads as any other does; nothing else of those is here.

use farm_core::Slot;
use farm_core::action::{ActionKind, CallArguments};
use farm_core::declare::{ActionParameter, ValueKind, category, count, flag, real};
use farm_core::rules::Conditions;
use farm_core::rules::{AtLimit, RuleBuilder, Rules};
use farm_core::{
    Attempt, Behaviour, Bind, Column, Context, Declarations, Entity, Farmer, FarmerBehaviour, Phase, Reader, Rule,
};

/// A parameter set without a parameter.
const A_SET: &str = "montpellier: {doc: A place., source: test, parameters: {}}\n\
                     loam: {doc: A soil., source: test, parameters: {}}\n\
                     bean: {doc: A crop., source: test, parameters: {}}\n";

/// Numbers of the whole field.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct Weather {}

#[farm_core::register(source = "test", sets = A_SET)]
impl Entity for Weather {
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
        let day = d.variable(count("day#int365", 0, 1000, "The day."));
        for name in ["mean", "min", "max"] {
            d.variable(real(&format!("air_temperature.{name}#°C"), -90.0, 60.0, "A temperature.").default(20.0));
        }
        d.variable(real("humidity_min#%", 0.0, 100.0, "A value that no learner observes.").hidden());
        d.variable(real("wind.speed#km.h-1", 0.0, 500.0, "The wind."));
        d.variable(real("wind.direction#°", 0.0, 360.0, "Where it comes from."));
        for name in ["air_temperature.mean#°C", "humidity#%", "rain_amount#mm.day-1"] {
            let kind = ValueKind::Real { low: -90.0, high: 100.0 };
            d.observable(&format!("forecast.{name}"), kind, &[5], "What comes, day by day.");
        }
        d.runs_in(Phase::Exogenous);
        Bind::new(move |found| Sky(found.get(day)))
    }
}

struct Sky(Column<i32>);

impl Behaviour for Sky {
    fn tick(&self, _: Phase, c: &mut Context<'_>) {
        c.get(self.0)[0].update(|day| day + 1);
    }

    fn observe(&self, observable: usize, reader: &Reader<'_>, out: &mut Slot<'_>) {
        let day = f64::from(reader.get(self.0)[0]);
        (0..5).for_each(|lead| out.set_real(lead, day + 10.0 * observable as f64 + lead as f64));
    }
}

/// Stocks of each plot.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct Soil {}

#[farm_core::register(source = "test", sets = A_SET)]
impl Entity for Soil {
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
        let water = d.variable(real("available_Water#L", 0.0, 1e6, "Water.").per_plot().default(100.0));
        for name in ["N", "P"] {
            d.variable(real(&format!("available_{name}#g"), 0.0, 1e6, "A nutrient.").per_plot().default(5.0));
        }
        d.variable(real("pending_surplus#L", 0.0, 1e6, "A value that no learner observes.").per_plot().hidden());
        let offered: Vec<f64> = (1..=15).map(f64::from).collect();
        for name in ["water_discrete", "water_continuous"] {
            let amount = ActionParameter::real("amount#L", 0.0, 1000.0, &offered, "How much.");
            let duration = ActionParameter::real("duration#min", 0.0, 1440.0, &[60.0], "How long.");
            d.action(name, vec![ActionParameter::plot(), amount, duration], "Waters a plot.");
        }
        Bind::new(move |found| Stocks(found.get(water)))
    }
}

struct Stocks(Column<f64>);

impl Behaviour for Stocks {
    fn act(&self, _: usize, arguments: CallArguments<'_>, c: &mut Context<'_>) {
        c.get(self.0)[arguments.plot(0)].update(|water| water + arguments.real(1));
    }
}

/// Stages and sizes of each plot.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct Plant {}

#[farm_core::register(source = "test", sets = A_SET)]
impl Entity for Plant {
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
        d.variable(category("stage", ValueKind::named(&["none", "seed", "ripe"]), "The stage.").per_plot());
        let size = d.variable(real("size#cm", 0.0, 1e6, "The size.").per_plot());
        let amount = ActionParameter::real("amount#seed", 1.0, 100.0, &[1.0], "How many.");
        let spacing = ActionParameter::real("spacing#cm", 1.0, 1000.0, &[20.0], "How far apart.");
        d.action("sow", vec![ActionParameter::plot(), amount, spacing], "Sows.");
        d.action("harvest", Vec::new(), "Harvests all plots.");
        d.action("micro_harvest", vec![ActionParameter::plot()], "Harvests a plot.");
        d.action("remove", vec![ActionParameter::plot()], "Clears a plot.");
        Bind::new(move |found| Sizes(found.get(size)))
    }
}

struct Sizes(Column<f64>);

impl Behaviour for Sizes {
    fn act(&self, action: usize, arguments: CallArguments<'_>, c: &mut Context<'_>) {
        let sizes = c.get(self.0);
        match action {
            1 => sizes.iter().for_each(|size| size.set(0.0)),
            _ => sizes[arguments.plot(0)].update(|size| size + 1.0),
        }
    }
}

/// Variables that never change.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct Board {}

#[farm_core::register(source = "test")]
impl Entity for Board {
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
        d.variable(real("level#nb", 0.0, 100.0, "A real for each plot.").per_plot());
        let marks = ValueKind::named(&["red", "green", "blue"]);
        d.variable(category("mark", marks, "A word for each plot.").per_plot());
        d.variable(count("number#nb", 0, 50, "A count."));
        d.variable(count("ahead#nb", 0, 50, "A count for today and the days ahead.").shape(&[4]));
        d.variable(real("pair.left#nb", 0.0, 9.0, "The first of a group."));
        d.variable(real("pair.right#nb", 0.0, 9.0, "The second of a group."));
        d.variable(flag("open", "A flag."));
        d.observable("seen#nb", ValueKind::Real { low: 0.0, high: 1.0 }, &[], "Computed when it is looked at.");
        d.runs_in(Phase::Account);
        Bind::new(|_| Still)
    }
}

struct Still;
impl Behaviour for Still {}

/// Does so much in a day.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct BasicFarmer {
    /// Interventions a day.
    #[parameter(default = 1, range = 0..=1_000_000)]
    pub max_daily_interventions: u32,
}

#[farm_core::register(source = "test")]
impl Farmer for BasicFarmer {
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn FarmerBehaviour> {
        d.runs_in(Phase::Exogenous);
        let done = d.variable(count("interventions_today", 0, 1_000_000, "What was done today."));
        Bind::new(move |found| Hand { done: found.get(done), most: self.max_daily_interventions as i32 })
    }
}

struct Hand {
    done: Column<i32>,
    most: i32,
}

impl Behaviour for Hand {
    fn tick(&self, _: Phase, c: &mut Context<'_>) {
        c.get(self.done)[0].set(0);
    }
}

impl FarmerBehaviour for Hand {
    fn rejection(&self, attempt: &Attempt<'_>, reader: &Reader<'_>) -> Option<&'static str> {
        let is_tired = attempt.kind() == ActionKind::Intervention && reader.get(self.done)[0] >= self.most;
        is_tired.then_some("the farmer has no time left today")
    }

    fn before_action(&self, attempt: &Attempt<'_>, c: &mut Context<'_>) {
        c.get(self.done)[0].update(|done| done + i32::from(attempt.kind() == ActionKind::Intervention));
    }
}

farm_core::free_form! {
    /// What the engine reads.
    pub struct Tree = "a tree";
}

/// All that a rule can ask of the engine.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct BasicRule {
    /// Values at the start.
    pub initial_conditions: Tree,
    /// What is seen for free.
    pub free_observations: Tree,
    /// What may be done.
    pub actions: Tree,
    /// What can be asked for.
    pub observations: Tree,
    /// The most actions in one step.
    #[parameter(default = 1, range = 0..=10_000)]
    pub max_action_schedule_size: u32,
    /// How many values of a range the flat list has.
    #[parameter(name = "number_of_bins_to_discretize_continuous_actions", default = 11, range = 1..=10_000)]
    pub bins: u32,
    /// When the episode ends.
    pub stopping_conditions: Conditions,
    /// How many steps make a day.
    #[parameter(default = 1, range = 1..=100_000)]
    pub steps_per_day: u32,
    /// After how many days it ends in any case.
    #[parameter(range = 1..=1_000_000_000)]
    pub max_steps: Option<u32>,
    /// Whether that is `terminated` or `truncated`.
    #[parameter(default = "truncated".to_owned())]
    pub at_max_steps: String,
    /// The most that the actions of one step may cost.
    #[parameter(range = 0.0..=1e12)]
    pub max_action_schedule_cost: Option<f64>,
    /// Whether costs are told and not subtracted.
    pub costs_in_info_only: bool,
}

#[farm_core::register(source = "test")]
impl Rule for BasicRule {
    fn build(&self, b: &mut RuleBuilder<'_>) -> Rules {
        let (looks, deeds) = (&self.observations.0, &self.actions.0);
        Rules {
            initial: b.initial_conditions(&self.initial_conditions.0, "initial_conditions"),
            free: b.free_observations(&self.free_observations.0, "free_observations"),
            base_actions: [b.observations(looks, "observations"), b.actions(deeds, "actions")].concat(),
            bins: self.bins as usize,
            max_schedule: self.max_action_schedule_size as usize,
            stopping: b.stopping_conditions(&self.stopping_conditions.0, "stopping_conditions"),
            steps_per_day: self.steps_per_day,
            max_steps: self.max_steps,
            at_limit: if self.at_max_steps == "terminated" { AtLimit::Terminated } else { AtLimit::Truncated },
            max_cost: self.max_action_schedule_cost.unwrap_or(f64::INFINITY),
            costs_in_info_only: self.costs_in_info_only,
            ..Rules::default()
        }
    }
}
