"""Ray RLlib's PPO trains, unchanged, on the games. It pins a Gymnasium of its own."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
import pytest
import ray
import torch
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.columns import Columns
from ray.tune.registry import register_env
from training import every_game, flat, trains

import farm_gym
from farm_gym.wrappers import FlatObservations, VectorFlatObservations

NAME, VECTOR = "farm_game", "farm_games"
STEPS = 1_000
ROUNDS = 3


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[None]:
    # A core for the learner, and one for each environment runner.
    ray.init(num_cpus=3, include_dashboard=False, log_to_driver=False, configure_logging=False)
    # Through Ray's own wrapper, which passes the configuration as a dictionary.
    register_env(NAME, lambda config: flat(config["game"]))
    yield
    ray.shutdown()


@every_game
def test_ppo(game: str) -> None:
    config = (
        PPOConfig()
        .environment(NAME, env_config={"game": game})
        .env_runners(num_env_runners=0, num_envs_per_env_runner=1)
        .learners(num_learners=0)
        .training(train_batch_size_per_learner=STEPS, minibatch_size=250, num_epochs=4)
        .debugging(seed=0)
    )
    algorithm = config.build_algo()
    try:
        limit = farm_gym.make(game).game.max_steps
        assert limit is not None
        episodes, returns, taken = 0, [], 0
        with trains(algorithm.get_module()):
            for _ in range(ROUNDS):
                result: dict[str, Any] = algorithm.train()["env_runners"]
                episodes += int(result["num_episodes"])
                taken = int(result["num_env_steps_sampled_lifetime"])
                returns.append(float(result["episode_return_mean"]))
        assert taken >= ROUNDS * STEPS and episodes >= taken // limit
        assert all(map(math.isfinite, returns))

        module, env = algorithm.get_module(), flat(game)
        observation, _ = env.reset(seed=1)
        returned, length, over = 0.0, 0, False
        while not over:
            with torch.no_grad():
                logits = module.forward_inference({Columns.OBS: torch.as_tensor(observation)[None]})
            action = int(logits[Columns.ACTION_DIST_INPUTS].argmax())
            observation, reward, terminated, truncated, _ = env.step(action)
            returned, length, over = returned + float(reward), length + 1, terminated or truncated
        assert np.isfinite(returned) and 0 < length <= limit
    finally:
        algorithm.stop()


def test_env_runners_step_the_native_vector_environment() -> None:
    def vector(config: dict[str, Any]) -> Any:
        """Environments that step together, where RLlib says how many; or one, for it to look at."""
        if "num_envs" in config:
            return VectorFlatObservations(farm_gym.make_vec(config["game"], num_envs=config["num_envs"], num_threads=1, actions="discrete"))
        return FlatObservations(farm_gym.make(config["game"], actions="discrete"))

    # Other processes can't import this file, and are sent what stands within a function.
    register_env(VECTOR, vector)
    config = (
        PPOConfig()
        .environment(VECTOR, env_config={"game": "farm0"})
        .env_runners(num_env_runners=2, num_envs_per_env_runner=4, gym_env_vectorize_mode=gymnasium.VectorizeMode.VECTOR_ENTRY_POINT)
        .learners(num_learners=0)
        .training(train_batch_size_per_learner=STEPS, minibatch_size=250, num_epochs=2)
        .debugging(seed=0)
    )
    algorithm = config.build_algo()
    try:
        kinds = algorithm.env_runner_group.foreach_env_runner(
            lambda runner: (type(runner.env.unwrapped).__name__, runner.num_envs), local_env_runner=False
        )
        assert kinds == [("FarmVectorEnv", 4)] * 2
        episodes, returns, taken = 0, [], 0
        with trains(algorithm.get_module()):
            for _ in range(ROUNDS):
                result: dict[str, Any] = algorithm.train()["env_runners"]
                episodes += int(result["num_episodes"])
                taken = int(result["num_env_steps_sampled_lifetime"])
                returns.append(float(result["episode_return_mean"]))
        assert taken >= ROUNDS * STEPS and episodes > 8
        assert any(map(math.isfinite, returns))
    finally:
        algorithm.stop()
