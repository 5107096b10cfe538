"""The policies that play for a data set. The probability of every action is known."""

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
    """An action in ``env.action_space``, and the logarithm of its probability."""

    action: Any
    log_probability: float


class Behaviour(ABC):
    """A policy that reports the probabilities of its choices."""

    @abstractmethod
    def begin(self, env: FarmEnv, seed: int) -> None:
        """Starts an episode with this seed."""

    @abstractmethod
    def choose(self, observation: dict[str, Any], info: dict[str, Any]) -> Chosen:
        """Chooses the next action."""

    def add(self, env: FarmEnv, observation: dict[str, Any], info: dict[str, Any]) -> None:  # noqa: B027
        """Receives the results of a step, and ignores them by default."""


def _same(a: Any, b: Any) -> bool:
    return bool(np.array_equal(a, b))


def _alone(env: FarmEnv, action: int) -> Any:
    """Converts an action in the flat list to an action in the space."""
    return env.farmgymaction_to_gymaction(env.game.discrete_to_farm(action))


class Uniform(Behaviour):
    """Chooses random actions from the flat list: all actions that would be executed have equal probability."""

    def begin(self, env: FarmEnv, seed: int) -> None:
        """Starts an episode."""
        self._env, self._random = env, np.random.default_rng(seed)

    def choose(self, observation: dict[str, Any], info: dict[str, Any]) -> Chosen:
        """Chooses one of the possible actions."""
        possible = np.flatnonzero(info["action_mask"])
        return Chosen(_alone(self._env, int(self._random.choice(possible))), -math.log(len(possible)))


class Named(Behaviour):
    """One of the game's deterministic policies.

    Two players with different seeds choose in parallel. If their choices differ, the policy is random, and its probabilities are not known.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def begin(self, env: FarmEnv, seed: int) -> None:
        """Starts an episode."""
        self._env = env
        self._players = [env.player(self.name, seed), env.player(self.name, seed + 1)]

    def choose(self, observation: dict[str, Any], info: dict[str, Any]) -> Chosen:
        """Chooses the policy's action, with probability 1."""
        calls, other = (player() for player in self._players)
        if calls != other:
            raise ConfigError(
                f"--policy {self.name} is random, and the probabilities of its actions are not known: "
                "use `random`, a deterministic policy with --epsilon, or the folder of a training"
            )
        return Chosen(self._env.farmgymaction_to_gymaction(calls), 0.0)


class Mixed(Behaviour):
    """Another policy whose action is replaced by a random one with a small probability."""

    def __init__(self, usual: Named, epsilon: float) -> None:
        self._usual, self._epsilon = usual, epsilon

    def begin(self, env: FarmEnv, seed: int) -> None:
        """Starts an episode."""
        self._env, self._random = env, np.random.default_rng(seed)
        self._usual.begin(env, seed)

    def choose(self, observation: dict[str, Any], info: dict[str, Any]) -> Chosen:
        """Chooses the policy's action, or one of the possible actions."""
        usual = self._usual.choose(observation, info).action
        possible = [_alone(self._env, int(one)) for one in np.flatnonzero(info["action_mask"])]
        draws = self._random.random() < self._epsilon
        action = possible[int(self._random.integers(len(possible)))] if draws else usual
        probability = self._epsilon * sum(_same(action, one) for one in possible) / len(possible)
        probability += (1.0 - self._epsilon) * _same(action, usual)
        return Chosen(action, math.log(probability))


class Trained(Behaviour):
    """A PPO policy from a folder that ``python -m farm_gym.train`` has written, with sampled actions."""

    def __init__(self, folder: Path) -> None:
        from farm_gym.train.jobs import need

        need(("torch",), f"--policy {folder}", "train")
        from farm_gym.train.learners import OwnPpo
        from farm_gym.train.running import trained

        self.job, learner = trained(folder)
        wrappers = self.job.wrappers
        if not isinstance(learner, OwnPpo) or wrappers.pass_days or wrappers.map_memory:
            raise ConfigError(
                f"--policy {folder}: a data set needs a `ppo` that decides in each step from the current observation; this is {self.job.algo} "
                f"with pass_days={wrappers.pass_days} and map_memory={wrappers.map_memory}: train one without"
            )
        self._training = learner.training

    def begin(self, env: FarmEnv, seed: int) -> None:
        """Starts an episode."""
        from farm_gym.wrappers import Flattener

        self._random, self._flattener = np.random.default_rng(seed), Flattener(env.observation_space)

    def choose(self, observation: dict[str, Any], info: dict[str, Any]) -> Chosen:
        """Samples an action from the network's probabilities."""
        masks = np.asarray(info["action_mask"], np.bool_)[None]
        probabilities = self._training.probabilities(self._flattener.one(observation)[None], masks)[0]
        action = int(self._random.choice(len(probabilities), p=probabilities))
        return Chosen(action, math.log(probabilities[action]))


def behaviour_of(env: FarmEnv, policy: str, epsilon: float) -> Behaviour:
    """Returns the behaviour for a policy's name.

    Args:
        env: The environment to play.
        policy: ``random``, one of the game's policies, or a training folder.
        epsilon: The probability that a random action replaces the policy's action.

    Raises:
        ConfigError: There is no such policy, or it can't be combined with ``epsilon``.
    """
    if not 0.0 <= epsilon <= 1.0:
        raise ConfigError(f"--epsilon is {epsilon}: expected a probability from 0 to 1")
    if policy != "random" and policy in env.game.policies:
        named = Named(policy)
        return Mixed(named, epsilon) if epsilon else named
    if epsilon:
        raise ConfigError(f"--epsilon needs a policy of the game, and {policy!r} is none of {', '.join(env.game.policies)}")
    if policy == "random":
        return Uniform()
    if Path(policy).is_dir():
        trained = Trained(Path(policy))
        if trained._training.game_fingerprint != env.game.fingerprint:
            raise ConfigError(
                f"--policy {policy} was trained on another game ({trained.job.game}), or with another preset or --set: pass the same"
            )
        return trained
    names = ["random", *(name for name in env.game.policies if name != "random")]
    raise ConfigError(f"--policy: {env.game.name} names no policy {policy!r}, and there is no such folder: {nearest(policy, names)}")


def log_probabilities(values: list[float]) -> npt.NDArray[np.float64]:
    """The log-probabilities for an episode, with one more entry than steps: the first is 0, because it belongs to no action."""
    return np.array([0.0, *values])
