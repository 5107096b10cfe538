"""For learning to learn: plays several episodes of a game as one, with observations that help a memory across episodes."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

from farm_gym import _native
from farm_gym.errors import ConfigError
from farm_gym.game import seed_of_index, world_of
from farm_gym.wrappers.batches import check_discrete, with_entry
from farm_gym.wrappers.singles import SingleWrapper

__all__ = ["Lifetime"]

#: An upper bound on rewards.
_LARGEST = float(np.finfo(np.float32).max)


class Lifetime(SingleWrapper):
    """Plays several episodes as one: the rules stay the same, the worlds differ, and a learner can keep its memory.

    Use it for games with hidden rules, such as ``backwards_valley@rules=train-7``, and for learners with a memory. They can then use the
    rules that they discovered in earlier episodes. ``info["returns"]`` has the return of each episode: the learning curve. In a family, such
    as ``backwards_valley@tier=5``, all episodes of a life play the same member.

    Observations have four more entries. ``trial`` is the index of the episode, from 0. ``begins`` is 1 in the first step of an episode.
    ``last_action`` is the id of the previous action, or the number of actions if there is none. The fourth entry is ``last_reward``.

    Args:
        env: An environment with one numbered action per step and a dictionary of observations.
        episodes: Number of episodes in a life, from 1 to 1000.

    Raises:
        ConfigError: A space is not supported, or a number is out of range.

    >>> import farm_gym
    >>> from farm_gym.wrappers import Lifetime
    >>> env = Lifetime(farm_gym.make("backwards_valley@rules=train-7"), episodes=3)
    >>> observation, info = env.reset(seed=5)
    >>> observation["trial"], observation["begins"]
    (np.int64(0), np.int64(1))
    """

    def __init__(self, env: gymnasium.Env[Any, Any], episodes: int = 5) -> None:
        super().__init__(env, episodes=episodes)
        if not 1 <= episodes <= 1000:
            raise ConfigError(f"episodes is {episodes}: give the number of episodes in a life, from 1 to 1000")
        self._actions = int(check_discrete(env.action_space, "Lifetime").n)
        self.episodes = episodes
        space: gymnasium.Space[Any] = env.observation_space
        for key, entry in {
            "trial": gymnasium.spaces.Discrete(episodes),
            "begins": gymnasium.spaces.Discrete(2),
            "last_action": gymnasium.spaces.Discrete(self._actions + 1),
            "last_reward": gymnasium.spaces.Box(-_LARGEST, _LARGEST, (), np.float32),
        }.items():
            space = with_entry(space, key, entry, "Lifetime")
        self.observation_space = space
        self._seed = 0
        #: The options of the later episodes.
        self._later: dict[str, Any] | None = None
        self.returns: list[float] = []

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Starts a life.

        Args:
            seed: Seed for the first episode. It determines the later episodes' seeds, as in a conversation with several episodes. None
                draws a seed.
            options: The same as for the environment; they apply to the whole life.
        """
        _, split, index, _ = world_of(options)
        if seed is None and index is None:
            seed = _native.drawn_seed(int(self.np_random.integers(2**53)), split)
        observation, info = self.env.reset(seed=seed, options=options)
        self._later = None if split is None else {"split": split}
        if "member" in info:
            self._seed, self._later = info["seed"], {"split": info["split"], "member": info["member"]}
        elif seed is None and split is not None and index is not None:
            self._seed = seed_of_index(split, index)
        elif seed is not None:
            self._seed = seed
        self.returns = [0.0]
        return self._with_memory(observation, 1, self._actions, 0.0), {**info, "returns": list(self.returns)}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Takes a step. If an episode ends and another one follows, the observation is the new episode's first one, and
        ``info["last info"]`` has the info from this step."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        self.returns[-1] += float(reward)
        is_over = bool(terminated or truncated)
        returns, begins = list(self.returns), 0
        if is_over and len(self.returns) < self.episodes:
            last, begins, terminated, truncated = info, 1, False, False
            seed = _native.Conversation.seed_of(self._seed, len(self.returns))
            observation, info = self.env.reset(seed=seed, options=self._later)
            info = {**info, "last info": last}
            self.returns.append(0.0)
        observation = self._with_memory(observation, begins, int(action), float(reward))
        return observation, float(reward), terminated, truncated, {**info, "episode over": is_over, "returns": returns}

    def _with_memory(self, observation: Any, begins: int, action: int, reward: float) -> dict[str, Any]:
        return {
            **observation,
            "trial": np.int64(len(self.returns) - 1),
            "begins": np.int64(begins),
            "last_action": np.int64(action),
            "last_reward": np.array(reward, np.float32),
        }
