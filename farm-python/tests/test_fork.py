"""What a process makes before it forks, its child can use: as `multiprocessing` and data loaders do where they fork."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import repository

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the system does not fork")

#: Seconds after which a child hangs. Each step takes a fraction of one.
PATIENCE = 60

#: After one step alone the next is shared among the threads, so that what children lack is missed with their first step.
BEFORE = """
import multiprocessing, os, sys, warnings
# Of processes with threads that fork; it is what is tried here.
warnings.simplefilter("ignore")
import numpy as np, farm_gym
count = 512
envs = farm_gym.make_vec("full_farm", count, num_threads=3)
envs.reset(seed=0)
waits = np.full((count, *envs.action_space.shape[1:]), envs.game.idle, np.int64)
for _ in range(STEPS):
    envs.step(waits)
def hashes():
    return [envs.native.state_hash(i) for i in range(count)]
def stepped():
    for _ in range(3):
        envs.step(waits)
    return hashes()
"""

AS_THE_PARENT = """
# A child plays one task only: under load, one child could otherwise take both, and step on from the first.
with multiprocessing.get_context("fork").Pool(2, maxtasksperchild=1) as pool:
    first, second = pool.apply_async(stepped), pool.apply_async(stepped)
    found = [first.get(TIMEOUT), second.get(TIMEOUT)]
assert found[0] == found[1]
assert stepped() == found[0] and envs.num_threads == 3
print("as the parent")
"""

CLOSED = """
child = os.fork()
if child == 0:
    envs.close()
    del envs
    print("closed", flush=True)
    os._exit(0)
_, status = os.waitpid(child, 0)
assert status == 0
stepped()
"""

GRANDCHILD = """
child = os.fork()
if child == 0:
    stepped()
    grandchild = os.fork()
    if grandchild == 0:
        stepped()
        print("stepped", flush=True)
        os._exit(0)
    _, status = os.waitpid(grandchild, 0)
    os._exit(status != 0)
_, status = os.waitpid(child, 0)
assert status == 0
"""


def ran(script: str, patience: float = PATIENCE) -> str:
    """What a script prints; it and its children are ended when they take too long."""
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    ) as process:
        try:
            output, _ = process.communicate(timeout=patience)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            output, _ = process.communicate()
            pytest.fail(f"a child hangs; printed before that:\n{output}")
        assert process.returncode == 0, output
        return output


@pytest.mark.parametrize("steps", [1, 2, 20])
def test_children_of_multiprocessing_step_as_their_parent(steps: int) -> None:
    script = f"STEPS, TIMEOUT = {steps}, {PATIENCE // 2}\n{BEFORE}{AS_THE_PARENT}"
    assert ran(script) == "as the parent\n"


def test_a_child_closes_what_it_inherits() -> None:
    assert ran(f"STEPS = 2\n{BEFORE}{CLOSED}") == "closed\n"


def test_a_child_of_a_child_steps_too() -> None:
    assert ran(f"STEPS = 2\n{BEFORE}{GRANDCHILD}") == "stepped\n"


def test_what_hung_in_a_review_ends() -> None:
    script = Path(repository(), "farm-python", "tests", "inputs", "fork_vector.py").read_text(encoding="utf-8")
    lines = ran(script, 300).splitlines()
    names = ["fork, then step", "fork, then close", "fork, then a new batch", "fork, then one environment"]
    assert lines == [f"{name}: exit 0" for name in names] + ["the parent goes on"]
