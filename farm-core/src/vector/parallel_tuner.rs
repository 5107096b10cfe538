//! Chooses whether the caller steps a batch alone or shares it among threads. The choice is the method that was faster in recent steps.

/// If a batch takes less time than this, the caller steps it alone, because handing work to other threads takes about as long.
const WORTH_SHARING_NANOSECONDS: f64 = 60_000.0;

/// After this many batches, the slower method is tried again, because the machine may have become less busy.
const TRY_AGAIN: u32 = 128;

/// How long recent steps took, alone and shared among the threads. This decides only the number of threads, so it affects only how long a
/// step takes.
#[derive(Debug, Default)]
pub(super) struct ParallelTuner {
    /// How many nanoseconds a batch took when the caller stepped it alone.
    alone: Option<f64>,
    /// How many nanoseconds a batch took when it was shared.
    shared: Option<f64>,
    /// The number of batches since the two methods were last compared.
    since: u32,
}

impl ParallelTuner {
    /// Whether to share the next batch.
    pub(super) fn is_parallel(&mut self) -> bool {
        let Some(alone) = self.alone.filter(|alone| *alone >= WORTH_SHARING_NANOSECONDS) else { return false };
        self.since += 1;
        let again = self.since.is_multiple_of(TRY_AGAIN);
        match self.shared {
            Some(shared) => (shared < alone) != again,
            None => true,
        }
    }

    /// Adds a measurement. The first measurement counts fully. Later ones have a small weight, so that a single interruption does not
    /// change the method.
    pub(super) fn measured(&mut self, is_parallel: bool, nanoseconds: f64) {
        let mean = if is_parallel { &mut self.shared } else { &mut self.alone };
        let before = mean.unwrap_or(nanoseconds);
        // Rare measurements have a larger weight, so that a speed-up is noticed.
        let weight = if self.since.is_multiple_of(TRY_AGAIN) { 0.5 } else { 0.1 };
        *mean = Some(before + (nanoseconds - before) * weight);
    }
}
