//! Writes the index of equations: which function implements an equation in the Farm-gym paper, and which test checks it.
//!
//! The index is built from the source tokens, by the rules in its header. It repeats statements from doc comments and test names; it can't
//! judge whether a test is good.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow, bail, ensure};
use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// The folder with the functions, relative to the top of the repository.
const SOURCES: &str = "farm-entities/src/agronomy";
/// Further folders with tests.
const TESTS: [&str; 2] = ["farm-entities/tests", "farm-games/tests"];

/// The quantities that the paper's numbered equations compute, in order.
const NUMBERED: [&str; 34] = [
    "exponential response ℰ",
    "survival of seeds",
    "sprouting",
    "rate of growth",
    "water wanted",
    "height",
    "blooming",
    "height at which plants bloom",
    "survival of growing plants",
    "number of flowers",
    "pollinated flowers",
    "pollination by wind",
    "pollination by insects",
    "fruiting",
    "survival of plants in bloom",
    "rate of fruit growth",
    "fruit weight",
    "ripening",
    "weight at which fruits ripen",
    "survival of plants with fruits",
    "decay of ripe fruits",
    "survival of microlife",
    "reference evapotranspiration ET₀",
    "extraterrestrial radiation R_a",
    "distance of the sun, declination, sunset",
    "arrival of weed seeds",
    "sprouting of weeds",
    "flowering of weeds",
    "survival of weeds",
    "pests that reach the field",
    "pests of a plot",
    "arrival of pests",
    "stay of pests",
    "visits of pollinators",
];

/// An equation without a number.
struct Unnumbered {
    quantity: &'static str,
    /// Sections of the equation sheet that functions cite.
    sections: &'static [&'static str],
    /// The first words of test names.
    words: &'static [&'static str],
}

/// The implemented equations that have no number in the paper.
const UNNUMBERED: [Unnumbered; 14] = [
    Unnumbered {
        quantity: "crop coefficient, transpiration",
        sections: &["II.6.5"],
        words: &["crop_coefficient", "transpiration"],
    },
    Unnumbered { quantity: "evaporation of the soil", sections: &["II.4 step 7"], words: &["evaporation"] },
    Unnumbered { quantity: "release of the bedrock", sections: &["II.4 step 2"], words: &["bedrock"] },
    Unnumbered { quantity: "demand", sections: &["II.6.3", "II.7 demand"], words: &["demand"] },
    Unnumbered { quantity: "uptake", sections: &["II.4 step 5", "II.4 step 6"], words: &["uptake"] },
    Unnumbered { quantity: "leaching", sections: &["II.4 step 10"], words: &["leaching"] },
    Unnumbered {
        quantity: "release of fertilisers and cides",
        sections: &["II.5"],
        words: &["fertilizer_release", "cide_release"],
    },
    Unnumbered { quantity: "growth of microlife", sections: &["II.4 step 9"], words: &["microlife"] },
    Unnumbered { quantity: "shade", sections: &["II.6.8", "II.7 shade"], words: &["shade"] },
    Unnumbered { quantity: "release of dead matter", sections: &["II.6.7 dead"], words: &["dead_plants_give_back"] },
    Unnumbered { quantity: "yield", sections: &["II.6.2 harvest"], words: &["yield"] },
    Unnumbered { quantity: "movement of pests", sections: &["II.8 step 4"], words: &["movement"] },
    Unnumbered { quantity: "distribution of pests over hosts", sections: &["II.8 step 5"], words: &["hosts"] },
    Unnumbered { quantity: "number of birds", sections: &["II.10"], words: &["number_of_birds"] },
];

/// Checks that every equation has a function and a test. Returns the number of equations.
///
/// # Errors
/// A file cannot be read, a doc comment cites an equation that does not exist, or an equation has no function or test.
pub(crate) fn check(root: &Path) -> Result<usize> {
    let index = Index::of(&read(root)?)?;
    let gaps = index.gaps();
    ensure!(gaps.is_empty(), "the equations are not complete:\n  {}", gaps.join("\n  "));
    Ok(index.numbered.len() + index.unnumbered.len())
}

/// The site's page that lists functions and tests by equation.
///
/// # Errors
/// A file cannot be read, or a doc comment cites an equation that does not exist.
pub(crate) fn page(root: &Path) -> Result<String> {
    Ok(Index::of(&read(root)?)?.page())
}

/// A source file: its text, and its path relative to the top of the repository, with slashes.
type Source = (String, String);

/// All Rust files in the scanned folders, in the order of their paths.
fn read(root: &Path) -> Result<Vec<Source>> {
    let mut paths = Vec::new();
    for folder in std::iter::once(SOURCES).chain(TESTS) {
        find(&root.join(folder), &mut paths)?;
    }
    paths.sort();
    let relative = |path: &Path| {
        let parts = path.strip_prefix(root).unwrap_or(path).components();
        parts.map(|part| part.as_os_str().to_string_lossy().into_owned()).collect::<Vec<_>>().join("/")
    };
    let text = |path: &Path| std::fs::read_to_string(path).with_context(|| format!("reading {}", relative(path)));
    paths.iter().map(|path| Ok((relative(path), text(path)?))).collect()
}

fn find(folder: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    for entry in std::fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            find(&path, found)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    Ok(())
}

/// A function in the sources.
struct Function {
    name: String,
    /// The lines of its doc comment, joined by spaces.
    doc: String,
    is_test: bool,
    /// Whether the function is in the test module, even if it is not a test itself.
    among_tests: bool,
}

/// The functions in a file, including those in macros.
fn functions(path: &str, text: &str) -> Result<Vec<Function>> {
    let tokens: TokenStream = text.parse().map_err(|error| anyhow!("{path}: {error}"))?;
    let among_tests = path.ends_with("/tests.rs") || path.contains("/tests/") || !path.starts_with(SOURCES);
    let mut found = Vec::new();
    functions_of(tokens, among_tests, &mut found);
    Ok(found)
}

fn functions_of(tokens: TokenStream, among_tests: bool, found: &mut Vec<Function>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    // The doc comment and the attributes before a function.
    let (mut doc, mut is_test) = (String::new(), false);
    for (i, token) in tokens.iter().enumerate() {
        let before = |steps: usize| i.checked_sub(steps).map(|at| tokens[at].to_string()).unwrap_or_default();
        match token {
            TokenTree::Group(attribute) if before(1) == "#" => {
                is_test |= attribute.stream().to_string() == "test";
                if let Some(sentence) = sentence(attribute.stream()) {
                    doc.push_str(sentence.trim());
                    doc.push(' ');
                }
            }
            TokenTree::Group(body) => {
                if body.delimiter() != Delimiter::Parenthesis {
                    doc.clear();
                    is_test = false;
                }
                let is_tests = before(1) == "tests" && before(2) == "mod";
                functions_of(body.stream(), among_tests || is_tests, found);
            }
            TokenTree::Ident(name) if before(1) == "fn" => {
                let doc = std::mem::take(&mut doc);
                found.push(Function { name: name.to_string(), doc, is_test, among_tests });
                is_test = false;
            }
            // The doc comment belongs to another item.
            TokenTree::Punct(sign) if sign.as_char() == ';' => {
                doc.clear();
                is_test = false;
            }
            _ => {}
        }
    }
}

/// The sentence in a doc comment, from its attribute.
fn sentence(attribute: TokenStream) -> Option<String> {
    let mut tokens = attribute.into_iter();
    tokens.next().filter(|word| word.to_string() == "doc")?;
    syn::parse_str::<syn::LitStr>(&tokens.nth(1)?.to_string()).ok().map(|text| text.value())
}

/// The number at the start of `text`, and the rest.
fn number(text: &str) -> Option<(usize, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    Some((text[..end].parse().ok()?, &text[end..]))
}

/// The numbers in a list such as `4, 16`, `4 and 16` or `31–33`, and the rest.
fn numbers(text: &str) -> (Vec<usize>, &str) {
    let (mut found, mut rest) = (Vec::new(), text);
    let mut next = number(rest);
    while let Some((first, after)) = next {
        let range = after.strip_prefix('–').and_then(number);
        let (last, after) = range.unwrap_or((first, after));
        found.extend(first..=last);
        rest = after;
        next = rest.strip_prefix(", ").or_else(|| rest.strip_prefix(" and ")).and_then(number);
    }
    (found, rest)
}

/// The paper's equations that a doc comment cites: `Eq. 4`, `Eqs. 4, 16` or `Eqs. 31–33`. They count only if the last source before them is
/// `Farm-gym` and not `FAO-56`.
fn cited_equations(doc: &str) -> Vec<usize> {
    let mut cited = Vec::new();
    for (at, _) in doc.match_indices("Eq") {
        // None is less than any position.
        if doc[..at].rfind("Farm-gym") <= doc[..at].rfind("FAO-56") {
            continue;
        }
        if let Some(one) = doc[at..].strip_prefix("Eq. ") {
            cited.extend(number(one).map(|(n, _)| n));
        } else if let Some(several) = doc[at..].strip_prefix("Eqs. ") {
            cited.extend(numbers(several).0);
        }
    }
    cited
}

/// The sections of the equation sheet's part II that a doc comment cites. `II.6.3, 6.5` and `II.4 steps 5, 6` are two sections each;
/// `II.6.7 dead` names a paragraph.
fn cited_sections(doc: &str) -> Vec<String> {
    let mut cited = Vec::new();
    for (at, _) in doc.match_indices("II.").filter(|(at, _)| !doc[..*at].ends_with('I')) {
        let mut rest = &doc[at + "II.".len()..];
        loop {
            let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
            let section = format!("II.{}", rest[..end].trim_end_matches('.'));
            rest = &rest[end..];
            let word = rest.strip_prefix(' ').unwrap_or_default();
            let word = &word[..word.find(|c: char| !c.is_alphanumeric()).unwrap_or(word.len())];
            if matches!(word, "step" | "steps") {
                let (steps, after) = numbers(rest[1 + word.len()..].trim_start());
                cited.extend(steps.into_iter().map(|step| format!("{section} step {step}")));
                rest = after;
            } else if !word.is_empty() {
                cited.push(format!("{section} {word}"));
            }
            cited.push(section);
            match rest.strip_prefix(", ").filter(|next| number(next).is_some_and(|(_, after)| after.starts_with('.'))) {
                Some(next) => rest = next,
                None => break,
            }
        }
    }
    cited
}

/// The equations that a test's name promises (`equation_4_…`, `equations_6_and_7_…`, `equations_31_to_33_…`), and the rest of the name.
fn promised_equations(name: &str) -> (Vec<usize>, &str) {
    if let Some((n, rest)) = name.strip_prefix("equation_").and_then(number) {
        return (vec![n], rest.trim_start_matches('_'));
    }
    let Some((first, rest)) = name.strip_prefix("equations_").and_then(number) else { return (Vec::new(), name) };
    if let Some((last, rest)) = rest.strip_prefix("_to_").and_then(number) {
        return ((first..=last).collect(), rest.trim_start_matches('_'));
    }
    let (mut promised, mut rest) = (vec![first], rest);
    while let Some((next, after)) = rest.strip_prefix("_and_").and_then(number) {
        promised.push(next);
        rest = after;
    }
    (promised, rest.trim_start_matches('_'))
}

/// Whether a name starts with these whole words.
fn begins_with(name: &str, words: &str) -> bool {
    name.strip_prefix(words).is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
}

/// Function names by file, in the order in which they occur in the file.
type Places = BTreeMap<String, Vec<String>>;

/// The functions and tests for one equation.
#[derive(Default)]
struct EquationRow {
    functions: Places,
    tests: Places,
}

struct Index {
    numbered: Vec<EquationRow>,
    unnumbered: Vec<EquationRow>,
}

impl Index {
    /// # Errors
    /// A doc comment cites an equation that is not in the paper.
    fn of(sources: &[Source]) -> Result<Self> {
        let rows = |count: usize| std::iter::repeat_with(EquationRow::default).take(count).collect();
        let mut index = Self { numbered: rows(NUMBERED.len()), unnumbered: rows(UNNUMBERED.len()) };
        for (path, text) in sources {
            for function in functions(path, text)? {
                if function.is_test {
                    index.add_test(path, &function.name)?;
                } else if !function.among_tests {
                    index.add_function(path, &function)?;
                }
            }
        }
        Ok(index)
    }

    fn add_function(&mut self, path: &str, function: &Function) -> Result<()> {
        for n in cited_equations(&function.doc) {
            add(&mut self.row(n, path, &function.name)?.functions, path, &function.name);
        }
        let sections = cited_sections(&function.doc);
        for (row, equation) in self.unnumbered.iter_mut().zip(&UNNUMBERED) {
            if equation.sections.iter().any(|section| sections.iter().any(|cited| cited == section)) {
                add(&mut row.functions, path, &function.name);
            }
        }
        Ok(())
    }

    fn add_test(&mut self, path: &str, name: &str) -> Result<()> {
        let (promised, rest) = promised_equations(name);
        for n in promised {
            add(&mut self.row(n, path, name)?.tests, path, name);
        }
        for (row, equation) in self.unnumbered.iter_mut().zip(&UNNUMBERED) {
            if equation.words.iter().any(|words| begins_with(rest, words)) {
                add(&mut row.tests, path, name);
            }
        }
        Ok(())
    }

    fn row(&mut self, n: usize, path: &str, function: &str) -> Result<&mut EquationRow> {
        match n.checked_sub(1).and_then(|i| self.numbered.get_mut(i)) {
            Some(row) => Ok(row),
            None => bail!("{path}: `{function}` names equation {n}; the paper has 1 to {}", NUMBERED.len()),
        }
    }

    /// The equations without a function or a test, each with the fix.
    fn gaps(&self) -> Vec<String> {
        let mut gaps = Vec::new();
        for (i, row) in self.numbered.iter().enumerate() {
            let (n, what) = (i + 1, NUMBERED[i]);
            if row.functions.is_empty() {
                gaps.push(format!("equation {n} ({what}): no doc comment under {SOURCES} says `Farm-gym Eq. {n}`"));
            }
            if row.tests.is_empty() {
                gaps.push(format!("equation {n} ({what}): no test is named `equation_{n}_…`"));
            }
        }
        for (row, equation) in self.unnumbered.iter().zip(&UNNUMBERED) {
            let what = equation.quantity;
            if row.functions.is_empty() {
                let sections = equation.sections.join("` or `");
                gaps.push(format!("{what}: no doc comment under {SOURCES} says `{sections}`"));
            }
            if row.tests.is_empty() {
                gaps.push(format!("{what}: no test is named `{}_…`", equation.words.join("_…` or `")));
            }
        }
        gaps
    }

    fn page(&self) -> String {
        let mut page = HEADER.to_owned();
        page += "## Numbered in the paper\n\n| Eq. | gives | functions | tests |\n|---|---|---|---|\n";
        for (i, row) in self.numbered.iter().enumerate() {
            let (functions, tests) = (cell(&row.functions), cell(&row.tests));
            _ = writeln!(page, "| {} | {} | {functions} | {tests} |", i + 1, NUMBERED[i]);
        }
        page += "\n## Without a number\n\n| gives | equation sheet | names of tests | functions | tests |\n|---|---|---|---|---|\n";
        for (row, equation) in self.unnumbered.iter().zip(&UNNUMBERED) {
            let (sections, words) = (equation.sections.join(", "), equation.words.join("_…`, `"));
            let (functions, tests) = (cell(&row.functions), cell(&row.tests));
            _ = writeln!(page, "| {} | {sections} | `{words}_…` | {functions} | {tests} |", equation.quantity);
        }
        page
    }
}

const HEADER: &str = "\
# Index of equations

The functions and tests of each equation, read from the sources when the site is built. `cargo xtask equations` fails if
an equation has no function or no test. The [equation sheet](../equation-sheet.md) has the equations and their differences
from the paper.

* A function under `farm-entities/src/agronomy` implements a numbered equation of the Farm-gym paper if its doc comment
  cites `Farm-gym Eq. 4`, `Farm-gym Eqs. 4, 16` or `Farm-gym Eqs. 31–33`. Numbers after `FAO-56` belong to that book.
* A test there, in `farm-entities/tests` or in `farm-games/tests` checks it if its name starts with `equation_4_`,
  `equations_6_and_7_` or `equations_31_to_33_`.
* A function implements an equation without a number if its doc comment cites the section in part II of the equation sheet,
  as in `II.4 step 7` or `II.6.7 dead`. A test checks it if its name starts with the quantity, after the numbers if any.

";

fn add(places: &mut Places, path: &str, name: &str) {
    let names = places.entry(path.to_owned()).or_default();
    // The same equation may be cited twice in one comment.
    if !names.iter().any(|known| known == name) {
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
        assert!(check(&crate::root()).unwrap_or_else(|error| panic!("{error:#}")) > NUMBERED.len());
        let page = page(&crate::root()).unwrap();
        assert!(page.contains("| 1 | exponential response ℰ | `") && !page.contains("**none**"), "{page}");
    }

    #[test]
    fn doc_comments_cite_the_papers_equations_alone_or_as_lists_and_ranges() {
        for (doc, cited) in [
            ("Chance to sprout (Farm-gym Eq. 3); a seed that does not gets a day older.", &[3][..]),
            ("Fruits (Farm-gym Eqs. 16, 17); chance to ripen (Eqs. 18, 19).", &[16, 17, 18, 19]),
            ("Some stay, some come (Farm-gym Eqs. 31–33; II.8 steps 2, 3).", &[31, 32, 33]),
            ("R_a (FAO-56 Eq. 21; Farm-gym Eq. 24).", &[24]),
            ("RH_min (from FAO-56 Eqs. 10–12).", &[]),
            ("as the Farm-gym paper prints its Eq. 23: 0.018, and wind.", &[23]),
            ("(Farm-gym Eqs. 6 and 17; FAO-56 Eqs. 12 and 14; Eq. 48 takes T_min)", &[6, 17]),
            ("the flow of Farm-gym Eq. 6, 1 mm at first", &[6]),
            ("the flow of Eq. 6", &[]),
            ("Farm-gym Equations 1, 2.", &[]),
        ] {
            assert_eq!(cited_equations(doc), cited, "{doc}");
        }
    }

    #[test]
    fn doc_comments_cite_places_of_part_two() {
        for (doc, cited) in [
            ("(equation sheet II.10)", &["II.10"][..]),
            ("(II.4 steps 5, 6).", &["II.4 step 5", "II.4 step 6", "II.4"]),
            ("(II.4 step 5, II.6.6)", &["II.4 step 5", "II.4", "II.6.6"]),
            ("(II.6.3, 6.5, 6.8)", &["II.6.3", "II.6.5", "II.6.8"]),
            ("(II.6.7 dead).", &["II.6.7 dead", "II.6.7"]),
            ("(equation sheet II.9, option)", &["II.9"]),
            ("The sheet's II.7. Then", &["II.7 Then", "II.7"]),
            ("equation sheet III.4", &[]),
        ] {
            assert_eq!(cited_sections(doc), cited, "{doc}");
        }
    }

    #[test]
    fn names_of_tests_promise_equations() {
        for (name, promised, rest) in [
            ("equation_22_microlife_grows", &[22][..], "microlife_grows"),
            ("equations_6_and_7_take_days", &[6, 7], "take_days"),
            ("equations_31_to_33_pests", &[31, 32, 33], "pests"),
            ("equation_of_time", &[], "equation_of_time"),
            ("shade_is_a_disc", &[], "shade_is_a_disc"),
        ] {
            assert_eq!(promised_equations(name), (promised.to_vec(), rest), "{name}");
        }
        assert!(begins_with("shade_is_a_disc", "shade") && !begins_with("shaded_ground", "shade"));
    }

    const EXAMPLE: &str = "\
/// A constant of Eq. 1.
const A: f64 = 1.0;

/// Growth
/// (Farm-gym Eqs. 4,
/// 16; II.4 step 7).
#[inline]
#[expect(
    clippy::float_cmp,
    reason = \"exact\"
)]
// Fast.
pub(super) fn growth<T>(t: T) -> T {
}

pub fn undocumented() {}

#[cfg(test)]
mod tests {
    /// A helper for Eq. 5.
    fn helper() {}

    #[test]
    fn equation_4_growth_stops() {}

    fn equation_5_is_no_test() {}
}
";

    #[test]
    fn the_index_has_functions_and_tests_of_files_and_tells_what_is_missing() {
        let index = Index::of(&[(format!("{SOURCES}/example.rs"), EXAMPLE.to_owned())]).unwrap();
        let link = "`example.rs`";
        let page = index.page();
        for line in [
            "| 1 | exponential response ℰ | **none** | **none** |",
            &format!("| 4 | rate of growth | {link}: `growth` | {link}: `equation_4_growth_stops` |"),
            "| 5 | water wanted | **none** | **none** |",
            &format!("| 16 | rate of fruit growth | {link}: `growth` | **none** |"),
            &format!("| evaporation of the soil | II.4 step 7 | `evaporation_…` | {link}: `growth` | **none** |"),
        ] {
            assert!(page.lines().any(|found| found == line), "{line}\n{page}");
        }
        let gaps = index.gaps();
        assert_eq!(gaps.len(), 2 * 33 - 1 + 2 * 14 - 1);
        assert!(gaps.contains(&"equation 16 (rate of fruit growth): no test is named `equation_16_…`".to_owned()));
        assert!(gaps.contains(&"yield: no test is named `yield_…`".to_owned()), "{gaps:?}");
    }

    #[test]
    fn equations_that_the_paper_does_not_have_are_refused_with_the_place() {
        for (line, n) in [("/// Farm-gym Eq. 35.\nfn f() {}", 35), ("#[test]\nfn equation_0_f() {}", 0)] {
            let error = Index::of(&[(format!("{SOURCES}/a.rs"), line.to_owned())]).err().unwrap().to_string();
            assert!(error.contains("a.rs") && error.contains(&format!("equation {n};")), "{error}");
        }
    }
}
