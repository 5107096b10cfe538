//! The learner's view of a game: the values in an observation record, and the tiles in a farmer's window.
//!
//! The learner's view reads all values through [`Sight`], which contains only the record. Two states with the same record are therefore
//! shown in the same way.

use farm_core::RecordIndex;
use farm_core::declare::{Labels, Quantity};
use farm_core::declare::{Place, Shown};
use farm_core::{Game, Reader, State};

use crate::values::Values;

/// The record index of each value, by flat index.
type Places = Vec<Option<RecordIndex>>;

/// The values and tiles that a learner sees.
#[derive(Debug)]
pub(crate) struct Visibility {
    /// The record indices, by part and by the part's variable.
    variables: Vec<Vec<Places>>,
    windows: Vec<ViewWindow>,
    /// Whether the only window replaces the first field, because its position in the field is not observed.
    is_relative: bool,
    /// The number of columns and rows drawn for each field.
    sizes: Vec<(usize, usize)>,
}

/// The window of a farmer that sees only its surroundings.
#[derive(Debug)]
struct ViewWindow {
    /// The farmer.
    part: usize,
    edge: usize,
    /// The record indices of the centre tile's x and y.
    position: [Option<RecordIndex>; 2],
    /// The names of each tile.
    names: Option<ViewLayer>,
    /// Additional names for the farmer's tile.
    own_names: Places,
    /// The labels of the names: one list for each name of a tile, then one for each additional name of the farmer's tile.
    labels: Vec<Labels>,
    /// Plot variables.
    layers: Vec<ViewLayer>,
}

/// One or more values for each tile in a window.
#[derive(Debug)]
struct ViewLayer {
    /// The part and its variable.
    variable: (usize, usize),
    /// The record indices, row by row from north to south, with `depth` values for each tile.
    places: Places,
    depth: usize,
    /// The variable's number of named values; none for numbers. The window may have one more value, for tiles beyond the border.
    names: Option<usize>,
}

impl Visibility {
    /// The values and tiles that a game's learner can see.
    pub(crate) fn of(game: &Game) -> Self {
        let of_part = |(p, part): (usize, &farm_core::declare::PartInfo)| {
            (0..part.variables().len()).map(|v| game.learner_view().locations(p, Quantity::Variable(v))).collect()
        };
        let variables: Vec<Vec<Places>> = game.parts().iter().enumerate().map(of_part).collect();
        let sizes = game.fields().iter().map(|field| (field.length(), field.width())).collect();
        let mut seen = Self { variables, windows: Vec::new(), is_relative: false, sizes };
        for (p, part) in game.parts().iter().enumerate() {
            for picture in part.pictures() {
                if let (Some(window), Place::Position { at }) = (picture.window(), picture.place()) {
                    seen.add_window(game, p, at, window);
                }
            }
        }
        let is_placed =
            |window: &ViewWindow| window.position.iter().all(|at| at.is_some_and(|at| game.observation().is_free(at)));
        if let Some(i) = seen.windows.iter().position(|window| !is_placed(window)) {
            seen.windows = vec![seen.windows.swap_remove(i)];
            seen.is_relative = true;
            if let (Some(size), Some(window)) = (seen.sizes.first_mut(), seen.windows.first()) {
                *size = (window.edge, window.edge);
            }
        }
        seen
    }

    fn add_window(&mut self, game: &Game, part: usize, at: &str, window: &farm_core::declare::Window) {
        let info = &game.parts()[part];
        let at = info.variables().iter().position(|variable| variable.name() == at);
        let position = |i: usize| *self.variables.get(part)?.get(at?)?.get(i)?;
        let mut found = ViewWindow {
            part,
            edge: window.edge(),
            position: [position(0), position(1)],
            names: None,
            own_names: Vec::new(),
            labels: Vec::new(),
            layers: Vec::new(),
        };
        let mut own_labels = Vec::new();
        for (name, shown) in window.layers() {
            let Some(i) = info.observables().iter().position(|observable| observable.name() == *name) else { continue };
            let observable = &info.observables()[i];
            let places = game.learner_view().locations(part, Quantity::Observable(i));
            if places.iter().all(Option::is_none) {
                continue;
            }
            let labels = observable.kind().lists().unwrap_or_default().to_vec();
            match shown {
                Shown::Names => {
                    let depth = observable.shape().get(2).copied().unwrap_or(1);
                    found.names = Some(ViewLayer { variable: (part, usize::MAX), places, depth, names: None });
                    found.labels = labels;
                }
                Shown::OwnNames => {
                    found.own_names = places;
                    own_labels = labels;
                }
                Shown::Around(entity, variable) => {
                    let Some((variable, names)) = find(game, entity, variable) else { continue };
                    found.layers.push(ViewLayer { variable, places, depth: 1, names });
                }
                Shown::WholeField(entity, variable) => {
                    let (Some(((p, v), _)), Some(field)) = (find(game, entity, variable), game.fields().first()) else {
                        continue;
                    };
                    let whole = &mut self.variables[p][v];
                    for (i, place) in whole.iter_mut().enumerate() {
                        let (x, y) = (i / field.width().max(1), i % field.width().max(1));
                        *place = place.or(places.get(y * field.length() + x).copied().flatten());
                    }
                }
            }
        }
        found.labels.extend(own_labels);
        // A farmer whose window is not observed has none.
        if found.names.is_some() || !found.layers.is_empty() {
            self.windows.push(found);
        }
    }

    /// The number of columns and rows drawn for a field.
    pub(crate) fn size(&self, field: usize) -> (usize, usize) {
        self.sizes.get(field).copied().unwrap_or((0, 0))
    }

    /// Whether a field is drawn as the window of a farmer with an unknown position.
    pub(crate) fn is_relative(&self, field: usize) -> bool {
        self.is_relative && field == 0
    }

    /// The labels for a seen tile's names, one list for each name.
    pub(crate) fn labels(&self) -> &[Labels] {
        self.windows.iter().find(|window| window.names.is_some()).map_or(&[], |window| &window.labels)
    }

    /// Whether the learner sees the names of tiles.
    pub(crate) fn sees_names(&self) -> bool {
        self.windows.iter().any(|window| window.names.is_some())
    }

    /// Whether a farmer has a window.
    pub(crate) fn has_window(&self, part: usize) -> bool {
        self.windows.iter().any(|window| window.part == part)
    }

    /// The record values that windows draw. Additional names of the farmer's tile are not drawn, because the farmer covers them.
    pub(crate) fn windows_show(&self) -> impl Iterator<Item = RecordIndex> {
        let layers = self.windows.iter().flat_map(|window| window.names.iter().chain(&window.layers));
        layers.flat_map(|layer| &layer.places).copied().flatten()
    }

    /// Whether the learner can ever see a value of this variable.
    pub(crate) fn sees(&self, values: Values) -> bool {
        let layers = self.windows.iter().flat_map(|window| &window.layers);
        self.places(values).iter().any(Option::is_some)
            || layers.into_iter().any(|layer| layer.variable == (values.part, values.variable))
    }

    /// The record indices of a variable's values.
    pub(crate) fn places(&self, values: Values) -> &[Option<RecordIndex>] {
        self.variables.get(values.part).and_then(|part| part.get(values.variable)).map_or(&[], Vec::as_slice)
    }
}

/// The indices of a variable, found by name in the first field or the farm, and its number of named values.
fn find(game: &Game, part: &str, variable: &str) -> Option<((usize, usize), Option<usize>)> {
    let p = game.parts().iter().position(|info| info.name() == part && info.field().unwrap_or(0) == 0)?;
    let v = game.parts()[p].variables().iter().position(|info| info.name() == variable)?;
    Some(((p, v), game.parts()[p].variables()[v].kind().words(0).map(Labels::len)))
}

/// A picture's data source.
#[derive(Debug)]
pub(crate) enum Sight<'a> {
    /// A full state.
    Everything(Reader<'a>),
    /// Only the record of an observation.
    Learner(Record<'a>),
}

/// The record of an observation.
#[derive(Debug)]
pub(crate) struct Record<'a> {
    game: &'a Game,
    seen: &'a Visibility,
    bytes: Vec<u8>,
}

impl<'a> Sight<'a> {
    /// The data source for a state: everything, or only its observation.
    pub(crate) fn of(game: &'a Game, seen: Option<&'a Visibility>, state: &'a State) -> Self {
        let Some(seen) = seen else { return Self::Everything(game.reader(state)) };
        let mut bytes = vec![0; game.observation().size()];
        game.observe_into(state, &mut bytes);
        Self::Learner(Record { game, seen, bytes })
    }

    /// A value of a variable; none if it is not known or the index is too large.
    pub(crate) fn value(&self, values: Values, index: usize) -> Option<f64> {
        match self {
            Self::Everything(reader) => values.read(reader, index),
            Self::Learner(record) => record.number(record.seen.places(values).get(index).copied().flatten()),
        }
    }

    /// The value of a plot variable at one of a field's drawn tiles. The drawn field has `width` rows.
    pub(crate) fn at_plot(&self, values: Values, field: usize, width: usize, (x, y): (usize, usize)) -> Option<f64> {
        let Self::Learner(record) = self else { return self.value(values, x * width + y) };
        let windows = record.seen.windows.iter().filter(|_| field == 0);
        let around = windows.filter_map(|window| {
            let tile = record.tile(window, (x, y))?;
            let layer = window.layers.iter().find(|layer| layer.variable == (values.part, values.variable))?;
            let value = record.number(layer.places.get(tile).copied().flatten())?;
            Some(value).filter(|value| layer.names.is_none_or(|names| (*value as usize) < names))
        });
        let found = around.into_iter().next();
        found.or_else(|| if record.seen.is_relative(field) { None } else { self.value(values, x * width + y) })
    }

    /// The observed names of a drawn tile in the first field, as numbers; none outside all windows.
    pub(crate) fn names(&self, (x, y): (usize, usize)) -> Option<Vec<u8>> {
        let Self::Learner(record) = self else { return None };
        record.seen.windows.iter().find_map(|window| {
            let (layer, tile) = (window.names.as_ref()?, record.tile(window, (x, y))?);
            let own = if tile == window.edge * window.edge / 2 { window.own_names.as_slice() } else { &[] };
            let places = layer.places.get(tile * layer.depth..(tile + 1) * layer.depth)?.iter().chain(own);
            // A name that is not shown ends the list, because names have an order.
            Some(places.map_while(|place| Some(record.number(*place)? as u8)).collect())
        })
    }

    /// Whether one of a field's drawn tiles is visible: always if there are no windows, otherwise only inside a window.
    pub(crate) fn reaches(&self, field: usize, (x, y): (usize, usize)) -> bool {
        let Self::Learner(record) = self else { return true };
        let mut windows = record.seen.windows.iter().filter(|_| field == 0).peekable();
        windows.peek().is_none() || windows.any(|window| record.reaches(window, (x, y)))
    }

    /// A farmer's drawn position.
    pub(crate) fn position(&self, part: usize, at: Values) -> Option<(usize, usize)> {
        match self {
            Self::Learner(record) if record.seen.is_relative => {
                let window = record.seen.windows.iter().find(|window| window.part == part)?;
                Some((window.edge / 2, window.edge / 2))
            }
            _ => Some((self.value(at, 0)?.max(0.0) as usize, self.value(at, 1)?.max(0.0) as usize)),
        }
    }

    /// The record; none if everything is known.
    pub(crate) fn record(&self) -> Option<&Record<'a>> {
        match self {
            Self::Everything(_) => None,
            Self::Learner(record) => Some(record),
        }
    }
}

impl Record<'_> {
    /// The record's bytes.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    fn number(&self, place: Option<RecordIndex>) -> Option<f64> {
        let (entry, index) = place?;
        let layout = self.game.observation();
        layout.is_present(&self.bytes, entry, index).then(|| layout.entries()[entry].number(&self.bytes, index))
    }

    /// The window tile at one of the field's drawn tiles, counted row by row.
    fn tile(&self, window: &ViewWindow, (x, y): (usize, usize)) -> Option<usize> {
        let (column, row) = if self.seen.is_relative {
            (x, y)
        } else {
            let [left, top] = window.position.map(|at| Some(self.number(at)? as usize));
            let within = |at: usize, middle: Option<usize>| (at + window.edge / 2).checked_sub(middle?);
            (within(x, left)?, within(y, top)?)
        };
        (column < window.edge && row < window.edge).then_some(row * window.edge + column)
    }

    /// Whether a tile is in a window and not beyond the border of the field.
    fn reaches(&self, window: &ViewWindow, at: (usize, usize)) -> bool {
        let Some(tile) = self.tile(window, at) else { return false };
        let is_outside = |layer: &ViewLayer| {
            let value = self.number(layer.places.get(tile).copied().flatten());
            layer.names.zip(value).is_some_and(|(names, value)| value as usize >= names)
        };
        !window.layers.iter().any(is_outside)
    }
}
