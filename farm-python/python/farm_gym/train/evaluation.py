"""Evaluates a learner on seeds that its training never saw."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from farm_gym.env import FarmEnv
from farm_gym.playing import play
from farm_gym.train.jobs import Job
from farm_gym.wrappers.batches import farms_of

__all__ = ["TEST_SEED", "VALIDATION_SEED", "Evaluated", "evaluate", "means_of_policies"]

#: The first validation seed. By default, training runs evaluate on validation seeds. Training seeds start at `2 ** 40`.
VALIDATION_SEED = 2_000_000

#: The first test seed. Published results use test seeds. Never select a learner or a setting by its returns on test seeds.
TEST_SEED = 1_000_000

#: A function that chooses actions, from observations of shape (environments, length), masks (environments, actions) and flags that mark
#: episodes that have just started.
Decide = Callable[[npt.NDArray[np.float32], npt.NDArray[np.bool_], npt.NDArray[np.bool_]], npt.NDArray[Any]]


@dataclass
class Evaluated:
    """The results of evaluated episodes."""

    #: The return of each episode: the sum of the game's rewards, undiscounted and unshaped.
    returns: list[float]
    #: Number of episodes that exceeded the game's limit. None if there is no limit, or more than one, because a step's cost combines all
    #: constraints.
    over_limit: int | None


def evaluate(envs: gymnasium.vector.VectorEnv[Any, Any, Any], seeds: Sequence[int], decide: Decide) -> Evaluated:
    """Plays an episode with each seed.

    Args:
        envs: One environment per seed, with vectors as observations, masks and the autoreset mode ``NEXT_STEP``.
        seeds: Seeds for the episodes.
        decide: The player.
    """
    constraints = farms_of(envs).game.constraints
    observations, info = envs.reset(seed=list(seeds))  # type: ignore[arg-type]  # narrower in Gymnasium
    begun = np.ones(len(seeds), np.bool_)
    over, returns, costs = np.zeros(len(seeds), np.bool_), np.zeros(len(seeds)), np.zeros(len(seeds))
    while not over.all():
        actions = decide(observations, np.asarray(info["action_mask"], np.bool_), begun)
        observations, rewards, terminated, truncated, info = envs.step(actions)
        returns += np.where(over, 0.0, info.get("reward", rewards))
        costs += np.where(over, 0.0, info.get("cost", 0.0))
        over, begun = over | terminated | truncated, np.zeros(len(seeds), np.bool_)
    bounds = [limit * weight for _, limit, weight in constraints if limit is not None]
    over_limit = int((costs > bounds[0]).sum()) if len(constraints) == len(bounds) == 1 else None
    return Evaluated([float(one) for one in returns], over_limit)


def means_of_policies(job: Job, seeds: Sequence[int]) -> dict[str, float]:
    """Mean returns of ``random`` and the expert on these seeds, if the game has these policies."""
    farm = FarmEnv(job.game, **job.arguments())
    known = [name for name in ("random", "expert", "informed") if name in farm.game.policies][:2]
    return {name: sum(play(farm, name, seed, None) for seed in seeds) / len(seeds) for name in known}
