"""Recording variables of an episode."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from farm_gym.errors import ConfigError

if TYPE_CHECKING:
    import pandas

    from farm_gym.env import FarmEnv

__all__ = ["Monitor"]

_FUNCTIONS: dict[str, Callable[[npt.NDArray[Any]], Any]] = {
    "sum": np.sum,
    "mean": np.mean,
    "min": np.min,
    "max": np.max,
    "matrix": np.array,
}


class Monitor:
    """Records variables after every reset and step.

    Args:
        env: The environment.
        variables: For each ``(field, entity, variable, function, title, range)``: the names, such as ``("Field-0", "Plant-0",
            "size#cm")``; a function (``"sum"``, ``"mean"``, ``"min"``, ``"max"``, ``"matrix"`` for all values, an index such as
            ``(0, 1)`` for one, or a callable that takes an array); a title; and the range for a later plot, ``(low, high)`` or
            None. The last two may be left out.

    Raises:
        ConfigError: A variable or function that does not exist.
    """

    def __init__(self, env: FarmEnv, variables: Iterable[tuple[Any, ...]]) -> None:
        self._columns: list[tuple[str, str, Callable[[npt.NDArray[Any]], Any]]] = []
        self.ranges: dict[str, Any] = {}
        for entry in variables:
            if not 4 <= len(entry) <= 6:
                raise ConfigError(f"{entry!r} is not (field, entity, variable, function, title, range)")
            field, entity, variable, function = entry[:4]
            name = ".".join(part for part in (field, entity, variable) if part)
            value = np.asarray(env.native.variable(name))
            title = entry[4] if len(entry) > 4 and entry[4] else f"{name} ({function})"
            self.ranges[title] = entry[5] if len(entry) > 5 else None
            self._columns.append((title, name, _function(function, value)))
        #: What was recorded: title → a value for each step.
        self.records: dict[str, list[Any]] = {title: [] for title, _, _ in self._columns}
        #: Number of the episode of each value, from 0, and its step.
        self.episodes: list[int] = []
        self.steps: list[int] = []

    def begin(self, env: FarmEnv) -> None:
        """A new episode began."""
        self._append(env, self.episodes[-1] + 1 if self.episodes else 0)

    def record(self, env: FarmEnv) -> None:
        """A step was taken."""
        self._append(env, self.episodes[-1] if self.episodes else 0)

    def _append(self, env: FarmEnv, episode: int) -> None:
        self.episodes.append(episode)
        self.steps.append(env.native.steps)
        for title, name, function in self._columns:
            self.records[title].append(function(np.asarray(env.native.variable(name))))

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """What was recorded, as arrays with the steps of all episodes one behind the other."""
        return {title: np.array(values) for title, values in self.records.items()}

    def to_pandas(self) -> pandas.DataFrame:
        """What was recorded, as a table with the columns ``episode`` and ``step``. It needs pandas."""
        import pandas

        return pandas.DataFrame({"episode": self.episodes, "step": self.steps, **self.records})


def _function(function: Any, value: npt.NDArray[Any]) -> Callable[[npt.NDArray[Any]], Any]:
    if callable(function):
        return function  # type: ignore[no-any-return]
    if isinstance(function, str) and function in _FUNCTIONS:
        return _FUNCTIONS[function]
    if isinstance(function, (int, tuple, list)):
        index = (function,) if isinstance(function, int) else tuple(function)
        try:
            value[index]
        except IndexError:
            raise ConfigError(f"there is no value at {function!r}: the shape is {value.shape}") from None
        return lambda values: values[index]
    raise ConfigError(f"there is no function {function!r}: {', '.join(_FUNCTIONS)}, an index or a callable")
