"""Records variables during episodes, for tables, TensorBoard and plots.

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
from farm_gym.observers import Observer, Step
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


class Monitor(Recorded, Observer):
    """Records variables after every reset and step. :meth:`FarmEnv.add_monitoring` creates it.

    Args:
        env: The environment.
        variables: ``(field, entity, variable, function, title, range)`` for each variable. The names look like
            ``("Field-0", "Plant-0", "size#cm")``; the field of a farm-level part is ``""``. The range, ``(low, high)`` or ``"range_auto"``,
            sets the scale in pictures. Title and range are optional. The function is ``"sum"``, ``"mean"``, ``"min"``, ``"max"``,
            ``"value"`` (for a variable with a single value), a plot such as ``(0, 1)``, an index, ``("count", ["dead"])``,
            ``("fraction", ["dead"])``, ``"matrix"`` for all values, or a callable. A callable takes :class:`Values` and returns a number, a
            matrix or a picture of shape ``(height, width, 3)``. You can also pass a mapping with these words as keys. None records the
            variables that the game lists under ``monitoring:``, or every variable if it lists none.
        keep: Whether to keep the recorded values. If not, they go only to :meth:`tensorboard`, and take no memory.

    Raises:
        ConfigError: A variable or function does not exist (the message suggests the nearest name), or two titles are equal.
    """

    def __init__(self, env: FarmEnv, variables: Iterable[Sequence[Any] | Mapping[str, Any]] | None = None, *, keep: bool = True) -> None:
        super().__init__(variables, keep)
        self._begin(env.game, lambda monitors: monitors.read(env.native))

    is_copied = True

    def after_reset(self, env: FarmEnv) -> None:
        """Records the start of an episode, or a restored state; each gets a new episode index."""
        numbers, pictures = self._read(env)
        self._write(lambda: self._recording.start(env.native, numbers, pictures))

    def after_step(self, env: FarmEnv, step: Step) -> None:
        """Records a step."""
        numbers, pictures = self._read(env)
        self._write(lambda: self._recording.step(env.native, step[1], numbers, pictures))

    def before_change(self, game: _native.Game) -> None:
        """Switches to another variant of the game.

        Raises:
            ConfigError: The variant has different variables.
        """
        monitors, inputs = self._bound(game)
        self._recording.rebind(game, monitors)
        self._monitors, self._inputs = monitors, inputs

    def _read(self, env: FarmEnv) -> tuple[Array, Pictures]:
        """The results that the Python functions return for the current state."""
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
        """A copy keeps the recorded values, but does not write to TensorBoard."""
        game, kept, episodes = state.pop("kept")
        self.__dict__.update(state)
        self._monitors, self._inputs = self._bound(game)
        self._recording = self._new_recording(game)
        self._recording.go_on(kept, episodes)


class VectorMonitor(Recorded):
    """Records variables of many environments after every reset and step. :meth:`FarmVectorEnv.add_monitoring` creates it.

    >>> import farm_gym
    >>> envs = farm_gym.make_vec("farm0", 3, num_threads=1)
    >>> monitor = envs.add_monitoring([("Field-0", "Soil-0", "available_Water#L", "sum", "Water (L)")], environments=[0, 2])
    >>> _ = envs.reset(seed=7)
    >>> _ = envs.step(envs.action_space.sample() * 0)
    >>> monitor.environments, monitor.seeds, monitor.steps
    ([0, 2, 0, 2], [7, 9, 7, 9], [0, 0, 1, 1])
    >>> monitor.arrays()["Water (L)"].shape
    (4,)

    It has the same methods as :class:`Monitor`. It also records each row's environment, in :attr:`environments` and in the first column of
    tables. Each environment has the same rows as a single monitored environment with these seeds and actions. There is one row for the
    start of each episode, then one for each step, including the last step of an episode in every autoreset mode. Each environment numbers
    its episodes from 0. Rows are in the order of recording.

    Args:
        envs: The environments.
        variables, keep: The same as for :class:`Monitor`.
        environments: The indices of the environments to record; None for all.

    Raises:
        ConfigError: A variable or function does not exist (the message suggests the nearest name), or two titles are equal. Also raised if
            an environment does not exist, or if the list of environments is empty.
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
                raise ConfigError(f"there is no environment {i}: environments are numbered from 0 to {envs.num_envs - 1}")
        if not chosen:
            raise ConfigError("no environment is to be monitored: name some, or None for all")
        self._chosen = frozenset(chosen)
        first = chosen[0]
        self._begin(envs.games[first], lambda monitors: monitors.read_of(envs.native, first), chosen)
        self.checked(dict(enumerate(envs.games)))

    # Methods that the environments call.

    def begin(self, envs: FarmVectorEnv, has_begun: bool) -> None:
        """Starts recording the chosen environments, and only these."""
        bound = self.checked(dict(enumerate(envs.games)))
        envs.native.unwatch()
        self.rebind(envs, bound)
        if has_begun:
            envs.native.begin_watched()
            self.record(envs)

    def checked(self, games: Mapping[int, _native.Game]) -> dict[int, tuple[_native.Monitors, list[_native.Monitors]]]:
        """The monitors for these environments with these games.

        Raises:
            ConfigError: A game has different variables.
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
        """Switches environments to other games."""
        for i, (monitors, inputs) in bound.items():
            envs.native.watch(i, monitors, inputs)

    def record(self, envs: FarmVectorEnv) -> None:
        """Fetches the rows that the engine has recorded during resets or steps."""
        numbers: list[Array] = []
        pictures: list[Pictures] = []
        if self._own:
            try:
                for values in envs.native.pending():
                    made = self._made(values)
                    numbers.append(made[0])
                    pictures.append(made[1])
            except BaseException:
                # An exception in a function is reported only once.
                envs.native.forget()
                raise
            if self._keep:
                self._pictures.extend(pictures)
        self._write(lambda: self._recording.take(envs.native, numbers, pictures))

    # The recorded values.

    @property
    def environments(self) -> list[int]:
        """Index of each row's environment."""
        return self._recording.places()[0]
