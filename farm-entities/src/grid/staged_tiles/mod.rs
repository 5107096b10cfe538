//! Things on tiles that go through stages: crops, animals in pens, villagers in their houses.
//!
//! Each thing has its own tile and a stage. Without an action on it, a thing may advance or regress by one stage after a number of steps.
//! The farmer's verbs change the stage of the thing on the tile in front of the farmer. A stage may have its own law: the number of steps
//! after which a thing leaves it by itself, and the next stage. A verb may act only in some stages. There are three rules for the payment
//! of the base value:
//!
//! * once, when the farmer is on the thing's tile while the thing is in its last stage (the thing is then removed),
//! * once, when the thing enters its last stage for the first time,
//! * each time that the thing enters its last stage.
//!
//! | reads | role |
//! |---|---|
//! | the map, for the tiles of the things and their stages | `grid_tiles`, `grid_symmetry` |
//! | the farmer's position and facing, and its start tile, where no thing is placed | `agent_position`, `agent_facing`, `agent_start` |
//!
//! | writes | unit |
//! |---|---|
//! | `stage`, `paid`, `tended`, `cell`, `base_value` of each thing (hidden) | category, flag, tile, points |
//! | `restless` (hidden) | flag |
//! | `waited` of each thing, if a stage has its own law, or things regress or need several steps (hidden) | steps |
//!
//! Source: Backwards Valley B3, B5, B6 and the step order; the inversion (neglect helps, care hurts) is in the parameters.

mod life;

use std::collections::BTreeMap;

use farm_core::config::{ParameterError, Path, Problem};
use farm_core::declare::{ActionInfo, Picture, Sprite};
use farm_core::inspect::{alternatives, counted, listed};
use farm_core::{Behaviour, Bind, Columns, Declarations, Entity, Phase};

use self::life::{Law, MAX_STAGES, Start, Tiles, Verb};
use super::{Area, Cells, KnownMap, OnMap, TileFrame, sprites};
use crate::grid::GridError;

/// Change of a thing without an action on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub(super) enum Untended {
    /// It advances by one stage, up to the last stage.
    Advances,
    /// It goes back by one stage, down to the first stage.
    Regresses,
    /// Its stage does not change.
    Stays,
}

/// Effect of a verb on the stage of the thing in front of the farmer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub(super) enum VerbEffect {
    /// Sets the stage to the first stage.
    First,
    /// Moves the thing back by one stage. In the first stage, the stage does not change.
    Down,
    /// Moves the thing forward by one stage. In the last stage, the stage does not change.
    Up,
    /// Sets the stage to the last stage.
    Last,
    /// No effect: the verb does not count as an action on the thing.
    Nothing,
}

/// When a thing pays its base value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub(super) enum Pays {
    /// When it enters its last stage for the first time.
    OnFirstEntry,
    /// Each time that it enters its last stage.
    OnEveryEntry,
    /// When it is in its last stage and the farmer is on its tile. The thing is then removed.
    WhenStoodOn,
}

/// Payment of a thing that starts in its last stage, with `pays: on_first_entry`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub(super) enum StartInTop {
    /// The start is not an entry: it pays when it leaves its last stage and returns.
    FirstEntry,
    /// It pays in the first step, unless a verb of that step moves it out of its last stage.
    Immediately,
    /// It never pays.
    Never,
}

/// A thing that a level places.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct PlacedThing {
    /// Tiles from the western border.
    #[parameter(range = 0..=999)]
    pub x: u32,
    /// Tiles from the northern border.
    #[parameter(range = 0..=999)]
    pub y: u32,
    /// The stage at the start. Default: drawn from `initial_stages`.
    pub stage: Option<String>,
    /// Its base value. Default: drawn from the range `base_value#point`.
    #[parameter(unit = "point", range = 0..=255)]
    pub base_value: Option<u32>,
    /// Whether it has already paid.
    pub has_paid: bool,
}

/// Change of a thing in one stage, without an action on it.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct StageLaw {
    /// Number of steps in the stage after which the thing leaves it. A verb that acts on the thing restarts the count.
    #[parameter(unit = "step", default = 1, range = 1..=10_000)]
    pub after: u32,
    /// The next stage. Default: the thing stays in its stage.
    pub to: Option<String>,
}

/// Things on tiles that go through stages: crops, animals in pens, villagers.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct StagedTiles {
    /// Number of things. With 0, the verbs exist but have no effect.
    #[parameter(unit = "nb", default = 1, range = 0..=64)]
    pub count: u32,
    /// Area in which each thing gets a different random tile, all with equal probability. Default: the whole map.
    pub area: Option<Area>,
    /// The things of a level, each with its tile, in the orientation of the plan. They replace `count#nb` and `area`.
    pub placed: Vec<PlacedThing>,
    /// Whether a level may place things on fences. The farmer can't enter such a tile, but its verbs act on the thing.
    pub can_be_fenced: bool,
    /// The terrain of their tiles, one of the map's terrains.
    #[parameter(default = "ground".into())]
    pub terrain: String,
    /// The stages from first to last. Each is one of the map's statuses.
    pub stages: Vec<String>,
    /// The possible stages at the start. Each thing gets one of them at random, with equal probability. Default: all stages.
    pub initial_stages: Vec<String>,
    /// Change of a thing without an action on it.
    #[parameter(default = Untended::Stays)]
    pub untended: Untended,
    /// Number of steps without an action on a thing after which it changes by `untended`. A verb that acts on it restarts the count.
    #[parameter(unit = "step", default = 1, range = 1..=250)]
    pub untended_every: u32,
    /// Stages with their own law, which replaces `untended`.
    pub laws: BTreeMap<String, StageLaw>,
    /// The verbs of the farmer that act on a thing, each with its effect.
    pub verbs: BTreeMap<String, VerbEffect>,
    /// The stages in which a verb acts. A verb that is not listed here acts in all stages.
    pub verbs_in: BTreeMap<String, Vec<String>>,
    /// When a thing pays its base value.
    #[parameter(default = Pays::OnFirstEntry)]
    pub pays: Pays,
    /// Payment of a thing that starts in its last stage. Used only with `pays: on_first_entry`.
    #[parameter(default = StartInTop::FirstEntry)]
    pub start_in_top_pays: StartInTop,
    /// Minimum and maximum of the base value. Each thing gets an integer in this range at random, with equal probability.
    #[parameter(unit = "point", default = [1, 1], range = 0..=255)]
    pub base_value: [u32; 2],
    /// Name of the event of a payment, which scores count.
    #[parameter(default = "paid".into())]
    pub event: String,
    /// The picture of a stage: the name of a sprite of this project, such as `bed_ripe`. A stage that is not listed here shows the
    /// sprite of its own name, or a label if there is none.
    pub sprites: BTreeMap<String, String>,
}

#[farm_core::register(
    source = "Backwards Valley B3, B5, B6 (AutoEnv environment 19, rules as decided by this project)"
)]
impl Entity for StagedTiles {
    fn declare(&self, _: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
        Bind::after(|d, known| {
            let tiles = Tiles::declare(d, &OnMap::new(self.clone(), known));
            d.runs_in(Phase::Develop);
            // Things that pay on the farmer's tile check in each step whether the farmer is there.
            if self.pays != Pays::WhenStoodOn {
                d.sleeps_unless(tiles.restless);
            }
            self.check_sprites(d);
            let listed = KnownMap::of(known).in_order(&self.stages);
            d.picture(self.picture(tiles.places.on.frame, &listed));
            d.picture(self.seen_picture(&listed));
            self.tell(d, tiles.places.on.count);
            Bind::new(move |found| tiles.bind(found))
        })
    }
}

impl StagedTiles {
    fn places(&self, map: &KnownMap, d: &mut Declarations<'_>) -> Cells {
        let tiles: Vec<(u32, u32)> = self.placed.iter().map(|thing| (thing.x, thing.y)).collect();
        Cells::new(d, map.frame, self.count, self.area.as_ref(), &tiles)
    }

    /// The stages, and one more for a removed thing.
    fn names_of_stages(&self) -> Vec<&str> {
        self.stages.iter().map(String::as_str).chain(["gone"]).collect()
    }

    /// Maximum base value of a thing.
    fn most_base_value(&self) -> i32 {
        let placed = self.placed.iter().filter_map(|thing| thing.base_value);
        placed.fold(self.base_value[1], u32::max) as i32
    }

    /// Maximum number of steps in a stage.
    fn most_waited(&self) -> i32 {
        self.laws.values().map(|law| law.after).fold(self.untended_every, u32::max) as i32
    }

    /// Declares the verbs as actions.
    fn declare_verbs(&self, d: &mut Declarations<'_>) -> Vec<Verb> {
        for verb in self.verbs_in.keys().filter(|verb| !self.verbs.contains_key(*verb)) {
            let path = Path::default().child("verbs_in").child(verb);
            let problem = Problem::new(GridError::UnknownStage, path, format!("`{verb}` is not one of the verbs"))
                .value(verb)
                .about_name();
            d.problem(problem.among(verb, self.verbs.keys().map(String::as_str)));
        }
        let mut verbs = Vec::with_capacity(self.verbs.len());
        for (name, effect) in &self.verbs {
            let stages = self.verbs_in.get(name);
            let doc = self.describe(*effect, stages.map_or(&[], Vec::as_slice));
            let (done, badge) = sprites::verb(name);
            d.action_with(ActionInfo::new(name, &doc, Vec::new()).shown_as(&done, badge));
            let path = Path::default().child("verbs_in").child(name);
            let stages = stages.map(|stages| {
                let found = stages.iter().enumerate().filter_map(|(i, stage)| self.stage(d, stage, path.child(i)));
                found.fold(0, |all, stage| all | 1u128.checked_shl(stage.into()).unwrap_or(0))
            });
            verbs.push(Verb { effect: *effect, stages: stages.unwrap_or(u128::MAX) });
        }
        verbs
    }

    /// The status of each stage, and one more for a removed thing.
    fn shown(&self, map: &KnownMap, d: &mut Declarations<'_>) -> Vec<u8> {
        if self.stages.len() < 2 || self.stages.len() > MAX_STAGES {
            let problem = Problem::new(
                GridError::WrongStages,
                Path::default().child("stages"),
                "a thing needs at least two stages",
            );
            d.problem(problem.value(self.stages.join(", ")).expected("2 to 100 names, such as [Seed, Sprout]"));
        }
        // A removed thing shows nothing.
        self.stages.iter().map(|stage| map.status(d, stage, "stages")).chain([0]).collect()
    }

    /// The possible stages at the start.
    fn initial(&self, d: &mut Declarations<'_>) -> Vec<u8> {
        let path = || Path::default().child("initial_stages");
        let named: Vec<u8> = self.initial_stages.iter().filter_map(|name| self.stage(d, name, path())).collect();
        if named.is_empty() { (0..self.stages.len() as u8).collect() } else { named }
    }

    /// The starts that a level sets, by thing.
    fn starts(&self, d: &mut Declarations<'_>) -> Vec<Start> {
        let start = |(i, thing): (usize, &PlacedThing)| {
            let path = Path::default().child("placed").child(i).child("stage");
            let stage = thing.stage.as_ref().and_then(|name| self.stage(d, name, path));
            Start { stage, base_value: thing.base_value.map(|value| value as i32), has_paid: thing.has_paid }
        };
        self.placed.iter().enumerate().map(start).collect()
    }

    /// The effect of a verb on a thing, in words. It affects only these stages; none means that it affects all.
    fn describe(&self, effect: VerbEffect, stages: &[String]) -> String {
        let first = self.stages.first().map_or("", String::as_str);
        let last = self.stages.last().map_or("", String::as_str);
        let thing = &self.terrain;
        let sentence = match effect {
            VerbEffect::First => format!("Returns the {thing} in front of you to the {first} stage."),
            VerbEffect::Down => format!("Brings the {thing} in front of you one stage closer to {first}."),
            VerbEffect::Up => format!("Brings the {thing} in front of you one stage closer to {last}."),
            VerbEffect::Last => format!("Raises the {thing} in front of you to the {last} stage."),
            VerbEffect::Nothing => {
                format!("Has no effect, and does not count as an action on the {thing} in front of you.")
            }
        };
        match (effect, stages) {
            (VerbEffect::Nothing, _) => sentence,
            (_, []) => format!("{sentence} Has no effect on any other tile."),
            _ => format!(
                "{sentence} The {thing} must be in the {} stage. Has no effect in any other stage or on any other tile.",
                alternatives(stages)
            ),
        }
    }

    /// Each thing on its tile, in its stage, with the stages in the order of `listed`.
    fn picture(&self, frame: TileFrame, listed: &[&String]) -> Picture {
        let title = sprites::in_words(&self.terrain);
        let picture = Picture::of_things(&title, 30, "cell#tile", frame.columns, frame.margin);
        listed.iter().fold(picture, |picture, stage| {
            picture.label("stage", stage, &sprites::in_words(stage), self.sprite(stage))
        })
    }

    /// The same in a learner's window: by terrain and stage, or only by terrain.
    fn seen_picture(&self, listed: &[&String]) -> Picture {
        let terrain = self.terrain.as_str();
        let picture = Picture::of_seen_tiles(&sprites::in_words(terrain), 30);
        let picture = listed.iter().fold(picture, |picture, stage| {
            picture.names(&[terrain, stage], &sprites::in_words(stage), self.sprite(stage))
        });
        picture.names(&[terrain], "not known", sprites::thing_alone(terrain))
    }

    /// The variables for the texts in a game.
    fn tell(&self, d: &mut Declarations<'_>, count: usize) {
        d.text_variable("number", count.to_string());
        if count > 0 {
            let initial = if self.initial_stages.is_empty() { &self.stages } else { &self.initial_stages };
            let [low, high] = self.base_value;
            let worth = match (low..=high).map(|worth| worth.to_string()).collect::<Vec<_>>() {
                worths if worths.len() == 1 => format!("Each base value is {low}."),
                worths if worths.len() <= 6 => {
                    format!("Each base value is {}, with equal probability.", alternatives(&worths))
                }
                _ => format!("Each base value is a random whole number from {low} to {high}, all equally likely."),
            };
            let places = Area::in_words(self.area.as_ref(), count, &self.terrain);
            // In the order of the stages, not in the order of the file.
            let stages: Vec<&str> =
                self.stages.iter().map(String::as_str).filter(|stage| initial.iter().any(|own| own == stage)).collect();
            let probability = if stages.len() > 1 { ", with equal probability" } else { "" };
            let stages = alternatives(&stages);
            d.world_text(format!("{places} Each {} starts in the {stages} stage{probability}. {worth}", self.terrain));
        }
        let (low, high) = (self.base_value[0], self.base_value[1]);
        // The texts give the base values of a level only if they are within the range of the rules.
        let is_usual =
            self.placed.iter().filter_map(|thing| thing.base_value).all(|value| (low..=high).contains(&value));
        d.text_variable("base_values", if is_usual { format!("{low} to {high}") } else { String::new() });
        let usual = match self.untended {
            Untended::Advances => format!("advances one stage{}", self.every_in_words()),
            Untended::Regresses => format!("goes back one stage{}", self.every_in_words()),
            Untended::Stays => "stays in its current stage".to_owned(),
        };
        let laws = self.laws.iter().map(|(stage, law)| match &law.to {
            Some(to) => format!("changes from {stage} to {to} after {} in {stage}", counted(law.after, "steps")),
            None => format!("stays in {stage}"),
        });
        let laws: Vec<String> = laws.collect();
        let others = if self.laws.is_empty() {
            usual
        } else {
            format!("{}. In any other stage, it {usual}", listed(&laws, "and"))
        };
        d.text_variable("left_alone", others);
        d.text_variable(
            "payment",
            match (self.pays, self.start_in_top_pays) {
                (Pays::OnEveryEntry, _) => "each time it reaches its last stage",
                (Pays::WhenStoodOn, _) => {
                    "if you are on its tile while it is in its last stage. This includes the step in which it reaches that stage. It is then \
                     removed for the rest of the episode and leaves its tile empty"
                }
                (Pays::OnFirstEntry, StartInTop::FirstEntry) => {
                    "when it reaches its last stage for the first time. If it starts in its last stage, it does not pay out until it has left \
                     that stage and returned"
                }
                (Pays::OnFirstEntry, StartInTop::Immediately) => {
                    "when it reaches its last stage for the first time. If it starts in its last stage, it pays out in the first step. If \
                     your action in that step moves it out of the stage, it pays out when it returns"
                }
                (Pays::OnFirstEntry, StartInTop::Never) => {
                    "when it reaches its last stage for the first time. If it starts in its last stage, it never pays out"
                }
            },
        );
    }

    /// The sprite of a stage: the sprite that the game names, or the default sprite for the stage on this terrain.
    fn sprite(&self, stage: &str) -> Sprite {
        let named = self.sprites.get(stage).and_then(|name| sprites::named(name));
        named.unwrap_or_else(|| sprites::thing(&self.terrain, stage))
    }

    fn check_sprites(&self, d: &mut Declarations<'_>) {
        for (stage, name) in &self.sprites {
            let path = Path::default().child("sprites").child(stage);
            self.stage(d, stage, path.clone());
            if sprites::named(name).is_none() {
                let problem = Problem::new(ParameterError::UnknownChoice, path, format!("there is no sprite `{name}`"))
                    .value(name);
                d.problem(problem.among(name, sprites::NAMED.iter().map(|(name, _)| *name)));
            }
        }
    }

    /// The interval of changes in words, if it is not one step.
    fn every_in_words(&self) -> String {
        match self.untended_every {
            1 => String::new(),
            every => format!(
                " at the end of every {every} consecutive steps without an action on it. The count of steps restarts after this change and \
                 after every action on it, even if the action does not change the stage"
            ),
        }
    }

    /// Whether each thing is processed by the law of its stage. Steps are fast if all things advance in each step, or none does.
    fn goes_by_laws(&self) -> bool {
        let is_slow = self.untended != Untended::Stays && self.untended_every != 1;
        !self.laws.is_empty() || self.untended == Untended::Regresses || is_slow
    }

    /// The law of each stage; empty if all things advance in each step, or none does.
    fn compiled_laws(&self, d: &mut Declarations<'_>) -> Vec<Option<Law>> {
        if !self.goes_by_laws() {
            return Vec::new();
        }
        let last = self.stages.len().saturating_sub(1) as u8;
        let usual = |stage: u8| {
            let to = match self.untended {
                Untended::Advances if stage < last => stage + 1,
                Untended::Regresses if stage > 0 => stage - 1,
                _ => return None,
            };
            Some(Law { after: self.untended_every as i32, to })
        };
        let mut laws: Vec<Option<Law>> = (0..self.stages.len()).map(|stage| usual(stage as u8)).collect();
        for (name, law) in &self.laws {
            let path = Path::default().child("laws").child(name);
            let Some(stage) = self.stage(d, name, path.clone()) else { continue };
            let to = law.to.as_ref().and_then(|to| self.stage(d, to, path.child("to")));
            laws[usize::from(stage)] = to.map(|to| Law { after: law.after as i32, to });
        }
        laws
    }

    /// The index of a stage.
    fn stage(&self, d: &mut Declarations<'_>, name: &str, path: Path) -> Option<u8> {
        let found = self.stages.iter().position(|stage| stage == name);
        if found.is_none() {
            let problem = Problem::new(GridError::UnknownStage, path, format!("`{name}` is not a stage"));
            d.problem(problem.value(name).among(name, self.stages.iter().map(String::as_str)));
        }
        found.map(|index| index as u8)
    }
}
