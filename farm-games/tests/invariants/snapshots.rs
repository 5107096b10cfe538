//! Invariant 3: snapshots and clones are the episode, and a refused snapshot changes nothing.

use std::panic::{AssertUnwindSafe, catch_unwind};

use farm_core::{Environment, Game, State, Stream};

use crate::common::variants;

/// A state somewhere in an episode.
fn played(game: &Game, seed: u64, steps: usize) -> State {
    let (mut state, mut record) = (game.new_state(), game.new_record());
    game.reset(&mut state, seed, &mut record);
    let mut actions = Stream::from_seed(seed);
    for _ in 0..steps {
        let id = actions.index(game.catalogue().discrete_len() as u32) as usize;
        game.step_discrete(&mut state, id, &mut record).expect("the episode goes on");
    }
    state
}

/// Plays on to the end of the episode and returns all that can be seen of it.
fn play_on(game: &Game, state: &mut State, seed: u64) -> Vec<u64> {
    let mut record = game.new_record();
    let mut actions = Stream::from_seed(seed);
    let mut log = Vec::new();
    loop {
        let id = actions.index(game.catalogue().discrete_len() as u32) as usize;
        let outcome = game.step_discrete(state, id, &mut record).expect("the episode goes on");
        log.extend([outcome.reward.to_bits(), state.hash(), record.events().len() as u64]);
        if outcome.over() {
            return log;
        }
    }
}

#[test]
fn invariant_3_a_restored_a_cloned_and_a_copied_state_continue_alike() {
    for variant in variants() {
        let game = &variant.game;
        for steps in [10, 0, 1, 20].into_iter().take(variant.times(4)) {
            let mut state = played(game, 3, steps);
            let bytes = game.snapshot(&state);
            let mut restored = played(game, 9, 7);
            game.restore(&mut restored, &bytes).expect("a snapshot of this game");
            let mut fresh = game.new_state();
            game.restore(&mut fresh, &bytes).expect("a snapshot of this game");
            let mut clone = state.clone();
            let mut copy = played(game, 11, 2);
            copy.copy_from(&state);
            for twin in [&restored, &fresh, &clone, &copy] {
                assert_eq!((twin, twin.hash()), (&state, state.hash()), "{}", variant.label);
                assert_eq!(game.snapshot(twin), bytes, "{}", variant.label);
            }
            let expected = play_on(game, &mut state, 5);
            for twin in [&mut restored, &mut fresh, &mut clone, &mut copy] {
                assert!(play_on(game, twin, 5) == expected, "{}", variant.label);
                assert_eq!(twin, &state, "{}", variant.label);
            }
            assert!(game.step(&mut state, &[], &mut game.new_record()).is_err(), "an episode that is over stays over");
            let over = game.snapshot(&state);
            game.restore(&mut fresh, &over).expect("an episode that is over can be kept too");
            assert!(game.step(&mut fresh, &[], &mut game.new_record()).is_err());
        }
    }
}

#[test]
fn invariant_3_an_environment_goes_back_to_its_snapshot() {
    for variant in variants() {
        let mut environment = Environment::new(variant.game.clone());
        environment.reset(4);
        for _ in 0..5 {
            environment.step(&[]).expect("the episode goes on");
        }
        let (bytes, seen) = (environment.snapshot(), environment.observation().to_vec());
        for _ in 0..9 {
            environment.step(&[]).expect("the episode goes on");
        }
        environment.restore(&bytes).expect("its own snapshot");
        assert_eq!(environment.observation(), seen, "{}", variant.label);
        assert_eq!(environment.snapshot(), bytes, "{}", variant.label);
    }
}

#[test]
fn invariant_3_a_refused_snapshot_leaves_state_and_environment_as_they_are() {
    let mut random = Stream::from_seed(1);
    let foreign: Vec<(u64, Vec<u8>)> = variants()
        .iter()
        .map(|other| (other.game.fingerprint(), other.game.snapshot(&played(&other.game, 1, 3))))
        .collect();
    for variant in variants() {
        let game = &variant.game;
        let state = played(game, 3, 5);
        let own = game.snapshot(&played(game, 8, 9));
        let mut refused: Vec<Vec<u8>> = Vec::new();
        let others = foreign.iter().filter(|(fingerprint, _)| *fingerprint != game.fingerprint());
        refused.extend(others.map(|(_, bytes)| bytes.clone()));
        assert!(refused.len() + 1 >= variants().len(), "every other variant is another game");
        // Snapshots of large fields have a hundred thousand bytes.
        refused.extend((0..own.len()).step_by((own.len() / 200).max(7)).map(|len| own[..len].to_vec()));
        refused.push(own[..own.len() - 1].to_vec());
        refused.push([&own[..], &[0]].concat());
        // Each byte of the mark and of the fingerprint counts.
        refused.extend((0..16).map(|i| {
            let mut bytes = own.clone();
            bytes[i] ^= 1;
            bytes
        }));
        refused.extend((0..20).map(|_| (0..random.index(2000)).map(|_| random.bits() as u8).collect()));
        let mut environment = Environment::new(game.clone());
        environment.reset(2);
        environment.step(&[]).expect("a first step");
        let before = (environment.snapshot(), environment.observation().to_vec(), environment.info().to_json());
        for bytes in &refused {
            let mut target = state.clone();
            let error = game.restore(&mut target, bytes).expect_err("this is no snapshot of this game");
            assert!(!error.to_string().is_empty());
            assert_eq!(target, state, "{}", variant.label);
            assert!(environment.restore(bytes).is_err());
            let after = (environment.snapshot(), environment.observation().to_vec(), environment.info().to_json());
            assert_eq!(after, before, "{}", variant.label);
        }
    }
}

/// A damaged snapshot of the right game and length is refused, or at least plays on without a panic.
#[test]
fn invariant_3_a_damaged_snapshot_never_panics() {
    let mut random = Stream::from_seed(2);
    let mut panics = Vec::new();
    for variant in variants() {
        let game = &variant.game;
        let own = game.snapshot(&played(game, 8, 5));
        for trial in 0..variant.times(500) {
            let mut bytes = own.clone();
            let at = 32 + random.index(own.len() as u32 - 32) as usize;
            bytes[at] = random.bits() as u8;
            let play = || {
                let mut state = game.new_state();
                if game.restore(&mut state, &bytes).is_ok() {
                    let mut record = game.new_record();
                    let mut seen = vec![0; game.observation().size()];
                    for id in 0..game.catalogue().discrete_len().min(12) {
                        game.observe_into(&state, &mut seen);
                        drop(game.observation().to_text(&seen));
                        drop(game.step_discrete(&mut state, id, &mut record));
                    }
                }
            };
            if catch_unwind(AssertUnwindSafe(play)).is_err() {
                panics.push(format!("{} trial {trial}: byte {at} = {}", variant.label, bytes[at]));
            }
        }
    }
    assert!(
        panics.is_empty(),
        "{} damaged snapshots panic, such as\n{}",
        panics.len(),
        panics[..panics.len().min(5)].join("\n")
    );
}

/// The hash of a snapshot with other bytes: anyone can compute it.
fn rehash(bytes: &mut [u8]) {
    use xxhash_rust::xxh3::xxh3_64_with_seed;
    let seed = u64::from_le_bytes(bytes[24..32].try_into().unwrap());
    let is_over = u64::from(u32::from_le_bytes(bytes[36..40].try_into().unwrap()) != 0);
    let head = xxh3_64_with_seed(&bytes[32..36], seed ^ is_over);
    let hash = xxh3_64_with_seed(&bytes[40..], head);
    bytes[16..24].copy_from_slice(&hash.to_le_bytes());
}

/// Values that somebody wrote into a snapshot, with the right hash: refused with the name of the variable, or played on without a panic.
#[test]
fn invariant_3_a_forged_snapshot_never_panics() {
    let mut random = Stream::from_seed(3);
    let (mut panics, mut refused, mut played_on) = (Vec::new(), 0, 0);
    for variant in variants() {
        let game = &variant.game;
        for trial in 0..variant.times(20) as u64 {
            let mut bytes = game.snapshot(&played(game, trial, (trial % 7) as usize * 3));
            // Of the head the step alone; otherwise a byte, a word or a real number somewhere.
            for _ in 0..=random.index(3) {
                let at = 40 + random.index(bytes.len() as u32 - 47) as usize;
                let numbers = [0.0, -1.0, 1e300, f64::NAN, f64::MAX, 0.5, 1e9, -1e-300];
                match random.index(5) {
                    0 => bytes[at] = random.bits() as u8,
                    1 => bytes[at] = bytes[at].wrapping_add(1),
                    2 => {
                        let number = numbers[random.index(numbers.len() as u32) as usize];
                        bytes[at / 8 * 8..at / 8 * 8 + 8].copy_from_slice(&number.to_le_bytes());
                    }
                    3 => {
                        let count = [i32::MAX, i32::MIN, -1, 0, 1, 1000][random.index(6) as usize];
                        bytes[at / 4 * 4..at / 4 * 4 + 4].copy_from_slice(&count.to_le_bytes());
                    }
                    _ => {
                        let step = [u32::MAX, 1 << 30, 1_000_000, 30, 0][random.index(5) as usize];
                        bytes[32..36].copy_from_slice(&step.to_le_bytes());
                    }
                }
            }
            rehash(&mut bytes);
            let mut play = || {
                let mut state = game.new_state();
                if let Err(error) = game.restore(&mut state, &bytes) {
                    assert!(!matches!(error, farm_core::RestoreError::Damaged), "the hash is right");
                    refused += 1;
                    return;
                }
                played_on += 1;
                let mut record = game.new_record();
                let mut seen = vec![0; game.observation().size()];
                let mut actions = Stream::from_seed(trial);
                for _ in 0..60 {
                    game.observe_into(&state, &mut seen);
                    drop(game.observation().to_text(&seen));
                    let id = actions.index(game.catalogue().discrete_len() as u32) as usize;
                    if game.step_discrete(&mut state, id, &mut record).map_or(true, |outcome| outcome.over()) {
                        break;
                    }
                }
            };
            if catch_unwind(AssertUnwindSafe(&mut play)).is_err() {
                panics.push(format!("{} trial {trial}", variant.label));
            }
        }
    }
    assert!(refused > 300 && played_on > 300, "{refused} refused, {played_on} played on");
    assert!(panics.is_empty(), "{} forged snapshots panic, such as {:?}", panics.len(), &panics[..panics.len().min(5)]);
}

#[test]
fn invariant_3_a_refused_value_is_told_with_its_variable() {
    let game = &variants()[0].game;
    let whole = game.snapshot(&played(game, 1, 2));
    let told = |change: &dyn Fn(&mut [u8])| {
        let mut bytes = whole.clone();
        change(&mut bytes);
        rehash(&mut bytes);
        game.restore(&mut game.new_state(), &bytes).expect_err("an impossible state").to_string()
    };
    let step = told(&|bytes| bytes[32..36].copy_from_slice(&u32::MAX.to_le_bytes()));
    assert!(step.contains("`step` is 4294967295") && step.contains("expected at most 40"), "{step}");
    let value = told(&|bytes| bytes[40..].fill(0xff));
    assert!(value.contains("` is ") && value.contains("expected a") && value.contains("-0"), "{value}");
}
