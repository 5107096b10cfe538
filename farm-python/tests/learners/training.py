"""What the tests of learners share: the games, how they are made for learners, and what every training must show."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import gymnasium
import pytest
import torch

import farm_gym
from farm_gym.wrappers import FlatDiscreteActions, FlatObservations

# More threads than cores only wait for each other, and one makes results repeatable.
torch.set_num_threads(1)

#: The games of the catalogue that learners are trained on, with arguments of `farm_gym.make`.
GAMES: dict[str, dict[str, Any]] = {
    "backwards_valley": {},
    "valley_farm": {},
    "farm0": {},
}

every_game = pytest.mark.parametrize("game", GAMES)


def plain(game: str, **arguments: Any) -> farm_gym.FarmEnv:
    """A game with its own observations and one action of the flat list a step."""
    return farm_gym.make(game, actions="discrete", **GAMES.get(game, {}), **arguments)


def flat(game: str, **arguments: Any) -> gymnasium.Env[Any, Any]:
    """A game for learners that know vectors and numbered actions only."""
    return FlatDiscreteActions(FlatObservations(farm_gym.make(game, **GAMES.get(game, {}), **arguments)))


def parameters(module: torch.nn.Module) -> dict[str, torch.Tensor]:
    """A copy of all parameters."""
    return {name: value.detach().clone() for name, value in module.named_parameters()}


@contextmanager
def trains(module: torch.nn.Module) -> Iterator[None]:
    """Training inside changes parameters of every layer that has a part in it, and all stay finite."""
    before = parameters(module)
    yield
    after = parameters(module)
    changed = {name for name, value in after.items() if not torch.equal(value, before[name])}
    assert all(torch.isfinite(value).all() for value in after.values())
    assert len(changed) > len(after) // 2, f"unchanged: {sorted(set(after) - changed)}"


def episodes_count(returns: list[float], lengths: list[int], game: str, steps: int, environments: int = 1) -> None:
    """The learner has counted at least the episodes that so many steps hold, each with a finite return and a possible length."""
    limit = farm_gym.make(game, **GAMES.get(game, {})).game.max_steps
    assert limit is not None
    assert len(returns) == len(lengths) >= environments * max(1, steps // environments // limit)
    assert all(math.isfinite(value) for value in returns)
    assert all(0 < length <= limit for length in lengths)
    assert sum(lengths) <= steps
