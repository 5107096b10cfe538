"""The base classes of parts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from farm_gym._native import Context
from farm_gym.parts.declarations import Declarations
from farm_gym.parts.infos import Attempt, Found, GameInfo

__all__ = ["BASES", "Entity", "Farmer", "Part", "Policy", "Rule", "Score"]


class Part:
    """The base class of all parts. See the ``help`` of :class:`farm_gym.Declarations` and :class:`farm_gym.Context`."""

    #: Set after ``bind``: from then on the part's attributes are fixed.
    _is_bound = False

    def __setattr__(self, name: str, value: Any) -> None:
        if self._is_bound:
            raise AttributeError(
                f"`{type(self).__name__}` has no memory, so {name!r} can't be set: all environments share the object; declare a variable"
            )
        super().__setattr__(name, value)

    def declare(self, declarations: Declarations) -> None:
        """Declares variables, roles, actions, events and phases."""

    def bind(self, found: Found) -> None:
        """Prepares the part when all parts have declared. It may store derived values in attributes, which are fixed from then on."""

    def reset(self, context: Context) -> None:
        """Prepares an episode. All variables have their default values at this point."""

    def settle(self, context: Context) -> None:
        """Adjusts the other variables to the initial conditions that the rules have set."""

    def act(self, action: str, arguments: dict[str, Any], context: Context) -> None:
        """Executes an action. In ``arguments``, ``plot`` is ``(x, y)``, a number is a float, and a choice is a string."""
        raise NotImplementedError(f"{type(self).__name__} declares the action {action!r} and has no `act`")

    def has_effect(self, action: str, arguments: dict[str, Any], context: Context) -> bool:
        """Whether an action would change anything now, for :meth:`farm_gym.FarmEnv.effect_mask`. The arrays are read-only."""
        return True

    def tick(self, phase: str, context: Context) -> None:
        """Runs one phase of the day; called for each declared phase."""
        raise NotImplementedError(f"{type(self).__name__} asks for the phase {phase!r} and has no `tick`")

    def observe(self, variable: str, context: Context) -> Any:
        """The values of a computed variable: a number, or an array of its shape. The arrays are read-only."""
        raise NotImplementedError(f"{type(self).__name__} declares {variable!r} as computed and has no `observe`")


class Entity(Part):
    """A component of a field, such as an animal, a machine or a soil.

    ``declare`` lists the entity's contents through a :class:`farm_gym.Declarations`. All other methods read and change them through a
    :class:`farm_gym.Context`, whose ``random`` returns a :class:`farm_gym.Stream` of random numbers. See the ``help`` of these three
    classes.

    >>> import farm_gym, numpy as np
    >>> class Slugs(farm_gym.Entity):
    ...     \"\"\"Slugs: they come at random, most in moist air, and die of salt.\"\"\"
    ...
    ...     def __init__(self, arrival=0.5):
    ...         self.arrival = arrival
    ...
    ...     def declare(self, declarations):
    ...         declarations.count("population#nb", 0, 1000, "Slugs in the plot.", per_plot=True, role="slugs")
    ...         declarations.one("relative_humidity")
    ...         declarations.event("slug", 1000, "Slugs came to a plot; how many.")
    ...         declarations.action("salt", "Scatters salt on a plot.", [declarations.plot()])
    ...         declarations.runs_in("visit")
    ...
    ...     def tick(self, phase, context):
    ...         population = context["population#nb"]
    ...         moisture = float(context["relative_humidity"]) / 100
    ...         come = context.random("arrival").binomial(np.full(population.shape, 3), self.arrival * moisture)
    ...         population[:] = np.minimum(population + come, 1000)
    ...         for plot in zip(*np.nonzero(come)):
    ...             context.emit("slug", come[plot], plot)
    ...
    ...     def act(self, action, arguments, context):
    ...         context["population#nb"][arguments["plot"]] = 0
    >>> env = farm_gym.make("clay_bean", info="full", set={
    ...     "fields.Field-0.entities": [
    ...         {"Weather": "montpellier"}, {"Soil": "clay"}, {"Plant": "bean"}, {"python": {"class": Slugs, "arrival": 0.9}}],
    ...     "rules.BasicRule.free_observations": [["Field-0", "Slugs-0", "population#nb"]],
    ...     "rules.BasicRule.actions": {"Field-0": {"Slugs-0": {"salt": {"plot": "*"}}}},
    ... })
    >>> observation, info = env.reset(seed=1)
    >>> int(observation["Field-0.Slugs-0.population#nb"].item())
    0
    >>> sum(event["kind"] == "slug" for _ in range(9) for event in env.step(0)[4]["events"]) > 3
    True
    """


class Farmer(Part):
    """A farmer executes the chosen actions, and limits when and how often they are possible.

    >>> import farm_gym
    >>> class Weekender(farm_gym.Farmer):
    ...     \"\"\"Comes every few days, and does as much as it likes then.\"\"\"
    ...
    ...     def __init__(self, every=7):
    ...         self.every = every
    ...
    ...     def refusal(self, attempt, context):
    ...         return None if context.step % self.every == 0 else "the farmer is in town"
    >>> env = farm_gym.make("clay_bean", set={"farmers": [{"python": {"class": Weekender, "every": 2}}]})
    >>> observation, info = env.reset(seed=0)
    >>> int(info["action_mask"].sum()) > 1
    True
    >>> _, _, _, _, info = env.step(1)
    >>> info["rejected"], int(info["action_mask"].sum()) > 1
    ([], False)
    >>> _, _, _, _, info = env.step(1)
    >>> info["rejected"][0]["reason"]
    'the farmer is in town'
    """

    #: Whether ``refusal`` depends on an attempt's arguments. If so, a mask needs one call for each action.
    judges_arguments = False

    def permits(self, kind: str, field: str | None) -> bool:
        """Whether the farmer may ever observe (``"observation"``) or act (``"intervention"``) in a field; None means the farm-level parts.
        Called when the game is opened."""
        return True

    def refusal(self, attempt: Attempt, context: Context) -> str | None:
        """The reason why the farmer can't do this now, as a short sentence for ``info["rejected"]``; None if there is no such reason. The
        arrays are read-only. At most 1,000 different sentences are possible, so do not put numbers in them."""
        return None

    def did(self, attempt: Attempt, context: Context) -> None:
        """Records a permitted attempt before it is executed."""


class Score(Part):
    """A score determines costs and rewards.

    >>> import farm_gym
    >>> class Thrifty(farm_gym.Score):
    ...     \"\"\"A point for each day on which the soil holds enough water; watering costs.\"\"\"
    ...
    ...     def __init__(self, enough=0.5):
    ...         self.enough = enough
    ...
    ...     def declare(self, declarations):
    ...         declarations.all("supply_water")
    ...         declarations.all("water_capacity")
    ...
    ...     def intervention_cost(self, part, action):
    ...         return 0.25 if action.startswith("water") else 0.0
    ...
    ...     def reward(self, context):
    ...         fields = zip(context["supply_water"], context["water_capacity"])
    ...         return float(all((water >= self.enough * capacity).all() for water, capacity in fields))
    >>> env = farm_gym.make("clay_bean", set={"score": {"python": {"class": Thrifty, "enough": 0.0}}})
    >>> observation, info = env.reset(seed=0)
    >>> env.step(0)[1], env.step(1)[1]
    (1.0, 0.75)
    """

    def reward(self, context: Context) -> float:
        """The reward for this step, before costs. ``context.events`` lists the events in the step."""
        raise NotImplementedError(f"{type(self).__name__} has no `reward`")

    def final_reward(self, context: Context) -> float:
        """The amount added to the reward at the end of the episode."""
        return 0.0

    def intervention_cost(self, part: str, action: str) -> float:
        """The cost of the intervention ``action`` on the part with the path ``part``. Called when the game is opened."""
        return 0.0

    def observation_cost(self, part: str, variable: str) -> float:
        """The cost of requesting one value of a variable. Called when the game is opened."""
        return 0.0

    def constraint_costs(self, context: Context) -> Mapping[str, float]:
        """The cost of each declared constraint in this step, by name. Called after ``reward``."""
        return {}


class Rule:
    """A rule sets a game's initial conditions, permitted actions, observations and end. It computes the parameters of ``BasicRule`` from
    the game's parts.

    To let a part end the game, use a stopping condition on one of the part's variables.

    >>> import farm_gym
    >>> class Everything(farm_gym.Rule):
    ...     \"\"\"Everything visible is seen, for a number of days.\"\"\"
    ...
    ...     def __init__(self, days):
    ...         self.days = days
    ...
    ...     def rules(self, game):
    ...         seen = [[part.field, part.name, variable.name]
    ...                 for part in game.parts if part.field for variable in part.variables if variable.visible]
    ...         return {"free_observations": seen, "max_steps": self.days}
    >>> env = farm_gym.make("clay_bean", set={"rules": {"python": {"class": Everything, "days": 2}}})
    >>> observation, info = env.reset(seed=0)
    >>> "Field-0.Soil-0.available_Water#L" in observation
    True
    >>> env.step(0)[3], env.step(0)[3]
    (False, True)
    """

    def rules(self, game: GameInfo) -> Mapping[str, Any]:
        """The parameters of ``BasicRule`` (``farm describe BasicRule``), written as in YAML: part names, lists, ``"(0, 9)"``."""
        raise NotImplementedError(f"{type(self).__name__} has no `rules`")


class Policy:
    """A policy plays a game. Each player has its own policy object, which may store data. Derive random numbers from the seed passed to
    ``start``.

    >>> import farm_gym
    >>> class Waterer(farm_gym.Policy):
    ...     \"\"\"Waters whenever the soil holds less than so much.\"\"\"
    ...
    ...     def __init__(self, least):
    ...         self.least = least
    ...
    ...     def prepare(self, game):
    ...         self.water = next(i for i, name in enumerate(game.actions) if "water_discrete" in name and "20" in name)
    ...
    ...     def choose(self, observation, info):
    ...         return self.water if observation["Field-0.Soil-0.available_Water#L"].min() < self.least else None
    >>> env = farm_gym.make("clay_bean", set={"policies": {"mine": {"python": {"class": Waterer, "least": 1e6}}}})
    >>> observation, info = env.reset(seed=0)
    >>> player = env.player("mine", seed=0)
    >>> env.farmgym_step(player())[4]["intervention cost"]
    0.6
    """

    def prepare(self, game: GameInfo) -> None:
        """Prepares for a game; called once, before the first episode."""

    def start(self, seed: int) -> None:
        """Starts a new episode."""

    def choose(self, observation: dict[str, Any], info: dict[str, Any]) -> Any:
        """Chooses the next actions.

        Args:
            observation: The learner's observation.
            info: ``action_mask`` over the flat list, ``expects`` (``"observation"`` or ``"intervention"``), ``step``.

        Returns:
            None or an empty list for no action; an id in the flat list, or a list of ids; a line such as ``"wait"``; or a list of
            ``(farmer, field, entity, name, parameters)``.
        """
        raise NotImplementedError(f"{type(self).__name__} has no `choose`")


#: The base class of each kind of part.
BASES: dict[str, type] = {"entity": Entity, "farmer": Farmer, "rule": Rule, "score": Score, "policy": Policy}
