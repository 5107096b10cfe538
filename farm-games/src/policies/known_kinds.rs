//! The words that a player without the rules knows: the terrain, stages and verbs of each kind of thing.

use farm_core::action::Call;
use farm_core::config::{NameError, ParameterError, Path, Phrase, Problem, Problems, Tool};
use farm_core::declare::Labels;
use farm_core::{ActionKind, Game, State};
use farm_oracle::backwards_valley::{Pose, Reading};
use farm_oracle::{GridReading, PlanError};

use super::informed_policy::Window;

/// The words for things of one kind, without their rules.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct KnownKind {
    /// The terrain of its tiles.
    pub terrain: String,
    /// Its stages; the last is the one that sounds best.
    pub stages: Vec<String>,
    /// Its verbs; the first is the caring one.
    pub verbs: Vec<String>,
    /// Whether it pays when the farmer is on its tile.
    pub is_stood_on: bool,
}

/// The words for a kind, as codes and calls in a game.
#[derive(Debug, Clone)]
pub(crate) struct KindWords {
    pub terrain: u8,
    pub statuses: Vec<u8>,
    pub verbs: Vec<Vec<Call>>,
    pub is_stood_on: bool,
}

/// The map as a player sees it without knowing the rules.
#[derive(Debug, Clone)]
pub(crate) struct Sights {
    pub reading: Reading,
    pub window: Window,
    pub kinds: Vec<KindWords>,
}

/// The contents of a tile in the window.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ShownTile {
    pub tile: usize,
    pub is_blocked: bool,
    /// The kind and the stage of the thing on it.
    pub thing: Option<(usize, u8)>,
}

impl Sights {
    /// Finds the words in a game.
    ///
    /// # Errors
    /// The game has no such map, or it lacks some of the words.
    pub(crate) fn of(game: &Game, kinds: &[KnownKind]) -> Result<Self, Problems> {
        let refused = |message: &str, expected: &str, help: Phrase| {
            let problem = Problem::new(PlanError::NoPlan, Path::default(), message);
            Problems(vec![problem.expected(expected).help(help)])
        };
        let GridReading::BackwardsValley(reading) = GridReading::of(game)? else {
            let message = "this player needs things with stages, and this game has none";
            let names = Tool::describe("GAME").and(" lists the policies of a game");
            return Err(refused(message, "a map with crops, animals and villagers", names));
        };
        if kinds.is_empty() {
            let message = "this player needs the words of this game in `kinds`, which is empty";
            let parameters = Tool::describe("AdaptivePolicy").and(" shows its parameters");
            return Err(refused(message, "an entry in `kinds` for each kind of thing", parameters));
        }
        let window = Window::of(game)?;
        let kind = game.observation().entries()[window.entry].kind();
        let code = |axis: usize, name: &str, path: &Path| -> Result<u8, Problems> {
            let labels = kind.labels(axis);
            let found = labels.and_then(|labels| labels.index(name));
            found.map(|code| code as u8).ok_or_else(|| {
                let message = format!("the window of this game does not show `{name}`");
                let problem = Problem::new(ParameterError::UnknownChoice, path.clone(), message).value(name);
                Problems(vec![match labels {
                    Some(Labels::Named(names)) => problem.among(name, names.iter().map(String::as_str)),
                    _ => problem,
                }])
            })
        };
        let words = |(i, known): (usize, &KnownKind)| -> Result<KindWords, Problems> {
            let path = Path::default().child("kinds").child(i);
            let verb = |(k, name): (usize, &String)| {
                game.catalogue().parse_line(name).map_err(|problem| {
                    let message = problem.to_string();
                    let path = path.child("verbs").child(k);
                    Problems(vec![Problem::new(NameError::UnknownAction, path, message).value(name)])
                })
            };
            let status = |(k, name): (usize, &String)| code(1, name, &path.child("stages").child(k));
            Ok(KindWords {
                terrain: code(0, &known.terrain, &path.child("terrain"))?,
                statuses: known.stages.iter().enumerate().map(status).collect::<Result<_, _>>()?,
                verbs: known.verbs.iter().enumerate().map(verb).collect::<Result<_, _>>()?,
                is_stood_on: known.is_stood_on,
            })
        };
        let kinds = kinds.iter().enumerate().map(words).collect::<Result<_, _>>()?;
        Ok(Self { reading, window, kinds })
    }

    /// The farmer's position and the contents of its window at the start of a step; none in a step for paid observations.
    ///
    /// Writes the observation into `record`.
    pub(crate) fn look(&self, game: &Game, state: &State, record: &mut [u8]) -> Option<(Pose, Vec<ShownTile>)> {
        if game.expects(state) == ActionKind::Observation {
            return None;
        }
        game.observe_into(state, record);
        let agent = self.reading.pose(&game.reader(state));
        let entry = &game.observation().entries()[self.window.entry];
        let (length, width, _) = self.reading.size();
        let shown = |(i, tile): (usize, usize)| {
            let code = |k: usize| entry.number(record, 2 * i + k) as u8;
            let (terrain, status) = (code(0), code(1));
            ShownTile { tile, is_blocked: self.reading.is_blocked(terrain), thing: self.thing_shown(terrain, status) }
        };
        Some((agent, self.window.tiles(length, width, agent.tile).map(shown).collect()))
    }

    /// The kind and the stage of the thing that a tile shows.
    fn thing_shown(&self, terrain: u8, status: u8) -> Option<(usize, u8)> {
        self.kinds.iter().enumerate().find_map(|(number, kind)| {
            let stage = kind.statuses.iter().position(|shown| *shown == status)?;
            (kind.terrain == terrain).then_some((number, stage as u8))
        })
    }
}
