"""Conformance checks for your own tests. Every part and every game must pass them.

>>> from farm_gym import testing
>>> testing.check_game("backwards_valley", steps=10)
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

from farm_gym import _native
from farm_gym.errors import ConfigError
from farm_gym.game import GameChanges, open_game
from farm_gym.parts import Entity, Farmer, Score
from farm_gym.parts.bases import Part
from farm_gym.parts.loading import check_classes
from farm_gym.parts.modules import import_path
from farm_gym.signatures import Unpack, keywords_of

__all__ = ["ConformanceError", "Defect", "check_entity", "check_farmer", "check_game", "check_score"]


@dataclass(frozen=True)
class Defect:
    """A defect in a part or a game."""

    #: The check that found it, such as ``"range"`` or ``"same seed"``; :func:`check_entity` lists them.
    check: str
    #: The part, by its path in the game such as ``Field-0.Slugs-0``; empty for the game as a whole.
    part: str
    #: The variable, action or event.
    variable: str | None
    #: The flat index of the value in the variable.
    entry: int | None
    #: Seed of the episode that shows the defect.
    seed: int | None
    #: Number of steps before the defect.
    step: int | None
    #: The wrong value.
    value: str | None
    #: The problem and its fix.
    message: str
    #: Number of further defects of the same kind.
    more: int
    #: The whole defect on one line.
    text: str


class ConformanceError(AssertionError):
    """A part or a game failed the checks; ``defects`` lists all its defects."""

    def __init__(self, subject: str, defects: Sequence[Defect], farms: Sequence[str]) -> None:
        lines = [f"`{subject}` has {len(defects)} defect{'' if len(defects) == 1 else 's'}:"]
        lines += [f"  {defect.text}" for defect in defects]
        lines += [f"played in {farm}" for farm in farms]
        super().__init__("\n".join(lines))
        self.defects = list(defects)


class CheckArguments(TypedDict, total=False):
    """The optional arguments of :func:`check_entity`, which explains them, and of the checks of other parts."""

    game: str | os.PathLike[str] | None
    draws: bool
    seeds: int
    steps: int
    units: Sequence[str]
    parts: Sequence[type]
    allow_plugins: bool


def _check_part(
    base: type[Part],
    cls: type[Part],
    parameters: Mapping[str, Any] | None,
    *,
    game: str | os.PathLike[str] | None = None,
    draws: bool = False,
    seeds: int = 3,
    steps: int = 60,
    units: Sequence[str] = (),
    parts: Sequence[type] = (),
    allow_plugins: bool = False,
) -> None:
    kind = base.__name__.lower()
    if not isinstance(cls, type) or not issubclass(cls, base):
        raise ConfigError(f"{cls!r} is not a class of the kind {kind}: expected a subclass of `farm_gym.{base.__name__}`")
    path = import_path(cls)
    config = json.dumps({"python": {"class": path, **(parameters or {})}})
    classes = check_classes([cls, *check_classes(parts)])
    host = None if game is None else open_game(game, parts=classes, allow_plugins=allow_plugins).yaml()
    _report(path, _native.check_part(kind, config, host, seeds, steps, list(units), draws, classes, allow_plugins))


@keywords_of(_check_part)
def check_entity(cls: type[Entity], parameters: Mapping[str, Any] | None = None, **arguments: Unpack[CheckArguments]) -> None:
    """Checks an entity written as a Python class.

    In a test, for your own class::

        def test_slugs():
            testing.check_entity(Slugs, {"arrival": 0.9}, draws=True)

    The error message has a line for each defect, with part, variable, seed, step and value::

        ConformanceError: `mypkg.slugs:Slugs` has 1 defect:
          range         Field-0.Slugs-0 `population#nb` entry 3, seed 0, step 1, value 4: outside its declared range 0 to 3

    The check plays the entity with random actions in two farms. One has only the parts that provide the entity's roles; the other has all
    parts that could interact with the entity. It tests these rules: every declaration has a description and a known unit (``documented``).
    Names are unique (``unique``). Numbers are finite (``finite``). Variables stay within their ranges (``range``). Observations are in
    their space (``space``). There are no more events than declared (``events``). The same seed and actions lead to the same episode, even
    after or alongside other episodes, on another thread, and in a reopened game (``same seed``). A saved and restored episode continues
    identically (``snapshot``). Adding an unrelated part changes nothing (``spectator``). There are no exceptions (``panic``).

    Args:
        cls: The class.
        parameters: The constructor's arguments.
        game: A game to play the entity in, in its first field: a name from the catalogue, or a file. None creates suitable farms.
        draws: Whether the entity draws random numbers. If so, at least one seed must change its behaviour (``draws``).
        seeds: Number of episodes.
        steps: Number of steps in each episode.
        units: Symbols that units may contain, in addition to the known ones.
        parts, allow_plugins: The code that ``game`` may run, as for :func:`farm_gym.make`.

    Raises:
        ConformanceError: There are defects, each listed with part, variable, seed, step and value.
        ConfigError: The class is not an entity, or there is no such game.
    """
    _check_part(Entity, cls, parameters, **arguments)


@keywords_of(_check_part)
def check_farmer(cls: type[Farmer], parameters: Mapping[str, Any] | None = None, **arguments: Unpack[CheckArguments]) -> None:
    """Checks a farmer written as a Python class. It replaces all farmers in the game. For arguments and errors, see
    :func:`check_entity`."""
    _check_part(Farmer, cls, parameters, **arguments)


@keywords_of(_check_part)
def check_score(cls: type[Score], parameters: Mapping[str, Any] | None = None, **arguments: Unpack[CheckArguments]) -> None:
    """Checks a score written as a Python class. It replaces the game's own score. For arguments and errors, see :func:`check_entity`."""
    _check_part(Score, cls, parameters, **arguments)


@keywords_of(open_game)
def check_game(
    game: str | os.PathLike[str], *, seeds: int = 3, steps: int = 60, units: Sequence[str] = (), **arguments: Unpack[GameChanges]
) -> None:
    """Checks a game with all its parts against the rules listed in :func:`check_entity`.

    Args:
        game: A name from the catalogue, or the path of a YAML file.
        seeds: Number of episodes.
        steps: Number of steps in each episode.
        units: Symbols that units may contain, in addition to the known ones.
        arguments: The game, as for :func:`farm_gym.make`.

    Raises:
        ConformanceError: There are defects; the message lists all of them.
        ConfigError: The game can't be opened.
    """
    _report(os.fspath(game), _native.check_game(open_game(game, **arguments), seeds, steps, list(units)))


def _report(subject: str, found: tuple[list[dict[str, Any]], list[str]]) -> None:
    defects, farms = found
    if defects:
        raise ConformanceError(subject, [Defect(**defect) for defect in defects], farms)
