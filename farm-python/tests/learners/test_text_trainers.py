"""Conversations and tools in the hands of the real packages."""

from __future__ import annotations

import pytest

import farm_gym.text
from farm_gym.text import adapters, tools


def test_gem_makes_an_environment_by_its_name() -> None:
    gem = pytest.importorskip("gem")
    adapters.register_gem("farm:BackwardsValley-v0", "backwards_valley", form="compact")
    env = gem.make("farm:BackwardsValley-v0")
    text, info = env.reset(seed=3)
    assert "position" in text and info["instructions"].startswith("TASK\n")
    assert env.spawn(same_state=True).step("Wait")[1] == env.step("Wait")[1]
    for name, _ in vars(gem.Env).items():
        assert name.startswith("_") or hasattr(farm_gym.text.TextEnv, name), name


def test_skyrl_makes_an_environment_by_its_name() -> None:
    skyrl = pytest.importorskip("skyrl_gym")
    base = pytest.importorskip("skyrl_gym.envs.base_text_env")
    skyrl.register("farm", "farm_gym.text.skyrl:SkyRlEnv")
    env = skyrl.make("farm", env_config={"game": "backwards_valley", "form": "compact"}, extras={"seed": 3, "max_turns": 5})
    messages, metadata = env.init([])
    assert messages[0]["role"] == "user" and metadata == {"seed": 3}
    turns, done = 0, False
    while not done:
        step = env.step("Action: MoveN")
        turns, done = turns + 1, step["done"]
        assert set(step) <= set(base.BaseTextEnvStepOutput.__annotations__)
    assert turns == 5 and env.get_metrics()["turns"] == 5.0
    metrics = [env.get_metrics(), {**env.get_metrics(), "return": 9.0}]
    aggregate = pytest.importorskip("skyrl_gym.metrics").default_aggregate_metrics
    assert env.aggregate_metrics(metrics)["return"] == aggregate(metrics)["return"]


def test_transformers_read_the_tools_as_trl_gives_them() -> None:
    utils = pytest.importorskip("transformers.utils")
    env = tools.tool_environment("clay_bean", rules="shown")()
    schema = utils.get_json_schema(env.water_discrete)["function"]  # type: ignore[attr-defined]
    assert schema["name"] == "water_discrete" and schema["description"].startswith("Waters the plot.")
    assert schema["parameters"]["properties"]["amount"]["enum"] and schema["parameters"]["required"] == ["amount"]
    for game in ["backwards_valley", "valley_farm", "full_farm", "two_fields", "costly_full_farm"]:
        other = tools.tool_environment(game)()
        for one in tools.tool_schemas(game):
            read = utils.get_json_schema(getattr(other, one["function"]["name"]))["function"]
            assert set(read["parameters"].get("properties", {})) == set(one["function"]["parameters"]["properties"])
