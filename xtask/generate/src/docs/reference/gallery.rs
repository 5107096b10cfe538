//! The gallery: every game, with a clip and the commands to run.

use farm_core::inspect::first_sentence;
use farm_games::catalogue::Family;
use maud::{Markup, html};

use super::super::markdown::Page;
use super::Generated;
use super::game::Opened;

/// Its path, which is in `docs/SUMMARY.md`.
const PATH: &str = "docs/gallery.md";

/// The policies in the clips. A game's clip shows the first of these that the game has.
const PLAYERS: [&str; 2] = ["expert", "informed"];

/// A preset with several plots, which shows more of a game. A game without this preset is played unchanged.
const PRESET: &str = "4x3";

/// Writes the page.
pub(super) fn page(games: &[Opened]) -> Generated {
    let mut page = Page::new("Gallery");
    page.paragraph(
        "Every game, played by one of its policies, in the season with the median return among 20. A click on a clip opens the \
         game's page with observations, actions, rewards and the results of policies.",
    );
    page.paragraph(
        "<p class=\"buttons\"><a class=\"button\" href=\"examples/season.html\">Open the report of a season</a> \
         <a class=\"button\" href=\"examples/compared.html\">Two policies compared</a></p>",
    );
    for family in Family::ALL {
        let clips: Vec<Markup> = games.iter().filter(|game| game.entry.family == family).map(clip).collect();
        if !clips.is_empty() {
            page.heading(&super::capital(family.name()));
            page.paragraph(family.doc());
            page.paragraph(&html! { div.clips { @for clip in clips { (clip) } } }.into_string());
        }
    }
    page.heading("What to run");
    page.paragraph(
        "These commands make a clip and a report of `clay_bean` and let you play it; `farm serve` opens all games in the browser.",
    );
    page.block(
        "text",
        "$ farm run clay_bean --policy expert --episodes 1 --seed 3 --seconds 8 --scale 0.75 --mp4 clay_bean.mp4\n\
         $ farm run clay_bean --policy expert --episodes 1 --seed 3 --report season.html\n\
         $ farm play clay_bean",
    );
    Generated { path: PATH.to_owned(), title: "Gallery".to_owned(), depth: 0, text: page.into_text() }
}

/// A game as a card: its clip, its description, and its policy.
fn clip(game: &Opened) -> Markup {
    let name = game.entry.name;
    let about = super::cards::line(first_sentence(game.doc()));
    let player = PLAYERS.into_iter().find(|policy| game.has_policy(policy)).unwrap_or("random");
    let preset = if game.has_preset(PRESET) { format!(" --preset {PRESET}") } else { String::new() };
    html! {
        a href={ "reference/games/" (name) ".html" } {
            video src={ "pictures/clips/" (name) ".mp4#t=2" } preload="metadata" loop muted playsinline
                aria-label={ (name) ", played by " (player) } {}
            b { (name) } " " span { (about) } " " small { "farm run " (name) (preset) " --policy " (player) }
        }
    }
}
