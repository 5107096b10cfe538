//! The window around the farmer: other parts' values per plot, cut out around the farmer's position.

use farm_core::Slot;
use farm_core::config::NameError;
use farm_core::declare::{ObservableInfo, Own, Shown, ValueKind, VariableInfo};
use farm_core::{Column, Declarations, Found, Known, Reader};

use super::super::walking::problem;
use super::{OUTSIDE, PLACES_SEEN, Seen};
use crate::FarmerError;

/// The values per plot of one variable, and the value beyond the border.
enum WindowLayer {
    Real(Column<f64>, f64),
    Count(Column<i32>, i32),
    Byte(Column<u8>, u8),
}

/// The farmer's view before all parts have declared.
pub(super) struct DeclaredWindow {
    view: usize,
    place: Own<u8>,
    /// The value of places beyond the border.
    outside: u8,
    /// The index of the part and of the variable that each observable after the places shows.
    shown: Vec<(usize, usize)>,
    /// The observables of other parts' variables, by name, each with the variable that it shows.
    seen: Vec<(String, Shown)>,
}

/// The farmer's view of the plots around it.
pub(super) struct Window {
    view: usize,
    length: usize,
    width: usize,
    /// The observables in order, followed by the map of places.
    layers: Vec<WindowLayer>,
    place: Column<u8>,
}

/// The observable of the places in the whole field, and the variable that it shows.
const MAP: &str = "map";
const PLACE: &str = "place";

impl DeclaredWindow {
    /// Declares an observable for the places and for each variable shown, in this order, and the map.
    pub(super) fn new(
        d: &mut Declarations<'_>,
        known: &Known<'_>,
        view: usize,
        shown: &[Seen],
        (place, names): (Own<u8>, &[&str]),
    ) -> Self {
        let labels: Vec<&str> = names.iter().copied().chain([OUTSIDE]).collect();
        let window =
            |name: &str, kind: ValueKind, doc: &str| ObservableInfo::new(name, kind, &[view, view], doc).centred();
        let doc = "Map of the refill points around you, with north at the top. `outside` marks plots beyond the edge of the field.";
        d.observable_with(window(PLACES_SEEN, ValueKind::named(&labels), doc));
        let (mut indices, mut declared) = (Vec::new(), Vec::new());
        for (i, seen) in shown.iter().enumerate() {
            let twice = shown.iter().filter(|other| other.variable == seen.variable).count() > 1;
            let Some((part, variable)) = find(d, known, seen, i) else { continue };
            let info = &known.parts()[part].variables()[variable];
            let Some(kind) = kind_of(info) else {
                let many = problem(
                    FarmerError::WrongWindow,
                    "shows",
                    format!("`{}` has too many values for a window", seen.variable),
                );
                d.problem(many.value(&seen.variable).expected("a variable with at most 255 names"));
                continue;
            };
            // Two entities may have a variable of the same name.
            let suffix = if twice { format!(".{}", seen.entity) } else { String::new() };
            let name = format!("view.{}{suffix}", seen.variable);
            d.observable_with(window(
                &name,
                kind,
                &format!("{} There is one value for each plot around you, with north at the top.", info.doc()),
            ));
            indices.push((part, variable));
            declared.push((name, Shown::Around(seen.entity.clone(), seen.variable.clone())));
        }
        let (length, width) = (d.field().length(), d.field().width());
        let doc =
            "Map of the refill points in the whole field, with north at the top. It is the same in every episode.";
        d.observable(MAP, ValueKind::named(names), &[width, length], doc);
        Self { view, place, outside: names.len() as u8, shown: indices, seen: declared }
    }

    /// The variables that the observables show, including the farmer's variable for the places.
    pub(super) fn shown(&self, farmer: &str) -> Vec<(String, Shown)> {
        let places = |shown: fn(String, String) -> Shown| shown(farmer.to_owned(), PLACE.to_owned());
        let own = [(PLACES_SEEN.to_owned(), places(Shown::Around)), (MAP.to_owned(), places(Shown::WholeField))];
        own.into_iter().chain(self.seen.iter().cloned()).collect()
    }

    /// Looks up the columns.
    pub(super) fn bind(self, found: &Found<'_>) -> Window {
        let place = found.get(self.place);
        let shown = self.shown.iter().map(|(part, variable)| &found.parts()[*part].variables()[*variable]);
        let layers = [WindowLayer::Byte(place, self.outside)].into_iter().chain(shown.filter_map(layer_of));
        let (length, width) = (found.field().length(), found.field().width());
        Window { view: self.view, length, width, layers: layers.collect(), place }
    }
}

impl Window {
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

/// The index of the part and of the variable that a window should show.
fn find(d: &mut Declarations<'_>, known: &Known<'_>, seen: &Seen, rank: usize) -> Option<(usize, usize)> {
    let place = |code: NameError, key: &str, message: String| {
        let mut found = problem(code, "shows", message);
        found.path = found.path.child(rank).child(key);
        found
    };
    let parts = known.parts().iter().enumerate().filter(|(_, part)| part.field() == Some(0));
    let Some((index, part)) = parts.clone().find(|(_, part)| part.name() == seen.entity) else {
        let unknown =
            place(NameError::UnknownPart, "entity", format!("the field has no `{}`", seen.entity)).value(&seen.entity);
        d.problem(unknown.among(&seen.entity, parts.map(|(_, part)| part.name())));
        return None;
    };
    let is_shown = |variable: &VariableInfo| variable.per_plot() && variable.visible();
    let found = part.variables().iter().position(|one| is_shown(one) && one.name() == seen.variable);
    if found.is_none() {
        let names = part.variables().iter().filter(|variable| is_shown(variable)).map(|variable| variable.name());
        let message = format!("`{}` has no visible variable `{}` with a value per plot", part.path(), seen.variable);
        let unknown = place(NameError::UnknownVariable, "variable", message).value(&seen.variable);
        d.problem(unknown.among(&seen.variable, names));
    }
    found.map(|variable| (index, variable))
}

/// The kind of the values in a window that shows a variable; `None` if there are too many names.
fn kind_of(info: &VariableInfo) -> Option<ValueKind> {
    let Some(words) = info.kind().words(0) else { return Some(info.kind().clone()) };
    let mut names = words.names();
    u8::try_from(names.len()).ok()?;
    names.push(OUTSIDE.to_owned());
    Some(ValueKind::named(&names))
}

/// The layer that cuts out a variable.
fn layer_of(info: &VariableInfo) -> Option<WindowLayer> {
    if let Some(words) = info.kind().words(0) {
        return Some(WindowLayer::Byte(info.column()?, u8::try_from(words.names().len()).ok()?));
    }
    let (low, _) = info.kind().range();
    Some(match info.column() {
        Some(reals) => WindowLayer::Real(reals, low),
        None => WindowLayer::Count(info.column()?, low as i32),
    })
}
