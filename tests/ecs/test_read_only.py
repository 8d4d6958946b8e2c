"""On a machine without writable folders games can be played, and failing writes are reported."""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from rish_core.launcher import main

HELLO = Path(__file__).parents[2] / "games" / "hello"
_DROP, _OVERRIDE = 24, 1
"""PR_CAPBSET_DROP, and CAP_DAC_OVERRIDE, the capability that lets root write files without permission."""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="drops a capability of Linux")


def _as_anybody() -> None:
    ctypes.CDLL(None).prctl(_DROP, _OVERRIDE, 0, 0, 0)


COMMANDS = """
import contextlib, io, json, sys
from rish_core.launcher import main
found = []
for arguments in json.loads(sys.argv[1]):
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        code = main(arguments)
    found.append([code, said.getvalue()])
print(json.dumps(found))
"""
"""A program that gives several commands and prints the exit code and the output of each."""
HASH = ["--headless", "--frames", "3", "--hash"]


@pytest.fixture
def rish_here(tmp_path: Path) -> Iterator[Callable[..., list[list[Any]]]]:
    """Provide a function that gives `rish` commands in a folder with a game; folder, home and cache are read-only."""
    here = tmp_path / "here"
    shutil.copytree(HELLO, here / "hello", ignore=shutil.ignore_patterns("__pycache__"))
    (here / "home").mkdir()
    places = [here, *here.rglob("*")]
    modes = {place: place.stat().st_mode for place in places}
    for place in places:
        place.chmod(modes[place] & ~0o222)
    home = str(here / "home")
    environment = {**os.environ, "HOME": home, "XDG_CACHE_HOME": home, "RISH_CACHE_DIR": home}

    def call(*commands: list[str]) -> list[list[Any]]:
        done = subprocess.run(
            [sys.executable, "-c", COMMANDS, json.dumps(commands)], cwd=here, env=environment, preexec_fn=_as_anybody,
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    yield call
    for place, mode in modes.items():
        place.chmod(mode)


@pytest.mark.slow
def test_a_game_plays_where_nothing_can_be_written(
    rish_here: Callable[..., list[list[Any]]], capsys: pytest.CaptureFixture[str]
) -> None:
    """A game runs without a writable cache, with the same hash."""
    here = rish_here(["run", "hello", *HASH])
    assert main(["run", str(HELLO), *HASH]) == 0
    assert here == [[0, capsys.readouterr().out]]


@pytest.mark.slow
def test_what_can_not_be_written_is_named(rish_here: Callable[..., list[list[Any]]]) -> None:
    """A file that cannot be written is reported in one line, with exit code 2."""
    run = ["run", "hello", "--headless", "--frames", "3", "--capture"]
    refused = {
        "x.png: Permission denied": [*run, "x.png"],
        "x.gif: Permission denied": [*run, "x.gif"],
        "run.rish can't be written: Permission denied": ["record", "hello", "--headless", "--frames", "3"],
        "s.json: Permission denied": ["schema", "--game", "hello", "--out", "s.json"],
        "fresh: Permission denied": ["new", "game", "fresh"],
    }
    assert rish_here(*refused.values()) == [[2, f"rish: {said}\n"] for said in refused]
