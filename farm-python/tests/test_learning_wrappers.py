"""Wrappers that make farms easier to learn: days that pass, standing orders, shaping, a remembered map, each alone and in a batch."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

import farm_gym
from farm_gym.wrappers import (
    FlatObservations,
    MapMemory,
    Order,
    PassDays,
    PotentialShaping,
    StandingCrop,
    StandingOrders,
    VectorFlatObservations,
    VectorMapMemory,
    VectorPassDays,
    VectorPotentialShaping,
    VectorStandingOrders,
)

WATER, STAGE = "Field-0.Soil-0.available_Water#L", "Field-0.Plant-0.stage"
#: Idle, a watering, the harvest of `clay_bean`'s flat list.
IDLE, SOME_WATER = 0, 3


def bean(**arguments: Any) -> farm_gym.FarmEnv:
    return farm_gym.make("clay_bean", actions="discrete", **arguments)


def beans(count: int = 4, game: str = "clay_bean", mode: AutoresetMode = AutoresetMode.DISABLED) -> farm_gym.FarmVectorEnv:
    return farm_gym.make_vec(game, count, num_threads=1, actions="discrete", action_masks=True, autoreset_mode=mode)


def threshold(seed: int = 0) -> float:
    """What the soil holds after ten dry days: between wet and dry."""
    env = bean()
    observation, _ = env.reset(seed=seed)
    seen = [float(observation[WATER][0, 0])] + [float(env.step(IDLE)[0][WATER][0, 0]) for _ in range(60)]
    return float(np.median(seen))


def orders(level: float) -> list[Order]:
    return [Order(SOME_WATER, f"{WATER} < {level}"), Order("Field-0.Plant-0.harvest", f"{STAGE} == 5")]


def test_flat_observations_of_a_batch_are_those_of_each(game: str) -> None:
    envs = VectorFlatObservations(farm_gym.make_vec(game, 3, num_threads=1, actions="discrete"))
    singles = [FlatObservations(farm_gym.make(game, actions="discrete")) for _ in range(3)]
    assert envs.single_observation_space == singles[0].observation_space
    observations, _ = envs.reset(seed=7)
    for i, env in enumerate(singles):
        assert np.array_equal(observations[i], env.reset(seed=7 + i)[0])
    for action in (0, 1, 2):
        observations = envs.step(np.full(3, action))[0]
        for i, env in enumerate(singles):
            assert np.array_equal(observations[i], env.step(action)[0])
    assert observations.dtype == np.float32 and observations in envs.observation_space


def test_days_pass_until_something_happens() -> None:
    env, plain = PassDays(bean(), days=30, gamma=0.9), bean()
    env.reset(seed=2)
    before, _ = plain.reset(seed=2)
    lengths, over = [], False
    while not over:
        observation, reward, terminated, truncated, info = env.step(SOME_WATER)
        total = 0.0
        for day in range(info["days"]):
            now, earned, ended, cut, _ = plain.step(SOME_WATER if day == 0 else IDLE)
            total += 0.9**day * earned
            changed = not np.array_equal(now[STAGE], before[STAGE])
            last = day == info["days"] - 1
            assert last == (changed or ended or cut or day == 29), (
                "it stops on the first day on which the stage is another, and on no other"
            )
        before, over = now, terminated or truncated
        assert all(np.array_equal(observation[key], now[key]) for key in now)
        assert reward == pytest.approx(total) and info["discount"] == pytest.approx(0.9 ** info["days"])
        lengths.append(info["days"])
    assert over == (ended or cut) and 1 < len(lengths) < sum(lengths) / 4, lengths


def test_numbers_can_end_the_waiting() -> None:
    env = PassDays(bean(), days=60, watch=[], changes={WATER: 300.0})
    observation, _ = env.reset(seed=2)
    for _ in range(5):
        before = float(observation[WATER][0, 0])
        observation, _, terminated, truncated, info = env.step(IDLE)
        assert info["days"] == 60 or terminated or truncated or abs(float(observation[WATER][0, 0]) - before) >= 300.0
        if terminated or truncated:
            break
    assert info["days"] < 60


@pytest.mark.parametrize("mode", [AutoresetMode.DISABLED, AutoresetMode.NEXT_STEP])
def test_days_pass_in_a_batch_as_in_one(mode: AutoresetMode) -> None:
    """Who decides in each environment, and what then happens, does not depend on the others."""
    envs, singles = VectorPassDays(beans(mode=mode), days=9), [PassDays(bean(), days=9) for _ in range(4)]
    observations, info = envs.reset(seed=11)
    for i, env in enumerate(singles):
        env.reset(seed=11 + i)
    assert info["decides"].all()
    chosen = np.array([[IDLE, SOME_WATER][i % 2] for i in range(4)])
    sums, counted = np.zeros(4), np.zeros(4, int)
    over = np.zeros(4, bool)
    for _ in range(300):
        # An environment with nothing to decide does nothing, whatever is given.
        observations, rewards, terminated, truncated, info = envs.step(np.where(info["decides"], chosen, 5))
        sums += np.where(over, 0.0, rewards)
        for i in np.flatnonzero(info["decides"] & ~over):
            seen, reward, ended, cut, told = singles[i].step(chosen[i])
            assert told["days"] == info["days"][i] and reward == pytest.approx(sums[i])
            assert all(np.array_equal(observations[key][i], seen[key]) for key in seen)
            assert (ended, cut) == (terminated[i], truncated[i])
            sums[i], counted[i] = 0.0, counted[i] + 1
        over |= terminated | truncated
        if over.all():
            break
        if mode == AutoresetMode.DISABLED and (terminated | truncated).any():
            observations, info = envs.reset(seed=[0] * 4, options={"reset_mask": terminated | truncated})
            assert info["decides"][terminated | truncated].all()
    assert over.all() and (counted > 4).all()


def test_orders_stand_until_they_are_ended() -> None:
    level = threshold()
    env, plain = StandingOrders(bean(), orders(level)), bean()
    # Two to start, two to end.
    assert env.action_space == gymnasium.spaces.Discrete(len(plain.action_names) + 4)
    assert env.action_masks().shape == (len(plain.action_names) + 4,)
    start_water = len(plain.action_names)
    end_water = start_water + 2
    observation, info = env.reset(seed=0)
    assert observation["standing_orders"].tolist() == [0, 0] and info["action_mask"].shape == env.action_masks().shape
    seen, _ = plain.reset(seed=0)
    waterings = 0
    for day in range(60):
        # It starts on the third day and ends on the fiftieth; on the twentieth something else is done.
        action = start_water if day == 3 else end_water if day == 50 else SOME_WATER + 1 if day == 20 else IDLE
        observation, reward, _, _, info = env.step(action)
        due = 3 <= day < 50 and bool((seen[WATER] < level).any())
        expected = action if day == 20 else SOME_WATER if due else IDLE
        waterings += expected == SOME_WATER
        seen, earned, *_ = plain.step(expected)
        assert reward == earned and all(np.array_equal(observation[key], seen[key]) for key in seen), day
        assert observation["standing_orders"].tolist() == [int(3 <= day < 50), 0]
        assert observation in env.observation_space
    assert 0 < waterings < 40
    assert env.reset(seed=0)[0]["standing_orders"].tolist() == [0, 0]


def test_orders_in_a_batch_are_those_of_each() -> None:
    given = orders(threshold())
    envs, singles = VectorStandingOrders(beans(), given), [StandingOrders(bean(), given) for _ in range(4)]
    assert envs.single_observation_space == singles[0].observation_space and envs.single_action_space == singles[0].action_space
    envs.reset(seed=3)
    for i, env in enumerate(singles):
        env.reset(seed=3 + i)
    random = np.random.default_rng(0)
    for _ in range(50):
        actions = np.where(random.random(4) < 0.8, IDLE, random.integers(9, 11, size=4))
        observations, rewards, terminated, truncated, info = envs.step(actions)
        for i, env in enumerate(singles):
            seen, reward, ended, cut, told = env.step(int(actions[i]))
            assert reward == rewards[i] and all(np.array_equal(observations[key][i], seen[key]) for key in seen)
            assert np.array_equal(info["action_mask"][i], told["action_mask"])
        if (terminated | truncated).any():
            break


def played(env: Any, seed: int) -> tuple[list[float], list[float], Any, bool]:
    """Shaped rewards, rewards of the game, the first observation, and whether the episode was cut off."""
    first, _ = env.reset(seed=seed)
    random, shaped, own = np.random.default_rng(seed), [], []
    while True:
        _, reward, terminated, truncated, info = env.step(int(random.choice([IDLE] * 12 + [SOME_WATER])))
        shaped.append(reward)
        own.append(info["reward"])
        if terminated or truncated:
            return shaped, own, first, truncated


@pytest.mark.parametrize("gamma", [1.0, 0.97])
def test_shaping_adds_nothing_but_the_first_potential(gamma: float) -> None:
    """The telescoping sum: over an episode what is added is minus the potential at its start, whatever was done."""

    def potential(observations: Any) -> Any:
        return 3.0 + observations[WATER].reshape(len(observations[WATER]), -1).sum(axis=1) / 1_000

    env = PotentialShaping(bean(), potential, gamma)
    for seed in range(3):
        shaped, own, first, truncated = played(env, seed)
        assert not truncated, "a cut off episode would keep its last potential"
        discounts = gamma ** np.arange(len(own))
        added = float((np.subtract(shaped, own) * discounts).sum())
        assert added == pytest.approx(-float(potential({WATER: first[WATER][None]})[0]))
        assert np.abs(np.subtract(shaped, own)).max() > 0.01


def test_the_standing_crop_is_worth_more_the_further_it_is() -> None:
    env = bean()
    crop = StandingCrop(env.observation_space, 10.0)
    values = crop({STAGE: np.arange(8, dtype=np.uint8).reshape(8, 1, 1)})
    assert (np.diff(values[:6]) > 0).all() and values[5] == 10.0 and (values[[0, 6, 7]] == 0).all()
    with pytest.raises(farm_gym.ConfigError, match="no stage of plants"):
        StandingCrop(farm_gym.make("backwards_valley").observation_space)


@pytest.mark.parametrize("mode", [AutoresetMode.DISABLED, AutoresetMode.NEXT_STEP])
def test_shaping_in_a_batch_is_that_of_each(mode: AutoresetMode) -> None:
    envs = VectorPotentialShaping(beans(3, mode=mode), gamma=0.97)
    singles = [PotentialShaping(bean(), gamma=0.97) for _ in range(3)]
    envs.reset(seed=5)
    for i, env in enumerate(singles):
        env.reset(seed=5 + i)
    over = np.zeros(3, bool)
    for _ in range(260):
        _, rewards, terminated, truncated, info = envs.step(np.full(3, IDLE))
        ended = terminated | truncated
        for i in np.flatnonzero(~over):
            _, reward, *_, told = singles[i].step(IDLE)
            assert reward == pytest.approx(rewards[i]) and told["reward"] == info["reward"][i]
        if mode == AutoresetMode.NEXT_STEP and over.any():
            assert (rewards[over][:1] == 0).all(), "the step that begins an episode earns nothing"
            break
        over |= ended
        if over.any() and mode == AutoresetMode.DISABLED:
            envs.reset(seed=[9] * 3, options={"reset_mask": over})
            break
    assert over.any()
    if mode == AutoresetMode.DISABLED:
        # Begun anew: the potential of the episode before has no part in it.
        env = PotentialShaping(bean(), gamma=0.97)
        env.reset(seed=9)
        _, rewards, *_ = envs.step(np.full(3, IDLE))
        assert rewards[np.flatnonzero(over)[0]] == pytest.approx(env.step(IDLE)[1])


def test_a_map_holds_what_was_seen_last() -> None:
    env, plain = MapMemory(farm_gym.make("backwards_valley"), radius=9), farm_gym.make("backwards_valley")
    random = np.random.default_rng(1)
    seen, _ = env.reset(seed=4)
    now, _ = plain.reset(seed=4)
    known: dict[tuple[int, int], Any] = {}
    visits: dict[tuple[int, int], int] = {}
    for _ in range(41):
        x, y = (int(one) for one in now["position"])
        visits[x, y] = visits.get((x, y), 0) + 1
        for dy in range(-2, 3):
            for dx in range(-2, 3):
                known[x + dx, y + dy] = now["grid"][2 + dy, 2 + dx]
        assert seen in env.observation_space
        for dy in range(-9, 10):
            for dx in range(-9, 10):
                place = (x + dx, y + dy)
                assert bool(seen["memory.seen"][9 + dy, 9 + dx]) == (place in known)
                assert np.array_equal(seen["grid"][9 + dy, 9 + dx], known.get(place, [0, 0]))
                assert seen["memory.stood"][9 + dy, 9 + dx] == min(visits.get(place, 0), 3)
        action = int(random.integers(4))
        seen, _, terminated, truncated, _ = env.step(action)
        now, *_ = plain.step(action)
        if terminated or truncated:
            break
    assert len(known) > 40 and seen["remaining"] == now["remaining"]


def test_maps_of_a_batch_are_those_of_each() -> None:
    envs = VectorMapMemory(beans(3, "backwards_valley"))
    singles = [MapMemory(farm_gym.make("backwards_valley")) for _ in range(3)]
    assert envs.single_observation_space == singles[0].observation_space
    random = np.random.default_rng(2)
    told, _ = envs.reset(seed=1)
    for i, env in enumerate(singles):
        env.reset(seed=1 + i)
    for step in range(70):
        actions = random.integers(4, size=3)
        told, _, terminated, truncated, _ = envs.step(actions)
        each = [env.step(int(action))[0] for env, action in zip(singles, actions, strict=True)]
        if (terminated | truncated).any() or step == 20:
            # One begins anew; the maps of the others stay.
            mask = terminated | truncated | (np.arange(3) == 1)
            told, _ = envs.reset(seed=[50, 51, 52], options={"reset_mask": mask})
            for i in np.flatnonzero(mask):
                each[i] = singles[i].reset(seed=50 + int(i))[0]
        for i, one in enumerate(each):
            assert all(np.array_equal(told[key][i], one[key]) for key in one), (step, i)


def test_wrappers_go_together_and_satisfy_the_checker() -> None:
    env = bean()
    env = StandingOrders(PotentialShaping(env), orders(threshold()))
    env = FlatObservations(PassDays(env, days=5))
    with pytest.warns(UserWarning, match="different from the unwrapped version"):
        check_env(env, skip_render_check=True)
    envs = VectorStandingOrders(VectorPotentialShaping(beans(mode=AutoresetMode.NEXT_STEP)), orders(threshold()))
    envs = VectorFlatObservations(VectorPassDays(envs, days=5))
    observations, _ = envs.reset(seed=0)
    assert observations.shape == (4, env.observation_space.shape[0])


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: PassDays(bean(), days=0), "give at least 1"),
        (lambda: PassDays(bean(), watch=["Field-0.Plant-0.stag"]), "did you mean 'Field-0.Plant-0.stage'?"),
        (lambda: PassDays(bean(), changes={WATER: 0.0}), "above 0"),
        (lambda: PassDays(FlatObservations(bean())), "before a wrapper that flattens them"),
        (lambda: PassDays(farm_gym.make("clay_bean", actions="multi_union")), "actions='discrete'"),
        (lambda: StandingOrders(bean(), []), "at least one"),
        (lambda: StandingOrders(bean(), [Order("Field-0.Plant-0.harvst", f"{WATER} < 1")]), "did you mean 'Field-0.Plant-0.harvest'?"),
        (lambda: StandingOrders(bean(), [Order(99, f"{WATER} < 1")]), "there is no action 99"),
        (lambda: StandingOrders(bean(), [Order(0, f"{WATER} <")]), "write KEY OPERATOR NUMBER"),
        (lambda: StandingOrders(bean(), [Order(0, f"{WATER} < much")]), "'much' is not a number"),
        (lambda: StandingOrders(bean(), [Order(0, "available_Water#L < 3")]), "orders\\[0\\].when: the observations have no"),
        (lambda: MapMemory(bean()), "a window around a farmer on foot"),
        (lambda: MapMemory(farm_gym.make("backwards_valley"), radius=1), "already has the radius 2"),
        (lambda: VectorPassDays(beans(mode=AutoresetMode.SAME_STEP)), "does not take the autoreset mode SameStep"),
        (lambda: VectorFlatObservations(gymnasium.make_vec("CartPole-v1", 2)), "farm_gym.make_vec"),
    ],
)
def test_mistakes_are_named(make: Any, said: str) -> None:
    with pytest.raises(farm_gym.ConfigError, match=said):
        make()
