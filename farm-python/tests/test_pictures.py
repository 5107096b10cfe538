"""Pictures of environments: what they are, what changes them, and what they leave alone."""

from __future__ import annotations

import copy

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
    env = gymnasium.make("farm_gym/ClayBean-v2", render_mode="rgb_array", actions="discrete")
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


def test_pictures_have_the_size_the_legend_and_the_season_that_are_asked_for() -> None:
    plain = farm_gym.make("clay_bean", preset="4x3", render_mode="rgb_array")
    env = farm_gym.make("clay_bean", preset="4x3", render_mode="rgb_array", render_options={"scale": 2, "legend": "used", "season": True})
    for one in (plain, env):
        one.reset(seed=0)
        for _ in range(5):
            one.farmgym_step([])
    usual, own = plain.render(), env.render()
    assert isinstance(usual, np.ndarray) and isinstance(own, np.ndarray)
    assert abs(own.shape[1] - 2 * usual.shape[1]) <= 2 and own.shape[0] > 2 * usual.shape[0] + 100
    # What is asked of one picture is instead of what was said for all.
    assert env.picture(scale=1, legend="none", season=False).shape == usual.shape
    assert np.array_equal(env.picture(scale=1, legend="none", season=False), usual)
    height, width, _ = plain.picture(size="1080p").shape
    assert height <= 1082 and width <= 1922 and (height >= 1076 or width >= 1916)
    assert plain.picture(size=(400, 300)).shape == plain.picture(size="400x300").shape
    assert plain.picture(legend="all").shape[0] > plain.picture(legend="used").shape[0] > usual.shape[0]
    assert plain.picture("learner", scale=0.5).shape[1] < usual.shape[1]


def test_the_season_of_a_picture_is_that_of_the_episode() -> None:
    def make() -> farm_gym.FarmEnv:
        env = farm_gym.make("clay_bean", render_options={"season": True})
        env.reset(seed=1)
        return env

    def waited(env: farm_gym.FarmEnv, days: int) -> farm_gym.FarmEnv:
        for _ in range(days):
            env.farmgym_step([])
        return env

    env = waited(make(), 9)
    assert env.picture().shape[0] > env.picture(season=False).shape[0] + 100
    snapshot, picture = env.snapshot(), env.picture(legend="none")
    waited(env, 7)
    env.restore(snapshot)
    chart = slice(-150, None)
    assert np.array_equal(env.picture()[chart], picture[chart]), "the chart goes back with the state"
    waited(env, 3)
    assert np.array_equal(env.picture()[chart], waited(make(), 12).picture()[chart])
    env.reset(seed=1)
    assert np.array_equal(env.picture(), make().picture()), "nothing of the episode before is left"
    assert copy.deepcopy(env).render_options == {"season": True}


def test_options_of_pictures_that_make_no_sense_are_refused() -> None:
    for options, said in [
        ({"size": "large"}, "`large` is not a size"),
        ({"scale": 100}, "100 is not a scale"),
        ({"scale": 2, "size": "720p"}, "not both"),
        ({"legend": "some"}, "`some` is not a legend: none, used or all"),
        ({"width": 3}, "no option 'width': size, scale, legend, season"),
        ({"scale": "big"}, "'scale': 'big'"),
    ]:
        with pytest.raises(farm_gym.ConfigError, match=said):
            farm_gym.make("clay_bean", render_options=options)  # type: ignore[arg-type]
        with pytest.raises(farm_gym.ConfigError, match=said):
            farm_gym.make_vec("clay_bean", 2, render_options=options)
    env = farm_gym.make("clay_bean")
    env.reset(seed=0)
    with pytest.raises(farm_gym.ConfigError, match='render_options={"season": True}'):
        env.picture(season=True)
    with pytest.raises(farm_gym.ConfigError, match="no chart of the season"):
        farm_gym.make_vec("clay_bean", 2, render_options={"season": True})
    envs = farm_gym.make_vec("clay_bean", 2, render_mode="rgb_array", render_options={"scale": 0.5})
    envs.reset(seed=0)
    assert envs.render()[0].shape[0] < farm_gym.make("clay_bean", render_mode="rgb_array").picture().shape[0]
