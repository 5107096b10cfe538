//! Things on tiles that go through stages: crops, animals in pens, villagers in their houses.
//!
//! Each thing stands on a tile of its own and has a stage. Left alone it may advance by one stage a step; verbs of the
//! farmer change the stage of the thing on the tile in front. A thing pays its base value once: when the farmer stands on
//! it in its last stage (it is taken away then), or when it enters its last stage for the first time, or each time. A stage may have a
//! law of its own: after how many steps a thing leaves it by itself, and whereto. A verb may act in some stages only.
//!
//! | reads | role |
//! |---|---|
//! | the map, to stand on and to show the stage | `grid_tiles`, `grid_symmetry` |
//! | where the farmer stands and looks | `agent_position`, `agent_facing` |
//!
//! | writes | unit |
//! |---|---|
//! | `stage`, `paid`, `tended`, `cell`, `base_value` of each thing (hidden) | category, flag, tile, points |
//! | `restless` (hidden) | flag |
//! | `waited` of each thing, where a stage has a law of its own (hidden) | steps |
//!
//! Source: Backwards Valley B3, B5, B6 and the step order; the inversion (neglect helps, care hurts) is in the parameters.

use std::cell::Cell;
use std::collections::BTreeMap;

use farm_core::action::CallArguments;
use farm_core::config::{Path, Problem};
use farm_core::declare::{EventId, Labels, ValueKind, category, count, flag};
use farm_core::picture::{Picture, Sprite};
use farm_core::rng::Purpose;
use farm_core::{Behaviour, Builder, Column, Context, Entity, Phase, Reader};

use super::{Area, GROUND, MapNames, Placement, TileFrame, sprites, status, terrain, thing_at};
use crate::roles::{AGENT_FACING, AGENT_POSITION};

farm_core::choice! {
    /// What a thing does when it is left alone for a step.
    pub enum Untended {
        /// It advances by one stage; in the last it stays.
        Advances = "advances",
        /// Its stage stays.
        Stays = "stays",
    }
}

farm_core::choice! {
    /// What a verb does to the stage of the thing in front.
    pub enum VerbEffect {
        /// Back to the first stage.
        First = "first",
        /// One stage back; the first stays.
        Down = "down",
        /// One stage on; the last stays.
        Up = "up",
    }
}

farm_core::choice! {
    /// When a thing pays its base value.
    pub enum Pays {
        /// When it enters its last stage for the first time.
        OnFirstEntry = "on_first_entry",
        /// Each time that it enters its last stage.
        OnEveryEntry = "on_every_entry",
        /// When the farmer stands on it in its last stage; it is taken away.
        WhenStoodOn = "when_stood_on",
    }
}

farm_core::choice! {
    /// What a thing that starts in its last stage pays, where it pays on its first entry.
    pub enum StartInTop {
        /// It has not yet entered: it pays when it comes back after having left.
        FirstEntry = "first_entry",
        /// It pays in the first step, unless a verb pushes it down before.
        Immediately = "immediately",
        /// It never pays.
        Never = "never",
    }
}

farm_core::parameters! {
    /// A thing that a level places.
    pub struct PlacedThing {
        /// Tiles from the western border.
        pub x: u32 = 0, [0, 999];
        /// Tiles from the northern border.
        pub y: u32 = 0, [0, 999];
        /// The stage it starts in; drawn if nothing is said.
        pub stage: Option<String> = None;
        /// Its base value; drawn if nothing is said.
        pub base_value: Option<u32> = None, "base_value#point", [0, 255];
        /// Whether it has paid already.
        pub has_paid: bool = false;
    }
}

farm_core::parameters! {
    /// What a thing does in one stage when it is left alone.
    pub struct StageLaw {
        /// After how many steps in the stage it leaves it; a verb that acts on the thing begins the count anew.
        pub after: u32 = 1, "after#step", [1, 10_000];
        /// The stage that it then enters; where nothing is said, it stays.
        pub to: Option<String> = None;
    }
}

farm_core::parameters! {
    /// Things on tiles that go through stages.
    pub struct StagedTiles {
        /// How many there are.
        pub count: u32 = 1, "count#nb", [1, 64];
        /// Where they stand, each on a tile of its own drawn uniformly; the whole map if nothing is said.
        pub area: Option<Area> = None;
        /// The things of a level, each at its tile, in the plan's own orientation; with them `count#nb` and `area` mean nothing.
        pub placed: Vec<PlacedThing> = Vec::new();
        /// Whether a level may place them on fences, which stay shut: such a thing is out of the farmer's reach, but not of its verbs.
        pub can_be_fenced: bool = false;
        /// The terrain that their tiles show; one of the map's.
        pub terrain: String = "ground".into();
        /// The stages from first to last; each one of the map's statuses.
        pub stages: Vec<String> = Vec::new();
        /// The stages to start in, drawn uniformly; all of them if nothing is said.
        pub initial_stages: Vec<String> = Vec::new();
        /// What a thing does when it is left alone for a step.
        pub untended: Untended = Untended::Stays;
        /// Stages with a law of their own, which counts instead of `untended`.
        pub laws: BTreeMap<String, StageLaw> = BTreeMap::new();
        /// The verbs of the farmer that act on it, and what each does.
        pub verbs: BTreeMap<String, VerbEffect> = BTreeMap::new();
        /// The stages in which a verb acts; one that is not named here acts in all of them.
        pub verbs_in: BTreeMap<String, Vec<String>> = BTreeMap::new();
        /// When a thing pays its base value.
        pub pays: Pays = Pays::OnFirstEntry;
        /// What a thing that starts in its last stage pays.
        pub start_in_top_pays: StartInTop = StartInTop::FirstEntry;
        /// Lowest and highest base value; whole numbers drawn uniformly.
        pub base_value: [u32; 2] = [1, 1], "base_value#point", [0, 255];
        /// Name of the event that pays; scores listen to it.
        pub event: String = "paid".into();
        /// What a stage looks like, by the name of a sprite of this project, such as `bed_ripe`; a stage that is not named here shows the
        /// sprite of its own word, or a tag.
        pub sprites: BTreeMap<String, String> = BTreeMap::new();
    }
}

farm_core::register!(
    Entity,
    StagedTiles,
    "Things on tiles that go through stages: crops, animals in pens, villagers.",
    "Backwards Valley B3, B5, B6 (AutoEnv environment 19, rules as decided by this project)"
);

#[farm_core::typetag::serde]
impl Entity for StagedTiles {
    fn build(&self, b: &mut Builder<'_>) -> Box<dyn Behaviour> {
        let tiles: Vec<(u32, u32)> = self.placed.iter().map(|thing| (thing.x, thing.y)).collect();
        let places = Placement::new(b, self.count, self.area.as_ref(), &tiles);
        let n = places.count;
        // Whole words of eight: the places beyond the count stay empty, and a step looks at eight things at once.
        let shape = [n.next_multiple_of(WORD)];
        let position = b.one(AGENT_POSITION);
        let facing = b.one(AGENT_FACING);
        let names = Labels::Named(self.stages.iter().cloned().chain(["gone".into()]).collect());
        let stage = b.declare(
            category("stage", ValueKind::Category(vec![names]), "Stage of each thing.").shape(&shape).hidden(),
        );
        let tended =
            b.declare(flag("tended", "Whether a verb acted on the thing in this step.").shape(&shape).hidden());
        let restless = b.declare(flag("restless", "Whether a thing may change by itself in the next step.").hidden());
        let paid = b.declare(flag("paid", "Whether the thing has paid.").shape(&shape).hidden());
        let cell = b.declare(
            count("cell#tile", 0, places.frame.last_cell(), "Where each thing stands, as an index of the map.")
                .shape(&shape)
                .hidden(),
        );
        let highest = self.placed.iter().filter_map(|thing| thing.base_value).chain([self.base_value[1]]).max();
        let worth = count("base_value#point", 0, highest.unwrap_or(0) as i32, "What each thing pays.");
        let base_value = b.declare(worth.shape(&shape).hidden());
        let waited = (!self.laws.is_empty()).then(|| {
            let most = self.laws.values().map(|law| law.after).max().unwrap_or(1) as i32;
            let waited = count("waited#step", 0, most, "How long each thing has been left alone in its stage.");
            b.declare(waited.shape(&shape).hidden())
        });
        let laws = self.compiled_laws(b);
        for verb in self.verbs_in.keys().filter(|verb| !self.verbs.contains_key(*verb)) {
            let path = Path::default().child("verbs_in").child(verb);
            let problem = Problem::new(path, format!("`{verb}` is not one of the verbs")).value(verb).about_name();
            b.problem(problem.among(verb, self.verbs.keys().map(String::as_str)));
        }
        let mut verbs = Vec::with_capacity(self.verbs.len());
        for (name, effect) in &self.verbs {
            let stages = self.verbs_in.get(name);
            let only = stages.map_or(String::new(), |stages| format!(", if its stage is {}", stages.join(" or ")));
            let doc = format!("Acts on a {} in front{only}: what is there goes {}.", self.terrain, describe(*effect));
            b.action(name, Vec::new(), &doc);
            let path = Path::default().child("verbs_in").child(name);
            let stages = stages.map(|stages| {
                let found = stages.iter().enumerate().filter_map(|(i, stage)| self.stage(b, stage, path.child(i)));
                found.fold(0, |all, stage| all | 1u128.checked_shl(stage.into()).unwrap_or(0))
            });
            verbs.push(Verb { effect: *effect, stages: stages.unwrap_or(u128::MAX) });
        }
        let event =
            b.event(&self.event, n, "A thing paid its base value; the plot is its index, the value the points.");
        b.runs_in(Phase::Develop);
        // What pays when it is stood on looks each step who stands there.
        if self.pays != Pays::WhenStoodOn {
            b.rests_without(restless);
        }
        self.check_sprites(b);
        b.picture(self.picture(places.frame));
        b.picture(self.seen_picture());
        self.tell(b, n);

        let names = MapNames::of(b);
        let own_terrain = names.terrain(b, &self.terrain, "terrain");
        let mut shown: Vec<u8> = self.stages.iter().map(|stage| names.status(b, stage, "stages")).collect();
        let last_shown = shown.last().copied().unwrap_or_default();
        // A thing that was taken away shows nothing.
        shown.push(0);
        if self.stages.len() < 2 || self.stages.len() > MOST_STAGES {
            let problem = Problem::new(Path::default().child("stages"), "a thing goes through at least two stages");
            b.problem(problem.value(self.stages.join(", ")).expected("2 to 100 names, such as [Seed, Sprout]"));
        }
        let named = self.initial_stages.iter();
        let initial: Vec<u8> =
            named.filter_map(|name| self.stage(b, name, Path::default().child("initial_stages"))).collect();
        let initial = if initial.is_empty() { (0..self.stages.len() as u8).collect() } else { initial };
        let placed = self.placed.iter().enumerate().map(|(i, thing)| {
            let path = Path::default().child("placed").child(i).child("stage");
            let stage = thing.stage.as_ref().and_then(|name| self.stage(b, name, path));
            Start { stage, base_value: thing.base_value.map(|value| value as i32), has_paid: thing.has_paid }
        });
        let placed = placed.collect();
        Box::new(Tiles {
            key: b.stream_key(),
            frame: places.frame,
            tiles: places.tiles,
            places,
            placed,
            can_be_fenced: self.can_be_fenced,
            own_terrain,
            shown,
            initial,
            verbs,
            last: self.stages.len().saturating_sub(1) as u8,
            last_shown,
            laws,
            waited,
            advance_word: if self.untended == Untended::Advances { 0x0101_0101_0101_0101 } else { 0 },
            pays: self.pays,
            start_in_top_pays: self.start_in_top_pays,
            worth: (self.base_value[0] as i32, self.base_value[1] as i32),
            event,
            position,
            facing,
            stage,
            tended,
            restless,
            paid,
            cell,
            base_value,
        })
    }
}

fn describe(effect: VerbEffect) -> &'static str {
    match effect {
        VerbEffect::First => "back to its first stage",
        VerbEffect::Down => "one stage back",
        VerbEffect::Up => "one stage on",
    }
}

impl StagedTiles {
    /// Each thing on its tile, in its stage.
    fn picture(&self, frame: TileFrame) -> Picture {
        let title = sprites::in_words(&self.terrain);
        let picture = Picture::of_things(&title, 30, "cell#tile", frame.columns, frame.margin);
        self.stages.iter().fold(picture, |picture, stage| {
            picture.label("stage", stage, &sprites::in_words(stage), self.sprite(stage))
        })
    }

    /// The same as a learner's window shows it: by terrain and stage, or by terrain alone.
    fn seen_picture(&self) -> Picture {
        let terrain = self.terrain.as_str();
        let picture = Picture::of_seen_tiles(&sprites::in_words(terrain), 30);
        let picture = self.stages.iter().fold(picture, |picture, stage| {
            picture.names(&[terrain, stage], &sprites::in_words(stage), self.sprite(stage))
        });
        picture.names(&[terrain], "not known", sprites::thing_alone(terrain))
    }

    /// What the texts of a game can say.
    fn tell(&self, b: &mut Builder<'_>, count: usize) {
        b.fact("number", count.to_string());
        let (low, high) = (self.base_value[0], self.base_value[1]);
        // Base values that a level gives are told only where the rules alone would tell as much.
        let is_usual =
            self.placed.iter().filter_map(|thing| thing.base_value).all(|value| (low..=high).contains(&value));
        b.fact("base_values", if is_usual { format!("{low} to {high}") } else { String::new() });
        let usual = match self.untended {
            Untended::Advances => "advances by one stage, and stays in its last one",
            Untended::Stays => "stays as it is",
        };
        let laws = self.laws.iter().map(|(stage, law)| match &law.to {
            Some(to) => format!("as {stage} becomes {to} after {} steps", law.after),
            None => format!("as {stage} stays so"),
        });
        let laws: Vec<String> = laws.collect();
        let others =
            if self.laws.is_empty() { usual.to_owned() } else { format!("{}; otherwise it {usual}", laws.join(", ")) };
        b.fact("left_alone", others);
        b.fact(
            "payment",
            match (self.pays, self.start_in_top_pays) {
                (Pays::OnEveryEntry, _) => "each time that it comes into its last stage",
                (Pays::WhenStoodOn, _) => {
                    "when you stand on its tile and it is in its last stage, also when it got there under your feet; it is then \
                     taken away for good"
                }
                (Pays::OnFirstEntry, StartInTop::FirstEntry) => {
                    "when it comes into its last stage for the first time; one that begins there has to leave it and come back"
                }
                (Pays::OnFirstEntry, StartInTop::Immediately) => {
                    "when it comes into its last stage for the first time; one that begins there pays in the first step, or when \
                     it comes back if that step's action sends it away"
                }
                (Pays::OnFirstEntry, StartInTop::Never) => {
                    "when it comes into its last stage for the first time; one that begins there never pays"
                }
            },
        );
    }

    /// The sprite of a stage: the one that the game names, or that of its word.
    fn sprite(&self, stage: &str) -> Sprite {
        let named = self.sprites.get(stage).and_then(|name| sprites::named(name));
        named.unwrap_or_else(|| sprites::thing(&self.terrain, stage))
    }

    fn check_sprites(&self, b: &mut Builder<'_>) {
        for (stage, name) in &self.sprites {
            let path = Path::default().child("sprites").child(stage);
            self.stage(b, stage, path.clone());
            if sprites::named(name).is_none() {
                let problem = Problem::new(path, format!("there is no sprite `{name}`")).value(name);
                b.problem(problem.among(name, sprites::NAMED.iter().map(|(name, _)| *name)));
            }
        }
    }

    /// What each stage does by itself; empty where all do what `untended` says.
    fn compiled_laws(&self, b: &mut Builder<'_>) -> Vec<Option<Law>> {
        if self.laws.is_empty() {
            return Vec::new();
        }
        let last = self.stages.len().saturating_sub(1) as u8;
        let usual = |stage: u8| {
            let goes_on = self.untended == Untended::Advances && stage < last;
            goes_on.then(|| Law { after: 1, to: stage + 1 })
        };
        let mut laws: Vec<Option<Law>> = (0..self.stages.len()).map(|stage| usual(stage as u8)).collect();
        for (name, law) in &self.laws {
            let path = Path::default().child("laws").child(name);
            let Some(stage) = self.stage(b, name, path.clone()) else { continue };
            let to = law.to.as_ref().and_then(|to| self.stage(b, to, path.child("to")));
            laws[usize::from(stage)] = to.map(|to| Law { after: law.after as i32, to });
        }
        laws
    }

    /// The index of a stage.
    fn stage(&self, b: &mut Builder<'_>, name: &str, path: Path) -> Option<u8> {
        let found = self.stages.iter().position(|stage| stage == name);
        if found.is_none() {
            let problem = Problem::new(path, format!("`{name}` is not a stage"));
            b.problem(problem.value(name).among(name, self.stages.iter().map(String::as_str)));
        }
        found.map(|index| index as u8)
    }
}

/// What a level says of a thing.
#[derive(Debug, Clone, Copy, Default)]
struct Start {
    stage: Option<u8>,
    base_value: Option<i32>,
    has_paid: bool,
}

/// What a verb does, and in which stages, one bit for each.
#[derive(Debug, Clone, Copy)]
struct Verb {
    effect: VerbEffect,
    stages: u128,
}

/// After how many steps a thing leaves a stage by itself, and whereto.
#[derive(Debug, Clone, Copy)]
struct Law {
    after: i32,
    to: u8,
}

struct Tiles {
    key: u64,
    frame: TileFrame,
    places: Placement,
    /// What a level says, by thing.
    placed: Vec<Start>,
    can_be_fenced: bool,
    own_terrain: u8,
    /// The status that each stage shows; one more for a thing that is gone.
    shown: Vec<u8>,
    initial: Vec<u8>,
    verbs: Vec<Verb>,
    /// What each stage does by itself, where one has a law of its own; else empty.
    laws: Vec<Option<Law>>,
    waited: Option<Column<i32>>,
    last: u8,
    last_shown: u8,
    /// One in each byte if things go on by themselves, else 0.
    advance_word: u64,
    pays: Pays,
    start_in_top_pays: StartInTop,
    worth: (i32, i32),
    event: EventId,
    tiles: Column<u8>,
    position: Column<u8>,
    facing: Column<u8>,
    stage: Column<u8>,
    tended: Column<u8>,
    restless: Column<u8>,
    paid: Column<u8>,
    cell: Column<i32>,
    base_value: Column<i32>,
}

const PLACE: Purpose = Purpose::named("place");
const STAGE: Purpose = Purpose::named("stage");
const WORTH: Purpose = Purpose::named("worth");
/// Things whose stages fill one machine word.
const WORD: usize = 8;
/// Most stages, so that a stage and its comparison fit into the low bits of a byte.
const MOST_STAGES: usize = 100;

impl Tiles {
    /// The stage that a verb leads to.
    fn after(&self, effect: VerbEffect, stage: u8) -> u8 {
        match effect {
            VerbEffect::First => 0,
            VerbEffect::Down => stage.saturating_sub(1),
            VerbEffect::Up => (stage + 1).min(self.last),
        }
    }

    /// The stage that a verb leads to from a stage; none where it does not act.
    fn led_to(&self, verb: usize, stage: u8) -> Option<u8> {
        let verb = self.verbs[verb];
        ((verb.stages >> stage) & 1 == 1).then(|| self.after(verb.effect, stage))
    }

    /// Whether a thing pays that comes into its last stage now.
    fn pays_now(&self, i: usize, c: &Context<'_>) -> bool {
        match self.pays {
            Pays::OnFirstEntry => c.get(self.paid)[i].get() == 0,
            Pays::OnEveryEntry => true,
            Pays::WhenStoodOn => false,
        }
    }

    fn pay(&self, i: usize, c: &mut Context<'_>) {
        c.get(self.paid)[i].set(1);
        c.emit(self.event, i, f64::from(c.get(self.base_value)[i].get()));
    }
}

impl Behaviour for Tiles {
    fn reset(&self, c: &mut Context<'_>) {
        // A stream each, so that fixing one of the three in the YAML does not change the other two; and one after the other, so
        // that each stays in registers.
        let terrain_of = |_, before| if self.can_be_fenced && before != GROUND { before } else { self.own_terrain };
        let count = self.places.place(c, c.stream(self.key, PLACE), self.cell, terrain_of);
        let level = |i: usize| self.placed.get(i).copied().unwrap_or_default();
        let mut draws = c.stream(self.key, STAGE);
        let (here, gone) = c.get(self.stage).split_at(count);
        for (i, stage) in here.iter().enumerate() {
            let drawn = || self.initial[draws.index(self.initial.len() as u32) as usize];
            stage.set(level(i).stage.unwrap_or_else(drawn));
        }
        // Without a tile left, and beyond the count, a thing is gone from the start.
        gone.iter().for_each(|stage| stage.set(self.last + 1));
        let mut draws = c.stream(self.key, WORTH);
        for (i, worth) in c.get(self.base_value)[..count].iter().enumerate() {
            let drawn = || draws.integer_in(self.worth.0, self.worth.1);
            worth.set(level(i).base_value.unwrap_or_else(drawn));
        }
    }

    /// Shows the stages, also those that the rules have set.
    fn settle(&self, c: &mut Context<'_>) {
        let tiles = c.get(self.tiles);
        c.get(self.restless)[0].set(1);
        let never_pays = self.start_in_top_pays == StartInTop::Never && self.pays == Pays::OnFirstEntry;
        let things = c.get(self.stage).iter().zip(c.get(self.cell)).zip(c.get(self.paid));
        for (i, ((stage, cell), paid)) in things.enumerate() {
            if cell.get() == 0 {
                // The corner of the margin is no place to stand.
                stage.set(self.last + 1);
                continue;
            }
            let gone = stage.get() > self.last;
            let shown = terrain(tiles, cell.get() as usize);
            if !self.can_be_fenced || shown.get() == GROUND || shown.get() == self.own_terrain {
                shown.set(if gone { GROUND } else { self.own_terrain });
            }
            status(tiles, cell.get() as usize).set(self.shown[usize::from(stage.get())]);
            let has_paid = self.placed.get(i).is_some_and(|start| start.has_paid);
            paid.set(u8::from(has_paid || (never_pays && stage.get() == self.last)));
        }
    }

    fn act(&self, action: usize, _: CallArguments<'_>, c: &mut Context<'_>) {
        let position = c.get(self.position);
        let target = self.frame.ahead(position[0].get(), position[1].get(), c.value(self.facing));
        // One look at the map tells that nothing of these stands there, but for things inside a fence.
        if terrain(c.get(self.tiles), target).get() != self.own_terrain && !self.can_be_fenced {
            return;
        }
        let stages = c.get(self.stage);
        let Some(i) = thing_at(c.get(self.cell), target) else { return };
        let stage = stages[i].get();
        if stage > self.last {
            return;
        }
        let Some(after) = self.led_to(action, stage) else { return };
        stages[i].set(after);
        c.get(self.tended)[i].set(1);
        c.get(self.restless)[0].set(1);
        if after == self.last && after > stage && self.pays_now(i, c) {
            self.pay(i, c);
        }
    }

    fn has_effect(&self, action: usize, _: CallArguments<'_>, reader: &Reader<'_>) -> bool {
        let position = reader.get(self.position);
        let target = self.frame.ahead(position[0], position[1], reader.get(self.facing)[0]) as i32;
        let found = reader.get(self.cell).iter().position(|cell| *cell == target);
        let stage = found.map(|i| reader.get(self.stage)[i]).filter(|stage| *stage <= self.last);
        // Care that changes no stage still keeps a thing from advancing by itself.
        let goes_on = |stage: u8| match self.laws.get(usize::from(stage)) {
            Some(law) => law.is_some(),
            None => self.advance_word != 0,
        };
        let led_to = |stage| self.led_to(action, stage).map(|after| (stage, after));
        stage.and_then(led_to).is_some_and(|(stage, after)| after != stage || goes_on(stage))
    }

    fn tick(&self, _: Phase, c: &mut Context<'_>) {
        // Most of the time nobody tends and all have come to their last stage; then only who looks underfoot is called.
        if c.get(self.restless)[0].get() != 0 {
            match self.waited {
                None => self.go_on(c),
                Some(waited) => self.go_on_by_laws(waited, c),
            }
        }
        if self.pays == Pays::WhenStoodOn {
            self.pay_underfoot(c);
        }
    }
}

impl Tiles {
    // Not inlined: the usual step takes none of these, and stays short without them.
    /// All that go on by themselves do so.
    #[inline(never)]
    fn go_on(&self, c: &mut Context<'_>) {
        let (stages, tended) = (c.get(self.stage), c.get(self.tended));
        let first_step = c.step() == 0 && self.start_in_top_pays == StartInTop::Immediately;
        let mut restless = 0;
        for (i, (stages, tended)) in stages.chunks_exact(WORD).zip(tended.chunks_exact(WORD)).enumerate() {
            // One bit per thing that may go on by itself: it is not in its last stage.
            let (below_last, tended) = (below(word(stages), self.last) & self.advance_word, word(tended));
            if (below_last | tended) != 0 || first_step {
                self.advance(i * WORD, below_last & !tended, first_step, c);
                restless |= below(word(stages), self.last) & self.advance_word;
            }
        }
        c.get(self.restless)[0].set(u8::from(restless != 0));
    }

    /// Each thing follows the law of its stage, unless a verb acted on it.
    #[inline(never)]
    fn go_on_by_laws(&self, waited: Column<i32>, c: &mut Context<'_>) {
        let (stages, tended, waited) = (c.get(self.stage), c.get(self.tended), c.get(waited));
        let (tiles, cells) = (c.get(self.tiles), c.get(self.cell));
        let first_step = c.step() == 0 && self.start_in_top_pays == StartInTop::Immediately;
        let mut restless = 0;
        for i in 0..stages.len() {
            let stage = stages[i].get();
            if stage > self.last {
                continue;
            }
            let mut entered = first_step && stage == self.last;
            let law = self.laws[usize::from(stage)];
            if tended[i].replace(0) != 0 {
                waited[i].set(0);
            } else if let Some(law) = law {
                waited[i].set(waited[i].get() + 1);
                if waited[i].get() >= law.after {
                    waited[i].set(0);
                    stages[i].set(law.to);
                    entered |= law.to == self.last && stage != self.last;
                }
            }
            let after = stages[i].get();
            status(tiles, cells[i].get() as usize).set(self.shown[usize::from(after)]);
            restless |= u8::from(self.laws[usize::from(after)].is_some());
            if entered && self.pays_now(i, c) {
                self.pay(i, c);
            }
        }
        c.get(self.restless)[0].set(restless);
    }

    /// Eight things go on by themselves, forget who tended them, and show their stage.
    #[inline(never)]
    fn advance(&self, start: usize, advancing: u64, first_step: bool, c: &mut Context<'_>) {
        let tiles = c.get(self.tiles);
        let here = start..start + WORD;
        let (stages, tended) = (&c.get(self.stage)[here.clone()], &c.get(self.tended)[here.clone()]);
        let cells = &c.get(self.cell)[here];
        for k in 0..WORD {
            let steps = (advancing >> (8 * k)) as u8 & 1;
            let after = stages[k].get() + steps;
            stages[k].set(after);
            tended[k].set(0);
            status(tiles, cells[k].get() as usize).set(self.shown[usize::from(after)]);
            let entered = after == self.last && (steps == 1 || first_step);
            if entered && self.pays_now(start + k, c) {
                self.pay(start + k, c);
            }
        }
    }

    /// What the farmer stands on in its last stage is taken away and pays.
    fn pay_underfoot(&self, c: &mut Context<'_>) {
        let (tiles, position) = (c.get(self.tiles), c.get(self.position));
        let here = self.frame.cell(usize::from(position[0].get()), usize::from(position[1].get()));
        // One look at the map tells whether it pays; which thing it is matters only then.
        if terrain(tiles, here).get() == self.own_terrain && status(tiles, here).get() == self.last_shown {
            self.take_away(here, c);
        }
    }

    #[inline(never)]
    fn take_away(&self, here: usize, c: &mut Context<'_>) {
        let tiles = c.get(self.tiles);
        if let Some(i) = c.get(self.cell).iter().position(|cell| cell.get() as usize == here) {
            terrain(tiles, here).set(GROUND);
            status(tiles, here).set(0);
            c.get(self.stage)[i].set(self.last + 1);
            self.pay(i, c);
        }
    }
}

/// Eight bytes as one word.
#[inline]
fn word(bytes: &[Cell<u8>]) -> u64 {
    bytes.first_chunk::<WORD>().map_or(0, |bytes| u64::from_le_bytes(std::array::from_fn(|k| bytes[k].get())))
}

/// For each byte of a word of numbers below 128: 1 where it is below `limit`, else 0.
#[inline]
fn below(word: u64, limit: u8) -> u64 {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    const ONES: u64 = 0x0101_0101_0101_0101;
    // The borrow of each byte's subtraction stays in its own high bit.
    (!((word | HIGH) - ONES * u64::from(limit)) & HIGH) >> 7
}

#[cfg(test)]
mod tests {
    use super::below;

    #[test]
    fn bytes_of_a_word_are_compared_each_for_itself() {
        let bytes = [0u8, 1, 2, 3, 4, 100, 101, 0];
        for limit in [0u8, 1, 3, 100] {
            let expected = bytes.map(|b| u8::from(b < limit));
            assert_eq!(below(u64::from_le_bytes(bytes), limit).to_le_bytes(), expected, "below {limit}");
        }
    }
}
