"""Arguments of command lines."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from typing import Any

from farm_gym.errors import ConfigError

__all__ = ["pairs", "parsed"]


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


def parsed(parser: argparse.ArgumentParser, words: Sequence[str] | None, **least: int) -> argparse.Namespace:
    """Parses arguments, and checks that these numbers are not too small. An error ends the program, as in `argparse`."""
    given = parser.parse_args(words)
    for name, limit in least.items():
        value = getattr(given, name, None)
        if value is not None and value < limit:
            parser.error(f"--{name.replace('_', '-')} is {value}: at least {limit} is needed")
    return given
