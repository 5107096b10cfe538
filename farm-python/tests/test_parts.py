"""Parts written in Python: what they can do, that results stay those of the seed alone, and what is said when they fail."""

import copy
import doctest
import pickle
import sys
import traceback
import types
import warnings
from pathlib import Path

import numpy as np
import pytest

import farm_gym

FOLDER = Path(__file__).parent / "parts"
sys.path.insert(0, str(FOLDER))
import slugs  # noqa: E402

GAME = FOLDER / "slugs.yaml"
SLUGS = "fields.Field-0.entities.2.python"
PARTS = [slugs.Seedlings, slugs.Slugs, slugs.Guard, slugs.Salter]


def make(**changes):
    return farm_gym.make(GAME, **{"info": "full", "parts": PARTS, **changes})


def make_vec(number, threads=1, **arguments):
    with pytest.warns(farm_gym.SlowPartWarning, match=r"`Field-0.Seedlings-0`, `Field-0.Slugs-0`"):
        return farm_gym.make_vec(GAME, number, num_threads=threads, parts=PARTS, **arguments)


def salt(plot, grams, where):
    return [["BasicFarmer-0", "Field-0", "Slugs-0", "salt", {"plot": plot, "amount#g": grams, "where": where}]]


@pytest.fixture
def faulty():
    """Makes an environment with a part that fails in one place; it does so once it is switched on."""
    part = slugs.Faulty

    def build(where, **arguments):
        entities = [{"Weather": "montpellier"}, {"python": {"class": part, "where": where, **arguments}}]
        change = {
            "fields.Field-0.entities": entities,
            "score": "EventScore",
            "policies": {},
            "rules.BasicRule.free_observations": [["Field-0", "Faulty-0", "x#m"], ["Field-0", "Faulty-0", "seen#m"]],
            "rules.BasicRule.actions": {},
        }
        return {"game": GAME, "set": change, "actions": "discrete"}

    yield types.SimpleNamespace(build=build, part=part)
    part.ON = False


# What parts can do.


def test_slugs_eat_what_others_have_and_die_of_salt():
    env = make()
    observation, _ = env.reset(seed=3)
    number, population = "Field-0.Seedlings-0.number#nb", "Field-0.Slugs-0.population#nb"
    assert observation[number].tolist() == [[20, 20, 20], [20, 20, 20]]
    assert observation["Field-0.Slugs-0.hunger#nb"].item() == 12.0
    # One slug a plot eats two seedlings: 12 in all.
    observation, reward, *_, info = env.farmgym_step([])
    assert observation[number].tolist() == [[18, 18, 18], [18, 18, 18]]
    assert reward == -12.0
    plots = [(event["kind"], event["plot"], event["value"]) for event in info["events"]]
    assert plots == [("eaten", plot, 2.0) for plot in range(6)]
    # On leaves half of the salt is lost, so that 10 g remain of 20; the ground keeps all.
    observation, reward, *_ = env.farmgym_step(salt((1, 2), 20.0, "leaf"))
    assert observation[population].tolist() == [[1, 1, 1], [1, 1, 1]]
    assert reward == -12.0 - 3.0
    observation, reward, *_ = env.farmgym_step(salt((1, 2), 10.0, "ground"))
    assert observation[population].tolist() == [[1, 1, 1], [1, 1, 0]]
    assert observation[number].tolist() == [[14, 14, 14], [14, 14, 16]]
    assert reward == -10.0 - 3.0
    assert observation["Field-0.Slugs-0.hunger#nb"].item() == 10.0


def test_a_part_reads_what_the_engine_computed():
    env = make()
    env.reset(seed=5)
    for _ in range(5):
        observation, *_ = env.farmgym_step([])
        felt, measured = observation["Field-0.Slugs-0.humidity#%"], observation["Field-0.Weather-0.humidity#%"]
        assert felt.item() == measured.item() > 0.0


def test_arguments_of_the_constructor_come_from_the_yaml():
    env = make(set={f"{SLUGS}.appetite": 5, f"{SLUGS}.dry": 100.0})
    env.reset(seed=0)
    observation, reward, *_ = env.farmgym_step([])
    # The air is dryer than 100 %, so that they hide.
    assert (observation["Field-0.Slugs-0.state"], reward) == (1, 0.0)
    assert observation["Field-0.Slugs-0.hunger#nb"].item() == 30.0


def test_a_score_counts_constraints_and_the_end():
    env = make(set={"rules.BasicRule.max_steps": 2})
    env.reset(seed=0)
    *_, info = env.farmgym_step([])
    assert info["constraints"]["salt"] == {"value": 2.5, "total": 2.5, "limit": 40.0}
    assert info["cost"] == 1.25
    _, reward, terminated, truncated, info = env.farmgym_step([])
    assert info["constraints"]["salt"]["total"] == 5.0
    # 6 plots with 20 - 4 seedlings are left.
    assert (reward, terminated, truncated) == (-12.0 + 96.0, False, True)


def test_a_farmer_refuses_and_takes_note():
    env = make(set={"farmers": [{"python": slugs.OddDays}], "policies": {}})
    _, info = env.reset(seed=0)
    assert info["action_mask"].sum() == 1 + 6 * 2 * 2
    action = salt((0, 0), 10.0, "leaf")
    action[0][0] = "OddDays-0"
    rejected = [env.farmgym_step(action)[4]["rejected"] for _ in range(4)]
    assert [[one["reason"] for one in step] for step in rejected] == [[], ["even days are free"]] * 2
    assert env.state()["OddDays-0.done#nb"] == 2
    assert env.native.variable("Field-0.Slugs-0.salt#g")[0][0] == 10.0


def test_a_rule_says_what_the_basic_rule_would():
    env = make(set={"rules": {"python": {"class": slugs.Days, "days": 3}}})
    assert "Field-0.Slugs-0.salt#g" in env.observation_space.spaces
    assert env.game.max_steps == 3
    env.reset(seed=0)
    assert [env.farmgym_step([])[3] for _ in range(3)] == [False, False, True]


def test_a_policy_plays_and_each_player_has_its_own_memory():
    env = make()
    env.reset(seed=0)
    first, second = env.player("salter", seed=0), env.player("salter", seed=4)
    assert [call[4]["plot"] for call in (first()[0], first()[0], second()[0])] == [[0, 0], [0, 1], [1, 1]]
    observation, *_, info = env.farmgym_step(first())
    assert info["rejected"] == []
    assert observation["Field-0.Slugs-0.population#nb"].tolist() == [[1, 1, 0], [1, 1, 1]]
    with pytest.raises(farm_gym.ConfigError, match="did you mean `salter`"):
        env.player("slater")


def test_the_effect_mask_asks_the_part():
    env = make()
    env.reset(seed=0)
    env.farmgym_step(salt((0, 1), 20.0, "ground"))
    without = [name for name, bit in zip(env.action_names, env.effect_mask(), strict=True) if not bit]
    assert len(without) == 4 and all("(0, 1)" in name for name in without)


def test_a_class_itself_will_do():
    entities = [{"Weather": "montpellier"}, {"python": slugs.Seedlings}, {"python": {"class": slugs.Slugs}}]
    one, other = make(set={"fields.Field-0.entities": entities}), make()
    assert one.reset(seed=9)[1]["action_mask"].sum() == other.reset(seed=9)[1]["action_mask"].sum() == 25
    assert one.native.state_hash() == other.native.state_hash()


def only(*entities):
    """A game of these parts beside the weather."""
    change = {"fields.Field-0.entities": [{"Weather": "montpellier"}, *({"python": one} for one in entities)]}
    change |= {"score": "EventScore", "policies": {}, "rules.BasicRule.free_observations": [], "rules.BasicRule.actions": {}}
    return make(set=change)


def test_a_part_that_is_bound_knows_what_all_have_declared():
    class Neighbours(farm_gym.Entity):
        def declare(self, declarations):
            assert (declarations.name, declarations.field.name, len(declarations.fields)) == ("Neighbours-0", "Field-0", 1)
            self.calls = ["declare"]
            declarations.count("seen#nb", 0, 9, "Parts with seedlings.")

        def bind(self, found):
            self.calls.append("bind")
            self.seedlings = found.providers("seedlings")
            assert (found.name, found.field) == ("Neighbours-0", found.fields[0])
            assert [variable.name for part in found.parts if part.name == found.name for variable in part.variables] == ["seen#nb"]

        def reset(self, context):
            assert self.calls == ["declare", "bind"]
            context["seen#nb"] = len(self.seedlings)
            with pytest.raises(AttributeError, match="`Neighbours` has no memory, so 'calls' can't be set"):
                self.calls = []

    # Seedlings that declare later are known all the same.
    env = only(Neighbours, slugs.Seedlings)
    env.reset(seed=0)
    assert env.state()["Field-0.Neighbours-0.seen#nb"] == 1


def test_declarations_may_depend_on_those_of_other_parts():
    class Census(farm_gym.Entity):
        def declare(self, declarations):
            for part in declarations.providers("seedlings"):
                declarations.count(f"{part.name}#nb", 0, 9, "Its variables.", default=len(part.variables), role="counted")
            assert declarations.complete and declarations.parts[0].name == "Weather-0"

    class Reader(farm_gym.Entity):
        """Its look-up of the other's role waits for no declaration."""

        def declare(self, declarations: farm_gym.Builder):
            declarations.all("counted")
            declarations.count("all#nb", 0, 9, "The sum.")

        def reset(self, context):
            context["all#nb"] = sum(int(one) for one in context["counted"])

    env = only(Reader, Census, slugs.Seedlings, slugs.Seedlings)
    env.reset(seed=0)
    state = env.state()
    assert [state[f"Field-0.{name}"] for name in ("Census-0.Seedlings-0#nb", "Census-0.Seedlings-1#nb", "Reader-0.all#nb")] == [1, 1, 2]


def test_random_streams_differ_by_purpose_index_and_step_alone():
    drawn = []

    class Draws(farm_gym.Entity):
        def declare(self, declarations):
            declarations.runs_in("visit")

        def tick(self, phase, context):
            streams = [context.random("a"), context.random("a"), context.random("b"), context.random("a", 1)]
            drawn.append([stream.uniform() for stream in streams])
            many = context.random("many")
            sample = many.binomial(np.full((100, 100), 20), 0.25)
            assert sample.shape == (100, 100) and abs(sample.mean() - 5.0) < 0.1 and abs(sample.var() - 3.75) < 0.2
            normal = many.normal(3.0, 2.0, 10_000)
            assert abs(normal.mean() - 3.0) < 0.1 and abs(normal.std() - 2.0) < 0.1
            whole = many.integers(2, 4, shape=(1000,))
            assert set(whole.tolist()) == {2, 3, 4}
            column, row = many.binomial([[1], [2]], 1.0), many.binomial(3, [1.0, 0.0])
            assert (column.tolist(), row.tolist()) == ([[1], [2]], [3, 0])
            assert many.binomial([[1], [2]], [1.0, 0.0]).tolist() == [[1, 0], [2, 0]]
            with pytest.raises(ValueError, match="broadcast"):
                many.binomial([1, 2, 3], [0.5, 0.5])
            assert many.bernoulli([0.0, 1.0]).tolist() == [False, True]
            assert isinstance(many.binomial(5, 0.5), int) and isinstance(many.uniform(2, 3), float)
            assert 0.0 <= many.generator().gamma(2.0) < 100.0
            with pytest.raises(ValueError, match="low ≤ high"):
                many.uniform(3, 2)
            assert many.uniform(shape=(2, 2)).shape == many.normal(shape=(2, 2)).shape == (2, 2)
            with pytest.raises(TypeError, match=r"`low` is \(2, 2\), but a number is needed.*`uniform\(shape=\(2, 2\)\)`"):
                many.uniform((2, 2))
            with pytest.raises(TypeError, match=r"`normal\(shape=\(2, 2\)\)`"):
                many.normal((2, 2))
            with pytest.raises(AttributeError, match=r"a Stream has no `random`.*`generator\(\)`"):
                many.random((2, 2))

    env = only(Draws)
    for seed in (1, 1, 2):
        env.reset(seed=seed)
        env.farmgym_step([])
        env.farmgym_step([])
    same, again, purpose, index = zip(*drawn, strict=True)
    assert same == again
    # Two steps of the same seed twice, then another seed.
    assert same[:2] == same[2:4] and len(set(same)) == 4
    assert len({*same, *purpose, *index}) == 12


# Results are those of the seed alone.


def play(env, actions):
    env.reset(seed=11)
    return [env.step(action)[1] for action in actions]


def test_one_many_and_many_on_two_threads_are_the_same_bytes():
    steps, number = 9, 16
    change = {f"{SLUGS}.arrival": 0.4}
    actions = np.random.default_rng(0).integers(0, 25, (steps, number))
    singles, rewards = [], []
    for i in range(number):
        env = make(set=change, actions="discrete")
        env.reset(seed=100 + i)
        rewards.append([env.step(int(action))[1] for action in actions[:, i]])
        singles.append(env.snapshot())
    assert len(set(singles)) == number
    for threads in (1, 2):
        slugs.THREADS.clear()
        envs = make_vec(number, threads, set=change)
        envs.reset(seed=100)
        for step in range(steps):
            _, found, *_ = envs.step(actions[step])
            assert found.tolist() == [one[step] for one in rewards]
        assert [envs.snapshot(i) for i in range(number)] == singles
        assert len(slugs.THREADS) == threads
        envs.close()


def test_snapshots_copies_and_pickles_go_on_alike():
    env = make(set={f"{SLUGS}.arrival": 0.5})
    env.reset(seed=4)
    for _ in range(3):
        env.farmgym_step([])
    saved = env.snapshot()
    copies = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    expected = [env.farmgym_step([])[1] for _ in range(5)]
    final = env.snapshot()
    assert len(set(expected)) > 1
    env.restore(saved)
    for one in [env, *copies]:
        assert [one.farmgym_step([])[1] for _ in range(5)] == expected
        assert one.snapshot() == final


def test_a_part_has_no_memory(faulty):
    env = farm_gym.make(**faulty.build("memory"))
    env.reset(seed=0)
    faulty.part.ON = True
    with pytest.raises(farm_gym.PartError, match="`Faulty` has no memory, so 'memory' can't be set.*declare a variable") as raised:
        env.farmgym_step([])
    assert isinstance(raised.value.__cause__, AttributeError)


# What is said when they fail.


@pytest.mark.parametrize("where", ["reset", "tick", "observe"])
def test_an_exception_is_an_error_of_the_package_and_the_environment_goes_on(faulty, where):
    env, other = farm_gym.make(**faulty.build(where)), farm_gym.make(**faulty.build(where))
    env.reset(seed=1)
    faulty.part.ON = True
    with pytest.raises(farm_gym.FarmError, match="`Field-0.Faulty-0` failed in .*: ZeroDivisionError: slugs ate the divisor") as raised:
        env.reset(seed=1) if where == "reset" else env.farmgym_step([])
    error = raised.value
    assert isinstance(error, farm_gym.PartError) and isinstance(error.__cause__, ZeroDivisionError)
    step = 1 if where == "observe" else 0
    assert (error.part, error.seed, error.step, error.environment) == ("Field-0.Faulty-0", 1, step, None)
    assert error.method.startswith(where) and f"step {step} of the episode with seed 1" in str(error)
    shown = "".join(traceback.format_exception(error))
    assert "slugs.py" in shown and f'self._fault("{where}", context)' in shown
    faulty.part.ON = False
    if where != "observe":
        with pytest.raises(farm_gym.StateError, match="call `reset`"):
            env.farmgym_step([])
    for one in (env, other):
        one.reset(seed=2)
        one.farmgym_step([])
    assert env.snapshot() == other.snapshot()


@pytest.mark.parametrize("where", ["reset", "tick", "observe"])
@pytest.mark.parametrize("threads", [1, 2])
def test_an_exception_in_a_batch_comes_out_once_and_all_go_on(faulty, where, threads):
    with pytest.warns(farm_gym.SlowPartWarning):
        envs = farm_gym.make_vec(num_envs=32, num_threads=threads, **faulty.build(where))
    with pytest.warns(farm_gym.SlowPartWarning):
        others = farm_gym.make_vec(num_envs=32, num_threads=1, **faulty.build(where))
    envs.reset(seed=1)
    waiting = np.zeros(32, np.int64)
    for _ in range(3):
        envs.step(waiting)
    faulty.part.ON = True
    for _ in range(3):
        # Both threads meet one; the one that is not told now must not be told later.
        with pytest.raises(farm_gym.PartError, match="environment [0-9]+: .*slugs ate the divisor") as raised:
            envs.reset(seed=1) if where == "reset" else envs.step(waiting)
        # Environment i plays the episodes 1 + i, …: the first one has its own seed.
        assert isinstance(raised.value.__cause__, ZeroDivisionError) and raised.value.environment in range(32)
    faulty.part.ON = False
    for one in (envs, others):
        one.reset(seed=5)
        for _ in range(4):
            one.step(waiting)
    assert [envs.snapshot(i) for i in range(32)] == [others.snapshot(i) for i in range(32)]
    envs.close()


def test_an_episode_that_failed_begins_anew_by_itself_in_a_batch(faulty):
    with pytest.warns(farm_gym.SlowPartWarning):
        envs = farm_gym.make_vec(num_envs=1, num_threads=1, **faulty.build("tick"))
    envs.reset(seed=1)
    envs.step(np.zeros(1, np.int64))
    first = envs.snapshot(0)
    faulty.part.ON = True
    with pytest.raises(farm_gym.PartError, match="^environment 0: "):
        envs.step(np.zeros(1, np.int64))
    faulty.part.ON = False
    # NEXT_STEP: the step after the end is the reset, with another seed.
    _, rewards, terminations, truncations, _ = envs.step(np.zeros(1, np.int64))
    assert (rewards[0], terminations[0], truncations[0]) == (0.0, False, False)
    envs.step(np.zeros(1, np.int64))
    assert envs.snapshot(0) != first


@pytest.mark.parametrize(
    ("where", "arguments", "kind", "message"),
    [
        ("range", {"value": 1.5}, ValueError, r"`Field-0\.Faulty-0\.x#m` became 1\.5, but it goes from 0 to 1"),
        ("range", {"value": float("-1e-3")}, ValueError, r"became -0\.001"),
        ("foreign", {}, ValueError, "read-only; to change a role, look it up with `writes=True`; read-only here: `relative_humidity`"),
        ("name", {}, KeyError, r"no variable or role `y#m` was declared.*did you mean `x#m`"),
        ("event", {}, KeyError, "no event `boom` was declared"),
        ("reader", {}, ValueError, "read-only; this method only reads"),
        ("shape", {}, ValueError, r"`seen#m` has the shape \[2\], but \[\] was declared"),
        ("type", {}, TypeError, "(?s)ufunc 'add'"),
    ],
)
def test_what_a_part_must_not_do(faulty, where, arguments, kind, message):
    env = farm_gym.make(**faulty.build(where, **arguments))
    env.reset(seed=0)
    faulty.part.ON = True
    with pytest.raises(farm_gym.PartError, match=message) as raised:
        env.step(0)
    assert isinstance(raised.value.__cause__, kind)


def test_an_interrupt_stays_one(faulty):
    env = farm_gym.make(**faulty.build("interrupt"))
    env.reset(seed=0)
    faulty.part.ON = True
    with pytest.raises(KeyboardInterrupt):
        env.step(0)


def test_an_exception_while_the_game_is_opened_is_an_error_of_the_package():
    with pytest.raises(farm_gym.PartError, match="`Priceless-0` failed in `intervention_cost`: AssertionError: there is no price"):
        make(set={"score": {"python": slugs.Priceless}})


def test_an_exception_of_a_policy_names_it():
    class Broken(farm_gym.Policy):
        def choose(self, observation, info):
            return 99 if info["step"] else {}["salt"]

    env = make(set={"policies": {"mine": {"python": Broken}}})
    env.reset(seed=7)
    with pytest.raises(farm_gym.PartError, match=r"Broken` failed in `choose`, step 0 of the episode with seed 7: KeyError: ") as raised:
        env.player("mine")()
    assert isinstance(raised.value.__cause__, KeyError)
    env.farmgym_step([])
    with pytest.raises(farm_gym.PartError, match="there is no action 99: ids go from 0 to"):
        env.player("mine")()


def test_an_action_that_waits_needs_no_deed():
    entities = [{"Weather": "montpellier"}, {"python": slugs.Bench}]
    change = {"fields.Field-0.entities": entities, "score": "EventScore", "policies": {}}
    change |= {"rules.BasicRule.free_observations": [], "rules.BasicRule.actions": {"Field-0": {"Bench-0": {"sit": None}}}}
    env = make(set=change)
    env.reset(seed=0)
    assert len(env.action_names) == 1 and env.step(0)[4]["rejected"] == []


def test_a_number_that_is_not_finite_does_not_get_into_the_state(faulty):
    env = farm_gym.make(**faulty.build("range"))
    env.reset(seed=0)
    faulty.part.ON = True

    original, faulty.part.tick = faulty.part.tick, lambda self, phase, context: context.__setitem__("x#m", float("nan"))
    try:
        with pytest.raises(farm_gym.PartError, match="became NaN"):
            env.farmgym_step([])
    finally:
        faulty.part.tick = original


def test_a_context_is_good_for_one_call(faulty):
    kept = []
    env = farm_gym.make(**faulty.build("nowhere"))
    original = faulty.part.tick

    def tick(self, phase, context):
        kept.append(context)
        context["x#m"].shape = (1,)  # A view of its own: the next call has the declared shape again.

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        faulty.part.tick = tick
        try:
            env.reset(seed=0)
            env.farmgym_step([])
            with pytest.raises(RuntimeError, match="valid only in the call"):
                kept[0]["x#m"]
            with pytest.raises(RuntimeError, match="valid only in the call"):
                kept[0].emit("boom")
        finally:
            faulty.part.tick = original
    env.farmgym_step([])


def test_one_environment_says_it_in_its_warnings_alone():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = make()
    said = [warning for warning in env.game.warnings if "is written in Python" in warning]
    assert len(said) == 3
    places = [f"slugs.yaml:{line}:" in warning for warning, line in zip(said, (8, 9, 28), strict=True)]
    assert all(places), said


@pytest.mark.parametrize("name", ["Entity", "Farmer", "Rule", "Score", "Policy"])
def test_the_example_of_the_documentation_runs(name, monkeypatch):
    base = getattr(farm_gym, name)
    example = types.ModuleType(f"example_of_{name}")
    monkeypatch.setitem(sys.modules, example.__name__, example)
    test = doctest.DocTestParser().get_doctest(base.__doc__, {}, name, None, 0)
    test.globs = vars(example)
    results = doctest.DocTestRunner().run(test, clear_globs=False)
    assert results.attempted >= 5 and results.failed == 0


def test_every_method_and_class_is_documented():
    for name in ("Entity", "Farmer", "Rule", "Score", "Policy"):
        base = getattr(farm_gym, name)
        own = [one for one in dir(base) if not one.startswith("_") and callable(getattr(base, one))]
        assert own and base.__doc__ and all(getattr(base, one).__doc__ for one in own)
    for given in (farm_gym.Declarations, farm_gym.Found):
        assert all(getattr(given, one).__doc__ for one in vars(given) if not one.startswith("_"))
    # Where authors look for them.
    assert all(name in farm_gym.Entity.__doc__ for name in ("farm_gym.Declarations", "farm_gym.Context", "farm_gym.Stream"))
    for native in (farm_gym.Context, farm_gym.Stream):
        assert native.__module__ == "farm_gym"
        own = [one for one in vars(native) if not one.startswith("_")]
        assert own and all(getattr(native, one).__doc__ for one in own)
