"""Dense rewards from the planner: the change of the most that can still be earned."""

from __future__ import annotations

from typing import Any

import gymnasium

from farm_gym.env import FarmEnv
from farm_gym.errors import ConfigError
from farm_gym.wrappers.singles import SingleWrapper

__all__ = ["ValueToGo"]


class ValueToGo(SingleWrapper):
    """Replaces each reward by ``reward + value after - value before``, where the value is the best return from a state to the end.

    The new reward of a best action is 0, and that of any other action is what it has lost. Over an episode, the rewards add up to the return
    minus the best return. Use it for training only: the rewards depend on hidden rules and on unseen parts of the map.

    ``info["reward"]`` is the game's reward, ``info["value_to_go"]`` the value, and ``info["exact"]`` whether both values of the step are
    proven. Other rewards are estimates by the best plans that the planner found.

    Args:
        env: An environment of a game that the planner supports: ``backwards_valley``, ``valley_farm``, and their families. Each step costs
            the time of one plan.

    Raises:
        ConfigError: It is not a :class:`farm_gym.FarmEnv`, or, at the first reset, no planner supports the game.

    >>> import farm_gym
    >>> from farm_gym.wrappers import ValueToGo
    >>> env = ValueToGo(farm_gym.make("backwards_valley@tier=5"))
    >>> observation, info = env.reset(options={"split": "train", "index": 3})
    >>> observation, reward, terminated, truncated, info = env.step(4)
    >>> reward <= 0, info["exact"]
    (True, True)
    """

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        super().__init__(env)
        farm = env.unwrapped
        if not isinstance(farm, FarmEnv):
            raise ConfigError(f"the planner needs a farm game, not {farm}")
        self._farm, self._before = farm, (0.0, True)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Starts an episode."""
        observation, info = self.env.reset(seed=seed, options=options)
        self._before = self._farm.value_to_go()
        return observation, {**info, "value_to_go": self._before[0], "exact": self._before[1]}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Takes a step."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        (before, was_proven), (now, is_proven) = self._before, self._farm.value_to_go()
        self._before = now, is_proven
        told = {"reward": float(reward), "value_to_go": now, "exact": was_proven and is_proven}
        return observation, float(reward) + now - before, terminated, truncated, {**told, **info}
