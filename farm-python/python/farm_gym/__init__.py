"""Farm games for reinforcement learning on one deterministic Rust engine.

Open a game and play it through Gymnasium's interface:

>>> import farm_gym
>>> env = farm_gym.make("backwards_valley")
>>> observation, info = env.reset(seed=42)
>>> action = env.action_space.sample(info["action_mask"])
>>> observation, reward, terminated, truncated, info = env.step(action)
>>> env
<FarmEnv backwards_valley mode=pomdp observation=Dict(5 entries) action=Discrete(11)>

Task                                 how
===================================  ===========================================================================================
list the games                       ``farm_gym.games()``
open a game, by name or file         ``farm_gym.make("clay_bean", preset="4x3")``, or ``gymnasium.make("farm_gym/ClayBean-v1")``
change a game                        ``farm_gym.make("clay_bean", set={"rules.BasicRule.max_steps": 30})``
open many that step together         ``farm_gym.make_vec("clay_bean", 64)``
look up an action or a key           ``env.action_names``, ``print(env.farm)``, ``env.observation_space``
adapt it to a learner                ``farm_gym.wrappers``: vectors, numbered actions, masks
see an episode                       ``render_mode="human"``, ``generate_gif``, ``generate_video``, ``generate_report``
record variables                     ``env.add_monitoring()``
inspect your weather file            ``farm_gym.weather("station.csv")``
try actions, or plan                 ``env.rollout_many(actions)``, ``farm_gym.plan(env, budget=64)``
write a part of a game               ``farm_gym.Entity``, ``Farmer``, ``Rule``, ``Score``, ``Policy``; the ``help`` of each has an example
test a part                          ``farm_gym.testing.check_entity(MyEntity)``
load third-party parts               ``farm_gym.load_plugin(path)``
===================================  ===========================================================================================

Every error is a :class:`FarmError`.
"""

from __future__ import annotations

import sys

if sys.version_info < (3, 10):  # noqa: UP036
    raise ImportError(f"farm_gym needs Python 3.10 or newer; this is {sys.version.split()[0]}")

import os
from collections.abc import Mapping, Sequence
from typing import Any

from farm_gym import _native, errors, films, parts, reports, spaces, testing, wrappers
from farm_gym._native import __version__
from farm_gym.env import FarmEnv
from farm_gym.errors import (
    ActionError,
    ConfigError,
    FarmError,
    GameWarning,
    OutputError,
    PartError,
    PartWarning,
    SlowPartWarning,
    StateError,
)
from farm_gym.films import Film, generate_gif, generate_video, save_film
from farm_gym.game import PictureOptions
from farm_gym.notebooks import Catalogue
from farm_gym.parts import Attempt, Builder, Context, Entity, Farmer, GameInfo, Picture, Policy, Rule, Score, Stream, Tile
from farm_gym.planning import Plan, plan
from farm_gym.registration import register_all
from farm_gym.reports import Report, generate_report
from farm_gym.stations import WeatherFile, weather
from farm_gym.vector import FarmVectorEnv

__all__ = [
    "ActionError",
    "Attempt",
    "Builder",
    "ConfigError",
    "Context",
    "Entity",
    "FarmEnv",
    "FarmError",
    "FarmVectorEnv",
    "Farmer",
    "Film",
    "GameInfo",
    "GameWarning",
    "OutputError",
    "PartError",
    "PartWarning",
    "Picture",
    "PictureOptions",
    "Plan",
    "Policy",
    "Report",
    "Rule",
    "Score",
    "SlowPartWarning",
    "StateError",
    "Stream",
    "Tile",
    "WeatherFile",
    "__version__",
    "errors",
    "films",
    "games",
    "generate_gif",
    "generate_report",
    "generate_video",
    "load_plugin",
    "make",
    "make_vec",
    "parts",
    "plan",
    "plugins",
    "reports",
    "save_film",
    "spaces",
    "testing",
    "weather",
    "wrappers",
]


def __dir__() -> list[str]:
    """The public names, without this module's imports."""
    return sorted(__all__)


def games() -> dict[str, dict[str, Any]]:
    """The games in the catalogue by name, each with its description (``doc``), ``version``, the names of its ``former`` versions,
    ``family``, ``presets`` and ``max_steps``.

    ``max_steps`` is the maximum number of ``step`` calls in an episode: all steps of all days.

    A version never changes: it plays the same bytes for ever. Results from different versions are not comparable. ``clay_bean`` is the
    newest version of that game; ``clay_bean-v0`` is the first one.

    Gymnasium's ``spec.max_episode_steps`` is None, because the games end by themselves. They distinguish a limit that is part of the game
    (terminated) from one that cuts it off (truncated), which the wrapper ``TimeLimit`` can't do.

    Notebooks show the games as a table.

    >>> import farm_gym
    >>> farm_gym.games()["backwards_valley"]["max_steps"]
    40
    """
    return Catalogue(_native.catalogue())


def load_plugin(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Loads a plugin: a third-party library of entities, farmers, rules, scores or policies, which games use like built-in ones.

    **A plugin runs with all the rights of this process: load only code that you trust.** A game file that names plugins is therefore
    rejected by default. It is accepted if this function has already loaded the plugins, if the game is made with ``allow_plugins=True``, or
    if the environment variable ``FARM_GYM_ALLOW_PLUGINS`` is ``1``. The environment variable ``FARM_GYM_PLUGINS`` (paths, separated as in
    ``PATH``) loads plugins when this package is imported, also in the processes of a vector environment.

    The library must be built with the same compiler and the same engine as this package. Any other library is rejected before its code
    runs. Calling this function again with the same library does not load it again, and a library is never unloaded.

    Args:
        path: The library, or its path without the system's prefix and ending: ``target/release/my_crate``.

    Returns:
        Its ``name``, ``version``, ``path`` and ``kinds``.

    Raises:
        ConfigError: The plugin is rejected; the message gives the reason and the fix.
    """
    return _native.load_plugin(os.fspath(path))


def plugins() -> dict[str, dict[str, Any]]:
    """The loaded plugins: name → name, version, path, kinds."""
    return _native.plugins()


def make(
    game: str | os.PathLike[str],
    *,
    preset: str | Sequence[str] | None = None,
    level: str | os.PathLike[str] | None = None,
    set: Mapping[str, Any] | None = None,
    actions: str = "auto",
    render_mode: str | None = None,
    render_view: str | None = None,
    render_options: PictureOptions | None = None,
    info: str = "learner",
    parts: Sequence[type] = (),
    allow_plugins: bool = False,
    allow_outside_files: bool = False,
    **overrides: Any,
) -> FarmEnv:
    """Opens a game.

    >>> import farm_gym
    >>> env = farm_gym.make("clay_bean", preset="4x3", interaction_mode="aomdp")
    >>> observation, info = env.reset(seed=0)

    Args:
        game: A name from the catalogue (:func:`games`), or the path of a YAML file. ``clay_bean-v0`` names a version; ``clay_bean`` is the
            newest one. A file has this project's format, or that of the public Farm-gym reference.
        preset: One of the game's named variants, or several, applied in the given order: ``["one", "other"]`` or ``"one+other"``.
        level: A level to start from, by name (``test/01``) or file.
        set: Values by path, the same as for ``farm run --set``: ``{"fields.Field-0.shape.length#nb": 4}``; ``LIST.+`` adds to a list. You
            can pass a class instead of its import path: ``{"score": {"python": MyScore}}``,
            ``{"score": {"python": {"class": MyScore, "price": 2}}}``.
        actions: The form of actions. ``"discrete"``: an id in the flat list. ``"multi_discrete"``: one id for each slot of a schedule.
            ``"multi_binary"``: one bit for each action in the flat list; actions beyond the length of a schedule are not executed. A
            learner that starts with random bits, such as PPO, loses most of its actions this way: if the list is long, as in ``full_farm``
            with preset ``4x3``, it does not learn. ``"multi_union"``: the paper's space, a set of base actions with their parameters.
            ``"auto"``: ``"discrete"`` if the flat list has every action and a step takes one, otherwise ``"multi_union"``.
        render_mode: ``"ansi"`` for text, ``"rgb_array"`` for pictures, ``"human"`` for a window that ``reset`` and ``step`` keep up to
            date (``pip install "farm-gym[human]"``).
        render_view: What pictures show. ``"everything"``: the whole farm, as in the paper. ``"learner"``: the observations that are
            free of charge; variables that the rules hide are left out, and a veil covers the map beyond the farmer's window. None:
            ``"learner"`` if the game has such a window, so that a policy that learns from pictures sees no more than others;
            ``"everything"`` in all other games.
        render_options: The content and size of pictures: a dictionary with ``size`` (``"720p"``, ``"800x600"``, ``(800, 600)``: as large as
            fits), ``scale`` (a factor from 0.25 to 8), ``legend`` (``"none"``, ``"used"`` or ``"all"``) and ``season`` (whether pictures
            have a season chart below the farm).
        info: ``"learner"``, or ``"full"``, which adds ``events`` and ``constraints``, although a game may conceal them from learners.
        parts: Classes that the game file may name, by import path (``mypkg.slugs:Slugs``) or by class name (``Slugs``).
        allow_plugins: Whether the game may run the code that its file names: Python classes (``python: module:Class``) and plugins
            (``plugins:``). **The code runs with all the rights of this process: allow it only for files that you trust.** Otherwise such a
            game is rejected before anything is imported, unless the environment variable ``FARM_GYM_ALLOW_PLUGINS`` is ``1``.
        allow_outside_files: Whether the game may read files outside its own folder, for games that you trust. The environment
            variable ``FARM_GYM_ALLOW_OUTSIDE_FILES=1`` allows it for all games.
        overrides: Values of the game's YAML, nested: ``rules={"BasicRule": {"max_steps": 100}}``.

    Returns:
        The environment, without wrappers; ``gymnasium.make("farm_gym/ClayBean-v1", …)`` takes the same arguments and adds
        Gymnasium's.

    Raises:
        ConfigError: The game has problems, each listed with line, value, expectation and fix; or there is no display for a window.
        PartError: A part written in Python failed while it computed costs or permissions.
    """
    return FarmEnv(
        game,
        preset=preset,
        level=level,
        set=set,
        actions=actions,
        render_mode=render_mode,
        render_view=render_view,
        render_options=render_options,
        info=info,
        parts=parts,
        allow_plugins=allow_plugins,
        allow_outside_files=allow_outside_files,
        **overrides,
    )


def make_vec(game: str | os.PathLike[str], num_envs: int = 1, *, num_threads: int | None = None, **arguments: Any) -> FarmVectorEnv:
    """Opens many environments of a game that step together.

    >>> import farm_gym
    >>> envs = farm_gym.make_vec("backwards_valley", 4, num_threads=1)
    >>> observations, infos = envs.reset(seed=0)
    >>> observations["grid"].shape
    (4, 5, 5, 2)

    Args:
        game: The same as for :func:`make`.
        num_envs: Number of environments.
        num_threads: Number of threads that step them; None for one per CPU core.
        arguments: The arguments of :class:`farm_gym.FarmVectorEnv`: those of :func:`make` (the render modes are ``ansi`` and ``rgb_array``,
            for which ``render`` returns a tuple), and ``autoreset_mode``, ``copy`` and ``action_masks``.

    Raises:
        ConfigError: The game or the arguments have problems; the message lists all of them.
    """
    return FarmVectorEnv(game, num_envs, num_threads=num_threads, **arguments)


_native.load_plugins_of_environment()
register_all()
