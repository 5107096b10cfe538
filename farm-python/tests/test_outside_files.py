"""A game reads files of its own folder, and others only where that is allowed."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

import farm_gym

GAME = """name: own_weather
fields: {Field-0: {entities: [Weather: {file: ../weather.csv}, Soil: clay, Plant: bean]}}
farmers: [BasicFarmer]
rules: {BasicRule: {max_steps: 3}}
score: BasicScore
"""


def test_files_outside_are_refused_unless_that_is_allowed(tmp_path: Path) -> None:
    (tmp_path / "weather.csv").write_text("Tmin,Tmax,T,RH,U,Rain\n" + "5,15,10,70,18,0\n" * 365)
    (tmp_path / "game").mkdir()
    game = tmp_path / "game" / "game.yaml"
    game.write_text(GAME)
    with pytest.raises(farm_gym.ConfigError, match="outside of the game's folder"):
        farm_gym.make(game)
    env = farm_gym.make(game, allow_outside_files=True)
    env.reset(seed=0)
    # The permission goes with the game to another process, and to its variants.
    again = pickle.loads(pickle.dumps(env.game))
    assert again.fingerprint == env.game.fingerprint
    env.reset(seed=0, options={"set": {"rules.BasicRule.max_steps": 2}})
    farm_gym.make_vec(game, 2, num_threads=1, allow_outside_files=True).reset(seed=0)
