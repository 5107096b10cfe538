"""The command line: ``farm-gym``, ``python -m farm_gym``, and ``farm``, the name that messages and pages have for it.

It is the program ``farm`` itself. Besides the games of that, it plays those with parts that are written in Python.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence

from farm_gym import _native


def main(words: Sequence[str] | None = None) -> int:
    """Runs the command line.

    Args:
        words: The arguments without the name of the program; None for those of this process.

    Returns:
        The exit code: 0 all went well, 1 something is wrong with a file, a name or a value, 2 the command was written wrongly.
    """
    name = os.path.basename(sys.argv[0]).removesuffix(".exe")
    own = _ControlC()
    try:
        return _native.command(list(sys.argv[1:] if words is None else words), is_short=name == "farm")
    finally:
        own.give_back()


class _ControlC:
    """Ctrl-C does what it does to the program ``farm``. Python's own handler would only make a note of it, for Python code to read."""

    def __init__(self) -> None:
        # Who starts a program in the background may have it ignore Ctrl-C, and threads can set no handlers.
        self.before = None
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            try:
                self.before = signal.signal(signal.SIGINT, signal.SIG_DFL)
            except ValueError:
                pass

    def give_back(self) -> None:
        if self.before is not None:
            signal.signal(signal.SIGINT, self.before)


if __name__ == "__main__":
    sys.exit(main())
