"""``python -m farm_gym.cluster study|tune|train …``: runs a command on a Ray cluster."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from farm_gym import _native
from farm_gym.cluster.playing import ClusterPlayer, runs_code
from farm_gym.cluster.training import train
from farm_gym.errors import FarmError

__all__ = ["main"]

_EPILOG = """\
examples:
  python -m farm_gym.cluster study figure_8 --seeds 10000
  python -m farm_gym.cluster --address 10.0.0.1:6379 tune clay_bean --policy my_policy.yaml --budget 200000 --out tuned.yaml
  python -m farm_gym.cluster --address auto train clay_bean farm0 --algo ppo --seeds 5

`study` and `tune` take all arguments of `farm study` and `farm tune`; they print and write the same bytes. `train` takes the arguments of
`python -m farm_gym.train`, but several games, and --seeds instead of --seed. Exit codes: 0 success, 1 a problem, 2 wrong usage, 130 Ctrl-C.
"""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "python -m farm_gym.cluster",
        description="Run studies, tunings and trainings on a Ray cluster.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add = parser.add_argument
    add(
        "--address",
        metavar="HOST:PORT",
        help="the head of the cluster, or `auto` for the one on this machine (default: $RAY_ADDRESS, or all cores of this machine)",
    )
    add(
        "--results",
        type=Path,
        default=Path("runs/cluster"),
        metavar="DIR",
        help="folder that stores every finished block (default: runs/cluster)",
    )
    add("--no-results", action="store_true", help="store no blocks")
    add("--block-retries", type=int, default=5, metavar="N", help="retries of a task whose machine died (default: 5)")
    add("--quiet", action="store_true", help="show no progress")
    add("command", choices=["study", "tune", "train"], help="the command to run")
    add("words", nargs=argparse.REMAINDER, metavar="…", help="the arguments of the command")
    return parser


def main(words: Sequence[str] | None = None) -> int:
    """Runs the command line and returns the exit code. None means the arguments of this process."""
    parser = _parser()
    given = parser.parse_args(words)
    if given.block_retries < 0:
        parser.error(f"--block-retries is {given.block_retries}: at least 0 is needed")
    try:
        if given.command == "train":
            return train(given.words, given.address, given.block_retries, given.quiet)
        return _play([given.command, *given.words], given)
    except FarmError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("error: interrupted", file=sys.stderr)
        return 130


def _play(words: list[str], given: argparse.Namespace) -> int:
    if any(word in ("--help", "-h") for word in words):
        return _native.command(words, is_short=False)
    folder = given.results
    if given.no_results or runs_code(words):
        folder = None
        print("blocks are not stored" + ("" if given.no_results else ": changes to the code of plugins can't be detected"), file=sys.stderr)
    with ClusterPlayer(words, given.address, folder, given.block_retries, given.quiet) as player:
        code = _native.command(words, is_short=False, elsewhere=player)
        return 130 if player.is_interrupted else code


if __name__ == "__main__":
    sys.exit(main())
