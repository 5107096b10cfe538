"""Masks without the actions that would change nothing."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from farm_gym import _native
from farm_gym.playing import farm_of
from farm_gym.wrappers.batches import BatchWrapper, Results
from farm_gym.wrappers.singles import SingleWrapper

__all__ = ["EffectMasks", "VectorEffectMasks"]


class EffectMasks(SingleWrapper):
    """Sets ``action_masks`` and ``info["action_mask"]`` to the environment's ``effect_mask``: actions that would change nothing are masked.

    In most situations in Valley Farm, three out of four actions do nothing, and a learner that acts at random almost never feeds an animal.
    An action's effect can depend on variables that are not observed; in the grid games, players know it from the rules.

    >>> import farm_gym
    >>> env = farm_gym.wrappers.EffectMasks(farm_gym.make("valley_farm", actions="discrete"))
    >>> observation, info = env.reset(seed=0)
    >>> info["action_mask"].tolist()
    [1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1]

    Args:
        env: An environment with one numbered action per step.
    """

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        super().__init__(env)
        self._farm = farm_of(env)

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Marks the actions that would change something now; doing nothing is always included."""
        return self._farm.effect_mask().astype(np.bool_)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Starts an episode."""
        observation, info = self.env.reset(seed=seed, options=options)
        return observation, {**info, "action_mask": self._farm.effect_mask()}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Takes a step."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        return observation, float(reward), terminated, truncated, {**info, "action_mask": self._farm.effect_mask()}


class VectorEffectMasks(BatchWrapper):
    """:class:`EffectMasks` for a vector environment. It computes the masks sequentially; each environment takes a few microseconds."""

    def __init__(self, env: gymnasium.vector.VectorEnv[Any, Any, Any]) -> None:
        super().__init__(env)
        self._single = _native.Environment(self.farms.game)
        self._single.reset(0)

    def _masks(self) -> npt.NDArray[np.bool_]:
        masks = []
        for i in range(self.num_envs):
            self._single.restore(self.farms.snapshot(i))
            masks.append(self._single.effect_mask())
        return np.stack(masks).astype(np.bool_)

    def _begin(self, begun: npt.NDArray[np.bool_], observations: Any, info: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        return observations, {**info, "action_mask": self._masks()}

    def _after(self, begun: npt.NDArray[np.bool_], results: Results) -> Results:
        observations, rewards, terminations, truncations, info = results
        return observations, rewards, terminations, truncations, {**info, "action_mask": self._masks()}
