"""Parses the names in the flat list of actions."""

from __future__ import annotations

import re

from farm_gym import _native

__all__ = ["PlotActions", "actions_by_plot"]

#: A name in the flat list, such as `Field-0.Soil-0.water_discrete(plot=(0, 0), amount#L=1000.0)`. With several farmers, the name starts
#: with the farmer.
_ACTION = re.compile(r"(?:[^.( ]+: )?([^.( ]+)\.([^.(]+)\.([^.(]+)(?:\((.*)\))?$")
_PLOT = re.compile(r"plot=\((\d+), (\d+)\)(?:, )?")

#: Ids by field, part, action and all arguments except the plot; and by plot (x, y), or None for an action without a plot.
PlotActions = dict[tuple[str, str, str, str], dict[tuple[int, int] | None, int]]


def actions_by_plot(game: _native.Game) -> PlotActions:
    """The first farmer's actions on parts in fields. Actions that differ only in the plot are grouped, in plot order."""
    found: PlotActions = {}
    for act, name in enumerate(game.action_names()):
        match = _ACTION.match(name)
        if match:
            field, part, action, arguments = match.groups(default="")
            plot = _PLOT.search(arguments)
            where = (int(plot[1]), int(plot[2])) if plot else None
            found.setdefault((field, part, action, _PLOT.sub("", arguments)), {}).setdefault(where, act)
    return found
