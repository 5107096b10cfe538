//! Films of episodes: what `farm run` writes besides its results, and `farm render` as single pictures.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use farm_core::{Game, Observer, ObserverError, State, Transition};
use farm_output::{OutputError, check_target, save};
#[cfg(feature = "mp4")]
use farm_render::Mp4;
use farm_render::{Frame, Gif, PictureOptions, RenderError, Renderer, View};

use crate::targets::Format;

const GIF: Format = Format { option: "--gif", sentence: "this film is written as GIF", endings: &["gif"] };
const MP4: Format = Format { option: "--mp4", sentence: "this film is written as MP4", endings: &["mp4", "m4v"] };

/// Where films and pictures of the first episode are written
#[derive(Debug, Args)]
pub(crate) struct FilmArguments {
    /// Writes a film of the first episode as GIF
    #[arg(long, value_name = "FILE.gif")]
    pub gif: Option<PathBuf>,
    /// Writes a film of the first episode as MP4 (H.264)
    #[arg(long, value_name = "FILE.mp4")]
    pub mp4: Option<PathBuf>,
    /// Writes a picture of each step of the first episode to DIR/step_0000.png and so on; DIR is made if it is not there, and pictures
    /// of steps that an earlier episode had and this one has not are removed from it
    #[arg(long, value_name = "DIR")]
    png: Option<PathBuf>,
    /// Frames a second of films; 10 unless something else is said
    #[arg(long, value_parser = frames_per_second, value_name = "NUMBER")]
    pub fps: Option<f64>,
    /// Films and pictures show only what the learner is shown
    #[arg(long)]
    learner_view: bool,
}

fn frames_per_second(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if (0.1..=50.0).contains(&number) => Ok(number),
        _ => Err("expected a number from 0.1 to 50".to_owned()),
    }
}

impl FilmArguments {
    /// Whether a film or pictures are asked for.
    pub(crate) fn is_wanted(&self) -> bool {
        self.gif.is_some() || self.mp4.is_some() || self.png.is_some()
    }
}

/// Frames a second of a film, unless something else is said.
const FPS: f64 = 10.0;

/// The options of pictures.
pub(crate) fn options(learner_view: bool) -> PictureOptions {
    PictureOptions { view: if learner_view { View::Learner } else { View::Everything }, ..PictureOptions::default() }
}

/// A film in the making, in all formats that are wanted.
pub(crate) struct FilmObserver {
    renderer: Renderer,
    gif: Option<(PathBuf, Gif)>,
    #[cfg(feature = "mp4")]
    mp4: Option<(PathBuf, Mp4)>,
    png: Option<PathBuf>,
    /// The names of the pictures that were written.
    pictures: BTreeSet<String>,
    total: f64,
    /// What went wrong; nothing more is filmed then, and the episode goes on.
    failure: Option<RenderError>,
}

impl FilmObserver {
    /// The film that the arguments ask for; none if they ask for nothing.
    ///
    /// # Errors
    /// A path that can't be written, so that it is told before anything is played; a sprite that is not an SVG.
    pub(crate) fn open(arguments: &FilmArguments, game: &Arc<Game>) -> anyhow::Result<Option<Self>> {
        let FilmArguments { gif, mp4, png, fps, learner_view } = arguments;
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
        if let Some(folder) = png {
            make_folder(folder)?;
        }
        let renderer = Renderer::new(game.clone(), &options(*learner_view))?;
        let size = renderer.size();
        let gif =
            gif.as_ref().map(|path| Ok::<_, RenderError>((path.clone(), Gif::new(size, renderer.palette(), fps)?)));
        #[cfg(feature = "mp4")]
        let mp4 = mp4.as_ref().map(|path| Ok::<_, RenderError>((path.clone(), Mp4::new(size, fps)?)));
        Ok(Some(Self {
            gif: gif.transpose()?,
            #[cfg(feature = "mp4")]
            mp4: mp4.transpose()?,
            png: png.clone(),
            pictures: BTreeSet::new(),
            renderer,
            total: 0.0,
            failure: None,
        }))
    }

    fn take(&mut self, frame: &Frame<'_>) {
        if self.failure.is_none() {
            self.failure = self.try_take(frame).err();
        }
    }

    fn try_take(&mut self, frame: &Frame<'_>) -> Result<(), RenderError> {
        let image = self.renderer.render(frame);
        if let Some((_, gif)) = &mut self.gif {
            gif.frame(image)?;
        }
        #[cfg(feature = "mp4")]
        if let Some((_, mp4)) = &mut self.mp4 {
            mp4.frame(image)?;
        }
        if let Some(folder) = &self.png {
            let name = format!("step_{:04}.png", frame.state.step());
            save(&folder.join(&name), &image.to_png()?)?;
            self.pictures.insert(name);
        }
        Ok(())
    }

    /// Writes the films; returns the files and the folder that were written.
    ///
    /// # Errors
    /// What could not be encoded or written; what could is written all the same.
    pub(crate) fn finish(self) -> Result<Vec<PathBuf>, RenderError> {
        let mut failure = self.failure;
        if let (Some(folder), None, false) = (&self.png, &failure, self.pictures.is_empty()) {
            failure = remove_other_pictures(folder, &self.pictures).err().map(RenderError::from);
        }
        let mut written: Vec<PathBuf> = self.png.into_iter().collect();
        let mut note = |path: PathBuf, bytes: Result<Vec<u8>, RenderError>| match bytes
            .and_then(|bytes| Ok(save(&path, &bytes)?))
        {
            Ok(()) => written.push(path),
            Err(error) => failure = failure.take().or(Some(error)),
        };
        if let Some((path, gif)) = self.gif {
            note(path, gif.finish());
        }
        #[cfg(feature = "mp4")]
        if let Some((path, mp4)) = self.mp4 {
            note(path, mp4.finish());
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
        let Transition { game, state, record, outcome, .. } = transition;
        self.total += outcome.reward;
        let actions: Vec<String> = record.executed().iter().map(|call| game.catalogue().write(call)).collect();
        self.take(&Frame { state, total: self.total, reward: Some(outcome.reward), actions: &actions.join("; ") });
        Ok(())
    }
}

/// Makes a folder and those above it, into which files can be written.
fn make_folder(folder: &Path) -> Result<(), OutputError> {
    std::fs::create_dir_all(folder).map_err(OutputError::write(folder))?;
    check_target(&folder.join("step_0000.png"))
}

/// Removes the pictures of steps that are not among those written: they are of a longer episode before.
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
