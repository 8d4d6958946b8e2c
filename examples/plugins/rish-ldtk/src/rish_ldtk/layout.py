"""Computes the positions of levels: those of linear layouts are not in the file, and those of several worlds
overlap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .model import Level, bounds_of

GAP = 256
"""Pixels between two worlds."""


def laid_out(levels: Sequence[Level], layout: str) -> list[Level]:
    """Return the levels of a world at their places; in a linear layout one after the other, in the file's order."""
    if layout not in ("LinearHorizontal", "LinearVertical"):
        return list(levels)
    placed: list[Level] = []
    at = 0
    for level in levels:
        is_horizontal = layout == "LinearHorizontal"
        placed.append(replace(level, x=at if is_horizontal else 0, y=0 if is_horizontal else at))
        at += level.width if is_horizontal else level.height
    return placed


def side_by_side(worlds: Sequence[tuple[str, Sequence[Level]]]) -> list[Level]:
    """Return the levels of all worlds, by name; if there are several, from left to right with a gap between them."""
    if len(worlds) == 1:
        return list(worlds[0][1])
    placed: list[Level] = []
    at = 0
    for name, levels in worlds:
        left, top, right, _ = bounds_of(levels)
        placed += [replace(level, world=name, x=level.x - left + at, y=level.y - top) for level in levels]
        at += right - left + GAP
    return placed
