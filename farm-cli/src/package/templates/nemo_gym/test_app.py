"""The server plays the first example: an episode of waiting scores 0."""

import asyncio
import json
from pathlib import Path
from unittest.mock import MagicMock

import pytest
from nemo_gym.base_resources_server import BaseResourcesServerConfig
from nemo_gym.openai_utils import NeMoGymResponse
from nemo_gym.server_utils import ServerClient

from ..app import FarmServer, share


def said(text: str) -> NeMoGymResponse:
    """A model response with this text."""
    content = [{"type": "output_text", "text": text, "annotations": []}]
    message = {"id": "message", "type": "message", "role": "assistant", "status": "completed", "content": content}
    fields = {"id": "response", "created_at": 0.0, "model": "model", "object": "response", "output": [message]}
    return NeMoGymResponse.model_validate({**fields, "parallel_tool_calls": True, "tool_choice": "auto", "tools": []})


def test_waiting_earns_nothing() -> None:
    config = BaseResourcesServerConfig(host="", port=0, entrypoint="", name="")
    server = FarmServer(config=config, server_client=MagicMock(spec=ServerClient))
    examples = (Path(__file__).parent.parent / "data" / "example.jsonl").read_text(encoding="utf-8").splitlines()
    row = json.loads(examples[0])

    async def play() -> float:
        text, _ = await server.reset(row, "one")
        assert text is not None and text.startswith("TASK")
        total, over = 0.0, False
        while not over:
            _, reward, terminated, truncated, info = await server.step(said("Action: wait"), row, "one")
            total, over = total + reward, terminated or truncated
        assert info["game_return"] == pytest.approx(row["waiting"])
        return total

    nothing, point = share(row)
    assert asyncio.run(play()) == pytest.approx(nothing + row["waiting"] * point)
