//! Curves of dose and response in the equations `agronomic`, against what is published and against what must be so.

use crate::world::{Scenario, World};

/// A square metre of a crop near Montpellier, in loam that holds enough of everything if nothing else is said, without rain that
/// differs: each season is sown on a day and played to its end.
#[derive(Clone)]
struct Plot {
    crop: &'static str,
    plants: u32,
    sown_on: u32,
    weather: String,
    soil: String,
    nutrition: &'static str,
    weeds: Option<String>,
    /// The topsoil is refilled whenever less than this share of its water is left.
    refill_below: f64,
}

impl Plot {
    fn of(crop: &'static str, plants: u32, sown_on: u32) -> Self {
        Self {
            crop,
            plants,
            sown_on,
            weather: "base: montpellier_generated".into(),
            soil: "initial_N#g.m-2: 25".into(),
            nutrition: "{}",
            weeds: None,
            refill_below: 0.7,
        }
    }

    fn build(&self) -> World {
        let plant = format!(
            "Plant: {{base: {}, equations: agronomic, initial_population#nb: {}, crop: {{nutrition: {}, \
             fruits: {{germination#prop: 1, selfing#prop: 1}}}}}}",
            self.crop, self.plants, self.nutrition
        );
        let scenario = Scenario::new()
            .with(format!("Weather: {{{}, equations: agronomic}}", self.weather))
            .with(format!("Soil: {{base: loam, equations: agronomic, profile: {{{}}}}}", self.soil))
            .with(plant);
        let initial = format!("Weather-0: {{day#int365: {}}}", self.sown_on);
        match &self.weeds {
            None => scenario.initially(format!("{{{initial}}}")).build(),
            // No weeds but those of the test: none blow in, flower or die.
            Some(number) => scenario
                .with(
                    "Weeds: {base: base_weed, equations: agronomic, \
                     demography: {arriving#nb.m-2.day-1: 0, death#prop.day-1: 0, ripening#prop.day-1: 0}}",
                )
                .initially(format!("{{{initial}, Weeds-0: {{{number}}}}}"))
                .build(),
        }
    }

    /// Kilograms of dry matter harvested per square metre, and days until then.
    fn play(&self, seed: u64) -> (f64, u32) {
        let mut world = self.build();
        world.env.reset(seed);
        let (capacity, wilting) = (310.0 * 0.3, 150.0 * 0.3);
        let mut best = 0.0_f64;
        for day in 0..360 {
            if matches!(world.stages()[0].as_str(), "ripe" | "dead" | "none") {
                return (best, day);
            }
            let top = world.value("Soil-0.topsoil_Water#L");
            if top < wilting + self.refill_below * (capacity - wilting) {
                world.water(capacity - top, 60.0);
            } else {
                world.wait();
            }
            let fruits = world.value("Plant-0.population#nb") * world.value("Plant-0.fruits_per_plant#nb");
            best = best.max(fruits * world.value("Plant-0.fruit_weight#g") / 1000.0);
        }
        (best, 360)
    }

    /// The mean yield of some seasons.
    fn yields(&self) -> f64 {
        (0..4).map(|seed| self.play(seed).0).sum::<f64>() / 4.0
    }
}

/// Yields as shares of the best.
fn curve<T: Copy>(doses: &[T], plot: impl Fn(T) -> Plot) -> Vec<f64> {
    let yields: Vec<f64> = doses.iter().map(|dose| plot(*dose).yields()).collect();
    let best = yields.iter().copied().fold(1e-9, f64::max);
    yields.iter().map(|y| y / best).collect()
}

/// Published trials (design/evidence: 0, 50, 100, 150, 200 kg/ha): unfertilised maize and wheat yield 35 to 75 % of the best, most of
/// the gain comes with the first 100 kg/ha, and far too much harms.
#[test]
fn nitrogen_pays_less_and_less_and_far_too_much_harms() {
    for (crop, plants, sown_on) in [("corn", 8, 110), ("wheat", 400, 298), ("potato", 4, 100), ("tomato", 3, 125)] {
        let doses = [0.0, 5.0, 10.0, 15.0, 20.0, 30.0, 100.0, 400.0];
        let shares = curve(&doses, |grams| {
            let mut plot = Plot::of(crop, plants, sown_on);
            plot.soil = format!("initial_N#g.m-2: {}", 3.0 + grams);
            plot
        });
        assert!((0.2..0.85).contains(&shares[0]), "{crop} without nitrogen: {shares:?}");
        assert!(shares[..5].windows(2).all(|pair| pair[1] >= pair[0] - 0.01), "{crop} rises: {shares:?}");
        assert!(shares[2] - shares[0] >= shares[4] - shares[2], "{crop}: less and less, {shares:?}");
        // Salt in proportion to what the crop tolerates (FAO-29): wheat more than the others.
        assert!(shares[7] < 0.9 || crop == "wheat", "{crop}: four tonnes per hectare harm, {shares:?}");
    }
}

/// Cousens 1985: the loss is hyperbolic in the number of weeds; a few per square metre cost 1 to 10 % each, many not more than all.
#[test]
fn weeds_take_a_share_that_grows_less_and_less() {
    for (crop, plants, sown_on) in [("bean", 13, 121), ("corn", 8, 110)] {
        let doses = [0, 1, 5, 20, 100];
        let shares = curve(&doses, |weeds| {
            let mut plot = Plot::of(crop, plants, sown_on);
            plot.weeds = Some(format!("grow#nb: {weeds}"));
            plot
        });
        assert!(shares.windows(2).all(|pair| pair[1] <= pair[0] + 0.01), "{crop}: {shares:?}");
        assert!((0.88..=1.0).contains(&shares[1]), "{crop}, one weed: {shares:?}");
        assert!((0.03..0.75).contains(&shares[4]), "{crop}, a hundred weeds: {shares:?}");
    }
}

/// The reciprocal law (Shinozaki & Kira 1956): twice as many plants never yield twice as much, and each plant bears less.
#[test]
fn doubling_the_density_never_doubles_the_yield() {
    for (crop, usual, sown_on) in [("bean", 12, 121), ("corn", 8, 110), ("tomato", 4, 125), ("wheat", 400, 298)] {
        let doses = [usual / 4, usual / 2, usual, 2 * usual, 4 * usual];
        let shares = curve(&doses, |plants| Plot::of(crop, plants, sown_on));
        assert!(shares.windows(2).all(|pair| pair[1] < 2.0 * pair[0]), "{crop}: {shares:?}");
        assert!(shares[1] < shares[2] + 0.02 && shares[2] > 0.85, "{crop}: {shares:?}");
    }
}

/// Nothing grows below its base, and summer crops do not live through the winter.
#[test]
fn sowing_in_the_wrong_season_fails() {
    let mut survivors = Vec::new();
    for (crop, plants) in [("bean", 13), ("corn", 8), ("tomato", 3), ("soybean", 33)] {
        for site in ["montpellier", "lille", "seoul"] {
            let mut october = Plot::of(crop, plants, 275);
            october.weather = format!("base: {site}_generated");
            let mut may = october.clone();
            may.sown_on = 130;
            let (october, may) = (october.yields(), may.yields());
            if october > 0.05 * may.max(0.02) {
                survivors.push(format!("{crop} in {site}: {october} kg sown in October, {may} in May"));
            }
        }
    }
    assert!(survivors.is_empty(), "{survivors:#?}");
}

/// Corn sown in December does not come up before it is warm, and its seeds rot.
#[test]
fn nothing_grows_in_the_cold() {
    let mut plot = Plot::of("corn", 8, 334);
    plot.weather = "base: lille_generated".into();
    let mut world = plot.build();
    for seed in 0..4 {
        world.env.reset(seed);
        world.wait_days(60);
        assert_eq!(world.value("Plant-0.biomass#g"), 0.0, "seed {seed}: {:?}", world.stages());
    }
}

/// Heat shortens a season of maize (degree-days): Lille is slowest.
#[test]
fn seasons_shorten_with_heat() {
    let days = |site: &str| {
        let mut plot = Plot::of("corn", 8, 120);
        plot.weather = format!("base: {site}_generated");
        (0..4).map(|seed| plot.play(seed).1).sum::<u32>() / 4
    };
    let [lille, montpellier, phoenix] = ["lille", "montpellier", "phoenix"].map(days);
    assert!(lille > montpellier + 10 && montpellier > phoenix + 10, "{lille} {montpellier} {phoenix}");
}
