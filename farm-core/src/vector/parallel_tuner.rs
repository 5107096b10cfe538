//! Chooses whether the caller steps a batch alone or shares it among the threads, by the faster way of recent steps.

/// A faster batch is stepped by the caller alone, because handing work to other threads takes about as long.
const WORTH_SHARING_NANOSECONDS: f64 = 60_000.0;

/// After this number of batches the slower way is tried again, because the machine may be less busy.
const TRY_AGAIN: u32 = 128;

/// The durations of recent steps, alone and shared among the threads. They decide only the number of threads, so they change
/// nothing but the time of a step.
#[derive(Debug, Default)]
pub(super) struct ParallelTuner {
    /// Nanoseconds of a batch that the caller stepped alone.
    alone: Option<f64>,
    /// Nanoseconds of a batch that was shared.
    shared: Option<f64>,
    /// Number of batches since both ways were compared.
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

    /// Adds a measurement. The first one is taken in full, later ones with a small weight: one interruption must not change the way.
    pub(super) fn measured(&mut self, is_parallel: bool, nanoseconds: f64) {
        let mean = if is_parallel { &mut self.shared } else { &mut self.alone };
        let before = mean.unwrap_or(nanoseconds);
        // Rare measurements have a larger weight, so that a speed-up is noticed.
        let weight = if self.since.is_multiple_of(TRY_AGAIN) { 0.5 } else { 0.1 };
        *mean = Some(before + (nanoseconds - before) * weight);
    }
}
