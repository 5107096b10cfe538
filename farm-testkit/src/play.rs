//! Episodes under random actions, recorded step by step, and the differences between two of them.

use farm_core::action::Call;
use farm_core::declare::VariableInfo;
use farm_core::{
    Agent, Element, EpisodeRunner, Event, Game, Observer, ObserverError, PlayError, Reader, State, Stream, Transition,
};

/// Fills a schedule with random calls. The schedule may be longer than the rules allow, and may contain a call twice.
pub fn random_schedule(game: &Game, most: usize, stream: &mut Stream, schedule: &mut Vec<Call>) {
    schedule.clear();
    let calls = game.catalogue().calls();
    for _ in 0..stream.index(most as u32 + 1) {
        if !calls.is_empty() {
            schedule.push(calls[stream.index(calls.len() as u32) as usize]);
        }
    }
}

/// A variable's values as numbers.
pub fn values(reader: &Reader<'_>, variable: &VariableInfo) -> Vec<f64> {
    let mut values: Vec<f64> = variable.column::<f64>().map_or(Vec::new(), |column| reader.get(column).to_vec());
    values.extend(widened::<i32>(variable.column().map(|column| reader.get(column))));
    values.extend(widened::<u8>(variable.column().map(|column| reader.get(column))));
    values
}

fn widened<T: Element + Into<f64>>(values: Option<&[T]>) -> impl Iterator<Item = f64> {
    values.unwrap_or_default().iter().map(|value| (*value).into())
}

/// The game's state after a step, and the step itself.
#[derive(Debug, Clone)]
pub struct Snapshot {
    /// The state.
    pub state: State,
    /// The observation.
    pub seen: Vec<u8>,
    /// The step's schedule.
    pub schedule: Vec<Call>,
    /// Its reward.
    pub reward: f64,
    /// Its events.
    pub events: Vec<Event>,
}

/// Chooses at random. Later episodes continue the same stream.
#[derive(Debug)]
struct RandomPlayer(Stream);

impl Agent for RandomPlayer {
    fn start(&mut self, _: u64) {}

    fn choose(&mut self, game: &Game, _: &State, schedule: &mut Vec<Call>) {
        random_schedule(game, game.catalogue().max_schedule() + 1, &mut self.0, schedule);
    }
}

/// Records the game's state at the start and after each step.
struct Noting<'m>(&'m mut Vec<Snapshot>);

impl Noting<'_> {
    fn note(&mut self, game: &Game, state: &State, moment: impl FnOnce(Vec<u8>, State) -> Snapshot) {
        let mut seen = vec![0; game.observation().size()];
        game.observe_into(state, &mut seen);
        self.0.push(moment(seen, state.clone()));
    }
}

impl Observer for Noting<'_> {
    fn after_reset(&mut self, game: &Game, state: &State) -> Result<(), ObserverError> {
        let (schedule, events) = (Vec::new(), Vec::new());
        self.note(game, state, |seen, state| Snapshot { state, seen, schedule, reward: 0.0, events });
        Ok(())
    }

    fn after_step(&mut self, transition: &Transition<'_>) -> Result<(), ObserverError> {
        let (schedule, events) = (transition.schedule.to_vec(), transition.record.events().to_vec());
        let reward = transition.outcome.reward;
        self.note(transition.game, transition.state, |seen, state| Snapshot { state, seen, schedule, reward, events });
        Ok(())
    }
}

/// An episode played with random actions. When it is over, the next one starts with a different seed.
#[derive(Debug)]
pub struct Rollout<'g> {
    runner: EpisodeRunner<'g>,
    player: RandomPlayer,
    episodes: u64,
    /// The game's state at the start and after each step.
    pub moments: Vec<Snapshot>,
}

impl<'g> Rollout<'g> {
    /// Starts an episode. Equal seeds give equal actions.
    pub fn new(game: &'g Game, seed: u64) -> Self {
        Self::within(game, game.new_state(), seed)
    }

    /// Starts an episode in a state that was used before.
    pub fn within(game: &'g Game, state: State, seed: u64) -> Self {
        let player = RandomPlayer(Stream::from_seed(seed ^ 0x5eed));
        let runner = EpisodeRunner::from_state(game, state);
        let mut play = Self { runner, player, episodes: 0, moments: Vec::new() };
        play.start(seed);
        play
    }

    fn start(&mut self, seed: u64) {
        let started = self.runner.start(&mut self.player, seed, &mut Noting(&mut self.moments));
        debug_assert!(started.is_ok(), "noting never fails");
    }

    /// Plays `steps` steps.
    ///
    /// # Errors
    /// An error in a step.
    pub fn run(mut self, steps: u32) -> Result<Vec<Snapshot>, PlayError> {
        for _ in 0..steps {
            self.step()?;
        }
        Ok(self.moments)
    }

    /// Takes a step with a random schedule.
    ///
    /// # Errors
    /// An error in the step.
    pub fn step(&mut self) -> Result<(), PlayError> {
        let state = self.runner.state();
        if state.over() {
            self.episodes += 1;
            self.start(state.seed().wrapping_add(self.episodes << 32));
        }
        self.runner.advance(&mut self.player, &mut Noting(&mut self.moments)).map(drop)
    }

    /// Continues in a state restored from a snapshot's bytes.
    ///
    /// # Errors
    /// The snapshot is rejected.
    pub fn move_house(&mut self) -> Result<(), String> {
        let (game, state) = (self.runner.game(), self.runner.state());
        let bytes = game.snapshot(state);
        let mut used = game.new_state();
        game.reset(&mut used, !state.seed(), &mut game.new_record());
        game.restore(&mut used, &bytes).map_err(|error| error.to_string())?;
        if used != *state || game.snapshot(&used) != bytes {
            return Err("the bytes of the restored state differ from those of the saved one".into());
        }
        self.runner = EpisodeRunner::from_state(game, used);
        Ok(())
    }
}

/// The first difference between two episodes.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// The part, by its path.
    pub part: String,
    /// The variable; none if only events, the reward or the observation differ.
    pub variable: Option<String>,
    /// The index of its value.
    pub entry: Option<usize>,
    /// The number of steps before the difference.
    pub step: u32,
    /// The two values.
    pub values: (String, String),
}

/// The first difference between two states, one of which may belong to a game with more parts.
pub fn difference_of_states(game: &Game, state: &State, other_game: &Game, other: &State) -> Option<Difference> {
    let (reader, other_reader) = (game.reader(state), other_game.reader(other));
    for part in game.parts().iter() {
        let Some(other_part) = other_game.parts().iter().find(|other| other.path() == part.path()) else { continue };
        for variable in part.variables() {
            let other_variable = other_part.variables().iter().find(|other| other.name() == variable.name());
            let left = values(&reader, variable);
            let right = other_variable.map(|variable| values(&other_reader, variable)).unwrap_or_default();
            let bits = |values: &[f64], i: usize| values.get(i).map(|value| value.to_bits());
            if let Some(i) = (0..left.len().max(right.len())).find(|i| bits(&left, *i) != bits(&right, *i)) {
                let shown = |values: &[f64]| values.get(i).map_or("nothing".to_owned(), f64::to_string);
                return Some(Difference {
                    part: part.path().to_owned(),
                    variable: Some(variable.name().to_owned()),
                    entry: (left.len() > 1).then_some(i),
                    step: state.step(),
                    values: (shown(&left), shown(&right)),
                });
            }
        }
    }
    None
}

/// The first difference between two episodes under the same seed and the same actions.
pub fn difference(game: &Game, play: &[Snapshot], other_game: &Game, other: &[Snapshot]) -> Option<Difference> {
    for (left, right) in play.iter().zip(other) {
        if let Some(difference) = difference_of_states(game, &left.state, other_game, &right.state) {
            return Some(difference);
        }
        let whole = |what: &str, values: (String, String)| {
            Some(Difference {
                part: String::new(),
                variable: Some(what.into()),
                entry: None,
                step: left.state.step(),
                values,
            })
        };
        // The numbers of events are valid only within a game.
        let happened = |moment: &Snapshot| -> Vec<(u64, u32)> {
            moment.events.iter().map(|event| (event.value.to_bits(), event.plot)).collect()
        };
        if left.reward.to_bits() != right.reward.to_bits() {
            return whole("reward", (left.reward.to_string(), right.reward.to_string()));
        }
        if happened(left) != happened(right) {
            let number = |moment: &Snapshot| format!("{} events", moment.events.len());
            return whole("events", (number(left), number(right)));
        }
        if left.seen != right.seen {
            let entries = game.observation().entries().iter();
            let differing = entries.filter(|entry| entry.to_json(&left.seen) != entry.to_json(&right.seen));
            let entry = differing.map(|entry| entry.key().to_owned()).next().unwrap_or_default();
            return whole("observation", (entry.clone(), entry));
        }
    }
    (play.len() != other.len()).then(|| Difference {
        part: String::new(),
        variable: Some("length of the episode".into()),
        entry: None,
        step: play.len().min(other.len()) as u32,
        values: (play.len().to_string(), other.len().to_string()),
    })
}
