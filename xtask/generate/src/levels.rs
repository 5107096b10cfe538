//! Writes the games' levels: the worlds with fixed seeds.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use farm_games::level;

/// The folder of the levels, relative to the top of the repository.
pub(crate) const FOLDER: &str = "farm-games/levels";

/// Writes the levels, or compares them with the existing ones.
///
/// # Errors
/// A file can't be read or written, or, with `check`, a file is missing or differs.
pub(crate) fn run(root: &Path, check: bool) -> Result<()> {
    for file in level::wanted()? {
        let path = root.join("farm-games").join(&file.path);
        if check {
            let found = fs::read_to_string(&path).unwrap_or_default();
            ensure!(found == file.text, "{} is not the world of its seed: run `cargo xtask levels`", path.display());
            continue;
        }
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).with_context(|| format!("{} can't be created", folder.display()))?;
        }
        fs::write(&path, file.text).with_context(|| format!("{} can't be written", path.display()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_levels_are_what_cargo_xtask_levels_writes() {
        run(&crate::root(), true).unwrap();
    }

    #[test]
    fn a_level_that_differs_or_is_missing_is_found_and_written_anew() {
        let root = std::env::temp_dir().join(format!("farm-levels-{}", std::process::id()));
        let error = run(&root, true).unwrap_err().to_string();
        assert!(error.contains("run `cargo xtask levels`"), "{error}");
        run(&root, false).unwrap();
        run(&root, true).unwrap();
        let one = root.join(FOLDER).join("valley_farm/test/07.yaml");
        let text = fs::read_to_string(&one).unwrap();
        fs::write(&one, text.replacen("game:", "game: ", 1)).unwrap();
        assert!(run(&root, true).unwrap_err().to_string().contains("07.yaml"));
        fs::remove_dir_all(&root).unwrap();
    }
}
