"""Results files: a policy's returns, and everything needed to reproduce them."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

from farm_gym import _native
from farm_gym.errors import ConfigError, OutputError
from farm_gym.registration import environment_id

__all__ = ["SCHEMA", "result", "versions", "write"]

#: The format of results files. The number increases with every incompatible change.
SCHEMA = "farm_gym.results/2"

#: The packages whose versions are recorded.
_PACKAGES = ("farm-gym", "numpy", "gymnasium", "torch", "stable-baselines3", "sb3-contrib", "minari")


def result(
    game: _native.Game,
    arguments: Mapping[str, Any],
    policy: Mapping[str, Any],
    seeds: range,
    returns: Sequence[float],
    made_by: Mapping[str, Any],
    training: Mapping[str, Any] | None = None,
    over_limit: int | None = None,
) -> dict[str, Any]:
    """A result in the format of ``schemas/results.schema.json``.

    Args:
        game: The game that was played.
        arguments: The arguments that opened the game: ``preset``, ``set`` and others.
        policy: ``name``, ``kind``, and further descriptions.
        seeds: The seeds of the episodes, with step 1.
        returns: The return of each episode.
        made_by: ``command`` and ``cpu_seconds``.
        training: A description of the policy's training, if it was trained.
        over_limit: Number of episodes that exceeded the game's limit, if it has one.
    """
    document: dict[str, Any] = {
        "schema": SCHEMA,
        "game": game.name,
        "game_id": _game_id(game.name),
        "fingerprint": f"{game.fingerprint:016x}",
        "arguments": {key: value for key, value in arguments.items() if value},
        "policy": dict(policy),
        "evaluation": {"first_seed": seeds.start, "episodes": len(seeds), "returns": list(returns)},
    }
    if over_limit is not None:
        document["evaluation"]["over_limit"] = over_limit
    if training is not None:
        document["training"] = dict(training)
    document["made_by"] = {**made_by, "version": _native.__version__, "machine": machine(), "packages": versions()}
    return document


def _game_id(name: str) -> str | None:
    try:
        return environment_id(name)
    except ConfigError:
        return None


def machine() -> dict[str, Any]:
    """A short description of this machine."""
    return {"system": platform.system(), "processor": platform.machine(), "cores": os.cpu_count() or 1, "python": platform.python_version()}


def versions() -> dict[str, str]:
    """The versions of the packages involved."""
    found = {}
    for package in _PACKAGES:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return found


def write(path: Path, text: str) -> None:
    """Writes a file, completely or not at all.

    Raises:
        OutputError: The file can't be written.
    """
    part = path.with_name(path.name + ".part")
    try:
        part.write_text(text, encoding="utf-8")
        os.replace(part, path)
    except OSError as error:
        raise OutputError(f"{path} can't be written: {error.strerror}") from None


def write_json(path: Path, document: Mapping[str, Any]) -> None:
    """Writes a document as JSON with a line for each of its fields, completely or not at all."""
    lines = (f" {json.dumps(key)}: {json.dumps(value, ensure_ascii=False, allow_nan=False)}" for key, value in document.items())
    write(path, "{\n" + ",\n".join(lines) + "\n}\n")
