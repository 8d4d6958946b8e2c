"""Grids: the cells of the items, and the sizes of columns and rows (CSS Grid 8.5, 11 and 12)."""

from __future__ import annotations

from typing import Any

from rish_jit import njit

from ..rows import (
    CELL,
    COLUMN,
    COLUMNS,
    FIELDS,
    FIRST,
    GAP,
    GRID_COUNT,
    GRID_FIRST,
    JUSTIFY,
    LENGTH,
    LINES,
    LINKS,
    NEXT,
    OUTER,
    ROW,
    ROWS,
    SPAN,
    SPARE,
    X,
    Y,
)
from .flex import spacing
from .lengths import margin

Array = Any


@njit(borrows=True)
def place_in_grid(links: Array, work: Array, tracks: Array, p: int) -> None:
    """Give each item the next free cells, row by row."""
    columns = max(1, links[p * LINKS + GRID_COUNT])
    for c in range(columns):
        tracks[c] = 0.0  # the first row that is free in this column
    row, column, j = 0, 0, links[p * LINKS + FIRST]
    while j >= 0:
        wide, high = min(int(work[j * FIELDS + SPAN]), columns), int(work[j * FIELDS + SPAN + 1])
        while True:
            if column + wide > columns:
                row, column = row + 1, 0
            free = True
            for c in range(column, column + wide):
                free = free and tracks[c] <= row
            if free:
                break
            column += 1
        for c in range(column, column + wide):
            tracks[c] = row + high
        links[j * LINKS + COLUMN], links[j * LINKS + COLUMNS] = column, wide
        links[j * LINKS + ROW], links[j * LINKS + ROWS] = row, high
        column += wide
        j = links[j * LINKS + NEXT]


@njit(borrows=True)
def enlarge(tracks: Array, first: int, count: int, length: float) -> None:
    """Enlarge some tracks equally until they have a length together."""
    for c in range(first, first + count):
        length -= tracks[c]
    if length > 0.0:
        for c in range(first, first + count):
            tracks[c] += length / count


@njit(borrows=True)
def measure_columns(links: Array, work: Array, shares: Array, tracks: Array, p: int) -> int:
    """Write minimum widths, preferred widths and shares of the columns into thirds of the tracks; return their
    number."""
    columns, gap = max(1, links[p * LINKS + GRID_COUNT]), work[p * FIELDS + GAP]
    for c in range(columns):
        tracks[c] = tracks[columns + c] = 0.0
        tracks[2 * columns + c] = shares[links[p * LINKS + GRID_FIRST] + c] if links[p * LINKS + GRID_COUNT] else 1.0
    # Those of one column first, then those of several columns without shares.
    for single in (True, False):
        j = links[p * LINKS + FIRST]
        while j >= 0:
            c, wide = links[j * LINKS + COLUMN], links[j * LINKS + COLUMNS]
            if single == (wide == 1):
                factors = 0.0
                for s in range(c, c + wide):
                    factors += tracks[2 * columns + s]
                if single or factors == 0.0:
                    for s in range(2):
                        enlarge(tracks, s * columns + c, wide, work[j * FIELDS + OUTER + s] - gap * (wide - 1))
            j = links[j * LINKS + NEXT]
    for c in range(columns):
        tracks[columns + c] = max(tracks[c], tracks[columns + c])
    return columns


@njit(borrows=True)
def grid_content(links: Array, work: Array, shares: Array, tracks: Array, p: int) -> tuple[float, float]:
    """Return the minimum and the preferred width of a grid, without its padding."""
    columns, gap = measure_columns(links, work, shares, tracks, p), work[p * FIELDS + GAP]
    min_width, fraction = 0.0, 0.0
    for c in range(columns):
        min_width += tracks[c]
        if tracks[2 * columns + c] > 0.0:
            fraction = max(fraction, tracks[c] / max(1.0, tracks[2 * columns + c]))
    j = links[p * LINKS + FIRST]
    while j >= 0:
        factors, wide = 0.0, links[j * LINKS + COLUMNS]
        space = work[j * FIELDS + OUTER + 1] - gap * (wide - 1)
        for c in range(links[j * LINKS + COLUMN], links[j * LINKS + COLUMN] + wide):
            factors += tracks[2 * columns + c]
            if tracks[2 * columns + c] == 0.0:
                space -= tracks[columns + c]
        if factors > 0.0:
            fraction = max(fraction, space / max(1.0, factors))
        j = links[j * LINKS + NEXT]
    preferred = 0.0
    for c in range(columns):
        share = tracks[2 * columns + c]
        preferred += tracks[columns + c] if share == 0.0 else max(tracks[c], fraction * share)
    return min_width + gap * (columns - 1), max(min_width, preferred) + gap * (columns - 1)


@njit(borrows=True)
def size_columns(links: Array, work: Array, shares: Array, tracks: Array, p: int, inner: float) -> None:
    """Compute the widths of the columns within the width `inner`, and with them the cells of the items."""
    columns, gap = measure_columns(links, work, shares, tracks, p), work[p * FIELDS + GAP]
    free = inner - gap * (columns - 1)
    for c in range(columns):
        free -= tracks[c]
    grow_tracks(tracks, columns, free)
    fraction = fraction_of(tracks, columns, inner - gap * (columns - 1))
    free = inner - gap * (columns - 1)
    for c in range(columns):
        tracks[c] = max(tracks[c], fraction * tracks[2 * columns + c])
        free -= tracks[c]
    begin, between = spacing(links[p * LINKS + JUSTIFY], free, columns)
    set_cells(links, work, tracks, p, (columns, begin, gap + between), X)


@njit(borrows=True)
def grow_tracks(tracks: Array, count: int, free: float) -> None:
    """Distribute a free length over the tracks without a share, each up to its preferred length."""
    for _ in range(count):
        growing = 0
        for c in range(count):
            growing += 1 if tracks[2 * count + c] == 0.0 and tracks[c] < tracks[count + c] else 0
        if growing == 0 or free <= 0.0:
            break
        part = free / growing
        for c in range(count):
            if tracks[2 * count + c] == 0.0 and tracks[c] < tracks[count + c]:
                added = min(part, tracks[count + c] - tracks[c])
                tracks[c] += added
                free -= added


@njit(borrows=True)
def fraction_of(tracks: Array, columns: int, space: float) -> float:
    """Return the width of a share of 1; columns whose content is wider than their share are not counted."""
    fraction = 0.0
    for _ in range(columns + 1):
        left, factors = space, 0.0
        for c in range(columns):
            share = tracks[2 * columns + c]
            # `fraction` is that of the last round; columns that it makes too narrow get their minimum width.
            if share > 0.0 and (fraction == 0.0 or fraction * share >= tracks[c]):
                factors += share
            else:
                left -= tracks[c]
        next_fraction = max(0.0, left / max(1.0, factors)) if factors > 0.0 else 0.0
        if next_fraction == fraction or factors == 0.0:
            break
        fraction = next_fraction
    return fraction


@njit(borrows=True)
def set_cells(links: Array, work: Array, tracks: Array, p: int, spaces: tuple[int, float, float], axis: int) -> None:
    """Write place and length of the cells in an axis, from the lengths of all tracks.

    spaces: the number of tracks, the space before the first and that between two.
    """
    count, begin, gap = spaces
    for c in range(count):
        tracks[count + c] = begin
        begin += tracks[c] + gap
    j = links[p * LINKS + FIRST]
    name, wide = (COLUMN, COLUMNS) if axis == 0 else (ROW, ROWS)
    while j >= 0:
        first = links[j * LINKS + name]
        last = first + links[j * LINKS + wide] - 1
        work[j * FIELDS + CELL + axis] = tracks[count + first]
        work[j * FIELDS + CELL + 2 + axis] = tracks[count + last] + tracks[last] - tracks[count + first]
        j = links[j * LINKS + NEXT]


@njit(borrows=True)
def size_rows(links: Array, work: Array, tracks: Array, p: int, inner: float) -> float:
    """Compute the heights of the rows from the heights of the items, and with them the cells; return their sum.

    inner: the height in which the rows are distributed, and within which rows with scrolling items are kept; below 0:
    unknown.
    """
    gap, rows = work[p * FIELDS + GAP + 1], 0
    j = links[p * LINKS + FIRST]
    while j >= 0:
        rows = max(rows, links[j * LINKS + ROW] + links[j * LINKS + ROWS])
        j = links[j * LINKS + NEXT]
    for r in range(3 * rows):
        tracks[r] = 0.0
    for single in (True, False):
        j = links[p * LINKS + FIRST]
        while j >= 0:
            k, r, high = j * FIELDS, links[j * LINKS + ROW], links[j * LINKS + ROWS]
            if single == (high == 1):
                outer = work[k + LENGTH + 1] + margin(work, k, Y) - gap * (high - 1)
                enlarge(tracks, r, high, outer - (work[k + SPARE] if inner >= 0.0 else 0.0))
                enlarge(tracks, rows + r, high, outer)
            j = links[j * LINKS + NEXT]
    gaps = gap * (rows - 1) if rows > 0 else 0.0
    min_height = gaps
    for r in range(rows):
        min_height += tracks[r]
    grow_tracks(tracks, rows, inner - min_height)
    total = gaps
    for r in range(rows):
        total += tracks[r]
    begin, between = spacing(links[p * LINKS + LINES], inner - total, rows) if inner >= 0.0 else (0.0, 0.0)
    set_cells(links, work, tracks, p, (rows, begin, gap + between), Y)
    return total
