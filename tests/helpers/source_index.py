"""What the tests of the architecture ask about the sources of the repository: each file is parsed once in a process.

Only facts are kept, not the trees, which would take hundreds of megabytes.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

ImportNode = ast.Import | ast.ImportFrom
_PARTS = "body", "orelse", "handlers", "finalbody", "cases"


@dataclass(frozen=True)
class Imported:
    """An import statement. later: within a function or a `try`. for_types: below `if TYPE_CHECKING`."""

    node: ImportNode
    later: bool
    for_types: bool


@dataclass(frozen=True)
class Source:
    """A file: its text, its imports in the order of the lines, and the first and last lines of docstrings."""

    text: str
    imports: list[Imported] = field(default_factory=list[Imported])
    docstrings: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])

    def only_imports(self) -> str:
        """Return a source that has the imports alone, each in its line."""
        lines = [""] * (self.text.count("\n") + 1)
        for each in self.imports:
            before = lines[each.node.lineno - 1]
            lines[each.node.lineno - 1] = f"{before}; {ast.unparse(each.node)}" if before else ast.unparse(each.node)
        return "\n".join(lines)


@cache
def source(path: Path) -> Source:
    """Return the facts about a file."""
    return parsed(path.read_text(encoding="utf-8"))


def parsed(text: str) -> Source:
    """Return the facts about a text."""
    found = Source(text)
    for node, later, for_types in _statements(ast.parse(text)):
        if isinstance(node, ImportNode):
            found.imports.append(Imported(node, later, for_types))
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            found.docstrings.append((node.lineno, node.end_lineno or node.lineno))
    found.imports.sort(key=lambda each: (each.node.lineno, each.node.col_offset))
    return found


def _statements(tree: ast.AST) -> Iterator[tuple[ast.AST, bool, bool]]:
    """Yield all statements without the expressions in them, which are nine tenths of a tree."""
    waiting = [(tree, False, False)]
    while waiting:
        node, later, for_types = waiting.pop()
        yield node, later, for_types
        later = later or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Try)
        checked = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
        for part in _PARTS:
            inner = for_types or (checked and part == "body")
            waiting += [(each, later, inner) for each in getattr(node, part, ())]
