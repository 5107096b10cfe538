"""Standing orders for any farm, derived from the game's observations and actions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode

from farm_gym import _native
from farm_gym.env import FarmEnv
from farm_gym.errors import ConfigError
from farm_gym.vector import FarmVectorEnv
from farm_gym.wrappers.errands import VectorErrands, is_on_foot
from farm_gym.wrappers.flat_list import PlotActions, actions_by_plot
from farm_gym.wrappers.standing_orders import Order, StandingOrders

__all__ = ["farm_orders"]

#: The numbers of plant stages in observations: none, seed, grow, (bloom,) fruit, ripe.
_NONE, _SEED, _GROW, _FRUIT, _RIPE = 0, 1, 2, 4, 5
#: The first training seed and the number of the episodes that determine the levels.
_FIRST_SEED, _EPISODES = 2**40, 6
#: Probability that a plot is watered in a step of these episodes.
_WATERS = 0.03
#: Number of steps that a farmer on foot takes between two samples of the numbers.
_LOOK_EVERY = 24


@dataclass(frozen=True)
class _Rule:
    """A rule that makes orders from actions."""

    #: The names of the actions.
    actions: tuple[str, ...]
    #: How the key in the condition ends, and the operator.
    key: str = ""
    operator: str = ""
    #: The lowest and the highest level, as quantiles of the observed positive numbers, and the number of equally spaced levels.
    quantiles: tuple[float, float] = (0.0, 0.0)
    levels: int = 0
    #: A fixed number instead of levels.
    number: int | None = None
    #: The first and last stage of plants in which the order is useful.
    stages: tuple[int, int] | None = None
    #: Whether the number must belong to the part that acts.
    own: bool = False
    every: int = 1
    #: Whether the order is active from the start, with the largest amount.
    stands: bool = False
    #: Whether the order waits for a date, if there are dates.
    dated: bool = False


_RULES = (
    _Rule(("harvest", "micro_harvest"), "stage", "==", number=_RIPE, own=True, stands=True),
    _Rule(("sow",), "stage", "==", number=_NONE, own=True, stands=True, dated=True),
    _Rule(("put_scarecrow",), "scarecrow", "==", number=0, own=True),
    _Rule(("water_discrete", "water_continuous"), "available_Water#L", "<", (0.1, 0.6), 4, stages=(_SEED, _FRUIT), own=True),
    _Rule(("remove",), "grow#nb", ">=", (0.2, 0.7), 3, stages=(_SEED, _FRUIT), own=True, every=28),
    _Rule(("scatter_cide",), "grow#nb", ">=", (0.2, 0.5), 2, stages=(_GROW, _GROW), every=28),
    _Rule(("scatter_cide",), "plot_population#nb", ">=", (0.5, 0.9), 2, stages=(_GROW, _FRUIT), every=7),
    # Fertilises once.
    _Rule(("scatter_fertilizer",), stages=(_GROW, _GROW), every=1_000),
)


#: An order that harvests unripe fruits late in the season; used only with sowing dates.
_UNRIPE = _Rule(("harvest", "micro_harvest"), "stage", "==", number=_FRUIT, own=True)


def farm_orders(game: _native.Game, dates: int = 0) -> list[Order]:
    """Useful orders for a farm: sow empty plots, harvest ripe plants, and water, weed, spray and fertilise growing plants.

    There is one order for each combination of a suitable action and a level; each action has only the larger half of its amounts. Soil
    water is below its levels on 10 to 60 % of the days; the levels for weeds and insects are also quantiles. The quantiles come from six
    seasons with training seeds. In these seasons, all orders without a level are active, and plots are watered at random from time to time.
    The quantiles are therefore always the same for a game. The orders for sowing and harvesting are active from the start.

    Args:
        game: A farm game whose observations are free, such as ``farm_gym.make("full_farm").game``.
        dates: Number of sowing dates to choose from, equally spaced from the first day to the middle of the season, for games in which the
            date matters. With dates, there is also an order that harvests unripe fruits. With 0, plots are sown whenever they are empty.

    Raises:
        ConfigError: The game lacks the observations and actions for any order.
    """
    if dates < 0:
        raise ConfigError(f"dates is {dates}: give the number of sowing dates to choose from, or 0")
    env = FarmEnv(game, actions="discrete")
    space = env.observation_space
    assert isinstance(space, gymnasium.spaces.Dict)
    acts = _larger_half(actions_by_plot(game))
    without_level = _orders(space, acts, {}, [""])
    seen = _seen_on_foot(game, without_level) if is_on_foot(space) else _seen(env, space, without_level, acts)
    orders = _orders(space, acts, seen, _dates(env, space, dates) if dates else [""])
    if not orders:
        raise ConfigError(f"{game.name} has no actions for standing orders, such as watering or harvesting: leave standing_orders out")
    return orders


def _dates(env: FarmEnv, space: gymnasium.spaces.Dict, count: int) -> list[str]:
    """Conditions on the date, in ascending order."""
    keys = _keys(space, "", "day#int365")
    days, over = [], False
    observation, _ = env.reset(seed=_FIRST_SEED)
    while keys and not over:
        days.append(int(observation[keys[0]]))
        observation, _, terminated, truncated, _ = env.step(env.game.idle)
        over = terminated or truncated
    chosen = [days[len(days) * i // (2 * count)] for i in range(count)] if days else []
    # Day numbers restart at 0 at the turn of the year, so the condition would already hold on the first day.
    return [f"{keys[0]} >= {day}" for day in chosen if day >= days[0]] or [""]


def _orders(space: gymnasium.spaces.Dict, acts: PlotActions, seen: Mapping[str, npt.NDArray[Any]], dates: list[str]) -> list[Order]:
    """The orders from all rules whose numbers were observed."""
    rules = (*_RULES, _UNRIPE) if len(dates) > 1 else _RULES
    orders: dict[tuple[str, str, str], list[Order]] = {}
    for (field, part, action, _), by_plot in acts.items():
        ids = list(by_plot.values())
        kind = f"{action}_{part.split('-')[0].lower()}" if action == "scatter" else action
        for rule in rules:
            if kind not in rule.actions:
                continue
            for condition in _conditions(space, seen, field, part, rule):
                for stage in _stages(space, field, rule):
                    for number, date in enumerate(dates if rule.dated else [""]):
                        when = " and ".join(text for text in (condition, stage, date) if text)
                        group = f"{field}.{part}.{action}, {'unripe' if rule is _UNRIPE else rule.key}"
                        act = ids if len(ids) > 1 else ids[0]
                        order = Order(act, when, rule.every, rule.stands and number == 0, group)
                        orders.setdefault((field, part, action), []).append(order)
    # If there are several amounts, the last and largest one is active.
    last = {id(group[-1]) for group in ([order for order in group if order.stands] for group in orders.values()) if group}
    return [replace(order, stands=id(order) in last) for group in orders.values() for order in group]


def _larger_half(acts: PlotActions) -> PlotActions:
    """The larger half of each action's amounts, which are in ascending order; small amounts take too much labour."""
    kinds: dict[tuple[str, str, str], list[tuple[str, str, str, str]]] = {}
    for one in acts:
        kinds.setdefault(one[:3], []).append(one)
    return {one: acts[one] for kind in kinds.values() for one in kind[len(kind) // 2 :]}


def _keys(space: gymnasium.spaces.Dict, prefix: str, ending: str) -> list[str]:
    whole = [key for key in space if key.startswith(prefix) and key.endswith("." + ending)]
    # If several entities have such a number, a farmer on foot has keys that end in the entity's name.
    return whole or [
        key
        for key in space
        if key.endswith(f".view.{ending}") or (f".view.{ending}." in key and key.endswith(prefix.rstrip(".").rpartition(".")[2]))
    ]


def _stages(space: gymnasium.spaces.Dict, field: str, rule: _Rule) -> list[str]:
    """The stage condition for each kind of plant in the field, or an empty condition if the rule has no stages."""
    if rule.stages is None:
        return [""]
    low, high = rule.stages
    keys = _keys(space, f"{field}.", "stage")
    if low == high:
        return [f"{key} == {low}" for key in keys]
    return [f"{key} >= {low} and {key} <= {high}" for key in keys]


def _conditions(space: gymnasium.spaces.Dict, seen: Mapping[str, npt.NDArray[Any]], field: str, part: str, rule: _Rule) -> list[str]:
    """The conditions on numerical values."""
    if not rule.key:
        return [""]
    keys = _keys(space, f"{field}.{part}." if rule.own else f"{field}.", rule.key)
    if rule.number is not None:
        return [f"{key} {rule.operator} {rule.number}" for key in keys]
    found = []
    for key in keys:
        some = seen[key][seen[key] > 0] if key in seen else np.zeros(0)
        if len(some):
            low, high = (float(np.quantile(some, at)) for at in rule.quantiles)
            levels = np.linspace(low, high, rule.levels)
            found += [f"{key} {rule.operator} {text}" for text in dict.fromkeys(f"{level:.3g}" for level in levels)]
    return found


def _seen_on_foot(game: _native.Game, orders: list[Order]) -> dict[str, npt.NDArray[Any]]:
    """The numbers on each plot as last seen by a farmer on foot, on each day of several seasons."""
    if not orders:
        return {}
    envs = FarmVectorEnv(game, _EPISODES, actions="discrete", num_threads=1, autoreset_mode=AutoresetMode.NEXT_STEP)
    playing = VectorErrands(envs, [replace(order, stands=True) for order in orders])
    playing.reset(seed=list(range(_FIRST_SEED, _FIRST_SEED + _EPISODES)))
    rows, over, steps = [], np.zeros(_EPISODES, np.bool_), 0
    while not over.all():
        _, _, terminated, truncated, _ = playing.step(np.full(_EPISODES, game.idle))
        over, steps = over | terminated | truncated, steps + 1
        if steps % _LOOK_EVERY == 0:
            rows.append({key: values[~over].ravel() for key, values in playing.field.items()})
    return {key: np.concatenate([row[key] for row in rows]) for key in rows[0]} if rows else {}


def _seen(env: FarmEnv, space: gymnasium.spaces.Dict, orders: list[Order], acts: PlotActions) -> dict[str, npt.NDArray[Any]]:
    """The numbers in each entry on every day of several seasons."""
    random = np.random.default_rng(0)
    waterings = [act for (_, _, action, _), ids in acts.items() if action.startswith("water") for act in ids.values()]
    playing = StandingOrders(env, orders) if orders else env
    first_order = len(env.game.action_names())
    rows: list[dict[str, Any]] = []
    for seed in range(_FIRST_SEED, _FIRST_SEED + _EPISODES):
        observation, _ = playing.reset(seed=seed)
        start, over = [first_order + i for i, order in enumerate(orders) if not order.stands], False
        while not over:
            rows.append(observation)
            if start:
                act = start.pop()
            elif waterings and random.random() < _WATERS:
                act = int(random.choice(waterings))
            else:
                act = env.game.idle
            observation, _, terminated, truncated, _ = playing.step(act)
            over = terminated or truncated
    return {key: np.concatenate([np.ravel(row[key]) for row in rows]) for key in space.spaces}
