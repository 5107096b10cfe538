"""Stores every finished block in one file, so that a restart plays only the missing blocks."""

from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

from farm_gym import _native
from farm_gym.errors import ConfigError, OutputError

__all__ = ["KeptBlocks", "build"]

#: The name of the file, and its first line.
FILE, HEADER = "blocks.txt", b"farm_gym.blocks/1\n"


def build() -> str:
    """A fingerprint of the program. The same build plays the same seasons."""
    digest = hashlib.sha256()
    with Path(_native.__file__).open("rb") as library:
        while chunk := library.read(1 << 20):
            digest.update(chunk)
    return digest.hexdigest()[:16]


class KeptBlocks:
    """The results of blocks, stored in a file. Each line has a block's key, its numbers, and a checksum of both.

    The key identifies the program, the game and the block. A block names its game, or its point in the study, by a fingerprint.

    Args:
        folder: The file's folder, created if missing.

    Raises:
        ConfigError: The file has another format, a line is damaged, or another command is writing to it.
        OutputError: The file can't be read or written.
    """

    def __init__(self, folder: Path) -> None:
        self.path, self._build = folder / FILE, build()
        self._places: dict[bytes, int] = {}
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._file: BinaryIO = self.path.open("a+b")
        except OSError as error:
            raise OutputError(f"{self.path} can't be opened: {error.strerror}") from None
        try:
            _lock(self._file, self.path)
            self._read()
        except OSError as error:
            self._file.close()
            raise OutputError(f"{self.path} can't be read and written: {error.strerror}") from None
        except ConfigError:
            self._file.close()
            raise

    def _read(self) -> None:
        """Reads all blocks. If the program was killed and left an incomplete last line, drops this line."""
        self._file.seek(0)
        header = self._file.readline()
        if header != HEADER:
            if not HEADER.startswith(header):
                raise ConfigError(
                    f"{self.path}:1: this is not a file of stored blocks: expected `{HEADER.decode().strip()}`; name another folder"
                )
            self._file.truncate(0)
            self._file.write(HEADER)
            self._file.flush()
            return
        number, place = 1, self._file.tell()
        while line := self._file.readline():
            number += 1
            if not line.endswith(b"\n"):
                self._file.truncate(place)
                break
            key, values = _parts(line)
            if key is None or values is None:
                raise ConfigError(
                    f"{self.path}:{number}: this line is damaged: its checksum is wrong; delete the line, and its block is played again"
                )
            self._places[key] = place
            place = self._file.tell()

    def _key(self, block: str) -> bytes:
        return hashlib.sha256(f"{self._build}\n{block}".encode()).hexdigest()[:32].encode()

    def find(self, block: str) -> bytes | None:
        """The numbers of a block, if the block was played before."""
        place = self._places.get(self._key(block))
        if place is None:
            return None
        self._file.seek(place)
        return _parts(self._file.readline())[1]

    def add(self, played: Iterable[tuple[str, bytes]]) -> None:
        """Adds blocks with their numbers. They are on disk when this returns, so they are not lost if the program is killed.

        Raises:
            OutputError: The file can't be written, for example because the disk is full.
        """
        try:
            place = self._file.seek(0, os.SEEK_END)
            lines = []
            for block, values in played:
                line = _line(self._key(block), values)
                self._places[self._key(block)] = place
                place += len(line)
                lines.append(line)
            self._file.write(b"".join(lines))
            self._file.flush()
        except OSError as error:
            raise OutputError(f"{self.path} can't be written: {error.strerror}") from None

    def close(self) -> None:
        """Closes the file with everything on disk, and unlocks it for other commands."""
        try:
            os.fsync(self._file.fileno())
            self._file.close()
        except OSError as error:
            raise OutputError(f"{self.path} can't be written: {error.strerror}") from None


def _line(key: bytes, values: bytes) -> bytes:
    content = key + b" " + base64.b64encode(values)
    return content + b" " + _checksum(content) + b"\n"


def _parts(line: bytes) -> tuple[bytes | None, bytes | None]:
    content, _, checksum = line.rstrip(b"\n").rpartition(b" ")
    key, _, values = content.partition(b" ")
    if checksum != _checksum(content):
        return None, None
    return key, base64.b64decode(values)


def _checksum(content: bytes) -> bytes:
    return hashlib.sha256(content).hexdigest()[:16].encode()


def _lock(file: BinaryIO, path: Path) -> None:
    """Locks the file, because two commands that write to one file would damage each other's lines."""
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise ConfigError(f"{path} is in use by another command: wait for its end, or name another folder with --results") from None
