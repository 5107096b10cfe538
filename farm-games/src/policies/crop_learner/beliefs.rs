//! What a learner holds likely of crops that it does not know.
//!
//! It knows what can matter, and not how much: that a crop belongs into one of two seasons, likes dry, moist or wet soil, and is helped or
//! harmed by food. Every combination is as likely as any other before anything was tried, and so is what a full harvest sells for. How much
//! less there is of what a crop does not like is a guess of common sense, the same for all crops.

/// When in the year something is sown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Season {
    Early,
    Late,
}

/// Something that can be sown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Trial {
    /// The crop, by its number.
    pub crop: usize,
    /// When in the year.
    pub season: Season,
    /// How wet it is kept, from 0, dry.
    pub level: usize,
    /// Whether it is fed.
    pub is_fed: bool,
}

/// What came of a sowing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Outcome {
    /// It was lost within the first weeks.
    LostYoung,
    /// It came further, and its harvest sold for so much, in money; for nothing if there was none.
    Sold(f64),
}

/// The levels of water that are tried: dry, moist and wet.
pub(super) const LEVELS: usize = 3;
/// What a full harvest may sell for, in money.
const WORTHS: [f64; 6] = [25.0, 50.0, 90.0, 140.0, 200.0, 270.0];
/// What is left of a harvest where the soil is drier or wetter than a crop likes it, by levels: two drier, one drier, right …
const WATERED: [f64; 2 * LEVELS - 1] = [0.0, 0.25, 1.0, 0.8, 0.6];
/// What is left of the harvest of a crop that wants food without it, of one that is harmed by it with it, and of one out of its season.
const UNFED: f64 = 0.4;
const OVERFED: f64 = 0.05;
const OUT_OF_SEASON: f64 = 0.1;
/// The chance that a crop is lost young out of its season early in the year, and otherwise.
const LOST_IN_COLD: f64 = 0.85;
const LOST_OTHERWISE: f64 = 0.03;
/// What tending costs: a sowing that is lost young, one that is tended to its end, each level of water more, and food, in money.
const SEED_COST: f64 = 4.0;
const TENDING_COST: f64 = 25.0;
const LEVEL_COST: f64 = 12.0;
const FOOD_COST: f64 = 7.0;
/// How far a harvest is from what was expected: a share of it, and so much besides.
const SPREAD: (f64, f64) = (0.35, 10.0);

/// What a crop may be like.
#[derive(Debug, Clone, Copy)]
struct Nature {
    season: Season,
    level: usize,
    likes_food: bool,
    worth: f64,
}

impl Nature {
    fn all() -> impl Iterator<Item = Self> {
        let of_worth = |worth: f64| {
            [Season::Early, Season::Late].into_iter().flat_map(move |season| {
                (0..LEVELS)
                    .flat_map(move |level| [true, false].map(|likes_food| Self { season, level, likes_food, worth }))
            })
        };
        WORTHS.into_iter().flat_map(of_worth)
    }

    /// The chance that a sowing is lost young.
    fn lost_young(&self, trial: Trial) -> f64 {
        let is_in_cold = trial.season == Season::Early && self.season == Season::Late;
        if is_in_cold { LOST_IN_COLD } else { LOST_OTHERWISE }
    }

    /// What a sowing sells for if it is not lost young.
    fn sold(&self, trial: Trial) -> f64 {
        let fed = match (self.likes_food, trial.is_fed) {
            (true, false) => UNFED,
            (false, true) => OVERFED,
            (true, true) | (false, false) => 1.0,
        };
        let season = if trial.season == self.season { 1.0 } else { OUT_OF_SEASON };
        self.worth * fed * season * WATERED[trial.level + LEVELS - 1 - self.level]
    }

    /// What a sowing brings, less what it costs.
    fn gain(&self, trial: Trial) -> f64 {
        let food = if trial.is_fed { FOOD_COST } else { 0.0 };
        let kept = self.sold(trial) - TENDING_COST - LEVEL_COST * trial.level as f64 - food;
        let lost = self.lost_young(trial);
        (1.0 - lost) * kept - lost * SEED_COST
    }

    /// How well an outcome fits.
    fn likelihood(&self, trial: Trial, outcome: Outcome) -> f64 {
        let lost = self.lost_young(trial);
        match outcome {
            Outcome::LostYoung => lost,
            Outcome::Sold(sold) => {
                let expected = self.sold(trial);
                let spread = SPREAD.0 * expected + SPREAD.1;
                let away = (sold - expected) / spread;
                // Tails are fat, so that no surprise rules anything out for good.
                (1.0 - lost) / spread / (1.0 + away * away).powi(2)
            }
        }
    }
}

/// How likely all natures of each crop are.
#[derive(Debug, Clone)]
pub(super) struct Beliefs {
    natures: Vec<Nature>,
    /// By crop and nature.
    chances: Vec<Vec<f64>>,
}

impl Beliefs {
    /// Nothing is known.
    pub(super) fn new(crops: usize) -> Self {
        let natures: Vec<Nature> = Nature::all().collect();
        let even = vec![1.0 / natures.len() as f64; natures.len()];
        Self { chances: vec![even; crops], natures }
    }

    /// Something was tried.
    pub(super) fn learn(&mut self, trial: Trial, outcome: Outcome) {
        let chances = &mut self.chances[trial.crop];
        for (chance, nature) in chances.iter_mut().zip(&self.natures) {
            *chance *= nature.likelihood(trial, outcome);
        }
        let sum: f64 = chances.iter().sum();
        chances.iter_mut().for_each(|chance| *chance /= sum);
    }

    /// The best to sow in a season besides what is running; none if nothing is hoped of anything. The more `curious`, the more is what is not
    /// known worth.
    pub(super) fn best(&self, season: Season, running: &[Trial], curious: f64) -> Option<Trial> {
        let mut best: Option<(f64, Trial)> = None;
        for crop in 0..self.chances.len() {
            for level in [1, 2, 0] {
                for is_fed in [false, true] {
                    let trial = Trial { crop, season, level, is_fed };
                    let worth = self.worth(trial, running, curious);
                    if worth > best.map_or(0.0, |(worth, _)| worth) {
                        best = Some((worth, trial));
                    }
                }
            }
        }
        best.map(|(_, trial)| trial)
    }

    /// What a sowing is expected to gain, and more of it the less that is known. Of what is tried already, less is learnt.
    fn worth(&self, trial: Trial, running: &[Trial], curious: f64) -> f64 {
        let chances = &self.chances[trial.crop];
        let [mean, square] = chances.iter().zip(&self.natures).fold([0.0; 2], |[mean, square], (chance, nature)| {
            let gain = nature.gain(trial);
            [mean + chance * gain, square + chance * gain * gain]
        });
        let [same, alike] =
            running.iter().filter(|other| (other.crop, other.season) == (trial.crop, trial.season)).fold(
                [0.0; 2],
                |[same, alike], other| if *other == trial { [same + 1.0, alike] } else { [same, alike + 1.0] },
            );
        let news = 1.0 / (1.0 + 2.0 * same + 0.5 * alike);
        mean + curious * news * (square - mean * mean).max(0.0).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Somebody to whom these outcomes came about sows this in the late season.
    fn next(tried: &[(Trial, Outcome)]) -> Option<Trial> {
        let mut beliefs = Beliefs::new(1);
        tried.iter().for_each(|(trial, outcome)| beliefs.learn(*trial, *outcome));
        beliefs.best(Season::Late, &[], 0.0)
    }

    #[test]
    fn what_came_of_sowings_decides_what_is_sown() {
        let trial = |season: Season, level: usize, is_fed: bool| Trial { crop: 0, season, level, is_fed };
        // Lost in the cold, it belongs into the warm season.
        let lost = (trial(Season::Early, 1, false), Outcome::LostYoung);
        let warm = next(&[lost]).unwrap();
        assert_eq!((warm.season, warm.is_fed), (Season::Late, false));
        // It sold well there: the same again.
        let sold = |level: usize, is_fed: bool, money: f64| (trial(Season::Late, level, is_fed), Outcome::Sold(money));
        assert_eq!(next(&[lost, sold(1, false, 180.0)]), Some(trial(Season::Late, 1, false)));
        // It bore half without food: with food.
        assert_eq!(next(&[lost, sold(1, false, 60.0), sold(1, true, 150.0)]), Some(trial(Season::Late, 1, true)));
        // What is harmed by food is not fed again.
        assert!(next(&[lost, sold(1, true, 3.0), sold(1, false, 90.0)]).is_some_and(|next| !next.is_fed));
        // What sold for nothing whatever was tried is left alone.
        let nothing: Vec<_> = (0..LEVELS).flat_map(|level| [sold(level, false, 0.0), sold(level, true, 0.0)]).collect();
        assert_eq!(next(&nothing), None);
    }

    #[test]
    fn plots_that_are_sown_together_try_different_things() {
        let beliefs = Beliefs::new(2);
        let mut running = Vec::new();
        for _ in 0..4 {
            running.extend(beliefs.best(Season::Early, &running, 0.8));
        }
        let crops: Vec<usize> = running.iter().map(|trial| trial.crop).collect();
        assert!(crops.contains(&0) && crops.contains(&1), "{running:?}");
        assert!(running.iter().any(|trial| trial != &running[0] && trial.crop == running[0].crop), "{running:?}");
    }
}
