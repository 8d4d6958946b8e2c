"""The first step of a layout: lists of children, values that mean auto, and heights that do not depend on contents."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import njit

from ..rows import (
    ALIGN,
    ALIVE,
    ASPECT,
    AUTO,
    COLUMN_REVERSE,
    COLUMN_WAY,
    DIRECTION,
    FIELDS,
    FIRST,
    FLAGS,
    GRID,
    HIDDEN,
    HIGH,
    KNOWN,
    LEAST,
    LENGTH,
    LINKS,
    LOW,
    MOST,
    NEXT,
    PARENT,
    PLACE,
    RAW_MOST,
    ROW_REVERSE,
    ROW_WAY,
    SELF,
    SIZE,
    STACK,
    STRETCH,
    WRAP,
    Y,
)
from .lengths import clamped, margin, padding, preferred

Array = Any


@njit(borrows=True)
def prepare(links: Array, work: Array) -> None:
    """Link the children of each node in their order, and replace values that mean auto."""
    count = len(links) // LINKS
    for i in range(count):
        m = i * LINKS
        p = links[m + PARENT]
        if p < 0 or p >= i:
            p = links[m + PARENT] = -1
        links[m + FIRST] = links[m + NEXT] = -1
        links[m + FLAGS] = 0
        links[m + ALIVE] = 1 if links[m + HIDDEN] == 0 and (p < 0 or links[p * LINKS + ALIVE] == 1) else 0
        if links[m + ALIGN] == AUTO:
            links[m + ALIGN] = STRETCH
        if links[m + SELF] == AUTO:
            links[m + SELF] = STRETCH if p < 0 else links[p * LINKS + ALIGN]
        fill(work, i * FIELDS)
    for i in range(count - 1, -1, -1):
        m = i * LINKS
        p = links[m + PARENT]
        if p >= 0 and links[m + ALIVE] == 1 and links[m + PLACE] == 0:
            links[m + NEXT] = links[p * LINKS + FIRST]
            links[p * LINKS + FIRST] = i


@njit(borrows=True)
def fill(work: Array, k: int) -> None:
    """Mark lengths of 0 that mean auto, and bound a length by the bounds of the other one and the aspect."""
    for axis in range(2):
        if work[k + SIZE + axis] <= 0.0:
            work[k + SIZE + axis] = -1.0
        if work[k + LEAST + axis] <= 0.0:
            work[k + LEAST + axis] = -1.0
        if work[k + MOST + axis] <= 0.0:
            work[k + MOST + axis] = np.inf
        work[k + RAW_MOST + axis] = work[k + MOST + axis]
    aspect = work[k + ASPECT]
    if aspect > 0.0:
        low_x, low_y, high_x, high_y = work[k + LEAST], work[k + LEAST + 1], work[k + MOST], work[k + MOST + 1]
        if low_x < 0.0 and low_y >= 0.0:
            work[k + LEAST] = low_y * aspect
        if low_y < 0.0 and low_x >= 0.0:
            work[k + LEAST + 1] = low_x / aspect
        work[k + MOST] = min(high_x, high_y * aspect) if high_x == np.inf else high_x
        work[k + MOST + 1] = min(high_y, high_x / aspect) if high_y == np.inf else high_y


@njit(borrows=True)
def know_heights(links: Array, work: Array, height: float, known_axis: int) -> None:
    """Compute the heights that do not depend on contents; -1 for the others.

    height: of the space of the roots; below 0: unknown. known_axis: Y if the widths are known, else X.
    """
    for i in range(len(links) // LINKS):
        k, p = i * FIELDS, links[i * LINKS + PARENT]
        value = height
        if p >= 0 and links[i * LINKS + PLACE] == 1:
            value = anchored_height(work, k, work[p * FIELDS + KNOWN])
        elif p >= 0:
            value = known_in_flow(links, work, i, p)
        elif preferred(work, k, Y, height) >= 0.0:
            value = preferred(work, k, Y, height)
        if value < 0.0 and work[k + ASPECT] > 0.0:
            width = work[k + LENGTH] if known_axis == Y else work[k + SIZE]
            value = width / work[k + ASPECT] if width >= 0.0 else -1.0
        work[k + KNOWN] = clamped(work, k, Y, value) if value >= 0.0 else -1.0


@njit(borrows=True)
def anchored_height(work: Array, k: int, parent_length: float) -> float:
    """Return the height of an anchored node in a parent of a known height, or -1."""
    value = preferred(work, k, Y, parent_length)
    if value < 0.0 and parent_length >= 0.0 and work[k + HIGH + 1] > work[k + LOW + 1]:
        value = max(0.0, (work[k + HIGH + 1] - work[k + LOW + 1]) * parent_length - margin(work, k, Y))
    return value


@njit(borrows=True)
def known_in_flow(links: Array, work: Array, i: int, p: int) -> float:
    """Return the height of a node in the flow of a parent, or -1."""
    k, direction, inner = i * FIELDS, links[p * LINKS + DIRECTION], -1.0
    parent_length = work[p * FIELDS + KNOWN]
    if parent_length >= 0.0 and direction != GRID:
        inner = max(0.0, parent_length - padding(work, p * FIELDS, Y))
    value = preferred(work, k, Y, inner)
    if value >= 0.0 or inner < 0.0 or links[i * LINKS + SELF] != STRETCH:
        return value
    single = main_axis(direction) == 0 and links[p * LINKS + WRAP] == 0
    if single or direction == STACK:
        return max(0.0, inner - margin(work, k, Y))
    return -1.0


@njit(borrows=True)
def main_axis(direction: int) -> int:
    """Return the axis in which a flex container places its children; -1 for grids and stacks."""
    if direction in (ROW_WAY, ROW_REVERSE):
        return 0
    return 1 if direction in (COLUMN_WAY, COLUMN_REVERSE) else -1
