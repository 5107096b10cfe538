//! The facts about a world from a level file in any format, each with its place in the file.

use farm_core::config::{Path, Problem, Problems, to_inline_yaml};
use farm_core::serde_yaml::Value;
use farm_entities::grid::GridError;

use crate::LevelError;

/// The kinds of things that levels place, by their names in levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Group {
    Fields,
    Pens,
    Barns,
    Villagers,
    Markets,
}

impl Group {
    pub(super) const ALL: [Self; 5] = [Self::Fields, Self::Pens, Self::Barns, Self::Villagers, Self::Markets];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Fields => "fields",
            Self::Pens => "pens",
            Self::Barns => "barns",
            Self::Villagers => "villagers",
            Self::Markets => "markets",
        }
    }

    /// The group of each entity in a field, in order, from its kind and its parameters.
    ///
    /// If two kinds wait for the farmer in front of them, the first are pens and the second villagers, whatever their rules. If there is
    /// only one such kind, its rules decide.
    pub(super) fn of_all<'e>(entities: impl Iterator<Item = (&'e str, &'e Value)> + Clone) -> Vec<Option<Self>> {
        let waits = |(kind, parameters): &(&str, &Value)| *kind == STAGED && !is(parameters, "pays", "when_stood_on");
        let has_two = entities.clone().filter(waits).count() == 2;
        let mut pens = has_two;
        let group = |entity: (&str, &Value)| {
            let (kind, parameters) = entity;
            Some(match kind {
                "CropTiles" => Self::Fields,
                "AnimalTiles" => Self::Barns,
                "NeighbourTiles" => Self::Villagers,
                "MarketTiles" => Self::Markets,
                // What is taken away when the farmer stands on it.
                STAGED if !waits(&entity) => Self::Fields,
                STAGED if has_two => {
                    if std::mem::take(&mut pens) {
                        Self::Pens
                    } else {
                        Self::Villagers
                    }
                }
                // What rises by itself, and what waits for verbs.
                STAGED if is(parameters, "untended", "advances") => Self::Pens,
                STAGED => Self::Villagers,
                _ => return None,
            })
        };
        entities.map(group).collect()
    }
}

/// Whether a parameter has this word as its value.
fn is(parameters: &Value, key: &str, word: &str) -> bool {
    parameters.get(key).and_then(Value::as_str) == Some(word)
}

/// The kind of entity for things that go through stages.
pub(super) const STAGED: &str = "StagedTiles";

/// A tile, x and y.
pub(super) type Tile = (u32, u32);

/// A thing: its tile, and its other known values, under the keys of our format.
#[derive(Debug, Clone)]
pub(super) struct LevelThing {
    pub group: Group,
    pub path: Path,
    pub at: (Tile, Path),
    pub values: Vec<(&'static str, Value, Path)>,
}

/// A world.
#[derive(Debug, Clone)]
pub(super) struct LevelFacts {
    /// The game's name; none if the format does not contain it.
    pub game: Option<String>,
    pub steps: Option<(u32, Path)>,
    /// The rows from north to south, with `.` and `#`, all of the same length.
    pub rows: Vec<String>,
    pub rows_path: Path,
    /// Whether unreachable ground, or a farmer on a fence, is a mistake.
    pub is_strict: bool,
    pub agent: (Tile, Path),
    pub facing: Option<(String, Path)>,
    pub inventory: Vec<(String, Value, Path)>,
    pub things: Vec<LevelThing>,
    /// The groups that the level declares as empty.
    pub empty: Vec<Group>,
}

impl LevelFacts {
    /// The map's length and width.
    pub(super) fn size(&self) -> Tile {
        (self.rows.first().map_or(0, String::len) as u32, self.rows.len() as u32)
    }

    /// Whether a tile of the map is fenced.
    pub(super) fn is_fenced(&self, (x, y): Tile) -> bool {
        self.rows.get(y as usize).and_then(|row| row.as_bytes().get(x as usize)) == Some(&b'#')
    }

    /// Checks that a tile is on the map.
    pub(super) fn check_on_map(&self, at: &(Tile, Path), problems: &mut Problems) -> bool {
        let ((x, y), (length, width)) = (at.0, self.size());
        if x < length && y < width {
            return true;
        }
        let problem = Problem::new(GridError::BeyondMap, at.1.clone(), "this tile lies beyond the map")
            .value(format!("({x}, {y})"));
        let expected = format!("x from 0 to {}, y from 0 to {}", length.saturating_sub(1), width.saturating_sub(1));
        problems.push(problem.expected(expected).help("coordinates count from 0 at the top-left corner"));
        false
    }
}

/// A pair of coordinates; anything else is a problem.
pub(super) fn tile(value: Option<&Value>, path: &Path, problems: &mut Problems) -> Option<(Tile, Path)> {
    let pair: Option<Vec<u32>> = value.and_then(Value::as_sequence).and_then(|list| {
        list.iter().map(|number| number.as_u64().and_then(|number| u32::try_from(number).ok())).collect()
    });
    if let Some([x, y]) = pair.as_deref() {
        return Some(((*x, *y), path.clone()));
    }
    let found = value.map_or("nothing".to_owned(), to_inline_yaml);
    let problem = Problem::new(LevelError::NotATile, path.clone(), "this is not a valid tile").value(found);
    problems.push(problem.expected("two integers [x, y], counted from 0 at the top-left corner"));
    None
}
