"""Parts of a game written in Python: entities, farmers, rules, scores and policies.

A part is a class. Its ``declare`` says, once, what the part has (variables, actions, events) and what it looks up of others (by
role, never by type); its other methods are called while the game is played, with a :class:`Context` that holds NumPy arrays of all
this. A game uses the class by its import path, with whatever its constructor takes::

    entities:
      - Weather: montpellier
      - python: mypkg.slugs:Slugs
      - python: {class: mypkg.slugs:Slugs, appetite: 0.5}

The folder of the YAML file is importable while the game is opened, so that ``python: slugs:Slugs`` finds ``slugs.py`` beside it. From
Python the class itself will do: ``farm_gym.make("clay_bean", set={"score": {"python": MyScore}})``.

In the game a part has the name of its class, counted from 0: the first ``Slugs`` of a field is ``Slugs-0``.

A part has no memory. One object plays in all environments of a game, in several threads by turns; what changes in an episode
belongs into declared variables, which :meth:`farm_gym.FarmEnv.snapshot` keeps. Attributes can therefore be set only in
``__init__``. Randomness comes from :meth:`Context.random` alone. Then equal seeds give equal episodes, in any number of environments and
threads. (A :class:`Policy` is the exception: each player has an object of its own, which may remember.)

Python is slow, and one thread at a time runs it: a vector environment of a game with such parts says so by a
:class:`farm_gym.SlowPartWarning`.

What a method raises comes out of ``reset`` or ``step`` as it is, with its traceback. The episode it happened in is over; ``reset`` begins
the next one.
"""

from __future__ import annotations

import contextlib
import importlib
import math
import os
import sys
import traceback
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from farm_gym import _native

__all__ = [
    "Attempt",
    "Builder",
    "Context",
    "Entity",
    "Farmer",
    "FieldInfo",
    "GameInfo",
    "PartInfo",
    "Policy",
    "Rule",
    "Score",
    "Stream",
    "VariableInfo",
]

#: What a part sees and writes while it plays.
Context = _native.Context
#: Random numbers for one purpose.
Stream = _native.Stream

#: The phases of a day, in order.
PHASES = ("exogenous", "release", "demand", "exchange", "spread", "visit", "develop", "account")

#: The most parameters an action can have.
MOST_PARAMETERS = 4
#: The most values of a category.
MOST_LABELS = 256


@dataclass(frozen=True)
class FieldInfo:
    """The form and place of a field. A plot is ``(x, y)`` with ``x < length`` (to the east) and ``y < width`` (to the south)."""

    name: str
    length: int
    width: int
    scale_m: float
    latitude_degrees: float
    longitude_degrees: float
    altitude_m: float


@dataclass(frozen=True)
class VariableInfo:
    """A variable of a part: ``name#unit``, what it is, its shape (empty for one value) and the roles it fills."""

    name: str
    doc: str
    shape: tuple[int, ...]
    roles: tuple[str, ...]
    visible: bool


@dataclass(frozen=True)
class PartInfo:
    """What a part of the game has. ``field`` is None for farmers and the score."""

    name: str
    path: str
    field: str | None
    variables: tuple[VariableInfo, ...]
    observables: tuple[str, ...]
    actions: tuple[str, ...]
    events: tuple[str, ...]


@dataclass(frozen=True)
class GameInfo:
    """A game, for rules and policies. ``actions`` is the flat list in words, which is not known yet when a rule is built."""

    fields: tuple[FieldInfo, ...]
    parts: tuple[PartInfo, ...]
    name: str = ""
    actions: tuple[str, ...] = ()
    max_schedule: int = 0


@dataclass(frozen=True)
class Attempt:
    """What a farmer is asked to do.

    ``kind`` is ``"observation"`` or ``"intervention"``, ``part`` the path of the part concerned (``"Field-0.Soil-0"``), ``action`` the name of the
    intervention (None for an observation), ``arguments`` its arguments by name.
    """

    kind: str
    part: str
    action: str | None
    arguments: dict[str, Any] = field(default_factory=dict)


class Builder:
    """Through which a part declares what it has, in its ``declare``.

    ``declare`` is called several times, until all parts of the game agree; it must depend on nothing but the part's own parameters and on
    what the builder says. The attributes tell where the part stands:

    ============ =====================================================================================================
    ``name``     its name in the game, such as ``Slugs-0``
    ``field``    its field; the first one for farmers and the score
    ``fields``   all fields
    ``parts``    what the parts of the game declare, as far as it is known
    ``complete`` whether all of it is known
    ============ =====================================================================================================
    """

    def __init__(self, facts: Mapping[str, Any]) -> None:
        self.name: str = facts["name"]
        self.fields = tuple(FieldInfo(**one) for one in facts["fields"])
        self.field = self.fields[facts["field"]]
        self.parts = tuple(_part(one) for one in facts["parts"])
        self.complete: bool = facts["complete"]
        self._seen: list[bool] = facts["seen"]
        self._variables: list[dict[str, Any]] = []
        self._reads: list[dict[str, Any]] = []
        self._actions: list[dict[str, Any]] = []
        self._events: list[dict[str, Any]] = []
        self._constraints: list[dict[str, Any]] = []
        self._phases: list[str] = []

    def real(
        self,
        name: str,
        low: float,
        high: float,
        doc: str,
        *,
        default: float = 0.0,
        per_plot: bool = False,
        shape: Sequence[int] = (),
        hidden: bool = False,
        computed: bool = False,
        role: str | Iterable[str] = (),
    ) -> None:
        """Declares a variable of real numbers (``float64``).

        Args:
            name: ``name#unit``, under which the context has its array.
            low, high: The range. To leave it is an error.
            doc: What it is, a sentence.
            default: The value at reset, before the part's own ``reset``.
            per_plot: One value per plot: an array of shape ``(length, width)``.
            shape: Another shape; ``()`` is one value, an array without axes.
            hidden: Not to be observed by the learner.
            computed: Not kept: ``observe`` computes it when a learner sees it. Such a variable has neither a default nor roles.
            role: What it means to others, one name or several: those of ``farm list roles``, or names of your own.
        """
        if not (math.isfinite(low) and math.isfinite(high) and low <= high):
            raise ValueError(f"`{name}` goes from {low} to {high}: two finite numbers with low ≤ high are needed")
        kind = {"type": "real", "low": float(low), "high": float(high)}
        self._variable(name, kind, doc, default, per_plot, shape, hidden, computed, role)

    def count(
        self,
        name: str,
        low: int,
        high: int,
        doc: str,
        *,
        default: int = 0,
        per_plot: bool = False,
        shape: Sequence[int] = (),
        hidden: bool = False,
        computed: bool = False,
        role: str | Iterable[str] = (),
    ) -> None:
        """Declares a variable of whole numbers (``int32``); arguments as for :meth:`real`."""
        if not -(2**31) <= low <= high < 2**31:
            raise ValueError(f"`{name}` goes from {low} to {high}: two whole numbers of 32 bits with low ≤ high are needed")
        kind = {"type": "count", "low": int(low), "high": int(high)}
        self._variable(name, kind, doc, default, per_plot, shape, hidden, computed, role)

    def category(
        self,
        name: str,
        labels: Sequence[str] | int,
        doc: str,
        *,
        default: str | int = 0,
        per_plot: bool = False,
        shape: Sequence[int] = (),
        hidden: bool = False,
        computed: bool = False,
        role: str | Iterable[str] = (),
    ) -> None:
        """Declares a variable that takes one of a list of values: names, or as many numbers from 0. The array (``uint8``) holds the
        index. Other arguments as for :meth:`real`."""
        names = [str(i) for i in range(labels)] if isinstance(labels, int) else [str(label) for label in labels]
        if not 1 <= len(names) <= MOST_LABELS:
            raise ValueError(f"`{name}` has {len(names)} values: 1 to {MOST_LABELS} are possible")
        if isinstance(default, str):
            if default not in names:
                raise ValueError(f"the default of `{name}` is {default!r}: one of {', '.join(names)} is needed")
            default = names.index(default)
        labelled = {"type": "numbered", "n": labels} if isinstance(labels, int) else {"type": "category", "labels": names}
        self._variable(name, labelled, doc, default, per_plot, shape, hidden, computed, role, len(names) - 1)

    def flag(
        self,
        name: str,
        doc: str,
        *,
        default: bool = False,
        per_plot: bool = False,
        shape: Sequence[int] = (),
        hidden: bool = False,
        computed: bool = False,
        role: str | Iterable[str] = (),
    ) -> None:
        """Declares a variable of yes and no (``uint8``, 1 and 0); arguments as for :meth:`real`."""
        self._variable(name, {"type": "flag"}, doc, int(default), per_plot, shape, hidden, computed, role, 1)

    def _variable(
        self,
        name: str,
        kind: dict[str, Any],
        doc: str,
        default: float,
        per_plot: bool,
        shape: Sequence[int],
        hidden: bool,
        computed: bool,
        role: str | Iterable[str],
        last: int = 0,
    ) -> None:
        roles = [role] if isinstance(role, str) else list(role)
        low, high = kind.get("low", 0), kind.get("high", last)
        if computed and (roles or default or hidden):
            raise ValueError(f"`{name}` is computed when it is seen: it has no default, no role, and is not hidden")
        if not computed and default == 0 and not low <= 0 <= high:
            default = low
        if not low <= default <= high:
            raise ValueError(f"the default of `{name}` is {default}: it goes from {low} to {high}")
        if per_plot and shape:
            raise ValueError(f"`{name}` has one value per plot and the shape {tuple(shape)}: one of the two")
        if any(int(n) < 1 for n in shape):
            raise ValueError(f"`{name}` has the shape {tuple(shape)}: each axis needs at least one entry")
        self._check_name(name)
        self._variables.append(
            {
                "name": name,
                "kind": kind,
                "doc": doc,
                "default": float(default),
                "per_plot": bool(per_plot),
                "shape": [int(n) for n in shape],
                "hidden": bool(hidden),
                "computed": bool(computed),
                "roles": roles,
            }
        )

    def _check_name(self, name: str) -> None:
        taken = [one["name"] for one in self._variables] + [one["role"] for one in self._reads]
        if name in taken:
            raise ValueError(f"`{name}` is declared or looked up twice: the context has one array of a name")
        if not name or any(letter.isspace() for letter in name):
            raise ValueError(f"{name!r} can't be a name: letters without spaces, with a unit behind `#`")

    def one(self, role: str, *, writes: bool = False) -> None:
        """Looks up the one variable of a role; the context has its array under the role's name. Nobody or several who provide it are a
        problem of the game.

        Args:
            role: The role, as in ``farm list roles``, or one that a part of yours declares.
            writes: Whether this part changes the values; otherwise the array is read-only.
        """
        self._read(role, "one", writes)

    def maybe(self, role: str, *, writes: bool = False) -> None:
        """The same for a role that nobody need provide: the context has None under its name then."""
        self._read(role, "maybe", writes)

    def all(self, role: str, *, writes: bool = False) -> None:
        """The same for any number of providers: the context has a tuple of arrays under its name, in the order of :meth:`providers`."""
        self._read(role, "all", writes)

    def _read(self, role: str, need: str, writes: bool) -> None:
        self._check_name(role)
        self._reads.append({"role": role, "need": need, "writes": bool(writes)})

    def providers(self, role: str) -> tuple[PartInfo, ...]:
        """The parts that this part sees which provide a role, as far as they are known."""
        seen = (part for part, sees in zip(self.parts, self._seen, strict=True) if sees)
        return tuple(part for part in seen for variable in part.variables if role in variable.roles)

    def action(self, name: str, doc: str, parameters: Sequence[Mapping[str, Any]] = (), *, waits: bool = False) -> None:
        """Declares an action, which ``act`` executes.

        Args:
            name: Its name.
            doc: What it does, a sentence.
            parameters: At most four of :meth:`plot`, :meth:`number`, :meth:`choice`.
            waits: Whether it only lets time pass.
        """
        if len(parameters) > MOST_PARAMETERS:
            raise ValueError(f"`{name}` has {len(parameters)} parameters: at most {MOST_PARAMETERS} are possible")
        if waits and parameters:
            raise ValueError(f"`{name}` only lets time pass: it has no parameters")
        self._actions.append({"name": name, "doc": doc, "parameters": list(map(dict, parameters)), "waits": bool(waits)})

    @staticmethod
    def plot() -> dict[str, Any]:
        """A parameter ``plot``: a plot of the field, ``(x, y)``."""
        return {"type": "plot"}

    @staticmethod
    def number(name: str, low: float, high: float, offered: Sequence[float], doc: str) -> dict[str, Any]:
        """A parameter ``name#unit``: a real number, with the values that a game offers unless its rules say otherwise."""
        values = [float(value) for value in offered]
        if not all(low <= value <= high for value in values) or not math.isfinite(low) or not math.isfinite(high):
            raise ValueError(f"`{name}` goes from {low} to {high}, and {values} are offered")
        return {"type": "real", "name": name, "low": float(low), "high": float(high), "offered": values, "doc": doc}

    @staticmethod
    def choice(name: str, words: Sequence[str], doc: str) -> dict[str, Any]:
        """A parameter: one of a list of words."""
        return {"type": "choice", "name": name, "words": list(words), "doc": doc}

    def event(
        self, name: str, per_step: int, doc: str, *, labels: Sequence[str] = (), lasting: bool = False
    ) -> None:
        """Declares an event, which :meth:`Context.emit` tells.

        Args:
            name: Its name, shared by all parts that emit the like.
            per_step: How many happen in a step at the most.
            doc: What happened, and what its value means; a sentence.
            labels: What the values 0, 1, 2 … mean, where they are not amounts.
            lasting: Whether it tells of a state that lasts, step after step.
        """
        if not 1 <= per_step < 2**31:
            raise ValueError(f"`{name}` happens {per_step} times in a step: at least 1 is needed")
        self._events.append(
            {"name": name, "per_step": int(per_step), "doc": doc, "labels": list(labels), "lasting": bool(lasting)}
        )

    def runs_in(self, *phases: str) -> None:
        """Asks for ``tick`` in phases of the day: exogenous (weather, arrivals), release, demand, exchange, spread, visit, develop,
        account, in this order."""
        for phase in phases:
            if phase not in PHASES:
                raise ValueError(f"there is no phase {phase!r}: {', '.join(PHASES)}")
            if phase not in self._phases:
                self._phases.append(phase)

    def constraint(self, name: str, unit: str, *, limit: float | None = None, weight: float = 1.0) -> None:
        """For scores: declares a quantity that must stay small besides earning a reward, for safe reinforcement learning.

        Args:
            name: Its name, under which ``constraint_costs`` tells what a step cost.
            unit: Unit of its total, which the engine keeps in the variable ``name_total#unit``.
            limit: What the total of an episode should not exceed.
            weight: What a unit of it counts in the one cost of a step.
        """
        self._constraints.append({"name": name, "unit": unit, "limit": limit, "weight": float(weight)})

    def _declared(self) -> dict[str, Any]:
        return {
            "variables": self._variables,
            "reads": self._reads,
            "actions": self._actions,
            "events": self._events,
            "constraints": self._constraints,
            "phases": self._phases,
        }


class _Part:
    """What all parts share."""

    #: Set when the part is complete: from then on it has no memory.
    _is_complete = False

    def __setattr__(self, name: str, value: Any) -> None:
        if self._is_complete:
            raise AttributeError(
                f"`{type(self).__name__}` has no memory, so {name!r} can't be set: all environments share it; declare a variable"
            )
        super().__setattr__(name, value)

    def declare(self, builder: Builder) -> None:
        """Declares variables, roles, actions, events and phases."""

    def reset(self, context: Context) -> None:
        """The start of an episode. The variables hold their defaults."""

    def settle(self, context: Context) -> None:
        """Called after the rules have set the initial conditions, to make the rest agree with them."""

    def act(self, action: str, arguments: dict[str, Any], context: Context) -> None:
        """Executes an action: ``plot`` is ``(x, y)``, a number a float, a choice its word."""
        raise NotImplementedError(f"{type(self).__name__} declares the action {action!r} and has no `act`")

    def has_effect(self, action: str, arguments: dict[str, Any], context: Context) -> bool:
        """Whether an action would change anything now, for :meth:`farm_gym.FarmEnv.effect_mask`. The arrays are read-only."""
        return True

    def tick(self, phase: str, context: Context) -> None:
        """Its share of the day, in each phase it asked for."""
        raise NotImplementedError(f"{type(self).__name__} asks for the phase {phase!r} and has no `tick`")

    def observe(self, variable: str, context: Context) -> Any:
        """The values of a computed variable: a number, or an array of its shape. The arrays are read-only."""
        raise NotImplementedError(f"{type(self).__name__} declares {variable!r} as computed and has no `observe`")


class Entity(_Part):
    """A component of a field: an animal, a machine, a soil.

    >>> import farm_gym, numpy as np
    >>> class Slugs(farm_gym.Entity):
    ...     \"\"\"Slugs: they come at random, most in moist air, and die of salt.\"\"\"
    ...
    ...     def __init__(self, arrival=0.5):
    ...         self.arrival = arrival
    ...
    ...     def declare(self, builder):
    ...         builder.count("population#nb", 0, 1000, "Slugs in the plot.", per_plot=True, role="slugs")
    ...         builder.one("relative_humidity")
    ...         builder.event("slug", 1000, "Slugs came to a plot; how many.")
    ...         builder.action("salt", "Scatters salt on a plot.", [builder.plot()])
    ...         builder.runs_in("visit")
    ...
    ...     def tick(self, phase, context):
    ...         population = context["population#nb"]
    ...         moisture = float(context["relative_humidity"]) / 100
    ...         come = context.random("arrival").binomial(np.full(population.shape, 3), self.arrival * moisture)
    ...         population[:] = np.minimum(population + come, 1000)
    ...         for plot in zip(*np.nonzero(come)):
    ...             context.emit("slug", come[plot], plot)
    ...
    ...     def act(self, action, arguments, context):
    ...         context["population#nb"][arguments["plot"]] = 0
    >>> env = farm_gym.make("clay_bean", set={
    ...     "fields.Field-0.entities": [
    ...         {"Weather": "montpellier"}, {"Soil": "clay"}, {"Plant": "bean"}, {"python": {"class": Slugs, "arrival": 0.9}}],
    ...     "rules.BasicRule.free_observations": [["Field-0", "Slugs-0", "population#nb"]],
    ...     "rules.BasicRule.actions": {"Field-0": {"Slugs-0": {"salt": {"plot": "*"}}}},
    ... })
    >>> observation, info = env.reset(seed=1)
    >>> int(observation["Field-0.Slugs-0.population#nb"].item())
    0
    >>> sum(event["kind"] == "slug" for _ in range(9) for event in env.step(0)[4]["events"]) > 3
    True
    """


class Farmer(_Part):
    """Who executes the chosen actions: when it can, and how often.

    >>> import farm_gym
    >>> class Weekender(farm_gym.Farmer):
    ...     \"\"\"Comes every so many days, and does as much as it likes then.\"\"\"
    ...
    ...     def __init__(self, every=7):
    ...         self.every = every
    ...
    ...     def refusal(self, attempt, context):
    ...         return None if context.step % self.every == 0 else "the farmer is in town"
    >>> env = farm_gym.make("clay_bean", set={"farmers": [{"python": {"class": Weekender, "every": 2}}]})
    >>> observation, info = env.reset(seed=0)
    >>> int(info["action_mask"].sum()) > 1
    True
    >>> _, _, _, _, info = env.step(1)
    >>> info["rejected"], int(info["action_mask"].sum()) > 1
    ([], False)
    >>> _, _, _, _, info = env.step(1)
    >>> info["rejected"][0]["reason"]
    'the farmer is in town'
    """

    #: Whether ``refusal`` looks at the arguments of an attempt, so that a mask must ask for each call alone.
    judges_arguments = False

    def permits(self, kind: str, field: str | None) -> bool:
        """Whether it may ever look (``"observation"``) or act (``"intervention"``) in a field (None: at parts of the farm). Asked when the
        game is opened."""
        return True

    def refusal(self, attempt: Attempt, context: Context) -> str | None:
        """Why it can't do this now, a short sentence for ``info["rejected"]``; None if it can. The arrays are read-only. At most a
        thousand different sentences: no numbers in them."""
        return None

    def did(self, attempt: Attempt, context: Context) -> None:
        """Takes note that it is about to do this, before it is done."""


class Score(_Part):
    """Costs and rewards.

    >>> import farm_gym
    >>> class Thrifty(farm_gym.Score):
    ...     \"\"\"A point for each day on which the soil holds enough water; watering costs.\"\"\"
    ...
    ...     def __init__(self, enough=0.5):
    ...         self.enough = enough
    ...
    ...     def declare(self, builder):
    ...         builder.all("supply_water")
    ...         builder.all("water_capacity")
    ...
    ...     def intervention_cost(self, part, action):
    ...         return 0.25 if action.startswith("water") else 0.0
    ...
    ...     def reward(self, context):
    ...         fields = zip(context["supply_water"], context["water_capacity"])
    ...         return float(all((water >= self.enough * capacity).all() for water, capacity in fields))
    >>> env = farm_gym.make("clay_bean", set={"score": {"python": {"class": Thrifty, "enough": 0.0}}})
    >>> observation, info = env.reset(seed=0)
    >>> env.step(0)[1], env.step(1)[1]
    (1.0, 0.75)
    """

    def reward(self, context: Context) -> float:
        """The reward of this step, before costs. ``context.events`` tells what happened."""
        raise NotImplementedError(f"{type(self).__name__} has no `reward`")

    def final_reward(self, context: Context) -> float:
        """What is added to the reward when the episode ends."""
        return 0.0

    def intervention_cost(self, part: str, action: str) -> float:
        """The cost of an intervention, by the path of its part and its name. Asked when the game is opened."""
        return 0.0

    def observation_cost(self, part: str, variable: str) -> float:
        """The cost of each value of a variable that is asked for. Asked when the game is opened."""
        return 0.0

    def constraint_costs(self, context: Context) -> Mapping[str, float]:
        """What this step costs the constraints that were declared, by name; called after ``reward``."""
        return {}


class Rule:
    """How a game starts, what may be done and seen, and when it ends: a function from the parts of the game to the keys of ``BasicRule``.

    A game that ends when a part says so has a stopping condition on a variable of that part.

    >>> import farm_gym
    >>> class Everything(farm_gym.Rule):
    ...     \"\"\"Everything visible is seen, for so many days.\"\"\"
    ...
    ...     def __init__(self, days):
    ...         self.days = days
    ...
    ...     def rules(self, game):
    ...         seen = [[part.field, part.name, variable.name]
    ...                 for part in game.parts if part.field for variable in part.variables if variable.visible]
    ...         return {"free_observations": seen, "max_steps": self.days}
    >>> env = farm_gym.make("clay_bean", set={"rules": {"python": {"class": Everything, "days": 2}}})
    >>> observation, info = env.reset(seed=0)
    >>> "Field-0.Soil-0.available_Water#L" in observation
    True
    >>> env.step(0)[3], env.step(0)[3]
    (False, True)
    """

    def rules(self, game: GameInfo) -> Mapping[str, Any]:
        """The parameters of ``BasicRule`` (``farm describe BasicRule``), written as in YAML: names of parts, lists, ``"(0, 9)"``."""
        raise NotImplementedError(f"{type(self).__name__} has no `rules`")


class Policy:
    """How to play a game. Each player has an object of its own, so it may remember; randomness should come from the seed of ``start``.

    >>> import farm_gym
    >>> class Waterer(farm_gym.Policy):
    ...     \"\"\"Waters whenever the soil holds less than so much.\"\"\"
    ...
    ...     def __init__(self, least):
    ...         self.least = least
    ...
    ...     def prepare(self, game):
    ...         self.water = next(i for i, name in enumerate(game.actions) if "water_discrete" in name and "20" in name)
    ...
    ...     def choose(self, observation, info):
    ...         return self.water if observation["Field-0.Soil-0.available_Water#L"].min() < self.least else None
    >>> env = farm_gym.make("clay_bean", set={"policies": {"mine": {"python": {"class": Waterer, "least": 1000.0}}}})
    >>> observation, info = env.reset(seed=0)
    >>> player = env.player("mine", seed=0)
    >>> env.farmgym_step(player())[4]["intervention cost"]
    0.02
    """

    def prepare(self, game: GameInfo) -> None:
        """Called once, before the first episode, with what the game has."""

    def start(self, seed: int) -> None:
        """A new episode begins."""

    def choose(self, observation: dict[str, Any], info: dict[str, Any]) -> Any:
        """Chooses what to do.

        Args:
            observation: What a learner sees.
            info: ``action_mask`` over the flat list, ``expects`` (``"observation"`` or ``"intervention"``), ``step``.

        Returns:
            None or an empty list for nothing; an id of the flat list, or a list of ids; a line such as ``"wait"``; or a list of
            ``(farmer, field, entity, name, parameters)``.
        """
        raise NotImplementedError(f"{type(self).__name__} has no `choose`")


_BASES: dict[str, type] = {"entity": Entity, "farmer": Farmer, "rule": Rule, "score": Score, "policy": Policy}


class PartError(Exception):
    """Why a class can't be used as a part, with what the engine needs to tell where that stands in the YAML."""

    def __init__(self, message: str, *, found: str = "", names: Sequence[str] = (), expected: str = "", remedy: str = "") -> None:
        super().__init__(message)
        self.message, self.found, self.names, self.expected, self.remedy = message, found, list(names), expected, remedy


def _traceback(error: BaseException) -> str:
    """The traceback of an error, from the first line that is neither ours nor the import system's."""
    report = traceback.TracebackException.from_exception(error)
    own = ("<frozen importlib", __file__, importlib.__file__)
    frames = list(report.stack)
    while frames and frames[0].filename.startswith(own):
        frames.pop(0)
    report.stack = traceback.StackSummary.from_list(frames)
    return "".join(report.format()).rstrip()


@contextlib.contextmanager
def _importable(folder: str | None) -> Iterator[None]:
    """Makes the modules of a folder importable for a while."""
    if folder is not None:
        sys.path.insert(0, folder)
    try:
        yield
    finally:
        if folder is not None:
            sys.path.remove(folder)


def _make(kind: str, path: str, arguments: dict[str, Any], folder: str | None) -> tuple[Any, list[str]]:
    """The object of the class at ``module:Class``, and which methods it has of its own.

    Raises:
        PartError: Why there is none.
    """
    folder = None if folder is None else os.path.abspath(folder)
    with _importable(folder):
        part_class = _find(kind, path, folder)
        try:
            part = part_class(**arguments)
        except Exception as error:
            given = ", ".join(f"{name}={value!r}" for name, value in arguments.items())
            raise PartError(f"`{part_class.__name__}({given})` failed: {_traceback(error)}") from error
    base = _BASES[kind]
    if isinstance(part, _Part):
        object.__setattr__(part, "_is_complete", True)
    own = [name for name in dir(base) if not name.startswith("_") and getattr(part_class, name) is not getattr(base, name)]
    return part, own


def _find(kind: str, path: str, folder: str | None) -> type:
    """The class at ``module:Class``."""
    module_name, colon, class_name = path.partition(":")
    if not (module_name and colon and class_name):
        raise PartError("this is no class", found=path, expected="`module:Class`, such as `mypkg.slugs:Slugs`")
    top = module_name.partition(".")[0]
    _check_loaded(top, folder)
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module_name}.".startswith(f"{error.name}."):
            raise PartError(f"module `{module_name}` can't be imported: {_traceback(error)}") from error
        where = "in the environment of this Python" if folder is None else f"in {folder} or the environment of this Python"
        raise PartError(f"there is no module `{error.name}`", found=path, expected=f"a module {where}") from None
    except Exception as error:
        raise PartError(f"module `{module_name}` can't be imported: {_traceback(error)}") from error
    found: Any = module
    for name in class_name.split("."):
        found = getattr(found, name, None)
    base = _BASES[kind]
    if found is None:
        names = [name for name, one in vars(module).items() if isinstance(one, type) and issubclass(one, base) and one is not base]
        raise PartError(f"`{module_name}` has no class `{class_name}`", found=class_name, names=names)
    if not isinstance(found, type) or not issubclass(found, base):
        bases = [name for name, one in _BASES.items() if isinstance(found, type) and issubclass(found, one)]
        is_other = f": it is {'an' if bases[0] == 'entity' else 'a'} {bases[0]}" if bases else ""
        article = "an" if kind == "entity" else "a"
        raise PartError(
            f"`{path}` is no {kind}{is_other}", found=path, expected=f"{article} {kind}: a subclass of `farm_gym.{base.__name__}`"
        )
    return found


def _check_loaded(top: str, folder: str | None) -> None:
    """A module that is loaded already may be another than the one beside the game."""
    loaded = sys.modules.get(top)
    if folder is None or loaded is None:
        return
    beside = [os.path.join(folder, f"{top}.py"), os.path.join(folder, top, "__init__.py")]
    beside = [path for path in beside if os.path.exists(path)]
    file = getattr(loaded, "__file__", None)
    if beside and file is not None and not any(os.path.samefile(file, path) for path in beside if os.path.exists(file)):
        raise PartError(f"module `{top}` is loaded already, from {file}", found=beside[0], remedy="give one of the two another name")


def _declare(part: _Part, facts: dict[str, Any]) -> dict[str, Any]:
    """What a part declares.

    Raises:
        PartError: What is wrong with it.
    """
    builder = Builder(facts)
    try:
        part.declare(builder)
    except Exception as error:
        raise PartError(f"`{type(part).__name__}.declare` failed: {_traceback(error)}") from error
    return builder._declared()


def _part(facts: Mapping[str, Any]) -> PartInfo:
    variables = tuple(
        VariableInfo(one["name"], one["doc"], tuple(one["shape"]), tuple(one["roles"]), one["visible"])
        for one in facts["variables"]
    )
    texts = {key: tuple(facts[key]) for key in ("observables", "actions", "events")}
    return PartInfo(facts["name"], facts["path"], facts["field"], variables, **texts)


def _game(facts: Mapping[str, Any]) -> GameInfo:
    return GameInfo(
        tuple(FieldInfo(**one) for one in facts["fields"]),
        tuple(_part(one) for one in facts["parts"]),
        facts.get("name", ""),
        tuple(facts.get("actions", ())),
        facts.get("max_schedule", 0),
    )


def _rules(rule: Rule, facts: Mapping[str, Any]) -> dict[str, Any]:
    """What a rule says.

    Raises:
        PartError: What is wrong with it.
    """
    try:
        return dict(rule.rules(_game(facts)))
    except Exception as error:
        raise PartError(f"`{type(rule).__name__}.rules` failed: {_traceback(error)}") from error


def _prepare(policy: Policy, facts: Mapping[str, Any]) -> None:
    """Readies a policy for a game.

    Raises:
        PartError: What is wrong with it.
    """
    try:
        policy.prepare(_game(facts))
    except Exception as error:
        raise PartError(f"`{type(policy).__name__}.prepare` failed: {_traceback(error)}") from error
