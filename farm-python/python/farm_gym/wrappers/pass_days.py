"""Skips days until there is something to decide: a semi-Markov decision process (Sutton, Precup and Singh 1999).

On a farm, most days need no action. A policy that decides every day must find the few days that matter among 200. A policy that decides
after an event, or after some days, makes only a few dozen decisions per season.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from farm_gym.errors import ConfigError
from farm_gym.playing import farm_of
from farm_gym.wrappers.batches import BatchWrapper, Results, as_batch, check_discrete
from farm_gym.wrappers.names import check_key
from farm_gym.wrappers.singles import SingleWrapper

__all__ = ["PassDays", "VectorPassDays"]

#: Entries that are not watched: the countdown in grid games, which changes in every step, and the learner's own orders.
_NOTHING_NEW = ("remaining", "standing_orders")


class _Happenings:
    """Detects changes in the watched entries between two observations."""

    def __init__(self, space: gymnasium.Space[Any], watch: Iterable[str] | None, changes: Mapping[str, float] | None) -> None:
        if not isinstance(space, gymnasium.spaces.Dict):
            raise ConfigError(f"the observations are not a dictionary but {space}: use PassDays before a wrapper that flattens them")
        if watch is None:
            watch = [key for key, inner in space.items() if _is_category(inner) and key not in _NOTHING_NEW]
        self.keys = [check_key(space, key, "watch") for key in watch]
        self.changes = {check_key(space, key, "changes"): float(least) for key, least in (changes or {}).items()}
        for key, least in self.changes.items():
            if not least > 0:
                raise ConfigError(f"changes: the change of {key} is {least}: give a number above 0")

    def happened(self, before: Mapping[str, npt.NDArray[Any]], now: Mapping[str, npt.NDArray[Any]]) -> npt.NDArray[np.bool_]:
        """The environments in which a watched entry has changed between two batches."""
        count = len(next(iter(now.values()))) if now else 0
        found = np.zeros(count, np.bool_)
        for key in self.keys:
            found |= (now[key] != before[key]).reshape(count, -1).any(axis=1)
        for key, least in self.changes.items():
            change = np.abs(now[key].astype(np.float64) - before[key].astype(np.float64))
            found |= (change >= least).reshape(count, -1).any(axis=1)
        return found


def _is_category(space: gymnasium.Space[Any]) -> bool:
    words = isinstance(space, gymnasium.spaces.Box) and space.dtype == np.uint8
    return words or isinstance(space, (gymnasium.spaces.Discrete, gymnasium.spaces.MultiDiscrete, gymnasium.spaces.MultiBinary))


def _check_days(days: int) -> int:
    if days < 1:
        raise ConfigError(f"days is {days}: give at least 1")
    return days


class PassDays(SingleWrapper):
    """One step takes the action, then does nothing until something observable happens or ``days`` days have passed.

    The reward is the discounted sum of the days' rewards: each is multiplied by ``gamma`` to the power of the number of days before it.
    ``info["days"]`` is the number of days, and ``info["discount"]`` is ``gamma ** days``: multiply the next observation's value by it. With
    the learner's ``gamma``, values are the same as in the game itself, but a policy that decides less often may earn less.

    >>> import farm_gym
    >>> env = farm_gym.wrappers.PassDays(farm_gym.make("clay_bean", actions="discrete"), days=7)
    >>> observation, info = env.reset(seed=0)
    >>> observation, reward, terminated, truncated, info = env.step(0)
    >>> 1 <= info["days"] <= 7
    True

    Args:
        env: An environment with one numbered action per step and a dictionary of observations.
        days: Maximum number of days (steps of the game) in one step.
        watch: Observation keys whose change ends the wait; None means all categories, such as the stage of plants.
        changes: Keys of numbers, each with the change since the last decision that ends the wait.
        gamma: The discount per day.

    Raises:
        ConfigError: A space is not supported, a key is unknown, or a number is out of range.
    """

    def __init__(
        self,
        env: gymnasium.Env[Any, Any],
        days: int = 7,
        watch: Iterable[str] | None = None,
        changes: Mapping[str, float] | None = None,
        gamma: float = 1.0,
    ) -> None:
        super().__init__(env, days=days, watch=watch, changes=changes, gamma=gamma)
        check_discrete(env.action_space, "PassDays")
        self._days, self._gamma = _check_days(days), gamma
        self._happenings = _Happenings(env.observation_space, watch, changes)
        self._idle = farm_of(env).game.idle
        self._before: dict[str, npt.NDArray[Any]] = {}

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Starts an episode."""
        observation, info = self.env.reset(seed=seed, options=options)
        self._before = as_batch(observation)
        return observation, info

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Takes the action, then does nothing until there is something to decide."""
        total, discount, days = 0.0, 1.0, 0
        sums: dict[str, Any] = {}
        while True:
            observation, reward, terminated, truncated, info = self.env.step(action if days == 0 else self._idle)
            total, discount, days = total + discount * float(reward), discount * self._gamma, days + 1
            for key in ("intervention cost", "observation cost", "cost", "rejected", "events"):
                if key in info:
                    sums[key] = sums[key] + info[key] if key in sums else info[key]
            now = as_batch(observation)
            over = terminated or truncated
            if over or days >= self._days or self._happenings.happened(self._before, now)[0]:
                self._before = now
                return observation, total, terminated, truncated, {**info, **sums, "days": days, "discount": discount}


class VectorPassDays(BatchWrapper):
    """:class:`PassDays` for a vector environment whose environments have something to decide at different times.

    One step is one day in every environment. ``info["decides"]`` marks the environments that take the next action; the other environments
    ignore their action and do nothing. A learner must exclude the steps without a decision from its losses, and credit their rewards to the
    previous decision, as ``farm_gym.train.ppo`` does. ``info["days"]`` is the number of days since the last decision.

    Args:
        env, days, watch, changes: The same as for :class:`PassDays`.
    """

    def __init__(
        self,
        env: gymnasium.vector.VectorEnv[Any, Any, Any],
        days: int = 7,
        watch: Iterable[str] | None = None,
        changes: Mapping[str, float] | None = None,
    ) -> None:
        super().__init__(env)
        check_discrete(env.single_action_space, "VectorPassDays")
        self._most = _check_days(days)
        self._happenings = _Happenings(env.single_observation_space, watch, changes)
        self._idle = self.farms.game.idle
        self._days = np.zeros(self.num_envs, np.int64)
        self._decides = np.ones(self.num_envs, np.bool_)
        self._before: dict[str, npt.NDArray[Any]] = {}

    def _action(self, actions: Any) -> Any:
        return np.where(self._decides, np.asarray(actions), self._idle)

    def _begin(self, begun: npt.NDArray[np.bool_], observations: Any, info: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        self._days[begun] = 0
        self._decides = self._decides | begun
        self._remember(begun, observations)
        return observations, {**info, "decides": self._decides.copy(), "days": self._days.copy()}

    def _remember(self, which: npt.NDArray[np.bool_], observations: Mapping[str, npt.NDArray[Any]]) -> None:
        for key in (*self._happenings.keys, *self._happenings.changes):
            if key not in self._before:
                self._before[key] = observations[key].copy()
            self._before[key][which] = observations[key][which]

    def _after(self, begun: npt.NDArray[np.bool_], results: Results) -> Results:
        observations, rewards, terminations, truncations, info = results
        days = np.where(self._decides, 1, self._days + 1)
        days[begun] = 0
        happened = self._happenings.happened(self._before, observations)
        self._decides = happened | (days >= self._most) | terminations | truncations | begun
        self._days = days
        self._remember(self._decides, observations)
        return observations, rewards, terminations, truncations, {**info, "decides": self._decides.copy(), "days": days.copy()}

    def state(self) -> dict[str, Any]:
        """The state for :meth:`load_state`, without the environments' snapshots."""
        return {"days": self._days.copy(), "decides": self._decides.copy(), "before": {k: v.copy() for k, v in self._before.items()}}

    def load_state(self, state: Mapping[str, Any]) -> None:
        """Restores a state."""
        self._days, self._decides = state["days"].copy(), state["decides"].copy()
        self._before = {key: values.copy() for key, values in state["before"].items()}
