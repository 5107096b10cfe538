"""Adapts conversations to SkyRL's interface for text environments.

SkyRL is not required: without it, the class implements the same protocol on its own. If SkyRL is installed, :class:`SkyRlEnv` is one of its
environments, as ``skyrl_gym.make`` requires. It is tested with ``skyrl-gym`` 0.4.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from farm_gym.errors import ConfigError
from farm_gym.text import TextEnv

__all__ = ["SkyRlEnv"]

Message = dict[str, str]

#: The arguments that a row in a data set may set.
SKYRL_ARGUMENTS = ("game", "seed", "max_turns", "form", "rules", "episodes", "preset", "level")

if TYPE_CHECKING:
    _Base = object
else:
    try:
        _Base = importlib.import_module("skyrl_gym.envs.base_text_env").BaseTextEnv
    except ImportError:
        _Base = object


class SkyRlEnv(_Base):
    """A conversation with SkyRL's interface for text environments: messages in chat-completions format.

    ``skyrl_gym.register("farm", "farm_gym.text.skyrl:SkyRlEnv")`` registers it. Settings come from the arguments, from ``env_config``, or
    from a row in the data set. The row overrides ``env_config``, which overrides the arguments.

    Args:
        env_config: Settings for all episodes, such as ``{"game": "clay_bean", "form": "compact"}``.
        extras: The row in the data set. Only settings, such as ``game``, ``seed`` or ``level``, are used.
        arguments: ``game``, ``seed``, ``max_turns``, and the arguments of :class:`farm_gym.text.TextEnv`. The first conversation has the
            seed ``seed``, and later ones have the following seeds; None draws seeds. ``max_turns`` is the maximum number of replies in a
            conversation. If ``max_turns`` ends a conversation, the rewards until then count.

    Raises:
        ConfigError: No game is named, or the game has problems.
    """

    def __init__(self, env_config: Mapping[str, Any] | None = None, extras: Mapping[str, Any] | None = None, **arguments: Any) -> None:
        super().__init__()
        row = {key: value for key, value in (extras or {}).items() if key in SKYRL_ARGUMENTS}
        settings = {**arguments, **dict(env_config or {}), **row}
        if "game" not in settings:
            raise ConfigError("no game is named: `env_config`, or the row of the data set, has none under `game`")
        self.seed: int | None = settings.pop("seed", None)
        self.max_turns: int | None = settings.pop("max_turns", None)
        self.env = TextEnv(**settings)
        self.turns = 0
        self._last: dict[str, Any] = {}

    def init(self, prompt: list[Message]) -> tuple[list[Message], dict[str, Any]]:
        """Starts a conversation: the prompt, followed by the instructions and the first text.

        Returns:
            The messages, and metadata with the ``seed``.
        """
        text, info = self.env.reset(self.seed)
        if self.seed is not None:
            self.seed += 1
        self.turns, self._last = 0, {}
        message = {"role": "user", "content": f"{info['instructions']}\n{text}"}
        return [*prompt, message], {"seed": info["seed"]}

    def step(self, action: str) -> dict[str, Any]:
        """Plays a reply.

        Returns:
            ``observations`` (the messages to add), ``reward``, ``done``, ``metadata``.
        """
        text, reward, terminated, truncated, info = self.env.step(action)
        self.turns, self._last = self.turns + 1, info
        is_out_of_turns = self.max_turns is not None and self.turns >= self.max_turns
        done = terminated or truncated or is_out_of_turns
        # The last text needs no answer, so it is not a message.
        messages = [] if done else [{"role": "user", "content": text}]
        metadata = {**info, "terminated": terminated, "truncated": truncated or (is_out_of_turns and not terminated), "text": text}
        return {"observations": messages, "reward": reward, "done": done, "metadata": metadata}

    def get_metrics(self) -> dict[str, float]:
        """The episode's metrics: the return, the number of turns, and the number of rejected texts."""
        refused = self._last.get("refused texts", 0)
        return {"return": float(sum(self.env.returns)), "turns": float(self.turns), "refused_texts": float(refused)}

    @staticmethod
    def aggregate_metrics(metrics: list[dict[str, float]]) -> dict[str, float]:
        """The mean of each metric over several episodes."""
        names = metrics[0] if metrics else {}
        return {name: sum(one[name] for one in metrics) / len(metrics) for name in names}

    def close(self) -> None:
        """Does nothing, because the environment has no resources to release."""
