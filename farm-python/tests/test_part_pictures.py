"""Pictures that parts written in Python declare."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import farm_gym
from farm_gym import Picture, Tile

#: Sprites of one colour each, which is found again in the picture.
COLORS = {"few": (255, 0, 254), "many": (1, 255, 255), "awake": (254, 1, 0), "strip": (2, 0, 255), "third": (120, 255, 3)}


def svg(color: tuple[int, int, int]) -> str:
    """A sprite that fills its plot."""
    red, green, blue = color
    shape = f'<rect width="64" height="64" fill="rgb({red},{green},{blue})"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">{shape}</svg>'


class Plain(farm_gym.Entity):
    """Snails without pictures of their own."""

    def declare(self, declarations: farm_gym.Declarations) -> None:
        declarations.count("population#nb", 0, 1000, "Snails in the plot.", per_plot=True)
        declarations.category("mood", ["asleep", "awake"], "Whether they sleep.")
        declarations.real("place", 0.0, 9.0, "Where the oldest is.", shape=(2,))
        declarations.action("feed", "Feeds the snails of a plot.", [declarations.plot()])

    def act(self, action: str, arguments: dict[str, Any], context: farm_gym.parts.Context) -> None:
        context["population#nb"][arguments["plot"]] += 6
        context["mood"][...] = 1


class Snails(Plain):
    """The same with a picture of each kind."""

    def declare(self, declarations: farm_gym.Declarations) -> None:
        super().declare(declarations)
        declarations.picture(
            Picture.on_plots("snails", 40)
            .within("population#nb", 1, 9, "few", svg(COLORS["few"]))
            .at_least("population#nb", 10, "many", svg(COLORS["many"]))
            .heat("population#nb", 0, 20)
        )
        declarations.picture(
            Picture.in_strip("Snails")
            .label("mood", "awake", "awake", svg(COLORS["awake"]))
            .otherwise("asleep", svg(COLORS["strip"]))
            .value("mood")
        )
        declarations.picture(Picture.at_position("oldest snail", 60, "place").within("place", 0, 0, "", None).otherwise("", Tile("Old")))


def make(part: type, length: int = 2, **arguments: Any) -> farm_gym.FarmEnv:
    changes = {
        "fields.Field-0.entities": [{"Weather": "montpellier"}, {"python": part}],
        "fields.Field-0.shape": {"length#nb": length, "width#nb": 2},
        "rules.BasicRule.initial_conditions": {},
        "rules.BasicRule.stopping_conditions": [],
        "rules.BasicRule.free_observations": [["Field-0", f"{part.__name__}-0", "population#nb"]],
        "rules.BasicRule.actions": {"Field-0": {f"{part.__name__}-0": {"feed": {"plot": "*"}}}},
        "score": {"EventScore": {}},
        "policies": {},
    }
    return farm_gym.make("clay_bean-v0", set=changes, render_mode="rgb_array", **arguments)


def count(picture: npt.NDArray[np.uint8], color: str) -> int:
    return int((picture == np.array(COLORS[color], np.uint8)).all(axis=2).sum())


def feed(env: farm_gym.FarmEnv, plot: tuple[int, int]) -> npt.NDArray[np.uint8]:
    """The picture after the snails of a plot were fed."""
    *_, info = env.step(env.parse_action(f"feed(plot={plot})"))
    assert info["rejected"] == []
    return env.picture()


def fed_and_not(part: type, length: int, plot: tuple[int, int]) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.uint8]]:
    """Where, below the head and the strip, the picture of a fed farm differs from that of one that was not; and the picture."""
    pictures = []
    for feeds in (True, False):
        env = make(part, length)
        env.reset(seed=0)
        pictures.append(feed(env, plot) if feeds else (env.farmgym_step([]), env.picture())[1])
    different = (pictures[0] != pictures[1]).any(axis=2)
    different[:FIELD_BEGINS] = False
    return np.argwhere(different), pictures[0]


#: Pixels of the head and of the strip with weather and snails.
FIELD_BEGINS = 166
#: Pixels beside the field.
MARGIN = 12


def test_sprites_stand_where_the_values_say() -> None:
    env = make(Snails)
    env.reset(seed=0)
    start = env.picture()
    fed, twice = feed(env, (1, 0)), feed(env, (1, 0))
    # There is no legend: what is nowhere is not shown.
    assert count(start, "few") == count(start, "many") == 0
    plot = count(fed, "few")
    assert plot > 2000 and count(fed, "many") == 0
    assert count(twice, "few") == 0 and count(twice, "many") == plot
    assert count(start, "strip") > count(fed, "strip") and count(fed, "awake") > count(start, "awake")
    corners = [np.argwhere((picture == COLORS[color]).all(axis=2)) for picture, color in ((fed, "few"), (twice, "many"))]
    assert np.array_equal(*(np.median(corner, axis=0) for corner in corners)), "the same plot"


def test_without_pictures_a_part_has_a_tag_with_its_letters() -> None:
    where, fed = fed_and_not(Plain, 2, (1, 0))
    assert len(where) > 100, "the tag"
    height, width = np.ptp(where, axis=0) + 1
    edge = (fed.shape[1] - 2 * MARGIN) // 2
    assert height <= edge and width <= edge, "on one plot"
    assert MARGIN + edge <= where[:, 1].min() < MARGIN + 2 * edge, "the right one of the two columns: x is 1"
    assert all(count(fed, color) == 0 for color in COLORS)


def test_large_fields_have_the_colours_that_were_declared() -> None:
    env = make(Snails, 60)
    env.reset(seed=0)
    # There is a map where plots differ: one is fed before.
    pictures = [feed(env, plot) for plot in ((10, 0), (30, 1))]
    different = (pictures[0] != pictures[1]).any(axis=2)
    different[:FIELD_BEGINS] = False
    assert 0 < different.sum() < 200, "one small rectangle of the heat map"
    assert all(count(pictures[1], color) == 0 for color in ("few", "many")), "no sprites"


class Growing(Plain):
    """Snails that are drawn the larger the more there are, whose feeding is marked and whose number is charted."""

    def declare(self, declarations: farm_gym.Declarations) -> None:
        declarations.count("population#nb", 0, 1000, "Snails in the plot.", per_plot=True)
        declarations.category("mood", ["asleep", "awake"], "Whether they sleep.")
        declarations.action("feed", "Feeds the snails of a plot.", [declarations.plot()], done="fed", badge=svg(COLORS["third"]))
        group = '<g data-grows="population#nb"><rect width="60" height="60" fill="rgb(255,0,254)"/></g>'
        sprite = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">{group}</svg>'
        declarations.picture(
            Picture.on_plots("snails", 40)
            .at_least("population#nb", 1, "few", sprite)
            .grows_with("population#nb", 0, 24)
            .over_season("snails", "population#nb", "level", (250, 0, 120))
        )


def test_sprites_grow_and_actions_are_marked_as_those_of_parts_in_rust() -> None:
    env = make(Growing, render_options={"season": True})
    env.reset(seed=0)
    assert count(env.picture(), "few") == 0
    pictures = [feed(env, (1, 0)) for _ in range(4)]
    areas = [count(picture, "few") for picture in pictures]
    # The edge goes from 35 percent for none to all of it for 24. The badge covers some of it; without it is the last.
    env.farmgym_step([])
    plain = env.picture()
    assert areas == sorted(areas) and areas[0] > 100
    assert all(count(picture, "third") > 100 for picture in pictures) and count(plain, "third") == 0
    whole, edge = count(plain, "few"), (plain.shape[1] - 24) // 2
    assert abs(whole / (edge * 60 / 64) ** 2 - 1) < 0.05
    assert (plain == np.array((250, 0, 120), np.uint8)).all(axis=2).sum() > 5, "the line of the chart"


def test_what_pictures_of_parts_can_not_be_is_refused() -> None:
    picture = Picture.on_plots("snails", 40)
    with pytest.raises(ValueError, match="low < high"):
        picture.grows_with("population#nb", 3, 3)
    with pytest.raises(ValueError, match="level, daily, total"):
        picture.over_season("snails", "population#nb", "weekly", (0, 0, 0))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="is not a colour"):
        picture.over_season("snails", "population#nb", "level", (0, 0, 300))

    class Marked(Plain):
        """Its badge marks something that is not said."""

        def declare(self, declarations: farm_gym.Declarations) -> None:
            declarations.action("feed", "Feeds the snails of a plot.", badge=svg(COLORS["third"]))

    class Whole(Plain):
        """It grows with a variable that has one value for the farm."""

        def declare(self, declarations: farm_gym.Declarations) -> None:
            super().declare(declarations)
            declarations.picture(picture.otherwise("", svg(COLORS["few"])).grows_with("mood", 0, 1))

    for part, said in [(Marked, "has a badge and no `done`"), (Whole, "no value for each plot")]:
        with pytest.raises(farm_gym.FarmError, match=said):
            make(part)


MODULE = """
import farm_gym
from farm_gym import Picture

class Slugs(farm_gym.Entity):
    def declare(self, declarations):
        declarations.count("population#nb", 0, 1000, "Slugs in the plot.", per_plot=True, default=3)
        declarations.category("mood", ["asleep", "awake"], "Whether they sleep.")
        declarations.flag("wet", "Whether it rains.", computed=True)
        declarations.picture({picture})

    def observe(self, variable, context):
        return 0
"""

GAME = """\
name: slugs
fields:
  Field-0:
    entities:
      - Weather: montpellier
      - python: {module}:Slugs
farmers: [BasicFarmer]
rules: {{BasicRule: {{max_steps: 9}}}}
score: EventScore
"""


def write(folder: Path, module: str, picture: str) -> Path:
    (folder / f"{module}.py").write_text(MODULE.format(picture=picture), encoding="utf-8")
    (folder / "slugs.yaml").write_text(textwrap.dedent(GAME.format(module=module)), encoding="utf-8")
    return folder / "slugs.yaml"


def test_a_file_of_a_sprite_stands_beside_the_module(tmp_path: Path) -> None:
    (tmp_path / "sprites").mkdir()
    (tmp_path / "sprites" / "slug.svg").write_text(svg(COLORS["third"]), encoding="utf-8")
    game = write(tmp_path, "slugs_with_file", 'Picture.on_plots("slugs", 40).at_least("population#nb", 1, "slugs", "sprites/slug.svg")')
    env = farm_gym.make(game, allow_plugins=True)
    env.reset(seed=0)
    assert count(env.picture(), "third") > 2000
    assert count(env.picture(view="learner"), "third") < 1000, "the learner is shown nothing of it, but the legend"


@pytest.mark.parametrize(
    ("picture", "said"),
    [
        (
            'Picture.on_plots("slugs", 40).otherwise("slugs", "slug.svg")',
            ["the picture `slugs` of `{module}:Slugs`: there is no sprite 'slug.svg' in {folder}"],
        ),
        (
            'Picture.on_plots("slugs", 40).otherwise("slugs", "{module}.py")',
            ["the sprite `slugs` of the picture `slugs` of `Field-0.Slugs-0` is not an SVG", "{folder}/{module}.py: "],
        ),
        (
            'Picture.on_plots("slugs", 40).otherwise("slugs", "<svg>")',
            ["is not an SVG that can be drawn", "the text in `{module}:Slugs`: "],
        ),
        (
            'Picture.on_plots("slugs", 40).at_least("populaton#nb", 1, "slugs", None)',
            ["`{module}:Slugs` shows 'populaton#nb', which is not declared before it", "population#nb, mood"],
        ),
        ('Picture.on_plots("slugs", 40).at_least("wet", 1, "wet", None)', ["shows 'wet'", "declared and kept are"]),
        ('Picture.on_plots("slugs", 40).at_least("mood", 1, "awake", None)', ["'mood' has no value for each plot"]),
        ('Picture.in_strip("slugs").label("mood", "angry", "", None)', ["'mood' has no value 'angry': asleep, awake"]),
        ('Picture.in_strip("slugs").label("population#nb", "1", "", None)', ["'population#nb' has no value '1': it has no names"]),
        ('Picture.in_strip("slugs").within("mood", 2, 1, "", None)', ["`mood` goes from 2 to 1"]),
        ('Picture.in_strip("slugs").heat("population#nb", 0, float("inf"))', ["its colours go from 0 to inf"]),
        ('Picture.in_strip("slugs").otherwise("", b"<svg/>")', ["TypeError"]),
    ],
)
def test_a_picture_that_cannot_be_drawn_is_told_with_class_and_file(
    tmp_path: Path, request: pytest.FixtureRequest, picture: str, said: list[str]
) -> None:
    module = f"slugs_{abs(hash(request.node.name))}"
    game = write(tmp_path, module, picture.format(module=module))
    with pytest.raises(farm_gym.ConfigError) as raised:
        farm_gym.make(game, allow_plugins=True)
    message = str(raised.value)
    assert "slugs.yaml:6" in message, message
    for part in said:
        assert part.format(module=module, folder=tmp_path) in message, message


def test_pictures_do_not_change_what_happens() -> None:
    states = []
    for part in (Snails, Plain):
        env = make(part)
        env.reset(seed=5)
        for _ in range(5):
            if part is Snails:
                env.picture()
            env.farmgym_step([])
        states.append(list(env.state().values()))
    assert all(np.array_equal(a, b) for a, b in zip(*states, strict=True))
