//! The whole farm's balances: with every entity on, water, nutrients, fertiliser, cides and pests are accounted for every day,
//! whatever the farmer does.

use std::sync::Arc;

use farm_core::declare::VariableInfo;
use farm_core::{Column, Environment, Game, Stream};
use farm_games::{Options, open};

const NUTRIENTS: [&str; 4] = ["N", "P", "K", "C"];
const CIDE_TARGETS: [&str; 4] = ["pests", "weeds", "pollinators", "soil"];
/// Sets free on its plot what the cides of the game are made of, in the order of `CIDE_TARGETS`.
const HERBICIDE: [f64; 4] = [0.0, 1.0, 0.0, 0.1];
const PESTICIDE: [f64; 4] = [1.0, 0.0, 1.0, 0.1];

const FRUIT: f64 = 4.0;
const RIPE: f64 = 5.0;
const DEAD: f64 = 6.0;

/// The balances close to this share of the numbers that were added.
const ROUNDING: f64 = 1e-9;

/// What a call does, where.
#[derive(Clone)]
struct TakenAction {
    /// Empty for calls without parameters.
    part: String,
    name: String,
    /// None for all plots.
    plot: Option<usize>,
    amount: f64,
}

/// The full farm with a shape and more actions than the game offers.
struct Farm {
    env: Environment,
    taken_actions: Vec<TakenAction>,
    residue: bool,
    what: String,
    /// How much went each of the ways of `WAYS` in all days played.
    seen: [f64; 9],
}

/// What must have happened for the balances to prove anything.
const WAYS: [&str; 9] =
    ["harvest", "irrigation", "surplus", "uptake", "evaporation", "leaching", "weeds", "fertiliser", "pests"];

/// The variables of all plots that the balances need, of one evening.
struct Evening {
    water: Vec<f64>,
    microlife: Vec<f64>,
    nutrients: [Vec<f64>; 4],
    pools: [Vec<f64>; 4],
    cides: [Vec<f64>; 4],
    /// Kilograms of fertiliser, herbicide and pesticide, and how much was scattered so far.
    stocks: [Vec<f64>; 3],
    scattered: [f64; 3],
    stage: Vec<f64>,
    fruit_kg: Vec<f64>,
    harvest: f64,
    added: f64,
    pests: f64,
    pests_ever: f64,
    weeds: Vec<f64>,
    weed_flowers: Vec<f64>,
}

const SCATTERED: [&str; 3] = ["Fertilizer-0", "Cide-0", "Cide-1"];

impl Farm {
    /// The game with a preset or a shape, with changes.
    fn new(preset: Option<&str>, changes: &[(&str, &str)], residue: bool) -> Self {
        let actions = "{Field-0: {Soil-0: {water_discrete: {plot: '*', amount#L: [0, 5, 60, 1000], duration#min: [0, 60]}}, \
             Plant-0: {sow: {plot: '*', amount#seed: [1, 30], spacing#cm: [20]}, harvest: , micro_harvest: {plot: '*'}, \
             remove: {plot: '*'}}, Weeds-0: {remove: {plot: '*'}}, \
             Fertilizer-0: {scatter: {plot: '*', amount#kg: [0.1, 10]}, scatter_bag: {plot: '*', amount#bag: [1, 4]}}, \
             Cide-0: {scatter: {plot: '*', amount#kg: [0.005, 0.1]}}, \
             Cide-1: {scatter: {plot: '*', amount#kg: [0.001, 0.05]}}, \
             Facility-0: {put_scarecrow: {type: '*'}, remove_scarecrow: }}}";
        let initial = "{Field-0: {Weather-0: {day#int365: '(0, 364)', year#int100: '(0, 9)'}, \
             Soil-0: {microlife_health_index#%: '(1, 100)', available_N#g: [0, 2, 1000]}, \
             Plant-0: {stage: [none, seed, grow, bloom, fruit, ripe]}, Weeds-0: {seeds#nb: '(0, 50)'}, \
             Pests-0: {plot_population#nb: '(0, 20)'}}}";
        let residue_text = residue.to_string();
        let mut set: Vec<(String, String)> = [
            ("Field-0.Plant-0.harvest_residue", residue_text.as_str()),
            ("rules.BasicRule.initial_conditions", initial),
            ("rules.BasicRule.actions", actions),
            ("rules.BasicRule.stopping_conditions", "null"),
            ("rules.BasicRule.max_steps", "null"),
            ("rules.BasicRule.max_action_schedule_size", "6"),
            ("farmers.0.BasicFarmer.max_daily_interventions", "6"),
        ]
        .map(|(path, value)| (path.to_owned(), value.to_owned()))
        .into();
        set.extend(changes.iter().map(|(path, value)| ((*path).to_owned(), (*value).to_owned())));
        let game: Game =
            open("full_farm-v0", &Options { preset: preset.map(str::to_owned), set, ..Default::default() })
                .unwrap_or_else(|problems| panic!("{problems}"));
        let field = &game.fields()[0];
        let what = format!("{}×{} plots, {changes:?}", field.length(), field.width());
        let taken_actions = taken_actions(&game);
        Self { env: Environment::new(Arc::new(game)), taken_actions, residue, what, seen: [0.0; 9] }
    }

    fn plots(&self) -> usize {
        self.env.game().fields()[0].length() * self.env.game().fields()[0].width()
    }

    /// All values of a variable such as `Soil-0.available_Water#L`.
    fn values(&self, name: &str) -> Vec<f64> {
        let (part, variable) = name.split_once('.').unwrap();
        let info =
            self.env.game().parts().iter().find(|p| p.name() == part).unwrap_or_else(|| panic!("no part {part}"));
        let info = info.variables().iter().find(|v| v.name() == variable).unwrap_or_else(|| panic!("no {name}"));
        values_of(&self.env, info)
    }

    fn value(&self, name: &str) -> f64 {
        self.values(name)[0]
    }

    fn look(&self) -> Evening {
        let soil = |name: &str| self.values(&format!("Soil-0.{name}"));
        let plant = |name: &str| self.values(&format!("Plant-0.{name}"));
        let (population, fruits, weight) =
            (plant("population#nb"), plant("fruits_per_plant#nb"), plant("fruit_weight#g"));
        Evening {
            water: soil("available_Water#L"),
            microlife: soil("microlife_health_index#%"),
            nutrients: NUTRIENTS.map(|x| soil(&format!("available_{x}#g"))),
            pools: NUTRIENTS.map(|x| plant(&format!("cumulated_nutrients_{x}#g"))),
            cides: CIDE_TARGETS.map(|t| soil(&format!("amount_cide.{t}#g"))),
            stocks: SCATTERED.map(|part| self.values(&format!("{part}.amount#kg"))),
            scattered: SCATTERED.map(|part| self.value(&format!("{part}.total_cumulated_scattered_amount#kg"))),
            stage: plant("stage"),
            fruit_kg: (0..population.len()).map(|i| population[i] * fruits[i] * weight[i] / 1000.0).collect(),
            harvest: plant("harvest_weight#kg")[0],
            added: soil("total_cumulated_added_water#L")[0],
            pests: self.values("Pests-0.plot_population#nb").iter().sum(),
            pests_ever: self.value("Pests-0.total_cumulated_plot_population#nb"),
            weeds: self.values("Weeds-0.grow#nb"),
            weed_flowers: self.values("Weeds-0.flowers#nb"),
        }
    }

    /// Plays at random and closes all balances every day.
    fn play(&mut self, seeds: std::ops::Range<u64>, days: u32) {
        for seed in seeds {
            self.env.reset(seed);
            let mut stream = Stream::from_seed(seed ^ 0x00fa_12f3);
            let mut before = self.look();
            let held = |e: &Evening, x: usize| e.nutrients[x].iter().sum::<f64>() + e.pools[x].iter().sum::<f64>();
            let first: [f64; 4] = std::array::from_fn(|x| held(&before, x));
            let (mut imported, mut exported) = ([0.0; 4], [0.0; 4]);
            for day in 0..days {
                let chosen = self.choose(&mut stream);
                let calls: Vec<_> = chosen.iter().map(|i| self.env.game().catalogue().calls()[*i]).collect();
                self.env.step(&calls).unwrap();
                assert!(self.env.record().rejected().is_empty());
                let at = format!("{} seed {seed} day {day}", self.what);
                let chosen: Vec<TakenAction> = chosen.iter().map(|i| self.taken_actions[*i].clone()).collect();
                let after = self.look();
                let taken = self.harvest_closes(&mut before, &after, &chosen, &at);
                self.water_closes(&before, &after, &chosen, &at);
                self.stocks_close(&before, &after, &chosen, &at);
                let (inflow, outflow) = self.nutrients_close(&before, &after, &taken, &at);
                for x in 0..4 {
                    imported[x] += inflow[x];
                    exported[x] += outflow[x];
                    let (now, through) = (held(&after, x), first[x] + imported[x]);
                    let what = format_args!("all {} of {at}", NUTRIENTS[x]);
                    closes(now, through - exported[x], through, what);
                }
                self.cides_only_fade(&before, &after, &at);
                self.pests_add_up(&before, &after, &at);
                self.in_range(&at);
                self.note(&before, &after);
                before = after;
            }
        }
    }

    /// Adds the day's flows to what was seen.
    fn note(&mut self, before: &Evening, after: &Evening) {
        let sum = |name: &str| self.values(name).iter().sum::<f64>();
        let today = [
            after.harvest - before.harvest,
            after.added - before.added,
            sum("Soil-0.surplus_Water#L.day-1"),
            sum("Soil-0.uptake_Water#L.day-1"),
            sum("Soil-0.evaporation#L.day-1"),
            sum("Soil-0.leached_N#g.day-1"),
            sum("Weeds-0.asked_N#g.day-1"),
            sum("Fertilizer-0.release_P#g.day-1"),
            after.pests_ever - before.pests_ever,
        ];
        self.seen.iter_mut().zip(today).for_each(|(seen, today)| *seen += today);
    }

    /// Up to six different calls, on two days of five none.
    fn choose(&self, stream: &mut Stream) -> Vec<usize> {
        let mut chosen = Vec::new();
        if stream.bernoulli(0.6) {
            for _ in 0..=stream.index(6) {
                let one = stream.index(self.taken_actions.len() as u32) as usize;
                if !chosen.contains(&one) {
                    chosen.push(one);
                }
            }
        }
        chosen
    }

    /// The harvest is the weight of the fruits that hung; returns which plots lost their plants.
    fn harvest_closes(&self, before: &mut Evening, after: &Evening, chosen: &[TakenAction], at: &str) -> Vec<bool> {
        let mut taken = vec![false; self.plots()];
        let mut harvest = 0.0;
        for done_action in chosen.iter().filter(|done_action| ["Plant-0", ""].contains(&done_action.part.as_str())) {
            for plot in done_action.plot.map_or(0..self.plots(), |plot| plot..plot + 1) {
                match done_action.name.as_str() {
                    "remove" => taken[plot] = true,
                    "harvest" | "micro_harvest" if !taken[plot] && [FRUIT, RIPE].contains(&before.stage[plot]) => {
                        harvest += before.fruit_kg[plot];
                        taken[plot] |= !self.residue;
                        // What stays is dead, and can be harvested no more.
                        before.stage[plot] = DEAD;
                    }
                    _ => {}
                }
            }
        }
        closes(after.harvest - before.harvest, harvest, after.harvest, format_args!("harvest of {at}"));
        taken
    }

    /// Water: rain and irrigation come in; surplus, uptake, evaporation and drainage go.
    fn water_closes(&self, before: &Evening, after: &Evening, chosen: &[TakenAction], at: &str) {
        let flows = ["surplus_Water#L.day-1", "uptake_Water#L.day-1", "evaporation#L.day-1", "drainage#L.day-1"]
            .map(|flow| self.values(&format!("Soil-0.{flow}")));
        let rain = self.value("Weather-0.rain_amount#mm.day-1") * self.env.game().fields()[0].plot_area_m2();
        let share = self.values("Soil-0.share_Water#prop");
        let asked = ["Plant-0", "Weeds-0"].map(|part| self.values(&format!("{part}.asked_Water#L.day-1")));
        let mut irrigated = vec![0.0; self.plots()];
        for done_action in chosen.iter().filter(|done_action| done_action.name == "water_discrete") {
            irrigated[done_action.plot.unwrap()] += done_action.amount;
        }
        let total = irrigated.iter().sum();
        closes(after.added - before.added, total, after.added, format_args!("irrigation of {at}"));
        for plot in 0..self.plots() {
            let [surplus, uptake, evaporated, drained] = [0, 1, 2, 3].map(|i| flows[i][plot]);
            let all = before.water[plot] + rain + irrigated[plot];
            let left = all - surplus - uptake - evaporated - drained;
            closes(after.water[plot], left, all, format_args!("water of plot {plot}, {at}"));
            let drunk = share[plot] * (asked[0][plot] + asked[1][plot]);
            closes(uptake, drunk, drunk, format_args!("water for plants and weeds of plot {plot}, {at}"));
            let signs = [surplus, uptake, evaporated, drained, after.water[plot]];
            assert!(signs.iter().all(|liters| *liters >= 0.0), "plot {plot}, {at}: {signs:?}");
        }
    }

    /// Fertiliser and cides: what is scattered lies there until it is set free, in the shares that the bag says.
    fn stocks_close(&self, before: &Evening, after: &Evening, chosen: &[TakenAction], at: &str) {
        for (i, part) in SCATTERED.iter().enumerate() {
            let mut scattered = vec![0.0; self.plots()];
            for done_action in chosen.iter().filter(|done_action| done_action.part == *part) {
                // Only fertiliser is sold in bags here.
                scattered[done_action.plot.unwrap()] +=
                    done_action.amount * if done_action.name == "scatter_bag" { 0.75 } else { 1.0 };
            }
            let total = scattered.iter().sum();
            let what = format_args!("scattered of {part}, {at}");
            closes(after.scattered[i] - before.scattered[i], total, after.scattered[i], what);
            let (names, shares) = match i {
                0 => (NUTRIENTS.map(|x| format!("release_{x}")), [0.25; 4]),
                1 => (CIDE_TARGETS.map(|t| format!("cide_release_{t}")), HERBICIDE),
                _ => (CIDE_TARGETS.map(|t| format!("cide_release_{t}")), PESTICIDE),
            };
            let freed = names.map(|name| self.values(&format!("{part}.{name}#g.day-1")));
            for plot in 0..self.plots() {
                let all = before.stocks[i][plot] + scattered[plot];
                let kg = all - after.stocks[i][plot];
                for (share, freed) in shares.iter().zip(&freed) {
                    let what = format_args!("what {part} sets free at plot {plot}, {at}");
                    closes(freed[plot], 1000.0 * share * kg, 1000.0 * all, what);
                }
            }
        }
    }

    /// Soil and plants: bedrock, dead plants and fertilisers give, plants and weeds take, water washes out. Returns what came
    /// into all soil and plants from outside and what left them; weeds keep no balances, so what they take has left.
    fn nutrients_close(&self, before: &Evening, after: &Evening, taken: &[bool], at: &str) -> ([f64; 4], [f64; 4]) {
        let area = self.env.game().fields()[0].plot_area_m2();
        let (mut imported, mut exported) = ([0.0; 4], [0.0; 4]);
        for (x, name) in NUTRIENTS.iter().enumerate() {
            let [gain, uptake, leached] =
                ["gain", "uptake", "leached"].map(|flow| self.values(&format!("Soil-0.{flow}_{name}#g.day-1")));
            let share = self.values(&format!("Soil-0.share_{name}#prop"));
            let asked = ["Plant-0", "Weeds-0"].map(|part| self.values(&format!("{part}.asked_{name}#g.day-1")));
            let rotten = self.values(&format!("Plant-0.released_{name}#g.day-1"));
            let dissolved = self.values(&format!("Fertilizer-0.release_{name}#g.day-1"));
            for plot in 0..self.plots() {
                let at = format!("{name} of plot {plot}, {at}");
                let all = before.nutrients[x][plot] + gain[plot];
                closes(after.nutrients[x][plot], all - uptake[plot] - leached[plot], all, format_args!("{at}"));
                // Bedrock gives 0.1 mg per m² and day at full microlife.
                let bedrock = before.microlife[plot] / 100.0 * 1e-4 * area;
                let given = bedrock + rotten[plot] + dissolved[plot];
                closes(gain[plot], given, given, format_args!("gain: {at}"));
                let [plants, weeds] = [0, 1].map(|i| share[plot] * asked[i][plot]);
                closes(uptake[plot], plants + weeds, plants + weeds, format_args!("uptake: {at}"));
                let export = if taken[plot] { before.pools[x][plot] } else { 0.0 };
                let pool = before.pools[x][plot] - export + plants - rotten[plot];
                closes(after.pools[x][plot], pool, before.pools[x][plot] + plants, format_args!("plants: {at}"));
                let signs = [gain[plot], uptake[plot], leached[plot], after.nutrients[x][plot], after.pools[x][plot]];
                assert!(signs.iter().all(|grams| *grams >= 0.0), "{at}: {signs:?}");
                imported[x] += bedrock + dissolved[plot];
                exported[x] += weeds + leached[plot] + export;
            }
        }
        (imported, exported)
    }

    /// Poison in the soil is what was set free less what fades, the same share of all four kinds.
    fn cides_only_fade(&self, before: &Evening, after: &Evening, at: &str) {
        for plot in 0..self.plots() {
            let fallen = |t: usize| {
                let name = format!("cide_release_{}#g.day-1", CIDE_TARGETS[t]);
                let freed = ["Cide-0", "Cide-1"].map(|part| self.values(&format!("{part}.{name}"))[plot]);
                before.cides[t][plot] + freed[0] + freed[1]
            };
            let all: [f64; 4] = std::array::from_fn(fallen);
            let now: [f64; 4] = std::array::from_fn(|t| after.cides[t][plot]);
            let largest = (0..4).max_by(|a, b| all[*a].total_cmp(&all[*b])).unwrap();
            let kept = if all[largest] > 0.0 { now[largest] / all[largest] } else { 0.0 };
            assert!((0.0..1.0).contains(&kept), "plot {plot}, {at}: {kept}");
            for t in 0..4 {
                let what = format_args!("cide against {} of plot {plot}, {at}", CIDE_TARGETS[t]);
                closes(now[t], kept * all[t], all[t], what);
            }
        }
    }

    /// Pests come only from outside, and each sits on one host where there is any.
    fn pests_add_up(&self, before: &Evening, after: &Evening, at: &str) {
        let came = after.pests_ever - before.pests_ever;
        assert!(came >= 0.0 && after.pests <= before.pests + came, "{at}: {} pests of {}", after.pests, before.pests);
        let here = self.values("Pests-0.plot_population#nb");
        let on = ["Plant-0", "Weeds-0"].map(|host| self.values(&format!("Pests-0.onplant_population#nb.{host}")));
        let hosts = ["Plant-0", "Weeds-0"].map(|host| self.values(&format!("{host}.hosts#nb")));
        let own = ["Plant-0", "Weeds-0"].map(|host| self.values(&format!("{host}.pests#nb")));
        for plot in 0..self.plots() {
            let any = hosts[0][plot] + hosts[1][plot] > 0.0;
            let sitting = on[0][plot] + on[1][plot];
            assert_eq!(sitting, if any { here[plot] } else { 0.0 }, "pests that sit in plot {plot}, {at}");
            for host in 0..2 {
                assert_eq!(on[host][plot], own[host][plot], "a host's own count in plot {plot}, {at}");
                assert!(hosts[host][plot] > 0.0 || on[host][plot] == 0.0, "nobody sits on nothing, plot {plot}, {at}");
            }
            assert_eq!(hosts[1][plot], after.weeds[plot] + after.weed_flowers[plot], "weeds of plot {plot}, {at}");
        }
    }

    /// Every number of the state, hidden or not, is finite and within its declared range.
    fn in_range(&self, at: &str) {
        for part in self.env.game().parts().iter() {
            for variable in part.variables() {
                let (low, high) = variable.kind().range();
                for value in values_of(&self.env, variable) {
                    let name = variable.name();
                    assert!(
                        value.is_finite() && low <= value && value <= high,
                        "{}.{name}, {at}: {value}",
                        part.path()
                    );
                }
            }
        }
    }
}

/// The actions of the flat list of actions, in its order.
fn taken_actions(game: &Game) -> Vec<TakenAction> {
    let width = game.fields()[0].width();
    let read = |call| {
        let json = game.catalogue().to_json(call);
        let Some(items) = json.as_array() else {
            return TakenAction { part: String::new(), name: json.as_str().unwrap().into(), plot: None, amount: 0.0 };
        };
        let plot = items[4]["plot"].as_array().map(|plot| {
            let index = |i: usize| plot[i].as_u64().unwrap() as usize;
            index(0) * width + index(1)
        });
        let amount = ["amount#L", "amount#kg", "amount#bag"].iter().find_map(|name| items[4][*name].as_f64());
        let text = |i: usize| items[i].as_str().unwrap().to_owned();
        TakenAction { part: text(2), name: text(3), plot, amount: amount.unwrap_or(0.0) }
    };
    game.catalogue().calls().iter().map(read).collect()
}

/// The values of a variable as numbers.
fn values_of(env: &Environment, variable: &VariableInfo) -> Vec<f64> {
    let reader = env.game().reader(env.state());
    let integers = |column: Column<i32>| reader.get(column).iter().map(|v| f64::from(*v)).collect();
    if let Some(column) = variable.column::<f64>() {
        reader.get(column).to_vec()
    } else if let Some(column) = variable.column::<i32>() {
        integers(column)
    } else {
        reader.get(variable.column::<u8>().unwrap()).iter().map(|v| f64::from(*v)).collect()
    }
}

/// Equal up to the rounding of numbers of a size.
#[track_caller]
fn closes(found: f64, expected: f64, size: f64, what: std::fmt::Arguments<'_>) {
    let slack = ROUNDING * size.abs() + f64::MIN_POSITIVE;
    assert!((found - expected).abs() <= slack, "{what}: {found}, expected {expected} ± {slack}");
}

/// A soil of the game, whether water drains, and whether harvested plants stay.
const VARIED: [(&str, bool); 4] = [
    ("loam", false),
    ("{base: sand, drainage: true}", true),
    ("{base: clay, drainage: true, leaching: paper}", false),
    ("{base: silt, leaching: paper}", true),
];

fn play_all(preset: Option<&str>, changes: &[(&str, &str)], seeds: std::ops::Range<u64>, days: u32) {
    for (soil, residue) in VARIED {
        let mut changes = changes.to_vec();
        changes.push(("fields.Field-0.entities.6.Soil", soil));
        let mut farm = Farm::new(preset, &changes, residue);
        farm.play(seeds.clone(), days);
        for (way, seen) in WAYS.iter().zip(farm.seen) {
            assert!(seen > 0.0, "{}: no {way}", farm.what);
        }
    }
}

#[test]
fn one_plot() {
    play_all(None, &[], 0..100, 200);
}

#[test]
fn twelve_plots() {
    play_all(Some("4x3"), &[], 100..116, 150);
}

#[test]
fn three_by_five_plots_of_four_square_metres() {
    let shape = [
        ("fields.Field-0.shape.length#nb", "3"),
        ("fields.Field-0.shape.width#nb", "5"),
        ("fields.Field-0.shape.scale#m", "2"),
    ];
    play_all(None, &shape, 200..216, 150);
}

/// Where nobody dies or leaves, wandering neither makes nor loses a pest.
#[test]
fn pests_that_wander_are_conserved() {
    let never = "{base: basic, leave_conditions: {sensitivity_0: 0, sensitivity_dist_edge: 0, sensitivity_air_temperature: 0, \
                 sensitivity_pesticide: 0, sensitivity_death_birds: 0}}";
    for (length, width) in [("1", "1"), ("4", "3"), ("3", "5")] {
        let changes = [
            ("fields.Field-0.shape.length#nb", length),
            ("fields.Field-0.shape.width#nb", width),
            ("fields.Field-0.entities.8.Pests", never),
        ];
        let mut farm = Farm::new(None, &changes, false);
        for seed in 0..10 {
            farm.env.reset(seed);
            let first = farm.look();
            let mut stream = Stream::from_seed(seed);
            for day in 0..120 {
                let calls: Vec<_> =
                    farm.choose(&mut stream).iter().map(|i| farm.env.game().catalogue().calls()[*i]).collect();
                farm.env.step(&calls).unwrap();
                let now = farm.look();
                let expected = first.pests + now.pests_ever - first.pests_ever;
                assert_eq!(now.pests, expected, "{} seed {seed} day {day}", farm.what);
            }
        }
    }
}
