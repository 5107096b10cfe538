"""Stable-Baselines3 and sb3-contrib train, unchanged, on the games."""

from __future__ import annotations

import math
from typing import Any

import gymnasium
import numpy as np
import pytest
from sb3_contrib import MaskablePPO
from stable_baselines3 import DQN, PPO
from stable_baselines3.common.base_class import BaseAlgorithm
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.evaluation import evaluate_policy
from stable_baselines3.common.monitor import Monitor
from training import GAMES, episodes_count, every_game, flat, parameters, plain, trains

import farm_gym
from farm_gym.wrappers import DictObservations, FlatObservations

STEPS = 4_096

#: Games whose own dictionaries its `MultiInputPolicy` takes as they are; `DictObservations` makes it take all.
DICTIONARIES = ["valley_farm"]

#: Where looking costs, half of the actions would not be executed: it is the time to look or the time to act.
LOOKING = {"interaction_mode": "aomdp"}


def train(model: BaseAlgorithm, game: str) -> None:
    """Trains, then looks at what the learner has seen and become."""
    env = model.get_env()
    assert env is not None
    with trains(model.policy):
        model.learn(STEPS)
    [monitor] = [inner for inner in getattr(env, "envs", []) if isinstance(inner, Monitor)]
    episodes_count(monitor.get_episode_rewards(), monitor.get_episode_lengths(), game, model.num_timesteps)
    assert model.ep_info_buffer, "the learner has counted episodes"
    assert all(math.isfinite(episode["r"]) for episode in model.ep_info_buffer)
    returns, lengths = evaluate_policy(model, Monitor(monitor.env), n_eval_episodes=3, return_episode_rewards=True)
    episodes_count(list(returns), list(lengths), game, sum(lengths))


class Watched(gymnasium.Wrapper[Any, Any, Any, Any]):
    """Keeps which actions were not executed."""

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        super().__init__(env)
        self.steps = 0
        self.refused: list[Any] = []

    def step(self, action: Any) -> Any:
        result = self.env.step(action)
        self.steps += 1
        self.refused += result[4]["rejected"]
        return result

    def action_masks(self) -> Any:
        return self.env.get_wrapper_attr("action_masks")()


@every_game
def test_its_checker_finds_nothing(game: str) -> None:
    check_env(flat(game))


@every_game
def test_ppo(game: str) -> None:
    train(PPO("MlpPolicy", flat(game), n_steps=512, seed=0, device="cpu"), game)


@pytest.mark.parametrize("game", DICTIONARIES)
def test_ppo_on_plain_dictionaries(game: str) -> None:
    train(PPO("MultiInputPolicy", plain(game), n_steps=512, seed=0, device="cpu"), game)


@every_game
def test_ppo_on_dictionaries_without_dots(game: str) -> None:
    train(PPO("MultiInputPolicy", DictObservations(plain(game)), n_steps=512, seed=0, device="cpu"), game)


@every_game
def test_dqn(game: str) -> None:
    # So that it learns from the first hundreds of steps on.
    model = DQN("MlpPolicy", flat(game), learning_starts=256, target_update_interval=512, seed=0, device="cpu")
    train(model, game)


@pytest.mark.parametrize(("game", "arguments"), [*((game, {}) for game in GAMES), ("clay_bean", LOOKING)])
def test_maskable_ppo_takes_no_action_that_is_masked(game: str, arguments: dict[str, Any]) -> None:
    env = Watched(flat(game, **arguments))
    model = MaskablePPO("MlpPolicy", env, n_steps=512, seed=0, device="cpu")
    with trains(model.policy):
        model.learn(STEPS)
    assert model.ep_info_buffer and env.steps == model.num_timesteps >= STEPS
    assert not env.refused
    observation, _ = env.reset(seed=1)
    for _ in range(100):
        action, _ = model.predict(observation, action_masks=env.action_masks())
        observation, _, terminated, truncated, _ = env.step(action)
        if terminated or truncated:
            observation, _ = env.reset()
    assert not env.refused


def test_without_masks_some_actions_are_refused() -> None:
    """Otherwise the test above would show nothing."""
    env = Watched(flat("clay_bean", **LOOKING))
    PPO("MlpPolicy", env, n_steps=512, seed=0, device="cpu").learn(512)
    assert env.steps == 512 and env.refused


def test_the_same_seed_learns_the_same() -> None:
    def learnt(seed: int) -> Any:
        model = PPO("MlpPolicy", flat("backwards_valley"), n_steps=256, seed=seed, device="cpu").learn(512)
        return np.concatenate([value.numpy().reshape(-1) for value in parameters(model.policy).values()])

    first, again, other = learnt(1), learnt(1), learnt(2)
    assert np.array_equal(first, again) and not np.array_equal(first, other)


def test_ppo_fills_schedules() -> None:
    """Several actions a day on twelve plots, as one action of PPO."""
    env = FlatObservations(farm_gym.make("clay_bean", preset="4x3", actions="multi_discrete"))
    model = PPO("MlpPolicy", env, n_steps=256, seed=0, device="cpu")
    with trains(model.policy):
        model.learn(512)
    assert model.num_timesteps == 512
