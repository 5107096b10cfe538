"""For farmers on foot: one "sow here" action instead of one action for each plot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector.utils import batch_space

from farm_gym import _native
from farm_gym.errors import ConfigError
from farm_gym.playing import farm_of
from farm_gym.wrappers.batches import BatchWrapper, Results, as_batch, check_discrete
from farm_gym.wrappers.flat_list import actions_by_plot
from farm_gym.wrappers.singles import SingleWrapper

__all__ = ["ActHere", "VectorActHere"]


class _Here:
    """The actions in the flat list that a farmer can take at a location."""

    def __init__(self, game: _native.Game, space: gymnasium.Space[Any], num_envs: int) -> None:
        keys = [key for key, inner in space.items() if key.endswith("position")] if isinstance(space, gymnasium.spaces.Dict) else []
        position = space[keys[0]] if len(keys) == 1 and isinstance(space, gymnasium.spaces.Dict) else None
        if not isinstance(position, gymnasium.spaces.MultiDiscrete):
            raise ConfigError("ActHere needs observations with one position: use it before a wrapper that flattens them; these have none")
        self.position, names = keys[0], game.action_names()
        width, height = (int(number) for number in position.nvec)
        here = {kind: ids for kind, ids in actions_by_plot(game).items() if None not in ids}
        bound = {act for ids in here.values() for act in ids.values()}
        free = [act for act in range(len(names)) if act not in bound]
        if not here or free.index(game.idle) != game.idle:
            raise ConfigError(f"{game.name} has no actions on plots that come after waiting in the flat list: leave ActHere out")
        #: The names of the actions.
        self.names = [names[act] for act in free] + [".".join(kind[:3]) + f"({kind[3]})" for kind in here]
        #: For each location (x, y) and action, its id in the flat list, or -1 if there is none.
        self.ids = np.full((width, height, len(self.names)), -1, np.int64)
        self.ids[:, :, : len(free)] = free
        for column, ids in enumerate(here.values(), len(free)):
            for plot, act in ids.items():
                if plot is not None and plot[0] < width and plot[1] < height:
                    self.ids[(*plot, column)] = act
        self.idle = game.idle
        self.at = np.zeros((num_envs, 2), np.int64)

    def see(self, observations: Mapping[str, npt.NDArray[Any]]) -> None:
        """Stores the farmers' positions."""
        self.at = observations[self.position].astype(np.int64)

    def chosen(self, actions: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """The chosen actions' ids in the flat list. An action with no id at this location becomes the id for doing nothing."""
        ids = self.ids[self.at[:, 0], self.at[:, 1], actions]
        return np.where(ids < 0, self.idle, ids)

    def masks(self, masks: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Marks the actions that would be executed now."""
        ids = self.ids[self.at[:, 0], self.at[:, 1]]
        return np.where(ids < 0, 0, np.take_along_axis(masks, np.maximum(ids, 0), axis=1)).astype(masks.dtype)


class ActHere(SingleWrapper):
    """Limits actions to the farmer's own plot: one "sow here" action instead of one action for each plot in the field.

    A learner then has ten actions instead of hundreds, and applies to all plots what it learnt on one plot. If the farmer can reach only
    its own plot, no action is lost. If it can reach further, the actions on other plots are lost.

    >>> import farm_gym
    >>> env = farm_gym.wrappers.ActHere(farm_gym.make("walking_farmer", actions="discrete"))
    >>> env.action_space
    Discrete(10)

    Args:
        env: An environment with one numbered action per step and a dictionary of observations that shows a position.

    Raises:
        ConfigError: The environment shows no position, or has no actions on plots.
    """

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        super().__init__(env)
        check_discrete(env.action_space, "ActHere")
        self._here = _Here(farm_of(env).game, env.observation_space, 1)
        #: The names of the actions.
        self.action_names = list(self._here.names)
        self.action_space = gymnasium.spaces.Discrete(len(self.action_names))

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Marks the actions that would be executed now."""
        masks: npt.NDArray[np.bool_] = self._here.masks(super().action_masks()[None])[0]
        return masks

    def _told(self, observation: dict[str, Any], info: dict[str, Any]) -> dict[str, Any]:
        self._here.see(as_batch({self._here.position: observation[self._here.position]}))
        return {**info, "action_mask": self._here.masks(info["action_mask"][None])[0]} if "action_mask" in info else info

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Starts an episode."""
        observation, info = self.env.reset(seed=seed, options=options)
        return observation, self._told(observation, info)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Takes a step."""
        done = self._here.chosen(np.array([int(action)]))[0]
        observation, reward, terminated, truncated, info = self.env.step(int(done))
        return observation, float(reward), terminated, truncated, self._told(observation, info)


class VectorActHere(BatchWrapper):
    """:class:`ActHere` for a vector environment."""

    def __init__(self, env: gymnasium.vector.VectorEnv[Any, Any, Any]) -> None:
        super().__init__(env)
        check_discrete(env.single_action_space, "VectorActHere")
        self._here = _Here(self.farms.game, env.single_observation_space, self.num_envs)
        self.single_action_space = gymnasium.spaces.Discrete(len(self._here.names))
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    def _action(self, actions: Any) -> Any:
        return self._here.chosen(np.asarray(actions, np.int64))

    def _told(self, observations: Any, info: dict[str, Any]) -> dict[str, Any]:
        self._here.see(observations)
        return {**info, "action_mask": self._here.masks(info["action_mask"])} if "action_mask" in info else info

    def _begin(self, begun: npt.NDArray[np.bool_], observations: Any, info: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        return observations, self._told(observations, info)

    def _after(self, begun: npt.NDArray[np.bool_], results: Results) -> Results:
        observations, rewards, terminations, truncations, info = results
        return observations, rewards, terminations, truncations, self._told(observations, info)

    def state(self) -> dict[str, Any]:
        """The state for :meth:`load_state`, without the environments' snapshots."""
        return {"at": self._here.at.copy()}

    def load_state(self, state: Mapping[str, Any]) -> None:
        """Restores a state."""
        self._here.at = state["at"].copy()
