"""Packages for trainers of language models, in the hands of the trainers' own code: a stub of an endpoint stands for the model."""

from __future__ import annotations

import asyncio
import http.server
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import farm_gym.text
from farm_gym.__main__ import main

#: Every fifth reply is none that the game can read.
REPLIES = ["Action: Wait", "Action: MoveN", "Thought: north.\nAction: MoveE", "Wait", "dance"]


class Stub(http.server.BaseHTTPRequestHandler):
    """An endpoint for chat completions, also as a stream."""

    asked: list[dict[str, Any]] = []

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        reply = REPLIES[len(self.asked) % len(REPLIES)]
        self.asked.append(body)
        usage = {"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12}
        head = {"id": "x", "created": 0, "model": "m"}
        said = {"role": "assistant", "content": reply}
        if body.get("stream"):
            choices: list[list[dict[str, Any]]] = [
                [{"index": 0, "delta": said, "finish_reason": None}],
                [{"index": 0, "delta": {}, "finish_reason": "stop"}],
                [],
            ]
            chunks = [{**head, "object": "chat.completion.chunk", "choices": choice} for choice in choices]
            chunks[-1]["usage"] = usage
            text = "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks) + "data: [DONE]\n\n"
        else:
            choice = {"index": 0, "finish_reason": "stop", "message": said}
            text = json.dumps({**head, "object": "chat.completion", "choices": [choice], "usage": usage})
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream" if body.get("stream") else "application/json")
        self.send_header("Content-Length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name of the base class
        """Says nothing."""


@pytest.fixture
def endpoint() -> Iterator[str]:
    Stub.asked = []
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Stub)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    server.server_close()


def package(folder: Path, *arguments: str) -> None:
    assert main(["package", *arguments, "--out", str(folder)]) == 0


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
    assert tasks[0].data.system_prompt.startswith("GOAL") and "position" in tasks[0].data.prompt

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
