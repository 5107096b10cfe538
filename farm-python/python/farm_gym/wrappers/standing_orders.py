"""Orders that stay active for many days, such as "water when below x"."""

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
from farm_gym.playing import farm_of
from farm_gym.wrappers.batches import BatchWrapper, Results, as_batch, check_discrete, with_entry
from farm_gym.wrappers.names import check_key, nearest
from farm_gym.wrappers.singles import SingleWrapper

__all__ = ["Order", "StandingOrders", "VectorStandingOrders"]

#: The key of the observation with the active orders.
ENTRY = "standing_orders"
#: A number of steps larger than any order's `every`.
_LONG = 1 << 40

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
    """An action that the wrapper takes whenever certain conditions hold.

    Attributes:
        act: An action in the flat list: its id, or its name from ``env.action_names``. Or a list of actions, one for each plot in the
            observation's order: the first plot on which the conditions hold gets its action.
        when: ``"KEY OPERATOR NUMBER"``, or several such conditions joined by `` and ``. The key is an observation key, and the operator is
            one of ``< <= > >= == !=``. Write a category as its number in the observation. If an entry has several values, such as one for
            each plot, all conditions must hold for the same one.
        every: Minimum number of steps between two uses on the same plot.
        stands: Whether the order is active from the start of an episode.
        group: Name of a group. Only one order in a group is active at a time, and starting another one ends it. None means that the order
            forms its own group.
    """

    act: int | str | Sequence[int | str]
    when: str
    every: int = 1
    stands: bool = False
    group: str | None = None


#: Key, operator and number.
_Condition = tuple[str, Callable[[Any, Any], Any], float]


class Orders:
    """A game's orders, compiled for batches of observations."""

    def __init__(self, game: _native.Game, space: gymnasium.Space[Any], orders: Sequence[Order], num_envs: int, alone: bool) -> None:
        if not orders:
            raise ConfigError("orders is empty: give at least one `farm_gym.wrappers.Order`")
        if not isinstance(space, gymnasium.spaces.Dict):
            raise ConfigError(f"the observations are not a dictionary but {space}: use StandingOrders before a wrapper that flattens them")
        names = game.action_names()
        self.idle, self.ordinary, self.alone = game.idle, len(names), alone
        self.conditions = [_conditions(space, order.when, f"orders[{i}].when") for i, order in enumerate(orders)]
        self.acts = [_acts(names, order.act, f"orders[{i}].act") for i, order in enumerate(orders)]
        self.every = np.array([order.every for order in orders], np.int64)
        for i, order in enumerate(orders):
            if order.every < 1:
                raise ConfigError(f"orders[{i}].every is {order.every}: give at least 1")
        self.check(space)
        keys = [f"orders[{i}]" if order.group is None else order.group for i, order in enumerate(orders)]
        names_of_groups = list(dict.fromkeys(keys))
        #: The group number of each order.
        self.group = np.array([names_of_groups.index(key) for key in keys], np.int64)
        self.members = [np.flatnonzero(self.group == group) for group in range(len(names_of_groups))]
        #: Number of actions in addition to the flat list: one to start each order, and one to end each group.
        self.additional = len(orders) + len(names_of_groups)
        self.at_first = np.array([order.stands for order in orders], np.bool_)
        self.stands = np.tile(self.at_first, (num_envs, 1))
        #: The random generator for the initial orders of exploring episodes.
        self.random = np.random.default_rng(0)
        #: Steps since each action of an order was last executed; large at the start.
        self.rested = np.full((num_envs, len(orders), max(len(acts) for acts in self.acts)), _LONG, np.int64)

    def check(self, space: gymnasium.spaces.Dict) -> None:
        """Checks that actions and conditions fit.

        Raises:
            ConfigError: The number of actions in an order does not fit one of its conditions.
        """
        for i, (conditions, acts) in enumerate(zip(self.conditions, self.acts, strict=True)):
            for key, _, _ in conditions:
                size = int(np.prod(space[key].shape or (1,)))
                if len(acts) > 1 and size not in (1, len(acts)):
                    raise ConfigError(f"orders[{i}].act has {len(acts)} actions, but {key} has {size} values: give one for each")

    def __len__(self) -> int:
        return len(self.acts)

    @property
    def keys(self) -> list[str]:
        """The entries used in conditions."""
        return list(dict.fromkeys(key for conditions in self.conditions for key, _, _ in conditions))

    def masks(self, masks: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Marks the actions that would be executed now, with shape (environments, actions): active orders can be ended, and others
        started."""
        if self.alone:
            masks = masks * (np.arange(self.ordinary) == self.idle).astype(masks.dtype)
        ends = np.stack([self.stands[:, members].any(axis=1) for members in self.members], axis=1)
        return np.concatenate([masks, ~self.stands, ends], axis=1, dtype=masks.dtype)

    def begin(self, begun: npt.NDArray[np.bool_], explore: float = 0.0) -> None:
        """Starts these episodes with the initial orders; with `explore`, half of the episodes start some groups at random."""
        self.stands[begun] = self.at_first
        self.rested[begun] = _LONG
        if explore > 0.0:
            for row in np.flatnonzero(begun):
                for members in self.members if self.random.random() < 0.5 else []:
                    if self.random.random() < explore:
                        # Any order in the group, or none.
                        chosen = int(self.random.integers(len(members) + 1))
                        self.stands[row, members] = np.arange(len(members)) == chosen

    def choose(self, actions: npt.NDArray[np.int64], observations: Mapping[str, npt.NDArray[Any]]) -> npt.NDArray[np.int64]:
        """Starts or ends the chosen orders, and returns today's actions."""
        orders = actions - self.ordinary
        for row in np.flatnonzero(orders >= 0):
            order = int(orders[row])
            starts = order < len(self)
            self.stands[row, self.members[self.group[order] if starts else order - len(self)]] = False
            if starts:
                self.stands[row, order] = True
        free = (orders >= 0) | (actions == self.idle) | self.alone
        return self.carry_out(free, np.where(free, self.idle, actions), observations)

    def carry_out(
        self, free: npt.NDArray[np.bool_], done: npt.NDArray[np.int64], observations: Mapping[str, npt.NDArray[Any]]
    ) -> npt.NDArray[np.int64]:
        """Today's actions: the learner's action in `done`, or, for environments in `free`, the first due order."""
        self.rested += 1
        for order, (conditions, acts) in enumerate(zip(self.conditions, self.acts, strict=True)):
            waits = free & self.stands[:, order]
            if not waits.any():
                continue
            holds: npt.NDArray[np.bool_] = np.ones((len(done), 1), np.bool_)
            for key, compare, number in conditions:
                holds = holds & compare(observations[key], number).reshape(len(done), -1)
            if len(acts) == 1:
                holds = np.any(holds, axis=1, keepdims=True)
            holds = holds & (self.rested[:, order, : len(acts)] >= self.every[order])
            due = np.flatnonzero(waits & holds.any(axis=1))
            plots = holds[due].argmax(axis=1)
            done[due], free[due] = acts[plots], False
            self.rested[due, order, plots] = 0
        return done

    def state(self) -> dict[str, Any]:
        """The state for :meth:`load_state`."""
        return {"stands": self.stands.copy(), "rested": self.rested.copy(), "random": self.random.bit_generator.state}

    def load_state(self, state: Mapping[str, Any]) -> None:
        """Restores a state."""
        self.stands, self.rested = state["stands"].copy(), state["rested"].copy()
        self.random.bit_generator.state = state["random"]


def _conditions(space: gymnasium.spaces.Dict, text: str, where: str) -> list[_Condition]:
    return [_condition(space, one, where) for one in text.split(" and ")]


def _condition(space: gymnasium.spaces.Dict, text: str, where: str) -> _Condition:
    words = text.split()
    if len(words) != 3 or words[1] not in _OPERATORS:
        raise ConfigError(f"{where}: {text!r} is not a condition: write KEY OPERATOR NUMBER, with one of {' '.join(_OPERATORS)}")
    try:
        number = float(words[2])
    except ValueError:
        raise ConfigError(f"{where}: {words[2]!r} is not a number; write a category as its number in the observation") from None
    return check_key(space, words[0], where), _OPERATORS[words[1]], number


def _acts(names: Sequence[str], acts: int | str | Sequence[int | str], where: str) -> npt.NDArray[np.int64]:
    given = [acts] if isinstance(acts, (int, str)) else acts
    if not given:
        raise ConfigError(f"{where}: the list is empty: give an action for each plot")
    return np.array([_act(names, act, where) for act in given], np.int64)


def _act(names: Sequence[str], act: int | str, where: str) -> int:
    if isinstance(act, str):
        if act not in names:
            raise ConfigError(f"{where}: there is no action {act!r}: {nearest(act, names)}")
        return names.index(act)
    if not 0 <= act < len(names):
        raise ConfigError(f"{where}: there is no action {act}: the flat list has the ids 0 to {len(names) - 1}")
    return int(act)


def check_explore(explore: float) -> float:
    """Returns the value, if it is a probability.

    Raises:
        ConfigError: The value is not a probability.
    """
    if not 0.0 <= explore <= 1.0:
        raise ConfigError(f"explore is {explore}: expected a probability from 0 to 1")
    return explore


class OrderWrapper(SingleWrapper):
    """The common base class of wrappers in which a learner gives orders. A subclass sets ``_orders``, and adds them to observations."""

    _orders: Orders
    _seen: dict[str, npt.NDArray[Any]] = {}

    def _told(self, observation: dict[str, Any]) -> dict[str, Any]:
        """The observation for the learner."""
        raise NotImplementedError

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Marks the actions that would be executed now: active orders can be ended, and others started."""
        masks: npt.NDArray[np.bool_] = self._orders.masks(super().action_masks()[None])[0]
        return masks

    def _with_mask(self, info: dict[str, Any]) -> dict[str, Any]:
        return {**info, "action_mask": self._orders.masks(info["action_mask"][None])[0]} if "action_mask" in info else info

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Starts an episode with the initial orders."""
        observation, info = self.env.reset(seed=seed, options=options)
        self._orders.begin(np.ones(1, np.bool_))
        return self._told(observation), self._with_mask(info)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Takes a step; the orders apply if the learner does nothing else."""
        done = self._orders.choose(np.array([int(action)]), self._seen)
        observation, reward, terminated, truncated, info = self.env.step(int(done[0]))
        return self._told(observation), float(reward), terminated, truncated, self._with_mask(info)


class StandingOrders(OrderWrapper):
    """Adds one action for each order, which starts it, and one action for each group, which ends the group's active order.

    On a day when the learner does nothing, or starts or ends an order, the first active order whose conditions hold is executed. The
    learner's other actions take precedence over orders. Observations have an additional entry ``standing_orders``, which marks the active
    orders.

    >>> import farm_gym
    >>> from farm_gym.wrappers import Order, StandingOrders
    >>> env = farm_gym.make("clay_bean", actions="discrete")
    >>> env = StandingOrders(env, [Order(act=3, when="Field-0.Soil-0.available_Water#L < 38000")])
    >>> env.action_space
    Discrete(11)

    Args:
        env: An environment with one numbered action per step and a dictionary of observations.
        orders: The orders; if several are due on a day, the first is executed.
        alone: Whether the learner only gives orders. All other actions are then masked, and do nothing.

    Raises:
        ConfigError: A space is not supported, or an action or key is unknown; the message suggests the nearest one.
    """

    def __init__(self, env: gymnasium.Env[Any, Any], orders: Sequence[Order], alone: bool = False) -> None:
        super().__init__(env, orders=orders, alone=alone)
        actions = check_discrete(env.action_space, "StandingOrders")
        self._orders = Orders(farm_of(env).game, env.observation_space, orders, 1, alone)
        self.action_space = gymnasium.spaces.Discrete(int(actions.n) + self._orders.additional)
        entry = gymnasium.spaces.MultiBinary(len(self._orders))
        self.observation_space = with_entry(env.observation_space, ENTRY, entry, "StandingOrders")

    def _told(self, observation: dict[str, Any]) -> dict[str, Any]:
        self._seen = as_batch(observation)
        return {**observation, ENTRY: self._orders.stands[0].astype(np.int8)}


class VectorOrderWrapper(BatchWrapper):
    """:class:`OrderWrapper` for a vector environment."""

    _orders: Orders
    _seen: dict[str, npt.NDArray[Any]] = {}

    def __init__(self, env: gymnasium.vector.VectorEnv[Any, Any, Any], explore: float) -> None:
        super().__init__(env)
        self._explore = check_explore(explore)

    def _told(self, observations: Any) -> Any:
        """The observations for the learner."""
        raise NotImplementedError

    def _action(self, actions: Any) -> Any:
        return self._orders.choose(np.asarray(actions, np.int64), self._seen)

    def _begin(self, begun: npt.NDArray[np.bool_], observations: Any, info: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        self._orders.begin(begun, self._explore)
        told = self._told(observations)
        return told, {**info, "action_mask": self._orders.masks(info["action_mask"])} if "action_mask" in info else info

    def _after(self, begun: npt.NDArray[np.bool_], results: Results) -> Results:
        observations, rewards, terminations, truncations, info = results
        told, info = self._begin(begun, observations, info)
        return told, rewards, terminations, truncations, info

    def state(self) -> dict[str, Any]:
        """The state for :meth:`load_state`, without the environments' snapshots."""
        return self._orders.state()

    def load_state(self, state: Mapping[str, Any]) -> None:
        """Restores a state."""
        self._orders.load_state(state)


class VectorStandingOrders(VectorOrderWrapper):
    """:class:`StandingOrders` for a vector environment.

    Args:
        env, orders, alone: The same as for :class:`StandingOrders`.
        explore: A probability, for training. In half of the episodes, each group has this probability of a random start: with one of its
            orders, or with none. The learner then sees combinations of orders that it would seldom start in one season. Its policy must
            still start orders itself.

    Raises:
        ConfigError: The same as for :class:`StandingOrders`; or the probability is invalid.
    """

    def __init__(
        self, env: gymnasium.vector.VectorEnv[Any, Any, Any], orders: Sequence[Order], alone: bool = False, explore: float = 0.0
    ) -> None:
        super().__init__(env, explore)
        actions = check_discrete(env.single_action_space, "VectorStandingOrders")
        self._orders = Orders(self.farms.game, env.single_observation_space, orders, self.num_envs, alone)
        self.single_action_space = gymnasium.spaces.Discrete(int(actions.n) + self._orders.additional)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        entry = gymnasium.spaces.MultiBinary(len(self._orders))
        self.single_observation_space = with_entry(env.single_observation_space, ENTRY, entry, "VectorStandingOrders")
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)

    def _told(self, observations: Any) -> Any:
        self._seen = {key: observations[key].copy() for key in self._orders.keys}
        return {**observations, ENTRY: self._orders.stands.astype(np.int8)}

    def state(self) -> dict[str, Any]:
        """The state for :meth:`load_state`, without the environments' snapshots."""
        return {**super().state(), "seen": {key: values.copy() for key, values in self._seen.items()}}

    def load_state(self, state: Mapping[str, Any]) -> None:
        """Restores a state."""
        super().load_state(state)
        self._seen = {key: values.copy() for key, values in state["seen"].items()}
