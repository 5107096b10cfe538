"""Gymnasium's own wrappers for pictures and films, on single and on vector environments."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from imageio_ffmpeg import get_ffmpeg_exe

import farm_gym

#: Moviepy leaves closing FFmpeg's pipes to the garbage collector.
leaves_pipes = pytest.mark.filterwarnings(
    "ignore::pytest.PytestUnraisableExceptionWarning", "ignore::ResourceWarning", "ignore::DeprecationWarning"
)


def video_frames(path: Path, width: int, height: int) -> npt.NDArray[np.uint8]:
    command = [get_ffmpeg_exe(), "-v", "error", "-i", str(path), "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    done = subprocess.run(command, capture_output=True, check=True)
    return np.frombuffer(done.stdout, np.uint8).reshape(-1, height, width, 3)


def near(frame: npt.NDArray[np.uint8], picture: npt.NDArray[np.uint8]) -> bool:
    """Whether a frame is this picture, but for what the encoder took."""
    return bool(np.abs(frame.astype(int) - picture).mean() < 4.0)


def test_the_pace_of_films_is_that_of_the_metadata() -> None:
    for make in (gymnasium.make, gymnasium.make_vec):
        env = make("farm_gym/ClayBean-v2", render_mode="rgb_array")
        assert env.metadata["render_fps"] == 10


@pytest.mark.parametrize("mode", [None, "ansi", "rgb_array"])
def test_gymnasiums_checker_finds_nothing_in_any_mode(mode: str | None) -> None:
    check_env(gymnasium.make("farm_gym/FullFarm-v2", render_mode=mode, render_view="learner").unwrapped)


@leaves_pipes
def test_record_video(tmp_path: Path) -> None:
    env = gymnasium.make("farm_gym/BackwardsValley-v0", render_mode="rgb_array")
    recorder = gymnasium.wrappers.RecordVideo(env, str(tmp_path / "films"), episode_trigger=lambda episode: episode == 0)
    recorder.reset(seed=3)
    pictures = [env.unwrapped.picture()]
    for action in (0, 1, 1, 0):
        recorder.step(action)
        pictures.append(env.unwrapped.picture())
    recorder.reset(seed=4)
    recorder.close()
    height, width, _ = pictures[0].shape
    frames = video_frames(tmp_path / "films" / "rl-video-episode-0.mp4", width, height)
    assert len(frames) == len(pictures)
    assert all(near(frame, picture) for frame, picture in zip(frames, pictures, strict=True))


@leaves_pipes
def test_record_video_of_a_vector_environment(tmp_path: Path) -> None:
    envs = gymnasium.make_vec(
        "farm_gym/BackwardsValley-v0", 4, vectorization_mode="vector_entry_point", render_mode="rgb_array", num_threads=1
    )
    recorder = gymnasium.wrappers.vector.RecordVideo(envs, str(tmp_path / "films"), step_trigger=lambda step: step == 0, video_length=3)
    recorder.reset(seed=0)
    pictures = [envs.render()]
    for _ in range(5):
        recorder.step(np.ones(4, np.int64))
        pictures.append(envs.render())
    recorder.close()
    (film,) = (tmp_path / "films").glob("*.mp4")
    height, width, _ = pictures[0][0].shape
    frames = video_frames(film, 2 * width, 2 * height)
    assert len(frames) >= 3
    for step, frame in enumerate(frames, start=1):
        assert near(frame[:height, :width], pictures[step][0]) and near(frame[height:, width:], pictures[step][3])


def test_pictures_as_observations_and_in_lists() -> None:
    env = gymnasium.make("farm_gym/ValleyFarm-v0", render_mode="rgb_array")
    watched = gymnasium.wrappers.AddRenderObservation(env, render_only=True)
    observation, _ = watched.reset(seed=0)
    assert watched.observation_space.contains(observation)
    assert np.array_equal(observation, env.unwrapped.picture())
    listed = gymnasium.make("farm_gym/ValleyFarm-v0", render_mode="rgb_array_list")
    listed.reset(seed=0)
    listed.step(0)
    frames = listed.render()
    assert isinstance(frames, list) and len(frames) == 2 and np.array_equal(frames[0], observation)


@pytest.mark.parametrize("autoreset", list(AutoresetMode))
@pytest.mark.parametrize("view", ["everything", "learner"])
def test_pictures_of_a_vector_environment_are_those_of_single_ones(autoreset: AutoresetMode, view: str) -> None:
    arguments: dict[str, Any] = {"render_mode": "rgb_array", "render_view": view, "set": {"rules.BasicRule.max_steps": 4}}
    envs = farm_gym.make_vec("clay_bean-v0", 3, num_threads=1, autoreset_mode=autoreset, actions="discrete", **arguments)
    singles = [farm_gym.make("clay_bean-v0", actions="discrete", **arguments) for _ in range(3)]
    envs.reset(seed=10)
    for i, single in enumerate(singles):
        single.reset(seed=10 + i)
    rng = np.random.default_rng(1)
    for step in range(4):
        for i, (picture, single) in enumerate(zip(envs.render() or (), singles, strict=True)):
            assert np.array_equal(picture, single.render())
            assert np.array_equal(picture, envs.render_one(i))
        # What is executed is shown; an action that is refused is not.
        masks = [np.flatnonzero(single.native.action_mask()) for single in singles]
        actions = np.array([rng.choice(mask) for mask in masks])
        envs.step(actions)
        over = [single.step(int(action))[3] for single, action in zip(singles, actions, strict=True)]
        assert over == [step == 3] * 3
    if autoreset == AutoresetMode.NEXT_STEP:
        assert np.array_equal(envs.render_one(1), singles[1].render()), "the last picture of the episode"
        envs.step(np.zeros(3, np.int64))
    elif autoreset == AutoresetMode.DISABLED:
        assert np.array_equal(envs.render_one(1), singles[1].render())
        envs.reset(options={"reset_mask": np.array([True, True, True])})
    snapshot = envs.snapshot(1)
    singles[1].restore(snapshot)
    assert np.array_equal(envs.render_one(1), singles[1].render()), "a new episode has earned nothing yet"


def test_what_is_refused_is_not_shown_as_done() -> None:
    arguments: dict[str, Any] = {"preset": "4x3", "actions": "multi_discrete", "render_mode": "rgb_array"}
    envs = farm_gym.make_vec("clay_bean-v0", 2, num_threads=1, **arguments)
    single = farm_gym.make("clay_bean-v0", **arguments)
    envs.reset(seed=0)
    single.reset(seed=0)
    # The same in every slot: all but the first are duplicates, which are refused.
    actions = np.full(envs.action_space.shape, 3)
    *_, infos = envs.step(actions)
    assert infos["rejected"][0] > 0
    single.step(actions[0])
    total, last, done = single.native.tally()
    assert done and not np.array_equal(envs.render_one(0), single.render())
    single.native.set_tally(total, last, "")
    assert np.array_equal(envs.render_one(0), single.render())


def test_modes_of_a_vector_environment() -> None:
    envs = farm_gym.make_vec("backwards_valley", 2, num_threads=1, render_mode="ansi")
    envs.reset(seed=0)
    texts = envs.render()
    assert texts is not None and len(texts) == 2 and texts[1] == envs.render_one(1)
    silent = farm_gym.make_vec("backwards_valley", 2, num_threads=1)
    silent.reset(seed=0)
    assert silent.render() is None and silent.render_one(0) is None and silent._tally is None
    for number in (2, -1):
        with pytest.raises(farm_gym.StateError, match="from 0 to 1"):
            envs.render_one(number)
    for arguments, said in [({"render_mode": "human"}, "ansi, rgb_array"), ({"render_view": "all"}, "everything, learner")]:
        with pytest.raises(farm_gym.ConfigError, match=said):
            farm_gym.make_vec("backwards_valley", 2, **arguments)


def test_environments_on_levels_of_their_own_are_drawn_as_such() -> None:
    envs = farm_gym.make_vec("backwards_valley", 2, num_threads=1, render_mode="rgb_array")
    envs.reset(seed=0, options={"level": [None, "test/01"]})
    single = farm_gym.make("backwards_valley", level="test/01", render_mode="rgb_array")
    single.reset(seed=1)
    assert np.array_equal(envs.render_one(1), single.render())
    plain = farm_gym.make("backwards_valley", render_mode="rgb_array")
    plain.reset(seed=0)
    assert np.array_equal(envs.render_one(0), plain.render())


def test_the_view_of_the_learner_shows_less_of_what_is_hidden() -> None:
    def picture(seed: int, view: str) -> npt.NDArray[np.uint8]:
        env = farm_gym.make("walking_farmer-v0", render_mode="rgb_array", render_view=view)
        env.reset(seed=seed)
        drawn = env.render()
        assert isinstance(drawn, np.ndarray)
        assert np.array_equal(drawn, env.picture()) and np.array_equal(drawn, env.picture(view=view))
        return drawn

    assert not np.array_equal(picture(0, "everything"), picture(0, "learner"))
    with pytest.raises(farm_gym.ConfigError, match="everything, learner"):
        farm_gym.make("walking_farmer-v0", render_view="god")
    with pytest.raises(farm_gym.ConfigError, match="everything, learner"):
        farm_gym.make("walking_farmer-v0").picture("god")
