"""Planning: choosing the next action by trying plans in copies of an episode."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Literal

import gymnasium

from farm_gym.env import FarmEnv
from farm_gym.errors import ConfigError
from farm_gym.playing import farm_of

__all__ = ["Plan", "plan"]


@dataclass(frozen=True)
class Plan:
    """The plan for the next step."""

    #: The action to play, a value in ``env.action_space``. If the space can't hold all of the plan's actions, this is the first one.
    action: Any
    #: All actions in the next step, for ``env.farmgym_step``: a list of ``(farmer, field, entity, name, parameters)``.
    calls: list[Any]
    #: The plan's expected return from here to the horizon.
    expected_return: float
    #: The base policy's expected return on the same futures.
    base_return: float
    #: The standard error of the difference between the two returns; 0 with a known future.
    standard_error: float
    #: Whether the plan is the base policy itself.
    is_base: bool
    #: Number of trials played.
    trials: int
    #: ``"drawn"`` or ``"known"``; with a known future the expected return is a bound.
    future: str


def plan(
    env: gymnasium.Env[Any, Any],
    *,
    budget: int = 64,
    method: Literal["cem", "mcts"] = "cem",
    future: Literal["drawn", "known"] = "drawn",
    base: str | None = None,
    horizon: int | None = None,
    depth: int = 8,
    seed: int = 0,
    threads: int | None = None,
) -> Plan:
    """Chooses the next action by trying plans in copies of the episode. The environment itself stays unchanged.

    A plan chooses actions for a few steps; they replace the base policy's actions or come before them. Then the base policy continues
    alone. A plan replaces the base policy only if its gain is clearly larger than the standard error. The base policy restarts at each
    call, and does not remember its earlier actions.

    Args:
        env: An environment with a single farm, with or without wrappers, in which an episode has started.
        budget: Number of trials, at least 24.
        method: ``"cem"`` for the cross-entropy method, ``"mcts"`` for a tree with upper confidence bounds.
        future: With ``"drawn"``, each trial has its own random future: the planner knows the farm's current state, including hidden values,
            but only the forecast of future weather. With ``"known"``, trials use the episode's true future, and the expected return is a
            bound.
        base: A policy from the game or from a file. The default is the first of ``expert``, ``informed`` and ``wait`` that the game has.
        horizon: Maximum number of steps in a trial; None plays to the end of the episode.
        depth: Number of steps for which a plan chooses actions.
        seed: Seed for all random numbers: equal seeds and states lead to equal plans, on any number of threads.
        threads: Number of threads. None means one thread per CPU core, or a single thread in games with parts written in Python.

    Raises:
        ConfigError: An argument is invalid, such as a base policy that the game lacks.
        StateError: The episode is over, or none has started.
    """
    farm = farm_of(env)
    for name, value, words in (("method", method, ("cem", "mcts")), ("future", future, ("drawn", "known"))):
        if value not in words:
            raise ConfigError(f"{name} is {value!r}: expected {words[0]!r} or {words[1]!r}")
    check_whole("budget", budget, 24)
    check_whole("depth", depth, 1)
    check_whole("seed", seed, 0)
    if horizon is not None:
        check_whole("horizon", horizon, 1)
    policies = farm.game.policies
    usual = next((name for name in ("expert", "informed", "wait") if name in policies), "WaitPolicy")
    found = farm.native.plan(
        usual if base is None else base, budget, method, future == "known", horizon, depth, seed, threads_of(farm, threads)
    )
    calls = found.pop("calls")
    return Plan(action=_action(farm, calls), calls=calls, future=future, **found)


def _action(farm: FarmEnv, calls: list[Any]) -> Any:
    """Converts calls to an action in the environment's space. If the space can't hold all calls, only the first one counts."""
    room = 1 if farm.actions == "discrete" else len(calls)
    return farm.farmgymaction_to_gymaction(calls[:room])


def check_whole(name: str, value: Any, least: int) -> None:
    """Rejects a value that is not an integer of at least ``least``."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise ConfigError(f"{name} is {value!r}: expected an integer of at least {least}")


def threads_of(farm: FarmEnv, threads: int | None) -> int:
    """Number of threads that play copies of an environment: one if any part is written in Python."""
    if threads is not None:
        check_whole("threads", threads, 1)
    return 1 if farm.game.python_parts else threads or os.cpu_count() or 1
