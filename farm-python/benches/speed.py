"""How fast the package is, from Python: one environment, many environments, memory. Each figure is a median of several rounds.

    python farm-python/benches/speed.py            all
    python farm-python/benches/speed.py vector     those whose names contain a word

Ratios count, not figures: compare only what one run prints.
"""

from __future__ import annotations

import resource
import statistics
import sys
import time
from collections.abc import Callable

import gymnasium
import numpy as np

import farm_gym

ROUNDS = 9


def report(name: str, unit: str, values: list[float]) -> None:
    print(f"{name:58} {statistics.median(values):12,.3f} {unit:12} (best {max(values) if unit.endswith('/s') else min(values):,.3f})")


def nanoseconds(call: Callable[[], None], times: int) -> list[float]:
    rounds = []
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        call()
        rounds.append((time.perf_counter() - begin) / times * 1e6)
    return rounds


def single(game: str) -> None:
    """Microseconds of a step of one environment, resets included."""
    times = 20_000
    raw = farm_gym.make(game, actions="discrete").native
    count = len(farm_gym.make(game, actions="discrete").action_names)
    actions = np.random.default_rng(0).integers(count, size=times).tolist()

    def native() -> None:
        step, seed = raw.step, 0
        raw.reset(0)
        for action in actions:
            result = step(action)
            if result[2] or result[3]:
                seed += 1
                raw.reset(seed)

    made = gymnasium.make(farm_gym.registration.environment_id(game), actions="discrete")

    def wrapped() -> None:
        step = made.step
        made.reset(seed=0)
        for action in actions:
            result = step(action)
            if result[2] or result[3]:
                made.reset()

    report(f"single {game}: class of the engine", "µs/step", nanoseconds(native, times))
    report(f"single {game}: gymnasium.make", "µs/step", nanoseconds(wrapped, times))


def vector(game: str, count: int, threads: int, copy: bool) -> None:
    """Steps per second of many environments with random actions, observations delivered."""
    envs = farm_gym.make_vec(game, count, num_threads=threads, copy=copy, actions="discrete")
    rounds = max(4, min(2000, 400_000 // count))
    actions = np.random.default_rng(0).integers(envs.single_action_space.n, size=(rounds, count))
    envs.reset(seed=0)
    speeds = []
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        for row in actions:
            envs.step(row)
        speeds.append(count * rounds / (time.perf_counter() - begin) / 1e6)
    report(f"vector {game}: {count} environments, {threads} threads, copy={copy}", "M steps/s", speeds)


def memory(game: str, count: int) -> None:
    """Megabytes that many environments add."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    envs = farm_gym.make_vec(game, count, num_threads=1, copy=False)
    envs.reset(seed=0)
    envs.step(np.zeros(count, np.int64))
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    report(f"memory {game}: {count} environments", "MB", [(after - before) / 1024])


def main(word: str) -> None:
    cases: list[tuple[str, Callable[[], None]]] = [
        ("memory backwards_valley", lambda: memory("backwards_valley", 100_000)),
        *((f"single {game}", lambda game=game: single(game)) for game in farm_gym.games()),
        *(
            (f"vector {game} {count} {threads}", lambda g=game, n=count, t=threads, c=copy: vector(g, n, t, c))
            for game in ("backwards_valley", "valley_farm", "clay_bean")
            for count, threads, copy in ((4096, 1, False), (4096, 1, True), (4096, 2, False))
        ),
        *(
            (f"vector sizes {count}", lambda n=count, t=threads: vector("backwards_valley", n, t, False))
            for count in (1, 16, 256, 1024, 16_384, 65_536)
            for threads in (1, 2)
        ),
    ]
    for name, case in cases:
        if word in name:
            case()


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "")
