"""Finding classes, making objects of them, and asking these what they declare: what the engine calls.

What is wrong with a class or what it declares is a `PartError`, which the engine turns into a problem with its place in the YAML.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
import traceback
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from farm_gym.parts.bases import Entity, Farmer, Part, Policy, Rule, Score
from farm_gym.parts.builder import Builder
from farm_gym.parts.infos import game_info

__all__ = ["PartError", "declare", "make", "prepare", "rules"]

_BASES: dict[str, type] = {"entity": Entity, "farmer": Farmer, "rule": Rule, "score": Score, "policy": Policy}


class PartError(Exception):
    """Why a class can't be used as a part, with what the engine needs to tell where that stands in the YAML."""

    def __init__(self, message: str, *, found: str = "", names: Sequence[str] = (), expected: str = "", remedy: str = "") -> None:
        super().__init__(message)
        self.message, self.found, self.names, self.expected, self.remedy = message, found, list(names), expected, remedy


def _traceback(error: BaseException) -> str:
    """The traceback of an error, from the first line that is neither ours nor the import system's."""
    report = traceback.TracebackException.from_exception(error)
    own = ("<frozen importlib", os.path.dirname(__file__), importlib.__file__)
    frames = list(report.stack)
    while frames and frames[0].filename.startswith(own):
        frames.pop(0)
    report.stack = traceback.StackSummary.from_list(frames)
    return "".join(report.format()).rstrip()


@contextlib.contextmanager
def _importable(folder: str | None) -> Iterator[None]:
    """Makes the modules of a folder importable for a while."""
    if folder is not None:
        sys.path.insert(0, folder)
        # A module may have been written a moment ago.
        importlib.invalidate_caches()
    try:
        yield
    finally:
        if folder is not None:
            with contextlib.suppress(ValueError):
                sys.path.remove(folder)


def make(kind: str, path: str, arguments: dict[str, Any], folder: str | None) -> tuple[Any, list[str]]:
    """The object of the class at ``module:Class``, and which methods it has of its own.

    Raises:
        PartError: Why there is none.
    """
    folder = None if folder is None else os.path.abspath(folder)
    with _importable(folder):
        part_class = _find(kind, path, folder)
        try:
            part = part_class(**arguments)
        except Exception as error:
            given = ", ".join(f"{name}={value!r}" for name, value in arguments.items())
            raise PartError(f"`{part_class.__name__}({given})` failed: {_traceback(error)}") from error
    base = _BASES[kind]
    if isinstance(part, Part):
        object.__setattr__(part, "_is_complete", True)
    own = [name for name in dir(base) if not name.startswith("_") and getattr(part_class, name) is not getattr(base, name)]
    return part, own


def _find(kind: str, path: str, folder: str | None) -> type:
    """The class at ``module:Class``."""
    module_name, colon, class_name = path.partition(":")
    if not (module_name and colon and class_name):
        raise PartError("this is no class", found=path, expected="`module:Class`, such as `mypkg.slugs:Slugs`")
    top = module_name.partition(".")[0]
    _check_loaded(top, folder)
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module_name}.".startswith(f"{error.name}."):
            raise PartError(f"module `{module_name}` can't be imported: {_traceback(error)}") from error
        where = "in the environment of this Python" if folder is None else f"in {folder} or the environment of this Python"
        raise PartError(f"there is no module `{error.name}`", found=path, expected=f"a module {where}") from None
    except Exception as error:
        raise PartError(f"module `{module_name}` can't be imported: {_traceback(error)}") from error
    found: Any = module
    for name in class_name.split("."):
        found = getattr(found, name, None)
    base = _BASES[kind]
    if found is None:
        names = [name for name, one in vars(module).items() if isinstance(one, type) and issubclass(one, base) and one is not base]
        raise PartError(f"`{module_name}` has no class `{class_name}`", found=class_name, names=names)
    if not isinstance(found, type) or not issubclass(found, base):
        bases = [name for name, one in _BASES.items() if isinstance(found, type) and issubclass(found, one)]
        is_other = f": it is {'an' if bases[0] == 'entity' else 'a'} {bases[0]}" if bases else ""
        article = "an" if kind == "entity" else "a"
        raise PartError(
            f"`{path}` is no {kind}{is_other}", found=path, expected=f"{article} {kind}: a subclass of `farm_gym.{base.__name__}`"
        )
    return found


def _check_loaded(top: str, folder: str | None) -> None:
    """A module that is loaded already may be another than the one beside the game."""
    loaded = sys.modules.get(top)
    if folder is None or loaded is None:
        return
    beside = [os.path.join(folder, f"{top}.py"), os.path.join(folder, top, "__init__.py")]
    beside = [path for path in beside if os.path.exists(path)]
    file = getattr(loaded, "__file__", None)
    if beside and file is not None and not any(os.path.samefile(file, path) for path in beside if os.path.exists(file)):
        raise PartError(f"module `{top}` is loaded already, from {file}", found=beside[0], remedy="give one of the two another name")


def declare(part: Part, facts: dict[str, Any]) -> dict[str, Any]:
    """What a part declares.

    Raises:
        PartError: What is wrong with it.
    """
    builder = Builder(facts, type(part))
    try:
        part.declare(builder)
    except Exception as error:
        raise PartError(f"`{type(part).__name__}.declare` failed: {_traceback(error)}") from error
    return builder._declared()


def rules(rule: Rule, facts: Mapping[str, Any]) -> dict[str, Any]:
    """What a rule says.

    Raises:
        PartError: What is wrong with it.
    """
    try:
        return dict(rule.rules(game_info(facts)))
    except Exception as error:
        raise PartError(f"`{type(rule).__name__}.rules` failed: {_traceback(error)}") from error


def prepare(policy: Policy, facts: Mapping[str, Any]) -> None:
    """Readies a policy for a game.

    Raises:
        PartError: What is wrong with it.
    """
    try:
        policy.prepare(game_info(facts))
    except Exception as error:
        raise PartError(f"`{type(policy).__name__}.prepare` failed: {_traceback(error)}") from error
