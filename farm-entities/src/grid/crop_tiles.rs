//! Fields to plant, water and harvest.
//!
//! The farmer acts on the field on its tile. Planting needs a seed and bare soil. Each watering advances the crop by one
//! stage. A crop in its last stage can be harvested, which leaves bare soil. No crop grows or wilts by itself.
//!
//! | reads | role |
//! |---|---|
//! | the map, for the tiles of the fields, their soil and stage | `grid_tiles`, `grid_symmetry` |
//! | the farmer's position, and its start tile, where no field is placed | `agent_position`, `agent_start` |
//!
//! | writes | unit |
//! |---|---|
//! | `stage`, `cell` of each field (hidden) | category, tile |
//! | the farmer's seeds, water and crops | `agent_item` |
//!
//! Source: Valley Farm V2, V5 and its actions PlantSeed, WaterCrop, HarvestCrop.

use farm_core::action::CallArguments;
use farm_core::config::{Path, Problem};
use farm_core::declare::{EventId, Picture};
use farm_core::inspect::counted;
use farm_core::{Behaviour, Bind, Column, Columns, Context, Declarations, Entity, Purpose, Reader};
use farm_roles::AGENT_POSITION;

use super::{
    Area, Cells, KnownMap, OnMap, Placement, TileFrame, item, needs_items, sprites, status, terrain, thing_at,
};
use crate::grid::GridError;

/// Effect of watering a crop in its last stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub(super) enum WateringRipe {
    /// Watering has no effect, and the water is kept.
    Refused,
    /// Watering uses water and has no other effect.
    UsesWater,
}

/// A field that a level places.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct PlacedField {
    /// Tiles from the western border.
    #[parameter(range = 0..=999)]
    pub x: u32,
    /// Tiles from the northern border.
    #[parameter(range = 0..=999)]
    pub y: u32,
    /// The stage of its crop. Default: bare soil.
    pub stage: Option<String>,
}

/// Fields to plant, water and harvest with the items that the farmer carries.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct CropTiles {
    /// Number of fields.
    #[parameter(unit = "nb", default = 4, range = 1..=64)]
    pub count: u32,
    /// Area in which each field gets a different random tile, all with equal probability. Default: the whole map.
    pub area: Option<Area>,
    /// The fields of a level, each with its tile, in the orientation of the plan. They replace `count#nb` and `area`.
    pub placed: Vec<PlacedField>,
    /// The stages of a crop from first to last. Each is one of the map's statuses.
    #[parameter(default = ["seedling", "growing", "mature"].map(String::from).to_vec())]
    pub stages: Vec<String>,
    /// The terrain of bare soil, then the terrain of each stage. Each is one of the map's terrains.
    #[parameter(default = ["soil_empty", "soil_seeded", "crop_growing", "crop_mature"].map(String::from).to_vec())]
    pub terrains: Vec<String>,
    /// Name of the action that plants.
    #[parameter(default = "PlantSeed".into())]
    pub plant: String,
    /// Name of the action that waters.
    #[parameter(default = "WaterCrop".into())]
    pub water: String,
    /// Name of the action that harvests.
    #[parameter(default = "HarvestCrop".into())]
    pub harvest: String,
    /// The item that planting takes.
    #[parameter(default = "seeds".into())]
    pub seed_item: String,
    /// Amount of `seed_item` that one planting takes.
    #[parameter(unit = "nb", default = 1, range = 0..=1000)]
    pub seeds_per_planting: u32,
    /// The item that watering takes.
    #[parameter(default = "water".into())]
    pub water_item: String,
    /// Amount of `water_item` that one watering takes.
    #[parameter(unit = "nb", default = 1, range = 0..=1000)]
    pub water_per_watering: u32,
    /// Number of stages by which one watering advances the crop.
    #[parameter(unit = "nb", default = 1, range = 1..=100)]
    pub stages_per_watering: u32,
    /// Effect of watering a crop in its last stage.
    #[parameter(default = WateringRipe::Refused)]
    pub watering_ripe: WateringRipe,
    /// The item that a harvest gives.
    #[parameter(default = "crops".into())]
    pub crop_item: String,
    /// Amount of `crop_item` that one harvest gives.
    #[parameter(unit = "nb", default = 1, range = 0..=1000)]
    pub crops_per_harvest: u32,
    /// Name of the event of a harvest. Its value is the amount harvested.
    #[parameter(default = "harvest".into())]
    pub event: String,
}

/// Maximum number of stages, so that a stage fits into a byte with room for bare soil.
const MAX_STAGES: usize = 100;

#[farm_core::register(
    source = "Valley Farm V2, V5 and actions (AutoEnv environment 18, rules as decided by this project)"
)]
impl Entity for CropTiles {
    fn declare(&self, _: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
        Bind::after(|d, known| {
            let fields = Fields::declare(d, &OnMap::new(self.clone(), known));
            needs_items(d);
            let count = fields.places.on.count;
            d.text_variable("number", count.to_string());
            let places = Area::in_words(self.area.as_ref(), count, "crop field");
            d.world_text(format!("{places} At the start, every field is `{}`, and nothing grows there.", self.bare()));
            d.picture(self.picture(fields.places.on.frame));
            d.picture(self.seen_picture());
            Bind::new(move |found| fields.bind(found))
        })
    }
}

impl CropTiles {
    fn places(&self, map: &KnownMap, d: &mut Declarations<'_>) -> Cells {
        let at: Vec<(u32, u32)> = self.placed.iter().map(|field| (field.x, field.y)).collect();
        Cells::new(d, map.frame, self.count, self.area.as_ref(), &at)
    }

    /// Bare soil and the stages of a crop.
    fn names_of_stages(&self) -> impl Iterator<Item = &str> {
        std::iter::once("bare").chain(self.stages.iter().map(String::as_str))
    }

    fn first_stage(&self) -> &str {
        self.stages.first().map_or("", String::as_str)
    }

    fn last_stage(&self) -> &str {
        self.stages.last().map_or("", String::as_str)
    }

    fn bare(&self) -> &str {
        self.terrains.first().map_or("", String::as_str)
    }

    /// The text of the action that plants.
    fn plant_text(&self) -> String {
        let (bare, first) = (self.bare(), self.first_stage());
        format!(
            "Plants a crop in the {first} stage on your tile. Condition: your tile is `{bare}`. Uses {}.",
            counted(self.seeds_per_planting, &self.seed_item)
        )
    }

    /// The text of the action that waters.
    fn water_text(&self) -> String {
        let last = self.last_stage();
        let stages = match self.stages_per_watering {
            1 => "to its next stage".to_owned(),
            stages => format!("forward by {stages} stages"),
        };
        let used = counted(self.water_per_watering, &self.water_item);
        let condition = match self.watering_ripe {
            WateringRipe::Refused => {
                format!("Condition: your tile has a crop that is not yet {last}. Uses {used}.")
            }
            WateringRipe::UsesWater => {
                format!("Condition: your tile has a crop. Uses {used}, even if the crop is {last} and does not change.")
            }
        };
        format!("Moves the crop on your tile {stages}. {condition}")
    }

    /// The text of the action that harvests.
    fn harvest_text(&self) -> String {
        let (bare, last) = (self.bare(), self.last_stage());
        format!(
            "Adds {} to what you carry and turns your tile back into `{bare}`. Condition: your tile has a crop that is {last}.",
            counted(self.crops_per_harvest, &self.crop_item)
        )
    }

    /// The terrain and the status that bare soil and each stage show.
    fn looks(&self, map: &KnownMap, d: &mut Declarations<'_>) -> Vec<(u8, u8)> {
        if self.stages.is_empty() || self.stages.len() > MAX_STAGES || self.terrains.len() != self.stages.len() + 1 {
            let message = "`terrains` needs one terrain for bare soil and one for each stage";
            let problem = Problem::new(GridError::WrongStages, Path::default().child("terrains"), message)
                .value(self.terrains.join(", "));
            d.problem(problem.expected("1 to 100 stages, and one more terrain than stages"));
        }
        let terrains: Vec<u8> = self.terrains.iter().map(|name| map.terrain(d, name, "terrains")).collect();
        let statuses: Vec<u8> = self.stages.iter().map(|name| map.status(d, name, "stages")).collect();
        // Bare soil has no status.
        terrains.into_iter().zip(std::iter::once(0).chain(statuses)).collect()
    }

    /// Each field on its tile, bare or in the stage of its crop.
    fn picture(&self, frame: TileFrame) -> Picture {
        let picture = Picture::of_things("Field", 30, "cell#tile", frame.columns, frame.margin);
        self.names_of_stages().zip(&self.terrains).fold(picture, |picture, (stage, terrain)| {
            picture.label("stage", stage, &sprites::in_words(stage), sprites::terrain(terrain))
        })
    }

    /// The same in a learner's window: each stage has its own terrain.
    fn seen_picture(&self) -> Picture {
        self.names_of_stages()
            .zip(&self.terrains)
            .fold(Picture::of_seen_tiles("Field", 30), |picture, (stage, terrain)| {
                picture.names(&[terrain], &sprites::in_words(stage), sprites::terrain(terrain))
            })
    }

    /// The stage that a level sets for a field: 0 for bare soil.
    fn placed_stage(&self, d: &mut Declarations<'_>, i: usize) -> u8 {
        let Some(name) = &self.placed[i].stage else { return 0 };
        let found = self.stages.iter().position(|stage| stage == name);
        if found.is_none() {
            let path = Path::default().child("placed").child(i).child("stage");
            let problem = Problem::new(GridError::UnknownStage, path, format!("`{name}` is not a stage")).value(name);
            d.problem(problem.among(name, self.stages.iter().map(String::as_str)).help("bare soil has no `stage`"));
        }
        found.map_or(0, |stage| stage as u8 + 1)
    }
}

#[derive(Columns)]
struct Fields {
    parameters: OnMap<CropTiles>,
    #[stream]
    key: u64,
    #[nested(parameters.places(&parameters.map, d))]
    places: Placement,
    /// Stage of each field.
    #[category(names = &parameters.names_of_stages().collect::<Vec<_>>(), shape = &[places.on.count], hidden)]
    stage: Column<u8>,
    /// The tile of each field, as an index of the map.
    #[count(unit = "tile", range = 0..=places.on.frame.last_cell(), shape = &[places.on.count], hidden)]
    cell: Column<i32>,
    #[action(
        name = &parameters.plant,
        doc = &parameters.plant_text(),
        done = "planted a seed",
        badge = include_str!("../agronomy/sprites/badges/seeds.svg")
    )]
    plant: usize,
    #[action(
        name = &parameters.water,
        doc = &parameters.water_text(),
        done = "watered",
        badge = include_str!("../agronomy/sprites/badges/drop.svg")
    )]
    water: usize,
    #[action(
        name = &parameters.harvest,
        doc = &parameters.harvest_text(),
        done = "harvested",
        badge = include_str!("../agronomy/sprites/badges/basket.svg")
    )]
    _harvest: usize,
    /// A harvest; the plot is the field's index, the value the amount.
    #[event(name = &parameters.event, per_step = 1)]
    event: EventId,
    /// The terrain and the status of bare soil and of each stage.
    #[with(parameters.looks(&parameters.map, d))]
    looks: Vec<(u8, u8)>,
    /// The stage that a level sets, by field.
    #[with((0..parameters.placed.len()).map(|i| parameters.placed_stage(d, i)).collect())]
    placed: Vec<u8>,
    #[one(AGENT_POSITION)]
    position: Column<u8>,
    /// The item that an action takes or gives, and its amount.
    #[bind((item(found, &parameters.seed_item, "seed_item"), f64::from(parameters.seeds_per_planting)))]
    seeds: (Column<f64>, f64),
    #[bind((item(found, &parameters.water_item, "water_item"), f64::from(parameters.water_per_watering)))]
    water_used: (Column<f64>, f64),
    #[bind((item(found, &parameters.crop_item, "crop_item"), f64::from(parameters.crops_per_harvest)))]
    crops: (Column<f64>, f64),
    /// The last stage; bare soil is 0.
    #[with(parameters.stages.len() as u8)]
    last: u8,
}

const PLACE: Purpose = Purpose::named("place");

impl Fields {
    /// The stage after an action, and the item and amount that the action takes; `None` if the action is not possible here.
    #[inline]
    fn outcome(&self, action: usize, stage: u8) -> Option<(u8, (Column<f64>, f64))> {
        if action == self.plant {
            (stage == 0).then_some((1, self.seeds))
        } else if action != self.water {
            (stage == self.last).then_some((0, (self.crops.0, 0.0)))
        } else if stage == 0 {
            None
        } else {
            let growth = self.parameters.stages_per_watering as u8;
            let grows = (stage < self.last).then(|| stage.saturating_add(growth).min(self.last));
            let is_kept = self.parameters.watering_ripe == WateringRipe::UsesWater;
            grows.or(is_kept.then_some(stage)).map(|after| (after, self.water_used))
        }
    }

    /// The terrain and the status that a stage shows.
    fn look(&self, stage: u8) -> (u8, u8) {
        self.looks.get(usize::from(stage)).copied().unwrap_or_default()
    }

    fn show(&self, cell: usize, stage: u8, c: &Context<'_>) {
        let tiles = c.get(self.places.tiles);
        let (land, flag) = self.look(stage);
        terrain(tiles, cell).set(land);
        status(tiles, cell).set(flag);
    }
}

impl Behaviour for Fields {
    fn reset(&self, c: &mut Context<'_>) {
        let stage = |i: usize| self.placed.get(i).copied().unwrap_or(0);
        let terrain_of = |i, _| self.look(stage(i)).0;
        let count = self.places.place(c, c.stream(self.key, PLACE), self.cell, terrain_of);
        c.get(self.stage)[..count].iter().enumerate().for_each(|(i, own)| own.set(stage(i)));
    }

    /// Shows the stages, including stages set by the rules.
    fn after_initial_conditions(&self, c: &mut Context<'_>) {
        for (cell, stage) in c.get(self.cell).iter().zip(c.get(self.stage)).filter(|(cell, _)| cell.get() != 0) {
            self.show(cell.get() as usize, stage.get(), c);
        }
    }

    fn act(&self, action: usize, _: CallArguments<'_>, c: &mut Context<'_>) {
        let here = self.places.on.frame.cell_at(c.get(self.position));
        let Some(i) = thing_at(c.get(self.cell), here) else { return };
        let stage = &c.get(self.stage)[i];
        let Some((after, (takes, amount))) = self.outcome(action, stage.get()) else { return };
        let stock = &c.get(takes)[0];
        if stock.get() < amount {
            return;
        }
        stock.set(stock.get() - amount);
        stage.set(after);
        self.show(here, after, c);
        if after == 0 {
            let crops = &c.get(self.crops.0)[0];
            crops.set(crops.get() + self.crops.1);
            c.emit(self.event, i, self.crops.1);
        }
    }

    fn has_effect(&self, action: usize, _: CallArguments<'_>, reader: &Reader<'_>) -> bool {
        let position = reader.get(self.position);
        let here = self.places.on.frame.cell(usize::from(position[0]), usize::from(position[1])) as i32;
        let found = reader.get(self.cell).iter().position(|cell| *cell == here);
        let outcome = found.and_then(|i| self.outcome(action, reader.get(self.stage)[i]));
        outcome.is_some_and(|(_, (takes, amount))| reader.get(takes)[0] >= amount)
    }
}
