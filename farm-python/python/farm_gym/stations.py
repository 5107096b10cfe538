"""Reads weather files."""

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
    """Daily or hourly weather from a file, opened with :func:`farm_gym.weather`. ``print`` shows which data were read, the assumptions, the
    warnings and a summary of each month. Notebooks display it as a picture."""

    def __init__(self, path: str | os.PathLike[str], latitude: float | None = None, *, interpolate: bool = False) -> None:
        #: The file.
        self.path = Path(path)
        self._native = _native.WeatherFile(self.path, None if latitude is None else float(latitude), interpolate)

    @property
    def latitude(self) -> float:
        """The latitude in degrees, north positive."""
        return self._native.latitude

    @property
    def warnings(self) -> list[str]:
        """Warnings about implausible numbers, each with a possible cause."""
        return self._native.warnings

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """The daily data as arrays. The keys are column names with units, such as ``Tmin#°C`` and ``Rain#mm``, as in :meth:`to_csv`.
        Missing values are NaN. If the file has dates, ``Date`` contains them."""
        dates = self._native.dates()
        known = {} if dates is None else {"Date": np.array(dates, dtype="datetime64[D]")}
        return {**known, **self._native.columns()}

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Writes the daily data as a table with units. A game that reads the table gets the same data.

        Raises:
            OutputError: The file can't be written; an existing file with this name stays unchanged.
        """
        self._native.save_csv(path)

    def plot(self, path: str | os.PathLike[str]) -> None:
        """Draws monthly temperature, rain and radiation, together with the built-in climate whose temperatures are closest.

        Args:
            path: The file, which must end in ``.svg`` or ``.png``.

        Raises:
            ConfigError: The path has a different extension.
            OutputError: The file can't be written; an existing file with this name stays unchanged.
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
        """The same picture as from :meth:`plot`, for notebooks."""
        return self._native.png()


def weather(path: str | os.PathLike[str], latitude: float | None = None, *, interpolate: bool = False) -> WeatherFile:
    """Reads a file with daily or hourly weather exactly as a game does, so that you can check it before you play.

    Args:
        path: The file: a table, or a file in a format such as NASA POWER, Open-Meteo, EPW, DSSAT, AgMIP, APSIM, CABO, PCSE or SILO.
        latitude: The field's latitude in degrees, north positive; None for the latitude in the file.
        interpolate: Whether to fill gaps of at most seven days, as ``missing: interpolate`` does in a game.

    Raises:
        ConfigError: The file has problems, each listed with line and column.
    """
    return WeatherFile(path, latitude, interpolate=interpolate)
