"""Packages use only public names of each other: every import of the product is checked, as plugins are by the kit."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import pytest

from rish_devtools.conformance.public_names import private_imports

ROOT = Path(__file__).parents[2]
OUTSIDE = "examples/plugins/*"
"""The packages that use the engine as strangers do."""
PACKAGES = ["rish_core", *sorted(p.name for f in ("*/*", OUTSIDE) for p in ROOT.glob(f"{f}/src/rish_*"))]
SOURCES = [
    *sorted((ROOT / "rish_core" / "src").rglob("*.py")),
    *sorted(path for folder in ("libs", "plugins") for path in (ROOT / folder).rglob("src/**/*.py")),
    *sorted(path for folder in ("games", "benchmarks", "docs") for path in (ROOT / folder).rglob("*.py")),
    *sorted(path for inner in ("src", "examples") for path in ROOT.glob(f"{OUTSIDE}/{inner}/**/*.py")),
]
PAGES = [
    *sorted(ROOT.glob("*.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted(ROOT.glob("*/*/README.md")),
    *sorted(ROOT.glob(f"{OUTSIDE}/README.md")),
]
FENCE = re.compile(r"^( *)```python[^\n]*\n(.*?)^ *```$", re.M | re.S)


def owner(path: Path) -> str:
    """Return the package that a file belongs to, or an empty text."""
    return next((part for part in path.parts if part in PACKAGES and f"src/{part}/" in path.as_posix()), "")


@pytest.mark.slow
def test_files_import_public_names_of_other_packages_only() -> None:
    """Each file imports only public names of other packages; others are reported with line and public name."""
    found: list[str] = []
    for path in SOURCES:
        if "templates" not in path.parts:  # a template is no Python yet
            said = private_imports(path.read_text(encoding="utf-8"), owner(path))
            found += [f"{path.relative_to(ROOT)}:{line}: {sentence}" for line, sentence in said]
    assert len(SOURCES) > 500
    assert not found, "\n".join(found)


def test_pages_show_public_names_only() -> None:
    """The examples of all pages, which readers copy, import only public names."""
    found: list[str] = []
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for block in FENCE.finditer(text):
            first = text.count("\n", 0, block.start(2))
            try:
                said = list(private_imports(textwrap.dedent(block[2]), ""))
            except SyntaxError:
                continue
            found += [f"{page.relative_to(ROOT)}:{first + line}: {sentence}" for line, sentence in said]
    assert not found, "\n".join(found)
