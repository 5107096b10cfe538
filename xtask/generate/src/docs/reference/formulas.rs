//! An entity's equations as MathML, which browsers draw without a script, and the findings from the audit of the paper.
//!
//! The equations come from `docs/formulas.yaml`. The audit is part I of the equation sheet.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use math_core::{LatexToMathML, MathDisplay};
use serde::Deserialize;

use super::super::markdown::{Page, prose};

const FORMULAS: &str = "docs/formulas.yaml";
const SHEET: &str = "docs/equation-sheet.md";

/// The sources of remarks on an equation. Lines in the audit start with them. Longer words come first.
const VOICES: [&str; 13] = [
    "SIDE EFFECT to document",
    "AMBIGUOUS wind direction",
    "CODE BUG",
    "PAPER",
    "RIGHT",
    "CODE",
    "DATA",
    "BIAS",
    "NOTE",
    "HEAD",
    "REC",
    "LIT",
    "OLD",
];

/// An equation as it is implemented.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Formula {
    /// Its number in the paper.
    equation: Option<u32>,
    /// Its section in the equation sheet, if it has no number in the paper.
    place: Option<String>,
    gives: String,
    latex: String,
    /// The meaning of its symbols, with inline equations between dollar signs.
    #[serde(rename = "where", default)]
    symbols: String,
}

/// The audit's findings for an equation: source and text.
type Findings = Vec<(String, String)>;

/// The equations of all entities.
#[derive(Debug, Default)]
pub(crate) struct Formulas {
    of_kind: BTreeMap<String, Vec<Formula>>,
    audit: BTreeMap<u32, Findings>,
}

impl Formulas {
    /// Reads the equations; a repository without the two files has none.
    ///
    /// # Errors
    /// A file can't be read.
    pub(crate) fn read(root: &Path) -> Result<Self> {
        let read = |path: &str| fs::read_to_string(root.join(path)).with_context(|| format!("{path} can't be read"));
        if !root.join(FORMULAS).is_file() {
            return Ok(Self::default());
        }
        let of_kind = serde_yaml::from_str(&read(FORMULAS)?).with_context(|| format!("{FORMULAS} can't be read"))?;
        Ok(Self { of_kind, audit: audit(&read(SHEET)?) })
    }

    /// The number and the quantity of each equation in the paper.
    pub(crate) fn numbered(&self) -> impl Iterator<Item = (u32, String)> {
        self.of_kind.values().flatten().filter_map(|formula| Some((formula.equation?, formula.gives.clone())))
    }

    /// Adds a kind's equations to its page.
    ///
    /// # Errors
    /// An equation's LaTeX can't be converted.
    pub(super) fn write(&self, page: &mut Page, kind: &str) -> Result<()> {
        let Some(formulas) = self.of_kind.get(kind) else { return Ok(()) };
        page.heading("Equations");
        page.paragraph(
            "The implemented equations, with the numbers of the Farm-gym paper. Below each equation are the findings of an audit: the \
             printed equation, the behaviour of the public code, and the correct form. The [equation \
             sheet](../../equation-sheet.md) defines every symbol.",
        );
        for formula in formulas {
            let name = match (formula.equation, &formula.place) {
                (Some(number), _) => format!("Eq. {number}"),
                (None, Some(place)) => place.clone(),
                (None, None) => {
                    return Err(anyhow!("{FORMULAS}: an equation of {kind} has neither `equation` nor `place`"));
                }
            };
            page.paragraph(&format!("### {name}: {}", formula.gives));
            let mut block = format!("<div class=\"formula\">{}</div>", math(&formula.latex, MathDisplay::Block)?);
            if !formula.symbols.is_empty() {
                block += &format!("\n<p class=\"where\">{}</p>", with_inline_math(&formula.symbols)?);
            }
            page.paragraph(&block);
            let findings = formula.equation.and_then(|number| self.audit.get(&number)).into_iter().flatten();
            let rows: Vec<Vec<String>> =
                findings.map(|(voice, text)| vec![format!("**{voice}**"), prose(text)]).collect();
            page.table("", &["", "audit"], &rows);
        }
        Ok(())
    }
}

/// LaTeX as MathML.
fn math(latex: &str, display: MathDisplay) -> Result<String> {
    let converter = LatexToMathML::default();
    let converted = converter.convert_with_local_state(latex, display);
    converted
        .map(|converted| converted.mathml.replace('\n', ""))
        .map_err(|error| anyhow!("{FORMULAS}: `{latex}`: {error:?}"))
}

/// Converts the equations between dollar signs in a text.
fn with_inline_math(text: &str) -> Result<String> {
    let mut out = String::new();
    for (i, piece) in text.split('$').enumerate() {
        out += &if i % 2 == 1 { math(piece, MathDisplay::Inline)? } else { piece.replace('<', "&lt;") };
    }
    Ok(out)
}

/// The items in the audit, such as `(4) …` or `(32),(33) …`, by equation number.
fn audit(sheet: &str) -> BTreeMap<u32, Findings> {
    let mut found: BTreeMap<u32, Findings> = BTreeMap::new();
    let mut open: Vec<u32> = Vec::new();
    let lines = sheet
        .lines()
        .skip_while(|line| !line.starts_with("## I.1"))
        .skip(1)
        .take_while(|line| !line.starts_with("## "));
    for line in lines {
        let (numbers, rest) = item(line);
        if !numbers.is_empty() {
            open = numbers;
        }
        let text = rest.trim();
        // `[A]` at the end is the severity.
        let text = ["[A]", "[B]", "[C]"].iter().find_map(|mark| text.strip_suffix(mark)).unwrap_or(text).trim_end();
        if text.is_empty() {
            continue;
        }
        let voice = VOICES
            .iter()
            .find(|voice| text.strip_prefix(**voice).is_some_and(|rest| rest.starts_with([' ', ':', '('])));
        for number in &open {
            let findings = found.entry(*number).or_default();
            match (voice, findings.last_mut()) {
                (Some(voice), _) => {
                    let said = text[voice.len()..].trim_start_matches([':', ' ']).to_owned();
                    findings.push((voice.split(" to ").next().unwrap_or(voice).to_owned(), said));
                }
                (None, Some((_, said))) => *said += &format!(" {text}"),
                (None, None) => findings.push(("AUDIT".to_owned(), text.to_owned())),
            }
        }
    }
    found
}

/// The numbers at the start of an item, and the rest of its line.
fn item(line: &str) -> (Vec<u32>, &str) {
    let (mut numbers, mut rest) = (Vec::new(), line);
    while let Some((number, after)) = rest.strip_prefix('(').and_then(|inner| inner.split_once(')')) {
        let Ok(number) = number.parse() else { break };
        numbers.push(number);
        rest = after.strip_prefix(',').unwrap_or(after);
    }
    (numbers, rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_numbered_equation_stands_on_the_page_of_one_entity_with_its_audit() {
        let formulas = Formulas::read(&crate::root()).unwrap();
        let mut numbers: Vec<u32> =
            formulas.of_kind.values().flatten().filter_map(|formula| formula.equation).collect();
        numbers.sort_unstable();
        assert_eq!(numbers, (1..=34).collect::<Vec<u32>>());
        for kind in formulas.of_kind.keys() {
            assert!(farm_core::registry::kinds().iter().any(|known| known.name() == kind), "{kind}");
            let mut page = Page::new(kind);
            formulas.write(&mut page, kind).unwrap();
            assert!(page.into_text().contains("<math"), "{kind}");
        }
        for number in 1..=34 {
            assert!(formulas.audit.contains_key(&number), "equation {number} has no audit");
        }
        let growth = &formulas.audit[&4];
        let voices: Vec<&str> = growth.iter().map(|(voice, _)| voice.as_str()).collect();
        assert_eq!(voices, ["AUDIT", "PAPER", "CODE", "REC"]);
        assert!(
            growth[1].1.starts_with("compares soil stock") && growth[1].1.ends_with("units do not match."),
            "{growth:?}"
        );
    }

    #[test]
    fn the_places_of_the_other_equations_are_in_the_sheet() {
        let root = crate::root();
        let (formulas, sheet) = (Formulas::read(&root).unwrap(), fs::read_to_string(root.join(SHEET)).unwrap());
        for place in formulas.of_kind.values().flatten().filter_map(|formula| formula.place.as_deref()) {
            let section: String = place.split([' ', '.']).take(2).collect::<Vec<_>>().join(".");
            assert!(sheet.contains(&format!("## {section} ")), "{place}");
        }
    }

    #[test]
    fn latex_that_is_wrong_is_an_error_that_shows_it() {
        assert!(math("\\frac{1}{2}", MathDisplay::Block).unwrap().contains("<mfrac"));
        let error = math("\\frac{1", MathDisplay::Block).unwrap_err().to_string();
        assert!(error.contains("\\frac{1"), "{error}");
    }
}
