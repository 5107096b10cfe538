"""Many environments in one call."""

from __future__ import annotations

import subprocess
import sys
import tracemalloc
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import farm_gym
from conftest import equal
from farm_gym.registration import environment_id

ARRAYS = ("records", "rewards", "terminations", "truncations", "intervention_costs", "observation_costs", "rejections")


def actions_of(envs: farm_gym.FarmVectorEnv, steps: int, seed: int = 0) -> Any:
    return np.random.default_rng(seed).integers(np.broadcast_to(envs.action_space.nvec, (steps, *envs.action_space.shape)))


def hashes(envs: farm_gym.FarmVectorEnv) -> list[int]:
    return [envs.native.state_hash(i) for i in range(envs.num_envs)]


def test_gymnasium_makes_it_too(game: str) -> None:
    made = gymnasium.make_vec(environment_id(game), num_envs=3, vectorization_mode="vector_entry_point")
    assert isinstance(made.unwrapped, farm_gym.FarmVectorEnv)
    observations, infos = made.reset(seed=1)
    assert observations in made.observation_space and isinstance(infos, dict)
    made.action_space.seed(0)
    for _ in range(30):
        action = made.action_space.sample()
        observations, rewards, terminations, truncations, infos = made.step(action)
        assert observations in made.observation_space
        assert (rewards.shape, rewards.dtype) == ((3,), np.float64)
        assert (terminations.shape, terminations.dtype, truncations.dtype) == ((3,), np.bool_, np.bool_)
    made.close()


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_it_does_what_gymnasiums_own_does_with_the_same_environments(game: str, mode: AutoresetMode) -> None:
    """The first episodes are those of single environments; so is what happens around their end."""
    # Where looking costs, a day takes two steps.
    days = 6 if game.startswith("costly_") else 12
    short = {"set": {"rules.BasicRule.max_steps": days, "rules.BasicRule.steps_per_day": 1}, "actions": "discrete"}
    envs = farm_gym.make_vec(game, 4, num_threads=1, autoreset_mode=mode, **short)
    peers = SyncVectorEnv([lambda: farm_gym.make(game, **short) for _ in range(4)], autoreset_mode=mode)
    rng = np.random.default_rng(7)
    observations, _ = envs.reset(seed=20)
    expected, _ = peers.reset(seed=20)
    ended = np.zeros(4, bool)
    for step in range(1, 15):
        for key, value in expected.items():
            assert np.array_equal(observations[key][~ended], value[~ended]), (key, step)
        if mode == AutoresetMode.DISABLED and ended.any():
            break
        action = rng.integers(envs.action_space.nvec)
        observations, rewards, terminations, truncations, infos = envs.step(action)
        expected, their_rewards, their_terminations, their_truncations, their_infos = peers.step(action)
        now = ~ended
        assert np.array_equal(rewards[now], their_rewards[now])
        assert np.array_equal(terminations[now], their_terminations[now])
        assert np.array_equal(truncations[now], their_truncations[now])
        if mode != AutoresetMode.SAME_STEP:
            assert np.array_equal(infos["intervention cost"][now], their_infos["intervention cost"][now])
        over = terminations | truncations
        if mode == AutoresetMode.SAME_STEP and (over & now).any():
            for i in np.flatnonzero(over & now):
                assert equal(infos["final_obs"][i], their_infos["final_obs"][i])
                assert infos["_final_obs"][i] and their_infos["_final_obs"][i]
                assert infos["final_info"]["intervention cost"][i] == their_infos["final_info"]["intervention cost"][i]
        ended |= over
    assert ended.all(), "twelve steps were enough to end all episodes"


def test_more_environments_than_the_memory_holds_are_refused_in_words() -> None:
    with pytest.raises(MemoryError, match="out of memory: 1099511627776 environments of `backwards_valley` need .* GB"):
        farm_gym.make_vec("backwards_valley", 2**40)


def test_a_game_that_the_memory_does_not_hold_is_refused_in_words(tmp_path: Path) -> None:
    if not Path("/proc/self/statm").exists():
        pytest.skip("the size of a process is told elsewhere on this system")
    game = tmp_path / "game.yaml"
    side = "fields.Field-0.shape.{}#nb: 1000"
    game.write_text(f"extends: full_farm\nname: big\nchanges: {{{side.format('length')}, {side.format('width')}}}\n")
    code = (
        "import farm_gym, resource\n"
        "most = int(open('/proc/self/statm').read().split()[0]) * resource.getpagesize() + 2**30\n"
        "resource.setrlimit(resource.RLIMIT_AS, (most, most))\n"
        f"try: farm_gym.make({str(game)!r})\n"
        "except MemoryError as error: print(error.codes, error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "('out-of-memory',)" in done.stdout and "out of memory: this game needs up to" in done.stdout, done


def test_next_step_ignores_the_action_after_the_end() -> None:
    envs = farm_gym.make_vec("backwards_valley", 2, num_threads=1)
    envs.reset(seed=0)
    for _ in range(40):
        _, _, terminations, truncations, _ = envs.step([10, 10])
    assert (terminations | truncations).all()
    before = hashes(envs)
    observations, rewards, terminations, truncations, _ = envs.step([0, 5])
    assert not (terminations | truncations).any() and not rewards.any()
    assert list(observations["remaining"]) == [40, 40] and hashes(envs) != before


def test_same_step_keeps_the_last_observation() -> None:
    envs = farm_gym.make_vec("backwards_valley", 2, num_threads=1, autoreset_mode="SameStep")
    envs.reset(seed=0)
    for step in range(1, 41):
        observations, _, terminations, truncations, infos = envs.step([4, 4])
        assert ("final_obs" in infos) == (step == 40)
    assert list(observations["remaining"]) == [40, 40]
    assert [final["remaining"] for final in infos["final_obs"]] == [0, 0]
    assert infos["_final_obs"].all() and (terminations | truncations).all()


def test_a_step_before_the_first_reset_is_an_error() -> None:
    envs = farm_gym.make_vec("backwards_valley", 2, num_threads=1)
    before = hashes(envs)
    for step in (envs.step, envs.send):
        with pytest.raises(farm_gym.StateError, match="no episode has begun: call `reset` before the first step"):
            step([0, 0])
    assert hashes(envs) == before
    envs.reset(seed=0)
    envs.send([0, 0])
    envs.recv()
    # A snapshot is an episode, too.
    other = farm_gym.make_vec("backwards_valley", 2, num_threads=1)
    other.restore(0, envs.snapshot(1))
    other.step([0, 0])


def test_disabled_leaves_it_to_the_user() -> None:
    envs = farm_gym.make_vec("backwards_valley", 3, num_threads=1, autoreset_mode=AutoresetMode.DISABLED)
    envs.reset(seed=0)
    for _ in range(40):
        _, _, terminations, truncations, _ = envs.step([4, 4, 4])
    with pytest.raises(farm_gym.StateError, match="environment 0.*call `reset`"):
        envs.step([4, 4, 4])
    before = hashes(envs)
    observations, _ = envs.reset(options={"reset_mask": np.array([True, False, True])}, seed=[5, None, None])
    after = hashes(envs)
    assert [a == b for a, b in zip(before, after, strict=True)] == [False, True, False]
    assert list(observations["remaining"]) == [40, 0, 40]
    single = farm_gym.make("backwards_valley")
    single.reset(seed=5)
    assert single.native.state_hash() == after[0]
    with pytest.raises(farm_gym.StateError, match="environment 1"):
        envs.step([4, 4, 4])
    assert hashes(envs) == after, "nothing was stepped"


@pytest.mark.parametrize("name", ["backwards_valley", "full_farm-v0"])
def test_results_depend_neither_on_threads_nor_on_the_batch(name: str) -> None:
    def run(count: int, threads: int, first: int = 0) -> list[Any]:
        envs = farm_gym.make_vec(name, count, num_threads=threads, actions="discrete")
        envs.reset(seed=100 + first)
        columns = actions_of(farm_gym.make_vec(name, 600, num_threads=1, actions="discrete"), 90, seed=3)
        seen = []
        for row in columns:
            observations, rewards, *_ = envs.step(row[first : first + count])
            seen.append((rewards, observations))
        assert len(set(hashes(envs))) > 1 or count == 1
        return [*seen, hashes(envs)]

    whole = run(600, 1)
    for count, threads, first in ((600, 2, 0), (600, 3, 0), (7, 1, 40), (1, 2, 599)):
        part = run(count, threads, first)
        here = slice(first, first + count)
        for (rewards, observations), (all_rewards, all_observations) in zip(part[:-1], whole[:-1], strict=True):
            assert np.array_equal(rewards, all_rewards[here])
            assert all(np.array_equal(observations[key], all_observations[key][here]) for key in observations)
        assert part[-1] == whole[-1][here]


def test_the_same_seed_is_the_same_trajectory_alone_and_among_others(game: str) -> None:
    envs = farm_gym.make_vec(game, 5, num_threads=2, actions="discrete")
    single = farm_gym.make(game, actions="discrete")
    observations, _ = envs.reset(seed=[3, 1, 4, 1, 5])
    alone, _ = single.reset(seed=4)
    assert all(np.array_equal(observations[key][2], alone[key]) for key in alone)
    for row in actions_of(envs, 6000, seed=1):
        observations, rewards, terminations, truncations, _ = envs.step(row)
        alone, reward, terminated, truncated, _ = single.step(int(row[2]))
        assert (rewards[2], terminations[2], truncations[2]) == (reward, terminated, truncated)
        assert all(np.array_equal(observations[key][2], alone[key]) for key in alone)
        if terminated or truncated:
            return
    pytest.fail("the episode never ended")


def test_copies_stay_and_views_move() -> None:
    copied, viewed = (farm_gym.make_vec("backwards_valley", 4, num_threads=1, copy=copy) for copy in (True, False))
    kept = []
    for envs in (copied, viewed):
        envs.reset(seed=0)
        first = envs.step([10] * 4)
        before = first[0]["remaining"].copy()
        second = envs.step([10] * 4)
        kept.append((first[0]["remaining"] == before).all())
        assert np.shares_memory(first[0]["grid"], second[0]["grid"]) == (envs is viewed)
        assert np.shares_memory(first[1], second[1]) == (envs is viewed)
    assert kept == [True, False]
    assert viewed.records.shape == (4,) and viewed.records.dtype.itemsize == 60
    assert np.shares_memory(viewed.records, viewed.step([10] * 4)[0]["grid"])


def test_stepping_views_allocates_nothing_that_stays() -> None:
    envs = farm_gym.make_vec("backwards_valley", 64, num_threads=1, copy=False)
    actions = actions_of(envs, 200)
    envs.reset(seed=0)
    for row in actions[:50]:
        envs.step(row)
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    for row in actions[50:]:
        envs.step(row)
    after, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert after - before < 4096, "the last result alone is held"
    assert peak - before < 8192


def test_masks_and_what_was_not_executed() -> None:
    envs = farm_gym.make_vec("full_farm-v0", 8, num_threads=1, actions="discrete", action_masks=True, interaction_mode="aomdp")
    _, infos = envs.reset(seed=0)
    rejected = executed = 0
    for row in actions_of(envs, 80):
        mask = infos["action_mask"]
        assert mask.shape == (8, len(envs.game.action_names())) and mask.dtype == np.bool_
        assert np.array_equal(mask, envs.action_masks())
        live = ~(infos.get("ended", np.zeros(8, bool)))
        _, _, terminations, truncations, infos = envs.step(row)
        allowed = mask[np.arange(8), row]
        assert np.array_equal(infos["rejected"][live] == 0, allowed[live])
        infos["ended"] = terminations | truncations
        rejected, executed = rejected + int((~allowed).sum()), executed + int(allowed.sum())
    assert rejected and executed


def test_send_and_receive_is_a_step() -> None:
    stepped, sent = (farm_gym.make_vec("valley_farm", 16, num_threads=1) for _ in range(2))
    for envs in (stepped, sent):
        envs.reset(seed=0)
    for row in actions_of(stepped, 60):
        expected = stepped.step(row)
        sent.send(row)
        with pytest.raises(farm_gym.StateError, match="recv"):
            sent.step(row)
        with pytest.raises(farm_gym.StateError, match="recv"):
            sent.send(row)
        received = sent.recv()
        assert all(np.array_equal(received[0][key], expected[0][key]) for key in expected[0])
        assert np.array_equal(received[1], expected[1])
    with pytest.raises(farm_gym.StateError, match="send"):
        sent.recv()
    sent.close()


def test_snapshots_move_between_one_and_many() -> None:
    envs = farm_gym.make_vec("clay_bean-v0", 3, num_threads=1)
    envs.reset(seed=0)
    for row in actions_of(envs, 20):
        envs.step(row)
    single = farm_gym.make("clay_bean-v0")
    single.restore(envs.snapshot(1))
    assert single.snapshot() == envs.snapshot(1)
    envs.restore(2, single.snapshot())
    assert envs.snapshot(2) == envs.snapshot(1) != envs.snapshot(0)
    for environment, snapshot in ((3, single.snapshot()), (0, b"nonsense")):
        with pytest.raises(farm_gym.StateError):
            envs.restore(environment, snapshot)


def test_what_does_not_fit_is_refused_and_nothing_is_stepped() -> None:
    envs = farm_gym.make_vec("backwards_valley", 3, num_threads=1)
    envs.reset(seed=0)
    before = hashes(envs)
    for bad in ([1, 2], [[1], [2], [3]], [0.5, 1, 2], [0, 1, 11], [0, -1, 2], ["a", "b", "c"], None, 1):
        with pytest.raises(farm_gym.ActionError):
            envs.step(bad)  # type: ignore[arg-type]
    assert hashes(envs) == before
    for options in ({"rest_mask": 1}, {"reset_mask": np.ones(2, bool)}, {"reset_mask": np.ones(3)}):
        with pytest.raises(farm_gym.ConfigError):
            envs.reset(options=options)
    with pytest.raises(farm_gym.ConfigError):
        envs.reset(seed=[1, 2])
    assert hashes(envs) == before
    for arguments in ({"num_envs": 0}, {"num_threads": 0}, {"autoreset_mode": "Later"}, {"actions": "multi_union"}, {"render_mode": "x"}):
        with pytest.raises(farm_gym.ConfigError):
            farm_gym.make_vec("backwards_valley", **{"num_envs": 2, **arguments})


def test_without_a_seed_a_reset_goes_on() -> None:
    envs = farm_gym.make_vec("backwards_valley", 4, num_threads=1)
    envs.reset(seed=0)
    first = hashes(envs)
    envs.reset()
    second = hashes(envs)
    envs.reset()
    assert len({*first, *second, *hashes(envs)}) == 12
    envs.reset(seed=0)
    envs.reset()
    assert hashes(envs) == second
    fresh = [farm_gym.make_vec("backwards_valley", 2, num_threads=1) for _ in range(2)]
    for one in fresh:
        one.reset()
    assert hashes(fresh[0]) != hashes(fresh[1])


def test_an_environment_without_a_seed_draws_its_first_one_and_then_goes_on() -> None:
    """As environments of Gymnasium do, whose generators are seeded by the operating system."""

    def seeds(*resets: tuple[Any, dict[str, Any]]) -> list[list[int]]:
        envs = farm_gym.make_vec("backwards_valley", 3, num_threads=1)
        monitor = envs.add_monitoring()
        found = []
        for seed, options in resets:
            envs.reset(seed=seed, options=options)
            found.append(monitor.seeds[-3:])
        return found

    [one, next_one], [other, next_other] = (seeds(([None, 5, None], {}), (None, {})) for _ in range(2))
    assert one[1] == other[1] == 5 and next_one[1] == next_other[1]
    assert len({*one, *other}) == 5, "each None is another seed"
    # The first reset of an environment is its own, not that of the batch.
    mask = {"reset_mask": np.array([True, False, False])}
    begun, again = (seeds(([5] * 3, mask), ([None] * 3, {}))[1] for _ in range(2))
    assert begun[0] == again[0] and len({*begun[1:], *again[1:]}) == 4
    low, count = farm_gym._native.split_seeds("test")
    split = seeds((0, {}), ([None, low, None], {"split": "test"}))[1]
    assert split[1] == low and all(low <= seed < low + count for seed in split)


def test_each_environment_may_have_a_level_of_its_own() -> None:
    envs = farm_gym.make_vec("valley_farm", 4, num_threads=2)
    levels = ["test/01", None, "test/02", "test/01"]
    observations, _ = envs.reset(seed=[7, 7, 7, 8], options={"level": levels})
    singles = [farm_gym.make("valley_farm", level=level) for level in levels]
    alone = [single.reset(seed=seed)[0] for single, seed in zip(singles, (7, 7, 7, 8), strict=True)]
    for row in actions_of(envs, 120):
        for i, one in enumerate(alone):
            assert all(np.array_equal(observations[key][i], one[key]) for key in one), i
        if singles[0].native.is_over:
            break
        observations, rewards, *_ = envs.step(row)
        results = [single.step(int(action)) for single, action in zip(singles, row, strict=True)]
        assert rewards.tolist() == [result[1] for result in results]
        alone = [result[0] for result in results]
    assert singles[0].native.is_over
    restored = farm_gym.make("valley_farm", level="test/02")
    restored.restore(envs.snapshot(2))
    # The level stays for the episodes that begin by themselves, and goes with an option that names none.
    envs.step([0] * 4)
    restored.restore(envs.snapshot(2))
    envs.reset(options={"level": None})
    with pytest.raises(farm_gym.StateError, match="another game"):
        restored.restore(envs.snapshot(2))
    before = hashes(envs)
    for options in ({"level": ["test/01"]}, {"level": ["test/01", None, None, "test/99"]}, {"set": {"interaction_mode": "fomdp"}}):
        with pytest.raises(farm_gym.ConfigError):
            envs.reset(options=options)
    assert hashes(envs) == before


def test_seeds_of_a_split_need_its_name_and_later_episodes_stay_in_it() -> None:
    env = farm_gym.make_vec("backwards_valley", 2)
    first, count = farm_gym._native.split_seeds("train")
    with pytest.raises(farm_gym.ConfigError, match="environment 0: .*reserved for the split `train`"):
        env.reset(seed=first)
    env.reset(seed=first, options={"split": "train"})
    env.reset(options={"split": "test"})
    with pytest.raises(farm_gym.ConfigError, match="is not in the split"):
        env.reset(seed=7, options={"split": "test"})
    with pytest.raises(farm_gym.ConfigError, match="knows no option 'splt'.*split"):
        env.reset(seed=7, options={"splt": "test"})
    env.reset(seed=7)
