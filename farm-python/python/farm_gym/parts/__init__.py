"""Parts of a game written in Python: entities, farmers, rules, scores and policies.

A part is a class. Its ``declare`` lists the part's variables, actions and events, and the variables of other parts that it uses (by role,
never by type). The game calls its other methods with a :class:`Context`, which holds all these variables as NumPy arrays. A game file names
the class by its import path, with the constructor's arguments::

    entities:
      - Weather: montpellier
      - python: mypkg.slugs:Slugs
      - python: {class: mypkg.slugs:Slugs, appetite: 0.5}

People pass game files around, so the code that a file names runs only if the caller allows it. Either pass the classes,
``farm_gym.make("slugs.yaml", parts=[Slugs])``; the file may then name ``mypkg.slugs:Slugs`` or just ``Slugs``. Or allow all code that the
file names with ``allow_plugins=True``; it runs with all the rights of this process. Then ``python: slugs:Slugs`` finds ``slugs.py`` next to
the file. Such a module is loaded under a private name, and shadows no other module. It imports its neighbours with ``from . import other``.
You can also pass a class in an argument: ``farm_gym.make("clay_bean", set={"score": {"python": MyScore}})``.

In the game, a part's name is its class name and an index from 0: the first ``Slugs`` in a field is ``Slugs-0``.

A part has no memory. One object serves all environments of a game, on several threads in turn. Everything that changes during an episode
must be a declared variable, which :meth:`farm_gym.FarmEnv.snapshot` saves. Attributes can therefore be set only in ``__init__``. Random
numbers must come from :meth:`Context.random`. Equal seeds then give equal episodes, with any number of environments and threads. (A
:class:`Policy` is the exception: each player has its own object, which may store data.)

Python is slow, and runs on only one thread at a time. A vector environment of a game with such parts therefore issues a
:class:`farm_gym.SlowPartWarning`.

An exception in a method leaves ``reset`` or ``step`` as a :class:`farm_gym.errors.PartError` with part, method, seed and step; the
exception is its ``__cause__``. The episode is then over, and ``reset`` starts the next one. A snapshot identifies a class only by its
import path and arguments: restore it only with the class that made it.
"""

from __future__ import annotations

from farm_gym._native import Context, Stream
from farm_gym.parts.bases import Entity, Farmer, Policy, Rule, Score
from farm_gym.parts.builder import Builder
from farm_gym.parts.infos import Attempt, FieldInfo, GameInfo, PartInfo, VariableInfo
from farm_gym.parts.pictures import Picture, Sprite, Tile

__all__ = [
    "Attempt",
    "Builder",
    "Context",
    "Entity",
    "Farmer",
    "FieldInfo",
    "GameInfo",
    "PartInfo",
    "Picture",
    "Policy",
    "Rule",
    "Score",
    "Sprite",
    "Stream",
    "Tile",
    "VariableInfo",
]
