"""The flat rows on which the kernels work: numbers (float64) and links (int64), and the indices of their columns.

A length in both axes has two columns side by side, x and y: `row + SIZE + axis`. The begin of an edge is
`row + PADDING + axis`, its end `row + PADDING + 2 + axis`. A length below 0 means auto.
"""

from __future__ import annotations

from typing import cast

import numpy as np

GAP, PADDING, MARGIN, SIZE, SHARE, LEAST, MOST = 0, 2, 6, 10, 12, 14, 16
ASPECT, GROW, SHRINK, BASIS = 18, 19, 20, 21
SPAN, LOW, HIGH, PIVOT, OFFSET = 22, 24, 26, 28, 30
CONTENT_LEAST, CONTENT_WIDTH, CONTENT_HEIGHT, BASELINE = 32, 33, 34, 35
"""The numbers of `NODE`, in its order."""
MINIMAL, MAXIMAL = 36, 38
"""The minimum and the preferred size of the content, with padding; along y they differ if something scrolls."""
KNOWN, ASCENT = 40, 41
"""The height if it does not depend on the content, and the distance from the top to the baseline; else -1."""
LENGTH, AT = 42, 44
"""The resulting size, and the place relative to the parent."""
BASE, FLOOR, CEILING, AIM = 46, 47, 48, 49
"""Of an item while free space is shared: the length before, its bounds, and the length now."""
CELL = 50
"""x y w h of the cell in a grid, without the padding of the grid."""
EXTENT = 54
"""The size of the children of a node that scrolls, without padding."""
RAW_MOST = 56
"""The greatest size by the style alone, without the limit from the aspect."""
ORIGIN = 58
"""The place from the top left of the root."""
OUTER, OUTER_HEIGHT = 60, 62
"""The minimum and preferred width that an item adds to its parent, and the height that it adds to a column."""
SPARE = 63
"""By how much a node can shrink below its height, because it has scrolling children."""
FIELDS = 64

X, Y, NONE = cast("tuple[int, int, int]", (np.int64(0), np.int64(1), np.int64(-1)))
"""The axes, and no axis. Not plain numbers, for each of which numba would compile the kernels once more."""

PARENT, DIRECTION, WRAP, JUSTIFY, ALIGN, LINES, SELF, PLACE, SCROLL, HIDDEN, GRID_FIRST, GRID_COUNT = range(12)
"""The integers of `NODE`, in its order. SELF becomes the node's resolved alignment, never auto."""
FIRST, NEXT = 12, 13
"""The first child in the flow, and the next of the same parent; -1: none."""
LINE, COLUMN, ROW, COLUMNS, ROWS = 14, 15, 16, 17, 18
"""The line of a flex item; the place and span of an item of a grid."""
FROZEN, DEFINITE, FLAGS, FITTED, ALIVE = 19, 20, 21, 22, 23
"""FITTED: whether the width follows from the content. DEFINITE: whether the height does not. ALIVE: not hidden."""
LINKS = 24

ROW_WAY, COLUMN_WAY, ROW_REVERSE, COLUMN_REVERSE, GRID, STACK = range(6)
"""The numbers of `Direction`."""
START, CENTER, END, BETWEEN, AROUND, EVENLY = range(6)
"""The numbers of `Justify`."""
AUTO, ALIGN_START, ALIGN_CENTER, ALIGN_END, STRETCH, ON_BASELINE = range(6)
"""The numbers of `AlignItems`."""
MAX_ROW_SPAN = 100
"""The greatest number of rows that an item of a grid may span."""
