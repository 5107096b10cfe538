"""Observers of a single environment."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

import farm_gym
from farm_gym import FarmEnv, Observer


class Diary(Observer):
    """Writes down its calls."""

    def __init__(self) -> None:
        self.calls: list[tuple[Any, ...]] = []

    def after_reset(self, env: FarmEnv) -> None:
        self.calls.append(("reset", env.native.steps))

    def after_step(self, env: FarmEnv, step: Any) -> None:
        self.calls.append(("step", env.native.steps, step[1]))

    def after_episode(self, env: FarmEnv) -> None:
        self.calls.append(("end", env.native.steps))

    def before_change(self, game: Any) -> None:
        self.calls.append(("change", game.fingerprint))


def short() -> FarmEnv:
    return farm_gym.make("valley_farm", set={"rules.BasicRule.max_steps": 3})


def test_an_observer_gets_each_reset_step_and_end_in_order() -> None:
    env, diary = short(), Diary()
    env.add_observer(diary)
    assert not diary.calls
    env.reset(seed=3)
    rewards = [env.text_step("MoveN")[1], env.step(0)[1]]
    saved = env.snapshot()
    rewards.append(env.farmgym_step([])[1])
    steps = [("step", number, reward) for number, reward in enumerate(rewards, 1)]
    assert diary.calls == [("reset", 0), *steps, ("end", 3)]
    env.restore(saved)
    env.reset(seed=3, options={"level": "test/01"})
    assert diary.calls[5:] == [("reset", 2), ("change", env.game.fingerprint), ("reset", 0)]


def test_an_observer_may_come_and_go_during_an_episode() -> None:
    env, diary = short(), Diary()
    env.reset(seed=3)
    env.step(0)
    env.add_observer(diary)
    monitor = env.add_monitoring()
    assert env.observers == [diary, monitor]
    env.step(0)
    env.remove_observer(diary)
    env.remove_observer(diary)
    env.step(0)
    assert [call[0] for call in diary.calls] == ["reset", "step"] and len(monitor) == 3


def test_copies_have_no_observers_unless_these_ask_for_it() -> None:
    class Copied(Diary):
        is_copied = True

    env, diary, copied = short(), Diary(), Copied()
    env.reset(seed=3)
    env.add_observer(diary)
    env.add_observer(copied)
    other = copy.deepcopy(env)
    [there] = other.observers
    other.step(0)
    assert isinstance(there, Copied) and len(there.calls) == 2 and len(copied.calls) == len(diary.calls) == 1
    env.remove_observer(copied)
    assert not pickle.loads(pickle.dumps(env)).observers


def test_an_exception_of_an_observer_reaches_the_caller_and_keeps_the_game() -> None:
    class Strict(Observer):
        def before_change(self, game: Any) -> None:
            raise farm_gym.ConfigError("the game may not change")

        def after_episode(self, env: FarmEnv) -> None:
            raise RuntimeError("the end")

    env = short()
    env.add_observer(Strict())
    env.reset(seed=3)
    before = env.game
    with pytest.raises(farm_gym.ConfigError, match="may not change"):
        env.reset(seed=3, options={"level": "test/01"})
    assert env.game is before
    env.step(0)
    env.step(0)
    with pytest.raises(RuntimeError, match="the end"):
        env.step(0)
