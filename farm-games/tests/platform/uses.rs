//! Fields that use parts of other fields: one weather for two fields, one tank for many.

use std::sync::Arc;

use farm_core::config::{Document, Problems};
use farm_core::declare::{Own, real};
use farm_core::inspect::influences;
use farm_core::spec::{load, load_document};
use farm_core::{Behaviour, Bind, Column, Context, Declarations, Entity, Environment, Game, Phase};
use farm_roles::{RAIN_AMOUNT, WATER_INFLOW};

/// A spring for several fields.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct Spring {}

struct Brooks(Vec<Column<f64>>);

#[farm_core::register(source = "Test")]
impl Entity for Spring {
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
        d.runs_in(Phase::Release);
        let brooks = d.part().fields_served().into_iter().map(|field| {
            let brook = real(&format!("brook_{field}#L.day-1"), 0.0, 10.0, "Water for each plot of a field.");
            d.variable(brook.plots_of(field).role(WATER_INFLOW))
        });
        let brooks: Vec<Own<f64>> = brooks.collect();
        Bind::new(move |found| Brooks(found.get(brooks)))
    }
}

impl Behaviour for Brooks {
    fn tick(&self, _: Phase, c: &mut Context<'_>) {
        for (rank, brook) in self.0.iter().enumerate() {
            c.get(*brook).iter().for_each(|plot| plot.set(rank as f64 + 1.0));
        }
    }
}

/// Three fields, of which the first has weather and spring; what stands in the third beside its soil.
fn text(uses: [&str; 3]) -> String {
    let field = |name: &str, shape: (usize, usize), uses: &str, entities: &str| {
        let (length, width) = shape;
        let uses = if uses.is_empty() { String::new() } else { format!("    uses: {uses}\n") };
        format!("  {name}:\n    shape: {{length#nb: {length}, width#nb: {width}}}\n{uses}    entities: [{entities}]\n")
    };
    let weather = "{Weather: montpellier}, Spring, ";
    let fields = [
        field("North", (2, 2), uses[0], &format!("{weather}{{Soil: clay}}")),
        field("South", (3, 1), uses[1], "{Soil: clay}, {Plant: bean}"),
        field("Far", (1, 1), uses[2], "{Weather: lille}, {Soil: clay}"),
    ];
    format!(
        "name: springs\nfields:\n{}farmers: [BasicFarmer]\nrules: {{BasicRule: {{max_steps: 50}}}}\nscore: BasicScore\n\
         interaction_mode: fomdp\n",
        fields.concat()
    )
}

fn compiled(uses: [&str; 3]) -> Result<Game, Problems> {
    let document = Document::parse("springs.yaml", &text(uses))?;
    Game::new(load_document(&document)?).map_err(|problems| document.locate(problems))
}

fn shared() -> Game {
    let game = compiled(["", "[North.Weather-0, North.Spring-0]", "[North.Spring-0]"]);
    game.unwrap_or_else(|problems| panic!("{problems}"))
}

#[test]
fn a_field_finds_the_roles_of_the_parts_that_it_uses() {
    let game = Arc::new(shared());
    let mut environment = Environment::new(game.clone());
    environment.reset(5);
    let mut rained = [false; 2];
    for _ in 0..50 {
        environment.step(&[]).unwrap();
        let state = environment.state_json();
        for (field, brought, plots) in [("North", 1.0, 4), ("South", 2.0, 3), ("Far", 3.0, 1)] {
            let inflow = &state[format!("{field}.Soil-0.inflow_Water#L.day-1")];
            let inflow: Vec<f64> = flat(inflow);
            assert_eq!(inflow, vec![brought; plots], "{field}");
        }
        let rain = |field: &str| state[format!("{field}.Weather-0.rain_amount#mm.day-1")].as_f64().unwrap();
        // The spring wets the ground anyway: the balances tell how much of the water is rain.
        let rains = game.parts().iter().filter(|part| part.name() == "Soil-0").map(|soil| {
            let flow = soil.mass_balances()[0].flows().iter().find(|flow| flow.name() == "rain").unwrap();
            flow.amount(&game.reader(environment.state()))
        });
        let rains: Vec<f64> = rains.collect();
        let expected = [4.0 * rain("North"), 3.0 * rain("North"), rain("Far")];
        // An observation has 32-bit reals.
        rains.iter().zip(expected).for_each(|(found, expected)| assert!((found - expected).abs() < 1e-4));
        rained[0] |= rain("North") > 0.0;
        rained[1] |= rain("Far") != rain("North");
    }
    assert_eq!(rained, [true; 2]);
}

fn flat(value: &serde_json::Value) -> Vec<f64> {
    match value {
        serde_json::Value::Array(values) => values.iter().flat_map(flat).collect(),
        number => number.as_f64().into_iter().collect(),
    }
}

#[test]
fn values_of_plots_stay_with_their_field_and_influences_are_those_that_are_used() {
    let game = shared();
    let part = |path: &str| game.parts().iter().position(|part| part.path() == path).unwrap();
    let roles = |from: &str, to: &str| -> Vec<&'static str> {
        let (from, to) = (part(from), part(to));
        let all = influences(game.parts());
        all.iter().filter(|i| (i.from(), i.to()) == (from, to)).flat_map(|i| i.roles()).copied().collect()
    };
    assert!(roles("North.Weather-0", "South.Plant-0").contains(&RAIN_AMOUNT.name()));
    assert_eq!(roles("North.Spring-0", "South.Soil-0"), ["water_inflow"]);
    assert!(roles("North.Weather-0", "Far.Soil-0").is_empty(), "it has a weather of its own");
    assert!(roles("South.Plant-0", "North.Soil-0").is_empty(), "who is not used is not found");
    assert!(roles("South.Plant-0", "North.Weather-0").is_empty());
    // Of a used part only what fits the field is found: its values for the field, and not those of its own plots.
    let wrong = compiled(["", "[North.Weather-0, North.Soil-0]", ""]).unwrap_err().to_string();
    assert!(wrong.contains("needs one provider of the roles") && wrong.contains("`topsoil_capacity`"), "{wrong}");
    assert!(!wrong.contains("`supply_water`"), "values of each plot of the North are not seen in the South: {wrong}");
}

#[test]
fn what_is_used_is_written_and_read_again() {
    let game = shared();
    let yaml = game.spec().to_yaml().unwrap();
    let again = load("again", &yaml).and_then(Game::new).unwrap();
    assert_eq!(again.parts(), game.parts());
    assert_eq!(again.spec().to_yaml().unwrap(), yaml);
    assert_eq!(game.parts()[1].serves(), [1, 2], "the spring serves both");
}

#[test]
fn names_that_can_not_be_used_are_told_with_their_place() {
    for (uses, told) in [
        (["", "[North.Wether-0]", ""], ["no field has a part `North.Wether-0`", "did you mean `North.Weather-0`?"]),
        (["", "[South.Soil-0, North.Weather-0]", ""], ["`South.Soil-0` is a part of `South` itself", "uses[0]"]),
        (["", "[North.Weather-0, North.Weather-0]", ""], ["`North.Weather-0` is listed twice", "uses[1]"]),
        (["", "[3]", ""], ["fields.South.uses[0]", "found: 3"]),
        (["", "North.Weather-0", ""], ["fields.South.uses", "a list"]),
    ] {
        let found = compiled(uses).err().map(|problems| problems.to_string()).unwrap_or_default();
        let line = text(uses).lines().position(|line| line.trim_start().starts_with("uses:")).unwrap() + 1;
        assert!(found.contains(&format!("springs.yaml:{line}:")), "{uses:?}: {found}");
        assert!(told.iter().all(|piece| found.contains(piece)), "{told:?} in\n{found}");
    }
}
