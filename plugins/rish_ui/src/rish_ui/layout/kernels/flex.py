"""Flex containers in one axis: lines, growing and shrinking (CSS Flexbox 9.3 and 9.7), and the free space between."""

from __future__ import annotations

from typing import Any

from rish_jit import njit

from ..rows import (
    AIM,
    AROUND,
    AT,
    BASE,
    BETWEEN,
    CEILING,
    CENTER,
    COLUMN_REVERSE,
    DIRECTION,
    END,
    EVENLY,
    FIELDS,
    FIRST,
    FLOOR,
    FROZEN,
    GAP,
    GROW,
    JUSTIFY,
    LENGTH,
    LINE,
    LINKS,
    MARGIN,
    MOST,
    NEXT,
    PADDING,
    ROW_REVERSE,
    SHRINK,
    WRAP,
    X,
)
from .lengths import automatic_least, bounded, flex_base, margin, padding

Array = Any
SLACK = 1e-3
"""The excess length, px, up to which an item still fits into a line, because shares of float32 do not add up
exactly."""


@njit(borrows=True)
def share_out(links: Array, work: Array, p: int, axis: int, inner: float, parent_length: float) -> None:
    """Break the items of a flex container into lines, and compute their lengths along its direction.

    inner: the length inside the padding. parent_length: the length of which `share` is a fraction; below 0: unknown.
    """
    gap = work[p * FIELDS + GAP + axis]
    wrap = links[p * LINKS + WRAP] == 1
    j, line, used, count = links[p * LINKS + FIRST], X, 0.0, 0
    first = j
    while j >= 0:
        k = j * FIELDS
        base = flex_base(work, k, axis, parent_length)
        floor, ceiling = automatic_least(links, work, j, axis, parent_length), work[k + MOST + axis]
        aim = bounded(work, k, axis, base, floor, ceiling)
        work[k + BASE], work[k + FLOOR], work[k + CEILING], work[k + AIM] = base, floor, ceiling, aim
        outer = aim + margin(work, k, axis)
        if count > 0 and wrap and used + gap + outer > inner + SLACK:
            flex_line(links, work, first, line, axis, (inner, gap))
            first, line, used, count = j, line + 1, 0.0, 0
        used += outer + (gap if count > 0 else 0.0)
        count += 1
        links[j * LINKS + LINE] = line
        links[j * LINKS + FROZEN] = 0
        j = links[j * LINKS + NEXT]
        if j >= 0:
            links[j * LINKS + LINE] = -1
    if first >= 0:
        flex_line(links, work, first, line, axis, (inner, gap))


@njit(borrows=True)
def flex_line(links: Array, work: Array, first: int, line: int, axis: int, space: tuple[float, float]) -> None:
    """Compute the lengths of the items of a line from their hypothetical ones (CSS Flexbox 9.7).

    first: the first item of the line. space: the length of the line, and the gap between items.
    """
    inner, gap = space
    j, count, outer, bases = first, 0, 0.0, 0.0
    while j >= 0 and links[j * LINKS + LINE] == line:
        k = j * FIELDS
        outer += work[k + AIM] + margin(work, k, axis)
        count += 1
        j = links[j * LINKS + NEXT]
    inner -= gap * (count - 1)
    grows = outer < inner
    factor = GROW if grows else SHRINK
    j = first
    while j >= 0 and links[j * LINKS + LINE] == line:
        k = j * FIELDS
        base, aim = work[k + BASE], work[k + AIM]
        if work[k + factor] == 0.0 or (base > aim if grows else base < aim):
            links[j * LINKS + FROZEN] = 1
        bases += (aim if links[j * LINKS + FROZEN] == 1 else base) + margin(work, k, axis)
        j = links[j * LINKS + NEXT]
    initial = inner - bases
    for _ in range(count):
        if not flex_round(links, work, (first, line, axis), factor, inner, initial):
            break
    j = first
    while j >= 0 and links[j * LINKS + LINE] == line:
        work[j * FIELDS + LENGTH + axis] = work[j * FIELDS + AIM]
        j = links[j * LINKS + NEXT]


@njit(borrows=True)
def flex_round(
    links: Array, work: Array, item_line_axis: tuple[int, int, int], factor: int, inner: float, initial: float
) -> bool:
    """Share the free space once, and freeze items that reach their bounds; return whether some are not frozen.

    item_line_axis: the first item, the line and the axis. initial: the free space before the first round.
    """
    first, line, axis = item_line_axis
    j, free, factors, weights = first, inner, 0.0, 0.0
    while j >= 0 and links[j * LINKS + LINE] == line:
        k = j * FIELDS
        free -= margin(work, k, axis)
        if links[j * LINKS + FROZEN] == 1:
            free -= work[k + AIM]
        else:
            free -= work[k + BASE]
            factors += work[k + factor]
            weights += work[k + factor] * (work[k + BASE] - padding(work, k, axis))
        j = links[j * LINKS + NEXT]
    if factors == 0.0:
        return False
    if factors < 1.0 and abs(initial * factors) < abs(free):
        free = initial * factors
    if factor == GROW:
        weights = factors
    # Violations: how far the new lengths are outside of their bounds.
    violation = 0.0
    j = first
    while j >= 0 and links[j * LINKS + LINE] == line:
        k = j * FIELDS
        if links[j * LINKS + FROZEN] == 0:
            weight = work[k + factor]
            if factor == SHRINK:
                weight *= work[k + BASE] - padding(work, k, axis)
            ideal = work[k + BASE] + (free * (weight / weights) if weights > 0.0 else 0.0)
            work[k + AIM] = bounded(work, k, axis, ideal, work[k + FLOOR], work[k + CEILING])
            violation += work[k + AIM] - ideal
            links[j * LINKS + FROZEN] = 2 if work[k + AIM] > ideal else (3 if work[k + AIM] < ideal else 4)
        j = links[j * LINKS + NEXT]
    return frozen(links, first, line, violation)


@njit(borrows=True)
def frozen(links: Array, first: int, line: int, violation: float) -> bool:
    """Freeze all items, or those above their bounds, or those below; return whether some are not frozen.

    FROZEN is 2 for an item that was raised to its lower bound in this round, 3 for one that was lowered, 4 for others.
    """
    any_unfrozen = False
    j = first
    while j >= 0 and links[j * LINKS + LINE] == line:
        m = j * LINKS + FROZEN
        if links[m] > 1:
            is_frozen = violation == 0.0 or (links[m] == 2 if violation > 0.0 else links[m] == 3)
            links[m] = 1 if is_frozen else 0
            any_unfrozen = any_unfrozen or not is_frozen
        j = links[j * LINKS + NEXT]
    return any_unfrozen


@njit(borrows=True)
def spacing(code: int, free: float, count: int) -> tuple[float, float]:
    """Return the space before the first of `count` items, and the space that is added between two of them."""
    if code == CENTER:
        return free / 2.0, 0.0
    if code == END:
        return free, 0.0
    if free <= 0.0 or count == 0:
        return 0.0, 0.0
    if code == BETWEEN and count > 1:
        return 0.0, free / (count - 1)
    if code == AROUND:
        return free / count / 2.0, free / count
    if code == EVENLY:
        return free / (count + 1), free / (count + 1)
    return 0.0, 0.0


@njit(borrows=True)
def place_along(links: Array, work: Array, p: int, axis: int, inner: float) -> None:
    """Place the items of a flex container along its direction."""
    row, direction = p * FIELDS, links[p * LINKS + DIRECTION]
    gap, begin = work[row + GAP + axis], work[row + PADDING + axis]
    is_reversed = direction in (ROW_REVERSE, COLUMN_REVERSE)
    first = links[p * LINKS + FIRST]
    while first >= 0:
        line, j, count, free = links[first * LINKS + LINE], first, 0, inner
        while j >= 0 and links[j * LINKS + LINE] == line:
            free -= work[j * FIELDS + LENGTH + axis] + margin(work, j * FIELDS, axis) + (gap if count > 0 else 0.0)
            count += 1
            j = links[j * LINKS + NEXT]
        cursor, between = spacing(links[p * LINKS + JUSTIFY], free, count)
        if is_reversed and free < 0.0 and links[p * LINKS + JUSTIFY] >= BETWEEN:
            cursor = free  # they begin at the left or at the top, so that the begin is visible
        j = first
        while j >= 0 and links[j * LINKS + LINE] == line:
            k = j * FIELDS
            length = work[k + LENGTH + axis]
            if is_reversed:
                work[k + AT + axis] = begin + inner - cursor - work[k + MARGIN + 2 + axis] - length
            else:
                work[k + AT + axis] = begin + cursor + work[k + MARGIN + axis]
            cursor += length + margin(work, k, axis) + gap + between
            j = links[j * LINKS + NEXT]
        first = j
