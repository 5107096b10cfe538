"""Films of episodes: what is in them, whose they are, and that nothing is lost when they can't be written."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
import pytest
from imageio_ffmpeg import get_ffmpeg_exe
from PIL import Image

import farm_gym
from farm_gym.wrappers import FlatDiscreteActions, FlatObservations


def gif_frames(path: Path) -> list[npt.NDArray[np.uint8]]:
    """The frames of a GIF, by another library than ours."""
    frames = []
    with Image.open(path) as film:
        for i in range(getattr(film, "n_frames", 1)):
            film.seek(i)
            frames.append(np.asarray(film.convert("RGB")))
    return frames


def mp4_frames(path: Path, like: npt.NDArray[np.uint8]) -> tuple[str, list[npt.NDArray[np.uint8]]]:
    """What FFmpeg says of an MP4, and its frames, which must have the shape of a picture."""
    command = [get_ffmpeg_exe(), "-i", str(path), "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    done = subprocess.run(command, capture_output=True, check=True)
    return done.stderr.decode(), list(np.frombuffer(done.stdout, np.uint8).reshape(-1, *like.shape))


def played(game: str, moves: list[int], seed: int, **arguments: Any) -> tuple[list[npt.NDArray[np.uint8]], float]:
    """The pictures and the return of an episode, played by hand."""
    env = farm_gym.make(game, render_mode="rgb_array", **arguments)
    env.reset(seed=seed)
    pictures, total = [env.render()], 0.0
    for action in moves:
        total += env.step(action)[1]
        pictures.append(env.render())
    return [picture for picture in pictures if isinstance(picture, np.ndarray)], total


@pytest.mark.parametrize("view", ["everything", "learner"])
@pytest.mark.parametrize(("game", "policy"), [("clay_bean-v0", "expert"), ("backwards_valley", "random")])
def test_a_film_is_that_of_the_command_line(tmp_path: Path, game: str, policy: str, view: str) -> None:
    words = ["--episodes", "1", "--seed", "4", "--policy", policy, "--fps", "5", "--scale", "0.5", "--every", "3"]
    words += ["--gif", str(tmp_path / "a.gif"), "--mp4", str(tmp_path / "a.mp4"), *(["--learner-view"] if view == "learner" else [])]
    subprocess.run([sys.executable, "-m", "farm_gym", "run", game, *words], check=True, capture_output=True)
    how: dict[str, Any] = {"seed": 4, "fps": 5, "scale": 0.5, "every": 3, "view": view}
    farm_gym.generate_gif(game, policy, tmp_path / "b.gif", **how)
    farm_gym.generate_video(game, policy, tmp_path / "b.mp4", **how)
    assert (tmp_path / "b.gif").read_bytes() == (tmp_path / "a.gif").read_bytes()
    assert (tmp_path / "b.mp4").read_bytes() == (tmp_path / "a.mp4").read_bytes()


def test_a_gif_shows_the_pictures_of_the_episode(tmp_path: Path) -> None:
    actions = [1, 0, 3, 0, 2]
    _, total = played("clay_bean-v0", actions, 4, actions="discrete")
    film = farm_gym.generate_gif("clay_bean-v0", actions, tmp_path / "bean.gif", seed=4, fps=5, actions="discrete")
    path, returned = film
    assert (path, returned) == (tmp_path / "bean.gif", total)
    frames = gif_frames(path)
    assert len(frames) == 6
    assert all((one != other).any() for one, other in itertools.pairwise(frames)), "the head counts the steps"
    with Image.open(path) as opened:
        assert opened.info["duration"] == 200, "milliseconds of a frame"


def test_a_video_shows_the_pictures_of_the_episode(tmp_path: Path) -> None:
    actions = [0, 1, 1, 2, 0, 4, 3]
    _, total = played("backwards_valley", actions, 2)
    film = farm_gym.generate_video("backwards_valley", actions, tmp_path / "valley.mp4", seed=2, fps=4, size=(320, 320), every=1)
    assert film.episode_return == total
    gif = farm_gym.generate_gif("backwards_valley", actions, tmp_path / "valley.gif", seed=2, fps=4, size="320x320", every=1)
    pictures = gif_frames(gif.path)
    about, frames = mp4_frames(film.path, pictures[0])
    assert "h264" in about
    assert max(pictures[0].shape) in (320, 322), "as large as fits"
    assert np.abs(frames[0].astype(int) - pictures[0]).mean() < 5.0 and np.abs(frames[-1].astype(int) - pictures[-1]).mean() < 5.0


def test_steps_are_left_out_as_asked(tmp_path: Path) -> None:
    env = farm_gym.make("clay_bean-v0", actions="discrete")

    def frames(**how: Any) -> int:
        return len(gif_frames(farm_gym.generate_gif(env, [0] * 12, tmp_path / "bean.gif", **how).path))

    assert (frames(), frames(every=1), frames(every=4), frames(every=100)) == (13, 13, 4, 1)
    # At most 250 steps in ten pictures.
    assert (frames(seconds=1), frames(seconds=1, fps=50)) == (1, 3)
    assert frames(season=False) == 13
    path = tmp_path / "own.gif"
    env.reset(seed=0)
    for how, shown in [({}, 13), ({"every": 4}, 4), ({"seconds": 1}, 1)]:
        with farm_gym.Film(path, **how) as film:
            for _ in range(13):
                film.add(env)
        assert film.frames == shown


def test_every_form_of_a_policy_plays(tmp_path: Path) -> None:
    path = tmp_path / "bean.gif"
    env = farm_gym.make("clay_bean-v0", actions="discrete")
    policy = next(name for name in env.game.policies if name != "random")

    def by_name(seed: int) -> float:
        env.reset(seed=seed)
        player, total, over = env.player(policy, seed), 0.0, False
        while not over:
            _, reward, terminated, truncated, _ = env.farmgym_step(player())
            total, over = total + reward, terminated or truncated
        return total

    assert farm_gym.generate_gif(env, policy, path, seed=7).episode_return == by_name(7)
    assert len(gif_frames(path)) > 20
    asked = []

    def function(observation: dict[str, Any], info: dict[str, Any]) -> int:
        asked.append((observation["Field-0.Plant-0.stage"].shape, int(info["action_mask"].size)))
        return 0

    farm_gym.generate_gif(env, function, path, max_steps=3)
    assert len(asked) == 3 and len(gif_frames(path)) == 4
    farm_gym.generate_gif(env, iter([0, 1]), path)
    assert len(gif_frames(path)) == 3
    with pytest.raises(farm_gym.ConfigError, match="did you mean"):
        farm_gym.generate_gif(env, "randon", path)
    assert farm_gym.generate_gif(env, None, path, seed=7, max_steps=9) == farm_gym.generate_gif(env, "random", path, seed=7, max_steps=9)
    farm_gym.generate_gif(env, [0, 1], path)
    with pytest.raises(farm_gym.ConfigError, match="names no policy"):
        farm_gym.generate_gif("clay_bean-v0", path=path, set={"policies": {}})
    with pytest.raises(farm_gym.ConfigError, match="is not a policy"):
        farm_gym.generate_gif(env, 3, path)  # type: ignore[arg-type]
    assert len(gif_frames(path)) == 3, "what was written before stays"


def test_a_wrapped_environment_is_played_through_its_wrappers(tmp_path: Path) -> None:
    env = FlatDiscreteActions(FlatObservations(gymnasium.make("farm_gym/Farm0-v2")))
    seen = []

    def policy(observation: npt.NDArray[np.float32], info: dict[str, Any]) -> int:
        seen.append(env.observation_space.contains(observation))
        return 0

    film = farm_gym.generate_gif(env, policy, tmp_path / "farm.gif", max_steps=2)
    assert film.path.exists() and seen == [True, True]


def test_a_film_of_a_loop_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "two.gif"
    # Nobody walks there, whatever is drawn as an action: a way takes pictures of its own.
    env = gymnasium.make("farm_gym/ClayBean-v2")
    env.reset(seed=0)
    with farm_gym.Film(path, fps=2) as film:
        film.add(env)
        env.step(env.action_space.sample())
        film.add(env)
        assert not path.exists(), "it is written at the end"
    assert film.frames == 2 and len(gif_frames(path)) == 2
    before = path.read_bytes()
    with pytest.raises(ZeroDivisionError), farm_gym.Film(path) as film:
        film.add(env)
        raise ZeroDivisionError
    assert path.read_bytes() == before
    with pytest.raises(farm_gym.ConfigError, match="no frames"), farm_gym.Film(path):
        pass
    with pytest.raises(farm_gym.ConfigError, match="not an environment of a farm"), farm_gym.Film(path) as film:
        film.add(gymnasium.make("CartPole-v1"))
    assert path.read_bytes() == before and list(tmp_path.iterdir()) == [path]


def test_pictures_that_were_drawn_already_become_a_film(tmp_path: Path) -> None:
    pictures, _ = played("farm1-v0", [0, 0, 0], 1, actions="discrete")
    assert farm_gym.save_film(pictures, tmp_path / "a.gif", fps=5) == tmp_path / "a.gif"
    frames = gif_frames(tmp_path / "a.gif")
    assert len(frames) == 4 and np.abs(frames[2].astype(int) - pictures[2]).mean() < 1.0
    farm_gym.save_film(iter(pictures), tmp_path / "a.mp4", fps=5)
    held = 12
    assert len(mp4_frames(tmp_path / "a.mp4", pictures[0])[1]) == 3 + held
    for bad, said in [
        ([pictures[0], pictures[1][:-2]], "but the film has"),
        ([pictures[0].astype(float)], "uint8 of shape"),
        ([pictures[0][:, :, :2]], r"\(height, width, 3\)"),
        ([], "no frames"),
    ]:
        with pytest.raises(farm_gym.ConfigError, match=said):
            farm_gym.save_film(bad, tmp_path / "b.gif")
    with pytest.raises(farm_gym.ConfigError, match="even"):
        farm_gym.save_film([picture[1:] for picture in pictures], tmp_path / "b.mp4")
    assert not (tmp_path / "b.gif").exists() and not (tmp_path / "b.mp4").exists()


def test_arguments_that_make_no_sense_are_refused_before_anything_is_played(tmp_path: Path) -> None:
    env = farm_gym.make("clay_bean-v0")
    env.reset(seed=5)
    state = env.native.state_hash()
    for arguments, said in [
        ({"path": tmp_path / "a.mp4"}, "generate_video writes .mp4"),
        ({"path": tmp_path / "a.avi"}, "of the kind .gif"),
        ({"fps": 0}, "from 0.1 to 50"),
        ({"fps": float("nan")}, "from 0.1 to 50"),
        ({"view": "omniscient"}, "everything, learner"),
        ({"size": "huge"}, "`huge` is not a size: expected 720p"),
        ({"size": (10, 10)}, "edges from 64 to 8192"),
        ({"scale": 9}, "9 is not a scale from 0.25 to 8"),
        ({"scale": 2, "size": "720p"}, "a size or a scale, not both"),
        ({"every": 0}, "an integer of at least 1"),
        ({"seconds": 0.5}, "from 1 to 3600"),
        ({"seconds": 5, "every": 2}, "`every` or `seconds`, not both"),
        ({"preset": "4x3"}, "preset can't be changed"),
    ]:
        with pytest.raises(farm_gym.ConfigError, match=said):
            farm_gym.generate_gif(env, "random", **{"path": tmp_path / "a.gif", **arguments})
    assert env.native.state_hash() == state and not list(tmp_path.iterdir())


@pytest.mark.parametrize("generate", [farm_gym.generate_gif, farm_gym.generate_video])
def test_a_path_that_cannot_be_written_is_told_before_anything_is_played(tmp_path: Path, generate: Any) -> None:
    played: list[int] = []
    for path in (tmp_path / "nowhere" / "film", tmp_path):
        with pytest.raises(farm_gym.OutputError, match="can't be written") as raised:
            generate("clay_bean-v0", lambda *_: played.append(1), path)
        assert isinstance(raised.value, OSError) and isinstance(raised.value, farm_gym.FarmError)
    assert not played and not list(tmp_path.iterdir())


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no device that is always full")
def test_a_full_disk_is_told_and_the_device_stays() -> None:
    with pytest.raises(farm_gym.OutputError, match="[Nn]o space.*/dev/full"):
        farm_gym.generate_gif("clay_bean-v0", "random", "/dev/full", max_steps=2)
    assert Path("/dev/full").is_char_device()


@pytest.mark.skipif(sys.platform == "win32", reason="the limit of a process on the size of files is of POSIX")
def test_a_disk_that_becomes_full_leaves_the_film_of_before(tmp_path: Path) -> None:
    path = tmp_path / "film.gif"
    before = farm_gym.generate_gif("clay_bean-v0", "random", path, max_steps=1).path.read_bytes()
    # In a process that may not write so much into a file, which gets the same answer from the system as on a full disk.
    script = """
import resource, signal, sys, farm_gym
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    farm_gym.generate_gif("clay_bean-v0", "random", sys.argv[1], max_steps=3)
except farm_gym.OutputError as error:
    print("told", error)
"""
    done = subprocess.run([sys.executable, "-c", script, str(path)], capture_output=True, text=True, check=False)
    assert done.stdout.startswith("told") and str(path) in done.stdout, done.stdout + done.stderr
    assert path.read_bytes() == before and list(tmp_path.iterdir()) == [path]
