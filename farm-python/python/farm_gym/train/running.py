"""A training run as a folder: checkpoint, progress, and results on unseen seeds."""

from __future__ import annotations

import csv
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch
from gymnasium.vector import AutoresetMode

from farm_gym.env import FarmEnv
from farm_gym.errors import ConfigError, OutputError, StateError
from farm_gym.train.checkpoints import load, save
from farm_gym.train.evaluation import VALIDATION_SEED, evaluate, means_of_policies
from farm_gym.train.jobs import Job, Wrappers
from farm_gym.train.learners import Learner, learner_of
from farm_gym.train.live import LiveLine
from farm_gym.train.pictures import curve, film
from farm_gym.train.results import result, write, write_json

__all__ = ["Run", "trained"]

CHECKPOINT = "checkpoint.pt"

#: Number of seeds on which `random` and the expert play, for comparison.
REFERENCE_EPISODES = 30


class Run:
    """Trains and evaluates a learner, and writes everything to a folder.

    Args:
        job: What to train.
        folder: Where to write.
        resume: Whether to resume the training run in the folder.
        checkpoint_every: Number of steps between two checkpoints.
        episodes: Number of unseen seeds to evaluate on.
        first_seed: The first of these seeds. The default is a validation seed; use :data:`farm_gym.train.evaluation.TEST_SEED` for results
            that you publish.
        tensorboard: Whether to write the progress for TensorBoard.
        threads: Number of PyTorch threads.
        quiet: Whether to hide the progress.
        film: Whether to write ``film.gif``, a film of an unseen episode with greedy actions.
        command: The command recorded in the results.

    Raises:
        ConfigError: The folder contains a training run and ``resume`` is not set, or contains a different run, or has no run to resume.
    """

    def __init__(
        self,
        job: Job,
        folder: Path,
        *,
        resume: bool = False,
        checkpoint_every: int = 100_000,
        episodes: int = 300,
        first_seed: int = VALIDATION_SEED,
        tensorboard: bool = False,
        threads: int = 1,
        quiet: bool = True,
        film: bool = False,
        command: str = "",
    ) -> None:
        torch.set_num_threads(threads)
        self.job, self.folder, self.quiet = job, folder, quiet
        self.checkpoint_every, self.episodes, self.threads = checkpoint_every, episodes, threads
        self._checkpoint, self._command = folder / CHECKPOINT, command
        self._seeds, self._films = range(first_seed, first_seed + episodes), film
        if self._checkpoint.exists() and not resume:
            raise ConfigError(f"{folder} holds a training: resume it with --resume, or name another folder with --out")
        if resume and not self._checkpoint.exists():
            raise ConfigError(f"{folder} holds no {CHECKPOINT} to resume: leave out --resume, or name its folder with --out")
        self.learner = learner_of(job)
        self.fingerprint = f"{self.learner.game.fingerprint:016x}"
        self.cpu_seconds = 0.0
        if resume:
            self._resume()
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OutputError(f"{folder} can't be made: {error.strerror}") from None
        self._board: Any = None
        if tensorboard:
            from torch.utils.tensorboard import SummaryWriter

            self._board = SummaryWriter(str(folder / "tensorboard"))  # type: ignore[no-untyped-call,unused-ignore]

    def _identity(self) -> dict[str, Any]:
        return {**self.job.described(), "fingerprint": self.fingerprint}

    def _resume(self) -> None:
        kept = load(self._checkpoint)
        mine, theirs = self._identity(), kept["identity"]
        for key in mine:
            if mine[key] != theirs.get(key):
                raise ConfigError(
                    f"{self._checkpoint} is of another training: its {key} is {theirs.get(key)!r}, but {mine[key]!r} was asked for; "
                    "say the same as then, or name another folder with --out"
                )
        self.cpu_seconds = kept["cpu_seconds"]
        try:
            self.learner.load_state(kept["learner"], self.folder)
        except (KeyError, RuntimeError, ValueError) as error:
            raise StateError(f"{self._checkpoint} does not fit this version: {error}; train again") from None

    def run(self) -> dict[str, list[float]]:
        """Trains to the end, evaluates, and writes the results.

        Returns:
            The returns on unseen seeds, under the keys ``sampled`` and ``greedy``.
        """
        started, before = time.process_time(), self.cpu_seconds
        last_saved = self.learner.steps
        line = LiveLine(self.job.game, self.learner.total, self.quiet)
        means = {} if self.quiet else means_of_policies(self.job, self._seeds[:REFERENCE_EPISODES])
        line.references(means)
        progress = self.folder / "progress.csv"
        fields = ["steps", "episodes", "mean_return", *self.learner.figures_names, "cpu_seconds"]
        if not progress.exists() or self.learner.steps == 0:
            write(progress, ",".join(fields) + "\n")
        self._forget_progress(progress)

        def see() -> None:
            nonlocal last_saved
            learner = self.learner
            self.cpu_seconds = before + time.process_time() - started
            figures = learner.figures
            mean = sum(learner.returns) / len(learner.returns) if learner.returns else None
            row = {
                "steps": learner.steps,
                "episodes": learner.episodes,
                "mean_return": mean,
                **figures,
                "cpu_seconds": round(self.cpu_seconds, 2),
            }
            with progress.open("a", encoding="utf-8", newline="") as file:
                csv.DictWriter(file, fields, lineterminator="\n").writerow(row)
            if self._board is not None:
                for name, value in row.items():
                    if value is not None and name != "steps":
                        self._board.add_scalar(f"training/{name}", value, learner.steps)
            if learner.steps - last_saved >= self.checkpoint_every:
                self.save()
                last_saved = learner.steps
            line.show(learner.steps, mean)

        self.learner.run(see)
        self.cpu_seconds = before + time.process_time() - started
        self.save()
        if self._board is not None:
            self._board.close()
        line.end()
        earned = self._evaluate(line)
        line.file("curve", curve(self.folder, self.job.game, means))
        if self._films:
            line.file("film", film(self.folder, self.job, self.learner, self._seeds[0]))
        return earned

    def _forget_progress(self, progress: Path) -> None:
        """Removes the progress recorded after the checkpoint from which the run resumes."""
        rows = progress.read_text(encoding="utf-8").splitlines()
        kept = [row for row in rows[1:] if row.partition(",")[0].isdigit() and int(row.partition(",")[0]) <= self.learner.steps]
        write(progress, "\n".join([*rows[:1], *kept]) + "\n")

    def save(self) -> None:
        """Writes the checkpoint, completely or not at all."""
        state = {"identity": self._identity(), "cpu_seconds": self.cpu_seconds, "learner": self.learner.state(self.folder)}
        save(self._checkpoint, state)

    def _evaluate(self, line: LiveLine) -> dict[str, list[float]]:
        envs = self.job.environments(self.episodes, AutoresetMode.NEXT_STEP, self.learner.gamma)
        earned = {}
        for mode in ("sampled", "greedy"):
            begun = time.process_time()
            evaluated = evaluate(envs, self._seeds, self.learner.decide(mode == "greedy", self.episodes))
            returns = earned[mode] = evaluated.returns
            policy = {"name": f"{self.job.name} ({mode})", "kind": "trained", "algo": self.job.algo, "mode": mode}
            training = {
                "seed": self.job.seed,
                "steps": self.learner.steps,
                "episodes": self.learner.episodes,
                "hyperparameters": dict(self.learner.hyperparameters),
                "wrappers": asdict(self.job.wrappers),
                "threads": self.threads,
                "cpu_seconds": round(self.cpu_seconds, 2),
            }
            made_by = {"command": self._command, "cpu_seconds": round(time.process_time() - begun, 2)}
            arguments = {"preset": self.job.preset, "set": dict(self.job.set)}
            document = result(self.learner.game, arguments, policy, self._seeds, returns, made_by, training, evaluated.over_limit)
            write_json(self.folder / f"results-{mode}.json", document)
            line.earned(mode, returns)
        return earned


def trained(folder: Path) -> tuple[Job, Learner]:
    """The learner from a folder that :class:`Run` has written.

    Raises:
        ConfigError: The folder has no learner, or the game has changed since then.
    """
    path = folder / CHECKPOINT
    if not path.exists():
        raise ConfigError(f"{folder} holds no {CHECKPOINT}: `python -m farm_gym.train GAME --out {folder}` writes one")
    kept = load(path)
    told = dict(kept["identity"])
    fingerprint = told.pop("fingerprint")
    wrappers = told.pop("wrappers")
    wrappers["watch"] = None if wrappers["watch"] is None else tuple(wrappers["watch"])
    job = Job(wrappers=Wrappers(**wrappers), **told)
    found = FarmEnv(job.game, **job.arguments()).game.fingerprint
    if f"{found:016x}" != fingerprint:
        raise ConfigError(f"{path} was trained on {job.game} with the fingerprint {fingerprint}, which is {found:016x} now: train again")
    learner = learner_of(job)
    learner.load_state(kept["learner"], folder)
    return job, learner
