"""The strings of Python: literals with exact positions, and computed texts.

Comments, bytes and f-strings are no strings here. Adjacent literals, which Python joins, have the kind `joined`. They
are replaced by a single literal.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

from .strings import String, Syntax

DOCSTRING, JOINED, WHOLE = "docstring", "joined", "whole"
"""The kinds of literals: an expression statement, adjacent literals, any other."""
_ANY = ".*"
_FORMAT = re.compile(r"\{[^{}]*\}|%(?:\(\w+\))?[-#0 +]*\d*(?:\.\d+)?[a-zA-Z]")
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_OPENING = re.compile(r"""[A-Za-z]*(\"""|\'\'\'|"|')""")


class Computed(NamedTuple):
    """A text that is computed.

    pattern: matches its possible values. written: its literal parts. start, end: the characters of its expression.
    what: a phrase for it, such as `an f-string`.
    """

    pattern: re.Pattern[str]
    written: str
    start: int
    end: int
    what: str


class Places:
    """Converts positions of a syntax tree, which are lines and bytes of UTF-8, to characters of the text."""

    def __init__(self, text: str) -> None:
        self._text, self._mark = text.removeprefix("\ufeff"), text.startswith("\ufeff")
        self._lines = [0]
        for line in _LINE.findall(self._text):
            self._lines.append(self._lines[-1] + len(line))

    def of(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        """Return the position of the first character of a node, and the position after its last."""
        last = node.end_lineno or node.lineno
        return self._at(node.lineno, node.col_offset), self._at(last, node.end_col_offset or 0)

    def _at(self, line: int, column: int) -> int:
        start, end = self._lines[line - 1], self._lines[line]
        return self._mark + start + len(self._text[start:end].encode()[:column].decode())


def _tree(text: str) -> ast.Module:
    try:
        return ast.parse(text.removeprefix("\ufeff"))
    except (SyntaxError, RecursionError, MemoryError) as error:
        raise ValueError(f"it is no valid Python: {error}") from None


def _scan(text: str) -> list[String]:
    tree, places, strings = _tree(text), Places(text), list[String]()
    statements = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in _without_fstrings(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            start, end = places.of(node)
            kind = DOCSTRING if id(node) in statements else WHOLE if _is_one(text[start:end]) else JOINED
            strings.append(String("", node.value, start, end, kind))
    return sorted(strings, key=lambda string: string.start)


def _without_fstrings(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a tree; not those of f-strings, whose positions are not exact."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, ast.JoinedStr):
            waiting += ast.iter_child_nodes(node)


def _is_one(raw: str) -> bool:
    """Whether a text is one literal, not several that Python joins."""
    opening = _OPENING.match(raw)
    if opening is None:
        return False
    inside = re.sub(r"\\.", "", raw[opening.end() : -len(opening[1])], flags=re.DOTALL)
    return opening[1] not in inside


def _quote(value: str, string: String, raw: str) -> str:
    opening = _OPENING.match(raw)
    mark = opening[1] if opening is not None else '"'
    prefix = "" if opening is None else re.sub("[rR]", "", opening[0].removesuffix(mark))
    return prefix + mark + value.replace("\\", "\\\\").replace(mark[0], "\\" + mark[0]) + mark


def computed_texts(text: str) -> list[Computed]:
    """Return the f-strings, sums, formats and joined paths of a module, whose value may be a name.

    Raises ValueError for a text with mistakes.
    """
    places, results = Places(text), list[Computed]()
    waiting: list[ast.AST] = [_tree(text)]
    while waiting:
        node = waiting.pop()
        pattern_and_kind = _computed(node) if isinstance(node, ast.expr) else None
        if pattern_and_kind is None or not isinstance(node, ast.expr):
            waiting += ast.iter_child_nodes(node)
            continue
        (start, end), (pattern, what) = places.of(node), pattern_and_kind
        texts = [
            constant.value
            for constant in ast.walk(node)
            if isinstance(constant, ast.Constant) and isinstance(constant.value, str)
        ]
        results.append(Computed(re.compile(pattern, re.DOTALL), "/".join([*texts, ""]), start, end, what))
        if isinstance(node, ast.JoinedStr):  # whole texts in its expressions
            results += [Computed(re.compile(re.escape(constant)), constant, start, end, what) for constant in texts]
    return results


def _computed(node: ast.expr) -> tuple[str, str] | None:
    """Return the pattern of a computed text and what it is, None for anything else."""
    if isinstance(node, ast.JoinedStr):
        return _pattern(node), "an f-string"
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div) and _has_text(node):
        return _pattern(node), "a joined path"
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Mod)) and _has_text(node):
        return _pattern(node), "a computed name"
    if not isinstance(node, ast.Call) or not any(map(_has_text, (node.func, *node.args))):
        return None
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if name == "format" and isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Constant):
        return _formatted(str(node.func.value.value)), "a computed name"
    parts = list(node.args)
    if name == "join" and len(parts) == 1 and isinstance(parts[0], (ast.List, ast.Tuple)):
        parts = parts[0].elts
    if name in ("join", "joinpath", "with_name") or (name in ("Path", "PurePath") and len(parts) > 1):
        return "(?:.*/)?" + _path(parts), "a joined path"
    return None


def _path(parts: list[ast.expr]) -> str:
    """Return the pattern of parts of a path that are joined."""
    *folders, last = map(_pattern, parts)
    return "".join("(?:.*/)?" if each == _ANY else f"{each}/" for each in folders) + last


def _has_text(node: ast.AST) -> bool:
    if isinstance(node, ast.BinOp):
        return _has_text(node.left) or _has_text(node.right)
    if isinstance(node, ast.Call):
        return any(map(_has_text, node.args))
    if isinstance(node, ast.Attribute):
        return _has_text(node.value)
    if isinstance(node, (ast.List, ast.Tuple)):
        return any(map(_has_text, node.elts))
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _pattern(node: ast.AST) -> str:
    """Return a regular expression that matches the possible values of an expression."""
    if isinstance(node, ast.Constant):
        return re.escape(node.value) if isinstance(node.value, str) else _ANY
    if isinstance(node, ast.JoinedStr):
        return "".join(map(_pattern, node.values))
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _pattern(node.left) + _pattern(node.right)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        return _path([node.left, node.right])
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) and isinstance(node.left, ast.Constant):
        return _formatted(str(node.left.value))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) == 1:
        return _pattern(node.args[0])  # Path("images"), str(name)
    return _ANY


def _formatted(text: str) -> str:
    return _ANY.join(re.escape(part) for part in _FORMAT.split(text))


def pattern_of_format(text: str) -> re.Pattern[str]:
    """Return an expression that matches the possible results of a format such as `hit{}.wav` or `hit%s.wav`."""
    return re.compile(_formatted(text), re.DOTALL)


PYTHON = Syntax(_scan, _quote)
"""Modules of a game."""
