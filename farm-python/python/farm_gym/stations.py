"""What is read from a file of weather."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from farm_gym import _native
from farm_gym.errors import ConfigError

__all__ = ["WeatherFile", "weather"]


class WeatherFile:
    """A file of daily or hourly weather that was read; :func:`farm_gym.weather` makes one. ``print`` shows what was read and assumed, what is
    odd about it, and what each month is like; in a notebook it is a picture."""

    def __init__(self, path: str | os.PathLike[str], latitude: float | None = None, *, interpolate: bool = False) -> None:
        #: The file.
        self.path = Path(path)
        self._native = _native.WeatherFile(self.path, None if latitude is None else float(latitude), interpolate)

    @property
    def latitude(self) -> float:
        """The latitude that it was read for, in degrees, north positive."""
        return self._native.latitude

    @property
    def warnings(self) -> list[str]:
        """What is odd about the numbers, each with what it may come from."""
        return self._native.warnings

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """The days as arrays by column, with units: ``Tmin#°C``, ``Rain#mm`` and others, as :meth:`to_csv` writes them; NaN where the file
        does not say. ``Date`` has the dates, where the file has some."""
        dates = self._native.dates()
        known = {} if dates is None else {"Date": np.array(dates, dtype="datetime64[D]")}
        return {**known, **self._native.columns()}

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Writes the days as a table with units, which a game reads back to the same days.

        Raises:
            OutputError: The file can't be written; one of this name is left as it was.
        """
        self._native.save_csv(path)

    def plot(self, path: str | os.PathLike[str]) -> None:
        """Draws temperature, rain and radiation of the months, beside the built-in climate with the nearest temperatures.

        Args:
            path: Ends in ``.svg`` or ``.png``.

        Raises:
            ConfigError: The path ends in something else.
            OutputError: The file can't be written; one of this name is left as it was.
        """
        writers = {".svg": self._native.save_svg, ".png": self._native.save_png}
        write = writers.get(Path(path).suffix.lower())
        if write is None:
            raise ConfigError(f"{os.fspath(path)!r}: charts are written as SVG or PNG, so end the name in .svg or .png")
        write(path)

    def __str__(self) -> str:
        return self._native.text().rstrip("\n")

    __repr__ = __str__

    def _repr_png_(self) -> bytes:
        """The picture of :meth:`plot`, for notebooks."""
        return self._native.png()


def weather(path: str | os.PathLike[str], latitude: float | None = None, *, interpolate: bool = False) -> WeatherFile:
    """Reads a file of daily or hourly weather as a game reads it, to look at before it is played.

    Args:
        path: A table, NASA POWER, Open-Meteo, EPW, DSSAT, AgMIP, APSIM, CABO, PCSE, SILO and others.
        latitude: Latitude of the field, in degrees, north positive; None for that of the file.
        interpolate: Whether gaps of at most seven days are filled, as ``missing: interpolate`` does in a game.

    Raises:
        ConfigError: Everything that is wrong with the file, with line and column.
    """
    return WeatherFile(path, latitude, interpolate=interpolate)
