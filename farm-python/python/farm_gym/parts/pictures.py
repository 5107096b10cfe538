"""How a part is drawn: which sprite stands where for which values of its variables."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from farm_gym.parts.modules import import_path

__all__ = ["Picture", "Sprite", "Tile"]


@dataclass(frozen=True)
class Tile:
    """A plain tile with a few letters of a name, for what has no sprite of its own."""

    #: The name; at most three letters of it are drawn.
    name: str


#: What is drawn: the text of an SVG, which begins with ``<``; the path of an SVG file, from the folder of the module whose class
#: declares it; a tile; None for nothing. The view box of an SVG is one plot and square; text elements in it are not drawn.
Sprite = str | os.PathLike[str] | Tile | None


@dataclass(frozen=True)
class Picture:
    """One thing that a part shows, declared with :meth:`Builder.picture <farm_gym.parts.Builder.picture>`.

    It begins with where it is drawn (:meth:`on_plots`, :meth:`of_things`, :meth:`of_map`, :meth:`of_seen_tiles`,
    :meth:`at_position`, :meth:`in_strip`)
    and goes on with its looks in order: the first whose condition holds is drawn. Each method returns a new picture.

    >>> from farm_gym import Picture
    >>> slug = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><ellipse cx="32" cy="44" rx="20" ry="8" fill="#7a5"/></svg>'
    >>> picture = Picture.on_plots("slugs", 40).at_least("population#nb", 1, "slugs", slug).heat("population#nb", 0, 50)
    >>> picture.variables
    ('population#nb', 'population#nb')

    Layers say what is drawn over what: 0 ground, 10 what lies on it, 20 low plants, 30 plants, 40 animals, 50 what flies, 60 who acts.
    """

    #: What it shows, for the legend and the strip.
    title: str
    #: Where it is drawn, as the engine receives it.
    place: dict[str, Any]
    #: What is drawn over what.
    layer: int = 0
    #: Name, condition and sprite of each look.
    looks: tuple[tuple[str, dict[str, Any], Sprite], ...] = ()
    #: Variables whose values are written beside the sprite, in the strip.
    values: tuple[str, ...] = ()
    #: Variable, darkest and lightest value of the colours of large fields.
    colors: tuple[str, float, float] | None = None
    #: Which of the things it shows.
    only: tuple[int, ...] | None = None
    #: Plots in a row of what is seen from its position, and the variables that are seen there.
    window: tuple[int, tuple[tuple[str, str, str], ...]] | None = field(default=None)
    #: Variables that the sprites follow, each with the values of the smallest and of the full form.
    growths: tuple[tuple[str, float, float], ...] = ()
    #: Lines of the chart of the season: title, variable, kind, colour.
    series: tuple[tuple[str, str, str, tuple[int, int, int]], ...] = ()

    @classmethod
    def on_plots(cls, title: str, layer: int) -> Picture:
        """A picture on each plot of the field; the conditions look at the value of that plot."""
        return cls(title, {"type": "plots"}, int(layer))

    @classmethod
    def of_things(cls, title: str, layer: int, at: str, columns: int, margin: int = 0) -> Picture:
        """A picture on the tiles of single things; the conditions look at the thing's own value.

        Args:
            title: What it shows.
            layer: What is drawn over what.
            at: The variable that holds for each thing the index of its tile in a map.
            columns: Tiles in a row of the map, margin included.
            margin: Tiles of the map outside the field, on each side; what stands there is not drawn.
        """
        return cls(title, {"type": "things", "at": at, "columns": int(columns), "margin": int(margin)}, int(layer))

    @classmethod
    def of_map(cls, title: str, layer: int, margin: int = 0) -> Picture:
        """A picture on every tile of a map: variables of shape ``(rows, columns, depth)``, of which the first along the last axis counts;
        ``margin`` tiles on each side lie outside the field."""
        return cls(title, {"type": "map", "margin": int(margin)}, int(layer))

    @classmethod
    def of_seen_tiles(cls, title: str, layer: int) -> Picture:
        """A picture on the tiles of a farmer's window of which names are observed, such as terrain and status: the learner's view draws it in
        place of things and maps, whose variables it does not see. Its looks are those of :meth:`names`."""
        return cls(title, {"type": "seen_tiles"}, int(layer))

    @classmethod
    def at_position(cls, title: str, layer: int, at: str) -> Picture:
        """A picture where a variable with two values, x and y, says."""
        return cls(title, {"type": "position", "at": at}, int(layer))

    @classmethod
    def in_strip(cls, title: str) -> Picture:
        """A picture in the strip beside the name of the field."""
        return cls(title, {"type": "strip"})

    def within(self, variable: str, low: float, high: float, name: str, sprite: Sprite) -> Picture:
        """A sprite where a variable lies in a closed range; categories and flags count by number.

        Args:
            variable: The variable, declared before.
            low, high: The range; ``math.inf`` sets no highest value.
            name: What it shows, in a word or two, for the legend; looks with an empty name are not in it.
            sprite: What is drawn: the text of an SVG, the path of one beside the module, a :class:`Tile`, or None for nothing.
        """
        if not (math.isfinite(low) and low <= high):
            raise ValueError(f"the picture `{self.title}`: `{variable}` goes from {low} to {high}: a finite low ≤ high is needed")
        top = float(high) if math.isfinite(high) else None
        return self._look(name, {"type": "within", "variable": variable, "low": float(low), "high": top}, sprite)

    def at_least(self, variable: str, low: float, name: str, sprite: Sprite) -> Picture:
        """A sprite from a value of a variable on; other arguments as for :meth:`within`."""
        return self.within(variable, low, math.inf, name, sprite)

    def label(self, variable: str, label: str, name: str, sprite: Sprite) -> Picture:
        """A sprite where a category has the value of a name; other arguments as for :meth:`within`."""
        return self._look(name, {"type": "label", "variable": variable, "label": str(label)}, sprite)

    def names(self, names: Sequence[str], name: str, sprite: Sprite) -> Picture:
        """A sprite where the names that are observed of a tile begin with these, such as ``["pen", "weak"]``, or ``["pen"]`` whatever its
        status; other arguments as for :meth:`within`."""
        return self._look(name, {"type": "names", "names": [str(one) for one in names]}, sprite)

    def otherwise(self, name: str, sprite: Sprite) -> Picture:
        """A sprite where none of those before is drawn; arguments as for :meth:`within`."""
        return self._look(name, {"type": "always"}, sprite)

    def _look(self, name: str, when: dict[str, Any], sprite: Sprite) -> Picture:
        return replace(self, looks=(*self.looks, (name, when, sprite)))

    def value(self, variable: str) -> Picture:
        """Writes a variable's value beside the sprite, in the strip."""
        return replace(self, values=(*self.values, variable))

    def heat(self, variable: str, low: float, high: float) -> Picture:
        """Colours instead of sprites for large fields, dark at the low value and light at the high; the variable has a value per plot,
        and a category one colour per name."""
        if not (math.isfinite(low) and math.isfinite(high) and low <= high):
            raise ValueError(f"the picture `{self.title}`: its colours go from {low} to {high}: two finite numbers with low ≤ high are needed")
        return replace(self, colors=(variable, float(low), float(high)))

    def entries(self, entries: Iterable[int]) -> Picture:
        """Shows these of the things alone, by number."""
        return replace(self, only=tuple(int(entry) for entry in entries))

    def sees(self, edge: int, variables: Mapping[str, tuple[str, str]]) -> Picture:
        """For farmers with a position: only so much around it is seen, a window of ``edge`` plots in a row.

        Args:
            edge: Plots in a row of the window; odd, the position is in the middle.
            variables: What the window shows: by the name of the computed variable of this part that shows it, of shape
                ``(edge, edge)``, row by row from north to south, the part and its variable of plots, such as
                ``{"view.stage": ("Plant-0", "stage")}``.
        """
        seen = tuple((name, part, variable) for name, (part, variable) in variables.items())
        return replace(self, window=(int(edge), seen))

    def grows_with(self, variable: str, low: float, high: float) -> Picture:
        """Its sprites follow a variable of plots: a group of an SVG with the attribute ``data-grows="variable"`` is drawn about its own origin, at 35 percent
        of its size where the value is ``low`` and at all of it from ``high`` on, and a shape with
        ``data-tint="variable" data-low="#f6e8c8" data-high="#b08058"`` in a colour between the two. A sprite follows two variables at the most.
        """
        if not (math.isfinite(low) and math.isfinite(high) and low < high):
            raise ValueError(f"the picture `{self.title}`: its sprites grow from {low} to {high}: two finite numbers with low < high are needed")
        return replace(self, growths=(*self.growths, (variable, float(low), float(high))))

    def over_season(self, title: str, variable: str, kind: Literal["level", "daily", "total"], color: tuple[int, int, int]) -> Picture:
        """A line of the chart of the season, under the picture of a farm; parts with equal titles share one.

        Args:
            title: What it shows, with its unit: ``"height (cm)"``.
            variable: The variable; of plots the mean is shown, or the sum of a total.
            kind: ``"level"`` for how much there is, ``"daily"`` for what came on the day, ``"total"`` for what has come so far.
            color: Red, green and blue, from 0 to 255.
        """
        if kind not in ("level", "daily", "total"):
            raise ValueError(f"the picture `{self.title}` shows {variable!r} as {kind!r}: level, daily, total")
        channels = tuple(int(channel) for channel in color)
        if len(channels) != 3 or not all(0 <= channel <= 255 for channel in channels):
            raise ValueError(f"the picture `{self.title}`: {color!r} is not a colour: red, green and blue from 0 to 255")
        return replace(self, series=(*self.series, (title, variable, kind, (channels[0], channels[1], channels[2]))))

    @property
    def variables(self) -> tuple[str, ...]:
        """All variables that it names."""
        at = [self.place["at"]] if "at" in self.place else []
        looks = [when["variable"] for _, when, _ in self.looks if "variable" in when]
        grown = [variable for variable, _, _ in self.growths]
        shown = [variable for _, variable, _, _ in self.series]
        return (*at, *looks, *self.values, *([self.colors[0]] if self.colors else []), *grown, *shown)


def note(picture: Picture, part: type) -> dict[str, Any]:
    """A picture as the engine receives it, with the files of its sprites read.

    Raises:
        ValueError: A file that is not there or can't be read.
    """
    what = f"picture `{picture.title}`"
    looks = [{"name": name, "when": when, "sprite": sprite_note(sprite, part, what)} for name, when, sprite in picture.looks]
    return {
        "title": picture.title,
        "place": picture.place,
        "layer": picture.layer,
        "looks": looks,
        "values": list(picture.values),
        "heat": None if picture.colors is None else list(picture.colors),
        "entries": None if picture.only is None else list(picture.only),
        "growths": [list(one) for one in picture.growths],
        "season": [
            {"title": title, "variable": variable, "kind": kind, "color": list(color)} for title, variable, kind, color in picture.series
        ],
        "window": None if picture.window is None else [picture.window[0], [list(one) for one in picture.window[1]]],
    }


def sprite_note(sprite: Sprite, part: type, what: str) -> dict[str, Any]:
    """A sprite of something as the engine receives it, its file read.

    Raises:
        ValueError: A file that is not there or can't be read.
    """
    if sprite is None:
        return {"type": "nothing"}
    if isinstance(sprite, Tile):
        return {"type": "label", "name": sprite.name}
    path = os.fspath(sprite)
    if not isinstance(path, str):
        raise TypeError(f"the sprite {sprite!r} of the {what} is neither text nor a path")
    if path.lstrip().startswith("<"):
        return {"type": "svg", "text": path, "from": f"the text in `{import_path(part)}`"}
    folders = _folders(part)
    files = [folder / path for folder in folders]
    found = next((file for file in files if file.is_file()), None)
    if found is None:
        where = " or ".join(str(folder) for folder in folders) or "any folder: its module has no file"
        raise ValueError(
            f"the {what} of `{import_path(part)}`: there is no sprite {path!r} in {where}"
        )
    try:
        text = found.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(
            f"the {what} of `{import_path(part)}`: the sprite {found} can't be read: {error}"
        ) from None
    return {"type": "svg", "text": text, "from": str(found)}


def _folders(part: type) -> list[Path]:
    """The folders of the modules of a class and of those it builds on: each has its sprites beside its own code."""
    modules = (sys.modules.get(one.__module__) for one in part.__mro__ if one is not object)
    files = (getattr(module, "__file__", None) for module in modules)
    folders = [Path(file).resolve().parent for file in files if file]
    own = Path(__file__).resolve().parent
    return [folder for folder in dict.fromkeys(folders) if folder != own]
