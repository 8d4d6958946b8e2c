"""Edits the imports of a module that is renamed."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from .find_uses import Tree, Use
from .moves import Moves
from .python_strings import Places


@dataclass(frozen=True)
class Edit:
    """Characters of a text that are replaced.

    original: the present characters. why: the reason if they can't be replaced.
    """

    line: int
    start: int
    end: int
    text: str

    original: str
    why: str = ""


def module_of(name: str) -> str:
    """Return the dotted name of the module in a file, `scripts.hero` for `scripts/hero.py`; "" if it is no module."""
    if not name.endswith(".py"):
        return ""
    parts = name.removesuffix(".py").removesuffix("/__init__").split("/")
    return ".".join(parts) if all(part.isidentifier() for part in parts) else ""


def imports_of(tree: Tree, moves: Moves) -> Iterator[Use]:
    """Yield the imports of modules that move, in all files, and the relative imports in modules that move."""
    if not any(name.endswith(".py") for name in moves.moved):
        return
    for name in tree.files:
        source = tree.source(name) if name.endswith(".py") else None
        text = source.text if source is not None else None
        if source is None or text is None or "import" not in text:
            continue
        for edit in imports_in(text, name, moves):
            why = edit.why or ("" if source.writable else "the file may not be written")
            yield Use(name, edit.line, 1, edit.original, why, new=edit.text)


def with_imports(text: str, name: str, moves: Moves) -> str:
    """Return the text of a module with the imports that it needs after the moves. name: its file before them."""
    for edit in reversed([each for each in imports_in(text, name, moves) if not each.why]):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def imports_in(text: str, name: str, moves: Moves) -> Iterator[Edit]:
    """Yield the edits of the imports in a module, by place. name: its file before the moves."""
    renamed = {old: new for name, to in moves.moved.items() if (old := module_of(name)) and (new := module_of(to))}
    if moves.folder:
        renamed |= {moves.old.replace("/", "."): moves.new.replace("/", ".")}
    unnamed = {module for name in moves.moved if (module := module_of(name)) and module not in renamed}
    new_name = moves.now(name)
    try:
        body = ast.parse(text.removeprefix("\ufeff"))
    except (SyntaxError, RecursionError):
        return
    places = Places(text)
    imports = [node for node in ast.walk(body) if isinstance(node, (ast.Import, ast.ImportFrom))]
    for node in sorted(imports, key=lambda node: (node.lineno, node.col_offset)):
        start, end = places.of(node)
        statement = text[start:end]
        try:
            new = _import(node, statement, renamed, unnamed, name, new_name)
        except ValueError as error:
            yield Edit(node.lineno, start, end, statement, statement, str(error))
            continue
        if new == statement:
            yield Edit(node.lineno, start, end, statement, statement, "an import that is not simple")
        elif new is not None:
            yield Edit(node.lineno, start, end, new, statement)


def _import(
    node: ast.Import | ast.ImportFrom, statement: str, renamed: dict[str, str], unnamed: set[str],
    name: str, new_name: str,
) -> str | None:  # fmt: skip
    """Return an import statement with new names; None if it stays. Raises ValueError if it is not simple."""
    if isinstance(node, ast.Import):
        affected = [alias.name for alias in node.names if alias.name in renamed or alias.name in unnamed]
        if not affected:
            return None
        [alias, *others] = node.names
        if others or alias.name in unnamed or ("." in alias.name and alias.asname is None):
            raise ValueError("an import that is not simple")
        return f"import {_bound(renamed[alias.name], alias)}"
    package = name.removesuffix(".py").removesuffix("/__init__").split("/")
    parent_package = package[: len(package) - node.level + name.endswith("__init__.py")] if node.level else []
    base = ".".join([*parent_package, *([node.module] if node.module else [])])
    inside = [alias.name for alias in node.names if f"{base}.{alias.name}".lstrip(".") in {*renamed, *unnamed}]
    if base not in renamed and base not in unnamed and not inside:
        if node.level and new_name.rpartition("/")[0] != name.rpartition("/")[0]:
            raise ValueError("a relative import in a file that moves")
        return None
    if base in unnamed or (inside and len(node.names) > 1) or (node.level and _leaves(name, new_name)):
        raise ValueError("an import that is not simple")
    if base in renamed:
        new = renamed[base]
        if node.level:
            prefix = ".".join(parent_package)
            if prefix and not new.startswith(f"{prefix}."):
                raise ValueError("the module leaves the package of a relative import")
            new = new.removeprefix(f"{prefix}.") if prefix else new
        old = f"{'.' * node.level}{node.module}"
        return re.sub(rf"(from\s+){re.escape(old)}(\s)", rf"\g<1>{'.' * node.level}{new}\g<2>", statement, count=1)
    [alias] = node.names
    full = f"{base}.{alias.name}".lstrip(".")
    new_base, _, last = (renamed.get(full) or "").rpartition(".")
    if full in unnamed or new_base != base:
        raise ValueError("the module leaves its package")
    return re.sub(rf"{re.escape(alias.name)}(\s+as\s+\w+)?\s*$", _bound(last, alias), statement)


def _bound(new: str, alias: ast.alias) -> str:
    """Return the new name of an import that binds the same name as before."""
    name = alias.asname or alias.name
    return new if new == name else f"{new} as {name}"


def _leaves(name: str, now: str) -> bool:
    return name.rpartition("/")[0] != now.rpartition("/")[0]
