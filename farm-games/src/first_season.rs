//! Finds a season for a new game by playing: when to sow a crop in the game's weather, how many seeds to sow, and how to water it.
//!
//! This code knows no crop and no climate. It starts seasons on many days of the year, and chooses the day whose worst return over some
//! seeds is highest. It therefore works with weather from any place, and with crops that users add.

use std::path::Path as FilePath;

use farm_core::config::{Origin, PartKind, Path, Problem, Problems, Source, Tool, Trust};
use farm_core::inspect::DAYS_PER_YEAR;
use farm_core::registry::{KindError, kind};
use farm_core::{Game, NoObserver, Role, play};
use farm_roles::{WATER_CAPACITY, WILTING_WATER};

use crate::policies::policy;

/// The kind whose parameter sets are crops.
const CROPS: &str = "Plant";
/// The policy that plays a game's trial seasons.
const EXPERT: &str = "expert";
/// The number of days between the sowing days that are tried.
const DAYS_BETWEEN: usize = 15;
/// The maximum lengths of trial seasons, in days; the shorter ones are for weather data that covers less than a year.
const LENGTHS: [u32; 3] = [330, 220, 140];
/// The number of seeds played for each day.
const SEEDS: u64 = 3;
/// A plot is watered below this share of the water that plants can take. FAO-56 lets crops lose about half of that water without harm.
const MOIST: f64 = 0.6;
/// The amount per watering, in mm: a typical irrigation.
const WATERING_MM: f64 = 20.0;
/// Amounts of water are rounded to multiples of this number, in L.
const ROUND_LITERS: f64 = 100.0;

/// How a field is sown and watered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sowing {
    /// The day of the year on which it is sown; 0 is 1 January.
    pub day: u32,
    /// The length of the season in days, starting on that day.
    pub days: u32,
    /// The number of seeds per plot.
    pub seeds: u32,
    /// The soil water below which a plot is watered, in litres.
    pub below: u32,
    /// The amount of a watering, in litres.
    pub amount: u32,
}

/// The crops that a new game can grow, by name. Cultivars of a crop are not among them.
pub fn crops() -> Vec<String> {
    let sets = kind(PartKind::Entity, CROPS).and_then(|kind| kind.parameter_sets().ok());
    sets.into_iter().flatten().filter(|set| set.base().is_none()).map(|set| set.name().to_owned()).collect()
}

/// Checks that all of these are crops.
///
/// # Errors
/// Each name that is not a crop, with the nearest name and all names.
pub fn check_crops(names: &[String]) -> Result<(), Problems> {
    let known = crops();
    let unknown = names.iter().filter(|name| !known.contains(name)).map(|name| {
        Problem::new(KindError::UnknownParameterSet, Path::default(), format!("there is no crop `{name}`"))
            .value(name)
            .among(name, known.iter().map(String::as_str))
            .help(Tool::describe(CROPS).and(" shows the crops"))
    });
    let problems = Problems(unknown.collect());
    if problems.has_errors() { Err(problems) } else { Ok(()) }
}

/// Compiles `text` as a game, as if it were a file in a folder.
///
/// # Errors
/// Every problem in the text.
pub fn compile(name: &str, text: &str, folder: &FilePath) -> Result<Game, Problems> {
    let source = Source::new(name, text).with_trust(Trust::new(Origin::User)).in_folder(Some(folder));
    crate::compile(&source.document()?)
}

/// The best sowing of a field among the days tried. `game_on` makes a game of one field that begins on the day of sowing, with a policy
/// `expert`. None if no crop earns more than it costs.
///
/// # Errors
/// The problems of the last game tried, if `game_on` fails for every day.
pub fn best_sowing(game_on: impl Fn(&Sowing) -> Result<Game, Problems>) -> Result<Option<Sowing>, Problems> {
    let mut refused = Problems::default();
    // The numbers are those of the plots, whatever the day.
    let mut known: Option<Sowing> = None;
    for days in LENGTHS {
        let mut best: Option<(f64, Sowing)> = None;
        for day in (0..DAYS_PER_YEAR).step_by(DAYS_BETWEEN) {
            let blank = Sowing { day, days, seeds: 1, below: 1, amount: 1 };
            let sowing = match known {
                Some(known) => Ok(Sowing { day, days, ..known }),
                None => game_on(&blank).map(|game| usual(&game, blank)),
            };
            let (sowing, game) = match sowing.and_then(|sowing| Ok((sowing, game_on(&sowing)?))) {
                Ok(tried) => tried,
                Err(problems) => {
                    refused = problems;
                    continue;
                }
            };
            known = Some(sowing);
            let (earned, lasted) = worst_season(&game)?;
            if earned > best.map_or(0.0, |(most, _)| most) {
                best = Some((earned, Sowing { days: lasted.min(days), ..sowing }));
            }
        }
        if let Some((_, sowing)) = best {
            return Ok(Some(sowing));
        }
    }
    if known.is_some() { Ok(None) } else { Err(refused) }
}

/// The expert's return in the worst season, and the length of the longest season in days.
fn worst_season(game: &Game) -> Result<(f64, u32), Problems> {
    let mut player = policy(game, EXPERT)?;
    let (mut worst, mut longest) = (f64::INFINITY, 0);
    for seed in 0..SEEDS {
        // A part that fails earns nothing.
        let Ok(episode) = play(game, player.as_mut(), seed, &mut NoObserver) else { return Ok((0.0, 0)) };
        worst = episode.total().min(worst);
        longest = longest.max(u32::try_from(episode.steps()).unwrap_or(u32::MAX));
    }
    Ok((worst, longest))
}

/// The sowing with the usual number of seeds and the usual amounts of water for the game's plots.
fn usual(game: &Game, blank: Sowing) -> Sowing {
    let mut parameters = game.parts().iter().flat_map(|part| part.actions()).flat_map(|action| action.parameters());
    let seeds = parameters.find(|parameter| parameter.name() == "amount#seed").and_then(|seeds| seeds.middle());
    let level = |role: Role<f64>| {
        let mut variables = game.parts().iter().flat_map(|part| part.variables());
        variables.find(|variable| variable.roles().contains(&role.name())).map_or(0.0, |variable| variable.default())
    };
    let (wilting, capacity) = (level(WILTING_WATER), level(WATER_CAPACITY));
    let area = game.fields().first().map_or(1.0, |field| field.plot_area_m2());
    let liters = |liters: f64| ((liters / ROUND_LITERS).round().max(1.0) * ROUND_LITERS) as u32;
    Sowing {
        seeds: seeds.map_or(blank.seeds, |seeds| seeds.round().max(1.0) as u32),
        below: liters(wilting + MOIST * (capacity - wilting)),
        amount: liters(WATERING_MM * area),
        ..blank
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crops_are_known_by_name() {
        assert!(crops().len() > 5);
        assert!(check_crops(&crops()).is_ok());
        let text = check_crops(&["tomatoe".to_owned()]).expect_err("no crop").to_string();
        assert!(text.contains("no crop `tomatoe`") && text.contains("did you mean `tomato`?"), "{text}");
        assert!(crops().iter().all(|crop| text.contains(&format!("`{crop}`"))), "{text}");
    }
}
