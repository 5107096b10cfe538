"""Who plays for a data set: policies of which every action's probability is known."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from farm_gym.env import FarmEnv
from farm_gym.errors import ConfigError
from farm_gym.wrappers.names import nearest

__all__ = ["Behaviour", "Chosen", "Mixed", "Named", "Trained", "Uniform", "behaviour_of"]


class Chosen(NamedTuple):
    """An action of ``env.action_space``, and the logarithm of the probability with which it was chosen."""

    action: Any
    log_probability: float


class Behaviour(ABC):
    """A policy that says how probable its choice was."""

    @abstractmethod
    def begin(self, env: FarmEnv, seed: int) -> None:
        """An episode of this seed has begun."""

    @abstractmethod
    def choose(self, observation: dict[str, Any], info: dict[str, Any]) -> Chosen:
        """What to do now."""

    def add(self, env: FarmEnv, observation: dict[str, Any], info: dict[str, Any]) -> None:
        """Sees what a step brought."""


def _same(a: Any, b: Any) -> bool:
    return bool(np.array_equal(a, b))


def _alone(env: FarmEnv, action: int) -> Any:
    """One action of the flat list as an action of the space."""
    return env.farmgymaction_to_gymaction(env.game.discrete_to_farm(action))


class Uniform(Behaviour):
    """One action of the flat list, each that would be executed with the same probability."""

    def begin(self, env: FarmEnv, seed: int) -> None:
        """An episode begins."""
        self._env, self._random = env, np.random.default_rng(seed)

    def choose(self, observation: dict[str, Any], info: dict[str, Any]) -> Chosen:
        """One of what is possible."""
        possible = np.flatnonzero(info["action_mask"])
        return Chosen(_alone(self._env, int(self._random.choice(possible))), -math.log(len(possible)))


class Named(Behaviour):
    """A policy that the game names, which draws nothing at random.

    Two of them with different seeds choose side by side: where they differ, the policy draws, and its probabilities are not known.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def begin(self, env: FarmEnv, seed: int) -> None:
        """An episode begins."""
        self._env = env
        self._players = [env.player(self.name, seed), env.player(self.name, seed + 1)]

    def choose(self, observation: dict[str, Any], info: dict[str, Any]) -> Chosen:
        """What the policy does, with the probability 1."""
        calls, other = (player() for player in self._players)
        if calls != other:
            raise ConfigError(
                f"--policy {self.name} draws at random, so that the probabilities of what it does are not known: "
                "take `random`, a policy that draws nothing with --epsilon, or the folder of a training"
            )
        return Chosen(self._env.farmgymaction_to_gymaction(calls), 0.0)


class Mixed(Behaviour):
    """Another policy, and with a small probability one action at random instead."""

    def __init__(self, usual: Named, epsilon: float) -> None:
        self._usual, self._epsilon = usual, epsilon

    def begin(self, env: FarmEnv, seed: int) -> None:
        """An episode begins."""
        self._env, self._random = env, np.random.default_rng(seed)
        self._usual.begin(env, seed)

    def choose(self, observation: dict[str, Any], info: dict[str, Any]) -> Chosen:
        """What the policy does, or one of what is possible."""
        usual = self._usual.choose(observation, info).action
        possible = [_alone(self._env, int(one)) for one in np.flatnonzero(info["action_mask"])]
        draws = self._random.random() < self._epsilon
        action = possible[int(self._random.integers(len(possible)))] if draws else usual
        probability = self._epsilon * sum(_same(action, one) for one in possible) / len(possible)
        probability += (1.0 - self._epsilon) * _same(action, usual)
        return Chosen(action, math.log(probability))


class Trained(Behaviour):
    """The PPO of a folder that ``python -m farm_gym.train`` has written, drawing its actions."""

    def __init__(self, folder: Path) -> None:
        from farm_gym.train.jobs import need

        need(("torch",), f"--policy {folder}", "train")
        from farm_gym.train.learners import OwnPpo
        from farm_gym.train.running import trained

        self.job, learner = trained(folder)
        wrappers = self.job.wrappers
        if not isinstance(learner, OwnPpo) or wrappers.pass_days or wrappers.map_memory:
            raise ConfigError(
                f"--policy {folder}: a data set is played by a `ppo` that decides in each step by what it sees then; this is {self.job.algo} with "
                f"pass_days={wrappers.pass_days} and map_memory={wrappers.map_memory}: train one without"
            )
        self._training = learner.training

    def begin(self, env: FarmEnv, seed: int) -> None:
        """An episode begins."""
        from farm_gym.wrappers import Flattener

        self._random, self._flattener = np.random.default_rng(seed), Flattener(env.observation_space)

    def choose(self, observation: dict[str, Any], info: dict[str, Any]) -> Chosen:
        """One action, drawn by the probabilities of the network."""
        masks = np.asarray(info["action_mask"], np.bool_)[None]
        probabilities = self._training.probabilities(self._flattener.one(observation)[None], masks)[0]
        action = int(self._random.choice(len(probabilities), p=probabilities))
        return Chosen(action, math.log(probabilities[action]))


def behaviour_of(env: FarmEnv, policy: str, epsilon: float) -> Behaviour:
    """The behaviour of a name.

    Args:
        env: What it is to play.
        policy: ``random``, a policy of the game, or the folder of a training.
        epsilon: With what probability an action at random takes the place of that of a policy of the game.

    Raises:
        ConfigError: There is no such policy, or it does not go with ``epsilon``.
    """
    if not 0.0 <= epsilon <= 1.0:
        raise ConfigError(f"--epsilon is {epsilon}: a probability is from 0 to 1")
    if policy != "random" and policy in env.game.policies:
        named = Named(policy)
        return Mixed(named, epsilon) if epsilon else named
    if epsilon:
        raise ConfigError(f"--epsilon goes with a policy that the game names, and {policy!r} is none of {', '.join(env.game.policies)}")
    if policy == "random":
        return Uniform()
    if Path(policy).is_dir():
        trained = Trained(Path(policy))
        if trained._training.game_fingerprint != env.game.fingerprint:
            raise ConfigError(f"--policy {policy} was trained on another game ({trained.job.game}), or with another preset or --set: say the same")
        return trained
    names = ["random", *(name for name in env.game.policies if name != "random")]
    raise ConfigError(f"--policy: {env.game.name} names no policy {policy!r}, and there is no such folder: {nearest(policy, names)}")


def log_probabilities(values: list[float]) -> npt.NDArray[np.float64]:
    """Of an episode, one more than its steps: nothing was chosen before the first observation, whose entry is 0."""
    return np.array([0.0, *values])
