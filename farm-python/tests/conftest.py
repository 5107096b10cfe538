"""What the tests share."""

from __future__ import annotations

import os
import re
import sys
import types
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import farm_gym

# Windows are looked at in processes of their own, on a display of their own: nobody's screen flickers.
for name in ("DISPLAY", "WAYLAND_DISPLAY"):
    os.environ.pop(name, None)

GAMES = list(farm_gym.games())
VIEWS = ("discrete", "multi_discrete", "multi_binary", "multi_union")


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> str:
    """Every game of the catalogue."""
    return str(request.param)


def equal(a: Any, b: Any) -> bool:
    """Whether two observations are equal, types included."""
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(equal(a[key], b[key]) for key in a)
    return type(a) is type(b) and np.array_equal(a, b)


def repository() -> Path:
    """The top of the repository."""
    return Path(__file__).resolve().parents[2]


class Block(NamedTuple):
    """A fenced block of a page: the word behind the fence, the words after it, its text, and the file that it is."""

    language: str
    words: list[str]
    text: str
    file: str


def pages() -> list[Path]:
    """The pages of the documentation that stand in the repository."""
    docs = repository() / "docs"
    links = re.findall(r"\]\((.*?)\)", (docs / "SUMMARY.md").read_text(encoding="utf-8"))
    return [(docs / link).resolve() for link in links if not link.startswith("reference/")]


def blocks(page: Path | str) -> list[Block]:
    """The fenced blocks of a page."""
    text = page if isinstance(page, str) else page.read_text(encoding="utf-8")
    found = []
    for info, content in re.findall(r"^```([^\n]+)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        language, *words = info.split(",")
        files = [word.removeprefix("file=") for word in words if word.startswith("file=")]
        found.append(Block(language, words, content, "".join(files)))
    return found


def write_files(page: Path, folder: Path) -> None:
    """Writes the blocks of a page that are files."""
    for block in blocks(page):
        if block.file:
            (folder / block.file).write_text(block.text, encoding="utf-8")


def run(page: Path, of: list[Block]) -> None:
    """Runs blocks one after the other, in one module."""
    module: dict[str, Any] = {"__name__": "page"}
    # So that classes have a module in which they are found again.
    sys.modules["page"] = types.ModuleType("page")
    sys.modules["page"].__dict__.update(module)
    try:
        for block in of:
            exec(compile(block.text, page.name, "exec"), sys.modules["page"].__dict__)
    finally:
        del sys.modules["page"]
