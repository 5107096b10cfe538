"""The blocks of the documentation that need learners run."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import torch

# More threads than cores only wait for each other.
torch.set_num_threads(1)

sys.path.append(str(Path(__file__).parents[1]))

from conftest import blocks, pages, run  # noqa: E402
from test_notebooks import NOTEBOOKS, play  # noqa: E402

WITH_LEARNERS = [page for page in pages() if any("learners" in block.words for block in blocks(page))]


@pytest.mark.parametrize("page", WITH_LEARNERS, ids=lambda page: page.name)
def test_the_learners_of_the_pages_train(page: Path) -> None:
    run(page, [block for block in blocks(page) if "learners" in block.words])


@pytest.mark.parametrize(
    "path", [path for path in NOTEBOOKS if "farm_gym.train" in path.read_text(encoding="utf-8")], ids=lambda path: path.stem
)
def test_the_notebooks_that_train_run(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play(path, tmp_path, monkeypatch)
