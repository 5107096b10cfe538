"""The progress output of a training run: on a terminal, one line that is updated in place; elsewhere, a new line every 5 s."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

__all__ = ["LiveLine"]

#: Seconds between two updates: on a terminal, and elsewhere.
_EVERY = (0.3, 5.0)


class LiveLine:
    """Prints a training run's progress to stderr, and its results to stdout.

    Args:
        game: The name of the game.
        total: Number of steps in the whole training run.
        quiet: Whether to print nothing.
    """

    def __init__(self, game: str, total: int, quiet: bool) -> None:
        self._game, self._total, self._quiet = game, total, quiet
        self._is_terminal = sys.stderr.isatty()
        self._started, self._last = time.monotonic(), 0.0
        self._references = ""

    def references(self, means: Mapping[str, float]) -> None:
        """Sets the mean returns of other policies, shown as a comparison."""
        self._references = "".join(f", {name} {mean:.1f}" for name, mean in means.items())

    def show(self, steps: int, mean: float | None) -> None:
        """Shows the progress and the mean return of the last episodes."""
        now = time.monotonic()
        if self._quiet or now - self._last < _EVERY[not self._is_terminal]:
            return
        self._last = now
        earned = "…" if mean is None else f"{mean:.1f}"
        line = f"{self._game}: {steps:,} of {self._total:,} steps, {now - self._started:.0f} s, return {earned}{self._references}"
        print(f"\r{line}\x1b[K" if self._is_terminal else line, end="" if self._is_terminal else "\n", file=sys.stderr, flush=True)

    def end(self) -> None:
        """Clears the line at the end, and prints how long the training run took."""
        if not self._quiet:
            clear = "\r\x1b[K" if self._is_terminal else ""
            print(
                f"{clear}{self._game}: {self._total:,} steps in {time.monotonic() - self._started:.0f} s{self._references}", file=sys.stderr
            )

    def earned(self, mode: str, returns: Sequence[float]) -> None:
        """Prints the mean return on unseen seeds. A single training run gives no confidence interval, because another training seed may
        learn more or less."""
        if not self._quiet:
            print(f"{mode:>8}: {sum(returns) / len(returns):.2f} on average on {len(returns)} unseen seeds")

    def file(self, name: str, path: Path) -> None:
        """Prints the path of a file."""
        if not self._quiet:
            print(f"{name:>8}: {path}")
