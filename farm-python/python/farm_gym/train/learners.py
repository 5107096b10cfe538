"""The learners behind one interface: our own PPO and those of Stable-Baselines3."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from gymnasium.vector import AutoresetMode

from farm_gym import _native
from farm_gym.errors import ConfigError
from farm_gym.train.evaluation import Decide
from farm_gym.train.jobs import Job
from farm_gym.train.ppo import Settings, Training
from farm_gym.wrappers.batches import farms_of
from farm_gym.wrappers.names import nearest

__all__ = ["Learner", "OwnPpo", "learner_of"]


class Learner(ABC):
    """A learner at work."""

    game: _native.Game
    #: Discount of a step of the game.
    gamma: float
    #: Steps to take in all.
    total: int
    #: All of them, with those that were not given.
    hyperparameters: Mapping[str, Any]
    #: What :attr:`figures` holds.
    figures_names: tuple[str, ...] = ()

    steps: int
    episodes: int
    #: Returns of the last episodes that ended in training.
    returns: list[float]
    figures: dict[str, float]

    @abstractmethod
    def run(self, see: Callable[[], None]) -> None:
        """Learns until all steps are taken, and calls ``see`` now and then."""

    @abstractmethod
    def decide(self, greedy: bool, episodes: int) -> Decide:
        """Who plays ``episodes`` episodes as the learner is now."""

    @abstractmethod
    def state(self, folder: Path) -> dict[str, Any]:
        """What a checkpoint holds; more may be written to the folder."""

    @abstractmethod
    def load_state(self, state: Mapping[str, Any], folder: Path) -> None:
        """Goes on from a checkpoint."""


def learner_of(job: Job) -> Learner:
    """The learner of a job.

    Raises:
        ConfigError: Problems of the game, a hyper-parameter that there is not, wrappers that do not fit.
    """
    if job.algo == "ppo":
        return OwnPpo(job)
    from farm_gym.train.libraries import LibraryLearner

    return LibraryLearner(job)


def check_hyperparameters(given: Mapping[str, Any], defaults: Mapping[str, Any], where: str) -> None:
    """Looks whether there are such hyper-parameters, and whether a number stands where one is needed.

    Raises:
        ConfigError: What is wrong, with the nearest name.
    """
    for name, value in given.items():
        if name not in defaults:
            raise ConfigError(f"--hyper: {where} has no {name!r}: {nearest(name, defaults, 40)}")
        default = defaults[name]
        wanted = bool if isinstance(default, bool) else int if isinstance(default, int) else (int, float) if isinstance(default, float) else None
        if wanted is not None and (not isinstance(value, wanted) or (isinstance(value, bool) and wanted is not bool)):
            raise ConfigError(f"--hyper: {name} is {value!r}, but a value such as {default!r} is needed")


class OwnPpo(Learner):
    """:mod:`farm_gym.train.ppo`."""

    figures_names = ("value_loss", "entropy", "divergence")

    def __init__(self, job: Job) -> None:
        defaults = {one.name: one.default for one in fields(Settings)}
        check_hyperparameters(job.hyperparameters, defaults, "farm_gym.train.ppo.Settings")
        settings = Settings(**job.hyperparameters)
        for name in ("steps", "envs", "rollout", "epochs", "minibatches", "width", "layers"):
            if getattr(settings, name) < 1:
                raise ConfigError(f"--hyper: {name} is {getattr(settings, name)}: at least 1 is needed")
        self.hyperparameters, self.gamma, self.total = asdict(settings), settings.gamma, settings.steps
        self.training = Training(job.environments(settings.envs, AutoresetMode.DISABLED, settings.gamma, explore=True), settings, job.seed)
        self.game = farms_of(self.training.envs).game
        self.seed = job.seed

    @property
    def steps(self) -> int:  # type: ignore[override]
        """Steps taken so far."""
        return self.training.steps

    @property
    def episodes(self) -> int:  # type: ignore[override]
        """Episodes that ended so far."""
        return self.training.episodes

    @property
    def returns(self) -> list[float]:  # type: ignore[override]
        """Returns of the last of them."""
        return self.training.returns

    @property
    def figures(self) -> dict[str, float]:  # type: ignore[override]
        """Losses of the last improvement."""
        return self.training.figures

    def run(self, see: Callable[[], None]) -> None:
        """Learns until all steps are taken."""
        self.training.run(lambda training: see())

    def decide(self, greedy: bool, episodes: int) -> Decide:
        """Who plays as the learner is now, with random numbers of its own."""
        generator = torch.Generator().manual_seed(self.seed)

        def choose(
            observations: npt.NDArray[np.float32], masks: npt.NDArray[np.bool_], begun: npt.NDArray[np.bool_]
        ) -> npt.NDArray[Any]:
            actions: npt.NDArray[Any] = self.training.decide(observations, masks, greedy, generator)
            return actions

        return choose

    def state(self, folder: Path) -> dict[str, Any]:
        """What a checkpoint holds."""
        return self.training.state()

    def load_state(self, state: Mapping[str, Any], folder: Path) -> None:
        """Goes on from a checkpoint."""
        self.training.load_state(dict(state))


def parameters_of(made: Callable[..., Any]) -> dict[str, Any]:
    """The arguments of a class and their defaults."""
    return {name: parameter.default for name, parameter in inspect.signature(made).parameters.items()}
