"""Adapts conversations to the interfaces of language-model trainers.

========================  ==============================================================================================
trainer                   interface
========================  ==============================================================================================
GEM                       :class:`farm_gym.text.TextEnv` itself; :func:`register_gem` registers it
SkyRL                     :class:`farm_gym.text.skyrl.SkyRlEnv`, whose ``init`` and ``step`` return messages
BALROG                    :class:`BalrogEnv`, an environment with text observations and a progression score
TRL                       :func:`farm_gym.text.tools.tool_environment`
========================  ==============================================================================================

You can import this module even if these packages are not installed.
"""

from __future__ import annotations

import importlib
from typing import Any

from farm_gym.errors import ActionError, ConfigError
from farm_gym.text import TextEnv

__all__ = ["BalrogEnv", "register_gem"]


def register_gem(name: str, game: str, **arguments: Any) -> None:
    """Registers a game with GEM, so that ``gem.make(name)`` creates it.

    Args:
        name: The name, such as ``"farm:BackwardsValley-v0"``.
        game: The game. All other arguments go to :class:`farm_gym.text.TextEnv`.

    Raises:
        ConfigError: GEM is not installed.
    """
    try:
        registration = importlib.import_module("gem.envs.registration")
    except ImportError:
        raise ConfigError("GEM is not installed: `pip install gem-llm`") from None
    registration.register(name, "farm_gym.text:make", game=game, **arguments)


class BalrogEnv:
    """A conversation with BALROG's interface: observations are dictionaries of strings, and ``get_stats`` returns the progression score.

    Args:
        game: The game. All other arguments go to :class:`farm_gym.text.TextEnv`.
        best: The return at which the progression is 1, such as the level's certified optimum.
        waiting: The return at which the progression is 0.
    """

    #: BALROG's default action; the game itself reads replies.
    default_action = "wait"

    def __init__(self, game: str, *, best: float, waiting: float = 0.0, **arguments: Any) -> None:
        if not best > waiting:
            raise ConfigError(f"`best` is {best}; expected more than `waiting`, {waiting}")
        self.env = TextEnv(game, **arguments)
        self.best, self.waiting = best, waiting
        self.failed_candidates: list[str] = []

    @property
    def actions(self) -> list[str]:
        """The names of the actions in the flat list."""
        return self.env.game.action_names()

    def get_text_action(self, action: str) -> str:
        """Returns the action unchanged, because the game reads it as written."""
        return action

    def get_instruction_prompt(self, instructions: str | None = None) -> str:
        """The game's instructions, after ``instructions`` if given."""
        own = self.env.instructions()
        return own if instructions is None else f"{instructions}\n{own}"

    def check_action_validity(self, candidate: str) -> str:
        """Returns the candidate unchanged, because the game itself reads replies. ``failed_candidates`` lists the candidates that the game
        can't read."""
        try:
            self.env.game.parse(candidate)
        except ActionError:
            self.failed_candidates.append(candidate)
        return candidate

    def reset(self, *, seed: int | None = None, **_: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """Starts an episode. Returns the observation as a dictionary, and info."""
        self.failed_candidates = []
        text, info = self.env.reset(seed)
        return self._observation(text), info

    def step(self, action: str) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Plays a reply."""
        text, reward, terminated, truncated, info = self.env.step(action)
        return self._observation(text), reward, terminated, truncated, info

    def get_stats(self) -> dict[str, float]:
        """The progression: the mean return, scaled to 0 at ``waiting`` and 1 at ``best``. It can be negative."""
        earned = sum(self.env.returns) / len(self.env.returns)
        return {"progression": (earned - self.waiting) / (self.best - self.waiting), "return": earned}

    @staticmethod
    def _observation(text: str) -> dict[str, Any]:
        return {"text": {"long_term_context": text, "short_term_context": ""}, "image": None}

    def close(self) -> None:
        """Does nothing, because the environment has no resources to release."""
