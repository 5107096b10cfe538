"""PyTorch's data loader forks workers that step a batch which their parent has made and stepped before."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
import torch
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

import farm_gym

pytestmark = [
    pytest.mark.skipif("fork" not in torch.multiprocessing.get_all_start_methods(), reason="the system does not fork"),
    pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning"),
]

COUNT = 512


class Rewards(IterableDataset):
    """What each worker's copy of the batch brings in: the worker's number, and the rewards of a step."""

    def __init__(self, envs: farm_gym.FarmVectorEnv) -> None:
        self.envs = envs
        self.waits = np.full((COUNT, *envs.action_space.shape[1:]), envs.game.idle, np.int64)

    def __iter__(self) -> Iterator[tuple[int, torch.Tensor]]:
        info = get_worker_info()
        for _ in range(3):
            rewards = self.envs.step(self.waits)[1]
            yield info.id if info else -1, torch.from_numpy(rewards.copy())


def test_workers_that_fork_step_the_batch_of_their_parent() -> None:
    envs = farm_gym.make_vec("full_farm", COUNT, num_threads=2)
    envs.reset(seed=0)
    rewards = Rewards(envs)
    # So that the next step is shared among threads, which the workers do not inherit.
    envs.step(rewards.waits)
    # The time-out makes an error of a worker that hangs.
    loader = DataLoader(rewards, batch_size=None, num_workers=2, multiprocessing_context="fork", timeout=60)
    loaded: dict[int, list[torch.Tensor]] = {}
    for worker, found in loader:
        loaded.setdefault(worker, []).append(found)
    expected = [found for _, found in rewards]
    assert loaded.keys() == {0, 1}
    for found in loaded.values():
        assert len(found) == 3 and all(torch.equal(a, b) for a, b in zip(found, expected, strict=True))
