"""Packages use only public names of each other: every import of the product is checked, as plugins are by the kit."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import pytest

from rish_devtools.conformance.public_names import private_imports
from source_index import parsed, source

ROOT = Path(__file__).parents[2]
OUTSIDE = "examples/plugins/*"
"""The packages that use the engine as strangers do."""
PACKAGES = ["rish_core", *sorted(p.name for f in ("*/*", OUTSIDE) for p in ROOT.glob(f"{f}/src/rish_*"))]
SOURCES = [
    *sorted((ROOT / "rish_core" / "src").rglob("*.py")),
    *sorted(path for folder in ("libs", "kits", "plugins") for path in (ROOT / folder).rglob("src/**/*.py")),
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


def test_imports_are_found_wherever_they_are() -> None:
    """The imports of functions, branches, cases and handlers are found, in their lines."""
    lines = [
        "import a; from b import (c,\n  d as e)", "def f():", "    with x:", "        import g", "if TYPE_CHECKING:",
        "    from . import h", "match y:", "    case 1: import i", "try: pass", "except E: from j.k import *",
    ]  # fmt: skip
    found = parsed("\n".join(lines))
    assert [(each.node.lineno, each.later, each.for_types) for each in found.imports] == [
        (1, False, False), (1, False, False), (5, True, False), (7, False, True), (9, False, False), (11, True, False),
    ]  # fmt: skip
    assert found.only_imports().split("\n") == [
        "import a; from b import c, d as e", "", "", "", "import g", "", "from . import h", "", "import i", "",
        "from j.k import *",
    ]  # fmt: skip


@pytest.mark.slow
def test_files_import_public_names_of_other_packages_only() -> None:
    """Each file imports only public names of other packages; others are reported with line and public name."""
    found: list[str] = []
    for path in SOURCES:
        if "templates" not in path.parts:  # a template is no Python yet
            said = private_imports(source(path).only_imports(), owner(path))
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
                said = list(private_imports(parsed(textwrap.dedent(block[2])).only_imports(), ""))
            except SyntaxError:
                continue
            found += [f"{page.relative_to(ROOT)}:{first + line}: {sentence}" for line, sentence in said]
    assert not found, "\n".join(found)
