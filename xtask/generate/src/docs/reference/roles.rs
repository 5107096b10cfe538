//! Writes the page about all roles: the meaning of each, the parts that provide it, and the parts that read it.

use std::collections::BTreeSet;

use farm_core::declare::PartInfo;
use farm_core::inspect::{bounds, declarations};
use farm_core::registry::{RoleEntry, kinds, roles};

use super::super::markdown::{Page, code, link, prose};
use super::game::Opened;
use super::page_name;

/// Writes the page. The page also uses the parts of all games, because some kinds declare a role only with a game's parameters. A farmer
/// that carries things is an example.
pub(super) fn page(games: &[Opened]) -> Page {
    let mut page = Page::new("Roles");
    page.paragraph(
        "A role is the meaning of a variable for other parts. Parts find each other only by role: a part that needs rain reads \
         the role of rain. A role that no part here provides or writes is for your own parts.",
    );
    let declared = kinds().iter().filter_map(|kind| Some((kind.name(), declarations(kind)?)));
    let declared: Vec<(&str, PartInfo)> = declared.collect();
    let played = games.iter().flat_map(Opened::parts).map(|part| (part.kind(), part));
    let parts: Vec<(&str, &PartInfo)> = declared.iter().map(|(kind, part)| (*kind, part)).chain(played).collect();
    let rows: Vec<Vec<String>> = roles().iter().map(|role| row(role, &parts)).collect();
    page.table("", &["role", "meaning"], &rows);
    page
}

/// A table row for a role: its name with unit, values and range; its meaning; and the parts that use it.
fn row(role: &RoleEntry, parts: &[(&str, &PartInfo)]) -> Vec<String> {
    let name = role.name();
    let extent = match (role.plain(), role.scalar()) {
        (true, true) => "one value",
        (true, false) => "a value per plot",
        (false, _) => "its own shape",
    };
    let range = role.range().map(|(low, high)| bounds(low, high));
    let values = [Some(role.unit().to_owned()), Some(extent.to_owned()), range];
    let values: Vec<String> = values.into_iter().flatten().filter(|value| !value.is_empty()).collect();
    let who = |has: &dyn Fn(&PartInfo) -> bool| -> Vec<String> {
        let names: BTreeSet<&str> = parts.iter().filter(|(_, part)| has(part)).map(|(kind, _)| *kind).collect();
        let kinds = kinds().iter().filter(|kind| names.contains(kind.name()));
        kinds.map(|kind| link(kind.name(), &format!("{}.md", page_name(kind)))).collect()
    };
    let related = [
        ("provided by", who(&|part| part.roles_given().iter().any(|(given, _)| *given == name))),
        ("read by", who(&|part| part.needs().iter().any(|(needed, _)| *needed == name))),
        ("written by", who(&|part| part.writes().contains(&name))),
    ];
    let related = related.iter().filter(|(_, who)| !who.is_empty());
    let related: Vec<String> = related.map(|(how, who)| format!("{how} {}", who.join(", "))).collect();
    vec![
        format!(
            "<span id=\"{}\">{}</span><br><small>{}</small>",
            name.to_lowercase(),
            code(name),
            prose(&values.join(" · "))
        ),
        format!("{}<br><small>{}</small>", prose(role.doc()), related.join("; ")),
    ]
}
