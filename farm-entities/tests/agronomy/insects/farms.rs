//! Insects in whole farms: weeds are no shield, birds help, and a spray at the threshold saves the harvest.

use super::{Beans, harvest, mean_harvest};

/// Seasons of each case.
const SEEDS: u64 = 4;

/// Beans with insects and others, and how many insects per plant there were at the most on average.
fn season(entities: &[&str]) -> (f64, f64) {
    let field = entities.iter().fold(Beans::of(10.0), |field, entity| field.with(*entity));
    let mut world = field.build();
    let (mut yields, mut peaks) = (0.0, 0.0);
    for seed in 0..SEEDS {
        let mut peak = 0.0_f64;
        yields += harvest(&mut world, 10.0, seed, |world, _| {
            peak = peak.max(world.value("Pests-0.onplant_population#nb.Plant-0"));
        });
        peaks += peak;
    }
    (yields / SEEDS as f64, peaks / SEEDS as f64 / 1320.0)
}

const INSECTS: &str = "Pests: {base: aggressive, equations: agronomic, insect: {year_to_year: 0}}";

/// In the paper's equations weeds draw pests off the crop, so that whoever weeds loses the harvest. Here two weeds per m² that emerge with
/// the crop leave it as many insects per leaf, and cost it more than insects do.
#[test]
fn weeds_are_no_shield() {
    let (clean, insects) = season(&[INSECTS]);
    for weed in ["base_weed", "invasive", "grass"] {
        let weeds = format!("Weeds: {{base: {weed}, equations: agronomic}}");
        let field = Beans::of(10.0).with(INSECTS).with(weeds).initially("Weeds-0: {grow#nb: 200}");
        let mut world = field.build();
        let (mut weedy, mut on_weeds, mut on_crop) = (0.0, 0.0, 0.0);
        for seed in 0..SEEDS {
            weedy += harvest(&mut world, 10.0, seed, |world, _| {
                on_weeds += world.value("Pests-0.onplant_population#nb.Weeds-0");
                on_crop += world.value("Pests-0.onplant_population#nb.Plant-0");
            }) / SEEDS as f64;
        }
        assert!(weedy < clean, "{weed}: {weedy} kg/m² with weeds, {clean} without");
        assert!(
            on_crop > 1.5 * on_weeds,
            "{weed}: {on_crop} on the crop, {on_weeds} on weeds; {insects} without weeds"
        );
    }
}

#[test]
fn birds_keep_insects_down_and_never_rid_a_field_of_them() {
    let (without, many) = season(&[INSECTS]);
    let (with, few) = season(&[INSECTS, "Birds: pest_eater"]);
    assert!(with > without, "{with} kg/m² with birds, {without} without");
    assert!(few < 0.7 * many && few > 0.02 * many, "{few} insects per plant with birds, {many} without");
}

/// 50 g of insecticide per hectare when there is one insect per plant.
#[test]
fn a_spray_at_the_threshold_saves_the_harvest() {
    let clean = mean_harvest(&mut Beans::of(10.0).build(), 10.0, SEEDS);
    let (neglected, _) = season(&[INSECTS]);
    let mut world = Beans::of(10.0).with(INSECTS).with("Cide: pesticide").build();
    let (mut sprayed, mut sprays) = (0.0, 0);
    for seed in 0..SEEDS {
        world.env.reset(seed);
        for _ in 0..200 {
            if world.stages()[0] == "ripe" {
                break;
            }
            super::day(&mut world, 10.0);
            if world.value("Pests-0.plot_population#nb") > 1320.0 {
                world.act(&["Cide-0 scatter {\"plot\": [0, 0], \"amount#kg\": 0.0005}"]);
                sprays += 1;
            }
        }
        let fruits = world.value("Plant-0.population#nb") * world.value("Plant-0.fruits_per_plant#nb");
        sprayed += fruits * world.value("Plant-0.fruit_weight#g") / 1e5 / SEEDS as f64;
    }
    assert!((1..=2 * SEEDS as usize).contains(&sprays), "{sprays} sprays in {SEEDS} seasons");
    assert!(sprayed > 0.95 * clean && sprayed > neglected + 0.5 * (clean - neglected), "{sprayed} {neglected} {clean}");
}
