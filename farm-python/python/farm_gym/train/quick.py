"""A first success: a short training run whose policy clearly beats random actions, with its learning curve and a film."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from farm_gym import notebooks
from farm_gym.train.jobs import job, quick_changes, quick_games

__all__ = ["Trained", "quick", "quick_games"]


class Trained(NamedTuple):
    """A quick training run. Notebooks display its learning curve and its film."""

    #: The folder with ``checkpoint.pt``, ``progress.csv``, ``curve.png``, ``film.gif`` and the results.
    folder: Path
    #: Mean return on unseen seeds, with sampled and with greedy actions.
    sampled: float
    greedy: float

    def _repr_html_(self) -> str:
        words = f"{self.folder.name}: {self.sampled:.1f} with sampled actions, {self.greedy:.1f} with greedy actions"
        return notebooks.image((self.folder / "curve.png").read_bytes(), "returns of the training") + notebooks.film(
            self.folder / "film.gif", words
        )


def quick(
    game: str = "backwards_valley",
    *,
    out: str | os.PathLike[str] = "runs",
    seed: int = 0,
    hyperparameters: Mapping[str, Any] | None = None,
    wrappers: Mapping[str, Any] | None = None,
    episodes: int = 100,
    threads: int = 1,
    quiet: bool = False,
    command: str | None = None,
) -> Trained:
    """Trains PPO for about 20 s on one core, evaluates it, draws its learning curve, and films an unseen episode.

    The run replaces any earlier quick run with the same game and seed in this folder.

    Args:
        game: A game from :func:`quick_games`.
        out: The parent folder; the run creates ``GAME-quick-SEED`` in it.
        seed: Seed for the training run.
        hyperparameters, wrappers: Changes, as for :func:`farm_gym.train.jobs.job`.
        episodes: Number of unseen seeds to evaluate on.
        threads: Number of PyTorch threads; with 1, results repeat bit for bit.
        quiet: Whether to print nothing.
        command: The command recorded in the results; default: this call.

    Raises:
        ConfigError: There is no quick training for the game, an argument is wrong, or PyTorch is not installed.
    """
    training = job(game, "ppo", seed=seed, wrappers=wrappers, hyperparameters={**quick_changes(game), **(hyperparameters or {})})
    from farm_gym.train.running import CHECKPOINT, Run

    folder = Path(out) / f"{game}-quick-{seed}"
    if (folder / CHECKPOINT).exists():
        shutil.rmtree(folder)
    call = f"farm_gym.train.quick({game!r}, seed={seed})"
    run = Run(training, folder, episodes=episodes, threads=threads, quiet=quiet, film=True, command=command or call)
    means = {mode: sum(returns) / len(returns) for mode, returns in run.run().items()}
    return Trained(folder, **means)
