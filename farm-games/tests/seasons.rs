//! The games make sense: what daily watering yields, by crop, soil and year; the whole table is `docs/seasons.md`.

use std::thread;

#[path = "../examples/seasons.rs"]
mod table;

use table::{CROPS, Cell, Plot, SOILS, WATERINGS, YEARS, best};

const SEASONS: u64 = 100;

/// The rows of a soil for all crops and one kind of year.
fn rows(soil: &str, year: &str) -> [[Cell; WATERINGS.len()]; CROPS.len()] {
    let rain = YEARS.iter().find(|(name, _)| *name == year).expect("the years are named").1;
    thread::scope(|scope| {
        let players = CROPS.map(|crop| scope.spawn(move || Plot::new(crop, soil, rain).row(SEASONS)));
        players.map(|player| player.join().expect("seasons are played"))
    })
}

#[test]
fn yield_rises_with_water_to_an_optimum_and_falls_beyond_it() {
    for soil in ["clay", "sand"] {
        for (row, (crop, _)) in rows(soil, "mean").iter().zip(CROPS) {
            let best = best(row);
            let kilograms = row.map(|cell| cell.mean_kg);
            assert!(0 < best && best < WATERINGS.len() - 1, "{crop} on {soil}: {kilograms:?}");
            assert!(kilograms[0] < 0.5 * kilograms[best], "{crop} on {soil} needs water: {kilograms:?}");
            assert!(kilograms[5] < 0.85 * kilograms[best], "{crop} on {soil} gets too much: {kilograms:?}");
            assert!(kilograms[..=best].is_sorted(), "{crop} on {soil} rises: {kilograms:?}");
            assert!(kilograms[best..].is_sorted_by(|a, b| a >= b), "{crop} on {soil} falls: {kilograms:?}");
        }
    }
}

/// The least watering that reaches nine tenths of the best yield. Next to the best the yield is flat, so that the best
/// itself depends on the seeds.
fn needed(row: &[Cell; WATERINGS.len()]) -> usize {
    let enough = 0.9 * row[best(row)].mean_kg;
    row.iter().position(|cell| cell.mean_kg >= enough).unwrap_or(0)
}

#[test]
fn sand_needs_more_water_than_clay() {
    for ((clay, sand), (crop, _)) in rows("clay", "mean").iter().zip(&rows("sand", "mean")).zip(CROPS) {
        assert!(
            needed(sand) > needed(clay),
            "{crop}: {} L on sand, {} L on clay",
            WATERINGS[needed(sand)],
            WATERINGS[needed(clay)]
        );
    }
}

#[test]
fn dry_years_need_water_and_wet_years_yield_without() {
    for soil in SOILS {
        for ((dry, wet), (crop, _)) in rows(soil, "dry").iter().zip(&rows(soil, "wet")).zip(CROPS) {
            assert!(
                wet[0].mean_kg > 0.0 && wet[0].success > 0.5,
                "{crop} on {soil} unattended in wet years: {:?}",
                wet[0]
            );
            assert!(wet[0].mean_kg > dry[0].mean_kg, "{crop} on {soil}: rain helps");
            assert!(dry[0].mean_kg < 0.05 * dry[best(dry)].mean_kg, "{crop} on {soil} needs water: {:?}", dry[0]);
            assert!(best(dry) >= best(wet), "{crop} on {soil}: no more water in wet years than in dry ones");
        }
    }
}

#[test]
fn well_watered_crops_on_clay_ripen_in_the_days_of_fao_56() {
    // FAO-56 table 11, here give or take a fifth.
    for (row, [shortest, longest]) in rows("clay", "mean").iter().zip([[95.0, 110.0], [125.0, 180.0], [135.0, 180.0]]) {
        let days = row[best(row)].ripening_days;
        assert!((0.8 * shortest..=1.2 * longest).contains(&days), "{days} days, FAO-56 {shortest} to {longest}");
    }
}
