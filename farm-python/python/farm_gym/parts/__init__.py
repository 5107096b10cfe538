"""Parts of a game written in Python: entities, farmers, rules, scores and policies.

A part is a class. Its ``declare`` says, once, what the part has (variables, actions, events) and what it looks up of others (by
role, never by type); its other methods are called while the game is played, with a :class:`Context` that holds NumPy arrays of all
this. A game uses the class by its import path, with whatever its constructor takes::

    entities:
      - Weather: montpellier
      - python: mypkg.slugs:Slugs
      - python: {class: mypkg.slugs:Slugs, appetite: 0.5}

Game files are data that are passed around, so the code that one names runs only if the caller allows it: hand the classes over,
``farm_gym.make("slugs.yaml", parts=[Slugs])``, of which the file may then name ``mypkg.slugs:Slugs`` or just ``Slugs``; or allow
everything that the file names, ``allow_plugins=True``, which runs with all rights of this process. Then ``python: slugs:Slugs`` finds
``slugs.py`` beside the file; such a module is loaded under a private name and shadows no other, and imports others beside it by
``from . import other``. A class in an argument is handed over as well:
``farm_gym.make("clay_bean", set={"score": {"python": MyScore}})``.

In the game a part has the name of its class, counted from 0: the first ``Slugs`` of a field is ``Slugs-0``.

A part has no memory. One object plays in all environments of a game, in several threads by turns; what changes in an episode
belongs into declared variables, which :meth:`farm_gym.FarmEnv.snapshot` keeps. Attributes can therefore be set only in
``__init__``. Randomness comes from :meth:`Context.random` alone. Then equal seeds give equal episodes, in any number of environments and
threads. (A :class:`Policy` is the exception: each player has an object of its own, which may remember.)

Python is slow, and one thread at a time runs it: a vector environment of a game with such parts says so by a
:class:`farm_gym.SlowPartWarning`.

What a method raises comes out of ``reset`` or ``step`` as a :class:`farm_gym.errors.PartError` with part, method, seed and step, whose
``__cause__`` it is. The episode it happened in is over; ``reset`` begins the next one. A snapshot knows a class by its import path and arguments alone: it is good for the class that made it.
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
