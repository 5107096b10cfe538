"""What the tests share."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import farm_gym

GAMES = list(farm_gym.games())
VIEWS = ("discrete", "multi_discrete", "multi_binary", "multi_union")


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> str:
    """Every game of the catalogue."""
    return str(request.param)


def equal(a: Any, b: Any) -> bool:
    """Whether two observations are equal, types included."""
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(equal(a[key], b[key]) for key in a)
    return type(a) is type(b) and np.array_equal(a, b)


def repository() -> Path:
    """The top of the repository."""
    return Path(__file__).resolve().parents[2]
