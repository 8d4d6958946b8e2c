"""Lengths of single nodes: from the style, from the aspect, and bounds."""

from __future__ import annotations

from typing import Any

from rish_jit import njit

from ..rows import (
    ASPECT,
    BASIS,
    FIELDS,
    GROW,
    KNOWN,
    LEAST,
    LENGTH,
    LINKS,
    MARGIN,
    MAXIMAL,
    MINIMAL,
    MOST,
    PADDING,
    SCROLL,
    SHARE,
    SHRINK,
    SIZE,
    X,
)

Array = Any


@njit(borrows=True)
def padding(work: Array, k: int, axis: int) -> float:
    """Return the padding of both sides of the node whose row begins at k."""
    return work[k + PADDING + axis] + work[k + PADDING + 2 + axis]


@njit(borrows=True)
def margin(work: Array, k: int, axis: int) -> float:
    """Return the margin of both sides."""
    return work[k + MARGIN + axis] + work[k + MARGIN + 2 + axis]


@njit(borrows=True)
def bounded(work: Array, k: int, axis: int, value: float, floor: float, ceiling: float) -> float:
    """Return a length within its bounds, of which the lower one wins; never smaller than the padding."""
    return max(min(value, ceiling), floor, padding(work, k, axis))


@njit(borrows=True)
def clamped(work: Array, k: int, axis: int, value: float) -> float:
    """Return a length within `least` and `most`."""
    return bounded(work, k, axis, value, work[k + LEAST + axis], work[k + MOST + axis])


@njit(borrows=True)
def preferred(work: Array, k: int, axis: int, parent_length: float) -> float:
    """Return `size`, or `share` of the parent's length unless that is unknown (below 0); otherwise -1."""
    if work[k + SIZE + axis] >= 0.0:
        return work[k + SIZE + axis]
    if work[k + SHARE + axis] > 0.0 and parent_length >= 0.0:
        return work[k + SHARE + axis] * parent_length
    return -1.0


@njit(borrows=True)
def by_aspect(work: Array, k: int, axis: int) -> float:
    """Return the length from the aspect and the known length of the other axis, at least the content's; or -1."""
    aspect = work[k + ASPECT]
    if aspect <= 0.0:
        return -1.0
    if axis == 1:
        length = work[k + LENGTH] / aspect
    elif work[k + KNOWN] >= 0.0:
        length = work[k + KNOWN] * aspect
    else:
        return -1.0
    return max(length, work[k + MINIMAL + axis]) if work[k + LEAST + axis] < 0.0 else length


@njit(borrows=True)
def wanted(work: Array, k: int, axis: int, parent_length: float) -> float:
    """Return the length that does not depend on the content, from the style or the aspect; or -1."""
    value = preferred(work, k, axis, parent_length)
    return value if value >= 0.0 else by_aspect(work, k, axis)


@njit(borrows=True)
def automatic_least(links: Array, work: Array, j: int, axis: int, parent_length: float) -> float:
    """Return the smallest length of a flex item: `least`, or by CSS Flexbox 4.5 that of its content."""
    k = j * FIELDS
    if work[k + LEAST + axis] >= 0.0:
        return max(work[k + LEAST + axis], padding(work, k, axis))
    if links[j * LINKS + SCROLL] & (1 << axis):
        return padding(work, k, axis)
    value = min(work[k + MINIMAL + axis], work[k + MOST + axis])
    size = preferred(work, k, axis, parent_length)
    if size >= 0.0:
        value = min(value, size)
    return max(value, padding(work, k, axis))


@njit(borrows=True)
def contribution(
    links: Array, work: Array, j: int, axis: int, content: float, parent_length: float, main: int
) -> float:
    """Return the length with margins that an item adds to the content of its parent (CSS Flexbox 9.9.1).

    content: its own content's length. main: the main axis of the parent, if it is a flex container.
    """
    k = j * FIELDS
    value = wanted(work, k, axis, parent_length)
    if value < 0.0:
        value = content
    floor = work[k + LEAST + axis]
    if main == axis:
        basis = work[k + BASIS]
        if basis >= 0.0:
            if work[k + GROW] == 0.0:
                value = min(value, basis)
            if work[k + SHRINK] == 0.0:
                value = max(value, basis)
        floor = automatic_least(links, work, j, axis, parent_length)
    return bounded(work, k, axis, value, floor, work[k + MOST + axis]) + margin(work, k, axis)


@njit(borrows=True)
def least_in_cell(links: Array, work: Array, j: int) -> float:
    """Return the smallest width of an item of a grid, with its margins."""
    k = j * FIELDS
    value = wanted(work, k, X, -1.0)
    if value >= 0.0:
        return clamped(work, k, X, value) + margin(work, k, X)
    return automatic_least(links, work, j, X, -1.0) + margin(work, k, X)


@njit(borrows=True)
def flex_base(work: Array, k: int, axis: int, parent_length: float) -> float:
    """Return the length of a flex item before it grows or shrinks: basis, size, aspect or content."""
    value = work[k + BASIS]
    if value < 0.0:
        value = wanted(work, k, axis, parent_length)
    if value < 0.0:
        value = work[k + MAXIMAL + axis]
    return max(value, padding(work, k, axis))


@njit(borrows=True)
def fitted(work: Array, k: int, axis: int, space: float) -> float:
    """Return the length that a node takes of a space if it is not stretched."""
    return min(work[k + MAXIMAL + axis], max(work[k + MINIMAL + axis], space))
