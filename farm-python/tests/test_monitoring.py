"""Monitors: what is recorded, against the state and NumPy; files, read back by pandas, PyArrow and TensorBoard's own reader."""

from __future__ import annotations

import copy
import errno
import functools
import io
import pickle
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pytest
from PIL import Image
from pyarrow import parquet
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

import farm_gym
from conftest import GAMES
from farm_gym.monitoring import Monitor, Values, mat2d_value, max_value, mean_value, min_value, sum_value

PLOTS = {"preset": "4x3"}
SOIL = ("Field-0", "Soil-0", "available_Water#L")
STAGE = ("Field-0", "Plant-0", "stage")
#: Monitors of every kind, by title.
KINDS: list[Any] = [
    (*SOIL, "sum", "sum", (0, 2000)),
    (*SOIL, "mean", "mean", [0, 180]),
    (*SOIL, "matrix", "all"),
    (*SOIL, (3, 2), "one"),
    (*STAGE, "matrix", "stages"),
    (*STAGE, "min", "first stage"),
    (*STAGE, ("count", ["seed"]), "seeds"),
    ("Field-0", "Weather-0", "day#int365", "value", "day", "range_auto"),
    ("", "BasicFarmer-0", "interventions_today", "value", "today"),
]


def play(env: farm_gym.FarmEnv, seeds: tuple[int, ...] = (0, 1), steps: int = 4) -> tuple[list[dict[str, Any]], list[float]]:
    """Plays and returns the states and the rewards."""
    states, rewards = [], []
    for seed in seeds:
        env.reset(seed=seed)
        states.append(env.state())
        rewards.append(float("nan"))
        for _ in range(steps):
            _, reward, terminated, truncated, _ = env.farmgym_step([])
            states.append(env.state())
            rewards.append(float(reward))
            if terminated or truncated:
                break
    return states, rewards


def test_what_is_recorded_is_what_numpy_makes_of_the_state() -> None:
    env = farm_gym.make("clay_bean-v0", **PLOTS)
    monitor = env.add_monitoring(KINDS)
    states, rewards = play(env)
    water = np.array([state[".".join(SOIL)] for state in states])
    stage = np.array([state[".".join(STAGE)] for state in states])
    arrays = monitor.arrays()
    assert list(arrays) == monitor.titles == [entry[4] for entry in KINDS]
    assert np.allclose(arrays["sum"], water.sum((1, 2)))
    assert np.allclose(arrays["mean"], water.mean((1, 2)))
    assert np.allclose(arrays["all"], water) and arrays["all"].shape == (10, 4, 3)
    assert np.allclose(arrays["one"], water[:, 3, 2])
    assert np.array_equal(arrays["stages"], stage)
    assert np.array_equal(arrays["first stage"], stage.min((1, 2)))
    assert np.array_equal(arrays["seeds"], (stage == stage[0, 0, 0]).sum((1, 2)))
    assert np.array_equal(arrays["day"], [state["Field-0.Weather-0.day#int365"] for state in states])
    assert (monitor.episodes, monitor.steps, monitor.seeds) == ([0] * 5 + [1] * 5, [0, 1, 2, 3, 4] * 2, [0] * 5 + [1] * 5)
    assert (monitor.ranges["sum"], monitor.ranges["mean"], monitor.ranges["day"]) == ((0, 2000), (0, 180), None)
    assert (monitor.units["sum"], monitor.units["seeds"], monitor.units["day"]) == ("L", "nb", "")
    table = monitor.to_pandas()
    assert list(table.columns[:6]) == ["episode", "seed", "step", "reward", "actions", "sum"]
    assert np.allclose(table["reward"], rewards, equal_nan=True)
    assert np.allclose(table["all (3, 2)"], water[:, 3, 2]) and set(table["stages (0, 1)"]) <= {"seed", "grow"}


def test_functions_of_python_stand_beside_those_of_the_engine() -> None:
    env = farm_gym.make("clay_bean-v0", **PLOTS)
    spread = functools.partial(np.ptp)
    monitor = env.add_monitoring(
        [
            (*SOIL, lambda x: sum_value(x), "sum", "range_auto"),
            # The paper's own examples.
            ("Field-0", "Plant-0", "size#cm", lambda x: x[0, 0].value, "Size (cm)", "range_auto"),
            (*SOIL, lambda x: mat2d_value(x, 3, 4), "all", (0, 180)),
            ("Field-0", "Weather-0", "day#int365", lambda x: x.value / 365, "year"),
            (*SOIL, spread, "spread"),
            (*SOIL, mean_value, "mean"),
            {"field": SOIL[0], "entity": SOIL[1], "variable": SOIL[2], "function": max_value, "title": "highest"},
            {"variable": list(SOIL), "function": lambda x: x.min(), "title": "lowest", "range": (0, 100)},
            (*SOIL, lambda x: np.asarray(x) > x.mean()),
            (*STAGE, lambda x: float("nan"), "nothing"),
        ]
    )
    states, _ = play(env)
    water = np.array([state[".".join(SOIL)] for state in states])
    arrays = monitor.arrays()
    assert np.allclose(arrays["sum"], water.sum((1, 2))) and np.allclose(arrays["mean"], water.mean((1, 2)))
    assert np.allclose(arrays["all"], water) and np.allclose(arrays["spread"], np.ptp(water, (1, 2)))
    assert np.allclose(arrays["highest"], water.max((1, 2))) and np.allclose(arrays["lowest"], water.min((1, 2)))
    assert np.allclose(arrays["Size (cm)"], [state["Field-0.Plant-0.size#cm"][0, 0] for state in states])
    assert np.allclose(arrays["year"] * 365, [state["Field-0.Weather-0.day#int365"] for state in states])
    assert np.isnan(arrays["nothing"]).all()
    assert monitor.ranges["lowest"] == (0, 100) and monitor.ranges["all"] == (0, 180)
    assert ".".join(SOIL) + " (function)" in monitor.titles
    assert (min_value([[1, 2]]), Values((1,), buffer=np.array([2.5])).value) == (1.0, 2.5)
    with pytest.raises(ValueError, match="4 × 3"):
        mat2d_value(water[0], 5, 3)


def test_a_game_names_its_monitors_or_all_are_taken(game: str) -> None:
    env = farm_gym.make(game, set={"monitoring": [["step", "value", "day", [0, 100]]]})
    assert env.add_monitoring().titles == ["day"]
    env = farm_gym.make(game)
    monitor = env.add_monitoring()
    assert len(monitor.titles) == len([name for name, value in env.state().items() if np.size(value)])
    states, _ = play(env, (3,))
    arrays = monitor.arrays()
    same = [name for name in states[0] if name in arrays]
    assert same, "a single value is called as the variable is"
    for name in same:
        assert np.allclose(arrays[name], [np.asarray(state[name]).item() for state in states], rtol=1e-6), name


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        (("Field-0", "Soil-0", "avialable_Water#L", "mean"), "did you mean `available_Water#L`"),
        (("Field-0", "Soli-0", "available_Water#L", lambda x: x.sum()), "did you mean `Soil-0`"),
        ((*SOIL, "summ"), "did you mean `sum`"),
        ((*SOIL, (9, 9)), "from \\(0, 0\\) to \\(3, 2\\)"),
        ((*SOIL, "value"), "several values"),
        ((*SOIL, "sum", ""), "not a valid title"),
        ((*SOIL, "sum", "water", (3, 1)), "not a valid range"),
        ((*SOIL, sum, "water", "wide"), "not a valid range"),
        ((*SOIL, len, 7), "not a valid title"),
        ((*SOIL, lambda x: "wet", "wet"), "neither a number"),
        ((*SOIL, lambda x: np.zeros((2, 2, 2)), "cube"), "neither a number"),
        ((1,), "not a valid monitor"),
        ("Soil-0", "is not \\(field"),
        (7, "is not \\(field"),
        ((*SOIL, object()), "can't be read"),
        ({"variable": list(SOIL), "fuction": "sum"}, "did you mean `function`"),
    ],
)
def test_slips_are_told_and_leave_the_monitor_as_it_was(entry: Any, words: str) -> None:
    env = farm_gym.make("clay_bean-v0", **PLOTS)
    before = env.add_monitoring([(*SOIL, "sum", "sum")])
    with pytest.raises(farm_gym.ConfigError, match=words):
        env.add_monitoring([entry])
    play(env, (0,), 2)
    assert len(before) == 3
    with pytest.raises(farm_gym.ConfigError, match="two monitors have the title"):
        env.add_monitoring([(*SOIL, "sum", "a"), (*SOIL, np.sum, "a")])


def test_what_a_function_raises_reaches_the_user() -> None:
    env = farm_gym.make("clay_bean-v0", **PLOTS)
    with pytest.raises(ZeroDivisionError):
        env.add_monitoring([(*SOIL, lambda x: 1 / 0, "bad")])
    sizes = iter([1, 1, 2])
    env.add_monitoring([(*SOIL, lambda x: np.zeros(next(sizes)), "growing")])
    env.reset(seed=0)
    with pytest.raises(farm_gym.ConfigError, match="changed the shape"):
        env.farmgym_step([])


def test_restored_copied_and_pickled_environments_go_on_with_a_recording_of_their_own() -> None:
    env = farm_gym.make("clay_bean-v0", **PLOTS)
    env.reset(seed=4)
    monitor = env.add_monitoring([(*SOIL, "sum", "sum"), (*SOIL, np.ptp, "spread"), (*SOIL, picture, "picture")])
    assert (len(monitor), monitor.steps) == (1, [0]), "an episode that has begun is recorded from where it is"
    env.farmgym_step([])
    saved = env.snapshot()
    env.farmgym_step([])
    env.restore(saved)
    env.farmgym_step([])
    assert (monitor.episodes, monitor.steps) == ([0, 0, 0, 1, 1], [0, 1, 2, 1, 2])
    assert monitor.arrays()["sum"][1] == monitor.arrays()["sum"][3]
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        [there] = other.observers
        assert isinstance(there, Monitor)
        assert there is not monitor and there.titles == monitor.titles
        other.farmgym_step([])
        other.reset(seed=5)
        assert (there.episodes, len(monitor)) == ([0, 0, 0, 1, 1, 1, 2], 5)
        assert all(np.array_equal(there.arrays()[name][:5], values) for name, values in monitor.arrays().items())
        assert there.events[:5] == monitor.events


def picture(values: Values) -> np.ndarray[Any, Any]:
    """A picture of 2 × 3 pixels of one colour."""
    return np.full((3, 2, 3), int(values.sum()) % 200, np.uint8)


def test_another_variant_of_the_game_is_read_by_the_same_monitors() -> None:
    env = farm_gym.make("clay_bean-v0", **PLOTS)
    wilting = (*SOIL[:2], "wilting_water#L")
    monitor = env.add_monitoring([(*wilting, "mean", "room"), (*wilting, np.max, "most")])
    env.reset(seed=0)
    env.reset(seed=0, options={"set": {"Field-0.Soil-0.wilting_point#L.m-3": 200}})
    for values in monitor.arrays().values():
        assert values[0] != values[1] == pytest.approx(env.state()[".".join(wilting)].max())
    assert monitor.episodes == [0, 1]


def tables(env: farm_gym.FarmEnv, folder: Path) -> tuple[Monitor, pandas.DataFrame, pandas.DataFrame]:
    monitor = env.add_monitoring([*KINDS, (*SOIL, np.ptp, "spread"), (*STAGE, lambda x: float("nan"), "nothing")])
    play(env)
    monitor.to_csv(folder / "table.csv")
    monitor.to_parquet(str(folder / "table.parquet"))
    return monitor, pandas.read_csv(folder / "table.csv"), parquet.read_table(folder / "table.parquet").to_pandas()


def test_tables_are_read_back_by_pandas_and_pyarrow(tmp_path: Path) -> None:
    monitor, csv, columnar = tables(farm_gym.make("clay_bean-v0", **PLOTS), tmp_path)
    expected = monitor.to_pandas()
    assert list(csv.columns) == list(columnar.columns) == list(expected.columns)
    assert [(name, str(columnar[name].dtype)) for name in ("episode", "seed", "step", "seeds", "day", "sum")] == [
        ("episode", "int64"),
        ("seed", "uint64"),
        ("step", "int64"),
        ("seeds", "int64"),
        ("day", "int64"),
        ("sum", "float64"),
    ]
    for name in expected.columns:
        for found in (csv, columnar):
            if expected[name].dtype.kind in "iuf":
                assert np.array_equal(found[name].to_numpy(np.float64), expected[name].to_numpy(np.float64), equal_nan=True), name
            else:
                # An empty text and nothing are the same cell of a table of texts.
                texts = ["" if pandas.isna(text) else text for text in found[name]]
                assert texts == list(expected[name]), name
    assert set(columnar["stages (0, 0)"]) <= {"seed", "grow"} and columnar["nothing"].isna().all()


def test_a_seed_of_64_bits_and_the_start_of_an_episode_stand_in_every_table(tmp_path: Path) -> None:
    env = farm_gym.make("farm0-v0")
    monitor = env.add_monitoring([("Field-0", "Soil-0", "available_N#g", "sum", "N")])
    env.reset(seed=2**64 - 1)
    monitor.to_csv(tmp_path / "a.csv")
    monitor.to_parquet(tmp_path / "a.parquet")
    for found in (pandas.read_csv(tmp_path / "a.csv"), pandas.read_parquet(tmp_path / "a.parquet"), monitor.to_pandas()):
        assert found["seed"].tolist() == [2**64 - 1] and found["reward"].isna().all()


def test_tensorboard_reads_scalars_and_pictures_back(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    env = farm_gym.make("clay_bean-v0", **PLOTS)
    monitor = env.add_monitoring(
        [
            *KINDS,
            (*SOIL, np.ptp, "spread"),
            (*SOIL, picture, "drawn"),
            (*STAGE, lambda x: float("nan"), "nothing"),
            (*SOIL, np.mean, "my/own"),
        ]
    )
    env.reset(seed=0)
    env.farmgym_step([])
    # What was recorded before is written, and what comes from now on.
    assert monitor.tensorboard(tmp_path) == str(tmp_path)
    env.farmgym_step([])
    play(env, (1,), 3)
    arrays = monitor.arrays()
    for episode, rows in ((0, slice(0, 3)), (1, slice(3, 7))):
        read = EventAccumulator(str(tmp_path / f"episode_{episode:04}"))
        read.Reload()
        tags = read.Tags()
        soil, plant = "Field-0.Soil-0/", "Field-0.Plant-0/"
        assert set(tags["images"]) == {soil + "all", plant + "stages", "drawn"}
        assert set(tags["scalars"]) == {
            *(soil + title for title in ("sum", "mean", "one", "spread")),
            *(plant + title for title in ("first stage", "seeds")),
            "Field-0.Weather-0/day",
            "BasicFarmer-0/today",
            "my/own",
            "reward",
        }
        for tag in (soil + "sum", soil + "spread", plant + "first stage", "my/own"):
            title = tag if tag == "my/own" else tag.split("/")[1]
            events = read.Scalars(tag)
            assert [event.step for event in events] == monitor.steps[rows]
            assert np.allclose([event.value for event in events], arrays[title][rows], rtol=1e-6)
        description = read.SummaryMetadata(soil + "sum").summary_description
        assert "Field-0.Soil-0.available_Water#L, sum, in L" in description
        assert "0 none, 1 seed" in read.SummaryMetadata(plant + "first stage").summary_description
        assert [event.value for event in read.Scalars("reward")] == pytest.approx(monitor.to_pandas()["reward"][rows][1:])
        for event, drawn in zip(read.Images("drawn"), arrays["drawn"][rows], strict=True):
            assert np.array_equal(pixels(event.encoded_image_string), drawn)
            assert (event.width, event.height) == (2, 3)
        shown = read.Images(soil + "all")
        assert [event.step for event in shown] == monitor.steps[rows] and len(shown) == len(arrays["all"][rows])
        for event, values in zip(shown, arrays["all"][rows], strict=True):
            check_heat_map(pixels(event.encoded_image_string), values)
    assert "oddly" not in caplog.text


def pixels(png: bytes) -> np.ndarray[Any, Any]:
    return np.asarray(Image.open(io.BytesIO(png)))


def check_heat_map(image: np.ndarray[Any, Any], values: np.ndarray[Any, Any]) -> None:
    """One square of one colour for each plot, x to the right and y down; a drier plot is never lighter."""
    length, width = values.shape
    cell = image.shape[1] // length
    assert image.shape == (width * cell, length * cell, 3)
    squares = image.reshape(width, cell, length, cell, 3)
    assert (squares == squares[:, :1, :, :1]).all()
    light = squares[:, 0, :, 0].astype(int).sum(2).T
    order = np.argsort(values, axis=None)
    assert (np.diff(light.ravel()[order]) >= 0).all()


def test_the_returns_of_all_episodes_are_a_run_of_their_own(tmp_path: Path) -> None:
    env = farm_gym.make("farm0-v0")
    env.add_monitoring([("Field-0", "Soil-0", "available_N#g", "sum", "N")], tensorboard=tmp_path, keep=False)
    returns, lengths = [], []
    for seed in (0, 1, 2):
        env.reset(seed=seed)
        rewards, over = [], False
        while not over:
            _, reward, terminated, truncated, _ = env.farmgym_step([])
            rewards.append(reward)
            over = terminated or truncated
        returns.append(sum(rewards))
        lengths.append(len(rewards))
    read = EventAccumulator(str(tmp_path))
    read.Reload()
    assert [event.step for event in read.Scalars("episode/return")] == [0, 1, 2]
    assert [event.value for event in read.Scalars("episode/return")] == pytest.approx(returns, rel=1e-6)
    assert [event.value for event in read.Scalars("episode/steps")] == lengths
    assert len(env.add_monitoring([], tensorboard=tmp_path)) == 1 and (tmp_path / "run_2").is_dir()


def test_what_is_not_kept_takes_no_memory_and_is_written_all_the_same(tmp_path: Path) -> None:
    env = farm_gym.make("farm0-v0")
    monitor = env.add_monitoring([("Field-0", "Soil-0", "available_N#g", "sum", "N")], tensorboard=tmp_path, keep=False)
    play(env, (0,), 5)
    assert len(monitor) == 0 and monitor.arrays()["N"].shape == (0,)
    read = EventAccumulator(str(tmp_path / "episode_0000"))
    read.Reload()
    assert len(read.Scalars("Field-0.Soil-0/N")) == 6


def test_a_file_that_cannot_be_written_is_an_error_of_the_system(tmp_path: Path) -> None:
    env = farm_gym.make("farm0-v0")
    monitor = env.add_monitoring()
    play(env, (0,), 3)
    (tmp_path / "file").write_text("")
    for write in (monitor.to_csv, monitor.to_parquet):
        with pytest.raises(farm_gym.OutputError, match="nowhere"):
            write(tmp_path / "nowhere" / "table")
        if sys.platform == "linux":
            with pytest.raises(farm_gym.OutputError, match="/dev/full") as raised:
                write("/dev/full")
            assert raised.value.errno == errno.ENOSPC
    with pytest.raises(farm_gym.OutputError, match="file"):
        monitor.tensorboard(tmp_path / "file")
    assert len(monitor) == 4, "what was recorded is there"


def test_a_folder_that_goes_away_is_a_warning_and_the_step_is_not_lost(tmp_path: Path) -> None:
    env = farm_gym.make("farm0-v0")
    folder = tmp_path / "runs"
    monitor = env.add_monitoring(tensorboard=folder)
    env.reset(seed=0)
    for file in (folder / "episode_0000").iterdir():
        file.unlink()
    (folder / "episode_0000").rmdir()
    for file in folder.iterdir():
        file.unlink()
    folder.rmdir()
    folder.write_text("a file in its place")
    with pytest.warns(RuntimeWarning, match="writing for TensorBoard stopped"):
        env.reset(seed=1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        _, reward, *_ = env.farmgym_step([])
    assert np.isfinite(reward) and monitor.steps == [0, 0, 1]


def test_no_other_package_is_needed_to_write(tmp_path: Path) -> None:
    code = f"""
import sys
for name in ("pandas", "pyarrow", "tensorboard", "tensorflow", "PIL", "matplotlib"):
    sys.modules[name] = None
import farm_gym
env = farm_gym.make({GAMES[0]!r})
monitor = env.add_monitoring(tensorboard={str(tmp_path / "runs")!r})
env.reset(seed=0)
env.farmgym_step([])
monitor.to_csv({str(tmp_path / "a.csv")!r})
monitor.to_parquet({str(tmp_path / "a.parquet")!r})
"""
    subprocess.run([sys.executable, "-c", code], check=True)
    assert len(pandas.read_csv(tmp_path / "a.csv")) == len(pandas.read_parquet(tmp_path / "a.parquet")) == 2
