"""Observations as vectors of ``float32``, one at a time or in batches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from farm_gym.errors import ConfigError

__all__ = ["Flattener"]


#: Numbers with at least this range are counts or amounts without a meaningful bound; dividing them by the range would make them vanish.
_WIDE = 1e5


class Flattener:
    """Turns observations from a dictionary space into vectors: categories are one-hot, and numbers with a finite range are divided by this
    range.

    If the range is 100,000 or more, as for a number of insects, ``log(1 + x)`` is divided by ``log(1 + range)``, so that small numbers do
    not vanish. With a maximum of a million insects, 800 becomes 0.48 instead of 0.0008. Numbers below 0 keep their sign.

    Args:
        space: The space of one observation.

    Raises:
        ConfigError: The space is not a dictionary.
    """

    def __init__(self, space: gymnasium.Space[Any]) -> None:
        if not isinstance(space, gymnasium.spaces.Dict):
            raise ConfigError(f"the observations are not a dictionary but {space}: wrap the environment only once")
        self._spaces = space
        self.length = sum(_length(inner) for inner in space.values())
        #: The space of one vector: between -1 and 1, unless an entry has no bounds.
        self.space = gymnasium.spaces.Box(-1.0, 1.0, (self.length,), np.float32)
        if any(isinstance(inner, gymnasium.spaces.Box) and not inner.is_bounded() for inner in space.values()):
            self.space = gymnasium.spaces.Box(-np.inf, np.inf, (self.length,), np.float32)

    def one(self, observation: Mapping[str, Any]) -> npt.NDArray[np.float32]:
        """The vector of one observation, of shape ``(length,)``."""
        row: npt.NDArray[np.float32] = self.batch({key: np.asarray(observation[key])[None] for key in self._spaces})[0]
        return row

    def batch(self, observations: Mapping[str, npt.NDArray[Any]]) -> npt.NDArray[np.float32]:
        """The vectors for a batch of observations, with shape ``(environments, length)``. The first axis of the input arrays indexes the
        environments."""
        parts = [_rows(inner, np.asarray(observations[key])) for key, inner in self._spaces.items()]
        return np.concatenate(parts, axis=1).astype(np.float32)


def _categories(space: gymnasium.Space[Any]) -> npt.NDArray[np.int64] | None:
    """The number of categories in each entry of a space; None for measured values."""
    if isinstance(space, gymnasium.spaces.Discrete):
        return np.array([space.n], np.int64)
    if isinstance(space, gymnasium.spaces.MultiDiscrete):
        return space.nvec.reshape(-1).astype(np.int64)
    if isinstance(space, gymnasium.spaces.Box) and space.dtype == np.uint8:
        return space.high.reshape(-1).astype(np.int64) + 1
    return None


def _length(space: gymnasium.Space[Any]) -> int:
    categories = _categories(space)
    return gymnasium.spaces.utils.flatdim(space) if categories is None else int(categories.sum())


def _rows(space: gymnasium.Space[Any], values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Converts one entry in a batch to rows, one for each environment."""
    count = len(values)
    categories = _categories(space)
    if categories is not None:
        ends = np.cumsum(categories)
        rows = np.zeros((count, int(ends[-1])), np.float32)
        rows[np.arange(count)[:, None], ends - categories + values.reshape(count, -1)] = 1.0
        return rows
    if isinstance(space, gymnasium.spaces.Box):
        scale = np.maximum(np.abs(space.low.astype(np.float64)), np.abs(space.high.astype(np.float64)))
        known = np.isfinite(scale) & (scale > 0)
        wide = known & (scale >= _WIDE)
        scaled = values / np.where(known, scale, 1.0)
        if wide.any():
            logarithms = np.sign(values) * np.log1p(np.abs(values.astype(np.float64)))
            scaled = np.where(wide, logarithms / np.log1p(np.where(wide, scale, 1.0)), scaled)
        return scaled.reshape(count, -1)
    return np.stack([np.asarray(gymnasium.spaces.utils.flatten(space, value)).reshape(-1) for value in values])
