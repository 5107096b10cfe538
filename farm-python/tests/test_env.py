"""One environment."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import farm_gym
from conftest import GAMES, VIEWS, equal
from farm_gym.registration import environment_id

TWELVE_PLOTS = {"preset": "4x3"}


def play(env: Any, seed: int, steps: int) -> list[Any]:
    """Observations and rewards of random actions."""
    env.action_space.seed(seed)
    seen: list[Any] = [env.reset(seed=seed)[0]]
    for _ in range(steps):
        observation, reward, terminated, truncated, _ = env.step(env.action_space.sample())
        seen += [observation, reward]
        if terminated or truncated:
            break
    return seen


@pytest.mark.parametrize(
    "arguments",
    [{}, *({"actions": view} for view in VIEWS), {"interaction_mode": "aomdp"}, {"interaction_mode": "fomdp"}],
    ids=str,
)
def test_gymnasiums_checker_finds_nothing(game: str, arguments: dict[str, Any]) -> None:
    env = gymnasium.make(environment_id(game), **arguments)
    # Without the wrappers, as Gymnasium wants it; a warning fails the test.
    check_env(env.unwrapped)


def test_ids_are_registered() -> None:
    assert environment_id("backwards_valley") == "farm_gym/BackwardsValley-v0"
    assert {environment_id(game) for game in GAMES} <= set(gymnasium.registry)
    assert isinstance(gymnasium.make("farm_gym:farm_gym/ValleyFarm-v0").unwrapped, farm_gym.FarmEnv)


def test_a_game_is_opened_in_each_of_its_versions() -> None:
    assert environment_id("clay_bean") == environment_id("clay_bean-v2") == "farm_gym/ClayBean-v2"
    assert environment_id("clay_bean-v0") == "farm_gym/ClayBean-v0"
    assert gymnasium.make("farm_gym/ClayBean-v2").unwrapped.game.name == "clay_bean"  # type: ignore[attr-defined]
    # Gymnasium says itself that there is a newer one.
    with pytest.warns(DeprecationWarning, match="upgrading to version `v2`"):
        assert gymnasium.make("farm_gym/ClayBean-v0").unwrapped.game.name == "clay_bean-v0"  # type: ignore[attr-defined]
    assert farm_gym.make("clay_bean-v0").game.fingerprint != farm_gym.make("clay_bean").game.fingerprint
    about = farm_gym.games()
    assert (about["clay_bean"]["version"], about["clay_bean"]["former"]) == (2, ["clay_bean-v0"])
    assert (about["valley_farm"]["version"], about["valley_farm"]["former"]) == (0, [])
    for unknown in ("clay_bean-v9", "clay_baen"):
        with pytest.raises(farm_gym.ConfigError, match="clay_bean-v0|did you mean `clay_bean`"):
            environment_id(unknown)


def test_equal_seeds_give_equal_episodes_and_others_do_not(game: str) -> None:
    env = farm_gym.make(game)
    first, again, other = play(env, 1, 60), play(env, 1, 60), play(env, 2, 60)
    assert len(first) == len(again) and all(map(equal, first, again))
    assert len(first) != len(other) or not all(map(equal, first, other))


def test_without_a_seed_episodes_follow_from_the_generator() -> None:
    env = farm_gym.make("backwards_valley")
    env.reset(seed=3)
    following = [env.reset()[0] for _ in range(3)]
    assert not equal(following[0], following[1])
    env.reset(seed=3)
    assert all(equal(env.reset()[0], one) for one in following)


@pytest.mark.parametrize("seed", [-1, 2**64, "seven", 1.5])
def test_seeds_that_are_none_are_refused(seed: Any) -> None:
    with pytest.raises((ValueError, OverflowError, TypeError, gymnasium.error.Error)):
        farm_gym.make("backwards_valley").reset(seed=seed)


def test_info_has_what_it_says() -> None:
    env = farm_gym.make("clay_bean-v0", preset="4x3", actions="multi_union")
    _, info = env.reset(seed=0)
    assert set(info) == {"intervention cost", "observation cost", "action_mask", "rejected"}
    act = ("BasicFarmer-0", "Field-0", "Soil-0", "water_discrete", {"plot": (0, 0), "amount#L": 5, "duration#min": 60})
    _, reward, *_, info = env.farmgym_step([act, act, ("BasicFarmer-0", "Field-0", "Soil-0", "dance", {})])
    assert info["intervention cost"] == 0.02 and reward <= -0.02 + 1
    reasons = [rejected["reason"] for rejected in info["rejected"]]
    assert len(reasons) == 2 and "already has the same action" in reasons[0] and "dance" in reasons[1]


def test_refused_actions_are_written_as_actions_are() -> None:
    # Moves are bare words; with the other parameters come plots, numbers, words and, where looking costs, paths.
    seen = set()
    for game, mode in (("walking_farmer-v0", "fomdp"), ("full_farm-v0", "aomdp")):
        env = farm_gym.make(game, actions="discrete", interaction_mode=mode)
        rng = np.random.default_rng(0)
        env.reset(seed=0)
        for _ in range(400):
            action = int(rng.integers(len(env.action_names)))
            *_, terminated, truncated, info = env.step(action)
            if info["rejected"]:
                written = [refused["action"] for refused in info["rejected"]]
                assert json.dumps(written) == json.dumps(env.game.discrete_to_farm(action))
                last = written[0] if isinstance(written[0], str) else written[0][-1]
                seen |= {type(value) for value in last.values()} if isinstance(last, dict) else {type(last)}
            if terminated or truncated:
                env.reset(seed=int(rng.integers(1000)))
    # A word and a path stand alone, or in the parameters.
    assert seen == {str, list, float}


def test_an_episode_ends_once_and_says_why() -> None:
    env = farm_gym.make("valley_farm")
    env.reset(seed=0)
    for step in range(1, 51):
        *_, terminated, truncated, info = env.step(env.parse_action("Wait"))
        assert (terminated or truncated) == (step == 50)
    assert info["stop"] == "after 50 steps"
    with pytest.raises(farm_gym.StateError, match="call `reset`"):
        env.step(0)
    env.reset(seed=1)
    env.step(0)


def test_a_step_before_the_first_reset_is_an_error() -> None:
    steps: dict[str, Callable[[farm_gym.FarmEnv], Any]] = {
        "step": lambda env: env.step(0),
        "farmgym_step": lambda env: env.farmgym_step([]),
        "gym_step": lambda env: env.gym_step([]),
        "text_step": lambda env: env.text_step("wait"),
    }
    for name, step in steps.items():
        env = farm_gym.make("backwards_valley")
        before = env.native.state_hash()
        # A copy of what has not begun has not begun either.
        for fresh in (env, pickle.loads(pickle.dumps(env))):
            with pytest.raises(farm_gym.StateError, match="no episode has begun: call `reset` before the first step"):
                step(fresh)
            assert fresh.native.state_hash() == before, name
        env.reset(seed=0)
        step(env)
    # Who goes back to a snapshot has begun.
    other = farm_gym.make("backwards_valley")
    other.restore(env.snapshot())
    other.step(0)
    # Everything else can be looked at before.
    fresh = farm_gym.make("backwards_valley")
    assert fresh.action_masks().any() and fresh.instructions() and fresh.picture().ndim == 3


@pytest.mark.parametrize("view", VIEWS)
def test_actions_of_each_view_are_translated_back_and_forth(view: str) -> None:
    env = farm_gym.make("clay_bean-v0", **TWELVE_PLOTS, actions=view)
    env.action_space.seed(5)
    for _ in range(50):
        action = env.action_space.sample()
        calls = env.gymaction_to_farmgymaction(action)
        back = env.farmgymaction_to_gymaction(calls)
        assert env.action_space.contains(back), (view, back)
        assert env.gymaction_to_farmgymaction(back) == calls


def test_no_action_is_the_one_that_does_nothing(game: str) -> None:
    for view in VIEWS:
        env, other = (farm_gym.make(game, actions=view) for _ in range(2))
        env.reset(seed=0), other.reset(seed=0)
        env.step(env.farmgymaction_to_gymaction([]))
        other.farmgym_step([])
        assert env.snapshot() == other.snapshot(), view


def test_views_do_the_same() -> None:
    environments = {view: farm_gym.make("clay_bean-v0", **TWELVE_PLOTS, actions=view) for view in VIEWS}
    farm = farm_gym.make("clay_bean-v0", **TWELVE_PLOTS)
    rng = np.random.default_rng(0)
    for env in (*environments.values(), farm):
        env.reset(seed=4)
    for _ in range(40):
        # One call, as all views can say it; in the order of the flat list.
        calls = farm.game.discrete_to_farm(int(rng.integers(len(farm.action_names))))
        expected = farm.farmgym_step(calls)
        for view, env in environments.items():
            result = env.step(env.farmgymaction_to_gymaction(calls))
            assert equal(result[0], expected[0]) and result[1:4] == expected[1:4], view
        if expected[2] or expected[3]:
            break


@pytest.mark.parametrize(
    ("view", "action"),
    [
        ("discrete", 99), ("discrete", -1), ("discrete", 1.5), ("discrete", "water"), ("discrete", None),
        ("multi_discrete", [1, 2, 3]), ("multi_discrete", [1, 2, 3, 999]), ("multi_discrete", 3),
        ("multi_binary", [1, 0]), ("multi_union", [(999, {})]), ("multi_union", [(0, {"nonsense": 1})]), ("multi_union", 7),
    ],
)  # fmt: skip
def test_bad_actions_are_refused_and_nothing_is_stepped(view: str, action: Any) -> None:
    env = farm_gym.make("clay_bean-v0", **TWELVE_PLOTS, actions=view)
    env.reset(seed=0)
    before = env.snapshot()
    with pytest.raises(farm_gym.ActionError) as raised:
        env.step(action)
    assert str(raised.value)
    assert env.snapshot() == before


def test_masks_tell_what_would_be_executed() -> None:
    # Where looking costs, half of the actions are not for now.
    env = farm_gym.make("full_farm-v0", actions="discrete", interaction_mode="aomdp")
    env.reset(seed=0)
    rng = np.random.default_rng(0)
    seen = set()
    for _ in range(120):
        mask = env.action_masks()
        action = int(rng.integers(len(mask)))
        *_, terminated, truncated, info = env.step(action)
        assert bool(info["rejected"]) != bool(mask[action]), (action, info)
        assert equal(info["action_mask"], env.native.action_mask())
        seen.add(bool(mask[action]))
        if terminated or truncated:
            env.reset(seed=int(rng.integers(1000)))
    assert seen == {True, False}
    assert env.effect_mask().shape == mask.shape
    # Nothing, six amounts on twelve plots, one harvest, twelve small ones; in four slots.
    slots = farm_gym.make("clay_bean-v0", **TWELVE_PLOTS, actions="multi_discrete")
    assert slots.action_masks().size == 4 * (1 + 6 * 12 + 1 + 12)


def test_snapshots_restore_copy_and_pickle(game: str) -> None:
    env = farm_gym.make(game, actions="discrete")
    env.reset(seed=9)
    for _ in range(10):
        env.step(0)
    saved = env.snapshot()
    copies = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    onward = [env.step(0) for _ in range(5)]
    other = env.snapshot()
    assert other != saved
    for twin in copies:
        assert twin.snapshot() == saved
        assert all(equal(a[0], b[0]) and a[1] == b[1] for a, b in zip((twin.step(0) for _ in range(5)), onward, strict=True))
        assert twin.snapshot() == other
    env.restore(saved)
    assert env.snapshot() == saved and equal(env.step(0)[0], onward[0][0])


def test_foreign_and_damaged_snapshots_are_refused() -> None:
    env = farm_gym.make("backwards_valley")
    env.reset(seed=0)
    saved = env.snapshot()
    foreign = farm_gym.make("valley_farm").snapshot()
    for bad in (b"", b"nonsense", saved[:-1], saved + b"x", saved[:-1] + bytes([saved[-1] ^ 1]), foreign):
        with pytest.raises(farm_gym.StateError):
            env.restore(bad)
        assert env.snapshot() == saved


def test_seeds_of_a_split_need_its_name() -> None:
    env = farm_gym.make("backwards_valley", render_mode=None)
    first, count = farm_gym._native.split_seeds("test")
    for seed in (first, first + count - 1):
        with pytest.raises(farm_gym.ConfigError, match="options=.*split.*test"):
            env.reset(seed=seed)
    world = env.reset(seed=first + 7, options={"split": "test"})[0]
    assert equal(env.reset(seed=first + 7, options={"split": "test"})[0], world)
    for seed, split, word in (
        (7, "test", "from"),
        (first, "train", "not in the split"),
        (first, "tset", "did you mean"),
        (7, 3, "not a string"),
    ):
        with pytest.raises(farm_gym.ConfigError, match=word):
            env.reset(seed=seed, options={"split": split})
    env.reset(options={"split": "validation"})
    start, count = farm_gym._native.split_seeds("validation")
    assert start <= env.native.episode_seed < start + count
    env.reset(seed=7)


def test_options_change_the_game_and_an_empty_one_brings_it_back() -> None:
    env = farm_gym.make("valley_farm")
    plain = env.reset(seed=1)[0]
    level = env.reset(seed=1, options={"level": "test/01"})[0]
    assert not equal(plain, level)
    assert equal(env.reset(seed=2)[0], env.reset(seed=2, options={"level": "test/01"})[0])
    assert equal(env.reset(seed=1, options={})[0], plain)
    for options, word in (({"levle": "x"}, "levle"), ({"level": "test/99"}, "test/99"), ({"set": {"rules.BasicRule.x": 1}}, "`x`")):
        with pytest.raises(farm_gym.ConfigError, match=word):
            env.reset(seed=1, options=options)
    with pytest.raises(farm_gym.ConfigError, match="spaces"):
        env.reset(options={"set": {"interaction_mode": "fomdp"}})
    assert equal(env.reset(seed=1)[0], plain)


def test_a_file_is_a_game_and_its_mistakes_are_told_with_their_place(tmp_path: Path) -> None:
    text = farm_gym.make("clay_bean-v0").game.yaml()
    file = tmp_path / "mine.yaml"
    file.write_text(text, encoding="utf-8")
    assert len(play(farm_gym.make(file), 0, 300)) > 50
    file.write_text(text.replace("max_steps", "max_setps"), encoding="utf-8")
    with pytest.raises(farm_gym.ConfigError, match=r"mine\.yaml:\d+:\d+(.|\n)*did you mean `max_steps`"):
        farm_gym.make(file)
    with pytest.raises(farm_gym.ConfigError, match=r"no_such\.yaml"):
        farm_gym.make(tmp_path / "no_such.yaml")


def test_errors_have_codes_and_speak_of_python(tmp_path: Path) -> None:
    with pytest.raises(farm_gym.ConfigError, match=r"error\[unknown-game\]: (.|\n)*`farm_gym\.games\(\)` shows all") as raised:
        farm_gym.make("clay_baen")
    assert raised.value.codes == ("unknown-game",) and "`farm list" not in str(raised.value)
    file = tmp_path / "mine.yaml"
    text = farm_gym.make("clay_bean-v0").game.yaml()
    file.write_text(text.replace("max_steps", "max_setps").replace("name:", "nmae:", 1), encoding="utf-8")
    with pytest.raises(farm_gym.ConfigError) as raised:
        farm_gym.make(file)
    assert len(raised.value.codes) > 1 and set(raised.value.codes) == {"unknown-parameter"}
    assert "`farm-gym describe BasicRule` lists every parameter" in str(raised.value)
    with pytest.raises(farm_gym.ConfigError) as raised:
        farm_gym.make("clay_bean-v0", set={"score.BasicScore.x.y": "{"})
    assert "--set" not in str(raised.value)
    # What the game was opened with is written as the call is.
    for arguments, written in [
        ({"preset": "4X3"}, 'preset="4X3"'),
        ({"score": "x"}, 'score="x"'),
        ({"set": {"rules.BasicRule.max_stebs": True}}, 'set={"rules.BasicRule.max_stebs": True}'),
        ({"rules": {"BasicRule": {"max_stebs": 5}}}, 'set={"rules.BasicRule.max_stebs": 5}'),
    ]:
        with pytest.raises(farm_gym.ConfigError) as raised:
            farm_gym.make("clay_bean", **arguments)
        assert f"--> {written}" in str(raised.value) and "--preset" not in str(raised.value), str(raised.value)
        assert "--set" not in str(raised.value)
    with pytest.raises(farm_gym.ActionError, match=r"error\[unknown-action\]") as refused:
        farm_gym.make("clay_bean-v0").parse_action("harvset")
    assert refused.value.codes == ("unknown-action",)
    assert farm_gym.ActionError("any").codes == ()


def test_overrides_are_nested_values() -> None:
    env = farm_gym.make("clay_bean-v0", rules={"BasicRule": {"max_steps": 3}}, set={"fields.Field-0.shape.length#nb": 2})
    env.reset(seed=0)
    assert env.observation_space["Field-0.Plant-0.stage"].shape == (2, 1)
    assert [env.step(0)[3] for _ in range(3)] == [False, False, True]
    with pytest.raises(farm_gym.ConfigError, match="max_step"):
        farm_gym.make("clay_bean-v0", rules={"BasicRule": {"max_step": 3}})
    with pytest.raises(farm_gym.ConfigError, match="action view"):
        farm_gym.make("clay_bean-v0", actions="flat")
    with pytest.raises(farm_gym.ConfigError, match="render mode"):
        farm_gym.make("clay_bean-v0", render_mode="hologram")


def test_the_state_lies_in_its_space_and_the_farm_can_be_printed(game: str) -> None:
    env = farm_gym.make(game)
    env.reset(seed=0)
    state = env.state()
    assert list(state) == list(env.state_space.spaces)
    assert env.state_space.contains(state)
    assert "Field-0" in str(env.farm) and game in repr(env)
    assert farm_gym.make(game, render_mode="ansi").render()


def test_observations_as_the_paper_has_them() -> None:
    env = farm_gym.make("clay_bean-v0", interaction_mode="aomdp")
    env.reset(seed=0)
    assert env.expects == "observation"
    env.farmgym_step([("BasicFarmer-0", "Field-0", "Soil-0", "available_Water#L", "*")])
    assert env.expects == "intervention"
    shown = {(field, entity, name) for field, entity, name, _, _ in env.observations()}
    assert ("Field-0", "Soil-0", "available_Water#L") in shown


def test_monitoring_records_what_was_asked_for() -> None:
    env = farm_gym.make("clay_bean-v0", **TWELVE_PLOTS)
    name = "available_Water#L"
    monitor = env.add_monitoring(
        [
            ("Field-0", "Soil-0", name, "mean", "mean", (0, 180)),
            ("Field-0", "Soil-0", name, "matrix", "all"),
            ("Field-0", "Soil-0", name, (3, 2), "one"),
            ("Field-0", "Soil-0", name, lambda values: float(values.max() - values.min()), "spread"),
        ]
    )
    for seed in (0, 1):
        env.reset(seed=seed)
        for _ in range(4):
            env.step(())
    arrays = monitor.arrays()
    assert arrays["all"].shape == (10, 4, 3)
    assert np.allclose(arrays["all"].mean((1, 2)), arrays["mean"])
    assert np.array_equal(arrays["all"][:, 3, 2], arrays["one"])
    assert np.allclose(arrays["all"].max((1, 2)) - arrays["all"].min((1, 2)), arrays["spread"])
    assert np.allclose(arrays["all"][-1], env.state()[f"Field-0.Soil-0.{name}"])
    assert (monitor.episodes, monitor.steps) == ([0] * 5 + [1] * 5, [0, 1, 2, 3, 4] * 2)
    assert list(monitor.to_pandas().columns[:6]) == ["episode", "seed", "step", "reward", "actions", "mean"]
    for bad in (("Field-0", "Soil-0", "water", "mean"), ("Field-0", "Soil-0", name, "average"), ("Field-0", "Soil-0", name, (9, 9)), (1,)):
        with pytest.raises(farm_gym.ConfigError):
            env.add_monitoring([bad])


def test_step_limits_count_steps_and_not_days() -> None:
    # 200 days of 24 steps; where looking costs, each of 250 days takes two.
    assert farm_gym.make("walking_farmer-v0").game.max_steps == 200 * 24
    assert farm_gym.games()["walking_farmer"]["max_steps"] == farm_gym.make("walking_farmer").game.max_steps
    env = farm_gym.make("clay_bean-v0", interaction_mode="aomdp", rules={"BasicRule": {"max_steps": 3}})
    assert env.game.max_steps == 6
    env.reset(seed=0)
    steps, is_over = 0, False
    while not is_over:
        *_, terminated, truncated, _ = env.farmgym_step([])
        steps, is_over = steps + 1, terminated or truncated
    assert steps == 6
    assert gymnasium.spec("farm_gym/WalkingFarmer-v2").max_episode_steps is None


def test_several_presets_are_applied_in_order_and_lists_grow(tmp_path: Path) -> None:
    text = (Path(__file__).parents[2] / "farm-games" / "games" / "former" / "clay_bean-v0.yaml").read_text(encoding="utf-8")
    own = "\npresets:\n  short: {rules.BasicRule.max_steps: 3}\n  shorter: {rules.BasicRule.max_steps: 2}\n"
    assert text.count("\npresets:\n") == 1
    path = tmp_path / "two.yaml"
    path.write_text(text.replace("\npresets:\n", own), encoding="utf-8")

    def steps(preset: Any) -> int:
        env = farm_gym.make(path, preset=preset, set={"fields.Field-0.entities.+": "Weeds"})
        env.reset(seed=0)
        steps = 1
        while not (over := env.step(0))[2] and not over[3]:
            steps += 1
        return steps

    assert [steps(["short", "shorter"]), steps(["shorter", "short"]), steps("short+shorter")] == [2, 3, 2]
    with pytest.raises(farm_gym.ConfigError, match="did you mean `short`"):
        farm_gym.make(path, preset=["short", "shrot"])
