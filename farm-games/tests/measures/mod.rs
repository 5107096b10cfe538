//! How much work something takes, whatever else the machine does meanwhile.

use std::time::Duration;

/// What a piece of work returns, and how much of a processor its thread took; nothing where the system does not count that (all but Linux).
pub(crate) fn processor_time<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let taken = || {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
    };
    let before = taken();
    let done = work();
    (done, taken().zip(before).map(|(after, before)| after.saturating_sub(before)).unwrap_or_default())
}
