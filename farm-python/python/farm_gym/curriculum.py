"""Chooses the tiers of a family by how many groups of episodes carry a gradient.

Trainers that compare the episodes of a group, as GRPO does, learn nothing from a group whose episodes all have the same score. A curriculum
plays the tiers on which groups differ.

>>> from farm_gym.curriculum import Curriculum
>>> curriculum = Curriculum("backwards_valley@tiers=1-3", seed=0)
>>> sorted(curriculum.shares)
[1, 2, 3]
>>> curriculum.update(2, [0.4] * 8)
False
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from farm_gym import _native
from farm_gym.errors import ConfigError
from farm_gym.game import check_choice

__all__ = ["Curriculum", "carries_gradient", "published"]

SPLITS = ("train", "validation", "test")


def published(game: str, split: str = "train") -> dict[int, tuple[int, int]]:
    """The published shares of a family's tiers: groups of 8 episodes of random play, and how many of them carry a gradient.

    Args:
        game: The name of one or several tiers, such as ``"backwards_valley@tiers=1-9"``.
        split: ``"train"``, ``"validation"`` or ``"test"``.

    Returns:
        ``{tier: (groups, groups with a gradient)}``.

    Raises:
        ConfigError: The name is not that of a family's tiers, or the split is unknown.
    """
    check_choice("split", split, SPLITS)
    return {tier: (groups, some) for of, tier, groups, some in _native.Family(game).gradients() if of == split}


def carries_gradient(scores: Sequence[float | None]) -> bool:
    """Whether the scores of a group's episodes are not all equal."""
    return len(set(scores)) > 1


class Curriculum:
    """Draws the worlds of groups. A tier is drawn in proportion to its share of groups that carry a gradient.

    The shares begin with the published ones of random play. :meth:`update`, which a trainer calls after each group, moves the tier's share
    towards the learner's own.

    Args:
        game: The name of several tiers of a family, such as ``"backwards_valley@tiers=1-9"``.
        split: The split of the worlds.
        worlds: The worlds 0 to ``worlds`` − 1 of the split are drawn, with equal probability. The first 200 open at once.
        floor: The minimum weight of a tier, from 0 to 1, so that every tier is measured again from time to time.
        memory: The number of groups over which a share is averaged, exponentially; at least 1.
        seed: Seed of the draws.

    Raises:
        ConfigError: The name is not that of a family's tiers, or an argument is outside its range.
    """

    def __init__(
        self, game: str, *, split: str = "train", worlds: int = 200, floor: float = 0.1, memory: float = 32.0, seed: int = 0
    ) -> None:
        for name, value, is_right, expected in [
            ("worlds", worlds, 1 <= worlds <= 1_000_000_000, "from 1 to 1,000,000,000"),
            ("floor", floor, 0.0 < floor <= 1.0, "above 0, up to 1"),
            ("memory", memory, memory >= 1.0, "at least 1"),
        ]:
            if not is_right:
                raise ConfigError(f"`{name}` is {value}; expected: {expected}")
        known = published(game, split)
        self.game, self.split, self.worlds, self.floor, self.memory = game, split, worlds, floor, memory
        #: The share of groups that carry a gradient, by tier.
        self.shares: dict[int, float] = {tier: some / groups for tier, (groups, some) in known.items()}
        #: The number of groups that were reported, by tier.
        self.groups: dict[int, int] = dict.fromkeys(known, 0)
        self._random = np.random.default_rng(seed)

    @property
    def probabilities(self) -> dict[int, float]:
        """The probability of each tier in :meth:`sample`."""
        weights = {tier: max(share, self.floor) for tier, share in self.shares.items()}
        total = sum(weights.values())
        return {tier: weight / total for tier, weight in weights.items()}

    def sample(self) -> dict[str, Any]:
        """Draws the world of a group.

        Returns:
            ``split``, ``index`` and ``tier``: options for :meth:`farm_gym.FarmEnv.reset` and arguments for :meth:`farm_gym.text.TextEnv.reset`.
            All episodes of the group start with them.
        """
        tiers, chances = zip(*self.probabilities.items(), strict=True)
        tier = int(self._random.choice(tiers, p=chances))
        return {"split": self.split, "index": int(self._random.integers(self.worlds)), "tier": tier}

    def update(self, tier: int, scores: Sequence[float | None]) -> bool:
        """Learns from a group: a callback for trainers.

        Args:
            tier: The tier of the group's world.
            scores: The scores of the group's episodes: ``info["score"]``, or any rewards that the trainer compares; at least 2.

        Returns:
            Whether the group carries a gradient.

        Raises:
            ConfigError: The curriculum does not have the tier, or there are fewer than two scores.
        """
        if tier not in self.shares:
            raise ConfigError(f"the curriculum of `{self.game}` has no tier {tier}: {', '.join(map(str, self.shares))}")
        if len(scores) < 2:
            raise ConfigError(f"a group has at least 2 episodes, not {len(scores)}")
        differs = carries_gradient(scores)
        self.groups[tier] += 1
        self.shares[tier] += (float(differs) - self.shares[tier]) / self.memory
        return differs

    def state_dict(self) -> dict[str, Any]:
        """The shares, the counts and the state of the draws, as JSON values for a checkpoint."""
        return {
            "shares": {str(tier): share for tier, share in self.shares.items()},
            "groups": {str(tier): groups for tier, groups in self.groups.items()},
            "random": self._random.bit_generator.state,
        }

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Continues from a checkpoint.

        Raises:
            ConfigError: The checkpoint belongs to other tiers.
        """
        shares = {int(tier): float(share) for tier, share in state["shares"].items()}
        if shares.keys() != self.shares.keys():
            raise ConfigError(f"the checkpoint has the tiers {sorted(shares)}, the curriculum {sorted(self.shares)}")
        self.shares = shares
        self.groups = {int(tier): int(groups) for tier, groups in state["groups"].items()}
        self._random.bit_generator.state = state["random"]
