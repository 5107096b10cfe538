"""Reports: episodes as a page for people, in a self-contained HTML file."""

from __future__ import annotations

import json
import os
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

import gymnasium

from farm_gym import _native, notebooks
from farm_gym.env import FarmEnv
from farm_gym.errors import ConfigError
from farm_gym.game import EnvArguments
from farm_gym.observers import Observer, Step
from farm_gym.playing import Playable, Policy, farm_of, named, opened, play
from farm_gym.signatures import Unpack

__all__ = ["Report", "Reported", "generate_report"]


class Reported(NamedTuple):
    """A finished report."""

    #: The file.
    path: Path
    #: The return of each episode: the sum of the game's rewards.
    episode_returns: list[float]

    def _repr_html_(self) -> str:
        return notebooks.page(self.path, f"a report of {len(self.episode_returns)} episodes")


class Report(Observer):
    """A page about the episodes in an environment, with any player: a trained policy, another library's evaluation, or your own loop.
    :func:`generate_report` also plays the episodes.

    >>> import farm_gym, pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> env = farm_gym.make("backwards_valley")
    >>> with farm_gym.Report(env, folder / "valley.html", policy="always the first") as report:
    ...     for seed in (0, 1):
    ...         observation, info = env.reset(seed=seed)
    ...         over = False
    ...         while not over:
    ...             action = int(info["action_mask"].argmax())
    ...             observation, reward, terminated, truncated, info = env.step(action)
    ...             over = terminated or truncated
    >>> len(report.returns), "always the first" in report.path.read_text(encoding="utf-8")
    (2, True)

    The report records all steps until the block ends, including steps taken through wrappers. You can pass an unwrapped environment and
    play it through its wrappers. The page shows the first episode day by day, with pictures, charts, events, actions and rejected actions.
    Each further episode has one line. Episodes without steps are ignored. A restored snapshot starts a new episode in the report, because
    its earlier days have already been played. An episode that is under way when the report starts also counts as a new one. Copies of the
    environment are not recorded.

    Rewards and returns are the game's own, even if wrappers change them.

    The file is written completely when the block ends, or not at all: after an exception in the block, an existing file with this name
    stays unchanged.

    Args:
        env: An environment, wrapped or not.
        path: The file, ``.html``; its folder must exist.
        policy: The player's name on the page, such as ``"PPO, a million steps"``.

    Raises:
        ConfigError: The environment is not a farm, or the path does not end in ``.html``.
        OutputError: The folder is missing, or the path is a folder.
    """

    #: The arguments of :func:`generate_report` that replay it, apart from the game's arguments; None if the caller plays.
    _call: dict[str, Any] | None = None

    def __init__(self, env: gymnasium.Env[Any, Any], path: str | os.PathLike[str] = "farm.html", *, policy: str = "") -> None:
        self.path = _checked(path)
        self._farm = farm_of(env)
        self._native = _native.Report(self.path, policy)
        self._farm.add_observer(self)

    @property
    def returns(self) -> list[float]:
        """The return (sum of rewards) of each episode with at least one step so far."""
        return self._native.returns

    def after_reset(self, env: FarmEnv) -> None:
        """Records the start of an episode; the environment calls this method."""
        game, preset, level, changes, parts, allow_plugins, allow_outside_files, context = env.game.__getnewargs__()
        given: dict[str, Any] = {
            "preset": preset,
            "level": level,
            "context": context,
            "set": {path: json.loads(value) for path, value in changes},
        }
        given |= {"parts": [_Name(part.__name__) for part in parts], "allow_plugins": allow_plugins}
        given["allow_outside_files"] = allow_outside_files
        given = {name: value for name, value in given.items() if value}
        if self._call is not None:
            command = f"farm_gym.generate_report({_words(game, **self._call, **given)})"
        else:
            command = f"env = farm_gym.make({_words(game, **given, actions=env.actions)})\n"
            command += f"observation, info = env.reset(seed={env.native.episode_seed})"
        if env.native.steps or env.native.tally()[1] is not None:
            # No seed leads to the middle of an episode.
            command = ""
        self._native.begin(env.native, preset, command, self._call is not None)

    def after_step(self, env: FarmEnv, step: Step) -> None:
        """Records a step; the environment calls this method."""
        self._native.step(env.native, step[1])

    def save(self) -> Path:
        """Writes the file and ends the report. A ``with`` block calls this method at its end.

        Raises:
            OutputError: The file can't be written; an existing file with this name stays unchanged. You can save again once there is space.
            ConfigError: No step was taken.
        """
        self._farm.remove_observer(self)
        self._native.finish()
        return self.path

    def _repr_html_(self) -> str:
        return notebooks.page(self.path, "a report that is not written yet")

    def __enter__(self) -> Report:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._farm.remove_observer(self)
        if kind is None:
            self.save()


class _Played(Report):
    """A report of episodes that :func:`generate_report` plays."""

    def __init__(self, env: gymnasium.Env[Any, Any], path: str | os.PathLike[str], policy: Policy, call: dict[str, Any]) -> None:
        if isinstance(policy, str):
            self._call = {"policy": policy, "path": os.fspath(path), **{name: value for name, value in call.items() if value is not None}}
        else:
            name = getattr(policy, "__name__", type(policy).__name__) if callable(policy) else "given actions"
            policy = "a function" if name == "<lambda>" else name
        super().__init__(env, path, policy=policy)


def _checked(path: str | os.PathLike[str]) -> Path:
    checked = Path(path)
    # The name of a device has no extension.
    is_device = checked.suffix == "" and checked.exists() and not (checked.is_file() or checked.is_dir())
    if not is_device and checked.suffix.lower() not in (".html", ".htm"):
        raise ConfigError(f"{checked}: a report is an .html")
    return checked


class _Name(str):
    """A name that appears without quotes, as in source code."""

    def __repr__(self) -> str:
        return str(self)


def _words(*positional: Any, **named: Any) -> str:
    """Writes arguments as they appear in the source code of a call."""
    return ", ".join([*map(repr, positional), *(f"{name}={value!r}" for name, value in named.items())])


def generate_report(
    game: Playable,
    policy: Policy | None = None,
    path: str | os.PathLike[str] = "farm.html",
    *,
    seed: int = 0,
    episodes: int = 1,
    max_steps: int | None = None,
    **arguments: Unpack[EnvArguments],
) -> Reported:
    """Plays episodes and writes a page about them. With one of the game's policies, ``farm run --report`` writes the same page, except for
    the command shown on it.

    >>> import farm_gym, os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "valley.html")
    >>> report = farm_gym.generate_report("backwards_valley", "random", path, seed=3, episodes=2)
    >>> report.path.name, report.episode_returns[0]
    ('valley.html', 3.0)
    >>> report = farm_gym.generate_report("backwards_valley", lambda observation, info: int(info["action_mask"].argmax()), path)

    Args:
        game, policy: The game or environment, and the player, as for :func:`farm_gym.generate_gif`.
        path: The file to write, ``.html``; its folder must exist. It is written completely after the last episode, or not at all: after
            an error, an existing file stays unchanged.
        seed: Seed for the first episode, and for the game's policies; later episodes have the following seeds.
        episodes: Number of episodes. The page shows the first episode in full, and has one line for each other episode.
        max_steps: Ends an episode after this number of steps; None plays to the end.
        arguments: The same as for :func:`farm_gym.make`, if ``game`` is not an environment.

    Returns:
        The file's path and the episodes' returns.

    Raises:
        ConfigError: The game, the policy's name or the arguments have problems.
        OutputError: The file can't be written. A missing folder is reported before the first step, and a full disk at the end.
    """
    if episodes < 1:
        raise ConfigError(f"{episodes} episodes: at least 1 is needed")
    _checked(path)
    env = opened(game, arguments)
    policy = named(farm_of(env), policy)
    with _Played(env, path, policy, {"seed": seed, "episodes": episodes, "max_steps": max_steps}) as report:
        for i in range(episodes):
            play(env, policy, seed + i, max_steps)
    return Reported(report.path, report.returns)
