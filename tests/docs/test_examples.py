"""What the documentation shows is what happens: every example of every page is played in a process of its own."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PLAY = Path(__file__).with_name("play.py")
PAGES = [ROOT / "README.md", ROOT / "docs" / "tutorial.md", *sorted((ROOT / "docs" / "how-to").glob("*.md"))]


def play(page: Path, folder: Path) -> None:
    """Play a page in a folder that has the games, and fail with its report."""
    work = folder / "work"
    shutil.copytree(ROOT / "games", work / "games", ignore=shutil.ignore_patterns("__pycache__"))
    done = subprocess.run(
        [sys.executable, str(PLAY), str(page), str(work)],
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
@pytest.mark.slow
def test_the_examples_of_a_page_do_what_it_says(page: Path, tmp_path: Path) -> None:
    """Files are written, commands run in order, and print what the page shows; also those that take longer."""
    play(page, tmp_path)
