"""Wrappers that adapt any game to learners that support only a few kinds of spaces."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from farm_gym.errors import ConfigError
from farm_gym.game import action_masks, action_space
from farm_gym.playing import farm_of
from farm_gym.wrappers.flatten import Flattener

__all__ = ["DictObservations", "FlatDiscreteActions", "FlatObservations", "MultiDiscreteActions", "ObservationActionLoop"]


class _Actions(gymnasium.ActionWrapper[Any, Any, Any], gymnasium.utils.RecordConstructorArgs):
    """A different view of the actions."""

    view = ""

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        gymnasium.utils.RecordConstructorArgs.__init__(self)
        gymnasium.ActionWrapper.__init__(self, env)
        self._game = farm_of(env).game
        _, self.action_space = action_space(self._game, self.view)

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Marks the actions that would be executed now, for MaskablePPO; the mask is repeated for each slot of a schedule."""
        return action_masks(self._game, farm_of(self).native.action_mask(), self.view)

    def _calls(self, ids: Any) -> Any:
        calls = [call for one in ids for call in self._game.discrete_to_farm(int(one))]
        return farm_of(self).farmgymaction_to_gymaction(calls)


class FlatDiscreteActions(_Actions):
    """One action from the flat list per step: ``Discrete``. For DQN and other learners that support no other space."""

    view = "discrete"

    def action(self, action: Any) -> Any:
        """The action for the wrapped environment."""
        return self._calls([action])


class MultiDiscreteActions(_Actions):
    """One action from the flat list in each slot of a schedule: ``MultiDiscrete``. Ids that do nothing leave slots empty."""

    view = "multi_discrete"

    def action(self, action: Any) -> Any:
        """The action for the wrapped environment."""
        unique = dict.fromkeys(int(one) for one in action)
        return self._calls(unique)


class FlatObservations(gymnasium.ObservationWrapper[Any, Any, Any], gymnasium.utils.RecordConstructorArgs):
    """Observations as one vector of ``float32``: bounded numbers are scaled to the range -1 to 1, and categories are one-hot
    (:class:`Flattener`)."""

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        gymnasium.utils.RecordConstructorArgs.__init__(self)
        gymnasium.ObservationWrapper.__init__(self, env)
        self._flattener = Flattener(env.observation_space)
        self.observation_space = self._flattener.space

    def observation(self, observation: Any) -> npt.NDArray[np.float32]:
        """The vector of an observation."""
        return self._flattener.one(observation)


class DictObservations(gymnasium.ObservationWrapper[Any, Any, Any], gymnasium.utils.RecordConstructorArgs):
    """Observations as a dictionary for Stable-Baselines3's ``MultiInputPolicy``.

    That policy names a PyTorch module after each key, and such names can't contain a full stop. It also can't flatten single numbers. The
    wrapper therefore replaces each full stop in a key with ``separator``, and a single number with an array of shape ``(1,)``. Values are
    unchanged.

    >>> import farm_gym
    >>> env = farm_gym.wrappers.DictObservations(farm_gym.make("clay_bean"))
    >>> observation, info = env.reset(seed=0)
    >>> observation["Field-0/Soil-0/available_Water#L"].shape
    (1, 1)
    """

    def __init__(self, env: gymnasium.Env[Any, Any], separator: str = "/") -> None:
        gymnasium.utils.RecordConstructorArgs.__init__(self, separator=separator)
        gymnasium.ObservationWrapper.__init__(self, env)
        space = env.observation_space
        if not isinstance(space, gymnasium.spaces.Dict):
            raise ConfigError(f"the observations are not a dictionary but {space}: use this wrapper before one that flattens them")
        self._keys = {key: key.replace(".", separator) for key in space}
        if len(set(self._keys.values())) < len(self._keys) or "." in separator:
            raise ConfigError(f"with the separator {separator!r} two keys are equal, or still contain a full stop: choose another")
        # A list keeps the wrapped space's order; a plain dictionary would be sorted.
        spaces = [(self._keys[key], _with_shape(inner)) for key, inner in space.items()]
        self.observation_space = gymnasium.spaces.Dict(spaces)

    def observation(self, observation: Any) -> dict[str, Any]:
        """The dictionary with renamed keys."""
        return {self._keys[key]: value if np.shape(value) else np.reshape(value, (1,)) for key, value in observation.items()}


def _with_shape(space: gymnasium.Space[Any]) -> gymnasium.Space[Any]:
    """A space of arrays instead of single numbers."""
    if isinstance(space, gymnasium.spaces.Discrete):
        return gymnasium.spaces.MultiDiscrete([int(space.n)], dtype=np.int64, start=[int(space.start)])
    if isinstance(space, gymnasium.spaces.Box) and space.shape == ():
        number: Any = space.low.dtype.type
        return gymnasium.spaces.Box(space.low.reshape(1), space.high.reshape(1), (1,), number)
    return space


class ObservationActionLoop(gymnasium.Wrapper[Any, Any, Any, Any], gymnasium.utils.RecordConstructorArgs):
    """For games with priced observations: one step is a whole day. An action is a pair of today's interventions and tomorrow's
    observations.

    ``step((interventions, observations))`` takes the intervention half-step with the first element, and the next day's observation
    half-step with the second. The reward is the sum of both half-steps. :meth:`reset` requests only the free observations.
    """

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        gymnasium.utils.RecordConstructorArgs.__init__(self)
        gymnasium.Wrapper.__init__(self, env)
        if farm_of(env).game.interaction_mode != "aomdp":
            raise ConfigError("observations are free of charge in this game: make it with `interaction_mode='aomdp'`")
        self.action_space = gymnasium.spaces.Tuple((env.action_space, env.action_space))

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Starts an episode with the free observations."""
        self.env.reset(seed=seed, options=options)
        observation, _, _, _, info = self.env.step(self._nothing())
        return observation, info

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Takes a day: the interventions, then the next day's observations."""
        deeds, looks = action
        observation, reward, terminated, truncated, info = self.env.step(deeds)
        if not (terminated or truncated):
            observation, more, terminated, truncated, late = self.env.step(looks)
            reward = float(reward) + float(more)
            for key in ("intervention cost", "observation cost"):
                late[key] += info[key]
            for key in ("events", "rejected"):
                if key in late:
                    late[key] = info[key] + late[key]
            info = late
        return observation, float(reward), terminated, truncated, info

    def _nothing(self) -> Any:
        return farm_of(self).farmgymaction_to_gymaction([])
