"""Forks with a batch that is shared among threads, and lets the child step it, close it and make others. A child that hangs is ended."""

import os
import signal
import time
import warnings

import numpy as np

import farm_gym

warnings.simplefilter("ignore")


def trial(name, body):
    child = os.fork()
    if child == 0:
        try:
            body()
            os._exit(0)
        except BaseException as error:
            print(f"{name}: {type(error).__name__}: {error}", flush=True)
            os._exit(3)
    begin = time.monotonic()
    while time.monotonic() - begin < 60:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            print(f"{name}: exit {os.waitstatus_to_exitcode(status)}", flush=True)
            return
        time.sleep(0.05)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    print(f"{name}: hangs", flush=True)


count = 512
envs = farm_gym.make_vec("full_farm", count, num_threads=2)
envs.reset(seed=0)
nothing = np.zeros((count, *envs.action_space.shape[1:]), np.int64)
for _ in range(100):
    envs.step(nothing)


def steps():
    for _ in range(100):
        envs.step(nothing)


def others():
    more = farm_gym.make_vec("full_farm", count, num_threads=2)
    more.reset(seed=0)
    more.step(nothing)


single = farm_gym.make("full_farm")
single.reset(seed=0)
trial("fork, then step", steps)
trial("fork, then close", envs.close)
trial("fork, then a new batch", others)
trial("fork, then one environment", lambda: single.step(single.action_space.sample()))
envs.step(nothing)
print("the parent goes on")
