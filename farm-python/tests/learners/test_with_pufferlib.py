"""PufferLib's own vectorisations take the adapter as one of their native environments."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
import torch
from torch import nn
from training import every_game

from farm_gym.pufferlib import FarmPufferEnv

pufferlib = pytest.importorskip("pufferlib", reason="PufferLib has no wheel for this Python")
vector = pytest.importorskip("pufferlib.vector")

BACKENDS = {"PufferEnv": {}, "Serial": {"num_envs": 2}, "Multiprocessing": {"num_envs": 2, "num_workers": 2}}


def make(game: str, backend: str) -> Any:
    arguments = {"env_args": [game], "env_kwargs": {"num_envs": 8}}
    if backend != "PufferEnv":
        arguments = {name: [value] * 2 for name, value in arguments.items()}
        return vector.make([FarmPufferEnv] * 2, backend=getattr(vector, backend), **arguments, **BACKENDS[backend])
    return vector.make(FarmPufferEnv, **arguments)


def test_it_is_one_of_its_native_environments() -> None:
    assert issubclass(FarmPufferEnv, pufferlib.PufferEnv)


@every_game
@pytest.mark.parametrize("backend", BACKENDS)
def test_its_vectorisations_step_it(game: str, backend: str) -> None:
    envs = make(game, backend)
    agents = 8 if backend == "PufferEnv" else 16
    # Both kinds of reset, and the asynchronous pair.
    envs.async_reset(3)
    envs.recv()
    observations, _ = envs.reset(3)
    space = envs.single_action_space
    assert isinstance(space, gymnasium.spaces.Discrete)
    actions = np.random.default_rng(0).integers(space.n, size=(300, agents))
    rewards, infos, rows = [], [], []
    for row in actions:
        observations, reward, *_, info = envs.step(row)
        rewards.append(reward.copy())
        rows.append(observations.copy())
        infos += info
    envs.close()
    assert observations.shape[0] == agents and observations.dtype == np.uint8
    assert len({one.tobytes() for one in np.concatenate(rows)}) > 300
    lengths = [length for info in infos for length in info["episode_length"]]
    assert len(lengths) >= agents and all(0 < length <= 250 for length in lengths)
    assert np.isfinite(rewards).all() and np.any(rewards)


def test_a_network_learns_from_its_bytes() -> None:
    """The value of the first day from the entries of the bytes: the error falls."""
    envs = make("valley_farm", "PufferEnv")
    observations, _ = envs.reset(0)
    rng, seen, gained = np.random.default_rng(0), [], []
    for _ in range(100):
        seen.append(torch.from_numpy(observations.copy()))
        observations, rewards, *_ = envs.step(rng.integers(envs.single_action_space.n, size=8))
        gained.append(torch.from_numpy(rewards.copy()))
    entries = envs.unflatten(torch.cat(seen))
    features = torch.cat([entry.reshape(800, -1).float() / 10 for entry in entries.values()], dim=1)
    target = torch.cat(gained)
    torch.manual_seed(0)
    network = nn.Sequential(nn.Linear(features.shape[1], 32), nn.Tanh(), nn.Linear(32, 1))
    optimiser = torch.optim.Adam(network.parameters(), 1e-2)
    losses = []
    for _ in range(100):
        loss = (network(features).squeeze(-1) - target).square().mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
    assert losses[-1] < 0.8 * losses[0]
