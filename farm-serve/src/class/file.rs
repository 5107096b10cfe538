//! The file that keeps a class over a restart of the server.

use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::keys::Keys;
use crate::playground::Choice;

/// The format's name and version.
const FORMAT: &str = "farm-class/1";
/// The maximum size of a file, in bytes.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// What the class does now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Now {
    /// Pupils can join, and wait for the start.
    Waiting,
    Running,
    Paused,
    Ended,
}

/// A class as its file keeps it.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Kept {
    pub(super) format: String,
    pub(super) name: String,
    /// The code of the class, and the teacher's secret.
    pub(super) code: String,
    pub(super) secret: String,
    pub(super) now: Now,
    pub(super) is_open: bool,
    /// The number of seasons that the teacher has chosen.
    pub(super) round: u64,
    /// The number of pupils who have joined, also of those who have been removed.
    pub(super) joined: u64,
    pub(super) game: Choice,
    pub(super) seed: u64,
    /// The fingerprint of the game.
    pub(super) fingerprint: String,
    pub(super) pupils: Vec<KeptPupil>,
}

/// A pupil as the file keeps it.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct KeptPupil {
    pub(super) id: u64,
    pub(super) nickname: String,
    pub(super) keys: Keys,
    pub(super) best: Option<f64>,
    pub(super) actions: Vec<String>,
}

impl Kept {
    /// A new class.
    pub(super) fn new(name: String, code: String, secret: String, game: Choice) -> Self {
        Self {
            format: FORMAT.to_owned(),
            name,
            code,
            secret,
            now: Now::Waiting,
            is_open: true,
            round: 1,
            joined: 0,
            game,
            seed: 0,
            fingerprint: String::new(),
            pupils: Vec::new(),
        }
    }

    /// Reads the file; none if there is none.
    ///
    /// # Errors
    /// The file can't be read, or is not the file of a class.
    pub(super) fn read(path: &Path) -> Result<Option<Self>, String> {
        let length = match std::fs::metadata(path) {
            Ok(metadata) if metadata.is_file() => metadata.len(),
            Ok(_) => return Err("this is not a regular file; pass another `--class-file`".to_owned()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error.to_string()),
        };
        if length > MAX_BYTES {
            return Err(format!("the file has {length} bytes, above the maximum of {MAX_BYTES}"));
        }
        let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
        let kept: Self = serde_json::from_str(&text)
            .map_err(|error| format!("this is not the file of a class ({error}); pass another `--class-file`"))?;
        match kept.format == FORMAT {
            true => Ok(Some(kept)),
            false => Err(format!("the format is `{}`; this version reads `{FORMAT}`", kept.format)),
        }
    }

    /// Writes the file as a whole. It contains keys, so only its owner can read it.
    ///
    /// # Errors
    /// The file can't be written.
    pub(super) fn write(&self, path: &Path) -> Result<(), String> {
        let text = serde_json::to_vec(self).map_err(|error| error.to_string())?;
        farm_output::save_private(path, &text).map_err(|error| error.to_string())
    }
}
