//! The reference pages. There is one for each game, each kind of part and each area of errors, one for all roles, and one for the Farm-gym
//! reference's names. They contain only declarations.

mod cards;
mod errors;
mod formulas;
mod gallery;
mod game;
mod graph;
mod kind;
mod names;
mod python;
mod roles;
mod rust;

use std::path::Path;

use anyhow::Result;
use farm_core::config::{PartKind, code_areas};
use farm_core::inspect::first_sentence;
use farm_core::registry::{Kind, kinds};
use farm_games::CATALOGUE;
use farm_games::catalogue::Family;
use farm_results::{Board, gather};

use super::markdown::{Page, link};
use cards::Card;
pub(crate) use formulas::Formulas;

const FOLDER: &str = "docs/reference";
const PARTS: [PartKind; 5] = [PartKind::Entity, PartKind::Farmer, PartKind::Rule, PartKind::Score, PartKind::Policy];

/// A page that is generated from the declarations.
#[derive(Debug)]
pub(super) struct Generated {
    /// Its path relative to the top of the repository, although it is not stored there.
    pub path: String,
    /// Its title in the summary.
    pub title: String,
    /// Its depth in the summary, below the first page.
    pub depth: usize,
    /// Its Markdown.
    pub text: String,
}

/// All reference pages in the order of the summary; the first page links to the others.
///
/// # Errors
/// A game can't be opened, or parameter sets can't be read.
pub(super) fn pages(root: &Path, has_rust: bool) -> Result<Vec<Generated>> {
    let games = CATALOGUE.iter().map(game::Opened::open).collect::<Result<Vec<_>>>()?;
    // A user's repository may have none.
    let folder = root.join("results");
    let results = Board::new(if folder.is_dir() { gather(&[folder])? } else { Vec::new() })?;
    let formulas = Formulas::read(root)?;
    let mut pages = vec![index()];
    let mut below = Vec::new();
    let mut page = Page::new("Games");
    page.paragraph(
        "A name without a version means the newest version, which is listed first. A version of a game never changes: its \
         episodes stay the same, byte for byte. Results of different versions are not comparable.",
    );
    for family in Family::ALL {
        let of_family = games.iter().filter(|game| game.entry.family == family);
        let cards: Vec<Card> = of_family.map(|game| game::card(game, root, &results)).collect();
        if !cards.is_empty() {
            page.heading(&capital(family.name()));
            page.paragraph(family.doc());
            page.paragraph(&cards::html(&cards));
        }
    }
    for game in &games {
        let name = game.entry.name;
        below.push(generated(&format!("games/{name}"), name, 2, game::page(game, root, &results)));
    }
    let gallery = gallery::page(&games);
    pages.push(generated("games", "Games", 1, page));
    pages.append(&mut below);
    for part in PARTS {
        let mut cards = Vec::new();
        for kind in kinds().iter().filter(|kind| kind.part() == part) {
            cards.push(Card {
                name: kind.name().to_owned(),
                page: format!("{}/{}.html", part.plural(), kind.name()),
                picture: kind::first_sprite(kind),
                text: first_sentence(kind.doc()).to_owned(),
                note: String::new(),
            });
            below.push(generated(&page_name(kind), kind.name(), 2, kind::page(kind, &games, root, &formulas)?));
        }
        let mut page = Page::new(&capital(part.plural()));
        page.paragraph(&cards::html(&cards));
        pages.push(generated(part.plural(), &capital(part.plural()), 1, page));
        pages.append(&mut below);
    }
    pages.push(generated("roles", "Roles", 1, roles::page(&games)));
    pages.extend(errors::pages());
    pages.extend(python::page(root)?.map(|page| generated("python", "Python", 1, page)));
    pages.extend(rust::page(root, has_rust)?.map(|page| generated("rust", "Rust", 1, page)));
    pages.push(gallery);
    pages.push(generated("names", "Names of the reference", 1, names::page()));
    let equations = crate::equations::page(root)?;
    pages.push(Generated { text: equations, ..generated("equations", "Index of equations", 1, Page::new("")) });
    Ok(pages)
}

pub(super) fn generated(name: &str, title: &str, depth: usize, page: Page) -> Generated {
    Generated { path: format!("{FOLDER}/{name}.md"), title: title.to_owned(), depth, text: page.into_text() }
}

fn index() -> Generated {
    let mut page = Page::new("Reference");
    page.paragraph(
        "These pages are generated from the declarations in the sources; `farm describe NAME` prints the same for one name, and \
         `farm list` lists all names.",
    );
    let mut rows = vec![vec![link("games", "games.md"), CATALOGUE.len().to_string()]];
    for part in PARTS {
        let count = kinds().iter().filter(|kind| kind.part() == part).count();
        rows.push(vec![link(part.plural(), &format!("{}.md", part.plural())), count.to_string()]);
    }
    rows.push(vec![link("roles", "roles.md"), farm_core::registry::roles().len().to_string()]);
    rows.push(vec![
        link("errors", "errors.md"),
        code_areas().iter().map(|area| area.codes().len()).sum::<usize>().to_string(),
    ]);
    page.table("", &["what", "how many"], &rows);
    generated("index", "Reference", 0, page)
}

/// The name of a kind's page, without folder and ending.
fn page_name(kind: &Kind) -> String {
    format!("{}/{}", kind.part().plural(), kind.name())
}

fn capital(word: &str) -> String {
    let mut characters = word.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}

/// The picture of a game or kind, if there is one.
fn picture(name: &str, root: &Path) -> Option<String> {
    let path = format!("docs/pictures/{name}.png");
    root.join(&path).is_file().then(|| format!("![{name}, rendered](../../pictures/{name}.png)"))
}

/// The unit in a name: `mm.day-1` of `forecast.rain_amount#mm.day-1`.
fn unit(name: &str) -> &str {
    name.split_once('#').map_or("", |(_, unit)| unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_shown_where_there_is_one() {
        let root = std::env::temp_dir().join(format!("farm-pictures-{}", std::process::id()));
        std::fs::create_dir_all(root.join("docs/pictures")).unwrap();
        std::fs::write(root.join("docs/pictures/Birds.png"), "").unwrap();
        assert_eq!(picture("Birds", &root).as_deref(), Some("![Birds, rendered](../../pictures/Birds.png)"));
        assert_eq!(picture("Cide", &root), None);
        std::fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn units_are_what_stands_behind_the_name() {
        assert_eq!(["a", "size#cm", "forecast.rain_amount#mm.day-1"].map(unit), ["", "cm", "mm.day-1"]);
    }
}
