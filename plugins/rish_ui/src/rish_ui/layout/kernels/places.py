"""Places across the direction of a container, in cells, at anchors; and from relative places to rectangles."""

from __future__ import annotations

from typing import Any

from rish_jit import njit

from ..rows import (
    ALIGN_CENTER,
    ALIGN_END,
    ALIVE,
    ASCENT,
    ASPECT,
    AT,
    CELL,
    DEFINITE,
    DIRECTION,
    FIELDS,
    FIRST,
    GAP,
    GRID,
    HIGH,
    LEAST,
    LENGTH,
    LINE,
    LINES,
    LINKS,
    LOW,
    MARGIN,
    NEXT,
    OFFSET,
    ON_BASELINE,
    ORIGIN,
    PADDING,
    PARENT,
    PIVOT,
    PLACE,
    RAW_MOST,
    SELF,
    SPARE,
    STRETCH,
    WRAP,
    Y,
)
from .flex import spacing
from .lengths import bounded, clamped, margin, preferred

Array = Any


@njit(borrows=True)
def ascent(work: Array, k: int) -> float:
    """Return the distance from the top of a node's margin to its baseline, which is its bottom if it has none."""
    return work[k + MARGIN + 1] + (work[k + ASCENT] if work[k + ASCENT] >= 0.0 else work[k + LENGTH + 1])


@njit(borrows=True)
def line_ascent(links: Array, work: Array, first: int) -> float:
    """Return the greatest ascent of the items of a line that are aligned at their baselines."""
    j, line, greatest = first, links[first * LINKS + LINE], 0.0
    any_aligned = False
    while j >= 0 and links[j * LINKS + LINE] == line:
        if links[j * LINKS + SELF] == ON_BASELINE:
            value = ascent(work, j * FIELDS)
            greatest = max(greatest, value) if any_aligned else value
            any_aligned = True
        j = links[j * LINKS + NEXT]
    return greatest


@njit(borrows=True)
def line_cross(links: Array, work: Array, first: int, axis: int) -> float:
    """Return the size of a line across its direction: of its largest item, baselines on one height."""
    j, line = first, links[first * LINKS + LINE]
    top, largest = line_ascent(links, work, first), 0.0
    while j >= 0 and links[j * LINKS + LINE] == line:
        k = j * FIELDS
        outer = work[k + LENGTH + axis] + margin(work, k, axis)
        if axis == 1 and links[j * LINKS + SELF] == ON_BASELINE:
            outer += top - ascent(work, k)
        largest = max(largest, outer)
        j = links[j * LINKS + NEXT]
    return largest


@njit(borrows=True)
def aligned(align: int, free: float) -> float:
    """Return the offset of an item in a space that is longer than the item by `free`."""
    return free / 2.0 if align == ALIGN_CENTER else (free if align == ALIGN_END else 0.0)


@njit(borrows=True)
def place_across(links: Array, work: Array, p: int, axis: int, inner: float) -> None:
    """Place the lines of a flex container, and their items across its direction; rows stretch theirs."""
    row, m = p * FIELDS, p * LINKS
    wrap = links[m + WRAP] == 1
    cursor, between, gap = 0.0, 0.0, work[row + GAP + axis]
    if wrap:
        j, count, free = links[m + FIRST], 0, inner
        while j >= 0:
            free -= line_cross(links, work, j, axis) + (gap if count > 0 else 0.0)
            count, line = count + 1, links[j * LINKS + LINE]
            while j >= 0 and links[j * LINKS + LINE] == line:
                j = links[j * LINKS + NEXT]
        cursor, between = spacing(links[m + LINES], free, count)
    j = links[m + FIRST]
    while j >= 0:
        cross = line_cross(links, work, j, axis) if wrap else inner
        top, line = line_ascent(links, work, j) if axis == 1 else 0.0, links[j * LINKS + LINE]
        while j >= 0 and links[j * LINKS + LINE] == line:
            k, align = j * FIELDS, links[j * LINKS + SELF]
            if axis == 1:
                height_across(links, work, j, cross)
            begin = aligned(align, cross - work[k + LENGTH + axis] - margin(work, k, axis))
            if axis == 1 and align == ON_BASELINE:
                begin = top - ascent(work, k)
            work[k + AT + axis] = work[row + PADDING + axis] + cursor + work[k + MARGIN + axis] + begin
            j = links[j * LINKS + NEXT]
        cursor += cross + gap + between


@njit(borrows=True)
def stretched_height(links: Array, work: Array, j: int, space: float) -> None:
    """Stretch an item without a height of its own over a space."""
    k = j * FIELDS
    # A share of an unknown height is auto, but not stretched.
    if preferred(work, k, Y, space) < 0.0:
        free = max(0.0, space - margin(work, k, Y))
        work[k + LENGTH + 1] = bounded(work, k, Y, free, work[k + LEAST + 1], work[k + RAW_MOST + 1])
        links[j * LINKS + DEFINITE] = 1


@njit(borrows=True)
def height_across(links: Array, work: Array, j: int, space: float) -> None:
    """Stretch an item over a space, or shrink its scrolling children until it fits."""
    k = j * FIELDS
    if links[j * LINKS + SELF] == STRETCH:
        stretched_height(links, work, j, space)
    elif work[k + SPARE] > 0.0 and preferred(work, k, Y, space) < 0.0:
        height = work[k + LENGTH + 1]
        work[k + LENGTH + 1] = max(height - work[k + SPARE], min(height, space - margin(work, k, Y)))


@njit(borrows=True)
def place_in_cell(links: Array, work: Array, j: int, p: int, align: int) -> None:
    """Place an item in its cell of a grid or in a stack; align: horizontally."""
    k, row, align_self = j * FIELDS, p * FIELDS, links[j * LINKS + SELF]
    high = work[k + CELL + 3]
    if links[p * LINKS + DIRECTION] == GRID and preferred(work, k, Y, high) >= 0.0:
        work[k + LENGTH + 1] = clamped(work, k, Y, preferred(work, k, Y, high))
        links[j * LINKS + DEFINITE] = 1
    if align_self != STRETCH or work[k + ASPECT] <= 0.0:
        height_across(links, work, j, high)
    for axis in range(2):
        free = work[k + CELL + 2 + axis] - work[k + LENGTH + axis] - margin(work, k, axis)
        begin = work[row + PADDING + axis] + work[k + CELL + axis] + work[k + MARGIN + axis]
        work[k + AT + axis] = begin + aligned(align if axis == 0 else align_self, free)


@njit(borrows=True)
def place_anchored(work: Array, k: int, row: int) -> None:
    """Place a node at its anchors in its parent, whose row is given."""
    for axis in range(2):
        parent_length, length = work[row + LENGTH + axis], work[k + LENGTH + axis]
        begin = work[k + LOW + axis] * parent_length + work[k + MARGIN + axis]
        end = work[k + HIGH + axis] * parent_length - work[k + MARGIN + 2 + axis]
        if work[k + HIGH + axis] > work[k + LOW + axis]:
            end = max(begin, end)
        work[k + AT + axis] = begin + (end - begin - length) * work[k + PIVOT + axis] + work[k + OFFSET + axis]


@njit(borrows=True)
def find_places(links: Array, work: Array, mirrored: bool) -> None:
    """Compute the places of all nodes from the top left of their roots.

    mirrored: left and right are exchanged.
    """
    for i in range(len(links) // LINKS):
        k, p = i * FIELDS, links[i * LINKS + PARENT]
        x, y = 0.0, 0.0
        if links[i * LINKS + ALIVE] == 1 and p >= 0:
            row = p * FIELDS
            if links[i * LINKS + PLACE] == 1:
                place_anchored(work, k, row)
            x, y = work[k + AT], work[k + AT + 1]
            if mirrored:
                x = work[row + LENGTH] - x - work[k + LENGTH]
            x, y = x + work[row + ORIGIN], y + work[row + ORIGIN + 1]
        work[k + ORIGIN], work[k + ORIGIN + 1] = x, y
