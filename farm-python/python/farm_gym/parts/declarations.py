"""A part's declarations."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypedDict

from farm_gym._native import MAX_ARGUMENTS, MAX_EVENTS_PER_STEP, MAX_LABELS, MAX_VALUES, PHASES
from farm_gym.parts.infos import FieldInfo, Found, PartInfo, found
from farm_gym.parts.modules import import_path
from farm_gym.parts.pictures import Picture, Sprite, note, sprite_note
from farm_gym.signatures import Unpack, keywords_of

__all__ = ["Declarations"]


class VariableArguments(TypedDict, total=False):
    """The optional arguments of :meth:`Declarations.real`, which explains them, and of other variables."""

    per_plot: bool
    shape: Sequence[int]
    hidden: bool
    computed: bool
    role: str | Iterable[str]


class LooksAtOthers(BaseException):
    """Stops a first ``declare`` that looks at the other parts. It then runs again when they have declared."""


class Declarations:
    """Collects the declarations that a part makes in its ``declare`` method.

    ============================================================ ==========================================================
    a variable, an array in the :class:`~farm_gym.Context`       :meth:`real` (``float64``), :meth:`count` (``int32``),
                                                                 :meth:`category` (``uint8``, one of a list of words),
                                                                 :meth:`flag` (``uint8``, 0 or 1)
    a variable in another part, by its role                      :meth:`one`, :meth:`maybe`, :meth:`all`
    an action, which ``act`` executes                            :meth:`action`, with :meth:`plot`, :meth:`number`,
                                                                 :meth:`choice` as parameters
    an event, which :meth:`Context.emit` reports by its name     :meth:`event`
    the phases in which ``tick`` is called                       :meth:`runs_in`
    the part's picture                                           :meth:`picture`
    a constraint of a score                                      :meth:`constraint`
    ============================================================ ==========================================================

    A variable has one value, one per plot (``per_plot=True``), or a custom shape (``shape=(3, 2)``). Its name includes the unit, as in
    ``water#L``. Its values must be within their range after every call. With ``computed=True``, a variable is not stored but computed by
    ``observe``.

    The game calls ``declare`` once. The result of ``declare`` may depend only on the part's own parameters and on these attributes:

    =========== =====================================================================================================
    ``name``    the part's name in the game, such as ``Slugs-0``
    ``field``   the part's field; the first field for farmers and the score
    ``fields``  all fields
    =========== =====================================================================================================

    Use ``bind`` to look at what the other parts have declared: it receives a :class:`~farm_gym.Found`. If the declarations themselves depend on
    the other parts, ``declare`` can use :attr:`parts` and :meth:`providers`. The game then stops ``declare``, and runs it again when the
    other parts have declared. Other parts that also wait for this cannot depend on the result.
    """

    def __init__(self, facts: Mapping[str, Any], part: type = object) -> None:
        self._part = part
        known = found(facts)
        self.name: str = known.name
        self.fields: tuple[FieldInfo, ...] = known.fields
        self.field: FieldInfo = known.field
        self._known = known if facts["is_second"] else None
        self._variables: list[dict[str, Any]] = []
        self._reads: list[dict[str, Any]] = []
        self._actions: list[dict[str, Any]] = []
        self._events: list[dict[str, Any]] = []
        self._constraints: list[dict[str, Any]] = []
        self._phases: list[str] = []
        self._pictures: list[dict[str, Any]] = []

    def _variable(
        self,
        name: str,
        kind: dict[str, Any],
        doc: str,
        default: float,
        last: int = 0,
        *,
        per_plot: bool = False,
        shape: Sequence[int] = (),
        hidden: bool = False,
        computed: bool = False,
        role: str | Iterable[str] = (),
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
        values = math.prod(int(n) for n in shape)
        if values > MAX_VALUES:
            raise ValueError(f"`{name}` has the shape {tuple(shape)}, which is {values:,} values: at most {MAX_VALUES:,} are possible")
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

    @keywords_of(_variable)
    def real(
        self,
        name: str,
        low: float,
        high: float,
        doc: str,
        *,
        default: float = 0.0,
        **arguments: Unpack[VariableArguments],
    ) -> None:
        """Declares a real-number variable (``float64``).

        Args:
            name: ``name#unit``, the key of its array in the context.
            low, high: The range. A value outside it is an error.
            doc: A description in one sentence.
            default: The value at a reset, before the part's own ``reset`` runs.
            per_plot: Whether there is one value per plot: an array of shape ``(length, width)``.
            shape: A custom shape; ``()`` means one value, an array without axes.
            hidden: Whether the variable is hidden from the learner.
            computed: Whether the value is not stored, but computed by ``observe`` when a learner observes it. Such a variable has no
                default and no roles.
            role: Its role for other parts: one or more names from ``farm list roles``, or your own. Some roles have a range, which must
                contain the variable's range; ``farm describe ROLE`` shows it.
        """
        if not (math.isfinite(low) and math.isfinite(high) and low <= high):
            raise ValueError(f"`{name}` goes from {low} to {high}: two finite numbers with low ≤ high are needed")
        kind = {"type": "real", "low": float(low), "high": float(high)}
        self._variable(name, kind, doc, default, **arguments)

    @keywords_of(_variable)
    def count(
        self,
        name: str,
        low: int,
        high: int,
        doc: str,
        *,
        default: int = 0,
        **arguments: Unpack[VariableArguments],
    ) -> None:
        """Declares an integer variable (``int32``). Accepts the same arguments as :meth:`real`."""
        if not -(2**31) <= low <= high < 2**31:
            raise ValueError(f"`{name}` goes from {low} to {high}: two integers of 32 bits with low ≤ high are needed")
        kind = {"type": "count", "low": int(low), "high": int(high)}
        self._variable(name, kind, doc, default, **arguments)

    @keywords_of(_variable)
    def category(
        self,
        name: str,
        labels: Sequence[str] | int,
        doc: str,
        *,
        default: str | int = 0,
        **arguments: Unpack[VariableArguments],
    ) -> None:
        """Declares a variable with a fixed set of values: ``labels`` is a list of names, or a number n for the values 0 to n − 1. The array
        (``uint8``) contains the index of each value. The other arguments are the same as for :meth:`real`."""
        names = [str(i) for i in range(labels)] if isinstance(labels, int) else [str(label) for label in labels]
        if not 1 <= len(names) <= MAX_LABELS:
            raise ValueError(f"`{name}` has {len(names)} values: 1 to {MAX_LABELS} are possible")
        if isinstance(default, str):
            if default not in names:
                raise ValueError(f"the default of `{name}` is {default!r}: one of {', '.join(names)} is needed")
            default = names.index(default)
        labelled = {"type": "numbered", "n": labels} if isinstance(labels, int) else {"type": "category", "labels": names}
        self._variable(name, labelled, doc, default, len(names) - 1, **arguments)

    @keywords_of(_variable)
    def flag(
        self,
        name: str,
        doc: str,
        *,
        default: bool = False,
        **arguments: Unpack[VariableArguments],
    ) -> None:
        """Declares a yes-or-no variable (``uint8``, 1 or 0). Accepts the same arguments as :meth:`real`."""
        self._variable(name, {"type": "flag"}, doc, int(default), 1, **arguments)

    def _check_name(self, name: str) -> None:
        taken = [one["name"] for one in self._variables] + [one["role"] for one in self._reads]
        if name in taken:
            raise ValueError(f"`{name}` is declared or looked up twice: the context has one array of a name")
        self._check_word(name, "with a unit behind `#`")

    @staticmethod
    def _check_word(name: str, more: str = "") -> None:
        if not isinstance(name, str) or not name or any(letter.isspace() for letter in name):
            raise ValueError(f"{name!r} can't be a name: letters without spaces{', ' if more else ''}{more}")

    def _check_told(self, what: str, name: str, doc: str, others: Sequence[Mapping[str, Any]]) -> None:
        """Rejects an invalid or duplicate name, or a missing description."""
        self._check_word(name)
        if any(one["name"] == name for one in others):
            raise ValueError(f"the {what} `{name}` is declared twice")
        if not doc.strip():
            raise ValueError(f"the {what} `{name}` has no sentence that describes it")

    def one(self, role: str, *, writes: bool = False) -> None:
        """Looks up the only variable with a role. The context has its array under the role's name. The game is invalid if no part provides
        the role, or more than one part does.

        Args:
            role: A role from ``farm list roles``, or one that your own parts declare.
            writes: Whether this part changes the values; otherwise the array is read-only.
        """
        self._read(role, "one", writes)

    def maybe(self, role: str, *, writes: bool = False) -> None:
        """Looks up the variable with a role that may be missing. If no part provides the role, the context has None under the role's
        name."""
        self._read(role, "maybe", writes)

    def all(self, role: str, *, writes: bool = False) -> None:
        """Looks up all variables with a role. The context has a tuple of arrays under the role's name, in the order of
        :meth:`providers`."""
        self._read(role, "all", writes)

    def _read(self, role: str, need: str, writes: bool) -> None:
        self._check_name(role)
        self._reads.append({"role": role, "need": need, "writes": bool(writes)})

    def _found(self) -> Found:
        if self._known is None:
            raise LooksAtOthers
        return self._known

    @property
    def parts(self) -> tuple[PartInfo, ...]:
        """The declarations of the game's parts, without those that also wait for the other parts."""
        return self._found().parts

    @property
    def complete(self) -> bool:
        """Always true. The next version removes this attribute."""
        self._found()
        return True

    def providers(self, role: str) -> tuple[PartInfo, ...]:
        """The parts that provide a role and that this part can see."""
        return self._found().providers(role)

    def action(
        self,
        name: str,
        doc: str,
        parameters: Sequence[Mapping[str, Any]] = (),
        *,
        waits: bool = False,
        done: str | None = None,
        badge: Sprite = None,
    ) -> None:
        """Declares an action, which ``act`` executes.

        Args:
            name: Its name.
            doc: The effect in one sentence.
            parameters: At most four of :meth:`plot`, :meth:`number`, :meth:`choice`.
            waits: Whether the action only lets time pass.
            done: A past participle such as ``"watered"``, for picture headers.
            badge: A sprite, as for :meth:`Picture.within <farm_gym.Picture.within>`. It marks the action's plot, or the farmer, in the next
                picture. It requires ``done``.
        """
        self._check_told("action", name, doc, self._actions)
        if len(parameters) > MAX_ARGUMENTS:
            raise ValueError(f"`{name}` has {len(parameters)} parameters: at most {MAX_ARGUMENTS} are possible")
        if waits and parameters:
            raise ValueError(f"`{name}` only lets time pass: it has no parameters")
        if badge is not None and not done:
            raise ValueError(f'`{name}` has a badge and no `done`: give a past participle, such as done="watered"')
        shown = {"done": done, "badge": sprite_note(badge, self._part, f"badge of the action `{name}`")} if done else None
        action = {"name": name, "doc": doc, "parameters": list(map(dict, parameters)), "waits": bool(waits), "shown": shown}
        self._actions.append(action)

    @staticmethod
    def plot() -> dict[str, Any]:
        """A ``plot`` parameter: a plot in the field, ``(x, y)``."""
        return {"type": "plot"}

    @staticmethod
    def number(name: str, low: float, high: float, offered: Sequence[float], doc: str) -> dict[str, Any]:
        """A ``name#unit`` parameter: a real number. ``offered`` lists the values that a game offers by default."""
        values = [float(value) for value in offered]
        if not all(low <= value <= high for value in values) or not math.isfinite(low) or not math.isfinite(high):
            raise ValueError(f"`{name}` goes from {low} to {high}, and {values} are offered")
        return {"type": "real", "name": name, "low": float(low), "high": float(high), "offered": values, "doc": doc}

    @staticmethod
    def choice(name: str, words: Sequence[str], doc: str) -> dict[str, Any]:
        """A parameter whose value is one word from a list."""
        return {"type": "choice", "name": name, "words": list(words), "doc": doc}

    def event(self, name: str, per_step: int, doc: str, *, labels: Sequence[str] = (), lasting: bool = False) -> None:
        """Declares an event, which :meth:`Context.emit` reports.

        Args:
            name: A name shared by all parts that emit this kind of event.
            per_step: Maximum number of these events in a step.
            doc: The meaning of the event and its value, in one sentence.
            labels: The meanings of the values 0, 1, 2 …, if the values are not amounts.
            lasting: Whether the event reports a lasting state, and therefore repeats in every step.
        """
        self._check_told("event", name, doc, self._events)
        if not 1 <= per_step <= MAX_EVENTS_PER_STEP:
            raise ValueError(f"`{name}` happens up to {per_step} times in a step: 1 to {MAX_EVENTS_PER_STEP:,} are possible")
        self._events.append({"name": name, "per_step": int(per_step), "doc": doc, "labels": list(labels), "lasting": bool(lasting)})

    def runs_in(self, *phases: str) -> None:
        """Declares the phases of the day in which ``tick`` is called. The phases have this order:

        ============= ==============================================================================================
        ``exogenous`` outside influences: weather, date; farmers start a new day
        ``release``   dead matter releases its nutrients
        ``demand``    plants report their demands and the shade that they cast
        ``exchange``  the soil takes up rain, supplies water and nutrients, evaporates and leaches; microlife acts
        ``spread``    weeds spread
        ``visit``     pests, pollinators and other animals come and go
        ``develop``   plants grow and change their stage; tiles in the grid games develop
        ``account``   totals are computed
        ============= ==============================================================================================

        Within a phase, the parts run in the order of the game file: entities, farmers, score."""
        for phase in phases:
            if phase not in PHASES:
                raise ValueError(f"there is no phase {phase!r}: {', '.join(PHASES)}")
            if phase not in self._phases:
                self._phases.append(phase)

    def picture(self, picture: Picture) -> None:
        """Declares one of the part's pictures. A part may have several; layers set their order. An entity without pictures is drawn as a
        tag with letters from its name. The tag appears on plots where the entity's first visible per-plot variable differs from its initial
        value.

        Args:
            picture: Sprites, their places, and their conditions on variables that have already been declared. Sprite files are next to the
                class's module.

        Raises:
            ValueError: A variable or label is not declared, or a file is missing.
        """
        owner = f"`{import_path(self._part)}`"
        kept = {one["name"]: one for one in self._variables if not one["computed"]}
        for name in picture.variables:
            if name not in kept:
                known = ", ".join(kept) or "none"
                raise ValueError(
                    f"the picture `{picture.title}` of {owner} shows {name!r}, which is not declared before it; declared and kept are: {known}"
                )
        for name in self._of_plots(picture):
            shape = (self.field.length, self.field.width)
            if not kept[name]["per_plot"] and tuple(kept[name]["shape"]) != shape:
                raise ValueError(f"the picture `{picture.title}` of {owner}: {name!r} has no value for each plot")
        for _, when, _ in picture.looks:
            if when["type"] == "label":
                kind = kept[when["variable"]]["kind"]
                labels = kind["labels"] if kind["type"] == "category" else [str(i) for i in range(kind.get("n", 0))]
                if when["label"] not in labels:
                    found = f"{when['variable']!r} has no value {when['label']!r}"
                    raise ValueError(f"the picture `{picture.title}` of {owner}: {found}: {', '.join(labels) or 'it has no names'}")
        self._pictures.append(note(picture, self._part))

    @staticmethod
    def _of_plots(picture: Picture) -> list[str]:
        """The variables in a picture that must have one value per plot."""
        looks = [when["variable"] for _, when, _ in picture.looks if "variable" in when]
        return (looks if picture.place["type"] == "plots" else []) + [
            *([picture.colors[0]] if picture.colors else []),
            *(variable for variable, _, _ in picture.growths),
        ]

    def constraint(self, name: str, unit: str, *, limit: float | None = None, weight: float = 1.0) -> None:
        """Declares a constraint for a score: a quantity outside the reward that must stay small, for safe reinforcement learning.

        Args:
            name: The name under which ``constraint_costs`` reports the cost of a step.
            unit: The unit of the total, which the engine stores in the variable ``name_total#unit``.
            limit: The maximum that an episode's total should not exceed.
            weight: The weight of one unit in the total cost of a step.
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
            "pictures": self._pictures,
        }
