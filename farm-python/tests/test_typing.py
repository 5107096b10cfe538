"""Types: the package under mypy's strictest rules, the stub of the engine against the engine."""

from __future__ import annotations

import ast
import doctest
import inspect
import json
import pkgutil
import subprocess
import sys
from collections.abc import Callable

import pytest

import farm_gym
import farm_gym.text
from conftest import repository
from farm_gym import _native, game, testing
from farm_gym.parts import declarations


@pytest.mark.parametrize("command", [["mypy"], ["mypy.stubtest", "farm_gym._native"]], ids=" ".join)
def test_types(command: list[str]) -> None:
    done = subprocess.run([sys.executable, "-m", *command], cwd=repository(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def modules() -> list[str]:
    return [module.name for module in pkgutil.iter_modules(farm_gym.__path__, "farm_gym.")]


def test_everything_public_is_documented() -> None:
    missing = []
    for name in ("farm_gym", *modules()):
        if name.endswith("._native"):
            continue
        module = __import__(name, fromlist=["_"])
        for public in getattr(module, "__all__", ()):
            thing = getattr(module, public)
            if inspect.isclass(thing) and thing.__module__.startswith("farm_gym"):
                members = [(f"{public}.{key}", value) for key, value in vars(thing).items() if not key.startswith("_")]
                missing += [key for key, value in members if callable(value) and not inspect.getdoc(value)]
            if (inspect.isclass(thing) or inspect.isfunction(thing)) and not inspect.getdoc(thing):
                missing.append(f"{name}.{public}")
    assert not missing


def test_examples_of_the_documentation_run() -> None:
    attempted = 0
    for name in ("farm_gym", *modules()):
        result = doctest.testmod(__import__(name, fromlist=["_"]))
        assert not result.failed, name
        attempted += result.attempted
    assert attempted > 5


def keywords(function: object) -> set[str]:
    """The keyword arguments in the signature that `help` shows."""
    return {one.name for one in inspect.signature(function).parameters.values() if one.kind == one.KEYWORD_ONLY}  # type: ignore[arg-type]


def test_signatures_show_the_arguments_that_type_checkers_know() -> None:
    opens, plays = set(game.GameArguments.__annotations__), set(game.EnvArguments.__annotations__) - set(game.GameChanges.__annotations__)
    schema = json.loads((repository() / "schemas" / "game.schema.json").read_text(encoding="utf-8"))
    # A file can extend another game, and a file of the reference has two more keys.
    file = set(schema["properties"]) - {"extends", "preset", "changes", "init", "actions"}
    assert set(game.GameChanges.__annotations__) - opens == file
    assert keywords(game.open_game) == opens
    assert keywords(farm_gym.make) == keywords(farm_gym.FarmEnv) == opens | plays
    many = set(game.VectorArguments.__annotations__) - file
    assert keywords(farm_gym.make_vec) == keywords(farm_gym.FarmVectorEnv) == many
    assert keywords(farm_gym.text.make) == opens | {"form", "rules", "episodes", "scores"}
    for check in (testing.check_entity, testing.check_farmer, testing.check_score):
        assert keywords(check) == set(testing.CheckArguments.__annotations__)
    for variable in (farm_gym.Declarations.real, farm_gym.Declarations.count, farm_gym.Declarations.category, farm_gym.Declarations.flag):
        assert keywords(variable) == {"default", *declarations.VariableArguments.__annotations__}
    assert inspect.signature(farm_gym.make).parameters["actions"].default == "auto"


@pytest.mark.parametrize("make", [farm_gym.make, farm_gym.make_vec, farm_gym.text.make, farm_gym.generate_report, testing.check_game])
def test_an_unknown_argument_is_refused_with_the_nearest_name(make: Callable[..., object]) -> None:
    with pytest.raises(farm_gym.ConfigError, match=r"unknown parameter `prest`\n(.*\n)*.*did you mean `preset`\?"):
        make("clay_bean", prest="4x3")


def test_limits_and_phases_are_those_of_the_engine() -> None:
    """The declarations read them: none of them is typed again, except in the table of its documentation."""
    limits = {_native.MAX_EVENTS_PER_STEP, _native.MAX_LABELS, _native.MAX_VALUES}
    values = [node.value for node in ast.walk(ast.parse(inspect.getsource(declarations))) if isinstance(node, ast.Constant)]
    assert not limits.intersection(value for value in values if isinstance(value, int))
    assert not set(_native.PHASES).intersection(value for value in values if isinstance(value, str))
    table = inspect.getdoc(farm_gym.Declarations.runs_in) or ""
    assert tuple(line.split("``")[1] for line in table.splitlines() if line.startswith("``")) == _native.PHASES
