//! Diseases of leaves: infection by weather, spread, fungicides, and what they cost a crop.

use farm_core::{Behaviour, Column, Columns, Context, Phase};
use farm_roles::{GROWTH_HINDRANCE, LEAF_AREA, LEAVES_LOST, LEAVES_SICK, PLANT_PROGRESS};

use crate::world::{Scenario, World, assert_close};

/// Plants that make no new leaves.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct ForcedCanopy {
    /// Leaves of each plot in m².
    #[parameter(default = 300.0, range = 0.0..=1e6)]
    pub leaves: f64,
}

#[derive(Columns)]
struct Canopy {
    _p: ForcedCanopy,
    /// Leaves.
    #[real(unit = "m2", range = 0.0..=1e6, per_plot, default = _p.leaves, role = LEAF_AREA)]
    leaves: Column<f64>,
    /// Progress.
    #[real(unit = "prop", range = 0.0..=1.0, per_plot, role = PLANT_PROGRESS)]
    _progress: Column<f64>,
    #[all(LEAVES_LOST)]
    lost: Vec<Column<f64>>,
}

#[farm_core::register(entity = ForcedCanopy, source = "Test", runs_in = Phase::Develop)]
impl Behaviour for Canopy {
    fn tick(&self, _: Phase, c: &mut Context<'_>) {
        for (plot, leaves) in c.get(self.leaves).iter().enumerate() {
            let left = self.lost.iter().fold(leaves.get(), |left, lost| left * (1.0 - c.get(*lost)[plot].get()));
            leaves.set(left);
        }
    }
}

/// Something that kills a share of the leaves on one day, and covers a share with lesions from then on.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct ForcedBlight {
    /// The day, counted from 0.
    #[parameter(range = 0..=10_000)]
    pub day: u32,
    /// Share that dies.
    #[parameter(default = 1.0, range = 0.0..=1.0)]
    pub lost: f64,
    /// Share with lesions.
    #[parameter(range = 0.0..=1.0)]
    pub sick: f64,
}

#[derive(Columns)]
struct Killer {
    p: ForcedBlight,
    /// Leaves that die.
    #[real(unit = "prop", range = 0.0..=1.0, per_plot, role = LEAVES_LOST)]
    dying: Column<f64>,
    /// Leaves with lesions.
    #[real(name = "sick#prop", range = 0.0..=1.0, per_plot, role = LEAVES_SICK, role = GROWTH_HINDRANCE)]
    with_lesions: Column<f64>,
}

#[farm_core::register(entity = ForcedBlight, source = "Test", runs_in = Phase::Spread)]
impl Behaviour for Killer {
    fn tick(&self, _: Phase, c: &mut Context<'_>) {
        let lost = if c.step() == self.p.day { self.p.lost } else { 0.0 };
        let sick = if c.step() >= self.p.day { self.p.sick } else { 0.0 };
        c.get(self.dying).iter().for_each(|dying| dying.set(lost));
        c.get(self.with_lesions).iter().for_each(|share| share.set(sick));
    }
}

const WET: &str = "{t: 17, t_min: 17, rh: 96}";
const DRY: &str = "{t: 30, t_min: 15, rh: 45}";

/// Plots in a row under this weather, with a disease that starts with these shares of infectious leaves and that nothing brings.
fn row(starts: &[f64], weather: &str, disease: &str, others: &[&str]) -> World {
    let base = Scenario::new()
        .plots(starts.len(), 1)
        .scale(10.0)
        .with(format!("ForcedWeather: {{days: [{weather}]}}"))
        .with("ForcedCanopy")
        .with(format!("Disease: {{base: late_blight, arrivals#nb.m-2.day-1: 0{disease}}}"));
    let of_plot = |(x, start)| format!("'({x}, 0)': {start}");
    let starts: Vec<String> = starts.iter().enumerate().map(of_plot).collect();
    let initial = format!("{{Disease-0: {{infectious#prop: {{{}}}}}}}", starts.join(", "));
    others.iter().fold(base, |scenario, other| scenario.with(*other)).initially(initial).build()
}

fn spray(world: &mut World, part: &str, kilograms: f64) {
    world.act(&[&format!("{part} scatter {{\"plot\": [0, 0], \"amount#kg\": {kilograms}}}")]);
}

#[test]
fn blight_spreads_in_wet_weather_and_leaf_area_is_conserved() {
    let mut world = row(&[1e-4], WET, "", &[]);
    let mut before = 0.0;
    for day in 0..80 {
        world.wait();
        let names = ["healthy", "latent_1", "latent_2", "latent_3", "latent_4", "infectious", "removed"];
        let parts = names.map(|name| world.value(&format!("Disease-0.{name}#prop")));
        assert!((parts.iter().sum::<f64>() - 1.0).abs() < 1e-9, "day {day}: {parts:?}");
        let seen = world.value("Disease-0.lesions#prop");
        assert!(seen >= before - 1e-12, "day {day}: dead lesions stay visible");
        before = seen;
    }
    assert_eq!(world.value("Disease-0.infection_units"), 7.0);
    assert!(before > 0.9, "{before}");
}

#[test]
fn nothing_spreads_in_dry_weather() {
    let mut world = row(&[0.01], DRY, "", &[]);
    world.wait_days(60);
    assert_eq!(world.value("Disease-0.infection_units"), 0.0);
    assert!((world.value("Disease-0.lesions#prop") - 0.01).abs() < 1e-12, "old lesions die");
    assert!(world.value("Disease-0.infectious#prop") < 1e-5);
}

/// Infections are invisible for about five days.
#[test]
fn spores_reach_neighbours_and_infections_show_later() {
    let mut world = row(&[0.02, 0.0, 0.0], WET, "", &[]);
    world.wait();
    let latent = world.values("Disease-0.latent_1#prop");
    assert!(latent[0] > latent[1] && latent[1] > 0.0 && latent[2] == 0.0, "{latent:?}");
    assert_eq!(world.values("Disease-0.lesions#prop")[1], 0.0);
    world.wait_days(4);
    let shown = world.values("Disease-0.infectious#prop");
    assert!(shown[1] > 0.0 && shown[1] < 0.003 && shown[2] < 1e-4, "{shown:?}");
    world.wait_days(60);
    assert!(world.values("Disease-0.lesions#prop").iter().all(|share| *share > 0.5));
}

#[test]
fn spores_come_from_outside_only_in_wet_weather() {
    let come = ", arrivals#nb.m-2.day-1: 0.05".to_owned();
    let field = |weather: &str| {
        Scenario::new()
            .scale(10.0)
            .with(format!("ForcedWeather: {{days: [{weather}]}}"))
            .with("ForcedCanopy")
            .with(format!("Disease: {{base: late_blight{come}}}"))
            .build()
    };
    let (mut wet, mut dry) = (field(WET), field(DRY));
    wet.env.reset(5);
    wet.wait_days(30);
    dry.wait_days(30);
    assert!(wet.value("Disease-0.healthy#prop") < 1.0);
    assert_eq!(dry.value("Disease-0.healthy#prop"), 1.0);
}

/// A protectant before the infection prevents nearly all of it; after the infection, it prevents nothing of it.
#[test]
fn a_protectant_must_come_before_the_infection() {
    let lesions = |day_of_spray: Option<usize>, product: &str, kilograms: f64| {
        let mut world = row(&[0.01], WET, ", infectious#day: 1", &[product]);
        for day in 0..9 {
            if Some(day) == day_of_spray {
                spray(&mut world, "Cide-0", kilograms)
            } else {
                let _ = world.wait();
            }
        }
        world.value("Disease-0.infectious#prop") + world.value("Disease-0.removed#prop") - 0.01
    };
    let unsprayed = lesions(None, "Cide: {base: mancozeb, equations: agronomic}", 0.0);
    let (before, after) = (
        lesions(Some(0), "Cide: {base: mancozeb, equations: agronomic}", 0.015),
        lesions(Some(1), "Cide: {base: mancozeb, equations: agronomic}", 0.015),
    );
    assert!(unsprayed > 0.001 && before < 0.2 * unsprayed, "{unsprayed}, {before}");
    assert!(after > 0.9 * unsprayed, "{after}: it cures nothing");
    let cured = lesions(Some(2), "Cide: {base: metalaxyl, equations: agronomic}", 0.001);
    assert!(cured < 0.5 * unsprayed, "{cured}: infections of three days die");
    let too_late = lesions(Some(6), "Cide: {base: metalaxyl, equations: agronomic}", 0.001);
    assert!(too_late > 0.8 * unsprayed, "{too_late}");
    let wrong = lesions(Some(0), "Cide: {base: tebuconazole, equations: agronomic}", 0.0025);
    assert_close(wrong, unsprayed, "it does not act on oomycetes");
}

/// Half is gone after seven dry days, and half after 25 mm of rain.
#[test]
fn time_and_rain_take_a_protectant_off_the_leaves() {
    let dose = |weather: &str, days: usize| {
        let mut world = row(&[0.0], weather, "", &["Cide: {base: mancozeb, equations: agronomic}"]);
        spray(&mut world, "Cide-0", 0.015);
        world.wait_days(days);
        world.value("Cide-0.on_leaves#g.m-2")
    };
    let first = dose(DRY, 0);
    assert_close(first, 0.15, "the dose on the label");
    assert_close(dose(DRY, 7), 0.075, "after a week");
    let rainy = format!("{DRY}, {{t: 20, t_min: 15, rh: 80, rain: 25}}");
    let one_day = dose(DRY, 1);
    assert_close(dose(&rainy, 1), one_day / 2.0, "after 25 mm");
}

#[test]
fn a_spray_begins_a_new_sum_of_units() {
    let mut world = row(&[0.0], WET, "", &["Cide: {base: mancozeb, equations: agronomic}"]);
    world.wait_days(4);
    assert_eq!(world.value("Disease-0.units_since_spray"), 28.0);
    spray(&mut world, "Cide-0", 0.015);
    assert_eq!(world.value("Disease-0.units_since_spray"), 7.0);
    world.wait();
    assert_eq!(world.value("Disease-0.units_since_spray"), 14.0);
}

/// Potatoes near Wageningen from a day of the year on, with these further entities.
fn potatoes(others: &[&str], initial: &str) -> World {
    let base = Scenario::new()
        .scale(10.0)
        .at(51.97)
        .with("Weather: {base: wageningen, equations: agronomic}")
        .with("Soil: {base: loam, equations: agronomic, profile: {depth#m: 1.2, initial_N#g.m-2: 25}}")
        .with("Plant: potato");
    others
        .iter()
        .fold(base, |scenario, other| scenario.with(*other))
        .initially(format!("{{Weather-0: {{day#int365: 110}}, Plant-0: {{stage: seed, population#nb: 450}}{initial}}}"))
        .build()
}

/// The weight of a tuber each day until they are ripe, for 160 days.
fn tubers(world: &mut World) -> Vec<f64> {
    world.env.reset(7);
    let day = |_| {
        world.wait();
        world.value("Plant-0.fruit_weight#g")
    };
    (0..160).map(day).collect()
}

#[test]
fn potatoes_without_leaves_from_half_of_bulking_on_yield_about_half() {
    let whole = tubers(&mut potatoes(&[], ""));
    let last = *whole.last().unwrap();
    let half = whole.iter().position(|weight| *weight >= 0.5 * last).unwrap();
    let lost = tubers(&mut potatoes(&[&format!("ForcedBlight: {{day: {half}}}")], ""));
    let share = lost.last().unwrap() / last;
    assert!((0.35..=0.65).contains(&share), "{share} of {last} g, from day {half} on");
    assert!(lost[..half].iter().zip(&whole).all(|(with, without)| with == without), "nothing happens before");
}

#[test]
fn young_plants_that_lose_all_leaves_die_of_disease() {
    let mut world = potatoes(&["ForcedBlight: {day: 42}"], "");
    world.env.reset(7);
    world.wait_days(42);
    assert_eq!(world.stages(), ["grow"]);
    world.wait();
    assert_eq!(world.stages(), ["dead"]);
    let kind = world.variable("Plant-0.cause_of_death").kind();
    let cause = world.value("Plant-0.cause_of_death") as usize;
    assert_eq!(kind.labels(0).unwrap().name(cause), "disease");
}

/// Half of the leaves with lesions: half of the growth, and half of the transpiration a day later. The disease is the plants' limit.
#[test]
fn lesions_take_no_light_and_transpire_nothing() {
    let days = |sick: f64| {
        let mut world = potatoes(&[&format!("ForcedBlight: {{day: 80, lost: 0, sick: {sick}}}")], "");
        world.env.reset(7);
        world.wait_days(80);
        let before = world.value("Plant-0.biomass#g");
        world.wait();
        let grown = world.value("Plant-0.biomass#g") - before;
        let limit = world.value("Plant-0.limited_by") as usize;
        let limit = world.variable("Plant-0.limited_by").kind().labels(0).unwrap().name(limit).to_owned();
        world.wait();
        (grown, world.value("Plant-0.wanted_Water#L.day-1"), limit)
    };
    let (healthy, sick) = (days(0.0), days(0.5));
    assert!((0.4..0.52).contains(&(sick.0 / healthy.0)), "{healthy:?}, {sick:?}");
    assert!((0.45..0.52).contains(&(sick.1 / healthy.1)), "{healthy:?}, {sick:?}");
    assert_eq!(sick.2, "ForcedBlight-0");
}

#[test]
fn only_the_hosts_lose_leaves() {
    let field = |hosts: &str| {
        let mut world = Scenario::new()
            .scale(10.0)
            .at(51.97)
            .with("Weather: {base: wageningen, equations: agronomic}")
            .with("Soil: {base: loam, equations: agronomic, profile: {initial_N#g.m-2: 25}}")
            .with("Plant: {base: potato, initial_population#nb: 200}")
            .with("Plant: {base: potato, initial_population#nb: 200}")
            .with(format!("Disease: {{base: late_blight, arrivals#nb.m-2.day-1: 10{hosts}}}"))
            .initially("{Weather-0: {day#int365: 110}, Plant-0: {stage: seed}, Plant-1: {stage: seed}}")
            .build();
        world.env.reset(7);
        world.wait_days(120);
        [0, 1].map(|i| world.value(&format!("Plant-{i}.leaf_area#m2")))
    };
    let [first, second] = field(", hosts: [Plant-1]");
    assert!(second < 0.5 * first, "{first}, {second}");
    let [first, second] = field("");
    assert!((first - second).abs() < 0.2 * first.max(1.0), "{first}, {second}");
}

#[test]
fn a_host_that_is_not_there_is_reported() {
    let scenario = Scenario::new()
        .with("ForcedWeather: {days: [{}]}")
        .with("ForcedCanopy")
        .with("Disease: {base: leaf_rust, hosts: [ForcedCanopy-1]}");
    let message = scenario.game().err().unwrap();
    assert!(message.contains("`ForcedCanopy-1` is not a plant with leaves"), "{message}");
    assert!(message.contains("ForcedCanopy-0"), "{message}");
}

#[test]
fn a_day_allocates_nothing_and_equal_seeds_are_equal() {
    let mut world =
        potatoes(&["Disease: late_blight", "Disease: leaf_rust", "Cide: {base: mancozeb, equations: agronomic}"], "");
    world.env.reset(3);
    world.wait_days(60);
    spray(&mut world, "Cide-0", 0.015);
    let info = allocation_counter::measure(|| {
        for _ in 0..60 {
            world.env.step(&[]).unwrap();
        }
    });
    assert_eq!(info.count_total, 0);
    let seen = world.env.state_json();
    world.env.reset(3);
    world.wait_days(60);
    spray(&mut world, "Cide-0", 0.015);
    world.wait_days(60);
    assert_eq!(world.env.state_json(), seen);
}
