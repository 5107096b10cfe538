"""The common base of monitors for one or many environments: functions of values, and the recorded rows."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from farm_gym import _native
from farm_gym.errors import ConfigError

if TYPE_CHECKING:
    import pandas

__all__ = ["Array", "Number", "Pictures", "Recorded", "Values", "mat2d_value", "max_value", "mean_value", "min_value", "sum_value"]

Array = npt.NDArray[np.float64]
#: Pictures made by Python functions, with their titles.
Pictures = list[tuple[str, npt.NDArray[np.uint8]]]


class Number(np.float64):
    """A number that also supports the paper's ``x[0, 0].value``."""

    @property
    def value(self) -> float:
        """The number."""
        return float(self)


class Values(np.ndarray[Any, np.dtype[np.float64]]):
    """The argument of a monitor's function: an array of all of a variable's values, with ``x[0, 0]`` for the plot with x = 0 and y = 0.
    Categories and flags are numbers. A single entry is a :class:`Number`."""

    def __getitem__(self, index: Any) -> Any:
        """An entry, or part of the array."""
        found = super().__getitem__(index)
        return found if isinstance(found, np.ndarray) else Number(found)

    @property
    def value(self) -> float:
        """The number of a variable that has a single value."""
        return float(self.item())


def sum_value(values: npt.ArrayLike) -> float:
    """The sum of all values, as a monitor function."""
    return float(np.sum(np.asarray(values, np.float64)))


def mean_value(values: npt.ArrayLike) -> float:
    """The mean of all values, as a monitor function."""
    return float(np.mean(np.asarray(values, np.float64)))


def min_value(values: npt.ArrayLike) -> float:
    """The lowest value, as a monitor function."""
    return float(np.min(np.asarray(values, np.float64)))


def max_value(values: npt.ArrayLike) -> float:
    """The highest value, as a monitor function."""
    return float(np.max(np.asarray(values, np.float64)))


def mat2d_value(values: npt.ArrayLike, *size: int) -> Array:
    """All values as a matrix, with x as the first axis. ``size`` is the number of plots along each axis, as in the paper. Raises an error
    if the size does not fit the values.

    >>> from farm_gym.monitoring import mat2d_value
    >>> mat2d_value([[1, 2, 3], [4, 5, 6]], 3, 2).shape
    (2, 3)
    """
    matrix = np.atleast_2d(np.asarray(values, np.float64))
    if size and sorted(size) != sorted(matrix.shape):
        raise ValueError(f"the values are {' × '.join(map(str, matrix.shape))}, not {' × '.join(map(str, size))}")
    return matrix


#: Functions in this module that the engine also has, with their names in the engine.
_KNOWN: dict[Any, str] = {
    sum_value: "sum",
    mean_value: "mean",
    min_value: "min",
    max_value: "max",
    mat2d_value: "matrix",
}


class Own:
    """A monitor with a Python function."""

    def __init__(self, raw: Any, function: Callable[[Values], Any], title: str | None) -> None:
        self.raw, self.function, self.title = raw, function, title or ""
        self.part = self.variable = ""
        #: Shape of a number or a matrix; None for a picture.
        self.shape: tuple[int, ...] | None = ()

    def bind(self, game: _native.Game) -> _native.Monitors:
        """Creates the engine's monitor for all values of the variable."""
        try:
            monitors = _native.Monitors(game, [_with(self.raw, "matrix")])
        except ConfigError:
            monitors = _native.Monitors(game, [_with(self.raw, "value")])
        return monitors

    def measure(self, monitors: _native.Monitors, read: Callable[[_native.Monitors], list[Array]]) -> None:
        """Sets the title, and calls the function once to find the shape of its result."""
        [series] = monitors.series()
        self.part, self.variable = series["part"], series["variable"]
        if not self.title:
            name = getattr(self.function, "__name__", "function")
            self.title = f"{self.part}.{self.variable} ({'function' if name == '<lambda>' else name})"
        [values] = read(monitors)
        result = self._result(values)
        self.shape = None if result.ndim == 3 else result.shape

    def _result(self, values: Array) -> npt.NDArray[Any]:
        result = self.function(values.view(Values))
        try:
            array = np.asarray(result)
            if array.ndim < 3:
                array = array.astype(np.float64)
        except (TypeError, ValueError):
            array = np.empty((0,) * 4)
        is_picture = array.ndim == 3 and array.shape[2] in (3, 4) and array.dtype.kind in "buif"
        if array.ndim >= 3 and not is_picture:
            raise ConfigError(
                f"the function of {self.title!r} returns {result!r:.80}, which is neither a number, nor a matrix, nor a picture of shape "
                "(height, width, 3)"
            )
        return array

    def call(self, values: Array) -> npt.NDArray[Any]:
        """The function's result for the values: numbers, or a picture of bytes."""
        result = self._result(values)
        if self.shape is None and result.ndim == 3:
            if result.dtype.kind == "f":
                result = np.nan_to_num(result) * 255
            return np.ascontiguousarray(np.clip(result[..., :3], 0, 255), np.uint8)
        if result.shape != self.shape:
            raise ConfigError(f"the function of {self.title!r} changed the shape of its result: {result.shape}, not {self.shape}")
        return result


def _with(raw: Any, function: str) -> Any:
    """An entry in `variables`, with one of the engine's functions."""
    if isinstance(raw, Mapping):
        return {**raw, "function": function}
    head, *rest = raw
    return [*head, function, None, *rest]


def _plain(function: Any) -> Any:
    return _KNOWN.get(function, function) if callable(function) else function


class Recorded:
    """The base class of monitors for one or many environments: the variables to record, and the recorded rows."""

    _monitors: _native.Monitors
    _inputs: list[_native.Monitors]
    _recording: _native.Recording

    def __init__(self, variables: Iterable[Sequence[Any] | Mapping[str, Any]] | None, keep: bool) -> None:
        self._keep = keep
        #: The entries that the engine reads without Python; None means the entries that the game names.
        self._entries: list[Any] | None = None if variables is None else []
        self._own: list[Own] = []
        #: For each monitor, in the given order: whether it is in `_own`, and its index in `_own` or `_entries`.
        self._order: list[tuple[bool, int]] = []
        #: For each row, the pictures made by functions; empty without Python functions.
        self._pictures: list[Pictures] = []
        for entry in variables or ():
            self._add(entry)

    def _begin(self, game: _native.Game, read: Callable[[_native.Monitors], list[Array]], batch: Sequence[int] | None = None) -> None:
        """Starts recording a game; ``read`` returns the monitors' current values."""
        self._monitors, self._inputs = self._bound(game)
        if self._entries is None:
            self._order = [(False, i) for i in range(len(self._monitors.series()))]
        for own, monitors in zip(self._own, self._inputs, strict=True):
            own.measure(monitors, read)
        self._recording = self._new_recording(game, batch)

    def _add(self, entry: Any) -> None:
        assert self._entries is not None
        if isinstance(entry, Mapping):
            function = _plain(entry.get("function"))
            head: Any = {key: value for key, value in entry.items() if key not in ("function", "title")}
            title = entry.get("title")
            plain: Any = {**entry, "function": function} if "function" in entry else dict(entry)
        else:
            if isinstance(entry, str) or not isinstance(entry, Iterable):
                raise ConfigError(f"{entry!r} is not (field, entity, variable, function, title, range)")
            plain = [_plain(item) for item in entry]
            at = next((i for i, item in enumerate(plain) if callable(item)), None)
            function = None if at is None else plain[at]
            head = None if at is None else (plain[:at], *plain[at + 2 :])
            title = None if at is None or at + 1 >= len(plain) else plain[at + 1]
        if callable(function):
            if title is not None and not isinstance(title, str):
                raise ConfigError(f"{title!r} is not a valid title: a string, or None")
            self._order.append((True, len(self._own)))
            self._own.append(Own(head, function, title))
        else:
            self._order.append((False, len(self._entries)))
            self._entries.append(plain)

    def _bound(self, game: _native.Game) -> tuple[_native.Monitors, list[_native.Monitors]]:
        """The monitors that the engine reads without Python, and those that it reads as input for Python functions."""
        try:
            return _native.Monitors(game, self._entries), [own.bind(game) for own in self._own]
        except (TypeError, OverflowError) as error:
            raise ConfigError(f"the variables to monitor can't be read: {error}") from None

    def _new_recording(self, game: _native.Game, batch: Sequence[int] | None = None) -> _native.Recording:
        others = [(own.title, own.part, own.variable, list(own.shape)) for own in self._own if own.shape is not None]
        return _native.Recording(game, self._monitors, others, self._keep, batch)

    def _made(self, values: Sequence[Array]) -> tuple[Array, Pictures]:
        """Calls the Python functions with their variables' values, and returns the concatenated numbers and the pictures."""
        numbers: list[npt.NDArray[Any]] = []
        pictures = []
        for own, one in zip(self._own, values, strict=True):
            result = own.call(one)
            if own.shape is None:
                pictures.append((own.title, result))
            else:
                numbers.append(result.ravel())
        return np.concatenate(numbers) if numbers else np.empty(0), pictures

    def _write(self, write: Callable[[], None]) -> None:
        try:
            write()
        except OSError as error:
            self._recording.close_board()
            warnings.warn(f"writing for TensorBoard stopped: {error}", RuntimeWarning, stacklevel=5)

    # The recorded values.

    def _series(self) -> list[dict[str, Any]]:
        """The description of each monitor, in the given order, with its index in the recording; None for pictures."""
        known = self._monitors.series()
        ranks: list[int | None] = []
        for own in self._own:
            ranks.append(None if own.shape is None else len(known) + sum(rank is not None for rank in ranks))
        shown = []
        for is_own, i in self._order:
            if is_own:
                own = self._own[i]
                [raw] = self._inputs[i].series()
                shown.append({"title": own.title, "rank": ranks[i], "range": raw["range"], "unit": ""})
            else:
                shown.append({**known[i], "rank": i})
        return shown

    @property
    def titles(self) -> list[str]:
        """The titles, in the given order."""
        return [series["title"] for series in self._series()]

    @property
    def ranges(self) -> dict[str, tuple[float, float] | None]:
        """The range that pictures show, by title; None for an automatic range."""
        return {series["title"]: tuple(series["range"]) if series["range"] else None for series in self._series()}

    @property
    def units(self) -> dict[str, str]:
        """The unit of the numbers, by title; empty if they have none."""
        return {series["title"]: series["unit"] for series in self._series()}

    @property
    def episodes(self) -> list[int]:
        """Episode index of each row, from 0. A restored state starts a new index."""
        return self._recording.places()[1]

    @property
    def seeds(self) -> list[int]:
        """Seed of each row's episode."""
        return self._recording.places()[2]

    @property
    def steps(self) -> list[int]:
        """Number of days passed at each row; 0 after a reset."""
        return self._recording.places()[3]

    @property
    def events(self) -> list[list[dict[str, Any]]]:
        """The events in the step before each row, as in ``info["events"]``."""
        return self._recording.events()

    def __len__(self) -> int:
        """Number of rows: one for each reset, restored state and step."""
        return len(self._recording)

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """The recorded values by title, with the rows of all episodes concatenated along the first axis. Categories and flags are
        numbers."""
        pictures = [dict(row) for row in self._pictures]
        return {
            series["title"]: self._recording.entries(series["rank"])
            if series["rank"] is not None
            else np.array([row[series["title"]] for row in pictures])
            for series in self._series()
        }

    def to_pandas(self) -> pandas.DataFrame:
        """The recorded values as a table with the same columns as :meth:`to_csv`. Requires pandas."""
        import pandas

        return pandas.DataFrame(self._recording.table())

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Writes the recorded values as a table. Each row has the columns ``episode``, ``seed``, ``step``, ``reward``, ``actions`` and one
        column for each title. A matrix has one column per plot, such as ``Water (0, 1)``. Categories are words. Pictures are left out.

        Raises:
            OSError: The file can't be written.
        """
        self._recording.to_csv(os.fspath(path))

    def to_parquet(self, path: str | os.PathLike[str]) -> None:
        """Writes the same table as Parquet, without any other package.

        Raises:
            OSError: The file can't be written.
        """
        self._recording.to_parquet(os.fspath(path))

    def tensorboard(self, folder: str | os.PathLike[str]) -> str:
        """Writes the recorded values for TensorBoard: all rows so far, and from now on every new row immediately.
        ``tensorboard --logdir FOLDER`` shows an episode while it is played. Writing does not require TensorBoard itself.

        Each episode is a separate run, so that seasons can be overlaid. If a later write fails, for example because the disk is full, there
        is one warning and play continues.

        Args:
            folder: The folder, created if missing. If it already contains runs, a subfolder ``run_2``, ``run_3`` and so on is created.

        Returns:
            The folder with the new run.

        Raises:
            OSError: The folder can't be written to.
        """
        made = self._recording.open_board(os.fspath(folder))
        for row in range(len(self)):
            self._recording.replay(row, self._pictures[row] if self._pictures else [])
        return made
