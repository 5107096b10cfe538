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
    /// Writes a text once for each language.
    pub(in crate::playground) fn new(write: impl Fn(&'static Labels) -> String) -> Self {
        Self { en: write(Labels::of(Language::English)), fr: write(Labels::of(Language::French)) }
    }
}
