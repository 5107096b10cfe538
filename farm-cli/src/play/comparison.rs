//! The returns of the game's policies, for comparison with the player's return. The policies play in the background after the episode.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use farm_core::{EpisodeRunner, Game, Observer, ObserverError, SeedSplit, Transition};

use super::hints::{self, Adviser};
use crate::summary::Summary;

/// The number of worlds in the mean. Their seeds start at 0.
pub(super) const WORLDS: u64 = 20;
/// The maximum time per policy. A slower policy has no mean.
const PATIENCE: Duration = Duration::from_secs(5);

/// A policy's result.
#[derive(Debug, Clone)]
pub(super) struct Compared {
    /// The policy.
    pub adviser: Adviser,
    /// Its return in the player's world. `None` if it took too long.
    pub here: Option<f64>,
    /// Its returns in [`WORLDS`] worlds. `None` if it took too long.
    pub worlds: Option<Summary>,
}

/// A running comparison.
pub(super) struct Comparison {
    found: Arc<Mutex<Vec<Compared>>>,
    is_stopped: Arc<AtomicBool>,
    is_done: Arc<AtomicBool>,
}

impl Comparison {
    /// Starts playing a game's policies, in the world of a seed and in others.
    pub(super) fn begin(game: Arc<Game>, seed: u64) -> Self {
        let this = Self { found: Arc::default(), is_stopped: Arc::default(), is_done: Arc::default() };
        let (found, is_stopped, is_done) = (this.found.clone(), this.is_stopped.clone(), this.is_done.clone());
        let compare = move || {
            for adviser in hints::advisers(&game) {
                let compared = compared(&game, adviser, seed, &is_stopped);
                found.lock().unwrap_or_else(PoisonError::into_inner).push(compared);
            }
            is_done.store(true, Ordering::Release);
        };
        // Without a thread there is no comparison, and the card omits it.
        if std::thread::Builder::new().name("comparison".to_owned()).spawn(compare).is_err() {
            this.is_done.store(true, Ordering::Release);
        }
        this
    }

    /// Whether all policies have finished.
    pub(super) fn is_done(&self) -> bool {
        self.is_done.load(Ordering::Acquire)
    }

    /// The results so far, with the highest mean first.
    pub(super) fn found(&self) -> Vec<Compared> {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let mean = |compared: &Compared| compared.worlds.map_or(f64::NEG_INFINITY, |worlds| worlds.mean);
        found.sort_by(|a, b| mean(b).total_cmp(&mean(a)));
        found
    }
}

impl Drop for Comparison {
    fn drop(&mut self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }
}

/// Ends an episode that takes too long or is no longer needed.
struct Deadline<'a> {
    until: Instant,
    is_stopped: &'a AtomicBool,
}

impl Observer for Deadline<'_> {
    fn after_step(&mut self, _: &Transition<'_>) -> Result<(), ObserverError> {
        if self.is_stopped.load(Ordering::Relaxed) || Instant::now() >= self.until {
            return Err("stopped: this result is no longer needed".into());
        }
        Ok(())
    }
}

fn compared(game: &Game, adviser: Adviser, seed: u64, is_stopped: &AtomicBool) -> Compared {
    let mut runner = EpisodeRunner::new(game);
    let mut deadline = Deadline { until: Instant::now() + PATIENCE, is_stopped };
    let mut play = |seed| {
        let mut player = farm_games::policy(game, &adviser.name).ok()?;
        runner.name_split(SeedSplit::of(seed));
        runner.play(player.as_mut(), seed, &mut deadline).ok().map(|episode| episode.total())
    };
    let here = play(seed);
    let worlds = here.and_then(|_| {
        let mut worlds = Summary::new();
        (0..WORLDS).try_for_each(|seed| play(seed).map(|total| worlds.add(total)))?;
        Some(worlds)
    });
    Compared { adviser, here, worlds }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn policies_are_compared_in_the_players_world_and_on_average() {
        let entry = farm_games::CATALOGUE.iter().find(|entry| !entry.name.contains("walking")).unwrap();
        let game = Arc::new(farm_games::open(entry.name, &farm_games::Options::default()).unwrap());
        let adviser = hints::advisers(&game).into_iter().find(|adviser| adviser.name == "random").unwrap();
        let compared = compared(&game, adviser, 7, &AtomicBool::new(false));
        let alone = |seed| {
            let mut player = farm_games::policy(&game, "random").unwrap();
            farm_core::play(&game, player.as_mut(), seed, &mut farm_core::NoObserver).unwrap().total()
        };
        assert_eq!(compared.here, Some(alone(7)));
        let mean = (0..WORLDS).map(alone).sum::<f64>() / WORLDS as f64;
        assert!((compared.worlds.unwrap().mean - mean).abs() < 1e-9);
    }

    #[test]
    fn who_is_gone_waits_for_no_policy() {
        let game = Arc::new(farm_games::open(farm_games::CATALOGUE[0].name, &farm_games::Options::default()).unwrap());
        let adviser = hints::advisers(&game).remove(0);
        let compared = compared(&game, adviser, 7, &AtomicBool::new(true));
        assert!(compared.here.is_none() && compared.worlds.is_none());
    }
}
