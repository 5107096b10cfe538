"""Rewards during the season that leave the best policy what it is: potential-based shaping (Ng, Harada and Russell 1999)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from farm_gym.errors import ConfigError
from farm_gym.wrappers.batches import BatchWrapper, Results, as_batch

__all__ = ["PotentialShaping", "StandingCrop", "VectorPotentialShaping"]

#: A potential: from a batch of observations, an array with a first axis for the environments in each entry, to a number for each.
Potential = Callable[[Mapping[str, npt.NDArray[Any]]], npt.NDArray[np.float64]]

#: What plants of a stage are worth, as a share of what ripe ones are: in the order none, seed, grow, bloom, fruit, ripe, dead, harvested,
#: outside of the field.
_STAGES = np.array([0.0, 0.2, 0.3, 0.5, 0.7, 1.0, 0.0, 0.0, 0.0])


class StandingCrop:
    """A potential for farms: how far the plants that are seen have come, each plot from 0 (nothing, dead or harvested) to 1 (ripe).

    It reads every entry whose key ends in ``stage``; of a :class:`MapMemory` those that it remembers.

    Args:
        space: The space of observations.
        worth: What a ripe plot is worth, in the unit of the rewards.

    Raises:
        ConfigError: The observations show no stage of plants.
    """

    def __init__(self, space: gymnasium.Space[Any], worth: float = 1.0) -> None:
        if not isinstance(space, gymnasium.spaces.Dict):
            raise ConfigError(f"the observations are not a dictionary but {space}: shape rewards before a wrapper that flattens them")
        self.keys = [key for key in space if key.endswith("stage")]
        if not self.keys:
            raise ConfigError(f"the observations show no stage of plants, but only {', '.join(space)}: give a potential of your own")
        self.worth = worth

    def __call__(self, observations: Mapping[str, npt.NDArray[Any]]) -> npt.NDArray[np.float64]:
        """The potential of each observation of a batch."""
        total = np.zeros(len(observations[self.keys[0]]))
        for key in self.keys:
            stages = np.minimum(observations[key].reshape(len(total), -1), len(_STAGES) - 1)
            total += _STAGES[stages].sum(axis=1)
        return self.worth * total


class PotentialShaping(gymnasium.Wrapper[Any, Any, Any, Any], gymnasium.utils.RecordConstructorArgs):
    """Adds ``gamma * potential(after) - potential(before)`` to each reward.

    Over an episode the discounted sum of what is added is minus the potential of its first observation, whatever is done, because the end of
    an episode has the potential 0. So the policies keep their order, and the best one stays the best (Ng, Harada and Russell 1999,
    theorem 1; Grześ 2017 for the end). Of an episode that is cut off, the last observation keeps its potential, as it keeps its value.
    ``info["reward"]`` is the reward of the game.

    Args:
        env: An environment with a dictionary of observations.
        potential: A function of a batch of observations, or None for :class:`StandingCrop`.
        gamma: The discount of the learner: with another one the best policy may change.
    """

    def __init__(self, env: gymnasium.Env[Any, Any], potential: Potential | None = None, gamma: float = 0.99) -> None:
        gymnasium.utils.RecordConstructorArgs.__init__(self, potential=potential, gamma=gamma)
        gymnasium.Wrapper.__init__(self, env)
        self._potential = StandingCrop(env.observation_space) if potential is None else potential
        self._gamma, self._before = gamma, 0.0

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions would be executed now."""
        masks: npt.NDArray[np.bool_] = self.env.get_wrapper_attr("action_masks")()
        return masks

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begins an episode."""
        observation, info = self.env.reset(seed=seed, options=options)
        self._before = float(self._potential(as_batch(observation))[0])
        return observation, info

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Takes a step."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        now = 0.0 if terminated else float(self._potential(as_batch(observation))[0])
        shaped = float(reward) + self._gamma * now - self._before
        self._before = now
        return observation, shaped, terminated, truncated, {**info, "reward": float(reward)}


class VectorPotentialShaping(BatchWrapper):
    """:class:`PotentialShaping` of a vector environment; ``info["reward"]`` has the rewards of the game."""

    def __init__(
        self, env: gymnasium.vector.VectorEnv[Any, Any, Any], potential: Potential | None = None, gamma: float = 0.99
    ) -> None:
        super().__init__(env)
        self._potential = StandingCrop(env.single_observation_space) if potential is None else potential
        self._gamma = gamma
        self._before = np.zeros(self.num_envs)

    def _begin(self, begun: npt.NDArray[np.bool_], observations: Any, info: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        self._before = np.where(begun, self._potential(observations), self._before)
        return observations, info

    def _after(
        self,
        begun: npt.NDArray[np.bool_],
        observations: Any,
        rewards: npt.NDArray[np.float64],
        terminations: npt.NDArray[np.bool_],
        truncations: npt.NDArray[np.bool_],
        info: dict[str, Any],
    ) -> Results:
        now = np.where(terminations, 0.0, self._potential(observations))
        added = np.where(begun, 0.0, self._gamma * now - self._before)
        self._before = now
        return observations, rewards + added, terminations, truncations, {**info, "reward": rewards}

    def state(self) -> dict[str, Any]:
        """What :meth:`load_state` needs beside the snapshots of the environments."""
        return {"before": self._before.copy()}

    def load_state(self, state: Mapping[str, Any]) -> None:
        """Goes back to a state."""
        self._before = state["before"].copy()
