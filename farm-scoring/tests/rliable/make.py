"""Writes values.json: scores that a fixed generator drew, and what rliable 1.2 says of them.

pip install rliable==1.2.0
python farm-scoring/tests/rliable/make.py > farm-scoring/tests/rliable/values.json
"""

import json
import sys

import arch.bootstrap
import numpy as np
from rliable import library, metrics

RUNS, TASKS, RESAMPLES = 10, 4, 20_000
THRESHOLDS = [0.2, 0.5, 0.8, 1.0, 1.3]

generator = np.random.default_rng(18)
x = np.round(generator.gamma(4.0, 0.2, (RUNS, TASKS)), 3)
# Fewer runs, and scores that lie close to those of x; equal ones are among them.
y = np.round(generator.gamma(3.0, 0.22, (RUNS - 3, TASKS)), 3)
y[0] = x[0]

# rliable draws from the generator that all of NumPy shares, and hands arch an argument that its newer versions do not know.
np.random.seed(18)
begin = arch.bootstrap.IIDBootstrap.__init__
arch.bootstrap.IIDBootstrap.__init__ = lambda self, *args, random_state=None, **kwargs: begin(self, *args, **kwargs)


def measured(scores):
    values = {
        "mean": metrics.aggregate_mean(scores),
        "median": metrics.aggregate_median(scores),
        "iqm": metrics.aggregate_iqm(scores),
        "optimality_gap": metrics.aggregate_optimality_gap(scores),
    }
    order = list(values)
    functions = [metrics.aggregate_mean, metrics.aggregate_median, metrics.aggregate_iqm, metrics.aggregate_optimality_gap]
    _, intervals = library.get_interval_estimates({"x": scores}, lambda s: np.array([f(s) for f in functions]), reps=RESAMPLES)
    profile, bands = library.create_performance_profile({"x": scores}, THRESHOLDS, reps=RESAMPLES)
    found = {name: [float(values[name]), *map(float, intervals["x"][:, i])] for i, name in enumerate(order)}
    found["profile"] = [[float(p), *map(float, bands["x"][:, i])] for i, p in enumerate(profile["x"])]
    return found


pairs = {"x,y": (x, y)}
value, interval = library.get_interval_estimates(pairs, metrics.probability_of_improvement, reps=2_000)
json.dump(
    {
        "made_by": "python farm-scoring/tests/rliable/make.py, rliable 1.2.0",
        "thresholds": THRESHOLDS,
        "x": {"runs": x.tolist(), **measured(x)},
        "y": {"runs": y.tolist(), **measured(y)},
        "improvement": [float(value["x,y"]), *map(float, np.ravel(interval["x,y"]))],
    },
    sys.stdout,
    indent=1,
)
print()
