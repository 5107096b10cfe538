//! A learner's beliefs about unknown crops.
//!
//! It knows what can matter, but not how much: a crop belongs in one of two seasons, likes dry, moist or wet soil, and gains or suffers
//! from fertiliser. Before the first trial, all combinations are equally likely, and all values of a full harvest are too. The loss under
//! conditions that a crop does not like is a common-sense guess, which is the same for all crops.

use super::known_crop::KnownCrop;

/// The season of a sowing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Season {
    Early,
    Late,
}

/// A possible sowing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Trial {
    /// The index of the crop.
    pub crop: usize,
    /// The season in which it is sown.
    pub season: Season,
    /// The level of its soil water; 0 is dry.
    pub level: usize,
    /// Whether it is fertilised.
    pub is_fed: bool,
}

/// The result of a sowing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Outcome {
    /// It was lost within the first weeks.
    LostYoung,
    /// It survived longer, and its harvest sold for this amount of money; 0 if there was no harvest.
    Sold(f64),
}

/// The number of soil water levels that are tried: dry, moist and wet.
pub(super) const LEVELS: usize = 3;
/// The possible sales of a full harvest, in money.
const WORTHS: [f64; 6] = [25.0, 50.0, 90.0, 140.0, 200.0, 270.0];
/// The share of a harvest that is left if the soil is drier or wetter than the crop likes: two levels drier, one drier, right …
const WATERED: [f64; 2 * LEVELS - 1] = [0.0, 0.25, 1.0, 0.8, 0.6];
/// The share of a harvest that is left if the crop lacks fertiliser, if fertiliser harms it, and if it is out of season.
const UNFED: f64 = 0.4;
const OVERFED: f64 = 0.05;
const OUT_OF_SEASON: f64 = 0.1;
/// The probability that a crop is lost young: for a late crop that is sown early, and in all other cases.
const LOST_IN_COLD: f64 = 0.85;
const LOST_OTHERWISE: f64 = 0.03;
/// The costs, in money, of a sowing that is lost young, a crop that is tended to its end, each further level of water, and fertiliser.
const SEED_COST: f64 = 4.0;
const TENDING_COST: f64 = 25.0;
const LEVEL_COST: f64 = 12.0;
const FOOD_COST: f64 = 7.0;
/// The weight of a full harvest, in kilograms, and its spread as a share of the expectation.
const FULL_HARVEST: (f64, f64) = (75.0, 0.4);
/// The spread of a harvest around its expectation: a share of the expectation, plus a constant.
const SPREAD: (f64, f64) = (0.35, 10.0);

/// The possible preferences of a crop.
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

    /// The weight of this nature given what is known: 0 if it contradicts it.
    fn fits(&self, known: &KnownCrop) -> f64 {
        let is_possible = known.likes_food.is_none_or(|likes_food| likes_food == self.likes_food)
            && known.level.is_none_or(|level| level as usize == self.level);
        let away = known.price.map_or(0.0, |price| {
            let expected = price * FULL_HARVEST.0;
            (self.worth - expected) / (FULL_HARVEST.1 * expected + SPREAD.1)
        });
        f64::from(u8::from(is_possible)) / (1.0 + away * away).powi(2)
    }

    /// The probability that a sowing is lost young.
    fn lost_young(&self, trial: Trial) -> f64 {
        let is_in_cold = trial.season == Season::Early && self.season == Season::Late;
        if is_in_cold { LOST_IN_COLD } else { LOST_OTHERWISE }
    }

    /// The sales of a sowing that is not lost young.
    fn sold(&self, trial: Trial) -> f64 {
        let fed = match (self.likes_food, trial.is_fed) {
            (true, false) => UNFED,
            (false, true) => OVERFED,
            (true, true) | (false, false) => 1.0,
        };
        let season = if trial.season == self.season { 1.0 } else { OUT_OF_SEASON };
        self.worth * fed * season * WATERED[trial.level + LEVELS - 1 - self.level]
    }

    /// The expected sales of a sowing, minus its costs.
    fn gain(&self, trial: Trial) -> f64 {
        let food = if trial.is_fed { FOOD_COST } else { 0.0 };
        let kept = self.sold(trial) - TENDING_COST - LEVEL_COST * trial.level as f64 - food;
        let lost = self.lost_young(trial);
        (1.0 - lost) * kept - lost * SEED_COST
    }

    /// The likelihood of an outcome.
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

/// Weights as probabilities, which add up to 1.
fn normalised(mut weights: Vec<f64>) -> Vec<f64> {
    let sum: f64 = weights.iter().sum();
    weights.iter_mut().for_each(|weight| *weight /= sum);
    weights
}

/// The probabilities of all natures, for each crop.
#[derive(Debug, Clone)]
pub(super) struct Beliefs {
    natures: Vec<Nature>,
    /// Indexed by crop and nature.
    chances: Vec<Vec<f64>>,
}

impl Beliefs {
    /// The beliefs before the first trial, given what is known about the crops.
    pub(super) fn new(crops: usize, known: &[KnownCrop]) -> Self {
        let natures: Vec<Nature> = Nature::all().collect();
        let of_crop = |crop: usize| {
            let chances = natures.iter().map(|nature| known.get(crop).map_or(1.0, |known| nature.fits(known)));
            normalised(chances.collect())
        };
        Self { chances: (0..crops).map(of_crop).collect(), natures }
    }

    /// Learns from the outcome of a trial.
    pub(super) fn learn(&mut self, trial: Trial, outcome: Outcome) {
        let chances = &mut self.chances[trial.crop];
        for (chance, nature) in chances.iter_mut().zip(&self.natures) {
            *chance *= nature.likelihood(trial, outcome);
        }
        *chances = normalised(std::mem::take(chances));
    }

    /// The best sowing in a season, given the running trials; none if no sowing is worth more than 0. A larger `curious` makes uncertain
    /// sowings worth more.
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

    /// The expected gain of a sowing, plus a bonus for its uncertainty. Running trials like this one reduce the bonus.
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

    /// The best sowing in the late season after these outcomes.
    fn next(tried: &[(Trial, Outcome)]) -> Option<Trial> {
        let mut beliefs = Beliefs::new(1, &[]);
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
    fn what_is_told_is_not_tried() {
        let known = KnownCrop { likes_food: Some(true), price: Some(2.0), level: Some(2) };
        let told = Beliefs::new(2, &[known]);
        let trial = told.best(Season::Late, &[], 0.0).unwrap();
        assert_eq!(trial, Trial { crop: 0, season: Season::Late, level: 2, is_fed: true });
        // The other crop is unknown, and a worthless one is left alone.
        let worthless = KnownCrop { likes_food: None, price: Some(0.01), level: None };
        assert_eq!(Beliefs::new(1, &[worthless]).best(Season::Late, &[], 0.0), None);
    }

    #[test]
    fn plots_that_are_sown_together_try_different_things() {
        let beliefs = Beliefs::new(2, &[]);
        let mut running = Vec::new();
        for _ in 0..4 {
            running.extend(beliefs.best(Season::Early, &running, 0.8));
        }
        let crops: Vec<usize> = running.iter().map(|trial| trial.crop).collect();
        assert!(crops.contains(&0) && crops.contains(&1), "{running:?}");
        assert!(running.iter().any(|trial| trial != &running[0] && trial.crop == running[0].crop), "{running:?}");
    }
}
