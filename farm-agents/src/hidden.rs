//! Hidden test sets: worlds whose hash is published before a measurement. A run on a set stores its salt, so that the hash follows from the
//! run alone. A run on other worlds, or on part of the set, has another hash.

use std::fmt::Write as _;

use farm_core::config::Problems;
use farm_games::families::MemberName;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The format of a set's files.
pub const HIDDEN_FORMAT: &str = "farm hidden set 1";

/// A world in a set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HiddenWorld {
    /// The seed of its rules in the test split.
    pub rules: u64,
    /// The seed of its map.
    pub seed: u64,
    /// The game's fingerprint.
    pub fingerprint: String,
}

/// The description of a set, which is part of the hashed text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HiddenHead {
    /// The family.
    pub family: String,
    /// The tier of its ladder, if any.
    pub tier: Option<u32>,
    /// The version of the program that drew the set.
    pub engine: String,
    /// The number of worlds.
    pub count: usize,
}

/// The part of a hidden set that its worlds do not show, as a run stores it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HiddenSet {
    /// The salt of all hashes.
    pub salt: String,
    /// The version of the program that drew the set.
    pub engine: String,
}

impl HiddenHead {
    /// The name of the set's games without rules, such as `backwards_valley@tier=5`.
    pub fn game(&self) -> String {
        self.tier.map_or_else(|| self.family.clone(), |tier| format!("{}@tier={tier}", self.family))
    }

    /// The member of the family with these rules.
    ///
    /// # Errors
    /// There is no such family or tier.
    pub fn member(&self, rules: u64) -> Result<MemberName, Problems> {
        let tier = self.tier.map_or(String::new(), |tier| format!("tier={tier},"));
        MemberName::parse(&format!("{}@{tier}rules=test-{rules}", self.family))
    }

    /// The hash of the entire set, from the hashes of its worlds.
    pub fn commitment(&self, leaves: &[String]) -> String {
        let tier = self.tier.map_or("none".to_owned(), |tier| tier.to_string());
        let Self { family, engine, count, .. } = self;
        hash(&format!("{HIDDEN_FORMAT}\n{family}\n{tier}\n{engine}\n{count}\n{}\n", leaves.join("\n")))
    }
}

impl HiddenWorld {
    /// The hash of the world with this index.
    pub fn leaf(&self, salt: &str, index: usize) -> String {
        let Self { rules, seed, fingerprint } = self;
        hash(&format!("{HIDDEN_FORMAT}\n{salt}\n{index}\n{rules}\n{seed}\n{fingerprint}\n"))
    }
}

/// Bytes in hexadecimal.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing into a string never fails.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// A string's SHA-256, in hexadecimal.
fn hash(text: &str) -> String {
    hexadecimal(&Sha256::digest(text.as_bytes()))
}
