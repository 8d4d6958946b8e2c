"""Versions are compared by the mechanisms of derived data alone."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCES = [
    path
    for folder in ("libs", "kits", "rish_core", "plugins", "games", "examples")
    for path in sorted((ROOT / folder).rglob("*.py"))
    if "tests" not in path.relative_to(ROOT).parts and ".venv" not in path.parts
]
MECHANISMS = {
    "libs/rish_ecs/": "tables, queries, derived values and snapshots",
    "kits/rish_assets/src/rish_assets/library.py": "which objects of a library changed",
    "plugins/rish_frame/src/rish_frame/backend.py": "which pages must be uploaded, and which part of them",
    "plugins/rish_frame/src/rish_frame/frame/per_version.py": "what is prepared for a batch, an array or another owner",
    "rish_core/src/rish_core/plugin/": "versions of packages",
    "plugins/rish_render/src/rish_render/backends/arcade/gl.py": "the version of OpenGL",
    "libs/rish_jit/": "versions of files, interpreters and kernels",
    "plugins/rish_editor/src/rish_editor/shell/files/watching.py": "times and sizes of files",
    "plugins/rish_audio/src/rish_audio/clips/decoder.py": "times and sizes of files",
    "plugins/rish_editor/src/rish_editor/panels/assets/files.py": "times and sizes of files",
    "plugins/rish_editor/src/rish_editor/session/files/thumbnails.py": "times and sizes of files",
    "plugins/rish_editor/src/rish_editor/shell/files/texts.py": "times and sizes of files",
    "plugins/rish_devtools/src/rish_devtools/conformance/clauses/packaging.py": "versions of packages",
    "kits/rish_packs/src/rish_packs/plugins/": "versions of packages",
}
COUNTERS = {"version", "versions", "membership", "memberships", "writes", "stamp"}
NAMED = re.compile(rf"\b_*({'|'.join(COUNTERS)})\b")


def mentions(node: ast.expr) -> bool:
    """Return whether an expression reads a counter of changes, such as `table.version`, or a stamp made of some."""
    names = [getattr(each, "attr", getattr(each, "id", "")) for each in ast.walk(node)]
    return any(name.lstrip("_") in COUNTERS for name in names)


def comparisons(text: str) -> Iterator[int]:
    """Return the lines that compare a counter of changes with another one; not with None, and not with a constant."""
    if not NAMED.search(text):
        return  # most files, which need not be parsed
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Compare) or any(
            isinstance(op, (ast.Is, ast.IsNot, ast.In, ast.NotIn)) for op in node.ops
        ):
            continue
        operands = [node.left, *node.comparators]
        constant = any(
            isinstance(each, ast.Constant) or (isinstance(each, ast.Name) and each.id.isupper()) for each in operands
        )
        if not constant and any(mentions(each) for each in operands):
            yield node.lineno


def test_comparisons_are_found() -> None:
    """A comparison of versions is found in its usual forms, and other comparisons are not."""
    for text in (
        "a.version == b",
        "x = seen != (t.version, u.version)",
        "if self._versions != now: pass",
        "a.membership < b.c",
    ):
        assert [*comparisons(text)] == [1]
    for text in (
        "a.version is None",
        "head.version > VERSION",
        "a.version == 2",
        "cls in spec.writes",
        "a.size == b.size",
    ):
        assert [*comparisons(text)] == []


def test_no_other_code_compares_versions() -> None:
    """What depends on data names its sources: a derived value, `Inputs`, a retained pass or a `PerVersion`."""
    names = {path.relative_to(ROOT).as_posix(): path for path in SOURCES}
    others = {name: path for name, path in names.items() if not name.startswith(tuple(MECHANISMS))}
    lines = {name: [*comparisons(path.read_text(encoding="utf-8"))] for name, path in others.items()}
    assert {name: found for name, found in lines.items() if found} == {}


def test_the_list_of_mechanisms_is_current() -> None:
    """Every mechanism in the list exists and compares versions."""
    for name in MECHANISMS:
        paths = [path for path in SOURCES if path.relative_to(ROOT).as_posix().startswith(name)]
        assert any([*comparisons(path.read_text(encoding="utf-8"))] for path in paths), name
