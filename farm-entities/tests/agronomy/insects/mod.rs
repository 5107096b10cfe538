//! Insects in the equations `agronomic`: how they live (`colonies`), what they cost a crop (`injury`) and a farm
//! (`farms`), and who pollinates (`visits`).

mod colonies;
mod farms;
mod injury;
mod predators;
mod stand_ins;
mod visits;

use crate::world::{Scenario, World};

/// Beans on loam near Montpellier, with enough of everything, on plots of a scale in m, sown on the first of May.
struct Beans {
    crop: &'static str,
    scale: f64,
    plants: u32,
    sown_on: u32,
    entities: Vec<String>,
    initial: String,
}

/// Litres per m² of the topsoil at field capacity and at the wilting point.
const TOPSOIL: [f64; 2] = [310.0 * 0.3, 150.0 * 0.3];

impl Beans {
    /// As many plants as stand on such a plot usually.
    fn of(scale: f64) -> Self {
        let plants = (25.0 * scale * scale).round() as u32;
        Self { crop: "bean", scale, plants, sown_on: 121, entities: Vec::new(), initial: String::new() }
    }

    fn with(mut self, entity: impl Into<String>) -> Self {
        self.entities.push(entity.into());
        self
    }

    fn initially(mut self, initial: &str) -> Self {
        self.initial = format!(", {initial}");
        self
    }

    fn build(&self) -> World {
        self.build_with("", "")
    }

    /// With parameters of its fruits, and of what harms it.
    fn build_with(&self, fruits: &str, harm: &str) -> World {
        let crop = format!("crop: {{fruits: {{germination#prop: 1{fruits}}}, harm: {{{harm}}}}}");
        let base = Scenario::new()
            .scale(self.scale)
            .with("Weather: {base: montpellier_generated, equations: agronomic}")
            .with("Soil: {base: loam, equations: agronomic, profile: {initial_N#g.m-2: 25}}")
            .with(format!(
                "Plant: {{base: {}, equations: agronomic, initial_population#nb: {}, {crop}}}",
                self.crop, self.plants
            ));
        let scenario = self.entities.iter().fold(base, |scenario, entity| scenario.with(entity.clone()));
        scenario.initially(format!("{{Weather-0: {{day#int365: {}}}{}}}", self.sown_on, self.initial)).build()
    }
}

/// Plays a day, and refills the topsoil of a field of one plot where less than 70 % of its water is left.
fn day(world: &mut World, scale: f64) {
    let area = scale * scale;
    let [capacity, wilting] = TOPSOIL.map(|water| water * area);
    let missing = capacity - world.value("Soil-0.topsoil_Water#L");
    if missing < 0.3 * (capacity - wilting) {
        world.wait();
        return;
    }
    // No more than a thousand litres at a time; those of other minutes are other waterings.
    let calls: Vec<String> = (0..(missing / 1000.0).ceil() as u32)
        .map(|k| {
            let amount = (missing - 1000.0 * f64::from(k)).min(1000.0);
            format!(
                "Soil-0 water_continuous {{\"plot\": [0, 0], \"amount#L\": {amount}, \"duration#min\": {}}}",
                60 + k
            )
        })
        .collect();
    world.act(&calls.iter().map(String::as_str).collect::<Vec<_>>());
}

/// Plays to the end of a season; kilograms of dry fruits per m².
fn harvest(world: &mut World, scale: f64, seed: u64, mut every_day: impl FnMut(&World, u32)) -> f64 {
    world.env.reset(seed);
    let mut best = 0.0_f64;
    for number in 0..200 {
        if matches!(world.stages()[0].as_str(), "ripe" | "dead" | "none") {
            break;
        }
        day(world, scale);
        every_day(world, number);
        let fruits = world.value("Plant-0.population#nb") * world.value("Plant-0.fruits_per_plant#nb");
        best = if world.stages()[0] == "dead" { 0.0 } else { fruits * world.value("Plant-0.fruit_weight#g") / 1000.0 };
    }
    best / (scale * scale)
}

/// The mean harvest of some seasons.
fn mean_harvest(world: &mut World, scale: f64, seeds: u64) -> f64 {
    (0..seeds).map(|seed| harvest(world, scale, seed, |_, _| ())).sum::<f64>() / seeds as f64
}
