"""The games of the catalogue, known to Gymnasium."""

from __future__ import annotations

import gymnasium

from farm_gym import _native

__all__ = ["NAMESPACE", "environment_id", "register_all"]

NAMESPACE = "farm_gym"


def environment_id(game: str) -> str:
    """The id of a game of the catalogue: ``clay_bean`` is ``farm_gym/ClayBean-v0``."""
    return f"{NAMESPACE}/{''.join(word.capitalize() for word in game.split('_'))}-v0"


def register_all() -> None:
    """Registers every game of the catalogue."""
    for game in _native.catalogue_names():
        if environment_id(game) not in gymnasium.registry:
            gymnasium.register(
                environment_id(game),
                entry_point="farm_gym.env:FarmEnv",
                vector_entry_point="farm_gym.vector:FarmVectorEnv",
                kwargs={"game": game},
            )
