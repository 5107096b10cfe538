"""Serves the game with a separate program, which implements OpenEnv without a Python server."""

import os
import sys
from pathlib import Path

GAME = "@served@"


def main() -> None:
    """Replaces this process with `farm-gym serve` and passes on all arguments."""
    beside = Path(__file__).resolve().parent.parent / GAME
    game = str(beside) if GAME.endswith(".yaml") else GAME
    os.execvp(sys.executable, [sys.executable, "-m", "farm_gym", "serve", game, "--no-playground", *sys.argv[1:]])


if __name__ == "__main__":
    main()
