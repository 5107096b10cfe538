"""Functions that the engine calls: they find classes, instantiate them and run their `declare` and `bind`.

A defect in a class or its declarations is a `PartProblem`; the engine turns it into a problem with its location in the YAML.
"""

from __future__ import annotations

import importlib
import os
import traceback
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

from farm_gym.errors import ConfigError, PartWarning
from farm_gym.parts.bases import BASES, Part, Policy, Rule
from farm_gym.parts.completeness import lacking, unused
from farm_gym.parts.declarations import Declarations, LooksAtOthers
from farm_gym.parts.infos import found, game_info
from farm_gym.parts.modules import import_path, is_beside, load

__all__ = ["PartProblem", "bind", "check_classes", "declare", "make", "prepare", "rules"]


class PartProblem(Exception):
    """The exception for a class that can't be used as a part. It has the data that the engine needs to find the class in the YAML."""

    def __init__(self, message: str, *, found: str = "", names: Sequence[str] = (), expected: str = "", remedy: str = "") -> None:
        super().__init__(message)
        self.message, self.found, self.names, self.expected, self.remedy = message, found, list(names), expected, remedy


def _traceback(error: BaseException) -> str:
    """An error's traceback, without the leading frames from this package and the import system."""
    report = traceback.TracebackException.from_exception(error)
    own = ("<frozen importlib", os.path.dirname(__file__), importlib.__file__)
    frames = list(report.stack)
    while frames and frames[0].filename.startswith(own):
        frames.pop(0)
    report.stack = traceback.StackSummary.from_list(frames)
    return "".join(report.format()).rstrip()


def check_classes(classes: Sequence[type]) -> list[type]:
    """The classes that a caller passes, without duplicates.

    Raises:
        ConfigError: An object is not a part class, or a game could not distinguish two classes.
    """
    if isinstance(classes, type) or not isinstance(classes, Sequence):
        raise ConfigError(f"`parts` is a list of classes, such as `parts=[Slugs]`; found: {classes!r}")
    known: dict[str, type] = {}
    for one in classes:
        if not isinstance(one, type) or not issubclass(one, tuple(BASES.values())):
            bases = ", ".join(f"`farm_gym.{base.__name__}`" for base in BASES.values())
            raise ConfigError(f"{one!r} is not the class of a part: expected a subclass of {bases}")
        if known.setdefault(import_path(one), one) is not one:
            raise ConfigError(f"two different classes are called `{import_path(one)}`: give one of them another name")
    return list(known.values())


def make(
    kind: str, path: str, arguments: dict[str, Any], folder: str | None, allowed: tuple[bool, Sequence[type]]
) -> tuple[Any, list[str]]:
    """Creates an object of the class that a game names, and lists the methods that the class overrides.

    Args:
        kind: The kind of part, a key of ``BASES``.
        path: ``module:Class``, or the name of a class that the caller passed.
        arguments: The constructor's arguments.
        folder: The game file's folder.
        allowed: Whether the game may import any class, and which classes the caller passed.

    Raises:
        PartProblem: The class is not allowed, not found or invalid, or its constructor failed.
    """
    part_class = _find(kind, path, folder, *allowed)
    try:
        part = part_class(**arguments)
    except Exception as error:
        given = ", ".join(f"{name}={value!r}" for name, value in arguments.items())
        raise PartProblem(f"`{part_class.__name__}({given})` failed: {_traceback(error)}") from error
    base = BASES[kind]
    own = [name for name in dir(base) if not name.startswith("_") and getattr(part_class, name) is not getattr(base, name)]
    return part, own


def _find(kind: str, path: str, folder: str | None, is_any_allowed: bool, classes: Sequence[type]) -> type:
    """Finds the class that a game names. Nothing is imported unless the caller allows it."""
    handed_over = [one for one in classes if path in (import_path(one), one.__qualname__, one.__name__)]
    if len(handed_over) > 1:
        names = [import_path(one) for one in handed_over]
        raise PartProblem(f"several of the classes in `parts` are called `{path}`", found=path, expected=f"one of {', '.join(names)}")
    if handed_over:
        found: Any = handed_over[0]
    else:
        module_name, colon, class_name = path.partition(":")
        words = [*module_name.split("."), *class_name.split(".")]
        if not colon or not all(word.isidentifier() or word == "<locals>" for word in words):
            known = f", or one of `parts`: {', '.join(one.__name__ for one in classes)}" if classes else ""
            raise PartProblem("this is not a valid class", found=path, expected=f"`module:Class`, such as `mypkg.slugs:Slugs`{known}")
        if not is_any_allowed:
            class_name = class_name.rpartition(".")[2]
            raise PartProblem(
                f"the game wants to run the Python code of `{path}`",
                found=path,
                remedy=f"if you trust it: `allow_plugins=True`, or pass the class, `parts=[{class_name}]`; on the command line "
                "`--allow-plugins`; the environment variable `FARM_GYM_ALLOW_PLUGINS=1` allows it for every game",
            )
        found = _imported(kind, path, module_name, class_name, folder)
    base = BASES[kind]
    if not isinstance(found, type) or not issubclass(found, base):
        bases = [name for name, one in BASES.items() if isinstance(found, type) and issubclass(found, one)]
        is_other = f": it is {'an' if bases[0] == 'entity' else 'a'} {bases[0]}" if bases else ""
        article = "an" if kind == "entity" else "a"
        raise PartProblem(
            f"`{path}` is not {article} {kind}{is_other}",
            found=path,
            expected=f"{article} {kind}: a subclass of `farm_gym.{base.__name__}`",
        )
    return found


def _imported(kind: str, path: str, module_name: str, class_name: str, folder: str | None) -> Any:
    """The object that an import path names."""
    try:
        module = load(module_name, folder)
    except ModuleNotFoundError as error:
        name = error.name or ""
        if folder is not None and is_beside(name, folder):
            remedy = f"modules next to a game file import each other relatively: `from . import {name}`"
            raise PartProblem(f"module `{module_name}` can't be imported: {_traceback(error)}", remedy=remedy) from error
        if not name or not f"{module_name}.".startswith(f"{name}."):
            raise PartProblem(f"module `{module_name}` can't be imported: {_traceback(error)}") from error
        where = "in the environment of this Python" if folder is None else f"in {os.path.abspath(folder)} or the environment of this Python"
        raise PartProblem(f"there is no module `{name}`", found=path, expected=f"a module {where}") from None
    except Exception as error:
        raise PartProblem(f"module `{module_name}` can't be imported: {_traceback(error)}") from error
    found: Any = module
    for name in class_name.split("."):
        found = getattr(found, name, None)
    if found is None:
        base = BASES[kind]
        names = [name for name, one in vars(module).items() if isinstance(one, type) and issubclass(one, base) and one is not base]
        raise PartProblem(f"`{module_name}` has no class `{class_name}`", found=class_name, names=names)
    return found


def declare(part: Part, facts: Mapping[str, Any]) -> dict[str, Any] | None:
    """The declarations of a part. None if it looks at the other parts and the facts do not include them: it must then declare again.

    Raises:
        PartProblem: The result is invalid.
    """
    declarations = Declarations(facts, type(part))
    name = type(part).__name__
    try:
        part.declare(declarations)
    except LooksAtOthers:
        return None
    except Exception as error:
        raise PartProblem(f"`{name}.declare` failed: {_traceback(error)}") from error
    declared = declarations._declared()
    if lacks := lacking(part, declared):
        raise PartProblem(f"`{name}` {lacks[0]}")
    declared["remarks"] = [f"`{name}` {remark}" for remark in unused(part, declared)]
    for remark in declared["remarks"]:
        # The call stack: the engine, `open_game`, the environment, `make`.
        warnings.warn(remark, PartWarning, stacklevel=5)
    return declared


def bind(part: Part, facts: Mapping[str, Any]) -> None:
    """Binds a part. From then on, its attributes are fixed.

    Raises:
        PartProblem: Its `bind` failed.
    """
    try:
        part.bind(found(facts))
    except Exception as error:
        raise PartProblem(f"`{type(part).__name__}.bind` failed: {_traceback(error)}") from error
    object.__setattr__(part, "_is_bound", True)


def rules(rule: Rule, facts: Mapping[str, Any]) -> dict[str, Any]:
    """The rules that a `Rule` returns.

    Raises:
        PartProblem: The result is invalid.
    """
    try:
        return dict(rule.rules(game_info(facts)))
    except Exception as error:
        raise PartProblem(f"`{type(rule).__name__}.rules` failed: {_traceback(error)}") from error


def prepare(policy: Policy, facts: Mapping[str, Any]) -> None:
    """Prepares a policy for a game.

    Raises:
        PartProblem: Its `prepare` failed.
    """
    if lacks := lacking(policy, {}):
        raise PartProblem(f"`{type(policy).__name__}` {lacks[0]}")
    try:
        policy.prepare(game_info(facts))
    except Exception as error:
        raise PartProblem(f"`{type(policy).__name__}.prepare` failed: {_traceback(error)}") from error
