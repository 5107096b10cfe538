//! Rules, farmers, policies and the catalogue of games.
//!
//! Depending on this crate links every part of the project: `use farm_games as _;` is enough to register them.

pub mod farmers;
pub mod oracle;
pub mod policies;
pub mod rules;

use farm_core::Game;
use farm_core::config::{Document, Location, Path, Problem, Problems, load_document};

// Referenced, so that the linker keeps the registrations of these crates.
pub use {farm_entities, farm_scoring};

/// The Rust of the README, compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;

/// A game of the catalogue.
#[derive(Debug, Clone, Copy)]
pub struct CatalogueEntry {
    /// Its name.
    pub name: &'static str,
    /// Its YAML.
    pub yaml: &'static str,
}

/// The catalogue of games, sorted by name.
pub const CATALOGUE: &[CatalogueEntry] = &[
    CatalogueEntry { name: "backwards_valley", yaml: include_str!("../games/backwards_valley.yaml") },
    CatalogueEntry { name: "clay_bean", yaml: include_str!("../games/clay_bean.yaml") },
    CatalogueEntry { name: "full_farm", yaml: include_str!("../games/full_farm.yaml") },
];

/// How a game is to be changed before it is compiled.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// A preset of the game.
    pub preset: Option<String>,
    /// Changes by path, each with its value as YAML: (`fields.Field-0.shape.length#nb`, `4`).
    pub set: Vec<(String, String)>,
}

/// Opens a game: a name of the catalogue, or the path of a YAML file (anything with a `/`, or that ends in `.yaml` or `.yml`).
///
/// # Errors
/// Every problem of the file, located; an unknown name with the nearest one.
pub fn open(game: &str, options: &Options) -> Result<Game, Problems> {
    let mut document = document(game)?;
    let mut problems = Problems::default();
    if let Some(preset) = &options.preset {
        document.apply_preset(preset, &mut problems);
    }
    for (path, value) in &options.set {
        let origin = format!("--set {path}={value}");
        match serde_yaml::from_str(value) {
            Ok(value) => {
                if let Err(problem) = document.set(&document.resolve(path), value, &origin) {
                    problems.push(*problem);
                }
            }
            Err(error) => {
                let mut problem = Problem::new(Path::default(), format!("the value is not YAML: {error}")).value(value);
                problem.location = Some(Location { source: origin, position: None });
                problems.push(problem.help("quote texts with special characters: --set 'path=\"text\"'"));
            }
        }
    }
    if problems.has_errors() {
        return Err(document.locate(problems));
    }
    let spec = load_document(&document)?;
    Game::new(spec).map_err(|problems| document.locate(problems))
}

/// The parsed text of a game of the catalogue or of a file.
///
/// # Errors
/// When there is no such game or file, or the text is not YAML.
pub fn document(game: &str) -> Result<Document, Problems> {
    if let Some(entry) = CATALOGUE.iter().find(|entry| entry.name == game) {
        return Document::parse(&format!("{game}.yaml"), entry.yaml);
    }
    let path = std::path::Path::new(game);
    let is_file =
        game.contains(['/', '\\']) || matches!(path.extension().and_then(|e| e.to_str()), Some("yaml" | "yml"));
    if !is_file {
        let names = CATALOGUE.iter().map(|entry| entry.name);
        let problem =
            Problem::new(Path::default(), format!("there is no game `{game}`")).value(game).among(game, names);
        return Err(Problems(vec![
            problem.help("`farm list games` shows all; a file is given by its path, `./game.yaml`"),
        ]));
    }
    let text = std::fs::read_to_string(path).map_err(|error| {
        let problem = Problem::new(Path::default(), format!("the file can't be read: {error}")).value(game);
        Problems(vec![problem.help("check the path; `farm list games` shows the games that need no file")])
    })?;
    let mut document = Document::parse(game, &text)?;
    document.directory = path.parent().map(std::path::Path::to_path_buf);
    Ok(document)
}
