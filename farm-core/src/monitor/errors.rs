//! Error codes for monitors.

use crate::codes;

codes! {
    /// Monitors: variables that are recorded over time.
    pub enum MonitorError: "monitors" {
        /// The value is not a valid monitor.
        ///
        /// A monitor is a reference to a variable, or a mapping with `variable:` and optionally `function:`, `title:` and `range:`.
        NotAMonitor = "not-a-monitor",
        /// The title of a monitor is empty, not a string, or also used by another monitor.
        ///
        /// Titles name columns and charts.
        WrongTitle = "wrong-title",
        /// The function of a monitor needs values to look for, or does not take any.
        ///
        /// `count` and `fraction` look for values; all other functions use every value.
        WrongValues = "wrong-values",
    }
}
