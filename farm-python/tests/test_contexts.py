"""Contexts: changed climates, soils and prices, in splits."""

from __future__ import annotations

import pickle

import gymnasium
import numpy as np
import pytest

import farm_gym


def test_contexts_have_splits_and_an_order() -> None:
    train, test = (farm_gym.contexts("clay_bean", split=split) for split in ("train", "test"))
    assert farm_gym.contexts("clay_bean") == train + test
    assert train[0] == "home/home/home" and not set(train) & set(test)
    assert farm_gym.contexts("valley_farm") == []


def test_a_context_is_named_by_place_or_by_name() -> None:
    name = farm_gym.contexts("clay_bean", split="train")[3]
    games = [farm_gym.make("clay_bean", context=context).game for context in ("train/3", name)]
    assert games[0].fingerprint == games[1].fingerprint != farm_gym.make("clay_bean").game.fingerprint
    assert pickle.loads(pickle.dumps(games[0])).fingerprint == games[0].fingerprint
    with pytest.raises(farm_gym.ConfigError, match="has no context"):
        farm_gym.make("clay_bean", context="train/99")


def test_a_split_plays_the_context_of_the_seed() -> None:
    names = farm_gym.contexts("clay_bean", split="train")
    env = gymnasium.make("farm_gym/ClayBean-v2", context="train")
    for seed in (0, 1, len(names) + 1, 2):
        observation, info = env.reset(seed=seed)
        assert info["context"] == names[seed % len(names)]
        alone, _ = farm_gym.make("clay_bean", context=info["context"]).reset(seed=seed)
        assert all(np.array_equal(observation[key], alone[key]) for key in alone)
    _, info = env.reset(seed=1, options={"context": "test/3"})
    assert "context" not in info
    _, info = env.reset(seed=1, options={"context": "test"})
    assert info["context"] == farm_gym.contexts("clay_bean", split="test")[1]
    _, info = env.reset(seed=1, options={})
    assert info["context"] == names[1]


def test_environments_of_a_vector_play_the_contexts_in_turn() -> None:
    names = farm_gym.contexts("clay_bean", split="test")
    envs = farm_gym.make_vec("clay_bean", len(names) + 1, context="test", num_threads=1)
    observations, info = envs.reset(seed=5)
    assert list(info["context"]) == [*names, names[0]]
    alone, _ = farm_gym.make("clay_bean", context=names[2]).reset(seed=7)
    assert all(np.array_equal(observations[key][2], alone[key]) for key in alone)
    _, info = envs.reset(seed=5, options={"set": {"rules.BasicRule.max_steps": 9}})
    assert list(info["context"]) == [*names, names[0]]
