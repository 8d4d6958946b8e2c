"""Kernels of texts: which of their values changed, where they are on the pixels of a view, and their letters as
sprites.

The columns of the table, and the arrays with several numbers a text, are flat.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rish_frame.frame import MAX_POSITION, MAX_SPRITE_SIZE, POSITION_SCALE, SIZE_SCALE
from rish_jit import Array, maths, njit

from ....drawables.colors import rgba_word
from ..fonts import LARGEST, LARGEST_UNSTRETCHED
from ..letters import LETTER, OUTLINE, SHADOW

CELL = 4096.0
"""The side of a cell, in pixels."""
ROUND = 16.0
"""Sizes are rounded to 1 / ROUND of a pixel."""
CLOSE = 1e-4
KNOWN = 25
"""The length of a row of `known`, see `read_texts`."""
SIZE, OUTLINE_WIDTH, ANCHOR, OUTLINE_ALPHA, SHADOW_ALPHA = 1, 7, 9, 20, 24
"""Columns of a row of `known`."""
PIXELS, EXACT, SHARP, TURN, AT, GROUND, PLACE = 0, 1, 2, 3, 7, 9, 14
"""The first columns of a row of `places`, see `place_texts`, and its length."""
RESOLUTION, FINE, UPRIGHT, CENTER, ROTATION, MIDDLE, CORNER, RATIO, BOUNDS, VIEW = 0, 1, 2, 3, 5, 7, 9, 11, 13, 17
"""The first columns of a row of `views`, see `place_texts`, and its length."""
_NEW_LAYOUT, _NEW_SPRITES = np.uint8(2), np.uint8(1)
_LEAST = -32768 / POSITION_SCALE
_HALF = np.float32(0.5)
_TURNS = np.float32(65536 / (2 * np.pi))


@njit(borrows=True)
def read_texts(which: Array, rows: Array, columns: Any, known: Array, stale: Array) -> None:
    """Store the values of some texts, and note those that differ from the stored ones.

    which: int64, the indices of these texts. rows: int64 n, of all texts. columns: of the table. known: float64
    (n, KNOWN), the values. stale: uint8 n; 1 is added if the sprites depend on a value that differs, 2 if the layout
    does.
    """
    font, size, align, line_spacing, wrap, letter_spacing, markup = columns[0]
    anchor, outline_width, color, outline, shadow, fall, opacity = columns[1]
    for number in range(len(which)):
        k = which[number]
        row, at = rows[k], k * KNOWN
        differs = _store(known, at, np.float64(font[row])) | _store(known, at + 1, np.float64(size[row]))
        differs |= _store(known, at + 2, np.float64(align[row])) | _store(known, at + 3, np.float64(line_spacing[row]))
        differs |= _store(known, at + 4, np.float64(wrap[row])) | _store(known, at + 5, np.float64(letter_spacing[row]))
        differs |= _store(known, at + 6, np.float64(markup[row]))
        if differs:
            stale[k] |= _NEW_LAYOUT
        differs = _store(known, at + 7, np.float64(outline_width[row])) | _store(
            known, at + 8, np.float64(opacity[row])
        )
        at += 9
        for i in range(2):
            differs |= _store(known, at + i, np.float64(anchor[2 * row + i]))
            differs |= _store(known, at + 2 + i, np.float64(fall[2 * row + i]))
        at += 4
        for i in range(4):
            differs |= _store(known, at + i, np.float64(color[4 * row + i]))
            differs |= _store(known, at + 4 + i, np.float64(outline[4 * row + i]))
            differs |= _store(known, at + 8 + i, np.float64(shadow[4 * row + i]))
        if differs:
            stale[k] |= _NEW_SPRITES


@njit(borrows=True, inline="always")
def _store(values: Array, at: Any, value: Any) -> Any:
    """Store a value; return whether another one was there."""
    differs = values[at] != value
    values[at] = value
    return differs


@njit(borrows=True)
def place_texts(which: Array, rows: Array, seen: Any, columns: Any, layers: Any, views: Array, texts: Any) -> None:
    """Place some texts on the pixels of a view, and find out which of them touch it.

    which, rows: see `read_texts`. seen: the matrices, float32 (n, 6), and layers, int64 n. columns: size, anchor,
    outline_width and shadow_offset of the table. layers: bool, which are in screen space, and their parallax, float32
    (layers, 2). views: float64 (2, VIEW): that of the camera, and that of screen space: pixels a unit, the same as
    float32, whether unturned things are upright and pixels are squares, the center, sine and cosine of the rotation
    times the density, the middle and the corner of the viewport, target pixels for a logical one, the bounds.

    texts: block: float32 (n, 2), the sizes of the blocks in ems; inked: bool n, whether anything is in them. Written
    are places: float64 (n, PLACE): the size of the glyphs in pixels; the size at which letters are spaced; whether they
    are on whole pixels; the matrix from glyph pixels to target pixels; pixels from the corner of the cell; the cell:
    whether it is in screen space, its x and y, whether it is on whole pixels, and the layer if that has a parallax,
    otherwise -1. shown: bool n. stale: see `read_texts`.
    """
    matrix, numbers = seen
    size, anchor, outline_width, fall = columns
    screen, parallax = layers
    block, inked, places, shown, stale = texts
    for index in range(len(which)):
        k = which[index]
        row, number, m = rows[k], numbers[k], 6 * k
        a, b = np.float64(matrix[m]), np.float64(matrix[m + 1])
        c, d = np.float64(matrix[m + 2]), np.float64(matrix[m + 3])
        v = VIEW if screen[number] else 0
        # the size
        tall = np.float64(size[row])
        density = max(math.sqrt(a * a + b * b), math.sqrt(c * c + d * d))
        fine = views[v + FINE]
        exact = np.floor(tall * density * fine * ROUND + 0.5) / ROUND
        exact = 1.0 if exact < 1.0 else exact
        pixels = _quantized(exact)
        is_even = a > 0.0 and abs(d - a) <= CLOSE * a and b == 0.0 and c == 0.0
        straight = is_even and views[v + UPRIGHT] != 0.0
        plain = straight and pixels <= LARGEST_UNSTRETCHED
        exact = exact if plain else pixels
        scale = tall / exact * fine
        # the place
        x, y = np.float64(matrix[m + 4]), np.float64(matrix[m + 5])
        moving = not screen[number] and (parallax[number, 0] != np.float32(1) or parallax[number, 1] != np.float32(1))
        dx = np.float64(np.float32(1) - parallax[number, 0]) * views[CENTER] if moving else 0.0
        dy = np.float64(np.float32(1) - parallax[number, 1]) * views[CENTER + 1] if moving else 0.0
        unit = CELL / views[v + RESOLUTION]
        cell_x, cell_y = np.floor((x - dx) / unit + 0.5), np.floor((y - dy) / unit + 0.5)
        x0, y0 = cell_x * unit + dx, cell_y * unit + dy
        if straight:
            left, low = _to_pixels(views, v, x, y)
            left0, low0 = _to_pixels(views, v, x0, y0)
            at_x, at_y = np.floor(left + 0.5) - np.floor(left0 + 0.5), np.floor(low + 0.5) - np.floor(low0 + 0.5)
        else:
            at_x, at_y = (x - x0) * views[v + RESOLUTION], (y - y0) * views[v + RESOLUTION]
        p = k * PLACE
        differs = _store(places, p + PIXELS, pixels) | _store(places, p + EXACT, exact)
        differs |= _store(places, p + SHARP, np.float64(straight))
        differs |= _store(places, p + TURN, 1.0 if plain else a * scale)
        differs |= _store(places, p + TURN + 1, 0.0 if plain else b * scale)
        differs |= _store(places, p + TURN + 2, 0.0 if plain else c * scale)
        differs |= _store(places, p + TURN + 3, 1.0 if plain else d * scale)
        differs |= _store(places, p + AT, at_x) | _store(places, p + AT + 1, at_y)
        differs |= _store(places, p + GROUND, np.float64(screen[number]))
        differs |= _store(places, p + GROUND + 1, cell_x) | _store(places, p + GROUND + 2, cell_y)
        differs |= _store(places, p + GROUND + 3, np.float64(straight))
        differs |= _store(places, p + GROUND + 4, np.float64(number) if moving else -1.0)
        if differs:
            stale[k] |= _NEW_SPRITES
        # whether the block touches the view; outlines and shadows may reach one line farther
        wide, high = block[2 * k] * size[row], block[2 * k + 1] * size[row]
        center_x, center_y = (_HALF - anchor[2 * row]) * wide, (_HALF - anchor[2 * row + 1]) * high
        more = size[row] + outline_width[row]
        half_x, half_y = wide * _HALF + more + abs(fall[2 * row]), high * _HALF + more + abs(fall[2 * row + 1])
        middle_x = matrix[m] * center_x + matrix[m + 2] * center_y + matrix[m + 4]
        middle_y = matrix[m + 1] * center_x + matrix[m + 3] * center_y + matrix[m + 5]
        reach_x = abs(matrix[m]) * half_x + abs(matrix[m + 2]) * half_y
        reach_y = abs(matrix[m + 1]) * half_x + abs(matrix[m + 3]) * half_y
        across = middle_x + reach_x >= views[v + BOUNDS] and middle_x - reach_x <= views[v + BOUNDS + 2]
        up = middle_y + reach_y >= views[v + BOUNDS + 1] and middle_y - reach_y <= views[v + BOUNDS + 3]
        shown[k] = inked[k] and across and up


@njit(borrows=True, inline="always")
def _quantized(exact: Any) -> Any:
    """Return the size at which glyphs are drawn, see `fonts.quantized`."""
    step = 1.0 if exact <= 72.0 else 4.0 if exact <= 128.0 else 8.0
    limited = exact if exact < LARGEST else np.float64(LARGEST) if exact == exact else 1.0
    size = np.floor(limited / step + 0.5) * step
    return 1.0 if not size > 1.0 else size if size < LARGEST else np.float64(LARGEST)


@njit(borrows=True, inline="always")
def _to_pixels(views: Array, v: Any, x: Any, y: Any) -> Any:
    """Convert a world position to target pixels from the bottom left of the viewport."""
    sin, cos = views[v + ROTATION], views[v + ROTATION + 1]
    px, py = x - views[v + CENTER], y - views[v + CENTER + 1]
    sx, sy = cos * px + sin * py + views[v + MIDDLE], cos * py - sin * px + views[v + MIDDLE + 1]
    return (sx - views[v + CORNER]) * views[v + RATIO], (sy - views[v + CORNER + 1]) * views[v + RATIO + 1]


@njit(borrows=True)
def pack_letters(
    k: int, row: int, letters: Any, matrix: Array, columns: Any, views: Array, places: Array, first: int, out: Array
) -> Any:
    """Write the letters of a text as INSTANCE, four numbers each; return whether they fit.

    letters: boxes, frames, inks and spans of `Letters`. matrix, views, places: see `place_texts`. columns: color,
    outline, shadow, shadow_offset and opacity of the table. out: uint32, written from the sprite `first` on.
    """
    boxes, frames, inks, spans = letters
    color, outline, shadow, fall, opacity = columns
    p, m = k * PLACE, 6 * k
    a, b, c, d = places[p + TURN], places[p + TURN + 1], places[p + TURN + 2], places[p + TURN + 3]
    near = CLOSE * (abs(a) + abs(b))
    fit = abs(a - d) <= near and abs(b + c) <= near
    stretch, angle = math.sqrt(a * a + b * b), np.float32(maths.atan2(b, a))
    turn = np.uint32(np.int64(np.floor(angle * _TURNS + _HALF)) & 0xFFFF)
    fine = views[(VIEW if places[p + GROUND] != 0.0 else 0) + FINE]
    down, up = np.float64(fall[2 * row]), np.float64(fall[2 * row + 1])
    fall_x = (np.float64(matrix[m]) * down + np.float64(matrix[m + 2]) * up) * fine
    fall_y = (np.float64(matrix[m + 1]) * down + np.float64(matrix[m + 3]) * up) * fine
    if places[p + SHARP] != 0.0:
        fall_x, fall_y = np.floor(fall_x + 0.5), np.floor(fall_y + 0.5)
    four = np.uint64(4 * row)
    dark, edge = rgba_word(shadow, four, opacity[row]), rgba_word(outline, four, opacity[row])
    plain = rgba_word(color, four, opacity[row])
    for i in range(len(frames)):
        bx, by = np.float64(boxes[i, 0]), np.float64(boxes[i, 1])
        x, y = a * bx + c * by + places[p + AT], b * bx + d * by + places[p + AT + 1]
        word = plain
        if inks[i] == SHADOW:
            x, y, word = x + fall_x, y + fall_y, dark
        elif inks[i] == OUTLINE:
            word = edge
        elif inks[i] != LETTER:
            seen = np.float32(np.floor(np.float32(spans[i, 3]) * opacity[row] + _HALF))
            word = np.uint32(seen if seen < np.float32(255) else np.float32(255)) << np.uint32(24)
            for part in range(3):
                word |= np.uint32(spans[i, part]) << np.uint32(8 * part)
        x32, y32 = np.float32(x), np.float32(y)
        w32, h32 = np.float32(boxes[i, 2] * stretch), np.float32(boxes[i, 3] * stretch)
        fit = fit and x32 >= _LEAST and x32 <= MAX_POSITION and y32 >= _LEAST and y32 <= MAX_POSITION
        fit = fit and w32 <= MAX_SPRITE_SIZE and h32 <= MAX_SPRITE_SIZE
        o = 4 * (first + i)
        out[o] = _fixed(x32, POSITION_SCALE, -32768.0, 32767.0) | _fixed(
            y32, POSITION_SCALE, -32768.0, 32767.0
        ) << np.uint32(16)
        out[o + 1] = _fixed(w32, SIZE_SCALE, 0.0, 65535.0) | _fixed(h32, SIZE_SCALE, 0.0, 65535.0) << np.uint32(16)
        out[o + 2] = turn | np.uint32(frames[i]) << np.uint32(16)
        out[o + 3] = word
    return fit


@njit(borrows=True, inline="always")
def _fixed(value: Any, scale: Any, low: Any, high: Any) -> Any:
    """Return value * scale in the low sixteen bits, rounded half up and limited; a NaN becomes `low`."""
    scaled = np.floor(value * np.float32(scale) + _HALF)
    scaled = scaled if scaled > low else np.float32(low)
    return np.uint32(np.int64(scaled if scaled < high else np.float32(high)) & 0xFFFF)
