"""Packages use only public names of each other: every import of the product is checked.

A name is public if a package lists it in `__all__`. It is also public if the package's public modules and sub-packages
list it, or define it without an underscore where they have no list.
"""

from __future__ import annotations

import ast
import importlib
import re
import textwrap
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

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


@cache
def module(name: str) -> ModuleType | None:
    """Return a module, or None if there is none of that name."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        return None


@cache
def is_public(name: str) -> bool:
    """Return True if a module can be reached by listed names."""
    above, _, last = name.rpartition(".")
    return not above or (is_public(above) and last in getattr(module(above), "__all__", ()))


def has(name: str, what: str) -> bool:
    """Return True if a public module offers a name."""
    found = module(name)
    listed = getattr(found, "__all__", None)
    return what in listed if listed is not None else hasattr(found, what) and not what.startswith("_")


def instead(package: str, what: str) -> str:
    """Return the place where a name is public, as a part of a sentence."""
    tops = [package, *(f"{package}.{inner}" for inner in getattr(module(package), "__all__", ()))]
    homes = [name for name in tops if is_public(name) and isinstance(module(name), ModuleType) and has(name, what)]
    return f"write `from {homes[0]} import {what}`" if homes else f"{what} is not public anywhere in {package}"


def imports(text: str, own: str) -> Iterator[tuple[int, str]]:
    """Yield the line and a sentence for each import of something that is not public."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.startswith("rish_") and alias.name.split(".")[0] != own and not is_public(alias.name):
                    yield node.lineno, f"import {alias.name}: it is not public"
        if not isinstance(node, ast.ImportFrom) or node.level or not (node.module or "").startswith("rish_"):
            continue
        name = node.module or ""
        package = name.split(".")[0]
        if package == own or package not in PACKAGES:
            continue
        for alias in node.names:
            inner = f"{name}.{alias.name}"
            if not (is_public(name) and (has(name, alias.name) or alias.name == "*")) and not is_public(inner):
                yield node.lineno, f"from {name} import {alias.name}: {instead(package, alias.name)}"


def test_files_import_public_names_of_other_packages_only() -> None:
    """Each file imports only public names of other packages; others are reported with line and public name."""
    found: list[str] = []
    for path in SOURCES:
        if "templates" not in path.parts:  # a template is no Python yet
            said = imports(path.read_text(encoding="utf-8"), owner(path))
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
                said = list(imports(textwrap.dedent(block[2]), ""))
            except SyntaxError:
                continue
            found += [f"{page.relative_to(ROOT)}:{first + line}: {sentence}" for line, sentence in said]
    assert not found, "\n".join(found)


def test_an_inner_name_is_found_with_what_to_write() -> None:
    """Unlisted modules, private names and imports of modules are reported, each with the import to write instead."""
    text = "from rish_core.app import App\nfrom rish_ecs.world import _Rows\nimport rish_frame.host.host\n"
    assert [said for _, said in imports(text, "")] == [
        "from rish_core.app import App: write `from rish_core import App`",
        "from rish_ecs.world import _Rows: _Rows is not public anywhere in rish_ecs",
        "import rish_frame.host.host: it is not public",
    ]
    assert list(imports("from rish_core.app import App\nfrom rish_ecs.jit import njit\n", "rish_core")) == []
