"""Runs agents written in Python for ``farm agents play``. An agent is a function that answers messages.

.. code-block:: python

    # agent.py
    def reply(messages):
        return "Action: wait"

.. code-block:: console

    $ farm-gym agents play clay_bean --command 'python -m farm_gym.llm agent.py:reply' --out runs/mine

``messages`` is the conversation so far in chat-completions format: the instructions come first, and the current observation last. With
``--history actions``, it is a single message. The function returns a string, or a dictionary with ``reply`` and optionally ``usage``
(``prompt_tokens``, ``completion_tokens``) and ``cut``. You can also name a class: each episode creates an instance and calls it. Each
process plays one episode.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, Any

from farm_gym.errors import ConfigError

__all__ = ["load", "main", "serve"]

#: A function that answers the messages of a conversation.
Agent = Callable[[list[dict[str, str]]], "str | Mapping[str, Any]"]

USAGE = "usage: python -m farm_gym.llm FILE.py:NAME, or MODULE:NAME; NAME is a function that takes messages, or a class whose instances do"


def serve(agent: Agent, lines: IO[str] | None = None, out: IO[str] | None = None) -> None:
    """Reads requests as lines of JSON, and answers each with a line of JSON until the input ends. Anything that the agent prints goes to
    standard error.

    Args:
        agent: A function that receives the messages in a turn, and returns a string or a dictionary with ``reply``.
        lines: The requests from ``farm agents play`` (default: standard input).
        out: Where the answers go (default: standard output).

    Raises:
        ConfigError: A line is not a request, or an answer is neither a string nor a dictionary with ``reply``.
    """
    lines, out = lines or sys.stdin, out or sys.stdout
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            messages = json.loads(line)["messages"]
        except (ValueError, KeyError, TypeError) as error:
            raise ConfigError(f"line {number} is not a request of `farm agents play`, with `messages`: {line[:80]!r}") from error
        with contextlib.redirect_stdout(sys.stderr):
            answer = agent(messages)
        if isinstance(answer, str):
            answer = {"reply": answer}
        if not isinstance(answer, Mapping) or not isinstance(answer.get("reply"), str):
            raise ConfigError(f"the agent answered {answer!r}: expected a string, or a dictionary with `reply`")
        out.write(json.dumps(dict(answer)) + "\n")
        out.flush()


def load(name: str) -> Agent:
    """Loads the agent with a name such as ``agent.py:reply`` or ``package.module:Agent``; a class is instantiated.

    Raises:
        ConfigError: The file, module or name is missing, or the object can't be called.
    """
    source, colon, attribute = name.rpartition(":")
    if not colon or not source or not attribute:
        raise ConfigError(f"{name!r} does not name an agent: {USAGE}")
    if source.endswith(".py"):
        if not Path(source).is_file():
            raise ConfigError(f"there is no file {source!r}")
        spec = importlib.util.spec_from_file_location("farm_gym_agent", source)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.path.insert(0, str(Path(source).resolve().parent))
        spec.loader.exec_module(module)
    else:
        sys.path.insert(0, "")
        try:
            module = importlib.import_module(source)
        except ModuleNotFoundError as error:
            raise ConfigError(f"there is no module {source!r}: {error}") from error
    agent = getattr(module, attribute, None)
    if agent is None:
        names = [key for key, value in vars(module).items() if callable(value) and not key.startswith("_")]
        raise ConfigError(f"there is no {attribute!r} in {source!r}; it has {', '.join(names) or 'nothing that can be called'}")
    if isinstance(agent, type):
        agent = agent()
    if not callable(agent):
        raise ConfigError(f"{name!r} can't be called: {USAGE}")
    return agent  # type: ignore[no-any-return]


def main(arguments: list[str] | None = None) -> int:
    """Serves the agent named on the command line."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if len(arguments) != 1 or arguments[0] in ("-h", "--help"):
        asked = arguments[:1] in (["-h"], ["--help"])
        print(USAGE, file=sys.stdout if asked else sys.stderr)
        return 0 if asked else 2
    try:
        serve(load(arguments[0]))
    except ConfigError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
