"""Opens games."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, TypedDict

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode

from farm_gym import _native
from farm_gym.errors import ConfigError, GameWarning
from farm_gym.parts.loading import check_classes
from farm_gym.parts.modules import import_path
from farm_gym.spaces import from_description

__all__ = [
    "ACTION_VIEWS",
    "CONTEXT_SPLITS",
    "INFOS",
    "Contexts",
    "EnvArguments",
    "GameArguments",
    "GameChanges",
    "OfGame",
    "PictureOptions",
    "VectorArguments",
    "action_masks",
    "action_space",
    "changed",
    "check_choice",
    "check_view",
    "describe",
    "family_of",
    "observation_space",
    "open_game",
    "picture_options",
    "record_dtype",
    "seed_of_index",
    "source_of",
    "view_of",
    "world_of",
]

#: The kinds of info; see :func:`farm_gym.make`.
INFOS = ("learner", "full")

#: The supported forms of actions; see :func:`farm_gym.make`.
ACTION_VIEWS = ("auto", "discrete", "multi_discrete", "multi_binary", "multi_union")


#: The splits of contexts. An environment whose context is a split plays its contexts in turn.
CONTEXT_SPLITS = ("train", "test")


class GameArguments(TypedDict, total=False):
    """The optional arguments that open a game; :func:`farm_gym.make` explains them."""

    preset: str | Sequence[str] | None
    level: str | os.PathLike[str] | None
    context: str | None
    set: Mapping[str, Any] | None
    parts: Sequence[type]
    allow_plugins: bool
    allow_outside_files: bool


class GameChanges(GameArguments, total=False):
    """The same arguments, and the keys of a game file, whose values override those in the file."""

    name: str
    doc: str
    plugins: Sequence[str]
    goal: str
    rules_text: str
    fields: Mapping[str, Any]
    farmers: Any
    rules: Any
    score: Any
    interaction_mode: str
    policies: Mapping[str, Any]
    presets: Mapping[str, Any]
    monitoring: Sequence[Any]


class EnvArguments(GameChanges, total=False):
    """All optional arguments of :func:`farm_gym.make`, which explains them."""

    actions: str
    render_mode: str | None
    render_view: str | None
    render_options: PictureOptions | None
    info: str
    scores: bool


class VectorArguments(EnvArguments, total=False):
    """All optional arguments of :class:`farm_gym.FarmVectorEnv`, which explains them."""

    num_threads: int | None
    autoreset_mode: AutoresetMode | str
    copy: bool
    action_masks: bool


def open_game(
    game: str | os.PathLike[str] | _native.Game,
    *,
    preset: str | Sequence[str] | None = None,
    level: str | os.PathLike[str] | None = None,
    context: str | None = None,
    set: Mapping[str, Any] | None = None,
    parts: Sequence[type] = (),
    allow_plugins: bool = False,
    allow_outside_files: bool = False,
    **overrides: Any,
) -> _native.Game:
    """Compiles a game. Accepts the same arguments as :func:`farm_gym.make`. A split as the context is its first context.

    Raises:
        ConfigError: The game has problems, each listed with line, value, expected value and fix.
    """
    if isinstance(game, _native.Game):
        if preset is None and level is None and context is None and not set and not overrides and not parts:
            return game
        raise ConfigError("this game is compiled: give its name or its file to change it")
    classes: list[type] = []
    changes = [(path, _text(path, value, classes)) for path, value in [*_paths(overrides), *(set or {}).items()]]
    classes = check_classes([*check_classes(parts), *classes])
    level = None if level is None else os.fspath(level)
    preset = preset if preset is None or isinstance(preset, str) else "+".join(preset) or None
    context = f"{context}/0" if context in CONTEXT_SPLITS else context
    opened = _native.Game(os.fspath(game), preset, level, changes, classes, allow_plugins, allow_outside_files, context)
    _tell(opened)
    return opened


class Contexts:
    """The contexts of the split that a source names. Each is compiled when it is first played."""

    def __init__(self, source: dict[str, Any]) -> None:
        first = open_game(**source)
        #: The names, in order.
        self.names = first.contexts(source["context"])
        self._source, self._games = source, {0: first}

    def at(self, seed: int) -> tuple[str, _native.Game]:
        """The name and the game of the context that a seed plays."""
        number = seed % len(self.names)
        if number not in self._games:
            self._games[number] = open_game(**{**self._source, "context": self.names[number]})
        return self.names[number], self._games[number]


def family_of(game: str | os.PathLike[str] | _native.Game, arguments: GameArguments) -> _native.Family | None:
    """The family that a name such as ``backwards_valley@tier=5`` means; None for a game with fixed rules.

    Raises:
        ConfigError: There is no such tier, or a family would be changed.
    """
    if not isinstance(game, str) or not _native.is_family(game):
        return None
    changes = [name for name, value in arguments.items() if value]
    if changes:
        member = f"{game.split('@')[0]}@rules=7"
        raise ConfigError(f"`{game}` has different rules in each world: leave out {changes[0]!r}, or open one member, such as `{member}`")
    return _native.Family(game)


#: The options of :meth:`farm_gym.FarmEnv.reset` that choose a world.
WORLD_OPTIONS = ("split", "index", "tier")


def world_of(options: Mapping[str, Any] | None) -> tuple[dict[str, Any] | None, str | None, int | None, int | None]:
    """Separates ``split``, ``index`` and ``tier`` from the other options for ``reset``, and returns all four. The other options are None if
    there are none, so that the game stays unchanged.

    Raises:
        ConfigError: A value has the wrong type, or there is an index without a split.
    """
    if options is None or not any(name in options for name in WORLD_OPTIONS):
        return None if options is None else dict(options), None, None, None
    rest = {key: value for key, value in options.items() if key not in WORLD_OPTIONS}
    split, index, tier = (options.get(name) for name in WORLD_OPTIONS)
    if split is not None and not isinstance(split, str):
        raise ConfigError(f'the split {split!r} is not a string: "train", "validation" or "test"')
    for name, value in (("index", index), ("tier", tier)):
        if value is not None and (isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 0):
            raise ConfigError(f"the {name} {value!r} is not an integer of at least 0")
    if index is not None and split is None:
        raise ConfigError("`index` is the number of a world in a split: add `split`")
    return rest or None, split, None if index is None else int(index), None if tier is None else int(tier)


def seed_of_index(split: str, index: int) -> int:
    """The seed of a world in a split.

    Raises:
        ConfigError: There is no such split or world.
    """
    first, count = _native.split_seeds(split)
    if index >= count:
        raise ConfigError(f"the split {split!r} has no world {index}: an integer from 0 to {count - 1}")
    return first + index


class OfGame:
    """The warnings and notes that all environments of a game have."""

    game: _native.Game

    @property
    def warnings(self) -> list[str]:
        """Warnings about the game, which is still playable. Each was also issued as a :class:`farm_gym.GameWarning`."""
        return self.game.warnings

    @property
    def notes(self) -> list[str]:
        """Notes on the files that the game's parts have read, one line per file, with its days, location and mean values."""
        return self.game.notes


def source_of(game: str | os.PathLike[str] | _native.Game, arguments: GameArguments) -> dict[str, Any]:
    """All arguments of :func:`open_game`, for :func:`changed`."""
    return {"game": game, "preset": None, "level": None, "context": None, **arguments, "set": dict(arguments.get("set") or {})}


def changed(source: dict[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments after a reset with the options ``level``, ``context``, ``preset`` and ``set``."""
    return {**source, **options, "set": {**source["set"], **options.get("set", {})}}


#: The warnings already issued, by game, so that each appears only once and not for every environment.
_told: set[tuple[str, str]] = set()


def _tell(game: _native.Game) -> None:
    for text in game.warnings:
        if (game.name, text) not in _told:
            _told.add((game.name, text))
            # Points at the line that made the environment.
            warnings.warn(f"{game.name}: {text}", GameWarning, stacklevel=5)


def _text(path: str, value: Any, classes: list[type]) -> str:
    """Converts a value to YAML. Each class in it becomes its import path and is added to ``classes``."""

    def plain(value: Any) -> Any:
        if hasattr(value, "tolist"):
            return value.tolist()
        if isinstance(value, type):
            classes.append(value)
            return import_path(value)
        return os.fspath(value)

    try:
        # JSON is valid YAML, and floats and strings mean the same in both.
        return json.dumps(value, ensure_ascii=False, allow_nan=False, default=plain)
    except (TypeError, ValueError) as error:
        raise ConfigError(f"{path}: {value!r} can't be written as YAML: {error}") from None


def _paths(overrides: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """Flattens nested dictionaries to paths: ``rules={"BasicRule": {"max_steps": 9}}`` becomes ``rules.BasicRule.max_steps``."""
    for key, value in overrides.items():
        path = f"{above}{key}"
        if isinstance(value, Mapping) and value:
            yield from _paths(value, f"{path}.")
        else:
            yield path, value


def observation_space(game: _native.Game) -> gymnasium.spaces.Dict:
    """The space of one observation."""
    layout = {entry["key"]: np.dtype(entry["dtype"]) for entry in game.layout()["entries"]}
    description = json.loads(game.space("observation"))
    entries = description["of"].items() if isinstance(description["of"], dict) else description["of"]
    # A list keeps the order of the entries.
    return gymnasium.spaces.Dict([(key, from_description(one, layout[key])) for key, one in entries])


def record_dtype(game: _native.Game) -> np.dtype[np.void]:
    """The structured type of one observation record, with a field for each entry."""
    layout = game.layout()
    entries = layout["entries"]
    return np.dtype(
        {
            "names": [entry["key"] for entry in entries],
            "formats": [(np.dtype(entry["dtype"]), tuple(entry["shape"])) for entry in entries],
            "offsets": [entry["offset"] for entry in entries],
            "itemsize": layout["size"],
        }
    )


def action_space(game: _native.Game, actions: str) -> tuple[str, gymnasium.Space[Any]]:
    """The name of the action view for this game, and its space.

    Raises:
        ConfigError: There is no such view.
    """
    if actions not in ACTION_VIEWS:
        raise ConfigError(f"there is no action view {actions!r}: one of {', '.join(ACTION_VIEWS)}")
    if actions == "auto":
        actions = "discrete" if game.is_discrete and game.max_schedule == 1 else "multi_union"
    name = "action" if actions == "multi_union" else actions
    return actions, from_description(json.loads(game.space(name)))


def action_masks(game: _native.Game, mask: npt.NDArray[np.int8], view: str) -> npt.NDArray[np.bool_]:
    """Adapts a mask over the flat list to an action view: for ``multi_discrete``, it is repeated for each slot."""
    allowed = mask.astype(np.bool_)
    return np.tile(allowed, game.max_schedule) if view == "multi_discrete" else allowed


def check_view(view: str) -> str:
    """Checks what pictures show: ``"everything"`` or ``"learner"``.

    Raises:
        ConfigError: The value is neither.
    """
    if view not in ("everything", "learner"):
        raise ConfigError(f"there is no view {view!r} of a farm: everything, learner")
    return view


def view_of(game: _native.Game, view: str | None) -> str:
    """What a game's pictures show. None means ``"learner"`` if the game hides part of the map, otherwise ``"everything"``.

    Raises:
        ConfigError: There is no such view.
    """
    if view is None:
        return "learner" if game.has_limited_view else "everything"
    return check_view(view)


class PictureOptions(TypedDict, total=False):
    """The content and size of pictures, as for ``farm render``. All keys are optional."""

    #: The picture is as large as fits: ``"720p"``, ``"1080p"``, ``"1440p"``, ``"2160p"``, ``"800x600"``, or ``(800, 600)``, in pixels;
    #: a legend adds to the height.
    size: str | tuple[int, int] | None
    #: A factor from 0.25 to 8, instead of a size.
    scale: float | None
    #: The symbols explained below the fields: ``"none"`` (default), only those ``"used"`` in the picture, or ``"all"``. With ``"used"``,
    #: the height varies from picture to picture.
    legend: Literal["none", "used", "all"]
    #: Whether a chart of the season so far appears below the fields, in pictures that show everything (default: no).
    season: bool


def picture_options(view: str, options: Mapping[str, Any]) -> _native.PictureOptions:
    """Checks the view and the options for pictures.

    Raises:
        ConfigError: There is no such option, view, size, scale or legend.
    """
    known = PictureOptions.__annotations__
    unknown = [name for name in options if name not in known]
    if unknown:
        raise ConfigError(f"pictures have no option {unknown[0]!r}: {', '.join(known)}")
    given: dict[str, Any] = dict(options)
    size = given.get("size")
    if isinstance(size, (tuple, list)):
        given["size"] = "x".join(str(edge) for edge in size)
    try:
        return _native.PictureOptions(check_view(view) == "learner", **given)
    except TypeError as error:
        raise ConfigError(f"the options of pictures {dict(options)!r}: {error}") from None


def describe(env: Any, observation: gymnasium.Space[Any], action: gymnasium.Space[Any]) -> str:
    """Describes an environment in one line: class, game, preset, level, mode, spaces."""
    played = {name: value for name, value in env._source.items() if name in ("preset", "level", "context") and value is not None}
    words = [f"{name}={os.fspath(value)}" for name, value in played.items()]
    return " ".join(
        [
            f"{type(env).__name__} {env.game.name if env._family is None else env._family.name}",
            *words,
            f"mode={env.game.interaction_mode}",
            f"observation={_brief(observation)}",
            f"action={_brief(action)}",
        ]
    )


def _brief(space: gymnasium.Space[Any]) -> str:
    """Describes a space briefly, without its bounds: its type, and its size, number of entries or shape."""
    kind = type(space).__name__
    if isinstance(space, gymnasium.spaces.Discrete):
        return f"{kind}({space.n})"
    if isinstance(space, (gymnasium.spaces.Dict, gymnasium.spaces.Tuple)):
        return f"{kind}({len(space)} entries)"
    return f"{kind}{space.shape}" if space.shape is not None else kind


def check_choice(what: str, found: str, known: Sequence[str]) -> None:
    """Checks an argument that is one of several words.

    Raises:
        ConfigError: It is another word.
    """
    if found not in known:
        raise ConfigError(f"there is no {what} {found!r}: {', '.join(known)}")
