//! A batch of environments with its own buffers. The functions of the interface copy these buffers to the caller.

use std::ffi::CString;
use std::sync::Arc;

use farm_core::space::Dtype;
use farm_core::vector::{Actions, Autoreset, Outputs, VectorEnvironment};
use farm_core::{Game, ObservationEntry, SeedSplit};
use serde_json::{Value as Json, json};

use crate::error::Error;

/// When an environment starts a new episode after one has ended, as in `gymnasium.vector.AutoresetMode`.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FarmAutoreset {
    /// In the following step, whose action is ignored.
    NextStep = 0,
    /// In the step that ends the episode. The last observation is in `final_records` and `final_numbers`.
    SameStep = 1,
    /// Never: any further step is an error until the environment is reset.
    Disabled = 2,
}

/// The split that a seed belongs to.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FarmSplit {
    /// No split: seeds that a split reserves are rejected.
    None = 0,
    /// For training.
    Train = 1,
    /// For selecting models and hyperparameters.
    Validation = 2,
    /// For reporting results.
    Test = 3,
}

/// The number of `autoreset` as the engine's value.
pub(crate) fn autoreset_of(number: u32) -> Result<Autoreset, Error> {
    Ok(match number {
        0 => Autoreset::NextStep,
        1 => Autoreset::SameStep,
        2 => Autoreset::Disabled,
        other => return Err(Error::argument(format!("there is no autoreset mode {other}: take a FarmAutoreset"))),
    })
}

/// The number of `split` as the engine's value.
pub(crate) fn split_of(number: u32) -> Result<Option<SeedSplit>, Error> {
    Ok(match number {
        0 => None,
        1 => Some(SeedSplit::Train),
        2 => Some(SeedSplit::Validation),
        3 => Some(SeedSplit::Test),
        other => return Err(Error::argument(format!("there is no split {other}: take a FarmSplit"))),
    })
}

/// Environments of one game that step together.
#[derive(Debug)]
pub struct FarmBatch {
    pub(crate) engine: VectorEnvironment,
    /// The game, its actions and its observations as JSON.
    pub(crate) description: CString,
    pub(crate) results: Results,
    /// The actions of the current step.
    pub(crate) actions: Vec<i64>,
    /// The masks of all environments.
    pub(crate) masks: Vec<u8>,
    /// Offset, type and length of each entry of a record.
    entries: Vec<(usize, Dtype, usize)>,
    /// The number of bytes in a snapshot.
    pub(crate) snapshot_bytes: usize,
}

/// What a step writes.
#[derive(Debug, Default)]
pub(crate) struct Results {
    pub(crate) records: Vec<u8>,
    pub(crate) final_records: Vec<u8>,
    /// The numbers of records, as `f32`.
    pub(crate) numbers: Vec<f32>,
    pub(crate) rewards: Vec<f64>,
    pub(crate) terminated: Vec<bool>,
    pub(crate) truncated: Vec<bool>,
    pub(crate) costs: Vec<f64>,
    pub(crate) rejected: Vec<i32>,
    /// Costs that rewards already include.
    intervention_costs: Vec<f64>,
    observation_costs: Vec<f64>,
}

impl FarmBatch {
    pub(crate) fn new(game: Game, environments: usize, threads: usize, autoreset: Autoreset) -> Result<Self, Error> {
        for (what, count) in [("environments", environments), ("threads", threads)] {
            if count == 0 {
                return Err(Error::argument(format!("{what} is 0: at least 1 is needed")));
            }
        }
        let game = Arc::new(game);
        let engine = VectorEnvironment::new(game.clone(), environments, threads, autoreset)?;
        let layout = game.observation();
        let entries: Vec<_> = layout.entries().iter().map(|e| (e.offset(), e.dtype(), e.len())).collect();
        let (n, bytes) = (environments, environments * layout.size());
        let results = Results {
            records: vec![0; bytes],
            final_records: vec![0; if autoreset == Autoreset::SameStep { bytes } else { 0 }],
            numbers: vec![0.0; n * entries.iter().map(|(_, _, len)| len).sum::<usize>()],
            rewards: vec![0.0; n],
            terminated: vec![false; n],
            truncated: vec![false; n],
            costs: vec![0.0; n],
            rejected: vec![0; n],
            intervention_costs: vec![0.0; n],
            observation_costs: vec![0.0; n],
        };
        let actions = Vec::with_capacity(n * game.catalogue().max_schedule());
        let masks = vec![0; n * game.catalogue().discrete_len()];
        let snapshot_bytes = game.snapshot(engine.state(0)?).len();
        // JSON escapes the zero byte, so that none remains.
        let description = CString::new(description(&game).to_string()).unwrap_or_default();
        Ok(Self { engine, description, results, actions, masks, entries, snapshot_bytes })
    }

    /// The number of numbers in an observation.
    pub(crate) fn numbers(&self) -> usize {
        self.results.numbers.len() / self.engine.len()
    }

    /// Starts an episode in each environment, with its seed or its next seed. No episode starts if a seed is wrong.
    pub(crate) fn reset(&mut self, seeds: Option<&[u64]>, split: Option<SeedSplit>) -> Result<(), Error> {
        seeds.unwrap_or_default().iter().try_for_each(|seed| self.check(*seed, split))?;
        for i in 0..self.engine.len() {
            match seeds {
                Some(seeds) => self.engine.reset_in_split(i, seeds[i], split)?,
                None => self.engine.reset_next(i)?,
            }
        }
        self.begun()
    }

    /// Starts an episode in one environment.
    pub(crate) fn reset_one(&mut self, environment: usize, seed: u64, split: Option<SeedSplit>) -> Result<(), Error> {
        self.check(seed, split)?;
        self.engine.reset_in_split(environment, seed, split)?;
        self.begun()
    }

    fn check(&self, seed: u64, split: Option<SeedSplit>) -> Result<(), Error> {
        SeedSplit::check(split, seed)?;
        farm_games::check_split(self.engine.game(), seed)
            .map_err(|problems| Error::new(crate::FarmCode::Seed, problems.to_string()))
    }

    /// The observations after a reset or a restored snapshot, with which no rewards or ends come.
    pub(crate) fn begun(&mut self) -> Result<(), Error> {
        let r = &mut self.results;
        [&mut r.rewards, &mut r.costs].into_iter().for_each(|numbers| numbers.fill(0.0));
        [&mut r.terminated, &mut r.truncated].into_iter().for_each(|flags| flags.fill(false));
        r.rejected.fill(0);
        Ok(self.engine.observe_into(&mut r.records)?)
    }

    /// Checks that there is an action for each environment, or one for each slot of a schedule.
    pub(crate) fn check_count(&self, actions: usize) -> Result<(), Error> {
        let (n, slots) = (self.engine.len(), self.engine.game().catalogue().max_schedule());
        if actions == n || actions == n * slots {
            return Ok(());
        }
        let message =
            format!("{actions} actions for {n} environments: expected {n} or, with {slots} slots, {}", n * slots);
        Err(Error::argument(message))
    }

    /// Steps all environments with `self.actions`.
    pub(crate) fn step(&mut self) -> Result<(), Error> {
        let is_single = self.actions.len() == self.engine.len();
        let actions = if is_single { Actions::Discrete(&self.actions) } else { Actions::MultiDiscrete(&self.actions) };
        let r = &mut self.results;
        let mut outputs = Outputs {
            observations: &mut r.records,
            rewards: &mut r.rewards,
            terminations: &mut r.terminated,
            truncations: &mut r.truncated,
            final_observations: &mut r.final_records,
            intervention_costs: &mut r.intervention_costs,
            observation_costs: &mut r.observation_costs,
            constraint_costs: &mut r.costs,
            rejections: &mut r.rejected,
        };
        Ok(self.engine.step(actions, &mut outputs)?)
    }

    /// Writes the numbers of the current or the final records to `results.numbers`.
    pub(crate) fn convert(&mut self, is_final: bool) {
        let r = &mut self.results;
        let records = if is_final { &r.final_records } else { &r.records };
        let size = self.engine.game().observation().size().max(1);
        let mut numbers = r.numbers.iter_mut();
        for record in records.chunks_exact(size) {
            for (offset, dtype, len) in &self.entries {
                let bytes = &record[*offset..offset + len * dtype.size()];
                match dtype {
                    Dtype::Uint8 => numbers.by_ref().zip(bytes).for_each(|(to, byte)| *to = f32::from(*byte)),
                    Dtype::Int32 => {
                        let words = bytes.as_chunks().0.iter().map(|word| i32::from_le_bytes(*word) as f32);
                        numbers.by_ref().zip(words).for_each(|(to, number)| *to = number);
                    }
                    Dtype::Float32 => {
                        let words = bytes.as_chunks().0.iter().map(|word| f32::from_le_bytes(*word));
                        numbers.by_ref().zip(words).for_each(|(to, number)| *to = number);
                    }
                }
            }
        }
    }
}

/// The game, its actions and its observations as JSON.
fn description(game: &Game) -> Json {
    let (catalogue, layout) = (game.catalogue(), game.observation());
    let name = |id| {
        let calls = catalogue.discrete(id).unwrap_or_default();
        calls.iter().map(|call| catalogue.describe(call)).collect::<Vec<_>>().join(" + ")
    };
    let dtype = |dtype| match dtype {
        Dtype::Uint8 => "uint8",
        Dtype::Int32 => "int32",
        Dtype::Float32 => "float32",
    };
    let mut first = 0;
    let mut entry = |e: &ObservationEntry| {
        let entry = json!({
            "key": e.key(), "doc": e.doc(), "dtype": dtype(e.dtype()), "shape": e.shape(), "offset": e.offset(), "first": first
        });
        first += e.len();
        entry
    };
    json!({
        "game": game.spec().name(),
        "fingerprint": format!("{:016x}", game.fingerprint()),
        "actions": (0..catalogue.discrete_len()).map(name).collect::<Vec<_>>(),
        "wait": catalogue.waiting().first().and_then(|call| catalogue.discrete_of(call)).unwrap_or(0),
        "observation": layout.entries().iter().map(&mut entry).collect::<Vec<_>>(),
    })
}
