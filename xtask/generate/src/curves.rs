//! Plays the project's studies, and draws pictures for three pages. "How right is it?" and "Studies" get the studies' pictures and
//! verdicts, and "What daily watering yields" gets its charts.

use std::fmt::Write as _;
use std::fs;
use std::num::NonZero;
use std::path::Path;

use anyhow::{Context as _, Result, anyhow, ensure};
use farm_study::{SHIPPED, Study};

use crate::save::save;
use crate::seasons;

/// A page with studies.
pub(crate) struct Page {
    /// The page, relative to the top of the repository.
    pub file: &'static str,
    /// The folder for the pictures, relative to the page's folder.
    pub pictures: &'static str,
    /// The folder that contains the studies, as studies name it.
    studies: &'static str,
}

/// The pages: doses and responses, and the figures in the Farm-gym paper.
pub(crate) const PAGES: [Page; 2] = [
    Page { file: "docs/how-right-is-it.md", pictures: "pictures/curves", studies: "curves" },
    Page { file: "docs/studies.md", pictures: "pictures/studies", studies: "paper" },
];

/// The generated text on a page is between these lines.
const BEGIN: &str = "<!-- `cargo xtask curves` writes what follows. -->\n";
pub(crate) const END: &str = "<!-- Up to here. -->\n";

/// Plays the studies and writes their pictures and verdicts, or compares them with the existing ones.
///
/// # Errors
/// A study is invalid, or its claims do not hold. A file can't be read or written, or, with `check`, a file differs.
pub(crate) fn run(root: &Path, check: bool) -> Result<()> {
    PAGES.iter().try_for_each(|page| write(root, page, check))?;
    seasons::run(root, check)
}

fn write(root: &Path, Page { file, pictures, studies }: &Page, check: bool) -> Result<()> {
    let page = root.join(file);
    let text = fs::read_to_string(&page).with_context(|| format!("{} can't be read", page.display()))?;
    let (before, rest) = text.split_once(BEGIN).ok_or_else(|| anyhow!("{file} lacks the line {BEGIN}"))?;
    let (_, after) = rest.split_once(END).ok_or_else(|| anyhow!("{file} lacks the line {END}"))?;
    let mut block = String::new();
    let mut wrong = Vec::new();
    for shipped in SHIPPED.iter().filter(|shipped| shipped.folder == *studies) {
        let study = Study::read(shipped.name)?;
        let results = study.run(std::thread::available_parallelism().map_or(1, NonZero::get))?;
        let picture = format!("docs/{pictures}/{}.svg", shipped.name);
        save(&root.join(&picture), &study.chart(&results)?.svg(), check)?;
        let said = study.file();
        write!(block, "\n### {}\n\n![{}]({pictures}/{}.svg)\n", said.title, said.claim, shipped.name)?;
        write!(block, "\n| `{}` expects | found | verdict |\n|---|---|---|\n", shipped.name)?;
        for row in study.rows(&results) {
            writeln!(block, "| {} |", row.map(|cell| cell.replace('|', "\\|")).join(" | "))?;
        }
        wrong.extend(results.findings.iter().filter(|finding| !finding.is_as_said()).map(|finding| {
            let found: Vec<String> = finding
                .verdicts
                .iter()
                .map(|verdict| format!("{} {} {}", verdict.line, verdict.found, verdict.holds))
                .collect();
            format!("{}: the claim {} does not hold: {}", shipped.name, finding.claim, found.join("; "))
        }));
    }
    save(&page, &format!("{before}{BEGIN}{block}\n{END}{after}"), check)?;
    ensure!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(())
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
        fs::write(root.join(PAGES[0].file), "# A page\n").unwrap();
        assert!(run(&root, false).unwrap_err().to_string().contains("lacks the line"));
        fs::remove_dir_all(&root).unwrap();
    }
}
