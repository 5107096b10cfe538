"""``python -m farm_gym.dataset`` and ``python -m farm_gym.clone``."""

from __future__ import annotations

import csv
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import farm_gym
from farm_gym.dataset import behaviour_of
from farm_gym.dataset.__main__ import main

minari = pytest.importorskip("minari")
pytest.importorskip("h5py")

#: Some data that are made in a second.
FEW = ["--episodes", "3", "--reference-episodes", "2"]


def made(folder: Path, game: str, *words: str) -> Any:
    assert main([game, *words, *FEW, "--out", str(folder)]) == 0
    return minari.MinariDataset(str(folder / "data"))


def content(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_the_same_command_makes_the_same_bytes(tmp_path: Path) -> None:
    words = ["--policy", "expert", "--epsilon", "0.2"]
    for name, seed in (("one", "5"), ("again", "5"), ("other", "6")):
        made(tmp_path / name, "clay_bean", *words, "--seed", seed)
    one = content(tmp_path / "one")
    assert one == content(tmp_path / "again") and one != content(tmp_path / "other")
    assert sorted(one) == ["README.md", "croissant.json", "data/main_data.hdf5", "data/metadata.json", "episodes.csv"]


def test_the_command_in_the_metadata_makes_it_again(tmp_path: Path) -> None:
    import shlex

    made(tmp_path / "one", "clay_bean", "--policy", "expert", "--set", "rules.BasicRule.max_steps=40")
    command = json.loads((tmp_path / "one/data/metadata.json").read_text(encoding="utf-8"))["farm_gym"]["command"]
    python, option, module, *words = shlex.split(command)
    assert (python, option, module) == ("python", "-m", "farm_gym.dataset")
    assert main([*words, "--out", str(tmp_path / "two")]) == 0
    assert content(tmp_path / "one") == content(tmp_path / "two")


@pytest.mark.parametrize(
    ("game", "words"),
    [
        ("clay_bean", ["--policy", "expert", "--epsilon", "0.3"]),
        ("clay_bean", ["--policy", "expert", "--preset", "4x3"]),
        ("backwards_valley", ["--policy", "random"]),
    ],
)
def test_the_data_are_what_was_played(game: str, words: list[str], tmp_path: Path) -> None:
    """Actions taken again in the recovered environment bring the same observations and rewards."""
    data = made(tmp_path / "data", game, *words)
    env = data.recover_environment().unwrapped
    rows = list(csv.DictReader((tmp_path / "data/episodes.csv").open(encoding="utf-8")))
    assert [int(row["seed"]) for row in rows] == [0, 1, 2] and data.total_episodes == 3
    for row, one in zip(rows, data, strict=True):
        observation, info = env.reset(seed=int(row["seed"]))
        assert one.infos["log_probability"][0] == 0.0
        for t, action in enumerate(one.actions):
            assert np.array_equal(one.infos["action_mask"][t], info["action_mask"])
            assert all(np.array_equal(one.observations[key][t], observation[key]) for key in observation)
            observation, reward, terminated, truncated, info = env.step(action)
            assert reward == one.rewards[t] and (terminated, truncated) == (one.terminations[t], one.truncations[t])
        assert terminated or truncated
        assert len(one.rewards) == int(row["steps"]) and sum(one.rewards) == pytest.approx(float(row["return"]))
        assert len(one.infos["log_probability"]) == len(one.rewards) + 1


def test_probabilities_are_those_of_the_choice() -> None:
    """Of many choices in one state, each action has the share that its probability says."""
    env = farm_gym.make("clay_bean", actions="discrete")
    for policy, epsilon in (("expert", 0.5), ("random", 0.0)):
        observation, info = env.reset(seed=1)
        told: dict[int, float] = {}
        counts: dict[int, int] = {}
        for seed in range(2_000):
            behaviour = behaviour_of(env, policy, epsilon)
            behaviour.begin(env, seed)
            action, log_probability = behaviour.choose(observation, info)
            assert told.setdefault(int(action), log_probability) == log_probability
            counts[int(action)] = counts.get(int(action), 0) + 1
        assert sum(map(math.exp, told.values())) == pytest.approx(1.0), "all actions were met, and their probabilities add up"
        for action, log_probability in told.items():
            probability = math.exp(log_probability)
            error = math.sqrt(probability * (1 - probability) / 2_000)
            assert abs(counts[action] / 2_000 - probability) < 4 * error


def test_a_trained_policy_says_its_probabilities(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    from farm_gym.train.__main__ import main as train

    small = ["--steps", "64", "--envs", "2", "--hyper", "rollout=16", "--hyper", "width=8", "--episodes", "1", "--quiet"]
    assert train(["backwards_valley", *small, "--out", str(tmp_path / "run")]) == 0
    data = made(tmp_path / "data", "backwards_valley", "--policy", str(tmp_path / "run"))
    chosen = np.exp(np.concatenate([one.infos["log_probability"][1:] for one in data]))
    # As good as untrained: about one in eleven.
    assert ((chosen > 0.01) & (chosen < 0.5)).all() and 0.05 < chosen.mean() < 0.2
    assert main(["clay_bean", "--policy", str(tmp_path / "run"), *FEW, "--out", str(tmp_path / "no")]) == 1


def test_its_papers_are_valid_and_true(tmp_path: Path) -> None:
    croissant = pytest.importorskip("mlcroissant")
    data = made(tmp_path / "data", "clay_bean", "--policy", "expert")
    found = croissant.Dataset(jsonld=str(tmp_path / "data/croissant.json"))
    assert not found.metadata.ctx.issues.errors
    # The records can be read by what the document says.
    records = [{key.rpartition("/")[2]: value for key, value in record.items()} for record in found.records("episodes")]
    assert [int(record["seed"]) for record in records] == [0, 1, 2]
    assert sum(int(record["steps"]) for record in records) == data.total_steps
    game = farm_gym.make("clay_bean").game
    metadata = data.storage.metadata
    assert int(metadata["farm_gym"]["fingerprint"], 16) == game.fingerprint
    assert metadata["ref_min_score"] == metadata["farm_gym"]["references"]["means"]["wait"] <= metadata["ref_max_score"]
    sheet = (tmp_path / "data/README.md").read_text(encoding="utf-8")
    assert metadata["farm_gym"]["command"] in sheet and f"{game.fingerprint:016x}" in sheet and 'infos["log_probability"]' in sheet


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["clay_been"], "clay_bean"),
        (["clay_bean", "--policy", "exper"], "did you mean 'expert'?"),
        (["clay_bean", "--policy", "random", "--epsilon", "0.1"], "needs a policy of the game"),
        (["clay_bean", "--epsilon", "2"], "expected a probability from 0 to 1"),
        (["clay_bean", "--set", 'policies.lucky={"RandomPolicy": {}}', "--policy", "lucky"], "is random"),
    ],
)
def test_mistakes_are_named(words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*words, *FEW, "--out", str(tmp_path / "new")]) == 1
    assert said in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == [], "nothing is left behind"


def test_a_folder_is_not_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.txt").write_text("kept", encoding="utf-8")
    assert main(["clay_bean", *FEW, "--out", str(tmp_path)]) == 1
    assert "not empty" in capsys.readouterr().err and [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_cloning_does_as_the_data_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("torch")
    from farm_gym.clone import main as clone

    assert main(["clay_bean", "--policy", "expert", "--episodes", "30", "--reference-episodes", "10", "--out", str(tmp_path / "data")]) == 0
    assert clone([str(tmp_path / "data"), "--epochs", "15", "--episodes", "20", "--out", str(tmp_path / "result.json")]) == 0
    document = json.loads((tmp_path / "result.json").read_text(encoding="utf-8"))
    metadata = json.loads((tmp_path / "data/data/metadata.json").read_text(encoding="utf-8"))
    low, high = metadata["ref_min_score"], metadata["ref_max_score"]
    assert np.mean(document["evaluation"]["returns"]) > (low + high) / 2, "most of what the expert earns"
    assert document["schema"] == "farm_gym.results/2" and document["fingerprint"] == metadata["farm_gym"]["fingerprint"]
    assert clone([str(tmp_path)]) == 1 and "is not a data set" in capsys.readouterr().err
