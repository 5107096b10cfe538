//! Handles. A handle is a string that contains an episode so far. The client passes it along, so that servers do not have to remember the
//! episode.
//!
//! A handle contains the game's fingerprint, the start of the episode and all choices. Any client that has the handle can continue the
//! episode, on this server or on any other server that has the game. Continuing the same handle twice creates two branches. A checksum at
//! the end detects copying errors. The checksum is not secret, so clients can write their own handles.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use farm_core::inspect::RulesText;
use farm_core::{Game, TextForm};
use serde_json::Value as Json;
use xxhash_rust::xxh3::xxh3_64;

use crate::episode::{Choice, Episode, Start, Untaken};
use crate::fields::Invalid;

/// The first byte of a handle: the version of its format.
const VERSION: u8 = 1;
/// The number of steps to play before yielding to other work.
pub(crate) const STEPS_AT_ONCE: usize = 64;
/// The maximum number of steps in a handle.
pub(crate) const MAX_STEPS: usize = 100_000;

/// An episode so far.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Handle {
    /// The game's fingerprint.
    pub(crate) fingerprint: u64,
    /// The start of the episode.
    pub(crate) start: Start,
    /// The distinct choices, as JSON.
    choices: Vec<String>,
    /// For each step, the index of its choice.
    steps: Vec<u32>,
}

impl Handle {
    /// Creates the handle of a new episode.
    pub(crate) fn new(game: &Game, start: Start) -> Self {
        Self { fingerprint: game.fingerprint(), start, choices: Vec::new(), steps: Vec::new() }
    }

    /// Adds a choice.
    pub(crate) fn push(&mut self, choice: &Choice) {
        let text = choice.to_json().to_string();
        let known = self.choices.iter().position(|known| *known == text).unwrap_or_else(|| {
            self.choices.push(text);
            self.choices.len() - 1
        });
        self.steps.push(u32::try_from(known).unwrap_or(u32::MAX));
    }

    /// Writes the handle as a string of letters, digits, `-` and `_`.
    pub(crate) fn write(&self) -> String {
        let mut bytes = vec![VERSION];
        bytes.extend(self.fingerprint.to_le_bytes());
        write_number(&mut bytes, self.start.seed);
        let form = TextForm::ALL.iter().position(|form| *form == self.start.form).unwrap_or_default();
        let rules = RulesText::ALL.iter().position(|rules| *rules == self.start.rules).unwrap_or_default();
        write_number(&mut bytes, (form * RulesText::ALL.len() + rules) as u64);
        write_number(&mut bytes, self.choices.len() as u64);
        for choice in &self.choices {
            write_number(&mut bytes, choice.len() as u64);
            bytes.extend(choice.as_bytes());
        }
        // Choices often repeat.
        for run in self.steps.chunk_by(|a, b| a == b) {
            write_number(&mut bytes, u64::from(run[0]));
            write_number(&mut bytes, run.len() as u64);
        }
        let check = xxh3_64(&bytes) as u32;
        bytes.extend(check.to_le_bytes());
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// Reads a handle for a game.
    ///
    /// # Errors
    /// `text` is not a handle, the handle is damaged, or the handle belongs to another game.
    pub(crate) fn read(text: &str, game: &Game) -> Result<Self, Invalid> {
        let damaged = || {
            let shown: String = text.chars().take(40).collect();
            Invalid(format!(
                "`handle` is not valid or was copied with errors: {shown:?}; pass the last handle unchanged"
            ))
        };
        let bytes = URL_SAFE_NO_PAD.decode(text.trim()).map_err(|_| damaged())?;
        let (body, check) = bytes.split_last_chunk::<4>().ok_or_else(damaged)?;
        if (xxh3_64(body) as u32).to_le_bytes() != *check {
            return Err(damaged());
        }
        let handle = Self::of_bytes(body).ok_or_else(damaged)?;
        if handle.fingerprint != game.fingerprint() {
            let name = game.spec().name();
            return Err(Invalid(format!(
                "the handle belongs to another game than `{name}`, or to another version of it"
            )));
        }
        Ok(handle)
    }

    fn of_bytes(mut bytes: &[u8]) -> Option<Self> {
        let (version, rest) = bytes.split_first()?;
        let (fingerprint, rest) = rest.split_first_chunk::<8>()?;
        bytes = rest;
        if *version != VERSION {
            return None;
        }
        let seed = read_number(&mut bytes)?;
        let told = usize::try_from(read_number(&mut bytes)?).ok()?;
        let form = *TextForm::ALL.get(told / RulesText::ALL.len())?;
        let rules = *RulesText::ALL.get(told % RulesText::ALL.len())?;
        let count = read_number(&mut bytes)?;
        let mut choices = Vec::new();
        for _ in 0..count {
            let length = usize::try_from(read_number(&mut bytes)?).ok()?;
            let (choice, rest) = bytes.split_at_checked(length)?;
            choices.push(std::str::from_utf8(choice).ok()?.to_owned());
            bytes = rest;
        }
        let mut steps = Vec::new();
        while !bytes.is_empty() {
            let choice = u32::try_from(read_number(&mut bytes)?).ok()?;
            let run = usize::try_from(read_number(&mut bytes)?).ok()?;
            if choice as usize >= choices.len() || run > MAX_STEPS - steps.len() {
                return None;
            }
            steps.extend(std::iter::repeat_n(choice, run));
        }
        Some(Self { fingerprint: u64::from_le_bytes(*fingerprint), start: Start { seed, form, rules }, choices, steps })
    }

    /// Plays the episode so far, with pauses for other tasks.
    ///
    /// # Errors
    /// The game rejects a choice, although it accepted all choices when the handle was written.
    pub(crate) async fn play(&self, game: Arc<Game>) -> Result<(Episode, String), Untaken> {
        let (mut episode, mut text) = Episode::begin(game, self.start);
        let read = |choice: &String| {
            let json: Json = serde_json::from_str(choice).map_err(|_| Invalid("`handle` is damaged".to_owned()))?;
            Choice::read(&json)
        };
        let choices = self.choices.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        for (i, step) in self.steps.iter().enumerate() {
            if i % STEPS_AT_ONCE == STEPS_AT_ONCE - 1 {
                tokio::task::yield_now().await;
            }
            text = episode.step(&choices[*step as usize])?.text;
        }
        Ok((episode, text))
    }
}

/// Writes an integer in as few bytes as possible, with 7 bits per byte.
fn write_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn read_number(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0_u64;
    for shift in (0..u64::BITS).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f).checked_shl(shift)?;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game() -> Arc<Game> {
        Arc::new(farm_games::open("backwards_valley", &farm_games::Options::default()).unwrap())
    }

    #[test]
    fn a_handle_reads_back_and_each_change_of_it_is_seen() {
        let game = game();
        let mut handle = Handle::new(&game, Start { seed: 7, form: TextForm::Compact, rules: RulesText::Shown });
        for choice in
            [Choice::Text("MoveN".into()), Choice::Text("MoveN".into()), Choice::Id(3), Choice::Text("MoveN".into())]
        {
            handle.push(&choice);
        }
        let text = handle.write();
        assert_eq!(Handle::read(&text, &game), Ok(handle));
        for i in 0..text.len() {
            let mut other = text.clone().into_bytes();
            other[i] = if other[i] == b'A' { b'B' } else { b'A' };
            let other = String::from_utf8(other).unwrap();
            // The last character holds bits that are not used.
            assert!(Handle::read(&other, &game).is_err() || i + 1 == text.len(), "{i}");
        }
        for cut in 0..text.len() {
            assert!(Handle::read(&text[..cut], &game).is_err(), "{cut}");
        }
        let other = farm_games::open("valley_farm", &farm_games::Options::default()).unwrap();
        assert!(Handle::read(&text, &other).unwrap_err().0.contains("another game"));
    }

    #[test]
    fn a_handle_that_says_more_steps_than_any_episode_has_is_refused() {
        let game = game();
        let mut bytes = Handle::new(&game, Start::default()).write();
        bytes.truncate(0);
        let mut body = vec![VERSION];
        body.extend(game.fingerprint().to_le_bytes());
        for number in [0, 0, 1, 6] {
            write_number(&mut body, number);
        }
        body.extend(b"\"wait\"");
        for number in [0, u64::MAX] {
            write_number(&mut body, number);
        }
        let check = xxh3_64(&body) as u32;
        body.extend(check.to_le_bytes());
        assert!(Handle::read(&URL_SAFE_NO_PAD.encode(body), &game).is_err());
    }
}
