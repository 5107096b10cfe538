"""Arguments of command lines."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from farm_gym.errors import ConfigError

__all__ = ["pairs"]


def pairs(words: Sequence[str], where: str) -> dict[str, Any]:
    """`NAME=VALUE` arguments as a dictionary; values are JSON, otherwise strings.

    Raises:
        ConfigError: An argument has no equals sign, or no name.
    """
    pairs: dict[str, Any] = {}
    for word in words:
        name, sign, text = word.partition("=")
        if not sign or not name:
            raise ConfigError(f"{where}: {word!r} is not NAME=VALUE")
        try:
            pairs[name] = json.loads(text)
        except json.JSONDecodeError:
            pairs[name] = text
    return pairs
