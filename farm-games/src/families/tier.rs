//! Tiers: settings that make a family's game easier or harder, apart from its rules.

use std::fmt::Write as _;

/// The crops on a farm, and the laws of each.
const CROPS: u32 = 2;
pub(super) const LAWS: u32 = 4;

/// The instructions that a player gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Told {
    /// With the rules, and with the family's names.
    Shown,
    /// Without the rules, with the family's names.
    Hidden,
    /// Without the rules, with invented names.
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

/// A tier of a family: settings that make its game easier or harder, apart from its rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tier {
    /// Its number, from 1, the easiest.
    pub number: u32,
    /// The number of steps in an episode; days on a farm.
    pub steps: u32,
    /// The instructions that a player gets.
    pub told: Told,
    /// The map or the farm.
    pub setting: Setting,
}

/// The map or the farm of a tier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Setting {
    /// A map to explore.
    Map(MapSetting),
    /// A farm to tend.
    Farm(FarmSetting),
}

/// The map of a tier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MapSetting {
    /// The number of tiles per row and per column in the map.
    pub size: u32,
    /// The number of tiles per row in the window.
    pub view: u32,
    /// Whether things are scattered over the map; otherwise each kind has its own area.
    pub is_scattered: bool,
    /// The number of obstacles, in addition to walls.
    pub obstacles: u32,
}

/// The farm of a tier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FarmSetting {
    /// The number of plots, which are in a row.
    pub plots: u32,
    /// The maximum number of actions per day.
    pub actions: u32,
    /// The lowest and the highest soil water at the start, in litres.
    pub water: [u32; 2],
    /// Whether soil water is observed.
    pub is_water_seen: bool,
    /// The number of laws of each crop that the instructions tell even if the rules are hidden, in this order: food, price, water, season.
    pub told: u32,
}

impl Tier {
    /// A tier with hidden rules, and a map on which each kind of thing has its own area.
    pub(super) const fn of_map(number: u32, size: u32, view: u32, steps: u32) -> Self {
        let setting = Setting::Map(MapSetting { size, view, is_scattered: false, obstacles: 0 });
        Self { number, steps, told: Told::Hidden, setting }
    }

    /// The same tier with scattered things, and obstacles between them.
    pub(super) const fn scattered(self, obstacles: u32) -> Self {
        let setting = match self.setting {
            Setting::Map(map) => Setting::Map(MapSetting { is_scattered: true, obstacles, ..map }),
            farm @ Setting::Farm(_) => farm,
        };
        Self { setting, ..self }
    }

    /// A tier with a farm and hidden rules.
    pub(super) const fn of_farm(number: u32, farm: FarmSetting, steps: u32) -> Self {
        Self { number, steps, told: Told::Hidden, setting: Setting::Farm(farm) }
    }

    /// The same tier with other instructions.
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

    /// The number of laws that the player has to discover, on a farm.
    pub fn hidden_laws(&self) -> Option<u32> {
        let farm = self.farm()?;
        Some(if self.told == Told::Shown { 0 } else { CROPS * (LAWS - farm.told) })
    }

    /// The columns of its row in a printed table, each with a heading and text. The first one is the number.
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
            Setting::Farm(FarmSetting { plots, actions, water: [low, high], is_water_seen, .. }) => columns.extend([
                ("hidden laws", self.hidden_laws().unwrap_or_default().to_string()),
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
            // Writing into a string cannot fail.
            let _ = writeln!(plan, "    {row}");
        }
        plan.trim_end().to_owned()
    }
}
