"""Games as conversations: texts in, texts out, for language models and for people.

>>> import farm_gym.text
>>> env = farm_gym.text.make("backwards_valley", form="compact")
>>> print(env.instructions("hidden").splitlines()[0])
TASK
>>> text, info = env.reset(seed=7)
>>> text, reward, terminated, truncated, info = env.step("I go north.\\nAction: MoveN")
>>> reward
3.0

The signatures are those of GEM, whose trainers take such an environment as it is. :mod:`farm_gym.text.adapters` has those of other
trainers, :mod:`farm_gym.text.tools` the actions as tools with typed arguments.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from farm_gym import _native
from farm_gym.errors import ConfigError, not_begun
from farm_gym.game import open_game

__all__ = ["FORMS", "TextEnv", "make"]

#: How observations are written: every value with its full name and all digits; short names, three significant digits and only what has
#: changed; a row of all values, separated by commas.
FORMS = ("full", "compact", "rows")

#: What a step returns: the text, the reward, whether the game came to an end, whether its time did, info.
TextStep = tuple[str, float, bool, bool, dict[str, Any]]


class TextEnv:
    """A game as a conversation of one episode, or of several with the same rules in worlds that differ.

    A text says all that there is to read: the observation, what the last action earned, what of the reply was refused and why, and at the end
    that and why it is over. Replies are read as language models write them; see the page on the text channel.

    Args:
        game: Name of a game, path of a YAML file, or a compiled game; other arguments as for :func:`farm_gym.make`.
        form: How observations are written, one of :data:`FORMS`.
        rules: Whether :meth:`instructions` tells the rules unless it is asked otherwise: ``"hidden"`` or ``"shown"``.
        episodes: How many episodes a conversation has. Their rules are the same, so that what is learnt in one helps in the next.

    Raises:
        ConfigError: Every problem of the game; a form or a word for the rules that there is not.
    """

    def __init__(
        self,
        game: str | os.PathLike[str] | _native.Game,
        *,
        form: str = "full",
        rules: str = "hidden",
        episodes: int = 1,
        preset: str | Sequence[str] | None = None,
        level: str | os.PathLike[str] | None = None,
        set: Mapping[str, Any] | None = None,  # noqa: A002 - the word of the command line
        parts: Sequence[type] = (),
        allow_plugins: bool = False,
        allow_outside_files: bool = False,
    ) -> None:
        if episodes < 1:
            raise ConfigError(f"a conversation has at least one episode, not {episodes}")
        #: The game, compiled.
        self.game = open_game(
            game,
            preset=preset,
            level=level,
            set=set,
            parts=parts,
            allow_plugins=allow_plugins,
            allow_outside_files=allow_outside_files,
        )
        self.form, self.rules, self.episodes = form, rules, episodes
        self._conversation = _native.Conversation(self.game, form, episodes)
        self._random = np.random.default_rng()
        self._has_begun = False
        self._conversation.instructions(rules)

    def instructions(self, rules: str | None = None) -> str:
        """What a player is told before the first text.

        Args:
            rules: ``"hidden"`` for what is seen, how actions are written and the goal; ``"shown"`` for what everything does, too. None for
                what the environment was made with.
        """
        return self._conversation.instructions(self.rules if rules is None else rules)

    def reset(self, seed: int | None = None, *, split: str | None = None) -> tuple[str, dict[str, Any]]:
        """Begins a conversation.

        Args:
            seed: Seed of its first episode, from 0 to 2⁶⁴ − 1. None draws one, from the last seed that was given on.
            split: The split whose worlds are played: ``"train"``, ``"validation"`` or ``"test"``. Without it their seeds are refused.

        Returns:
            The first text, and info: ``seed``, ``instructions``.

        Raises:
            ConfigError: A seed that is kept for a split which was not named.
        """
        if seed is None:
            seed = _native.drawn_seed(int(self._random.integers(2**63)), split)
        else:
            self._random = np.random.default_rng(seed)
        text = self._conversation.reset(seed, split)
        self._has_begun = True
        return text, {"seed": seed, "instructions": self.instructions()}

    def step(self, reply: str) -> TextStep:
        """Plays what a reply says.

        Args:
            reply: A text of any length with an action in it, or several.

        Returns:
            Text, reward, terminated, truncated, info. Info has ``rejected`` (what was not done or read, with the reason),
            ``refused texts`` (in how many texts of the episode something could not be read), ``episode over`` and ``returns``, the
            return of each episode that has begun.

        Raises:
            StateError: The conversation has not begun, or is over.
        """
        if not self._has_begun:
            raise not_begun()
        text, reward, terminated, truncated, is_episode_over = self._conversation.reply(reply)
        info = {
            "rejected": self._conversation.rejected(),
            "refused texts": self._conversation.rejected_texts(),
            "episode over": is_episode_over,
            "returns": self._conversation.returns(),
        }
        return text, reward, terminated, truncated, info

    def sample_random_action(self) -> str:
        """An action that the rules know, drawn from all of them."""
        names = self.game.action_names()
        return names[int(self._random.integers(len(names)))]

    def spawn(self, same_state: bool = False, **changes: Any) -> TextEnv:
        """Another environment of the same game.

        Args:
            same_state: Whether it goes on from where this one stands, in a way of its own.
            changes: ``form``, ``rules`` or ``episodes``; none of them together with ``same_state``.

        Raises:
            ConfigError: Changes to an environment that goes on from the same state; arguments that there are not.
        """
        known = ("form", "rules", "episodes")
        for name in changes:
            if name not in known:
                raise ConfigError(f"spawn changes {', '.join(known)}, not {name!r}: make another environment")
        if same_state and changes:
            raise ConfigError(f"{next(iter(changes))!r} can't change in the same state: leave it out, or `same_state=False`")
        other = TextEnv(self.game, **{"form": self.form, "rules": self.rules, "episodes": self.episodes, **changes})
        if same_state:
            other._conversation, other._has_begun = self._conversation.copy(), self._has_begun
            other._random = np.random.default_rng(self._random.integers(2**63))
        return other

    def snapshot(self) -> bytes:
        """The bytes of the state of the episode."""
        return self._conversation.snapshot()

    @property
    def returns(self) -> list[float]:
        """The return of each episode that has begun: the curve of what is learnt within a conversation."""
        return self._conversation.returns()

    @property
    def unwrapped(self) -> TextEnv:
        """The environment itself."""
        return self

    def close(self) -> None:
        """Does nothing: all is memory."""

    def __repr__(self) -> str:
        episodes = f" episodes={self.episodes}" if self.episodes > 1 else ""
        return f"<TextEnv {self.game.name} form={self.form} rules={self.rules}{episodes}>"


def make(game: str | os.PathLike[str] | _native.Game, **arguments: Any) -> TextEnv:
    """A game as a conversation; arguments as for :class:`TextEnv`."""
    return TextEnv(game, **arguments)
