"""Agents in Python that ``farm agents play`` plays with."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import farm_gym
from farm_gym import llm

AGENT = """
import json

def reply(messages):
    print("this is not an answer")
    assert messages[0]["role"] == "system" and messages[-1]["role"] == "user"
    return "Action: Wait"

class Counting:
    def __init__(self):
        self.calls = 0

    def __call__(self, messages):
        self.calls += 1
        return {"reply": f"<action>{'MoveN' if self.calls % 2 else 'Wait'}</action>", "usage": {"prompt_tokens": 7, "completion_tokens": 2}}

number = 3
"""


@pytest.fixture
def agent(tmp_path: Path) -> Path:
    path = tmp_path / "agent.py"
    path.write_text(AGENT)
    return path


def command(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "farm_gym", *words], cwd=cwd, capture_output=True, text=True, timeout=120)


@pytest.mark.skipif(os.name != "posix", reason="the command is written for a shell of POSIX")
@pytest.mark.parametrize(("name", "tokens"), [("reply", None), ("Counting", 9 * 40)])
def test_a_function_or_a_class_plays_a_run(agent: Path, tmp_path: Path, name: str, tokens: int | None) -> None:
    words = [
        "agents",
        "play",
        "backwards_valley",
        "--command",
        f"{sys.executable} -m farm_gym.llm agent.py:{name}",
        "--out",
        "run",
        "--json",
    ]
    played = command(*words, "--seed", "3", cwd=tmp_path)
    assert played.returncode == 0, played.stderr
    score = json.loads(played.stdout)
    assert score["episodes_done"] == 1 and score["calls_made"] == 40
    if tokens is not None:
        assert score["tokens"]["estimated"] is False
        assert score["tokens"]["prompt"] + score["tokens"]["completion"] == tokens
    verified = command("agents", "verify", "run", cwd=tmp_path)
    assert verified.returncode == 0 and "verified" in verified.stdout, verified.stderr


def test_each_line_is_answered_by_one() -> None:
    out = io.StringIO()
    turns: list[int] = []

    def reply(messages: list[dict[str, str]]) -> str:
        turns.append(len(messages))
        return "Wait\nor not"

    lines = [json.dumps({"messages": [{"role": "user", "content": "?"}] * n}) for n in (1, 3)]
    llm.serve(reply, io.StringIO("\n\n".join(lines)), out)
    assert [json.loads(line) for line in out.getvalue().splitlines()] == [{"reply": "Wait\nor not"}] * 2 and turns == [1, 3]


@pytest.mark.parametrize("line", ["wait", "[]", "{}", '"messages"'])
def test_what_is_no_request_is_refused(line: str) -> None:
    with pytest.raises(farm_gym.ConfigError, match="line 1 is not a request"):
        llm.serve(lambda messages: "Wait", io.StringIO(line), io.StringIO())


@pytest.mark.parametrize("answer", [None, 3, {"text": "Wait"}, {"reply": 3}])
def test_what_is_no_answer_is_refused(answer: Any) -> None:
    with pytest.raises(farm_gym.ConfigError, match="expected a string"):
        llm.serve(lambda messages: answer, io.StringIO('{"messages": []}'), io.StringIO())


def test_an_agent_that_is_not_there_is_told(agent: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, told in [
        ("agent", "does not name an agent"),
        (str(agent), "does not name an agent"),
        (f"{agent}x.py:reply", "there is no file"),
        ("no_such_module:reply", "there is no module"),
        (f"{agent}:replay", "it has reply, Counting"),
        (f"{agent}:number", "can't be called"),
    ]:
        assert llm.main([name]) == 1
        assert told in capsys.readouterr().err, name
    assert llm.main([]) == 2 and llm.main(["--help"]) == 0
