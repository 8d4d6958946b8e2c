"""Placing: converts sprites in the pass's space into the arrays that `sprites` draws, band by band.

Each sprite gets a record: its rows on the target, its tint, and either its bitmap or the matrix by which it is drawn
exactly. Then each band of the target gets the list of the sprites that touch it.

A bitmap is made for an image at one size and angle, so sizes are rounded to half a pixel and angles to 1/64 turn (finer
for larger sprites, whose rims move further). An upright sprite is not rounded: at a size of whole pixels it gets a
bitmap, otherwise it is drawn exactly, so that touching neighbors still touch. At an image's own size the bitmap and
the exact drawing are equal.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import Array, njit

from .kernels.blend import scale
from .kernels.numbers import BITS16, BITS24, WHITE, f32, f64, i16, i32, i64, u32, u64
from .kernels.sprites import EXACTLY

_HALF = np.float64(0.5)
_FAR = np.float64(1e7)
_LOW = np.uint32(0xFFFF)
_COLORS = np.uint32(0x00FFFFFF)
_OPAQUE, _SPREAD = np.uint32(0xFF000000), np.uint32(0x01010101)
_NEAR = np.float64(1 / 512)

STEPS = 4096
_angles = np.arange(STEPS) * (2 * np.pi / STEPS)
CIRCLE = np.stack([np.cos(_angles), np.sin(_angles)], axis=1)
"""float64 (4096, 2): cosine and sine of every 4096th of a turn; exactly 0 and 1 at the quarters."""
CIRCLE[:: STEPS // 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)]

LARGEST = 500.0
"""The greatest width and height of a sprite with a bitmap, in pixels. LARGEST_TURNED: the same if it is turned."""
LARGEST_TURNED = 160.0
SMALLEST = 2.0
PROBES = 8
SLOTS = 1 << 16
_SLOT = np.uint64(SLOTS - 1)
_ANGLE = np.uint64(0xFF << 2)
_NUMBER = np.uint64(0x7FFF << 48)


@njit(borrows=True)
def _tint(rgba: Any, faded: Any) -> Any:
    """Convert a straight color, uint32, to a premultiplied pixel; faded: to its opacity in all four channels."""
    alpha = u32(rgba >> BITS24)
    return u32(alpha * _SPREAD) if faded else scale(u32(rgba | _OPAQUE), alpha)


@njit(borrows=True)
def _show(rows: Any, i: Any, top: Any, bottom: Any, left: Any, right: Any, clip: Any, bands: Any) -> None:
    """Store the rows `top` up to `bottom`, clipped, and count the sprite in the bands that they touch.

    Does nothing if the columns `left` up to `right` are outside the clip. The counts are differences: 1 is added at the
    first band, and subtracted after the last.
    """
    shift, counts = bands
    top, bottom = max(top, clip[1]), min(bottom, clip[3])
    if top < bottom and left < clip[2] and right > clip[0]:
        rows[i, 0], rows[i, 1] = i32(top), i32(bottom)
        counts[u64(top >> shift)] += i64(1)
        counts[u64(((bottom - 1) >> shift) + 1)] -= i64(1)


@njit(borrows=True)
def _show_exactly(sprites: Any, i: Any, frame: Any, matrix: Any, clip: Any, bands: Any) -> None:
    """Store a sprite that is drawn exactly; its rows are those whose pixel centers are inside it."""
    rows, records, matrices, _ = sprites
    a, b, c, d, x, y = matrix
    for column in range(6):
        matrices[i, column] = matrix[column]
    records[i, 0], records[i, 3] = i32(EXACTLY), i32(frame)
    high, wide = (abs(f64(b)) + abs(f64(d))) * _HALF, (abs(f64(a)) + abs(f64(c))) * _HALF
    left, right, low, high = f64(x) - wide, f64(x) + wide, f64(y) - high, f64(y) + high
    if left < f64(clip[2]) and right > f64(clip[0]) and low < f64(clip[3]) and high > f64(clip[1]):
        top, bottom = i64(np.ceil(max(low, -_FAR) - _HALF)), i64(np.ceil(min(high, _FAR) - _HALF))
        _show(rows, i, top, bottom, clip[0], clip[2], clip, bands)


@njit(borrows=True)
def _slot_of(key: Any) -> Any:
    """Return the first slot to probe for a key, and the step of the probing; see `_find`."""
    mixed = (key & ~_ANGLE) * u64(0x9E3779B97F4A7C15)
    angle = (key >> u64(2)) & u64(0xFF)
    return (mixed >> u64(48)) + (angle >> u64(2) | (angle & u64(3)) << u64(6)), mixed >> u64(32) | u64(1)


@njit(borrows=True)
def _find(slots: Any, key: Any) -> Any:
    """Return the number of the bitmap with this key, or EXACTLY.

    slots: uint64, keys with the number of the bitmap in bits 48 to 62, or 0 if empty. The angles of one image are in
    neighboring slots, so that a turning sprite finds them in the processor's cache.
    """
    at, step = _slot_of(key)
    for _ in range(PROBES):
        entry = slots[at & _SLOT]
        if entry & ~_NUMBER == key:
            return i32((entry & _NUMBER) >> u64(48))
        at += step
    return i32(EXACTLY)


@njit
def file_bitmaps(slots: Any, keys: Any, first: Any) -> None:
    """Enter keys into the slots, with numbers from `first` on.

    A key that finds no free slot is left out; its bitmap is made again when it is next missing.
    """
    for number in range(first, first + keys.shape[0]):
        key = keys[number - first]
        at, step = _slot_of(key)
        for _ in range(PROBES):
            if key == u64(0):
                break
            if slots[at & _SLOT] == u64(0):
                slots[at & _SLOT] = key | u64(number) << u64(48)
                break
            at += step


@njit
def bitmap_key(frame: Any, w: Any, h: Any, angle: Any, style: Any) -> Any:
    """Return the key of a bitmap; 0 if the sprite should have none.

    w, h: pixels. angle: 1/65536 turn, counter-clockwise. style: bit 0 filtered, bit 1 additive.
    """
    larger = max(w, h)
    if not larger <= f64(LARGEST) or not min(w, h) >= f64(SMALLEST):
        return u64(0)
    wide, high = u64(i64(w * f64(2) + _HALF)), u64(i64(h * f64(2) + _HALF))
    if angle & u32(0x3FFF) == u32(0):
        if abs(w - np.floor(w + _HALF)) > f64(_NEAR) or abs(h - np.floor(h + _HALF)) > f64(_NEAR):
            return u64(0)
        step = u64(angle >> u32(8))
    else:
        coarse = u32(10) if larger <= f64(40) else u32(9) if larger <= f64(80) else u32(8)
        rounded = u32(angle + (u32(1) << (coarse - u32(1)))) & _LOW
        step = u64((rounded >> coarse) << (coarse - u32(8)))
        if step != u64(0) and larger > f64(LARGEST_TURNED):
            return u64(0)
    key = u64(frame) << u64(32) | wide << u64(21) | high << u64(10) | step << u64(2) | u64(style)
    return key | u64(1) << u64(63)


@njit(borrows=True)
def place_instances(
    words: Any, start: Any, stop: Any, view: Any, masks: Any, likeness: Any, cache: Any, bands: Any, sprites: Any,
    faded: Any,
) -> Any:  # fmt: skip
    """Place the packed sprites from `start` up to `stop`; returns how many lack the bitmap that they should have.

    words: uint32 (4·n), the instances. view: plane: float64 (6) a b c d tx ty, from the batch's fixed point to pixels;
    CIRCLE; clip: int64 (4). masks: uint32 f, 0 for frames that can't be drawn. likeness: style, see `bitmap_key`, -1 to
    draw all exactly; turn of the camera, 1/65536; zoom: pixels in 1/16 of the batch's unit. cache: slots, table and
    used of `Bitmaps`, the number of this drawing, and missing: uint64 n, filled from `start` on with the keys of the
    missing bitmaps. bands: shift: a band has 2^shift rows; counts: int64 (bands + 1), for each band the number of
    sprites that touch it, less that of the previous band. sprites: rows, records, matrices and tints to be filled, see
    `draw_sprites`. faded: 1 to use only the opacity of the tint.
    """
    plane, circle, clip = view
    style, turn, zoom = likeness
    slots, bitmaps, used, now, missing = cache
    rows, records, _, tints = sprites
    count = i64(0)
    for k in range(start, stop):
        i = u64(k)
        first = i << u64(2)
        word, size = words[first], words[first + u64(1)]
        turned, rgba = words[first + u64(2)], words[first + u64(3)]
        frame = i64(turned >> BITS16)
        # Unpack: frame, size, position.
        wide, high = f64(size & _LOW), f64(size >> BITS16)
        rows[i, 0], rows[i, 1] = i32(0), i32(0)
        if frame >= masks.shape[0] or masks[frame] == u32(0) or wide == f64(0) or high == f64(0):
            continue
        across, up = f64(i16(word & _LOW)), f64(i16(word >> BITS16))
        x = f64(f32(plane[0] * across + plane[2] * up + plane[4]))
        y = f64(f32(plane[1] * across + plane[3] * up + plane[5]))
        if not (abs(x) < f64(1e30) and abs(y) < f64(1e30)):
            continue
        tints[i] = WHITE if rgba == WHITE else _tint(rgba, faded)
        # Fast quality: find the bitmap for this frame, size and angle, or note that it is missing.
        bitmap = i32(EXACTLY)
        if style >= 0:
            own = i64(style) | (i64(2) if masks[frame] <= _COLORS else i64(0))
            angle = u32(u32(turned & _LOW) + u32(turn)) & _LOW
            key = bitmap_key(frame, wide * zoom, high * zoom, angle, own)
            if key != u64(0):
                bitmap = _find(slots, key)
                if bitmap == i32(EXACTLY):
                    missing[u64(start + count)] = key
                    count += 1
        # A bitmap is placed on whole pixels.
        if bitmap >= i32(0):
            used[bitmap] = now
            records[i, 0], records[i, 3] = bitmap, i32(frame)
            left = np.ceil(x + f64(bitmaps[bitmap, 5]) * _HALF)
            top = np.ceil(y + f64(bitmaps[bitmap, 6]) * _HALF)
            if abs(left) < _FAR and abs(top) < _FAR:
                x0, y0 = i64(left), i64(top)
                records[i, 1], records[i, 2] = i32(x0), i32(y0)
                _show(rows, i, y0, y0 + bitmaps[bitmap, 3], x0, x0 + bitmaps[bitmap, 2], clip, bands)
            continue
        # Exact quality: cosine and sine of the angle, rounded down to a step of the table of 4096. The rest r is added
        # by the angle sum formula with the series cos r ≈ 1 - r²/2, sin r ≈ r.
        step = i64(turned & _LOW) >> i64(4)
        rest = f64(i64(turned) & i64(15)) * f64(2 * np.pi / 65536)
        c, s = circle[step, 0], circle[step, 1]
        if rest != f64(0):
            near, c0 = f64(1) - rest * rest * _HALF, c
            c = c0 * near - s * rest
            s = s * near + c0 * rest
        wide, high = wide * _HALF, high * _HALF  # a size is in units half as large as those of positions
        a, b, c2, d = c * wide, s * wide, -s * high, c * high
        m = (
            f32(plane[0] * a + plane[2] * b), f32(plane[1] * a + plane[3] * b),
            f32(plane[0] * c2 + plane[2] * d), f32(plane[1] * c2 + plane[3] * d), f32(x), f32(y),
        )  # fmt: skip
        _show_exactly(sprites, i, frame, m, clip, bands)
    return count


@njit(borrows=True)
def place_matrices(
    columns: Any, start: Any, stop: Any, plane: Any, clip: Any, masks: Any, bands: Any, sprites: Any, faded: Any
) -> None:
    """Place the sprites from `start` up to `stop` by their matrices; all of them are drawn exactly.

    columns: matrix: float32 (n, 6), frames: uint16 n, rgba: uint32 n. plane: float64 (6), to pixels. The other
    arguments are those of `place_instances`.
    """
    matrix, frames, rgba = columns
    rows, _, matrices, tints = sprites
    for k in range(start, stop):
        i = u64(k)
        frame = i64(frames[i])
        rows[i, 0], rows[i, 1] = i32(0), i32(0)
        if frame >= masks.shape[0] or masks[frame] == u32(0):
            continue
        fine = True
        for column in range(0, 6, 2):
            first, second = f64(matrix[i, column]), f64(matrix[i, column + 1])
            x, y = plane[0] * first + plane[2] * second, plane[1] * first + plane[3] * second
            if column == 4:
                x, y = x + plane[4], y + plane[5]
            fine = fine and abs(x) < f64(1e38) and abs(y) < f64(1e38)
            matrices[i, column], matrices[i, column + 1] = f32(x), f32(y)
        if not fine:
            continue
        tints[i] = _tint(rgba[i], faded)
        m = matrices[i, 0], matrices[i, 1], matrices[i, 2], matrices[i, 3], matrices[i, 4], matrices[i, 5]
        _show_exactly(sprites, i, frame, m, clip, bands)


@njit
def list_bands(
    rows: Any, records: Any, tints: Any, start: Any, stop: Any, shift: Any, cursors: Any, listed: Any
) -> None:  # fmt: skip
    """Append the sprites from `start` up to `stop` to the lists of the bands that they touch, in order.

    shift: a band has 2^shift rows. cursors: int64, the index in `listed` of the next entry of each band; advanced.
    listed: int32 (4·m), for each entry the bitmap, x and y of its top left corner, and the tint; or, for a sprite that
    is drawn exactly, -1 less its index in place of the bitmap.
    """
    for i in range(start, stop):
        k = u64(i)
        first, last = rows[k, 0], rows[k, 1]
        if first < last:
            number = records[k, 0]
            if number == i32(EXACTLY):
                number = i32(-1 - i)
            for band in range(i64(first) >> shift, (i64(last - i32(1)) >> shift) + 1):
                entry = u64(cursors[u64(band)]) << u64(2)
                listed[entry], listed[entry + u64(1)] = number, records[k, 1]
                listed[entry + u64(2)], listed[entry + u64(3)] = records[k, 2], i32(tints[k])
                cursors[u64(band)] += i64(1)


def band_starts(counts: Array) -> tuple[Array, Array]:
    """Return the start of each band's list, int64 (bands + 1), and where each part of the sprites continues in it.

    counts: int64 (parts, bands + 1), from `place_instances`. The second result: int64 (parts, bands).
    """
    counts = np.cumsum(counts[:, :-1], axis=1)
    parts, bands = counts.shape
    ends = np.cumsum(counts.T.reshape(-1))
    starts = np.concatenate([[0], ends[parts - 1 :: parts]]).astype(np.int64)
    cursors = np.ascontiguousarray((ends - counts.T.reshape(-1)).reshape(bands, parts).T)
    return starts, cursors
