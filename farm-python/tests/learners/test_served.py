"""`farm serve` and `farm agents mcp` in the hands of the clients that others wrote: OpenEnv's, and two of the Model Context Protocol."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

GAME = "backwards_valley"


def command() -> list[str]:
    """The command line: the one that is on the path, else that of the package."""
    found = shutil.which("farm-gym")
    return [found] if found else [sys.executable, "-m", "farm_gym"]


@contextlib.contextmanager
def served(*arguments: str) -> Iterator[str]:
    """The address of a server that ends with the block."""
    words = [*command(), "serve", "--port", "0", "--log", "off", *arguments]
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as server:
        try:
            assert server.stderr is not None
            found = (re.search(r"http://[\d.:]+(?=/ serves)", line) for line in server.stderr)
            address = next((match[0] for match in found if match), None)
            assert address is not None, "the server did not begin"
            yield address
        finally:
            server.terminate()
            assert server.wait(timeout=20) == 0


def in_the_process(seed: int | str, actions: list[str]) -> list[float]:
    """What the same actions earn without a server."""
    lines = "".join(f'{{"reply": "{action}"}}\n' for action in actions)
    converse = [*command(), "agents", "converse", GAME, "--seed", str(seed)]
    out = subprocess.run(converse, input=lines, capture_output=True, text=True, check=True).stdout
    answers = [json.loads(line) for line in out.splitlines()[1:]]
    # After the end of the episode there is nothing more to earn.
    return [answer["reward"] for answer in answers if "reward" in answer]


ACTIONS = ["MoveN", "MoveE", "wait", "MoveS", "harvest"]


def test_the_client_of_openenv_plays() -> None:
    openenv = pytest.importorskip("openenv.core.generic_client")
    with served(GAME, "valley_farm") as address, openenv.GenericEnvClient(base_url=address).sync() as env:
        first = env.reset(seed=7)
        assert not first.done and "instructions" in first.observation and "position" in first.observation["text"]
        results = [env.step({"action": action}) for action in ACTIONS]
        assert [result.reward for result in results] == in_the_process(7, ACTIONS)
        assert env.state()["step_count"] == len(ACTIONS)
        env.reset(split="test", index=3)
        assert env.state()["split"] == "test"
        with pytest.raises(Exception, match="did you mean `seed`"):
            env.reset(sed=7)
        other = openenv.GenericEnvClient(base_url=f"{address}/games/valley_farm").sync()
        with other:
            other.reset()
            assert other.state()["game"] == "valley_farm"


def test_the_client_of_openenv_for_tools_plays() -> None:
    tools = pytest.importorskip("openenv.core.mcp_client")

    async def play(address: str) -> list[float]:
        async with tools.MCPToolClient(base_url=address) as env:
            await env.reset(seed=7)
            assert {"look", "MoveN", "MoveE"} <= {tool.name for tool in await env.list_tools()}
            results = [await env.call_tool(action) for action in ACTIONS[:2]]
            assert (await env.state()).step_count == 2
            return [result["structuredContent"]["reward"] for result in results]

    with served(GAME) as address:
        assert asyncio.run(play(address)) == in_the_process(7, ACTIONS[:2])


def test_the_program_of_the_page_plays(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("openenv.core.generic_client")
    page = (Path(__file__).parents[3] / "docs/serve.md").read_text(encoding="utf-8")
    program = page.split("```text,file=play.py\n")[1].split("```")[0]
    with served(GAME) as address:
        exec(program.replace("http://127.0.0.1:8000", address), {})
    shown = capsys.readouterr().out
    expected = sum(in_the_process("train/12", ["wait"] * 100))
    assert "TASK" in shown and expected != 0.0 and float(shown.splitlines()[-1]) == expected


def test_many_sessions_of_openenv_at_once() -> None:
    openenv = pytest.importorskip("openenv.core.generic_client")

    async def play(address: str, seed: int) -> list[float]:
        async with openenv.GenericEnvClient(base_url=address) as env:
            await env.reset(seed=seed)
            return [(await env.step({"action": action})).reward for action in ACTIONS]

    async def play_all(address: str) -> list[list[float]]:
        return await asyncio.gather(*(play(address, seed) for seed in range(64)))

    with served(GAME) as address:
        rewards = asyncio.run(play_all(address))
    assert rewards[7] == in_the_process(7, ACTIONS)


def test_the_validator_of_openenv_finds_nothing() -> None:
    validation = pytest.importorskip("openenv.cli._validation")
    with served(GAME) as address:
        report = validation.validate_running_environment(address)
    assert report["passed"], report
    assert (report["summary"]["passed_count"], report["summary"]["total_count"]) == (6, 6)


def test_a_package_passes_the_checks_of_openenv_and_its_oracle_reaches_the_maximum(tmp_path: Path) -> None:
    validation = pytest.importorskip("openenv.validation")
    subprocess.run([*command(), "agents", "package", "openenv", GAME, "--out", str(tmp_path / "package")], check=True)
    report = validation.run_validation(tmp_path / "package", max_level=validation.Level.STATIC, skip_build=True)
    assert report.verdict is validation.Verdict.PASS, report
    with served(GAME) as address:
        solve = [sys.executable, str(tmp_path / "package/oracle/solve.py"), address]
        subprocess.run(solve, check=True)
    with served("valley_farm") as address:
        other = subprocess.run([*solve[:-1], address], capture_output=True, text=True)
        assert other.returncode == 1 and "a different game" in other.stderr


async def play_by_tools(call: Any, names: list[str]) -> float:
    """Plays some steps by a function that calls a tool; returns what was earned."""
    assert {"look", "MoveN"} <= set(names) and not {"reset", "step", "state", "close"} & set(names)
    first = await call("look", {})
    one = await call("MoveN", {"handle": first["handle"]})
    two = await call("MoveE", {"handle": one["handle"]})
    assert len({first["handle"], one["handle"], two["handle"]}) == 3
    # What is sent again counts once, and to look starts nothing.
    assert await call("MoveE", {"handle": one["handle"]}) == two
    again = await call("look", {})
    assert again["handle"] == two["handle"] and again["text"].endswith(two["text"])
    return float(two["return"])


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_client_of_mcp_plays_over_http(mode: str) -> None:
    client = pytest.importorskip("mcp.client.client", reason="the client of version 2")

    async def play(address: str) -> float:
        async with client.Client(f"{address}/mcp?seed=7", mode=mode) as session:
            names = [tool.name for tool in (await session.list_tools()).tools]

            async def call(name: str, arguments: dict[str, Any]) -> Any:
                result = await session.call_tool(name, arguments)
                assert not result.is_error, result
                return result.structured_content

            picture = await session.call_tool("look", {"picture": True})
            assert [content.type for content in picture.content] == ["text", "image"]
            wrong = await session.call_tool("MoveN", {"handle": "x"})
            assert wrong.is_error and "not the newest handle" in wrong.content[0].text
            return await play_by_tools(call, names)

    with served(GAME) as address:
        assert asyncio.run(play(address)) == sum(in_the_process(7, ACTIONS[:2]))


def test_the_client_of_fastmcp_plays_over_http_and_by_lines() -> None:
    fastmcp = pytest.importorskip("fastmcp", minversion="4")

    async def play(target: Any) -> float:
        async with fastmcp.Client(target) as session:
            names = [tool.name for tool in await session.list_tools()]

            async def call(name: str, arguments: dict[str, Any]) -> Any:
                return (await session.call_tool(name, arguments)).structured_content

            return await play_by_tools(call, names)

    program, *words = command()
    lines = {"mcpServers": {"farm": {"command": program, "args": [*words, "agents", "mcp", GAME, "--seed", "7"]}}}
    with served(GAME) as address:
        over_http = asyncio.run(play(f"{address}/mcp?seed=7"))
    assert over_http == asyncio.run(play(lines)) == sum(in_the_process(7, ACTIONS[:2]))
