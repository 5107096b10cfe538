"""What is said of a class that can't be used as a part: what is wrong, where in the YAML, and the way out."""

import textwrap

import pytest

import farm_gym
from farm_gym import _native

MODULE = """
import farm_gym

class Good(farm_gym.Entity):
    pass

class Picky(farm_gym.Entity):
    def __init__(self, *, wanted):
        pass

class Wrong(farm_gym.Entity):
    def declare(self, declarations):
        {declare}

class Ticks(farm_gym.Rule):
    def rules(self, game):
        return {rules}

class Unbound(farm_gym.Entity):
    def bind(self, found):
        self.first = found.providers("seedlings")[0]

class Fills(farm_gym.Entity):
    def declare(self, declarations):
        for name in ("x", "y"):
            declarations.real(name, 0.0, 1.0, "A number.", role="of_mine")
        declarations.one("of_mine")

class Plain:
    pass
"""


@pytest.mark.parametrize(
    ("entity", "column", "parts"),
    [
        ("python: nowhere.slugs:Slugs", 9, ["there is no module `nowhere`", "found: nowhere.slugs:Slugs"]),
        ("python: {name}:Godo", 9, ["`{name}` has no class `Godo`", "did you mean `Good`?"]),
        ("python: {name}:Plain", 9, ["`{name}:Plain` is not an entity", "a subclass of `farm_gym.Entity`"]),
        ("python: {name}:Ticks", 9, ["`{name}:Ticks` is not an entity: it is a rule"]),
        ("python: {name}", 9, ["this is not a valid class", "`module:Class`"]),
        ("python", 9, ["`python` needs its `class`", "`python: class`"]),
        ("python: {{class: 3}}", 25, ["expected a string, found a number"]),
        ("python: {name}:Picky", 9, ["`Picky()` failed: TypeError", "missing 1 required keyword-only argument: 'wanted'"]),
        ("python: {{class: {name}:Good, wanted: 1}}", 25, ["`Good(wanted=1)` failed", "TypeError"]),
        ("python: {name}:Unbound", 9, ["`Unbound.bind` failed: Traceback", "in bind", "IndexError: tuple index out of range"]),
        ("python: {name}:Fills", 9, ["needs one provider of the role `of_mine`, but there are several", "`Field-0.Fills-0`"]),
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
        farm_gym.make(folder / "bad.yaml", allow_plugins=True)
    said = str(raised.value)
    assert f"bad.yaml:{line}:{column}" in said, said
    for part in parts:
        assert part in said, said


@pytest.mark.parametrize(
    ("declare", "parts"),
    [
        ("declarations.real('x', 2.0, 1.0, 'A number.')", ["`Wrong.declare` failed: Traceback", "`x` goes from 2.0 to 1.0"]),
        ("1 / 0", ["`Wrong.declare` failed", "ZeroDivisionError: division by zero", "in declare"]),
        ("declarations.real('x', 0.0, 1.0, '')", ["variable `x` of `Field-0.Wrong-0` has no description"]),
        ("declarations.runs_in('night')", ["there is no phase 'night'"]),
        ("declarations.one('relative_humidty')", ["`relative_humidty`, which no part provides", "did you mean `relative_humidity`?"]),
        ("declarations.one('supply_water')", ["needs the role `supply_water`, which no part provides", "add `Soil` to the field"]),
        ("declarations.count('x#nb', 0, 9, 'A number.', role='rain_amount')", ["has the role `rain_amount`, which has real numbers"]),
        ("declarations.real('x', 0.0, 1.0, 'A number.', role='water_share')", ["role `water_share` has one value per plot"]),
        (
            "declarations.real('x#L.day-1', -1.0, 1.0, 'A number.', per_plot=True, role='water_demand')",
            ["variable `x#L.day-1` of `Field-0.Wrong-0`: role `water_demand` requires values of 0 or more", "found: -1 … 1"],
        ),
        ("declarations.category('x', ['a', 'a b'], 'A word.')", ["`a b` can't be a value name in a category"]),
        ("declarations.action('a', 'Acts.', [declarations.plot()] * 5)", [f"at most {_native.MAX_ARGUMENTS} are"]),
        ("declarations.action('', 'Acts.')", ["'' can't be a name"]),
        ("declarations.action('two words', 'Acts.')", ["'two words' can't be a name"]),
        ("declarations.action('a', '')", ["the action `a` has no sentence"]),
        ("[declarations.action('a', 'Acts.') for _ in range(2)]", ["the action `a` is declared twice"]),
        ("[declarations.event('a', 1, 'Happens.') for _ in range(2)]", ["the event `a` is declared twice"]),
        ("declarations.event('a', 2**31 - 1, 'Happens.')", [f"1 to {_native.MAX_EVENTS_PER_STEP:,} are possible"]),
        (
            "declarations.count('x#nb', 0, 9, 'A number.', shape=(100_000, 100_000))",
            [f"which is 10,000,000,000 values: at most {_native.MAX_VALUES:,} are"],
        ),
        ("declarations.runs_in('visit')", ["`Wrong` asks for the phase `visit` and has no method `tick(self, phase, context)`"]),
        (
            "declarations.action('salt', 'Acts.')",
            ["`Wrong` declares the action `salt` and has no method `act(self, action, arguments, context)`"],
        ),
        ("declarations.real('x', 0.0, 1.0, 'A number.', computed=True)", ["`Wrong` declares `x` as computed and has no method `observe("]),
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


@pytest.mark.parametrize("declare", ["1 / 0", "declarations.one('relative_humidty')"])
def test_what_follows_from_a_class_that_fails_is_not_told(tmp_path, request, declare):
    """Its action, its event and the role it fills are missing everywhere, which would hide what is to be mended."""
    name = f"bad_{abs(hash(request.node.name))}"
    (tmp_path / f"{name}.py").write_text(MODULE.format(declare=declare, rules="{}"))
    text = f"""\
    name: bad
    fields:
      Field-0:
        entities:
          - Weather: montpellier
          - python: {name}:Wrong
    farmers: [BasicFarmer]
    rules: {{BasicRule: {{actions: {{Field-0: {{Wrong-0: {{salt: null}}}}}}, free_observations: [[Field-0, Wrong-0, x]], max_step: 3}}}}
    score: {{EventScore: {{weights#point: {{slug: 1}}}}}}
    """
    (tmp_path / "bad.yaml").write_text(textwrap.dedent(text))
    with pytest.raises(farm_gym.ConfigError) as raised:
        farm_gym.make(tmp_path / "bad.yaml", allow_plugins=True)
    said = str(raised.value)
    # What is wrong whatever the class declares is told all the same.
    assert said.count("error[") == 2 and "did you mean `max_steps`" in said, said


@pytest.mark.parametrize(
    ("base", "body", "said"),
    [
        ("Entity", "def tick(self, phase, context): pass", "`Made` has a method `tick` that is never called: ask for a phase"),
        ("Entity", "def act(self, action, arguments, context): pass", "`Made` has a method `act` that is never called: declare an action"),
        ("Entity", "def observe(self, variable, context): pass", "`Made` has a method `observe` that is never called"),
    ],
)
def test_a_method_that_is_never_called_is_told(base, body, said):
    module = {"farm_gym": farm_gym}
    exec(f"class Made(farm_gym.{base}):\n    {body}", module)
    with pytest.warns(farm_gym.PartWarning, match=said):
        env = farm_gym.make(
            "clay_bean-v0",
            set={"fields.Field-0": {"entities": [{"python": module["Made"]}]}, "score": "EventScore", "policies": {}, "rules": "BasicRule"},
        )
    assert any(said in warning for warning in env.game.warnings)


def test_a_policy_that_chooses_nothing_is_refused_with_its_method():
    class Silent(farm_gym.Policy):
        pass

    env = farm_gym.make("clay_bean-v0", set={"policies": {"mine": {"python": Silent}}})
    with pytest.raises(farm_gym.ConfigError, match=r"`Silent` has no method `choose\(self, observation, info\)`"):
        env.player("mine")
