//! A library's build identity, which is text that can be compared before any of the library's code runs.
//!
//! Rust guarantees no ABI. A program and a plugin are compatible only if the same compiler built both from the same sources with the same
//! options. The identity comes after a marker in the library file, so the program can read it from the file's bytes. An incompatible
//! library therefore never reaches the system loader, which would run the library's constructors.

use crate::action::Call;
use crate::config::Problem;
use crate::declare::{Declarations, Found, Known, PartInfo};
use crate::game::Game;
use crate::observation::Slot;
use crate::part::{Attempt, Behaviour, Bind, Context, Event};
use crate::rules::{RuleBuilder, Rules};
use crate::spec::GameSpec;
use crate::state::{Reader, State};

/// The separator between an identity's entries.
const SEPARATOR: char = '|';

/// The marker before a plugin's identity in its file.
pub const MARKER: &str = "\u{1}farm-gym-plugin-identity\u{1}";
/// The marker after the identity.
pub const END: &str = "\u{1}end\u{1}";

/// How this copy of the engine was built, as its version, compiler, target, features, optimisation, and a hash of its sources.
pub const IDENTITY: &str = env!("FARM_CORE_IDENTITY");

/// Joins texts into an array that can be stored in a `static`.
#[doc(hidden)]
pub const fn joined<const N: usize>(parts: [&str; 4]) -> [u8; N] {
    let mut joined = [0; N];
    let (mut part, mut at) = (0, 0);
    while part < parts.len() {
        let bytes = parts[part].as_bytes();
        let mut i = 0;
        while i < bytes.len() {
            joined[at] = bytes[i];
            at += 1;
            i += 1;
        }
        part += 1;
    }
    joined
}

/// The total length of the texts, in bytes.
#[doc(hidden)]
pub const fn length(parts: [&str; 4]) -> usize {
    let (mut part, mut sum) = (0, 0);
    while part < parts.len() {
        sum += parts[part].len();
        part += 1;
    }
    sum
}

/// A hash of the sizes and alignments of all types used across the ABI, including types from other crates. The engine's sources do not
/// determine those crates' versions.
pub const LAYOUT: u64 = {
    const fn combined(hash: u64, number: usize) -> u64 {
        (hash ^ number as u64).wrapping_mul(0x0000_0100_0000_01b3)
    }
    macro_rules! layout {
        ($($ty:ty),+ $(,)?) => {{
            let mut hash = 0xcbf2_9ce4_8422_2325;
            $( hash = combined(combined(hash, size_of::<$ty>()), align_of::<$ty>()); )+
            combined(hash, cfg!(debug_assertions) as usize)
        }};
    }
    layout!(
        serde_yaml::Value,
        serde_yaml::Mapping,
        indexmap::IndexMap<String, serde_yaml::Value>,
        indexmap::IndexMap<String, Problem>,
        serde_json::Value,
        GameSpec,
        Game,
        State,
        Declarations<'static>,
        Known<'static>,
        Found<'static>,
        Bind<'static, dyn Behaviour>,
        PartInfo,
        RuleBuilder<'static>,
        Rules,
        Problem,
        Context<'static>,
        Reader<'static>,
        Slot<'static>,
        Attempt<'static>,
        Event,
        Call,
    )
};

/// The identity found in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Claim {
    /// The plugin's name.
    pub name: String,
    /// The plugin's version.
    pub version: String,
    /// The name of the plugin's crate in code, which is also the end of its symbol.
    pub krate: String,
    /// How the plugin was built.
    pub built: String,
}

/// Finds the identity in the bytes of a library file.
pub(super) fn claim(file: &[u8]) -> Option<Claim> {
    let (marker, end) = (MARKER.as_bytes(), END.as_bytes());
    let mut rest = file;
    // The engine inside the plugin contains the marker a second time, without an identity after it.
    while let Some(at) = position(rest, marker) {
        rest = &rest[at + marker.len()..];
        let window = &rest[..rest.len().min(4096)];
        let Some(text) = position(window, end).and_then(|len| std::str::from_utf8(&window[..len]).ok()) else {
            continue;
        };
        if text.contains(MARKER) {
            continue;
        }
        let mut entries = text.splitn(4, SEPARATOR).map(str::to_owned);
        if let (Some(name), Some(version), Some(krate), Some(built)) =
            (entries.next(), entries.next(), entries.next(), entries.next())
            && built.starts_with("farm-core ")
        {
            return Some(Claim { name, version, krate, built });
        }
    }
    None
}

fn position(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack.windows(needle.len()).position(|window| window == needle)
}

/// How two builds differ, in words; `None` if they are the same.
pub(super) fn differences(plugin: &str, host: &str) -> Option<String> {
    if plugin == host {
        return None;
    }
    let (theirs, ours): (Vec<&str>, Vec<&str>) = (plugin.split(SEPARATOR).collect(), host.split(SEPARATOR).collect());
    if theirs.len() != ours.len() {
        return Some(format!("it was built as `{plugin}`, this program as `{host}`"));
    }
    let differ = theirs.iter().zip(&ours).filter(|(theirs, ours)| theirs != ours);
    let words: Vec<String> = differ.map(|(theirs, ours)| format!("it has `{theirs}`, this program `{ours}`")).collect();
    Some(words.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_identity_is_found_behind_the_marker_and_nowhere_else() {
        let text = [MARKER, "some-thing|1.2.3|some_thing|", IDENTITY, END, "more"];
        let file = ["code", MARKER, " code ", &text.concat(), "more"].concat();
        let found = claim(file.as_bytes()).unwrap();
        assert_eq!(
            (found.name.as_str(), found.version.as_str(), found.krate.as_str()),
            ("some-thing", "1.2.3", "some_thing")
        );
        assert_eq!(differences(&found.built, IDENTITY), None);
        assert_eq!(claim(b"code"), None);
        assert_eq!(claim([MARKER, "cut"].concat().as_bytes()), None);
        assert_eq!(joined::<{ length(["a", "bc", "", "de"]) }>(["a", "bc", "", "de"]), *b"abcde");
    }

    #[test]
    fn only_what_differs_is_told() {
        let words = differences("farm-core 1|rustc 2|target a", "farm-core 1|rustc 3|target a").unwrap();
        assert_eq!(words, "it has `rustc 2`, this program `rustc 3`");
        assert!(IDENTITY.split(SEPARATOR).count() >= 8 && IDENTITY.contains("rustc 1."), "{IDENTITY}");
    }
}
