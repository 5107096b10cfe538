//! Pictures against those that somebody has looked at: every sprite of every game, and every game at its start, on its way and
//! at its end. After a change that is meant: `ACCEPT_PICTURES=1 cargo test -p farm-render --test golden`, and look at what changed.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::support::{episode, game, read_png, repository, share_of_different};
use farm_core::declare::Sprite;
use farm_games::CATALOGUE;
use farm_render::{Image, Legend, PictureOptions, Renderer, View};

/// A channel of a pixel may differ by so much, and so many of the pixels by more: edges of shapes are rounded differently where
/// the processor adds numbers in another order.
const MAX_DIFFERENCE: u8 = 24;
const MAX_PIXELS: f64 = 0.002;

/// Compares an image with the file that was accepted.
#[track_caller]
fn is_as_accepted(image: &Image, file: &Path) {
    if std::env::var_os("ACCEPT_PICTURES").is_some() {
        std::fs::write(file, image.to_png().unwrap()).unwrap();
        return;
    }
    let help = "`ACCEPT_PICTURES=1 cargo test -p farm-render --test golden` writes it anew; then look at it";
    let bytes = std::fs::read(file).unwrap_or_else(|error| panic!("{}: {error}; {help}", file.display()));
    let (width, height, pixels) = read_png(&bytes);
    assert_eq!((image.width(), image.height()), (width, height), "{}: another size; {help}", file.display());
    let share = share_of_different(image.pixels(), &pixels, MAX_DIFFERENCE);
    assert!(share <= MAX_PIXELS, "{}: {:.2} % of the pixels differ; {help}", file.display(), 100.0 * share);
}

/// As `farm render` draws.
const PAGE: PictureOptions = PictureOptions { legend: Legend::Used, season: true, ..PictureOptions::DEFAULT };

fn golden(name: &str) -> PathBuf {
    repository().join("farm-render/tests/golden").join(name)
}

/// The games whose sprites together are all there are: one more for each shape of plants that no game has.
fn games_with_all_sprites() -> Vec<(&'static str, std::sync::Arc<farm_core::Game>)> {
    let plants = "fields.Field-0.entities.2";
    vec![
        ("full_farm", game("full_farm-v0", &[])),
        ("walking_farmer", game("walking_farmer-v0", &[])),
        ("valley_farm", game("valley_farm", &[])),
        ("backwards_valley", game("backwards_valley", &[])),
        ("corn", game("clay_bean-v0", &[(plants, "Plant: corn")])),
        ("tomato", game("clay_bean-v0", &[(plants, "Plant: tomato")])),
        ("potato_blight", game("potato_blight", &[])),
        ("grain_store", game("grain_store", &[])),
        ("hay_meadow", game("hay_meadow", &[])),
        ("early_potato", game("early_potato", &[])),
    ]
}

#[test]
fn every_sprite_is_as_accepted() {
    for (name, game) in games_with_all_sprites() {
        let sheet = Renderer::new(game, &PictureOptions::default()).unwrap().sprite_sheet().unwrap();
        is_as_accepted(&sheet, &golden(&format!("sprites_{name}.png")));
    }
}

/// What a learner sees in place of them, where the window of a farmer shows names of tiles.
#[test]
fn every_sprite_that_only_learners_see_is_as_accepted() {
    for name in ["valley_farm", "backwards_valley"] {
        let options = PictureOptions { view: View::Learner, ..PictureOptions::default() };
        let sheet = Renderer::new(game(name, &[]), &options).unwrap().sprite_sheet().unwrap();
        is_as_accepted(&sheet, &golden(&format!("sprites_{name}_learner.png")));
    }
}

/// What learners see: in each game, where looking costs after random requests, and of a field too large for sprites.
#[test]
fn what_learners_see_is_drawn_as_accepted() {
    let options = PictureOptions { max_width: 320, max_height: 320, view: View::Learner, ..PictureOptions::DEFAULT };
    for entry in CATALOGUE {
        let played = episode(&game(entry.name, &[]), 1);
        let step = (played.states.len() - 1) * 2 / 5;
        is_as_accepted(&played.image(step, &options), &golden(&format!("{}_learner.png", entry.name)));
    }
    // The title is the game's name without its version.
    let costly = [("interaction_mode", "aomdp"), ("policies.expert", "RandomPolicy"), ("name", "full_farm")];
    let played = episode(&game("full_farm-v0", &costly), 3);
    is_as_accepted(&played.image(61, &options), &golden("full_farm_learner_aomdp.png"));
}

/// A field of which each pixel stands for several plots: named values have colours of their own, and water goes from light to blue.
#[test]
fn a_large_field_is_drawn_as_accepted() {
    let size = ["fields.Field-0.shape.length#nb", "fields.Field-0.shape.width#nb"].map(|path| (path, "60"));
    let size = [size[0], size[1], ("name", "clay_bean")];
    let played = episode(&game("clay_bean-v0", &size), 1);
    let options = PictureOptions { max_width: 440, max_height: 320, ..PictureOptions::default() };
    for step in [50, 90] {
        is_as_accepted(&played.image(step, &options), &golden(&format!("clay_bean_large_{step}.png")));
    }
}

#[test]
fn every_sprite_in_the_sources_is_on_one_of_the_sheets() {
    let games = games_with_all_sprites();
    let pictures = games.iter().flat_map(|(_, game)| game.parts().iter()).flat_map(|part| part.pictures());
    let badges = games.iter().flat_map(|(_, game)| game.parts().iter()).flat_map(|part| part.actions());
    let drawn: BTreeSet<&str> = pictures
        .flat_map(|picture| picture.sprite_rules())
        .map(|look| look.sprite())
        .chain(badges.filter_map(|action| action.badge()))
        .filter_map(|sprite| match sprite {
            Sprite::Svg(svg) => Some(svg.as_ref()),
            _ => None,
        })
        .collect();
    let mut files = Vec::new();
    for folder in ["farm-entities/src", "farm-games/src"] {
        svg_files(&repository().join(folder), &mut files);
    }
    assert!(files.len() > 60, "the sprites are found");
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(drawn.contains(text.as_str()), "{} is drawn by no game", file.display());
    }
}

fn svg_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            svg_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "svg") {
            found.push(path);
        }
    }
}

#[test]
fn every_game_is_drawn_as_accepted_at_its_start_on_its_way_and_at_its_end() {
    let small = PictureOptions { max_width: 320, max_height: 320, ..PictureOptions::default() };
    for entry in CATALOGUE {
        let game = game(entry.name, &[]);
        let played = episode(&game, 1);
        let last = played.states.len() - 1;
        assert!(last > 10, "{}", entry.name);
        for (name, step) in [("start", 0), ("end", last)] {
            is_as_accepted(&played.image(step, &small), &golden(&format!("{}_{name}.png", entry.name)));
        }
        // What lies between is shown to readers too.
        let shown = repository().join("docs/pictures").join(format!("{}.png", entry.name));
        is_as_accepted(&played.image(last * 2 / 5, &PAGE), &shown);
    }
}
