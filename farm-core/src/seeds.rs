//! Seeds that are reserved for splits. An episode can use such a seed only if its split is selected.
//!
//! | split | seeds |
//! |---|---|
//! | train | 8 100 000 000 000 000 and the 999,999,999 after it |
//! | validation | 8 200 000 000 000 000 and the 999,999,999 after it |
//! | test | 8 300 000 000 000 000 and the 999,999,999 after it |
//!
//! All reserved seeds are below 2⁵³, so JSON readers store them exactly. The types that start episodes
//! ([`Environment`](crate::Environment), [`EpisodeRunner`](crate::EpisodeRunner), [`VectorEnvironment`](crate::vector::VectorEnvironment))
//! call [`SeedSplit::check`]; [`Game::reset`](crate::Game::reset), which planners and searches use, does not.

use std::ops::Range;

/// A split, which is a set of worlds with reserved seeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SeedSplit {
    /// For training.
    Train,
    /// For selecting models and hyperparameters.
    Validation,
    /// For reporting results.
    Test,
}

/// Why a seed cannot start an episode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SeedError {
    /// The seed is reserved for a split that has not been selected.
    #[error(
        "the seed {seed} is reserved for the split `{split}` (world {index}): select the split to play it, or use a seed below {first}",
        split = split.name(), index = seed - split.seeds().start, first = SeedSplit::Train.seeds().start
    )]
    Reserved {
        /// The seed.
        seed: u64,
        /// The split that the seed is reserved for.
        split: SeedSplit,
    },
    /// The seed is outside the selected split.
    #[error(
        "the seed {seed} is not in the split `{split}`: its seeds go from {first} to {last}",
        split = split.name(), first = split.seeds().start, last = split.seeds().end - 1
    )]
    NotOfSplit {
        /// The seed.
        seed: u64,
        /// The selected split.
        split: SeedSplit,
    },
}

impl SeedSplit {
    /// All splits.
    pub const ALL: [Self; 3] = [Self::Train, Self::Validation, Self::Test];

    /// The number of worlds in each split.
    pub const WORLDS: u64 = 1_000_000_000;

    /// The split's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Train => "train",
            Self::Validation => "validation",
            Self::Test => "test",
        }
    }

    /// The split with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|split| split.name() == name)
    }

    /// The split's seeds.
    pub fn seeds(self) -> Range<u64> {
        let first = match self {
            Self::Train => 8_100_000_000_000_000,
            Self::Validation => 8_200_000_000_000_000,
            Self::Test => 8_300_000_000_000_000,
        };
        first..first + Self::WORLDS
    }

    /// The seed for one of the split's worlds, counted from 0; `None` after the last world.
    pub fn seed(self, index: u64) -> Option<u64> {
        (index < Self::WORLDS).then(|| self.seeds().start + index)
    }

    /// The split that a seed is reserved for.
    #[inline]
    pub fn of(seed: u64) -> Option<Self> {
        // Almost all seeds are below this limit.
        if seed < Self::Train.seeds().start {
            return None;
        }
        Self::ALL.into_iter().find(|split| split.seeds().contains(&seed))
    }

    /// Checks whether a seed can start an episode, given the selected split, if any.
    ///
    /// # Errors
    /// The seed is reserved for a split other than the selected one, or a split is selected and the seed is outside all splits.
    #[inline]
    pub fn check(named: Option<Self>, seed: u64) -> Result<(), SeedError> {
        match (named, Self::of(seed)) {
            (None, None) => Ok(()),
            (Some(named), Some(split)) if named == split => Ok(()),
            (None, Some(split)) => Err(SeedError::Reserved { seed, split }),
            (Some(split), _) => Err(SeedError::NotOfSplit { seed, split }),
        }
    }

    /// Maps any number to a valid seed: a seed in the split `named` or, without a split, a seed outside all splits. Valid seeds stay
    /// unchanged. Use this function for seeds that are derived from other seeds.
    #[inline]
    pub fn nearest(named: Option<Self>, seed: u64) -> u64 {
        match (named, Self::of(seed)) {
            (Some(split), of) if of != Some(split) => split.seeds().start + seed % Self::WORLDS,
            (None, Some(_)) => seed % Self::WORLDS,
            _ => seed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_apart_and_fit_every_reader() {
        for (i, split) in SeedSplit::ALL.into_iter().enumerate() {
            let seeds = split.seeds();
            assert_eq!(SeedSplit::named(split.name()), Some(split));
            assert_eq!(seeds.end - seeds.start, SeedSplit::WORLDS);
            assert!(seeds.end < 1 << 53);
            for (seed, of) in
                [(seeds.start - 1, None), (seeds.start, Some(split)), (seeds.end - 1, Some(split)), (seeds.end, None)]
            {
                assert_eq!(SeedSplit::of(seed), of, "{seed}");
            }
            for other in &SeedSplit::ALL[i + 1..] {
                assert!(seeds.end <= other.seeds().start);
            }
            assert_eq!((split.seed(0), split.seed(SeedSplit::WORLDS)), (Some(seeds.start), None));
        }
    }

    #[test]
    fn a_seed_that_is_kept_needs_its_split() {
        let seed = SeedSplit::Test.seeds().start + 7;
        assert_eq!(SeedSplit::check(Some(SeedSplit::Test), seed), Ok(()));
        assert_eq!(SeedSplit::check(None, 7), Ok(()));
        assert_eq!(SeedSplit::check(None, u64::MAX), Ok(()));
        let refused = SeedSplit::check(None, seed).unwrap_err();
        assert_eq!(refused, SeedError::Reserved { seed, split: SeedSplit::Test });
        assert_eq!(
            refused.to_string(),
            "the seed 8300000000000007 is reserved for the split `test` (world 7): select the split to play it, or use a seed below \
             8100000000000000"
        );
        for seed in [7, seed] {
            let refused = SeedSplit::check(Some(SeedSplit::Train), seed).unwrap_err();
            assert_eq!(refused, SeedError::NotOfSplit { seed, split: SeedSplit::Train });
            assert!(refused.to_string().contains("from 8100000000000000 to 8100000999999999"), "{refused}");
        }
    }

    #[test]
    fn seeds_that_follow_stay_where_they_belong() {
        for seed in [0, 7, SeedSplit::Test.seeds().start + 5, SeedSplit::Train.seeds().end, u64::MAX] {
            for named in [None, Some(SeedSplit::Train), Some(SeedSplit::Test)] {
                let nearest = SeedSplit::nearest(named, seed);
                assert_eq!(SeedSplit::of(nearest), named);
                assert_eq!(SeedSplit::nearest(named, nearest), nearest);
            }
        }
        assert_eq!(SeedSplit::nearest(None, 7), 7);
    }
}
