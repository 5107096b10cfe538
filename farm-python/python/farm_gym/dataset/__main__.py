"""``python -m farm_gym.dataset GAME --policy expert --episodes 100 --out DIR``: plays and writes a documented Minari data set."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from farm_gym.dataset.writing import Plan, write_dataset
from farm_gym.errors import FarmError
from farm_gym.train.jobs import need
from farm_gym.train.words import pairs, parsed

__all__ = ["main"]

_EPILOG = """\
examples:
  python -m farm_gym.dataset clay_bean --policy expert --episodes 100
  python -m farm_gym.dataset clay_bean --policy expert --epsilon 0.1 --episodes 500 --out data/clay_bean
  python -m farm_gym.dataset clay_bean --policy runs/clay_bean-ppo-0 --episodes 500

POLICY is `random` (each possible action with equal probability), a deterministic policy of the game, or the folder of a training. Exit
codes: 0 success, 1 a problem in a name, value or file, 2 wrong usage.
"""


def main(words: Sequence[str] | None = None) -> int:
    """Runs the command line and returns the exit code. None means the arguments of this process."""
    parser = argparse.ArgumentParser(
        "python -m farm_gym.dataset",
        description="Make a data set of episodes.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("game", metavar="GAME", help="a name from the catalogue, or the path of a YAML file")
    add("--policy", default="expert", metavar="POLICY", help="the policy that plays (default: expert)")
    add("--epsilon", type=float, default=0.0, metavar="P", help="probability of a random action instead (default: 0)")
    add("--episodes", type=int, default=100, metavar="N", help="number of episodes (default: 100)")
    add("--seed", type=int, default=0, metavar="S", help="seed of the first episode; later episodes have the following seeds (default: 0)")
    add("--out", type=Path, metavar="DIR", help="folder to write (default: datasets/ID)")
    add("--preset", metavar="NAME", help="a variant that the game names, or several: ONE+OTHER")
    add("--set", action="append", default=[], metavar="PATH=VALUE", help="change a value of the game; may be given several times")
    add("--reference-episodes", type=int, default=100, metavar="N", help="unseen seeds for the reference scores (default: 100)")
    given = parsed(parser, words, episodes=1, seed=0, reference_episodes=1)
    try:
        need(("minari", "h5py"), "a data set", "data")
        plan = Plan(
            given.game,
            given.policy,
            given.epsilon,
            given.episodes,
            given.seed,
            given.preset,
            pairs(given.set, "--set"),
            given.reference_episodes,
        )
        folder = given.out or Path("datasets") / plan.dataset_id()
        told = write_dataset(plan, folder)
    except FarmError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print(f"{folder}: {told['episodes']} episodes, {told['steps']:,} steps, mean return {told['mean_return']:.3f}")
    print(f"reference scores: {told['ref_min_score']:.3f} … {told['ref_max_score']:.3f}")
    if told["problems"]:
        print("error: mlcroissant finds: " + "\n".join(told["problems"]), file=sys.stderr)
        return 1
    print("croissant.json: " + ("not validated: mlcroissant is not installed" if told["problems"] is None else "valid"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
