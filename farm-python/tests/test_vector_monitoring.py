"""Monitors of many environments: of each one they have the rows that a monitor of a single environment has."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pandas
import pytest
from gymnasium.vector import AutoresetMode
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

import farm_gym
from farm_gym.monitoring import Monitor, Values, VectorMonitor
from farm_gym.registration import environment_id

SHORT: dict[str, Any] = {"actions": "discrete", "set": {"rules.BasicRule.max_steps": 7, "rules.BasicRule.steps_per_day": 1}}
SOIL = ("Field-0", "Soil-0", "available_Water#L")
STAGE = ("Field-0", "Plant-0", "stage")
KINDS: list[Any] = [
    (*SOIL, "sum", "sum", (0, 2000)),
    (*SOIL, "matrix", "all"),
    (*STAGE, "matrix", "stages"),
    (*STAGE, ("count", ["seed"]), "seeds"),
    (*SOIL, lambda x: x.max() - x.min(), "spread"),
    (*SOIL, lambda x: np.full((2, 3, 3), int(x.sum()) % 200, np.uint8), "picture"),
]


def played(envs: farm_gym.FarmVectorEnv, steps: int) -> dict[tuple[int, int], list[int]]:
    """Plays by chance; returns the ids that each episode of each environment was played with, whatever the mode of autoreset."""
    rng = np.random.default_rng(3)
    episode = np.zeros(envs.num_envs, int)
    over = np.zeros(envs.num_envs, bool)
    chosen: dict[tuple[int, int], list[int]] = {(i, 0): [] for i in range(envs.num_envs)}
    for _ in range(steps):
        if envs.autoreset_mode == AutoresetMode.DISABLED and over.any():
            envs.reset(options={"reset_mask": over})
            begins, steps_now = over, np.ones_like(over)
        else:
            begins = over
            steps_now = ~over if envs.autoreset_mode == AutoresetMode.NEXT_STEP else np.ones_like(over)
        episode += begins
        ids = rng.integers(envs.single_action_space.n, size=envs.num_envs)
        _, _, terminations, truncations, _ = envs.step(ids)
        over = terminations | truncations
        for i in range(envs.num_envs):
            of_episode = chosen.setdefault((i, int(episode[i])), [])
            if steps_now[i]:
                of_episode.append(int(ids[i]))
    if envs.autoreset_mode == AutoresetMode.SAME_STEP:
        for i in np.flatnonzero(over):
            chosen[int(i), int(episode[i]) + 1] = []
    return chosen


def single(game: str, seed: int, ids: list[int], variables: Any, **arguments: Any) -> Monitor:
    """What a monitor of one environment records of an episode."""
    env = farm_gym.make(game, **arguments)
    monitor = env.add_monitoring(variables)
    env.reset(seed=seed)
    for one in ids:
        env.step(one)
    return monitor


def check(monitor: VectorMonitor, chosen: dict[tuple[int, int], list[int]], game: str, variables: Any, **arguments: Any) -> int:
    """Compares each episode with that of a single environment; returns how many there are."""
    table, arrays = monitor.to_pandas(), monitor.arrays()
    assert list(table.columns[:2]) == ["environment", "episode"]
    assert monitor.environments == table["environment"].tolist() and len(monitor) == len(table)
    places = list(zip(monitor.environments, monitor.episodes, strict=True))
    assert set(places) == {place for place in chosen if place[0] in set(monitor.environments)}
    for environment, episode in set(places):
        rows = np.array([place == (environment, episode) for place in places])
        seed = int(table["seed"][rows].iloc[0])
        alone = single(game, seed, chosen[environment, episode], variables, **arguments)
        own = table[rows].drop(columns=["environment", "episode"]).reset_index(drop=True)
        expected = alone.to_pandas().drop(columns="episode")
        pandas.testing.assert_frame_equal(own, expected)
        assert monitor.titles == alone.titles
        for title, values in alone.arrays().items():
            assert np.array_equal(arrays[title][rows], values, equal_nan=True), title
        assert [events for events, is_own in zip(monitor.events, rows, strict=True) if is_own] == alone.events
    return len(set(places))


# One or two of each kind: what is monitored is alike in all games of a kind.
SOME_GAMES = ["clay_bean", "full_farm_4x3", "two_fields", "costly_clay_bean", "backwards_valley", "valley_farm", "walking_farmer"]


@pytest.mark.parametrize("mode", list(AutoresetMode))
@pytest.mark.parametrize("game", SOME_GAMES)
def test_each_environment_has_the_rows_of_a_single_one_in_every_mode(game: str, mode: AutoresetMode) -> None:
    envs = farm_gym.make_vec(game, 3, num_threads=1, autoreset_mode=mode, **SHORT)
    monitor = envs.add_monitoring()
    envs.reset(seed=11)
    chosen = played(envs, 18)
    assert check(monitor, chosen, game, None, **SHORT) >= 6, "several episodes of each"
    seeds = dict(zip(zip(monitor.environments, monitor.episodes, strict=True), monitor.seeds, strict=True))
    assert [seeds[i, 0] for i in range(3)] == [11, 12, 13]
    assert len(set(seeds.values())) == len(seeds), "each episode has a seed of its own"


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
@pytest.mark.parametrize("threads", [1, 3])
def test_functions_matrices_and_pictures_of_some_environments(mode: AutoresetMode, threads: int) -> None:
    arguments = {**SHORT, "preset": "4x3"}
    envs = farm_gym.make_vec("clay_bean-v0", 40, num_threads=threads, autoreset_mode=mode, **arguments)
    monitor = envs.add_monitoring(KINDS, environments=[31, 2, 17, 2])
    envs.reset(seed=0)
    chosen = played(envs, 20)
    assert check(monitor, chosen, "clay_bean-v0", KINDS, **arguments) >= 6
    assert set(monitor.environments) == {2, 17, 31}
    assert monitor.ranges["sum"] == (0, 2000) and monitor.units["seeds"] == "nb"


def test_the_last_row_of_an_episode_is_its_end() -> None:
    envs = farm_gym.make_vec("clay_bean-v0", 2, num_threads=1, autoreset_mode=AutoresetMode.SAME_STEP, **SHORT)
    monitor = envs.add_monitoring([(*SOIL, "sum", "water")])
    envs.reset(seed=5)
    total = np.zeros(2)
    for _ in range(7):
        observations, rewards, terminations, truncations, infos = envs.step(np.zeros(2, np.int64))
        total += rewards
    assert (terminations | truncations).all()
    table = monitor.to_pandas()
    last = table[table["episode"] == 0].groupby("environment").last()
    assert last["step"].tolist() == [7, 7]
    shown = [final["Field-0.Soil-0.available_Water#L"].sum() for final in infos["final_obs"]]
    assert last["water"].to_numpy() == pytest.approx(shown, rel=1e-6)
    assert table[table["episode"] == 0].groupby("environment")["reward"].sum().to_numpy() == pytest.approx(total)
    assert table[table["episode"] == 1]["step"].tolist() == [0, 0], "the next ones have begun"


def test_gymnasiums_own_way_and_steps_that_are_sent() -> None:
    made = gymnasium.make_vec(environment_id("farm0"), num_envs=2, vectorization_mode="vector_entry_point", num_threads=1)
    envs = made.unwrapped
    assert isinstance(envs, farm_gym.FarmVectorEnv)
    monitor = envs.add_monitoring([("Field-0", "Soil-0", "available_N#g", "sum", "N")])
    made.reset(seed=1)
    envs.send(np.zeros(envs.action_space.shape, np.int64))
    assert len(monitor) == 2
    envs.recv()
    assert monitor.steps == [0, 0, 1, 1] and monitor.environments == [0, 1, 0, 1]


def test_what_is_not_monitored_costs_nothing_and_monitoring_changes_nothing() -> None:
    watched, plain = (farm_gym.make_vec("clay_bean-v0", 3, num_threads=1, **SHORT) for _ in range(2))
    watched.add_monitoring(environments=[1])
    for envs in (watched, plain):
        envs.reset(seed=2)
        played(envs, 15)
    assert [watched.native.state_hash(i) for i in range(3)] == [plain.native.state_hash(i) for i in range(3)]
    assert plain._monitor is None


def test_what_has_begun_restored_and_reset_environments() -> None:
    envs = farm_gym.make_vec("farm0-v0", 3, num_threads=1, actions="discrete")
    envs.reset(seed=4)
    envs.step([0, 0, 0])
    before = envs.add_monitoring([("Field-0", "Soil-0", "available_N#g", "sum", "N")])
    assert before.steps == [1, 1, 1], "from where they are"
    saved = envs.snapshot(1)
    envs.step([0, 0, 0])
    envs.restore(1, saved)
    envs.reset(options={"reset_mask": np.array([True, False, False])})
    assert (before.environments, before.episodes, before.steps) == (
        [0, 1, 2, 0, 1, 2, 1, 0],
        [0, 0, 0, 0, 0, 0, 1, 1],
        [1, 1, 1, 2, 2, 2, 1, 0],
    )
    # Another one takes its place, which keeps what it has.
    after = envs.add_monitoring([("Field-0", "Soil-0", "available_N#g", "sum", "N")], environments=np.array([2]))
    envs.step([0, 0, 0])
    assert len(before) == 8 and (after.environments, after.steps) == ([2, 2], [2, 3])
    # Where one is restored, the others have begun, too.
    envs = farm_gym.make_vec("farm0-v0", 2, num_threads=1, actions="discrete")
    monitor = envs.add_monitoring([("Field-0", "Soil-0", "available_N#g", "sum", "N")], environments=[0])
    with pytest.raises(farm_gym.StateError, match="call `reset` before the first step"):
        envs.step([0, 0])
    envs.restore(1, saved)
    envs.step([0, 0])
    envs.reset()
    assert monitor.episodes == [0, 1] and monitor.steps == [1, 0]


def test_environments_that_play_variants_are_read_by_the_same_monitors() -> None:
    wilting = (*SOIL[:2], "wilting_water#L")
    envs = farm_gym.make_vec("clay_bean-v0", 2, num_threads=1, preset="4x3")
    monitor = envs.add_monitoring([(*wilting, "mean", "room"), (*wilting, np.max, "most")])
    envs.reset(seed=0)
    changed = {"Field-0.Soil-0.wilting_point#L.m-3": 200}
    envs.reset(seed=0, options={"set": [{}, changed]})
    envs.step(np.zeros(envs.action_space.shape, np.int64))
    alone = farm_gym.make("clay_bean-v0", preset="4x3", set=changed)
    alone.reset(seed=1)
    for values in monitor.arrays().values():
        assert values[0] == values[1] == values[2] == values[4] != values[3] == values[5]
        assert values[3] == pytest.approx(alone.state()[".".join(wilting)].max())
    assert monitor.episodes == [0, 0, 1, 1, 1, 1]
    # A monitor that is made later reads each by its own game, too.
    later = envs.add_monitoring([(*wilting, "max", "room")])
    assert later.arrays()["room"].tolist() == monitor.arrays()["most"][-2:].tolist()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"variables": [("Field-0", "Soil-0", "avialable_Water#L", "mean")]}, "did you mean `available_Water#L`"),
        ({"variables": [(*SOIL, lambda x: "wet", "wet")]}, "neither a number"),
        ({"variables": [(*SOIL, "sum", "a"), (*SOIL, np.sum, "a")]}, "two monitors have the title"),
        ({"environments": [3]}, "no environment 3: environments are numbered from 0 to 2"),
        ({"environments": [-1]}, "no environment -1"),
        ({"environments": ["a"]}, "not valid numbers of environments"),
        ({"environments": 1}, "not valid numbers of environments"),
        ({"environments": []}, "no environment is to be monitored"),
    ],
)
def test_slips_are_told_and_leave_the_monitor_as_it_was(arguments: dict[str, Any], words: str) -> None:
    envs = farm_gym.make_vec("clay_bean-v0", 3, num_threads=1, preset="4x3")
    before = envs.add_monitoring([(*SOIL, "sum", "sum")])
    with pytest.raises(farm_gym.ConfigError, match=words):
        envs.add_monitoring(**arguments)
    envs.reset(seed=0)
    assert len(before) == 3


def test_what_a_function_raises_reaches_the_user_once() -> None:
    envs = farm_gym.make_vec("clay_bean-v0", 2, num_threads=1, actions="discrete")
    left = iter([1.0, 2.0, 3.0])

    def once(values: Values) -> float:
        return next(left, None) or (1 / 0 if bad else 7.0)

    bad = True
    monitor = envs.add_monitoring([(*SOIL, once, "bad")])
    envs.reset(seed=0)
    with pytest.raises(ZeroDivisionError):
        envs.step([0, 0])
    bad = False
    envs.step([0, 0])
    assert monitor.steps == [0, 0, 2, 2] and monitor.arrays()["bad"].tolist() == [2.0, 3.0, 7.0, 7.0]


def test_tables_are_read_back(tmp_path: Path) -> None:
    envs = farm_gym.make_vec("clay_bean-v0", 3, num_threads=1, preset="4x3", **SHORT)
    monitor = envs.add_monitoring([*KINDS[:5], (*SOIL, "mean", "environment")], environments=[0, 2])
    envs.reset(seed=2**63)
    played(envs, 10)
    monitor.to_csv(tmp_path / "a.csv")
    monitor.to_parquet(tmp_path / "a.parquet")
    expected = monitor.to_pandas()
    # A title that is the name of a column gets another name.
    assert next(iter(expected.columns)) == "environment" and "environment [2]" in expected.columns
    csv, columnar = pandas.read_csv(tmp_path / "a.csv"), pandas.read_parquet(tmp_path / "a.parquet")
    for found in (csv, columnar):
        assert list(found.columns) == list(expected.columns)
        for name in expected.columns:
            if expected[name].dtype.kind in "iuf":
                assert np.array_equal(found[name].to_numpy(np.float64), expected[name].to_numpy(np.float64), equal_nan=True), name
            else:
                assert ["" if pandas.isna(text) else text for text in found[name]] == list(expected[name]), name
    assert (csv["seed"].dtype, columnar["environment"].dtype) == (np.uint64, np.int64)
    with pytest.raises(farm_gym.OutputError, match="nowhere"):
        monitor.to_csv(tmp_path / "nowhere" / "a.csv")


def test_tensorboard_has_a_folder_for_each_environment(tmp_path: Path) -> None:
    envs = farm_gym.make_vec("clay_bean-v0", 3, num_threads=1, autoreset_mode="SameStep", preset="4x3", **SHORT)
    variables = [KINDS[0], KINDS[4], KINDS[5]]
    envs.reset(seed=1)
    monitor = envs.add_monitoring(variables, environments=[0, 2], tensorboard=tmp_path)
    played(envs, 10)
    table = monitor.to_pandas()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["environment_0000", "environment_0002"]
    for (environment, episode), rows in table.groupby(["environment", "episode"]):
        read = EventAccumulator(str(tmp_path / f"environment_{environment:04}" / f"episode_{episode:04}"), size_guidance={"images": 0})
        read.Reload()
        events = read.Scalars("Field-0.Soil-0/sum")
        assert [event.step for event in events] == rows["step"].tolist()
        assert [event.value for event in events] == pytest.approx(rows["sum"].tolist(), rel=1e-6)
        assert [event.value for event in read.Scalars("Field-0.Soil-0/spread")] == pytest.approx(rows["spread"].tolist(), abs=1e-4)
        assert len(read.Images("picture")) == len(rows)
    returns = EventAccumulator(str(tmp_path / "environment_0002"))
    returns.Reload()
    first = table[(table["environment"] == 2) & (table["episode"] == 0)]
    assert returns.Scalars("episode/return")[0].value == pytest.approx(first["reward"].sum(), rel=1e-6)
    # Later on, with what was recorded before.
    assert monitor.tensorboard(tmp_path / "again") == str(tmp_path / "again")
    read = EventAccumulator(str(tmp_path / "again" / "environment_0000" / "episode_0000"), size_guidance={"images": 0})
    read.Reload()
    assert len(read.Scalars("Field-0.Soil-0/sum")) == len(read.Images("picture")) == 8


def test_what_is_not_kept_is_written_and_a_folder_that_goes_away_is_a_warning(tmp_path: Path) -> None:
    envs = farm_gym.make_vec("farm0-v0", 2, num_threads=1, actions="discrete")
    folder = tmp_path / "runs"
    monitor = envs.add_monitoring([("Field-0", "Soil-0", "available_N#g", "sum", "N")], tensorboard=folder, keep=False)
    envs.reset(seed=0)
    envs.step([0, 0])
    assert len(monitor) == 0
    read = EventAccumulator(str(folder / "environment_0001" / "episode_0000"))
    read.Reload()
    assert len(read.Scalars("Field-0.Soil-0/N")) == 2
    if sys.platform == "win32":
        return
    for path in sorted(folder.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    folder.rmdir()
    folder.write_text("a file in its place")
    with pytest.warns(RuntimeWarning, match="writing for TensorBoard stopped"):
        envs.reset(seed=1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        envs.step([0, 0])
    (tmp_path / "file").write_text("")
    with pytest.raises(farm_gym.OutputError, match="file"):
        envs.add_monitoring(tensorboard=tmp_path / "file")
