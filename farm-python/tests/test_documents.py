"""The Python of the README and of the documentation's pages runs, and the names of the package that they quote exist."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

import farm_gym
from conftest import Block, blocks, pages, run, write_files

WITH_PYTHON = [page for page in pages() if any(block.language == "python" for block in blocks(page))]


@pytest.mark.parametrize("page", WITH_PYTHON, ids=lambda page: page.name)
def test_the_python_of_the_pages_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a folder with the files of the page; the blocks of a page follow on one another."""
    write_files(page, tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    run(page, [block for block in blocks(page) if block.language == "python" and "learners" not in block.words])
    for block in blocks(page):
        if block.language == "yaml" and "python" in block.words:
            env = farm_gym.make(block.file, allow_plugins=True)
            env.reset(seed=0)
            env.step(env.action_space.sample())


def test_every_block_of_python_is_run_by_some_test() -> None:
    found = [block for page in pages() for block in blocks(page) if block.language == "python"]
    assert len(found) > 6
    assert all(word == "learners" or word.startswith("file=") for block in found for word in block.words)
    assert any("learners" in block.words for block in found)


def test_every_name_of_the_package_that_the_pages_quote_exists() -> None:
    names = {name for page in pages() for name in re.findall(r"`(farm_gym(?:\.\w+)+)[^`]*`", page.read_text(encoding="utf-8"))}
    assert len(names) > 15
    for name in names:
        thing: object = farm_gym
        path = "farm_gym"
        for step in name.split(".")[1:]:
            path += f".{step}"
            if not hasattr(thing, step):
                # Modules that need a learner are found, not loaded.
                assert importlib.util.find_spec(path), path
                break
            thing = getattr(thing, step)


def test_blocks_are_told_apart() -> None:
    page = "a\n```python,file=x.py\n1\n```\n```yaml\n2\n```\n"
    assert blocks(page) == [Block("python", ["file=x.py"], "1\n", "x.py"), Block("yaml", [], "2\n", "")]
