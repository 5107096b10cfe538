//! Writes the page about names that the Farm-gym reference spells differently. The names come from the table that translates the
//! reference's game files.

use farm_reference_format::Meaning;
use farm_reference_format::names::{Named, SPELLINGS};

use super::super::markdown::{Page, code, prose};

/// The sections of the page, in order.
const SECTIONS: [(Named, &str); 6] = [
    (Named::Kind, "Kinds of entities"),
    (Named::Set, "Parameter sets"),
    (Named::Variable, "Variables"),
    (Named::Action, "Actions"),
    (Named::Value, "Values"),
    (Named::Weight, "Weights of the score"),
];

/// Writes the page.
pub(super) fn page() -> Page {
    let mut page = Page::new("Names of the reference");
    page.paragraph(
        "This table translates game files of the public Farm-gym reference, in its versions of 2022 to 2024. Unit, case and \
         underscores do not matter, so a name that differs only in these needs no line: `rain_amount` is \
         `rain_amount#mm.day-1`. `farm check --explain FILE` shows which lines a file needs.",
    );
    for (named, title) in SECTIONS {
        let lines = SPELLINGS.iter().filter(|line| line.named == named).map(|line| {
            let note = match line.meaning {
                Meaning::Same => String::new(),
                Meaning::Near(what) => prose(what),
            };
            vec![code(line.of), code(line.from), code(line.to), note]
        });
        page.table(title, &["of", "there", "here", "what differs"], &lines.collect::<Vec<_>>());
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_stands_on_the_page() {
        let text = page().into_text();
        for line in SPELLINGS {
            assert!(text.contains(&format!("| {} | {} |", code(line.from), code(line.to))), "{line:?}");
        }
        assert_eq!(text.matches("\n| `").count(), SPELLINGS.len());
    }
}
