"""Sends the user's files to all machines: the folders that contain the files named in a command."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path, PurePath

from farm_gym.errors import ConfigError, OutputError

__all__ = ["Files", "collect", "unpack"]

#: Contents by path, relative to the current folder, with slashes.
Files = dict[str, bytes]

#: Extensions of game and study files. Code is not sent.
KINDS = (".yaml", ".yml", ".csv")
#: Options with files that are needed only on the machine that runs the command.
OF_THIS_MACHINE = ("--policy", "--out", "--checkpoint", "--plot")
MOST_BYTES, MOST_NAMES = 64 << 20, 20_000


def collect(words: Sequence[str]) -> Files:
    """Collects the YAML and CSV files in and below the folders of all YAML files in the arguments.

    Raises:
        ConfigError: A file is outside the current folder; there are too many files, or they are too large.
    """
    found: Files = {}
    total = 0
    for folder in sorted({_folder(word) for before, word in zip(["", *words], words, strict=False) if _travels(before, word)}):
        seen = 0
        for place, folders, names in os.walk(folder):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            seen += len(names) + len(folders)
            for name in sorted(names):
                path = Path(place, name)
                if path.suffix.lower() in KINDS and path.is_file():
                    content = _content(path)
                    total += len(content)
                    found[path.as_posix()] = content
            if total > MOST_BYTES or seen > MOST_NAMES:
                raise ConfigError(
                    f"{folder}: the folder of a game or a study is sent to all machines, and this one has more than "
                    f"{MOST_BYTES >> 20} MB or {MOST_NAMES} files: put the game or the study in its own folder"
                )
    return found


def _travels(before: str, word: str) -> bool:
    return before not in OF_THIS_MACHINE and word.lower().endswith((".yaml", ".yml")) and os.path.isfile(word)


def _folder(word: str) -> str:
    path = PurePath(os.path.normpath(word))
    if path.is_absolute() or ".." in path.parts:
        raise ConfigError(
            f"{word}: on a cluster, files must be in the current folder or below: start the command in the folder of this file, or above it"
        )
    return path.parent.as_posix()


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise OutputError(f"{path} can't be read: {error.strerror}") from None


def unpack(files: Files) -> Path:
    """Writes the files to a folder on this machine, shared by all processes that need the same files.

    Returns:
        The folder, which replaces the command's current folder.

    Raises:
        ConfigError: Another user owns a folder with this name.
        OutputError: A file can't be written.
    """
    digest = hashlib.sha256()
    for name, content in sorted(files.items()):
        digest.update(f"{name}\n{len(content)}\n".encode() + content)
    owner = os.getuid() if hasattr(os, "getuid") else 0
    folder = Path(tempfile.gettempdir()) / f"farm-gym-{owner}-{digest.hexdigest()[:24]}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        if hasattr(os, "getuid") and folder.stat().st_uid != owner:
            raise ConfigError(f"{folder} belongs to another user: remove it")
        for name, content in files.items():
            path = folder / name
            # The system may have removed some of them.
            if not path.is_file() or path.read_bytes() != content:
                path.parent.mkdir(parents=True, exist_ok=True)
                part = path.with_name(f"{path.name}.{os.getpid()}")
                part.write_bytes(content)
                os.replace(part, path)
    except OSError as error:
        raise OutputError(f"{error.filename or folder} can't be written: {error.strerror}") from None
    return folder
