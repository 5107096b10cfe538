"""Behaviour cloning on a data set from ``python -m farm_gym.dataset``: ``python -m farm_gym.clone DIR``.

A network learns the data set's actions by maximum likelihood (Pomerleau 1989); actions that would not have been executed are masked. The
network then plays seeds that are not in the data. This is the shortest example of learning from a data set. Running it needs
``pip install "farm-gym[train,data]"``.
"""

from __future__ import annotations

import argparse
import shlex
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode

from farm_gym.errors import ConfigError, FarmError
from farm_gym.train.evaluation import VALIDATION_SEED, evaluate
from farm_gym.train.jobs import need
from farm_gym.train.results import result, write_json
from farm_gym.train.words import parsed
from farm_gym.vector import FarmVectorEnv
from farm_gym.wrappers import Flattener, VectorFlatObservations

__all__ = ["Clone", "main"]


class Clone:
    """A network that imitates a data set.

    Args:
        folder: A data set.
        seed: Seed for the initial weights and the order of the examples.
        width: Width of both hidden layers.

    Raises:
        ConfigError: The folder is not a data set with one numbered action per step, or the game has changed since the data set was written.
    """

    def __init__(self, folder: Path, seed: int = 0, width: int = 128) -> None:
        import minari
        import torch
        from torch import nn

        if not (folder / "data" / "metadata.json").exists():
            remedy = f"`python -m farm_gym.dataset GAME --out {folder}` makes one"
            raise ConfigError(f"{folder} is not a data set: it has no data/metadata.json; {remedy}")
        self.data = minari.MinariDataset(str((folder / "data").resolve()))
        self.origin: dict[str, Any] = self.data.storage.metadata["farm_gym"]
        self.scores: tuple[float, float] = (self.data.storage.metadata["ref_min_score"], self.data.storage.metadata["ref_max_score"])
        if not isinstance(self.data.action_space, gymnasium.spaces.Discrete):
            found = f"its actions are {self.data.action_space}"
            raise ConfigError(f"{folder}: {found}, but one numbered action a step is needed: take a game without schedules")
        envs = self.environments(1)
        self.game = envs.unwrapped.game  # type: ignore[attr-defined,unused-ignore]
        now, then = f"{self.game.fingerprint:016x}", self.origin["fingerprint"]
        if now != then:
            raise ConfigError(f"{folder} is of {self.origin['game']} with the fingerprint {then}, which is {now} now: regenerate it")
        # The keys are in the game's order; Minari sorts them.
        self._flattener = Flattener(envs.unwrapped.single_observation_space)
        torch.manual_seed(seed)
        actions = int(self.data.action_space.n)
        self.network = nn.Sequential(
            nn.Linear(self._flattener.length, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, actions)
        )
        self._load()

    def environments(self, count: int) -> gymnasium.vector.VectorEnv[Any, Any, Any]:
        """A vector environment of the game in the data set."""
        arguments = {key: value for key, value in self.origin["arguments"].items() if value}
        farms = FarmVectorEnv(num_envs=count, num_threads=1, autoreset_mode=AutoresetMode.NEXT_STEP, action_masks=True, **arguments)
        return VectorFlatObservations(farms)

    def _load(self) -> None:
        """All steps as rows: observations, masks and actions."""
        seen, masks, actions = [], [], []
        for one in self.data:
            count = len(one.actions)
            seen.append(self._flattener.batch({key: values[:count] for key, values in one.observations.items()}))
            masks.append(one.infos["action_mask"][:count])
            actions.append(one.actions)
        rows = np.concatenate(seen)
        self._mean, self._deviation = rows.mean(axis=0, dtype=np.float64), rows.std(axis=0, dtype=np.float64) + 1e-4
        self._seen, self._masks, self._actions = self._scaled(rows), np.concatenate(masks).astype(np.bool_), np.concatenate(actions)

    def _scaled(self, rows: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        scaled: npt.NDArray[np.float32] = np.clip((rows - self._mean) / self._deviation, -10.0, 10.0).astype(np.float32)
        return scaled

    def learn(self, epochs: int, learning_rate: float = 1e-3, batch: int = 256) -> list[float]:
        """Trains for ``epochs`` passes over all the steps.

        Returns:
            The mean negative log-likelihood of each pass.
        """
        import torch

        seen, masks, actions = torch.as_tensor(self._seen), torch.as_tensor(self._masks), torch.as_tensor(self._actions)
        optimiser = torch.optim.Adam(self.network.parameters(), lr=learning_rate)
        losses = []
        for _ in range(epochs):
            total = 0.0
            for rows in torch.randperm(len(seen)).split(batch):  # type: ignore[no-untyped-call,unused-ignore]
                logits = self.network(seen[rows]).masked_fill(~masks[rows], -1e9)
                loss = torch.nn.functional.cross_entropy(logits, actions[rows])
                optimiser.zero_grad()
                loss.backward()  # type: ignore[no-untyped-call,unused-ignore]
                optimiser.step()
                total += float(loss.detach()) * len(rows)
            losses.append(total / len(seen))
        return losses

    def play(self, seeds: Sequence[int]) -> list[float]:
        """The returns with greedy actions on these seeds."""
        import torch

        def decide(observations: npt.NDArray[np.float32], masks: npt.NDArray[np.bool_], begun: npt.NDArray[np.bool_]) -> npt.NDArray[Any]:
            with torch.no_grad():
                logits = self.network(torch.as_tensor(self._scaled(observations))).masked_fill(~torch.as_tensor(masks), -1e9)
            actions: npt.NDArray[Any] = logits.argmax(-1).numpy()
            return actions

        return evaluate(self.environments(len(seeds)), seeds, decide).returns

    def score(self, mean: float) -> float:
        """A normalised mean return: 0 at the lower reference score, 1 at the upper one."""
        low, high = self.scores
        return (mean - low) / (high - low) if high > low else float("nan")


def main(words: Sequence[str] | None = None) -> int:
    """Runs the command line and returns the exit code. None means the arguments of this process."""
    parser = argparse.ArgumentParser("python -m farm_gym.clone", description="Learns to imitate a data set.")
    add = parser.add_argument
    add("folder", type=Path, metavar="DIR", help="a data set of `python -m farm_gym.dataset`")
    add("--epochs", type=int, default=20, metavar="N", help="passes over all steps (default: 20)")
    add("--seed", type=int, default=0, metavar="S", help="seed of the training (default: 0)")
    add("--episodes", type=int, default=300, metavar="N", help="unseen seeds to evaluate on (default: 300)")
    add("--out", type=Path, metavar="FILE", help="write the results to this JSON file")
    given = parsed(parser, words, epochs=1, seed=0, episodes=1)
    try:
        need(("torch", "minari", "h5py"), "farm_gym.clone", "train,data")
        import torch

        torch.set_num_threads(1)
        started = time.process_time()
        clone = Clone(given.folder, given.seed)
        losses = clone.learn(given.epochs)
        trained = time.process_time()
        seeds = range(VALIDATION_SEED, VALIDATION_SEED + given.episodes)
        returns = clone.play(seeds)
        mean = sum(returns) / len(returns)
        print(f"negative log-likelihood {losses[0]:.4f} … {losses[-1]:.4f}")
        print(f"return {mean:.3f} on {given.episodes} unseen seeds, normalised {clone.score(mean):.3f}")
        if given.out is not None:
            training = {
                "seed": given.seed,
                "hyperparameters": {"epochs": given.epochs},
                "dataset": clone.origin["command"],
                "cpu_seconds": round(trained - started, 2),
            }
            policy = {"name": "behaviour cloning", "kind": "trained", "algo": "bc", "mode": "greedy"}
            command = shlex.join(["python", "-m", "farm_gym.clone", *(sys.argv[1:] if words is None else words)])
            made_by = {"command": command, "cpu_seconds": round(time.process_time() - trained, 2)}
            arguments = {key: clone.origin["arguments"][key] for key in ("preset", "set")}
            write_json(given.out, result(clone.game, arguments, policy, seeds, returns, made_by, training))
    except FarmError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
