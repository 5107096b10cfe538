"""``python -m farm_gym.train``: trains, stops and goes on, and writes what it earned."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from gymnasium.vector import AutoresetMode

import farm_gym
from farm_gym.train.__main__ import main, parser_of
from farm_gym.train.jobs import ALGORITHMS, job
from farm_gym.train.ppo import Rollout, Settings, Training, advantages
from farm_gym.train.running import Run, trained

torch.set_num_threads(1)

#: A training of a second: a game, and hyper-parameters that learn twice.
SMALL: dict[str, Any] = {"steps": 1_024, "envs": 8, "rollout": 32, "width": 16}

#: A lesson without gifts, as long as half of such a training.
LESSON = {"steps": 512, "entropy": 0.1, "set": {"farmers.0.GridFarmer.inventory#nb.gifts": 0}}


def small(game: str = "clay_bean", curriculum: Any = (), **changes: Any) -> Any:
    return job(game, "ppo", hyperparameters={**SMALL, "curriculum": list(curriculum)}, **changes)


def result(folder: Path, mode: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((folder / f"results-{mode}.json").read_text(encoding="utf-8"))
    return document


def parameters(folder: Path) -> dict[str, torch.Tensor]:
    _, learner = trained(folder)
    return learner.training.agent.state_dict()  # type: ignore[attr-defined,no-any-return]


class Stopped(Exception):
    """The training is interrupted."""


@pytest.mark.parametrize(
    ("game", "changes"),
    [
        ("clay_bean", {}),
        ("clay_bean", {"pass_days": 6, "standing_crop": 5.0}),
        ("clay_bean", {"standing_orders": True, "explore_orders": 0.3}),
        ("backwards_valley", {"map_memory": 3}),
        ("valley_farm", {}),
        ("valley_farm", {"nearest": 7, "last_taken": 5, "curriculum": [LESSON]}),
        ("walking_farmer", {"pass_days": 24, "set": {"rules.BasicRule.max_steps": 12}}),
    ],
)
def test_an_interrupted_training_ends_as_if_it_had_not_been(game: str, changes: dict[str, Any], tmp_path: Path) -> None:
    wrappers = dict(changes)
    others = {name: wrappers.pop(name) for name in ("curriculum", "set") if name in wrappers}
    training = small(game, wrappers=wrappers, **others)
    whole = Run(training, tmp_path / "whole", episodes=5).run()
    stopped = Run(training, tmp_path / "stopped", checkpoint_every=256, episodes=5)
    see = stopped.learner.run

    def interrupted(callback: Any) -> None:
        def watch() -> None:
            callback()
            # After the checkpoint of 512 steps, in the middle of episodes.
            if stopped.learner.steps >= 768:
                raise Stopped

        see(watch)

    stopped.learner.run = interrupted  # type: ignore[method-assign]
    stopped.checkpoint_every = 512
    with pytest.raises(Stopped):
        stopped.run()
    resumed = Run(training, tmp_path / "stopped", resume=True, episodes=5)
    assert resumed.learner.steps == 512, "the checkpoint in the middle"
    assert resumed.run() == whole
    first, second = parameters(tmp_path / "whole"), parameters(tmp_path / "stopped")
    assert first.keys() == second.keys() and all(torch.equal(first[name], second[name]) for name in first)
    rows = [(tmp_path / name / "progress.csv").read_text(encoding="utf-8").splitlines() for name in ("whole", "stopped")]
    # All but the seconds.
    assert [row.rpartition(",")[0] for row in rows[0]] == [row.rpartition(",")[0] for row in rows[1]]


def test_a_lesson_is_learnt_before_the_game(tmp_path: Path) -> None:
    """The game goes on with what was learnt in the lesson, and the result is of the game and says which lessons there were."""
    run = Run(small("valley_farm", [LESSON]), tmp_path, episodes=2)
    learner: Any = run.learner
    seen = []

    def watch() -> None:
        seen.append((learner.steps, learner.training.game_fingerprint, learner.training.settings.entropy))

    learner.run(watch)
    valley = farm_gym.make("valley_farm").game
    assert [steps for steps, _, _ in seen] == [256, 512, 768, 1_024, 1_280, 1_536] and learner.total == 1_536
    assert [of == valley.fingerprint for _, of, _ in seen] == [False] * 2 + [True] * 4
    assert [entropy == 0.1 for _, _, entropy in seen] == [True] * 2 + [False] * 4
    alone = Run(small("valley_farm"), tmp_path / "alone", episodes=2)
    alone.learner.run(lambda: None)
    assert not torch.equal(learner.training.agent.policy[0].weight, alone.learner.training.agent.policy[0].weight)  # type: ignore[attr-defined]
    run.run()
    document = result(tmp_path, "greedy")
    assert int(document["fingerprint"], 16) == valley.fingerprint
    assert document["training"]["hyperparameters"]["curriculum"] == [LESSON] and document["training"]["steps"] == 1_536


def test_a_lesson_that_does_not_fit_is_named(tmp_path: Path) -> None:
    fewer = {"steps": 256, "set": {"rules.BasicRule.actions": ["MoveNorth", "MoveSouth", "MoveEast", "MoveWest", "Wait"]}}
    with pytest.raises(farm_gym.ConfigError, match=r"curriculum\[0\] and the next stage differ in observations, actions"):
        Run(small("valley_farm", [fewer]), tmp_path / "a", episodes=1).run()
    with pytest.raises(farm_gym.ConfigError, match="has no 'stpes'"):
        Run(small("valley_farm", [{"stpes": 5}]), tmp_path / "b")
    with pytest.raises(farm_gym.ConfigError, match="a list of stages"):
        Run(job("valley_farm", "ppo", hyperparameters={**SMALL, "curriculum": 3}), tmp_path / "c")


def test_episodes_over_the_limit_are_counted(tmp_path: Path) -> None:
    """Those of a learner are those that its costs, added up day by day on single environments, come to."""
    run = Run(small("water_budget", wrappers={"standing_orders": False, "pass_days": 2}), tmp_path, episodes=12)
    run.run()
    over = 0
    described, learner = trained(tmp_path)
    ((_, limit, weight),) = farm_gym.make("water_budget").game.constraints
    decide = learner.decide(True, 12)
    for seed in range(2_000_000, 2_000_012):
        env = described.environment(learner.gamma)
        observation, info = env.reset(seed=seed)
        cost, ended = 0.0, False
        while not ended:
            action = int(decide(observation[None], np.asarray(info["action_mask"], bool)[None], np.zeros(1, bool))[0])
            observation, _, terminated, truncated, info = env.step(action)
            cost, ended = cost + info["cost"], terminated or truncated
        over += cost > limit * weight
    assert result(tmp_path, "greedy")["evaluation"]["over_limit"] == over
    Run(small(), tmp_path / "without", episodes=1).run()
    assert "over_limit" not in result(tmp_path / "without", "greedy")["evaluation"]


def test_another_seed_learns_something_else(tmp_path: Path) -> None:
    for seed in (0, 1):
        Run(small(seed=seed), tmp_path / str(seed), episodes=1).run()
    first, other = parameters(tmp_path / "0"), parameters(tmp_path / "1")
    assert not all(torch.equal(first[name], other[name]) for name in first)


@pytest.mark.parametrize("algo", [algo for algo in ALGORITHMS if algo != "ppo"])
def test_the_learners_of_libraries_train_and_go_on(algo: str, tmp_path: Path) -> None:
    few = {
        "dqn": {"learning_starts": 64},
        "recurrent-ppo": {"n_steps": 32, "batch_size": 64},
        "maskable-ppo": {"n_steps": 32, "batch_size": 64},
    }
    changes = {"steps": 256, "envs": 2, **few[algo]}
    words = ["clay_bean", "--algo", algo, "--out", str(tmp_path), "--episodes", "4", "--quiet"]
    words += [word for name, value in changes.items() for word in ("--hyper", f"{name}={value}")]
    assert main(words) == 0
    first = {mode: result(tmp_path, mode) for mode in ("sampled", "greedy")}
    assert first["greedy"]["training"]["steps"] >= 256
    # All steps are taken: what goes on is the evaluation, which repeats.
    assert main([*words, "--resume"]) == 0
    for mode, before in first.items():
        assert result(tmp_path, mode)["evaluation"] == before["evaluation"]


def test_a_result_says_all_that_is_needed_to_find_it_again(tmp_path: Path) -> None:
    assert (
        main(
            [
                "clay_bean",
                "--preset",
                "4x3",
                "--out",
                str(tmp_path),
                "--episodes",
                "6",
                "--quiet",
                *(f"--hyper={k}={v}" for k, v in SMALL.items()),
            ]
        )
        == 0
    )
    game = farm_gym.make("clay_bean", preset="4x3").game
    for mode in ("sampled", "greedy"):
        document = result(tmp_path, mode)
        jsonschema = pytest.importorskip("jsonschema")
        schema = json.loads((Path(__file__).parents[3] / "schemas/results.schema.json").read_text(encoding="utf-8"))
        jsonschema.Draft202012Validator(schema).validate(document)
        assert not jsonschema.Draft202012Validator(schema).is_valid({**document, "fingerprint": 3})
        assert document["schema"] == "farm_gym.results/2" and document["game"] == "clay_bean"
        assert int(document["fingerprint"], 16) == game.fingerprint and document["arguments"] == {"preset": "4x3"}
        assert (document["evaluation"]["first_seed"], document["evaluation"]["episodes"]) == (2_000_000, 6)
        assert len(document["evaluation"]["returns"]) == 6 and np.isfinite(document["evaluation"]["returns"]).all()
        assert document["policy"]["mode"] == mode and document["training"]["hyperparameters"]["width"] == 16
        assert document["made_by"]["packages"]["torch"]
        assert document["made_by"]["command"].startswith("python -m farm_gym.train clay_bean --preset 4x3")


def test_the_returns_are_those_of_the_game(tmp_path: Path) -> None:
    """The result of the greedy learner, played again on single environments by the documented calls."""
    run = Run(small(wrappers={"pass_days": 4, "standing_crop": 3.0, "standing_orders": False}), tmp_path, episodes=3)
    earned = run.run()["greedy"]
    described, learner = trained(tmp_path)
    for seed, expected in zip(range(2_000_000, 2_000_003), earned, strict=True):
        env = described.environment(learner.gamma)
        decide = learner.decide(True, 1)
        observation, info = env.reset(seed=seed)
        total, over = 0.0, False
        game = farm_gym.make("clay_bean", actions="discrete")
        game.reset(seed=seed)
        while not over:
            action = int(decide(observation[None], np.asarray(info["action_mask"], bool)[None], np.zeros(1, bool))[0])
            observation, _, terminated, truncated, info = env.step(action)
            for day in range(info["days"]):
                total += game.step(action if day == 0 else game.game.idle)[1]
            over = terminated or truncated
        assert total == pytest.approx(expected)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["clay_been"], "clay_bean"),
        (["clay_bean", "--algo", "pp"], "did you mean 'ppo'?"),
        (["clay_bean", "--hyper", "gama=1"], "did you mean 'gamma'?"),
        (["clay_bean", "--hyper", "gamma=much"], "gamma is 'much'"),
        (["clay_bean", "--hyper", "gamma"], "is not NAME=VALUE"),
        (["clay_bean", "--hyper", "width=0"], "at least 1"),
        (["clay_bean", "--wrapper", "pass_day=3"], "did you mean 'pass_days'?"),
        (["clay_bean", "--wrapper", "map_memory=3"], "a window around a farmer on foot"),
        (["backwards_valley", "--wrapper", "standing_crop=1"], "show no stage of plants"),
        (["clay_bean", "--algo", "dqn", "--hyper", "learning_start=3"], "did you mean 'learning_starts'?"),
        (["clay_bean", "--algo", "recurrent-ppo", "--wrapper", "pass_days=3"], "does not work with recurrent-ppo"),
        (["clay_bean", "--algo", "dqn", "--wrapper", "explore_orders=0.1"], "does not work with dqn"),
        (["valley_farm", "--wrapper", "standing_orders=true"], "leave standing_orders out"),
        (["clay_bean", "--resume"], "holds no checkpoint.pt"),
    ],
)
def test_mistakes_are_named(words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*words, "--out", str(tmp_path / "new"), "--steps", "1"]) == 1
    assert said in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


def test_a_folder_is_not_overwritten_and_not_mixed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["clay_bean", "--out", str(tmp_path), "--episodes", "1", "--quiet", *(f"--hyper={k}={v}" for k, v in SMALL.items())]
    assert main(words) == 0
    assert main(words) == 1 and "resume it with --resume" in capsys.readouterr().err
    assert main([*words, "--resume", "--seed", "2"]) == 1 and "its seed is 0, but 2 was asked for" in capsys.readouterr().err
    assert main([*words, "--resume", "--set", "rules.BasicRule.max_steps=99"]) == 1 and "is of another training" in capsys.readouterr().err
    (tmp_path / "checkpoint.pt").write_bytes(b"nothing")
    assert main([*words, "--resume"]) == 1 and "damaged" in capsys.readouterr().err


def test_a_quick_training_is_clearly_above_random(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And leaves a curve and a film; the next one replaces it."""
    words = ["--quick", "clay_bean", "--out", str(tmp_path)]
    folder = tmp_path / "clay_bean-quick-0"
    folder.mkdir()
    for name in ("checkpoint.pt", "old"):
        (folder / name).write_bytes(b"of before")
    assert main(words) == 0
    said = capsys.readouterr()
    assert (
        "random -8" in said.err
        and "expert 10" in said.err
        and f"curve: {folder / 'curve.png'}" in said.out
        and "next: python -m farm_gym.train clay_bean" in said.out
    )
    assert (folder / "curve.png").read_bytes().startswith(b"\x89PNG") and (folder / "film.gif").read_bytes().startswith(b"GIF8")
    assert not (folder / "old").exists()
    # Doing nothing earns 0, random actions lose nearly 100, the expert earns 102.
    for mode in ("sampled", "greedy"):
        document = result(folder, mode)
        assert (document["evaluation"]["first_seed"], document["evaluation"]["episodes"]) == (2_000_000, 100)
        assert np.mean(document["evaluation"]["returns"]) > 40


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--quick", "farm0"], (1, "--quick trains backwards_valley or clay_bean, not farm0")),
        (["--quick", "--resume"], (2, "does not go with --resume")),
        (["--quick", "--test-seeds"], (2, "does not go with --test-seeds")),
        (["--quick", "clay_bean", "--steps", "5"], (2, "does not go with --steps")),
        ([], (2, "name a game")),
    ],
)
def test_a_quick_training_takes_few_options(words: list[str], said: tuple[int, str], capsys: pytest.CaptureFixture[str]) -> None:
    try:
        code = main(words)
    except SystemExit as left:
        code = int(left.code or 0)
    assert code == said[0] and said[1] in capsys.readouterr().err


def test_test_seeds_are_named(tmp_path: Path) -> None:
    assert (
        main(
            [
                "clay_bean",
                "--test-seeds",
                "--out",
                str(tmp_path),
                "--episodes",
                "3",
                "--quiet",
                *(f"--hyper={k}={v}" for k, v in SMALL.items()),
            ]
        )
        == 0
    )
    document = result(tmp_path, "greedy")
    assert (document["evaluation"]["first_seed"], document["evaluation"]["episodes"]) == (1_000_000, 3) and "--test-seeds" in document[
        "made_by"
    ]["command"]


def test_it_runs_as_a_module() -> None:
    done = subprocess.run([sys.executable, "-m", "farm_gym.train", "--help"], capture_output=True, text=True, check=True)
    assert "recurrent-ppo" in done.stdout
    wrong = subprocess.run(
        [sys.executable, "-m", "farm_gym.train", "clay_bean", "--steps", "0"], capture_output=True, text=True, check=False
    )
    assert wrong.returncode == 2 and "at least 1" in wrong.stderr


def test_the_commands_of_the_pages_can_be_read() -> None:
    """Those of training; that their words are known, not what they take minutes for."""
    docs = Path(__file__).parents[3] / "docs"
    lines = [line for page in docs.glob("*.md") for line in page.read_text(encoding="utf-8").splitlines()]
    commands = [line.split("   ")[0] for line in lines if line.startswith("$ python -m farm_gym.train ")]
    assert len(commands) >= 4
    for command in commands:
        given = parser_of().parse_args(shlex.split(command)[4:])
        assert given.algo in ALGORITHMS and (given.quick or farm_gym.make(given.game, preset=given.preset))


def rollout(rewards: list[float], values: list[float], decided: list[bool], ended: list[bool]) -> Rollout:
    def column(numbers: list[Any], kind: torch.dtype) -> torch.Tensor:
        return torch.tensor(numbers, dtype=kind).reshape(-1, 1)

    nothing = column([0.0] * len(rewards), torch.float32)
    return Rollout(
        seen=nothing,
        masks=nothing,
        actions=nothing,
        log_probabilities=nothing,
        rewards=column(rewards, torch.float32),
        values=column(values, torch.float32),
        ended=column(ended, torch.bool),
        decided=column(decided, torch.bool),
    )


def test_estimates_reach_from_decision_to_decision() -> None:
    """Days that pass: the same as one step with the rewards of its days and the discount of all."""
    daily = advantages(rollout([1, 2, 3, 4], [5, 99, 99, 6, 7], [True, False, False, True], [False] * 4), 0.9, 0.8).reshape(-1).tolist()
    last = 4 + 0.9 * 7 - 6
    first = 1 + 0.9 * 2 + 0.81 * 3 + 0.729 * 6 - 5 + 0.8 * 0.729 * last
    assert daily == pytest.approx([first, 0.0, 0.0, last])
    # And an end: nothing follows.
    over = advantages(rollout([1, 2, 3], [5, 99, 6, 7], [True, False, True], [False, True, False]), 0.9, 0.8).reshape(-1).tolist()
    assert over == pytest.approx([1 + 0.9 * 2 - 5, 0.0, 3 + 0.9 * 7 - 6])


def test_a_game_has_the_hyper_parameters_of_what_it_is_a_variant_of() -> None:
    assert job("valley_farm_hard", "ppo").hyperparameters == job("valley_farm", "ppo").hyperparameters
    assert job("full_farm", "ppo", preset="4x3").hyperparameters == job("full_farm_4x3", "ppo").hyperparameters
    assert job("farm1", "ppo").wrappers.standing_orders and not job("costly_clay_bean", "ppo").wrappers.standing_orders
    assert job("winter_wheat", "ppo").hyperparameters["idle_bias"] != job("valley_farm_easy", "ppo").hyperparameters["idle_bias"]


def test_it_learns_backwards_valley() -> None:
    """In a few seconds it earns far more than at first; by then the policy is not yet much."""
    envs = job("backwards_valley", "ppo").environments(64, AutoresetMode.DISABLED, 0.99)
    settings = Settings(steps=40_960, envs=64, rollout=40, gamma=0.99, learning_rate=1e-3, normalise_observations=False)
    means: list[float] = []
    training = Training(envs, settings)
    training.run(lambda one: means.append(float(np.mean(one.returns))))
    assert means[-1] > means[0] + 10, means
