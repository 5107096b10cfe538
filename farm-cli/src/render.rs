//! `farm render`: draws a picture of a game.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use farm_core::{EpisodeRunner, NoObserver, SeedSplit};
use farm_output::{check_target, save};
use farm_render::{Frame, Legend, Renderer, Season};

use crate::arguments::{GameArguments, seed};
use crate::film::{PictureArguments, caption};
use crate::output;
use crate::policy::Choice;
use crate::targets::Format;

const FORMAT: Format =
    Format { option: "farm render GAME", sentence: "pictures are written as PNG or SVG", endings: &["png", "svg"] };

const SHEET: Format = Format {
    option: "farm render GAME --sprites",
    sentence: "sheets of sprites are written as PNG",
    endings: &["png"],
};

const EXAMPLES: &str = "\
Examples:
  farm render GAME start.png                           the start of an episode
  farm render GAME later.png --policy expert --step 60
  farm render GAME large.png --size 1080p --legend none
  farm render GAME page.svg --step 60                  a vector graphic for pages and print
  farm render GAME seen.png --seed 7 --learner-view    only what the learner observes
  farm render GAME sprites.png --sprites               all sprites of the game, with their names";

/// Draw a picture of a game
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// Picture to write, .png or .svg
    #[arg(value_name = "FILE.png")]
    picture: PathBuf,
    /// Seed of the episode
    #[arg(long, default_value_t = 0, value_parser = seed, allow_negative_numbers = true)]
    seed: u64,
    /// Number of steps to play first; fewer if the episode ends
    #[arg(long, default_value_t = 0)]
    step: u32,
    /// Policy that plays these steps, as for `farm run`
    #[arg(long, value_name = "POLICY|FILE.yaml")]
    policy: Option<String>,
    #[command(flatten)]
    options: PictureArguments,
    /// Symbols in the legend: none, the used ones, or all
    #[arg(long, value_parser = str::parse::<Legend>, default_value = "used", value_name = "none|used|all")]
    legend: Legend,
    /// Draw the sprites of the game with their names instead, as PNG
    #[arg(long, conflicts_with_all = ["step", "policy", "learner_view", "scale", "size", "legend"])]
    sprites: bool,
}

/// Draws the picture.
///
/// # Errors
/// Fails if the game, the policy or the file has errors, or if the game's numbers are no longer finite.
pub(crate) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let format = if arguments.sprites { SHEET } else { FORMAT };
    let is_svg = format.check(&arguments.picture)? == "svg";
    let game = Arc::new(arguments.game.open()?);
    check_target(&arguments.picture)?;
    let mut renderer = Renderer::new(game.clone(), &arguments.options.options(arguments.legend))?;
    let bytes = if arguments.sprites {
        renderer.sprite_sheet()?.to_png()?
    } else {
        let mut player = Choice::of(&game, arguments.policy.as_deref())?.player(&game)?;
        let (mut runner, mut reward) = (EpisodeRunner::new(&game), None);
        runner.name_split(SeedSplit::of(arguments.seed));
        runner.start(player.as_mut(), arguments.seed, &mut NoObserver)?;
        let mut season = Season::new(&game);
        season.note(&game, runner.state());
        while !runner.state().over() && runner.state().step() < arguments.step {
            reward = Some(runner.advance(player.as_mut(), &mut NoObserver)?.reward);
            season.note(&game, runner.state());
        }
        let (state, total) = (runner.state(), runner.episode().total());
        let record = (state.step() > 0).then(|| runner.record());
        let (executed, events) = record.map_or((&[][..], &[][..]), |record| (record.executed(), record.events()));
        let caption = caption(arguments.game.preset().as_deref(), arguments.policy.as_deref());
        let (caption, season) = (caption.as_str(), Some(&season));
        let frame = Frame { total, reward, executed, events, caption, season, ..Frame::of(state) };
        match is_svg {
            true => renderer.render_svg(&frame).into_bytes(),
            false => renderer.render(&frame).to_png()?,
        }
    };
    save(&arguments.picture, &bytes)?;
    let mut out = output::stdout();
    writeln!(out, "picture: {}", arguments.picture.display())?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
