"""Pictures of environments: what they are, what changes them, and what they leave alone."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest

import farm_gym


def test_a_picture_shows_the_farm_and_changes_with_it(game: str) -> None:
    env = farm_gym.make(game, render_mode="rgb_array", actions="discrete")
    env.reset(seed=1)
    first = env.render()
    height, width, channels = first.shape
    assert (first.dtype, channels) == (np.uint8, 3)
    assert height % 2 == 0 and width % 2 == 0, "films need even edges"
    assert len(np.unique(first.reshape(-1, 3), axis=0)) > 20, "it is no empty canvas"
    assert np.array_equal(first, env.render()), "the same farm, the same picture"
    env.step(0)
    assert not np.array_equal(first, env.render()), "the head counts the steps"
    env.reset(seed=1)
    assert np.array_equal(first, env.render()), "nothing of the episode before is left"


def test_pictures_change_nothing_in_the_game(game: str) -> None:
    drawn = farm_gym.make(game, render_mode="rgb_array", actions="discrete")
    plain = farm_gym.make(game, actions="discrete")
    rng = np.random.default_rng(0)
    for env in (drawn, plain):
        env.reset(seed=3)
    for action in rng.integers(drawn.action_space.n, size=10).tolist():
        drawn.render()
        results = [env.step(action) for env in (drawn, plain)]
        assert results[0][1:4] == results[1][1:4]
        assert drawn.native.state_hash() == plain.native.state_hash()


def test_gymnasium_collects_frames() -> None:
    env = gymnasium.make("farm_gym/ClayBean-v1", render_mode="rgb_array", actions="discrete")
    collected = gymnasium.wrappers.RenderCollection(env)
    collected.reset(seed=0)
    for _ in range(3):
        collected.step(0)
    frames = collected.render()
    assert len(frames) == 4 and len({frame.shape for frame in frames}) == 1
    assert not np.array_equal(frames[0], frames[-1])


def test_a_mode_that_does_not_exist_is_refused_with_those_that_do() -> None:
    with pytest.raises(farm_gym.ConfigError, match="ansi, rgb_array"):
        farm_gym.make("clay_bean-v0", render_mode="hologram")
