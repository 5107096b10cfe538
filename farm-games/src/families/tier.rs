//! Tiers: what makes a game of a family easier or harder, rules apart.

use std::fmt::Write as _;

/// What a player is told of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Told {
    /// Its rules, with the names of the family.
    Shown,
    /// What it looks like, with the names of the family.
    Hidden,
    /// What it looks like, with names that nobody knows.
    Invented,
}

impl Told {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Shown => "shown",
            Self::Hidden => "hidden",
            Self::Invented => "invented",
        }
    }
}

/// What makes a game of a family easier or harder, rules apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tier {
    /// Its number, from 1, the easiest.
    pub number: u32,
    /// The steps of an episode; days on a farm.
    pub steps: u32,
    /// What a player is told.
    pub told: Told,
    /// What it is like where it is played.
    pub setting: Setting,
}

/// What a tier is like where it is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Setting {
    /// A map that has to be searched.
    Map(MapSetting),
    /// A farm that has to be tended.
    Farm(FarmSetting),
}

/// The map of a tier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MapSetting {
    /// Tiles in a row and in a column of the map.
    pub size: u32,
    /// Tiles in a row of the window.
    pub view: u32,
    /// Whether things lie anywhere instead of each kind in a place of its own.
    pub is_scattered: bool,
    /// Obstacles besides walls.
    pub obstacles: u32,
}

/// The farm of a tier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FarmSetting {
    /// Plots, in a row.
    pub plots: u32,
    /// What the farmer does in a day at the most.
    pub actions: u32,
    /// Between which limits the water in the soil is drawn at the start, in litres.
    pub water: [u32; 2],
    /// Whether the water in the soil is seen.
    pub is_water_seen: bool,
}

impl Tier {
    /// A tier with a map on which each kind of things has its place, with hidden rules.
    pub(super) const fn of_map(number: u32, size: u32, view: u32, steps: u32) -> Self {
        let setting = Setting::Map(MapSetting { size, view, is_scattered: false, obstacles: 0 });
        Self { number, steps, told: Told::Hidden, setting }
    }

    /// The same with things anywhere, and obstacles between them.
    pub(super) const fn scattered(self, obstacles: u32) -> Self {
        let setting = match self.setting {
            Setting::Map(map) => Setting::Map(MapSetting { is_scattered: true, obstacles, ..map }),
            farm @ Setting::Farm(_) => farm,
        };
        Self { setting, ..self }
    }

    /// A tier with a farm, with hidden rules.
    pub(super) const fn of_farm(number: u32, farm: FarmSetting, steps: u32) -> Self {
        Self { number, steps, told: Told::Hidden, setting: Setting::Farm(farm) }
    }

    /// The same with something else told.
    pub(super) const fn told(self, told: Told) -> Self {
        Self { told, ..self }
    }

    /// Its map, if it has one.
    pub fn map(&self) -> Option<MapSetting> {
        match self.setting {
            Setting::Map(map) => Some(map),
            Setting::Farm(_) => None,
        }
    }

    /// Its farm, if it has one.
    pub fn farm(&self) -> Option<FarmSetting> {
        match self.setting {
            Setting::Map(_) => None,
            Setting::Farm(farm) => Some(farm),
        }
    }

    /// What it is like, for people: each heading with what stands below it, the number first.
    pub fn columns(&self) -> Vec<(&'static str, String)> {
        let mut columns = vec![("tier", self.number.to_string())];
        match self.setting {
            Setting::Map(MapSetting { size, view, is_scattered, obstacles }) => columns.extend([
                ("map", format!("{size} × {size}")),
                ("window", format!("{view} × {view}")),
                ("things", if is_scattered { "anywhere" } else { "in their places" }.to_owned()),
                ("obstacles", obstacles.to_string()),
                ("steps", self.steps.to_string()),
            ]),
            Setting::Farm(FarmSetting { plots, actions, water: [low, high], is_water_seen }) => columns.extend([
                ("plots", plots.to_string()),
                ("actions a day", actions.to_string()),
                ("soil water at the start", format!("{low} to {high} L")),
                ("later", if is_water_seen { "seen" } else { "not seen" }.to_owned()),
                ("days", self.steps.to_string()),
            ]),
        }
        columns.push(("rules", self.told.name().to_owned()));
        columns
    }
}

impl MapSetting {
    /// A map without walls, as a plan in YAML.
    pub(super) fn open_plan(&self) -> String {
        let row = ".".repeat(self.size as usize);
        let mut plan = String::from("|\n");
        for _ in 0..self.size {
            // Nothing can go wrong when writing into a text.
            let _ = writeln!(plan, "    {row}");
        }
        plan.trim_end().to_owned()
    }
}
