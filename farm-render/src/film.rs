//! The film of an episode: which steps it shows, how those who walk come from plot to plot, and the files that it becomes.

use std::ops::RangeInclusive;
use std::sync::Arc;

use farm_core::action::Call;
use farm_core::{Event, Game};
use farm_output::Image;

use crate::error::RenderError;
use crate::gif::Gif;
use crate::layout::PictureOptions;
use crate::legend::Legend;
#[cfg(feature = "mp4")]
use crate::mp4::Mp4;
use crate::renderer::{Frame, Renderer};
use crate::season::Season;

/// The formats of films.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FilmFormat {
    /// An animated GIF.
    Gif,
    /// H.264 in an MP4 file.
    #[cfg(feature = "mp4")]
    Mp4,
}

/// What a film shows, and how fast.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FilmOptions {
    /// The pictures; their legend is left out.
    pub picture: PictureOptions,
    /// Steps shown in a second.
    pub frames_per_second: f64,
    /// A frame for every so many steps; as `seconds` says if nothing is said.
    pub every: Option<u32>,
    /// The longest time that the film takes, in seconds, where the game has a longest episode.
    pub seconds: f64,
}

/// The most steps that a film shows if nothing is said, which keeps its file small.
const MAX_FRAMES: f64 = 300.0;
/// Most units of the fields: pictures of films are smaller than others, so that the files are.
const MAX_SIZE: (u32, u32) = (640, 440);
/// Pictures of a step in which somebody walks.
const PER_WALK: u32 = 3;
/// How long is seen what comes and goes within a step, such as animals and the sky, in seconds.
const LEAST_SEEN: f64 = 0.3;
/// The shortest step that has pictures in between.
const SHORTEST_STEP: f64 = 0.06;

impl Default for FilmOptions {
    fn default() -> Self {
        Self::of(PictureOptions { season: true, ..PictureOptions::DEFAULT }, 10.0)
    }
}

impl FilmOptions {
    /// The steps that may be shown in a second.
    pub const FRAMES_PER_SECOND: RangeInclusive<f64> = 0.1..=50.0;
    /// The longest times, in seconds, that may be asked for.
    pub const SECONDS: RangeInclusive<f64> = 1.0..=3600.0;

    /// Films of such pictures, drawn smaller than single ones, and of the usual length.
    pub fn of(picture: PictureOptions, frames_per_second: f64) -> Self {
        let (max_width, max_height) = MAX_SIZE;
        let picture = PictureOptions { max_width, max_height, legend: Legend::None, ..picture };
        Self { picture, frames_per_second, every: None, seconds: MAX_FRAMES / frames_per_second }
    }

    /// The steps from one frame to the next in films of a game.
    pub fn steps_per_frame(&self, game: &Game) -> u32 {
        let frames = (self.seconds * self.frames_per_second).max(1.0);
        let needed = game.most_steps().map_or(1.0, |most| (most as f64 / frames).ceil());
        self.every.unwrap_or(needed as u32).max(1)
    }
}

enum Encoder {
    Gif(Box<Gif>),
    #[cfg(feature = "mp4")]
    Mp4(Box<Mp4>),
}

impl Encoder {
    fn frame(&mut self, image: &Image, seconds: f64) -> Result<(), RenderError> {
        match self {
            Self::Gif(gif) => gif.frame_for(image, seconds),
            #[cfg(feature = "mp4")]
            Self::Mp4(mp4) => mp4.frame_for(image, seconds),
        }
    }

    fn finish(self) -> Result<Vec<u8>, RenderError> {
        match self {
            Self::Gif(gif) => gif.finish(),
            #[cfg(feature = "mp4")]
            Self::Mp4(mp4) => mp4.finish(),
        }
    }
}

/// What draws the pictures of a film: what passes stays long enough to be seen.
fn renderer(game: &Arc<Game>, picture: &PictureOptions, seconds_per_frame: f64) -> Result<Renderer, RenderError> {
    let mut renderer = Renderer::new(game.clone(), picture)?;
    renderer.linger((LEAST_SEEN / seconds_per_frame).round().clamp(1.0, 50.0) as u8);
    Ok(renderer)
}

/// The film of an episode in the making, in one or several formats; its bytes are in memory until it is saved.
pub struct Film {
    game: Arc<Game>,
    renderer: Renderer,
    season: Season,
    encoders: Vec<Encoder>,
    picture: PictureOptions,
    seconds_per_frame: f64,
    every: u32,
    /// How many steps were added.
    steps: u32,
    frames: usize,
    /// What was done since the last frame.
    done: Vec<Call>,
    /// What happened since then.
    happened: Vec<Event>,
}

impl std::fmt::Debug for Film {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Film").field("frames", &self.frames).field("every", &self.every).finish_non_exhaustive()
    }
}

impl Film {
    /// A film of a game in these formats.
    ///
    /// # Errors
    /// A sprite that is not an SVG; a size that a format does not have.
    pub fn new(game: Arc<Game>, formats: &[FilmFormat], options: &FilmOptions) -> Result<Self, RenderError> {
        let picture = PictureOptions { legend: Legend::None, ..options.picture };
        let fps = options.frames_per_second;
        let seconds_per_frame = 1.0 / fps;
        let mut renderer = renderer(&game, &picture, seconds_per_frame)?;
        let size = renderer.size();
        let mut encoders = Vec::new();
        for format in formats {
            encoders.push(match format {
                FilmFormat::Gif => Encoder::Gif(Box::new(Gif::new(size, renderer.palette(), fps)?)),
                #[cfg(feature = "mp4")]
                FilmFormat::Mp4 => Encoder::Mp4(Box::new(Mp4::new(size, fps)?)),
            });
        }
        let every = options.steps_per_frame(&game);
        let season = Season::new(&game);
        Ok(Self {
            game,
            renderer,
            season,
            encoders,
            picture,
            seconds_per_frame,
            every,
            steps: 0,
            frames: 0,
            done: Vec::new(),
            happened: Vec::new(),
        })
    }

    /// From here on states of this game are added, whose pictures must be as large as those before.
    ///
    /// # Errors
    /// A sprite that is not an SVG.
    pub fn follow(&mut self, game: &Arc<Game>) -> Result<(), RenderError> {
        if !Arc::ptr_eq(&self.game, game) {
            self.renderer = renderer(game, &self.picture, self.seconds_per_frame)?;
            (self.season, self.game) = (Season::new(game), game.clone());
        }
        Ok(())
    }

    /// The steps from one frame to the next.
    pub fn steps_per_frame(&self) -> u32 {
        self.every
    }

    /// How many states it shows so far.
    pub fn frames(&self) -> usize {
        self.frames
    }

    /// Adds a step of the episode, which is shown if it is its turn, or the end. The season of the frame is that of the film.
    ///
    /// # Errors
    /// When an encoder fails.
    pub fn add(&mut self, frame: &Frame<'_>) -> Result<(), RenderError> {
        self.season.note(&self.game, frame.state);
        self.done.extend_from_slice(frame.executed);
        self.happened.extend_from_slice(frame.events);
        let is_its_turn = self.steps.is_multiple_of(self.every);
        self.steps = self.steps.wrapping_add(1);
        if !(is_its_turn || frame.state.over()) {
            return Ok(());
        }
        let mut seconds = self.seconds_per_frame;
        let has_way = self.frames > 0 && self.every == 1 && seconds >= SHORTEST_STEP;
        if has_way && self.renderer.has_moves(frame.state) {
            seconds /= f64::from(PER_WALK);
            for part in 1..PER_WALK {
                let image = self.renderer.on_the_way(frame, f64::from(part) / f64::from(PER_WALK));
                self.encoders.iter_mut().try_for_each(|encoder| encoder.frame(image, seconds))?;
            }
        }
        let image = self.renderer.render(&Frame {
            executed: &self.done,
            events: &self.happened,
            season: Some(&self.season),
            ..*frame
        });
        self.encoders.iter_mut().try_for_each(|encoder| encoder.frame(image, seconds))?;
        self.done.clear();
        self.happened.clear();
        self.frames += 1;
        Ok(())
    }

    /// The bytes of the files, in the order of the formats.
    ///
    /// # Errors
    /// What could not be encoded, for each format.
    pub fn finish(self) -> Vec<Result<Vec<u8>, RenderError>> {
        self.encoders.into_iter().map(Encoder::finish).collect()
    }
}
