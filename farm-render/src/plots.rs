//! The plots of a field: their sprites, the farmers' positions, and the marks for actions.

use std::collections::{BTreeMap, BTreeSet};

use farm_core::action::Call;
use farm_core::declare::Sprite;
use farm_core::{Event, Game};
use farm_output::Rect;

use crate::around;
use crate::canvas::{Canvas, Fit, Lay};
use crate::compile::Pictures;
use crate::compiled::ResolvedPlace;
use crate::composite::Composite;
use crate::layout::FieldLayout;
use crate::palette::{BARE, GRID};
use crate::sprites::{Form, SpriteSource};
use crate::view::Sight;
use crate::words::badges;

/// Minimum edge of a plot that shows all its sprites. Smaller plots show their ground and one sign.
const DETAILED: i32 = 40;
/// The layers for things that last only one step, such as animals.
const PASSING: std::ops::Range<i32> = 40..60;
/// The lowest layer whose sprites would be hidden behind a farmer on the same plot.
const STANDING: i32 = 30;

/// A farmer or another walker, with its position in plots from the field's corner.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Actor {
    pub field: usize,
    /// Index of its picture.
    pub picture: usize,
    pub at: (f64, f64),
    pub lay: Lay,
    /// Whether it is drawn smaller and to one side, so that the things on its plot stay visible.
    is_aside: bool,
}

/// The content of a plot.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Plot {
    pub lays: Vec<Lay>,
    badge: Option<u16>,
    /// The ground colour, for small plots.
    ground: Option<farm_output::Color>,
    pub is_seen: bool,
    /// For an unseen plot, bits that mark the seen plots around it.
    pub seen_around: u8,
    /// Whether there is a thing on it.
    is_busy: bool,
}

/// The content of all plots in a game's fields.
pub(crate) struct Plots {
    /// The number of columns and rows drawn for each field.
    sizes: Vec<(usize, usize)>,
    now: Vec<Vec<Plot>>,
    /// The plots as last drawn, so that only changes are redrawn.
    drawn: Vec<Vec<Option<Plot>>>,
    /// The walkers and their positions.
    pub actors: Vec<Actor>,
    /// The badge and the pose for each action, by part and action.
    signs: Vec<Vec<(Option<u16>, Option<u16>)>>,
    /// Badges for actions of parts without plots, by part.
    pub strip_badges: BTreeMap<usize, u16>,
    /// Things that films still show after their step, by picture and plot, with the remaining frames.
    passing: BTreeMap<(usize, usize), (Lay, u8)>,
    /// Number of frames for which things that last one step are shown; more than one in films.
    lingers: u8,
}

impl Plots {
    /// Creates a game's plots, and adds the sprites of its badges to the pictures.
    pub(crate) fn new(game: &Game, sizes: Vec<(usize, usize)>, pictures: &mut Pictures) -> Self {
        let mut index = |sprite: Option<&Sprite>| {
            // A badge that can't be parsed is left out: its declaration was already checked, or it is only decoration.
            let source = match sprite? {
                Sprite::Svg(svg) => SpriteSource::svg(svg).ok()?,
                Sprite::Label(name) => SpriteSource::label(name).ok()?,
                Sprite::Nothing => return None,
            };
            Some(pictures.sprite(source, false, (None, None)))
        };
        let mut of_part = |part: &farm_core::declare::PartInfo| {
            part.actions().iter().map(|action| (index(action.badge()), index(action.pose()))).collect()
        };
        let signs = game.parts().iter().map(&mut of_part).collect();
        let empty = |(length, width): &(usize, usize)| vec![Plot::default(); length * width];
        Self {
            now: sizes.iter().map(empty).collect(),
            drawn: sizes.iter().map(|(length, width)| vec![None; length * width]).collect(),
            sizes,
            actors: Vec::new(),
            signs,
            strip_badges: BTreeMap::new(),
            passing: BTreeMap::new(),
            lingers: 1,
        }
    }

    /// Sets the number of frames for which things that last one step are shown, so that films do not flicker.
    pub(crate) fn linger(&mut self, frames: u8) {
        self.lingers = frames.max(1);
    }

    /// Redraws everything in the next picture.
    pub(crate) fn forget(&mut self) {
        self.drawn.iter_mut().flatten().for_each(|drawn| *drawn = None);
    }

    /// The sprites of all badges, with the names of their actions.
    pub(crate) fn badge_names<'g>(&self, game: &'g Game) -> Vec<(&'g str, u16)> {
        let mut names = Vec::new();
        for (part, signs) in game.parts().iter().zip(&self.signs) {
            for (action, (badge, _)) in part.actions().iter().zip(signs) {
                let name = badge.zip(action.done()).map(|(badge, done)| (done, badge));
                names.extend(name.filter(|name| !names.contains(name)));
            }
        }
        names
    }

    /// The sprites in the picture.
    pub(crate) fn used(&self) -> BTreeSet<u16> {
        let lays = self.now.iter().flatten().flat_map(|plot| plot.lays.iter().map(|lay| lay.sprite));
        lays.chain(self.actors.iter().map(|actor| actor.lay.sprite)).collect()
    }

    /// Finds the walkers and their positions.
    pub(crate) fn actors_of(&self, pictures: &Pictures, sight: &Sight<'_>) -> Vec<Actor> {
        let mut actors = Vec::new();
        for (picture, compiled) in pictures.all.iter().enumerate() {
            let ResolvedPlace::Position { .. } = compiled.resolved_place else { continue };
            // Parts of the farm with a position are in the first field.
            let field = compiled.field.unwrap_or(0);
            let size = self.sizes.get(field).copied().unwrap_or_default();
            compiled.each(sight, size, &mut |x, y, rule| {
                let Some(sprite) = rule.sprite else { return };
                let lay = Lay::as_written(sprite);
                let is_aside = self.now[field].get(x * size.1 + y).is_some_and(|plot| plot.is_busy);
                actors.push(Actor { field, picture, at: (x as f64, y as f64), lay, is_aside });
            });
        }
        actors
    }

    /// Finds the sprites on each of a field's plots, from the lowest layer to the highest.
    pub(crate) fn stack(&mut self, field: usize, cell: i32, pictures: &Pictures, sight: &Sight<'_>) {
        let (Some(size), Some(plots)) = (self.sizes.get(field).copied(), self.now.get_mut(field)) else { return };
        let lingers = self.lingers;
        let before: Vec<Option<Lay>> =
            if lingers > 1 { plots.iter().map(|plot| plot.lays.first().copied()).collect() } else { Vec::new() };
        for (i, plot) in plots.iter_mut().enumerate() {
            *plot = Plot { is_seen: sight.reaches(field, (i / size.1.max(1), i % size.1.max(1))), ..Plot::default() };
        }
        let is_small = cell < DETAILED && !pictures.has_map(field);
        for (index, picture) in pictures.all.iter().enumerate().filter(|(_, p)| p.field.unwrap_or(0) == field) {
            if matches!(picture.resolved_place, ResolvedPlace::Position { .. }) {
                continue;
            }
            let passing = (self.lingers > 1 && PASSING.contains(&picture.layer)).then_some(&mut self.passing);
            let mut seen: Vec<(usize, Lay)> = Vec::new();
            picture.each(sight, size, &mut |x, y, rule| {
                let at = x * size.1 + y;
                let Some(sprite) = rule.sprite else { return };
                let source = pictures.sprites.get(usize::from(sprite));
                let form = source.map_or(Form::AS_WRITTEN, |source| Form {
                    levels: picture.levels(source, sight, size.1, (x, y)),
                    joined: 0,
                    variant: source.variant_at((x, y)),
                });
                let mut lay = Lay { sprite, form };
                // In films the ground keeps its tint until the change is visible, because each change redraws most of a frame.
                let kept = before.get(at).copied().flatten().filter(|_| picture.layer == 0);
                if let Some(kept) = kept.filter(|kept| kept.sprite == sprite && is_alike(kept.form, form)) {
                    lay = kept;
                }
                seen.push((at, lay));
            });
            if let Some(passing) = passing {
                let found: BTreeSet<usize> = seen.iter().map(|(at, _)| *at).collect();
                let gone = passing.iter_mut().filter(|((p, at), _)| *p == index && !found.contains(at));
                let stays = gone.filter_map(|((_, at), (lay, left))| {
                    *left = left.saturating_sub(1);
                    (*left > 0).then_some((*at, *lay))
                });
                let stays: Vec<(usize, Lay)> = stays.collect();
                passing.extend(seen.iter().map(|(at, lay)| ((index, *at), (*lay, lingers))));
                seen.extend(stays);
            }
            for (at, lay) in seen {
                let plot = &mut plots[at];
                plot.is_busy |= picture.layer >= STANDING;
                // Two parts may show the same sprite on a seen tile.
                if plot.lays.last() != Some(&lay) {
                    plot.lays.push(lay);
                }
            }
        }
        around::join(plots, size, pictures);
        around::find_edges(plots, size);
        if is_small {
            let composite = Composite::of(pictures, field);
            for (i, plot) in plots.iter_mut().enumerate() {
                plot.ground = composite.ground(pictures, sight, size.1, (i / size.1.max(1), i % size.1.max(1)));
                // The ground is a colour, and the uppermost sprite is the sign.
                let keeps = plot.lays.len().min(1 + usize::from(plot.ground.is_none()));
                let from = if plot.ground.is_some() && plot.lays.len() <= 1 {
                    plot.lays.len()
                } else {
                    plot.lays.len() - keeps
                };
                plot.lays.drain(..from);
            }
        }
    }

    /// Marks the actions of the last step on their plots, or otherwise at the walker's position. If there is neither a plot nor a walker,
    /// it marks the plots with one of the part's events. Without events, it marks the plots on which the part is drawn, otherwise the
    /// status bar. Also sets the poses of walkers.
    pub(crate) fn mark(&mut self, game: &Game, pictures: &Pictures, executed: &[Call], events: &[Event]) {
        self.strip_badges.clear();
        let mut actors = std::mem::take(&mut self.actors);
        self.turn(&mut actors, game, pictures, executed);
        self.actors = actors;
        for (place, part, action) in badges(game, executed) {
            let signs = self.signs.get(part).and_then(|signs| signs.get(action));
            let Some(badge) = signs.and_then(|(badge, _)| *badge) else { continue };
            let plots = match (place, self.actors.first()) {
                (Some(place), _) => vec![place],
                (None, Some(Actor { field, at: (x, y), .. })) => {
                    vec![(*field, *x as usize * self.size(*field).1 + *y as usize)]
                }
                (None, None) => self.plots_of(game, pictures, part, events),
            };
            if plots.is_empty() {
                self.strip_badges.insert(part, badge);
            }
            for (field, plot) in plots {
                let plot = self.now.get_mut(field).and_then(|plots| plots.get_mut(plot));
                plot.into_iter().for_each(|plot| plot.badge = Some(badge));
            }
        }
    }

    /// Sets the pose of each walker from the last of its actions that has a pose.
    pub(crate) fn turn(&self, actors: &mut [Actor], game: &Game, pictures: &Pictures, executed: &[Call]) {
        for (_, part, action) in badges(game, executed) {
            let signs = self.signs.get(part).and_then(|signs| signs.get(action));
            let Some(pose) = signs.and_then(|(_, pose)| *pose) else { continue };
            let is_own = |actor: &&mut Actor| pictures.all.get(actor.picture).is_some_and(|p| p.part == part);
            actors.iter_mut().filter(is_own).for_each(|actor| actor.lay = Lay::as_written(pose));
        }
    }

    /// The plots with one of a part's events. If there are no events, the plots on which the part is drawn.
    fn plots_of(&self, game: &Game, pictures: &Pictures, part: usize, events: &[Event]) -> Vec<(usize, usize)> {
        let Some(field) = game.parts().get(part).and_then(|part| part.field()) else { return Vec::new() };
        let is_own = |event: &&Event| {
            game.events().get(event.id.index()).is_some_and(|(owner, info)| *owner == part && !info.lasting())
        };
        let plots: Vec<(usize, usize)> =
            events.iter().filter(is_own).map(|event| (field, event.plot as usize)).collect();
        if !plots.is_empty() {
            return plots;
        }
        let own = pictures.all.iter().filter(|p| p.part == part && matches!(p.resolved_place, ResolvedPlace::Plots));
        let sprites: BTreeSet<u16> = own.flat_map(|p| p.sprite_rules.iter().filter_map(|rule| rule.sprite)).collect();
        let shows = |plot: &Plot| plot.lays.iter().any(|lay| sprites.contains(&lay.sprite));
        let plots = self.now.get(field).into_iter().flatten().enumerate();
        plots.filter(|(_, plot)| shows(plot)).map(|(i, _)| (field, i)).collect()
    }

    /// Draws all changes in a field since the last picture, and all walkers in it.
    pub(crate) fn draw(
        &mut self,
        canvas: &mut dyn Canvas,
        field: usize,
        place: &FieldLayout,
        pictures: &Pictures,
        actors: &[Actor],
    ) {
        let area = place.area;
        let (cell, width) = (place.cell, self.sizes[field].1.max(1));
        let (now, drawn) = (&self.now[field], &mut self.drawn[field]);
        let rect =
            |i: usize| Rect::new(area.x + (i / width) as i32 * cell, area.y + (i % width) as i32 * cell, cell, cell);
        for (i, (plot, drawn)) in now.iter().zip(drawn.iter_mut()).enumerate() {
            if drawn.as_ref() != Some(plot) {
                draw_plot(canvas, rect(i), plot, pictures);
                *drawn = Some(plot.clone());
            }
        }
        for actor in actors.iter().filter(|actor| actor.field == field) {
            let Some(source) = pictures.sprites.get(usize::from(actor.lay.sprite)) else { continue };
            let place = |at: f64| (at * f64::from(cell)).round() as i32;
            let (mut at, edge) =
                (Rect::new(area.x + place(actor.at.0), area.y + place(actor.at.1), cell, cell), f64::from(cell));
            if actor.is_aside {
                let (shift, size) = ((edge * 0.3) as i32, (edge * 0.7) as i32);
                at = Rect::new(at.x + shift, at.y + shift, size, size);
            }
            canvas.sprite(at, actor.lay, source, Fit::Plot);
            // The plots below are redrawn in the next picture.
            for x in [actor.at.0.floor(), actor.at.0.ceil()] {
                for y in [actor.at.1.floor(), actor.at.1.ceil()] {
                    let below = drawn.get_mut(x.max(0.0) as usize * width + y.max(0.0) as usize);
                    below.into_iter().for_each(|drawn| *drawn = None);
                }
            }
        }
    }

    /// The number of columns and rows drawn for a field.
    pub(crate) fn size(&self, field: usize) -> (usize, usize) {
        self.sizes.get(field).copied().unwrap_or_default()
    }

    /// For each sprite, the number of plots in a field that show it.
    pub(crate) fn counts(&self, field: usize) -> BTreeMap<u16, usize> {
        let mut counts = BTreeMap::new();
        for lay in self.now.get(field).into_iter().flatten().flat_map(|plot| &plot.lays) {
            *counts.entry(lay.sprite).or_insert(0) += 1;
        }
        counts
    }
}

/// Minimum change in a growth level that changes the ground's tint in films.
const LEAST_CHANGE: u8 = 4;

/// Whether two forms of a ground look almost equal.
fn is_alike(a: Form, b: Form) -> bool {
    let is_near = |(a, b): (&u8, &u8)| a.abs_diff(*b) < LEAST_CHANGE;
    a.levels.iter().zip(&b.levels).all(is_near) && (a.joined, a.variant) == (b.joined, b.variant)
}

/// Draws the lines between a plot and its neighbours to the north and west.
fn draw_grid(canvas: &mut dyn Canvas, at: Rect) {
    canvas.fill(Rect::new(at.x, at.y, at.width, 1), GRID);
    canvas.fill(Rect::new(at.x, at.y, 1, at.height), GRID);
}

/// Draws one plot.
fn draw_plot(canvas: &mut dyn Canvas, at: Rect, plot: &Plot, pictures: &Pictures) {
    canvas.fill(at, plot.ground.unwrap_or(BARE));
    let is_small = plot.ground.is_some();
    let inside = if is_small { Rect::new(at.x + 2, at.y + 2, at.width - 4, at.height - 4) } else { at };
    let has_grid = at.width >= 16 && !is_small;
    for (i, lay) in plot.lays.iter().enumerate() {
        // The lines are drawn directly on the ground, because things on it may join across plots.
        if i == 1 && has_grid {
            draw_grid(canvas, at);
        }
        // A label is hidden under other sprites.
        let gives_way = pictures.labels.get(usize::from(lay.sprite)).is_some_and(|label| *label);
        if let Some(source) =
            pictures.sprites.get(usize::from(lay.sprite)).filter(|_| !gives_way || i + 1 == plot.lays.len())
        {
            canvas.sprite(inside, *lay, source, if is_small { Fit::Icon } else { Fit::Plot });
        }
    }
    if plot.lays.len() < 2 && has_grid {
        draw_grid(canvas, at);
    }
    if let Some((badge, source)) = plot.badge.and_then(|badge| Some((badge, pictures.sprites.get(usize::from(badge))?)))
    {
        let edge = (at.width * 2 / 5).max(8).min(at.width);
        let corner = Rect::new(at.x + at.width / 24, at.y + (at.height - edge) / 2, edge, edge);
        canvas.sprite(corner, Lay::as_written(badge), source, Fit::Plot);
    }
    if !plot.is_seen {
        around::draw_veil(canvas, at, plot.seen_around);
    }
}
