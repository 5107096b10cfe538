//! Draws a game's state.

use std::sync::Arc;

use farm_core::action::Call;
use farm_core::{Event, Game, State};
use farm_output::{Image, Palette, Rect};

use crate::canvas::{Canvas, Pixels, Vector};
use crate::card;
use crate::compile::Pictures;
use crate::composite::Composite;
use crate::error::RenderError;
use crate::layout::{GAP, Layout, Panel, PictureOptions, View};
use crate::legend::{Legend, PlacedLegend};
use crate::observed::{self, ObservedLine};
use crate::palette::{BARE, FAINT, GRID, HEAD, INK, PAPER};
use crate::plots::{Actor, Plots};
use crate::scene::{Scene, Signs};
use crate::season::Season;
use crate::sheet;
use crate::text::Writer;
use crate::view::{Sight, Visibility};

/// The input for a picture: a state, and the episode's last step.
#[derive(Debug, Clone, Copy)]
pub struct Frame<'a> {
    /// The state.
    pub state: &'a State,
    /// The sum of all rewards so far.
    pub total: f64,
    /// The reward of the last step; none at the start.
    pub reward: Option<f64>,
    /// The actions in the last step, shown in words and marked on their plots.
    pub executed: &'a [Call],
    /// The events in the last step. They locate the actions that name no plot.
    pub events: &'a [Event],
    /// The variant and the policy, such as `4x3 · expert`, printed next to the game's name.
    pub caption: &'a str,
    /// The season so far, for [`PictureOptions::season`].
    pub season: Option<&'a Season>,
}

impl<'a> Frame<'a> {
    /// A frame with only a state.
    pub fn of(state: &'a State) -> Self {
        Self { state, total: 0.0, reward: None, executed: &[], events: &[], caption: "", season: None }
    }
}

/// Draws the states of one game.
pub struct Renderer {
    scene: Scene,
    plots: Plots,
    pixels: Pixels,
    legend: Legend,
    scale: f64,
    /// What the learner can see; none to show everything.
    seen: Option<Arc<Visibility>>,
    /// The last picture with its legend, if there is a legend.
    with_legend: Option<Image>,
    /// The walkers in the last picture.
    before: Vec<Actor>,
}

impl std::fmt::Debug for Renderer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Renderer").field("game", &self.scene.game.spec().name()).field("size", &self.size()).finish()
    }
}

impl Renderer {
    /// Creates a renderer for a game.
    ///
    /// # Errors
    /// A sprite is not an SVG.
    pub fn new(game: Arc<Game>, options: &PictureOptions) -> Result<Self, RenderError> {
        let writer = Writer::new()?;
        let seen = (options.view == View::Learner).then(|| Arc::new(Visibility::of(&game)));
        let mut pictures = Pictures::of(&game, seen.as_deref())?;
        let observed: Vec<ObservedLine> =
            seen.as_deref().map(|seen| observed::lines(&game, &pictures, seen)).unwrap_or_default();
        let size = |(i, field): (usize, &Arc<farm_core::declare::FieldInfo>)| {
            seen.as_deref().map_or((field.length(), field.width()), |seen| seen.size(i))
        };
        let sizes: Vec<(usize, usize)> = game.fields().iter().enumerate().map(size).collect();
        let season_height = match (options.season, options.view) {
            (true, View::Everything) => Season::height(&game),
            _ => 0,
        };
        let layout = Layout::new(&sizes, &pictures, &observed, season_height, options);
        let scale = options.size.scale(layout.size);
        let plots = Plots::new(&game, sizes, &mut pictures);
        let pixels = Pixels::new(layout.size, scale, PAPER)?;
        let scene = Scene { game, pictures, layout, writer, observed, signs: Signs::default() };
        let (legend, before) = (options.legend, Vec::new());
        let mut renderer = Self { scene, plots, pixels, legend, scale, seen, with_legend: None, before };
        renderer.scene.draw_background(&mut renderer.pixels, renderer.seen.as_deref(), &renderer.plots);
        Ok(renderer)
    }

    /// Width and height of a picture without its legend, in pixels. Both are even.
    pub fn size(&self) -> (usize, usize) {
        (self.pixels.image.width(), self.pixels.image.height())
    }

    /// The number of pixels that the fields cover.
    pub fn area_of_fields(&self) -> f64 {
        let areas = self.scene.layout.fields.iter().map(|field| field.area);
        areas.map(|area| f64::from(area.width) * f64::from(area.height)).sum::<f64>() * self.scale * self.scale
    }

    /// Sets the number of frames for which things that last only one step, such as animals and the sky, stay visible. This keeps films from
    /// flickering.
    pub(crate) fn linger(&mut self, frames: u8) {
        self.plots.linger(frames);
        self.scene.linger(frames);
    }

    /// Draws a state of the game. Only changes since the last picture are redrawn. A legend increases the picture's height.
    pub fn render(&mut self, frame: &Frame<'_>) -> &Image {
        let (game, seen) = (self.scene.game.clone(), self.seen.clone());
        let sight = Sight::of(&game, seen.as_deref(), frame.state);
        self.compose(frame, &sight);
        let Self { scene, plots, pixels, before, .. } = self;
        draw(scene, plots, pixels, frame, &sight);
        before.clone_from(&plots.actors);
        if self.legend == Legend::None {
            return &self.pixels.image;
        }
        let legend = self.placed_legend();
        let height = self.scene.layout.size.1;
        let without = self.pixels.of_height(height + legend.height, PAPER);
        legend.draw(&self.scene.pictures, &mut self.pixels, (GAP, height));
        let with = std::mem::replace(&mut self.pixels.image, without);
        self.with_legend.insert(with)
    }

    /// Draws a state as SVG text.
    pub fn render_svg(&mut self, frame: &Frame<'_>) -> String {
        let (game, seen) = (self.scene.game.clone(), self.seen.clone());
        let sight = Sight::of(&game, seen.as_deref(), frame.state);
        self.compose(frame, &sight);
        let size = self.scene.layout.size;
        let mut drawing = Vector::new(size, self.scale, PAPER);
        self.plots.forget();
        let Self { scene, plots, .. } = self;
        scene.draw_background(&mut drawing, seen.as_deref(), plots);
        draw(scene, plots, &mut drawing, frame, &sight);
        self.plots.forget();
        let legend = self.placed_legend();
        let below = if self.legend == Legend::None { 0 } else { legend.height };
        if below > 0 {
            drawing.fill(Rect::new(0, size.1, size.0, below), PAPER);
            legend.draw(&self.scene.pictures, &mut drawing, (GAP, size.1));
        }
        drawing.finish(size.1 + below)
    }

    /// Whether a walker moves to a nearby plot between the last picture and a state.
    pub(crate) fn has_moves(&self, state: &State) -> bool {
        let (game, seen) = (&self.scene.game, self.seen.as_deref());
        let sight = Sight::of(game, seen, state);
        let now = self.plots.actors_of(&self.scene.pictures, &sight);
        now.len() == self.before.len()
            && now.iter().zip(&self.before).any(|(now, before)| now.at != before.at)
            && now.iter().zip(&self.before).all(|(now, before)| is_near(now.at, before.at))
    }

    /// The last picture, in which each walker has moved part of the way to its position in `frame`.
    pub(crate) fn on_the_way(&mut self, frame: &Frame<'_>, share: f64) -> &Image {
        let game = self.scene.game.clone();
        let sight = Sight::of(&game, self.seen.as_deref(), frame.state);
        let mut actors = self.plots.actors_of(&self.scene.pictures, &sight);
        self.plots.turn(&mut actors, &game, &self.scene.pictures, frame.executed);
        for (actor, before) in actors.iter_mut().zip(&self.before) {
            let between = |from: f64, to: f64| from + (to - from) * share;
            actor.at = (between(before.at.0, actor.at.0), between(before.at.1, actor.at.1));
        }
        let Self { scene, plots, pixels, .. } = self;
        for (field, place) in scene.layout.fields.iter().enumerate().filter(|(_, place)| place.cell > 0) {
            plots.draw(pixels, field, place, &scene.pictures, &actors);
        }
        &self.pixels.image
    }

    /// Finds the content of every plot.
    fn compose(&mut self, frame: &Frame<'_>, sight: &Sight<'_>) {
        let Self { scene, plots, .. } = self;
        for (field, place) in scene.layout.fields.iter().enumerate().filter(|(_, place)| place.cell > 0) {
            plots.stack(field, place.cell, &scene.pictures, sight);
        }
        plots.actors = plots.actors_of(&scene.pictures, sight);
        plots.mark(&scene.game, &scene.pictures, frame.executed, frame.events);
    }

    fn placed_legend(&mut self) -> PlacedLegend {
        let used = self.plots.used();
        let used = (self.legend == Legend::Used).then_some(&used);
        let Scene { pictures, layout, writer, .. } = &mut self.scene;
        PlacedLegend::new(pictures, used, writer, layout.size.0 - 2 * GAP)
    }

    /// The film palette: the colours of the background and of every sprite on every ground. It is fixed before the first frame, so that
    /// films do not flicker.
    pub fn palette(&mut self) -> Palette {
        let Scene { pictures, layout, writer, .. } = &mut self.scene;
        let mut colors = Palette::count();
        colors.add(self.pixels.image.pixels(), 1);
        for (field, place) in layout.fields.iter().enumerate() {
            for panel in &place.panels {
                let steps = match panel {
                    Panel::Composite => Composite::of(pictures, field).colors(),
                    Panel::Picture(picture) => {
                        let heat = pictures.all.get(*picture).and_then(|picture| picture.heat.as_ref());
                        heat.map(|heat| heat.colors()).unwrap_or_default()
                    }
                };
                colors.add(&steps.concat(), 2000);
            }
        }
        colors.add(&[PAPER, HEAD, GRID, BARE].concat(), FLAT_WEIGHT);
        // Letters and edges mix ink with the colour below.
        for below in [PAPER, HEAD] {
            for ink in [INK, FAINT] {
                let shade = |i: u32| {
                    std::array::from_fn::<u8, 3, _>(|c| {
                        ((u32::from(below[c]) * (7 - i) + u32::from(ink[c]) * i) / 7) as u8
                    })
                };
                colors.add(&(0..8).flat_map(shade).collect::<Vec<u8>>(), 200);
            }
        }
        sheet::count_colors(&mut colors, pictures, writer);
        colors.palette()
    }

    /// Draws a sheet with the game's sprites and their names, in rows.
    ///
    /// # Errors
    /// The fonts are damaged.
    pub fn sprite_sheet(&mut self) -> Result<Image, RenderError> {
        sheet::draw(&mut self.scene, &self.plots)
    }
}

/// Weight, in pixels, of each colour used in large flat areas.
const FLAT_WEIGHT: u64 = 500_000;

/// Draws the changing parts: the header, the status bars, the fields, the season chart, and the results at the end.
fn draw(scene: &mut Scene, plots: &mut Plots, canvas: &mut dyn Canvas, frame: &Frame<'_>, sight: &Sight<'_>) {
    if scene.layout.header > 0 {
        scene.draw_header(canvas, frame, sight.record().is_none());
    }
    scene.draw_strips(canvas, sight, &plots.strip_badges);
    scene.draw_observed(canvas, sight);
    let actors = plots.actors.clone();
    for field in 0..scene.layout.fields.len() {
        if scene.layout.fields[field].cell > 0 {
            plots.draw(canvas, field, &scene.layout.fields[field], &scene.pictures, &actors);
        } else {
            scene.draw_maps(canvas, field, plots.size(field), sight, &actors);
        }
    }
    let area = scene.layout.season;
    if let Some(season) = frame.season.filter(|_| area.height > 0) {
        season.draw(canvas, &mut scene.writer, area, scene.game.rules().max_steps);
        if frame.state.over() {
            card::draw(scene, plots, canvas, frame, season);
            plots.forget();
        }
    }
}

/// Whether a walker can move between two positions in one step.
fn is_near(a: (f64, f64), b: (f64, f64)) -> bool {
    (a.0 - b.0).abs() <= 1.0 && (a.1 - b.1).abs() <= 1.0
}
