"""Rollouts and plans in copies of an episode."""

from __future__ import annotations

import numpy as np
import pytest

import farm_gym


def begun(game: str = "clay_bean", seed: int = 3, **arguments: object) -> farm_gym.FarmEnv:
    env = farm_gym.make(game, **arguments)
    env.reset(seed=seed)
    return env


def test_rollouts_with_the_known_future_are_what_stepping_earns() -> None:
    env = begun()
    actions = np.random.default_rng(1).integers(0, len(env.action_names), (12, 40))
    before = env.snapshot()
    returns = env.rollout_many(actions, future="known")
    assert env.snapshot() == before, "the environment stays as it is"
    for row, expected in zip(actions, returns, strict=True):
        env.restore(before)
        total = 0.0
        for action in row:
            _, reward, terminated, truncated, _ = env.step(int(action))
            total += reward
            if terminated or truncated:
                break
        assert total == expected
    env.restore(before)
    assert np.array_equal(env.rollout_many(actions, future="known", threads=1), returns)


def test_drawn_futures_follow_their_seeds() -> None:
    env = begun("farm1")
    actions = np.tile(np.random.default_rng(2).integers(0, len(env.action_names), 80), (6, 1))
    returns = env.rollout_many(actions, seed=[1, 1, 2, 2, 3, 3])
    assert returns.shape == (6,)
    assert np.array_equal(returns[::2], returns[1::2])
    assert np.array_equal(env.rollout_many(actions[:3], seed=1), env.rollout_many(actions[:3], seed=[1, 2, 3]))
    assert env.rollout_many(np.zeros((0, 5), np.int64)).shape == (0,)


def test_a_policy_earns_in_rollouts_what_it_earns_in_the_episode() -> None:
    env = begun()
    before = env.snapshot()
    known = env.rollout_many(policy="wait", future="known")
    idle = np.full((1, 1000), env.game.idle)
    assert known == env.rollout_many(idle, future="known")
    drawn = env.rollout_many(policy="expert", seed=[4, 4, 5])
    assert drawn[0] == drawn[1] != drawn[2]
    assert env.rollout_many(policy="wait", horizon=7, seed=9) == env.rollout_many(idle[:, :7], seed=9)
    experts = env.rollout_many(policy="expert", seed=range(20))
    assert np.array_equal(experts, env.rollout_many(policy="expert", seed=range(20), threads=1))
    assert experts[4] == drawn[0] and experts.mean() > known[0]
    assert env.snapshot() == before
    player, total, over = env.player("expert"), 0.0, False
    expected = env.rollout_many(policy="expert", future="known")[0]
    while not over:
        _, reward, terminated, truncated, _ = env.farmgym_step(player())
        total, over = total + float(reward), terminated or truncated
    assert total == pytest.approx(expected)


def test_wrong_rollouts_are_refused() -> None:
    env = begun()
    last = len(env.action_names)
    for actions in ([1, 2], [[0.5]], [[last]], [[-1]]):
        with pytest.raises(farm_gym.ActionError):
            env.rollout_many(actions)
    zeros = np.zeros((2, 3), np.int64)
    with pytest.raises(farm_gym.ConfigError, match="2 rows"):
        env.rollout_many(zeros, seed=[1])
    with pytest.raises(farm_gym.ConfigError, match="seed is -1"):
        env.rollout_many(zeros, seed=-1)
    with pytest.raises(farm_gym.ConfigError, match="'drawn' or 'known'"):
        env.rollout_many(zeros, future="mine")  # type: ignore[arg-type]
    with pytest.raises(farm_gym.ConfigError, match="give one of them"):
        env.rollout_many()
    with pytest.raises(farm_gym.ConfigError, match="give one of them"):
        env.rollout_many(zeros, policy="wait")
    with pytest.raises(farm_gym.ConfigError, match="is for a policy"):
        env.rollout_many(zeros, horizon=3)
    with pytest.raises(farm_gym.ConfigError, match="horizon is 0"):
        env.rollout_many(policy="wait", horizon=0)
    with pytest.raises(farm_gym.ConfigError, match="expert"):
        env.rollout_many(policy="expart")


@pytest.mark.parametrize("method", ["cem", "mcts"])
@pytest.mark.parametrize("future", ["drawn", "known"])
def test_a_plan_is_an_action_of_the_space_and_the_same_again(method: str, future: str) -> None:
    env = begun()
    before = env.snapshot()
    settings = {"budget": 24, "method": method, "future": future, "seed": 5}
    plan = farm_gym.plan(env, **settings)  # type: ignore[arg-type]
    assert env.snapshot() == before
    assert env.action_space.contains(np.int64(plan.action))
    assert plan.expected_return >= plan.base_return
    assert plan.future == future and plan.trials <= 24
    assert farm_gym.plan(env, threads=1, **settings) == plan  # type: ignore[arg-type]
    env.step(plan.action)


def test_planning_earns_on_a_grid() -> None:
    env = begun("backwards_valley", seed=1)
    total, over = 0.0, False
    while not over:
        _, reward, terminated, truncated, _ = env.step(farm_gym.plan(env, budget=24, base="wait", depth=6).action)
        total, over = total + float(reward), terminated or truncated
    waiting = begun("backwards_valley", seed=1)
    idle = np.full((1, 40), waiting.game.idle)
    assert total >= waiting.rollout_many(idle, future="known")[0]


def test_wrong_plans_are_refused() -> None:
    env = begun()
    for arguments in ({"budget": 2}, {"method": "best"}, {"future": "mine"}, {"base": "nobody"}, {"depth": 0}, {"horizon": 0}):
        with pytest.raises(farm_gym.ConfigError):
            farm_gym.plan(env, **arguments)  # type: ignore[arg-type]
    over = farm_gym.make("backwards_valley")
    over.reset(seed=1)
    for _ in range(40):
        over.step(over.game.idle)
    with pytest.raises(farm_gym.StateError):
        farm_gym.plan(over)
