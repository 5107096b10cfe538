"""Farm games for reinforcement learning, powered by a deterministic Rust engine.

Open a game and play it through the Gymnasium interface:

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
open a game, by name or file         ``farm_gym.make("clay_bean", preset="4x3")``, or ``gymnasium.make("farm_gym/ClayBean-v2")``
change a game                        ``farm_gym.make("clay_bean", set={"rules.BasicRule.max_steps": 30})``
open many environments at once       ``farm_gym.make_vec("clay_bean", 64)``
look up an action or a key           ``env.action_names``, ``print(env.farm)``, ``env.observation_space``
adapt it to a learner                ``farm_gym.wrappers``: vectors, numbered actions, masks
see an episode                       ``render_mode="human"``, ``generate_gif``, ``generate_video``, ``generate_report``
record variables                     ``env.add_monitoring()``
watch episodes with your own code    ``farm_gym.Observer``
inspect your weather file            ``farm_gym.weather("station.csv")``
compare with field trials            ``farm_gym.trials("trials")``
try actions, or plan                 ``env.rollout_many(actions)``, ``farm_gym.plan(env, budget=64)``
write a part of a game               ``farm_gym.Entity``, ``Farmer``, ``Rule``, ``Score``, ``Policy``; each has an example in its ``help``
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
from farm_gym.experiments import trials
from farm_gym.films import Film, generate_gif, generate_video, save_film
from farm_gym.game import EnvArguments, PictureOptions, VectorArguments, open_game
from farm_gym.notebooks import Catalogue
from farm_gym.observers import Observer
from farm_gym.parts import (
    Attempt,
    Builder,
    Context,
    Declarations,
    Entity,
    Farmer,
    Found,
    GameInfo,
    Picture,
    Policy,
    Rule,
    Score,
    Stream,
    Tile,
)
from farm_gym.planning import Plan, plan
from farm_gym.registration import register_all
from farm_gym.reports import Report, generate_report
from farm_gym.signatures import Unpack, keywords_of
from farm_gym.stations import WeatherFile, weather
from farm_gym.vector import FarmVectorEnv

__all__ = [
    "ActionError",
    "Attempt",
    "Builder",
    "ConfigError",
    "Context",
    "Declarations",
    "Entity",
    "FarmEnv",
    "FarmError",
    "FarmVectorEnv",
    "Farmer",
    "Film",
    "Found",
    "GameInfo",
    "GameWarning",
    "Observer",
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
    "contexts",
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
    "trials",
    "weather",
    "wrappers",
]


def __dir__() -> list[str]:
    """The public names, without this module's imports."""
    return sorted(__all__)


def games() -> dict[str, dict[str, Any]]:
    """The games in the catalogue, keyed by name. Each entry has the game's description (``doc``), ``version``, ``former`` versions (names),
    ``family``, ``presets`` and ``max_steps``.

    ``max_steps`` is the maximum number of ``step`` calls in an episode, over all days.

    A version never changes: its episodes stay identical, byte for byte. Results from different versions are not comparable. ``clay_bean``
    is the newest version of that game; ``clay_bean-v0`` is the first one.

    Gymnasium's ``spec.max_episode_steps`` is None, because the games end their own episodes. A step limit can be part of the game
    (terminated) or cut the episode off (truncated). The ``TimeLimit`` wrapper can't make this distinction.

    Notebooks display the result as a table.

    >>> import farm_gym
    >>> farm_gym.games()["backwards_valley"]["max_steps"]
    40
    """
    return Catalogue(_native.catalogue())


def contexts(game: str | os.PathLike[str], split: str | None = None) -> list[str]:
    """The names of a game's contexts, in order: changed climates, soils and prices. ``split`` is ``"train"``, ``"test"`` or None for both.

    >>> import farm_gym
    >>> farm_gym.contexts("clay_bean", split="train")[1]
    'home/rich/high'

    Raises:
        ConfigError: The game has problems.
    """
    return open_game(game).contexts(split)


def load_plugin(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Loads a plugin: a third-party library of entities, farmers, rules, scores or policies, which games can use like built-in ones.

    **A plugin runs with all the permissions of this process: load only code that you trust.** A game file that names plugins is therefore
    rejected by default. The file is accepted if this function has already loaded the plugins, if you pass ``allow_plugins=True``, or if the
    environment variable ``FARM_GYM_ALLOW_PLUGINS`` is ``1``. Importing this package loads all plugins listed in the environment variable
    ``FARM_GYM_PLUGINS`` (paths, separated as in ``PATH``). Worker processes of a vector environment load them in the same way.

    The library must be built with the same compiler and the same engine as this package. Any other library is rejected before its code
    runs. A second call with the same library does not load it again. Libraries are never unloaded.

    Args:
        path: The library's path. You can omit the platform's prefix and extension: ``target/release/my_crate``.

    Returns:
        The plugin's ``name``, ``version``, ``path`` and ``kinds``.

    Raises:
        ConfigError: The plugin is rejected. The message explains the reason and the fix.
    """
    return _native.load_plugin(os.fspath(path))


def plugins() -> dict[str, dict[str, Any]]:
    """The loaded plugins by name, each with its name, version, path and kinds."""
    return _native.plugins()


@keywords_of(FarmEnv)
def make(game: str | os.PathLike[str], **arguments: Unpack[EnvArguments]) -> FarmEnv:
    """Opens a game.

    >>> import farm_gym
    >>> env = farm_gym.make("clay_bean", preset="4x3", interaction_mode="aomdp")
    >>> observation, info = env.reset(seed=0)

    Args:
        game: A name from the catalogue (:func:`games`), or the path of a YAML file. ``clay_bean-v0`` names a version; ``clay_bean`` is the
            newest version. The file can use this project's format or the format of the public Farm-gym reference. A family on a tier, such
            as ``backwards_valley@tier=5``, draws rules and map together at each reset (:class:`FarmEnv`).
        preset: One or more of the game's named variants, applied in the given order: ``["one", "other"]`` or ``"one+other"``.
        level: A level to start from, by name (``test/01``) or file.
        context: A context by name (``warmer_1/rich/low``) or number (``train/3``), from :func:`contexts`. ``"train"`` or ``"test"`` plays
            all contexts of a split: the seed of each reset chooses one, which ``info["context"]`` names.
        set: Values by path, as for ``farm run --set``: ``{"fields.Field-0.shape.length#nb": 4}``. ``LIST.+`` appends to a list. You can
            pass a class instead of its import path: ``{"score": {"python": MyScore}}``,
            ``{"score": {"python": {"class": MyScore, "price": 2}}}``.
        actions: The form of actions. ``"discrete"``: an id in the flat list. ``"multi_discrete"``: one id for each slot of a schedule.
            ``"multi_binary"``: one bit for each action in the flat list; actions beyond the length of a schedule are not executed. Avoid
            this form for learners that start with random bits, such as PPO: most of their actions are dropped. With a long list, as in
            ``full_farm`` with preset ``4x3``, PPO does not learn. ``"multi_union"``: the paper's space, a set of base actions with their
            parameters. ``"auto"``: ``"discrete"`` if the flat list contains every action and each step takes one action, otherwise
            ``"multi_union"``.
        render_mode: ``"ansi"`` for text, ``"rgb_array"`` for pictures, ``"human"`` for a window that ``reset``, ``step`` and ``restore`` keep
            up to date (``pip install "farm-gym[human]"``).
        render_view: What pictures show. ``"everything"``: the whole farm, as in the paper. ``"learner"``: only the free observations,
            without the variables that the rules hide; a veil covers the map beyond the farmer's window. None: ``"learner"`` if the game has
            such a window, otherwise ``"everything"``. Learning from pictures therefore reveals no more of the map than learning from
            observations.
        render_options: A dictionary that sets the content and size of pictures. ``size`` is the maximum size (``"720p"``, ``"800x600"``,
            ``(800, 600)``), and ``scale`` is a factor from 0.25 to 8. ``legend`` is ``"none"``, ``"used"`` or ``"all"``, and ``season``
            sets whether pictures have a season chart below the farm.
        info: ``"learner"`` or ``"full"``. ``"full"`` adds ``events`` and ``constraints``, which a game may conceal from learners.
        scores: In a family, whether the info at the end of an episode has its score. A planner computes the best return of each new world,
            which takes longer than the episode.
        parts: Classes that the game file may name, by import path (``mypkg.slugs:Slugs``) or by class name (``Slugs``).
        allow_plugins: Whether the game may run the code that its file names: Python classes (``python: module:Class``) and plugins
            (``plugins:``). **The code runs with all the permissions of this process: allow it only for files that you trust.** By default,
            such a game is rejected before anything is imported. The environment variable ``FARM_GYM_ALLOW_PLUGINS=1`` allows it for all
            games.
        allow_outside_files: Whether the game may read files outside its own folder. Allow this only for games that you trust. The
            environment variable ``FARM_GYM_ALLOW_OUTSIDE_FILES=1`` allows it for all games.
        overrides: Nested values that override the game's YAML: ``rules={"BasicRule": {"max_steps": 100}}``.

    Returns:
        The environment, without wrappers. ``gymnasium.make("farm_gym/ClayBean-v2", …)`` accepts the same arguments and adds Gymnasium's
        wrappers.

    Raises:
        ConfigError: The game has problems, or there is no display for a window. Each problem is listed with line, value, expected value and
            fix.
        PartError: A part written in Python failed while computing costs or permissions.
    """
    return FarmEnv(game, **arguments)


@keywords_of(FarmVectorEnv)
def make_vec(game: str | os.PathLike[str], num_envs: int = 1, **arguments: Unpack[VectorArguments]) -> FarmVectorEnv:
    """Creates a vector environment: many environments of one game, which step together.

    >>> import farm_gym
    >>> envs = farm_gym.make_vec("backwards_valley", 4, num_threads=1)
    >>> observations, infos = envs.reset(seed=0)
    >>> observations["grid"].shape
    (4, 5, 5, 2)

    Args:
        game: The same as for :func:`make`.
        num_envs: Number of environments.
        arguments: Further arguments of :class:`farm_gym.FarmVectorEnv`: those of :func:`make`, plus ``num_threads``, ``autoreset_mode``,
            ``copy`` and ``action_masks``. By default, ``scores`` is False. The render modes are ``ansi`` and ``rgb_array``; ``render`` returns a tuple.

    Raises:
        ConfigError: The game or the arguments have problems; the message lists all of them.
    """
    return FarmVectorEnv(game, num_envs, **arguments)


_native.load_plugins_of_environment()
register_all()
