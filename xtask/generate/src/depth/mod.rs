//! `cargo xtask depth`: measures how much of a game's return needs more than a calendar.

mod measure;
mod piece;
mod table;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use farm_core::{Game, hash_name, mix};
use farm_games::catalogue::Family;
use farm_games::{CATALOGUE, Options};
use farm_search::plan::FEWEST_TRIALS;
use xtask::Depth;

use self::piece::Piece;
use crate::exploits::{EXPERT, Opened};

/// The folder for the pieces, relative to the top of the repository.
const FOLDER: &str = "results/depth";
/// The ending of the pieces. Files that end in `.json` are results of policies.
const ENDING: &str = "jsonl";

/// Measures the requested games that have no piece yet, and prints the table. With `--table`, only writes the table into its page.
///
/// # Errors
/// A game can't be opened, has no expert or fails in a step, or a file can't be read or written.
pub(crate) fn run(root: &Path, request: &Depth) -> anyhow::Result<()> {
    let folder = request.out.clone().unwrap_or_else(|| root.join(FOLDER));
    if request.table {
        let text = table::text(&pieces(&folder)?);
        print!("{text}");
        return table::write(root, &text);
    }
    ensure!(
        request.candidates > 0 && request.seeds > 1 && request.plan_seeds > 1 && request.plan_trials >= FEWEST_TRIALS,
        "too few candidates, seeds or trials: at least 1 candidate, 2 seeds, 2 seeds of the planner and {FEWEST_TRIALS} trials"
    );
    fs::create_dir_all(&folder).with_context(|| format!("{} can't be created", folder.display()))?;
    let mut measured = Vec::new();
    for name in games(request)? {
        let game = farm_games::open(&name, &Options::default())?;
        ensure!(game.spec().policies().contains_key(EXPERT), "{name} has no policy `{EXPERT}`");
        let title = game.spec().name().to_owned();
        let path = folder.join(format!("{title}.{ENDING}"));
        let fingerprint = fingerprint(&game);
        let former = if path.is_file() { Some(Piece::read(&path)?) } else { None };
        let piece = match former.filter(|former| former.fingerprint == fingerprint) {
            Some(former) => former,
            None => {
                let piece = measure::piece(request, &Opened { file: title.clone(), title, game }, fingerprint)?;
                piece.write(&path)?;
                println!("{}: {:.0} s, bounds missed: {}", piece.game, piece.seconds, piece.missed().join(", "));
                piece
            }
        };
        measured.push(piece);
    }
    print!("{}", table::text(&measured));
    Ok(())
}

/// The requested games; default: those of the catalogue with an expert, without the grids of tiles.
fn games(request: &Depth) -> anyhow::Result<Vec<String>> {
    if !request.games.is_empty() {
        return Ok(request.games.clone());
    }
    let mut found = Vec::new();
    for entry in CATALOGUE.iter().filter(|entry| entry.family != Family::Valleys) {
        let game = farm_games::open(entry.name, &Options::default())?;
        if game.spec().policies().contains_key(EXPERT) {
            found.push(entry.name.to_owned());
        }
    }
    Ok(found)
}

/// The fingerprint of a game with its policies.
fn fingerprint(game: &Game) -> String {
    let policies = serde_yaml::to_string(game.spec().policies()).unwrap_or_default();
    format!("{:016x}", mix(game.fingerprint(), hash_name(&policies)))
}

/// The pieces in a folder, in the order of the catalogue.
fn pieces(folder: &Path) -> anyhow::Result<Vec<Piece>> {
    let entries = fs::read_dir(folder).with_context(|| format!("{} can't be read", folder.display()))?;
    let paths = entries.flatten().map(|entry| entry.path());
    let paths: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|ending| ending == ENDING)).collect();
    ensure!(!paths.is_empty(), "{} has no files that end in .{ENDING}: run `cargo xtask depth`", folder.display());
    let mut pieces: Vec<Piece> = paths.iter().map(|path| Piece::read(path)).collect::<anyhow::Result<_>>()?;
    let place = |piece: &Piece| CATALOGUE.iter().position(|entry| piece.game.starts_with(entry.name));
    pieces.sort_by_key(|piece| (place(piece), piece.game.clone()));
    Ok(pieces)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Words {
        #[command(flatten)]
        request: Depth,
    }

    fn run_with(root: &Path, words: &[&str]) -> anyhow::Result<()> {
        run(root, &Words::try_parse_from(std::iter::once(&"depth").chain(words))?.request)
    }

    const FEW: [&str; 10] =
        ["--candidates", "12", "--seeds", "8", "--plan-seeds", "2", "--plan-trials", "24", "--threads", "2"];

    #[test]
    fn a_piece_is_measured_once_and_the_table_is_written_between_its_lines() {
        let root = std::env::temp_dir().join(format!("depth-{}", std::process::id()));
        fs::create_dir_all(root.join("docs")).unwrap();
        let page = root.join(table::PAGE);
        let of_repository = fs::read_to_string(crate::root().join(table::PAGE)).unwrap();
        fs::write(&page, &of_repository).unwrap();
        let words = [&["--games", "clay_bean,costly_clay_bean"][..], &FEW].concat();
        run_with(&root, &words).unwrap();
        let path = root.join(FOLDER).join("costly_clay_bean.jsonl");
        let mut piece = Piece::read(&path).unwrap();
        assert!(piece.unpaid.is_some() && piece.forecast.is_some() && piece.plan.is_some());
        assert!(piece.kept.is_none(), "this game has no limit");
        // A piece of the same game is kept as it is; a piece of another game is measured again.
        piece.seconds = 1e6;
        piece.write(&path).unwrap();
        run_with(&root, &words).unwrap();
        assert_eq!(Piece::read(&path).unwrap(), piece);
        piece.fingerprint = "of another game".to_owned();
        piece.write(&path).unwrap();
        run_with(&root, &words).unwrap();
        assert_ne!(Piece::read(&path).unwrap().fingerprint, piece.fingerprint);
        run_with(&root, &["--table"]).unwrap();
        let written = fs::read_to_string(&page).unwrap();
        assert!(written.contains("\n| `clay_bean` |") && written.contains("\n| `costly_clay_bean` |"), "{written}");
        assert_eq!(written.split(table::BEGIN).next(), of_repository.split(table::BEGIN).next());
        fs::remove_dir_all(&root).unwrap();
    }

    #[test]
    fn a_request_that_makes_no_sense_says_what_does() {
        let root = std::env::temp_dir().join(format!("depth-none-{}", std::process::id()));
        for (words, expected) in [
            (["--table"].as_slice(), "results/depth can't be read"),
            (&["--games", "clay_bean", "--candidates", "0"], "too few"),
            (&["--games", "clay_beam"], "clay_bean"),
            (&["--table"], "results/depth has no files that end in .jsonl"),
        ] {
            let error = format!("{:#}", run_with(&root, words).unwrap_err());
            assert!(error.contains(expected), "{words:?}: {error}");
        }
        fs::remove_dir_all(&root).unwrap();
    }
}
