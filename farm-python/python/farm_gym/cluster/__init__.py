"""Studies, tunings and trainings on a Ray cluster: ``python -m farm_gym.cluster study NAME``.

A study and a tuning are lists of independent blocks of seasons; a training is one job for each game and seed. The cluster plays them, and
the results have the same bytes as on one core. Needs ``pip install "farm-gym[cluster]"`` on all machines.
"""

from __future__ import annotations
