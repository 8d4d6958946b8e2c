"""The script that starts a bundle, with a stand-in for Python that prints what it was started with."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from rish_bundle.interpreter import FOLDER, PROGRAM
from rish_bundle.starting import start_files

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="it is a script for sh")
STAND_IN = """#!/bin/sh
echo "$PWD|$RISH_USER_FOLDER|$PYTHONPATH$PYTHONHOME$PYTHONOPTIMIZE|$*"
"""


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    """Return a bundle without Python, in a folder with a space and other letters in its name."""
    folder = tmp_path / "教室 stick"
    for file in start_files(["pond"], "2.36"):
        path = folder / file.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.read())
    (folder / "games").mkdir()
    program = folder / FOLDER / PROGRAM
    program.parent.mkdir(parents=True)
    program.write_text(STAND_IN)
    return folder


def start(bundle: Path, *words: str, cwd: Path | None = None, **variables: str) -> subprocess.CompletedProcess[str]:
    """Start a bundle with an empty environment beside some variables."""
    command = ["/bin/sh", os.path.relpath(bundle / "start", cwd or bundle), *words]
    return subprocess.run(command, cwd=cwd or bundle, env=variables, capture_output=True, text=True, check=False)


def test_without_words_it_opens_the_window_in_the_folder_of_games(bundle: Path) -> None:
    """It needs no mark as a program, neither for itself nor for Python, no PATH and no variable."""
    done = start(bundle)
    assert done.stderr == ""
    assert done.stdout == f"{bundle}/games|{bundle}/data||-I -m rish_core edit\n"


def test_words_go_to_the_command_where_a_person_is(bundle: Path, tmp_path: Path) -> None:
    """Options with spaces stay one word, and variables for Python are removed."""
    done = start(bundle, "run", "my game", cwd=tmp_path, PYTHONPATH="/x", PYTHONHOME="/y", PYTHONOPTIMIZE="2")
    assert done.stdout == f"{tmp_path}|{bundle}/data||-I -m rish_core run my game\n"


def test_settings_stay_with_the_user_without_the_folder_for_them(bundle: Path) -> None:
    """A folder that the user has named counts in any case."""
    assert f"|{bundle.parent}/mine|" in start(bundle, RISH_USER_FOLDER=f"{bundle.parent}/mine").stdout
    (bundle / "data" / "README.txt").unlink()
    (bundle / "data").rmdir()
    assert start(bundle).stdout == f"{bundle}/games|||-I -m rish_core edit\n"


def test_a_place_that_starts_no_programs_is_explained(bundle: Path) -> None:
    """One message says what to do instead."""
    (bundle / FOLDER / PROGRAM).unlink()
    done = start(bundle)
    assert done.returncode == 126
    assert "Copy the whole folder to the disk of the computer" in done.stderr


def test_the_readme_says_what_the_folder_needs_and_has(bundle: Path) -> None:
    """All words of the template are replaced."""
    text = (bundle / "README.txt").read_bytes().decode()
    assert "{" not in text
    assert "pond" in text
    assert (sys.platform != "linux") == ("glibc 2.36" not in text)
    assert "{" not in (bundle / "start").read_text(encoding="utf-8").replace("${", "")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has such files")
def test_the_file_for_desktops_finds_the_script_beside_it(bundle: Path) -> None:
    """Its command is valid for the shell after the rules of desktop files were applied."""
    text = (bundle / "Rish.desktop").read_text(encoding="utf-8")
    [command] = [line.removeprefix("Exec=") for line in text.splitlines() if line.startswith("Exec=")]
    script = command[command.index('"') + 1 : command.rindex('"')].replace("\\\\", "\\").replace("\\", "")
    words = ["/bin/sh", "-c", script.replace("%%", "%"), "rish", str(bundle / "Rish.desktop")]
    done = subprocess.run(words, capture_output=True, text=True, check=False, env={"PATH": os.environ["PATH"]})
    assert done.stdout.endswith("-I -m rish_core edit\n"), done.stderr
