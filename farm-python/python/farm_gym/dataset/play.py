"""Plays the episodes of a data set, and computes the game's reference scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from farm_gym.dataset.behaviour import Behaviour, log_probabilities
from farm_gym.env import FarmEnv
from farm_gym.playing import play
from farm_gym.train.evaluation import VALIDATION_SEED

__all__ = ["Episode", "References", "episode", "references"]


@dataclass(frozen=True)
class Episode:
    """An episode as arrays. Observations and infos have one more entry than there are steps, because the first comes before any action."""

    seed: int
    observations: dict[str, npt.NDArray[Any]]
    actions: npt.NDArray[Any]
    rewards: npt.NDArray[np.float64]
    terminations: npt.NDArray[np.bool_]
    truncations: npt.NDArray[np.bool_]
    infos: dict[str, npt.NDArray[Any]]

    @property
    def total(self) -> float:
        """The return."""
        return float(self.rewards.sum())

    def __len__(self) -> int:
        return len(self.rewards)


def episode(env: FarmEnv, behaviour: Behaviour, seed: int) -> Episode:
    """Plays the episode with a seed."""
    observation, info = env.reset(seed=seed)
    behaviour.begin(env, seed)
    seen, masks = [observation], [info["action_mask"]]
    actions, log_values, rewards, ends = [], [], [], []
    over = False
    while not over:
        action, log_probability = behaviour.choose(observation, info)
        observation, reward, terminated, truncated, info = env.step(action)
        seen.append(observation)
        masks.append(info["action_mask"])
        actions.append(action)
        log_values.append(log_probability)
        rewards.append(float(reward))
        ends.append((terminated, truncated))
        over = terminated or truncated
    return Episode(
        seed,
        {key: np.stack([np.asarray(one[key]) for one in seen]) for key in observation},
        np.asarray(actions, np.int64),
        np.asarray(rewards),
        np.array([end[0] for end in ends]),
        np.array([end[1] for end in ends]),
        {"log_probability": log_probabilities(log_values), "action_mask": np.stack(masks)},
    )


@dataclass(frozen=True)
class References:
    """The reference returns for normalised scores: mean returns over the same unseen seeds."""

    #: The mean return of doing nothing, which has the score 0.
    minimum: float
    #: The mean return of the game's best policy, which has the score 1.
    maximum: float
    #: The name of that policy.
    best: str
    #: The mean returns of all tried policies, by name.
    means: dict[str, float]
    seeds: range


def references(env: FarmEnv, episodes: int) -> References:
    """Plays all of the game's policies except `random`, and also plays without acting."""
    seeds = range(VALIDATION_SEED, VALIDATION_SEED + episodes)
    names = [name for name in env.game.policies if name not in ("random", "wait")]
    nothing = env.farmgymaction_to_gymaction([])
    means = {"wait": float(np.mean([play(env, lambda observation, info: nothing, seed, None) for seed in seeds]))}
    for name in names:
        means[name] = float(np.mean([play(env, name, seed, None) for seed in seeds]))
    best = max(means, key=lambda name: means[name])
    return References(means["wait"], means[best], best, means, seeds)
