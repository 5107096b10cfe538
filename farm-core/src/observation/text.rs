//! Converts an observation to text for people and language models, and back.

use super::{ObservationEntry, ObservationLayout};
use crate::format::three_digits;
use crate::space::Dtype;

/// The text shown instead of a number that is not observed.
const UNSEEN: &str = "?";

/// How real numbers are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Precision {
    /// All digits, so that they parse back to the same bits.
    Exact,
    /// With three significant digits.
    Short,
}

/// An array's values, as words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Words {
    /// The words, in text order.
    pub words: Vec<String>,
    /// The number of words per line.
    pub per_line: usize,
}

impl Words {
    /// The words, line by line.
    pub(crate) fn lines(&self) -> impl Iterator<Item = String> {
        self.words.chunks(self.per_line.max(1)).map(|line| line.join(" "))
    }
}

impl ObservationEntry {
    fn word(&self, record: &[u8], index: usize, precision: Precision) -> String {
        let number = self.number(record, index);
        match (self.kind.labels(index), precision) {
            (Some(labels), _) => labels.name(number as usize),
            (None, _) if self.dtype != Dtype::Float32 => (number as i64).to_string(),
            // The number is written as `f32`, with the shortest decimal that parses back to the same bits.
            (None, Precision::Exact) => (number as f32).to_string(),
            (None, Precision::Short) => three_digits(number),
        }
    }

    fn parse_word(&self, index: usize, word: &str) -> Result<f64, String> {
        let found = match self.kind.labels(index) {
            Some(labels) => labels.index(word).map(|i| i as f64),
            None => word.parse().ok(),
        };
        found.ok_or_else(|| format!("`{}`: `{word}` is not one of its values", self.key))
    }

    /// Whether a word is the farmer's own tile in a window with `words` words.
    fn is_own(&self, word: usize, words: usize) -> bool {
        self.is_centred() && words % 2 == 1 && word == words / 2
    }

    /// A value's name in a list with named values.
    fn element(&self, index: usize) -> Option<&str> {
        self.elements.get(index).map(String::as_str).filter(|_| self.elements.len() == self.len())
    }

    /// How many values along the last axis make up one word: more than one for a category with several lists of names.
    pub(crate) fn per_word(&self) -> usize {
        match self.kind.lists() {
            Some(lists) if lists.len() > 1 && self.shape.len() > 1 => lists.len(),
            _ => 1,
        }
    }

    /// A word's index in the record, given its position in the text. Per-plot values are arranged as on a map. Values in windows and other
    /// matrices keep their own order.
    fn word_at(&self, place: usize) -> usize {
        match self.shape.as_slice() {
            [length, width] if self.is_per_plot() && self.per_word() == 1 && *length > 0 => {
                place % length * width + place / length
            }
            _ => place,
        }
    }

    /// The number of words per line, which is the length of the last axis that is not inside a word.
    fn per_line(&self) -> usize {
        match (self.shape.as_slice(), self.per_word()) {
            ([], _) => 1,
            // A map has a line for each y.
            ([length, _], 1) if self.is_per_plot() => *length,
            ([.., n], 1) => *n,
            ([.., n, _], _) => *n,
            ([_], _) => 1,
        }
    }
}

impl ObservationLayout {
    /// The record as text, for people and language models. Each array has one line, or one line per row if it is a matrix. Categories are
    /// written by name. Per-plot values have one row for each y. Cells with several categories are joined by `/`, and trailing categories
    /// at their first value are omitted. In a window, the farmer's own tile is in brackets. Values with names are written as `name=value`,
    /// and `?` replaces values that are not shown.
    pub fn to_text(&self, record: &[u8]) -> String {
        let mut text = String::new();
        for (e, entry) in self.entries.iter().enumerate() {
            let Some(words) = self.words(record, e, Precision::Exact) else { continue };
            text.push_str(&entry.key);
            text.push(':');
            for line in words.lines() {
                text.push_str(if words.words.len() > words.per_line { "\n  " } else { " " });
                text.push_str(&line);
            }
            text.push('\n');
        }
        text
    }

    /// An array's values as words; `None` for the mask's bits, because the question marks already show them.
    pub(crate) fn words(&self, record: &[u8], e: usize, precision: Precision) -> Option<Words> {
        let entry = &self.entries[e];
        if self.is_observed_mask(entry) {
            return None;
        }
        let (per_word, per_line) = (entry.per_word(), entry.per_line());
        let word = |w: usize| {
            let indices = w * per_word..(w + 1) * per_word;
            if !self.is_present(record, e, indices.start) {
                return entry.element(w).map_or(UNSEEN.to_owned(), |name| format!("{name}={UNSEEN}"));
            }
            let last = indices.clone().skip(1).rfind(|i| entry.number(record, *i) != 0.0);
            let shown = indices.start..=last.unwrap_or(indices.start);
            let word = shown.map(|i| entry.word(record, i, precision)).collect::<Vec<_>>().join("/");
            match entry.element(w) {
                _ if entry.is_own(w, entry.len() / per_word) => format!("[{word}]"),
                Some(name) => format!("{name}={word}"),
                None => word,
            }
        };
        let mut words: Vec<String> = (0..entry.len() / per_word).map(|place| word(entry.word_at(place))).collect();
        if words.len() > 1 && (0..entry.len()).all(|i| !self.is_present(record, e, i)) {
            words = vec![UNSEEN.to_owned()];
        }
        Some(Words { words, per_line })
    }

    /// Parses the text back to the record.
    ///
    /// # Errors
    /// A sentence about the first line that does not match.
    pub fn parse_text(&self, text: &str) -> Result<Vec<u8>, String> {
        let mut record = vec![0; self.size];
        let mut lines = text.lines().peekable();
        for (e, entry) in self.entries.iter().enumerate() {
            if self.observed_mask().is_some_and(|(observed_mask, _)| std::ptr::eq(observed_mask, entry)) {
                continue;
            }
            let line = lines.next().unwrap_or_default();
            let head = line.strip_prefix(&entry.key).and_then(|rest| rest.strip_prefix(':'));
            let mut body = head
                .ok_or_else(|| format!("expected a line that starts with `{}:`, found `{line}`", entry.key))?
                .to_owned();
            while let Some(next) = lines.next_if(|next| next.starts_with("  ")) {
                body.push(' ');
                body.push_str(next);
            }
            let mut words: Vec<&str> = body.split_whitespace().collect();
            let per_word = entry.per_word();
            let bits = self.observed_mask().and_then(|(observed_mask, starts)| Some((observed_mask, *starts.get(e)?)));
            if bits.is_some() && words == [UNSEEN] {
                words.resize(entry.len() / per_word, UNSEEN);
            }
            if words.len() * per_word != entry.len() {
                return Err(format!("`{}` has {} values, found {}", entry.key, entry.len() / per_word, words.len()));
            }
            let count = words.len();
            for (place, word) in words.iter().enumerate() {
                let w = entry.word_at(place);
                let bare = word.strip_prefix('[').and_then(|word| word.strip_suffix(']'));
                let mut word = &bare.filter(|_| entry.is_own(w, count)).unwrap_or(word);
                let named = word.split_once('=').filter(|_| entry.element(w).is_some());
                if let Some((name, value)) = &named {
                    if entry.element(w) != Some(name) {
                        return Err(format!("`{}`: expected `{}`, found `{word}`", entry.key, entry.elements[w]));
                    }
                    word = value;
                }
                let indices = w * per_word..(w + 1) * per_word;
                if let Some((observed_mask, (start, blank))) = bits {
                    let is_shown = *word != UNSEEN;
                    for index in indices.clone() {
                        observed_mask.set_number(&mut record, start + index, f64::from(u8::from(is_shown)));
                        entry.set_number(&mut record, index, blank);
                    }
                    if !is_shown {
                        continue;
                    }
                }
                let parts = if per_word == 1 { vec![*word] } else { word.split('/').collect() };
                if parts.len() > per_word {
                    return Err(format!("`{}`: `{word}` has more than {per_word} parts", entry.key));
                }
                for (part, index) in parts.iter().zip(indices) {
                    entry.set_number(&mut record, index, entry.parse_word(index, part)?);
                }
            }
        }
        Ok(record)
    }
}
