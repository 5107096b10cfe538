"""An endpoint that stands for a language model: it replies from a script, and keeps what it was asked."""

from __future__ import annotations

import contextlib
import http.server
import json
import threading
from collections.abc import Iterator
from typing import Any

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

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing."""


@contextlib.contextmanager
def stub_endpoint() -> Iterator[str]:
    """The address of such an endpoint, which ends with the block."""
    Stub.asked = []
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Stub)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    server.server_close()
