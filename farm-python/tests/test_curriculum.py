"""A curriculum draws the tiers on which groups of episodes carry a gradient, and learns from reported groups."""

from __future__ import annotations

import json
from collections import Counter

import pytest

import farm_gym
import farm_gym.text
from farm_gym.curriculum import Curriculum, carries_gradient, published

FAMILY = "valley_farm@tiers=1-9"


def test_it_begins_with_the_published_shares() -> None:
    for split in ("train", "validation", "test"):
        known = published(FAMILY, split)
        assert list(known) == list(range(1, 10))
        assert all(groups >= 50 and 0 <= some <= groups for groups, some in known.values())
        curriculum = Curriculum(FAMILY, split=split)
        assert curriculum.shares == {tier: some / groups for tier, (groups, some) in known.items()}
    assert list(published("valley_farm@tiers=3-4")) == [3, 4]


def test_a_group_carries_a_gradient_if_its_scores_differ() -> None:
    assert carries_gradient([0.0, 0.0, 0.1])
    assert not carries_gradient([0.3] * 8) and not carries_gradient([None, None])


def test_updates_move_the_share_of_a_tier_and_its_probability() -> None:
    curriculum = Curriculum(FAMILY, memory=4.0, floor=0.05)
    before = curriculum.shares[9]
    assert curriculum.update(9, [0.0] * 7 + [0.2])
    assert curriculum.shares[9] == pytest.approx(before + (1.0 - before) / 4.0)
    for _ in range(100):
        assert not curriculum.update(1, [1.0] * 8)
    assert curriculum.shares[1] < 1e-9 and curriculum.groups == {**dict.fromkeys(range(1, 10), 0), 1: 100, 9: 1}
    chances = curriculum.probabilities
    assert sum(chances.values()) == pytest.approx(1.0)
    assert chances[1] == pytest.approx(0.05 / sum(max(share, 0.05) for share in curriculum.shares.values()))
    drawn = Counter(curriculum.sample()["tier"] for _ in range(4000))
    for tier, chance in chances.items():
        assert abs(drawn[tier] / 4000 - chance) < 0.04


def test_a_sample_is_a_world_for_environments_and_texts() -> None:
    curriculum = Curriculum("backwards_valley@tiers=1-3", split="validation", worlds=50, seed=3)
    env, text = farm_gym.make("backwards_valley@tiers=1-3"), farm_gym.text.make("backwards_valley@tiers=1-3")
    for _ in range(5):
        world = curriculum.sample()
        assert world["split"] == "validation" and world["index"] < 50
        told = env.reset(options=world)[1]
        assert {key: told[key] for key in world} == world
        assert text.reset(**world)[1]["member"] == told["member"]


def test_a_checkpoint_goes_on_where_it_was() -> None:
    curriculum, other = Curriculum(FAMILY, seed=5), Curriculum(FAMILY, seed=6)
    curriculum.update(4, [0.0, 1.0])
    curriculum.sample()
    other.load_state_dict(json.loads(json.dumps(curriculum.state_dict())))
    assert other.shares == curriculum.shares and other.groups == curriculum.groups
    assert [other.sample() for _ in range(9)] == [curriculum.sample() for _ in range(9)]
    with pytest.raises(farm_gym.ConfigError, match="the checkpoint has the tiers"):
        Curriculum("valley_farm@tiers=1-2").load_state_dict(curriculum.state_dict())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"worlds": 0}, "`worlds` is 0"),
        ({"floor": 0.0}, "above 0, up to 1"),
        ({"memory": 0.5}, "at least 1"),
        ({"split": "tests"}, "tests"),
    ],
)
def test_wrong_arguments_are_rejected(arguments: dict[str, object], said: str) -> None:
    with pytest.raises(farm_gym.ConfigError, match=said):
        Curriculum(FAMILY, **arguments)  # type: ignore[arg-type]


def test_wrong_groups_are_rejected() -> None:
    curriculum = Curriculum("valley_farm@tiers=2-3")
    with pytest.raises(farm_gym.ConfigError, match="no tier 4: 2, 3"):
        curriculum.update(4, [0.0, 1.0])
    with pytest.raises(farm_gym.ConfigError, match="at least 2 episodes, not 1"):
        curriculum.update(2, [0.0])
    with pytest.raises(farm_gym.ConfigError, match="does not name the tiers of a family"):
        Curriculum("valley_farm")
