"""Dense rewards by the planner: 0 for best actions, and in sum the return minus the best return."""

from __future__ import annotations

import pytest

import farm_gym
import farm_gym.text
from farm_gym.wrappers import PotentialShaping, ValueToGo


@pytest.mark.parametrize("game", ["backwards_valley@tier=5", "valley_farm@tier=1"])
def test_rewards_add_up_to_the_loss_of_the_episode(game: str) -> None:
    env = ValueToGo(farm_gym.make(game))
    _, info = env.reset(options={"split": "train", "index": 3})
    best, total, dense, exact = info["value_to_go"], 0.0, 0.0, info["exact"]
    env.action_space.seed(5)
    while True:
        _, reward, terminated, truncated, info = env.step(env.action_space.sample())
        assert reward <= 1e-6, "no action gains more than the best plan"
        total, dense, exact = total + info["reward"], dense + reward, exact and info["exact"]
        if terminated or truncated:
            break
    assert exact and info["value_to_go"] == 0.0
    assert info["best"] == pytest.approx(best) and dense == pytest.approx(total - best)


def test_a_wasted_step_costs_what_can_no_longer_be_earned() -> None:
    env = farm_gym.make("backwards_valley@tier=5")
    env.reset(options={"split": "train", "index": 3})
    value, proven = env.value_to_go()
    assert proven and value > 0
    text = farm_gym.text.make("backwards_valley@tier=5")
    text.reset(split="train", index=3)
    assert text.value_to_go() == (value, True)
    before = env.native.state_hash()
    env.value_to_go()
    assert env.native.state_hash() == before, "planning changes nothing"


def test_games_without_a_planner_are_rejected() -> None:
    env = farm_gym.make("clay_bean")
    with pytest.raises(farm_gym.StateError):
        env.value_to_go()
    env.reset(seed=1)
    with pytest.raises(farm_gym.ConfigError):
        env.value_to_go()
    with pytest.raises(farm_gym.ConfigError):
        ValueToGo(PotentialShaping(env)).reset(seed=1)
