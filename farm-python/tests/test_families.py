"""Families as environments: each episode draws rules and map together, and its end has a score."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import farm_gym
import farm_gym.text
from farm_gym.registration import environment_id
from farm_gym.wrappers import Lifetime

FAMILY = "backwards_valley@tier=5"
WORLD = ("member", "tier", "split", "index", "seed")


def equal(left: dict[str, Any], right: dict[str, Any]) -> bool:
    return left.keys() == right.keys() and all(np.array_equal(left[key], right[key]) for key in left)


def play(env: Any, action: Any) -> tuple[float, dict[str, Any]]:
    """Plays to the end. Returns the return and the last info."""
    total = 0.0
    while True:
        _, reward, terminated, truncated, info = env.step(action)
        total += reward
        if terminated or truncated:
            return total, info
        assert "score" not in info


def test_an_index_is_the_member_on_its_own_map() -> None:
    env = farm_gym.make(FAMILY)
    for split, first in (("train", 8_100_000_000_000_000), ("validation", 8_200_000_000_000_000), ("test", 8_300_000_000_000_000)):
        observation, info = env.reset(options={"split": split, "index": 7})
        assert [info[key] for key in WORLD] == [f"{FAMILY},rules={split}-7", 5, split, 7, first + 7]
        member = farm_gym.make(f"{FAMILY},rules={split}-7")
        assert equal(observation, member.reset(options={"split": split, "index": 7})[0])
        assert equal(observation, member.reset(seed=first + 7, options={"split": split})[0])
        assert env.game.fingerprint == member.game.fingerprint


def test_a_seed_draws_a_member_and_is_deterministic() -> None:
    env, other = farm_gym.make(FAMILY), farm_gym.make(FAMILY)
    observation, info = env.reset(seed=1242)
    assert [info[key] for key in WORLD] == [f"{FAMILY},rules=train-42", 5, "train", 1242, 8_100_000_000_001_242]
    assert equal(observation, other.reset(seed=1242)[0])
    drawn = [env.reset(options={"split": "test"})[1]["member"] for _ in range(5)]
    assert len(set(drawn)) > 1 and all(",rules=test-" in member for member in drawn)


@pytest.mark.parametrize("game", [FAMILY, "backwards_valley@tier=8", "valley_farm@tier=9", "strange_crops@tier=5"])
def test_gymnasiums_checker_finds_nothing(game: str) -> None:
    env = gymnasium.make(environment_id(game))
    check_env(env.unwrapped)
    spaces = env.observation_space, env.action_space
    for index in (3, 150):
        observation, _ = env.reset(options={"split": "validation", "index": index})
        assert (env.observation_space, env.action_space) == spaces and observation in env.observation_space


def test_arrays_keep_the_names_of_the_family_where_texts_have_invented_ones() -> None:
    env = farm_gym.make("backwards_valley@tier=8", render_mode="ansi")
    observation, info = env.reset(seed=0)
    assert "position" in observation and "`position`" in env.instructions()
    assert "GridFarmer-0.MoveN" in env.action_names
    text = farm_gym.text.make("backwards_valley@tier=8")
    assert text.reset(seed=0)[1]["member"] == info["member"]
    assert "position" not in text.instructions() and "MoveN" not in text.instructions()


def test_the_end_has_the_score_of_a_run(tmp_path: Path) -> None:
    words = ["agents", "play", FAMILY, "--split", "test", "--levels", "2", "--policy", "adaptive", "--out", str(tmp_path / "run")]
    run = [sys.executable, "-m", "farm_gym"]
    subprocess.run([*run, *words], check=True, capture_output=True)
    scored = subprocess.run([*run, "agents", "score", str(tmp_path / "run"), "--json"], check=True, capture_output=True)
    env, talk = farm_gym.make(FAMILY), farm_gym.text.make(FAMILY)
    for index, episode in enumerate(json.loads(scored.stdout)["by_episode"]):
        lines = [json.loads(line) for line in (tmp_path / "run" / f"{episode['id']}.jsonl").read_text().splitlines()]
        replies = [line["reply"] for line in lines if "reply" in line]
        _, told = env.reset(options={"split": "test", "index": index})
        text, info = talk.reset(split="test", index=index)
        assert told["member"] == info["member"] == episode["game"] and info["seed"] == episode["seed"]
        for reply in replies:
            *_, found = env.text_step(reply)
            *_, said = talk.step(reply)
        for end in (found, said):
            assert [end["score"], end["waiting"], end["best"]] == [episode["score"], episode["waiting"], episode["best"]]
            assert end["proven"] is True


def test_scores_can_be_left_out_and_are_left_out_after_a_snapshot() -> None:
    env = farm_gym.make(FAMILY, scores=False)
    env.reset(seed=0)
    assert "score" not in play(env, 0)[1]
    env = farm_gym.make(FAMILY)
    env.reset(seed=0)
    env.step(0)
    copy = pickle.loads(pickle.dumps(env))
    snapshot = env.snapshot()
    assert play(env, 0)[1]["score"] == play(copy, 0)[1]["score"]
    env.restore(snapshot)
    assert "score" not in play(env, 0)[1]


def test_what_does_not_fit_is_rejected() -> None:
    env = farm_gym.make(FAMILY)
    for options, said in [
        ({"index": 3}, "add `split`"),
        ({"split": "test", "index": -1}, "at least 0"),
        ({"split": "test", "index": 10**9}, "from 0 to 999999999"),
        ({"split": "tset", "index": 1}, "did you mean `test`"),
        ({"split": "test", "index": 1, "tier": 6}, "does not play tier 6"),
        ({"preset": "x"}, "no reset option 'preset'"),
        ({"member": f"{FAMILY},rules=test-1"}, "not in the split `test`"),
        ({"member": "valley_farm@tier=5,rules=test-1"}, "is not a member"),
    ]:
        with pytest.raises(farm_gym.ConfigError, match=said):
            env.reset(options=options)
    with pytest.raises(farm_gym.ConfigError, match="both select"):
        env.reset(seed=1, options={"split": "test", "index": 1})
    with pytest.raises(farm_gym.ConfigError, match="reserved for the split `test`"):
        env.reset(seed=8_300_000_000_000_000)
    with pytest.raises(farm_gym.ConfigError, match="leave out 'preset'"):
        farm_gym.make(FAMILY, preset="x")
    with pytest.raises(farm_gym.ConfigError, match="tier 6 of `strange_crops@tiers=1-9`"):
        farm_gym.make("strange_crops@tiers=1-9")
    with pytest.raises(farm_gym.ConfigError, match="no tier `12`"):
        farm_gym.make("backwards_valley@tier=12")
    plain = farm_gym.make("backwards_valley")
    with pytest.raises(farm_gym.ConfigError, match="has no tiers"):
        plain.reset(options={"split": "test", "index": 0, "tier": 1})


def test_a_member_of_another_split_is_rejected() -> None:
    name = f"{FAMILY},rules=test-7"
    single, talk, batch = farm_gym.make(name), farm_gym.text.make(name), farm_gym.make_vec(name, 2, num_threads=1)
    with pytest.raises(farm_gym.ConfigError, match="rules of the split `test`.*split `train`"):
        single.reset(options={"split": "train", "index": 3})
    with pytest.raises(farm_gym.ConfigError, match="rules of the split `test`"):
        talk.reset(split="train", index=3)
    with pytest.raises(farm_gym.ConfigError, match="rules of the split `test`"):
        batch.reset(options={"split": "train", "index": 3})
    for env in (single, batch):
        env.reset(options={"split": "test", "index": 3})


def test_conversations_draw_members_of_any_tiers() -> None:
    env = farm_gym.text.make("strange_crops@tiers=1-9", form="compact")
    found = {env.reset(seed=seed)[1]["tier"] for seed in range(40)}
    assert found == set(range(1, 10))
    text, info = env.reset(split="validation", index=3, tier=1)
    assert info["member"] == "strange_crops@tier=1,rules=validation-3" and "\nRULES\n" in info["instructions"]
    twin = env.spawn(same_state=True)
    assert [twin.step("wait")[:2], twin.game.name] == [env.step("wait")[:2], info["member"]]
    _, info = env.reset(split="validation", index=3, tier=5)
    assert "\nRULES\n" not in info["instructions"]


def test_a_conversation_of_several_episodes_keeps_its_member() -> None:
    env = farm_gym.text.make(FAMILY, episodes=2)
    _, info = env.reset(split="test", index=4)
    for _ in range(120):
        *_, last = env.step("wait")
        assert env.game.name == info["member"]
    assert last["score"] == 0.0 and last["waiting"] == sum(last["returns"])


def test_a_life_has_one_member() -> None:
    env = Lifetime(farm_gym.make(FAMILY), episodes=3)
    _, info = env.reset(seed=5)
    members, seeds = {info["member"]}, {info["seed"]}
    for _ in range(179):
        *_, info = env.step(0)
        if "last info" in info:
            assert "score" in info["last info"]
            members.add(info["member"])
            seeds.add(info["seed"])
    assert len(members) == 1 and len(seeds) == 3


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_environments_of_a_vector_play_different_members(mode: str) -> None:
    envs = farm_gym.make_vec(FAMILY, 4, num_threads=1, autoreset_mode=mode, scores=True, action_masks=True)
    observations, info = envs.reset(options={"split": "test", "index": 3})
    assert list(info["member"]) == envs.members == [f"{FAMILY},rules=test-{i}" for i in range(3, 7)]
    singles = [farm_gym.make(FAMILY) for _ in range(4)]
    for i, single in enumerate(singles):
        observation, _ = single.reset(options={"split": "test", "index": 3 + i})
        assert all(np.array_equal(observations[key][i], observation[key]) for key in observation)
    actions = np.random.default_rng(0).integers(11, size=(60, 4))
    for row in actions:
        observations, rewards, terminations, truncations, info = envs.step(row)
        alone = [single.step(int(action)) for single, action in zip(singles, row, strict=True)]
        assert [one[1] for one in alone] == list(rewards)
    assert (terminations | truncations).all()
    ended = info["final_info"] if mode == "SameStep" else info
    for key in ("score", "waiting", "best", "proven"):
        assert ended[f"_{key}"].all() and list(ended[key]) == [one[4][key] for one in alone]
    if mode == "NextStep":
        envs.step(actions[0])
    assert all(",rules=test-" in name for name in envs.members)
    assert envs.members != [f"{FAMILY},rules=test-{i}" for i in range(3, 7)]
    with pytest.raises(farm_gym.ConfigError, match="no monitoring"):
        envs.add_monitoring()


def test_a_batch_of_members_is_at_least_a_third_as_fast_as_one_game() -> None:
    def seconds(game: str) -> float:
        envs = farm_gym.make_vec(game, 64, num_threads=1, copy=False)
        envs.reset(seed=0)
        actions = np.random.default_rng(0).integers(11, size=(600, 64))
        times = []
        # The first pass compiles the members.
        for _ in range(6):
            begin = time.process_time()
            for row in actions:
                envs.step(row)
            times.append(time.process_time() - begin)
        return min(times)

    assert seconds("backwards_valley") >= 0.3 * seconds(FAMILY)
