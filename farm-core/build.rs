//! Records how the crate is built, to compare a plugin with the program that loads it (`src/plugin/fingerprint.rs`).

use std::path::{Path, PathBuf};
use std::process::Command;

/// Separates the entries of the identity; no entry contains it.
const SEPARATOR: &str = "|";

#[allow(clippy::print_stdout, reason = "cargo reads what a build script prints")]
fn main() {
    let mut sources = files(Path::new("src"));
    sources.push(PathBuf::from("Cargo.toml"));
    sources.sort();
    let mut hash = Hash(0xcbf2_9ce4_8422_2325);
    for file in &sources {
        hash.add(file.to_string_lossy().replace('\\', "/").as_bytes());
        hash.add(&std::fs::read(file).unwrap_or_default());
    }
    let entries = [
        format!("farm-core {}", variable("CARGO_PKG_VERSION")),
        format!("rustc {}", compiler()),
        format!("target {}", variable("TARGET")),
        format!("processor features {}", variable("CARGO_CFG_TARGET_FEATURE")),
        format!("crate features {}", features()),
        format!("opt-level {}", variable("OPT_LEVEL")),
        format!("panic {}", variable("CARGO_CFG_PANIC")),
        format!("sources {:016x}", hash.0),
    ];
    println!("cargo::rustc-env=FARM_CORE_IDENTITY={}", entries.join(SEPARATOR));
    println!("cargo::rerun-if-changed=src");
    println!("cargo::rerun-if-changed=Cargo.toml");
    println!("cargo::rerun-if-changed=build.rs");
}

/// A variable that cargo sets; empty if it is not set.
fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_default()
}

/// Version and commit of the compiler.
fn compiler() -> String {
    let output = Command::new(variable("RUSTC")).arg("-vV").output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let line = |key: &str| text.lines().find_map(|line| line.strip_prefix(key)).unwrap_or("?").trim().to_owned();
    format!("{} {}", line("release:"), line("commit-hash:"))
}

/// The enabled features of this crate, except `plugins`, which changes nothing that a plugin and a program share: a program that can load
/// plugins loads plugins built without this feature.
fn features() -> String {
    let names = std::env::vars().filter_map(|(name, _)| name.strip_prefix("CARGO_FEATURE_").map(str::to_lowercase));
    let mut names: Vec<String> = names.filter(|name| name != "plugins").collect();
    names.sort();
    if names.is_empty() { "none".to_owned() } else { names.join(",") }
}

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// FNV-1a, 64 bits.
struct Hash(u64);

impl Hash {
    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}
