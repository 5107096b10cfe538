//! What a learner is shown.

use farm_core::picture::{Picture, Place};
use farm_core::reference::{Quantity, Reference};
use farm_core::{Game, Reader, State};

use crate::compile::{Compiled, Pictures, Spot, Values};

/// Decides what of a game's pictures a learner is shown.
#[derive(Debug)]
pub struct Eyes {
    /// The variables that decide on each picture.
    deciding: Vec<Vec<Reference>>,
    /// Whether the window shows the variables of each picture.
    in_window: Vec<bool>,
    window: Option<Window>,
    /// The variables that the window shows, each with the part's name.
    seen: Vec<(String, String)>,
}

/// The window of a farmer who sees only its surroundings.
#[derive(Debug)]
struct Window {
    position: Values,
    reach: f64,
}

impl Eyes {
    /// The eyes of a game's learner.
    pub fn of(game: &Game, pictures: &Pictures) -> Self {
        let windows = game.parts.iter().flat_map(|part| part.pictures.iter().map(move |picture| (part, picture)));
        let found = windows.filter_map(|(part, picture)| Some((part, picture, picture.window.as_ref()?))).next();
        let window = found.and_then(|(part, picture, window)| {
            let Place::Position { at } = &picture.place else { return None };
            let position = part.variables.iter().find(|variable| variable.name == *at).and_then(Values::of)?;
            Some(Window { position, reach: (window.edge / 2) as f64 })
        });
        let seen = found.map(|(_, _, window)| window.variables.as_slice()).unwrap_or_default();
        let deciding = pictures.all.iter().map(|compiled| deciding(game, compiled)).collect();
        let in_window = pictures.all.iter().map(|compiled| match compiled.spot {
            Spot::Things { .. } | Spot::Map { .. } => true,
            _ => {
                let Some(part) = game.parts.get(compiled.part) else { return false };
                let mut variables = compiled.variables.iter();
                variables.all(|name| seen.iter().any(|(entity, variable)| *entity == part.name && variable == name))
            }
        });
        Self { deciding, in_window: in_window.collect(), window, seen: seen.to_vec() }
    }

    /// Whether the window, if there is one, reaches a plot of a field.
    pub fn reach(&self, field: usize, (x, y): (usize, usize), reader: &Reader<'_>) -> bool {
        self.window.as_ref().is_none_or(|window| {
            let at = |index: usize| window.position.get(reader, index).unwrap_or(0.0);
            let near = |index: usize, plot: usize| (at(index) - plot as f64).abs() <= window.reach;
            field == 0 && near(0, x) && near(1, y)
        })
    }

    /// Whether a picture's value at an index, which lies on the plot (x, y), is shown.
    pub fn see(
        &self,
        game: &Game,
        state: &State,
        picture: (usize, &Compiled),
        index: usize,
        plot: (usize, usize),
    ) -> bool {
        let (rank, compiled) = picture;
        // A farmer knows where it is and what it carries.
        let Some(field) = compiled.field else { return true };
        let has_window = self.window.is_some() && self.in_window.get(rank).is_some_and(|seen| *seen);
        if has_window && !matches!(compiled.spot, Spot::Strip) {
            return self.reach(field, plot, &game.reader(state));
        }
        let element = matches!(compiled.spot, Spot::Plots | Spot::Things { .. }).then_some(index);
        self.deciding.get(rank).is_some_and(|all| all.iter().all(|one| game.is_shown_at(state, one, element)))
    }
}

impl Eyes {
    /// Whether one of the variables of a picture in a strip is shown.
    pub fn see_variable(&self, game: &Game, state: &State, picture: (usize, &Compiled), variable: &str) -> bool {
        let (rank, compiled) = picture;
        let at = compiled.variables.iter().position(|name| name == variable);
        let reference = at.and_then(|at| self.deciding.get(rank)?.get(at));
        compiled.field.is_none() || reference.is_some_and(|reference| game.is_shown_at(state, reference, None))
    }

    /// Whether the value of a part's variable at a plot of a field is shown: part and variable by index, then field, index of the
    /// plot, and the plot.
    pub fn see_value(
        &self,
        game: &Game,
        state: &State,
        (part, variable): (usize, usize),
        (field, index, plot): (usize, usize, (usize, usize)),
    ) -> bool {
        let Some((info, named)) = game.parts.get(part).and_then(|info| Some((info, info.variables.get(variable)?)))
        else {
            return false;
        };
        if self.seen.iter().any(|(entity, name)| *entity == info.name && *name == named.name) {
            return self.reach(field, plot, &game.reader(state));
        }
        let name = format!("{}.{}", info.path, named.name);
        let reference = Reference { part, quantity: Quantity::Variable(variable), element: None, name };
        game.is_shown_at(state, &reference, Some(index))
    }
}

/// The variables that decide on a picture, as references.
fn deciding(game: &Game, compiled: &Compiled) -> Vec<Reference> {
    let Some(part) = game.parts.get(compiled.part) else { return Vec::new() };
    let reference = |name: &String| {
        let index = part.variables.iter().position(|variable| variable.name == *name)?;
        let name = format!("{}.{name}", part.path);
        Some(Reference { part: compiled.part, quantity: Quantity::Variable(index), element: None, name })
    };
    compiled.variables.iter().filter_map(reference).collect()
}

/// The names of the variables that decide on a picture or are written beside it.
pub fn deciding_names(picture: &Picture) -> Vec<String> {
    let looks = picture.looks.iter().filter_map(|look| look.when.variable());
    let mut names: Vec<String> = looks.chain(picture.values.iter().map(String::as_str)).map(str::to_owned).collect();
    names.sort();
    names.dedup();
    names
}
