//! Neighbours at home, whose relationship with the farmer improves with gifts.
//!
//! A gift goes to the first neighbour within reach, in the order of the reach. Relationships are integers in thousandths of
//! a point, stored as the nearest real number, so that their sums are exact.
//!
//! | reads | role |
//! |---|---|
//! | the map, for the tiles of the neighbours and their mood | `grid_tiles`, `grid_symmetry` |
//! | the farmer's position, and its start tile, where no neighbour is placed | `agent_position`, `agent_start` |
//!
//! | writes | unit |
//! |---|---|
//! | `relationship` (role `relationship`), `mood`, `cell` of each neighbour (hidden) | points, category, tile |
//! | `relationships` (computed when observed): rounded | points |
//! | the farmer's gifts | `agent_item` |
//!
//! Source: Valley Farm V2, V5, its action GiveGift, mood and observation.

use farm_core::action::CallArguments;
use farm_core::config::{ParameterError, Path, Problem};
use farm_core::declare::{EventId, ObservableInfo, Picture, ValueKind};
use farm_core::inspect::{alternatives, counted, listed, plural};
use farm_core::{Behaviour, Bind, Column, Columns, Context, Declarations, Entity, Purpose, Reader};
use farm_roles::{AGENT_POSITION, RELATIONSHIP};

use super::{
    Area, Cells, KnownMap, OnMap, Placement, item, needs_items, sprites, status, terrain, thing_at, with_article,
};

/// Rule for the mood.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub(super) enum MoodFollows {
    /// The mood always follows the relationship.
    Relationship,
    /// Only a gift changes the mood, which then follows the relationship. Before the first gift, the mood is neutral.
    Gifts,
}

/// A tile relative to the farmer.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct Offset {
    /// Tiles to the east; negative to the west.
    #[parameter(range = -10..=10)]
    pub dx: i32,
    /// Tiles to the south; negative to the north.
    #[parameter(range = -10..=10)]
    pub dy: i32,
}

/// A neighbour that a level places.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct PlacedNeighbour {
    /// Tiles from the western border.
    #[parameter(range = 0..=999)]
    pub x: u32,
    /// Tiles from the northern border.
    #[parameter(range = 0..=999)]
    pub y: u32,
    /// The relationship at the start. Default: drawn from `initial_relationships#point`.
    #[parameter(name = "relationship#point", range = 0.0..=1000.0)]
    pub relationship_points: Option<f64>,
}

/// Neighbours at home, whose relationship with the farmer grows with gifts.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct NeighbourTiles {
    /// Number of neighbours.
    #[parameter(unit = "nb", default = 3, range = 1..=64)]
    pub count: u32,
    /// Area in which each neighbour gets a different random tile, all with equal probability. Default: the whole map.
    pub area: Option<Area>,
    /// The neighbours of a level, each with its tile, in the orientation of the plan. They replace `count#nb` and `area`.
    pub placed: Vec<PlacedNeighbour>,
    /// The terrain of their tiles, one of the map's terrains.
    #[parameter(default = "villager".into())]
    pub terrain: String,
    /// The status of a neighbour with neutral mood, one of the map's statuses.
    #[parameter(default = "neutral".into())]
    pub neutral: String,
    /// The status of a neighbour with friendly mood, one of the map's statuses.
    #[parameter(default = "friendly".into())]
    pub friendly: String,
    /// Minimum relationship for a friendly mood.
    #[parameter(name = "friendly_from#point", default = 20.0, range = 0.0..=1000.0)]
    pub friendly_points: f64,
    /// Rule for the mood.
    #[parameter(default = MoodFollows::Relationship)]
    pub mood_follows: MoodFollows,
    /// The possible relationships at the start. Each neighbour gets one of them at random, with equal probability.
    #[parameter(name = "initial_relationships#point", default = vec![0.0, 10.0, 20.0, 30.0, 40.0], range = 0.0..=1000.0)]
    pub initial_points: Vec<f64>,
    /// The maximum relationship.
    #[parameter(name = "max_relationship#point", default = 100.0, range = 1.0..=1000.0)]
    pub most_points: f64,
    /// Name of the action that gives a gift.
    #[parameter(default = "GiveGift".into())]
    pub gift: String,
    /// The item that a gift takes.
    #[parameter(default = "gifts".into())]
    pub gift_item: String,
    /// Amount of `gift_item` that one gift takes.
    #[parameter(unit = "nb", default = 1, range = 0..=1000)]
    pub gifts_per_giving: u32,
    /// Points by which a gift raises the relationship.
    #[parameter(name = "gift_increment#point", default = 4.0, range = 0.0..=1000.0)]
    pub increment_points: f64,
    /// Tiles, relative to the farmer, on which a neighbour can receive a gift. The first tile in this order with a neighbour counts.
    #[parameter(default = [(0, 0), (0, -1), (1, 0), (0, 1), (-1, 0)].map(|(dx, dy)| Offset { dx, dy }).to_vec())]
    pub reach: Vec<Offset>,
    /// Observed relationships are rounded to the nearest multiple of this value, halves upwards.
    #[parameter(name = "seen_to#point", default = 5.0, range = 1.0..=1000.0)]
    pub seen_points: f64,
    /// Name of the event of a gift. Its value is the number of points that the relationship gains.
    #[parameter(default = "friendship".into())]
    pub event: String,
}

/// Number of parts in a point, the unit of relationships.
const PARTS_PER_POINT: f64 = 1000.0;

/// Points as an integer number of parts.
#[inline]
fn parts(points: f64) -> i64 {
    // Points are not negative, so cutting off the fraction rounds to the nearest number.
    (points * PARTS_PER_POINT + 0.5) as i64
}

/// Parts as points: the nearest real number, from which [`parts`] returns the same integer.
#[inline]
fn points(parts: i64) -> f64 {
    parts as f64 / PARTS_PER_POINT
}

/// The number of the nearest multiple of `step`, with halves rounded up. Both arguments are in parts and not negative.
#[inline]
fn nearest_multiple(parts: i64, step: i64) -> i64 {
    (2 * parts + step) / (2 * step)
}

#[farm_core::register(
    source = "Valley Farm V2, V5, action GiveGift, mood (AutoEnv environment 18, rules as decided by this project)"
)]
impl Entity for NeighbourTiles {
    fn declare(&self, _: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
        Bind::after(|d, known| {
            let neighbours = Neighbours::declare(d, &OnMap::new(self.clone(), known));
            needs_items(d);
            let (count, frame) = (neighbours.places.on.count, neighbours.places.on.frame);
            d.text_variable("number", count.to_string());
            let initial: Vec<String> = self.initial_points.iter().map(f64::to_string).collect();
            d.world_text(format!(
                "{} {}",
                Area::in_words(self.area.as_ref(), count, &self.terrain),
                match &initial[..] {
                    [only] => format!("Your relationship with each {} starts at {only}.", self.terrain),
                    _ => format!(
                        "Your relationship with each {} starts at {}, with equal probability.",
                        self.terrain,
                        alternatives(&initial)
                    ),
                }
            ));
            d.picture(
                Picture::of_things(&sprites::in_words(&self.terrain), 30, "cell#tile", frame.columns, frame.margin)
                    .label("mood", "friendly", &self.friendly, sprites::thing(&self.terrain, "friendly"))
                    .otherwise(&self.neutral, sprites::thing(&self.terrain, "neutral")),
            );
            d.picture(
                Picture::of_seen_tiles(&sprites::in_words(&self.terrain), 30)
                    .names(&[&self.terrain, &self.friendly], &self.friendly, sprites::thing(&self.terrain, "friendly"))
                    .names(&[&self.terrain, &self.neutral], &self.neutral, sprites::thing(&self.terrain, "neutral"))
                    .names(&[&self.terrain], "not known", sprites::thing_alone(&self.terrain)),
            );
            let doc = format!("Your relationship with each {}, rounded and always in the same order.", self.terrain);
            let relationships = ObservableInfo::new("relationships", self.rounded(), &[count], &doc);
            d.observable_with(relationships.copying(neighbours.seen));
            Bind::new(move |found| neighbours.bind(found))
        })
    }
}

fn check_within(d: &mut Declarations<'_>, value: f64, most: f64, path: Path) {
    if value > most {
        let problem =
            Problem::new(ParameterError::ValueOutOfRange, path, "the relationship is above the maximum").value(value);
        d.problem(problem.expected(format!("at most {most}")).help("raise `max_relationship#point`"));
    }
}

impl NeighbourTiles {
    fn places(&self, map: &KnownMap, d: &mut Declarations<'_>) -> Cells {
        let at: Vec<(u32, u32)> = self.placed.iter().map(|neighbour| (neighbour.x, neighbour.y)).collect();
        Cells::new(d, map.frame, self.count, self.area.as_ref(), &at)
    }

    /// The numbers of the rounded relationships: each is a multiple of the step.
    fn multiples(&self) -> std::ops::RangeInclusive<i64> {
        0..=nearest_multiple(parts(self.most_points), parts(self.seen_points))
    }

    /// The values of rounded relationships.
    fn rounded(&self) -> ValueKind {
        let step = parts(self.seen_points);
        ValueKind::named(&self.multiples().map(|k| points(k * step).to_string()).collect::<Vec<_>>())
    }

    /// The relationship that a level sets, by neighbour. Checks all relationships of the parameters.
    fn starts(&self, d: &mut Declarations<'_>) -> Vec<Option<f64>> {
        if self.multiples().count() > 256 {
            let problem = Problem::new(
                ParameterError::ValueOutOfRange,
                Path::default().child("seen_to#point"),
                "observed relationships have too many values",
            );
            d.problem(problem.value(self.seen_points).expected("at most 256 different values"));
        }
        for (i, value) in self.initial_points.iter().enumerate() {
            check_within(d, *value, self.most_points, Path::default().child("initial_relationships#point").child(i));
        }
        for (i, value) in self.placed.iter().enumerate().filter_map(|(i, one)| Some((i, one.relationship_points?))) {
            let path = Path::default().child("placed").child(i).child("relationship#point");
            check_within(d, value, self.most_points, path);
        }
        if self.initial_points.is_empty() {
            let path = Path::default().child("initial_relationships#point");
            let problem =
                Problem::new(ParameterError::EmptyList, path, "the list of initial relationships is empty").value("[]");
            d.problem(problem.expected("at least one number"));
        }
        self.placed.iter().map(|one| one.relationship_points).collect()
    }

    /// The statuses neutral and friendly.
    fn flags(&self, map: &KnownMap, d: &mut Declarations<'_>) -> [u8; 2] {
        [map.status(d, &self.neutral, "neutral"), map.status(d, &self.friendly, "friendly")]
    }

    /// The text of the action that gives a gift.
    fn gift_text(&self) -> String {
        let first = if self.reach.len() > 1 {
            format!(" If there are several {} there, the first in this order receives the gift.", plural(&self.terrain))
        } else {
            String::new()
        };
        format!(
            "Raises your relationship with one {terrain} by {}, up to {most}. Condition: {} is {}.{first} Uses {}, even if the relationship \
             is already {most}.",
            self.increment_points,
            with_article(&self.terrain),
            reach_in_words(&self.reach),
            counted(self.gifts_per_giving, &self.gift_item),
            terrain = self.terrain,
            most = self.most_points
        )
    }
}

/// The tiles in reach, in their order: `on your own tile, or on the tile directly north or east of you`.
fn reach_in_words(reach: &[Offset]) -> String {
    let places = reach.chunk_by(|one, next| one.direction().is_some() && next.direction().is_some());
    let places = places.map(|places| match places {
        [Offset { dx: 0, dy: 0 }] => "on your own tile".to_owned(),
        [Offset { dx, dy }] if places[0].direction().is_none() => {
            let away = |tiles: i32, ahead: &str, behind: &str| {
                (tiles != 0).then(|| counted(tiles.abs(), "tiles") + if tiles > 0 { ahead } else { behind })
            };
            let away: Vec<String> =
                [away(*dx, " east", " west"), away(*dy, " south", " north")].into_iter().flatten().collect();
            format!("{} of you", listed(&away, "and"))
        }
        directions => {
            let directions: Vec<&str> = directions.iter().filter_map(Offset::direction).collect();
            format!("on the tile directly {} of you", alternatives(&directions))
        }
    });
    alternatives(&places.collect::<Vec<_>>())
}

impl Offset {
    /// The direction of a tile next to yours.
    fn direction(&self) -> Option<&'static str> {
        match (self.dx, self.dy) {
            (0, -1) => Some("north"),
            (0, 1) => Some("south"),
            (1, 0) => Some("east"),
            (-1, 0) => Some("west"),
            _ => None,
        }
    }
}

#[derive(Columns)]
struct Neighbours {
    parameters: OnMap<NeighbourTiles>,
    #[stream]
    key: u64,
    #[nested(parameters.places(&parameters.map, d))]
    places: Placement,
    /// Your exact relationship with each of them.
    #[real(unit = "point", range = 0.0..=parameters.most_points, shape = &[places.on.count], hidden, role = RELATIONSHIP)]
    relationship: Column<f64>,
    /// The mood of each neighbour.
    #[category(names = &["neutral", "friendly"], shape = &[places.on.count], hidden)]
    mood: Column<u8>,
    /// The tile of each neighbour, as an index of the map.
    #[count(unit = "tile", range = 0..=places.on.frame.last_cell(), shape = &[places.on.count], hidden)]
    cell: Column<i32>,
    /// Your relationships, rounded as you see them.
    #[category(kind = parameters.rounded(), shape = &[places.on.count], hidden)]
    seen: Column<u8>,
    #[action(
        name = &parameters.gift,
        doc = &parameters.gift_text(),
        done = "gave a gift",
        badge = include_str!("../agronomy/sprites/badges/gift.svg")
    )]
    _gift: usize,
    /// A gift; the plot is the neighbour's index, the value the points gained.
    #[event(name = &parameters.event, per_step = 1)]
    event: EventId,
    /// The relationship that a level sets, by neighbour.
    #[with(parameters.starts(d))]
    placed: Vec<Option<f64>>,
    #[with(parameters.map.terrain(d, &parameters.terrain, "terrain"))]
    own_terrain: u8,
    /// The statuses neutral and friendly.
    #[with(parameters.flags(&parameters.map, d))]
    flags: [u8; 2],
    #[one(AGENT_POSITION)]
    position: Column<u8>,
    /// The gifts, and the number of them that a giving takes.
    #[bind((item(found, &parameters.gift_item, "gift_item"), f64::from(parameters.gifts_per_giving)))]
    gifts: (Column<f64>, f64),
    /// The increase from a gift, in parts. The next three fields are also in parts.
    #[with(parts(parameters.increment_points))]
    increment: i64,
    #[with(parts(parameters.friendly_points))]
    friendly_from: i64,
    #[with(parts(parameters.most_points))]
    most: i64,
    #[with(parts(parameters.seen_points))]
    step: i64,
}

const PLACE: Purpose = Purpose::named("place");
const RELATION: Purpose = Purpose::named("relationship");

impl Neighbours {
    /// The first neighbour within reach of a farmer at (x, y); `find` returns the neighbour at a cell.
    #[inline]
    fn within_reach(&self, x: u8, y: u8, find: impl Fn(usize) -> Option<usize>) -> Option<usize> {
        let frame = self.places.on.frame;
        self.parameters.reach.iter().find_map(|Offset { dx, dy }| {
            let (x, y) = (usize::try_from(i32::from(x) + dx).ok()?, usize::try_from(i32::from(y) + dy).ok()?);
            if x < frame.length && y < frame.width { find(frame.cell(x, y)) } else { None }
        })
    }

    fn is_friendly(&self, i: usize, c: &Context<'_>) -> bool {
        parts(c.get(self.relationship)[i].get()) >= self.friendly_from
    }

    fn show(&self, i: usize, friendly: bool, c: &Context<'_>) {
        let cell = c.get(self.cell)[i].get() as usize;
        let relationship = parts(c.get(self.relationship)[i].get());
        c.get(self.seen)[i].set(nearest_multiple(relationship, self.step) as u8);
        c.get(self.mood)[i].set(u8::from(friendly));
        if cell != 0 {
            let tiles = c.get(self.places.tiles);
            terrain(tiles, cell).set(self.own_terrain);
            status(tiles, cell).set(self.flags[usize::from(friendly)]);
        }
    }
}

impl Behaviour for Neighbours {
    fn reset(&self, c: &mut Context<'_>) {
        // Separate streams, so that fixing one of the two does not change the other.
        self.places.place(c, c.stream(self.key, PLACE), self.cell, |_, _| self.own_terrain);
        let initial = &self.parameters.initial_points;
        let mut relations = c.stream(self.key, RELATION);
        for (i, relationship) in c.get(self.relationship).iter().enumerate() {
            let drawn = initial[relations.index(initial.len() as u32) as usize];
            relationship.set(self.placed.get(i).copied().flatten().unwrap_or(drawn));
        }
    }

    /// Rounds relationships to parts, including those set by the rules, and sets the moods.
    fn after_initial_conditions(&self, c: &mut Context<'_>) {
        let is_shown = self.parameters.mood_follows == MoodFollows::Relationship;
        for (i, relationship) in c.get(self.relationship).iter().enumerate() {
            relationship.set(points(parts(relationship.get())));
            self.show(i, is_shown && self.is_friendly(i, c), c);
        }
    }

    fn act(&self, _: usize, _: CallArguments<'_>, c: &mut Context<'_>) {
        let (position, gifts) = (c.get(self.position), &c.get(self.gifts.0)[0]);
        let cells = c.get(self.cell);
        let found = self.within_reach(position[0].get(), position[1].get(), |cell| thing_at(cells, cell));
        let Some(i) = found.filter(|_| gifts.get() >= self.gifts.1) else { return };
        gifts.set(gifts.get() - self.gifts.1);
        let relationship = &c.get(self.relationship)[i];
        let before = parts(relationship.get());
        let after = (before + self.increment).min(self.most).max(before);
        relationship.set(points(after));
        self.show(i, self.is_friendly(i, c), c);
        c.emit(self.event, i, points(after - before));
    }

    fn has_effect(&self, _: usize, _: CallArguments<'_>, reader: &Reader<'_>) -> bool {
        let position = reader.get(self.position);
        let lives = |cell: usize| reader.get(self.cell).iter().position(|at| *at as usize == cell);
        let found = self.within_reach(position[0], position[1], lives);
        found.is_some() && reader.get(self.gifts.0)[0] >= self.gifts.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_round_to_the_nearest_multiple_and_halves_upwards() {
        for (value, expected) in [(0.0, 0), (2.499, 0), (2.5, 1), (7.499, 1), (7.5, 2), (99.0, 20), (100.0, 20)] {
            assert_eq!(nearest_multiple(parts(value), parts(5.0)), expected, "{value}");
        }
    }

    #[test]
    fn every_number_of_parts_comes_back_from_its_points() {
        assert!((0..=1_000_000).all(|n| parts(points(n)) == n));
    }
}
