"""Plays the blocks of a study or a tuning run on a cluster."""

from __future__ import annotations

import os
import socket
import sys
import time
import traceback
from collections.abc import Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

from farm_gym import _native
from farm_gym.cluster.connection import connected, size
from farm_gym.cluster.files import collect
from farm_gym.cluster.kept import KeptBlocks
from farm_gym.cluster.tasks import AHEAD, Tasks, Worker
from farm_gym.errors import ConfigError, FarmError

__all__ = ["ClusterPlayer", "play_blocks", "runs_code"]

#: Target duration of a task in seconds: long enough that starting a task costs little, short enough that a dead machine loses little.
TASK_SECONDS = 0.5
#: Seconds between two lines of progress.
SHOWN_EVERY = 2.0

#: The player of the last command in this process.
_player: tuple[tuple[str, ...], Any] | None = None


def play_blocks(worker: Worker, words: tuple[str, ...], blocks: list[str]) -> tuple[list[bytes], str | None, float]:
    """Plays blocks on a machine of the cluster.

    Returns:
        The numbers of the blocks before the first failure, the failure message, and the time taken in seconds.
    """
    global _player
    begun = time.perf_counter()
    played: list[bytes] = []
    if _player is None or _player[0] != words:
        try:
            worker.begin()
        except FarmError as error:
            return played, f"error: {socket.gethostname()}: {error}", 0.0
    try:
        if _player is None or _player[0] != words:
            _player = words, _native.BlockPlayer(list(words), is_short=False)
        for block in blocks:
            played.append(_player[1].play(block))
    except ConfigError as error:
        return played, str(error), 0.0
    except Exception:
        # The error is in a part written in Python; the traceback names its file and line.
        return played, traceback.format_exc(), 0.0
    return played, None, time.perf_counter() - begun


class _Failed(ConfigError):
    """A block failed; the command prints this message unchanged."""


class ClusterPlayer:
    """Plays blocks on the cluster; `_native.command` calls it. The player joins the cluster at the first missing block, and stays until it
    is closed.

    Args:
        words: The command line for the blocks.
        address: The cluster's address, as for :func:`farm_gym.cluster.connection.connected`.
        folder: The folder for stored results; None stores no results.
        retries: Number of retries for a task whose machine died.
        quiet: Whether to hide the progress.
    """

    def __init__(self, words: Sequence[str], address: str | None, folder: Path | None, retries: int, quiet: bool) -> None:
        self._words, self._address, self._folder, self._retries, self._quiet = tuple(words), address, folder, retries, quiet
        self._open = ExitStack()
        self._kept: KeptBlocks | None = None
        self._worker: Any = None
        #: Whether Ctrl-C ended it.
        self.is_interrupted = False

    def __enter__(self) -> ClusterPlayer:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def __call__(self, blocks: list[str]) -> list[bytes]:
        """Plays blocks.

        Returns:
            The numbers of each block.

        Raises:
            ConfigError: A block failed, or the cluster can't play. The message to print is the first failed block's error, or the reason
                why the cluster can't play.
        """
        results: list[bytes | None] = [None] * len(blocks)
        try:
            self._play(blocks, results)
        except KeyboardInterrupt:
            self.is_interrupted = True
            kept = f"{self._kept.path} stores them, and the same command resumes" if self._kept is not None else "none of them is stored"
            done = sum(result is not None for result in results)
            raise ConfigError(f"error: interrupted: {done} of {len(blocks)} blocks are played; {kept}") from None
        except _Failed:
            raise
        except FarmError as error:
            raise ConfigError(f"error: {error}") from None
        return [result for result in results if result is not None]

    def _join(self) -> None:
        worker = Worker(collect(self._words))
        self._open.enter_context(connected(self._address))
        import ray

        # Sent once, not with each task.
        self._worker = ray.put(worker)

    def _play(self, blocks: list[str], results: list[bytes | None]) -> None:
        """Adds the blocks' numbers to the results: first the stored ones, then the others."""
        if self._folder is not None:
            if self._kept is None:
                self._kept = self._open.enter_context(closing(KeptBlocks(self._folder)))
            results[:] = map(self._kept.find, blocks)
        missing = [index for index, result in enumerate(results) if result is None]
        if missing and self._worker is None:
            self._join()
        progress = _Progress(len(blocks), len(blocks) - len(missing), self._quiet)
        if not missing:
            progress.show(is_end=True)
            return
        tasks = Tasks(play_blocks, self._retries)
        try:
            self._play_missing(blocks, missing, results, tasks, progress)
        finally:
            tasks.cancel()
            progress.show(is_end=True)

    def _play_missing(self, blocks: list[str], missing: list[int], results: list[bytes | None], tasks: Tasks, progress: _Progress) -> None:
        following, at_once, failed = 0, 1, (len(blocks), "")
        while following < len(missing) or tasks.names():
            while following < len(missing) and tasks.has_room():
                # The number of blocks shrinks towards the end, so that all cores share the last ones.
                share = (len(missing) - following) // (AHEAD * max(1, tasks.capacity))
                chosen = missing[following : following + max(1, min(at_once, share))]
                following += len(chosen)
                tasks.start(chosen, self._worker, self._words, [blocks[index] for index in chosen])
            for chosen, (played, said, seconds) in tasks.done(SHOWN_EVERY):
                done = chosen[: len(played)]
                for index, values in zip(done, played, strict=True):
                    results[index] = values
                if self._kept is not None:
                    self._kept.add((blocks[index], values) for index, values in zip(done, played, strict=True))
                progress.add(len(done), sum(map(len, played)) // 8)
                if said is not None:
                    # Later blocks no longer matter; all earlier ones are under way or done.
                    failed = min(failed, (chosen[len(played)], said))
                    following = len(missing)
                elif seconds > 0.0:
                    at_once = max(1, int(TASK_SECONDS * len(played) / seconds))
            if failed[1] and all(chosen[0] > failed[0] for chosen in tasks.names()):
                raise _Failed(failed[1])
            progress.show()


class _Progress:
    """Shows the progress on standard error."""

    def __init__(self, blocks: int, found: int, quiet: bool) -> None:
        self._of, self._done, self._found, self._quiet = blocks, found, found, quiet
        self._seasons, self._begun, self._shown = 0, time.monotonic(), time.monotonic()

    def add(self, blocks: int, seasons: int) -> None:
        self._done += blocks
        self._seasons += seasons

    def show(self, is_end: bool = False) -> None:
        now = time.monotonic()
        if self._quiet or (not is_end and now - self._shown < SHOWN_EVERY):
            return
        self._shown = now
        line = f"blocks: {self._done:,} of {self._of:,}"
        if self._found:
            line += f", {self._found:,} of them from earlier runs"
        if self._found < self._of:
            machines, cores = size()
            line += f"; {self._seasons / max(now - self._begun, 1e-9):,.0f} seasons/s on {machines} machines with {cores} cores"
        print(line, file=sys.stderr, flush=True)


def runs_code(words: Sequence[str]) -> bool:
    """Whether a command may play parts whose code is not covered by any fingerprint."""
    return any(word.startswith(("--allow-plugins", "--plugin")) for word in words) or any(
        os.environ.get(name) for name in ("FARM_GYM_ALLOW_PLUGINS", "FARM_GYM_PLUGINS")
    )
