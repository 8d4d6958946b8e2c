"""Draws tiles: a grid of images, looked up pixel by pixel, so that there can be neither gaps nor overlaps.

The center of a pixel, mapped back through the grid, falls into one cell; its position in the cell selects the texel. In
an upright grid, a row of pixels crosses one row of cells, so the pixels of one cell are one run with even steps through
its image. If the steps are exactly one texel, the texels are blended unchanged. Otherwise, and if a cell is hardly
larger than a pixel, the cell is looked up for each pixel separately.

The general loop is slow if each pixel has a cell of its own, as on a map that is zoomed out far; for that case there is
a loop without branches, in which empty cells show a blank texel.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import njit

from .blend import REPLACE, blend_span
from .gather import CHUNK, finish, place_linear, place_nearest
from .numbers import WHITE, f32, f64, i32, i64, u32, u64

_HALF = np.float64(0.5)
_ONE = np.float64(1)
_FRAME = np.uint32(0x00FFFFFF)
_TRANSPOSED, _MIRRORED_Y, _MIRRORED_X = np.uint32(1 << 29), np.uint32(1 << 30), np.uint32(1 << 31)
_NEAR = np.float32(1 / 512)
_SMALL = np.float64(0.5)


@njit
def _within(cell: Any, x: Any, y: Any) -> Any:
    """Convert a position in a cell on the screen to one in its image, both 0..1."""
    if cell & _MIRRORED_X:
        x = _ONE - x
    if cell & _MIRRORED_Y:
        y = _ONE - y
    if cell & _TRANSPOSED:
        x, y = y, x
    return x, y


@njit
def _on_texel(u: Any) -> Any:
    """Return True if a coordinate is in the middle of a texel, where a filter changes nothing."""
    return abs(u - np.floor(u) - f32(0.5)) < _NEAR


@njit
def _add_span(spans: Any, count: Any, at: Any, size: Any) -> Any:
    """Add `size` pixels from `at` on to the spans: lengthen the last span if they follow it. Returns the new count."""
    last = u64(3 * count - 3) if count else u64(0)
    if count and spans[last] + spans[last + u64(1)] == at:
        spans[last + u64(1)] += size
        spans[last + u64(2)] += size
        return count
    following = u64(3 * count)
    spans[following], spans[following + u64(1)], spans[following + u64(2)] = at, size, size
    return count + 1


@njit
def _edges(x0: Any, x1: Any, step: Any, start: Any, columns: Any, edges: Any, first: Any) -> Any:
    """Cut the pixels x0 up to x1 where the column of cells changes; returns how many runs there are.

    Column of pixel x: floor(step·(x+½) + start). first: int64, the column of each run. edges: int64, its first pixel.
    """
    count, before = i64(0), i64(-1)
    for x in range(x0, x1):
        column = np.floor(step * (f64(x) + _HALF) + start)
        at = i64(column) if column >= f64(0) and column < f64(columns) else i64(-1)
        if at != before or count == 0:
            edges[count], first[count] = x, at
            count += 1
            before = at
    edges[count] = x1
    return count


@njit
def _columns(x0: Any, x1: Any, step: Any, start: Any, count: Any, columns: Any, parts: Any) -> Any:
    """Compute the column of cells of each pixel from x0 up to x1, and the position in it, 0..1.

    Returns the first pixel that is in a column and the one after the last.
    """
    begin = end = x0
    for x in range(x0, x1):
        column = step * (f64(x) + _HALF) + start
        if column >= f64(0) and column < f64(count):
            if begin == end:
                begin = end = x
            columns[end - begin], parts[end - begin] = u64(column), f32(column - np.floor(column))
            end += 1
    return begin, end


@njit
def _place_pixels(
    at: Any, start: Any, size: Any, cells: Any, line: Any, down: Any, columns: Any, across: Any, cuts: Any, starts: Any
) -> None:
    """Write the indices of the texels of `size` pixels, each in a cell of its own; empty cells give the blank texel.

    cells: flat; line: the first of the row of cells. columns, across: of each pixel, the cell and the position in it.
    """
    last = u32(starts.shape[0] - 1)
    for p in range(size):
        cell = cells[line + columns[p]]
        frame = u64(min(u32(u32(cell - u32(1)) & _FRAME), last))
        x, y = across[p], down
        if cell > _FRAME:
            x2, y2 = _within(cell, f64(x), f64(y))
            x, y = f32(x2), f32(y2)
        column = min(cuts[frame, 0] + x * cuts[frame, 2], cuts[frame, 4])
        texel_line = min(cuts[frame, 1] + y * cuts[frame, 3], cuts[frame, 5])
        at[start + p] = u32(starts[frame, 0] + i32(i32(texel_line) * starts[frame, 1]) + i32(column))


@njit
def draw_tiles(
    target: Any, y0: Any, y1: Any, clip: Any, cells: Any, inverse: Any, frames: Any, sheet: Any, tint: Any, keep: Any,
    mode: Any, linear: Any,
) -> None:  # fmt: skip
    """Draw the rows y0 up to y1 of a grid.

    target: uint32 (h, w). clip: int64 (4) in pixels. cells: uint32 (rows, columns), see rish_frame.frame.kinds.
    inverse: float64 (6) a b c d tx ty, from pixels (y down) to column and row. frames: rects, places, masks and texels;
    for these, keep and mode see `sprites.draw_sprites`. sheet: see `Cuts`. tint: uint32, premultiplied. linear: 1 to
    filter, 2 to filter only images that are not at their own size, 0 for the nearest texel.
    """
    rects, places, masks, texels = frames
    cuts, starts, common = sheet
    x0, x1 = clip[0], clip[2]
    y0, y1 = max(y0, clip[1]), min(y1, clip[3])
    if x0 >= x1 or y0 >= y1:
        return
    width = u64(target.shape[1])
    flat = target.reshape(-1)
    length = CHUNK + (x1 - x0) + 8
    row, row1, row2 = np.empty(length, np.uint32), np.empty(length, np.uint32), np.empty(length, np.uint32)
    row3, weight = np.empty(length, np.uint32), np.empty(length, np.uint32)
    spans = np.empty(3 * length, np.uint64)
    edges, first = np.empty(x1 - x0 + 2, np.int64), np.empty(x1 - x0 + 2, np.int64)
    runs = i64(0)
    upright = inverse[1] == f64(0) and inverse[2] == f64(0)
    long_runs = upright and abs(inverse[0]) <= _SMALL
    if long_runs:
        runs = _edges(x0, x1, inverse[0], inverse[4], cells.shape[1], edges, first)
    smooth = linear != 0
    tiny = upright and not long_runs and linear != 1 and mode < REPLACE and common != u32(0)
    columns, parts = np.empty(x1 - x0, np.uint64), np.empty(x1 - x0, np.float32)
    inside_from = inside_to = x0
    flat_cells = cells.reshape(-1)
    if tiny:
        smooth = False
        inside_from, inside_to = _columns(x0, x1, inverse[0], inverse[4], cells.shape[1], columns, parts)
    count, size = i64(0), u64(0)
    mask = u32(common & keep) if tiny else WHITE
    for y in range(y0, y1 + 1):
        if count and (y == y1 or size >= u64(CHUNK)):
            finish(flat, spans, count, row, row1, row2, row3, weight, size, texels, tint, mask, mode, smooth)
            count, size = i64(0), u64(0)
        if y == y1:
            break
        across, down = inverse[2] * (f64(y) + _HALF) + inverse[4], inverse[3] * (f64(y) + _HALF) + inverse[5]
        if upright and not (down >= f64(0) and down < f64(cells.shape[0])):
            continue
        if tiny:
            if inside_from < inside_to:
                real, first_cell = u64(inside_to - inside_from), u64(i64(down)) * u64(cells.shape[1])
                part = f32(down - np.floor(down))
                _place_pixels(row, size, real, flat_cells, first_cell, part, columns, parts, cuts, starts)
                count = _add_span(spans, count, u64(y) * width + u64(inside_from), real)
                size += real
            continue
        line = i64(down) if long_runs else i64(0)
        for k in range(runs if long_runs else x1 - x0):
            column = first[k] if long_runs else i64(0)
            left, right = (edges[k], edges[k + 1]) if long_runs else (x0 + k, x0 + k + 1)
            here = inverse[0] * (f64(left) + _HALF) + across
            below = down
            if not long_runs:
                below = inverse[1] * (f64(left) + _HALF) + down
                if not (
                    here >= f64(0) and here < f64(cells.shape[1]) and below >= f64(0) and below < f64(cells.shape[0])
                ):
                    continue
                column, line = i64(here), i64(below)
            if column < 0:
                continue
            cell = cells[line, column]
            frame = i64(cell & _FRAME) - 1
            if frame < 0 or frame >= masks.shape[0] or masks[frame] == u32(0):
                continue
            own = u32(masks[frame] & keep)
            if own != mask:
                if count:
                    finish(flat, spans, count, row, row1, row2, row3, weight, size, texels, tint, mask, mode, smooth)
                    count, size = i64(0), u64(0)
                mask = own
            at = u64(y) * width + u64(left)
            real = u64(right - left)
            u0, v0, u1, v1 = rects[frame, 0], rects[frame, 1], rects[frame, 2], rects[frame, 3]
            wide, tall = u1 - u0, v1 - v0
            box = i32(min(u0, u1)), i32(min(v0, v1)), i32(max(u0, u1) - f32(1)), i32(max(v0, v1) - f32(1))
            base, stride = i32(places[frame, 0]), i32(places[frame, 1])
            x, z = _within(cell, here - f64(column), below - f64(line))
            u, v = u0 + f32(x) * wide, v0 + f32(z) * tall
            if real == u64(1) and not smooth:
                texel, texel_line = min(max(i32(u), box[0]), box[2]), min(max(i32(v), box[1]), box[3])
                row[size] = u32(i32(base + i32(texel_line * stride)) + texel)
                count = _add_span(spans, count, at, real)
                size += real
                continue
            x2, z2 = _within(cell, here - f64(column) + inverse[0], below - f64(line) + inverse[1])
            du, dv = f32(x2 - x) * wide, f32(z2 - z) * tall
            if dv == f32(0) and abs(du - f32(1)) * f32(i64(real)) < _NEAR and tint == WHITE and mask == WHITE:
                texel, texel_line = i32(u), min(max(i32(v), box[1]), box[3])
                fine = linear != 1 or (_on_texel(u) and _on_texel(v))
                if fine and texel >= box[0] and texel + i32(i64(real)) <= box[2] + 1:
                    blend_span(flat, at, texels, u64(i32(base + i32(texel_line * stride)) + texel), real, mode)
                    continue
            if smooth:
                place_linear(row, row1, row2, row3, weight, size, real, base, stride, u, v, du, dv, box)
            else:
                place_nearest(row, size, real, base, stride, u, v, du, dv, box)
            count = _add_span(spans, count, at, real)
            size += real
