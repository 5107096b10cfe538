"""Studies and tunings whose seasons somebody else plays, and what is kept of them. `learners/test_cluster.py` has a cluster play them."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

from farm_gym import _native
from farm_gym.cluster.files import collect, unpack
from farm_gym.cluster.kept import KeptBlocks
from farm_gym.errors import ConfigError

TUNING = """
- HarvestPolicy: when_ripe
- WaterPolicy: {amount#L: {tune: [1000, 4000], value: 1000, step: 1000}, below#L: 21000}
"""


def command(words: list[str], elsewhere: object = None) -> int:
    return _native.command(words, is_short=False, elsewhere=elsewhere)  # type: ignore[arg-type]


def words_of(name: str, folder: Path) -> list[str]:
    policy = folder / "policy.yaml"
    policy.write_text(TUNING, encoding="utf-8")
    tune = ["tune", "clay_bean", "--policy", str(policy), "--budget", "120", "--episodes", "5", "--held-out", "30"]
    return {"study": ["study", "season", "--seeds", "30"], "tune": tune}[name]


@pytest.mark.parametrize("name", ["study", "tune"])
def test_what_is_played_elsewhere_is_the_same_to_the_last_bit(name: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    words = [*words_of(name, tmp_path), "--json"]
    assert command(words) == 0
    here = capfd.readouterr().out
    player, asked = _native.BlockPlayer(words, is_short=False), []

    def elsewhere(blocks: list[str]) -> list[bytes]:
        asked.append(len(blocks))
        played = {block: player.play(block) for block in reversed(blocks)}
        return [played[block] for block in blocks]

    assert command(words, elsewhere) == 0
    assert capfd.readouterr().out == here
    assert sum(asked) > 1 and (len(asked) == 1) == (name == "study")


def test_what_goes_wrong_elsewhere_is_told_or_comes_out(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    def refuses(blocks: list[str]) -> list[bytes]:
        raise ConfigError("error: nobody is there")

    def breaks(blocks: list[str]) -> list[bytes]:
        raise LookupError("a defect")

    for name in ("study", "tune"):
        words = words_of(name, tmp_path)
        assert command(words, refuses) == 1
        assert capfd.readouterr().err == "error: nobody is there\n"
        with pytest.raises(LookupError, match="a defect"):
            command(words, breaks)
        for played, said in (
            ([], "received the results of 0 blocks"),
            ([b"1234567"], "7 bytes came back"),
            ([b""] * 999, "blocks, expected"),
        ):
            assert command(words, lambda blocks, played=played: played) == 1
            assert said in capfd.readouterr().err
        assert command(words, lambda blocks: [b"12345678"] * len(blocks)) == 1
        assert "received 1 numbers for block 0, expected" in capfd.readouterr().err


def test_a_player_says_what_the_command_would_say() -> None:
    with pytest.raises(ConfigError, match="unexpected argument '--sedes'"):
        _native.BlockPlayer(["study", "--sedes"], is_short=False)
    for words, said in (
        (["study", "nitrgen"], "error.unknown-study"),
        (["study", "nitrogen"], "error.other-block"),
        (["list"], "only `study` and `tune`"),
    ):
        with pytest.raises(ConfigError, match=said):
            _native.BlockPlayer(words, is_short=False).play("{}")


def test_what_is_kept_is_told_if_it_is_damaged_or_in_use(tmp_path: Path) -> None:
    first = KeptBlocks(tmp_path)
    first.add([("one", b"12345678"), ("two", b"")])
    first.add([("three", b"abcdefgh" * 25)])
    with pytest.raises(ConfigError, match="in use by another command"):
        KeptBlocks(tmp_path)
    first.close()
    second = KeptBlocks(tmp_path)
    assert [second.find(block) for block in ("one", "two", "three", "four")] == [b"12345678", b"", b"abcdefgh" * 25, None]
    second.close()
    path = tmp_path / "blocks.txt"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:2], lines[2].replace(lines[2][:4], b"0000"), *lines[3:]]))
    with pytest.raises(ConfigError, match=re.escape(f"{path}:3: this line is damaged")):
        KeptBlocks(tmp_path)
    # The remedy that it names.
    path.write_bytes(b"".join([*lines[:2], *lines[3:]]))
    third = KeptBlocks(tmp_path)
    assert third.find("two") is None and third.find("three") == b"abcdefgh" * 25
    third.close()
    path.write_text("name: something else\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="this is not a file of stored blocks"):
        KeptBlocks(tmp_path)
    assert path.read_text(encoding="utf-8") == "name: something else\n"


def test_files_of_ones_own_travel_with_their_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names = [
        "mine/study.yaml",
        "mine/parts/beans.yml",
        "mine/rain.csv",
        "mine/notes.txt",
        "mine/.git/a.yaml",
        "other/game.yaml",
        "policy.yaml",
    ]
    for name in names:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(name, encoding="utf-8")
    assert collect(["study", "nitrogen", "--policy", "policy.yaml"]) == {}
    files = collect(["study", "./mine/study.yaml", "--policy", "policy.yaml"])
    assert sorted(files) == ["mine/parts/beans.yml", "mine/rain.csv", "mine/study.yaml"]
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    folder = unpack(files)
    (folder / "mine" / "rain.csv").unlink()
    assert unpack(files) == folder
    assert {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()} == files
    for outside in ("../mine/study.yaml", str(tmp_path / "mine" / "study.yaml")):
        monkeypatch.chdir(tmp_path / "other")
        with pytest.raises(ConfigError, match=re.escape(outside)):
            collect(["study", outside])
    monkeypatch.chdir(tmp_path / "mine")
    monkeypatch.setattr("farm_gym.cluster.files.MOST_BYTES", 10)
    with pytest.raises(ConfigError, match="in its own folder"):
        collect(["study", "study.yaml"])


@pytest.mark.skipif(importlib.util.find_spec("ray") is not None, reason="Ray is installed")
def test_without_ray_it_says_how_to_install_it(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "farm_gym.cluster", "study", "nitrogen"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1 and 'pip install "farm-gym[cluster]"' in done.stderr and "Traceback" not in done.stderr
