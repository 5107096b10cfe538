"""The package's PPO trains on the vector environment, and handles the ends of episodes as it does."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
import torch
from gymnasium.vector import AutoresetMode
from torch import nn
from training import GAMES, every_game, parameters, plain, trains

import farm_gym
from farm_gym.train.ppo import Settings, Training
from farm_gym.wrappers import FlatObservations, VectorFlatObservations

SETTINGS = Settings(rollout=64, envs=16, learning_rate=1e-3, gamma=0.99)


def training(game: str, seed: int = 0, threads: int = 1, settings: Settings = SETTINGS, **arguments: Any) -> Training:
    envs = farm_gym.make_vec(
        game,
        settings.envs,
        num_threads=threads,
        actions="discrete",
        action_masks=True,
        autoreset_mode=AutoresetMode.DISABLED,
        **{**GAMES.get(game, {}), **arguments},
    )
    return Training(VectorFlatObservations(envs), settings, seed)


@every_game
def test_it_trains(game: str) -> None:
    one = training(game)
    with trains(one.agent):
        for _ in range(8):
            one.learn(one.collect())
    limit = plain(game).game.max_steps
    assert limit is not None and one.steps == 8 * 64 * 16
    # An episode lasts at most its limit, and each environment leaves at most one unfinished.
    assert one.episodes >= 16 * (8 * 64 // limit) and np.isfinite(one.returns).all()


@every_game
def test_the_policy_plays_a_single_environment(game: str) -> None:
    """What was learnt in the batch is used on one environment, whose observations look the same."""
    one = training(game)
    one.learn(one.collect())
    env: gymnasium.Env[Any, Any] = FlatObservations(plain(game))
    observation, info = env.reset(seed=5)
    returned, over, generator = 0.0, False, torch.Generator().manual_seed(0)
    while not over:
        mask = np.asarray(info["action_mask"], bool)
        action = int(one.decide(observation[None], mask[None], False, generator)[0])
        assert mask[action], "a masked action has the probability 0"
        observation, reward, terminated, truncated, info = env.step(action)
        returned, over = returned + float(reward), terminated or truncated
    assert np.isfinite(returned)


def test_the_same_seed_learns_the_same_on_any_number_of_threads() -> None:
    settings = Settings(rollout=8, envs=512, epochs=1)

    def learnt(seed: int, threads: int) -> list[torch.Tensor]:
        one = training("valley_farm", seed, threads, settings)
        one.learn(one.collect())
        return list(parameters(one.agent).values())

    first, threaded, other = learnt(1, 1), learnt(1, 2), learnt(2, 1)
    assert all(map(torch.equal, first, threaded))
    assert not all(map(torch.equal, first, other))


class Constant(nn.Module):
    """Values everything alike."""

    def __init__(self, value: float) -> None:
        super().__init__()
        self.constant = value

    def forward(self, seen: torch.Tensor) -> torch.Tensor:
        return torch.full((len(seen), 1), self.constant)


@pytest.mark.parametrize(("end", "worth"), [("terminated", 0.0), ("truncated", 0.9 * 7.0)])
def test_what_follows_an_end_and_a_cut(end: str, worth: float) -> None:
    """Where an episode is cut off, its last observation still has a value; where it came to its end, nothing follows."""
    settings = Settings(rollout=12, envs=4, gamma=0.9, normalise_rewards=False)
    rewards = []
    for value in (0.0, 7.0):
        one = training("farm0", settings=settings, set={"rules.BasicRule.max_steps": 5, "rules.BasicRule.at_max_steps": end})
        one.agent.value = Constant(value)  # type: ignore[assignment,unused-ignore]
        rollout = one.collect()
        rewards.append(rollout.rewards)
    assert rollout.ended.sum() == 2 * 4
    assert torch.allclose(rewards[1] - rewards[0], rollout.ended.float() * worth, atol=1e-4)
