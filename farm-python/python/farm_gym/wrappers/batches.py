"""The common base class of wrappers for vector environments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorWrapper
from gymnasium.vector.utils import batch_space

from farm_gym.errors import ConfigError
from farm_gym.vector import FarmVectorEnv
from farm_gym.wrappers.flatten import Flattener

__all__ = ["BatchWrapper", "VectorFlatObservations", "as_batch", "check_discrete", "farms_of", "with_entry"]

Results = tuple[Any, npt.NDArray[np.float64], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]]


def farms_of(env: gymnasium.vector.VectorEnv[Any, Any, Any]) -> FarmVectorEnv:
    """The farm vector environment inside its wrappers.

    Raises:
        ConfigError: There is no such environment.
    """
    if not isinstance(env.unwrapped, FarmVectorEnv):
        raise ConfigError(f"{env} is not a vector environment of farms: make it with `farm_gym.make_vec`")
    return env.unwrapped


def check_discrete(space: gymnasium.Space[Any], wrapper: str) -> gymnasium.spaces.Discrete:  # type: ignore[type-arg,unused-ignore]
    """Returns the action space, if it is ``Discrete``.

    Raises:
        ConfigError: The space is not ``Discrete``.
    """
    if not isinstance(space, gymnasium.spaces.Discrete):
        raise ConfigError(f"{wrapper} needs one numbered action a step, but the actions are {space}: make it with `actions='discrete'`")
    return space


def as_batch(observation: dict[str, Any]) -> dict[str, npt.NDArray[Any]]:
    """One observation as a batch of one."""
    return {key: np.asarray(value)[None] for key, value in observation.items()}


def with_entry(space: gymnasium.Space[Any], key: str, entry: gymnasium.Space[Any], wrapper: str) -> gymnasium.spaces.Dict:
    """A dictionary space with one more entry at the end.

    Raises:
        ConfigError: The space is not a dictionary.
    """
    if not isinstance(space, gymnasium.spaces.Dict):
        raise ConfigError(f"the observations are not a dictionary but {space}: use {wrapper} before a wrapper that flattens them")
    return gymnasium.spaces.Dict([*space.items(), (key, entry)])


if TYPE_CHECKING:
    _VectorWrapper = VectorWrapper[Any, Any, Any]  # type: ignore[type-arg,unused-ignore]
else:
    # In Gymnasium 1.2, the class has no type parameters.
    _VectorWrapper = VectorWrapper


class BatchWrapper(_VectorWrapper):
    """A wrapper that stores data for each episode.

    A subclass clears the data in :meth:`_begin` (after a reset) and :meth:`_after` (after a step). Both receive the environments that
    started an episode, and the observations of all environments. The wrapper supports the autoreset modes ``DISABLED`` (the caller resets
    environments with ``reset_mask``) and ``NEXT_STEP``.

    Raises:
        ConfigError: The environment is not a farm vector environment, or its autoreset mode is ``SAME_STEP``. In that mode, a step that
            ends an episode returns the first observation of the next episode.
    """

    def __init__(self, env: gymnasium.vector.VectorEnv[Any, Any, Any]) -> None:
        super().__init__(env)
        self.farms = farms_of(env)
        if self.farms.autoreset_mode == AutoresetMode.SAME_STEP:
            raise ConfigError(f"{type(self).__name__} does not take the autoreset mode SameStep: make it with NextStep or Disabled")
        self._begins_by_itself = self.farms.autoreset_mode == AutoresetMode.NEXT_STEP
        #: The environments that start an episode in the next step and ignore their action.
        self._ended = np.zeros(env.num_envs, np.bool_)
        #: The actions of the last step, before :meth:`_action` changes them.
        self._actions: Any = None

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Starts episodes, as :meth:`farm_gym.FarmVectorEnv.reset` does."""
        mask = (options or {}).get("reset_mask")
        observations, info = self.env.reset(seed=seed, options=options)
        begun = np.ones(self.num_envs, np.bool_) if mask is None else np.asarray(mask, np.bool_)
        self._ended = self._ended & ~begun
        return self._begin(begun, observations, info)

    def step(self, actions: Any) -> Results:  # type: ignore[override,unused-ignore]
        """Takes a step in every environment."""
        begun, self._actions = self._ended, actions
        results = self.env.step(self._action(actions))
        self._ended = (results[2] | results[3]) & self._begins_by_itself
        return self._after(begun, results)

    def _action(self, actions: Any) -> Any:
        """The actions for the wrapped environments."""
        return actions

    def _begin(self, begun: npt.NDArray[np.bool_], observations: Any, info: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        """The result of a reset; the environments in ``begun`` have started an episode."""
        return observations, info

    def _after(self, begun: npt.NDArray[np.bool_], results: Results) -> Results:
        """The results of a step; environments in ``begun`` took no action and started an episode."""
        return results


class VectorFlatObservations(BatchWrapper):
    """:class:`farm_gym.wrappers.FlatObservations` for a vector environment: an array of shape ``(num_envs, length)``."""

    def __init__(self, env: gymnasium.vector.VectorEnv[Any, Any, Any]) -> None:
        super().__init__(env)
        self._flattener = Flattener(env.single_observation_space)
        self.single_observation_space = self._flattener.space
        self.observation_space = batch_space(self._flattener.space, self.num_envs)

    def _begin(self, begun: npt.NDArray[np.bool_], observations: Any, info: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        return self._flattener.batch(observations), info

    def _after(self, begun: npt.NDArray[np.bool_], results: Results) -> Results:
        observations, rewards, terminations, truncations, info = results
        return self._flattener.batch(observations), rewards, terminations, truncations, info
