//! Finds the project's sources.

use std::fs;
use std::path::{Path, PathBuf};

/// The repository that contains a folder: the folder itself, or its nearest ancestor, whose workspace contains the engine. `None` outside
/// the sources.
pub fn find_repository(folder: &Path) -> Option<PathBuf> {
    let folder = std::path::absolute(folder).ok()?;
    let is_top = |folder: &&Path| {
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap_or_default();
        manifest.contains("[workspace]") && manifest.contains("\"farm-core\"") && folder.join("farm-core").is_dir()
    };
    folder.ancestors().find(is_top).map(Path::to_path_buf)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_repository_is_found_from_its_folders_and_from_nowhere_else() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        for folder in [here.to_owned(), here.join("src"), here.join("..").canonicalize().unwrap()] {
            assert_eq!(find_repository(&folder).as_deref(), here.parent(), "{}", folder.display());
        }
        assert_eq!(find_repository(&std::env::temp_dir()), None);
    }
}
