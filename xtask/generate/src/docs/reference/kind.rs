//! Writes the page about a kind of part.

use std::path::Path;

use anyhow::{Result, anyhow};
use farm_core::config::ParameterDoc;
use farm_core::declare::PartInfo;
use farm_core::declare::{Sprite, SpriteRule};
use farm_core::inspect::{self, declarations, format_number, range};
use farm_core::inspect::{
    look_text, parameter_text, picture_notes, place_text, shape_text, sprite_text, title_text, yaml_text,
};
use farm_core::registry::Kind;

use super::super::markdown::{Page, code, link, prose};
use super::formulas::Formulas;
use super::game::Opened;
use super::{picture, unit};

/// Maximum number of characters in a default that a table shows; `farm describe` shows longer defaults.
const DEFAULT_WIDTH: usize = 60;

/// Writes the page.
///
/// # Errors
/// The parameter sets can't be read.
pub(super) fn page(kind: &Kind, games: &[Opened], root: &Path, formulas: &Formulas) -> Result<Page> {
    let mut page = Page::new(kind.name());
    page.paragraph(&prose(kind.doc()));
    page.paragraph(&format!("Source: {}.", prose(kind.source().trim().trim_end_matches('.'))));
    page.paragraph(&picture(kind.name(), root).unwrap_or_default());
    let used: Vec<String> = games
        .iter()
        .filter(|game| game.uses(kind))
        .map(|game| link(game.entry.name, &format!("../games/{}.md", game.entry.name)))
        .collect();
    if !used.is_empty() {
        page.paragraph(&format!("In the games {}.", used.join(", ")));
    }
    formulas.write(&mut page, kind.name())?;
    let mut rows = Vec::new();
    parameter_rows(&mut rows, &kind.table(), "");
    page.table("Parameters", &["name", "meaning"], &rows);
    write_sets(&mut page, kind)?;
    if let Some(part) = declarations(kind) {
        write_declarations(&mut page, kind, &part);
    }
    Ok(page)
}

/// Adds the rows of a parameter table. Parameters in groups have their full names.
fn parameter_rows(rows: &mut Vec<Vec<String>>, table: &[ParameterDoc], group: &str) {
    for parameter in table {
        let name = format!("{group}{}", parameter.name());
        let inner = parameter.kind().group();
        let default = yaml_text(parameter.default());
        let is_shown = inner.is_none() && default.chars().count() <= DEFAULT_WIDTH;
        let default = if !is_shown { String::new() } else { format!("default {}", code(&default)) };
        let details = [
            unit(parameter.name()).to_owned(),
            prose(&parameter.kind().describe()),
            parameter.range().map_or_else(String::new, |(low, high)| range(low, high)),
            default,
        ];
        rows.push(vec![code(&name), with_details(parameter.doc(), &details)]);
        parameter_rows(rows, inner.unwrap_or_default(), &format!("{name}."));
    }
}

/// A meaning with its unit, values and other details below it, in small letters. Such a row fits on a phone.
fn with_details(doc: &str, details: &[String]) -> String {
    let details: Vec<&str> = details.iter().map(String::as_str).filter(|text| !text.is_empty()).collect();
    format!("{}<br><small>{}</small>", prose(doc), details.join(" · "))
}

fn write_sets(page: &mut Page, kind: &Kind) -> Result<()> {
    let sets = kind.parameter_sets().map_err(|error| anyhow!("the parameter sets of {}: {error}", kind.name()))?;
    let rows: Vec<Vec<String>> =
        sets.iter().map(|set| vec![code(set.name()), prose(set.doc()), prose(set.source())]).collect();
    page.table("Parameter sets", &["name", "what it is", "source"], &rows);
    if !sets.is_empty() {
        page.block(
            "yaml",
            kind.sets().lines().skip_while(|line| line.starts_with('#')).collect::<Vec<_>>().join("\n").as_str(),
        );
    }
    Ok(())
}

fn write_declarations(page: &mut Page, kind: &Kind, part: &PartInfo) {
    let variables = part.variables().iter().map(|v| {
        let details = [
            unit(v.name()).to_owned(),
            prose(&v.kind().to_string()),
            shape_text(v.shape(), v.per_plot()),
            format!("{} at reset", format_number(v.default())),
            if v.visible() { "visible" } else { "hidden" }.to_owned(),
        ];
        let roles = v.roles().iter().map(|role| role_link(role)).collect::<Vec<_>>().join(", ");
        vec![code(v.name()), with_details(v.doc(), &details), roles]
    });
    page.table("Variables", &["name", "meaning", "roles"], &variables.collect::<Vec<_>>());
    let observables = part.observables().iter().map(|o| {
        let details = [unit(o.name()).to_owned(), prose(&o.kind().to_string()), shape_text(o.shape(), false)];
        vec![code(o.name()), with_details(o.doc(), &details)]
    });
    page.table("Computed when observed", &["name", "meaning"], &observables.collect::<Vec<_>>());
    let mut actions = Vec::new();
    for action in part.actions() {
        actions.push(vec![code(action.name()), String::new(), String::new(), prose(action.doc())]);
        let parameters = action.parameters().iter();
        actions.extend(
            parameters.map(|p| vec![String::new(), code(p.name()), prose(&parameter_text(p.kind())), prose(p.doc())]),
        );
    }
    page.table("Actions", &["action", "parameter", "values", "meaning"], &actions);
    let events = part.events().iter().map(|e| {
        let lasts = if e.lasting() { "it lasts" } else { "it happens" };
        vec![code(e.name()), e.per_step().to_string(), lasts.to_owned(), e.labels().join(", "), prose(e.doc())]
    });
    page.table("Events", &["name", "at most in a step", "kind", "values", "meaning"], &events.collect::<Vec<_>>());
    write_pictures(page, kind);
    let reads = part.roles_read();
    let reads: Vec<Vec<String>> =
        reads.iter().map(|(role, need)| vec![role_link(role), need.text().to_owned()]).collect();
    page.table("Roles it reads", &["role", "wanted"], &reads);
    let gives = part.roles_given();
    let gives: Vec<Vec<String>> = gives.iter().map(|(role, variable)| vec![role_link(role), code(variable)]).collect();
    page.table("Roles it provides", &["role", "with its variable"], &gives);
    let writes: Vec<Vec<String>> = part.roles_written().into_iter().map(|role| vec![role_link(role)]).collect();
    page.table("Roles of other parts that it writes", &["role"], &writes);
    if !part.phases().is_empty() {
        let phases: Vec<&str> = part.phases().iter().map(|phase| phase.name()).collect();
        page.heading("Phases");
        page.paragraph(&format!("It acts in the phases {}.", phases.join(", ")));
    }
}

/// Writes the table of pictures: place, condition and sprite, with an image of each sprite.
fn write_pictures(page: &mut Page, kind: &Kind) {
    let mut rows = Vec::new();
    for (set, part, picture) in &inspect::pictures(kind) {
        let title = prose(&title_text(picture, set.as_deref()));
        let mut first = vec![title, prose(&place_text(picture.place())), picture.layer().to_string()];
        let sprite_rules = picture
            .sprite_rules()
            .iter()
            .map(|look| [sprite(look), prose(&sprite_text(look)), prose(&look_text(part, look))]);
        let notes = picture_notes(picture).into_iter().map(|note| [String::new(), prose(&note), String::new()]);
        for row in sprite_rules.chain(notes) {
            first.extend(row);
            rows.push(std::mem::replace(&mut first, vec![String::new(); 3]));
        }
    }
    page.table("Pictures", &["picture", "where", "layer", "sprite", "shows", "condition (first match wins)"], &rows);
}

/// A kind's first sprite as an image; empty for a kind that has none.
pub(super) fn first_sprite(kind: &Kind) -> String {
    let pictures = inspect::pictures(kind);
    let mut sprites = pictures.iter().flat_map(|(_, _, picture)| picture.sprite_rules()).map(sprite);
    sprites.find(|image| !image.is_empty()).unwrap_or_default()
}

/// A sprite rule's sprite as an embedded image.
fn sprite(look: &SpriteRule) -> String {
    let Sprite::Svg(svg) = look.sprite() else { return String::new() };
    let mut address = String::new();
    for byte in svg.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'/' | b':' | b'=' => {
                address.push(byte.into())
            }
            other => address.push_str(&format!("%{other:02X}")),
        }
    }
    format!(
        "<img src=\"data:image/svg+xml,{address}\" width=\"40\" height=\"40\" alt=\"{}\">",
        look.name().replace('"', "'")
    )
}

fn role_link(role: &str) -> String {
    link(&code(role), &format!("../roles.md#{}", role.to_lowercase()))
}
