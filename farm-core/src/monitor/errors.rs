//! The codes of monitors.

use crate::codes;

codes! {
    /// Monitors: what a game or its user wants to see over time.
    pub enum MonitorError: "monitors" {
        /// This is not a valid monitor.
        ///
        /// A monitor is the reference to a variable, or a mapping with `variable:`, and `function:`, `title:` and `range:` as needed.
        NotAMonitor = "not-a-monitor",
        /// The title of a monitor is empty or not a text, or another monitor has it too.
        ///
        /// Columns and charts are named by titles.
        WrongTitle = "wrong-title",
        /// The function of a monitor lacks the values that it looks for, or has some that it has no use for.
        ///
        /// `count` and `fraction` look for values; all other functions take every value.
        WrongValues = "wrong-values",
    }
}
