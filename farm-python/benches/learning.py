"""What Stable-Baselines3's PPO learns, against waiting. It needs `pip install farm-gym stable-baselines3`.

    python farm-python/benches/learning.py                                  Backwards Valley, 200,000 steps, seeds 0 1 2
    python farm-python/benches/learning.py --game valley_farm --seeds 0 1 2 3 4

PPO has the library's hyper-parameters, but for the discount: the games are short, and what is earned last counts fully. Its
rollouts of 2,048 steps come from eight environments. All policies, waiting included, then play the same episodes, whose seeds training has not seen. Intervals are of 95 %: for one
policy over the episodes, and over the training seeds, with Student's t, for the learner.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
import torch
from stable_baselines3 import PPO
from stable_baselines3.common.vec_env import DummyVecEnv

import farm_gym
from farm_gym.wrappers import FlatDiscreteActions, FlatObservations

#: Seeds of the episodes that all policies play; training draws its own from 63 bits and will not meet them.
FIRST_EPISODE = 2_000_000
#: 97.5 % quantiles of Student's t for 1, 2, … degrees of freedom.
STUDENT = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262)

Policy = Callable[[npt.NDArray[np.float32]], npt.NDArray[np.int64]]


def make(game: str) -> gymnasium.Env[Any, Any]:
    return FlatDiscreteActions(FlatObservations(farm_gym.make(game)))


def play(game: str, policy: Policy, episodes: int) -> list[float]:
    """Returns of the episodes, all played side by side."""
    envs = [make(game) for _ in range(episodes)]
    observations = [env.reset(seed=FIRST_EPISODE + i)[0] for i, env in enumerate(envs)]
    returns, live = [0.0] * episodes, list(range(episodes))
    while live:
        actions = policy(np.stack([observations[i] for i in live]))
        for i, action in zip(list(live), actions, strict=True):
            observations[i], reward, terminated, truncated, _ = envs[i].step(int(action))
            returns[i] += float(reward)
            if terminated or truncated:
                live.remove(i)
    return returns


def interval(values: list[float], quantile: float = 1.96) -> str:
    half = quantile * statistics.stdev(values) / len(values) ** 0.5
    return f"{statistics.mean(values):7.2f} ± {half:.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="backwards_valley")
    parser.add_argument("--steps", type=int, default=200_000, help="environment steps of training")
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--episodes", type=int, default=500, help="episodes that each policy plays afterwards")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    game, episodes = arguments.game, arguments.episodes

    farm = farm_gym.make(game, actions="discrete")
    count = len(farm.action_names)
    waiting = next(i for i, name in enumerate(farm.action_names) if name.rsplit(".")[-1] in ("Wait", "nothing"))
    rng = np.random.default_rng(0)
    print(f"{game}: {arguments.steps:,} steps of PPO, {episodes} episodes afterwards")
    print(f"wait                {interval(play(game, lambda seen: np.full(len(seen), waiting), episodes))}")
    print(f"random              {interval(play(game, lambda seen: rng.integers(count, size=len(seen)), episodes))}")

    sampled, greedy = [], []
    for seed in arguments.seeds:
        envs = DummyVecEnv([lambda: make(game)] * 8)
        model = PPO("MlpPolicy", envs, seed=seed, gamma=1.0, n_steps=256, device="cpu")
        begin = time.perf_counter()
        model.learn(arguments.steps)
        seconds = time.perf_counter() - begin
        drawn = play(game, lambda seen, model=model: model.predict(seen)[0], episodes)
        best = play(game, lambda seen, model=model: model.predict(seen, deterministic=True)[0], episodes)
        sampled.append(statistics.mean(drawn))
        greedy.append(statistics.mean(best))
        print(f"PPO, seed {seed:<3}       {interval(drawn)} sampled, {interval(best)} greedy; {seconds:.0f} s", flush=True)
    if 1 < len(arguments.seeds) <= len(STUDENT) + 1:
        quantile = STUDENT[len(arguments.seeds) - 2]
        print(f"PPO, over the seeds {interval(sampled, quantile)} sampled, {interval(greedy, quantile)} greedy")


if __name__ == "__main__":
    main()
