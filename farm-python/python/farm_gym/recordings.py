"""What monitors of one environment and of many have in common: functions of values, and what was recorded."""

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
#: Pictures that functions of Python have made, with their titles.
Pictures = list[tuple[str, npt.NDArray[np.uint8]]]


class Number(np.float64):
    """A number that also answers to the paper's ``x[0, 0].value``."""

    @property
    def value(self) -> float:
        """The number."""
        return float(self)


class Values(np.ndarray[Any, np.dtype[np.float64]]):
    """What a function of a monitor is given: an array of all values of a variable, ``x[0, 0]`` for the plot with x = 0 and y = 0;
    categories and flags by number. A single entry is a :class:`Number`."""

    def __getitem__(self, index: Any) -> Any:
        """An entry, or a part of the array."""
        found = super().__getitem__(index)
        return found if isinstance(found, np.ndarray) else Number(found)

    @property
    def value(self) -> float:
        """The number, of a variable that has a single one."""
        return float(self.item())


def sum_value(values: npt.ArrayLike) -> float:
    """The sum of all values, as a function of a monitor."""
    return float(np.sum(np.asarray(values, np.float64)))


def mean_value(values: npt.ArrayLike) -> float:
    """Their mean."""
    return float(np.mean(np.asarray(values, np.float64)))


def min_value(values: npt.ArrayLike) -> float:
    """The lowest of them."""
    return float(np.min(np.asarray(values, np.float64)))


def max_value(values: npt.ArrayLike) -> float:
    """The highest of them."""
    return float(np.max(np.asarray(values, np.float64)))


def mat2d_value(values: npt.ArrayLike, *size: int) -> Array:
    """All values as a matrix, with x as the first axis. The paper gives the number of plots along each axis besides; what does not
    fit the values is an error.

    >>> from farm_gym.monitoring import mat2d_value
    >>> mat2d_value([[1, 2, 3], [4, 5, 6]], 3, 2).shape
    (2, 3)
    """
    matrix = np.atleast_2d(np.asarray(values, np.float64))
    if size and sorted(size) != sorted(matrix.shape):
        raise ValueError(f"the values are {' × '.join(map(str, matrix.shape))}, not {' × '.join(map(str, size))}")
    return matrix


#: Functions of this module that the engine knows, too.
_KNOWN: dict[Any, str] = {
    sum_value: "sum",
    mean_value: "mean",
    min_value: "min",
    max_value: "max",
    mat2d_value: "matrix",
}


class Own:
    """A monitor whose function is one of Python."""

    def __init__(self, raw: Any, function: Callable[[Values], Any], title: str | None) -> None:
        self.raw, self.function, self.title = raw, function, title or ""
        self.part = self.variable = ""
        #: Shape of a number or a matrix; None for a picture.
        self.shape: tuple[int, ...] | None = ()

    def bind(self, game: _native.Game) -> _native.Monitors:
        """All values of its variable."""
        try:
            monitors = _native.Monitors(game, [_with(self.raw, "matrix")])
        except ConfigError:
            monitors = _native.Monitors(game, [_with(self.raw, "value")])
        return monitors

    def measure(self, monitors: _native.Monitors, read: Callable[[_native.Monitors], list[Array]]) -> None:
        """Names it, and calls its function once to see what it makes."""
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
                f"the function of {self.title!r} makes {result!r:.80}, which is neither a number, nor a matrix, nor a picture of shape "
                "(height, width, 3)"
            )
        return array

    def call(self, values: Array) -> npt.NDArray[Any]:
        """What the function makes of the values: numbers, or a picture of bytes."""
        result = self._result(values)
        if self.shape is None and result.ndim == 3:
            if result.dtype.kind == "f":
                result = np.nan_to_num(result) * 255
            return np.ascontiguousarray(np.clip(result[..., :3], 0, 255), np.uint8)
        if result.shape != self.shape:
            raise ConfigError(f"the function of {self.title!r} makes another shape than at first: {result.shape}, not {self.shape}")
        return result


def _with(raw: Any, function: str) -> Any:
    """An entry of the engine's, with a function of the engine's."""
    if isinstance(raw, Mapping):
        return {**raw, "function": function}
    head, *rest = raw
    return [*head, function, None, *rest]


def _plain(function: Any) -> Any:
    return _KNOWN.get(function, function) if callable(function) else function


class Recorded:
    """What monitors of one environment and of many have in common: what is to be recorded, and what was."""

    _monitors: _native.Monitors
    _inputs: list[_native.Monitors]
    _recording: _native.Recording

    def __init__(self, variables: Iterable[Sequence[Any] | Mapping[str, Any]] | None, keep: bool) -> None:
        self._keep = keep
        #: What the engine reads by itself; None for what the game names.
        self._entries: list[Any] | None = None if variables is None else []
        self._own: list[Own] = []
        #: For each monitor, in the order given, whether it is one of `_own`, and its rank there.
        self._order: list[tuple[bool, int]] = []
        #: For each row the pictures of the functions that make some; empty where no function is one of Python.
        self._pictures: list[Pictures] = []
        for entry in variables or ():
            self._add(entry)

    def _begin(self, game: _native.Game, read: Callable[[_native.Monitors], list[Array]], batch: Sequence[int] | None = None) -> None:
        """Begins to record a game; ``read`` returns what monitors read now."""
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
                raise ConfigError(f"{title!r} is not a valid title: a text, or None")
            self._order.append((True, len(self._own)))
            self._own.append(Own(head, function, title))
        else:
            self._order.append((False, len(self._entries)))
            self._entries.append(plain)

    def _bound(self, game: _native.Game) -> tuple[_native.Monitors, list[_native.Monitors]]:
        """What the engine reads by itself in a game, and what it reads for the functions of Python."""
        try:
            return _native.Monitors(game, self._entries), [own.bind(game) for own in self._own]
        except (TypeError, OverflowError) as error:
            raise ConfigError(f"what is to be monitored can't be read: {error}") from None

    def _new_recording(self, game: _native.Game, batch: Sequence[int] | None = None) -> _native.Recording:
        others = [(own.title, own.part, own.variable, list(own.shape)) for own in self._own if own.shape is not None]
        return _native.Recording(game, self._monitors, others, self._keep, batch)

    def _made(self, values: Sequence[Array]) -> tuple[Array, Pictures]:
        """What the functions of Python make of the values of their variables: their numbers, concatenated, and their pictures."""
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
            warnings.warn(f"nothing more is written for TensorBoard: {error}", RuntimeWarning, stacklevel=5)

    # What was recorded.

    def _series(self) -> list[dict[str, Any]]:
        """What each monitor is, in the order given, with its rank in the recording; None for pictures."""
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
        """The titles, in the order given."""
        return [series["title"] for series in self._series()]

    @property
    def ranges(self) -> dict[str, tuple[float, float] | None]:
        """The range that pictures show, by title; None leaves it to them."""
        return {series["title"]: tuple(series["range"]) if series["range"] else None for series in self._series()}

    @property
    def units(self) -> dict[str, str]:
        """The unit of the numbers, by title; empty where they have none."""
        return {series["title"]: series["unit"] for series in self._series()}

    @property
    def episodes(self) -> list[int]:
        """Number of the episode of each row, from 0. A state that was restored begins a number of its own."""
        return self._recording.places()[1]

    @property
    def seeds(self) -> list[int]:
        """Seed of the episode of each row."""
        return self._recording.places()[2]

    @property
    def steps(self) -> list[int]:
        """Days that had passed, for each row; 0 after a reset."""
        return self._recording.places()[3]

    @property
    def events(self) -> list[list[dict[str, Any]]]:
        """What happened in the step before each row, as in ``info["events"]``."""
        return self._recording.events()

    def __len__(self) -> int:
        """Number of rows: one for each reset, each restored state and each step."""
        return len(self._recording)

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """What was recorded, by title, with the rows of all episodes concatenated along the first axis; categories and flags
        by number."""
        pictures = [dict(row) for row in self._pictures]
        return {
            series["title"]: self._recording.entries(series["rank"])
            if series["rank"] is not None
            else np.array([row[series["title"]] for row in pictures])
            for series in self._series()
        }

    def to_pandas(self) -> pandas.DataFrame:
        """What was recorded, as a table with the columns of :meth:`to_csv`. It needs pandas."""
        import pandas

        return pandas.DataFrame(self._recording.table())

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Writes what was recorded as a table: a line for each row, with the columns ``episode``, ``seed``, ``step``, ``reward``,
        ``actions`` and one for each title; of a matrix one for each plot, such as ``Water (0, 1)``. Categories are written as words.
        Pictures are left out.

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
        """Writes what was recorded so far, and from now on every row at once, for TensorBoard: ``tensorboard --logdir FOLDER`` shows an
        episode while it is played. TensorBoard itself is not needed to write.

        Each episode is a run of its own, so that seasons lie one over the other. Should the disk be full later, a warning says so
        and the environment goes on.

        Args:
            folder: Made if it is not there. If it holds runs already, ``run_2`` and so on is made in it.

        Returns:
            The folder that is written to.

        Raises:
            OSError: The folder can't be written to.
        """
        made = self._recording.open_board(os.fspath(folder))
        for row in range(len(self)):
            self._recording.replay(row, self._pictures[row] if self._pictures else [])
        return made
