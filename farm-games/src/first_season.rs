//! The season of a new game, found by playing: when to sow a crop in its weather, how much of it, and how to water it.
//!
//! Nothing here knows a crop or a climate. A season is begun on many days of the year, and the day on which the worst of some seeds earns most is taken. So it
//! fits weather of any place, and crops that others add.

use std::path::Path as FilePath;

use farm_core::config::{Document, Origin, PartKind, Path, Problem, Problems, Tool, Trust};
use farm_core::inspect::DAYS_PER_YEAR;
use farm_core::registry::{KindError, kind};
use farm_core::{Game, NoObserver, Role, play};
use farm_roles::{WATER_CAPACITY, WILTING_WATER};

use crate::policies::policy;

/// The kind whose parameter sets are crops.
const CROPS: &str = "Plant";
/// The policy of a game that plays its trial seasons.
const EXPERT: &str = "expert";
/// How many days the tried days of sowing are apart.
const DAYS_BETWEEN: usize = 15;
/// How long trial seasons may last: the shorter ones are for weather of less than a year.
const LENGTHS: [u32; 3] = [330, 220, 140];
/// How many seeds are played for each day.
const SEEDS: u64 = 3;
/// Share of the water that plants can take below which a plot is watered. FAO-56 lets crops lose about half of it without harm.
const MOIST: f64 = 0.6;
/// What a watering brings: a usual irrigation.
const WATERING_MM: f64 = 20.0;
/// To what amounts of water are rounded, in L.
const ROUND_LITERS: f64 = 100.0;

/// How a field is sown and watered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sowing {
    /// The day of the year on which it is sown, 0 on the first of January.
    pub day: u32,
    /// How many days the season lasts, from then on.
    pub days: u32,
    /// Seeds of a plot.
    pub seeds: u32,
    /// Litres in a plot below which it is watered.
    pub below: u32,
    /// Litres of a watering.
    pub amount: u32,
}

/// The crops that a new game can grow, by name.
pub fn crops() -> Vec<String> {
    let sets = kind(PartKind::Entity, CROPS).and_then(|kind| kind.parameter_sets().ok());
    sets.into_iter().flatten().map(|set| set.name().to_owned()).collect()
}

/// Checks that all of these are crops.
///
/// # Errors
/// Each one that is not, with the nearest name and all names.
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

/// The game of a text that will be a file of a folder.
///
/// # Errors
/// Every problem of the text.
pub fn compile(name: &str, text: &str, folder: &FilePath) -> Result<Game, Problems> {
    let mut document = Document::parse(name, text)?;
    document.set_trust(Trust::new(Origin::User));
    document.set_directory(Some(folder.to_owned()));
    crate::compile(&document)
}

/// The best of the tried days to sow a field, with all that follows from it. `game_on` makes a game of one field that begins on the day of sowing, with a policy
/// `expert`. None where no crop that is sown earns what it costs.
///
/// # Errors
/// The problems of the game, if none can be made of any day.
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

/// What the expert earns in the worst season, and how many days the longest one lasts.
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

/// The sowing with the usual number of seeds and amounts of water of the game's plots.
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
