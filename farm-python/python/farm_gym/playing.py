"""Plays episodes with any kind of policy, for films and reports."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import gymnasium

from farm_gym import _native
from farm_gym.env import FarmEnv
from farm_gym.errors import ConfigError
from farm_gym.game import EnvArguments

__all__ = ["Playable", "Policy", "farm_of", "named", "opened", "play"]

#: What can be played: a game, as for :func:`farm_gym.make`, or an environment.
Playable = str | os.PathLike[str] | _native.Game | gymnasium.Env[Any, Any]
#: The player: the name of one of the game's policies, a function of observation and info, or a sequence of actions.
Policy = str | Callable[[Any, dict[str, Any]], Any] | Iterable[Any]


def farm_of(env: gymnasium.Env[Any, Any]) -> FarmEnv:
    """The farm environment inside its wrappers.

    Raises:
        ConfigError: There is no farm environment.
    """
    farm = env.unwrapped if isinstance(env, gymnasium.Env) else env
    if isinstance(farm, gymnasium.vector.VectorEnv):
        raise ConfigError(f"{env!r} is many environments: use one from `farm_gym.make`; equal seeds give equal episodes")
    if not isinstance(farm, FarmEnv):
        raise ConfigError(f"{env!r} is not an environment of a farm: make it with `farm_gym.make`")
    return farm


def opened(game: Playable, arguments: EnvArguments) -> gymnasium.Env[Any, Any]:
    """Opens an environment for a game, or returns the given environment.

    Raises:
        ConfigError: The game has problems, or arguments were given for an existing environment.
    """
    if isinstance(game, gymnasium.Env):
        if arguments:
            raise ConfigError(f"the environment already exists: {', '.join(arguments)} can't be changed")
        return game
    return FarmEnv(game, **arguments)


def named(farm: FarmEnv, policy: Policy | None) -> Policy:
    """The given policy; if none is given, the game's default policy.

    Raises:
        ConfigError: The game has no policies.
    """
    if policy is not None:
        return policy
    names = farm.game.policies
    if not names:
        raise ConfigError(f"{farm.game.name} names no policy: give a function of observation and info, or actions")
    return "random" if "random" in names else names[0]


def play(
    env: gymnasium.Env[Any, Any],
    policy: Policy | None,
    seed: int,
    max_steps: int | None,
    see: Callable[[], None] = lambda: None,
) -> float:
    """Plays an episode to its end or for a number of steps, and calls ``see`` at its start and after each step.

    Returns:
        The sum of the rewards.

    Raises:
        ConfigError: The value is not a policy, or the game does not have this policy.
    """
    farm = farm_of(env)
    step = _stepper(env, farm, named(farm, policy), seed)
    observation, info = env.reset(seed=seed)
    see()
    total, steps, over = 0.0, 0, False
    while not over and (max_steps is None or steps < max_steps):
        try:
            observation, reward, terminated, truncated, info = step(observation, info)
        except _NoMoreActions:
            break
        total, steps, over = total + float(reward), steps + 1, terminated or truncated
        see()
    return total


class _NoMoreActions(Exception):
    """All actions in a list have been taken."""


def _stepper(env: gymnasium.Env[Any, Any], farm: FarmEnv, policy: Policy, seed: int) -> Callable[[Any, dict[str, Any]], Any]:
    """A function that takes a step with the policy's action."""
    if isinstance(policy, str):
        player = farm.player(policy, seed)
        return lambda observation, info: farm.farmgym_step(player())
    if callable(policy):
        choose = policy
        return lambda observation, info: env.step(choose(observation, info))
    if not isinstance(policy, Iterable):
        raise ConfigError(
            f"{policy!r} is not a policy: the name of one of the game, a function of observation and info, or actions; "
            'a class of policies gets a name by `set={"policies": {"mine": {"python": {"class": Mine}}}}`'
        )
    actions: Iterator[Any] = iter(policy)

    def step(observation: Any, info: dict[str, Any]) -> Any:
        for action in actions:
            return env.step(action)
        raise _NoMoreActions

    return step
