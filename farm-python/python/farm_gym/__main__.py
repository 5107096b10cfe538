"""The command line. Start it as ``farm-gym``, ``python -m farm_gym``, or ``farm``, the name used in messages and documentation.

This is the same program as the ``farm`` binary, and it also plays games with parts written in Python.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Sequence

from farm_gym import _native


def main(words: Sequence[str] | None = None) -> int:
    """Runs the command line.

    Args:
        words: The arguments without the program's name; None means the arguments of this process.

    Returns:
        The exit code: 0 for success, 1 for an error in a file, a name or a value, 2 for an error in the command line.
    """
    name = os.path.basename(sys.argv[0]).removesuffix(".exe")
    own = _ControlC()
    try:
        return _native.command(list(sys.argv[1:] if words is None else words), is_short=name == "farm")
    finally:
        own.give_back()


class _ControlC:
    """Makes Ctrl-C work as in the program ``farm``. Python's own handler would only set a flag for Python code."""

    def __init__(self) -> None:
        # Background programs may ignore Ctrl-C, and only the main thread can set handlers.
        self.before = None
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            with contextlib.suppress(ValueError):
                self.before = signal.signal(signal.SIGINT, signal.SIG_DFL)

    def give_back(self) -> None:
        if self.before is not None:
            signal.signal(signal.SIGINT, self.before)


if __name__ == "__main__":
    sys.exit(main())
