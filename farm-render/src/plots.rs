//! The plots of a field: which sprites lie on them, who stands where, and what was done to them.

use std::collections::{BTreeMap, BTreeSet};

use farm_core::Game;
use farm_core::action::Call;
use farm_core::declare::Sprite;
use farm_output::Rect;

use crate::canvas::{Canvas, Fit, Lay};
use crate::compile::{Pictures, ResolvedPlace};
use crate::composite::Composite;
use crate::layout::FieldLayout;
use crate::palette::{BARE, GRID, VEIL};
use crate::sprites::{SpriteSource, UNKNOWN};
use crate::view::Sight;
use crate::words::badges;

/// From which edge on a plot has room for all that lies on it; smaller ones show their ground and one sign.
const DETAILED: i32 = 40;
/// The layers of what comes and goes within a step: animals and what flies.
const PASSING: std::ops::Range<i32> = 40..60;
/// Frames for which a film shows what has passed.
const LINGERS: u8 = 3;
/// From which layer on something stands on a plot that who acts would hide.
const STANDING: i32 = 30;

/// Somebody with a place, in plots from the corner of the field.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Actor {
    pub field: usize,
    /// Which picture it is of.
    pub picture: usize,
    pub at: (f64, f64),
    pub lay: Lay,
    /// Whether it stands aside, so that what is on its plot is seen.
    is_aside: bool,
}

/// What a plot shows.
#[derive(Debug, Clone, PartialEq, Default)]
struct Plot {
    lays: Vec<Lay>,
    badge: Option<u16>,
    /// The colour of the ground, on small plots.
    ground: Option<farm_output::Color>,
    is_seen: bool,
    /// Whether something stands there.
    is_busy: bool,
}

/// What lies on all plots of a game's fields.
pub(crate) struct Plots {
    /// Tiles of each field that are drawn, from left to right and from top to bottom.
    sizes: Vec<(usize, usize)>,
    now: Vec<Vec<Plot>>,
    /// What was drawn last, to draw only what has changed.
    drawn: Vec<Vec<Option<Plot>>>,
    /// Who stands where.
    pub actors: Vec<Actor>,
    /// The sprites of badges, by part and action.
    badges: Vec<Vec<Option<u16>>>,
    /// What passed in films and is still shown, by picture and plot, and for how many frames.
    passing: Option<BTreeMap<(usize, usize), (Lay, u8)>>,
}

impl Plots {
    /// The plots of a game; the sprites of its badges are added to the pictures.
    pub(crate) fn new(game: &Game, sizes: Vec<(usize, usize)>, pictures: &mut Pictures) -> Self {
        let mut badge = |sprite: &Sprite| {
            let Sprite::Svg(svg) = sprite else { return None };
            // A badge that can't be read marks nothing: it was refused where it was declared, or is only an ornament.
            Some(pictures.sprite(SpriteSource::svg(svg).ok()?, false, (None, None)))
        };
        let of_part = |part: &farm_core::declare::PartInfo, badge: &mut dyn FnMut(&Sprite) -> Option<u16>| {
            part.actions().iter().map(|action| action.badge().as_ref().and_then(|sprite| badge(sprite))).collect()
        };
        let badges = game.parts().iter().map(|part| of_part(part, &mut badge)).collect();
        let empty = |(length, width): &(usize, usize)| vec![Plot::default(); length * width];
        Self {
            now: sizes.iter().map(empty).collect(),
            drawn: sizes.iter().map(|(length, width)| vec![None; length * width]).collect(),
            sizes,
            actors: Vec::new(),
            badges,
            passing: None,
        }
    }

    /// What passes stays for some frames, so that films do not flicker.
    pub(crate) fn linger(&mut self) {
        self.passing = Some(BTreeMap::new());
    }

    /// Everything is drawn anew the next time.
    pub(crate) fn forget(&mut self) {
        self.drawn.iter_mut().flatten().for_each(|drawn| *drawn = None);
    }

    /// The sprites of all badges, with what was done.
    pub(crate) fn badge_names<'g>(&self, game: &'g Game) -> Vec<(&'g str, u16)> {
        let mut names = Vec::new();
        for (part, badges) in game.parts().iter().zip(&self.badges) {
            for (action, badge) in part.actions().iter().zip(badges) {
                let name = badge.zip(action.done()).map(|(badge, done)| (done, badge));
                names.extend(name.filter(|name| !names.contains(name)));
            }
        }
        names
    }

    /// The sprites that are on the picture.
    pub(crate) fn used(&self) -> BTreeSet<u16> {
        let lays = self.now.iter().flatten().flat_map(|plot| plot.lays.iter().map(|lay| lay.sprite));
        lays.chain(self.actors.iter().map(|actor| actor.lay.sprite)).collect()
    }

    /// Finds out who stands where.
    pub(crate) fn actors_of(&self, pictures: &Pictures, sight: &Sight<'_>) -> Vec<Actor> {
        let mut actors = Vec::new();
        for (picture, compiled) in pictures.all.iter().enumerate() {
            let ResolvedPlace::Position { .. } = compiled.resolved_place else { continue };
            // Parts of the farm that have a place have it in the first field.
            let field = compiled.field.unwrap_or(0);
            let size = self.sizes.get(field).copied().unwrap_or_default();
            compiled.each(sight, size, &mut |x, y, rule| {
                let Some(sprite) = rule.sprite else { return };
                let lay = Lay { sprite, levels: [UNKNOWN; 2] };
                let is_aside = self.now[field].get(x * size.1 + y).is_some_and(|plot| plot.is_busy);
                actors.push(Actor { field, picture, at: (x as f64, y as f64), lay, is_aside });
            });
        }
        actors
    }

    /// Finds the sprites of every plot of a field, from the lowest to the highest.
    pub(crate) fn stack(&mut self, field: usize, cell: i32, pictures: &Pictures, sight: &Sight<'_>) {
        let (Some(size), Some(plots)) = (self.sizes.get(field).copied(), self.now.get_mut(field)) else { return };
        for (i, plot) in plots.iter_mut().enumerate() {
            *plot = Plot { is_seen: sight.reaches(field, (i / size.1.max(1), i % size.1.max(1))), ..Plot::default() };
        }
        let is_small = cell < DETAILED && !pictures.has_map(field);
        for (index, picture) in pictures.all.iter().enumerate().filter(|(_, p)| p.field.unwrap_or(0) == field) {
            if matches!(picture.resolved_place, ResolvedPlace::Position { .. }) {
                continue;
            }
            let passing = self.passing.as_mut().filter(|_| PASSING.contains(&picture.layer));
            let mut seen: Vec<(usize, Lay)> = Vec::new();
            picture.each(sight, size, &mut |x, y, rule| {
                let at = x * size.1 + y;
                let Some(sprite) = rule.sprite else { return };
                let source = pictures.sprites.get(usize::from(sprite));
                let levels = source.map_or([UNKNOWN; 2], |source| picture.levels(source, sight, size.1, (x, y)));
                seen.push((at, Lay { sprite, levels }));
            });
            if let Some(passing) = passing {
                let found: BTreeSet<usize> = seen.iter().map(|(at, _)| *at).collect();
                let gone = passing.iter_mut().filter(|((p, at), _)| *p == index && !found.contains(at));
                let stays = gone.filter_map(|((_, at), (lay, left))| {
                    *left = left.saturating_sub(1);
                    (*left > 0).then_some((*at, *lay))
                });
                let stays: Vec<(usize, Lay)> = stays.collect();
                passing.extend(seen.iter().map(|(at, lay)| ((index, *at), (*lay, LINGERS))));
                seen.extend(stays);
            }
            for (at, lay) in seen {
                let plot = &mut plots[at];
                plot.is_busy |= picture.layer >= STANDING;
                // Two parts may show the same on a seen tile.
                if plot.lays.last() != Some(&lay) {
                    plot.lays.push(lay);
                }
            }
        }
        if is_small {
            let composite = Composite::of(pictures, field);
            for (i, plot) in plots.iter_mut().enumerate() {
                plot.ground = composite.ground(pictures, sight, size.1, (i / size.1.max(1), i % size.1.max(1)));
                // The ground is a colour; of what lies on it the uppermost is the sign.
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

    /// Marks what was done in the last step: on its plot, or where who did it stands.
    pub(crate) fn mark(&mut self, game: &Game, executed: &[Call]) {
        let actor = self.actors.first().map(|actor| (actor.field, actor.at));
        let marks: Vec<(Option<(usize, usize)>, u16)> = badges(game, executed)
            .filter_map(|(plot, part, action)| Some((plot, (*self.badges.get(part)?.get(action)?)?)))
            .collect();
        for (plot, badge) in marks {
            let place = plot.or_else(|| {
                let (field, (x, y)) = actor?;
                Some((field, x as usize * self.sizes.get(field)?.1 + y as usize))
            });
            let plot = place.and_then(|(field, plot)| self.now.get_mut(field)?.get_mut(plot));
            plot.into_iter().for_each(|plot| plot.badge = Some(badge));
        }
    }

    /// Draws what has changed in a field since it was drawn last, and who stands there, wherever that is.
    pub(crate) fn draw(
        &mut self,
        canvas: &mut dyn Canvas,
        field: usize,
        place: &FieldLayout,
        pictures: &Pictures,
        actors: &[Actor],
    ) {
        let Some(area) = place.areas.first() else { return };
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
            // What lies below is drawn anew before the next picture.
            for x in [actor.at.0.floor(), actor.at.0.ceil()] {
                for y in [actor.at.1.floor(), actor.at.1.ceil()] {
                    let below = drawn.get_mut(x.max(0.0) as usize * width + y.max(0.0) as usize);
                    below.into_iter().for_each(|drawn| *drawn = None);
                }
            }
        }
    }

    /// Tiles of a field that are drawn.
    pub(crate) fn size(&self, field: usize) -> (usize, usize) {
        self.sizes.get(field).copied().unwrap_or_default()
    }

    /// How many plots of a field show each sprite.
    pub(crate) fn counts(&self, field: usize) -> BTreeMap<u16, usize> {
        let mut counts = BTreeMap::new();
        for lay in self.now.get(field).into_iter().flatten().flat_map(|plot| &plot.lays) {
            *counts.entry(lay.sprite).or_insert(0) += 1;
        }
        counts
    }
}

/// Draws one plot.
fn draw_plot(canvas: &mut dyn Canvas, at: Rect, plot: &Plot, pictures: &Pictures) {
    canvas.fill(at, plot.ground.unwrap_or(BARE));
    let is_small = plot.ground.is_some();
    let inside = if is_small { Rect::new(at.x + 2, at.y + 2, at.width - 4, at.height - 4) } else { at };
    for (i, lay) in plot.lays.iter().enumerate() {
        // What stands in for something gives way to what is drawn over it.
        let gives_way = pictures.labels.get(usize::from(lay.sprite)).is_some_and(|label| *label);
        if let Some(source) =
            pictures.sprites.get(usize::from(lay.sprite)).filter(|_| !gives_way || i + 1 == plot.lays.len())
        {
            canvas.sprite(inside, *lay, source, if is_small { Fit::Icon } else { Fit::Plot });
        }
    }
    if let Some((badge, source)) = plot.badge.and_then(|badge| Some((badge, pictures.sprites.get(usize::from(badge))?)))
    {
        let edge = (at.width * 2 / 5).max(8).min(at.width);
        let corner = Rect::new(at.x + at.width / 24, at.y + (at.height - edge) / 2, edge, edge);
        canvas.sprite(corner, Lay { sprite: badge, levels: [UNKNOWN; 2] }, source, Fit::Plot);
    }
    if !plot.is_seen {
        canvas.veil(at, VEIL);
    }
    if at.width >= 16 && !is_small {
        canvas.outline(at, GRID);
    }
}
