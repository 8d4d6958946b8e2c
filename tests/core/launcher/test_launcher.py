"""The command line: help, unknown commands, commands of other packages, exit codes."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from rish_core import YOURS, launcher
from rish_core.plugin import discovery
from rish_core.plugin.discovery import Candidate, installed_commands
from rish_core.plugin.solving.packages import COMMANDS
from rish_ecs import UsageError, how_to_get

PROGRAM = [sys.executable, "-m", "rish_core"]


def rish(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run the command line in a separate process."""
    return subprocess.run([*PROGRAM, *arguments], capture_output=True, text=True, check=False, **options)


@pytest.mark.parametrize("arguments", [[], ["-h"], ["--help"], ["help"]])
def test_help_lists_the_commands(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """The help lists each command with a line, and an example."""
    assert launcher.main(arguments) == 0
    said = capsys.readouterr().out
    for command in installed_commands():
        assert f"  {command.name:14} {command.summary()}" in said
    assert "rish run games/hello" in said


@pytest.mark.parametrize("name", ["run", "check", "plugins", "lock"])
def test_every_command_has_help(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Every command has a help text, with exit code 0."""
    with pytest.raises(SystemExit) as caught:
        launcher.main([name, "--help"])
    said = capsys.readouterr().out
    assert caught.value.code == 0
    assert said.startswith(f"usage: rish {name}")
    (command,) = [each for each in installed_commands() if each.name == name]
    assert command.summary().split(",")[0] in said.replace("\n", " ")


def test_the_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    """The version is printed with the short and the long option."""
    for option in ("-V", "--version"):
        assert launcher.main([option]) == 0
        assert capsys.readouterr().out == f"rish {version('rish-core')}\n"


def test_an_unknown_command_is_answered_with_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    """An unknown command is answered with the nearest and all commands, with exit code 2."""
    assert launcher.main(["chek"]) == 2
    said = capsys.readouterr().err
    assert "there is no command 'chek' (did you mean 'check'?)" in said
    assert "lock" in said


def command(run: Any) -> SimpleNamespace:
    """Return a command of another package."""
    return SimpleNamespace(add_arguments=lambda parser: parser.add_argument("--twice", action="store_true"), run=run)


def offer(monkeypatch: pytest.MonkeyPatch, found: Any) -> None:
    """Install the command `polish`."""

    def load(self: Candidate) -> Any:
        if isinstance(found, BaseException):
            raise found
        return found

    monkeypatch.setattr(discovery, "installed_commands", lambda: [Candidate("polish", "rish-tools", "1", "rish_tools")])
    monkeypatch.setattr(Candidate, "load", load)


def test_other_packages_bring_commands(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Commands of other packages are listed without being imported, and get their own options."""
    offer(monkeypatch, AssertionError("help imported it"))
    assert launcher.main(["--help"]) == 0
    assert "polish         from rish-tools" in capsys.readouterr().out  # there is no module to read
    offer(monkeypatch, command(lambda arguments: 5 if arguments.twice else 4))
    assert [launcher.main(["polish"]), launcher.main(["polish", "--twice"])] == [4, 5]


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (UsageError("that can't work", hint="Try this"), 2, "rish: that can't work. Try this"),
        (FileNotFoundError(2, "No such file", "a.txt"), 2, "rish: a.txt: No such file"),
        (OSError(28, "No space left on device"), 2, "rish: writing: No space left on device"),
        (KeyError("x"), 2, "test_launcher.py:"),
        (KeyError("x"), 2, "command 'polish' of rish-tools failed: KeyError: 'x'"),
        (KeyboardInterrupt(), 130, "rish: interrupted"),
    ],
)
def test_errors_become_exit_codes(
    error: BaseException, code: int, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Mistakes of the user or of a command give exit code 2 without a traceback, and an interrupt gives 130."""

    def fail(arguments: Any) -> int:
        raise error

    offer(monkeypatch, command(fail))
    assert launcher.main(["polish"]) == code
    found = capsys.readouterr().err
    assert said in found
    assert "Traceback" not in found


def test_a_fault_of_ours_has_a_traceback(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """An internal error is printed with a traceback, so that it can be reported."""
    from rish_cli import plugins

    monkeypatch.setattr(plugins, "run", lambda arguments: 1 / 0)
    assert launcher.main(["plugins"]) == 1
    found = capsys.readouterr().err
    assert "Traceback" in found
    assert "a bug in Rish" in found


def test_a_command_that_can_not_be_imported_is_reported(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A command that cannot be imported is reported with its package and the error."""
    offer(monkeypatch, ImportError("No module named 'rish_tools'", name="rish_tools"))
    assert launcher.main(["polish"]) == 2
    said = capsys.readouterr().err
    assert "command 'polish' of rish-tools 1 can't be imported" in said
    assert "No module named 'rish_tools'" in said


@pytest.mark.slow
def test_it_runs_as_a_module() -> None:
    """`python -m rish_core` runs the command line, with its exit code."""
    assert rish("--version").stdout.startswith("rish ")
    assert rish("chek").returncode == 2
    assert rish("run", "--nonsense").returncode == 2


@pytest.mark.slow
def test_a_reader_that_leaves_is_no_fault(tmp_path: Path) -> None:
    """A closed pipe, as in `rish schema | head -1`, gives exit code 0 and no traceback."""
    pipe = subprocess.run(
        f"{' '.join(PROGRAM)} schema | head -c 1; echo ${{PIPESTATUS[0]}}",
        shell=True, executable="/bin/bash", capture_output=True, text=True, check=False, cwd=tmp_path,
    )  # fmt: skip
    assert "Traceback" not in pipe.stderr
    assert pipe.stdout.endswith("0\n")


def test_a_command_of_two_packages_is_not_called(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A command that two packages offer runs neither, and the package is named that is not this project's."""
    both = [Candidate("doctor", "aaa", "1", "aaa"), Candidate("doctor", "rish-devtools", "0.1.0", "bbb")]
    monkeypatch.setattr(discovery, "installed_commands", lambda: both)
    assert launcher.main(["doctor"]) == YOURS
    said = capsys.readouterr().err
    assert "2 packages offer it, aaa 1 in aaa and rish-devtools 0.1.0 in bbb" in said
    assert said.endswith("It belongs to rish-devtools. Run: pip uninstall aaa\n")


def test_a_command_of_a_package_that_is_not_installed_names_the_package(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A command of a package that is not installed is reported with the package to install."""
    there = {found.name: found.distribution for found in installed_commands()}
    assert COMMANDS.items() <= there.items()
    monkeypatch.setattr(discovery, "installed_commands", list)
    assert launcher.main(["doctor"]) == YOURS
    how = how_to_get("rish-devtools")
    assert f"'doctor' comes with rish-devtools, which is not installed. {how}" in capsys.readouterr().err
    assert launcher.main(["--help"]) == 0
    assert "doctor         (not installed: it comes with rish-devtools)" in capsys.readouterr().out
