//! Writes the index of equations: which functions implement an equation, and which tests check it.
//!
//! The attribute `farm_core::equation` names a function's equations. A test's name starts with its equations. The index can't judge whether a
//! test is good.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use farm_core::registry::Equation;

use crate::docs::Formulas;

/// The folder with the functions, relative to the top of the repository.
const SOURCES: &str = "farm-entities/src/agronomy";
/// The folders with tests.
const TESTS: [&str; 3] = [SOURCES, "farm-entities/tests", "farm-games/tests"];

/// Checks that every equation has a function and a test. Returns the number of equations.
///
/// # Errors
/// A file cannot be read, a function or test names an equation that does not exist, or an equation has no function or test.
pub(crate) fn check(root: &Path) -> Result<usize> {
    let index = Index::read(root)?;
    let gaps = index.gaps();
    ensure!(gaps.is_empty(), "the equations are not complete:\n  {}", gaps.join("\n  "));
    Ok(index.numbered.len() + index.named.len())
}

/// The site's page that lists functions and tests by equation.
///
/// # Errors
/// A file cannot be read, or a function or test names an equation that does not exist.
pub(crate) fn page(root: &Path) -> Result<String> {
    Ok(Index::read(root)?.page())
}

/// The tests below a folder: file and name.
fn find_tests(root: &Path, folder: &str, found: &mut Vec<(String, String)>) -> Result<()> {
    for entry in fs::read_dir(root.join(folder)).with_context(|| format!("reading {folder}"))? {
        let entry = entry?;
        let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            find_tests(root, &path, found)?;
        } else if path.ends_with(".rs") {
            let text = fs::read_to_string(entry.path()).with_context(|| format!("reading {path}"))?;
            let mut is_test = false;
            for line in text.lines().map(str::trim_start) {
                is_test |= line == "#[test]";
                if let Some((name, _)) = line.strip_prefix("fn ").and_then(|rest| rest.split_once('('))
                    && std::mem::take(&mut is_test)
                {
                    found.push((path.clone(), name.to_owned()));
                }
            }
        }
    }
    Ok(())
}

/// The equations that a test's name promises (`equation_4_…`, `equations_6_and_7_…`, `equations_31_to_33_…`), and the rest of the name.
fn promised_equations(name: &str) -> (Vec<u32>, String) {
    let mut words = name.split('_').peekable();
    let mut numbers: Vec<u32> = Vec::new();
    if words.next_if(|word| matches!(*word, "equation" | "equations")).is_some() {
        let mut is_range = false;
        while let Some(word) = words.next_if(|word| matches!(*word, "and" | "to") || word.parse::<u32>().is_ok()) {
            match (word.parse(), numbers.last().copied()) {
                (Ok(last), Some(first)) if is_range => numbers.extend(first + 1..=last),
                (Ok(number), _) => numbers.push(number),
                (Err(_), _) => is_range = word == "to",
            }
        }
    }
    (numbers, words.collect::<Vec<_>>().join("_"))
}

/// Function names by file, in the order in which they occur in the file.
type Places = BTreeMap<String, Vec<String>>;

/// The functions and tests for one equation.
#[derive(Default)]
struct EquationRow {
    /// The sections of the equation sheet.
    sections: BTreeSet<&'static str>,
    functions: Places,
    tests: Places,
}

struct Index {
    /// The quantities and rows of the paper's equations, by number.
    numbered: BTreeMap<u32, (String, EquationRow)>,
    /// The other equations, by name.
    named: BTreeMap<&'static str, EquationRow>,
}

impl Index {
    fn read(root: &Path) -> Result<Self> {
        let mut tests = Vec::new();
        for folder in TESTS {
            find_tests(root, folder, &mut tests)?;
        }
        Self::new(Formulas::read(root)?.numbered(), &Equation::all(), &tests)
    }

    /// # Errors
    /// A function or test names an equation that is not in the paper.
    fn new(
        quantities: impl Iterator<Item = (u32, String)>,
        functions: &[&Equation],
        tests: &[(String, String)],
    ) -> Result<Self> {
        let numbered = quantities.map(|(number, quantity)| (number, (quantity, EquationRow::default()))).collect();
        let mut index = Self { numbered, named: BTreeMap::new() };
        for function in functions {
            for equation in function.equations() {
                let row = match equation.split_once(": ") {
                    Some((section, name)) => {
                        let row = index.named.entry(name).or_default();
                        row.sections.insert(section);
                        row
                    }
                    None => index.row(equation.parse()?, function.file(), function.function())?,
                };
                add(&mut row.functions, function.file(), function.function());
            }
        }
        for (path, name) in tests {
            let (promised, rest) = promised_equations(name);
            for number in promised {
                add(&mut index.row(number, path, name)?.tests, path, name);
            }
            for (quantity, row) in &mut index.named {
                if rest.starts_with(&prefix(quantity)) {
                    add(&mut row.tests, path, name);
                }
            }
        }
        Ok(index)
    }

    fn row(&mut self, number: u32, path: &str, function: &str) -> Result<&mut EquationRow> {
        let row = self.numbered.get_mut(&number).map(|(_, row)| row);
        row.with_context(|| format!("{path}: `{function}` names equation {number}, which the paper does not have"))
    }

    /// The equations without a function or a test, each with the fix.
    fn gaps(&self) -> Vec<String> {
        let mut gaps = Vec::new();
        for (number, (quantity, row)) in &self.numbered {
            if row.functions.is_empty() {
                gaps.push(format!("equation {number} ({quantity}): no function has `#[equation(\"{number}\")]`"));
            }
            if row.tests.is_empty() {
                gaps.push(format!("equation {number} ({quantity}): no test is named `equation_{number}_…`"));
            }
        }
        for (name, _) in self.named.iter().filter(|(_, row)| row.tests.is_empty()) {
            gaps.push(format!("{name}: no test is named `{}…`", prefix(name)));
        }
        gaps
    }

    fn page(&self) -> String {
        let mut page = HEADER.to_owned();
        page += "## Numbered in the paper\n\n| Eq. | gives | functions | tests |\n|---|---|---|---|\n";
        for (number, (quantity, row)) in &self.numbered {
            _ = writeln!(page, "| {number} | {quantity} | {} | {} |", cell(&row.functions), cell(&row.tests));
        }
        page += "\n## Without a number\n\n| gives | equation sheet | functions | tests |\n|---|---|---|---|\n";
        for (name, row) in &self.named {
            let sections = row.sections.iter().copied().collect::<Vec<_>>().join(", ");
            _ = writeln!(page, "| {name} | {sections} | {} | {} |", cell(&row.functions), cell(&row.tests));
        }
        page
    }
}

const HEADER: &str = "\
# Index of equations

The functions and tests of each equation. `cargo xtask equations` fails if an equation has no function or no test. The
[equation sheet](../equation-sheet.md) has the equations and their differences from the paper.

* A function implements an equation of the Farm-gym paper if it has the attribute `#[equation(\"4\")]`. An equation without
  a number has its section in part II of the equation sheet and a name: `#[equation(\"II.4 step 7: evaporation\")]`.
* A test checks an equation if its name starts with `equation_4_`, `equations_6_and_7_` or `equations_31_to_33_`. For an
  equation without a number, the test's name starts with the equation's name, after the numbers if any.

";

/// The start of a test's name, for an equation without a number.
fn prefix(name: &str) -> String {
    name.replace(' ', "_") + "_"
}

fn add(places: &mut Places, path: &str, name: &str) {
    let names = places.entry(path.to_owned()).or_default();
    // A function may have two sections of the same name.
    if names.last().is_none_or(|last| last != name) {
        names.push(name.to_owned());
    }
}

/// The files, each with its functions. The paths of files in [`SOURCES`] do not include that folder.
fn cell(places: &Places) -> String {
    if places.is_empty() {
        return "**none**".to_owned();
    }
    let file = |(path, names): (&String, &Vec<String>)| {
        let short = path.strip_prefix(SOURCES).map(|rest| rest.trim_start_matches('/')).unwrap_or(path);
        format!("`{short}`: `{}`", names.join("`, `"))
    };
    places.iter().map(file).collect::<Vec<_>>().join("<br>")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_equation_lacks_function_or_test() {
        assert!(check(&crate::root()).unwrap_or_else(|error| panic!("{error:#}")) > 34);
        let page = page(&crate::root()).unwrap();
        for line in ["| 1 | response to quantities out of their ranges | `", "| shade | II.6.8, II.7 shade | `"] {
            assert!(page.contains(line) && !page.contains("**none**"), "{page}");
        }
    }

    #[test]
    fn names_of_tests_promise_equations() {
        for (name, promised, rest) in [
            ("equation_22_microlife_grows", &[22][..], "microlife_grows"),
            ("equations_6_and_7_take_days", &[6, 7], "take_days"),
            ("equations_31_to_33_pests", &[31, 32, 33], "pests"),
            ("equation_of_time", &[], "of_time"),
            ("shade_is_a_disc", &[], "shade_is_a_disc"),
        ] {
            assert_eq!(promised_equations(name), (promised.to_vec(), rest.to_owned()), "{name}");
        }
    }

    static GROWTH: Equation = Equation::new(&["4", "II.4 step 7: evaporation"], "growth", "src/example.rs", 1);

    #[test]
    fn the_index_has_functions_and_tests_of_files_and_tells_what_is_missing() {
        let quantities = || [4, 16].map(|number| (number, format!("quantity {number}"))).into_iter();
        let test = |name: &str| (format!("{SOURCES}/example.rs"), name.to_owned());
        let index = Index::new(quantities(), &[&GROWTH], &[test("equation_4_growth_stops"), test("shade_is")]).unwrap();
        let page = index.page();
        for line in [
            "| 4 | quantity 4 | `src/example.rs`: `growth` | `example.rs`: `equation_4_growth_stops` |",
            "| 16 | quantity 16 | **none** | **none** |",
            "| evaporation | II.4 step 7 | `src/example.rs`: `growth` | **none** |",
        ] {
            assert!(page.lines().any(|found| found == line), "{line}\n{page}");
        }
        assert_eq!(index.gaps().len(), 3, "{:?}", index.gaps());
        assert!(index.gaps().contains(&"evaporation: no test is named `evaporation_…`".to_owned()));
        let refused = Index::new(quantities(), &[], &[test("equation_0_f")]).err().unwrap().to_string();
        assert!(refused.contains("example.rs") && refused.contains("equation 0,"), "{refused}");
    }
}
