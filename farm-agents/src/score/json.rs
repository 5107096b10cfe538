//! The score of a run as JSON.

use farm_games::baseline::BestKind;
use serde_json::{Value as Json, json};

use super::{Mean, Score, ScoredEpisode, ScoredTrial};

/// A mean as JSON: its value and its interval.
pub fn mean_json(mean: Option<Mean>) -> Json {
    mean.map_or(Json::Null, |mean| json!({"value": mean.value, "interval": mean.interval}))
}

impl Score {
    /// The score as JSON.
    pub fn json(&self) -> Json {
        let trial = |trial: &ScoredTrial| {
            let score = trial.baseline.score(trial.total);
            let best = trial.baseline.best.map(|best| best.value);
            json!({"seed": trial.seed, "return": trial.total, "waiting": trial.baseline.waiting, "best": best, "score": score})
        };
        let episode = |episode: &ScoredEpisode| {
            let best = episode.baseline.best;
            json!({
                "id": episode.plan.id,
                "level": episode.plan.level,
                "seed": episode.plan.seed,
                "game": episode.plan.game,
                "trials": episode.trials.iter().map(trial).collect::<Vec<_>>(),
                "return": episode.end.total,
                "waiting": episode.baseline.waiting,
                "best": best.map(|best| best.value),
                "best_is": best.map(|best| best.kind.name()),
                "reference": episode.baseline.reference.as_ref().map(|(_, value)| value),
                "score": episode.score(),
                "efficiency": episode.efficiency(),
                "turns": episode.end.turns,
                "calls": episode.end.calls,
                "asked_again": episode.asked_again,
                "invalid": episode.invalid,
                "cut": episode.cut,
                "tokens": episode.end.tokens,
                "seconds": episode.end.seconds,
                "ended_by": episode.end.why,
            })
        };
        json!({
            "episodes_done": self.episodes.len(),
            "episodes": self.of,
            "levels": self.levels,
            "return": mean_json(self.returns),
            "score": mean_json(self.score),
            "without_room": self.without_room,
            "ratio_of_sums": mean_json(self.ratio_of_sums),
            "regret": mean_json(self.regret),
            "regret_to_reference": mean_json(self.regret_to_reference),
            "efficiency": mean_json(self.efficiency),
            "observation_cost": mean_json(self.observation_cost),
            "best_is": self.best.map(BestKind::name),
            "reference": self.reference,
            "turns": self.counts.turns,
            "calls": self.counts.calls,
            "days": self.counts.days,
            "asked_again": self.counts.asked_again,
            "asked_again_rate": self.counts.asked_again_rate(),
            "invalid": self.counts.invalid,
            "invalid_rate": self.counts.invalid_rate(),
            "cut": self.counts.cut,
            "tokens": self.tokens,
            "seconds": self.seconds,
            "failures": self.failures,
            "ended_by": self.ends,
            "cost": self.cost,
            "over_turns": self.over_turns(),
            "over_tokens": self.over_tokens(),
            "over_trials": self.over_trials.iter().map(|mean| mean_json(Some(*mean))).collect::<Vec<_>>(),
            "by_tier": self.by_tier.iter().map(|(tier, mean)| json!({"tier": tier, "score": mean_json(Some(*mean))})).collect::<Vec<_>>(),
            "by_episode": self.episodes.iter().map(episode).collect::<Vec<_>>(),
        })
    }
}
