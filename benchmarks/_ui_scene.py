"""The widgets of the benchmark `ui`: rows of twenty with texts of several lengths, below each other."""

from __future__ import annotations

COUNT, IN_ROW = 1000, 20
WIDTH, HEIGHT = 1280.0, 4000.0
GAP, PADDING, LINE = 4.0, 3.0, 14.0


def parent_of(i: int) -> int:
    """Return the row of the parent of a widget; -1 for the root."""
    return -1 if i == 0 else (0 if (i - 1) % IN_ROW == 0 else i - (i - 1) % IN_ROW)


def text_of(i: int) -> tuple[float, float]:
    """Return the narrowest width of the text of a widget, and its width in one line."""
    return 20.0 + i % 7, 40.0 + 5 * (i % 11)


def grow_of(i: int) -> float:
    """Return the share of free space that a widget takes."""
    return 1.0 if i % 3 == 0 else 0.0


WIDE, HIGH, LIST_HIGH = 1280, 8000, 720
"""The picture shows all widgets of a screen, and a part of the list."""
SMALL, ROWS, LIST = 100, 200, 10_000
"""Rows of a small and of a large screen, each a container with a label, a button, a switch and a slider; and of a list.
"""
BARS = 200
"""Health bars in the world."""
_WORDS = ("Iron sword", "Health", "Oil", "Old map of the northern caves", "Key", "Bread and cheese")


def label_of(k: int) -> str:
    """Return a text; neighbors have different lengths."""
    return f"{_WORDS[k % len(_WORDS)]} {k}"
