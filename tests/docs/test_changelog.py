"""Changes are recorded in files of their own, which a release collects into the changelog."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tools import needing

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "changelog.d"
SETTINGS = tomllib.loads((FOLDER / "towncrier.toml").read_text(encoding="utf-8"))["tool"]["towncrier"]
CATEGORIES = {kind["directory"]: kind["name"] for kind in SETTINGS["type"]}
FRAGMENTS = sorted(path for path in FOLDER.iterdir() if path.name not in ("README.md", "template.md", "towncrier.toml"))


@pytest.mark.parametrize("path", FRAGMENTS, ids=lambda path: path.name)
def test_a_change_has_a_known_category_and_plain_text(path: Path) -> None:
    """A change is named SUBJECT.CATEGORY.md, and its text has no bullet or heading of its own."""
    subject, category, ending = path.name.split(".")
    assert subject == subject.lower().replace("_", "-")
    assert category in CATEGORIES
    assert ending == "md"
    text = path.read_text(encoding="utf-8")
    assert text.strip()
    assert not text.lstrip().startswith(("#", "- ", "* "))


@pytest.mark.slow
@needing("towncrier", "lint")
def test_the_changelog_can_be_built() -> None:
    """A release has each change once, as a point below its category, in the order of the settings."""
    command = ["build", "--config", str(FOLDER / "towncrier.toml"), "--draft", "--version", "9.9.9"]
    done = subprocess.run([sys.executable, "-m", "towncrier", *command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("## 9.9.9 (")
    names = [line.removeprefix("### ") for line in done.stdout.splitlines() if line.startswith("### ")]
    assert names == [name for name in CATEGORIES.values() if name in names]
    for path in FRAGMENTS:
        _, _, rest = done.stdout.partition(f"### {CATEGORIES[path.name.split('.')[1]]}\n")
        first = path.read_text(encoding="utf-8").splitlines()[0]
        assert rest.partition("\n### ")[0].count(f"- {first}\n") == 1


def test_a_release_has_a_place_in_the_changelog() -> None:
    """The changelog has the line below which releases are inserted, before all releases."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert text.count(SETTINGS["start_string"]) == 1
    assert "\n## " not in text.partition(SETTINGS["start_string"])[0]
