"""Standing orders for a farmer on foot, which walks to plots with due orders and refills its stocks."""

from __future__ import annotations

import copy
import re
from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector.utils import batch_space

from farm_gym import _native
from farm_gym.env import FarmEnv
from farm_gym.errors import ConfigError
from farm_gym.playing import farm_of
from farm_gym.wrappers.batches import as_batch, check_discrete
from farm_gym.wrappers.standing_orders import ENTRY, Order, Orders, OrderWrapper, VectorOrderWrapper

__all__ = ["Errands", "VectorErrands", "is_on_foot"]

#: The observation key for the summary of the field's last seen state.
FIELD = "field"
#: The moves of a farmer in the order used here, with their directions: (x, y), where y points south.
_MOVES = {"MoveN": (0, -1), "MoveS": (0, 1), "MoveE": (1, 0), "MoveW": (-1, 0)}
#: The amount and its unit in an action's name.
_AMOUNT = re.compile(r"amount#(\w+)=([0-9.]+)")
#: The training seed of the episodes that test what each location refills.
_TRIAL_SEED = 2**40
#: Extra plots that a farmer walks for an order before it prefers the next order in the list.
_DETOUR = 1


def is_on_foot(space: gymnasium.Space[Any]) -> bool:
    """Whether observations show a farmer that walks and sees the plots around it."""
    keys = list(space) if isinstance(space, gymnasium.spaces.Dict) else []
    return any(".view." in key for key in keys) and any(key.endswith(".steps_today") for key in keys)


class _Walker:
    """The observations and the actions of a farmer on foot."""

    def __init__(self, game: _native.Game, space: gymnasium.Space[Any]) -> None:
        if not isinstance(space, gymnasium.spaces.Dict):
            raise ConfigError(f"the observations are not a dictionary but {space}: use Errands before a wrapper that flattens them")
        names = game.action_names()
        own = {name.partition(".")[2]: act for act, name in enumerate(names) if name.count(".") == 1}
        ends = {end: [key for key in space if key.endswith(f".{end}")] for end in ("position", "map", "steps_today")}
        missing = [move for move in (*_MOVES, "Wait") if move not in own] + [end for end, keys in ends.items() if len(keys) != 1]
        if missing:
            raise ConfigError(f"Errands needs one farmer on foot that observes its position, but {game.name} has no {', '.join(missing)}")
        self.position, self.map, self.today = (ends[end][0] for end in ("position", "map", "steps_today"))
        self.moves, self.wait, self.refill = np.array([own[move] for move in _MOVES]), own["Wait"], own.get("Refill", own["Wait"])
        #: Windows around the farmer, by key.
        self.windows = {key: inner for key, inner in space.items() if ".view." in key and isinstance(inner, gymnasium.spaces.Box)}
        if not self.windows:
            raise ConfigError(f"Errands needs a farmer that sees the plots around it, but {game.name} shows no view")
        self.half = next(iter(self.windows.values())).shape[0] // 2
        # The map has a row for each y.
        self.shape = tuple(int(side) for side in reversed(space[self.map].shape or ()))
        #: The keys of the farmer's stocks, by unit.
        self.carried = {key.partition("#")[2]: key for key in space if ".carried_" in key}
        self.filled_at = self._places(game)

    def _places(self, game: _native.Game) -> dict[str, int]:
        """Finds the kind of location on the map that refills each unit. It plays trial episodes, each of which first uses up the smallest
        amount."""
        env = FarmEnv(game, actions="discrete")
        found: dict[str, int] = {}
        names = game.action_names()
        observation, _ = env.reset(seed=_TRIAL_SEED)
        for place in sorted(set(np.unique(observation[self.map]).tolist()) - {0}):
            observation, info = env.reset(seed=_TRIAL_SEED)
            x, y = (int(at) for at in observation[self.position])
            for unit in self.carried:
                uses = [act for act, name in enumerate(names) if f"plot=({x}, {y})" in name and f"amount#{unit}=" in name]
                if uses:
                    observation, _, _, _, info = env.step(uses[0])
            before = {unit: float(observation[key]) for unit, key in self.carried.items()}
            to = np.argwhere(place == observation[self.map].T)[0]
            while (step := self.towards(observation[self.position][None].astype(np.int64), to[None])[0]) >= 0:
                at = observation[self.position].copy()
                observation, _, over, cut, _ = env.step(int(step))
                if over or cut or (at == observation[self.position]).all():
                    break
            observation, _, _, _, _ = env.step(self.refill)
            found.update({unit: place for unit, key in self.carried.items() if float(observation[key]) > before[unit]})
        return found

    def towards(self, at: npt.NDArray[np.int64], to: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """The moves from locations to targets, along the longer axis first; -1 for a farmer that has arrived."""
        way = to - at
        along_x = np.abs(way[:, 0]) >= np.abs(way[:, 1])
        moves = np.where(along_x, np.where(way[:, 0] > 0, 2, 3), np.where(way[:, 1] > 0, 1, 0))
        return np.where((way == 0).all(axis=1), -1, self.moves[moves])


class _Field:
    """The last seen states of the fields in a batch."""

    def __init__(self, walker: _Walker, num_envs: int) -> None:
        self.walker = walker
        length, width = walker.shape
        half = walker.half
        # A margin, so that windows never leave the maps.
        shape = (num_envs, length + 2 * half, width + 2 * half)
        self.maps = {key: np.zeros(shape, inner.dtype) for key, inner in walker.windows.items()}
        #: The last day on which each plot was seen, from 1; 0 for never.
        self.seen = np.zeros(shape, np.int64)
        self.day, self.before = np.ones(num_envs, np.int64), np.zeros(num_envs, np.int64)
        self.parts = [_summary(key, inner) for key, inner in walker.windows.items()]
        self.size = sum(size for _, size, _ in self.parts)
        self.at = np.zeros((num_envs, 2), np.int64)

    def state(self) -> dict[str, Any]:
        """The state for :meth:`load_state`."""
        return copy.deepcopy({name: getattr(self, name) for name in _KEPT})

    def load_state(self, state: Mapping[str, Any]) -> None:
        """Restores a state."""
        vars(self).update(copy.deepcopy(dict(state)))

    def begin(self, begun: npt.NDArray[np.bool_]) -> None:
        """Starts these episodes with no knowledge of the field."""
        for values in (*self.maps.values(), self.seen):
            values[begun] = 0
        self.day[begun], self.before[begun] = 1, 0

    def see(self, observations: Mapping[str, npt.NDArray[Any]]) -> npt.NDArray[np.bool_]:
        """Stores the observations, and returns the environments in which a day has started."""
        walker = self.walker
        today = observations[walker.today].reshape(-1).astype(np.int64)
        new_day = today < self.before
        self.day, self.before = self.day + new_day, today
        self.at = observations[walker.position].astype(np.int64)
        span = np.arange(2 * walker.half + 1)
        # North is up in windows, so rows run from north to south.
        index = (
            np.arange(len(today))[:, None, None],
            self.at[:, 0, None, None] + span[None, None, :],
            self.at[:, 1, None, None] + span[None, :, None],
        )
        for key in walker.windows:
            self.maps[key][index] = observations[key]
        self.seen[index] = self.day[:, None, None]
        return new_day

    def plots(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """A map without its margin, with a row for each environment."""
        half, (length, width) = self.walker.half, self.walker.shape
        return values[:, half : half + length, half : half + width].reshape(len(values), -1)

    def summed_up(self) -> npt.NDArray[np.float32]:
        """The share of plots in each category, and the mean and maximum of each number on a logarithmic scale from 0 to 1."""
        seen = self.plots(self.seen) > 0
        count = np.maximum(seen.sum(axis=1), 1)
        columns = []
        for key, size, scale in self.parts:
            values = self.plots(self.maps[key])
            if scale is None:
                columns += [((values == category) & seen).sum(axis=1) / count for category in range(size)]
            else:
                shares = np.where(seen, np.log1p(np.maximum(values, 0)) / np.log1p(scale), 0.0)
                columns += [shares.sum(axis=1) / count, shares.max(axis=1)]
        return np.stack(columns, axis=1).astype(np.float32)


#: The attributes of a field that change during an episode.
_KEPT = ("maps", "seen", "day", "before", "at")


def _summary(key: str, space: gymnasium.spaces.Box) -> tuple[str, int, float | None]:
    """Number of entries that summarise a window, and the maximum of its numbers; None for categories."""
    if space.dtype == np.uint8:
        return key, int(space.high.max()) + 1, None
    return key, 2, float(space.high.max())


class _Errands(Orders):
    """The orders for a farmer on foot."""

    def __init__(self, game: _native.Game, space: gymnasium.Space[Any], orders: Sequence[Order], num_envs: int) -> None:
        super().__init__(game, space, orders, num_envs, alone=True)
        self.walker = _Walker(game, space)
        self.field = _Field(self.walker, num_envs)
        plots = int(np.prod(self.walker.shape))
        names = game.action_names()
        #: The stock that an order uses: its key, the amount, and the kind of location that refills it.
        self.takes: list[tuple[str, float, int] | None] = []
        for i, acts in enumerate(self.acts):
            if len(acts) != plots:
                raise ConfigError(f"orders[{i}].act has {len(acts)} actions: an errand needs one for each of the {plots} plots")
            amount = _AMOUNT.search(names[int(acts[0])])
            key = self.walker.carried.get(amount[1]) if amount else None
            self.takes.append(
                (key, float(amount[2]), self.walker.filled_at[amount[1]]) if amount and key and amount[1] in self.walker.filled_at else None
            )
        x, y = np.divmod(np.arange(plots), self.walker.shape[1])
        self.places = np.stack([x, y], axis=1)
        self.observations: Mapping[str, npt.NDArray[Any]] = {}

    def check(self, space: gymnasium.spaces.Dict) -> None:
        """Does nothing: conditions on windows use the remembered plots."""

    def begin(self, begun: npt.NDArray[np.bool_], explore: float = 0.0) -> None:
        """Starts these episodes with no knowledge of the field."""
        super().begin(begun, explore)
        self.field.begin(begun)

    def state(self) -> dict[str, Any]:
        """The state for :meth:`load_state`."""
        return {**super().state(), "seen": copy.deepcopy(self.observations), "field": self.field.state()}

    def load_state(self, state: Mapping[str, Any]) -> None:
        """Restores a state."""
        super().load_state(state)
        self.observations = copy.deepcopy(state["seen"])
        self.field.load_state(state["field"])

    def see(self, observations: Mapping[str, npt.NDArray[Any]]) -> None:
        """Stores the observations."""
        self.rested += self.field.see(observations)[:, None, None]
        carried = [*self.walker.carried.values(), self.walker.map]
        self.observations = {key: observations[key] for key in {*self.keys, *carried} - set(self.walker.windows)}

    def carry_out(
        self, free: npt.NDArray[np.bool_], done: npt.NDArray[np.int64], _: Mapping[str, npt.NDArray[Any]]
    ) -> npt.NDArray[np.int64]:
        """Walks to the nearest plot with a due order, but first to a refill if stocks are too low. Without due orders, walks to the plot
        that it has not seen for the longest time."""
        field, walker, count = self.field, self.walker, len(done)
        away = np.abs(field.at[:, None, :] - self.places[None]).sum(axis=2)
        known = field.plots(field.seen) > 0
        least, order_of, plot_of = np.full(count, 1 << 30), np.full(count, -1), np.zeros(count, np.int64)
        rows = np.arange(count)
        for order, conditions in enumerate(self.conditions):
            waits = self.stands[:, order]
            if not waits.any():
                continue
            due = known & (self.rested[:, order, :] >= self.every[order]) & waits[:, None]
            for key, compare, number in conditions:
                values = field.plots(field.maps[key]) if key in walker.windows else self.observations[key].reshape(count, -1)
                due &= compare(values, number)
            costs = np.where(due, away + order * _DETOUR, 1 << 30)
            plot = costs.argmin(axis=1)
            better = costs[rows, plot] < least
            least, order_of, plot_of = (
                np.where(better, costs[rows, plot], least),
                np.where(better, order, order_of),
                np.where(better, plot, plot_of),
            )
        seen = field.plots(field.seen)
        oldest = (seen * (1 << 10) + away).argmin(axis=1)
        idle = order_of < 0
        to = self.places[np.where(idle, oldest, plot_of)]
        act = np.full(count, walker.wait)
        for order in np.unique(order_of[~idle]):
            mine = order_of == order
            act[mine] = self.acts[order][plot_of[mine]]
            takes = self.takes[order]
            if takes is not None:
                key, amount, place = takes
                lacks = mine & (self.observations[key].reshape(count) < amount)
                for row in np.flatnonzero(lacks):
                    spots = np.argwhere(place == self.observations[walker.map][row].T)
                    to[row] = spots[np.abs(spots - field.at[row]).sum(axis=1).argmin()]
                act[lacks] = walker.refill
        moves = walker.towards(field.at, to)
        # A farmer that has seen all plots today and has no due order waits.
        rests = idle & (seen[rows, oldest] >= field.day)
        chosen = np.where(rests, walker.wait, np.where(moves >= 0, moves, act))
        acts_now = ~idle & (chosen == act) & (act != walker.refill)
        self.rested[rows[acts_now], order_of[acts_now], plot_of[acts_now]] = 0
        return np.where(free, chosen, done)


def _space(space: gymnasium.Space[Any], orders: _Errands) -> gymnasium.spaces.Dict:
    """The observation space without windows and map, but with the field summary and the active orders."""
    assert isinstance(space, gymnasium.spaces.Dict)
    entries = [(key, inner) for key, inner in space.items() if key not in orders.walker.windows and key != orders.walker.map]
    entries.append((FIELD, gymnasium.spaces.Box(0.0, 1.0, (orders.field.size,), np.float32)))
    entries.append((ENTRY, gymnasium.spaces.MultiBinary(len(orders))))
    return gymnasium.spaces.Dict(entries)


def _told(space: gymnasium.Space[Any], orders: _Errands, observations: Mapping[str, npt.NDArray[Any]]) -> dict[str, Any]:
    """Converts a batch of observations to that space."""
    orders.see(observations)
    assert isinstance(space, gymnasium.spaces.Dict)
    told = {key: observations[key] for key in space if key in observations}
    return {**told, FIELD: orders.field.summed_up(), ENTRY: orders.stands.astype(np.int8)}


class Errands(OrderWrapper):
    """:class:`StandingOrders` for farmers on foot: the learner only gives orders, and the farmer walks.

    In each step, the farmer walks towards the nearest plot with a due order, judged by the plot's last seen state, or acts there. If the
    farmer carries too little, it first walks to a refill. Without due orders, it visits the plots that it has not seen today, then waits.
    Each position down the list of orders counts as one extra plot of distance. ``Order.every`` counts days.

    The observation has no windows and no map. ``field`` summarises the last seen state of all plots: the share of plots in each category,
    and the mean and maximum of each number on a logarithmic scale.

    Args:
        env: An environment with one numbered action per step. Its only farmer walks, and sees a window, its position and a map.
        orders: The orders, with an action for each plot; :func:`farm_orders` makes some.

    Raises:
        ConfigError: The game does not fit, or an action or a key is unknown.
    """

    _orders: _Errands

    def __init__(self, env: gymnasium.Env[Any, Any], orders: Sequence[Order]) -> None:
        super().__init__(env, orders=orders)
        actions = check_discrete(env.action_space, "Errands")
        self._orders = _Errands(farm_of(env).game, env.observation_space, orders, 1)
        self.action_space = gymnasium.spaces.Discrete(int(actions.n) + self._orders.additional)
        self.observation_space = _space(env.observation_space, self._orders)

    def _told(self, observation: dict[str, Any]) -> dict[str, Any]:
        told = _told(self.observation_space, self._orders, as_batch(observation))
        return {key: observation[key] if key in observation else values[0] for key, values in told.items()}


class VectorErrands(VectorOrderWrapper):
    """:class:`Errands` for a vector environment.

    Args:
        env, orders: The same as for :class:`Errands`.
        explore: The same as for :class:`VectorStandingOrders`.
    """

    _orders: _Errands

    def __init__(self, env: gymnasium.vector.VectorEnv[Any, Any, Any], orders: Sequence[Order], explore: float = 0.0) -> None:
        super().__init__(env, explore)
        actions = check_discrete(env.single_action_space, "VectorErrands")
        self._orders = _Errands(self.farms.game, env.single_observation_space, orders, self.num_envs)
        self.single_action_space = gymnasium.spaces.Discrete(int(actions.n) + self._orders.additional)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.single_observation_space = _space(env.single_observation_space, self._orders)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)

    @property
    def field(self) -> dict[str, npt.NDArray[Any]]:
        """The last seen state of each plot: for each window, an array of shape ``(num_envs, plots)``, with 0 for plots that have not been
        seen."""
        return {key: self._orders.field.plots(values) for key, values in self._orders.field.maps.items()}

    def _told(self, observations: Any) -> Any:
        return _told(self.single_observation_space, self._orders, observations)
