"""Reports: what a page says of episodes, whoever played them, and that nothing is lost when it can't be written."""

from __future__ import annotations

import copy
import html
import json
import os
import pickle
import re
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

import farm_gym
from farm_gym.wrappers import FlatDiscreteActions, FlatObservations

#: The program `farm`, as `cargo xtask test` has built it from these sources.
FARM = os.environ.get("FARM_GYM_COMMAND")


class Page(HTMLParser):
    """What a page says: its headline, its tables by section, the numbers of its charts."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.text = path.read_text(encoding="utf-8")
        #: Rows of cells of all tables of a section.
        self.tables: dict[str, list[list[str]]] = {}
        self.cards: dict[str, str] = {}
        self.codes: list[str] = []
        self._section = self._tag = self._card = ""
        self.feed(self.text)
        start = self.text.index('id="data">') + len('id="data">')
        self.data = json.loads(self.text[start : self.text.index("</script>", start)])

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._tag = tag
        if tag == "section":
            self._section = dict(attrs)["id"] or ""
        elif tag == "tr":
            self.tables.setdefault(self._section, []).append([])
        elif tag in ("td", "th"):
            self.tables[self._section][-1].append("")
        elif tag == "code":
            self.codes.append("")

    def handle_data(self, data: str) -> None:
        if self._tag in ("td", "th"):
            self.tables[self._section][-1][-1] += data
        elif self._tag == "code":
            self.codes[-1] += data
        elif self._tag == "dt":
            self._card = data
        elif self._tag == "dd" and self._card:
            self.cards[self._card] = self.cards.get(self._card, "") + data

    def handle_endtag(self, tag: str) -> None:
        self._tag = ""

    def series(self, name: str) -> list[float]:
        """The values of the first chart whose series has this name."""
        return next(series["v"] for series in self.data["series"] if series["n"] == name)

    @property
    def episodes(self) -> list[dict[str, str]]:
        head, *rows = self.tables["episodes"]
        return [dict(zip(head, row, strict=True)) for row in rows]

    @property
    def actions(self) -> list[dict[str, str]]:
        head, *rows = self.tables.get("actions", [[]])
        return [dict(zip(head, row, strict=True)) for row in rows if len(row) == len(head)]


def number(text: str) -> float:
    return float(text.replace("−", "-"))


def learner(env: farm_gym.FarmEnv, seed: int, steps: int = 10_000) -> tuple[list[float], list[dict[str, Any]]]:
    """An episode of choices that no policy of a game makes: rewards, and infos with the day besides."""
    rng = np.random.default_rng(seed)
    _, info = env.reset(seed=seed)
    rewards, infos = [], []
    while len(rewards) < steps:
        mask = np.flatnonzero(info["action_mask"])
        # Every fifth choice is one that is refused, if there is any such.
        refused = np.flatnonzero(info["action_mask"] == 0)
        from_these = refused if len(rewards) % 5 == 4 and refused.size else mask
        _, reward, terminated, truncated, info = env.step(int(rng.choice(from_these)))
        rewards.append(float(reward))
        infos.append({**info, "day": env.native.steps})
        if terminated or truncated:
            break
    return rewards, infos


@pytest.mark.parametrize("game", ["clay_bean-v0", "backwards_valley", "walking_farmer-v0"])
def test_a_page_tells_what_a_learner_of_ones_own_did(tmp_path: Path, game: str) -> None:
    env = farm_gym.make(game, actions="discrete", set={"rules.BasicRule.max_steps": 25})
    with farm_gym.Report(env, tmp_path / "page.html", policy="a <learner>") as report:
        played = [learner(env, seed) for seed in (7, 8)]
        state = env.native.state_hash()
        assert not report.path.exists(), "it is written at the end"
    returns = [sum(rewards) for rewards, _ in played]
    assert report.returns == pytest.approx(returns)
    page = Page(report.path)
    rewards, infos = played[0]
    assert (page.cards["policy"], page.cards["seed"]) == ("a <learner>", "7")
    assert number(page.cards["return"]) == pytest.approx(returns[0], rel=1e-3)
    # With the date, where the game has a calendar.
    assert page.cards["ended because"].startswith(infos[-1]["stop"])
    # A point for each day, after the step with which it passed.
    days = [0, *(info["day"] for info in infos)]
    passed = [total for total, before, day in zip(np.cumsum(rewards), days, days[1:], strict=False) if day > before]
    # What is earned for the episode as a whole is told beside the charts.
    passed[-1] -= number(page.cards.get("of which at the end", "0"))
    assert page.series("return so far") == pytest.approx([0.0, *passed], rel=1e-4, abs=1e-4)
    assert [(one["seed"], one["steps"], one["why it ended"]) for one in page.episodes] == [
        (str(seed), str(len(rewards)), infos[-1]["stop"]) for seed, (rewards, infos) in zip((7, 8), played, strict=True)
    ]
    assert [number(one["return"]) for one in page.episodes] == pytest.approx(returns, rel=1e-3)
    assert page.episodes[1]["hash of the last state"] == f"{state:016x}"
    # What was refused, and what it cost.
    refused = sum(len(info["rejected"]) for info in infos)
    assert sum(int(row["rejected"]) for row in page.actions) == refused
    assert (refused > 0) == (game == "walking_farmer-v0"), "of the others every action is executed at any time"
    costs = sum(info["intervention cost"] + info["observation cost"] for info in infos)
    assert sum(number(row["cost"]) for row in page.actions) == pytest.approx(costs, rel=1e-3)
    assert page.text.count("data:image/png;base64,") >= 10
    assert not re.findall(r"(?:src|href)=\"(?!#|data:)", page.text), "it refers to nothing outside"


def test_every_action_of_the_learner_stands_on_the_page(tmp_path: Path) -> None:
    env = farm_gym.make("clay_bean-v0", actions="discrete")
    names = env.action_names
    chosen = [0, 1, 2, 1, 0, names.index(next(name for name in names if "micro" in name)), 3, 1]
    report = farm_gym.generate_report(env, chosen, tmp_path / "page.html", seed=2)
    done = [call for one in chosen for call in env.game.discrete_to_farm(one)]
    page = Page(report.path)
    # The paper's names of the actions against the labels of the page.
    expected: dict[str, int] = {}
    for _, _, entity, name, *_ in done:
        expected[f"{entity} {name}"] = expected.get(f"{entity} {name}", 0) + 1
    times = {row["action"].removeprefix("observe "): int(row["times"]) + int(row["rejected"]) for row in page.actions}
    assert len(expected) > 1 and sum(times.values()) == len(done)
    labels = {"Soil-0 water_discrete": "Irrigate", "Plant-0 micro_harvest": "Harvest one plot", "Plant-0 harvest": "Harvest all plots"}
    assert times == {labels[name]: count for name, count in expected.items()}
    assert page.cards["policy"] == "given actions" and page.cards["ended because"].startswith("it was not played to its end")


def test_what_is_no_action_stands_on_the_page_with_its_reason(tmp_path: Path) -> None:
    env = farm_gym.make("clay_bean-v0")
    with farm_gym.Report(env, tmp_path / "page.html") as report:
        env.reset(seed=0)
        env.farmgym_step([])
        *_, info = env.farmgym_step([("BasicFarmer-0", "Field-0", "Soil-0", "water_<everything>", {}), "dance"])
    said = [rejected["reason"] for rejected in info["rejected"]]
    assert len(said) == 2
    head, *rows = Page(report.path).tables["actions"]
    assert head == ["step", "request", "why it is not an action"]
    assert [row[0] for row in rows] == ["2", "2"] and [row[2] for row in rows] == said
    assert "water_<everything>" in rows[0][1] and "dance" in rows[1][1]


@pytest.mark.skipif(not FARM, reason="without FARM_GYM_COMMAND, which `cargo xtask test` sets")
@pytest.mark.parametrize(
    ("game", "policy", "arguments", "words"),
    [
        ("clay_bean-v0", "expert", {"preset": "4x3"}, ["--preset", "4x3"]),
        ("full_farm-v0", "random", {"set": {"rules.BasicRule.max_steps": 40}}, ["--set", "rules.BasicRule.max_steps=40"]),
        ("backwards_valley", "random", {"level": "test/01"}, ["--level", "test/01"]),
    ],
)
def test_the_page_is_the_one_of_the_command(tmp_path: Path, game: str, policy: str, arguments: dict[str, Any], words: list[str]) -> None:
    farm_gym.generate_report(game, policy, tmp_path / "python.html", seed=5, episodes=3, **arguments)
    command = [FARM or "", "run", game, "--policy", policy, "--seed", "5", "--episodes", "3", *words]
    subprocess.run([*command, "--report", str(tmp_path / "command.html")], check=True, capture_output=True)
    pages = ((tmp_path / name).read_text(encoding="utf-8") for name in ("python.html", "command.html"))
    # By elements.
    ours, theirs = (page.split(">") for page in pages)
    assert len(ours) == len(theirs) > 100
    different = [(a, b) for a, b in zip(ours, theirs, strict=True) if a != b]
    # What to type, and the name of the program: above, and at the foot of the page.
    assert len(different) == 3
    assert all(("farm run" in b or "farm 0" in b) and "farm_gym" in a for a, b in different), different


def test_the_command_of_a_page_writes_it_again(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    changes = {"rules.BasicRule.max_steps": 20, "fields.Field-0.shape.length#nb": 2}
    farm_gym.generate_report("clay_bean-v0", "random", path, seed=3, episodes=2, max_steps=9, set=changes)
    before = path.read_text(encoding="utf-8")
    path.unlink()
    eval(code_of(before), {"farm_gym": farm_gym})
    assert path.read_text(encoding="utf-8") == before


def code_of(text: str) -> str:
    found = re.search(r"<pre><code>(.*?)</code></pre>", text, re.DOTALL)
    assert found
    return html.unescape(found.group(1))


def test_the_beginning_that_a_page_names_is_that_of_its_episode(tmp_path: Path) -> None:
    env = farm_gym.make("backwards_valley", rules={"BasicRule": {"max_steps": 30}})
    with farm_gym.Report(env, tmp_path / "page.html") as report:
        # A level of the episode alone.
        env.reset(seed=6, options={"level": "test/01"})
        start = env.native.state_hash()
        env.step(1)
    page = Page(report.path)
    assert "policy" not in page.cards and "To begin it again" in page.text
    module: dict[str, Any] = {"farm_gym": farm_gym}
    exec(code_of(page.text), module)
    assert module["env"].native.state_hash() == start and module["env"].action_space == env.action_space


def test_who_evaluates_and_what_wraps_does_not_matter(tmp_path: Path) -> None:
    env = FlatDiscreteActions(FlatObservations(gymnasium.make("farm_gym/Farm0-v2")))
    scaled = gymnasium.wrappers.TransformReward(env, lambda reward: reward * 100 + 1)
    seen, earned = [], []

    def policy(observation: Any, info: dict[str, Any]) -> int:
        seen.append(scaled.observation_space.contains(observation))
        return len(seen) % 3

    with farm_gym.Report(scaled, tmp_path / "a.html", policy="mine") as outer:
        # Another report of the same environment sees the same.
        inner = farm_gym.generate_report(scaled, policy, tmp_path / "b.html", seed=1, episodes=2)
        scaled.reset(seed=0)
    farm = farm_gym.make("farm0", actions="discrete")
    count = 0
    for seed in (1, 2):
        farm.reset(seed=seed)
        total, over = 0.0, False
        while not over:
            count += 1
            _, reward, terminated, truncated, _ = farm.step(count % 3)
            total, over = total + reward, terminated or truncated
        earned.append(total)
    assert inner.episode_returns == outer.returns == pytest.approx(earned), "rewards of the game itself"
    assert all(seen) and len(seen) == count
    assert Page(inner.path).cards["policy"] == "policy"
    assert len(Page(outer.path).episodes) == 2, "an episode without a step is none"


def test_a_report_does_not_change_what_is_played_nor_sees_what_others_play(tmp_path: Path) -> None:
    env, alone = (farm_gym.make("clay_bean-v0", actions="discrete") for _ in range(2))
    with farm_gym.Report(env, tmp_path / "page.html") as report:
        rewards, _ = learner(env, 3, steps=20)
        for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
            other.step(0)
            learner(other, 9, steps=5)
    assert rewards == learner(alone, 3, steps=20)[0] and env.native.state_hash() == alone.native.state_hash()
    assert report.returns == pytest.approx([sum(rewards)])
    learner(env, 4, steps=5)
    assert len(report.returns) == 1, "it has ended with its block"


def test_states_that_play_goes_on_from_begin_episodes_of_their_own(tmp_path: Path) -> None:
    env = farm_gym.make("clay_bean-v0", actions="discrete")
    rewards, _ = learner(env, 1, steps=30)
    saved = env.snapshot()
    with farm_gym.Report(env, tmp_path / "page.html") as report:
        first = [env.step(0)[1] for _ in range(4)]
        env.restore(saved)
        second = [env.step(1)[1]]
        # One that has begun and was not stepped since counts from its start.
        env.reset(seed=5)
        with farm_gym.Report(env, tmp_path / "begun.html") as begun:
            third = [env.step(0)[1]]
    assert report.returns == pytest.approx([sum(first), sum(second), sum(third)])
    page = Page(report.path)
    assert (page.data["first"], page.data["n"]) == (30, 5)
    assert "it again with" not in page.text, "no seed leads there"
    assert [one["why it ended"] for one in page.episodes] == ["it was not played to its end"] * 3
    assert "reset(seed=5)" in Page(begun.path).codes[0]


def test_days_of_two_steps_and_days_of_several_are_told_as_days(tmp_path: Path) -> None:
    for options in ({"interaction_mode": "aomdp"}, {"set": {"rules.BasicRule.steps_per_day": 3}}):
        arguments: dict[str, Any] = {"actions": "multi_discrete", **options}
        env = farm_gym.make("clay_bean-v0", **arguments)
        with farm_gym.Report(env, tmp_path / "page.html") as report:
            env.reset(seed=0)
            rewards = [env.step(np.zeros(env.action_space.shape, np.int64))[1] for _ in range(12)]
        page = Page(report.path)
        assert page.episodes[0]["steps"] == "12" and page.cards["days"] == str(env.native.steps) != "12"
        assert page.series("return so far")[-1] == pytest.approx(sum(rewards), abs=1e-4)


def test_arguments_that_make_no_sense_are_refused_before_anything_is_played(tmp_path: Path) -> None:
    env = farm_gym.make("clay_bean-v0")
    env.reset(seed=5)
    state = env.native.state_hash()
    for arguments, said in [
        ({"path": tmp_path / "a.pdf"}, "a.pdf: a report is an .html"),
        ({"path": tmp_path / "a"}, "a report is an .html"),
        ({"episodes": 0}, "at least 1"),
        ({"policy": "randon"}, "did you mean"),
        ({"policy": 3}, "is not a policy"),
        ({"preset": "4x3"}, "preset can't be changed"),
    ]:
        with pytest.raises(farm_gym.ConfigError, match=said):
            farm_gym.generate_report(env, **{"policy": "random", "path": tmp_path / "a.html", **arguments})
    for other, said in [
        (gymnasium.make("CartPole-v1"), "not an environment of a farm"),
        (farm_gym.make_vec("clay_bean-v0", 2, num_threads=1), "use one from `farm_gym.make`"),
        ("clay_bean-v0", "not an environment of a farm"),
    ]:
        with pytest.raises(farm_gym.ConfigError, match=said):
            farm_gym.Report(other, tmp_path / "a.html")  # type: ignore[arg-type]
    assert env.native.state_hash() == state and not list(tmp_path.iterdir())
    assert not env.observers, "what was refused sees nothing"


def test_a_path_that_cannot_be_written_is_told_before_anything_is_played(tmp_path: Path) -> None:
    played: list[int] = []
    (tmp_path / "folder.html").mkdir()
    for path in (tmp_path / "nowhere" / "page.html", tmp_path / "folder.html"):
        with pytest.raises(farm_gym.OutputError, match="can't be written") as raised:
            farm_gym.generate_report("clay_bean-v0", lambda *_: played.append(1), path)
        assert isinstance(raised.value, OSError) and isinstance(raised.value, farm_gym.FarmError)
        with pytest.raises(farm_gym.OutputError):
            farm_gym.Report(farm_gym.make("clay_bean-v0"), path)
    assert not played and len(list(tmp_path.iterdir())) == 1


def test_what_was_written_before_stays_if_anything_goes_wrong(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text("before")
    env = farm_gym.make("clay_bean-v0")
    with pytest.raises(farm_gym.ConfigError, match="no step was taken"), farm_gym.Report(env, path):
        env.reset(seed=0)
    with pytest.raises(ZeroDivisionError), farm_gym.Report(env, path) as report:
        env.reset(seed=0)
        env.farmgym_step([])
        raise ZeroDivisionError
    assert path.read_text() == "before" and list(tmp_path.iterdir()) == [path]
    # What was seen until then is not lost.
    assert report.save() == path and Page(path).cards["steps"] == "1"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no device that is always full")
def test_a_full_disk_is_told_and_the_report_can_be_saved_again() -> None:
    env = farm_gym.make("clay_bean-v0")
    report = farm_gym.Report(env, "/dev/full")
    env.reset(seed=0)
    env.farmgym_step([])
    for _ in range(2):
        with pytest.raises(farm_gym.OutputError, match="[Nn]o space.*/dev/full"):
            report.save()
    assert Path("/dev/full").is_char_device()


def test_another_game_of_a_later_episode_leaves_the_page_as_it_is(tmp_path: Path) -> None:
    env = farm_gym.make("backwards_valley")
    with farm_gym.Report(env, tmp_path / "page.html") as report:
        for options in ({"level": "test/01"}, {"level": "test/02"}):
            env.reset(seed=0, options=options)
            env.step(0)
    page = Page(report.path)
    assert len(page.episodes) == 2 and "test/01" in page.codes[0] and "test/02" not in page.text
