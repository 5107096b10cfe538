//! The purposes of seeds. Published results use the test seeds, so no selection may use them.

use std::ops::Range;

use thiserror::Error;

/// The test seeds. Published results use the first ones.
pub const TEST_SEEDS: Range<u64> = 1_000_000..2_000_000;
/// The first validation seed. Comparison and selection use validation seeds.
pub const VALIDATION_SEED: u64 = 2_000_000;
/// The first seed that tuning plays by default.
pub const TUNING_SEED: u64 = 3_000_000;

/// The seeds for tuning or selection include test seeds.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "seeds {first} to {last} include test seeds (1000000 to 1999999), which published results use: a policy chosen \
     with them has seen the test; use --seed {TUNING_SEED}"
)]
pub struct TestSeedsError {
    first: u64,
    last: u64,
}

/// Rejects a range of seeds for tuning or selection if it includes test seeds.
///
/// # Errors
/// One of the `count` seeds, starting at `first`, is a test seed.
pub fn reject_test_seeds(first: u64, count: u64) -> Result<(), TestSeedsError> {
    let last = first.saturating_add(count.max(1) - 1);
    if first < TEST_SEEDS.end && last >= TEST_SEEDS.start { Err(TestSeedsError { first, last }) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_that_touch_the_test_seeds_are_rejected() {
        for (first, count, is_rejected) in [
            (0, 1_000_000, false),
            (0, 1_000_001, true),
            (999_999, 1, false),
            (1_000_000, 1, true),
            (1_999_999, 1, true),
            (2_000_000, u64::MAX, false),
            (500_000, u64::MAX, true),
            (1_500_000, 0, true),
        ] {
            assert_eq!(reject_test_seeds(first, count).is_err(), is_rejected, "{first} {count}");
        }
        let error = reject_test_seeds(999_990, 20).unwrap_err().to_string();
        assert!(error.starts_with("seeds 999990 to 1000009 include test seeds"), "{error}");
        assert!(error.ends_with("use --seed 3000000"), "{error}");
    }
}
