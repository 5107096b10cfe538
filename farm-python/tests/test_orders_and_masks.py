"""Orders of any farm, masks without what changes nothing, actions where a farmer stands, a map by dead reckoning, worth as a potential."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import farm_gym
from farm_gym.wrappers import (
    ActHere,
    EffectMasks,
    FlatObservations,
    LastTaken,
    MapMemory,
    Order,
    PotentialShaping,
    StandingOrders,
    VectorActHere,
    VectorEffectMasks,
    VectorLastTaken,
    VectorMapMemory,
    VectorPotentialShaping,
    VectorStandingOrders,
    Worth,
    farm_orders,
)

WATER, STAGE = "Field-0.Soil-0.available_Water#L", "Field-0.Plant-0.stage"


def single(game: str, **arguments: Any) -> farm_gym.FarmEnv:
    return farm_gym.make(game, actions="discrete", **arguments)


def batch(game: str, count: int, mode: AutoresetMode = AutoresetMode.DISABLED) -> farm_gym.FarmVectorEnv:
    return farm_gym.make_vec(game, count, num_threads=1, actions="discrete", action_masks=True, autoreset_mode=mode)


def test_starting_an_order_ends_the_others_of_its_group() -> None:
    orders = [
        Order(1, f"{WATER} < 1", group="water"),
        Order(2, f"{WATER} < 2", group="water"),
        Order("Field-0.Plant-0.harvest", f"{STAGE} == 5", stands=True),
    ]
    env = StandingOrders(single("clay_bean"), orders, alone=True)
    flat = len(env.unwrapped.game.action_names())  # type: ignore[attr-defined]
    observation, info = env.reset(seed=0)
    assert env.action_space == gymnasium.spaces.Discrete(flat + 3 + 2)
    assert observation["standing_orders"].tolist() == [0, 0, 1]
    # Alone: of the flat list only doing nothing. Of orders those that do not stand, of ends those of a group in which one stands.
    assert info["action_mask"][flat:].tolist() == [1, 1, 0, 0, 1] and info["action_mask"][:flat].sum() == 1
    for action, standing in ((0, [1, 0, 1]), (0, [1, 0, 1]), (1, [0, 1, 1]), (4, [0, 1, 0]), (3, [0, 0, 0])):
        observation, _, _, _, info = env.step(flat + action)
        assert observation["standing_orders"].tolist() == standing
        assert np.array_equal(info["action_mask"].astype(bool), env.action_masks())


def test_an_order_rests_between_two_times() -> None:
    env = StandingOrders(single("clay_bean"), [Order(3, f"{WATER} > 0", every=4, stands=True)])
    plain = single("clay_bean")
    env.reset(seed=1)
    plain.reset(seed=1)
    for day in range(12):
        seen = env.step(0)[0]
        assert np.array_equal(seen[WATER], plain.step(3 if day % 4 == 0 else 0)[0][WATER]), day


def test_an_order_of_many_plots_goes_to_the_first_where_it_holds() -> None:
    # Work on wet soil would be rejected.
    farm = single("full_farm", preset="4x3", set={"farmers.0.BasicFarmer.wettest_soil#prop": 1})
    game = farm.game
    names = game.action_names()
    sow = [next(i for i, name in enumerate(names) if f"sow(plot=({x}, {y})" in name) for x in range(4) for y in range(3)]
    env = StandingOrders(farm, [Order(sow, f"{STAGE} == 0", stands=True)])
    env.reset(seed=0)
    for count in range(1, 13):
        seen = env.step(0)[0]
        assert (seen[STAGE].reshape(-1) > 0).tolist() == [True] * count + [False] * (12 - count)


def test_training_begins_with_other_orders_in_some_episodes() -> None:
    orders = [Order(i, f"{WATER} < 0", group="water") for i in range(1, 4)] + [Order(4, f"{WATER} < 0")]
    envs = VectorStandingOrders(batch("clay_bean", 400), orders, explore=0.5)
    stands = envs.reset(seed=0)[0]["standing_orders"]
    assert (stands[:, :3].sum(axis=1) <= 1).all()
    begun_otherwise = stands.any(axis=1).mean()
    # In half of the episodes; there water begins with one of three or none, and the other with one or none.
    expected = 0.5 * (1 - (1 - 0.5 * 3 / 4) * (1 - 0.5 * 1 / 2))
    assert abs(begun_otherwise - expected) < 5 * (0.25 / 400) ** 0.5
    kept = envs.state()
    again = [envs.reset(seed=1)[0]["standing_orders"].copy()]
    envs.load_state(kept)
    again.append(envs.reset(seed=1)[0]["standing_orders"])
    assert np.array_equal(*again)
    assert not VectorStandingOrders(batch("clay_bean", 50), orders).reset(seed=0)[0]["standing_orders"].any()


@pytest.mark.parametrize("game", ["clay_bean", "farm1", "full_farm", "full_farm_4x3", "two_fields", "winter_wheat"])
def test_any_farm_has_orders(game: str) -> None:
    """They are the same whenever they are asked for, and those that stand from the beginning bring in a harvest."""
    opened = single(game).game
    orders = farm_orders(opened)
    assert orders == farm_orders(single(game).game) and len(orders) >= 3
    assert len({order.when for order in orders}) >= 2
    env = StandingOrders(single(game), orders, alone=True)
    best = -np.inf
    for seed in range(5):
        env.reset(seed=seed)
        over = False
        while not over:
            _, reward, terminated, truncated, _ = env.step(opened.idle)
            best, over = max(best, float(reward)), terminated or truncated
    assert best > 0, "in one season of these, what is harvested is sold"


def test_actions_that_change_nothing_are_masked() -> None:
    env, envs = EffectMasks(single("valley_farm")), VectorEffectMasks(batch("valley_farm", 3))
    observation, info = env.reset(seed=5)
    _, told = envs.reset(seed=5)
    random = np.random.default_rng(0)
    for _ in range(30):
        assert np.array_equal(told["action_mask"][0], env.action_masks()) and np.array_equal(info["action_mask"], env.action_masks())
        assert info["action_mask"].sum() < 12, "one can't do everything at one place"
        action = int(random.choice(np.flatnonzero(info["action_mask"])))
        observation, _, _, _, info = env.step(action)
        told = envs.step(np.full(3, action))[4]
    assert observation["inventory"].shape == (7,)


def test_a_farmer_acts_where_it_stands() -> None:
    env, plain, envs = ActHere(single("walking_farmer")), single("walking_farmer"), VectorActHere(batch("walking_farmer", 2))
    names = plain.game.action_names()
    observation, info = env.reset(seed=4)
    seen, _ = plain.reset(seed=4)
    told = envs.reset(seed=4)[1]
    random = np.random.default_rng(1)
    for _ in range(60):
        x, y = observation["WalkingFarmer-0.position"]
        mask = env.action_masks()
        assert np.array_equal(mask, told["action_mask"][0]) and np.array_equal(mask, info["action_mask"].astype(bool))
        action = int(random.choice(np.flatnonzero(mask)))
        same = env.action_names[action].split("(")[0]
        flat = next(i for i, name in enumerate(names) if name.split("(")[0] == same and (f"plot=({x}, {y})" in name or "plot" not in name))
        observation, reward, _, _, info = env.step(action)
        seen, earned, *_ = plain.step(flat)
        assert reward == earned and all(np.array_equal(observation[key], seen[key]) for key in seen)
        told = envs.step(np.full(2, action))[4]


def test_a_farmer_is_followed_where_no_position_is_shown() -> None:
    """On the way of random moves, with blocked ones, the reckoned place is the true one, and the map what lies there."""
    env, random = MapMemory(single("valley_farm"), radius=6), np.random.default_rng(2)
    farm = env.unwrapped
    blocked = 0
    for seed in range(4):
        observation, _ = env.reset(seed=seed)
        start = np.array(farm.native.state()["GridFarmer-0.position"])  # type: ignore[attr-defined]
        direction = 0
        for step in range(49):
            before = observation["memory.walked"].copy()
            # Straight on for some steps, so that it comes to the border.
            direction = int(random.integers(4)) if step % 9 == 0 else direction
            observation = env.step(direction)[0]
            blocked += np.array_equal(before, observation["memory.walked"])
            now = np.array(farm.native.state()["GridFarmer-0.position"])  # type: ignore[attr-defined]
            assert observation["memory.walked"].tolist() == (now - start).tolist(), (seed, step)
            assert np.array_equal(observation["grid"][4:9, 4:9], farm.native.observation()["grid"])  # type: ignore[attr-defined]
    assert blocked > 5
    assert observation in env.observation_space


@pytest.mark.parametrize("mode", [AutoresetMode.DISABLED, AutoresetMode.NEXT_STEP])
def test_a_batch_remembers_what_each_does(mode: AutoresetMode) -> None:
    envs, singles = VectorMapMemory(batch("valley_farm", 3, mode)), [MapMemory(single("valley_farm")) for _ in range(3)]
    observations, _ = envs.reset(seed=20)
    for i, env in enumerate(singles):
        env.reset(seed=20 + i)
    random = np.random.default_rng(0)
    for _ in range(50):
        actions = random.integers(12, size=3)
        observations = envs.step(actions)[0]
        for i, env in enumerate(singles):
            seen = env.step(actions[i])[0]
            assert all(np.array_equal(observations[key][i], seen[key]) for key in seen)


def test_the_nearest_of_each_kind_is_told() -> None:
    """Against the whole map: what was seen, searched place by place."""
    reach = 9
    env, envs = MapMemory(single("valley_farm"), 14, reach), VectorMapMemory(batch("valley_farm", 2), 2, reach)
    observation, _ = env.reset(seed=3)
    told, _ = envs.reset(seed=3)
    random, known = np.random.default_rng(4), 0
    for _ in range(40):
        nearest, seen, grid = observation["memory.nearest"], observation["memory.seen"], observation["grid"]
        assert np.array_equal(told["memory.nearest"][0], nearest) and nearest.shape == (10, 3)
        for category in range(1, 11):
            places = np.argwhere((grid == category) & (seen == 1)) - 14
            places = places[np.abs(places).max(axis=1) <= reach] if len(places) else places
            is_known, east, south = nearest[category - 1]
            assert is_known == bool(len(places))
            if len(places):
                known += 1
                at = np.rint([south * reach, east * reach]).astype(int)
                assert at.tolist() in places.tolist()
                assert np.abs(at).sum() == np.abs(places).sum(axis=1).min()
        action = int(random.integers(4))
        observation, told = env.step(action)[0], envs.step(np.array([action, 0]))[0]
    assert known > 100 and observation in env.observation_space


def test_how_long_ago_each_action_was_taken() -> None:
    env, envs = LastTaken(single("clay_bean"), 4), VectorLastTaken(batch("clay_bean", 2), 4)
    actions = int(env.action_space.n)  # type: ignore[attr-defined]
    observation, told = env.reset(seed=0)[0], envs.reset(seed=0)[0]
    since = [4] * actions
    for action in (0, 2, 2, 1, 0, 0, 0, 0, 0, 0, 2):
        assert observation["last_taken"].tolist() == since == told["last_taken"][0].tolist()
        observation, told = env.step(action)[0], envs.step(np.array([action, 0]))[0]
        since = [0 if one == action else min(ago + 1, 4) for one, ago in enumerate(since)]
    assert observation in env.observation_space and observation["last_taken"].dtype == np.int16
    kept = envs.state()
    told = envs.reset(seed=1, options={"reset_mask": np.array([True, False])})[0]
    assert told["last_taken"][0].tolist() == [4] * actions and told["last_taken"][1].tolist() == [0] + [4] * (actions - 1)
    envs.load_state(kept)
    assert envs.state()["since"][0].tolist() == since


def test_worth_adds_up_to_what_it_began_with() -> None:
    worth = {"inventory": [-0.05, -0.05, 0.1, -0.6, 0.2, 0.0, 0.0]}
    plain = single("valley_farm")
    env = PotentialShaping(single("valley_farm"), Worth(plain.observation_space, worth), gamma=1.0)
    envs = VectorPotentialShaping(batch("valley_farm", 2), Worth(plain.observation_space, worth), gamma=1.0)
    first = env.reset(seed=8)[0]
    envs.reset(seed=8)
    shaped, earned, over, random = 0.0, 0.0, False, np.random.default_rng(0)
    while not over:
        action = int(random.integers(12))
        _, reward, terminated, truncated, info = env.step(action)
        assert envs.step(np.full(2, action))[1][0] == pytest.approx(reward)
        shaped, earned, over = shaped + float(reward), earned + info["reward"], terminated or truncated
    assert shaped == pytest.approx(earned - first["inventory"] @ np.array(worth["inventory"]), abs=1e-6)
    assert Worth(plain.observation_space, {"remaining": 2})({"remaining": np.array([3, 4])}).tolist() == [6, 8]


def test_numbers_far_below_their_bound_are_seen() -> None:
    """Nine gifts of up to a billion: a division alone leaves 0.000000009."""
    env = FlatObservations(single("valley_farm"))
    few, many = (env.observation({**env.unwrapped.native.observation(), "inventory": np.full(7, number, np.float32)}) for number in (1, 9))  # type: ignore[attr-defined]
    env.reset(seed=0)
    differences = np.abs(many - few)
    assert (differences > 0.05).sum() == 7 and (np.abs(many) <= 1).all()


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: StandingOrders(single("clay_bean"), [Order([], f"{WATER} < 1")]), "the list is empty"),
        (lambda: StandingOrders(single("clay_bean"), [Order(1, f"{WATER} < 1", every=0)]), "every is 0"),
        (lambda: StandingOrders(single("full_farm", preset="4x3"), [Order([1, 2], f"{WATER} < 1")]), "2 actions, but .* has 12 values"),
        (lambda: VectorStandingOrders(batch("clay_bean", 2), [Order(1, f"{WATER} < 1")], explore=2.0), "a probability from 0 to 1"),
        (lambda: farm_orders(single("valley_farm").game), "leave standing_orders out"),
        (lambda: ActHere(single("clay_bean")), "these have none"),
        (lambda: LastTaken(single("clay_bean"), 0), "steps is 0"),
        (lambda: MapMemory(single("valley_farm"), nearest=-1), "nearest is -1"),
        (lambda: ActHere(single("backwards_valley")), "no actions on plots"),
        (lambda: Worth(single("valley_farm").observation_space, {"inventry": 1.0}), "did you mean 'inventory'"),
        (lambda: Worth(single("valley_farm").observation_space, {"inventory": [1.0, 2.0]}), "2 numbers, but 7 values"),
        (lambda: EffectMasks(gymnasium.make("CartPole-v1")), "not an environment of a farm"),
    ],
)
def test_mistakes_are_named(make: Any, said: str) -> None:
    with pytest.raises(farm_gym.ConfigError, match=said):
        make()
