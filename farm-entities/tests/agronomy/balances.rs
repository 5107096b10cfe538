//! Nothing comes from nowhere: the balances of water and nutrients are closed every day, whatever the farmer does.

use farm_core::Stream;

use crate::world::{NUTRIENTS, World, clay_bean, values_of};

/// What a call does, where.
#[derive(Clone)]
struct TakenAction {
    name: String,
    /// None for all plots.
    plot: Option<usize>,
    liters: f64,
}

/// A soil of the game and how it is varied.
struct Case {
    preset: Option<&'static str>,
    soil: &'static str,
    /// Capacity and wilting point [L/m³].
    holds: (f64, f64),
    drainage: bool,
    leaching: &'static str,
    scale_m: f64,
    residue: bool,
}

const SOILS: [(&str, (f64, f64)); 4] =
    [("clay", (360.0, 220.0)), ("silt", (320.0, 170.0)), ("loam", (250.0, 120.0)), ("sand", (120.0, 40.0))];

impl Case {
    fn area(&self) -> f64 {
        self.scale_m * self.scale_m
    }

    fn open(&self) -> World {
        let volume = 0.5 * self.area();
        let soil = format!("{{base: {}, drainage: {}, leaching: {}}}", self.soil, self.drainage, self.leaching);
        let initial = format!(
            "{{Field-0: {{Weather-0: {{day#int365: '(0, 364)', year#int100: '(0, 9)'}}, Soil-0: {{available_Water#L: '(0, {})', \
             microlife_health_index#%: '(1, 100)', available_N#g: [0, 2, 1000]}}, Plant-0: {{stage: [none, seed, grow, bloom, fruit, ripe]}}}}}}",
            self.holds.0 * volume
        );
        let actions = "{Field-0: {Soil-0: {water_discrete: {plot: '*', amount#L: [0, 3, 30, 1000], duration#min: [0, 60, 1440]}}, \
                       Plant-0: {sow: {plot: '*', amount#seed: [1, 30], spacing#cm: [10]}, harvest: , micro_harvest: {plot: '*'}, \
                       remove: {plot: '*'}}}}";
        let scale = self.scale_m.to_string();
        let residue = self.residue.to_string();
        clay_bean(
            self.preset,
            &[
                ("fields.Field-0.shape.scale#m", &scale),
                ("fields.Field-0.entities.1.Soil", &soil),
                ("Field-0.Plant-0.harvest_residue", &residue),
                ("rules.BasicRule.initial_conditions", &initial),
                ("rules.BasicRule.actions", actions),
                ("rules.BasicRule.stopping_conditions", "null"),
                ("rules.BasicRule.max_steps", "null"),
                ("rules.BasicRule.max_action_schedule_size", "3"),
                ("farmers.0.BasicFarmer.max_daily_interventions", "3"),
            ],
        )
    }
}

/// The actions of the flat list of actions, in its order without waiting.
fn taken_actions(world: &World) -> Vec<TakenAction> {
    let game = world.env.game();
    let width = game.fields()[0].width();
    let read = |call| {
        let json = game.catalogue().to_json(call);
        let Some(items) = json.as_array() else {
            return TakenAction { name: json.as_str().unwrap().into(), plot: None, liters: 0.0 };
        };
        let plot = items[4]["plot"].as_array().unwrap();
        let index = |i: usize| plot[i].as_u64().unwrap() as usize;
        let liters = items[4]["amount#L"].as_f64().unwrap_or(0.0);
        TakenAction { name: items[3].as_str().unwrap().into(), plot: Some(index(0) * width + index(1)), liters }
    };
    game.catalogue().calls().iter().map(read).collect()
}

/// All that the balances need, of one day.
struct Day {
    water: Vec<f64>,
    added: f64,
    microlife: Vec<f64>,
    nutrients: [Vec<f64>; 4],
    pools: [Vec<f64>; 4],
    drunk: Vec<f64>,
    stage: Vec<f64>,
    fruit_kg: Vec<f64>,
    harvest: f64,
}

fn look(world: &World) -> Day {
    let soil = |name: &str| world.values(&format!("Soil-0.{name}"));
    let plant = |name: &str| world.values(&format!("Plant-0.{name}"));
    let (population, fruits, weight) = (plant("population#nb"), plant("fruits_per_plant#nb"), plant("fruit_weight#g"));
    Day {
        water: soil("available_Water#L"),
        added: soil("total_cumulated_added_water#L")[0],
        microlife: soil("microlife_health_index#%"),
        nutrients: NUTRIENTS.map(|x| soil(&format!("available_{x}#g"))),
        pools: NUTRIENTS.map(|x| plant(&format!("cumulated_nutrients_{x}#g"))),
        drunk: plant("cumulated_water#L"),
        stage: plant("stage"),
        fruit_kg: (0..population.len()).map(|i| population[i] * fruits[i] * weight[i] / 1000.0).collect(),
        harvest: plant("harvest_weight#kg")[0],
    }
}

#[track_caller]
fn closes(found: f64, expected: f64, size: f64, what: std::fmt::Arguments<'_>) {
    assert!((found - expected).abs() <= 1e-9 * size.max(1.0), "{what}: {found}, expected {expected}");
}

const FRUIT: f64 = 4.0;
const RIPE: f64 = 5.0;
const DEAD: f64 = 6.0;

/// Plays at random and closes all balances every day.
fn play(case: &Case, seeds: std::ops::Range<u64>, days: u32) {
    let mut world = case.open();
    let taken_actions = taken_actions(&world);
    let (area, volume) = (case.area(), 0.5 * case.area());
    let (capacity, wilting) = (case.holds.0 * volume, case.holds.1 * volume);
    for seed in seeds {
        world.env.reset(seed);
        let mut stream = Stream::from_seed(seed ^ 0xfa23);
        let mut before = look(&world);
        let first: [f64; 4] =
            std::array::from_fn(|x| before.nutrients[x].iter().sum::<f64>() + before.pools[x].iter().sum::<f64>());
        let (mut imported, mut exported) = ([0.0; 4], [0.0; 4]);
        for day in 0..days {
            let mut chosen: Vec<usize> = Vec::new();
            if stream.bernoulli(0.4) {
                for _ in 0..=stream.index(3) {
                    let one = stream.index(taken_actions.len() as u32) as usize;
                    if !chosen.contains(&one) {
                        chosen.push(one);
                    }
                }
            }
            let calls: Vec<_> = chosen.iter().map(|i| world.env.game().catalogue().calls()[*i]).collect();
            world.env.step(&calls).unwrap();
            assert!(world.env.record().rejected().is_empty());
            let after = look(&world);
            let soil = |name: &str| world.values(&format!("Soil-0.{name}"));
            let rain = world.value("Weather-0.rain_amount#mm.day-1");
            let flows =
                ["surplus_Water#L.day-1", "uptake_Water#L.day-1", "evaporation#L.day-1", "drainage#L.day-1"].map(soil);
            let asked_water = world.values("Plant-0.asked_Water#L.day-1");

            let mut irrigated = vec![0.0; before.water.len()];
            let mut taken = vec![false; before.water.len()];
            let mut harvest = 0.0;
            for done_action in chosen.iter().map(|i| &taken_actions[*i]) {
                let plots = done_action.plot.map_or(0..before.water.len(), |plot| plot..plot + 1);
                for plot in plots {
                    match done_action.name.as_str() {
                        "water_discrete" => irrigated[plot] += done_action.liters,
                        "remove" => taken[plot] = true,
                        "harvest" | "micro_harvest" if !taken[plot] && [FRUIT, RIPE].contains(&before.stage[plot]) => {
                            harvest += before.fruit_kg[plot];
                            taken[plot] |= !case.residue;
                            // What stays is dead, and can be harvested no more.
                            before.stage[plot] = DEAD;
                        }
                        _ => {}
                    }
                }
            }
            closes(
                after.added - before.added,
                irrigated.iter().sum(),
                after.added,
                format_args!("irrigation of day {day}"),
            );
            closes(after.harvest - before.harvest, harvest, after.harvest, format_args!("harvest of day {day}"));

            for plot in 0..before.water.len() {
                let at = format!("{} seed {seed} day {day} plot {plot}", case.soil);
                let [surplus, uptake, evaporated, drained] = [0, 1, 2, 3].map(|i| flows[i][plot]);
                let change = rain * area + irrigated[plot] - surplus - uptake - evaporated - drained;
                closes(
                    after.water[plot] - before.water[plot],
                    change,
                    capacity + irrigated[plot],
                    format_args!("water of {at}"),
                );
                assert!((0.0..=capacity).contains(&after.water[plot]), "{at}: {} L", after.water[plot]);
                if evaporated > 0.0 {
                    assert!(
                        after.water[plot] + drained >= 0.5 * wilting * (1.0 - 1e-12),
                        "{at}: {} L",
                        after.water[plot]
                    );
                }
                if uptake > 0.0 || drained > 0.0 {
                    let left = after.water[plot] + evaporated;
                    assert!(left >= wilting * (1.0 - 1e-12), "{at}: {left} L left by plants and drainage");
                }
                assert!(case.drainage || drained == 0.0);
                assert!(uptake <= asked_water[plot] + 1e-12, "{at}");
                assert!((1.0..=100.0).contains(&after.microlife[plot]), "{at}: microlife {}", after.microlife[plot]);
                let drunk_before = if taken[plot] { 0.0 } else { before.drunk[plot] };
                if after.drunk[plot] > 0.0 || uptake > 0.0 {
                    closes(
                        after.drunk[plot] - drunk_before,
                        uptake,
                        1.0 + drunk_before,
                        format_args!("water drunk in {at}"),
                    );
                }
            }
            for (x, name) in NUTRIENTS.iter().enumerate() {
                let [gain, uptake, leached] =
                    ["gain", "uptake", "leached"].map(|flow| soil(&format!("{flow}_{name}#g.day-1")));
                let released = world.values(&format!("Plant-0.released_{name}#g.day-1"));
                for plot in 0..before.water.len() {
                    let at = format!("{name} of {} seed {seed} day {day} plot {plot}", case.soil);
                    let (old, new) = (before.nutrients[x][plot], after.nutrients[x][plot]);
                    closes(new - old, gain[plot] - uptake[plot] - leached[plot], old, format_args!("{at}"));
                    let bedrock = before.microlife[plot] / 100.0 * 1e-4 * area;
                    closes(gain[plot], bedrock + released[plot], 1.0, format_args!("gain of {at}"));
                    assert!(new >= 0.0 && leached[plot] >= 0.0 && uptake[plot] >= 0.0, "{at}");
                    let export = if taken[plot] { before.pools[x][plot] } else { 0.0 };
                    let pool = before.pools[x][plot] - export + uptake[plot] - released[plot];
                    closes(after.pools[x][plot], pool, before.pools[x][plot], format_args!("plants' {at}"));
                    imported[x] += bedrock;
                    exported[x] += leached[plot] + export;
                }
                let now = after.nutrients[x].iter().sum::<f64>() + after.pools[x].iter().sum::<f64>();
                let all = first[x] + imported[x] - exported[x];
                closes(
                    now,
                    all,
                    first[x] + exported[x],
                    format_args!("all {name} of {} seed {seed} day {day}", case.soil),
                );
            }
            if day % 8 == 0 {
                in_range(&world);
            }
            before = after;
        }
    }
}

/// Every number of the state is finite and within its declared range.
pub(crate) fn in_range(world: &World) {
    for part in world.env.game().parts().iter() {
        for variable in part.variables() {
            let (low, high) = variable.kind().range();
            for value in values_of(&world.env, variable) {
                assert!(
                    (low..=high).contains(&value),
                    "{}.{}: {value} is not in {low}…{high}",
                    part.path(),
                    variable.name()
                );
            }
        }
    }
}

fn all_cases(preset: Option<&'static str>, soils: &[usize], mut run: impl FnMut(&Case)) {
    for &soil in soils {
        for drainage in [false, true] {
            for leaching in ["corrected", "paper"] {
                for scale_m in [0.5, 1.0, 3.0] {
                    let (soil, holds) = SOILS[soil];
                    run(&Case { preset, soil, holds, drainage, leaching, scale_m, residue: drainage });
                }
            }
        }
    }
}

#[test]
fn one_plot_of_clay_or_silt() {
    all_cases(None, &[0, 1], |case| play(case, 0..6, 120));
}

#[test]
fn one_plot_of_loam_or_sand() {
    all_cases(None, &[2, 3], |case| play(case, 6..12, 120));
}

#[test]
fn twelve_plots_of_clay_or_silt() {
    all_cases(Some("4x3"), &[0, 1], |case| play(case, 0..2, 120));
}

#[test]
fn twelve_plots_of_loam_or_sand() {
    all_cases(Some("4x3"), &[2, 3], |case| play(case, 2..4, 120));
}
