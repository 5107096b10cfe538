"""Pictures of parts: they set which sprite appears where, depending on variables."""

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
    """A plain tile with a few letters from a name, for things without a sprite."""

    #: The name; at most three of its letters are drawn.
    name: str


#: A sprite: SVG text, which begins with ``<``; the path of an SVG file, relative to the class's module; a tile; or None to draw nothing.
#: The view box of an SVG is square and covers one plot; text elements in it are not drawn.
Sprite = str | os.PathLike[str] | Tile | None


@dataclass(frozen=True)
class Picture:
    """One thing that a part displays, declared with :meth:`Declarations.picture <farm_gym.Declarations.picture>`.

    Start with the place (:meth:`on_plots`, :meth:`of_things`, :meth:`of_map`, :meth:`of_seen_tiles`, :meth:`at_position`,
    :meth:`in_strip`), then add looks in order: the first look whose condition holds is drawn. Each method returns a new picture.

    >>> from farm_gym import Picture
    >>> slug = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><ellipse cx="32" cy="44" rx="20" ry="8" fill="#7a5"/></svg>'
    >>> picture = Picture.on_plots("slugs", 40).at_least("population#nb", 1, "slugs", slug).heat("population#nb", 0, 50)
    >>> picture.variables
    ('population#nb', 'population#nb')

    Higher layers are drawn over lower ones: 0 ground, 10 things on the ground, 20 low plants, 30 plants, 40 animals, 50 flying animals,
    60 farmers.
    """

    #: Its subject, for the legend and the strip.
    title: str
    #: Where it is drawn, in the engine's format.
    place: dict[str, Any]
    #: Higher layers are drawn over lower ones.
    layer: int = 0
    #: Name, condition and sprite of each look.
    looks: tuple[tuple[str, dict[str, Any], Sprite], ...] = ()
    #: Variables whose values are written next to the sprite, in the strip.
    values: tuple[str, ...] = ()
    #: For the colours in large fields: the variable, and its values at the darkest and the lightest colour.
    colors: tuple[str, float, float] | None = None
    #: Indices of the things to show; None for all.
    only: tuple[int, ...] | None = None
    #: Edge length in plots of the window around its position, and the variables seen there.
    window: tuple[int, tuple[tuple[str, str, str], ...]] | None = field(default=None)
    #: Variables that set the size of sprites, each with its values at the smallest and at full size.
    growths: tuple[tuple[str, float, float], ...] = ()
    #: Lines in the season chart: title, variable, kind, colour.
    series: tuple[tuple[str, str, str, tuple[int, int, int]], ...] = ()

    @classmethod
    def on_plots(cls, title: str, layer: int) -> Picture:
        """A picture on each plot in the field; the conditions use that plot's value."""
        return cls(title, {"type": "plots"}, int(layer))

    @classmethod
    def of_things(cls, title: str, layer: int, at: str, columns: int, margin: int = 0) -> Picture:
        """A picture on the tile of each individual thing; the conditions use that thing's value.

        Args:
            title: Its subject.
            layer: Higher layers are drawn over lower ones.
            at: The variable with the index of each thing's tile in a map.
            columns: Number of tiles in a map row, including the margin.
            margin: Number of map tiles outside the field on each side; things there are not drawn.
        """
        return cls(title, {"type": "things", "at": at, "columns": int(columns), "margin": int(margin)}, int(layer))

    @classmethod
    def of_map(cls, title: str, layer: int, margin: int = 0) -> Picture:
        """A picture on every tile of a map. The variables have the shape ``(rows, columns, depth)``, and only the first entry of the last
        axis counts; ``margin`` tiles on each side are outside the field."""
        return cls(title, {"type": "map", "margin": int(margin)}, int(layer))

    @classmethod
    def of_seen_tiles(cls, title: str, layer: int) -> Picture:
        """A picture on the tiles in a farmer's window, if tile names such as terrain and status are observed there. The learner's view
        draws it instead of things and maps, because that view lacks their variables. Its looks come from :meth:`names`."""
        return cls(title, {"type": "seen_tiles"}, int(layer))

    @classmethod
    def at_position(cls, title: str, layer: int, at: str) -> Picture:
        """A picture at the position given by a variable with two values, x and y."""
        return cls(title, {"type": "position", "at": at}, int(layer))

    @classmethod
    def in_strip(cls, title: str) -> Picture:
        """A picture in the strip next to the field's name."""
        return cls(title, {"type": "strip"})

    def within(self, variable: str, low: float, high: float, name: str, sprite: Sprite) -> Picture:
        """A sprite for a variable's values in a closed range; categories and flags are numbers.

        Args:
            variable: The variable, which must already be declared.
            low, high: The range; ``math.inf`` sets no upper bound.
            name: Its meaning in one or two words, for the legend; looks with an empty name are not in the legend.
            sprite: SVG text, the path of an SVG file next to the module, a :class:`Tile`, or None to draw nothing.
        """
        if not (math.isfinite(low) and low <= high):
            raise ValueError(f"the picture `{self.title}`: `{variable}` goes from {low} to {high}: a finite low ≤ high is needed")
        top = float(high) if math.isfinite(high) else None
        return self._look(name, {"type": "within", "variable": variable, "low": float(low), "high": top}, sprite)

    def at_least(self, variable: str, low: float, name: str, sprite: Sprite) -> Picture:
        """A sprite for a variable's values of at least ``low``. The other arguments are the same as for :meth:`within`."""
        return self.within(variable, low, math.inf, name, sprite)

    def label(self, variable: str, label: str, name: str, sprite: Sprite) -> Picture:
        """A sprite for one value of a category, identified by its label. The other arguments are the same as for :meth:`within`."""
        return self._look(name, {"type": "label", "variable": variable, "label": str(label)}, sprite)

    def names(self, names: Sequence[str], name: str, sprite: Sprite) -> Picture:
        """A sprite for tiles whose observed names begin with ``names``, such as ``["pen", "weak"]``, or ``["pen"]`` for any status. The
        other arguments are the same as for :meth:`within`."""
        return self._look(name, {"type": "names", "names": [str(one) for one in names]}, sprite)

    def otherwise(self, name: str, sprite: Sprite) -> Picture:
        """A sprite for all cases in which no earlier look applies. The arguments are the same as for :meth:`within`."""
        return self._look(name, {"type": "always"}, sprite)

    def _look(self, name: str, when: dict[str, Any], sprite: Sprite) -> Picture:
        return replace(self, looks=(*self.looks, (name, when, sprite)))

    def value(self, variable: str) -> Picture:
        """Writes a variable's value next to the sprite, in the strip."""
        return replace(self, values=(*self.values, variable))

    def heat(self, variable: str, low: float, high: float) -> Picture:
        """Uses colours instead of sprites for large fields, from dark at the low value to light at the high value. The variable must have
        one value per plot; a category has one colour per name."""
        if not (math.isfinite(low) and math.isfinite(high) and low <= high):
            raise ValueError(
                f"the picture `{self.title}`: its colours go from {low} to {high}: two finite numbers with low ≤ high are needed"
            )
        return replace(self, colors=(variable, float(low), float(high)))

    def entries(self, entries: Iterable[int]) -> Picture:
        """Shows only the things with these indices."""
        return replace(self, only=tuple(int(entry) for entry in entries))

    def sees(self, edge: int, variables: Mapping[str, tuple[str, str]]) -> Picture:
        """Limits the view of a farmer with a position to a window of ``edge`` × ``edge`` plots around it.

        Args:
            edge: Edge length of the window in plots. It must be odd, because the position is in the middle.
            variables: The contents of the window. Each key is one of this part's computed variables, with the shape ``(edge, edge)``, row
                by row from north to south. Its value names the part and the per-plot variable to show, such as
                ``{"view.stage": ("Plant-0", "stage")}``.
        """
        seen = tuple((name, part, variable) for name, (part, variable) in variables.items())
        return replace(self, window=(int(edge), seen))

    def grows_with(self, variable: str, low: float, high: float) -> Picture:
        """Changes the size and colour of sprites with a per-plot variable. An SVG group with the attribute ``data-grows="variable"`` is
        scaled about its own origin: 35 % at the value ``low``, 100 % from ``high`` upwards. A shape with
        ``data-tint="variable" data-low="#f6e8c8" data-high="#b08058"`` gets a colour between the two. A sprite can depend on at most two
        variables.
        """
        if not (math.isfinite(low) and math.isfinite(high) and low < high):
            raise ValueError(
                f"the picture `{self.title}`: its sprites grow from {low} to {high}: two finite numbers with low < high are needed"
            )
        return replace(self, growths=(*self.growths, (variable, float(low), float(high))))

    def over_season(self, title: str, variable: str, kind: Literal["level", "daily", "total"], color: tuple[int, int, int]) -> Picture:
        """Adds a line to the season chart below the farm picture; parts that use the same title share a line.

        Args:
            title: Its subject and unit: ``"height (cm)"``.
            variable: The variable. For a per-plot variable, the line is the mean, or the sum if the kind is ``"total"``.
            kind: ``"level"`` for a current amount, ``"daily"`` for a day's amount, ``"total"`` for the amount so far.
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
        """All variables named in the picture."""
        at = [self.place["at"]] if "at" in self.place else []
        looks = [when["variable"] for _, when, _ in self.looks if "variable" in when]
        grown = [variable for variable, _, _ in self.growths]
        shown = [variable for _, variable, _, _ in self.series]
        return (*at, *looks, *self.values, *([self.colors[0]] if self.colors else []), *grown, *shown)


def note(picture: Picture, part: type) -> dict[str, Any]:
    """A picture in the format that the engine expects, with the contents of its sprite files.

    Raises:
        ValueError: A file is missing or can't be read.
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
    """A sprite in the format that the engine expects, with the contents of its file.

    Raises:
        ValueError: A file is missing or can't be read.
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
        raise ValueError(f"the {what} of `{import_path(part)}`: there is no sprite {path!r} in {where}")
    try:
        text = found.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"the {what} of `{import_path(part)}`: the sprite {found} can't be read: {error}") from None
    return {"type": "svg", "text": text, "from": str(found)}


def _folders(part: type) -> list[Path]:
    """The folders of the modules that define a class and its base classes: each has its sprites next to its code."""
    modules = (sys.modules.get(one.__module__) for one in part.__mro__ if one is not object)
    files = (getattr(module, "__file__", None) for module in modules)
    folders = [Path(file).resolve().parent for file in files if file]
    own = Path(__file__).resolve().parent
    return [folder for folder in dict.fromkeys(folders) if folder != own]
