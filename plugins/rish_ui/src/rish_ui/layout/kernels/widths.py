"""The first pass: the widths of contents, from the leaves up, then all widths, from the roots down."""

from __future__ import annotations

from typing import Any

from rish_jit import njit

from ..rows import (
    ALIGN_CENTER,
    ALIGN_END,
    ALIGN_START,
    ALIVE,
    BASIS,
    CELL,
    CENTER,
    CONTENT_LEAST,
    CONTENT_WIDTH,
    DIRECTION,
    END,
    EXTENT,
    FIELDS,
    FIRST,
    FITTED,
    FLAGS,
    GAP,
    GRID,
    GROW,
    HIGH,
    JUSTIFY,
    LEAST,
    LENGTH,
    LINKS,
    LOW,
    MAXIMAL,
    MINIMAL,
    NEXT,
    ON_BASELINE,
    OUTER,
    PARENT,
    PLACE,
    RAW_MOST,
    SCROLL,
    SELF,
    SHARE,
    SIZE,
    STACK,
    START,
    STRETCH,
    WRAP,
    X,
)
from .flex import share_out
from .grid import grid_content, place_in_grid, size_columns
from .lengths import bounded, clamped, contribution, fitted, least_in_cell, margin, padding, wanted
from .prepare import main_axis

Array = Any


@njit(borrows=True)
def want_widths(links: Array, work: Array, shares: Array, tracks: Array) -> None:
    """Compute the minimum and preferred widths of the contents of all nodes."""
    for i in range(len(links) // LINKS - 1, -1, -1):
        if links[i * LINKS + ALIVE] == 1:
            want_width(links, work, shares, tracks, i)


@njit(borrows=True)
def find_widths(links: Array, work: Array, shares: Array, tracks: Array, width: float) -> None:
    """Compute the widths of all nodes. width: of the space of the roots; below 0: as large as the content."""
    for i in range(len(links) // LINKS):
        k, m = i * FIELDS, i * LINKS
        if links[m + ALIVE] == 0:
            work[k + LENGTH] = 0.0
            continue
        p = links[m + PARENT]
        if p < 0:
            value = wanted(work, k, X, width)
            if value < 0.0:
                value = width if width >= 0.0 else work[k + MAXIMAL]
            links[m + FITTED] = 1 if width < 0.0 and work[k + SIZE] < 0.0 else 0
            work[k + LENGTH] = clamped(work, k, X, value)
        elif links[m + PLACE] == 1:
            root = p
            while links[root * LINKS + PARENT] >= 0:
                root = links[root * LINKS + PARENT]
            anchored_width(links, work, i, work[p * FIELDS + LENGTH], work[root * FIELDS + LENGTH])
        if p >= 0 and work[k + SHARE] > 0.0 and work[k + SIZE] < 0.0 and links[p * LINKS + FITTED] == 1:
            links[m + FLAGS] |= 1
        if links[m + FIRST] >= 0:
            give_widths(links, work, shares, tracks, i)


@njit(borrows=True)
def want_width(links: Array, work: Array, shares: Array, tracks: Array, i: int) -> None:
    """Compute the minimum and the preferred width of a node from its children or its content."""
    k, m = i * FIELDS, i * LINKS
    low, high, room, direction = 0.0, 0.0, 0.0, links[m + DIRECTION]
    j = links[m + FIRST]
    if j < 0:
        low = work[k + CONTENT_LEAST]
        high = max(low, work[k + CONTENT_WIDTH])
    elif direction == GRID:
        place_in_grid(links, work, tracks, i)
        low, high = grid_content(links, work, shares, tracks, i)
    else:
        row, axis, count = main_axis(direction) == 0, main_axis(direction), 0
        wraps = links[m + WRAP] == 1
        while j >= 0:
            min_width, preferred = work[j * FIELDS + OUTER], work[j * FIELDS + OUTER + 1]
            gap = work[k + GAP] if row and count > 0 else 0.0
            low = low + min_width + gap if row and not wraps else max(low, min_width)
            high = high + preferred + gap if row else max(high, preferred)
            count += 1
            j = links[j * LINKS + NEXT]
    room = low if direction == GRID or links[m + WRAP] == 1 else high
    high = max(low, high)
    work[k + EXTENT] = room
    pads = padding(work, k, X)
    work[k + MINIMAL] = pads if links[m + SCROLL] & 1 else low + pads
    work[k + MAXIMAL] = max(high + pads, pads)
    p = links[m + PARENT]
    if p >= 0:
        axis = main_axis(links[p * LINKS + DIRECTION])
        for s in range(2):
            work[k + OUTER + s] = contribution(links, work, i, X, work[k + MINIMAL + 2 * s], -1.0, axis)
        if links[p * LINKS + DIRECTION] == GRID:
            work[k + OUTER] = least_in_cell(links, work, i)


@njit(borrows=True)
def anchored_width(links: Array, work: Array, i: int, parent_length: float, root: float) -> None:
    """Compute the width of an anchored node in a parent of a known width."""
    k = i * FIELDS
    value = wanted(work, k, X, parent_length)
    links[i * LINKS + FITTED] = 0
    if value < 0.0 and work[k + HIGH] > work[k + LOW]:
        value = max(0.0, (work[k + HIGH] - work[k + LOW]) * parent_length - margin(work, k, X))
    elif value < 0.0:
        links[i * LINKS + FITTED] = 1
        value = fitted(work, k, X, max(parent_length, root) - margin(work, k, X))
    work[k + LENGTH] = clamped(work, k, X, value)


@njit(borrows=True)
def give_widths(links: Array, work: Array, shares: Array, tracks: Array, i: int) -> None:
    """Compute the widths of the children in the flow of a node."""
    k, m = i * FIELDS, i * LINKS
    visible = max(0.0, work[k + LENGTH] - padding(work, k, X))
    inner, direction = visible, links[m + DIRECTION]
    if links[m + SCROLL] & 1:
        inner = max(inner, work[k + EXTENT])
    axis, j = main_axis(direction), links[m + FIRST]
    if axis == 0:
        share_out(links, work, i, X, inner, visible)
        while j >= 0:
            sized = wanted(work, j * FIELDS, X, visible) >= 0.0 or work[j * FIELDS + BASIS] >= 0.0
            links[j * LINKS + FITTED] = 0 if sized or work[j * FIELDS + GROW] > 0.0 else 1
            j = links[j * LINKS + NEXT]
        return
    if direction == GRID:
        size_columns(links, work, shares, tracks, i, inner)
    while j >= 0:
        cell = work[j * FIELDS + CELL + 2] if direction == GRID else inner
        cross_width(links, work, j, cell, cell if direction == GRID else visible, across(links, j, i))
        j = links[j * LINKS + NEXT]


@njit(borrows=True)
def cross_width(links: Array, work: Array, j: int, inner: float, parent_length: float, align: int) -> None:
    """Compute the width of an item of a column, a stack or a cell of a grid."""
    k = j * FIELDS
    value = wanted(work, k, X, parent_length)
    space = max(0.0, inner - margin(work, k, X))
    links[j * LINKS + FITTED] = 0
    if value >= 0.0:
        value = clamped(work, k, X, value)
    elif align == STRETCH:
        value = bounded(work, k, X, space, work[k + LEAST], work[k + RAW_MOST])
    else:
        links[j * LINKS + FITTED] = 1
        value = clamped(work, k, X, fitted(work, k, X, space))
    work[k + LENGTH] = value


@njit(borrows=True)
def across(links: Array, j: int, p: int) -> int:
    """Return how an item is aligned horizontally in a column, a stack or a cell of a grid."""
    direction, justify, align = links[p * LINKS + DIRECTION], links[p * LINKS + JUSTIFY], links[j * LINKS + SELF]
    if direction == STACK and justify != START:
        return ALIGN_CENTER if justify == CENTER else (ALIGN_END if justify == END else ALIGN_START)
    if direction == GRID:
        return STRETCH
    if direction == STACK:
        return STRETCH if align == ON_BASELINE else align
    if align == ON_BASELINE or (align == STRETCH and links[p * LINKS + WRAP] == 1):
        return ALIGN_START
    return align
