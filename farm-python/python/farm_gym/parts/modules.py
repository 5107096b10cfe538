"""Modules next to a game file, and the names of classes in game files.

Such a module is loaded under a private name, and never replaces another module. For example, ``import json`` does not find a ``json.py``
next to a game. The game's folder is never on ``sys.path``. Modules in the same folder import each other with relative imports.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import sys
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import module_from_spec
from types import ModuleType

__all__ = ["import_path", "is_beside", "load"]

#: Prefix of the packages that represent game folders.
PREFIX = "farm_gym_game_"


def import_path(cls: type) -> str:
    """``module:Class``, the name of a class in game files. A module next to a game has its plain name here, without the private prefix."""
    module = cls.__module__
    if module.startswith(PREFIX):
        module = module.partition(".")[2]
    return f"{module}:{cls.__qualname__}"


def is_beside(name: str, folder: str) -> bool:
    """Whether a folder contains the file for a module such as ``slugs`` or ``mypkg.slugs``."""
    return _file(name, folder) is not None


def load(name: str, folder: str | None) -> ModuleType:
    """The module in a game's folder if there is one, otherwise the one in the Python environment."""
    # The file may be new.
    importlib.invalidate_caches()
    if folder is None or not is_beside(name, folder) or _is_importable(name, folder):
        return importlib.import_module(name)
    return importlib.import_module(f"{_package(folder)}.{name}")


def _file(name: str, folder: str) -> str | None:
    """The file of a module in a folder."""
    path = os.path.join(folder, *name.split("."))
    return next((file for file in (f"{path}.py", os.path.join(path, "__init__.py")) if os.path.isfile(file)), None)


def _is_importable(name: str, folder: str) -> bool:
    """Whether a plain import finds the module next to the game anyway, for example from a script in the same folder."""
    top = name.partition(".")[0]
    own = _file(top, folder)
    if top in sys.modules:
        found = getattr(sys.modules[top], "__file__", None)
    else:
        spec = PathFinder.find_spec(top)
        found = None if spec is None else spec.origin
    return own is not None and found is not None and os.path.exists(found) and os.path.samefile(own, found)


def _package(folder: str) -> str:
    """The empty package that represents a folder."""
    folder = os.path.realpath(folder)
    name = PREFIX + hashlib.blake2s(os.fsencode(folder), digest_size=8).hexdigest()
    if name not in sys.modules:
        spec = ModuleSpec(name, None, is_package=True)
        spec.submodule_search_locations = [folder]
        sys.modules[name] = module_from_spec(spec)
    return name
