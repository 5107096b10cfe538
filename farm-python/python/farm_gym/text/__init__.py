"""Games as text conversations, for language models and for people.

>>> import farm_gym.text
>>> env = farm_gym.text.make("backwards_valley", form="compact")
>>> print(env.instructions("hidden").splitlines()[0])
TASK
>>> text, info = env.reset(seed=7)
>>> text, reward, terminated, truncated, info = env.step("I go north.\\nAction: MoveN")
>>> reward
3.0

The signatures are the same as in GEM, so GEM's trainers accept the environment unchanged. :mod:`farm_gym.text.adapters` has the interfaces
of other trainers, and :mod:`farm_gym.text.tools` offers the actions as tools with typed arguments.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from farm_gym import _native
from farm_gym.errors import ConfigError, not_begun
from farm_gym.game import GameArguments, family_of, open_game, seed_of_index, world_of
from farm_gym.signatures import Unpack, keywords_of

__all__ = ["FORMS", "TextEnv", "make"]

#: The forms of observations. `full` shows every value with its full name and all digits. `compact` uses short names and three significant
#: digits, and shows only changes. `rows` is one row of all values, separated by commas.
FORMS = ("full", "compact", "rows")

#: The result of a step: text, reward, whether the game ended (terminated), whether its time ran out (truncated), info.
TextStep = tuple[str, float, bool, bool, dict[str, Any]]


class TextEnv:
    """A game as a conversation. It lasts one episode, or several episodes with the same rules but different worlds.

    Each text is complete: it has the observation, the last reward, and the rejected parts of the reply with reasons. The last text in an
    episode also explains why the episode is over. Replies may use the formats that language models produce; see the page on the text
    channel.

    In a family, such as ``backwards_valley@tier=5``, each conversation draws rules and map together, as :meth:`farm_gym.FarmEnv.reset` does.

    Args:
        game: The name of a game or of a family's tiers, the path of a YAML file, or a compiled game. All other arguments are the same as for
            :func:`farm_gym.make`.
        form: The form of observations, from :data:`FORMS`.
        rules: Whether :meth:`instructions` explains the rules by default: ``"hidden"`` or ``"shown"``. On tiers whose rules are shown, it
            always explains them.
        episodes: Number of episodes in a conversation. All of them have the same rules, so an agent can apply what it learnt earlier.
        scores: In a family, whether the last info of a conversation contains ``score``, ``waiting``, ``best`` and ``proven``. They are the
            same as in :class:`farm_gym.FarmEnv`, summed over all episodes.

    Raises:
        ConfigError: The game has problems, or the form or the value of ``rules`` is unknown.
    """

    @keywords_of(open_game)
    def __init__(
        self,
        game: str | os.PathLike[str] | _native.Game,
        *,
        form: str = "full",
        rules: str = "hidden",
        episodes: int = 1,
        scores: bool = True,
        **arguments: Unpack[GameArguments],
    ) -> None:
        if episodes < 1:
            raise ConfigError(f"a conversation has at least one episode, not {episodes}")
        self._family = family_of(game, arguments)
        #: The seed of the first episode in a conversation of a family.
        self._seed: int | None = None
        self._is_shown, self.scores = False, scores
        #: The compiled game; in a family, the current member.
        self.game: _native.Game
        if self._family is None:
            self.game = open_game(game, **arguments)
        else:
            self.game, _, _, told = self._family.world(0, None, text=True)
            self._is_shown = told["rules"] == "shown"
        self.form, self.rules, self.episodes = form, rules, episodes
        self._conversation = _native.Conversation(self.game, form, episodes)
        self._random = np.random.default_rng()
        self._has_begun = False
        self._conversation.instructions(rules)

    def instructions(self, rules: str | None = None) -> str:
        """The instructions for a player before the first text.

        Args:
            rules: ``"hidden"`` explains the observations, the form of actions and the goal; ``"shown"`` also explains the rules and every
                action's effect. None means the value with which the environment was made.
        """
        if rules is None:
            rules = "shown" if self._is_shown else self.rules
        return self._conversation.instructions(rules)

    def reset(
        self, seed: int | None = None, *, split: str | None = None, index: int | None = None, tier: int | None = None
    ) -> tuple[str, dict[str, Any]]:
        """Starts a conversation.

        Args:
            seed: Seed for the first episode, from 0 to 2⁶⁴ − 1. None draws a seed; the sequence of drawn seeds depends on the last seed
                that you passed.
            split: The split to play: ``"train"``, ``"validation"`` or ``"test"``. Without it, seeds that belong to splits are rejected.
            index: The number of a world in the split, instead of a seed. In a family, it selects rules and map.
            tier: A tier of a family; None for a tier that the seed or the index selects.

        Returns:
            The first text, and info: ``seed``, ``instructions``. In a family, also ``member``, ``tier``, ``split``, ``index`` and ``rules``.

        Raises:
            ConfigError: The seed is reserved for another split, or the game is a family's member of another split.
        """
        _, split, index, tier = world_of({"split": split, "index": index, "tier": tier})
        if seed is not None and index is not None:
            raise ConfigError("`index` and `seed` both select the world: leave out one of them")
        if seed is not None:
            self._random = np.random.default_rng(seed)
        elif index is not None and split is not None:
            seed = seed_of_index(split, index)
        else:
            seed = _native.drawn_seed(int(self._random.integers(2**63)), split)
        told: dict[str, Any] = {}
        if self._family is not None:
            self.game, seed, split, told = self._family.world(seed, split, index, tier, text=True)
            self._conversation = _native.Conversation(self.game, self.form, self.episodes)
            self._is_shown, self._seed = told["rules"] == "shown", seed
        elif tier is not None:
            raise ConfigError(f"`{self.game.name}` has no tiers: leave out `tier`")
        text = self._conversation.reset(seed, split)
        self._has_begun = True
        return text, {**told, "seed": seed, "instructions": self.instructions()}

    def step(self, reply: str) -> TextStep:
        """Plays the actions in a reply.

        Args:
            reply: Text of any length that contains one or more actions.

        Returns:
            Text, reward, terminated, truncated, info. Info has ``rejected`` (the parts that could not be read or executed, with reasons),
            and ``refused texts`` (the number of texts with unreadable parts in the episode). It also has ``episode over``, and ``returns``
            (the return of each episode that has started). In a family, the last one also has ``score``, ``waiting``, ``best`` and ``proven``.

        Raises:
            StateError: The conversation has not started, or it is over.
        """
        if not self._has_begun:
            raise not_begun()
        text, reward, terminated, truncated, is_episode_over = self._conversation.reply(reply)
        info: dict[str, Any] = {
            "rejected": self._conversation.rejected(),
            "refused texts": self._conversation.rejected_texts(),
            "episode over": is_episode_over,
            "returns": self._conversation.returns(),
        }
        if (terminated or truncated) and self.scores and self._family is not None and self._seed is not None:
            seeds = [_native.Conversation.seed_of(self._seed, i) for i in range(self.episodes)]
            info.update(self._family.score(self.game, seeds, sum(info["returns"])))
        return text, reward, terminated, truncated, info

    def sample_random_action(self) -> str:
        """A random action from the flat list; all actions are equally likely."""
        names = self.game.action_names()
        return names[int(self._random.integers(len(names)))]

    def spawn(self, same_state: bool = False, **changes: Any) -> TextEnv:
        """Creates another environment for the same game.

        Args:
            same_state: Whether the new environment continues from this environment's current state. The two are then independent.
            changes: ``form``, ``rules`` or ``episodes``; not allowed together with ``same_state``.

        Raises:
            ConfigError: Changes were given together with ``same_state``, or an argument is unknown.
        """
        known = ("form", "rules", "episodes")
        for name in changes:
            if name not in known:
                raise ConfigError(f"spawn changes {', '.join(known)}, not {name!r}: make another environment")
        if same_state and changes:
            raise ConfigError(f"{next(iter(changes))!r} can't change in the same state: leave it out, or `same_state=False`")
        game = self.game if self._family is None else self._family.name
        settings = {"form": self.form, "rules": self.rules, "episodes": self.episodes, "scores": self.scores, **changes}
        other = TextEnv(game, **settings)
        if same_state:
            other._conversation, other._has_begun = self._conversation.copy(), self._has_begun
            other.game, other._seed, other._is_shown = self.game, self._seed, self._is_shown
            other._random = np.random.default_rng(self._random.integers(2**63))
        return other

    def snapshot(self) -> bytes:
        """The episode's state as bytes."""
        return self._conversation.snapshot()

    def value_to_go(self) -> tuple[float, bool]:
        """The most that can be earned from here to the end of the episode, and whether this is proven. See :meth:`farm_gym.FarmEnv.value_to_go`."""
        if not self._has_begun:
            raise not_begun()
        return self._conversation.value_to_go()

    @property
    def returns(self) -> list[float]:
        """The return of each episode that has started: the learning curve within a conversation."""
        return self._conversation.returns()

    @property
    def unwrapped(self) -> TextEnv:
        """The environment itself."""
        return self

    def close(self) -> None:
        """Does nothing, because the environment has no resources to release."""

    def __repr__(self) -> str:
        episodes = f" episodes={self.episodes}" if self.episodes > 1 else ""
        name = self.game.name if self._family is None else self._family.name
        return f"<TextEnv {name} form={self.form} rules={self.rules}{episodes}>"


@keywords_of(TextEnv)
def make(game: str | os.PathLike[str] | _native.Game, **arguments: Any) -> TextEnv:
    """Opens a game as a conversation. Accepts the same arguments as :class:`TextEnv`."""
    return TextEnv(game, **arguments)
