"""Plugins: the crate of the example, loaded into the engine of this package."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import farm_gym
from conftest import equal, repository


def built(*profile: str) -> Path:
    """The library of the example, built by cargo."""
    command = ["cargo", "build", "--quiet", "--package", "farm-plugins-example", "--message-format", "json", *profile]
    lines = subprocess.run(command, cwd=repository(), capture_output=True, text=True, check=True).stdout.splitlines()
    files = [file for line in map(json.loads, lines) for file in line.get("filenames", [])]
    return next(Path(f) for f in files if "farm_plugins_example" in f and f.endswith((".so", ".dylib", ".dll")))


def built_before() -> Path | None:
    """The library that the tests of the crates have built just now, beside the program of FARM_GYM_COMMAND."""
    if program := os.environ.get("FARM_GYM_COMMAND"):
        libraries = Path(program).parent.joinpath("deps").glob("*farm_plugins_example.*")
        return next((file for file in libraries if file.suffix in {".so", ".dylib", ".dll"}), None)
    return None


@pytest.fixture(scope="module")
def library() -> Path:
    """The library in the profile of this package; another one is refused."""
    library = built_before() or built()
    try:
        farm_gym.load_plugin(library)
    except farm_gym.ConfigError as refused:
        assert "opt-level" in str(refused)
        library = built("--release")
    return library


def run(code: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs Python in a process of its own, where nothing is loaded yet."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith("FARM_GYM_")}
    command = [sys.executable, "-c", code]
    return subprocess.run(command, env=clean | variables, capture_output=True, text=True, check=False)


GARDEN = str(repository() / "farm-plugins-example" / "games" / "slug_garden.yaml")


def test_a_plugin_is_loaded_once_and_its_game_plays(library: Path) -> None:
    plugin = farm_gym.load_plugin(library)
    assert plugin["name"] == "farm-plugins-example"
    parts = ["FairWeatherFarmer", "GardenScore", "IrrigationTank", "Ladybirds", "Mildew", "OpenRule", "RoundPolicy", "Slugs"]
    assert sorted(plugin["kinds"]) == parts
    assert farm_gym.load_plugin(str(library)) == plugin == farm_gym.plugins()["farm-plugins-example"]
    env = farm_gym.make(GARDEN)
    first, _ = env.reset(seed=1)
    again, _ = env.reset(seed=1)
    assert equal(first, again)
    for _ in range(5):
        observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
        assert env.observation_space.contains(observation)


def test_what_is_no_plugin_is_refused_with_a_remedy(tmp_path: Path) -> None:
    text = tmp_path / "text.so"
    text.write_text("no library")
    with pytest.raises(farm_gym.ConfigError, match="is not a library"):
        farm_gym.load_plugin(text)
    with pytest.raises(farm_gym.ConfigError, match="can't read the plugin(.|\n)*cargo build"):
        farm_gym.load_plugin(tmp_path / "missing")


def test_the_environment_loads_plugins_at_import(library: Path) -> None:
    done = run("import farm_gym; print(*farm_gym.plugins())", FARM_GYM_PLUGINS=str(library))
    assert done.stdout.split() == ["farm-plugins-example"], done.stderr
    done = run("import farm_gym", FARM_GYM_PLUGINS="/nowhere.so")
    assert done.returncode == 1
    assert "ConfigError" in done.stderr
    assert "/nowhere.so" in done.stderr


def test_a_game_file_loads_nothing_unless_that_is_allowed(library: Path, tmp_path: Path) -> None:
    shutil.copy(library, tmp_path)
    game = tmp_path / "game.yaml"
    game.write_text(f"plugins: [{library.name}]\n" + Path(GARDEN).read_text(encoding="utf-8"), encoding="utf-8")
    code = f"import farm_gym; farm_gym.make({str(game)!r}); print(*farm_gym.plugins())"
    refused = run(code)
    assert refused.returncode == 1
    assert "wants to load the plugin" in refused.stderr
    # In the words of Python, and not in those of the command line.
    for words in ("`farm_gym.load_plugin(", "`allow_plugins=True`", "`FARM_GYM_ALLOW_PLUGINS=1`"):
        assert words in refused.stderr, refused.stderr
    assert "--" not in refused.stderr.partition("help:")[2]
    allowed = run(code, FARM_GYM_ALLOW_PLUGINS="1")
    assert allowed.stdout.split() == ["farm-plugins-example"], allowed.stderr
    by_argument = run(code.replace("game.yaml'", "game.yaml', allow_plugins=True"))
    assert by_argument.stdout.split() == ["farm-plugins-example"], by_argument.stderr
    before = run(f"import farm_gym; farm_gym.load_plugin({str(library)!r}); " + code)
    assert before.stdout.split() == ["farm-plugins-example"], before.stderr


def test_the_command_of_the_package_loads_plugins(library: Path) -> None:
    clean = {key: value for key, value in os.environ.items() if not key.startswith("FARM_GYM_")}

    def said(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "farm_gym", *words]
        return subprocess.run(command, env=clean, capture_output=True, text=True, check=False)

    assert "Slugs" not in said("list", "entities").stdout
    assert "Slugs" in said("list", "entities", "--plugin", str(library)).stdout
    refused = said("check", GARDEN)
    assert refused.returncode == 1 and "Slugs" in refused.stdout
    played = said("--plugin", str(library), "run", GARDEN, "--episodes", "1")
    assert played.returncode == 0, played.stderr
