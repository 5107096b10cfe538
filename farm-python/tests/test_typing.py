"""Types: the package under mypy's strictest rules, the stub of the engine against the engine."""

from __future__ import annotations

import doctest
import inspect
import pkgutil
import subprocess
import sys

import pytest

import farm_gym
from conftest import repository


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
