"""Pictures of a training run: its learning curve, and a film of the trained policy."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from farm_gym import _native
from farm_gym.films import generate_gif
from farm_gym.train.jobs import Job
from farm_gym.train.learners import Learner

__all__ = ["curve", "film"]


def curve(folder: Path, game: str, means: Mapping[str, float]) -> Path:
    """Draws the mean return of the last episodes against the steps, from ``progress.csv``, with horizontal lines for other policies' means.

    Returns:
        The picture, ``curve.png`` in the folder.
    """
    with (folder / "progress.csv").open(encoding="utf-8", newline="") as file:
        rows = [(float(row["steps"]), float(row["mean_return"])) for row in csv.DictReader(file) if row["mean_return"]]
    series = [("training", rows)] + [(name, [(step, mean) for step, _ in rows[:1] + rows[-1:]]) for name, mean in means.items()]
    path = folder / "curve.png"
    _native.save_chart(path, f"{Path(game).stem}: return of the last 100 episodes", "steps", "return", series)
    return path


def film(folder: Path, job: Job, learner: Learner, seed: int) -> Path:
    """Films an episode with greedy actions.

    Returns:
        The film, ``film.gif`` in the folder.
    """
    decide = learner.decide(True, 1)
    begun = np.ones(1, np.bool_)

    def choose(observation: Any, info: Mapping[str, Any]) -> int:
        masks = np.asarray(info["action_mask"], np.bool_)[None]
        action = int(decide(observation[None], masks, begun.copy())[0])
        begun[:] = False
        return action

    return generate_gif(job.environment(learner.gamma), choose, folder / "film.gif", seed=seed).path
