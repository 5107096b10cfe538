"""Planning: what to do next, by trying it in copies of an episode."""

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
    """What was planned for the next step."""

    #: The action to play, one of ``env.action_space``; where the space has no room for all of the plan's actions, the first of them.
    action: Any
    #: All actions of the next step, for ``env.farmgym_step``: a list of ``(farmer, field, entity, name, parameters)``.
    calls: list[Any]
    #: What the plan is expected to earn from here on, up to the horizon.
    expected_return: float
    #: What the base policy is expected to earn on the same futures.
    base_return: float
    #: The standard error of the difference; 0 with a known future.
    standard_error: float
    #: Whether the plan is the base policy itself.
    is_base: bool
    #: How many trials were played.
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
    """What to do next, by trying plans in copies of the episode. The environment stays as it is.

    A plan has actions of its own for a few steps, alone or before what the base policy does; behind them the base policy goes on. Only a
    plan that earns more than the base policy by clearly more than a standard error takes its place. The base policy begins anew at each call: what
    it did before it does not remember.

    Args:
        env: An environment of one farm, with or without wrappers, in an episode.
        budget: How many trials are played, 24 or more.
        method: ``"cem"`` for the cross-entropy method, ``"mcts"`` for a tree with upper confidence bounds.
        future: ``"drawn"`` gives each trial a future of its own, and of the weather to come the planner knows what the forecast says;
            it knows the farm as it is, hidden values included. ``"known"`` tries the future that will be, for a bound.
        base: A policy of the game or of a file; ``expert``, else ``informed``, else ``wait``.
        horizon: How many steps a trial lasts at the most; to the end of the episode if None.
        depth: How many steps of a plan have actions of their own.
        seed: For all that is drawn: equal seeds and states give equal plans, on any number of threads.
        threads: How many threads play; as many as the machine has if None, and one in games with parts written in Python.

    Raises:
        ConfigError: What makes no sense, such as a base policy that the game lacks.
        StateError: The episode is over, or none has begun.
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
    """The calls as an action of the environment's space, the first of them where it has room for no more."""
    room = 1 if farm.actions == "discrete" else len(calls)
    return farm.farmgymaction_to_gymaction(calls[:room])


def check_whole(name: str, value: Any, least: int) -> None:
    """Refuses what is not a whole number from ``least`` on."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise ConfigError(f"{name} is {value!r}: expected a whole number of at least {least}")


def threads_of(farm: FarmEnv, threads: int | None) -> int:
    """How many threads play copies of an environment: one where parts are written in Python."""
    if threads is not None:
        check_whole("threads", threads, 1)
    return 1 if farm.game.python_parts else threads or os.cpu_count() or 1
