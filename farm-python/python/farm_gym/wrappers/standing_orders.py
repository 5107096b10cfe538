"""Actions that hold for many days: "water when below x"."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector.utils import batch_space

from farm_gym import _native
from farm_gym.errors import ConfigError
from farm_gym.wrappers.batches import BatchWrapper, Results, as_batch, check_discrete, with_entry
from farm_gym.wrappers.names import check_key, nearest
from farm_gym.wrappers.views import farm_of

__all__ = ["Order", "StandingOrders", "VectorStandingOrders"]

#: The key of the observation that says which orders stand.
ENTRY = "standing_orders"

_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


@dataclass(frozen=True)
class Order:
    """What to do whenever a condition holds.

    Attributes:
        act: An action of the flat list: its id, or its name as ``env.action_names`` has it.
        when: ``"KEY OPERATOR NUMBER"``: a key of the observation, one of ``< <= > >= == !=``, and a number; a category is the number that
            the observation has for it. Of an entry with several values, such as one for each plot, one is enough.
    """

    act: int | str
    when: str


class _Orders:
    """Orders of a game, ready to be looked at in a batch of observations."""

    def __init__(self, game: _native.Game, space: gymnasium.Space[Any], orders: Sequence[Order]) -> None:
        if not orders:
            raise ConfigError("orders is empty: give at least one `farm_gym.wrappers.Order`")
        if not isinstance(space, gymnasium.spaces.Dict):
            raise ConfigError(f"the observations are not a dictionary but {space}: give orders before a wrapper that flattens them")
        names = game.action_names()
        self.idle, self.ordinary = game.idle, len(names)
        self.conditions = [_condition(space, order.when, f"orders[{i}].when") for i, order in enumerate(orders)]
        self.acts = np.array([_act(names, order.act, f"orders[{i}].act") for i, order in enumerate(orders)], np.int64)

    def __len__(self) -> int:
        return len(self.acts)

    def due(self, observations: Mapping[str, npt.NDArray[Any]], stands: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
        """For each environment the action of the first order that stands and whose condition holds, or doing nothing."""
        actions = np.full(len(stands), self.idle, np.int64)
        for order in reversed(range(len(self))):
            key, compare, number = self.conditions[order]
            holds = compare(observations[key], number).reshape(len(stands), -1).any(axis=1)
            actions[stands[:, order] & holds] = self.acts[order]
        return actions

    def choose(
        self, actions: npt.NDArray[np.int64], observations: Mapping[str, npt.NDArray[Any]], stands: npt.NDArray[np.bool_]
    ) -> npt.NDArray[np.int64]:
        """Starts or ends the orders that were chosen, in ``stands``, and returns what is done today."""
        toggles = actions >= self.ordinary
        rows = np.flatnonzero(toggles)
        stands[rows, actions[rows] - self.ordinary] ^= True
        follows = toggles | (actions == self.idle)
        return np.where(follows, self.due(observations, stands), actions)


def _condition(space: gymnasium.spaces.Dict, text: str, where: str) -> tuple[str, Callable[[Any, Any], Any], float]:
    words = text.split()
    if len(words) != 3 or words[1] not in _OPERATORS:
        raise ConfigError(f"{where}: {text!r} is not a condition: write KEY OPERATOR NUMBER, with one of {' '.join(_OPERATORS)}")
    try:
        number = float(words[2])
    except ValueError:
        raise ConfigError(f"{where}: {words[2]!r} is not a number; a category is the number that the observation has for it") from None
    return check_key(space, words[0], where), _OPERATORS[words[1]], number


def _act(names: Sequence[str], act: int | str, where: str) -> int:
    if isinstance(act, str):
        if act not in names:
            raise ConfigError(f"{where}: there is no action {act!r}: {nearest(act, names)}")
        return names.index(act)
    if not 0 <= act < len(names):
        raise ConfigError(f"{where}: there is no action {act}: the flat list has those from 0 to {len(names) - 1}")
    return int(act)


class StandingOrders(gymnasium.Wrapper[Any, Any, Any, Any], gymnasium.utils.RecordConstructorArgs):
    """Adds an action for each order, which starts it, or ends it if it stands.

    On a day on which the learner does nothing, or starts or ends an order, the first order that stands and whose condition holds is
    carried out. What the learner does otherwise comes before. Observations have an entry ``standing_orders`` more: which stand.

    >>> import farm_gym
    >>> from farm_gym.wrappers import Order, StandingOrders
    >>> env = farm_gym.make("clay_bean", actions="discrete")
    >>> env = StandingOrders(env, [Order(act=3, when="Field-0.Soil-0.available_Water#L < 38000")])
    >>> env.action_space
    Discrete(10)

    Args:
        env: An environment with one numbered action a step and a dictionary of observations.
        orders: The orders; where several are due on a day, the first is carried out.

    Raises:
        ConfigError: Another space, or an action or a key that there is not, with the nearest one.
    """

    def __init__(self, env: gymnasium.Env[Any, Any], orders: Sequence[Order]) -> None:
        gymnasium.utils.RecordConstructorArgs.__init__(self, orders=orders)
        gymnasium.Wrapper.__init__(self, env)
        actions = check_discrete(env.action_space, "StandingOrders")
        self._orders = _Orders(farm_of(env).game, env.observation_space, orders)
        self.action_space = gymnasium.spaces.Discrete(int(actions.n) + len(self._orders))
        entry = gymnasium.spaces.MultiBinary(len(self._orders))
        self.observation_space = with_entry(env.observation_space, ENTRY, entry, "StandingOrders")
        self._stands = np.zeros((1, len(self._orders)), np.bool_)
        self._seen: dict[str, npt.NDArray[Any]] = {}

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions would be executed now; orders can always be given."""
        masks = self.env.get_wrapper_attr("action_masks")()
        return np.concatenate([masks, np.ones(len(self._orders), np.bool_)])

    def _told(self, observation: dict[str, Any], info: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        self._seen = as_batch(observation)
        if "action_mask" in info:
            mask = info["action_mask"]
            info = {**info, "action_mask": np.concatenate([mask, np.ones(len(self._orders), mask.dtype)])}
        return {**observation, ENTRY: self._stands[0].astype(np.int8)}, info

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begins an episode, in which no order stands."""
        observation, info = self.env.reset(seed=seed, options=options)
        self._stands[:] = False
        return self._told(observation, info)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Takes a step, following the orders if the learner does nothing else."""
        done = self._orders.choose(np.array([int(action)]), self._seen, self._stands)
        observation, reward, terminated, truncated, info = self.env.step(int(done[0]))
        told, info = self._told(observation, info)
        return told, float(reward), terminated, truncated, info


class VectorStandingOrders(BatchWrapper):
    """:class:`StandingOrders` of a vector environment."""

    def __init__(self, env: gymnasium.vector.VectorEnv[Any, Any, Any], orders: Sequence[Order]) -> None:
        super().__init__(env)
        actions = check_discrete(env.single_action_space, "VectorStandingOrders")
        self._orders = _Orders(self.farms.game, env.single_observation_space, orders)
        self.single_action_space = gymnasium.spaces.Discrete(int(actions.n) + len(self._orders))
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        entry = gymnasium.spaces.MultiBinary(len(self._orders))
        self.single_observation_space = with_entry(env.single_observation_space, ENTRY, entry, "VectorStandingOrders")
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self._stands = np.zeros((self.num_envs, len(self._orders)), np.bool_)
        self._seen: dict[str, npt.NDArray[Any]] = {}

    def _action(self, actions: Any) -> Any:
        return self._orders.choose(np.asarray(actions, np.int64), self._seen, self._stands)

    def _told(self, observations: Any, info: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        self._seen = {key: observations[key].copy() for key, _, _ in self._orders.conditions}
        if "action_mask" in info:
            masks = info["action_mask"]
            info = {**info, "action_mask": np.concatenate([masks, np.ones(self._stands.shape, masks.dtype)], axis=1)}
        return {**observations, ENTRY: self._stands.astype(np.int8)}, info

    def _begin(self, begun: npt.NDArray[np.bool_], observations: Any, info: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        self._stands[begun] = False
        return self._told(observations, info)

    def _after(
        self,
        begun: npt.NDArray[np.bool_],
        observations: Any,
        rewards: npt.NDArray[np.float64],
        terminations: npt.NDArray[np.bool_],
        truncations: npt.NDArray[np.bool_],
        info: dict[str, Any],
    ) -> Results:
        self._stands[begun] = False
        told, info = self._told(observations, info)
        return told, rewards, terminations, truncations, info

    def state(self) -> dict[str, Any]:
        """What :meth:`load_state` needs beside the snapshots of the environments."""
        return {"stands": self._stands.copy(), "seen": {key: values.copy() for key, values in self._seen.items()}}

    def load_state(self, state: Mapping[str, Any]) -> None:
        """Goes back to a state."""
        self._stands = state["stands"].copy()
        self._seen = {key: values.copy() for key, values in state["seen"].items()}
