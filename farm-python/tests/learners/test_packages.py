"""Packages for trainers of language models, in the hands of the trainers' own code: a stub of an endpoint stands for the model."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from stub_model import Stub, stub_endpoint

import farm_gym.text
from farm_gym.__main__ import main


@pytest.fixture
def endpoint() -> Iterator[str]:
    with stub_endpoint() as address:
        yield address


def package(folder: Path, *arguments: str) -> None:
    assert main(["agents", "package", *arguments, "--out", str(folder)]) == 0


def test_verifiers_plays_a_taskset(tmp_path: Path, endpoint: str, monkeypatch: pytest.MonkeyPatch) -> None:
    vf = pytest.importorskip("verifiers.v1")
    game = ["backwards_valley", "--set", "rules.BasicRule.max_steps=6", "--tasks", "2"]
    package(tmp_path / "package", "verifiers", *game)
    monkeypatch.syspath_prepend(str(tmp_path / "package"))
    monkeypatch.setenv("STUB_KEY", "none")
    name = "farm-backwards-valley"
    config = vf.env_config_type(name)(taskset={"id": name, "split": "test"})
    env = vf.load_environment(config)
    tasks = list(env.taskset)
    assert [task.data.name for task in tasks] == ["test-0", "test-1"]
    assert tasks[0].data.system_prompt.startswith("TASK") and "position" in tasks[0].data.prompt

    async def play() -> Any:
        client = vf.EvalClientConfig(base_url=endpoint, api_key_var="STUB_KEY")
        async with env.serving():
            return await env.run_episode(tasks[0], vf.ModelContext(model="m", client=client))

    episode = asyncio.run(play())
    assert episode.ok, episode.errors
    [trace] = episode.traces
    # Six steps, and the reply that can't be read takes a turn and no time.
    assert trace.metrics["turns"] == 7.0 and trace.metrics["invalid"] == 1.0 and trace.metrics["finished"] == 1.0
    assert len(Stub.asked) == 7 and Stub.asked[0]["messages"][0]["role"] == "system"
    world = tasks[0].data
    expected = (trace.metrics["game_return"] - world.waiting) / (world.best - world.waiting)
    assert trace.rewards["score"].score == pytest.approx(expected)
    for module in [module for module in sys.modules if module.startswith("farm_backwards_valley")]:
        del sys.modules[module]


def test_nemo_gym_plays_a_resources_server(tmp_path: Path) -> None:
    pytest.importorskip("nemo_gym")
    pytest.importorskip("resources_servers.gymnasium")
    package(tmp_path / "package", "nemo-gym", "valley_farm", "--tasks", "5", "--text", "compact", "--rules", "shown")
    server = tmp_path / "package" / "resources_servers" / "farm_valley_farm"
    yaml = pytest.importorskip("yaml")
    config_types = pytest.importorskip("nemo_gym.config_types")
    config = yaml.safe_load((server / "configs" / "farm_valley_farm.yaml").read_text())
    config_types.Domain(config["farm_valley_farm"]["resources_servers"]["farm_valley_farm"]["domain"])
    # The package's own test, in the folder that NeMo Gym would be started in.
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(server / "tests")]
    tested = subprocess.run(command, cwd=tmp_path / "package", capture_output=True, text=True, check=False)
    assert tested.returncode == 0, tested.stdout + tested.stderr


def test_packages_are_code_that_compiles(tmp_path: Path) -> None:
    """What is left where neither trainer is installed: each file of code is Python, and each row of data names a game that opens."""
    for trainer in ["verifiers", "nemo-gym"]:
        package(tmp_path / trainer, trainer, "backwards_valley@tier=8", "--tasks", "1")
        for path in (tmp_path / trainer).rglob("*.py"):
            compile(path.read_text(encoding="utf-8"), str(path), "exec")
        [rows] = (tmp_path / trainer).rglob("test.jsonl")
        row = json.loads(rows.read_text(encoding="utf-8"))
        first, info = farm_gym.text.make(row["game"]).reset(row["seed"], split=row["split"])
        assert first and info["seed"] == row["seed"]
