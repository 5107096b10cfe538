"""The checks that parts and games must pass, for parts written in Python."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import farm_gym
from farm_gym import testing

sys.path.insert(0, str(Path(__file__).parent / "parts"))
import conforming


def defects(cls: type, **arguments: object) -> list[testing.Defect]:
    with pytest.raises(testing.ConformanceError) as caught:
        testing.check_entity(cls, **arguments)
    return caught.value.defects


def test_parts_that_are_right_pass() -> None:
    testing.check_entity(conforming.Moles, draws=True)
    testing.check_entity(conforming.Moles, {"most": 2}, game="farm1-v0", steps=20)
    testing.check_farmer(conforming.Lazy, steps=20)
    testing.check_score(conforming.Constant, steps=20)


def test_a_value_out_of_range_is_told_with_its_place() -> None:
    """The engine refuses it as it is written, with the variable, the plot and the value."""
    [first] = defects(conforming.Moles, parameters={"most": 40})
    assert first.check == "panic" and first.seed == 0 and first.step is not None
    assert "`Field-0.Moles-0.population#nb`[0, 0] became" in first.message and "but it goes from 0 to 5" in first.message


@pytest.mark.parametrize(
    ("name", "check", "words"),
    [
        ("Untold", "documented", "no full stop"),
        ("Untold", "documented", "unit behind `#` is unknown"),
        ("Remembering", "same seed", "the second time"),
        ("Undecided", "same seed", "when it alternates with another one"),
        ("Failing", "panic", "ValueError: the moles are on strike"),
        ("Spoiling", "panic", "`Field-0.Spoiling-0.anger#prop` became NaN"),
    ],
)
def test_what_is_wrong_is_found(name: str, check: str, words: str) -> None:
    found = [defect for defect in defects(getattr(conforming, name)) if defect.check == check]
    assert any(words in defect.message for defect in found), found


def test_who_says_that_it_draws_must_draw() -> None:
    testing.check_entity(conforming.Idle, steps=10)
    [found] = defects(conforming.Idle, draws=True, steps=10)
    assert found.check == "draws"


def test_units_can_be_made_known() -> None:
    found = defects(conforming.Untold, units=["furlong"], steps=5)
    assert not any("unit" in defect.message for defect in found) and found


def test_a_score_without_an_end_is_found() -> None:
    with pytest.raises(testing.ConformanceError, match="inf"):
        testing.check_score(conforming.Infinite)


def test_games_are_checked() -> None:
    testing.check_game("farm0-v0", steps=20)
    testing.check_game(Path(__file__).parent / "parts" / "slugs.yaml", steps=10, allow_plugins=True)
    with pytest.raises(farm_gym.ConfigError, match="no game `nowhere`"):
        testing.check_game("nowhere")


def test_a_class_within_a_function_is_checked_like_any_other() -> None:
    class Within(conforming.Moles):
        """Moles of a factory."""

    testing.check_entity(Within, draws=True, steps=10)
    testing.check_entity(Within, game="farm1-v0", steps=10)


def test_what_is_no_part_is_refused() -> None:
    with pytest.raises(farm_gym.ConfigError, match="expected a subclass of `farm_gym.Entity`"):
        testing.check_entity(conforming.Lazy)  # type: ignore[arg-type]
