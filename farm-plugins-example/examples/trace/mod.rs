//! The trace of a game, as text in which every bit shows.

use std::fmt::Write;
use std::sync::Arc;

use farm_core::{Environment, Game};

/// The episodes of some seeds, played by the game's own policies in turn: the game as YAML, and for each step the reward's bits,
/// a hash of the observation, a hash of the state, and whether it was the last.
pub(super) fn trace(game: Game, seeds: &[u64]) -> String {
    let game = Arc::new(game);
    let mut text = format!("{}\nfingerprint {:016x}\n", game.spec().to_yaml().unwrap_or_default(), game.fingerprint());
    let policies: Vec<String> = game.spec().policies().keys().cloned().collect();
    let mut environment = Environment::new(game.clone());
    for seed in seeds {
        for policy in &policies {
            let mut player = match game.player(policy) {
                Ok(player) => player,
                Err(problems) => panic!("{problems}"),
            };
            environment.reset(*seed);
            player.start(*seed);
            let mut schedule = Vec::new();
            loop {
                schedule.clear();
                player.choose(&game, environment.state(), &mut schedule);
                let outcome = environment.step(&schedule);
                let (observation, state) = (hash(environment.observation()), hash(&environment.snapshot()));
                match outcome {
                    Ok(outcome) => {
                        let (reward, over) = (outcome.reward.to_bits(), outcome.over());
                        let _ = writeln!(text, "{policy} {seed} {reward:016x} {observation:016x} {state:016x} {over}");
                        if over {
                            break;
                        }
                    }
                    Err(error) => {
                        let _ = writeln!(text, "{policy} {seed} {error}");
                        break;
                    }
                }
            }
        }
    }
    text
}

/// FNV-1a, 64 bits.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3))
}
