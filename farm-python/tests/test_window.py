"""The render mode `human`: a window where there is a display, a message where there is none.

Windows are looked at on the virtual display of Xvfb, which the tests start; where it is not installed they are skipped, unless
`FARM_GYM_NEEDS_DISPLAY=1` says that it must be.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

WITHOUT = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER")}


def python(script: str, environment: dict[str, str], *arguments: str) -> str:
    """What a script prints in a process of its own: the display of a process can't be changed."""
    command = [sys.executable, "-W", "error", "-c", textwrap.dedent(script), *arguments]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a display can't be taken away")
def test_without_a_display_the_message_says_what_to_do_instead() -> None:
    said = python(
        """
        import gymnasium, farm_gym
        for make in (lambda: farm_gym.make("clay_bean-v0", render_mode="human"),
                     lambda: gymnasium.make("farm_gym/ClayBean-v2", render_mode="human")):
            try:
                make()
            except farm_gym.ConfigError as error:
                print(error)
        print(farm_gym.make("clay_bean-v0").metadata["render_modes"], farm_gym.FarmEnv.metadata["render_modes"])
        """,
        WITHOUT,
    )
    messages = said.splitlines()
    assert len(messages) == 3
    for message in messages[:2]:
        assert "needs a display, and there is none" in message and "DISPLAY" in message
        for instead in ('render_mode="rgb_array"', "farm_gym.generate_gif", "`farm play`"):
            assert instead in message
    assert messages[2] == "['ansi', 'rgb_array'] ['ansi', 'rgb_array', 'human']"


def test_without_pygame_the_message_says_how_to_install_it() -> None:
    said = python(
        """
        import sys
        sys.modules["pygame"] = None
        import farm_gym
        try:
            farm_gym.make("clay_bean-v0", render_mode="human")
        except farm_gym.ConfigError as error:
            print(error)
        """,
        WITHOUT,
    )
    assert "needs pygame" in said and 'pip install "farm-gym[human]"' in said and "rgb_array" in said


@pytest.fixture(scope="module")
def display() -> Iterator[dict[str, str]]:
    """The environment variables of a virtual display."""
    server = shutil.which("Xvfb")
    if server is None:
        if os.environ.get("FARM_GYM_NEEDS_DISPLAY") == "1":
            pytest.fail("FARM_GYM_NEEDS_DISPLAY=1, and Xvfb is not installed")
        pytest.skip("Xvfb is not installed: Debian has it as xvfb")
    # It chooses a free number by itself and tells it. Without `-noreset` it begins anew whenever its last window closes, and is not there
    # meanwhile.
    reading, writing = os.pipe()
    command = [server, "-displayfd", str(writing), "-screen", "0", "1280x1024x24", "-nolisten", "tcp", "-noreset"]
    process = subprocess.Popen(command, pass_fds=[writing], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(writing)
    with os.fdopen(reading) as told:
        number = told.readline().strip()
    try:
        assert number, "Xvfb tells no number"
        yield {**WITHOUT, "DISPLAY": f":{number}", "SDL_VIDEODRIVER": "x11"}
    finally:
        process.terminate()
        process.wait()


def test_the_window_shows_each_step_at_the_pace_of_the_metadata(display: dict[str, str], tmp_path: Path) -> None:
    said = python(
        """
        import sys, time
        import farm_gym, numpy as np, pygame
        env = farm_gym.make("clay_bean-v0", render_mode="human", actions="discrete")
        plain = farm_gym.make("clay_bean-v0", render_mode="rgb_array", actions="discrete")
        assert env.metadata["render_modes"] == ["ansi", "rgb_array", "human"]
        assert pygame.display.get_surface() is None, "it opens with the first reset"
        def shown():
            return pygame.surfarray.array3d(pygame.display.get_surface()).swapaxes(0, 1)
        for one in (env, plain):
            one.reset(seed=2)
        assert np.array_equal(shown(), plain.render())
        begin = time.monotonic()
        for action in range(10):
            for one in (env, plain):
                one.step(action % 3)
            assert np.array_equal(shown(), plain.render()), "the window shows the step"
            assert env.render() is None
        took = time.monotonic() - begin
        assert 0.9 <= took < 10.0, f"ten frames at ten a second took {took} seconds"
        assert pygame.display.get_caption()[0] == "clay_bean-v0" and pygame.display.get_driver() == "x11"
        env.close()
        assert not pygame.display.get_init()
        env.close()
        print("done")
        """,
        display,
    )
    assert said.endswith("done\n")


def test_a_window_that_the_user_closes_stays_closed_and_the_episode_goes_on(display: dict[str, str]) -> None:
    python(
        """
        import time
        import farm_gym, pygame
        env = farm_gym.make("backwards_valley", render_mode="human")
        env.reset(seed=0)
        pygame.event.post(pygame.event.Event(pygame.QUIT))
        env.step(0)
        assert not pygame.display.get_init()
        begin = time.monotonic()
        for seed in range(3):
            env.reset(seed=seed)
            for _ in range(20):
                env.step(0)
        assert time.monotonic() - begin < 3.0, "nobody waits for a window that is not there"
        assert env.render() is None and not pygame.display.get_init()
        env.close()
        env.reset(seed=0)
        assert pygame.display.get_init(), "whoever closes the environment and goes on has a window again"
        """,
        display,
    )


def test_a_window_that_is_made_smaller_shows_all_of_the_picture(display: dict[str, str]) -> None:
    python(
        """
        import farm_gym, numpy as np, pygame
        env = farm_gym.make("full_farm-v0", preset="4x3", render_mode="human")
        env.reset(seed=0)
        whole = env.picture()
        pygame.display.set_mode((400, 400), pygame.RESIZABLE)
        pygame.display.set_caption("full_farm-v0")
        env.farmgym_step([])
        shown = pygame.surfarray.array3d(pygame.display.get_surface()).swapaxes(0, 1)
        height = round(whole.shape[0] * 400 / whole.shape[1])
        top = (400 - height) // 2
        # Bands of the window's own colour above and below, the head of the picture between.
        assert (shown[: top - 1] == (253, 248, 238)).all() and (shown[top + height + 1 :] == (253, 248, 238)).all()
        assert np.abs(shown[top + 3, 200].astype(int) - whole[3, whole.shape[1] // 2]).max() < 8
        """,
        display,
    )


def test_copies_have_no_window_until_their_own_reset(display: dict[str, str]) -> None:
    python(
        """
        import copy, pickle
        import farm_gym, numpy as np, pygame
        env = farm_gym.make("clay_bean-v0", render_mode="human", actions="discrete")
        def shown():
            return pygame.surfarray.array3d(pygame.display.get_surface()).swapaxes(0, 1)
        for copied in (copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))):
            env.reset(seed=1)
            env.step(1)
            before = shown()
            twin = copied(env)
            assert np.array_equal(twin.picture(), env.picture()), "return and last reward are those of the original"
            twin.step(0)
            assert np.array_equal(shown(), before), "the window is that of the original"
            env_then = copy.deepcopy(env)
            env_then.step(0)
            assert twin.native.state_hash() == env_then.native.state_hash()
            twin.close()
            assert pygame.display.get_init()
            twin.reset(seed=9)
            assert not np.array_equal(shown(), before)
            twin.close()
            assert pygame.display.get_init(), "the original still has it"
        env.step(0)
        assert np.array_equal(shown(), env.picture())
        env.close()
        assert not pygame.display.get_init()
        """,
        display,
    )


def test_gymnasiums_checker_and_its_own_window(display: dict[str, str]) -> None:
    said = python(
        """
        import gymnasium, farm_gym, numpy as np, pygame
        from gymnasium.utils.env_checker import check_env
        for mode in (None, "ansi", "rgb_array", "human"):
            check_env(gymnasium.make("farm_gym/BackwardsValley-v0", render_mode=mode).unwrapped)
        env = gymnasium.wrappers.HumanRendering(gymnasium.make("farm_gym/BackwardsValley-v0", render_mode="rgb_array"))
        env.reset(seed=0)
        env.step(0)
        assert np.array_equal(pygame.surfarray.array3d(pygame.display.get_surface()).swapaxes(0, 1), env.unwrapped.picture())
        env.close()
        print("checked")
        """,
        display,
    )
    assert said.endswith("checked\n")
