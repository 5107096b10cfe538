"""Several episodes as one life."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import farm_gym
import farm_gym.text
from farm_gym.wrappers import Lifetime

GAME = "backwards_valley@rules=train-7"


def life(episodes: int) -> Lifetime:
    return Lifetime(farm_gym.make(GAME), episodes=episodes)


@pytest.mark.filterwarnings("ignore:.*different from the unwrapped version")
def test_it_is_an_environment() -> None:
    check_env(life(2), skip_render_check=True)


def test_a_life_is_its_episodes_one_after_the_other() -> None:
    env, alone = life(3), farm_gym.make(GAME)
    actions = np.random.default_rng(1).integers(env.action_space.n, size=200)  # type: ignore[attr-defined]
    observation, info = env.reset(seed=5)
    assert (observation["trial"], observation["begins"], observation["last_action"]) == (0, 1, len(alone.action_names))
    taken = iter(actions)
    for trial in range(3):
        seed = farm_gym._native.Conversation.seed_of(5, trial)
        expected, _ = alone.reset(seed=seed)
        total, is_over = 0.0, False
        while not is_over:
            for key, value in expected.items():
                np.testing.assert_array_equal(observation[key], value)
            action = next(taken)
            expected, reward, terminated, truncated, _ = alone.step(action)
            observation, same, ends, is_cut, info = env.step(action)
            total, is_over = total + reward, terminated or truncated
            assert same == reward and info["episode over"] == is_over and observation["last_action"] == action
            assert observation["last_reward"] == np.float32(reward)
            assert (ends or is_cut) == (is_over and trial == 2)
        assert info["returns"][trial] == total
        assert observation["begins"] == (trial < 2) and observation["trial"] == min(trial + 1, 2)
    assert len(info["returns"]) == 3
    # Texts play the same lives.
    texts = farm_gym.text.make(GAME, episodes=3)
    texts.reset(seed=5)
    names = alone.action_names
    for action in actions:
        *_, terminated, truncated, _ = texts.step(names[action])
        if terminated or truncated:
            break
    assert texts.returns == info["returns"]


def test_equal_seeds_are_equal_lives_and_none_draws() -> None:
    def run(seed: int | None, env: Any) -> list[float]:
        env.reset(seed=seed)
        while True:
            *_, terminated, truncated, info = env.step(1)
            if terminated or truncated:
                return list(info["returns"])

    env = life(2)
    first = run(5, env)
    drawn = run(None, env)
    assert run(5, env) == first and run(None, env) == drawn


def test_what_it_can_not_do_is_refused() -> None:
    with pytest.raises(farm_gym.ConfigError, match="from 1 to 1000"):
        life(0)
    with pytest.raises(farm_gym.ConfigError, match="Lifetime"):
        Lifetime(gymnasium.make("farm_gym/FullFarm-v2", actions="multi_binary"), episodes=2)


def test_a_life_in_a_split_stays_in_it() -> None:
    first, count = farm_gym._native.split_seeds("train")
    env = life(2)
    with pytest.raises(farm_gym.ConfigError, match="reserved for the split"):
        env.reset(seed=first)
    env.reset(seed=first, options={"split": "train"})
    terminated = truncated = False
    while not (terminated or truncated):
        *_, terminated, truncated, info = env.step(1)
    assert len(info["returns"]) == 2
