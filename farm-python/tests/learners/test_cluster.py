"""``python -m farm_gym.cluster``: a Ray cluster plays the same bytes as one core, whatever happens to it."""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import ray
from ray.cluster_utils import Cluster

STUDY = """
name: harvest
title: Harvest
game: game.yaml
policy: expert
x: {label: plants, values: [600, 1320]}
set: {'rules.BasicRule.initial_conditions.Field-0.Plant-0.population#nb': '{x}'}
seeds: SEEDS
measure: {label: harvest, of: [{variable: [Field-0, Plant-0, harvest_weight#kg]}]}
expect:
  - {claim: Something is harvested., within: [1, 1000]}
"""
GAME = "extends: clay_bean\nname: my_beans\n"
POLICY = """
- HarvestPolicy: when_ripe
- WaterPolicy: {amount#L: {tune: [1000, 4000], value: 1000, step: 1000}, below#L: {tune: [20000, 40000], value: 21000}}
"""
#: Episodes of a point, in blocks of 25.
SEEDS, BLOCKS = 2_000, 160


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """Two machines with a core each, on this one."""
    # Otherwise workers stand back behind all else that runs here.
    os.environ["RAY_worker_niceness"] = "0"  # noqa: SIM112
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    try:
        cluster.add_node(num_cpus=1)
        cluster.wait_for_nodes()
        yield cluster
    finally:
        ray.shutdown()
        cluster.shutdown()
        del os.environ["RAY_worker_niceness"]  # noqa: SIM112


def words(*words: str) -> list[str]:
    return [sys.executable, "-m", *words]


def ran(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words(*command), cwd=folder, capture_output=True, text=True, check=False, timeout=120)


def on(cluster: Cluster, *command: str) -> tuple[str, ...]:
    return ("farm_gym.cluster", "--address", cluster.address, *command)


def study_in(folder: Path, seeds: int = SEEDS) -> str:
    """A study and its game in a folder below, by its path."""
    place = folder / "mine"
    place.mkdir(parents=True, exist_ok=True)
    (place / "game.yaml").write_text(GAME, encoding="utf-8")
    (place / "harvest.yaml").write_text(STUDY.replace("SEEDS", str(seeds)), encoding="utf-8")
    return "mine/harvest.yaml"


def kept(folder: Path) -> int:
    """How many blocks are kept."""
    path = folder / "runs" / "cluster" / "blocks.txt"
    return path.read_bytes().count(b"\n") - 1 if path.exists() else 0


def until(condition: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    """Waits for something that happens while a command is under way."""
    end = time.monotonic() + 60
    while not condition():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.01)


def test_a_study_is_the_same_where_one_of_three_machines_dies_in_the_middle(cluster: Cluster, tmp_path: Path) -> None:
    study = study_in(tmp_path)
    alone = [ran(tmp_path, "farm_gym", "study", study, "--threads", "1", *more) for more in ([], ["--json"])]
    assert [done.returncode for done in alone] == [0, 0], alone
    third = cluster.add_node(num_cpus=1)
    cluster.wait_for_nodes()
    command = words(*on(cluster, "study", study))
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            until(lambda: kept(tmp_path) >= 20, process)
            cluster.remove_node(third, allow_graceful=False)
            died = kept(tmp_path)
            out, err = process.communicate(timeout=90)
        finally:
            process.kill()
    assert died < BLOCKS, "the machine died too late"
    assert (process.returncode, out) == (0, alone[0].stdout), err
    assert f"blocks: {BLOCKS} of {BLOCKS}; " in err and "Traceback" not in err
    # Nothing is played twice: what is kept needs no cluster. A port that is taken and not listened on refuses whoever asks.
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        nobody = f"127.0.0.1:{taken.getsockname()[1]}"
        again = ran(tmp_path, "farm_gym.cluster", "--address", nobody, "study", study, "--json")
    assert (again.returncode, again.stdout) == (0, alone[1].stdout), again.stderr
    assert f"blocks: {BLOCKS} of {BLOCKS}, {BLOCKS} of them from earlier runs\n" in again.stderr and kept(tmp_path) == BLOCKS


def test_a_tuning_is_the_same_with_its_policy(cluster: Cluster, tmp_path: Path) -> None:
    tuned = {}
    for name, begin in (("alone", ("farm_gym",)), ("cluster", on(cluster))):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "policy.yaml").write_text(POLICY, encoding="utf-8")
        line = "tune clay_bean --policy policy.yaml --budget 240 --episodes 5 --held-out 30 --out tuned.yaml --checkpoint tuning.json"
        done = ran(folder, *begin, *line.split())
        assert done.returncode == 0 and "generation 1 of" in done.stderr, done.stderr
        tuned[name] = done.stdout, (folder / "tuned.yaml").read_bytes(), (folder / "tuning.json").read_bytes()
    assert tuned["alone"] == tuned["cluster"]


def ended(how: signal.Signals, cluster: Cluster, folder: Path, study: str) -> tuple[int, str]:
    """Ends a command by a signal when ten blocks are kept; returns its exit code and its messages."""
    # Who runs the tests in the background may have Ctrl-C be ignored.
    reset = "import signal, os, sys; signal.signal(signal.SIGINT, signal.default_int_handler); os.execv(sys.argv[1], sys.argv[1:])"
    command = [sys.executable, "-c", reset, *words(*on(cluster, "study", study))]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            until(lambda: kept(folder) >= 10, process)
            process.send_signal(how)
            _, err = process.communicate(timeout=30)
        finally:
            process.kill()
    return process.returncode, err


@pytest.mark.skipif(os.name != "posix", reason="signals are those of POSIX")
def test_what_is_played_when_the_command_is_killed_is_not_played_again(cluster: Cluster, tmp_path: Path) -> None:
    study = study_in(tmp_path, 1_000)
    assert ended(signal.SIGKILL, cluster, tmp_path, study)[0] == -signal.SIGKILL
    before = kept(tmp_path)
    assert 10 <= before < 80, "it was ended too late"
    # The computer failed while a line was written.
    with (tmp_path / "runs" / "cluster" / "blocks.txt").open("ab") as file:
        file.write(b"0123456789abcdef AAAAAA")
    again = ran(tmp_path, *on(cluster, "study", study))
    assert again.returncode == 0 and f"80 of 80, {before} of them from earlier runs; " in again.stderr, again.stderr
    assert kept(tmp_path) == 80
    assert again.stdout == ran(tmp_path, "farm_gym", "study", study).stdout


@pytest.mark.skipif(os.name != "posix", reason="signals are those of POSIX")
def test_control_c_says_how_far_it_is(cluster: Cluster, tmp_path: Path) -> None:
    code, err = ended(signal.SIGINT, cluster, tmp_path, study_in(tmp_path, 1_000))
    before = kept(tmp_path)
    assert 10 <= before < 80, "it was ended too late"
    assert code == 130 and f"error: interrupted: {before} of 80 blocks are played; runs/cluster/blocks.txt stores them" in err, err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    "command", [["study", "nitrgen"], ["tune", "clay_bean", "--policy", "expert", "--budget", "9", "--held-out", "1"], ["study", "--sedes"]]
)
def test_what_is_wrong_is_said_as_the_command_says_it(command: list[str], tmp_path: Path) -> None:
    theirs, ours = ran(tmp_path, "farm_gym", *command), ran(tmp_path, "farm_gym.cluster", "--address", "127.0.0.1:9", *command)
    assert ours.returncode == theirs.returncode != 0
    assert (ours.stdout, ours.stderr) == (theirs.stdout, theirs.stderr)
    assert list(tmp_path.iterdir()) == []


def test_a_cluster_that_is_not_there_is_told_within_seconds(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as web:
        # Something else that listens, and says nothing.
        silent = f"127.0.0.1:{web.getsockname()[1]}"
        cases = {
            "127.0.0.1:9": "the cluster can't be reached: ",
            silent: "the cluster can't be reached: timed out",
            "10.0.0.1": "expected HOST:PORT, such as 10.0.0.1:6379",
            "ray://10.0.0.1:10001": "expected HOST:PORT of the head",
        }
        for address, said in cases.items():
            begun = time.monotonic()
            done = ran(tmp_path, "farm_gym.cluster", "--address", address, "study", "nitrogen")
            assert done.returncode == 1 and f"error: --address {address}: " in done.stderr and said in done.stderr, done.stderr
            assert "Traceback" not in done.stderr and time.monotonic() - begun < 20


def test_files_travel_from_the_current_folder_only(cluster: Cluster, tmp_path: Path) -> None:
    study_in(tmp_path, 25)
    (tmp_path / "elsewhere").mkdir()
    done = ran(tmp_path / "elsewhere", *on(cluster, "study", "../mine/harvest.yaml"))
    assert done.returncode == 1 and "error: ../mine/harvest.yaml: on a cluster, files must be in the current folder or below" in done.stderr


FAILS = """
import farm_gym

class Fails(farm_gym.Policy):
    def choose(self, observation, info):
        raise LookupError("no advice on day", int(info["step"]))
"""


def test_what_a_part_written_in_python_raises_there_is_told(cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    study = study_in(tmp_path, 25)
    (tmp_path / "advice_that_fails.py").write_text(FAILS, encoding="utf-8")
    text = (tmp_path / study).read_text(encoding="utf-8").replace("policy: expert", "policy: {python: 'advice_that_fails:Fails'}")
    (tmp_path / study).write_text(text, encoding="utf-8")
    done = ran(tmp_path, *on(cluster, "study", study, "--allow-plugins"))
    assert done.returncode == 1 and "advice_that_fails" in done.stderr and "blocks are not stored" in done.stderr, done.stderr


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="PyTorch is not installed")
def test_trainings_are_the_same_as_each_by_itself(cluster: Cluster, tmp_path: Path) -> None:
    options = ["--steps", "512", "--envs", "8", "--episodes", "5", "--hyper", "rollout=32", "--hyper", "width=16"]
    train = on(cluster, "train", "backwards_valley", *options, "--seeds", "2")
    done = ran(tmp_path, *train)
    assert done.returncode == 0 and "trainings: 2 of 2; " in done.stderr, done.stderr
    folder = tmp_path / "runs" / "backwards_valley-ppo-1"
    command = results(folder)["made_by"]["command"]
    alone = ran(tmp_path, *command.split()[2:], "--out", "alone")
    assert alone.returncode == 0, alone.stderr
    names = {path.name for path in folder.iterdir()}
    assert names == {path.name for path in (tmp_path / "alone").iterdir()} and "checkpoint.pt" in names
    assert unlike(folder) == unlike(tmp_path / "alone")
    # A second start trains what is missing.
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()
    again = ran(tmp_path, *train)
    assert again.returncode == 0 and "trainings: 2 of 2, 1 of them from earlier runs; " in again.stderr, again.stderr
    assert unlike(folder) == unlike(tmp_path / "alone")
    other = ran(tmp_path, *on(cluster, "train", "backwards_valley", "--steps", "256"))
    assert other.returncode == 1 and "backwards_valley-ppo-0" in other.stderr and "--out names another folder" in other.stderr, other.stderr
    wrong = ran(tmp_path, *on(cluster, "train", "clay_baen"))
    assert wrong.returncode == 1 and "clay_bean" in wrong.stderr and "Traceback" not in wrong.stderr, wrong.stderr


def results(folder: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((folder / "results-sampled.json").read_text(encoding="utf-8"))
    return document


def unlike(folder: Path) -> list[Any]:
    """What a training says but for the time that it took and the words of its command."""
    both = [json.loads((folder / f"results-{mode}.json").read_text(encoding="utf-8")) for mode in ("sampled", "greedy")]
    for document in both:
        del document["training"]["cpu_seconds"], document["made_by"]["cpu_seconds"], document["made_by"]["command"]
    return both
