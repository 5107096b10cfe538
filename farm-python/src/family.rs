//! A family of games whose rules are drawn for each episode.

use std::sync::Arc;

use farm_core::config::Problems;
use farm_games::FamilyGame;
use farm_games::families::GradientShare;
use pyo3::prelude::*;

use crate::convert::to_python;
use crate::errors;
use crate::game::Game;
use crate::splits;

/// A family on one or several tiers. Each episode has its own member.
#[pyclass(frozen, module = "farm_gym._native")]
pub struct Family {
    pub family: Arc<FamilyGame>,
}

/// A world: its game, the seed of its map, its split, and its description.
type World<'py> = (Game, u64, &'static str, Bound<'py, PyAny>);

#[pymethods]
impl Family {
    #[new]
    fn new(py: Python<'_>, name: &str) -> PyResult<Self> {
        let opened = py.detach(|| errors::guarded(|| FamilyGame::open(name)))?;
        let message = || errors::ConfigError::new_err(format!("`{name}` does not name the tiers of a family"));
        let family = opened.ok_or_else(message)?.map_err(|problems| errors::config(&problems))?;
        Ok(Self { family: Arc::new(family) })
    }

    /// The arguments that open the same family again.
    fn __getnewargs__(&self) -> (&str,) {
        (self.family.name(),)
    }

    #[getter]
    fn name(&self) -> &str {
        self.family.name()
    }

    /// A game with the observations and actions of all members, and with the family's own names.
    #[getter]
    fn shape(&self) -> Game {
        Game::of_member(self.family.shape().clone())
    }

    /// The published shares of groups that carry a gradient: for each split and tier, the groups, and how many of them carry one.
    fn gradients(&self) -> Vec<(&'static str, u32, u64, u64)> {
        let is_ours = |share: &GradientShare| self.family.tiers().iter().any(|tier| tier.number == share.tier);
        let shares = GradientShare::published(self.family.family()).into_iter().filter(is_ours);
        shares.map(|share| (share.split.name(), share.tier, share.groups, share.with_gradient)).collect()
    }

    /// Rejects tiers whose members have different observations or actions.
    fn check_shapes(&self, py: Python<'_>) -> PyResult<()> {
        let checked = py.detach(|| errors::guarded(|| self.family.check_shapes()))?;
        checked.map_err(|problems| errors::config(&problems))
    }

    /// The world of a seed, the world with an index in a split, or a member's world on the map of a seed. `text` opens it with the names that
    /// its tier invents; arrays have the family's own names.
    #[pyo3(signature = (seed, split, index=None, tier=None, member=None, *, text=false))]
    #[expect(clippy::too_many_arguments, reason = "the arguments of the Python method")]
    fn world<'py>(
        &self,
        py: Python<'py>,
        seed: u64,
        split: Option<&str>,
        index: Option<u64>,
        tier: Option<u32>,
        member: Option<&str>,
        text: bool,
    ) -> PyResult<World<'py>> {
        let split = splits::named(split)?;
        let found = py.detach(|| {
            errors::guarded(|| -> Result<_, Problems> {
                let world = match (member, split, index) {
                    (Some(member), ..) => self.family.of_member(member, seed)?,
                    (None, Some(split), Some(index)) => self.family.world(split, index, tier)?,
                    (None, split, _) => self.family.drawn(split, seed, tier)?,
                };
                Ok((if text { self.family.game(&world)? } else { self.family.array_game(&world)? }, world))
            })
        })?;
        let (game, world) = found.map_err(|problems| errors::config(&problems))?;
        Ok((Game::of_member(game), world.seed(), world.split().name(), to_python(py, &world.to_json())?))
    }

    /// Compares the return of episodes of a member, one for each seed, with waiting and the best known return.
    fn score<'py>(&self, py: Python<'py>, game: &Game, seeds: Vec<u64>, total: f64) -> PyResult<Bound<'py, PyAny>> {
        let score = py.detach(|| errors::guarded(|| self.family.score(&game.game, &seeds, total)))?;
        let score = score.map_err(|error| errors::StateError::new_err(error.to_string()))?;
        to_python(py, &score.to_json())
    }
}

/// Whether a name means a family on tiers, without fixed rules.
#[pyfunction]
pub(crate) fn is_family(name: &str) -> bool {
    FamilyGame::is_name(name)
}

/// The names of all tiers of all families.
#[pyfunction]
pub(crate) fn family_names() -> Vec<String> {
    FamilyGame::names().collect()
}
