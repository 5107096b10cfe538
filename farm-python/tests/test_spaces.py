"""The spaces of the paper as Gymnasium spaces."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.spaces.utils import flatdim, flatten, flatten_space, unflatten
from gymnasium.vector.utils import batch_space

import farm_gym
from farm_gym.spaces import MultiUnion, Union, from_description


def union() -> list[spaces.Space[object]]:
    """Spaces of their own for each test: a space holds its generator."""
    plots = spaces.Dict([("plot", spaces.Discrete(4)), ("amount#L", spaces.Box(0.0, 20.0, (), np.float32))])
    return [spaces.Discrete(3), plots, spaces.MultiDiscrete([2, 5])]


def test_bits_in_a_row_are_counted_by_a_number_as_learners_expect_it() -> None:
    assert from_description({"type": "MultiBinary", "of": {"shape": [5]}}) == spaces.MultiBinary(5) != spaces.MultiBinary([5])
    assert from_description({"type": "MultiBinary", "of": {"shape": [2, 3]}}).shape == (2, 3)
    assert farm_gym.make("clay_bean-v0", actions="multi_binary").action_space == spaces.MultiBinary(8)


def test_samples_belong_to_it_and_reach_everything() -> None:
    one, several = Union(union(), seed=0), MultiUnion(union(), 3, seed=0)
    assert {one.sample()[0] for _ in range(100)} == {0, 1, 2}
    drawn = [several.sample() for _ in range(300)]
    assert all(value in several for value in drawn)
    assert {len(value) for value in drawn} == {0, 1, 2, 3}
    assert {index for value in drawn for index, _ in value} == {0, 1, 2}


def test_equal_seeds_equal_samples() -> None:
    a, b, c = (MultiUnion(union(), 3) for _ in range(3))
    a.seed(5), b.seed(5), c.seed(6)
    first = [a.sample() for _ in range(50)]
    assert str(first) == str([b.sample() for _ in range(50)]) != str([c.sample() for _ in range(50)])
    assert a == b and a != MultiUnion(union(), 2) and len(a) == 3


@pytest.mark.parametrize(
    "value",
    [
        7, [7], [(0, 3)], [(3, 0)], [(0, 1), (0, 1)], [(0, 0), (0, 1), (0, 2), (2, [0, 0])], [(1, {"plot": 1})],
        [(1, {"plot": 1, "amount#L": 21.0})], [(True, 0)], [(0,)], "ab",
    ],
)  # fmt: skip
def test_what_does_not_belong_to_it(value: object) -> None:
    assert value not in MultiUnion(union(), 3)


def test_lists_and_plain_numbers_are_accepted() -> None:
    assert [[1, {"plot": 1, "amount#L": 2.5}], (2, [1, 4])] in MultiUnion(union(), 3)
    assert (2, [1, 4]) in Union(union()) and (2, [1, 5]) not in Union(union())


def test_json_and_flat_vectors_come_back() -> None:
    space = MultiUnion(union(), 3, seed=1)
    drawn = [space.sample() for _ in range(100)]
    through = space.from_jsonable(json.loads(json.dumps(space.to_jsonable(drawn))))
    flat = [flatten(space, value) for value in drawn]
    assert all(vector in flatten_space(space) and vector.shape == (flatdim(space),) for vector in flat)
    for value, read, vector in zip(drawn, through, flat, strict=True):
        for back in (read, unflatten(space, vector)):
            assert back in space
            assert space.to_jsonable([back]) == space.to_jsonable([value])


def test_masks_are_refused() -> None:
    with pytest.raises(ValueError, match="flat list"):
        MultiUnion(union(), 3).sample(mask=())


def test_the_spaces_of_a_game_hold_what_the_engine_takes(game: str) -> None:
    env = farm_gym.make(game, actions="multi_union", interaction_mode="aomdp")
    assert isinstance(env.action_space, MultiUnion)
    assert env.action_space.max == env.game.max_schedule
    env.action_space.seed(0)
    env.reset(seed=0)
    taken = 0
    for _ in range(40):
        *_, terminated, truncated, _ = env.step(env.action_space.sample())
        taken += 1
        if terminated or truncated:
            break
    assert taken == 40 or env.native.is_over


def test_descriptions_of_all_kinds_are_read() -> None:
    box = {"type": "Box", "of": {"low": [0.0], "high": ["inf"], "shape": [2], "dtype": "float32"}}
    kinds = {
        "Box": box,
        "Discrete": {"type": "Discrete", "of": {"n": 3}},
        "MultiDiscrete": {"type": "MultiDiscrete", "of": {"nvec": [2, 3]}},
        "MultiBinary": {"type": "MultiBinary", "of": {"shape": [2, 2]}},
        "Text": {"type": "Text", "of": {"min_length": 1, "max_length": 4, "charset": "ab"}},
        "Dict": {"type": "Dict", "of": [["b", box], ["a", {"type": "Discrete", "of": {"n": 2}}]]},
        "Tuple": {"type": "Tuple", "of": [box, box]},
        "Sequence": {"type": "Sequence", "of": {"space": box, "max": 3}},
        "Union": {"type": "Union", "of": [box, box]},
        "MultiUnion": {"type": "MultiUnion", "of": {"spaces": [box], "max": 2}},
    }
    for kind, description in kinds.items():
        space = from_description(description)
        assert type(space).__name__ == kind
        assert space.sample() in space
    assert list(from_description(kinds["Dict"]).spaces) == ["b", "a"]
    assert from_description(box).high.tolist() == [np.inf, np.inf]
    with pytest.raises(ValueError, match="Sphere"):
        from_description({"type": "Sphere", "of": {}})


def test_bounds_of_many_environments_are_those_of_gymnasium_without_copies() -> None:
    for game in ("backwards_valley", "clay_bean"):
        envs = farm_gym.make_vec(game, 3)
        assert isinstance(envs.single_observation_space, spaces.Dict) and isinstance(envs.observation_space, spaces.Dict)
        for key, single in envs.single_observation_space.items():
            found = envs.observation_space[key]
            if isinstance(single, spaces.Box):
                expected = batch_space(single, 3)
                assert found == expected and repr(found) == repr(expected)
                assert isinstance(found, spaces.Box) and found.low.strides[0] == found.high.strides[0] == 0
        space = envs.observation_space
        space.seed(1)
        assert space.contains(space.sample())
        assert pickle.loads(pickle.dumps(space)) == space
