"""Field trials, as the command `farm trials` plays them."""

import json
from pathlib import Path

import pandas
import pytest

import farm_gym
from farm_gym.__main__ import main

EXAMPLE = Path(__file__).parents[2] / "farm-trials" / "tests" / "example"


def test_each_treatment_is_a_row_with_what_the_command_prints(capfd: pytest.CaptureFixture[str]) -> None:
    table = farm_gym.trials(EXAMPLE)
    assert main(["trials", str(EXAMPLE), "--json"]) == 0
    printed = json.loads(capfd.readouterr().out)
    assert list(table["treatment"]) == [1, 2] and list(table["crop"]) == ["corn", "corn"]
    for row, result in zip(table.to_dict("records"), printed["treatments"], strict=True):
        for side in ("measured", "simulated"):
            for name, value in result[side].items():
                assert row[f"{side} {name}"] == value
    assert table["sown"][0] == pandas.Timestamp(2001, 4, 25)
    assert table.attrs["crops"] == printed["crops"] and table.attrs["crops"][0]["treatments"] == 2
    without, fed = table["simulated harvest#kg.ha-1"]
    assert 1000 < without < fed < 20000


def test_a_selection_is_played_alone_and_an_unknown_name_is_an_error() -> None:
    one = farm_gym.trials(EXAMPLE, crop="MZ", treatment="EXAM0101:2", threads=1)
    assert list(one["name"]) == ["NITROGEN IN TWO DOSES"]
    with pytest.raises(farm_gym.ConfigError, match="EXAM0101MZ"):
        farm_gym.trials(EXAMPLE, treatment="EXAM0102MZ:1")
