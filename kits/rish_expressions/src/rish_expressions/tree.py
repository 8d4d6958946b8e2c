"""Reads the text of an expression with Python's parser and refuses every form that is not part of the language.

Nothing is executed by Python's `eval`. Text, depth and numbers are limited, so that a hostile text can neither hang the
game nor fill its memory.
"""

from __future__ import annotations

import ast
import math
import warnings
from collections.abc import Iterator

from .errors import ExpressionError

MAX_TEXT = 1000
"""The maximum number of characters of an expression."""
MAX_DEPTH = 40
"""The maximum number of nested levels."""
MAX_WHOLE = 2**63
"""The magnitude of whole numbers is below this."""
ELEMENTS = {"x": 0, "y": 1, "z": 2, "w": 3, "r": 0, "g": 1, "b": 2, "a": 3}
"""The names of the numbers of vectors and colors."""

_ALLOWED = (
    ast.BoolOp, ast.And, ast.Or, ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow,
    ast.UnaryOp, ast.Not, ast.UAdd, ast.USub, ast.IfExp, ast.Compare, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt,
    ast.GtE, ast.In, ast.NotIn, ast.Call, ast.Name, ast.Load, ast.Constant, ast.Attribute, ast.Subscript, ast.List,
)  # fmt: skip
_REFUSALS: dict[type[ast.AST], str] = {
    ast.Lambda: "functions can't be defined",
    ast.JoinedStr: "write text(x) instead of an f-string",
    ast.Tuple: "write a list with brackets, [1, 2]",
    ast.NamedExpr: "values can't be assigned",
    ast.Is: "write == instead of `is`",
    ast.IsNot: "write != instead of `is not`",
    ast.Dict: "mappings are not part of the language",
    ast.BitAnd: "write `and` instead of &",
    ast.BitOr: "write `or` instead of |",
    ast.BitXor: "write ** for powers",
    ast.Invert: "write `not` instead of ~",
}
"""The messages for forms of Python that the language does not have."""


def parse(text: str) -> ast.expr:
    """Return the syntax tree of an expression. Raises ExpressionError for a form that is not allowed."""
    line = one_line(text)
    if not line:
        raise ExpressionError("an expression is empty")
    if len(line) > MAX_TEXT:
        raise ExpressionError(f"an expression has at most {MAX_TEXT} characters, this one has {len(line)}")
    if "\\" in line:
        raise ExpressionError("a backslash is not part of the language", line, line.index("\\") + 1)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(line, mode="eval").body
    except SyntaxError as error:
        raise ExpressionError(_syntax_message(line), line, min(error.offset or 1, len(line) + 1)) from None
    except (ValueError, RecursionError, MemoryError, OverflowError):
        raise ExpressionError("this is not an expression", line) from None
    for node, depth, column in _walk(tree, line):
        _check(node, depth, column, line)
    return tree


def one_line(text: str) -> str:
    """Return the text of an expression in one line, as errors show it."""
    return " ".join(text.split()) if "\n" in text or "\r" in text else text.strip()


def _syntax_message(text: str) -> str:
    """Return the message for a text that Python can't parse."""
    for sign, word in (("&&", "and"), ("||", "or")):
        if sign in text:
            return f"write `{word}` instead of {sign}"
    if "=" in text.replace("==", "").replace("<=", "").replace(">=", "").replace("!=", ""):
        return "this is not an expression; write == to compare"
    return "this is not an expression"


def _walk(tree: ast.AST, text: str) -> Iterator[tuple[ast.AST, int, int]]:
    """Yield all nodes with their depth and column; operators have the column of their expression."""
    waiting: list[tuple[ast.AST, int, int]] = [(tree, 1, 1)]
    while waiting:
        node, depth, parent_column = waiting.pop()
        column = column_of(node, text) or parent_column
        yield node, depth, column
        waiting.extend((child, depth + 1, column) for child in ast.iter_child_nodes(node))


def _check(node: ast.AST, depth: int, column: int, text: str) -> None:
    """Raise ExpressionError if a node is not allowed."""
    if depth > MAX_DEPTH:
        raise ExpressionError(f"an expression has at most {MAX_DEPTH} levels", text, column)
    if not isinstance(node, _ALLOWED):
        what = _REFUSALS.get(type(node), f"{type(node).__name__.lower()} is not part of the language")
        raise ExpressionError(what, text, column)
    if isinstance(node, ast.Constant):
        _check_constant(node, text, column)
    elif isinstance(node, ast.Call):
        if not isinstance(node.func, ast.Name):
            raise ExpressionError("only a function's name can be called", text, column)
        if node.keywords:
            raise ExpressionError("arguments have no names here", text, column)


def _check_constant(node: ast.Constant, text: str, column: int) -> None:
    """Raise ExpressionError for a constant that is too large or of another type."""
    value = node.value
    if isinstance(value, float) and not math.isfinite(value):
        raise ExpressionError("this number is too large", text, column)
    if isinstance(value, int) and abs(value) >= MAX_WHOLE:
        raise ExpressionError("this whole number is too large", text, column)
    if value is not None and not isinstance(value, (bool, int, float, str)):
        raise ExpressionError(f"{type(value).__name__} is not part of the language", text, column)


def column_of(node: ast.AST, text: str) -> int:
    """Return the column of a node in characters, from 1; 0 if the node has no place in the text."""
    offset = getattr(node, "col_offset", None)  # in bytes of UTF-8
    if offset is None:
        return 0
    return len(text.encode()[:offset].decode(errors="ignore")) + 1


def chain_of(node: ast.expr) -> tuple[list[str], bool, int | None] | None:
    """Return the names of a path `a.B.c[1]`, whether the first is in quotes, and the index or None.

    None if the node is no path.
    """
    index: int | None = None
    if isinstance(node, ast.Subscript):
        inside = node.slice
        if not isinstance(inside, ast.Constant) or type(inside.value) is not int:
            return None
        index, node = inside.value, node.value
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if isinstance(node, ast.Name):
        return [node.id, *reversed(parts)], False, index
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and parts:
        return [node.value, *reversed(parts)], True, index
    return None
