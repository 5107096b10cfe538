"""Parts of a game written in Python: entities, farmers, rules, scores and policies.

A part is a class. Its ``declare`` lists the part's variables, actions and events, and the variables of other parts that it uses (by role,
never by type). Its ``bind`` may look at what the other parts have declared. The game calls the other methods with a :class:`Context`, which
contains all these variables as NumPy arrays. A game file names the class by its import path, and can set the constructor's arguments::

    entities:
      - Weather: montpellier
      - python: mypkg.slugs:Slugs
      - python: {class: mypkg.slugs:Slugs, appetite: 0.5}

People share game files, so the code that a file names runs only if the caller allows it. You can pass the classes:
``farm_gym.make("slugs.yaml", parts=[Slugs])``. The file may then name ``mypkg.slugs:Slugs`` or just ``Slugs``. Alternatively,
``allow_plugins=True`` allows all code that the file names; this code runs with all the permissions of this process. In that case,
``python: slugs:Slugs`` finds ``slugs.py`` next to the file. Such a module is loaded under a private name, and shadows no other module. It
imports neighbouring modules with ``from . import other``. You can also pass a class in an argument:
``farm_gym.make("clay_bean", set={"score": {"python": MyScore}})``.

In the game, a part's name is its class name and an index from 0: the first ``Slugs`` in a field is ``Slugs-0``.

A part has no memory. One object serves all environments of a game, on several threads in turn. Everything that changes during an episode
must be a declared variable, which :meth:`farm_gym.FarmEnv.snapshot` saves. Attributes can therefore be set only in ``__init__``,
``declare`` and ``bind``. Random numbers must come from :meth:`Context.random`. Equal seeds then lead to equal episodes, whatever the number
of environments and threads. (A :class:`Policy` is the exception: each player has its own object, which may store data.)

Python is slow, and runs on only one thread at a time. A vector environment of a game with such parts therefore issues a
:class:`farm_gym.SlowPartWarning`.

If a method raises an exception, ``reset`` or ``step`` raises a :class:`farm_gym.errors.PartError` with part, method, seed and step. Its
``__cause__`` is the original exception. The episode is then over, and ``reset`` starts the next one. A snapshot identifies a class only by
its import path and arguments, so restore it only with the same class.
"""

from __future__ import annotations

from farm_gym._native import Context, Stream
from farm_gym.parts.bases import Entity, Farmer, Policy, Rule, Score
from farm_gym.parts.declarations import Declarations
from farm_gym.parts.infos import Attempt, FieldInfo, Found, GameInfo, PartInfo, VariableInfo
from farm_gym.parts.pictures import Picture, Sprite, Tile

__all__ = [
    "Attempt",
    "Builder",
    "Context",
    "Declarations",
    "Entity",
    "Farmer",
    "FieldInfo",
    "Found",
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

#: The former name of `Declarations`, which the next version removes.
Builder = Declarations
