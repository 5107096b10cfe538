//! An episode's film: the steps that it shows, the in-between pictures of walking farmers, and the files.

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

/// The content and speed of a film.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FilmOptions {
    /// Options for the pictures. Films have no legend.
    pub picture: PictureOptions,
    /// Steps shown per second.
    pub frames_per_second: f64,
    /// Steps per frame; the default keeps the film within `seconds`.
    pub every: Option<u32>,
    /// Maximum length of the film in seconds, for games with a maximum number of steps.
    pub seconds: f64,
}

/// Default maximum number of frames in a film, which keeps its file small.
const MAX_FRAMES: f64 = 300.0;
/// Maximum size of the fields in units. Film pictures are smaller than single pictures, to keep files small.
const MAX_SIZE: (u32, u32) = (640, 440);
/// Number of pictures for a step in which a farmer walks.
const PER_WALK: u32 = 3;
/// Minimum time on screen, in seconds, for things that last one step, such as animals and the sky.
const LEAST_SEEN: f64 = 0.3;
/// Minimum duration, in seconds, of a step with in-between pictures.
const SHORTEST_STEP: f64 = 0.06;

impl Default for FilmOptions {
    fn default() -> Self {
        Self::of(PictureOptions { season: true, ..PictureOptions::DEFAULT }, 10.0)
    }
}

impl FilmOptions {
    /// Allowed steps per second.
    pub const FRAMES_PER_SECOND: RangeInclusive<f64> = 0.1..=50.0;
    /// Allowed maximum lengths in seconds.
    pub const SECONDS: RangeInclusive<f64> = 1.0..=3600.0;

    /// Options for a film of these pictures, with the default film size and length.
    pub fn of(picture: PictureOptions, frames_per_second: f64) -> Self {
        let (max_width, max_height) = MAX_SIZE;
        let picture = PictureOptions { max_width, max_height, legend: Legend::None, ..picture };
        Self { picture, frames_per_second, every: None, seconds: MAX_FRAMES / frames_per_second }
    }

    /// Steps per frame in a film of this game.
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

/// The renderer for a film. Things that last one step stay visible long enough.
fn renderer(game: &Arc<Game>, picture: &PictureOptions, seconds_per_frame: f64) -> Result<Renderer, RenderError> {
    let mut renderer = Renderer::new(game.clone(), picture)?;
    renderer.linger((LEAST_SEEN / seconds_per_frame).round().clamp(1.0, 50.0) as u8);
    Ok(renderer)
}

/// Encodes an episode's film in one or several formats. The bytes stay in memory until they are saved.
pub struct Film {
    game: Arc<Game>,
    renderer: Renderer,
    season: Season,
    encoders: Vec<Encoder>,
    picture: PictureOptions,
    seconds_per_frame: f64,
    every: u32,
    /// Number of added steps.
    steps: u32,
    frames: usize,
    /// Actions since the last frame.
    done: Vec<Call>,
    /// Events since the last frame.
    happened: Vec<Event>,
}

impl std::fmt::Debug for Film {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Film").field("frames", &self.frames).field("every", &self.every).finish_non_exhaustive()
    }
}

impl Film {
    /// Creates a film of a game in these formats.
    ///
    /// # Errors
    /// A sprite is not an SVG, or a format does not support the size.
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

    /// Switches to another game. Its pictures must have the same size.
    ///
    /// # Errors
    /// A sprite is not an SVG.
    pub fn follow(&mut self, game: &Arc<Game>) -> Result<(), RenderError> {
        if !Arc::ptr_eq(&self.game, game) {
            self.renderer = renderer(game, &self.picture, self.seconds_per_frame)?;
            (self.season, self.game) = (Season::new(game), game.clone());
        }
        Ok(())
    }

    /// Steps per frame.
    pub fn steps_per_frame(&self) -> u32 {
        self.every
    }

    /// Number of states shown so far.
    pub fn frames(&self) -> usize {
        self.frames
    }

    /// Adds a step of the episode. The film shows every Nth step ([`Film::steps_per_frame`]) and the last step. It ignores `frame.season`.
    ///
    /// # Errors
    /// An encoder fails.
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
    /// Each format that can't be encoded gets its own error.
    pub fn finish(self) -> Vec<Result<Vec<u8>, RenderError>> {
        self.encoders.into_iter().map(Encoder::finish).collect()
    }
}
