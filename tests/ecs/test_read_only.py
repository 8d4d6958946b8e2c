"""On a machine without writable folders games can be played, and failing writes are reported."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

HELLO = Path(__file__).parents[2] / "games" / "hello"
_DROP, _OVERRIDE = 24, 1
"""PR_CAPBSET_DROP, and CAP_DAC_OVERRIDE, the capability that lets root write files without permission."""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="drops a capability of Linux")


def _as_anybody() -> None:
    ctypes.CDLL(None).prctl(_DROP, _OVERRIDE, 0, 0, 0)


@pytest.fixture
def rish_here(tmp_path: Path) -> Iterator[Callable[..., tuple[int, str]]]:
    """Provide a function that calls `rish` in a folder with a game; folder, home and cache are read-only."""
    here = tmp_path / "here"
    shutil.copytree(HELLO, here / "hello", ignore=shutil.ignore_patterns("__pycache__"))
    (here / "home").mkdir()
    places = [here, *here.rglob("*")]
    modes = {place: place.stat().st_mode for place in places}
    for place in places:
        place.chmod(modes[place] & ~0o222)
    home = str(here / "home")
    environment = {**os.environ, "HOME": home, "XDG_CACHE_HOME": home, "RISH_CACHE_DIR": home}

    def call(*arguments: str) -> tuple[int, str]:
        done = subprocess.run(
            [sys.executable, "-m", "rish_core", *arguments], cwd=here, env=environment, preexec_fn=_as_anybody,
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        return done.returncode, done.stdout + done.stderr

    yield call
    for place, mode in modes.items():
        place.chmod(mode)


@pytest.mark.slow
def test_a_game_plays_where_nothing_can_be_written(rish_here: Callable[..., tuple[int, str]]) -> None:
    """A game runs without a writable cache, with the same hash."""
    code, said = rish_here("run", "hello", "--headless", "--frames", "3", "--hash")
    known = [sys.executable, "-m", "rish_core", "run", str(HELLO), "--headless", "--frames", "3", "--hash"]
    elsewhere = subprocess.run(known, capture_output=True, text=True, check=True)
    assert (code, said) == (0, elsewhere.stdout)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("run", "hello", "--headless", "--frames", "3", "--capture", "x.png"), "rish: x.png: Permission denied\n"),
        (("run", "hello", "--headless", "--frames", "3", "--capture", "x.gif"), "rish: x.gif: Permission denied\n"),
        (("record", "hello", "--headless", "--frames", "3"), "rish: run.rish can't be written: Permission denied\n"),
        (("schema", "--game", "hello", "--out", "s.json"), "rish: s.json: Permission denied\n"),
        (("new", "game", "fresh"), "rish: fresh: Permission denied\n"),
    ],
)
def test_what_can_not_be_written_is_named(
    arguments: tuple[str, ...], said: str, rish_here: Callable[..., tuple[int, str]]
) -> None:
    """A file that cannot be written is reported in one line, with exit code 2."""
    assert rish_here(*arguments) == (2, said)
