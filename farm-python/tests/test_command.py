"""The command line that the package brings along: the program `farm`, under its own name, with parts written in Python."""

from __future__ import annotations

import contextlib
import faulthandler
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from importlib import metadata
from pathlib import Path

import pytest

import farm_gym
from farm_gym.__main__ import main

PARTS = Path(__file__).parent / "parts"
SLUGS = str(PARTS / "slugs.yaml")
#: Game files may name classes and plugins.
ALLOWED = "--allow-plugins"
#: Seconds that anything may take that has to happen: the machine may have much else to do.
PATIENCE = 120


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "farm_gym", *words]


def ran(*words: str, cwd: Path | None = None, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(PARTS), **variables}
    return subprocess.run(command(*words), capture_output=True, text=True, env=environment, cwd=cwd, check=False, timeout=300)


def test_it_goes_by_the_name_of_the_package() -> None:
    version = metadata.version("farm-gym")
    assert ran("--version").stdout == f"farm-gym {version}\n"
    help_text = ran("--help").stdout
    assert "Usage: farm-gym [OPTIONS] <COMMAND>" in help_text and "\n  farm-gym list games  " in help_text
    assert "`farm " not in help_text and "`farm-gym list games`" in help_text
    assert "Usage: farm-gym run [OPTIONS]" in ran("run", "--help").stdout


@pytest.mark.parametrize("name", ["farm-gym", "farm"])
def test_both_names_are_installed(name: str) -> None:
    [script] = metadata.entry_points(group="console_scripts", name=name)
    assert script.value == "farm_gym.__main__:main"
    path = Path(sys.executable).with_name(name + (".exe" if os.name == "nt" else ""))
    assert path.exists(), f"{path}: install the package anew"
    done = subprocess.run([path, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith(f"{name} ")


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["list", "games"], 0),
        (["describe", "backwards_valley"], 0),
        (["run", "farm0-v0", "--episodes", "2", "--seed", "3", "--json"], 0),
        (["eval", "backwards_valley", "--episodes", "20", "--policy", "wait"], 0),
        (["run", "backwards_vally"], 1),
        (["check", "no_such_file.yaml"], 1),
        (["replay", "farm0-v0"], 1),
        (["sow"], 2),
        ([], 2),
    ],
)
def test_it_says_and_ends_as_the_program_does(words: list[str], code: int) -> None:
    ours = ran(*words)
    assert ours.returncode == code, ours.stderr
    assert (ours.stdout if code == 0 else ours.stdout + ours.stderr) and "Traceback" not in ours.stderr
    program = os.environ.get("FARM_GYM_COMMAND")
    if program and "--json" not in words and words[:1] not in (["run"], ["eval"]):
        theirs = subprocess.run([program, *words], capture_output=True, text=True, check=False)

        def unnamed(text: str) -> str:
            return text.replace("farm-gym", "farm")

        assert (unnamed(ours.stdout), unnamed(ours.stderr), ours.returncode) == (
            unnamed(theirs.stdout),
            unnamed(theirs.stderr),
            theirs.returncode,
        )


def test_games_with_parts_in_python_are_checked_played_compared_described_and_replayed(tmp_path: Path) -> None:
    checked = ran("check", SLUGS, ALLOWED)
    assert checked.returncode == 0 and "ok: " in checked.stdout, checked.stderr + checked.stdout
    described = ran("describe", SLUGS, ALLOWED)
    assert described.returncode == 0 and "Slugs" in described.stdout, described.stderr
    played = ran("run", SLUGS, ALLOWED, "--episodes", "2", "--json", "--out", str(tmp_path))
    assert played.returncode == 0, played.stderr
    assert json.loads(played.stdout)["episodes"] == 2
    evaluated = ran("eval", SLUGS, ALLOWED, "--episodes", "10", "--threads", "2")
    assert evaluated.returncode == 0, evaluated.stderr
    actions = tmp_path / "actions.txt"
    actions.write_text("[]\n[]\n[]\n", encoding="utf-8")
    replayed = ran("replay", SLUGS, ALLOWED, "--actions", str(actions), "--seed", "3")
    assert replayed.returncode == 0, replayed.stderr
    env = farm_gym.make(SLUGS, allow_plugins=True)
    env.reset(seed=3)
    for _ in range(3):
        env.farmgym_step([])
    assert f"{env.native.state_hash():016x}" in replayed.stderr, replayed.stderr


FAILS = """
import farm_gym

class Fails(farm_gym.Policy):
    def choose(self, observation, info):
        raise LookupError("no advice on day", int(info["step"]))
"""


def test_what_a_part_raises_is_shown_with_its_traceback(tmp_path: Path) -> None:
    (tmp_path / "advice_that_fails.py").write_text(FAILS, encoding="utf-8")
    policy = "python: advice_that_fails:Fails"
    for words in (["run", "farm0-v0", "--episodes", "1"], ["eval", "farm0-v0", "--episodes", "4", "--threads", "2"]):
        done = ran(*words, "--policy", f"{{{policy}}}", ALLOWED, PYTHONPATH=str(tmp_path))
        assert done.returncode == 1, done.stdout + done.stderr
        assert "LookupError: ('no advice on day', 0)" in done.stderr and "advice_that_fails.py" in done.stderr
        assert "panicked" not in done.stderr, done.stderr


@pytest.mark.skipif(os.name != "posix", reason="signals are sent as POSIX has them")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_ends_a_long_run_and_what_was_done_is_written(name: str, tmp_path: Path) -> None:
    words = command("run", "clay_bean", "--episodes", "100000000", "--policy", "wait", "--out", str(tmp_path))
    # Who runs the tests in the background may have them be ignored.
    reset = "import signal, os, sys; [signal.signal(s, signal.SIG_DFL) for s in (1, 2, 15)]; os.execv(sys.argv[1], sys.argv[1:])"
    with subprocess.Popen([sys.executable, "-c", reset, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        try:
            # Signals are noted before the table is begun, and rows come with the episodes.
            end = time.monotonic() + PATIENCE
            while not any(part.stat().st_size > 0 for part in tmp_path.glob("episodes.csv.*.part")):
                assert process.poll() is None and time.monotonic() < end, process.communicate()
                time.sleep(0.01)
            process.send_signal(signal.Signals[name])
            _, errors = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
        assert process.returncode == 128 + signal.Signals[name], errors
        assert b"Traceback" not in errors and b"incomplete: " in errors
    assert [path.name for path in tmp_path.iterdir()] == ["episodes.incomplete.csv"]


@pytest.mark.skipif(os.name != "posix", reason="pseudo-terminals are those of POSIX")
@pytest.mark.parametrize("key", [b"q", b"\x03"])
def test_a_game_is_played_on_a_terminal(key: bytes) -> None:
    import fcntl
    import pty
    import select
    import struct
    import termios

    child, terminal = pty.fork()
    if child == 0:
        os.environ["TERM"] = "xterm-256color"
        while os.get_terminal_size(0).columns == 0:
            time.sleep(0.01)
        words = command("play", "backwards_valley")
        os.execv(words[0], words)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    shown, begin, is_pressed, status = b"", time.monotonic(), False, None
    try:
        while status is None and time.monotonic() - begin < PATIENCE:
            if select.select([terminal], [], [], 0.1)[0]:
                with contextlib.suppress(OSError):
                    shown += os.read(terminal, 65536)
            # The alternate screen is open, and drawn once.
            if b"\x1b[?1049h" in shown and len(shown) > 200 and not is_pressed:
                os.write(terminal, key)
                is_pressed = True
            ended, code = os.waitpid(child, os.WNOHANG)
            status = os.waitstatus_to_exitcode(code) if ended else None
    finally:
        if status is None:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        os.close(terminal)
    assert status == 0 and b"\x1b[?1049l" in shown, shown[-2000:]


@pytest.mark.skipif(os.name != "posix", reason="named pipes are those of POSIX")
def test_other_threads_of_python_go_on_meanwhile(tmp_path: Path) -> None:
    codes: list[int] = []
    pipe = tmp_path / "steps.csv"
    os.mkfifo(pipe)
    words = ["run", "full_farm-v0", "--preset", "4x3", "--policy", "wait", "--episodes", "20", "--csv", str(pipe)]
    runner = threading.Thread(target=lambda: codes.append(main(words)))
    # If no other thread went on, nobody would ever read from the pipe, and nobody but this would end the process.
    faulthandler.dump_traceback_later(PATIENCE, exit=True)
    try:
        runner.start()
        # The run waits for this thread to open the pipe, and again and again for room in it.
        rows = pipe.read_text(encoding="utf-8").splitlines()
        runner.join()
    finally:
        faulthandler.cancel_dump_traceback_later()
    assert codes == [0] and len(rows) > 20


def test_the_handler_of_control_c_is_given_back() -> None:
    before = signal.getsignal(signal.SIGINT)
    assert main(["list", "games"]) == 0 and main(["sow"]) == 2
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.skipif(shutil.which("sh") is None, reason="there is no shell")
def test_a_reader_that_leaves_early_is_no_error() -> None:
    line = f"{sys.executable} -m farm_gym list; echo $?"
    done = subprocess.run(["sh", "-c", f"({line}) | head -1"], capture_output=True, text=True, check=True)
    assert "Traceback" not in done.stderr and "rror" not in done.stderr, done.stderr
