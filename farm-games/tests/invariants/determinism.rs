//! Invariant 2: equal seed and actions, equal bytes, however the work is shared.

use std::collections::BTreeSet;
use std::sync::Arc;

use farm_core::inspect::OtherSeed;
use farm_core::{Game, State, StepRecord, Stream};
use farm_games::{CATALOGUE, Options, open};
use farm_testkit::play::random_schedule;

use crate::common::{bits, variants};

/// One environment with its own random actions, and everything it ever saw.
struct Runner {
    id: usize,
    game: Arc<Game>,
    state: State,
    record: StepRecord,
    observation: Vec<u8>,
    actions: Stream,
    episode: u64,
    log: Vec<u8>,
}

impl Runner {
    fn new(id: usize, game: &Arc<Game>) -> Self {
        let (mut state, mut record) = (game.new_state(), game.new_record());
        game.reset(&mut state, id as u64, &mut record);
        let observation = vec![0; game.observation().size()];
        let actions = Stream::from_seed(1000 + id as u64);
        Self { id, game: game.clone(), state, record, observation, actions, episode: id as u64, log: Vec::new() }
    }

    fn step(&mut self) {
        let mut schedule = Vec::new();
        random_schedule(&self.game, self.game.catalogue().max_schedule() + 1, &mut self.actions, &mut schedule);
        let outcome = self.game.step(&mut self.state, &schedule, &mut self.record).expect("the episode goes on");
        self.game.observe_into(&self.state, &mut self.observation);
        self.log.extend(outcome.reward.to_le_bytes());
        self.log.extend(self.state.hash().to_le_bytes());
        self.log.extend(&self.observation);
        self.log.push(u8::from(outcome.over()));
        for event in self.record.events() {
            self.log.extend(event.value.to_le_bytes());
            self.log.extend(event.plot.to_le_bytes());
        }
        if outcome.over() {
            self.episode += 10_000;
            self.game.reset(&mut self.state, self.episode, &mut self.record);
        }
    }

    /// Moves to a state that has already seen another episode, through the bytes of a snapshot.
    fn move_house(&mut self) {
        let bytes = self.game.snapshot(&self.state);
        let mut used = self.game.new_state();
        let mut record = self.game.new_record();
        self.game.reset(&mut used, 77, &mut record);
        self.game.step(&mut used, &[], &mut record).expect("a first step");
        self.game.restore(&mut used, &bytes).expect("a snapshot of the same game");
        (self.state, self.record) = (used, record);
    }
}

/// How the work is shared.
#[derive(Debug, Clone, Copy)]
struct Split {
    threads: usize,
    strided: bool,
    lockstep: bool,
    backwards: bool,
    snapshots: bool,
}

const ENVIRONMENTS: usize = 10;
const STEPS: usize = 30;

fn advance(runners: &mut [Runner], split: Split) {
    let runs: Vec<usize> = if split.lockstep { vec![1; STEPS] } else { vec![STEPS] };
    for steps in runs {
        let mut order: Vec<&mut Runner> = runners.iter_mut().collect();
        if split.backwards {
            order.reverse();
        }
        order.into_iter().for_each(|runner| (0..steps).for_each(|_| runner.step()));
    }
}

fn play(game: &Arc<Game>, split: Split) -> Vec<(Vec<u8>, Vec<u8>)> {
    let mut runners: Vec<Runner> = (0..ENVIRONMENTS).map(|id| Runner::new(id, game)).collect();
    for phase in 0..3 {
        // Each phase shares the environments out anew, so that they wander between threads.
        runners.sort_by_key(|runner| if split.strided { (runner.id + phase) % split.threads } else { runner.id });
        let share = ENVIRONMENTS.div_ceil(split.threads);
        std::thread::scope(|scope| {
            for runners in runners.chunks_mut(share) {
                scope.spawn(move || advance(runners, split));
            }
        });
        if split.snapshots {
            runners.iter_mut().for_each(Runner::move_house);
        }
    }
    runners.sort_by_key(|runner| runner.id);
    runners.into_iter().map(|runner| (runner.game.snapshot(&runner.state), runner.log)).collect()
}

#[test]
fn invariant_2_equal_seeds_and_actions_give_equal_bytes_however_the_work_is_shared() {
    for (i, variant) in variants().iter().enumerate() {
        let alone = Split { threads: 1, strided: false, lockstep: false, backwards: false, snapshots: false };
        let expected = play(&variant.game, alone);
        assert!(expected.iter().all(|(_, log)| !log.is_empty()));
        // Each variant is shared out in four ways, the next one with other numbers of threads.
        for (k, (strided, lockstep, backwards, snapshots)) in [
            (false, false, false, false),
            (true, false, true, true),
            (false, true, true, false),
            (true, true, false, true),
        ]
        .into_iter()
        .take(variant.times(4))
        .enumerate()
        {
            let threads = [1, 2, 4][(i + k) % 3];
            let split = Split { threads, strided, lockstep, backwards, snapshots };
            assert!(play(&variant.game, split) == expected, "{}: {split:?}", variant.label);
        }
    }
}

#[test]
fn invariant_2_a_game_opened_again_plays_the_same() {
    for entry in CATALOGUE {
        let play = || {
            let game = Arc::new(open(entry.name, &Options::default()).unwrap_or_else(|problems| panic!("{problems}")));
            let mut runner = Runner::new(5, &game);
            (0..100).for_each(|_| runner.step());
            (game.fingerprint(), game.snapshot(&runner.state), runner.log)
        };
        assert!(play() == play(), "{}", entry.name);
    }
}

#[test]
fn invariant_2_another_seed_is_another_trajectory() {
    for variant in variants() {
        let game = &variant.game;
        let (mut starts, mut ends) = (BTreeSet::new(), BTreeSet::new());
        for seed in 0..50 {
            let (mut state, mut record) = (game.new_state(), game.new_record());
            game.reset(&mut state, seed, &mut record);
            starts.insert(bits(game, &state));
            for _ in 0..5 {
                game.step(&mut state, game.catalogue().waiting(), &mut record).expect("the episode goes on");
            }
            ends.insert(bits(game, &state));
        }
        assert_eq!((starts.len(), ends.len()), (50, 50), "{}", variant.label);
    }
}

/// Who is shown the seed of the episode as its own plays the episode: start, days, rewards, constraints, end.
#[test]
fn invariant_2_an_episode_in_which_a_part_sees_the_same_seed_is_the_same() {
    let mut ended = 0;
    for variant in variants() {
        let game = &variant.game;
        let (mut state, mut record) = (game.new_state(), game.new_record());
        game.reset(&mut state, 11, &mut record);
        game.step(&mut state, &[], &mut record).expect("a first step");
        // Where a day takes several steps, a step is not a day.
        if state.step() == 0 {
            continue;
        }
        let (mut other, mut other_record) = (game.new_state(), game.new_record());
        for (part, info) in game.parts().iter().enumerate() {
            let same = OtherSeed { part, seed: 11 };
            game.reset(&mut state, 11, &mut record);
            same.reset(game, &mut other, 11, &mut other_record);
            assert_eq!(game.snapshot(&other), game.snapshot(&state), "{} {}", variant.label, info.path());
            for _ in 0..60 {
                let outcome = game.step(&mut state, &[], &mut record);
                assert_eq!(same.pass_day(game, &mut other, &[], &mut other_record), outcome, "{}", variant.label);
                assert!(bits(game, &other) == bits(game, &state), "{} {}", variant.label, info.path());
                assert_eq!(other_record.constraint_costs(), record.constraint_costs(), "{}", variant.label);
                assert_eq!(other_record.stop(), record.stop(), "{}", variant.label);
                if outcome.is_ok_and(|outcome| outcome.over()) {
                    ended += 1;
                    break;
                }
            }
        }
    }
    assert!(ended > 5, "only {ended} episodes ended");
}
