"""Recording variables of episodes: for tables, for TensorBoard, for plots.

>>> import farm_gym
>>> from farm_gym.monitoring import mat2d_value, sum_value
>>> env = farm_gym.make("farm0")
>>> monitor = env.add_monitoring(
...     [
...         ("Field-0", "Soil-0", "available_Water#L", "sum", "Water (L)", (0, 500)),
...         ("Field-0", "Plant-0", "size#cm", lambda x: x[0, 0].value, "Size (cm)", "range_auto"),
...         ("Field-0", "Soil-0", "available_N#g", lambda x: sum_value(x), "Available nitrogen (g)", "range_auto"),
...     ]
... )
>>> observation, info = env.reset(seed=0)
>>> for _ in range(3):
...     observation, reward, terminated, truncated, info = env.farmgym_step([])
>>> monitor.arrays()["Water (L)"].shape
(4,)
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from farm_gym import _native
from farm_gym.errors import ConfigError
from farm_gym.recordings import (
    Array,
    Number,
    Pictures,
    Recorded,
    Values,
    mat2d_value,
    max_value,
    mean_value,
    min_value,
    sum_value,
)

if TYPE_CHECKING:
    from farm_gym.env import FarmEnv
    from farm_gym.vector import FarmVectorEnv

__all__ = ["Monitor", "Number", "Values", "VectorMonitor", "mat2d_value", "max_value", "mean_value", "min_value", "sum_value"]


class Monitor(Recorded):
    """Records variables after every reset and step; :meth:`FarmEnv.add_monitoring` makes it.

    Args:
        env: The environment.
        variables: For each ``(field, entity, variable, function, title, range)``: the names, such as ``("Field-0", "Plant-0",
            "size#cm")``, with ``""`` for the field of a part of the farm; a function; a title; and the range that pictures show,
            ``(low, high)`` or ``"range_auto"``. The last two may be left out. The function is ``"sum"``, ``"mean"``, ``"min"``,
            ``"max"``, ``"value"`` (of a variable that has one), a plot such as ``(0, 1)`` or an index, ``("count", ["dead"])`` and
            ``"fraction"`` likewise, ``"matrix"`` for all values, or a callable that makes a number, a matrix or a picture
            ``(height, width, 3)`` of :class:`Values`. A mapping with these words as keys will do, too. None for what the game
            itself names below ``monitoring:``, and for every variable if it names nothing.
        keep: Whether to keep what is recorded. If not, it only goes to :meth:`tensorboard`, and takes no memory.

    Raises:
        ConfigError: A variable or function that does not exist, with the nearest name; two equal titles.
    """

    def __init__(
        self, env: FarmEnv, variables: Iterable[Sequence[Any] | Mapping[str, Any]] | None = None, *, keep: bool = True
    ) -> None:
        super().__init__(variables, keep)
        self._begin(env.game, lambda monitors: monitors.read(env.native))

    # What the environment calls.

    def begin(self, env: FarmEnv) -> None:
        """An episode began, or play goes on from a state that was restored; each has a number of its own."""
        numbers, pictures = self._read(env)
        self._write(lambda: self._recording.start(env.native, numbers, pictures))

    def record(self, env: FarmEnv, reward: float) -> None:
        """A step was taken."""
        numbers, pictures = self._read(env)
        self._write(lambda: self._recording.step(env.native, reward, numbers, pictures))

    def rebind(self, game: _native.Game) -> None:
        """Another variant of the game is played from now on.

        Raises:
            ConfigError: Its variables are different ones.
        """
        monitors, inputs = self._bound(game)
        self._recording.rebind(game, monitors)
        self._monitors, self._inputs = monitors, inputs

    def _read(self, env: FarmEnv) -> tuple[Array, Pictures]:
        """What the functions of Python make now."""
        numbers, pictures = self._made([monitors.read(env.native)[0] for monitors in self._inputs])
        if self._keep and self._own:
            self._pictures.append(pictures)
        return numbers, pictures

    def __getstate__(self) -> dict[str, Any]:
        state = dict(self.__dict__)
        for key in ("_monitors", "_inputs", "_recording"):
            del state[key]
        state["kept"] = (self._recording.game, self._recording.to_bytes(), self._recording.episodes)
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        """A copy has what was recorded, and writes for no TensorBoard."""
        game, kept, episodes = state.pop("kept")
        self.__dict__.update(state)
        self._monitors, self._inputs = self._bound(game)
        self._recording = self._new_recording(game)
        self._recording.go_on(kept, episodes)


class VectorMonitor(Recorded):
    """Records variables of many environments after every reset and step; :meth:`FarmVectorEnv.add_monitoring` makes it.

    >>> import farm_gym
    >>> envs = farm_gym.make_vec("farm0", 3, num_threads=1)
    >>> monitor = envs.add_monitoring([("Field-0", "Soil-0", "available_Water#L", "sum", "Water (L)")], environments=[0, 2])
    >>> _ = envs.reset(seed=7)
    >>> _ = envs.step(envs.action_space.sample() * 0)
    >>> monitor.environments, monitor.seeds, monitor.steps
    ([0, 2, 0, 2], [7, 9, 7, 9], [0, 0, 1, 1])
    >>> monitor.arrays()["Water (L)"].shape
    (4,)

    It has what :class:`Monitor` has, and for each row the environment: in :attr:`environments`, and as the first column of tables. Of
    each environment the rows are those that a monitor of a single environment with these seeds and actions has: one for the start of
    each episode, then one for each step, the last of an episode among them whatever the mode of autoreset; each environment numbers its
    episodes from 0. Rows stand in the order in which they were recorded.

    Args:
        envs: The environments.
        variables, keep: As for :class:`Monitor`.
        environments: The numbers of those that are recorded; None for all.

    Raises:
        ConfigError: A variable or function that does not exist, with the nearest name; two equal titles; an environment that does not
            exist, or none.
    """

    def __init__(
        self,
        envs: FarmVectorEnv,
        variables: Iterable[Sequence[Any] | Mapping[str, Any]] | None = None,
        *,
        environments: Iterable[int] | None = None,
        keep: bool = True,
    ) -> None:
        super().__init__(variables, keep)
        try:
            chosen = list(range(envs.num_envs)) if environments is None else sorted({operator.index(i) for i in environments})
        except TypeError:
            raise ConfigError(f"{environments!r} are not valid numbers of environments") from None
        for i in chosen:
            if not 0 <= i < envs.num_envs:
                raise ConfigError(f"there is no environment {i}: they are numbered from 0 to {envs.num_envs - 1}")
        if not chosen:
            raise ConfigError("no environment is to be monitored: name some, or None for all")
        self._chosen = frozenset(chosen)
        first = chosen[0]
        self._begin(envs.games[first], lambda monitors: monitors.read_of(envs.native, first), chosen)
        self.checked(dict(enumerate(envs.games)))

    # What the environments call.

    def begin(self, envs: FarmVectorEnv, has_begun: bool) -> None:
        """From now on these environments are recorded, and nothing else of them is."""
        bound = self.checked(dict(enumerate(envs.games)))
        envs.native.unwatch()
        self.rebind(envs, bound)
        if has_begun:
            envs.native.begin_watched()
            self.record(envs)

    def checked(self, games: Mapping[int, _native.Game]) -> dict[int, tuple[_native.Monitors, list[_native.Monitors]]]:
        """What is read of these environments when they play these games.

        Raises:
            ConfigError: The variables of a game are different ones.
        """
        bound: dict[int, tuple[_native.Monitors, list[_native.Monitors]]] = {}
        known: dict[int, tuple[_native.Monitors, list[_native.Monitors]]] = {}
        for i, game in games.items():
            if i in self._chosen:
                if id(game) not in known:
                    known[id(game)] = self._bound(game)
                    self._recording.check(known[id(game)][0])
                bound[i] = known[id(game)]
        return bound

    def rebind(self, envs: FarmVectorEnv, bound: Mapping[int, tuple[_native.Monitors, list[_native.Monitors]]]) -> None:
        """Environments play other games from now on."""
        for i, (monitors, inputs) in bound.items():
            envs.native.watch(i, monitors, inputs)

    def record(self, envs: FarmVectorEnv) -> None:
        """Resets or steps were made: takes what the engine has noted of them."""
        numbers: list[Array] = []
        pictures: list[Pictures] = []
        if self._own:
            try:
                for values in envs.native.pending():
                    made = self._made(values)
                    numbers.append(made[0])
                    pictures.append(made[1])
            except BaseException:
                # What a function raises is reported once.
                envs.native.forget()
                raise
            if self._keep:
                self._pictures.extend(pictures)
        self._write(lambda: self._recording.take(envs.native, numbers, pictures))

    # What was recorded.

    @property
    def environments(self) -> list[int]:
        """Number of the environment of each row."""
        return self._recording.places()[0]
