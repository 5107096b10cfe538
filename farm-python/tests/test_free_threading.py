"""The module works without the global lock of the interpreter, and threads that share objects neither wait for ever nor disturb each other."""

from __future__ import annotations

import re
import subprocess
import sys
import sysconfig
import threading

import numpy as np
import pytest

import farm_gym
from conftest import repository

IS_FREE_THREADED = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))


@pytest.mark.skipif(not IS_FREE_THREADED, reason="this interpreter has its lock")
def test_importing_does_not_switch_the_lock_on() -> None:
    script = "import sys, farm_gym._native; print(sys._is_gil_enabled())"
    done = subprocess.run([sys.executable, "-W", "error", "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_the_module_declares_that_it_needs_no_lock() -> None:
    # A build for an interpreter with a lock does not hold the declaration: it is read where it is written.
    sources = {path.name: path.read_text(encoding="utf-8") for path in (repository() / "farm-python" / "src").rglob("*.rs")}
    declared = re.findall(r"#\[pymodule(\(.*?\))?\]", sources["lib.rs"])
    assert declared == ["(gil_used = false)"]
    for name, text in sources.items():
        # What would make the declaration wrong: classes tied to a thread, and state without a lock.
        assert not re.search(r"\bunsendable\b|static mut\b|\bGILProtected\b|\bUnsafeCell\b|unsafe impl", text), name


def test_threads_play_environments_of_one_game_as_one_thread_does() -> None:
    game = farm_gym.make("full_farm").game

    def played(seed: int) -> int:
        env = farm_gym.FarmEnv(game)
        env.reset(seed=seed)
        for _ in range(60):
            env.farmgym_step([])
        return env.native.state_hash()

    expected = [played(seed) for seed in range(8)]
    found: dict[int, int] = {}
    threads = [threading.Thread(target=lambda seed=seed: found.update({seed: played(seed)})) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[seed] for seed in range(8)] == expected


def test_an_environment_that_two_threads_step_says_so_or_steps() -> None:
    envs = farm_gym.make_vec("full_farm", 256, num_threads=1)
    envs.reset(seed=0)
    waits = np.full((256, *envs.action_space.shape[1:]), envs.game.idle, np.int64)
    raised: list[BaseException] = []

    def step() -> None:
        for _ in range(20):
            try:
                envs.native.step(waits.reshape(-1), waits.ndim > 1)
            except BaseException as error:
                raised.append(error)

    threads = [threading.Thread(target=step) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(isinstance(error, (RuntimeError, TypeError)) and "borrow" in str(error) for error in raised), raised
    envs.step(waits)


POLICY = """
import sys, threading, time, types
import farm_gym

class Slow(farm_gym.Policy):
    def start(self, seed):
        # Lets other threads in.
        time.sleep(0.05)

    def choose(self, observation, info):
        time.sleep(0.05)
        return None

sys.modules["slow"] = types.ModuleType("slow")
sys.modules["slow"].Slow = Slow
env = farm_gym.make("farm0", set={"policies.slow": {"python": {"class": "slow:Slow"}}}, allow_plugins=True)
env.reset(seed=0)
player = env.native.player("slow")
def play():
    for seed in range(5):
        player.start(seed)
        env.native.choice(player)
threads = [threading.Thread(target=play) for _ in range(3)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print("played")
"""


def test_threads_that_share_a_player_take_turns() -> None:
    done = subprocess.run([sys.executable, "-c", POLICY], capture_output=True, text=True, check=False, timeout=60)
    assert done.stdout == "played\n", done.stderr
