"""Training jobs: a game with its wrappers, an algorithm and its hyper-parameters."""

from __future__ import annotations

import importlib.util
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

import gymnasium
from gymnasium.vector import AutoresetMode

from farm_gym import _native
from farm_gym.env import FarmEnv
from farm_gym.errors import ConfigError
from farm_gym.playing import farm_of
from farm_gym.vector import FarmVectorEnv
from farm_gym.wrappers import (
    ActHere,
    EffectMasks,
    Errands,
    FlatObservations,
    LastTaken,
    MapMemory,
    PassDays,
    PotentialShaping,
    StandingCrop,
    StandingOrders,
    VectorActHere,
    VectorEffectMasks,
    VectorErrands,
    VectorFlatObservations,
    VectorLastTaken,
    VectorMapMemory,
    VectorPassDays,
    VectorPotentialShaping,
    VectorStandingOrders,
    Worth,
    farm_orders,
)
from farm_gym.wrappers.batches import farms_of
from farm_gym.wrappers.errands import is_on_foot
from farm_gym.wrappers.names import nearest

__all__ = ["ALGORITHMS", "Job", "Wrappers", "job", "need", "quick_changes", "quick_games", "usual_wrappers"]

#: The algorithms, and the packages that each needs.
ALGORITHMS: dict[str, tuple[str, ...]] = {
    "ppo": ("torch",),
    "dqn": ("torch", "stable_baselines3"),
    "recurrent-ppo": ("torch", "stable_baselines3", "sb3_contrib"),
    "maskable-ppo": ("torch", "stable_baselines3", "sb3_contrib"),
}

#: The file with the hyper-parameters for each algorithm and game, next to this one.
FILE = "hyperparameters.toml"


def need(packages: Sequence[str], what: str, extra: str) -> None:
    """Checks that packages are installed.

    Raises:
        ConfigError: A required package is missing. The message names the ``farm_gym`` extra that installs it.
    """
    missing = [package for package in packages if importlib.util.find_spec(package) is None]
    if missing:
        names = " and ".join(missing)
        raise ConfigError(f'{what} needs {names}, which is not installed: pip install "farm-gym[{extra}]"')


@dataclass(frozen=True)
class Wrappers:
    """The wrappers that help learning; see :mod:`farm_gym.wrappers`."""

    #: Maximum number of days until the next decision; 0 for a decision in each step.
    pass_days: int = 0
    #: The observation keys whose change ends the wait; None means all categories.
    watch: tuple[str, ...] | None = None
    #: The observed numbers whose change ends the wait, each with its minimum change.
    changes: Mapping[str, float] = field(default_factory=dict)
    #: How far the remembered map reaches around the farmer; 0 for no map.
    map_memory: int = 0
    #: Search distance for the nearest remembered place of each kind; 0 for no search.
    nearest: int = 0
    #: Maximum of the entry with the steps since each action was taken; 0 for no such entry.
    last_taken: int = 0
    #: The worth of a ripe plot in the potential of :class:`farm_gym.wrappers.StandingCrop`; 0 for unchanged rewards.
    standing_crop: float = 0.0
    #: The worth of observed numbers in the potential of :class:`farm_gym.wrappers.Worth`, by keys of observations.
    worth: Mapping[str, Any] = field(default_factory=dict)
    #: Whether actions that would change nothing are masked: :class:`farm_gym.wrappers.EffectMasks`.
    effect_masks: bool = False
    #: Whether actions apply only to the farmer's own plot: :class:`farm_gym.wrappers.ActHere`.
    act_here: bool = False
    #: Whether the learner only starts and ends the orders from :func:`farm_gym.wrappers.farm_orders`.
    standing_orders: bool = False
    #: Number of sowing dates to choose from: see :func:`farm_gym.wrappers.farm_orders`.
    sowing_dates: int = 0
    #: The probability that a group of orders starts at random, in half of the training episodes: see
    #: :class:`farm_gym.wrappers.VectorStandingOrders`.
    explore_orders: float = 0.0


@dataclass(frozen=True)
class Job:
    """A training job."""

    game: str
    algo: str
    seed: int
    preset: str | None
    set: Mapping[str, Any]
    wrappers: Wrappers
    #: The arguments of :class:`farm_gym.train.ppo.Settings`, or of the library's class.
    hyperparameters: Mapping[str, Any]
    allow_plugins: bool = False

    @property
    def name(self) -> str:
        """The learner's name in tables: the algorithm, plus `orders` or `days` if it uses these wrappers."""
        return self.algo + (" + orders" if self.wrappers.standing_orders else " + days" if self.wrappers.pass_days else "")

    def arguments(self) -> dict[str, Any]:
        """The arguments of :func:`farm_gym.make` that open the game."""
        return {"preset": self.preset, "set": dict(self.set), "actions": "discrete", "allow_plugins": self.allow_plugins}

    def described(self) -> dict[str, Any]:
        """The settings that another run in the same folder must share with this one."""
        described: dict[str, Any] = json.loads(json.dumps(asdict(self)))
        return described

    def environment(self, gamma: float) -> gymnasium.Env[Any, Any]:
        """One wrapped environment, with vectors as observations and numbered actions."""
        env: gymnasium.Env[Any, Any] = FarmEnv(self.game, **self.arguments())
        wrappers = self.wrappers
        if wrappers.effect_masks:
            env = EffectMasks(env)
        if wrappers.map_memory:
            env = MapMemory(env, wrappers.map_memory, wrappers.nearest)
        if wrappers.act_here:
            env = ActHere(env)
        if wrappers.last_taken:
            env = LastTaken(env, wrappers.last_taken)
        if wrappers.standing_crop:
            env = PotentialShaping(env, StandingCrop(env.observation_space, wrappers.standing_crop), gamma)
        if wrappers.standing_orders:
            orders = farm_orders(farm_of(env).game, wrappers.sowing_dates)
            env = Errands(env, orders) if is_on_foot(env.observation_space) else StandingOrders(env, orders, alone=True)
        if wrappers.worth:
            env = PotentialShaping(env, Worth(env.observation_space, wrappers.worth), gamma)
        if wrappers.pass_days:
            env = PassDays(env, wrappers.pass_days, wrappers.watch, wrappers.changes)
        return FlatObservations(env)

    def environments(
        self, count: int, mode: AutoresetMode, gamma: float, explore: bool = False
    ) -> gymnasium.vector.VectorEnv[Any, Any, Any]:
        """A vector environment of such environments on one thread, with masks. With `explore`, they explore for training."""
        envs: gymnasium.vector.VectorEnv[Any, Any, Any] = FarmVectorEnv(
            self.game, count, num_threads=1, autoreset_mode=mode, action_masks=True, **self.arguments()
        )
        wrappers = self.wrappers
        if wrappers.effect_masks:
            envs = VectorEffectMasks(envs)
        if wrappers.map_memory:
            envs = VectorMapMemory(envs, wrappers.map_memory, wrappers.nearest)
        if wrappers.act_here:
            envs = VectorActHere(envs)
        if wrappers.last_taken:
            envs = VectorLastTaken(envs, wrappers.last_taken)
        if wrappers.standing_crop:
            envs = VectorPotentialShaping(envs, StandingCrop(envs.single_observation_space, wrappers.standing_crop), gamma)
        if wrappers.standing_orders:
            explored = wrappers.explore_orders if explore else 0.0
            orders = farm_orders(farms_of(envs).game, wrappers.sowing_dates)
            on_foot = is_on_foot(envs.single_observation_space)
            envs = VectorErrands(envs, orders, explored) if on_foot else VectorStandingOrders(envs, orders, True, explored)
        if wrappers.worth:
            envs = VectorPotentialShaping(envs, Worth(envs.single_observation_space, wrappers.worth), gamma)
        if wrappers.pass_days:
            envs = VectorPassDays(envs, wrappers.pass_days, wrappers.watch, wrappers.changes)
        return VectorFlatObservations(envs)


def _tables() -> dict[str, Any]:
    try:
        import tomllib
    except ImportError:
        import tomli as tomllib  # type: ignore[no-redef,unused-ignore]
    tables: dict[str, Any] = tomllib.loads(resources.files("farm_gym.train").joinpath(FILE).read_text(encoding="utf-8"))
    return tables


def job(
    game: str | os.PathLike[str],
    algo: str,
    *,
    seed: int = 0,
    preset: str | None = None,
    set: Mapping[str, Any] | None = None,
    wrappers: Mapping[str, Any] | None = None,
    hyperparameters: Mapping[str, Any] | None = None,
    allow_plugins: bool = False,
) -> Job:
    """A training job with the package's hyper-parameters for this algorithm and game, plus the given changes.

    Args:
        game, preset, set, allow_plugins: The game, as for :func:`farm_gym.make`.
        algo: An algorithm from :data:`ALGORITHMS`.
        seed: Seed for the training.
        wrappers: Changes to :class:`Wrappers`, by name.
        hyperparameters: Changes to the hyper-parameters, by name.

    Raises:
        ConfigError: There is no such game, algorithm or name, or a package is missing.
    """
    if algo not in ALGORITHMS:
        raise ConfigError(f"--algo: there is no algorithm {algo!r}: {nearest(algo, ALGORITHMS)}")
    need(ALGORITHMS[algo], f"--algo {algo}", "train")
    opened = _native.Game(
        os.fspath(game), preset, None, [(path, json.dumps(value)) for path, value in (set or {}).items()], [], allow_plugins, False
    )
    tables = _tables()[algo]
    own = _own(tables, opened.name)
    chosen_wrappers = {**usual_wrappers(algo, opened), **(wrappers or {})}
    chosen = {**tables["default"], **own, **(hyperparameters or {})}
    chosen.pop("wrappers", None)
    _check_names(chosen_wrappers, Wrappers.__dataclass_fields__, "--wrapper")
    if chosen_wrappers.get("watch") is not None:
        chosen_wrappers["watch"] = tuple(chosen_wrappers["watch"])
    return Job(os.fspath(game), algo, seed, preset, dict(set or {}), Wrappers(**chosen_wrappers), chosen, allow_plugins)


def usual_wrappers(algo: str, game: _native.Game) -> dict[str, Any]:
    """The package's wrappers for this algorithm and game."""
    tables = _tables()[algo]
    return {**_usual(tables["default"].get("wrappers", {}), game), **_own(tables, game.name).get("wrappers", {})}


def quick_games() -> list[str]:
    """The games that ``--quick`` can train on."""
    return list(_tables()["quick"])


def quick_changes(game: str) -> dict[str, Any]:
    """The changes that ``--quick`` makes to the hyper-parameters of ``ppo``.

    Raises:
        ConfigError: There is no quick training for this game.
    """
    table = _tables()["quick"]
    if game not in table:
        raise ConfigError(f"--quick trains {' or '.join(table)}, not {game}: leave out --quick, or the game to train both")
    changes: dict[str, Any] = table[game]
    return changes


def _own(tables: Mapping[str, Any], name: str) -> dict[str, Any]:
    """A game's own hyper-parameters or, for a variant, the base game's hyper-parameters. For example, `valley_farm_hard` is a variant of
    `valley_farm`."""
    found = [table for table in tables if f"{name}_".replace("-v", "_").startswith(f"{table}_")]
    own: dict[str, Any] = tables[max(found, key=len)] if found else {}
    return own


def _usual(wrappers: Mapping[str, Any], game: _native.Game) -> dict[str, Any]:
    """The usual wrappers that fit a game: day skipping if its steps are days, and orders if the game has any."""
    if not _is_daily(game):
        return {name: value for name, value in wrappers.items() if name not in ("pass_days", "standing_orders", "explore_orders")}
    if wrappers.get("standing_orders"):
        try:
            farm_orders(game)
        except ConfigError:
            return {name: value for name, value in wrappers.items() if name not in ("standing_orders", "explore_orders")}
    return dict(wrappers)


def _is_daily(game: _native.Game) -> bool:
    """Whether a game's step is a day on a farm: the game shows the day, no farmer walks, and observations are free."""
    keys = [entry["key"] for entry in game.layout()["entries"]]
    shows_day = any(key.endswith("day#int365") for key in keys)
    return shows_day and game.interaction_mode != "aomdp" and not any(key.endswith(("position", "steps_today")) for key in keys)


def _check_names(given: Mapping[str, Any], known: Mapping[str, Any], where: str) -> None:
    for name in given:
        if name not in known:
            raise ConfigError(f"{where}: there is no {name!r}: {nearest(name, known, 40)}")


def default_folder(job: Job) -> Path:
    """The default folder for a training job."""
    return Path("runs") / f"{Path(job.game).stem}-{job.algo}-{job.seed}"
