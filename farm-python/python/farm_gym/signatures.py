"""Signatures of functions that pass keyword arguments to another function. Typed dictionaries describe these arguments to type checkers."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from typing import Any, TypeVar

if sys.version_info >= (3, 11):
    from typing import Unpack
else:
    # Gymnasium depends on this package.
    from typing_extensions import Unpack

__all__ = ["Unpack", "keywords_of"]

F = TypeVar("F", bound=Callable[..., Any])


def keywords_of(other: Callable[..., Any]) -> Callable[[F], F]:
    """Adds the keywords of ``other`` and their defaults to the signature of a function that passes its ``**arguments`` to ``other``. Only
    ``help`` and notebooks read this signature."""

    def sign(function: F) -> F:
        own = inspect.signature(function)
        named = [one for one in own.parameters.values() if one.kind != one.VAR_KEYWORD]
        passed = [one for one in inspect.signature(other).parameters.values() if one.name not in own.parameters]
        passed = [one for one in passed if one.kind in (one.KEYWORD_ONLY, one.VAR_KEYWORD)]
        function.__signature__ = own.replace(parameters=[*named, *passed])  # type: ignore[attr-defined]
        return function

    return sign
