//! Texts for people in all languages of the page.

use farm_core::labels::{Labels, Language};
use serde::Serialize;

/// A text for people in all languages of the page.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(in crate::playground) struct Words {
    en: String,
    fr: String,
}

impl Words {
    /// The reason for the end of a farm's season, where a step is a day.
    pub(in crate::playground) fn end_of_season(reason: &str) -> Self {
        let in_days = reason.strip_suffix(" steps").map(|reason| format!("{reason} days"));
        let reason = in_days.as_deref().unwrap_or(reason);
        Self::new(|labels| labels.stop_reason(reason).into_owned())
    }

    /// Writes a text once for each language.
    pub(in crate::playground) fn new(write: impl Fn(&'static Labels) -> String) -> Self {
        Self { en: write(Labels::of(Language::English)), fr: write(Labels::of(Language::French)) }
    }
}
