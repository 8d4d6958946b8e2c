"""The second pass: the heights of contents, from the leaves up; then all heights and places, from the roots down."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import njit

from ..rows import (
    ALIVE,
    ASCENT,
    ASPECT,
    AT,
    BASELINE,
    BASIS,
    CELL,
    CONTENT_HEIGHT,
    DEFINITE,
    DIRECTION,
    EXTENT,
    FIELDS,
    FIRST,
    FLAGS,
    GAP,
    GRID,
    KNOWN,
    LENGTH,
    LINE,
    LINKS,
    MAXIMAL,
    MINIMAL,
    MOST,
    NEXT,
    ON_BASELINE,
    OUTER_HEIGHT,
    PADDING,
    PARENT,
    PLACE,
    SCROLL,
    SELF,
    SHARE,
    SIZE,
    SPARE,
    STRETCH,
    WRAP,
    X,
    Y,
)
from .flex import place_along, share_out
from .grid import size_rows
from .lengths import automatic_least, bounded, clamped, fitted, flex_base, margin, padding, wanted
from .places import aligned, ascent, line_ascent, line_cross, place_across, place_in_cell, stretched_height
from .prepare import anchored_height, main_axis
from .widths import across

Array = Any


@njit(borrows=True)
def want_heights(links: Array, work: Array, tracks: Array) -> None:
    """Compute the heights of the contents of all nodes, and their baselines."""
    for i in range(len(links) // LINKS - 1, -1, -1):
        if links[i * LINKS + ALIVE] == 1:
            want_height(links, work, tracks, i)
            p = links[i * LINKS + PARENT]
            if p >= 0:
                # Shares of a height do not count for the content of the parent, so that it depends on nothing above.
                natural_height(links, work, i, -1.0)
                in_column = main_axis(links[p * LINKS + DIRECTION]) == Y
                if in_column:
                    work[i * FIELDS + OUTER_HEIGHT] = least_aim(links, work, i, -1.0)
                spare_height(links, work, i, in_column)


@njit(borrows=True)
def least_aim(links: Array, work: Array, j: int, parent_length: float) -> float:
    """Return the height with margins that an item adds to a column: the one from which it grows or shrinks."""
    k = j * FIELDS
    floor, base = automatic_least(links, work, j, Y, parent_length), flex_base(work, k, Y, parent_length)
    return bounded(work, k, Y, base, floor, work[k + MOST + 1]) + margin(work, k, Y)


@njit(borrows=True)
def spare_height(links: Array, work: Array, j: int, in_column: bool) -> None:
    """Compute by how much an item can be lower than its content. in_column: whether its parent is a column."""
    k = j * FIELDS
    work[k + SPARE] = 0.0
    if work[k + MINIMAL + 1] == work[k + MAXIMAL + 1] or wanted(work, k, Y, -1.0) >= 0.0:
        return
    if not in_column or work[k + BASIS] < 0.0:
        low, high = work[k + MINIMAL + 1], work[k + MAXIMAL + 1]
        work[k + SPARE] = max(0.0, clamped(work, k, Y, high) - clamped(work, k, Y, low))


@njit(borrows=True)
def find_heights(links: Array, work: Array, tracks: Array) -> None:
    """Compute the heights of all nodes from those of their contents, and place them in their parents."""
    for i in range(len(links) // LINKS):
        k, m, p = i * FIELDS, i * LINKS, links[i * LINKS + PARENT]
        if links[m + ALIVE] == 0:
            work[k + LENGTH + 1] = work[k + AT] = work[k + AT + 1] = 0.0
            continue
        if p < 0 or links[m + PLACE] == 1:
            value, space = work[k + KNOWN], np.inf
            if p >= 0:
                parent_length = work[p * FIELDS + LENGTH + 1]
                value, space = anchored_height(work, k, parent_length), parent_length - margin(work, k, Y)
            links[m + DEFINITE] = 1 if value >= 0.0 or work[k + ASPECT] > 0.0 else 0
            own_height(work, k, value, space)
            work[k + AT] = work[k + AT + 1] = 0.0
        elif work[k + SHARE + 1] > 0.0 and work[k + SIZE + 1] < 0.0 and links[p * LINKS + DIRECTION] != GRID:
            links[m + FLAGS] |= 2 if links[p * LINKS + DEFINITE] == 0 else 0
        if links[m + FIRST] >= 0:
            give_heights(links, work, tracks, i)


@njit(borrows=True)
def own_height(work: Array, k: int, value: float, space: float) -> None:
    """Set a height; below 0: the one that follows from the aspect, or from the content and the space for it."""
    if value < 0.0:
        value = wanted(work, k, Y, -1.0)
    if value < 0.0:
        value = fitted(work, k, Y, space)
    work[k + LENGTH + 1] = clamped(work, k, Y, value)


@njit(borrows=True)
def natural_height(links: Array, work: Array, j: int, parent_length: float) -> None:
    """Give a node the height that it has if it is neither stretched nor flexed.

    parent_length: the height of which its share is a fraction; below 0: unknown.
    """
    value = wanted(work, j * FIELDS, Y, parent_length)
    links[j * LINKS + DEFINITE] = 1 if value >= 0.0 else 0
    own_height(work, j * FIELDS, value, np.inf)


@njit(borrows=True)
def want_height(links: Array, work: Array, tracks: Array, i: int) -> None:
    """Compute the height of a node's content, its minimum, and its baseline."""
    k, m = i * FIELDS, i * LINKS
    inner = max(0.0, work[k + KNOWN] - padding(work, k, Y)) if work[k + KNOWN] >= 0.0 else -1.0
    axis, pads = main_axis(links[m + DIRECTION]), padding(work, k, Y)
    total = min_height = content_height(links, work, tracks, i, axis)
    j, can_shrink = links[m + FIRST], False
    while j >= 0 and axis != Y:
        can_shrink = can_shrink or work[j * FIELDS + SPARE] > 0.0
        work[j * FIELDS + LENGTH + 1] -= work[j * FIELDS + SPARE]
        j = links[j * LINKS + NEXT]
    if can_shrink:
        min_height = content_height(links, work, tracks, i, axis)
    j = links[m + FIRST]
    while j >= 0 and (can_shrink or axis == Y):
        if axis == Y:
            min_height -= work[j * FIELDS + SPARE]
        else:
            natural_height(links, work, j, -1.0)
        j = links[j * LINKS + NEXT]
    work[k + EXTENT + 1] = total
    work[k + MAXIMAL + 1] = max(total, 0.0) + pads
    work[k + MINIMAL + 1] = pads if links[m + SCROLL] & 2 else max(min_height, 0.0) + pads
    work[k + ASCENT] = baseline(links, work, i, axis, inner)


@njit(borrows=True)
def content_height(links: Array, work: Array, tracks: Array, i: int, axis: int) -> float:
    """Return the height of a node's content. axis: its main axis."""
    k, m, total, count = i * FIELDS, i * LINKS, 0.0, 0
    direction, j = links[m + DIRECTION], links[m + FIRST]
    if j < 0:
        return max(0.0, work[k + CONTENT_HEIGHT])
    if direction == GRID:
        return size_rows(links, work, tracks, i, -1.0)
    while j >= 0:
        gap = work[k + GAP + 1] if count > 0 else 0.0
        if axis == 0:
            total += line_cross(links, work, j, Y) + gap
            line = links[j * LINKS + LINE]
            while j >= 0 and links[j * LINKS + LINE] == line:
                j = links[j * LINKS + NEXT]
        elif axis == 1:
            total += work[j * FIELDS + OUTER_HEIGHT] + gap
            j = links[j * LINKS + NEXT]
        else:
            total = max(total, work[j * FIELDS + LENGTH + 1] + margin(work, j * FIELDS, Y))
            j = links[j * LINKS + NEXT]
        count += 1
    return total


@njit(borrows=True)
def baseline(links: Array, work: Array, i: int, axis: int, parent_length: float) -> float:
    """Return the distance from the top of a node to its first baseline; -1 if it has none."""
    k, j = i * FIELDS, links[i * LINKS + FIRST]
    top = work[k + PADDING + 1]
    if j < 0:
        return top + work[k + BASELINE] if work[k + BASELINE] >= 0.0 else -1.0
    if axis != 0:
        return top + ascent(work, j * FIELDS)
    # In a row: that of the first item that is aligned at its baseline, otherwise of the first item.
    line, first = links[j * LINKS + LINE], j
    while j >= 0 and links[j * LINKS + LINE] == line:
        if links[j * LINKS + SELF] == ON_BASELINE:
            return top + line_ascent(links, work, first)
        j = links[j * LINKS + NEXT]
    cross = line_cross(links, work, first, Y)
    if parent_length >= 0.0 and links[i * LINKS + WRAP] == 0:
        cross = parent_length
    if links[first * LINKS + SELF] == STRETCH:
        stretched_height(links, work, first, cross)
    free = cross - work[first * FIELDS + LENGTH + 1] - margin(work, first * FIELDS, Y)
    return top + ascent(work, first * FIELDS) + aligned(links[first * LINKS + SELF], free)


@njit(borrows=True)
def give_heights(links: Array, work: Array, tracks: Array, i: int) -> None:
    """Compute the heights of the children in the flow of a node, and place them."""
    k, m = i * FIELDS, i * LINKS
    direction, axis = links[m + DIRECTION], main_axis(links[m + DIRECTION])
    visible = max(0.0, work[k + LENGTH + 1] - padding(work, k, Y))
    width = max(0.0, work[k + LENGTH] - padding(work, k, X))
    inner = max(visible, work[k + EXTENT + 1]) if links[m + SCROLL] & 2 else visible
    if links[m + SCROLL] & 1:
        width = max(width, work[k + EXTENT])
    if links[m + DEFINITE] == 0:
        visible = -1.0
    j = links[m + FIRST]
    while j >= 0:
        natural_height(links, work, j, -1.0 if direction == GRID else visible)
        j = links[j * LINKS + NEXT]
    if axis == 1:
        share_out(links, work, i, Y, inner, visible)
        if links[m + DEFINITE] == 1:
            j = links[m + FIRST]
            while j >= 0:
                links[j * LINKS + DEFINITE] = 1
                j = links[j * LINKS + NEXT]
        place_along(links, work, i, Y, inner)
        place_across(links, work, i, X, width)
    elif axis == 0:
        place_along(links, work, i, X, width)
        place_across(links, work, i, Y, inner)
    else:
        if direction == GRID:
            size_rows(links, work, tracks, i, inner)
        j = links[m + FIRST]
        while j >= 0:
            if direction != GRID:
                work[j * FIELDS + CELL] = work[j * FIELDS + CELL + 1] = 0.0
                work[j * FIELDS + CELL + 2], work[j * FIELDS + CELL + 3] = width, inner
            place_in_cell(links, work, j, i, across(links, j, i))
            j = links[j * LINKS + NEXT]
