"""Registers the games in the catalogue with Gymnasium in all their versions, and the tiers of all families."""

from __future__ import annotations

import gymnasium

from farm_gym import _native

__all__ = ["NAMESPACE", "environment_id", "register_all"]

NAMESPACE = "farm_gym"


def environment_id(game: str) -> str:
    """The Gymnasium id of a game in the catalogue, or of a tier of a family. The id ends with the game's version.

    ``clay_bean`` is the newest version, ``farm_gym/ClayBean-v2``, and ``clay_bean-v0`` is ``farm_gym/ClayBean-v0``. The tier
    ``backwards_valley@tier=5`` is ``farm_gym/BackwardsValleyTier5-v0``.

    Raises:
        ConfigError: There is no such game, or no such version of it.
    """
    if game in _native.family_names():
        name, version = game.replace("@tier=", "_tier"), 0
    else:
        name, version = _native.game_and_version(game)
    return f"{NAMESPACE}/{''.join(word.capitalize() for word in name.split('_'))}-v{version}"


def register_all() -> None:
    """Registers every game in the catalogue in all its versions, and every tier of every family."""
    for game in [*_native.catalogue_names(), *_native.family_names()]:
        if environment_id(game) not in gymnasium.registry:
            gymnasium.register(
                environment_id(game),
                entry_point="farm_gym.env:FarmEnv",
                vector_entry_point="farm_gym.vector:FarmVectorEnv",
                kwargs={"game": game},
            )
