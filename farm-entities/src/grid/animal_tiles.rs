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
use farm_core::declare::{EventId, Picture, count, flag};
use farm_core::{Behaviour, Builder, Column, Context, Entity, Phase, Purpose, Reader};
use farm_roles::AGENT_POSITION;

use super::{Area, MapNames, Placement, TileFrame, item, sprites, status, terrain, thing_at};
use crate::grid::GridError;

/// When products are deposited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub enum Deposits {
    /// After every `ticks_per_deposit#nb` ticks; the counter then restarts at 0.
    Repeatedly,
    /// At most once after each feeding; a feeding sets the counter to 0.
    OncePerFeeding,
}

/// When products can be collected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub enum Collecting {
    /// While the animal is sated.
    WhileSated,
    /// At any time.
    Always,
}

/// Effect of feeding a sated animal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub enum FeedingSated {
    /// The animal takes feed, and its sated steps restart.
    Restarts,
    /// Feeding has no effect, and the feed is kept.
    Refused,
}

/// An animal that a level places.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct PlacedAnimal {
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
pub struct AnimalTiles {
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

/// The first of the two actions; the other collects.
const FEED: usize = 0;

#[farm_core::register(
    source = "Valley Farm V2, V5, actions and animal clock (AutoEnv environment 18, rules as decided by this project)"
)]
impl Entity for AnimalTiles {
    fn build(&self, b: &mut Builder<'_>) -> Box<dyn Behaviour> {
        let at: Vec<(u32, u32)> = self.placed.iter().map(|animal| (animal.x, animal.y)).collect();
        let places = Placement::new(b, self.count, self.area.as_ref(), &at);
        b.text_variable("number", places.count.to_string());
        b.world_text(format!(
            "{} The barns are {}. Each animal starts {}, with its counter at 0 and without products.",
            Area::in_words(self.area.as_ref(), places.count, "a barn with an animal"),
            self.terrains.iter().cycle().take(places.count).cloned().collect::<Vec<_>>().join(", "),
            self.hungry
        ));
        let n = [places.count];
        // A counter that restarts at 0 must start below the deposit. Above it, the counter would count for ever without a deposit.
        let most_ticks = match self.deposits {
            Deposits::Repeatedly => self.ticks_per_deposit as i32 - 1,
            Deposits::OncePerFeeding => i32::MAX,
        };
        self.check_ticks(b, most_ticks);
        let mut number = |name: &str, most: i32, doc: &str| b.declare(count(name, 0, most, doc).shape(&n).hidden());
        let sated_steps =
            number("sated_steps#step", i32::MAX, "The number of steps for which each animal is still sated.");
        let ticks = number("ticks#nb", most_ticks, "The counter of each animal.");
        let stock = number("stock#nb", i32::MAX, "The number of products of each animal to collect.");
        let cell = number("cell#tile", places.frame.last_cell(), "The tile of each animal, as an index of the map.");
        let (feed, collect) = (self.feed_text(), self.collect_text());
        let feed = b.action(&self.feed, Vec::new(), &feed);
        let collect = b.action(&self.collect, Vec::new(), &collect);
        b.shown_as(feed, "fed an animal", include_str!("../agronomy/sprites/badges/hand.svg"));
        b.shown_as(collect, "collected", include_str!("../agronomy/sprites/badges/basket.svg"));
        let event = b.event(&self.event, 1, "Products were collected; the plot is the animal's index.");
        let any_sated =
            b.declare(flag("any_sated", "Whether any of the animals is sated, or was fed in this step.").hidden());
        b.runs_in(Phase::Develop);
        b.sleeps_unless(any_sated);
        if self.terrains.is_empty() {
            let problem = Problem::new(
                GridError::WrongStages,
                Path::default().child("terrains"),
                "the list of terrains is empty",
            );
            b.problem(problem.value("[]").expected("at least one terrain of the map"));
        }
        let map = MapNames::of(b);
        let names = (0..places.count).map(|i| {
            let own = self.placed.get(i).and_then(|animal| animal.terrain.as_ref());
            own.or_else(|| self.terrains.get(i % self.terrains.len().max(1))).cloned().unwrap_or_default()
        });
        let names: Vec<String> = names.collect();
        self.draw(b, &names, places.frame);
        let terrains = names.iter().map(|name| map.terrain(b, name, "terrains")).collect();
        let flags = [map.status(b, &self.hungry, "hungry"), map.status(b, &self.sated, "sated")];
        let start = |animal: &PlacedAnimal| [animal.sated_steps, animal.ticks, animal.stock].map(|n| n as i32);
        Box::new(Animals {
            key: b.stream_key(),
            position: b.one(AGENT_POSITION),
            feed: (item(b, &self.feed_item, "feed_item"), f64::from(self.feed_per_feeding)),
            products: item(b, &self.product_item, "product_item"),
            // One more step if the step of the feeding does not count, because its end subtracts one.
            sated_after_feeding: self.sated_steps as i32 + i32::from(!self.feeding_step_ticks),
            first_step_ticks_before: !self.feeding_step_ticks,
            feeds_sated: self.feeding_sated == FeedingSated::Restarts,
            ticks_per_deposit: self.ticks_per_deposit as i32,
            products_per_deposit: self.products_per_deposit as i32,
            repeatedly: self.deposits == Deposits::Repeatedly,
            collects_hungry: self.collecting == Collecting::Always,
            collecting_resets: self.collecting_resets,
            placed: self.placed.iter().map(start).collect(),
            places,
            terrains,
            flags,
            event,
            sated_steps,
            any_sated,
            ticks,
            stock,
            cell,
        })
    }
}

impl AnimalTiles {
    /// The text of the action that feeds.
    fn feed_text(&self) -> String {
        let (sated, used, item) = (&self.sated, self.feed_per_feeding, &self.feed_item);
        let barns: BTreeSet<&str> = self.terrains.iter().map(String::as_str).collect();
        let barns = barns.into_iter().collect::<Vec<_>>().join(" or ");
        let condition = match self.feeding_sated {
            FeedingSated::Restarts => {
                format!(
                    "Condition: {barns} on your tile. If the animal is {sated} already, its {sated} steps start again."
                )
            }
            FeedingSated::Refused => format!("Condition: {barns} on your tile, and the animal is {}.", self.hungry),
        };
        format!("Makes the animal on your tile {sated}. {condition} Uses {used} of your {item}.")
    }

    /// The text of the action that collects.
    fn collect_text(&self) -> String {
        let item = &self.product_item;
        let resets = if self.collecting_resets { " and sets its counter to 0" } else { "" };
        let state = match self.collecting {
            Collecting::WhileSated => format!(", and it is {}", self.sated),
            Collecting::Always => format!("; it may be {} or {}", self.hungry, self.sated),
        };
        format!("Gives you all {item} of the animal on your tile{resets}. Condition: the animal has {item}{state}.")
    }

    /// Checks that the counters in a level have values that the game can reach.
    fn check_ticks(&self, b: &mut Builder<'_>, most: i32) {
        for (i, animal) in self.placed.iter().enumerate().filter(|(_, animal)| animal.ticks as i32 > most) {
            let path = Path::default().child("placed").child(i).child("ticks#nb");
            let each = self.ticks_per_deposit;
            let problem = Problem::new(
                ParameterError::ValueOutOfRange,
                path,
                format!("the counter starts at {each} or above, so the animal would never deposit products"),
            );
            let expected = format!("an integer from 0 to {most}");
            b.problem(
                problem
                    .value(animal.ticks)
                    .expected(expected)
                    .help("lower the counter, or raise `ticks_per_deposit#nb`"),
            );
        }
    }

    /// Draws each animal on its tile, hungry or sated, with the products to collect above it. A learner's window does not show the
    /// products.
    fn draw(&self, b: &mut Builder<'_>, terrains: &[String], frame: TileFrame) {
        let of_things = |title: &str, layer| Picture::of_things(title, layer, "cell#tile", frame.columns, frame.margin);
        let kinds: BTreeSet<&String> = terrains.iter().collect();
        for kind in kinds {
            let animals = terrains.iter().enumerate().filter(|(_, name)| *name == kind).map(|(i, _)| i);
            b.picture(
                of_things(&sprites::in_words(kind), 30)
                    .from("sated_steps#step", 1.0, "sated", sprites::thing(kind, "sated"))
                    .otherwise("hungry", sprites::thing(kind, "hungry"))
                    .entries(animals.collect()),
            );
            b.picture(
                Picture::of_seen_tiles(&sprites::in_words(kind), 30)
                    .names(&[kind, &self.sated], "sated", sprites::thing(kind, "sated"))
                    .names(&[kind, &self.hungry], "hungry", sprites::thing(kind, "hungry"))
                    .names(&[kind], "not known", sprites::thing_alone(kind)),
            );
        }
        b.picture(of_things("Products", 31).from("stock#nb", 1.0, "to collect", sprites::PRODUCTS));
    }
}

struct Animals {
    key: u64,
    places: Placement,
    /// Sated steps, ticks and stock that a level sets, by animal.
    placed: Vec<[i32; 3]>,
    /// The terrain of each animal's tile.
    terrains: Vec<u8>,
    /// The statuses hungry and sated.
    flags: [u8; 2],
    position: Column<u8>,
    feed: (Column<f64>, f64),
    products: Column<f64>,
    sated_after_feeding: i32,
    /// Whether the tick of a step comes before the action, so that there is a tick before the first step.
    first_step_ticks_before: bool,
    feeds_sated: bool,
    ticks_per_deposit: i32,
    products_per_deposit: i32,
    repeatedly: bool,
    collects_hungry: bool,
    collecting_resets: bool,
    event: EventId,
    sated_steps: Column<i32>,
    any_sated: Column<u8>,
    ticks: Column<i32>,
    stock: Column<i32>,
    cell: Column<i32>,
}

const PLACE: Purpose = Purpose::named("place");

impl Animals {
    #[inline]
    fn can_feed(&self, sated_steps: i32, feed: f64) -> bool {
        feed >= self.feed.1 && (sated_steps == 0 || self.feeds_sated)
    }

    #[inline]
    fn can_collect(&self, sated_steps: i32, stock: i32) -> bool {
        stock > 0 && (sated_steps > 0 || self.collects_hungry)
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
        if ticks.get() == self.ticks_per_deposit {
            stock.set(stock.get().saturating_add(self.products_per_deposit));
            if self.repeatedly {
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
            if self.first_step_ticks_before && c.get(self.sated_steps)[i].get() > 0 {
                self.count_tick(i, c);
            }
            self.show(i, c);
        }
        c.get(self.any_sated)[0].set(1);
    }

    fn act(&self, action: usize, _: CallArguments<'_>, c: &mut Context<'_>) {
        let here = self.places.frame.cell_at(c.get(self.position));
        let Some(i) = thing_at(c.get(self.cell), here) else { return };
        let (sated, stock) = (&c.get(self.sated_steps)[i], &c.get(self.stock)[i]);
        if action == FEED {
            let feed = &c.get(self.feed.0)[0];
            if self.can_feed(sated.get(), feed.get()) {
                feed.set(feed.get() - self.feed.1);
                sated.set(self.sated_after_feeding);
                c.get(self.any_sated)[0].set(1);
                if !self.repeatedly {
                    c.get(self.ticks)[i].set(0);
                }
            }
        } else if self.can_collect(sated.get(), stock.get()) {
            let (products, collected) = (&c.get(self.products)[0], f64::from(stock.get()));
            products.set(products.get() + collected);
            stock.set(0);
            if self.collecting_resets {
                c.get(self.ticks)[i].set(0);
            }
            c.emit(self.event, i, collected);
        }
    }

    fn has_effect(&self, action: usize, _: CallArguments<'_>, reader: &Reader<'_>) -> bool {
        let position = reader.get(self.position);
        let here = self.places.frame.cell(usize::from(position[0]), usize::from(position[1])) as i32;
        let Some(i) = reader.get(self.cell).iter().position(|cell| *cell == here) else { return false };
        let sated = reader.get(self.sated_steps)[i];
        match action {
            FEED => self.can_feed(sated, reader.get(self.feed.0)[0]),
            _ => self.can_collect(sated, reader.get(self.stock)[i]),
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
