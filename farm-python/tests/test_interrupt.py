"""Ctrl-C ends a long run within a moment, and leaves the environments usable."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

SCRIPT = """
import signal
import numpy as np, farm_gym
# Who runs the tests in the background may have set it to be ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
envs = farm_gym.make_vec("full_farm", 20_000, num_threads=2, actions="discrete", set={"fields.Field-0.shape.length#nb": 4})
envs.reset(seed=0)
actions = np.zeros(20_000, np.int64)
print("running", flush=True)
try:
    while True:
        envs.step(actions)
except KeyboardInterrupt:
    envs.reset(seed=0)
    envs.step(actions)
    print("interrupted", flush=True)
"""


@pytest.mark.skipif(os.name != "posix", reason="signals are sent as POSIX has them")
def test_control_c_interrupts_a_long_run() -> None:
    with subprocess.Popen([sys.executable, "-c", SCRIPT], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == "running\n"
            time.sleep(0.5)
            process.send_signal(signal.SIGINT)
            output, _ = process.communicate(timeout=60)
        finally:
            process.kill()
        assert (output, process.returncode) == ("interrupted\n", 0)
