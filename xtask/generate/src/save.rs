//! Files with charts, which a task writes or compares.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};

/// Writes a file, or compares it with the existing one.
pub(crate) fn save(path: &Path, text: &str, check: bool) -> Result<()> {
    if check {
        let found = fs::read_to_string(path).unwrap_or_default();
        ensure!(found == text, "{} differs from its numbers: run `cargo xtask curves`", path.display());
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).with_context(|| format!("{} can't be created", folder.display()))?;
    }
    fs::write(path, text).with_context(|| format!("{} can't be written", path.display()))
}
