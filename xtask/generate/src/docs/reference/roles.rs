//! The page of all roles: what each means, who gives it, who reads it.

use farm_core::declare::PartInfo;
use farm_core::inspect::{bounds, declarations};
use farm_core::registry::{kinds, roles};

use super::super::markdown::{Page, link, prose};
use super::page_name;

/// Writes the page.
pub(super) fn page() -> Page {
    let mut page = Page::new("Roles");
    page.paragraph(
        "A role says what a variable means to others. Parts find each other by role alone: who needs rain asks for whoever gives it.",
    );
    let parts: Vec<(String, PartInfo)> = kinds()
        .iter()
        .filter_map(|kind| Some((link(kind.name(), &format!("{}.md", page_name(kind))), declarations(kind)?)))
        .collect();
    for role in roles() {
        page.heading(role.name());
        page.paragraph(&prose(role.doc()));
        let extent = match (role.plain(), role.scalar()) {
            (true, true) => "one value",
            (true, false) => "a value per plot",
            (false, _) => "a shape of its own",
        };
        let mut rows =
            vec![vec!["unit".to_owned(), role.unit().to_owned()], vec!["values".to_owned(), extent.to_owned()]];
        rows.extend(role.range().map(|(low, high)| vec!["range".to_owned(), bounds(low, high)]));
        let mut row = |what: &str, who: Vec<String>| {
            if !who.is_empty() {
                rows.push(vec![what.to_owned(), who.join(", ")]);
            }
        };
        let who = |has: &dyn Fn(&PartInfo) -> bool| -> Vec<String> {
            parts.iter().filter(|(_, part)| has(part)).map(|(link, _)| link.clone()).collect()
        };
        row("given by", who(&|part| part.roles_given().iter().any(|(name, _)| *name == role.name())));
        row("read by", who(&|part| part.needs().iter().any(|(name, _)| *name == role.name())));
        row("written by", who(&|part| part.writes().contains(&role.name())));
        page.table("", &["", "what"], &rows);
    }
    page
}
