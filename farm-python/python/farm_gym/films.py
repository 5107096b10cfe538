"""Films of episodes: GIF and MP4 files, written by the engine itself."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

import gymnasium
import numpy as np
import numpy.typing as npt

from farm_gym import _native, notebooks
from farm_gym.errors import ConfigError
from farm_gym.game import EnvArguments, picture_options
from farm_gym.playing import Playable, Policy, farm_of, opened, play
from farm_gym.signatures import Unpack

__all__ = ["Film", "Filmed", "Policy", "generate_gif", "generate_video", "save_film"]


class Filmed(NamedTuple):
    """A finished film."""

    #: The file.
    path: Path
    #: The episode's return: the sum of its rewards.
    episode_return: float

    def _repr_html_(self) -> str:
        return notebooks.film(self.path, f"return {self.episode_return:g}")


class Film:
    """A film recorded in your own loop: each call to :meth:`add` adds an environment's current state. To film a whole episode, use
    :func:`generate_gif` or :func:`generate_video`.

    >>> import farm_gym, pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> env = farm_gym.make("backwards_valley")
    >>> _ = env.reset(seed=0)
    >>> with farm_gym.Film(folder / "valley.gif") as film:
    ...     film.add(env)
    ...     for action in (0, 1, 2):
    ...         _ = env.step(action)
    ...         film.add(env)
    >>> film.frames, film.path.stat().st_size > 1000
    (4, True)

    The file is written completely when the block ends, or not at all: after an exception in the block, an existing file with this name
    stays unchanged.

    Args:
        path: The file: ``.gif`` or ``.mp4`` (H.264).
        fps: Frames per second, from 0.1 to 50.
        view: What pictures show: ``"everything"``, or ``"learner"`` for the free observations.
        size: The maximum size of a picture: ``"720p"``, ``"800x600"``, ``(800, 600)``.
        scale: A factor from 0.25 to 8.
        season: Whether pictures have a season chart below the farm.
        every: Shows one of every ``every`` added frames; None shows all, unless ``seconds`` is given.
        seconds: Maximum duration of the film in seconds, from 1 to 3600, for games with a maximum number of steps. Frames are left out to
            stay within this limit.

    Raises:
        ConfigError: The file extension or the view is unknown, or a number is invalid.
        OutputError: The folder is missing, or the path is a folder.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        fps: float = 10.0,
        view: str = "everything",
        size: str | tuple[int, int] | None = None,
        scale: float | None = None,
        season: bool = True,
        every: int | None = None,
        seconds: float | None = None,
    ) -> None:
        self.path = Path(path)
        picture = picture_options(view, {"size": size, "scale": scale, "season": season})
        every = 1 if every is None and seconds is None else every
        self._native = _native.Film(self.path, _is_gif(self.path), float(fps), picture, every, seconds)

    def _repr_html_(self) -> str:
        return notebooks.film(self.path, "a film that is not written yet" if not self.path.is_file() else self.path.name)

    def add(self, env: gymnasium.Env[Any, Any]) -> None:
        """Adds an environment's current state; the environment may be wrapped. All frames in a film must have the same size. If the farmer
        walks, pictures of its path are added between the frames.

        Raises:
            ConfigError: The environment is not a farm, or its pictures have a different size.
        """
        self._native.add(farm_of(env).native)

    @property
    def frames(self) -> int:
        """Number of frames."""
        return self._native.frames

    def save(self) -> Path:
        """Writes the file and ends the film. A ``with`` block calls this method at its end.

        Raises:
            OutputError: The file can't be written; an existing file with this name stays unchanged.
            ConfigError: The film has no frames.
        """
        self._native.finish()
        return self.path

    def __enter__(self) -> Film:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if kind is None:
            self.save()


def _is_gif(path: Path, ending: str | None = None) -> bool:
    """Whether the film at a path is a GIF and not an MP4. Without an expected extension, the path's extension decides."""
    found = path.suffix.lower()
    if ending is None:
        if found not in (".gif", ".mp4"):
            raise ConfigError(f"{path}: a film is a .gif or an .mp4")
        return found == ".gif"
    if found not in ("", ending):
        other = {".gif": "generate_gif", ".mp4": "generate_video"}.get(found)
        raise ConfigError(f"{path}: the file is of the kind {ending}" + (f"; {other} writes {found}" if other else ""))
    return ending == ".gif"


def generate_gif(
    game: Playable,
    policy: Policy | None = None,
    path: str | os.PathLike[str] = "farm.gif",
    *,
    seed: int = 0,
    fps: float = 10.0,
    view: str = "everything",
    size: str | tuple[int, int] | None = None,
    scale: float | None = None,
    season: bool = True,
    every: int | None = None,
    seconds: float | None = None,
    max_steps: int | None = None,
    **arguments: Unpack[EnvArguments],
) -> Filmed:
    """Plays an episode and saves it as a GIF film.

    >>> import farm_gym, os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "valley.gif")
    >>> film = farm_gym.generate_gif("backwards_valley", "random", path, seed=3)
    >>> film.path.name, film.episode_return
    ('valley.gif', 3.0)
    >>> film = farm_gym.generate_gif("backwards_valley", lambda observation, info: int(info["action_mask"].argmax()), path)

    Args:
        game: A game, as for :func:`farm_gym.make`, or an environment, which is reset and played. The environment may be wrapped, so a
            policy that was trained with wrappers can play.
        policy: The player: the name of one of the game's policies, a function, or a sequence of actions. None means the policy ``random``
            if the game has it, otherwise the game's first policy. A function takes the observation and info that :meth:`reset` and
            :meth:`step` return, and returns an action in ``env.action_space``. With a sequence, the film ends after the last action.
        path: The file to write; its folder must exist. It is written completely at the end of the episode, or not at all: after an
            error, an existing file stays unchanged.
        seed: Seed for the episode, and for the game's policies.
        fps: Frames per second, from 0.1 to 50.
        view: What pictures show: ``"everything"``, or ``"learner"`` for the free observations.
        size: The maximum size of a picture: ``"720p"``, ``"1080p"``, ``"1440p"``, ``"2160p"``, ``"800x600"`` or ``(800, 600)``, in pixels.
        scale: A factor from 0.25 to 8, instead of a size.
        season: Whether pictures have a season chart below the farm.
        every: Shows one of every ``every`` steps; None shows as many as fit in ``seconds``.
        seconds: Maximum duration of the film in seconds, from 1 to 3600, for games with a maximum number of steps. Steps are left out to
            stay within this limit. None means the duration of 300 frames.
        max_steps: Ends the film after this number of steps; None plays to the end.
        arguments: The same as for :func:`farm_gym.make`, if ``game`` is not an environment.

    Returns:
        The file's path and the episode's return.

    Raises:
        ConfigError: The game, the policy's name or the arguments have problems.
        OutputError: The file can't be written. A missing folder is reported before the first step, and a full disk at the end.
    """
    picture = picture_options(view, {"size": size, "scale": scale, "season": season})
    return _play(Path(path), ".gif", (fps, picture, every, seconds), game, policy, seed, max_steps, arguments)


def generate_video(
    game: Playable,
    policy: Policy | None = None,
    path: str | os.PathLike[str] = "farm.mp4",
    *,
    seed: int = 0,
    fps: float = 10.0,
    view: str = "everything",
    size: str | tuple[int, int] | None = None,
    scale: float | None = None,
    season: bool = True,
    every: int | None = None,
    seconds: float | None = None,
    max_steps: int | None = None,
    **arguments: Unpack[EnvArguments],
) -> Filmed:
    """Plays an episode and saves it as an MP4 film (H.264), which browsers can play. No other program is needed. Accepts the same arguments
    as :func:`generate_gif`.

    >>> import farm_gym, os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "valley.mp4")
    >>> farm_gym.generate_video("backwards_valley", [0, 1, 1, 2], path).episode_return
    6.0
    """
    picture = picture_options(view, {"size": size, "scale": scale, "season": season})
    return _play(Path(path), ".mp4", (fps, picture, every, seconds), game, policy, seed, max_steps, arguments)


def _play(
    path: Path,
    ending: str,
    how: tuple[float, _native.PictureOptions, int | None, float | None],
    game: Playable,
    policy: Policy | None,
    seed: int,
    max_steps: int | None,
    arguments: EnvArguments,
) -> Filmed:
    is_gif, (fps, picture, every, seconds) = _is_gif(path, ending), how
    caption = " · ".join(str(word) for word in (arguments.get("preset"), policy) if isinstance(word, str))
    film = _native.Film(path, is_gif, float(fps), picture, every, seconds, caption)
    env = opened(game, arguments)
    farm = farm_of(env)
    total = play(env, policy, seed, max_steps, lambda: film.add(farm.native))
    film.finish()
    return Filmed(path, total)


def save_film(pictures: Iterable[npt.NDArray[np.uint8]], path: str | os.PathLike[str], *, fps: float = 10.0) -> Path:
    """Writes existing pictures as a film.

    >>> import farm_gym, pathlib, tempfile
    >>> env = farm_gym.make("clay_bean", render_mode="rgb_array")
    >>> _ = env.reset(seed=0)
    >>> farm_gym.save_film([env.render(), env.render()], pathlib.Path(tempfile.mkdtemp()) / "two.mp4").name
    'two.mp4'

    Args:
        pictures: Arrays with the same shape ``(height, width, 3)`` and type ``uint8``; an MP4 requires even edges.
        path: The file: ``.gif`` or ``.mp4`` (H.264).
        fps: Frames per second, from 0.1 to 50.

    Raises:
        ConfigError: There are no pictures, or their shapes are invalid or differ.
        OutputError: The file can't be written; an existing file with this name stays unchanged.
    """
    is_gif, frames = _is_gif(Path(path)), []
    for number, picture in enumerate(pictures):
        frame = np.asarray(picture)
        if frame.dtype != np.uint8 or frame.ndim != 3:
            raise ConfigError(f"picture {number} is {frame.dtype} of shape {frame.shape}: uint8 of shape (height, width, 3) is needed")
        frames.append(frame)
    _native.save_film(Path(path), is_gif, float(fps), frames)
    return Path(path)
