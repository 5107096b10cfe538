"""Trains on a cluster, with a task for each game and seed."""

from __future__ import annotations

import json
import os
import socket
import sys
import tempfile
import time
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from farm_gym.cluster.connection import connected, size
from farm_gym.cluster.files import collect
from farm_gym.cluster.tasks import Tasks, Worker
from farm_gym.errors import ConfigError, FarmError, OutputError
from farm_gym.train.__main__ import checked, command_of, parser_of, run_of, words_of

__all__ = ["train", "train_one"]

#: The files that a finished training run of `python -m farm_gym.train` has written.
RESULTS = ("results-sampled.json", "results-greedy.json")


def train_one(worker: Worker, words: list[str]) -> tuple[dict[str, bytes], str | None]:
    """Trains on a machine of the cluster.

    Returns:
        The training run's files by name, and the error message, if any.
    """
    try:
        worker.begin()
        with tempfile.TemporaryDirectory(prefix="farm-gym-training-") as place:
            folder = Path(place, "run")
            run_of(checked(parser_of(), words), folder, command_of(words)).run()
            files = sorted(path for path in folder.rglob("*") if path.is_file())
            return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}, None
    except FarmError as error:
        return {}, f"{socket.gethostname()}: {error}"
    except Exception:
        return {}, traceback.format_exc()


def train(words: Sequence[str], address: str | None, retries: int, quiet: bool) -> int:
    """Trains on each game with each seed. Finished training runs are not repeated.

    Args:
        words: The arguments of `python -m farm_gym.train`, with several games and `--seeds`.
        address: The cluster's address.
        retries: Number of restarts for a training run whose machine died.
        quiet: Whether to hide the progress.

    Returns:
        The exit code.

    Raises:
        ConfigError: A folder contains a different training run, or a training run failed. The message describes the first failure.
    """
    given = checked(parser_of(are_many=True), words)
    jobs, found = [], 0
    for game in given.games:
        for seed in range(given.seed, given.seed + given.seeds):
            own = words_of(given, game, seed)
            folder = (given.out or Path("runs")) / f"{Path(game).stem}-{given.algo}-{seed}"
            if _is_done(folder, command_of(own)):
                found += 1
            else:
                jobs.append((own, folder))
    with connected(address):
        import ray

        worker = ray.put(Worker(collect(given.games)))
        tasks = Tasks(train_one, retries, given.threads)
        waiting, done, begun, failed = list(reversed(jobs)), 0, time.monotonic(), ""
        try:
            while waiting or tasks.names():
                while waiting and tasks.has_room():
                    own, folder = waiting.pop()
                    tasks.start((own, folder), worker, own)
                for (own, folder), (files, said) in tasks.done(5.0):
                    if said is not None:
                        failed = failed or f"{command_of(own)}: {said}"
                        waiting.clear()
                        continue
                    _write(folder, files)
                    done += 1
                    if not quiet:
                        machines, cores = size()
                        kept = f", {found} of them from earlier runs" if found else ""
                        print(
                            f"trainings: {found + done} of {found + len(jobs)}{kept}; {folder}; {time.monotonic() - begun:.0f} s on {machines} machines with {cores} cores",
                            file=sys.stderr,
                        )
        finally:
            tasks.cancel()
    if failed:
        raise ConfigError(failed)
    return 0


def _is_done(folder: Path, command: str) -> bool:
    """Whether a folder contains this training run's results."""
    if not folder.exists():
        return False
    for name in RESULTS:
        path = folder / name
        try:
            document: Any = json.loads(path.read_text(encoding="utf-8"))
            made_by = document["made_by"]["command"]
        except (OSError, ValueError, KeyError, TypeError):
            made_by = "an unfinished training"
        if made_by != command:
            raise ConfigError(f"{path} is of {made_by}, and {command} was asked for: --out names another folder, or remove this one")
    return True


def _write(folder: Path, files: dict[str, bytes]) -> None:
    """Writes a training run's folder, completely or not at all."""
    part = folder.with_name(folder.name + ".part")
    try:
        for name, content in files.items():
            path = part / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        os.replace(part, folder)
    except OSError as error:
        raise OutputError(f"{folder} can't be written: {error.strerror}") from None
