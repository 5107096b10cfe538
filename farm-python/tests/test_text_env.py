"""Conversations from Python: texts in, texts out; the forms that trainers of language models have; actions as tools."""

from __future__ import annotations

import inspect
import json
import typing

import pytest

import farm_gym
import farm_gym.text
from farm_gym.text import adapters, skyrl, tools


@pytest.mark.parametrize("form", farm_gym.text.FORMS)
def test_a_conversation_is_an_episode(form: str) -> None:
    env, other = farm_gym.text.make("backwards_valley", form=form), farm_gym.make("backwards_valley", render_mode="ansi")
    text, info = env.reset(seed=3)
    other.reset(seed=3)
    assert info["seed"] == 3 and info["instructions"] == env.instructions("hidden")
    assert form != "full" or text == other.render()
    while True:
        text, reward, terminated, truncated, info = env.step("I wait.\nAction: Wait")
        _, expected, ends, is_cut, _ = other.text_step("Wait")
        assert (reward, terminated, truncated) == (expected, ends, is_cut) and env.snapshot() == other.snapshot()
        assert f"last reward: {reward:g}\n" in text and info["rejected"] == []
        if terminated or truncated:
            break
    assert text.endswith("the episode is over: after 40 steps\n") and info["episode over"]
    with pytest.raises(farm_gym.StateError):
        env.step("Wait")


def test_a_conversation_begins_with_a_reset() -> None:
    env = farm_gym.text.TextEnv("backwards_valley")
    for fresh in (env, env.spawn(), env.spawn(same_state=True)):
        with pytest.raises(farm_gym.StateError, match="no episode has begun: call `reset`"):
            fresh.step("MoveN")
    env.reset(seed=1)
    assert env.spawn(same_state=True).step("MoveN")[0] == env.step("MoveN")[0]


def test_what_can_not_be_read_is_told_and_counted() -> None:
    env = farm_gym.text.make("backwards_valley", form="compact")
    env.reset(seed=3)
    before = env.snapshot()
    text, reward, terminated, truncated, info = env.step("Complimnt")
    assert (reward, terminated, truncated, env.snapshot()) == (0.0, False, False, before)
    assert "did you mean `Compliment`?" in text and info["refused texts"] == 1
    assert "did you mean `Compliment`?" in info["rejected"][0]["reason"]


def test_several_episodes_have_the_same_rules_and_other_worlds() -> None:
    env = farm_gym.text.make("backwards_valley@rules=7", form="compact", episodes=3)
    assert "You play 3 episodes" in env.instructions()
    env.reset(seed=5)
    ends = 0
    while True:
        *_, terminated, truncated, info = env.step("Wait")
        ends += info["episode over"]
        if terminated or truncated:
            break
    assert ends == 3 and len(env.returns) == 3 and env.returns == info["returns"]
    alone = farm_gym.text.make("backwards_valley@rules=7")
    for episode, expected in enumerate(env.returns):
        alone.reset(seed=farm_gym._native.Conversation.seed_of(5, episode))
        while True:
            *_, terminated, truncated, info = alone.step("Wait")
            if terminated or truncated:
                break
        assert info["returns"] == [expected]


def test_another_environment_goes_on_from_the_same_state() -> None:
    env = farm_gym.text.make("backwards_valley", form="compact", rules="shown")
    env.reset(seed=3)
    env.step("MoveN")
    same, new = env.spawn(same_state=True), env.spawn(form="rows")
    assert (same.form, same.rules, new.form, new.rules) == ("compact", "shown", "rows", "shown")
    assert [same.step("MoveE")[:4] for _ in range(5)] == [env.step("MoveE")[:4] for _ in range(5)]
    same.step("Wait")
    assert same.snapshot() != env.snapshot()
    assert new.reset(seed=3)[0] != env.reset(seed=3)[0]
    with pytest.raises(farm_gym.ConfigError, match="same state"):
        env.spawn(same_state=True, form="full")
    with pytest.raises(farm_gym.ConfigError, match="not 'seed'"):
        env.spawn(seed=3)


def test_equal_seeds_are_equal_conversations_and_none_draws_the_same_ones() -> None:
    def seeds() -> list[int]:
        env = farm_gym.text.make("backwards_valley")
        return [env.reset(seed=3)[1]["seed"], *(env.reset()[1]["seed"] for _ in range(3))]

    assert seeds() == seeds() and len(set(seeds())) == 4
    env = farm_gym.text.make("backwards_valley")
    env.reset(seed=3)
    assert env.sample_random_action() in env.game.action_names()


def test_worlds_of_a_split_need_its_name() -> None:
    first, count = farm_gym._native.split_seeds("test")
    env = farm_gym.text.make("backwards_valley@rules=test-7", episodes=2)
    with pytest.raises(farm_gym.ConfigError, match="reserved for the split `test`"):
        env.reset(seed=first + 7)
    assert env.reset(seed=first + 7, split="test")[1]["seed"] == first + 7
    terminated = truncated = False
    while not (terminated or truncated):
        *_, terminated, truncated, info = env.step("Wait")
    assert len(info["returns"]) == 2
    assert first <= env.reset(split="test")[1]["seed"] < first + count
    # The episodes after the first are of the split, too.
    assert first <= farm_gym._native.Conversation.seed_of(first + 7, 1) < first + count


@pytest.mark.parametrize(
    ("arguments", "told"),
    [({"form": "short"}, "full"), ({"rules": "secret"}, "hidden"), ({"episodes": 0}, "at least one")],
)
def test_arguments_that_there_are_not_are_refused(arguments: dict[str, typing.Any], told: str) -> None:
    with pytest.raises(farm_gym.ConfigError, match=told):
        farm_gym.text.make("backwards_valley", **arguments)


def test_messages_as_skyrl_has_them() -> None:
    env = skyrl.SkyRlEnv({"game": "backwards_valley", "form": "compact"}, {"seed": 3, "answer": "none"}, max_turns=3)
    messages, metadata = env.init([{"role": "system", "content": "You are a farmer."}])
    assert [one["role"] for one in messages] == ["system", "user"] and metadata == {"seed": 3}
    assert messages[1]["content"].startswith("TASK\n") and "position" in messages[1]["content"]
    first = env.step("Action: MoveN")
    assert not first["done"] and first["observations"][0]["role"] == "user"
    env.step("dance")
    last = env.step("Wait")
    assert last["done"] and last["observations"] == [] and last["metadata"]["truncated"]
    assert env.get_metrics() == {"return": sum(last["metadata"]["returns"]), "turns": 3.0, "refused_texts": 1.0}
    assert env.aggregate_metrics([{"return": 1.0}, {"return": 3.0}]) == {"return": 2.0}
    assert env.init([])[1] == {"seed": 4}
    with pytest.raises(farm_gym.ConfigError, match="no game is named"):
        skyrl.SkyRlEnv()


def test_progression_as_balrog_has_it() -> None:
    env = adapters.BalrogEnv("backwards_valley", best=20.0, waiting=4.0)
    observation, _ = env.reset(seed=3)
    assert set(observation["text"]) == {"long_term_context", "short_term_context"}
    assert env.check_action_validity("dance") == "dance" and env.failed_candidates == ["dance"]
    total = 0.0
    while True:
        _, reward, terminated, truncated, _ = env.step("Wait")
        total += reward
        if terminated or truncated:
            break
    assert env.get_stats() == {"progression": (total - 4.0) / 16.0, "return": total}
    with pytest.raises(farm_gym.ConfigError, match="more than `waiting`"):
        adapters.BalrogEnv("backwards_valley", best=1.0, waiting=1.0)


GAMES = ["backwards_valley", "valley_farm", "clay_bean", "full_farm", "two_fields", "walking_farmer", "costly_clay_bean"]


@pytest.mark.parametrize("game", GAMES)
def test_every_action_is_a_tool_that_plays_it(game: str) -> None:
    for rules in ["hidden", "shown"]:
        env = tools.tool_environment(game, rules=rules)()
        env.reset(seed=3)
        methods = [name for name, _ in inspect.getmembers(type(env), inspect.isfunction) if not name.startswith("_")]
        names = [name for name in methods if name not in tools.RESERVED]
        assert len(names) == len(tools.tool_schemas(game))
        for name in names:
            method = getattr(env, name)
            hints = typing.get_type_hints(method)
            given: dict[str, typing.Any] = {}
            for key in inspect.signature(method).parameters:
                kind = hints[key]
                choices = typing.get_args(kind)
                if typing.get_origin(kind) is typing.Literal:
                    given[key] = choices[0]
                elif typing.get_origin(kind) is list:
                    given[key] = [0, 0]
                elif kind is str:
                    # Of many things that can be asked for no list is given.
                    given[key] = "Field-0.Soil-0.available_N#g"
                else:
                    given[key] = _least(game, name, key)
            env._is_over = False
            text = method(**given)
            assert "not read" not in text, f"{name}({given}): {text}"
            assert f"{key}:" in (method.__doc__ or "") if given else True
            if text.rstrip().splitlines()[-1].startswith("the episode is over"):
                env.reset(seed=3)


def _least(game: str, tool: str, key: str) -> float:
    """The least value that a schema leaves to an argument."""
    (schema,) = [one["function"]["parameters"] for one in tools.tool_schemas(game) if one["function"]["name"] == tool]
    argument = schema["properties"][key]
    return float(argument["enum"][0] if "enum" in argument else argument["minimum"])


def test_hidden_tools_say_nothing_of_what_they_do() -> None:
    hidden, shown = (json.dumps(tools.tool_schemas("full_farm", rules)) for rules in ["hidden", "shown"])
    assert "Waters the plot" in shown and "Waters the plot" not in hidden and "costs" not in hidden


def test_tools_earn_what_the_game_pays_and_nothing_after_the_end() -> None:
    env = tools.tool_environment("backwards_valley", form="compact")()
    with pytest.raises(farm_gym.StateError, match="no episode has begun"):
        env.Wait()  # type: ignore[attr-defined]
    assert env.reset(seed=3, column="of a data set").startswith("TASK\n") and env.get_reward() == 0.0
    text = ""
    while not text.endswith("after 40 steps\n"):
        text = env.Wait()  # type: ignore[attr-defined]
    other = farm_gym.make("backwards_valley")
    other.reset(seed=3)
    assert env.get_reward() == sum(other.step(other.parse_action("Wait"))[1] for _ in range(40))
    with pytest.raises(farm_gym.StateError, match="^the episode is over: no further action is taken$"):
        env.Wait()  # type: ignore[attr-defined]
