//! A plugin with one part of each sort; each panics at the moment in its parameters.

use farm_core::Slot;
use farm_core::action::{ActionKind, Call, CallArguments};
use farm_core::config::Problems;
use farm_core::declare::{ValueKind, count};
use farm_core::rules::{RuleBuilder, Rules};
use farm_core::{
    Agent, Attempt, Behaviour, Bind, Column, Context, Declarations, Entity, Farmer, FarmerBehaviour, Game, Phase,
    Policy, Reader, Rule, Score, ScoreBehaviour, Season, State,
};

farm_core::declare_plugin!("troublemaker");

/// The moment at which a part panics.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub enum Moment {
    /// Nowhere.
    Never,
    /// When it declares itself or is built.
    Build,
    /// When it is bound.
    Bind,
    /// When an episode begins.
    Reset,
    /// When it settles.
    Settle,
    /// When an action is executed on it.
    Act,
    /// In its phase.
    Tick,
    /// When it is observed.
    Observe,
    /// When it is dropped.
    Drop,
    /// When a farmer is asked whether it permits an action.
    Rejection,
    /// When a farmer is asked for its fields, or a score for a cost.
    Compile,
    /// When a score computes the reward.
    Reward,
    /// When a player chooses.
    Choose,
    /// When a policy is asked whether it knows hidden variables.
    Know,
}

impl Moment {
    /// Panics if this is the moment.
    fn is(self, moment: Self) {
        assert!(self != moment, "I said I would, at {moment:?}");
    }
}

macro_rules! trouble {
    ($($name:ident),+) => { $(
        /// Panics at a moment.
        #[derive(Debug, Clone, farm_core::Parameters)]
        pub struct $name {
            /// The moment.
            #[parameter(default = Moment::Never)]
            pub moment: Moment,
            /// The seed of the episodes in which it panics (default: all episodes).
            pub seed: Option<u32>,
            /// The first step at which it panics.
            #[parameter(range = 0..=1000)]
            pub step: u32,
        }

        impl $name {
            #[allow(dead_code, reason = "not every sort of part calls it")]
            fn panic_in(&self, moment: Moment, c: &Context<'_>) {
                if c.step() >= self.step && self.seed.is_none_or(|seed| u64::from(seed) == c.seed()) {
                    self.moment.is(moment);
                }
            }
        }
    )+ };
}

trouble!(Troublemaker, TroubleFarmer, TroubleRule, TroubleScore, TroublePolicy);

struct Trouble {
    p: Troublemaker,
    days: Column<i32>,
}

#[farm_core::register(source = "Test")]
impl Entity for Troublemaker {
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
        self.moment.is(Moment::Build);
        let days = d.variable(count("days#nb", 0, 1_000_000, "Days so far."));
        d.observable("mood", ValueKind::Count { low: 0, high: 1 }, &[], "How it feels.");
        d.action("poke", Vec::new(), "Pokes it.");
        d.runs_in(Phase::Develop);
        Bind::new(move |found| {
            self.moment.is(Moment::Bind);
            Trouble { p: self.clone(), days: found.get(days) }
        })
    }
}

impl Behaviour for Trouble {
    fn plan(&mut self, _: &mut Season<'_>) {
        self.p.moment.is(Moment::Compile);
    }

    fn reset(&self, c: &mut Context<'_>) {
        self.p.panic_in(Moment::Reset, c);
    }

    fn after_initial_conditions(&self, c: &mut Context<'_>) {
        self.p.panic_in(Moment::Settle, c);
    }

    fn act(&self, _: usize, _: CallArguments<'_>, c: &mut Context<'_>) {
        self.p.panic_in(Moment::Act, c);
    }

    fn tick(&self, _: Phase, c: &mut Context<'_>) {
        self.p.panic_in(Moment::Tick, c);
        let days = &c.get(self.days)[0];
        days.set(days.get() + 1);
    }

    fn observe(&self, _: usize, reader: &Reader<'_>, _: &mut Slot<'_>) {
        if reader.step() >= self.p.step && self.p.seed.is_none_or(|seed| u64::from(seed) == reader.seed()) {
            self.p.moment.is(Moment::Observe);
        }
    }
}

impl Drop for Trouble {
    fn drop(&mut self) {
        self.p.moment.is(Moment::Drop);
    }
}

struct Worker(TroubleFarmer);

#[farm_core::register(source = "Test")]
impl Farmer for TroubleFarmer {
    fn declare(&self, _: &mut Declarations<'_>) -> Bind<'_, dyn FarmerBehaviour> {
        self.moment.is(Moment::Build);
        Bind::new(|_| Worker(self.clone()))
    }
}

impl Behaviour for Worker {}

impl FarmerBehaviour for Worker {
    fn allows(&self, _: ActionKind, _: Option<usize>) -> bool {
        self.0.moment.is(Moment::Compile);
        true
    }

    fn rejection(&self, _: &Attempt<'_>, _: &Reader<'_>) -> Option<&'static str> {
        self.0.moment.is(Moment::Rejection);
        None
    }
}

#[farm_core::register(source = "Test")]
impl Rule for TroubleRule {
    fn build(&self, _: &mut RuleBuilder<'_>) -> Rules {
        self.moment.is(Moment::Build);
        Rules { max_steps: Some(5), max_schedule: 1, max_cost: f64::INFINITY, bins: 1, ..Rules::default() }
    }
}

struct Judge(TroubleScore);

#[farm_core::register(source = "Test")]
impl Score for TroubleScore {
    fn declare(&self, _: &mut Declarations<'_>) -> Bind<'_, dyn ScoreBehaviour> {
        self.moment.is(Moment::Build);
        Bind::new(|_| Judge(self.clone()))
    }
}

impl Behaviour for Judge {}

impl ScoreBehaviour for Judge {
    fn intervention_cost(&self, _: &str, _: &str) -> f64 {
        self.0.moment.is(Moment::Compile);
        0.0
    }

    fn reward(&self, c: &mut Context<'_>) -> f64 {
        self.0.panic_in(Moment::Reward, c);
        1.0
    }
}

struct Chooser(TroublePolicy);

#[farm_core::register(source = "Test")]
impl Policy for TroublePolicy {
    fn build(&self, _: &Game) -> Result<Box<dyn Agent>, Problems> {
        self.moment.is(Moment::Build);
        Ok(Box::new(Chooser(self.clone())))
    }

    /// Whether it depends on the seed, which no learner knows.
    fn knows_hidden(&self, _: &Game) -> bool {
        self.moment.is(Moment::Know);
        self.seed.is_some()
    }
}

impl Agent for Chooser {
    fn start(&mut self, _: u64) {}

    fn choose(&mut self, game: &Game, state: &State, schedule: &mut Vec<Call>) {
        if game.reader(state).step() >= self.0.step {
            self.0.moment.is(Moment::Choose);
        }
        schedule.extend(game.catalogue().discrete(1).unwrap_or_default());
    }
}
