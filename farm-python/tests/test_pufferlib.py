"""The adapter for PufferLib keeps its protocol; it is not needed for these tests, and is used where it is installed."""

from __future__ import annotations

import importlib.util
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import farm_gym
from conftest import equal
from farm_gym.pufferlib import FarmPufferEnv, Unflatten

BUFFERS = ("observations", "actions", "rewards", "terminals", "truncations", "masks")


def actions_of(env: FarmPufferEnv, steps: int) -> Any:
    single = env.single_action_space
    sizes = single.nvec if isinstance(single, gymnasium.spaces.MultiDiscrete) else single.n
    return np.random.default_rng(0).integers(sizes, size=(steps, env.num_agents, *single.shape))


#: Twelve steps an episode, also where a day has several.
SHORT = {"rules.BasicRule.max_steps": 12, "rules.BasicRule.steps_per_day": 1}


def test_spaces_and_buffers_are_those_of_the_protocol(game: str) -> None:
    env = FarmPufferEnv(game, 3)
    size = env.envs.records.dtype.itemsize
    assert env.single_observation_space == gymnasium.spaces.Box(0, 255, (size,), np.uint8)
    assert isinstance(env.single_action_space, (gymnasium.spaces.Discrete, gymnasium.spaces.MultiDiscrete))
    assert env.num_agents == 3 and env.masks.all() and not env.emulated and not env.done
    types = {"observations": np.uint8, "rewards": np.float32, "terminals": np.bool_, "truncations": np.bool_, "masks": np.bool_}
    assert {name: getattr(env, name).dtype.type for name in types} == types
    assert env.observations.shape == (3, size) == env.observation_space.shape
    assert env.actions.shape == (3, *env.single_action_space.shape)
    assert all(getattr(env, name).shape == (3,) for name in BUFFERS[2:])
    env.close()


def test_steps_are_those_of_the_vector_environment_and_written_in_place(game: str) -> None:
    # Where looking costs, a day takes two steps.
    short = SHORT | {"rules.BasicRule.max_steps": 6} if game.startswith("costly_") else SHORT
    env = FarmPufferEnv(game, 5, set=short)
    shared = {name: getattr(env, name) for name in BUFFERS}
    seeds = np.random.SeedSequence(7).generate_state(5, np.uint64).tolist()
    peers = farm_gym.make_vec(game, 5, num_threads=1, autoreset_mode=AutoresetMode.SAME_STEP, set=short)
    observations, infos = env.reset(seed=7)
    expected, _ = peers.reset(seed=seeds)
    returned, ended = np.zeros(5), []
    assert infos == [] and observations is env.observations
    for row in actions_of(env, 30):
        for key, value in env.unflatten(observations).items():
            assert value.dtype == expected[key].dtype and np.array_equal(value, expected[key]), key
        observations, rewards, terminals, truncations, infos = env.step(row)
        expected, their_rewards, their_terminations, their_truncations, _ = peers.step(row)
        assert np.array_equal(rewards, their_rewards.astype(np.float32))
        assert np.array_equal(terminals, their_terminations) and np.array_equal(truncations, their_truncations)
        returned += their_rewards
        over = their_terminations | their_truncations
        if over.any():
            [info] = infos
            assert info["episode_return"] == pytest.approx(returned[over].tolist())
            ended += info["episode_length"]
            returned[over] = 0
        else:
            assert infos == []
        assert all(getattr(env, name) is buffer for name, buffer in shared.items())
        assert np.array_equal(env.actions, row)
    assert len(ended) >= 10 and 0 < max(ended) <= 12


def test_given_buffers_are_used() -> None:
    size = FarmPufferEnv("valley_farm").observations.shape[1]
    whole = {
        "observations": np.zeros((6, size), np.uint8),
        "actions": np.zeros(6, np.int32),
        "rewards": np.ones(6, np.float32),
        "terminals": np.ones(6, np.bool_),
        "truncations": np.ones(6, np.bool_),
        "masks": np.zeros(6, np.bool_),
        "teacher_actions": np.zeros(6, np.int32),
    }
    part = {name: array[2:4] for name, array in whole.items()}
    env = FarmPufferEnv("valley_farm", 2, buf=part, seed=3)
    own = FarmPufferEnv("valley_farm", 2)
    env.reset(), own.reset(seed=3)
    for row in actions_of(own, 10):
        env.step(row), own.step(row)
    assert np.array_equal(whole["observations"][2:4], own.observations) and own.observations.any()
    assert not whole["observations"][[0, 1, 4, 5]].any() and (whole["rewards"][[0, 1, 4, 5]] == 1).all()
    assert list(whole["masks"]) == [False, False, True, True, False, False]
    with pytest.raises(farm_gym.ConfigError, match=r"\(2, 60\), \(3, 60\) is needed"):
        FarmPufferEnv("valley_farm", 3, buf=part)


def test_neighbouring_seeds_share_no_episode_and_resets_go_on() -> None:
    env = FarmPufferEnv("backwards_valley", 8)

    def begun(seed: int | None) -> list[int]:
        env.reset(seed)
        return [env.envs.native.state_hash(i) for i in range(8)]

    assert begun(1) == begun(1)
    assert len({*begun(0), *begun(1), *begun(None)}) == 24
    assert begun(2) != begun(None)


def test_sending_and_receiving_is_a_step() -> None:
    env, twin = FarmPufferEnv("valley_farm", 4), FarmPufferEnv("valley_farm", 4)
    env.async_reset(5), twin.reset(5)
    for row in actions_of(env, 60):
        env.send(row)
        received = env.recv()
        observations, rewards, terminals, truncations, infos = twin.step(row)
        assert np.array_equal(received[0], observations) and np.array_equal(received[1], rewards)
        assert np.array_equal(received[2], terminals) and np.array_equal(received[3], truncations)
        # Some versions of PufferLib hand over more in between.
        *_, their_infos, agents, masks = received
        assert their_infos == infos and list(agents) == [0, 1, 2, 3] and masks.all()


def test_schedules_have_slots_and_bad_actions_are_refused() -> None:
    env = FarmPufferEnv("clay_bean", 3, preset="4x3")
    assert env.single_action_space == gymnasium.spaces.MultiDiscrete([86] * 4)
    env.reset(seed=0)
    before = env.envs.snapshot(0)
    for bad in ([0, 0, 0], np.full((3, 4), 86), np.zeros((2, 4), np.int64), np.zeros((3, 4))):
        with pytest.raises(farm_gym.ActionError):
            env.step(bad)
    assert env.envs.snapshot(0) == before
    assert env.action_masks().shape == (3, 86)


def test_entries_come_back_from_bytes(game: str) -> None:
    env = FarmPufferEnv(game, 6)
    unflatten = pickle.loads(pickle.dumps(env.unflatten))
    observations = env.reset(seed=1)[0]
    entries = unflatten(observations)
    single = farm_gym.make(game, actions="discrete")
    seeds = np.random.SeedSequence(1).generate_state(6, np.uint64).tolist()
    for i, seed in enumerate(seeds):
        expected, _ = single.reset(seed=seed)
        assert entries.keys() == expected.keys()
        assert all(np.array_equal(entries[key][i], expected[key]) for key in expected)
    assert all(np.shares_memory(entry, observations) for entry in entries.values())
    folded = unflatten(observations.reshape(2, 3, -1))
    assert all(equal(folded[key].reshape(entries[key].shape), entries[key]) for key in entries)
    for bad in (observations[:, :-1], observations.astype(np.float32), observations[0, 0]):
        with pytest.raises(farm_gym.ConfigError, match="uint8 of shape"):
            unflatten(bad)


def test_it_is_there_without_pufferlib_and_imported_only_when_asked_for() -> None:
    script = (
        "import sys, importlib.util; sys.modules['pufferlib'] = None; find = importlib.util.find_spec\n"
        "importlib.util.find_spec = lambda name, *more: None if name == 'pufferlib' else find(name, *more)\n"
        "import farm_gym; assert 'farm_gym.pufferlib' not in sys.modules\n"
        "from farm_gym.pufferlib import FarmPufferEnv; env = FarmPufferEnv('valley_farm', 2)\n"
        "env.async_reset(0); env.send([0, 1]); print(len(env.recv()), FarmPufferEnv.__mro__[1].__name__)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["7", "_Protocol"]


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="PyTorch is not installed")
def test_entries_come_back_as_tensors(game: str) -> None:
    import torch

    env = FarmPufferEnv(game, 4)
    observations = env.reset(seed=1)[0]
    expected = Unflatten(env.envs.game)(observations)
    # At an odd place of a larger tensor, one row and all of them.
    larger = torch.zeros(4 * observations.shape[1] + 1, dtype=torch.uint8)
    tensor = larger[1:].view(4, -1)
    tensor[:] = torch.from_numpy(observations)
    for rows in (slice(None), slice(2, 3)):
        for key, entry in env.unflatten(tensor[rows]).items():
            assert np.array_equal(entry.numpy(), expected[key][rows]) and entry.numpy().dtype == expected[key].dtype


@pytest.mark.parametrize("package", ["pufferlib", "pufferlib-core"])
@pytest.mark.parametrize(("version", "fits"), [("2.0.6", False), ("3.0.23", True), ("4.1.0", False), ("30.0", False)])
def test_other_versions_of_pufferlib_are_refused_by_name(package: str, version: str, fits: bool, tmp_path: Path) -> None:
    (tmp_path / "pufferlib.py").write_text("class PufferEnv:\n    def __init__(self, buf=None): pass\n")
    record = tmp_path / f"{package.replace('-', '_')}-{version}.dist-info"
    record.mkdir()
    (record / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n")
    script = "from farm_gym.pufferlib import FarmPufferEnv as e; print(e.__mro__[1].__module__, e.__mro__[1].__name__)"
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment)
    if fits:
        assert (done.returncode, done.stdout) == (0, "pufferlib PufferEnv\n"), done.stderr
    else:
        said = f"ImportError: farm_gym.pufferlib fits PufferLib 3, and PufferLib {version} is installed; help: pip install"
        assert done.returncode == 1 and said in done.stderr, done.stderr


def test_a_pufferlib_without_its_class_is_refused(tmp_path: Path) -> None:
    (tmp_path / "pufferlib.py").write_text("")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", "import farm_gym.pufferlib"], capture_output=True, text=True, env=environment)
    assert done.returncode == 1 and "ImportError" in done.stderr and "`PufferEnv`" in done.stderr
