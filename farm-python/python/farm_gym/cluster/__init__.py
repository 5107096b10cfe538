"""Runs studies, tuning and training on a Ray cluster: ``python -m farm_gym.cluster study NAME``.

Studies and tuning runs consist of independent blocks of seasons; training has one job for each game and seed. The cluster runs these blocks
and jobs, and the results are identical, byte for byte, to those from a single core. All machines need ``pip install "farm-gym[cluster]"``.
"""

from __future__ import annotations
