"""What is said of a class that can't be used as a part: what is wrong, where in the YAML, and the way out."""

import textwrap
from pathlib import Path

import farm_gym
import pytest

MODULE = """
import farm_gym

class Good(farm_gym.Entity):
    pass

class Picky(farm_gym.Entity):
    def __init__(self, *, wanted):
        pass

class Wrong(farm_gym.Entity):
    def declare(self, builder):
        {declare}

class Ticks(farm_gym.Rule):
    def rules(self, game):
        return {rules}

class Plain:
    pass
"""


@pytest.mark.parametrize(
    ("entity", "column", "parts"),
    [
        ("python: nowhere.slugs:Slugs", 9, ["there is no module `nowhere`", "found: nowhere.slugs:Slugs"]),
        ("python: {name}:Godo", 9, ["`{name}` has no class `Godo`", "did you mean `Good`?"]),
        ("python: {name}:Plain", 9, ["`{name}:Plain` is no entity", "a subclass of `farm_gym.Entity`"]),
        ("python: {name}:Ticks", 9, ["`{name}:Ticks` is no entity: it is a rule"]),
        ("python: {name}", 9, ["this is no class", "`module:Class`"]),
        ("python", 9, ["`python` lacks its `class`", "`python: class`"]),
        ("python: {{class: 3}}", 25, ["a number stands where a text belongs"]),
        ("python: {name}:Picky", 9, ["`Picky()` failed: TypeError", "missing 1 required keyword-only argument: 'wanted'"]),
        ("python: {{class: {name}:Good, wanted: 1}}", 25, ["`Good(wanted=1)` failed", "TypeError"]),
    ],
)
def test_problems_of_a_class_have_their_place(tmp_path, request, entity, column, parts):
    name = f"bad_{abs(hash(request.node.name))}"
    (tmp_path / f"{name}.py").write_text(MODULE.format(declare="pass", rules="{}"))
    refused(tmp_path, entity.format(name=name), [part.format(name=name) for part in parts], 6, column)


def refused(folder, entity, parts, line, column, rules="BasicRule"):
    text = f"""\
    name: bad
    fields:
      Field-0:
        entities:
          - Weather: montpellier
          - {entity}
    farmers: [BasicFarmer]
    rules: {rules}
    score: EventScore
    """
    (folder / "bad.yaml").write_text(textwrap.dedent(text))
    with pytest.raises(farm_gym.ConfigError) as raised:
        farm_gym.make(folder / "bad.yaml")
    said = str(raised.value)
    assert f"bad.yaml:{line}:{column}" in said, said
    for part in parts:
        assert part in said, said


@pytest.mark.parametrize(
    ("declare", "parts"),
    [
        ("builder.real('x', 2.0, 1.0, 'A number.')", ["`Wrong.declare` failed: Traceback", "`x` goes from 2.0 to 1.0"]),
        ("1 / 0", ["`Wrong.declare` failed", "ZeroDivisionError: division by zero", "in declare"]),
        ("builder.real('x', 0.0, 1.0, '')", ["variable `x` of `Field-0.Wrong-0` has no sentence"]),
        ("builder.runs_in('night')", ["there is no phase 'night'"]),
        ("builder.one('relative_humidty')", ["`relative_humidty`, which nobody provides", "did you mean `relative_humidity`?"]),
        ("builder.one('supply_water')", ["needs the role `supply_water`, which nobody provides", "add `Soil` to the field"]),
        ("builder.count('x#nb', 0, 9, 'A number.', role='rain_amount')", ["has the role `rain_amount`, which has real numbers"]),
        ("builder.real('x', 0.0, 1.0, 'A number.', role='water_share')", ["role `water_share` has one value per plot"]),
        (
            "builder.real('x#L.day-1', -1.0, 1.0, 'A number.', per_plot=True, role='water_demand')",
            ["variable `x#L.day-1` of `Field-0.Wrong-0`: role `water_demand` means values of 0 and more", "found: -1 … 1"],
        ),
        ("builder.category('x', ['a', 'a b'], 'A word.')", ["`a b` can't be the name of a category"]),
        ("builder.action('a', 'Acts.', [builder.plot()] * 5)", ["at most 4"]),
    ],
)
def test_problems_of_a_declaration_have_their_place(tmp_path, request, declare, parts):
    name = f"bad_{abs(hash(request.node.name))}"
    (tmp_path / f"{name}.py").write_text(MODULE.format(declare=declare, rules="{}"))
    refused(tmp_path, f"python: {name}:Wrong", parts, 6, 9)


@pytest.mark.parametrize(
    ("rules", "parts"),
    [
        ("{'max_step': 3}", ["`rules` returned `max_step`: unknown parameter `max_step`", "did you mean `max_steps`?"]),
        ("{'free_observations': [['Field-0', 'Weather-1', 'humidity#%']]}", ["field `Field-0` has no part `Weather-1`"]),
        ("[].a", ["`Ticks.rules` failed", "AttributeError"]),
    ],
)
def test_problems_of_a_rule_have_their_place(tmp_path, request, rules, parts):
    name = f"bad_{abs(hash(request.node.name))}"
    (tmp_path / f"{name}.py").write_text(MODULE.format(declare="pass", rules=rules))
    refused(tmp_path, f"python: {name}:Good", parts, 8, 9, rules=f"{{python: '{name}:Ticks'}}")


def test_another_module_of_the_same_name_is_not_taken_for_the_one_beside_the_game(tmp_path):
    farm_gym.make(Path(__file__).parent / "parts" / "slugs.yaml")
    (tmp_path / "slugs.py").write_text("")
    refused(tmp_path, "python: slugs:Slugs", ["module `slugs` is loaded already, from", "give one of the two another name"], 6, 9)
