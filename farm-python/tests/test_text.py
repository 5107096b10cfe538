"""The text channel from Python: instructions, texts as steps, and what is told after them."""

from __future__ import annotations

import pytest

import farm_gym


def test_a_text_is_a_step() -> None:
    env, other = (farm_gym.make("backwards_valley", render_mode="ansi") for _ in range(2))
    env.reset(seed=3)
    other.reset(seed=3)
    reply = 'I go north.\n```json\n{"thought": "a crop", "action": "MoveN", "params": {}}\n```'
    _, reward, _, _, info = env.text_step(reply)
    assert other.step(other.parse_action("MoveN"))[1] == reward and env.snapshot() == other.snapshot()
    assert info["rejected"] == [] and "refused texts" not in info
    assert f"\nlast reward: {reward:g}\n" in str(env.render())


def test_a_text_that_can_not_be_read_is_told_with_its_reason() -> None:
    env = farm_gym.make("backwards_valley", render_mode="ansi")
    env.reset(seed=3)
    before = env.snapshot()
    _, reward, terminated, truncated, info = env.text_step("Complimnt")
    assert (reward, terminated, truncated, env.snapshot()) == (0.0, False, False, before)
    assert info["refused texts"] == 1 and "did you mean `Compliment`?" in info["rejected"][0]["reason"]
    assert "no step passed" in str(env.render())
    while not (terminated or truncated):
        *_, terminated, truncated, info = env.text_step("Wait")
    assert str(env.render()).endswith("the episode is over: after 40 steps\n")


def test_of_more_actions_than_a_step_takes_the_first_is_taken() -> None:
    env = farm_gym.make("backwards_valley")
    env.reset(seed=3)
    assert env.parse_action("MoveS; MoveE") == env.parse_action("MoveS")
    *_, info = env.text_step("MoveS; MoveE")
    assert [rejected["action"] for rejected in info["rejected"]] == ["MoveE"]


def test_instructions_hide_or_show_the_rules() -> None:
    env = farm_gym.make("valley_farm")
    assert "RULES" not in env.instructions() and env.instructions("hidden") == env.instructions()
    assert "\nRULES\n" in env.instructions("shown")
    with pytest.raises(farm_gym.ConfigError, match="hidden or shown"):
        env.instructions("secret")


def test_a_text_given_to_step_names_the_method_that_plays_it() -> None:
    env = farm_gym.make("clay_bean", actions="discrete")
    env.reset(seed=0)
    with pytest.raises(
        farm_gym.ActionError, match=r"'dance' is not in the action space Discrete\(9\): `env.text_step\('dance'\)` plays a text"
    ):
        env.step("dance")
    with pytest.raises(farm_gym.ActionError, match=r"None is not in the action space Discrete\(9\)$"):
        env.step(None)
