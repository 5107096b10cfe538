"""Trains a learner on a game: ``python -m farm_gym.train --quick``, ``python -m farm_gym.train GAME --algo ppo``.

``farm_gym.train.ppo`` implements PPO in one file; ``dqn``, ``recurrent-ppo`` and ``maskable-ppo`` come from Stable-Baselines3 and
sb3-contrib. A training run writes a folder with its checkpoint, its progress and its returns on unseen seeds. The returns have the format
of ``schemas/results.schema.json``. Training needs ``pip install "farm-gym[train]"``.
"""

from __future__ import annotations

from farm_gym.train.jobs import ALGORITHMS, Job
from farm_gym.train.quick import Trained, quick

__all__ = ["ALGORITHMS", "Job", "Trained", "quick"]
