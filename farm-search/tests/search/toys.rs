//! A game whose optimum is known: a vein of gold that grows by one a day, and may be dug from five on.
//!
//! Whoever digs earlier loses what he would have won. With `max_steps` of 60 the vein is ripe on the days 5, 10 … 55: eleven times.

use farm_core::declare::{ActionParameter, count, real};
use farm_core::{
    Behaviour, Bind, Column, Context, Declarations, Entity, EventId, Game, Phase, Purpose, config::Document,
};

/// What may be dug out from.
const RIPE: i32 = 5;
/// What polishing pays where there is a hole.
const HOLE: f64 = 20.0;

/// A vein that grows.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct Vein {
    /// Whether polishing pays on days on which nobody would do it.
    pub hole: bool,
    /// How much gold falls from it by chance in a day.
    #[parameter(default = 0.0, range = 0.0..=1e6)]
    pub dice: f64,
}

#[farm_core::register(source = "test")]
impl Entity for Vein {
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
        let ripeness = d.variable(count("ripeness#nb", 0, 1000, "How ripe it is."));
        let amount = ActionParameter::real("amount#nb", 1.0, 3.0, &[1.0, 2.0, 3.0], "How deep.");
        d.action("dig", vec![amount], "Digs.");
        d.action("polish", Vec::new(), "Polishes.");
        let gold = d.event("gold", 4, "Gold.");
        d.runs_in(Phase::Develop);
        let key = d.stream_key();
        Bind::new(move |found| {
            let (ripeness, gold) = found.get((ripeness, gold));
            Rock { ripeness, gold, hole: self.hole, dice: self.dice, key }
        })
    }
}

struct Rock {
    ripeness: Column<i32>,
    gold: EventId,
    hole: bool,
    dice: f64,
    key: u64,
}

impl Behaviour for Rock {
    fn act(&self, action: usize, arguments: farm_core::action::CallArguments<'_>, c: &mut Context<'_>) {
        let ripeness = &c.get(self.ripeness)[0];
        let gold = match action {
            0 => {
                let amount = arguments.real(0);
                let gold = if ripeness.get() >= RIPE { amount } else { -amount };
                ripeness.set(0);
                gold
            }
            _ if self.hole && ripeness.get() == 2 => HOLE,
            _ => -1.0,
        };
        c.emit(self.gold, 0, gold);
    }

    fn tick(&self, _: Phase, c: &mut Context<'_>) {
        c.get(self.ripeness)[0].update(|ripeness| (ripeness + 1).min(1000));
        let luck = c.stream(self.key, Purpose::named("luck")).uniform();
        c.emit(self.gold, 0, self.dice * luck);
    }
}

/// A sky from which gold falls.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct Sky {
    /// How much gold falls in a day at the most.
    #[parameter(default = 0.0, range = 0.0..=1e6)]
    pub gift: f64,
}

#[farm_core::register(source = "test")]
impl Entity for Sky {
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
        let rain = d.variable(real("rain#mm.day-1", 0.0, 1e9, "What falls.").role(farm_roles::RAIN_AMOUNT));
        let gift = d.event("gift", 1, "Gold that falls.");
        d.runs_in(Phase::Exogenous);
        let key = d.stream_key();
        Bind::new(move |found| Clouds { rain: found.get(rain), gift: found.get(gift), most: self.gift, key })
    }
}

struct Clouds {
    rain: Column<f64>,
    gift: EventId,
    most: f64,
    key: u64,
}

impl Behaviour for Clouds {
    fn tick(&self, _: Phase, c: &mut Context<'_>) {
        let fallen = self.most * c.stream(self.key, Purpose::named("rain")).uniform();
        c.get(self.rain)[0].set(fallen);
        c.emit(self.gift, 0, fallen);
    }
}

/// What a mine is like.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mine {
    pub hole: bool,
    pub dice: f64,
    pub gift: f64,
    /// How much the expert digs; the most is 3.
    pub expert_digs: u32,
}

impl Mine {
    pub(crate) const PLAIN: Self = Self { hole: false, dice: 0.0, gift: 0.0, expert_digs: 3 };

    /// The game.
    pub(crate) fn open(self) -> Game {
        let document = Document::parse("mine", &self.text()).unwrap();
        farm_games::compile(&document).unwrap_or_else(|problems| panic!("{problems}"))
    }

    /// The game's YAML.
    pub(crate) fn text(self) -> String {
        let Self { hole, dice, gift, expert_digs } = self;
        format!(
            "name: mine
fields:
  Field-0:
    localization: {{latitude#°: 43, longitude#°: 3, altitude#m: 0}}
    shape: {{length#nb: 1, width#nb: 1, scale#m: 1.0}}
    entities:
      - Sky: {{gift: {gift}}}
      - Vein: {{hole: {hole}, dice: {dice}}}
farmers:
  - BasicFarmer: {{max_daily_interventions: 1}}
rules:
  BasicRule:
    free_observations:
      - [Field-0, Vein-0, ripeness#nb]
      - [Field-0, Sky-0, rain#mm.day-1]
    actions:
      Field-0:
        Vein-0: {{dig: {{amount#nb: [1, 2, 3]}}, polish: }}
    max_action_schedule_size: 1
    max_steps: 60
score:
  EventScore: {{weights#point: {{gold: 1, gift: 1}}}}
policies:
  expert:
    TriggerPolicy:
      rules:
        - when: [[{{state_variable: [Field-0, Vein-0, ripeness#nb], operator: '>=', ref_value: 5}}]]
          act: {{field: Field-0, entity: Vein-0, action: dig, parameters: {{amount#nb: {expert_digs}}}}}
"
        )
    }
}
