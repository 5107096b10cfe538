//! Films and pictures of episodes for `farm run`, `farm replay` and `farm render`.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use farm_core::{Game, Observer, ObserverError, State, Transition};
use farm_output::{OutputError, check_target, save, save_incomplete};
use farm_render::{
    Film, FilmFormat, FilmOptions, Frame, Legend, PictureOptions, RenderError, Renderer, Season, Size, View,
};

use crate::targets::Format;

const GIF: Format = Format { option: "--gif", sentence: "this film is written as GIF", endings: &["gif"] };
const MP4: Format = Format { option: "--mp4", sentence: "this film is written as MP4", endings: &["mp4", "m4v"] };

/// Outputs of the first episode as film and pictures
#[derive(Debug, Default, Args)]
pub(crate) struct FilmArguments {
    /// Write a GIF film of the first episode
    #[arg(long, value_name = "FILE.gif")]
    pub gif: Option<PathBuf>,
    /// Write an MP4 film (H.264) of the first episode
    #[arg(long, value_name = "FILE.mp4")]
    pub mp4: Option<PathBuf>,
    /// Write a picture of each step of the first episode to DIR/step_0000.png, …; DIR is created if missing. Pictures of later steps
    /// from an earlier run are deleted
    #[arg(long, value_name = "DIR")]
    png: Option<PathBuf>,
    /// Frames per second [default: 10]
    #[arg(long, value_parser = frames_per_second, value_name = "NUMBER")]
    pub fps: Option<f64>,
    /// One frame every N steps [default: as many as fit --seconds]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..), value_name = "N")]
    every: Option<u32>,
    /// Maximum length of a film in seconds, for games with a step limit; steps in between are left out [default: the length of 300 frames]
    #[arg(long, value_parser = seconds, conflicts_with = "every", value_name = "NUMBER")]
    seconds: Option<f64>,
    #[command(flatten)]
    picture: PictureArguments,
}

fn seconds(text: &str) -> Result<f64, String> {
    within(text, FilmOptions::SECONDS)
}

fn frames_per_second(text: &str) -> Result<f64, String> {
    within(text, FilmOptions::FRAMES_PER_SECOND)
}

fn within(text: &str, range: RangeInclusive<f64>) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if range.contains(&number) => Ok(number),
        _ => Err(format!("expected a number from {} to {}", range.start(), range.end())),
    }
}

impl FilmArguments {
    /// The arguments for one film in this file: MP4 if the extension is `.mp4`, otherwise GIF. All other settings have their defaults.
    pub(crate) fn to(path: PathBuf) -> Self {
        let is_mp4 =
            MP4.endings.iter().any(|end| path.extension().is_some_and(|given| given.eq_ignore_ascii_case(end)));
        let (gif, mp4) = if is_mp4 { (None, Some(path)) } else { (Some(path), None) };
        Self { gif, mp4, ..Self::default() }
    }

    /// Whether a film or pictures are requested.
    pub(crate) fn is_wanted(&self) -> bool {
        self.gif.is_some() || self.mp4.is_some() || self.png.is_some()
    }
}

/// Default frames per second.
const FPS: f64 = 10.0;

/// Size and view of pictures
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct PictureArguments {
    /// Show only what the learner observes
    #[arg(long)]
    pub learner_view: bool,
    /// Scale factor, from 0.25 to 8
    #[arg(long, value_parser = scale, value_name = "NUMBER")]
    scale: Option<Size>,
    /// Size: 720p, 1080p, 1440p, 2160p or WIDTHxHEIGHT in pixels
    #[arg(long, value_parser = str::parse::<Size>, conflicts_with = "scale", value_name = "SIZE")]
    size: Option<Size>,
}

fn scale(text: &str) -> Result<Size, String> {
    text.parse().map_err(|_| "expected a number from 0.25 to 8".to_owned()).and_then(Size::scaled)
}

impl PictureArguments {
    /// The picture options with this legend and the season chart.
    pub(crate) fn options(&self, legend: Legend) -> PictureOptions {
        let view = if self.learner_view { View::Learner } else { View::Everything };
        let size = self.size.or(self.scale).unwrap_or(Size::Scale(1.0));
        PictureOptions { view, size, legend, season: true, ..PictureOptions::default() }
    }
}

/// The caption after a game's name: its presets and the policy.
pub(crate) fn caption(preset: Option<&str>, policy: Option<&str>) -> String {
    preset.into_iter().chain(policy).collect::<Vec<_>>().join(" · ")
}

/// Pictures of single steps, in a folder.
struct Pictures {
    folder: PathBuf,
    renderer: Renderer,
    season: Season,
    /// The names of the pictures written so far.
    written: BTreeSet<String>,
}

/// An unfinished film, in all the requested formats.
pub(crate) struct FilmObserver {
    game: Arc<Game>,
    film: Option<Film>,
    /// The film's files, in the order of its formats.
    files: Vec<PathBuf>,
    pictures: Option<Pictures>,
    caption: String,
    total: f64,
    /// The first error. It stops the filming, but not the episode.
    failure: Option<RenderError>,
}

impl FilmObserver {
    /// Opens the film that the arguments request. `None` if they do not request one.
    ///
    /// # Errors
    /// Fails if a path can't be written, or if a sprite is not an SVG. Paths are checked before anything is played.
    pub(crate) fn open(arguments: &FilmArguments, game: &Arc<Game>) -> anyhow::Result<Option<Self>> {
        let FilmArguments { gif, mp4, png, fps, every, seconds, picture } = arguments;
        if !arguments.is_wanted() {
            return Ok(None);
        }
        let fps = fps.unwrap_or(FPS);
        #[cfg(not(feature = "mp4"))]
        if mp4.is_some() {
            return Err(OutputError::LeftOut { what: "MP4", feature: "mp4" }.into());
        }
        for (format, path) in [(GIF, gif), (MP4, mp4)] {
            let Some(path) = path else { continue };
            format.check(path)?;
            check_target(path)?;
        }
        let options = picture.options(Legend::None);
        let films = gif.iter().map(|path| (FilmFormat::Gif, path.clone()));
        #[cfg(feature = "mp4")]
        let films = films.chain(mp4.iter().map(|path| (FilmFormat::Mp4, path.clone())));
        let (formats, files): (Vec<_>, Vec<_>) = films.unzip();
        let usual = FilmOptions::of(options, fps);
        let film = FilmOptions { every: *every, seconds: seconds.unwrap_or(usual.seconds), ..usual };
        let film = (!files.is_empty()).then(|| Film::new(game.clone(), &formats, &film)).transpose()?;
        let pictures = png.as_ref().map(|folder| -> anyhow::Result<Pictures> {
            make_folder(folder)?;
            let renderer = Renderer::new(game.clone(), &options)?;
            Ok(Pictures { folder: folder.clone(), renderer, season: Season::new(game), written: BTreeSet::new() })
        });
        let (caption, total, failure) = (String::new(), 0.0, None);
        Ok(Some(Self { game: game.clone(), film, files, pictures: pictures.transpose()?, caption, total, failure }))
    }

    /// Adds a caption after the game's name.
    pub(crate) fn with_caption(self, caption: String) -> Self {
        Self { caption, ..self }
    }

    fn take(&mut self, frame: &Frame<'_>) {
        if self.failure.is_none() {
            self.failure = self.try_take(frame).err();
        }
    }

    fn try_take(&mut self, frame: &Frame<'_>) -> Result<(), RenderError> {
        let frame = Frame { caption: &self.caption, ..*frame };
        if let Some(film) = &mut self.film {
            film.add(&frame)?;
        }
        if let Some(pictures) = &mut self.pictures {
            pictures.season.note(&self.game, frame.state);
            let image = pictures.renderer.render(&Frame { season: Some(&pictures.season), ..frame });
            let name = format!("step_{:04}.png", frame.state.step());
            save(&pictures.folder.join(&name), &image.to_png()?)?;
            pictures.written.insert(name);
        }
        Ok(())
    }

    /// Writes the films; after an early end, their names mark them as incomplete. Returns the films and the folder that were written.
    ///
    /// # Errors
    /// Returns the first output that could not be encoded or written. The other outputs are written anyway.
    pub(crate) fn finish(self, is_whole: bool) -> Result<Vec<PathBuf>, RenderError> {
        let mut failure = self.failure;
        let mut written: Vec<PathBuf> = Vec::new();
        if let Some(Pictures { folder, written: pictures, .. }) = self.pictures {
            if failure.is_none() && !pictures.is_empty() && is_whole {
                failure = remove_other_pictures(&folder, &pictures).err().map(RenderError::from);
            }
            written.push(folder);
        }
        let films = self.film.map(Film::finish).unwrap_or_default();
        for (path, bytes) in self.files.into_iter().zip(films) {
            match bytes.and_then(|bytes| Ok(save_as(&path, &bytes, is_whole)?)) {
                Ok(path) => written.push(path),
                Err(error) => failure = failure.take().or(Some(error)),
            }
        }
        failure.map_or(Ok(written), Err)
    }
}

impl Observer for FilmObserver {
    fn after_reset(&mut self, _: &Game, state: &State) -> Result<(), ObserverError> {
        self.total = 0.0;
        self.take(&Frame::of(state));
        Ok(())
    }

    fn after_step(&mut self, transition: &Transition<'_>) -> Result<(), ObserverError> {
        let Transition { state, record, outcome, .. } = transition;
        self.total += outcome.reward;
        let (total, reward) = (self.total, Some(outcome.reward));
        let (executed, events) = (record.executed(), record.events());
        self.take(&Frame { total, reward, executed, events, ..Frame::of(state) });
        Ok(())
    }
}

/// Writes a file under its name or, after an early end, under the name of an incomplete file. Returns the path.
///
/// # Errors
/// Returns the file with the reason.
pub(crate) fn save_as(path: &Path, bytes: &[u8], is_whole: bool) -> Result<PathBuf, OutputError> {
    if is_whole { save(path, bytes).map(|()| path.to_owned()) } else { save_incomplete(path, bytes) }
}

/// Creates a folder and its parents, and checks that it is writable.
fn make_folder(folder: &Path) -> Result<(), OutputError> {
    std::fs::create_dir_all(folder).map_err(OutputError::write(folder))?;
    check_target(&folder.join("step_0000.png"))
}

/// Removes the pictures of steps that this run did not write. They belong to an earlier, longer episode.
fn remove_other_pictures(folder: &Path, written: &BTreeSet<String>) -> Result<(), OutputError> {
    let failed = || OutputError::write(folder);
    for entry in std::fs::read_dir(folder).map_err(failed())? {
        let name = entry.map_err(failed())?.file_name();
        let Some(name) = name.to_str() else { continue };
        let number = name.strip_prefix("step_").and_then(|rest| rest.strip_suffix(".png")).unwrap_or_default();
        let is_picture = number.len() >= 4 && number.bytes().all(|byte| byte.is_ascii_digit());
        if is_picture && !written.contains(name) {
            std::fs::remove_file(folder.join(name)).map_err(failed())?;
        }
    }
    Ok(())
}
