"""For learners without a memory: the steps since each action was taken."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector.utils import batch_space

from farm_gym.errors import ConfigError
from farm_gym.wrappers.batches import BatchWrapper, Results, check_discrete, with_entry
from farm_gym.wrappers.singles import SingleWrapper

__all__ = ["LastTaken", "VectorLastTaken"]

#: The key of the observation.
KEY = "last_taken"


def _space(space: gymnasium.Space[Any], actions: int, steps: int) -> gymnasium.spaces.Dict:
    if not 1 <= steps <= 30_000:
        raise ConfigError(f"steps is {steps}: give the length of the memory, from 1 to 30000 steps")
    return with_entry(space, KEY, gymnasium.spaces.Box(0, steps, (actions,), np.int16), "LastTaken")


class LastTaken(SingleWrapper):
    """Adds the entry ``last_taken`` to the observations. It has shape ``(actions,)``: for each action, the steps since it was last taken,
    at most ``steps``.

    Actions with a delayed effect, such as feeding, require a memory if the observation does not show them. For an action that has not been
    taken yet, the value is ``steps``. A rejected action counts as taken.

    Args:
        env: An environment with one numbered action per step and a dictionary of observations.
        steps: Length of the memory in steps.

    Raises:
        ConfigError: A space is not supported, or a number is out of range.
    """

    def __init__(self, env: gymnasium.Env[Any, Any], steps: int = 20) -> None:
        super().__init__(env, steps=steps)
        actions = int(check_discrete(env.action_space, "LastTaken").n)
        self.observation_space = _space(env.observation_space, actions, steps)
        self._since, self._most = np.full(actions, steps, np.int16), steps

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Starts an episode with no action taken."""
        observation, info = self.env.reset(seed=seed, options=options)
        self._since[:] = self._most
        return {**observation, KEY: self._since.copy()}, info

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Takes a step."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        self._since = np.minimum(self._since + 1, self._most).astype(np.int16)
        self._since[int(action)] = 0
        return {**observation, KEY: self._since.copy()}, float(reward), terminated, truncated, info


class VectorLastTaken(BatchWrapper):
    """:class:`LastTaken` for a vector environment."""

    def __init__(self, env: gymnasium.vector.VectorEnv[Any, Any, Any], steps: int = 20) -> None:
        super().__init__(env)
        actions = int(check_discrete(env.single_action_space, "VectorLastTaken").n)
        self.single_observation_space = _space(env.single_observation_space, actions, steps)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self._since, self._most = np.full((self.num_envs, actions), steps, np.int16), steps

    def _begin(self, begun: npt.NDArray[np.bool_], observations: Any, info: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        self._since[begun] = self._most
        return {**observations, KEY: self._since.copy()}, info

    def _after(self, begun: npt.NDArray[np.bool_], results: Results) -> Results:
        observations, rewards, terminations, truncations, info = results
        self._since = np.minimum(self._since + 1, self._most).astype(np.int16)
        self._since[np.arange(self.num_envs), self._actions] = 0
        self._since[begun] = self._most
        return {**observations, KEY: self._since.copy()}, rewards, terminations, truncations, info

    def state(self) -> dict[str, Any]:
        """The state for :meth:`load_state`, without the environments' snapshots."""
        return {"since": self._since.copy()}

    def load_state(self, state: Mapping[str, Any]) -> None:
        """Restores a state."""
        self._since = state["since"].copy()
