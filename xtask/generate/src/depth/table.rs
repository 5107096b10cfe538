//! The table of all games, in the documentation.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use anyhow::{Context, anyhow};
use farm_games::catalogue::BEST_KNOWN_POLICY;

use super::piece::{BETTER, FORECAST, Piece, Span};
use crate::curves::END;
use crate::exploits::EXPERT;

/// The page with the table.
pub(super) const PAGE: &str = "docs/exploits.md";
/// The generated text on the page is between this line and [`END`].
pub(super) const BEGIN: &str = "<!-- `cargo xtask depth --table` writes what follows. -->\n";

const HEADER: [&str; 13] = [
    "game",
    "wait",
    "expert",
    "best known",
    "calendar",
    "without looks",
    "forecast",
    "best known / expert",
    "plan / best known",
    "within limits",
    "idle rules",
    "best in bad seasons",
    "bounds missed",
];

/// The table, with a line about all games.
pub(super) fn text(pieces: &[Piece]) -> String {
    let mut text = String::new();
    let mut line = |cells: [String; 13]| writeln!(text, "| {} |", cells.join(" | "));
    let none = || "–".to_owned();
    let mean = |piece: &Piece, name: &str| piece.mean(name).map_or_else(none, |mean| format!("{mean:.1}"));
    let or_none = |span: Option<Span>| span.map_or_else(none, shown);
    let mut write = || {
        line(HEADER.map(str::to_owned))?;
        line(["---"; 13].map(str::to_owned))?;
        for piece in pieces {
            let missed = piece.missed();
            line([
                format!("`{}`", piece.game),
                mean(piece, "wait"),
                mean(piece, EXPERT),
                mean(piece, BEST_KNOWN_POLICY),
                shown(piece.calendar),
                or_none(piece.unpaid),
                or_none(piece.forecast),
                or_none(piece.best_known),
                or_none(piece.plan),
                piece.kept.map_or_else(none, |share| format!("{:.0} %", 100.0 * share)),
                format!("{} of {}", piece.idle_rules(), piece.rules.len()),
                if piece.best_in_bad_seasons == piece.best_on_average {
                    "the same".to_owned()
                } else {
                    format!("`{}`", piece.best_in_bad_seasons)
                },
                if missed.is_empty() { "none".to_owned() } else { missed.join(", ") },
            ])?;
        }
        std::fmt::Result::Ok(())
    };
    // Writing to a string does not fail.
    let _ = write();
    let count = |is: &dyn Fn(&Piece) -> bool| pieces.iter().filter(|piece| is(piece)).count();
    let is_at_least = |span: Option<Span>, bound: f64| span.is_some_and(|span| span.value >= bound);
    let _ = writeln!(
        text,
        "\nOf {} games, {} miss no bound. Forecasts are worth 5 % or more in {}. Planning earns 1.05 times the best known policy or more in {}. \
         The best policy in bad seasons is another one in {}.",
        pieces.len(),
        count(&|piece| piece.missed().is_empty()),
        count(&|piece| is_at_least(piece.forecast, FORECAST)),
        count(&|piece| is_at_least(piece.plan, BETTER)),
        count(&|piece| piece.best_in_bad_seasons != piece.best_on_average),
    );
    text
}

/// A number with its interval.
fn shown(Span { value, low, high }: Span) -> String {
    // No minus in front of a zero.
    let [value, low, high] = [value, low, high].map(|number| (100.0 * number).round() / 100.0 + 0.0);
    format!("{value:.2} ({low:.2} … {high:.2})")
}

/// Writes the table into its page.
pub(super) fn write(root: &Path, table: &str) -> anyhow::Result<()> {
    let path = root.join(PAGE);
    let text = fs::read_to_string(&path).with_context(|| format!("{} can't be read", path.display()))?;
    let (before, rest) = text.split_once(BEGIN).ok_or_else(|| anyhow!("{PAGE} lacks the line {BEGIN}"))?;
    let (_, after) = rest.split_once(END).ok_or_else(|| anyhow!("{PAGE} lacks the line {END}"))?;
    fs::write(&path, format!("{before}{BEGIN}\n{table}\n{END}{after}"))
        .with_context(|| format!("{} can't be written", path.display()))
}
