"""Checks names from users, and suggests the nearest known name."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

import gymnasium

from farm_gym.errors import ConfigError

__all__ = ["check_key", "nearest"]


def nearest(name: str, known: Iterable[str], count: int = 8) -> str:
    """The hint for an unknown name: the nearest known name, or some known names."""
    names = list(known)
    close = difflib.get_close_matches(name, names, 1, 0.6)
    if close:
        return f"did you mean {close[0]!r}?"
    shown = ", ".join(names[:count])
    return f"there are {shown}{', …' if len(names) > count else ''}" if names else "there are none"


def check_key(space: gymnasium.spaces.Dict, key: str, where: str) -> str:
    """Returns the key, if observations have it.

    Raises:
        ConfigError: Observations do not have the key; the message suggests the nearest one.
    """
    if key not in space.spaces:
        raise ConfigError(f"{where}: the observations have no {key!r}: {nearest(key, space.spaces)}")
    return key
