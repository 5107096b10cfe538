"""Parts of a user: seedlings, the slugs that eat them, and what goes with a game of them."""

import threading

import numpy as np

import farm_gym

#: The threads that have run a tick, for the test that several do.
THREADS = set()

AWAKE, HIDDEN = 0, 1


class Seedlings(farm_gym.Entity):
    """So many seedlings in each plot, which grow no more."""

    def __init__(self, number=20):
        self.number = number

    def declare(self, declarations):
        declarations.count("number#nb", 0, 1000, "Seedlings in the plot.", per_plot=True, default=self.number, role="seedlings")


class Slugs(farm_gym.Entity):
    """Slugs come by night, eat seedlings, hide where the air is dry, and die of salt."""

    def __init__(self, appetite=2, dry=0.0, arrival=0.0):
        self.appetite = appetite
        self.dry = dry
        self.arrival = arrival

    def declare(self, declarations):
        declarations.count("population#nb", 0, 50, "Slugs in the plot.", per_plot=True, default=1)
        declarations.category("state", ["awake", "hidden"], "What they do today.")
        declarations.real("salt#g", 0.0, 100.0, "Salt in the plot.", per_plot=True)
        declarations.real("humidity#%", 0.0, 100.0, "The humidity that they feel.")
        declarations.real("hunger#nb", 0.0, 1000.0, "What all would eat.", computed=True)
        declarations.count("drawn#nb", 0, 2**31 - 1, "A random number.", shape=[3])
        declarations.one("relative_humidity")
        declarations.all("seedlings", writes=True)
        declarations.maybe("reference_evapotranspiration")
        declarations.maybe("nobody_has_this")
        where = declarations.choice("where", ["leaf", "ground"], "Where the salt falls.")
        amount = declarations.number("amount#g", 0.0, 50.0, [10.0, 20.0], "How much salt.")
        declarations.action("salt", "Scatters salt.", [declarations.plot(), amount, where])
        declarations.event("eaten", 100, "Seedlings were eaten in a plot; how many.")
        declarations.runs_in("visit")

    def tick(self, phase, context):
        assert phase == "visit"
        assert context["nobody_has_this"] is None
        THREADS.add(threading.get_ident())
        context["humidity#%"] = context["relative_humidity"]
        context["drawn#nb"] = context.random("drawn").integers(0, 2**31 - 1, 3)
        population, salt = context["population#nb"], context["salt#g"]
        population += context.random("arrival").binomial(np.full(population.shape, 3), self.arrival).astype(np.int32)
        population[salt > 15.0] = 0
        np.minimum(population, 50, out=population)
        context["state"] = HIDDEN if float(context["relative_humidity"]) < self.dry else AWAKE
        if context["state"] == HIDDEN:
            return
        for seedlings in context["seedlings"]:
            eaten = np.minimum(seedlings, self.appetite * population)
            seedlings -= eaten
            for x, y in zip(*np.nonzero(eaten), strict=True):
                context.emit("eaten", eaten[x, y], (x, y))

    def act(self, action, arguments, context):
        assert action == "salt"
        share = {"leaf": 0.5, "ground": 1.0}[arguments["where"]]
        context["salt#g"][arguments["plot"]] += share * arguments["amount#g"]

    def has_effect(self, action, arguments, context):
        return bool(context["population#nb"][arguments["plot"]] > 0)

    def observe(self, variable, context):
        assert variable == "hunger#nb"
        return self.appetite * context["population#nb"].sum()


class Guard(farm_gym.Score):
    """A point for each seedling that is left, and a constraint on salt."""

    def declare(self, declarations):
        declarations.all("seedlings")
        declarations.constraint("salt", "g", limit=40.0, weight=0.5)

    def intervention_cost(self, part, action):
        return 3.0 if (part, action) == ("Field-0.Slugs-0", "salt") else 0.0

    def reward(self, context):
        assert all(event["source"] == "Field-0.Slugs-0" for event in context.events)
        return -sum(event["value"] for event in context.events)

    def constraint_costs(self, context):
        return {"salt": 2.5}

    def final_reward(self, context):
        return float(sum(seedlings.sum() for seedlings in context["seedlings"]))


class Priceless(Guard):
    """Knows no price of anything."""

    def intervention_cost(self, part, action):
        raise AssertionError("there is no price")


class Bench(farm_gym.Entity):
    """Something to sit on."""

    def declare(self, declarations):
        declarations.action("sit", "Lets time pass.", waits=True)


class OddDays(farm_gym.Farmer):
    """Acts every other day, and counts what it did."""

    def declare(self, declarations):
        declarations.count("done#nb", 0, 1000, "What it did.")

    def permits(self, kind, field):
        return field is not None

    def refusal(self, attempt, context):
        assert (attempt.kind, attempt.part, attempt.action) == ("intervention", "Field-0.Slugs-0", "salt")
        assert attempt.arguments["where"] in ("leaf", "ground")
        return "even days are free" if context.step % 2 else None

    def did(self, attempt, context):
        context["done#nb"] += 1


class Days(farm_gym.Rule):
    """Everything is seen, for so many days."""

    def __init__(self, days):
        self.days = days

    def rules(self, game):
        slugs = next(part for part in game.parts if part.name == "Slugs-0")
        assert slugs.actions == ("salt",) and (game.fields[0].length, game.fields[0].width) == (2, 3)
        names = [variable.name for variable in slugs.variables] + list(slugs.observables)
        seen = [["Field-0", "Slugs-0", name] for name in names] + [["Field-0", "Seedlings-0", "number#nb"]]
        return {"free_observations": seen, "max_steps": self.days, "max_action_schedule_size": 1}


class Salter(farm_gym.Policy):
    """Salts one plot after the other."""

    def prepare(self, game):
        self.plots = game.fields[0].length * game.fields[0].width
        self.next = -1

    def start(self, seed):
        self.next = seed

    def choose(self, observation, info):
        plot = self.next % self.plots
        self.next += 1
        parameters = {"plot": divmod(plot, 3), "amount#g": 20.0, "where": "ground"}
        return [["BasicFarmer-0", "Field-0", "Slugs-0", "salt", parameters]]


class Faulty(farm_gym.Entity):
    """Raises where it is told to, when the switch is on."""

    ON = False

    def __init__(self, where="tick", value=0.0, keep=None):
        self.where, self.value = where, value

    def declare(self, declarations):
        declarations.real("x#m", 0.0, 1.0, "A number.")
        declarations.real("seen#m", 0.0, 1.0, "A number.", computed=True)
        declarations.one("relative_humidity")
        declarations.runs_in("account")

    def _fault(self, where, context):
        if type(self).ON and self.where == where:
            raise ZeroDivisionError("slugs ate the divisor")

    def reset(self, context):
        self._fault("reset", context)

    def tick(self, phase, context):
        self._fault("tick", context)
        if not type(self).ON:
            return
        if self.where == "range":
            context["x#m"] = self.value
        elif self.where == "memory":
            self.memory = 1
        elif self.where == "foreign":
            context["relative_humidity"][...] = 0
        elif self.where == "name":
            context["y#m"]
        elif self.where == "event":
            context.emit("boom")
        elif self.where == "type":
            context["x#m"] + "1"
        elif self.where == "interrupt":
            raise KeyboardInterrupt

    def observe(self, variable, context):
        self._fault("observe", context)
        if type(self).ON and self.where == "reader":
            context["x#m"] = 1
        return [0.5, 0.5] if type(self).ON and self.where == "shape" else 0.5
