"""One interface for all learners: our own PPO and those from Stable-Baselines3."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from gymnasium.vector import AutoresetMode

from farm_gym import _native
from farm_gym.env import FarmEnv
from farm_gym.errors import ConfigError
from farm_gym.train.evaluation import Decide
from farm_gym.train.jobs import Job
from farm_gym.train.ppo import Settings, Training
from farm_gym.wrappers.names import nearest

__all__ = ["Learner", "OwnPpo", "learner_of"]


class Learner(ABC):
    """A learner in training."""

    game: _native.Game
    #: Discount per step in the game.
    gamma: float
    #: Total number of steps to take.
    total: int
    #: All hyper-parameters, including defaults.
    hyperparameters: Mapping[str, Any]
    #: The keys of :attr:`figures`.
    figures_names: tuple[str, ...] = ()

    steps: int
    episodes: int
    #: Returns of the most recent training episodes.
    returns: list[float]
    figures: dict[str, float]

    @abstractmethod
    def run(self, see: Callable[[], None]) -> None:
        """Learns until all steps are taken, and calls ``see`` from time to time."""

    @abstractmethod
    def decide(self, greedy: bool, episodes: int) -> Decide:
        """The learner's current policy, for ``episodes`` episodes."""

    @abstractmethod
    def state(self, folder: Path) -> dict[str, Any]:
        """The contents of a checkpoint. The learner may write additional files to the folder."""

    @abstractmethod
    def load_state(self, state: Mapping[str, Any], folder: Path) -> None:
        """Restores a checkpoint."""


def learner_of(job: Job) -> Learner:
    """Creates the learner for a job.

    Raises:
        ConfigError: The game has problems, a hyper-parameter is unknown, or the wrappers do not fit.
    """
    if job.algo == "ppo":
        return OwnPpo(job)
    from farm_gym.train.libraries import LibraryLearner

    return LibraryLearner(job)


def check_hyperparameters(given: Mapping[str, Any], defaults: Mapping[str, Any], where: str) -> None:
    """Checks the names of hyper-parameters and the types of their values.

    Raises:
        ConfigError: A name is unknown (the message suggests the nearest one), or a value that should be a number is not.
    """
    for name, value in given.items():
        if name not in defaults:
            raise ConfigError(f"--hyper: {where} has no {name!r}: {nearest(name, defaults, 40)}")
        default = defaults[name]
        wanted = (
            bool if isinstance(default, bool) else int if isinstance(default, int) else (int, float) if isinstance(default, float) else None
        )
        if wanted is not None and (not isinstance(value, wanted) or (isinstance(value, bool) and wanted is not bool)):
            raise ConfigError(f"--hyper: {name} is {value!r}, but a value such as {default!r} is needed")


#: The keys of a curriculum stage that change the game.
_CHANGES = ("set", "preset")


class OwnPpo(Learner):
    """:mod:`farm_gym.train.ppo`, with optional curriculum stages before the game itself (the ``curriculum`` hyper-parameter).

    A stage trains in a modified game, and the next stage continues from its result. Each stage is a mapping with ``set`` and ``preset``, as
    for :func:`farm_gym.make`, and any hyper-parameters that differ from the main ones.
    """

    figures_names = ("value_loss", "entropy", "divergence")

    def __init__(self, job: Job) -> None:
        given = dict(job.hyperparameters)
        lessons = given.pop("curriculum", [])
        if not isinstance(lessons, Sequence) or not all(isinstance(lesson, Mapping) for lesson in lessons):
            raise ConfigError(
                f"--hyper: curriculum is {lessons!r}, but a list of stages is needed, such as [{{steps = 100_000, set = {{…}}}}]"
            )
        self.job, self.hyperparameters = job, asdict(_settings(given))
        if lessons:
            self.hyperparameters["curriculum"] = [dict(lesson) for lesson in lessons]
        #: The job and the hyper-parameters of each stage; the last stage is the game itself.
        self._lessons: list[tuple[Job, Settings]] = []
        for lesson in lessons:
            changes = {**job.set, **lesson.get("set", {})}
            changed = replace(job, set=changes, preset=lesson.get("preset", job.preset))
            own = {name: value for name, value in lesson.items() if name not in _CHANGES}
            self._lessons.append((changed, _settings({**given, **own})))
        self._lessons.append((job, _settings(given)))
        self.gamma = self._lessons[-1][1].gamma
        self.total = sum(settings.steps for _, settings in self._lessons)
        self.game = FarmEnv(job.game, **job.arguments()).game
        #: The current stage, and the steps and episodes of earlier stages.
        self._lesson, self._before = 0, (0, 0)
        self.training = self._begin(0)

    def _begin(self, lesson: int) -> Training:
        job, settings = self._lessons[lesson]
        envs = job.environments(settings.envs, AutoresetMode.DISABLED, settings.gamma, explore=True)
        # Each stage has its own seeds.
        return Training(envs, settings, job.seed + 1_000_003 * lesson)

    @property
    def steps(self) -> int:  # type: ignore[override]
        """Number of steps taken so far."""
        return self._before[0] + self.training.steps

    @property
    def episodes(self) -> int:  # type: ignore[override]
        """Number of episodes that have ended so far."""
        return self._before[1] + self.training.episodes

    @property
    def returns(self) -> list[float]:  # type: ignore[override]
        """The returns of this stage's most recent episodes."""
        return self.training.returns

    @property
    def figures(self) -> dict[str, float]:  # type: ignore[override]
        """The losses in the last update."""
        return self.training.figures

    def run(self, see: Callable[[], None]) -> None:
        """Learns until all steps are taken."""
        while True:
            self.training.run(lambda training: see())
            if self._lesson + 1 == len(self._lessons):
                return
            learnt, self._before = self.training, (self.steps, self.episodes)
            self._lesson += 1
            self.training = self._begin(self._lesson)
            try:
                self.training.learn_from(learnt)
            except RuntimeError:
                raise ConfigError(
                    f"--hyper: curriculum[{self._lesson - 1}] and the next stage differ in observations, actions or network size: "
                    "these must be the same in all stages"
                ) from None

    def decide(self, greedy: bool, episodes: int) -> Decide:
        """The current policy, with its own random numbers."""
        generator = torch.Generator().manual_seed(self.job.seed)

        def choose(observations: npt.NDArray[np.float32], masks: npt.NDArray[np.bool_], begun: npt.NDArray[np.bool_]) -> npt.NDArray[Any]:
            actions: npt.NDArray[Any] = self.training.decide(observations, masks, greedy, generator)
            return actions

        return choose

    def state(self, folder: Path) -> dict[str, Any]:
        """The contents of a checkpoint."""
        return {"lesson": self._lesson, "before": self._before, "training": self.training.state()}

    def load_state(self, state: Mapping[str, Any], folder: Path) -> None:
        """Restores a checkpoint."""
        self._lesson, self._before = int(state["lesson"]), (int(state["before"][0]), int(state["before"][1]))
        self.training = self._begin(self._lesson)
        self.training.load_state(dict(state["training"]))


def _settings(given: Mapping[str, Any]) -> Settings:
    """Checked hyper-parameters.

    Raises:
        ConfigError: A hyper-parameter is unknown, or a number is out of range.
    """
    check_hyperparameters(given, {one.name: one.default for one in fields(Settings)}, "farm_gym.train.ppo.Settings")
    settings = Settings(**given)
    for name in ("steps", "envs", "rollout", "epochs", "minibatches", "width", "layers"):
        if getattr(settings, name) < 1:
            raise ConfigError(f"--hyper: {name} is {getattr(settings, name)}: at least 1 is needed")
    return settings


def parameters_of(made: Callable[..., Any]) -> dict[str, Any]:
    """A class's arguments and their defaults."""
    return {name: parameter.default for name, parameter in inspect.signature(made).parameters.items()}
