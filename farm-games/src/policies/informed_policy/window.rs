//! The window of the map that a farmer sees: the tiles in it, and the positions from which it would show new tiles.

use farm_core::Game;
use farm_core::config::{NameError, Path, Problem, Problems};
use farm_oracle::grid::{FAR, Grid};

/// The index of the observation entry that shows a whole variable.
///
/// # Errors
/// The variable is not observed.
pub(crate) fn entry(game: &Game, what: &str) -> Result<usize, Problems> {
    let names = game.names();
    let shows = |entry: &farm_core::ObservationEntry| {
        let reference = entry.reference().filter(|reference| reference.element().is_none());
        reference.is_some_and(|reference| names.split(reference).2 == what)
    };
    game.observation().entries().iter().position(shows).ok_or_else(|| {
        let problem = Problem::new(
            NameError::NotObserved,
            Path::default(),
            format!("this player needs `{what}`, which is not observed"),
        );
        Problems(vec![problem.help(format!("add `{what}` to the free observations of the rules"))])
    })
}

/// A square window with the farmer in its middle.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Window {
    /// The index of its entry in the observation.
    pub entry: usize,
    /// Number of tiles in a row.
    pub rows: usize,
}

impl Window {
    /// A game's window.
    ///
    /// # Errors
    /// The map is not observed through a window.
    pub(crate) fn of(game: &Game) -> Result<Self, Problems> {
        let entry = entry(game, "view")?;
        Ok(Self { entry, rows: game.observation().entries()[entry].shape().first().copied().unwrap_or(0) })
    }

    /// A game's window, if it shows each tile's status as well as its terrain.
    ///
    /// # Errors
    /// The map is not observed through a window, or the window shows only terrains.
    pub(crate) fn with_statuses(game: &Game) -> Result<Self, Problems> {
        let window = Self::of(game)?;
        if game.observation().entries()[window.entry].kind().lists().is_some_and(|lists| lists.len() > 1) {
            return Ok(window);
        }
        let message = "this player needs to see stages and moods; the window of this game shows only terrains";
        let problem = Problem::new(NameError::NotObserved, Path::default(), message);
        let problem = problem.expected("a window that shows statuses");
        Err(Problems(vec![problem.help("let the farmer's window show them: `shows: terrain_and_status`")]))
    }

    /// The number of tiles from the middle to the border.
    pub(crate) fn half(&self) -> usize {
        self.rows / 2
    }

    /// The map tiles that are visible from one tile, each with its index in the window.
    pub(crate) fn tiles(&self, length: usize, width: usize, from: usize) -> impl Iterator<Item = (usize, usize)> {
        let (rows, half) = (self.rows, self.half());
        let (x, y) = (from % length, from / length);
        (0..rows * rows).filter_map(move |i| {
            let (x, y) = ((x + i % rows).checked_sub(half)?, (y + i / rows).checked_sub(half)?);
            (x < length && y < width).then_some((i, y * length + x))
        })
    }

    /// The direction towards the nearest tile from which something new is visible; if several are equally near, towards the one that shows
    /// most.
    pub(crate) fn towards_something_new(
        &self,
        grid: &Grid,
        from: usize,
        is_new: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let distances = grid.distances(from);
        let shown = |tile| self.tiles(grid.length, grid.width, tile).filter(|(_, seen)| is_new(*seen)).count();
        let tiles = (0..distances.len()).filter(|tile| distances[*tile] != FAR);
        let worth = tiles.map(|tile| (distances[tile], std::cmp::Reverse(shown(tile)), tile));
        let (_, _, nearest) = worth.filter(|(_, shown, _)| shown.0 > 0).min()?;
        grid.way(&distances, nearest).first().copied()
    }
}
