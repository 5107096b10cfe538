"""Data sets of recorded play for offline learning: ``python -m farm_gym.dataset GAME --policy expert --episodes 100 --out DIR``.

A data set is a folder: ``data/`` is a Minari data set, ``episodes.csv`` lists its episodes, ``croissant.json`` describes it for machines
(Croissant with the fields for responsible AI) and ``README.md`` for people. The same command writes the same bytes. It needs
``pip install "farm-gym[data]"``.
"""

from __future__ import annotations

from farm_gym.dataset.behaviour import Behaviour, Chosen, behaviour_of

__all__ = ["Behaviour", "Chosen", "behaviour_of"]
