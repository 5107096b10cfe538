//! Animals in barns: after a feeding they are sated for some steps, and sated animals give products.
//!
//! The farmer acts on the barn on its tile. In each step in which an animal is sated, its counter ticks before the farmer
//! acts. After a number of ticks, the animal deposits products for the farmer to collect. This part runs at the end of a
//! step, so its tick belongs to the next step.
//!
//! | reads | role |
//! |---|---|
//! | the map, for the tiles of the barns and their hunger | `grid_tiles`, `grid_symmetry` |
//! | the farmer's position, and its start tile, where no animal is placed | `agent_position`, `agent_start` |
//!
//! | writes | unit |
//! |---|---|
//! | `sated_steps`, `ticks`, `stock`, `cell` of each animal (hidden) | steps, ticks, products, tile |
//! | the farmer's feed and products | `agent_item` |
//!
//! Source: Valley Farm V2, V5, its actions FeedAnimal and CollectProduct, and its animal clock.

use std::collections::BTreeSet;

use farm_core::action::CallArguments;
use farm_core::config::{ParameterError, Path, Problem};
use farm_core::declare::{EventId, Picture};
use farm_core::inspect::{alternatives, counted, listed};
use farm_core::{Behaviour, Bind, Column, Columns, Context, Declarations, Entity, Phase, Purpose, Reader};
use farm_roles::AGENT_POSITION;

use super::{
    Area, Cells, KnownMap, OnMap, Placement, TileFrame, item, needs_items, sprites, status, terrain, thing_at,
};
use crate::grid::GridError;

/// When products are deposited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub(super) enum Deposits {
    /// After every `ticks_per_deposit#nb` ticks; the counter then restarts at 0.
    Repeatedly,
    /// At most once after each feeding; a feeding sets the counter to 0.
    OncePerFeeding,
}

/// When products can be collected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub(super) enum Collecting {
    /// While the animal is sated.
    WhileSated,
    /// At any time.
    Always,
}

/// Effect of feeding a sated animal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub(super) enum FeedingSated {
    /// The animal takes feed, and its sated steps restart.
    Restarts,
    /// Feeding has no effect, and the feed is kept.
    Refused,
}

/// An animal that a level places.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct PlacedAnimal {
    /// Tiles from the western border.
    #[parameter(range = 0..=999)]
    pub x: u32,
    /// Tiles from the northern border.
    #[parameter(range = 0..=999)]
    pub y: u32,
    /// The terrain of its tile. Default: the terrain at its position in `terrains`.
    pub terrain: Option<String>,
    /// Number of steps for which it is sated, from the first step on; 0 means hungry.
    #[parameter(unit = "step", range = 0..=1_000_000)]
    pub sated_steps: u32,
    /// Value of its counter before the first step. With `deposits: repeatedly` it must be below `ticks_per_deposit#nb`.
    #[parameter(unit = "nb", range = 0..=1_000_000)]
    pub ticks: u32,
    /// Number of products to collect.
    #[parameter(unit = "nb", range = 0..=1_000_000)]
    pub stock: u32,
}

/// Animals in barns. The farmer feeds them, and they give products while they are sated.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct AnimalTiles {
    /// Number of animals.
    #[parameter(unit = "nb", default = 3, range = 1..=64)]
    pub count: u32,
    /// Area in which each animal gets a different random tile, all with equal probability. Default: the whole map.
    pub area: Option<Area>,
    /// The animals of a level, each with its tile, in the orientation of the plan. They replace `count#nb` and `area`.
    pub placed: Vec<PlacedAnimal>,
    /// The terrains of their tiles, in the order of the animals. A shorter list repeats.
    #[parameter(default = ["barn_cow", "barn_sheep", "barn_chicken"].map(String::from).to_vec())]
    pub terrains: Vec<String>,
    /// The status of a hungry animal, one of the map's statuses.
    #[parameter(default = "hungry".into())]
    pub hungry: String,
    /// The status of a sated animal, one of the map's statuses.
    #[parameter(default = "sated".into())]
    pub sated: String,
    /// Name of the action that feeds.
    #[parameter(default = "FeedAnimal".into())]
    pub feed: String,
    /// Name of the action that collects.
    #[parameter(default = "CollectProduct".into())]
    pub collect: String,
    /// The item that feeding takes.
    #[parameter(default = "feed".into())]
    pub feed_item: String,
    /// Amount of `feed_item` that one feeding takes.
    #[parameter(unit = "nb", default = 1, range = 0..=1000)]
    pub feed_per_feeding: u32,
    /// Number of steps for which an animal is sated after a feeding. With `feeding_step_ticks`, the step of the feeding is the first.
    #[parameter(unit = "step", default = 10, range = 1..=1_000_000)]
    pub sated_steps: u32,
    /// Whether the step of the feeding counts as one of the sated steps, with a tick of the counter at its end.
    pub feeding_step_ticks: bool,
    /// Effect of feeding a sated animal.
    #[parameter(default = FeedingSated::Restarts)]
    pub feeding_sated: FeedingSated,
    /// Number of ticks after which an animal deposits products.
    #[parameter(unit = "nb", default = 5, range = 1..=1_000_000)]
    pub ticks_per_deposit: u32,
    /// Number of products in one deposit.
    #[parameter(unit = "nb", default = 1, range = 0..=1000)]
    pub products_per_deposit: u32,
    /// When products are deposited.
    #[parameter(default = Deposits::Repeatedly)]
    pub deposits: Deposits,
    /// When products can be collected.
    #[parameter(default = Collecting::WhileSated)]
    pub collecting: Collecting,
    /// Whether collecting sets the counter to 0.
    #[parameter(default = true)]
    pub collecting_resets: bool,
    /// The item that collecting gives.
    #[parameter(default = "products".into())]
    pub product_item: String,
    /// Name of the event of collecting. Its value is the number of products collected.
    #[parameter(default = "product".into())]
    pub event: String,
}

#[farm_core::register(
    source = "Valley Farm V2, V5, actions and animal clock (AutoEnv environment 18, rules as decided by this project)"
)]
impl Entity for AnimalTiles {
    fn declare(&self, _: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
        Bind::after(|d, known| {
            let animals = Animals::declare(d, &OnMap::new(self.clone(), known));
            needs_items(d);
            let (count, frame) = (animals.places.on.count, animals.places.on.frame);
            let terrains: Vec<&str> = self.terrains_of_animals(count).collect();
            d.text_variable("number", count.to_string());
            d.world_text(format!(
                "{} {} Each barn has one animal, which starts {}, with its counter at 0 and no products.",
                Area::in_words(self.area.as_ref(), count, "barn"),
                barns_in_words(self.terrains.iter().cycle().take(count)),
                self.hungry
            ));
            d.runs_in(Phase::Develop);
            d.sleeps_unless(animals.any_sated);
            self.draw(d, &terrains, frame);
            Bind::new(move |found| animals.bind(found))
        })
    }
}

/// The terrains of the barns, as a sentence.
fn barns_in_words<'t>(terrains: impl Iterator<Item = &'t String>) -> String {
    let mut counts: Vec<(&String, usize)> = Vec::new();
    for terrain in terrains {
        match counts.iter_mut().find(|(other, _)| *other == terrain) {
            Some((_, count)) => *count += 1,
            None => counts.push((terrain, 1)),
        }
    }
    match &counts[..] {
        [(only, 1)] => format!("The barn is a `{only}` tile."),
        [(only, _)] => format!("All barns are `{only}` tiles."),
        _ => {
            let counts: Vec<String> =
                counts.into_iter().map(|(terrain, count)| format!("{count} `{terrain}`")).collect();
            format!("The barns are {}.", listed(&counts, "and"))
        }
    }
}

impl AnimalTiles {
    fn places(&self, map: &KnownMap, d: &mut Declarations<'_>) -> Cells {
        let at: Vec<(u32, u32)> = self.placed.iter().map(|animal| (animal.x, animal.y)).collect();
        Cells::new(d, map.frame, self.count, self.area.as_ref(), &at)
    }

    /// Maximum of a counter. A counter that restarts at 0 must start below the deposit. Above it, the counter would count for ever without a
    /// deposit.
    fn most_ticks(&self) -> i32 {
        match self.deposits {
            Deposits::Repeatedly => self.ticks_per_deposit as i32 - 1,
            Deposits::OncePerFeeding => i32::MAX,
        }
    }

    /// The name of the terrain of each animal's tile.
    fn terrains_of_animals(&self, count: usize) -> impl Iterator<Item = &str> {
        (0..count).map(|i| {
            let own = self.placed.get(i).and_then(|animal| animal.terrain.as_ref());
            own.or_else(|| self.terrains.get(i % self.terrains.len().max(1))).map_or("", String::as_str)
        })
    }

    /// The terrain of each animal's tile.
    fn terrain_codes(&self, map: &KnownMap, count: usize, d: &mut Declarations<'_>) -> Vec<u8> {
        if self.terrains.is_empty() {
            let problem = Problem::new(
                GridError::WrongStages,
                Path::default().child("terrains"),
                "the list of terrains is empty",
            );
            d.problem(problem.value("[]").expected("at least one terrain of the map"));
        }
        self.terrains_of_animals(count).map(|name| map.terrain(d, name, "terrains")).collect()
    }

    /// The statuses hungry and sated.
    fn flags(&self, map: &KnownMap, d: &mut Declarations<'_>) -> [u8; 2] {
        [map.status(d, &self.hungry, "hungry"), map.status(d, &self.sated, "sated")]
    }

    /// The text of the action that feeds.
    fn feed_text(&self) -> String {
        let (sated, used) = (&self.sated, counted(self.feed_per_feeding, &self.feed_item));
        let barns: BTreeSet<&str> = self.terrains.iter().map(String::as_str).collect();
        let barns: Vec<String> = barns.into_iter().map(|barn| format!("`{barn}`")).collect();
        let barns = alternatives(&barns);
        let condition = match self.feeding_sated {
            FeedingSated::Restarts => {
                format!(
                    "Condition: your tile is {barns}. If the animal is already {sated}, its {sated} steps start again."
                )
            }
            FeedingSated::Refused => format!("Condition: your tile is {barns}, and the animal is {}.", self.hungry),
        };
        format!("Makes the animal on your tile {sated}. {condition} Uses {used}.")
    }

    /// The text of the action that collects.
    fn collect_text(&self) -> String {
        let item = &self.product_item;
        let resets = if self.collecting_resets { " and sets its counter to 0" } else { "" };
        let state = match self.collecting {
            Collecting::WhileSated => format!(" and is {}", self.sated),
            Collecting::Always => format!(", whether it is {} or {}", self.hungry, self.sated),
        };
        format!(
            "Gives you all {item} of the animal on your tile{resets}. Condition: the animal on your tile has {item}{state}."
        )
    }

    /// The sated steps, ticks and stock that a level sets, by animal. Checks that the game can reach the values of the counters.
    fn starts(&self, d: &mut Declarations<'_>) -> Vec<[i32; 3]> {
        let most = self.most_ticks();
        for (i, animal) in self.placed.iter().enumerate().filter(|(_, animal)| animal.ticks as i32 > most) {
            let path = Path::default().child("placed").child(i).child("ticks#nb");
            let each = self.ticks_per_deposit;
            let problem = Problem::new(
                ParameterError::ValueOutOfRange,
                path,
                format!("the counter starts at {each} or above, so the animal would never deposit products"),
            );
            let expected = format!("an integer from 0 to {most}");
            d.problem(
                problem
                    .value(animal.ticks)
                    .expected(expected)
                    .help("lower the counter, or raise `ticks_per_deposit#nb`"),
            );
        }
        let start = |animal: &PlacedAnimal| [animal.sated_steps, animal.ticks, animal.stock].map(|n| n as i32);
        self.placed.iter().map(start).collect()
    }

    /// Draws each animal on its tile, hungry or sated, with the products to collect above it. A learner's window does not show the
    /// products.
    fn draw(&self, d: &mut Declarations<'_>, terrains: &[&str], frame: TileFrame) {
        let of_things = |title: &str, layer| Picture::of_things(title, layer, "cell#tile", frame.columns, frame.margin);
        let kinds: BTreeSet<&str> = terrains.iter().copied().collect();
        for kind in kinds {
            let animals = terrains.iter().enumerate().filter(|(_, name)| **name == kind).map(|(i, _)| i);
            d.picture(
                of_things(&sprites::in_words(kind), 30)
                    .from("sated_steps#step", 1.0, "sated", sprites::thing(kind, "sated"))
                    .otherwise("hungry", sprites::thing(kind, "hungry"))
                    .entries(animals.collect()),
            );
            d.picture(
                Picture::of_seen_tiles(&sprites::in_words(kind), 30)
                    .names(&[kind, &self.sated], "sated", sprites::thing(kind, "sated"))
                    .names(&[kind, &self.hungry], "hungry", sprites::thing(kind, "hungry"))
                    .names(&[kind], "not known", sprites::thing_alone(kind)),
            );
        }
        d.picture(of_things("Products", 31).from("stock#nb", 1.0, "to collect", sprites::PRODUCTS));
    }
}

#[derive(Columns)]
struct Animals {
    parameters: OnMap<AnimalTiles>,
    #[stream]
    key: u64,
    #[nested(parameters.places(&parameters.map, d))]
    places: Placement,
    /// Sated steps, ticks and stock that a level sets, by animal.
    #[with(parameters.starts(d))]
    placed: Vec<[i32; 3]>,
    /// The number of steps for which each animal is still sated.
    #[count(unit = "step", range = 0..=i32::MAX, shape = &[places.on.count], hidden)]
    sated_steps: Column<i32>,
    /// The counter of each animal.
    #[count(unit = "nb", range = 0..=parameters.most_ticks(), shape = &[places.on.count], hidden)]
    ticks: Column<i32>,
    /// The number of products of each animal to collect.
    #[count(unit = "nb", range = 0..=i32::MAX, shape = &[places.on.count], hidden)]
    stock: Column<i32>,
    /// The tile of each animal, as an index of the map.
    #[count(unit = "tile", range = 0..=places.on.frame.last_cell(), shape = &[places.on.count], hidden)]
    cell: Column<i32>,
    #[action(
        name = &parameters.feed,
        doc = &parameters.feed_text(),
        done = "fed an animal",
        badge = include_str!("../agronomy/sprites/badges/hand.svg")
    )]
    feed: usize,
    #[action(
        name = &parameters.collect,
        doc = &parameters.collect_text(),
        done = "collected",
        badge = include_str!("../agronomy/sprites/badges/basket.svg")
    )]
    _collect: usize,
    /// Products were collected; the plot is the animal's index.
    #[event(name = &parameters.event, per_step = 1)]
    event: EventId,
    /// Whether any of the animals is sated, or was fed in this step.
    #[flag(hidden)]
    any_sated: Column<u8>,
    /// The terrain of each animal's tile.
    #[with(parameters.terrain_codes(&parameters.map, places.on.count, d))]
    terrains: Vec<u8>,
    /// The statuses hungry and sated.
    #[with(parameters.flags(&parameters.map, d))]
    flags: [u8; 2],
    #[one(AGENT_POSITION)]
    position: Column<u8>,
    /// The feed, and the amount of it that a feeding takes.
    #[bind((item(found, &parameters.feed_item, "feed_item"), f64::from(parameters.feed_per_feeding)))]
    fodder: (Column<f64>, f64),
    #[bind(item(found, &parameters.product_item, "product_item"))]
    products: Column<f64>,
    /// One more step if the step of the feeding does not count, because its end subtracts one.
    #[with(parameters.sated_steps as i32 + i32::from(!parameters.feeding_step_ticks))]
    sated_after_feeding: i32,
}

const PLACE: Purpose = Purpose::named("place");

impl Animals {
    #[inline]
    fn can_feed(&self, sated_steps: i32, feed: f64) -> bool {
        let feeds_sated = self.parameters.feeding_sated == FeedingSated::Restarts;
        feed >= self.fodder.1 && (sated_steps == 0 || feeds_sated)
    }

    #[inline]
    fn can_collect(&self, sated_steps: i32, stock: i32) -> bool {
        stock > 0 && (sated_steps > 0 || self.parameters.collecting == Collecting::Always)
    }

    fn show(&self, i: usize, c: &Context<'_>) {
        let cell = c.get(self.cell)[i].get() as usize;
        if cell != 0 {
            let tiles = c.get(self.places.tiles);
            terrain(tiles, cell).set(self.terrains[i]);
            status(tiles, cell).set(self.flags[usize::from(c.get(self.sated_steps)[i].get() > 0)]);
        }
    }

    /// Advances the counter of a sated animal by one.
    fn count_tick(&self, i: usize, c: &Context<'_>) {
        let (ticks, stock) = (&c.get(self.ticks)[i], &c.get(self.stock)[i]);
        ticks.set(ticks.get().saturating_add(1));
        if ticks.get() == self.parameters.ticks_per_deposit as i32 {
            stock.set(stock.get().saturating_add(self.parameters.products_per_deposit as i32));
            if self.parameters.deposits == Deposits::Repeatedly {
                ticks.set(0);
            }
        }
    }

    // Not inlined: most of the time all animals are hungry.
    /// The end of a step for an animal that was sated or fed in that step.
    #[inline(never)]
    fn pass(&self, i: usize, c: &Context<'_>) {
        let sated = &c.get(self.sated_steps)[i];
        sated.set(sated.get() - 1);
        if sated.get() > 0 {
            self.count_tick(i, c);
        }
        self.show(i, c);
    }
}

impl Behaviour for Animals {
    fn reset(&self, c: &mut Context<'_>) {
        let count = self.places.place(c, c.stream(self.key, PLACE), self.cell, |i, _| self.terrains[i]);
        for (i, [sated_steps, ticks, stock]) in self.placed.iter().enumerate().take(count) {
            c.get(self.sated_steps)[i].set(*sated_steps);
            c.get(self.ticks)[i].set(*ticks);
            c.get(self.stock)[i].set(*stock);
        }
    }

    /// Shows hunger, including hunger set by the rules, and counts the tick before the first step.
    fn after_initial_conditions(&self, c: &mut Context<'_>) {
        for i in 0..self.cell.len() {
            // If the step of the feeding does not count, the tick of a step comes before its action.
            if !self.parameters.feeding_step_ticks && c.get(self.sated_steps)[i].get() > 0 {
                self.count_tick(i, c);
            }
            self.show(i, c);
        }
        c.get(self.any_sated)[0].set(1);
    }

    fn act(&self, action: usize, _: CallArguments<'_>, c: &mut Context<'_>) {
        let here = self.places.on.frame.cell_at(c.get(self.position));
        let Some(i) = thing_at(c.get(self.cell), here) else { return };
        let (sated, stock) = (&c.get(self.sated_steps)[i], &c.get(self.stock)[i]);
        if action == self.feed {
            let feed = &c.get(self.fodder.0)[0];
            if self.can_feed(sated.get(), feed.get()) {
                feed.set(feed.get() - self.fodder.1);
                sated.set(self.sated_after_feeding);
                c.get(self.any_sated)[0].set(1);
                if self.parameters.deposits == Deposits::OncePerFeeding {
                    c.get(self.ticks)[i].set(0);
                }
            }
        } else if self.can_collect(sated.get(), stock.get()) {
            let (products, collected) = (&c.get(self.products)[0], f64::from(stock.get()));
            products.set(products.get() + collected);
            stock.set(0);
            if self.parameters.collecting_resets {
                c.get(self.ticks)[i].set(0);
            }
            c.emit(self.event, i, collected);
        }
    }

    fn has_effect(&self, action: usize, _: CallArguments<'_>, reader: &Reader<'_>) -> bool {
        let position = reader.get(self.position);
        let here = self.places.on.frame.cell(usize::from(position[0]), usize::from(position[1])) as i32;
        let Some(i) = reader.get(self.cell).iter().position(|cell| *cell == here) else { return false };
        let sated = reader.get(self.sated_steps)[i];
        if action == self.feed {
            self.can_feed(sated, reader.get(self.fodder.0)[0])
        } else {
            self.can_collect(sated, reader.get(self.stock)[i])
        }
    }

    #[inline]
    fn tick(&self, _: Phase, c: &mut Context<'_>) {
        let mut any_sated = false;
        for (i, sated) in c.get(self.sated_steps).iter().enumerate() {
            if sated.get() > 0 {
                self.pass(i, c);
                any_sated |= sated.get() > 0;
            }
        }
        c.get(self.any_sated)[0].set(u8::from(any_sated));
    }
}
