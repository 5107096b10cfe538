"""Wrappers for learners that know few kinds of spaces."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import farm_gym
from conftest import equal
from farm_gym.wrappers import DictObservations, FlatDiscreteActions, FlatObservations, MultiDiscreteActions, ObservationActionLoop


def twelve(**arguments: object) -> farm_gym.FarmEnv:
    return farm_gym.make("clay_bean-v0", preset="4x3", actions="multi_union", **arguments)


def test_discrete_actions_do_what_the_view_does() -> None:
    wrapped, plain = FlatDiscreteActions(twelve()), farm_gym.make("clay_bean-v0", preset="4x3", actions="discrete")
    assert wrapped.action_space == plain.action_space == gymnasium.spaces.Discrete(86)
    wrapped.reset(seed=1), plain.reset(seed=1)
    for action in np.random.default_rng(0).integers(86, size=60):
        assert np.array_equal(wrapped.action_masks(), plain.action_masks())
        mine, theirs = wrapped.step(action), plain.step(action)
        assert equal(mine[0], theirs[0]) and mine[1:4] == theirs[1:4]
        if mine[2] or mine[3]:
            break


def test_multi_discrete_actions_fill_a_schedule() -> None:
    wrapped, plain = MultiDiscreteActions(twelve()), farm_gym.make("clay_bean-v0", preset="4x3", actions="multi_discrete")
    assert wrapped.action_space == plain.action_space
    wrapped.reset(seed=1), plain.reset(seed=1)
    rng = np.random.default_rng(0)
    for _ in range(40):
        action = rng.permutation(86)[:4]
        mine, theirs = wrapped.step(action), plain.step(action)
        assert equal(mine[0], theirs[0]) and mine[1:4] == theirs[1:4]
    assert wrapped.action_masks().shape == (4 * 86,)
    wrapped.step(np.array([3, 3, 0, 0]))  # Twice the same is once.


def test_flat_observations_are_one_vector_that_tells_all(game: str) -> None:
    env = FlatObservations(farm_gym.make(game, actions="discrete"))
    assert env.observation_space.dtype == np.float32 and len(env.observation_space.shape) == 1
    seen = {}
    env.action_space.seed(0)
    env.reset(seed=0)
    for _ in range(200):
        observation, _, terminated, truncated, _ = env.step(env.action_space.sample())
        assert observation in env.observation_space
        whole = env.unwrapped.native.observation()
        key = str({name: np.asarray(value).tolist() for name, value in whole.items()})
        seen.setdefault(key, observation.tobytes())
        if terminated or truncated:
            env.reset()
    assert len(set(seen.values())) == len(seen), "different observations, different vectors"
    with pytest.raises(farm_gym.ConfigError, match="only once"):
        FlatObservations(env)


def test_a_day_where_looking_costs_is_one_step() -> None:
    env = ObservationActionLoop(twelve(interaction_mode="aomdp"))
    twin = twelve(interaction_mode="aomdp")
    look = twin.farmgymaction_to_gymaction([("BasicFarmer-0", "Field-0", "Soil-0", "available_Water#L", "*")])
    water = {"plot": (0, 0), "amount#L": 5, "duration#min": 60}
    deed = twin.farmgymaction_to_gymaction([("BasicFarmer-0", "Field-0", "Soil-0", "water_discrete", water)])
    observation, _ = env.reset(seed=3)
    twin.reset(seed=3)
    assert equal(observation, twin.step(())[0])
    for _ in range(5):
        observation, reward, *_, info = env.step((deed, look))
        first = twin.step(deed)
        second = twin.step(look)
        assert equal(observation, second[0]) and reward == first[1] + second[1]
        assert info["intervention cost"] == 0.02
        assert info["observation cost"] == second[4]["observation cost"]
    assert env.unwrapped.native.steps == 5
    with pytest.raises(farm_gym.ConfigError, match="aomdp"):
        ObservationActionLoop(twelve())
    with pytest.raises(farm_gym.ConfigError, match="not an environment of a farm"):
        FlatDiscreteActions(gymnasium.make("CartPole-v1"))


def test_dictionaries_have_keys_without_dots_and_no_single_numbers(game: str) -> None:
    env = DictObservations(farm_gym.make(game, actions="discrete"))
    plain = farm_gym.make(game, actions="discrete")
    with pytest.warns(UserWarning, match="different from the unwrapped version"):
        check_env(env, skip_render_check=True)
    seen, theirs = env.reset(seed=4)[0], plain.reset(seed=4)[0]
    for _ in range(20):
        assert seen in env.observation_space
        assert all(key == renamed.replace("/", ".") for key, renamed in zip(theirs, seen, strict=True))
        for key, value in theirs.items():
            mine = seen[key.replace(".", "/")]
            assert mine.shape == (np.shape(value) or (1,)) and np.array_equal(np.reshape(mine, np.shape(value)), value)
        action = env.action_space.sample()
        seen, theirs = env.step(action)[0], plain.step(action)[0]


def test_dictionaries_are_refused_where_names_would_clash() -> None:
    with pytest.raises(farm_gym.ConfigError, match="still contain a full stop"):
        DictObservations(farm_gym.make("clay_bean-v0"), separator="..")
    with pytest.raises(farm_gym.ConfigError, match="before one that flattens"):
        DictObservations(FlatObservations(farm_gym.make("clay_bean-v0")))
