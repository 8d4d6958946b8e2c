"""The layout in two passes: widths, then heights and places. The caller measures the heights of texts in between."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from .kernels.heights import find_heights, want_heights
from .kernels.places import find_places
from .kernels.prepare import know_heights, prepare
from .kernels.widths import find_widths, want_widths
from .nodes import INTEGERS, NODE, LayoutNodes
from .rows import (
    CONTENT_HEIGHT,
    EXTENT,
    FLAGS,
    GRID_COUNT,
    GRID_FIRST,
    LENGTH,
    MOST_ROWS,
    PADDING,
    SCROLL,
    SPAN,
    X,
    Y,
)

Array = npt.NDArray[Any]
FAR = 1e6
"""px: no length of a style is greater, so that sums stay exact to a thousandth."""
NUMBERS = NODE.itemsize // 4 - INTEGERS


def _limits() -> tuple[Array, Array, Array]:
    """Return the lowest, greatest and default value of each number of a node."""
    low, high, default = np.zeros(1, NODE), np.zeros(1, NODE), np.zeros(1, NODE)
    for name in NODE.names or ():
        low[name], high[name], default[name] = 0, FAR, 0
    for name in ("margin", "offset"):
        low[name] = -FAR
    for name, least, most, usual in (
        ("share", 0, 100, 0), ("basis", -1, FAR, -1), ("baseline", -1, FAR, -1), ("shrink", 0, FAR, 1),
        ("anchor_low", -10, 10, 0.5), ("anchor_high", -10, 10, 0.5), ("pivot", -10, 10, 0.5),
    ):  # fmt: skip
        low[name], high[name], default[name] = least, most, usual
    low["span"], high["span"], default["span"] = 1, MOST_ROWS, 1
    return tuple(each.view(np.float32)[INTEGERS:] for each in (low, high, default))  # type: ignore[return-value]


LOWEST, GREATEST, USUAL = _limits()
MOST_CODE = np.array([2**31 - 1, 5, 1, 5, 5, 5, 5, 1, 3, 1, 2**31 - 1, 2**31 - 1], np.int32)
LEAST_CODE = np.array([-1] + [0] * (INTEGERS - 1), np.int32)


def solve_widths(nodes: LayoutNodes, width: float, height: float) -> Array:
    """Compute the widths of all nodes; return float32 (n,) the widths that their contents have (without padding).

    width, height: px, the size of the roots unless they have sizes of their own; infinite: as large as the content.
    After this the caller sets `content_height` and `baseline` of the contents at their widths.
    """
    _take_in(nodes)
    nodes.space = _length(width), _length(height)
    links, work = nodes.links.ravel(), nodes.work.ravel()
    prepare(links, work)
    know_heights(links, work, nodes.space[1], X)
    want_widths(links, work, nodes.column_shares, nodes.tracks)
    find_widths(links, work, nodes.column_shares, nodes.tracks, nodes.space[0])
    nodes.solved = True
    work = nodes.work
    return np.maximum(work[:, LENGTH] - work[:, PADDING] - work[:, PADDING + 2], 0).astype(np.float32)


def solve_heights(nodes: LayoutNodes, mirrored: bool = False) -> Array:
    """Compute heights and places; return the rectangles, float32 (n, 4), x y w h from the top left of the root.

    mirrored: left and right are exchanged, in margins, paddings, anchors and offsets too. After `solve_widths`.
    """
    if not nodes.solved:
        raise ValueError("solve_heights: the widths are not known; call solve_widths(nodes, width, height) first")
    links, work = nodes.links, nodes.work
    values = nodes.values.view(np.float32).reshape(-1, INTEGERS + NUMBERS)[:, INTEGERS:]
    work[:, CONTENT_HEIGHT:EXTENT_BEGIN] = _cleaned(values, slice(CONTENT_HEIGHT, EXTENT_BEGIN))
    flat, numbers = links.ravel(), work.ravel()
    know_heights(flat, numbers, nodes.space[1], Y)
    want_heights(flat, numbers, nodes.tracks)
    find_heights(flat, numbers, nodes.tracks)
    find_places(flat, numbers, nodes.rects.ravel(), mirrored)
    nodes.flags[:] = links[:, FLAGS]
    nodes.contents[:] = nodes.rects[:, 2:]
    for axis in range(2):
        rows = np.flatnonzero(links[:, SCROLL] & (1 << axis))
        if len(rows):
            pads = work[rows, PADDING + axis] + work[rows, PADDING + 2 + axis]
            nodes.contents[rows, axis] = np.maximum(work[rows, EXTENT + axis] + pads, nodes.contents[rows, axis])
    return nodes.rects


EXTENT_BEGIN = CONTENT_HEIGHT + 2
"""The end of the numbers that the caller sets between the passes."""


def _length(value: float) -> float:
    """Return a length of the space, or -1 if it is infinite, not a number or below 0."""
    return min(float(value), FAR) if math.isfinite(value) and value >= 0 else -1.0


def _cleaned(values: Array, part: slice) -> Array:
    """Return numbers of nodes within their limits; NaN becomes the default."""
    values = values[:, part]
    return np.minimum(np.maximum(np.where(values == values, values, USUAL[part]), LOWEST[part]), GREATEST[part])


def _take_in(nodes: LayoutNodes) -> None:
    """Copy the values of the nodes into the rows of the kernels, within their limits."""
    rows = nodes.values.view(np.int32).reshape(-1, INTEGERS + NUMBERS)
    links, work, shares = nodes.links, nodes.work, nodes.shares
    links[:, :INTEGERS] = np.minimum(np.maximum(rows[:, :INTEGERS], LEAST_CODE), MOST_CODE)
    work[:, :NUMBERS] = _cleaned(rows.view(np.float32)[:, INTEGERS:], slice(0, NUMBERS))
    nodes.column_shares = np.clip(np.nan_to_num(shares.astype(np.float64), nan=0.0), 0.0, FAR)
    links[:, GRID_FIRST] = np.clip(links[:, GRID_FIRST], 0, len(shares))
    links[:, GRID_COUNT] = np.clip(links[:, GRID_COUNT], 0, len(shares) - links[:, GRID_FIRST])
    needed = int(work[:, SPAN + 1].sum()) * 2 + 3 * (len(shares) + len(nodes) + 1)
    if len(nodes.tracks) < needed:
        nodes.tracks = np.zeros(needed)
