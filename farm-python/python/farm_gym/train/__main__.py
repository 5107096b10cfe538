"""``python -m farm_gym.train GAME --algo ppo`` trains a learner and evaluates it on seeds that it never saw."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from farm_gym.errors import FarmError
from farm_gym.train.jobs import ALGORITHMS, Wrappers, default_folder, job, need
from farm_gym.train.quick import quick, quick_games
from farm_gym.train.words import pairs, parsed

if TYPE_CHECKING:
    from farm_gym.train.running import Run

__all__ = ["checked", "command_of", "main", "parser_of", "run_of", "words_of"]

#: The options that a quick training run sets itself.
_NOT_QUICK = ("resume", "algo", "steps", "envs", "preset", "set", "tensorboard", "test_seeds", "allow_plugins")

#: Number of seeds that a quick training run evaluates on.
QUICK_EPISODES = 100

_EPILOG = """\
examples:
  python -m farm_gym.train --quick
  python -m farm_gym.train clay_bean
  python -m farm_gym.train farm0 --algo maskable-ppo --steps 100000 --seed 1
  python -m farm_gym.train full_farm --preset 4x3 --hyper gamma=0.9995 --wrapper pass_days=5
  python -m farm_gym.train clay_bean --resume

The folder holds checkpoint.*, progress.csv, curve.png, and results-sampled.json and results-greedy.json: the returns on unseen seeds with sampled
actions and with greedy actions (the most probable). `--film` adds film.gif. `--quick` trains two small games, or one of them, in less than a minute.
Exit codes: 0 success, 1 a problem in a name, value or file, 2 wrong usage.
"""


def parser_of(are_many: bool = False) -> argparse.ArgumentParser:
    """The options for one training run, or for runs with many games and seeds on a cluster. Cluster runs restart instead of resuming."""
    parser = argparse.ArgumentParser(
        "python -m farm_gym.cluster train" if are_many else "python -m farm_gym.train",
        description="Trains a learner on each game with each seed." if are_many else "Trains a learner on a game.",
        epilog=None if are_many else _EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    if are_many:
        add("games", nargs="+", metavar="GAME", help="names of the catalogue, or paths of YAML files")
        add("--seeds", type=int, default=1, metavar="N", help="number of trainings of each game, with the seeds S, S + 1, … (default: 1)")
    else:
        add("game", nargs="?", metavar="GAME", help="a name of the catalogue, or the path of a YAML file")
        add(
            "--quick",
            action="store_true",
            help=f"a short training with a film, of GAME or of {' and '.join(quick_games())}; replaces that of before",
        )
        add("--resume", action="store_true", help="resume the training in that folder")
        add("--film", action="store_true", help="write film.gif: one unseen episode, greedy actions")
    add("--algo", default="ppo", metavar="NAME", help=f"{', '.join(ALGORITHMS)} (default: ppo)")
    add("--steps", type=int, metavar="N", help="steps of all environments together")
    add("--seed", type=int, default=0, metavar="S", help="seed of the training (default: 0)")
    folder = (
        "folder in which each training has its own, GAME-ALGO-SEED (default: runs)"
        if are_many
        else "folder to write to (default: runs/GAME-ALGO-SEED)"
    )
    add("--out", type=Path, metavar="DIR", help=folder)
    add("--envs", type=int, metavar="N", help="environments that step together")
    add("--preset", metavar="NAME", help="a variant that the game names, or several: ONE+OTHER")
    add("--set", action="append", default=[], metavar="PATH=VALUE", help="change a value of the game; may be given several times")
    add("--hyper", action="append", default=[], metavar="NAME=VALUE", help="change a hyper-parameter; may be given several times")
    add("--wrapper", action="append", default=[], metavar="NAME=VALUE", help=f"{', '.join(Wrappers.__dataclass_fields__)}")
    add("--checkpoint-every", type=int, default=100_000, metavar="N", help="steps between two checkpoints (default: 100000)")
    add("--episodes", type=int, default=300, metavar="N", help="unseen seeds to evaluate on (default: 300)")
    add(
        "--test-seeds",
        action="store_true",
        help="evaluate on the published test seeds, from 1,000,000 on, in place of validation seeds, from 2,000,000 on",
    )
    add("--tensorboard", action="store_true", help="also write the progress for TensorBoard")
    add("--threads", type=int, default=1, metavar="N", help="threads of PyTorch; results repeat bit for bit with 1 (default: 1)")
    add("--allow-plugins", action="store_true", help="let the game load the code that it names")
    add("--quiet", action="store_true", help="show no progress")
    return parser


def checked(parser: argparse.ArgumentParser, words: Sequence[str] | None) -> argparse.Namespace:
    """The arguments, with every number in its range."""
    return parsed(parser, words, steps=1, envs=1, episodes=1, checkpoint_every=1, threads=1, seed=0, seeds=1)


def words_of(given: argparse.Namespace, game: str, seed: int) -> list[str]:
    """The command line for one training run (a game and a seed), from the arguments for many runs."""
    words = [game]
    usual = vars(parser_of(are_many=True).parse_args([game]))
    for name, value in vars(given).items():
        if name in ("games", "seeds", "seed", "out", "quiet") or value == usual[name]:
            continue
        option = f"--{name.replace('_', '-')}"
        if value is True:
            words.append(option)
        else:
            for one in value if isinstance(value, list) else [value]:
                words += [option, str(one)]
    return [*words, "--seed", str(seed), "--quiet"]


def command_of(words: Sequence[str]) -> str:
    """The command recorded in results."""
    return shlex.join(["python", "-m", "farm_gym.train", *words])


def run_of(given: argparse.Namespace, folder: Path | None, command: str) -> Run:
    """The training run that the arguments describe. The default folder is the one named in the arguments.

    Raises:
        ConfigError: The arguments are wrong, or the folder contains another training run.
    """
    hyper = pairs(given.hyper, "--hyper")
    hyper.update({name: getattr(given, name) for name in ("steps", "envs") if getattr(given, name) is not None})
    training = job(
        given.game,
        given.algo,
        seed=given.seed,
        preset=given.preset,
        set=pairs(given.set, "--set"),
        wrappers=pairs(given.wrapper, "--wrapper"),
        hyperparameters=hyper,
        allow_plugins=given.allow_plugins,
    )
    if given.tensorboard:
        need(("tensorboard",), "--tensorboard", "train")
    from farm_gym.train.evaluation import TEST_SEED, VALIDATION_SEED
    from farm_gym.train.running import Run

    return Run(
        training,
        folder or given.out or default_folder(training),
        resume=getattr(given, "resume", False),
        checkpoint_every=given.checkpoint_every,
        episodes=given.episodes,
        first_seed=TEST_SEED if given.test_seeds else VALIDATION_SEED,
        tensorboard=given.tensorboard,
        threads=given.threads,
        quiet=given.quiet,
        film=getattr(given, "film", False),
        command=command,
    )


def _quick(given: argparse.Namespace, command: str) -> None:
    """Runs the requested quick training runs one after the other.

    Raises:
        ConfigError: There is no quick training for the game, or an argument is wrong.
    """
    for game in [given.game] if given.game else quick_games():
        quick(
            game,
            out=given.out or Path("runs"),
            seed=given.seed,
            hyperparameters=pairs(given.hyper, "--hyper"),
            wrappers=pairs(given.wrapper, "--wrapper"),
            episodes=min(given.episodes, QUICK_EPISODES),
            threads=given.threads,
            quiet=given.quiet,
            command=command,
        )
        if not given.quiet:
            print(f"{'next':>8}: python -m farm_gym.train {game}")


def main(words: Sequence[str] | None = None) -> int:
    """Runs the command line and returns the exit code. None means the arguments of this process."""
    parser = parser_of()
    given = checked(parser, words)
    command = command_of(sys.argv[1:] if words is None else words)
    if given.quick and (unused := [name for name in _NOT_QUICK if getattr(given, name) != parser.get_default(name)]):
        parser.error(f"--quick does not go with --{unused[0].replace('_', '-')}: leave one out")
    if not given.quick and given.game is None:
        parser.error("name a game, such as clay_bean, or pass --quick")
    try:
        if given.quick:
            _quick(given, command)
        else:
            run_of(given, None, command).run()
    except FarmError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
