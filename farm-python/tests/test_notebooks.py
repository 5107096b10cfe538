"""The notebooks run from top to bottom, and what they show can be shown."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

import farm_gym
from farm_gym import notebooks

FOLDER = Path(__file__).parents[2] / "docs" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
PNG = b"\x89PNG\r\n\x1a\n"


def test_there_are_notebooks_without_results() -> None:
    assert len(NOTEBOOKS) >= 3
    for path in NOTEBOOKS:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        assert all(cell["outputs"] == [] for cell in cells if cell["cell_type"] == "code"), path


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if "farm_gym.train" in path.read_text(encoding="utf-8"):
        pytest.importorskip("torch")
    play(path, tmp_path, monkeypatch)


def play(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs a notebook as Jupyter does: cell by cell in one namespace; a cell shows the value of its last expression."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "__main__"}
    shown = []
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] != "code":
            continue
        tree = ast.parse("".join(cell["source"]))
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, str(path), "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), str(path), "eval"), names)
            shown.append(getattr(value, "_repr_html_", lambda value=value: repr(value))())
    assert sum("<" in text for text in shown) >= 1, shown


def test_an_environment_is_a_picture() -> None:
    env = farm_gym.make("backwards_valley")
    env.reset(seed=3)
    before = env._repr_png_()
    assert before.startswith(PNG)
    env.step(0)
    page = env._repr_html_()
    assert "data:image/png;base64," in page and "backwards_valley" in page and "step 1" in page
    assert env._repr_png_() != before


def test_the_catalogue_is_a_table() -> None:
    games = farm_gym.games()
    assert isinstance(games, dict) and "<td style='text-align:left'>clay_bean</td>" in games._repr_html_()
    assert games._repr_html_().count("<tr>") == len(games) + 1


def test_films_and_reports_show_themselves(tmp_path: Path) -> None:
    gif = farm_gym.generate_gif("backwards_valley", [0, 1], tmp_path / "a.gif")
    assert "data:image/gif;base64," in gif._repr_html_() and f"return {gif.episode_return:g}" in gif._repr_html_()
    video = farm_gym.generate_video("backwards_valley", [0, 1], tmp_path / "a.mp4")
    assert "<video src='data:video/mp4;base64," in video._repr_html_()
    report = farm_gym.generate_report("backwards_valley", [0, 1], tmp_path / "a.html")
    page = report._repr_html_()
    assert page.startswith("<iframe ") and "&lt;!DOCTYPE html&gt;" in page
    report.path.unlink()
    assert "<iframe" not in report._repr_html_() and str(report.path) in report._repr_html_()


def test_names_do_not_leave_their_place() -> None:
    assert "<b>" not in notebooks.table(["<b>"], [["<b>"]])
    assert "<b>" not in notebooks.film(Path("<b>.gif"), "<b>") and "<b>" not in notebooks.page(Path("<b>.html"), "<b>")
