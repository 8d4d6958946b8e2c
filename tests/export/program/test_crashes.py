"""Reports of crashes, and the program that writes them."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from rish_core.launcher import main as rish
from rish_export.program import About, CrashReports, main, play, question

ABOUT = About("pond", "The Pond", "2.1", "games/pond", plugins={"wind": "rish-wind 0.1.0"})
PLUGIN = """
import faulthandler

from rish_core import Stage, Transform, system


@system(Stage.STEP, writes=Transform)
def sink(world, dt):
    if world.tick == 20:
        if world.seed == 13:
            faulthandler._sigsegv()
        raise ValueError("a stone")


def rish_systems():
    return [sink]
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """Return the folder of a program whose game fails in tick 20."""
    folder = tmp_path / "program"
    game = folder / "games" / "pond"
    game.mkdir(parents=True)
    text = "rish: 1\ngame: {title: The Pond, seed: 7}\nscenes: {main: [{Transform: {}}]}\n"
    (game / "game.yaml").write_text(text, encoding="utf-8")
    (game / "plugin.py").write_text(PLUGIN, encoding="utf-8")
    (folder / "program.json").write_bytes(ABOUT.to_bytes())
    return folder


def report_of(home: Path) -> tuple[Path, str]:
    """Return the only file in the folder of reports, and its text."""
    (path,) = (home / "the-pond" / "crashes").iterdir()
    with zipfile.ZipFile(path) as archive:
        return path, archive.read("report.txt").decode()


def test_a_program_takes_the_options_of_run(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It plays its game without being told which, and prints the hash that `rish run` prints."""
    options = ["--headless", "--frames", "10", "--hash", "--set", "game.seed=9"]
    assert main(options, program) == 0
    printed = capsys.readouterr().out
    assert rish(["run", str(program / "games" / "pond"), *options]) == 0
    assert printed == capsys.readouterr().out


@pytest.mark.parametrize("options", [[], ["--on-error", "raise"]], ids=["goes on", "ends"])
def test_a_crash_is_reported_and_replayed(
    program: Path, home: Path, options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """One file has versions, plugins, error, seed, frame and log, and `rish replay` plays it up to the error."""
    assert main(["--headless", "--frames", "40", *options], program) == 2
    report, text = report_of(home)
    assert str(report) in capsys.readouterr().err
    for part in ("The Pond 2.1", "Python 3.", "plugin wind: rish-wind", "seed 7, frame ", "sink", "log:"):
        assert part in text
    assert "a stone" in text
    replay = ["replay", str(report), "--game", str(program / "games" / "pond"), "--headless"]
    rish(replay)
    assert "a stone" in capsys.readouterr().err


def test_a_crash_of_native_code_is_replayed(program: Path, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The next start reports frame, seed and options of the killed process, and its input up to the tick."""
    code = "import sys, pathlib, rish_export.program as p; p.main(sys.argv[2:], pathlib.Path(sys.argv[1]))"
    options = ["--headless", "--frames", "40", "--seed", "13"]
    command = [sys.executable, "-c", code, str(program), *options]
    assert subprocess.run(command, check=False, capture_output=True).returncode not in (0, 1, 2)
    assert main(["--headless", "--frames", "1"], program) == 0
    report, text = report_of(home)
    for part in ("Segmentation fault", "in sink", "seed 13, frame 21, tick 21", "--headless --frames 40 --seed 13"):
        assert part in text
    game = str(program / "games" / "pond")
    assert rish(["replay", str(report), "--game", game, "--headless", "--until", "20", "--hash"]) == 0
    replayed = capsys.readouterr().out
    assert rish(["run", game, "--headless", "--frames", "20", "--seed", "13", "--hash"]) == 0
    assert replayed == capsys.readouterr().out


def test_a_wrong_option_is_no_crash(program: Path, home: Path) -> None:
    """A mistake of the person who starts the program is told and not reported."""
    with pytest.raises(SystemExit):
        main(["--headless", "--frames", "many"], program)
    assert not (home / "the-pond").exists()


def test_a_crash_of_native_code_is_found_at_the_next_start(tmp_path: Path) -> None:
    """Python's stack and the log of the killed process are in the report, which is told once."""
    code = (
        "import sys, faulthandler, logging; from pathlib import Path\n"
        "from rish_export.program import About, CrashReports\n"
        "reports = CrashReports(About(**eval(sys.argv[1])), Path(sys.argv[2])); reports.begin()\n"
        "logging.getLogger('rish.game').warning('the ice cracks')\n"
        "def deep():\n    faulthandler._sigsegv()\ndeep()\n"
    )
    about = repr(json.loads(ABOUT.to_bytes()))
    folder = tmp_path / "crashes"
    assert subprocess.run([sys.executable, "-c", code, about, str(folder)], check=False).returncode not in (0, 1)
    reports = CrashReports(ABOUT, folder)
    report = reports.begin()
    assert report is not None
    with zipfile.ZipFile(report) as archive:
        text = archive.read("report.txt").decode()
    assert "Segmentation fault" in text
    assert "in deep" in text
    assert "the ice cracks" in text
    reports.end()
    assert [path.name for path in folder.iterdir()] == [report.name]
    again = CrashReports(ABOUT, folder)
    assert again.begin() is None
    again.end()


def test_a_running_program_is_no_crash(tmp_path: Path) -> None:
    """Files of another process that still runs stay, and are not reported."""
    (tmp_path / f"run-{os.getppid()}.stack").write_text("Fatal", encoding="utf-8")
    reports = CrashReports(ABOUT, tmp_path)
    assert reports.begin() is None
    reports.end()
    assert len(os.listdir(tmp_path)) == 1


def crashed_before(home: Path) -> None:
    """Write what a program leaves behind that crashed in native code."""
    folder = home / "the-pond" / "crashes"
    folder.mkdir(parents=True)
    (folder / "run-999999999.stack").write_text("Fatal Python error: Segmentation fault\n", encoding="utf-8")


def test_after_a_crash_the_terminal_tells_how_to_play_without_others_plugins(
    program: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a window the game is played, and the option is named."""
    crashed_before(home)
    (program / "program.json").write_bytes(replace(ABOUT, others=["storm"], others_are_optional=True).to_bytes())
    assert main(["--headless", "--frames", "1"], program) == 0
    told = capsys.readouterr().err
    assert str(report_of(home)[0]) in told
    assert "To play without storm: pond --safe-mode" in told


@pytest.mark.parametrize(
    ("optional", "choice", "played"),
    [
        (True, "safe", (True, "")),
        (False, "safe", (False, "storm")),
        (False, "play", (False, "")),
        (False, "quit", None),
    ],
)
def test_after_a_crash_a_window_asks_whether_to_play_without_others_plugins(
    program: Path, home: Path, optional: bool, choice: str, played: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Optional plugins are not loaded then; those that the game requires are set aside."""
    crashed_before(home)
    about = replace(ABOUT, windowed=True, others=["storm"], others_are_optional=optional)
    (program / "program.json").write_bytes(about.to_bytes())
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr(question, "ask", lambda *_: choice)
    runs: list[object] = []

    def run(arguments: argparse.Namespace, **_: object) -> int:
        assert not arguments.watches  # nobody edits the files of a program
        runs.append((arguments.safe_mode, arguments.without))
        return 0

    monkeypatch.setattr(play.run, "run", run)
    assert main([], program) == 0
    assert runs == ([] if played is None else [played])


def test_a_program_opens_its_window_before_it_imports_numpy() -> None:
    """What is imported before `run` delays the window, see decision 51."""
    later = {"numpy", "rish_core.app", "zipfile", "platform"}
    code = f"import sys, rish_export.program.play; print({later} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout == "set()\n"
