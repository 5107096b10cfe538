"""What a game conceals from a learner is neither in its info nor in its pictures, unless that is asked for."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest

import farm_gym

#: The games whose farmer sees only its surroundings.
WINDOWS = ("backwards_valley", "valley_farm", "walking_farmer")


def played(env: farm_gym.FarmEnv, steps: int = 30) -> list[dict[str, Any]]:
    infos = [env.reset(seed=2)[1]]
    env.action_space.seed(2)
    while len(infos) < steps:
        infos.append(env.farmgym_step(env.gymaction_to_farmgymaction(env.action_space.sample()))[4])
    return infos


def test_info_has_neither_events_nor_constraints_unless_asked_for(game: str) -> None:
    full, plain = farm_gym.make(game, info="full"), farm_gym.make(game)
    for whole, rest in zip(played(full), played(plain), strict=True):
        assert whole.keys() - rest.keys() == ({"events", "constraints"} if "cost" in rest else {"events"})
        assert all(np.array_equal(whole[key], rest[key]) for key in rest)
    for copied in (copy.deepcopy(full), pickle.loads(pickle.dumps(full))):
        assert "events" in copied.reset(seed=0)[1]


def test_a_variant_begun_by_reset_tells_as_much() -> None:
    env = farm_gym.make("clay_bean-v0", info="full")
    assert "events" in env.reset(seed=0, options={"set": {"rules.BasicRule.max_steps": 9}})[1]


def test_the_cost_of_constraints_is_told_to_learners() -> None:
    constraints = {"set": {"score": {"BasicScore": {"constraints": {"cide_residue": {"limit": 10}}}}}}
    info = farm_gym.make("full_farm-v0", **constraints).reset(seed=0)[1]  # type: ignore[arg-type]
    assert "cost" in info and "constraints" not in info
    info = farm_gym.make("full_farm-v0", info="full", **constraints).reset(seed=0)[1]  # type: ignore[arg-type]
    assert info["constraints"]["cide_residue"]["limit"] == 10


def test_info_of_many_environments_conceals_the_same() -> None:
    envs = farm_gym.make_vec("valley_farm", 2, autoreset_mode="SameStep", set={"rules.BasicRule.max_steps": 2})
    envs.reset(seed=0)
    for _ in range(2):
        *_, infos = envs.step(np.zeros(2, np.int64))
    assert "final_info" in infos
    for info in (infos, infos["final_info"]):
        assert not {"events", "constraints"} & info.keys()
    with pytest.raises(farm_gym.ConfigError, match=r"info='full'.*`add_monitoring`"):
        farm_gym.make_vec("valley_farm", 2, info="full")
    for opened in (farm_gym.make, farm_gym.make_vec):
        with pytest.raises(farm_gym.ConfigError, match="no info 'all': learner, full"):
            opened("valley_farm", info="all")


def test_a_day_of_looking_and_acting_joins_what_there_is() -> None:
    for info in ("learner", "full"):
        env = farm_gym.wrappers.ObservationActionLoop(farm_gym.make("clay_bean-v0", interaction_mode="aomdp", info=info))
        env.reset(seed=0)
        told = env.step(env.action_space.sample())[4]
        assert ("events" in told) == (info == "full")


def test_pictures_are_those_of_the_learner_where_the_farmer_sees_a_window(game: str) -> None:
    view = "learner" if game.startswith(WINDOWS) else "everything"
    env = farm_gym.make(game, render_mode="rgb_array")
    made = gymnasium.make(farm_gym.registration.environment_id(game), render_mode="rgb_array")
    envs = farm_gym.make_vec(game, 1, render_mode="rgb_array")
    env.reset(seed=1)
    made.reset(seed=1)
    envs.reset(seed=1)
    assert env.render_view == envs.render_view == view
    expected = farm_gym.make(game, render_mode="rgb_array", render_view=view)
    expected.reset(seed=1)
    for picture in (env.render(), env.picture(), made.render(), envs.render_one(0)):
        assert np.array_equal(picture, expected.render())  # type: ignore[arg-type]
    everything = farm_gym.make(game, render_mode="rgb_array", render_view="everything")
    everything.reset(seed=1)
    assert np.array_equal(everything.render(), env.picture("everything"))  # type: ignore[arg-type]


def test_who_observes_the_whole_map_is_shown_it() -> None:
    assert farm_gym.make("walking_farmer-v0", interaction_mode="fomdp").render_view == "everything"


def test_an_environment_says_what_it_is() -> None:
    env = farm_gym.make("clay_bean-v0", preset="4x3", interaction_mode="fomdp")
    for text in (str(env), repr(env)):
        assert text.startswith("<FarmEnv clay_bean-v0 preset=4x3 mode=fomdp observation=Dict(")
        assert "action=" in text and "\n" not in text
    level = farm_gym.make("backwards_valley", level="test/01")
    assert "level=test/01" in str(level) and "action=Discrete(11)>" in str(level)
    assert "FarmEnv clay_bean" in str(gymnasium.make("farm_gym/ClayBean-v2"))
    envs = farm_gym.make_vec("clay_bean-v0", 3)
    for text in (str(envs), repr(envs)):
        assert text.startswith("<3 × FarmVectorEnv clay_bean-v0 mode=pomdp ")


def test_the_package_shows_what_users_need() -> None:
    assert dir(farm_gym) == sorted(farm_gym.__all__) and len(set(farm_gym.__all__)) == len(farm_gym.__all__)
    assert all(hasattr(farm_gym, name) for name in farm_gym.__all__)
    assert {"Builder", "Context", "Declarations", "Found", "Stream", "PartError"} <= set(farm_gym.__all__)
    assert farm_gym.__doc__ is not None and "farm_gym.make(" in farm_gym.__doc__[:250]
