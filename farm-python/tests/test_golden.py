"""The episodes of Python are those of Rust: the golden states of the engine's own tests come out here, too."""

from __future__ import annotations

import json

import numpy as np
import pytest

import farm_gym
from conftest import repository


def golden() -> tuple[list[str], list[tuple[int, int, int, float]]]:
    """The script of actions, and seed, hash after the reset, hash and Farm Value after the script."""
    text = (repository() / "farm-games/tests/golden/backwards_valley.json").read_text(encoding="utf-8")
    data = json.loads(text)
    rows = [(row["seed"], row["start"], row["end"], row["farm_value"]) for row in data["episodes"]]
    assert len(data["script"]) == 40 and len(rows) == 5
    return data["script"], rows


def test_one_environment() -> None:
    script, rows = golden()
    env = farm_gym.make("backwards_valley")
    for seed, start, end, value in rows:
        env.reset(seed=seed)
        assert env.native.state_hash() == start
        for name in script:
            observation, *_ = env.step(env.parse_action(name))
        assert (env.native.state_hash(), float(observation["farm_value"])) == (end, value)


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_many_environments(threads: int) -> None:
    script, rows = golden()
    # Far apart among many others.
    count, places = 2000, [0, 401, 999, 1500, 1999]
    envs = farm_gym.make_vec("backwards_valley", count, num_threads=threads)
    seeds = list(range(count))
    for place, (seed, *_) in zip(places, rows, strict=True):
        seeds[place] = seed
    envs.reset(seed=seeds)
    ids = [farm_gym.make("backwards_valley").parse_action(name) for name in script]
    actions = np.random.default_rng(0).integers(11, size=(40, count))
    for row, action in zip(actions, ids, strict=True):
        row[places] = action
        observations, *_ = envs.step(row)
    for place, (_, _, end, value) in zip(places, rows, strict=True):
        assert (envs.native.state_hash(place), float(observations["farm_value"][place])) == (end, value)
