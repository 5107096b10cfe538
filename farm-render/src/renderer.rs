//! Draws a game's state.

use std::sync::Arc;

use farm_core::{Game, State};
use farm_output::{Bitmap, Color, Image, Palette, Rect};
use farm_plot::Weight;

use crate::compile::{Pictures, ResolvedPlace, number};
use crate::error::RenderError;
use crate::heat;
use crate::layout::{GAP, LEGEND_COLUMN, Layout, LegendLine, PictureOptions, TEXT_ROW, View};
use crate::observed::{self, ObservedLine};
use crate::sprites::INK;
use crate::text::Writer;
use crate::view::{Sight, Visibility};

/// The colour behind everything.
const PAPER: Color = [0xfd, 0xf8, 0xee];
/// The colour of what is said in passing.
const FAINT: Color = [0x8a, 0x7a, 0x69];
/// The colour behind the header.
const HEAD: Color = [0xf1, 0xe4, 0xca];
/// The colour of plots on which nothing is drawn.
const BARE: Color = [0xe9, 0xdf, 0xcb];
/// Size of an icon in the legend and in strips.
const LEGEND_ICON: u32 = 22;
const STATUS_ICON: u32 = 34;
/// From which width on the score stands beside the time.
const WIDE: i32 = 620;
/// Sizes of letters.
const TITLE: u32 = 18;
const TEXT: u32 = 13;
const SMALL: u32 = 12;

/// What is drawn: a state, and how the episode came to it.
#[derive(Debug, Clone, Copy)]
pub struct Frame<'a> {
    /// The state.
    pub state: &'a State,
    /// The sum of all rewards so far.
    pub total: f64,
    /// The reward of the last step; none at the start.
    pub reward: Option<f64>,
    /// What was done in the last step; empty if nothing was, or nothing is to be said of it.
    pub actions: &'a str,
}

impl<'a> Frame<'a> {
    /// A state of which nothing else is known.
    pub fn of(state: &'a State) -> Self {
        Self { state, total: 0.0, reward: None, actions: "" }
    }
}

/// What was last drawn on a plot: its sprites, and whether the learner is shown it.
type Drawn = (Vec<u16>, bool);

/// Draws the states of one game.
pub struct Renderer {
    game: Arc<Game>,
    pictures: Pictures,
    layout: Layout,
    writer: Writer,
    /// The sprites in the size of each field's plots, by field.
    cells: Vec<Vec<Bitmap>>,
    strip_icons: Vec<Bitmap>,
    /// Which sprites lie on each plot, by field; what was drawn last, to draw only what has changed.
    stacks: Vec<Vec<Vec<u16>>>,
    drawn: Vec<Vec<Option<Drawn>>>,
    /// What the learner sees, where the learner's view is drawn.
    seen: Option<Arc<Visibility>>,
    /// What else of it is written.
    observed: Vec<ObservedLine>,
    /// Tiles of each field that are drawn, from left to right and from top to bottom.
    sizes: Vec<(usize, usize)>,
    canvas: Image,
}

impl std::fmt::Debug for Renderer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Renderer").field("game", &self.game.spec().name()).field("size", &self.layout.size).finish()
    }
}

impl Renderer {
    /// Prepares to draw a game.
    ///
    /// # Errors
    /// A sprite that is not an SVG.
    pub fn new(game: Arc<Game>, options: &PictureOptions) -> Result<Self, RenderError> {
        let mut writer = Writer::new()?;
        let seen = (options.view == View::Learner).then(|| Arc::new(Visibility::of(&game)));
        let pictures = Pictures::of(&game, seen.as_deref())?;
        let observed = seen.as_deref().map(|seen| observed::lines(&game, &pictures, seen)).unwrap_or_default();
        let size = |(i, field): (usize, &Arc<farm_core::declare::FieldInfo>)| {
            seen.as_deref().map_or((field.length(), field.width()), |seen| seen.size(i))
        };
        let sizes: Vec<(usize, usize)> = game.fields().iter().enumerate().map(size).collect();
        let layout = Layout::new(&sizes, &pictures, &observed, options);
        let size_of = |cell: i32| cell.max(1) as u32;
        let mut draw_all = |size: u32| pictures.sprites.iter().map(|s| s.draw(size, &mut writer)).collect::<Vec<_>>();
        let mut cells: Vec<Vec<Bitmap>> = Vec::new();
        for (i, field) in layout.fields.iter().enumerate() {
            // Fields with plots of the same size share nothing, but few games have many fields.
            let same = layout.fields[..i].iter().position(|other| other.cell == field.cell);
            cells.push(match same.and_then(|i| cells.get(i)) {
                Some(drawn) => drawn.clone(),
                None => draw_all(size_of(field.cell)),
            });
        }
        let icons = pictures.sprites.iter().map(|source| source.draw_icon(STATUS_ICON, &mut writer));
        let strip_icons = icons.collect();
        let plots = || sizes.iter().map(|(length, width)| length * width);
        let mut renderer = Self {
            stacks: plots().map(|plots| vec![Vec::new(); plots]).collect(),
            drawn: plots().map(|plots| vec![None; plots]).collect(),
            canvas: Image::new(layout.size.0 as usize, layout.size.1 as usize, PAPER),
            cells,
            strip_icons,
            seen,
            observed,
            sizes: sizes.clone(),
            layout,
            writer,
            pictures,
            game,
        };
        renderer.draw_background();
        Ok(renderer)
    }

    /// Pixels of a picture from left to right and from top to bottom; both are even.
    pub fn size(&self) -> (usize, usize) {
        (self.canvas.width(), self.canvas.height())
    }

    /// Draws a state of the game. Only what has changed since the last picture is drawn anew.
    pub fn render(&mut self, frame: &Frame<'_>) -> &Image {
        let (game, seen) = (self.game.clone(), self.seen.clone());
        let sight = Sight::of(&game, seen.as_deref(), frame.state);
        if self.layout.header > 0 {
            self.draw_header(frame);
        }
        self.draw_strips(&sight);
        self.draw_observed(&sight);
        for field in 0..self.layout.fields.len() {
            if self.layout.fields[field].cell > 0 {
                self.stack(field, &sight);
                self.draw_plots(field, &sight);
            } else {
                self.draw_heat_maps(field, &sight);
            }
        }
        &self.canvas
    }

    /// A palette for all pictures of this game: their colours are known before the first is drawn, so that films do not flicker.
    pub fn palette(&self) -> Palette {
        let mut colors = Palette::count();
        colors.add(self.canvas.pixels(), 1);
        for picture in self.layout.fields.iter().flat_map(|field| &field.panels) {
            let heat = self.pictures.all.get(*picture).and_then(|picture| picture.heat.as_ref());
            let steps = heat.into_iter().flat_map(|heat| heat.colors().into_iter().flatten());
            colors.add(&steps.collect::<Vec<u8>>(), 2000);
        }
        // Letters and edges are mixtures of ink and what lies below.
        for below in [PAPER, HEAD] {
            let shades = (0..8).flat_map(|i| {
                std::array::from_fn::<u8, 3, _>(|c| {
                    (u32::from(below[c]) * (7 - i) / 7 + u32::from(INK[c]) * i / 7) as u8
                })
            });
            colors.add(&shades.collect::<Vec<u8>>(), 200);
        }
        let lowest = self.pictures.all.iter().map(|picture| picture.layer).min().unwrap_or(0);
        let grounds = self.pictures.all.iter().filter(|picture| picture.layer == lowest);
        let grounds: Vec<u16> = grounds.flat_map(|p| p.sprite_rules.iter().filter_map(|rule| rule.sprite)).collect();
        for sprites in &self.cells {
            for ground in grounds.iter().map(|g| Some(*g)).chain([None]) {
                for sprite in sprites {
                    let mut image = Image::new(sprite.width, sprite.height, BARE);
                    if let Some(ground) = ground.and_then(|ground| sprites.get(usize::from(ground))) {
                        image.blend(0, 0, ground);
                    }
                    image.blend(0, 0, sprite);
                    colors.add(image.pixels(), 1);
                }
            }
        }
        colors.palette()
    }

    /// The sprites of a game as a sheet with their names, in rows.
    pub fn sprite_sheet(&mut self) -> Image {
        let mut lines: Vec<(String, u16)> = Vec::new();
        for picture in &self.pictures.all {
            for rule in &picture.sprite_rules {
                // What gives way to sprites is none.
                let Some(sprite) = rule.sprite.filter(|sprite| !self.pictures.labels[usize::from(*sprite)]) else {
                    continue;
                };
                let line = (format!("{} {}", picture.title, rule.name), sprite);
                if !lines.contains(&line) {
                    lines.push(line);
                }
            }
        }
        let (columns, cell, high) = (6, 150, 130);
        let rows = lines.len().div_ceil(columns);
        let mut image = Image::new(columns * cell, rows * high, PAPER);
        for (i, (name, sprite)) in lines.iter().enumerate() {
            let (x, y) = ((i % columns * cell) as i32, (i / columns * high) as i32);
            let Some(source) = self.pictures.sprites.get(usize::from(*sprite)) else { continue };
            let bitmap = source.draw(96, &mut self.writer);
            image.fill(Rect::new(x + 20, y + 6, 96, 96), BARE);
            image.blend(x + 20, y + 6, &bitmap);
            let text = self.writer.fit(name, cell as i32 - 6, SMALL, Weight::Regular);
            self.writer.write(&mut image, (x + 6, y + 118), SMALL, Weight::Regular, INK, &text);
        }
        image
    }

    /// What never changes: names of fields, the legend, titles and scales of heat maps.
    fn draw_background(&mut self) {
        let Self { game, layout, writer, canvas, pictures, sizes, seen, .. } = self;
        for (i, (field, info)) in layout.fields.iter().zip(game.fields()).enumerate() {
            writer.write(canvas, field.name, TEXT, Weight::Bold, INK, info.name());
            let after = field.name.0 + writer.width(info.name(), TEXT, Weight::Bold) + 8;
            let (length, width) = sizes.get(i).copied().unwrap_or_default();
            let is_window = seen.as_deref().is_some_and(|seen| seen.is_relative(i));
            let size = format!("{length} × {width}{}", if is_window { " around the farmer" } else { "" });
            writer.write(canvas, (after, field.name.1), SMALL, Weight::Regular, FAINT, &size);
            let heats = field.panels.iter().filter_map(|picture| pictures.all.get(*picture)?.heat.as_ref());
            for (area, heat) in field.areas.iter().zip(heats) {
                let title = writer.fit(&heat.title, area.width.max(200), SMALL, Weight::Bold);
                writer.write(canvas, (area.x, area.y - 6), SMALL, Weight::Bold, INK, &title);
                heat::draw_scale(canvas, *area, heat, writer);
            }
        }
        for ((x, y), line) in &layout.legend {
            let (x, y) = (*x, *y);
            match line {
                LegendLine::Title(title) => {
                    let title = writer.fit(title, LEGEND_COLUMN - 8, TEXT, Weight::Bold);
                    writer.write(canvas, (x, y + 18), TEXT, Weight::Bold, INK, &title);
                }
                LegendLine::Entry(sprite, name) | LegendLine::Single(sprite, name) => {
                    let is_group = matches!(line, LegendLine::Single(..));
                    let (size, weight) = if is_group { (TEXT, Weight::Bold) } else { (SMALL, Weight::Regular) };
                    if let Some(source) = pictures.sprites.get(usize::from(*sprite)) {
                        let at = Rect::new(x, y + 1, LEGEND_ICON as i32, LEGEND_ICON as i32);
                        canvas.fill(at, BARE);
                        canvas.blend(at.x, at.y, &source.draw_icon(LEGEND_ICON, writer));
                    }
                    let name = writer.fit(name, LEGEND_COLUMN - LEGEND_ICON as i32 - 10, size, weight);
                    writer.write(canvas, (x + LEGEND_ICON as i32 + 7, y + 17), size, weight, INK, &name);
                }
            }
        }
    }

    fn draw_header(&mut self, frame: &Frame<'_>) {
        let Self { game, writer, canvas, layout, .. } = self;
        let width = layout.size.0;
        canvas.fill(Rect::new(0, 0, width, layout.header - 8), HEAD);
        writer.write(canvas, (GAP, 24), TITLE, Weight::Bold, INK, game.spec().name());
        let most = game.max_steps().map(|most| format!(" of {most}")).unwrap_or_default();
        // What a state counts are days, where these have several steps.
        let unit = if game.steps_per_day() > 1 { "day" } else { "step" };
        let mut time = format!("{unit} {}{most}", frame.state.step());
        if frame.state.over() {
            time += "   the end";
        }
        let after = GAP + writer.width(game.spec().name(), TITLE, Weight::Bold) + 16;
        writer.write(canvas, (after, 24), TEXT, Weight::Regular, INK, &time);
        let mut score = format!("return {}", decimals(frame.total));
        if let Some(reward) = frame.reward {
            score += &format!("   last {}{}", if reward < 0.0 { "" } else { "+" }, decimals(reward));
        }
        let left = width - GAP - writer.width(&score, TEXT, Weight::Bold);
        // Narrow pictures have the score below the time, in every frame alike.
        let (line, room) = if width < WIDE { (46, left - 2 * GAP) } else { (24, width - 2 * GAP) };
        writer.write(canvas, (left, line), TEXT, Weight::Bold, INK, &score);
        let did = if frame.actions.is_empty() { "–" } else { frame.actions };
        let did = writer.fit(did, room, SMALL, Weight::Regular);
        writer.write(canvas, (GAP, 46), SMALL, Weight::Regular, FAINT, &did);
    }

    fn draw_strips(&mut self, sight: &Sight<'_>) {
        let Self { pictures, layout, writer, canvas, strip_icons, .. } = self;
        for item in &layout.status_bar {
            canvas.fill(item.at, PAPER);
            let Some(picture) = pictures.all.get(item.picture) else { continue };
            let values = picture.written.iter().filter_map(|written| written.text(sight)).collect::<Vec<_>>();
            let values = values.join("   ");
            let rule = picture.rule_at(sight, 0);
            if rule.is_none() && values.is_empty() && sight.record().is_some() {
                let text =
                    writer.fit(&format!("{}: not shown", picture.title), item.at.width - 6, SMALL, Weight::Regular);
                writer.write(canvas, (item.at.x, item.at.y + 15), SMALL, Weight::Regular, FAINT, &text);
                continue;
            }
            let Some(icon) = rule.and_then(|rule| strip_icons.get(usize::from(rule.sprite?))) else {
                let sign = match (picture.sprite_rules.is_empty(), sight) {
                    (true, _) => "",
                    (false, Sight::Everything(_)) => ": –",
                    // Nothing is said of how it looks, not that it looks like nothing.
                    (false, Sight::Learner(_)) => ":",
                };
                let title = format!("{}{sign}", picture.title);
                let text = writer.fit(&format!("{title} {values}"), item.at.width - 6, SMALL, Weight::Regular);
                writer.write(canvas, (item.at.x, item.at.y + 15), SMALL, Weight::Regular, INK, &text);
                continue;
            };
            canvas.blend(item.at.x, item.at.y + 2, icon);
            let name = rule.map(|rule| rule.name.as_str()).filter(|name| !name.is_empty());
            let first = name.map_or(picture.title.clone(), |name| format!("{}: {name}", picture.title));
            let (x, room) = (item.at.x + STATUS_ICON as i32 + 6, item.at.width - STATUS_ICON as i32 - 10);
            let first = writer.fit(&first, room, SMALL, Weight::Regular);
            writer.write(canvas, (x, item.at.y + 16), SMALL, Weight::Regular, INK, &first);
            let values = writer.fit(&values, room, SMALL, Weight::Regular);
            writer.write(canvas, (x, item.at.y + 32), SMALL, Weight::Regular, FAINT, &values);
        }
    }

    /// Writes what is observed besides pictures, side by side as far as it fits.
    fn draw_observed(&mut self, sight: &Sight<'_>) {
        let Self { game, observed, layout, writer, canvas, .. } = self;
        let (area, Some(record)) = (layout.observed, sight.record()) else { return };
        canvas.fill(area, PAPER);
        let (mut x, mut y) = (area.x, area.y);
        for text in observed.iter().filter_map(|line| line.text(game, record)) {
            let text = writer.fit(&text, area.width, SMALL, Weight::Regular);
            let width = writer.width(&text, SMALL, Weight::Regular);
            if x > area.x && x + width > area.x + area.width {
                (x, y) = (area.x, y + TEXT_ROW);
            }
            if y + TEXT_ROW > area.y + area.height {
                break;
            }
            writer.write(canvas, (x, y + 15), SMALL, Weight::Regular, INK, &text);
            x += width + 2 * GAP;
        }
    }

    /// Finds the sprites of every plot of a field, from the lowest to the highest.
    fn stack(&mut self, field: usize, sight: &Sight<'_>) {
        let (Some(size), Some(stacks)) = (self.sizes.get(field).copied(), self.stacks.get_mut(field)) else { return };
        stacks.iter_mut().for_each(Vec::clear);
        // Parts of the farm that have a place have it in the first field.
        for picture in self.pictures.all.iter().filter(|picture| picture.field.unwrap_or(0) == field) {
            picture.each(sight, size, &mut |x, y, rule| {
                let stack = &mut stacks[x * size.1 + y];
                // Two parts may show the same on a seen tile.
                stack.extend(rule.sprite.filter(|sprite| stack.last() != Some(sprite)));
            });
        }
    }

    fn draw_plots(&mut self, field: usize, sight: &Sight<'_>) {
        let Self { sizes, layout, canvas, cells, stacks, drawn, pictures, .. } = self;
        let (Some((length, width)), Some(place), Some(sprites)) =
            (sizes.get(field).copied(), layout.fields.get(field), cells.get(field))
        else {
            return;
        };
        let Some(area) = place.areas.first() else { return };
        let cell = place.cell;
        for x in 0..length {
            for y in 0..width {
                let plot = x * width + y;
                let is_seen = sight.reaches(field, (x, y));
                let stack = &stacks[field][plot];
                if drawn[field][plot].as_ref().is_some_and(|(last, seen)| last == stack && *seen == is_seen) {
                    continue;
                }
                let at = Rect::new(area.x + x as i32 * cell, area.y + y as i32 * cell, cell, cell);
                canvas.fill(at, BARE);
                for (i, sprite) in stack.iter().enumerate() {
                    let sprite = usize::from(*sprite);
                    // What stands in for something gives way to what is drawn over it.
                    let gives_way = pictures.labels.get(sprite).is_some_and(|label| *label) && i + 1 < stack.len();
                    if let Some(bitmap) = sprites.get(sprite).filter(|_| !gives_way) {
                        canvas.blend(at.x, at.y, bitmap);
                    }
                }
                if !is_seen {
                    canvas.veil(at, FAINT);
                }
                if cell >= 16 {
                    canvas.frame(at, [0xc9, 0xb8, 0x9c]);
                }
                drawn[field][plot] = Some((stack.clone(), is_seen));
            }
        }
    }

    fn draw_heat_maps(&mut self, field: usize, sight: &Sight<'_>) {
        let Self { sizes, layout, canvas, pictures, .. } = self;
        let (Some((length, width)), Some(place)) = (sizes.get(field).copied(), layout.fields.get(field)) else {
            return;
        };
        for (area, picture) in place.areas.iter().zip(&place.panels) {
            let Some(heat) = pictures.all.get(*picture).and_then(|picture| picture.heat.as_ref()) else { continue };
            let value = |x: usize, y: usize| sight.at_plot(heat.values, field, width, (x, y));
            heat::draw(canvas, *area, heat, (length, width), &value);
            // Who has a position is marked by a ring.
            for picture in pictures.all.iter().filter(|picture| picture.field.unwrap_or(0) == field) {
                if let ResolvedPlace::Position { .. } = picture.resolved_place {
                    picture.each(sight, (length, width), &mut |x, y, _| {
                        let (cell_x, cell_y) = (area.width as f64 / length as f64, area.height as f64 / width as f64);
                        let (x, y) = (area.x + (x as f64 * cell_x) as i32, area.y + (y as f64 * cell_y) as i32);
                        canvas.fill(Rect::new(x - 3, y - 3, 8, 8), INK);
                        canvas.fill(Rect::new(x - 1, y - 1, 4, 4), [0xff, 0xff, 0xff]);
                    });
                }
            }
        }
    }
}

/// A number with two decimals.
fn decimals(value: f64) -> String {
    if value.abs() < 1000.0 { format!("{:.2}", if value.abs() < 0.005 { 0.0 } else { value }) } else { number(value) }
}
