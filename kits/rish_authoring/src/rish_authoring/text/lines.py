"""Finds the lines of an item in a block collection: its text, and the comments before it and in it."""

from __future__ import annotations

from .nodes import Node


def line_start(text: str, at: int) -> int:
    """Return the position of the first character of the line at a position."""
    return text.rfind("\n", 0, at) + 1


def line_end(text: str, at: int) -> int:
    """Return the position after the line at a position, including its newline."""
    newline = text.find("\n", at)
    return len(text) if newline < 0 else newline + 1


def column_of(text: str, at: int) -> int:
    """Return the column of a position, from 0."""
    return at - line_start(text, at)


def head(text: str, node: Node, start: int, index: int) -> int:
    """Return the position of an item's key or dash. node: a block collection. start: its position."""
    if node.kind == "map":
        return start + node.keys[index].start
    if not index:
        return start
    return dash(text, start + node.items[index].start, column_of(text, start))


def dash(text: str, at: int, column: int) -> int:
    """Return the position of the dash of the item that begins at `at`, in a list at a column."""
    line = line_start(text, at)
    while text[line + column : line + column + 1] != "-" or text[line : line + column].strip():
        line = line_start(text, line - 1)
    return line + column


def is_clean(text: str, at: int) -> bool:
    """Return whether there are only spaces before a position in its line."""
    return not text[line_start(text, at) : at].strip()


def begin(text: str, node: Node, start: int, index: int) -> int:
    """Return the position of an item's first line, including the comment lines directly before it."""
    at = head(text, node, start, index)
    column, line = column_of(text, at), line_start(text, at)
    while line:
        above = line_start(text, line - 1)
        line_text = text[above:line]
        if not line_text.lstrip().startswith("#") or len(line_text) - len(line_text.lstrip()) != column:
            break
        line = above
    return line


def end(text: str, node: Node, start: int, index: int) -> int:
    """Return the position after an item's last line, including the deeper comment lines directly after it."""
    item = node.items[index]
    column = column_of(text, head(text, node, start, index))
    at = line_end(text, start + item.start + item.size)
    while at < len(text):
        line_text = text[at : line_end(text, at)]
        if not line_text.lstrip().startswith("#") or len(line_text) - len(line_text.lstrip()) <= column:
            break
        at = line_end(text, at)
    return at


def indented_to(lines: str, column: int, old_column: int) -> str:
    """Return lines with another indentation; blank lines are unchanged.

    column: the new column of the first line. old_column: its present column.
    """
    shift = column - old_column
    moved: list[str] = []
    for line in lines.splitlines(keepends=True):
        if not line.strip():
            moved.append(line)
        elif shift >= 0:
            moved.append(" " * shift + line)
        else:
            moved.append(line[min(-shift, len(line) - len(line.lstrip(" "))) :])
    return "".join(moved)
