"""Studies, tunings and trainings on a Ray cluster: ``python -m farm_gym.cluster study NAME``.

A study or a tuning is a list of independent blocks of seasons; a training is one job for each game and seed. The cluster plays them, and
the results are identical to those on one core, byte for byte. All machines need ``pip install "farm-gym[cluster]"``.
"""

from __future__ import annotations
