//! The window around the farmer: other parts' values per plot, cut out around the farmer's position.

use farm_core::Slot;
use farm_core::config::NameError;
use farm_core::declare::Shown;
use farm_core::declare::{ValueKind, VariableInfo};
use farm_core::{Builder, Column, Reader};

use super::super::walking::problem;
use super::{OUTSIDE, PLACES_SEEN, Seen};
use crate::FarmerError;

/// The values per plot of one variable, and the value beyond the border.
enum WindowLayer {
    Real(Column<f64>, f64),
    Count(Column<i32>, i32),
    Byte(Column<u8>, u8),
}

/// The farmer's view of the plots around it.
pub(super) struct Window {
    view: usize,
    length: usize,
    width: usize,
    /// The observables in order, followed by the map of places.
    layers: Vec<WindowLayer>,
    place: Column<u8>,
    /// The observables of other parts' variables, by name, each with the variable that it shows.
    seen: Vec<(String, Shown)>,
}

/// The observable of the places in the whole field, and the variable that it shows.
const MAP: &str = "map";
const PLACE: &str = "place";

impl Window {
    /// Declares an observable for the places and for each variable shown, in this order, and the map.
    pub(super) fn declare(
        b: &mut Builder<'_>,
        view: usize,
        shown: &[Seen],
        (place, names): (Column<u8>, &[&str]),
    ) -> Self {
        let labels: Vec<&str> = names.iter().copied().chain([OUTSIDE]).collect();
        let doc = "The places for filling up around the farmer, north up; `outside` lies beyond the border.";
        let places = b.observable(PLACES_SEEN, ValueKind::named(&labels), &[view, view], doc);
        b.centred(places);
        let mut layers = vec![WindowLayer::Byte(place, names.len() as u8)];
        let mut declared = Vec::new();
        for (i, seen) in shown.iter().enumerate() {
            let twice = shown.iter().filter(|other| other.variable == seen.variable).count() > 1;
            let Some(info) = find(b, seen, i) else { continue };
            let Some((layer, kind)) = layer_of(&info) else {
                let many = problem(
                    FarmerError::WrongWindow,
                    "shows",
                    format!("`{}` has too many values for a window", seen.variable),
                );
                b.problem(many.value(&seen.variable).expected("a variable with at most 255 names"));
                continue;
            };
            // Two entities may have a variable of the same name.
            let suffix = if twice { format!(".{}", seen.entity) } else { String::new() };
            let doc = format!("Around the farmer, north up: {}", info.doc());
            let name = format!("view.{}{suffix}", seen.variable);
            let window = b.observable(&name, kind, &[view, view], &doc);
            b.centred(window);
            layers.push(layer);
            declared.push((name, Shown::Around(seen.entity.clone(), seen.variable.clone())));
        }
        let (length, width) = (b.field().length(), b.field().width());
        let doc = "The places for filling up in the whole field, north up; the same in every episode.";
        b.observable(MAP, ValueKind::named(names), &[width, length], doc);
        Self { view, length, width, layers, place, seen: declared }
    }

    /// The variables that the observables show, including the farmer's variable for the places.
    pub(super) fn shown(&self, farmer: &str) -> Vec<(String, Shown)> {
        let places = |shown: fn(String, String) -> Shown| shown(farmer.to_owned(), PLACE.to_owned());
        let own = [(PLACES_SEEN.to_owned(), places(Shown::Around)), (MAP.to_owned(), places(Shown::WholeField))];
        own.into_iter().chain(self.seen.iter().cloned()).collect()
    }

    /// Writes one of the observables, for a farmer at (x, y).
    #[inline]
    pub(super) fn observe(&self, observable: usize, (x, y): (usize, usize), reader: &Reader<'_>, out: &mut Slot<'_>) {
        let Some(layer) = self.layers.get(observable) else { return self.draw_map(reader, out) };
        match layer {
            WindowLayer::Real(values, low) => {
                let values = reader.get(*values);
                self.cut_out(x, y, |at, plot| out.set_real(at, plot.map_or(*low, |p| values[p])));
            }
            WindowLayer::Count(values, low) => {
                let values = reader.get(*values);
                self.cut_out(x, y, |at, plot| out.set_count(at, plot.map_or(*low, |p| values[p])));
            }
            WindowLayer::Byte(values, outside) => {
                let values = reader.get(*values);
                self.cut_out(x, y, |at, plot| out.bytes()[at] = plot.map_or(*outside, |p| values[p]));
            }
        }
    }

    /// Visits the window of a farmer at (x, y) row by row. Calls `show` with each index in the window and the plot at this index, if any.
    #[inline]
    fn cut_out(&self, x: usize, y: usize, mut show: impl FnMut(usize, Option<usize>)) {
        let half = self.view / 2;
        // Counted from the window's north-west corner, which may lie beyond the border.
        let inside = |at: usize, k: usize, edge: usize| (at + k).checked_sub(half).filter(|at| *at < edge);
        for row in 0..self.view {
            let south = inside(y, row, self.width);
            for column in 0..self.view {
                let east = inside(x, column, self.length);
                show(row * self.view + column, east.zip(south).map(|(x, y)| x * self.width + y));
            }
        }
    }

    fn draw_map(&self, reader: &Reader<'_>, out: &mut Slot<'_>) {
        let place = reader.get(self.place);
        for (y, row) in out.bytes().chunks_exact_mut(self.length.max(1)).enumerate() {
            row.iter_mut().enumerate().for_each(|(x, cell)| *cell = place[x * self.width + y]);
        }
    }
}

/// The variable that a window should show.
fn find(b: &mut Builder<'_>, seen: &Seen, rank: usize) -> Option<VariableInfo> {
    let place = |code: NameError, key: &str, message: String| {
        let mut found = problem(code, "shows", message);
        found.path = found.path.child(rank).child(key);
        found
    };
    let parts = b.parts().iter().filter(|part| part.field() == Some(0));
    let Some(part) = parts.clone().find(|part| part.name() == seen.entity) else {
        let names: Vec<String> = parts.map(|part| part.name().to_owned()).collect();
        let unknown =
            place(NameError::UnknownPart, "entity", format!("the field has no `{}`", seen.entity)).value(&seen.entity);
        b.problem(unknown.among(&seen.entity, names.iter().map(String::as_str)));
        return None;
    };
    let is_shown = |variable: &&VariableInfo| variable.per_plot() && variable.visible();
    let found = part.variables().iter().filter(is_shown).find(|variable| variable.name() == seen.variable).cloned();
    if found.is_none() {
        let names: Vec<String> = part.variables().iter().filter(is_shown).map(|v| v.name().to_owned()).collect();
        let message = format!("`{}` has no visible variable `{}` with a value per plot", part.path(), seen.variable);
        let unknown = place(NameError::UnknownVariable, "variable", message).value(&seen.variable);
        b.problem(unknown.among(&seen.variable, names.iter().map(String::as_str)));
    }
    found
}

/// The layer that cuts out a variable, and the kind of the window's values.
fn layer_of(info: &VariableInfo) -> Option<(WindowLayer, ValueKind)> {
    if let Some(words) = info.kind().words(0) {
        let mut names = words.names();
        let outside = u8::try_from(names.len()).ok()?;
        names.push(OUTSIDE.to_owned());
        return Some((WindowLayer::Byte(info.column()?, outside), ValueKind::named(&names)));
    }
    let (low, _) = info.kind().range();
    let layer = match info.column() {
        Some(reals) => WindowLayer::Real(reals, low),
        None => WindowLayer::Count(info.column()?, low as i32),
    };
    Some((layer, info.kind().clone()))
}
