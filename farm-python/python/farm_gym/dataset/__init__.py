"""Data sets of recorded play for offline learning: ``python -m farm_gym.dataset GAME --policy expert --episodes 100 --out DIR``.

A data set is a folder: ``data/`` is a Minari data set, and ``episodes.csv`` lists its episodes. ``croissant.json`` describes the data set
for machines (Croissant with the responsible-AI fields), and ``README.md`` describes it for people. The same command always writes the same
bytes. The package needs ``pip install "farm-gym[data]"``.
"""

from __future__ import annotations

from farm_gym.dataset.behaviour import Behaviour, Chosen, behaviour_of

__all__ = ["Behaviour", "Chosen", "behaviour_of"]
