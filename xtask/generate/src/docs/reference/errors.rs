//! The pages about errors: one for each area of codes, with wrong and correct examples.

use farm_core::config::{Code, CodeArea, code_areas};
use farm_games::error_examples::{Example, Shown, example};

use super::super::markdown::{Page, link, prose};
use super::{Generated, capital, generated};

/// The index of the areas, and the page for each area. `farm explain` explains the codes of the command line and of Python.
pub(super) fn pages() -> Vec<Generated> {
    let areas: Vec<&CodeArea> = code_areas();
    let mut index = Page::new("Errors");
    index.paragraph(
        "A problem is printed with its code, `error[unknown-parameter]: …`. Codes stay the same when messages change, so \
         programs can rely on them: they are in `farm check --json` and in `farm_gym.ConfigError.codes`. `farm explain CODE` \
         prints the texts of these pages.",
    );
    let row = |area: &&CodeArea| {
        let codes =
            area.codes().iter().map(|info| link(info.name(), &format!("errors/{}.md#{}", slug(area), info.name())));
        vec![
            link(area.name(), &format!("errors/{}.md", slug(area))),
            prose(area.doc()),
            codes.collect::<Vec<_>>().join(", "),
        ]
    };
    index.table("", &["area", "topic", "codes"], &areas.iter().map(row).collect::<Vec<_>>());
    let below =
        areas.iter().map(|area| generated(&format!("errors/{}", slug(area)), &capital(area.name()), 2, page(area)));
    std::iter::once(generated("errors", "Errors", 1, index)).chain(below).collect()
}

/// The name of an area's page.
fn slug(area: &CodeArea) -> String {
    area.name().replace(' ', "-")
}

fn page(area: &CodeArea) -> Page {
    let mut page = Page::new(&format!("Errors: {}", area.name()));
    page.paragraph(&prose(area.doc()));
    for code in area.codes().iter().map(Code::new) {
        page.heading(code.name());
        page.paragraph(&format!("{} {}", prose(&code.sentence()), prose(&code.reason())));
        match example(code) {
            Some(Example::Shown(shown)) => show(&mut page, &shown, code),
            Some(Example::None(reason)) => page.paragraph(&format!("There is no example here. {}", prose(&reason))),
            None => {}
        }
    }
    page
}

fn show(page: &mut Page, shown: &Shown, code: Code) {
    page.paragraph(&format!("Wrong, {}:", shown.form.name()));
    page.block("text", &shown.wrong);
    if let Some(problem) = shown.problems_of_wrong().0.into_iter().find(|problem| problem.is(code)) {
        page.block("text", &problem.to_string());
    }
    page.paragraph("Right:");
    page.block("text", &shown.right);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_its_section_with_what_is_said() {
        let pages = pages();
        for area in code_areas() {
            let path = format!("docs/reference/errors/{}.md", slug(area));
            let page = pages.iter().find(|page| page.path == path).unwrap_or_else(|| panic!("{path}"));
            for info in area.codes() {
                assert!(page.text.contains(&format!("\n## {}\n", info.name())), "{}", info.name());
                assert!(pages[0].text.contains(&format!("#{}", info.name())), "{}", info.name());
            }
        }
        let parameters = pages.iter().find(|page| page.path.ends_with("/parameters.md")).expect("a page");
        assert!(parameters.text.contains("error[unknown-parameter]: unknown parameter `dephth#m`"));
    }
}
