//! The parts of `docs/migrating-parts.md` in their new form, which that page shows.

use farm_core::action::CallArguments;
use farm_core::declare::{ActionInfo, MassBalance, count, real};
use farm_core::spec::load;
use farm_core::{Behaviour, Bind, Column, Context, Declarations, Entity, EventId, Game, Phase, Role};

const RAIN_AMOUNT: Role<f64> = Role::scalar("test_rain", "L", "Rain of the day.");
const HOST_NUMBER: Role<i32> = Role::scalar("test_hosts_of_grazers", "nb", "Plants that grazers eat.");
const TAP: &str = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1 1'/>";

/// Rain, and a plant.
#[derive(Debug, Clone, farm_core::Parameters)]
struct Garden {}

#[farm_core::register(source = "test")]
impl Entity for Garden {
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
        d.variable(real("rain#L", 0.0, 9.0, "Rain.").role(RAIN_AMOUNT));
        d.variable(count("plants#nb", 0, 9, "Plants.").role(HOST_NUMBER));
        Bind::new(|_| Nothing)
    }
}

struct Nothing;

impl Behaviour for Nothing {}

/// Barrels with taps.
#[derive(Debug, Clone, farm_core::Parameters)]
struct Barrels {}

#[farm_core::register(source = "test")]
impl Entity for Barrels {
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
        let water = d.variable(real("water#L", 0.0, 200.0, "Water in the barrel.").per_plot());
        let rain = d.one(RAIN_AMOUNT);
        let full = d.event("barrel_full", 1, "A barrel is full.");
        d.action_with(ActionInfo::new("open", "Empties the barrel.", Vec::new()).shown_as("opened", TAP));
        Bind::new(move |found| {
            let taps = Taps { water: found.get(water), rain: found.get(rain), full: found.get(full) };
            found.mass_balance(MassBalance::new("water", "L", taps.water).inflow("rain", taps.rain));
            taps
        })
    }
}

struct Taps {
    water: Column<f64>,
    rain: Column<f64>,
    full: EventId,
}

impl Behaviour for Taps {
    fn act(&self, _: usize, _: CallArguments<'_>, c: &mut Context<'_>) {
        c.get(self.water).iter().for_each(|water| water.set(0.0));
    }

    fn tick(&self, _: Phase, c: &mut Context<'_>) {
        let rain = c.value(self.rain);
        c.get(self.water).iter().for_each(|water| water.update(|water| water + rain));
        c.emit(self.full, 0, 1.0);
    }
}

/// Grazers that eat leaves.
#[derive(Debug, Clone, farm_core::Parameters)]
struct Grazers {}

#[farm_core::register(source = "test")]
impl Entity for Grazers {
    fn declare(&self, _: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
        Bind::after(|d, known| {
            let hosts = known.declarations(HOST_NUMBER).into_iter();
            let eaten = hosts.map(|(host, _)| format!("eaten.{}", host.name()));
            let eaten: Vec<_> = eaten.map(|name| d.variable(count(&name, 0, 1000, "Leaves eaten."))).collect();
            Bind::new(move |found| Herd { eaten: found.get(eaten) })
        })
    }
}

struct Herd {
    eaten: Vec<Column<i32>>,
}

impl Behaviour for Herd {
    fn tick(&self, _: Phase, c: &mut Context<'_>) {
        self.eaten.iter().for_each(|column| c.get(*column)[0].update(|eaten| eaten + 1));
    }
}

#[test]
fn the_parts_of_the_page_about_migration_make_a_game() {
    let text = "name: migrated\nfields: {Field-0: {entities: [Barrels, Grazers, Garden]}}\nfarmers: [BasicFarmer]\n\
                rules: {BasicRule: {max_steps: 5}}\nscore: PriceScore\n";
    let game = load("migrated.yaml", text).and_then(Game::new).unwrap();
    let [barrels, grazers, ..] = game.parts() else { panic!("two parts") };
    assert_eq!(barrels.mass_balances()[0].flows()[0].name(), "rain");
    assert_eq!(barrels.actions()[0].done(), Some("opened"));
    assert_eq!(grazers.variables()[0].name(), "eaten.Garden-0");
}
