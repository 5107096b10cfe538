"""Checkpoints: PyTorch files with only numbers, strings and arrays, so that loading a checkpoint runs no code."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import torch

from farm_gym.errors import OutputError, StateError

__all__ = ["load", "save"]

#: The key that marks a NumPy array.
_ARRAY = "numpy"


def _plain(value: Any) -> Any:
    """A copy of a value, with tensors instead of arrays."""
    if isinstance(value, np.ndarray):
        return {_ARRAY: torch.from_numpy(np.ascontiguousarray(value).copy()), "shape": list(value.shape)}
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(_plain(one) for one in value)
    return value


def _arrays(value: Any) -> Any:
    """The reverse of :func:`_plain`."""
    if isinstance(value, dict):
        if value.keys() == {_ARRAY, "shape"}:
            return value[_ARRAY].numpy().reshape(value["shape"])
        return {key: _arrays(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(_arrays(one) for one in value)
    return value


def save(path: Path, state: dict[str, Any]) -> None:
    """Writes a checkpoint, completely or not at all.

    Raises:
        OutputError: The file can't be written.
    """
    part = path.with_name(path.name + ".part")
    try:
        torch.save(_plain(state), part)
        os.replace(part, path)
    except (OSError, RuntimeError) as error:
        raise OutputError(f"{path} can't be written: {error}") from None


def load(path: Path) -> dict[str, Any]:
    """Reads a checkpoint.

    Raises:
        StateError: The file is damaged, or not a checkpoint.
    """
    try:
        state: dict[str, Any] = _arrays(torch.load(path, map_location="cpu", weights_only=True))
    except Exception as error:
        raise StateError(
            f"{path} is not a checkpoint, or damaged: {str(error).splitlines()[0]}; train again, or name another folder"
        ) from None
    return state
