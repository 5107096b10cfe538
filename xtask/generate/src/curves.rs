//! Plays the studies of doses and responses: their pictures, and what holds of what they expect, on the page "How right is it?".

use std::fmt::Write as _;
use std::fs;
use std::num::NonZero;
use std::path::Path;

use anyhow::{Context as _, Result, anyhow, ensure};
use farm_study::{SHIPPED, Study};

/// The page with the verdicts, relative to the top of the repository.
pub(crate) const PAGE: &str = "docs/how-right-is-it.md";
/// The folder of the pictures.
pub(crate) const FOLDER: &str = "docs/pictures/curves";

/// The folder of the studies, as they name it.
const STUDIES: &str = "curves";
/// What is written stands between these lines of the page.
const BEGIN: &str = "<!-- `cargo xtask curves` writes what follows. -->\n";
const END: &str = "<!-- Up to here. -->\n";

/// Plays the studies and writes their pictures and verdicts, or compares them with those that are there.
///
/// # Errors
/// A study that is wrong, or of which something is not as it says; a file that can't be read or written; with `check`, a file that
/// differs.
pub(crate) fn run(root: &Path, check: bool) -> Result<()> {
    let page = root.join(PAGE);
    let text = fs::read_to_string(&page).with_context(|| format!("{} can't be read", page.display()))?;
    let (before, rest) = text.split_once(BEGIN).ok_or_else(|| anyhow!("{PAGE} lacks the line {BEGIN}"))?;
    let (_, after) = rest.split_once(END).ok_or_else(|| anyhow!("{PAGE} lacks the line {END}"))?;
    let mut block = String::new();
    let mut wrong = Vec::new();
    for shipped in SHIPPED.iter().filter(|shipped| shipped.folder == STUDIES) {
        let study = Study::read(shipped.name)?;
        let results = study.run(std::thread::available_parallelism().map_or(1, NonZero::get))?;
        let picture = format!("{FOLDER}/{}.svg", shipped.name);
        save(&root.join(&picture), &study.chart(&results)?.svg(), check)?;
        let file = study.file();
        write!(block, "\n### {}\n\n![{}](pictures/{STUDIES}/{}.svg)\n", file.title, file.claim, shipped.name)?;
        write!(block, "\n| what `{}` expects | found | verdict |\n|---|---|---|\n", shipped.name)?;
        for row in study.rows(&results) {
            writeln!(block, "| {} |", row.map(|cell| cell.replace('|', "\\|")).join(" | "))?;
        }
        wrong.extend(results.findings.iter().filter(|finding| !finding.is_as_said()).map(|finding| {
            let found: Vec<String> = finding
                .verdicts
                .iter()
                .map(|verdict| format!("{} {} {}", verdict.line, verdict.found, verdict.holds))
                .collect();
            format!("{}: {} is not as the study says: {}", shipped.name, finding.claim, found.join("; "))
        }));
    }
    save(&page, &format!("{before}{BEGIN}{block}\n{END}{after}"), check)?;
    ensure!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(())
}

/// Writes a file, or compares it.
fn save(path: &Path, text: &str, check: bool) -> Result<()> {
    if check {
        let found = fs::read_to_string(path).unwrap_or_default();
        ensure!(found == text, "{} is not what the studies show: run `cargo xtask curves`", path.display());
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).with_context(|| format!("{} can't be made", folder.display()))?;
    }
    fs::write(path, text).with_context(|| format!("{} can't be written", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curves_are_as_the_studies_say_and_as_cargo_xtask_curves_draws_them() {
        run(&crate::root(), true).unwrap();
    }

    #[test]
    fn a_page_without_the_lines_is_left_alone() {
        let root = std::env::temp_dir().join(format!("farm-curves-{}", std::process::id()));
        fs::create_dir_all(root.join("docs")).unwrap();
        fs::write(root.join(PAGE), "# A page\n").unwrap();
        assert!(run(&root, false).unwrap_err().to_string().contains("lacks the line"));
        fs::remove_dir_all(&root).unwrap();
    }
}
