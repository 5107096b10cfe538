"""Parts that pass the checks, and parts that fail one each."""

import numpy as np

import farm_gym

DAYS = 0


class Moles(farm_gym.Entity):
    """Moles that come where the air is moist, and leave again."""

    def __init__(self, most=5):
        self.most = most

    def declare(self, declarations):
        declarations.count("population#nb", 0, 5, "Moles in the plot.", per_plot=True)
        declarations.one("relative_humidity")
        declarations.action("chase", "Chases the moles of a plot away.", [declarations.plot()])
        declarations.runs_in("visit")

    def tick(self, phase, context):
        population = context["population#nb"]
        moisture = float(context["relative_humidity"]) / 100
        population[:] = context.random("moles").binomial(np.full(population.shape, self.most), moisture)

    def act(self, action, arguments, context):
        context["population#nb"][arguments["plot"]] = 0


class Untold(Moles):
    def declare(self, declarations):
        super().declare(declarations)
        declarations.real("anger#furlong", 0.0, 1.0, "how angry they are")


class Remembering(Moles):
    def tick(self, phase, context):
        global DAYS
        DAYS = (DAYS + 1) % 1000
        context["population#nb"][1, 0] = DAYS % 6


class Failing(Moles):
    def tick(self, phase, context):
        if context.step == 3:
            raise ValueError("the moles are on strike")


class Undecided(Moles):
    def tick(self, phase, context):
        context["population#nb"][:] = np.random.randint(0, 6, context["population#nb"].shape)


class Spoiling(Moles):
    def declare(self, declarations):
        super().declare(declarations)
        declarations.real("anger#prop", 0.0, 1.0, "How angry they are.")

    def tick(self, phase, context):
        if context.step == 2:
            context["anger#prop"] = float("nan")


class Idle(Moles):
    def tick(self, phase, context):
        pass


class Lazy(farm_gym.Farmer):
    """A farmer who works every other day."""

    def refusal(self, attempt, context):
        return None if context.step % 2 == 0 else "it is a day of rest"


class Constant(farm_gym.Score):
    """A point a day."""

    def reward(self, context):
        return 1.0


class Infinite(Constant):
    def reward(self, context):
        return float("inf")
