"""Whose Python code a game may run: nobody's, unless the caller allows it or hands the classes over."""

from __future__ import annotations

import os
import pickle
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import cloudpickle
import gymnasium
import pytest

import farm_gym

UNTRUSTED = Path(__file__).parent / "parts" / "untrusted"
ENTITY = "fields.Field-0.entities.3"


@pytest.fixture
def evil(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the game that brings a module along, which writes a file as soon as it is imported."""
    folder = tmp_path / "game"
    shutil.copytree(UNTRUSTED, folder)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("FARM_GYM_ALLOW_PLUGINS", raising=False)
    return folder / "evil.yaml"


def refused(game: Path, **arguments: Any) -> str:
    modules = set(sys.modules)
    with pytest.raises(farm_gym.ConfigError) as raised:
        farm_gym.make(game, **arguments)
    assert not Path("OUTSIDE").exists()
    assert not [name for name in set(sys.modules) - modules if name.startswith(("evil", "antigravity", "farm_gym_game_"))]
    return str(raised.value)


def test_a_game_runs_no_code_that_nobody_allowed(evil: Path) -> None:
    said = refused(evil)
    assert "evil.yaml:5:" in said and "found: evil_mod:X" in said, said
    assert "the game wants to run the Python code of `evil_mod:X`" in said
    assert "`allow_plugins=True`" in said and "`parts=[X]`" in said and "`FARM_GYM_ALLOW_PLUGINS=1`" in said
    # What would follow from it is not told.
    assert said.count("error[") == 1
    with pytest.raises(farm_gym.ConfigError, match="wants to run the Python code"):
        farm_gym.make_vec(evil, 2)
    with pytest.raises(farm_gym.ConfigError, match="wants to run the Python code"):
        farm_gym.testing.check_game(evil)
    assert not Path("OUTSIDE").exists()


@pytest.mark.parametrize("path", ["antigravity:X", "subprocess:Popen", "os:path", "farm_gym:Entity", "..evil_mod:X", "evil_mod", "a b:X"])
def test_no_module_is_imported_and_none_that_is_imported_is_used(evil: Path, path: str) -> None:
    refused(evil, set={f"{ENTITY}.python": path})


@pytest.mark.parametrize(
    "change",
    [
        {"score": {"python": "evil_mod:X"}},
        {"rules": {"python": "evil_mod:X"}},
        {"farmers": [{"python": "evil_mod:X"}]},
    ],
)
def test_no_kind_of_part_is_imported(evil: Path, change: dict[str, Any]) -> None:
    assert "wants to run the Python code" in refused(evil, set={ENTITY: {"Weeds": {}}, **change})


def test_a_policy_is_not_imported_either(evil: Path) -> None:
    env = farm_gym.make(evil, set={ENTITY: {"Weeds": {}}, "policies": {"mine": {"python": "evil_mod:X"}}})
    env.reset(seed=0)
    with pytest.raises(farm_gym.ConfigError, match=r"(?s)wants to run the Python code.*at policies\.mine\.python\.class"):
        env.player("mine")
    assert not Path("OUTSIDE").exists()


def test_the_caller_allows_it_by_an_argument(evil: Path) -> None:
    before = list(sys.path)
    env = farm_gym.make(evil, allow_plugins=True)
    assert Path("OUTSIDE").exists() and env.game.python_parts == ["Field-0.X-0"]
    assert sys.path == before and "evil_mod" not in sys.modules
    # What was allowed to one game is not allowed to the next.
    Path("OUTSIDE").unlink()
    refused(evil)
    with pytest.warns(farm_gym.SlowPartWarning):
        farm_gym.make_vec(evil, 2, allow_plugins=True)


@pytest.mark.parametrize(("value", "is_allowed"), [("1", True), ("0", False)])
def test_the_environment_allows_it(evil: Path, monkeypatch: pytest.MonkeyPatch, value: str, is_allowed: bool) -> None:
    monkeypatch.setenv("FARM_GYM_ALLOW_PLUGINS", value)
    if is_allowed:
        farm_gym.make(evil)
    else:
        refused(evil)


def test_the_caller_hands_a_class_over(evil: Path) -> None:
    """One that the game names, whether it can be imported or not; the file of that name is not looked at."""

    class X(farm_gym.Entity):
        """It stands within a function."""

    path = f"{X.__module__}:{X.__qualname__}"
    for name in ("X", path, X.__qualname__):
        env = farm_gym.make(evil, parts=[X], set={f"{ENTITY}.python": name})
        assert env.game.python_parts == ["Field-0.X-0"]
    assert farm_gym.make(evil, set={f"{ENTITY}.python": X}).game.python_parts == ["Field-0.X-0"]
    assert farm_gym.make(evil, set={f"{ENTITY}.python": {"class": X}}).game.python_parts == ["Field-0.X-0"]

    class Fair(farm_gym.Score):
        def reward(self, context: farm_gym.Context) -> float:
            return 0.0

    farm_gym.make("clay_bean", parts=[Fair])
    for changes in ({"set": {"score": {"python": Fair}}}, {"parts": [Fair], "set": {"score": {"python": "Fair"}}}):
        env = gymnasium.make("farm_gym/ClayBean-v2", **changes)
        assert env.unwrapped.game.python_parts == ["Fair-0"]  # type: ignore[attr-defined]
    # The name of the class alone is no path, and another class is no permission.
    assert "wants to run the Python code" in refused(evil, parts=[X])
    assert "one of `parts`: X" in refused(evil, parts=[X], set={f"{ENTITY}.python": "Y"})


def test_classes_that_cannot_be_handed_over_are_refused(evil: Path) -> None:
    def other() -> type[farm_gym.Entity]:
        class X(farm_gym.Entity):
            pass

        return X

    first, second = other(), other()
    for parts, said in [
        ([int], "is not the class of a part"),
        (first, "is a list of classes"),
        ([first, second], "two different classes are called"),
    ]:
        assert said in refused(evil, parts=parts)
    renamed = type("X", (farm_gym.Entity,), {})
    assert "several of the classes in `parts` are called `X`" in refused(evil, parts=[first, renamed], set={f"{ENTITY}.python": "X"})


def test_a_module_beside_a_game_shadows_nothing(evil: Path) -> None:
    """It is loaded beside the standard module of its name, in the place of which nobody finds it."""
    assert "colorsys" not in sys.modules
    (evil.parent / "colorsys.py").write_text((evil.parent / "evil_mod.py").read_text(encoding="utf-8"), encoding="utf-8")
    env = farm_gym.make(evil, allow_plugins=True, set={f"{ENTITY}.python": "colorsys:X"})
    assert env.game.python_parts == ["Field-0.X-0"]
    import colorsys

    assert not hasattr(colorsys, "X") and Path(str(colorsys.__file__)).parent != evil.parent


def test_modules_of_the_same_name_beside_two_games_are_two(tmp_path: Path) -> None:
    for place in ("one", "other"):
        folder = tmp_path / place
        shutil.copytree(UNTRUSTED, folder)
        (folder / "helper.py").write_text(f"NAME = {place!r}\n", encoding="utf-8")
        text = """
            import farm_gym
            from .helper import NAME

            class X(farm_gym.Entity):
                def declare(self, declarations):
                    declarations.real(f"of_{NAME}", 0.0, 1.0, "A number.")
            """
        (folder / "evil_mod.py").write_text(textwrap.dedent(text), encoding="utf-8")
        env = farm_gym.make(folder / "evil.yaml", allow_plugins=True)
        assert f"Field-0.X-0.of_{place}" in env.state()


def test_a_module_that_imports_its_neighbour_by_its_plain_name_is_told_how(tmp_path: Path) -> None:
    shutil.copytree(UNTRUSTED, tmp_path / "game")
    (tmp_path / "game" / "helper_of_evil.py").write_text("", encoding="utf-8")
    (tmp_path / "game" / "evil_mod.py").write_text("import helper_of_evil\n", encoding="utf-8")
    with pytest.raises(farm_gym.ConfigError, match="`from . import helper_of_evil`"):
        farm_gym.make(tmp_path / "game" / "evil.yaml", allow_plugins=True)


def test_what_is_allowed_goes_with_copies(evil: Path) -> None:
    class X(farm_gym.Entity):
        """It stands within a function."""

    for arguments in ({"allow_plugins": True}, {"parts": [X], "set": {f"{ENTITY}.python": "X"}}):
        env = farm_gym.make(evil, **arguments)  # type: ignore[arg-type]
        env.reset(seed=3)
        # Plain pickles know a class by its import path, which one within a function does not have.
        copied = (pickle if "allow_plugins" in arguments else cloudpickle).loads(cloudpickle.dumps(env))
        assert copied.step(0)[1] == env.step(0)[1] and copied.snapshot() == env.snapshot()
        copied.reset(seed=4, options={"set": {"rules.BasicRule.max_steps": 3}})


@pytest.mark.parametrize("context", ["fork", "spawn"])
def test_worker_processes_have_the_same_permission(evil: Path, context: str) -> None:
    code = f"""
        import farm_gym, gymnasium, warnings

        class X(farm_gym.Entity):
            pass

        if __name__ == "__main__":
            warnings.simplefilter("ignore")
            for arguments in ({{"allow_plugins": True}}, {{"parts": [X], "set": {{{f"{ENTITY}.python"!r}: "X"}}}}):
                makers = [lambda: farm_gym.make({str(evil)!r}, actions="discrete", **arguments)] * 2
                envs = gymnasium.vector.AsyncVectorEnv(makers, context={context!r})
                envs.reset(seed=1)
                print(envs.step([0, 0])[1].shape)
                envs.close()
        """
    script = evil.parent.parent / "script.py"
    script.write_text(textwrap.dedent(code), encoding="utf-8")
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False, env=dict(os.environ))
    assert done.stdout.split() == ["(2,)", "(2,)"], done.stderr
