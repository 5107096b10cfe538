"""Information about a game, as parts receive it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Attempt", "FieldInfo", "Found", "GameInfo", "PartInfo", "VariableInfo", "found", "game_info", "part_info"]


@dataclass(frozen=True)
class FieldInfo:
    """The shape and location of a field. A plot is ``(x, y)`` with ``x < length`` (to the east) and ``y < width`` (to the south)."""

    name: str
    length: int
    width: int
    scale_m: float
    latitude_degrees: float
    longitude_degrees: float
    altitude_m: float


@dataclass(frozen=True)
class VariableInfo:
    """A variable in a part: ``name#unit``, its description, its shape (empty for one value) and its roles."""

    name: str
    doc: str
    shape: tuple[int, ...]
    roles: tuple[str, ...]
    visible: bool


@dataclass(frozen=True)
class PartInfo:
    """The contents of a part in the game. ``field`` is None for farmers and the score."""

    name: str
    path: str
    field: str | None
    variables: tuple[VariableInfo, ...]
    observables: tuple[str, ...]
    actions: tuple[str, ...]
    events: tuple[str, ...]


@dataclass(frozen=True)
class Found:
    """The declarations of all parts, as ``bind`` receives them. ``name`` is the part's own name, and ``field`` is its field (the first field
    for farmers and the score).

    A field has ``name``, ``length``, ``width``, ``scale_m``, ``latitude_degrees``, ``longitude_degrees`` and ``altitude_m``. A part has
    ``name``, ``path``, ``field``, ``variables``, ``observables``, ``actions`` and ``events``. A variable has ``name``, ``doc``, ``shape``,
    ``roles`` and ``visible``.
    """

    name: str
    field: FieldInfo
    fields: tuple[FieldInfo, ...]
    parts: tuple[PartInfo, ...]
    #: The parts whose roles this part can look up.
    seen: tuple[PartInfo, ...]

    def providers(self, role: str) -> tuple[PartInfo, ...]:
        """The parts that provide a role and that this part can see, once for each variable."""
        return tuple(part for part in self.seen for variable in part.variables if role in variable.roles)


@dataclass(frozen=True)
class GameInfo:
    """A game, as rules and policies receive it. ``actions`` has the names in the flat list, which are not yet known when a rule is
    built."""

    fields: tuple[FieldInfo, ...]
    parts: tuple[PartInfo, ...]
    name: str = ""
    actions: tuple[str, ...] = ()
    max_schedule: int = 0


@dataclass(frozen=True)
class Attempt:
    """A request to a farmer.

    ``kind`` is ``"observation"`` or ``"intervention"``, and ``part`` is the path of the part (``"Field-0.Soil-0"``). ``action`` is the name
    of the intervention (None for an observation), and ``arguments`` has its arguments by name.
    """

    kind: str
    part: str
    action: str | None
    arguments: dict[str, Any] = field(default_factory=dict)


def part_info(facts: Mapping[str, Any]) -> PartInfo:
    variables = tuple(
        VariableInfo(one["name"], one["doc"], tuple(one["shape"]), tuple(one["roles"]), one["visible"]) for one in facts["variables"]
    )
    texts = {key: tuple(facts[key]) for key in ("observables", "actions", "events")}
    return PartInfo(facts["name"], facts["path"], facts["field"], variables, **texts)


def found(facts: Mapping[str, Any]) -> Found:
    fields = tuple(FieldInfo(**one) for one in facts["fields"])
    parts = tuple(part_info(one) for one in facts["parts"])
    seen = tuple(part for part, sees in zip(parts, facts["seen"], strict=True) if sees)
    return Found(facts["name"], fields[facts["field"]], fields, parts, seen)


def game_info(facts: Mapping[str, Any]) -> GameInfo:
    return GameInfo(
        tuple(FieldInfo(**one) for one in facts["fields"]),
        tuple(part_info(one) for one in facts["parts"]),
        facts.get("name", ""),
        tuple(facts.get("actions", ())),
        facts.get("max_schedule", 0),
    )
