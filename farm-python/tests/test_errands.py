"""Standing orders of a farmer on foot."""

from __future__ import annotations

import itertools
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import farm_gym
from farm_gym.wrappers import Errands, Order, VectorErrands, farm_orders
from farm_gym.wrappers.flat_list import actions_by_plot

VIEW, DAY, PLACE = "WalkingFarmer-0.view.", "Field-0.Weather-0.day#int365", "WalkingFarmer-0.position"
#: A field of nine plots, five steps a day, so that seasons are short.
SMALL: dict[str, Any] = {
    "fields.Field-0.shape.length#nb": 3,
    "fields.Field-0.shape.width#nb": 3,
    "farmers.0.WalkingFarmer.starts_at": {"x": 1, "y": 1},
    "farmers.0.WalkingFarmer.places.well.at": {"x": 2, "y": 0},
    "farmers.0.WalkingFarmer.places.shed.at": {"x": 0, "y": 2},
    "farmers.0.WalkingFarmer.stocks.seeds#seed.capacity": 30,
    "farmers.0.WalkingFarmer.stocks.water#L.capacity": 80,
    "rules.BasicRule.steps_per_day": 8,
}


def small() -> farm_gym.FarmEnv:
    return farm_gym.make("walking_farmer", set=SMALL, actions="discrete")


def batch(count: int) -> farm_gym.FarmVectorEnv:
    return farm_gym.make_vec(
        "walking_farmer", count, set=SMALL, num_threads=1, actions="discrete", action_masks=True, autoreset_mode=AutoresetMode.DISABLED
    )


def ids(env: farm_gym.FarmEnv) -> dict[str, list[int]]:
    """The actions of each kind, in the order of the plots."""
    return {kind[2]: list(by_plot.values()) for kind, by_plot in actions_by_plot(env.game).items()}


def orders(env: farm_gym.FarmEnv) -> list[Order]:
    """Those of the game's expert."""
    acts, grows = ids(env), f"{VIEW}stage >= 1 and {VIEW}stage"
    return [
        Order(acts["micro_harvest"], f"{VIEW}stage == 5", stands=True),
        Order(acts["sow"], f"{VIEW}stage == 0 and {DAY} < 180", stands=True),
        Order(acts["water_discrete"], f"{VIEW}available_Water#L < 375 and {grows} <= 4", stands=True),
        Order(acts["remove"], f"{VIEW}grow#nb >= 6 and {grows} <= 3"),
    ]


def test_a_farmer_walks_to_what_is_due_and_fetches_what_it_takes() -> None:
    """With seeds for two plots it sows nine, by way of the shed, and nothing that it does is refused."""
    env = small()
    walking = Errands(env, [orders(env)[1]])
    observation, _ = walking.reset(seed=0)
    ways, refused = [], 0
    for _ in range(60):
        before = observation["WalkingFarmer-0.carried_seeds#seed"]
        observation, _, _, _, info = walking.step(env.game.idle)
        ways.append(tuple(observation[PLACE].tolist()))
        refused += len(info["rejected"])
        if observation["WalkingFarmer-0.carried_seeds#seed"] > before:
            assert ways[-1] == (0, 2), "the shed"
    plots = env.native.state()["Field-0.Plant-0.stage"]
    assert all(stage != "none" for row in plots for stage in row), plots
    assert refused == 0 and all(abs(a - c) + abs(b - d) <= 1 for (a, b), (c, d) in itertools.pairwise(ways))
    # With all sown and seen it looks around once a day and else waits: eight steps a day are more than a round takes.
    assert len(set(ways[-8:])) < 8


def test_a_season_of_orders_brings_a_harvest() -> None:
    """The expert's rules as orders earn about what the expert does."""
    earned: dict[str, list[float]] = {"orders": [], "expert": [], "nothing": []}
    for seed in range(6):
        for name, total in earned.items():
            env = small()
            walking = Errands(env, orders(env)) if name == "orders" else env
            walking.reset(seed=seed)
            player = env.player("expert" if name == "expert" else "wait")
            total.append(0.0)
            over = False
            while not over:
                step = walking.step(env.game.idle) if name == "orders" else env.farmgym_step(player())
                total[-1] += float(step[1])
                over = step[2] or step[3]
    mean = {name: float(np.mean(total)) for name, total in earned.items()}
    assert mean["nothing"] == 0.0 and mean["expert"] > 0.5
    assert mean["orders"] > 0.8 * mean["expert"], mean


def test_a_batch_does_what_each_does_and_goes_on_from_a_state() -> None:
    env = small()
    given = orders(env)
    singles, envs = [Errands(small(), given) for _ in range(3)], VectorErrands(batch(3), given)
    observations, info = envs.reset(seed=7)
    for i, one in enumerate(singles):
        seen, told = one.reset(seed=7 + i)
        assert np.array_equal(told["action_mask"], info["action_mask"][i]) and seen in one.observation_space
    flat, random = len(env.game.action_names()), np.random.default_rng(0)
    kept: Any = None
    after: list[Any] = []
    for step in range(300):
        if step == 200:
            kept = (envs.state(), [envs.unwrapped.snapshot(i) for i in range(3)])  # type: ignore[attr-defined]
        # Now and then an order is begun or ended.
        actions = np.where(random.random(3) < 0.05, flat + random.integers(8, size=3), env.game.idle)
        observations, rewards, _, _, _ = envs.step(actions)
        after.append((actions, observations[PLACE].copy(), rewards.copy()))
        for i, one in enumerate(singles):
            seen, reward, *_ = one.step(actions[i])
            assert reward == rewards[i] and all(np.array_equal(observations[key][i], seen[key]) for key in seen), (step, i)
    state, snapshots = kept
    for i, snapshot in enumerate(snapshots):
        envs.unwrapped.restore(i, snapshot)  # type: ignore[attr-defined]
    envs.load_state(state)
    for actions, places, rewards in after[200:]:
        observations, again, _, _, _ = envs.step(actions)
        assert np.array_equal(observations[PLACE], places) and np.array_equal(again, rewards)


def test_any_walking_farm_has_orders() -> None:
    env = small()
    made = farm_orders(env.game)
    assert made == farm_orders(small().game)
    assert {len(order.act) for order in made} == {9}  # type: ignore[arg-type]
    assert sum(order.stands for order in made) == 2, "sowing and harvesting"
    assert any("available_Water#L <" in order.when for order in made)
    assert Errands(env, made).action_space == gymnasium.spaces.Discrete(
        len(env.game.action_names()) + len(made) + len({order.group for order in made})
    )


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Errands(farm_gym.make("clay_bean", actions="discrete"), [Order(1, f"{DAY} > 0")]), "needs one farmer on foot"),
        (lambda: Errands(farm_gym.make("valley_farm", actions="discrete"), [Order(1, "remaining > 0")]), "needs one farmer on foot"),
        (lambda: Errands(small(), [Order(6, f"{VIEW}stage == 0")]), "1 actions: an errand needs one for each of the 9 plots"),
        (lambda: Errands(small(), []), "orders is empty"),
        (lambda: VectorErrands(batch(2), orders(small()), explore=-1.0), "a probability from 0 to 1"),
    ],
)
def test_mistakes_are_named(make: Any, said: str) -> None:
    with pytest.raises(farm_gym.ConfigError, match=said):
        make()
