//! For each published rule seed, records the draw that gives rules worth playing, so that family members open without planning.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use farm_core::in_parallel;
use farm_games::families::{DRAWS, FAMILIES, PUBLISHED, RuleFamily, RuleSplit, draws};

/// The file's folder, relative to the top of the repository.
const CRATE: &str = "farm-games";

/// Finds the draws of all rules, and writes them or compares them with the existing ones.
///
/// # Errors
/// Rules can't be drawn, the file can't be written, or, with `check`, it is missing or differs.
pub(crate) fn run(root: &Path, check: bool) -> Result<String> {
    let mut text = String::new();
    for family in FAMILIES {
        for split in RuleSplit::ALL {
            line(&mut text, &family, split, PUBLISHED)?;
        }
    }
    let path = root.join(CRATE).join(DRAWS);
    if check {
        let found = fs::read_to_string(&path).unwrap_or_default();
        ensure!(
            found == text,
            "{} has draws that are not the first suitable ones: run `cargo xtask rules`",
            path.display()
        );
    } else {
        fs::write(&path, text).with_context(|| format!("{} can't be written", path.display()))?;
    }
    Ok(format!("{CRATE}/{DRAWS}"))
}

/// Adds a split's line, with the draws for the first rule seeds.
fn line(text: &mut String, family: &RuleFamily, split: RuleSplit, seeds: u64) -> Result<()> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let found = in_parallel(seeds as usize, threads, || (), |(), seed| draws(family, split, seed as u64));
    let found: Vec<u64> = found.into_iter().collect::<Result<_, _>>()?;
    let found: Vec<String> = found.iter().map(u64::to_string).collect();
    writeln!(text, "{},{},{}", family.name, split.name(), found.join(","))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_begin_as_those_of_the_file_do() {
        let file = fs::read_to_string(crate::root().join(CRATE).join(DRAWS)).unwrap();
        let mut text = String::new();
        line(&mut text, &FAMILIES[0], RuleSplit::Test, 2).unwrap();
        assert!(file.lines().any(|known| known.starts_with(&format!("{},", text.trim_end()))), "{text}");
    }
}
