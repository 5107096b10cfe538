"""Rewards during the season that do not change the best policy: potential-based shaping (Ng, Harada and Russell 1999)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from farm_gym.errors import ConfigError
from farm_gym.wrappers.batches import BatchWrapper, Results, as_batch
from farm_gym.wrappers.names import check_key
from farm_gym.wrappers.singles import SingleWrapper

__all__ = ["PotentialShaping", "StandingCrop", "VectorPotentialShaping", "Worth"]

#: A potential: a function from a batch of observations (arrays with a first axis for the environments) to a number for each environment.
Potential = Callable[[Mapping[str, npt.NDArray[Any]]], npt.NDArray[np.float64]]

#: The worth of plants in each stage, as a share of the worth of ripe plants: none, seed, grow, bloom, fruit, ripe, dead, harvested, outside
#: the field.
_STAGES = np.array([0.0, 0.2, 0.3, 0.5, 0.7, 1.0, 0.0, 0.0, 0.0])


class StandingCrop:
    """A potential for farms: the progress of the observed plants, from 0 (nothing, dead or harvested) to 1 (ripe) on each plot.

    The potential uses every entry whose key ends in ``stage`` and, with :class:`MapMemory`, the remembered stages.

    Args:
        space: The space of observations.
        worth: The worth of a ripe plot, in the same unit as the rewards.

    Raises:
        ConfigError: The observations do not show plant stages.
    """

    def __init__(self, space: gymnasium.Space[Any], worth: float = 1.0) -> None:
        if not isinstance(space, gymnasium.spaces.Dict):
            raise ConfigError(
                f"the observations are not a dictionary but {space}: use PotentialShaping before a wrapper that flattens them"
            )
        self.keys = [key for key in space if key.endswith("stage")]
        if not self.keys:
            raise ConfigError(f"the observations show no stage of plants, but only {', '.join(space)}: pass your own potential")
        self.worth = worth

    def __call__(self, observations: Mapping[str, npt.NDArray[Any]]) -> npt.NDArray[np.float64]:
        """The potential of each observation in a batch."""
        total = np.zeros(len(observations[self.keys[0]]))
        for key in self.keys:
            stages = np.minimum(observations[key].reshape(len(total), -1), len(_STAGES) - 1)
            total += _STAGES[stages].sum(axis=1)
        return self.worth * total


class Worth:
    """A potential that is a weighted sum of observed numbers.

    A supply that earns points when it is used has a negative worth, so that using it counts immediately. For example, a bag of feed that
    will earn 0.8 points has a worth of -0.8.

    Args:
        space: The space of observations.
        worth: The worth of one unit, by observation key: a number, or a number for each value in the entry.

    Raises:
        ConfigError: A key is unknown (the message suggests the nearest one), or the number of values is wrong.
    """

    def __init__(self, space: gymnasium.Space[Any], worth: Mapping[str, float | Sequence[float]]) -> None:
        if not isinstance(space, gymnasium.spaces.Dict):
            raise ConfigError(
                f"the observations are not a dictionary but {space}: use PotentialShaping before a wrapper that flattens them"
            )
        self.worth: dict[str, npt.NDArray[np.float64]] = {}
        for key, numbers in worth.items():
            size = int(np.prod(space[check_key(space, key, "worth")].shape or (1,)))
            row = np.asarray(numbers, np.float64).reshape(-1)
            if row.size not in (1, size):
                raise ConfigError(f"worth: {key} has {row.size} numbers, but {size} values: give one number, or one for each value")
            self.worth[key] = np.broadcast_to(row, (size,))

    def __call__(self, observations: Mapping[str, npt.NDArray[Any]]) -> npt.NDArray[np.float64]:
        """The potential of each observation in a batch."""
        count = len(next(iter(observations.values())))
        total = np.zeros(count)
        for key, worth in self.worth.items():
            total += observations[key].reshape(count, -1).astype(np.float64) @ worth
        return total


class PotentialShaping(SingleWrapper):
    """Adds ``gamma * potential(after) - potential(before)`` to each reward.

    Over an episode, the discounted sum of these additions is minus the potential of the first observation, whatever the actions. The reason
    is that the end of an episode has the potential 0. The ranking of policies is therefore unchanged, and the best policy stays the best
    (Ng, Harada and Russell 1999, theorem 1; Grześ 2017 for the end). If an episode is cut off, its last observation keeps its potential, as
    it keeps its value. ``info["reward"]`` is the game's reward.

    Args:
        env: An environment with a dictionary of observations.
        potential: A function that maps a batch of observations to numbers, or None for :class:`StandingCrop`.
        gamma: The learner's discount; with a different discount, the best policy may change.
    """

    def __init__(self, env: gymnasium.Env[Any, Any], potential: Potential | None = None, gamma: float = 0.99) -> None:
        super().__init__(env, potential=potential, gamma=gamma)
        self._potential = StandingCrop(env.observation_space) if potential is None else potential
        self._gamma, self._before = gamma, 0.0

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Starts an episode."""
        observation, info = self.env.reset(seed=seed, options=options)
        self._before = float(self._potential(as_batch(observation))[0])
        return observation, info

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Takes a step."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        now = 0.0 if terminated else float(self._potential(as_batch(observation))[0])
        shaped = float(reward) + self._gamma * now - self._before
        self._before = now
        return observation, shaped, terminated, truncated, {"reward": float(reward), **info}


class VectorPotentialShaping(BatchWrapper):
    """:class:`PotentialShaping` for a vector environment; ``info["reward"]`` has the game's rewards."""

    def __init__(self, env: gymnasium.vector.VectorEnv[Any, Any, Any], potential: Potential | None = None, gamma: float = 0.99) -> None:
        super().__init__(env)
        self._potential = StandingCrop(env.single_observation_space) if potential is None else potential
        self._gamma = gamma
        self._before = np.zeros(self.num_envs)

    def _begin(self, begun: npt.NDArray[np.bool_], observations: Any, info: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        self._before = np.where(begun, self._potential(observations), self._before)
        return observations, info

    def _after(self, begun: npt.NDArray[np.bool_], results: Results) -> Results:
        observations, rewards, terminations, truncations, info = results
        now = np.where(terminations, 0.0, self._potential(observations))
        added = np.where(begun, 0.0, self._gamma * now - self._before)
        self._before = now
        return observations, rewards + added, terminations, truncations, {"reward": rewards, **info}

    def state(self) -> dict[str, Any]:
        """The state for :meth:`load_state`, without the environments' snapshots."""
        return {"before": self._before.copy()}

    def load_state(self, state: Mapping[str, Any]) -> None:
        """Restores a state."""
        self._before = state["before"].copy()
