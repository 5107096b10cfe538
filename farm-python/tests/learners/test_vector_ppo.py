"""A learner in the style of CleanRL trains on the vector environment, and handles the ends of episodes as it does."""

from __future__ import annotations

import farm_gym
import numpy as np
import pytest
import torch
from ppo import Rollout, Training, advantages, vectors
from training import GAMES, episodes_count, every_game, parameters, plain, trains


def envs(game: str, count: int = 16) -> farm_gym.FarmVectorEnv:
    return farm_gym.make_vec(game, count, num_threads=1, actions="discrete", **GAMES[game])


@every_game
def test_it_trains(game: str) -> None:
    training = Training(envs(game))
    with trains(training.agent):
        training.run(4)
    # Each environment leaves at most one episode unfinished, and one step of the others is a restart.
    assert training.experience + len(training.returns) >= 4 * 128 * 16 - 16
    episodes_count(training.returns, training.lengths, game, training.experience, 16)


@every_game
def test_the_policy_plays_a_single_environment(game: str) -> None:
    """What was learnt in the batch is used on one environment, whose observations look the same."""
    training = Training(envs(game), steps=32)
    training.run(1)
    env = plain(game)
    observation, _ = env.reset(seed=5)
    returned, over = 0.0, False
    while not over:
        batch = {key: np.asarray(value)[None] for key, value in observation.items()}
        with torch.no_grad():
            choices, _ = training.agent(vectors(training.space, batch))
        observation, reward, terminated, truncated, _ = env.step(int(choices.sample()))
        returned, over = returned + reward, terminated or truncated
    assert np.isfinite(returned)


def test_it_learns_backwards_valley() -> None:
    """Returns rise: the last episodes of the same training against its first."""
    training = Training(envs("backwards_valley", 32), steps=80)
    training.run(16)
    count = len(training.returns) // 5
    first, last = training.returns[:count], training.returns[-count:]
    error = np.hypot(np.std(first), np.std(last)) / count**0.5
    assert np.mean(last) > np.mean(first) + 3 * error, (np.mean(first), np.mean(last), error)


def test_the_same_seed_learns_the_same_on_any_number_of_threads() -> None:
    def learnt(seed: int, threads: int) -> list[torch.Tensor]:
        made = farm_gym.make_vec("valley_farm", 512, num_threads=threads, actions="discrete")
        training = Training(made, seed=seed, steps=8, epochs=1)
        training.run(1)
        return list(parameters(training.agent).values())

    first, threaded, other = learnt(1, 1), learnt(1, 2), learnt(2, 1)
    assert all(map(torch.equal, first, threaded))
    assert not all(map(torch.equal, first, other))


def column(*values: float) -> torch.Tensor:
    return torch.tensor(values, dtype=torch.float32).reshape(-1, 1)


@pytest.mark.parametrize(("terminated", "expected"), [(True, [1 + 0.9 * 2 - 1, 3 - 2, 0.0, 4 + 0.9 * 6 - 5]),
                                                      (False, [1 + 0.9 * 2 - 1, 3 + 0.9 * 7 - 2, 0.0, 4 + 0.9 * 6 - 5])])  # fmt: skip
def test_what_follows_an_end_and_a_cut(terminated: bool, expected: list[float]) -> None:
    """Four steps: the second ends an episode, the third begins the next. Without smoothing, the estimates are the errors."""
    end = torch.tensor([False, True, False, False]).reshape(-1, 1)
    none = torch.zeros_like(end)
    rollout = Rollout(
        seen=column(0, 0, 0, 0),
        actions=column(0, 0, 0, 0),
        log_probabilities=column(0, 0, 0, 0),
        rewards=column(1, 3, 0, 4),
        values=column(1, 2, 7, 5, 6),
        terminated=end if terminated else none,
        truncated=none if terminated else end,
        restarted=torch.tensor([False, False, True, False]).reshape(-1, 1),
    )
    assert advantages(rollout, 0.9, 0.0).reshape(-1).tolist() == pytest.approx(expected)
    # With it, an error reaches back, but not across the end.
    reaching = advantages(rollout, 0.9, 0.5).reshape(-1).tolist()
    assert reaching == pytest.approx([expected[0] + 0.45 * expected[1], *expected[1:]])
