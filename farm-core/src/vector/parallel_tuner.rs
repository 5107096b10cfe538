//! Whether a batch is stepped by the caller alone or shared among the threads, as it was faster of late.

/// A batch below this many nanoseconds is stepped by the caller alone: it takes about as long to hand work to other threads.
const WORTH_SHARING_NANOSECONDS: f64 = 60_000.0;

/// After so many batches the slower way is tried again: the machine may have become less busy.
const TRY_AGAIN: u32 = 128;

/// How long steps took of late, alone and shared among the threads: decides by how many threads a batch is stepped, which
/// changes nothing but the time it takes.
#[derive(Debug, Default)]
pub(super) struct ParallelTuner {
    /// Nanoseconds of a batch, if it was stepped by the caller alone.
    alone: Option<f64>,
    /// The same, if it was shared.
    shared: Option<f64>,
    /// Batches since both ways were compared.
    since: u32,
}

impl ParallelTuner {
    /// Whether the next batch is shared.
    pub(super) fn is_parallel(&mut self) -> bool {
        let Some(alone) = self.alone.filter(|alone| *alone >= WORTH_SHARING_NANOSECONDS) else { return false };
        self.since += 1;
        let again = self.since.is_multiple_of(TRY_AGAIN);
        match self.shared {
            Some(shared) => (shared < alone) != again,
            None => true,
        }
    }

    /// Takes a measurement. The first counts whole, later ones a little: one interruption must not change the way.
    pub(super) fn measured(&mut self, is_parallel: bool, nanoseconds: f64) {
        let mean = if is_parallel { &mut self.shared } else { &mut self.alone };
        let before = mean.unwrap_or(nanoseconds);
        // What is seldom tried counts more, so that it is believed when it has become faster.
        let weight = if self.since.is_multiple_of(TRY_AGAIN) { 0.5 } else { 0.1 };
        *mean = Some(before + (nanoseconds - before) * weight);
    }
}
