"""Every example of every page of the documentation is run in a process of its own, and does what the page shows."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from fresh_python import run_python

ROOT = Path(__file__).parents[2]
PLAY = Path(__file__).with_name("play.py")
PAGES = [
    ROOT / "README.md",
    *(ROOT / "docs" / name for name in ("tutorial.md", "audio.md")),
    *sorted((ROOT / "docs" / "how-to").glob("*.md")),
    *sorted((ROOT / "docs" / "contracts").glob("*.md")),
    *sorted((ROOT / "docs" / "theory").glob("*.md")),
    *(ROOT / "examples" / "plugins" / f"rish-{name}" / "README.md" for name in ("dialogue", "gym", "wind")),
]


def play(page: Path, folder: Path) -> None:
    """Run the examples of a page in a folder that has the games with their kernels, and fail with its report."""
    work = folder / "work"
    work.mkdir()
    if "games/" in page.read_text(encoding="utf-8"):
        shutil.copytree(ROOT / "games", work / "games", ignore=shutil.ignore_patterns("*.pyc"))
    done = run_python(str(PLAY), str(page), str(work), cwd=folder)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    "page", PAGES, ids=lambda page: page.parent.name if page.parent.name.startswith("rish-") else page.stem
)
@pytest.mark.slow
def test_the_examples_of_a_page_do_what_it_says(page: Path, tmp_path: Path) -> None:
    """Files are written and commands run in order, and their output equals the page; slow pages are included."""
    play(page, tmp_path)
