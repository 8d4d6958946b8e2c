"""The compiled kernel that turns orders into new particles.

Every particle takes a fixed number of values of its preset's random stream (`rish_ecs.random`): the k-th requested
particle takes those from `counter + PLAIN·k` on, even if there was no room for it. The values are computed for a block
of particles at a time, in loops that a compiler vectorizes. A plain version in the tests draws them one by one and gets
the same results.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_frame.poses import quick_sincos
from rish_jit import Array, njit

CHUNK = 128
"""The number of particles whose random numbers are computed together. It is small, so that the numbers fit into the
innermost cache.
"""
WORDS = 12 * CHUNK
"""The size of the scratch that `spawn` needs, in uint32."""
PLAIN, VARIED = 4, 6
"""The numbers of the stream, 64 bits each, that a particle uses, without and with variations."""
ORDER = 12
"""The length of an order's row: x, y, its movement in this tick dx, dy, a matrix a, b, c, d, its rotation, its scale,
the velocity that its particles inherit x, y."""
COUNT, TINT, SPREAD = 0, 1, 2
"""Indices of an order's integers: the count, a tint, whether the emission is spread over the tick."""
POINT, LINE, ROUND, BOX, POLYGON, SPOTS = range(6)
"""Kinds of shapes; ROUND is for circles and rings, SPOTS for images."""
SIDE = 6
"""The length of a polygon side's row: x0, y0, x1, y1, the share of the perimeter up to its end, the angle outward."""
TAU = np.float32(6.283185307179586)
(
    LIFE, LIFE_MORE, SPEED, SPEED_MORE, SIZE, SIZE_MORE, TURN, TURN_MORE, ANGLE, ANGLE_MORE, SPIN, SPIN_MORE,
    END_SPEED, END_SPEED_MORE, END_SIZE, END_SIZE_MORE, WIDTH, HEIGHT, INNER, OUTER, AT_X, AT_Y,
) = range(22)  # fmt: skip
"""Indices of a preset's numbers: for each span the least value and the width of the span; then the shape's."""


@njit(inline="always")
def unit(word: Any) -> Any:
    """Return a float32 in [0, 1) from the upper 24 bits of a word."""
    return np.float32(word >> np.uint32(8)) * np.float32(2.0**-24)


@njit(inline="always")
def upper(word: Any) -> Any:
    """Return a float32 in [0, 1) from the upper 16 bits of a word."""
    return np.float32(word >> np.uint32(16)) * np.float32(2.0**-16)


@njit(inline="always")
def lower(word: Any) -> Any:
    """Return a float32 in [0, 1) from the lower 16 bits of a word."""
    return np.float32(word & np.uint32(0xFFFF)) * np.float32(2.0**-16)


@njit(borrows=True)
def fill_words(words: Array, at: Any, m: Any, key: Any, block: Any, stride: Any) -> None:
    """Write four Philox4x32-10 words for each of m particles: blocks block, block + stride, ...; see
    `rish_ecs.random`.
    """
    low = np.uint64(0xFFFFFFFF)
    half = np.uint64(32)
    key0, key1 = np.uint64(key) & low, (np.uint64(key) >> half) & low
    c = np.uint64(CHUNK)
    for i in range(m):
        number = np.uint64(block) + np.uint64(stride) * np.uint64(i)
        c0, c1, c2, c3, k0, k1 = number & low, number >> half, np.uint64(0), np.uint64(0), key0, key1
        for _ in range(10):
            p0, p1 = np.uint64(0xD2511F53) * c0, np.uint64(0xCD9E8D57) * c2
            c0, c1 = (p1 >> half) ^ c1 ^ k0, p1 & low
            c2, c3 = (p0 >> half) ^ c3 ^ k1, p0 & low
            k0, k1 = (k0 + np.uint64(0x9E3779B9)) & low, (k1 + np.uint64(0xBB67AE85)) & low
        words[at + i], words[at + c + i] = np.uint32(c0), np.uint32(c1)
        words[at + c + c + i], words[at + c + c + c + i] = np.uint32(c2), np.uint32(c3)


@njit(borrows=True)
def spawn(
    live: Any, room: Any, pool: Any, orders: Any, numbers: Array, form: Any, colors: Any, stream: Any, dt: Any,
    words: Array,
) -> tuple[Any, Any]:  # fmt: skip
    """Emit ordered particles into a pool after its `live` ones; return the number of live particles and the number of
    requested particles.

    pool: the columns and the extras of its `Span`. orders: their float and their integer values, see above. form: the
    kind of shape, whether particles fly outward, and spots: float32, for a polygon see SIDE; for an image x, y of each.
    colors: the tints, and whether they are blended. stream: key and counter of the random numbers. dt: s, of the
    pool's time. words: scratch.
    """
    columns, extras = pool
    x, y, vx, vy, age, life, angle, spin, size, rgba = columns
    first, last, last_size, pick = extras
    lines, wholes = orders
    shape, outward, spots = form
    tints, blended = colors
    key, counter = stream
    varied = len(first) > 0
    each = np.int64(3 if varied else 2)
    requested = np.int64(0)
    for o in range(len(wholes) // 3):
        count = np.int64(wholes[3 * o + COUNT])
        order = lines[ORDER * o : ORDER * o + ORDER]
        tint, spread = wholes[3 * o + TINT], wholes[3 * o + SPREAD] != 0
        step = np.float32(dt) / np.float32(count)
        take = min(count, np.int64(room) - live)
        spawned = np.int64(0)
        while spawned < take:
            m = min(np.int64(CHUNK), take - spawned)
            block = (np.int64(counter) >> np.int64(1)) + each * (requested + spawned)
            fill_words(words, np.uint64(0), np.uint64(m), key, block, each)
            fill_words(words, np.uint64(4 * CHUNK), np.uint64(m), key, block + np.int64(1), each)
            at = np.uint64(live)
            # Ages at the end of the tick: evenly spread for a steady stream, 0 for a burst.
            begin = np.float32(count - spawned) - np.float32(0.5)
            for i in range(np.uint64(m)):
                age[at + i] = (begin - np.float32(i)) * step if spread else np.float32(0)
            drawn(life, at, np.uint64(m), words, np.uint64(2 * CHUNK), numbers[LIFE], numbers[LIFE_MORE])
            scale = order[9]
            drawn(
                size, at, np.uint64(m), words, np.uint64(3 * CHUNK), numbers[SIZE] * scale, numbers[SIZE_MORE] * scale
            )
            # The direction is stored as an angle and the speed in vx, until `born` converts both to a velocity.
            drawn(angle, at, np.uint64(m), words, np.uint64(0), numbers[TURN], numbers[TURN_MORE])
            drawn(vx, at, np.uint64(m), words, np.uint64(CHUNK), numbers[SPEED], numbers[SPEED_MORE])
            if varied:
                fill_words(words, np.uint64(8 * CHUNK), np.uint64(m), key, block + np.int64(2), each)
                vary(first, last, last_size, pick, vx, at, np.uint64(m), words, numbers, scale)
            born(x, y, angle, vx, vy, at, np.uint64(m), words, numbers, shape, outward, spots, order, age, dt)
            # The angle and the spin share a word.
            turned, word = numbers[ANGLE] + order[8], np.uint64(6 * CHUNK)
            for i in range(np.uint64(m)):
                angle[at + i] = turned + numbers[ANGLE_MORE] * upper(words[word + i])
            for i in range(np.uint64(m)):
                spin[at + i] = numbers[SPIN] + numbers[SPIN_MORE] * lower(words[word + i])
            paint(rgba, at, np.uint64(m), words, tints, blended, tint)
            live += m
            spawned += m
        requested += count
    return live, requested


@njit(borrows=True)
def drawn(column: Array, at: Any, m: Any, words: Array, word: Any, minimum: Any, spread: Any) -> None:
    """Fill a column with values drawn uniformly from a span."""
    for i in range(m):
        column[at + i] = minimum + spread * unit(words[word + i])


@njit(borrows=True)
def born(
    x: Array, y: Array, angle: Array, vx: Array, vy: Array, at: Any, m: Any, words: Array, numbers: Array, shape: int,
    outward: bool, spots: Array, order: Array, age: Array, dt: Any,
) -> None:  # fmt: skip
    """Set positions in the shape and velocities; then transform both by the order's matrix to the position of the
    emitter.
    """
    half, one = np.float32(0.5), np.float32(1)
    at_x, at_y = numbers[AT_X], numbers[AT_Y]
    u_at, v_at = np.uint64(4 * CHUNK), np.uint64(5 * CHUNK)
    ox, oy, dx, dy = order[0], order[1], order[2], order[3]
    a, b, c, d, inherit_x, inherit_y = order[4], order[5], order[6], order[7], order[10], order[11]
    if shape == POINT:
        for i in range(m):
            x[at + i] = y[at + i] = np.float32(0)
    elif shape == ROUND:
        # Uniform on a ring: radius = sqrt(inner² + u·(outer² - inner²)).
        inner, ring = numbers[INNER] * numbers[INNER], numbers[OUTER] * numbers[OUTER] - numbers[INNER] * numbers[INNER]
        for i in range(m):
            radius = np.float32(np.sqrt(inner + ring * unit(words[u_at + i])))
            sin, cos = quick_sincos(TAU * unit(words[v_at + i]))
            x[at + i], y[at + i] = radius * cos, radius * sin
        if outward:
            for i in range(m):
                angle[at + i] += TAU * unit(words[v_at + i])
    elif shape <= BOX:
        width, height = numbers[WIDTH], numbers[HEIGHT]
        for i in range(m):
            x[at + i] = (unit(words[u_at + i]) - half) * width
            y[at + i] = (unit(words[v_at + i]) - half) * height
    elif shape == SPOTS:
        count = len(spots) // 2
        for i in range(m):
            spot = min(np.int64(unit(words[u_at + i]) * np.float32(count)), count - 1)
            x[at + i], y[at + i] = spots[2 * spot], spots[2 * spot + 1]
    else:
        last = len(spots) // SIDE - 1
        for i in range(m):
            u, v, side = unit(words[u_at + i]), unit(words[v_at + i]), 0
            while side < last and u >= spots[SIDE * side + 4]:
                side += 1
            x0, y0, x1, y1 = spots[SIDE * side], spots[SIDE * side + 1], spots[SIDE * side + 2], spots[SIDE * side + 3]
            x[at + i], y[at + i] = x0 + (x1 - x0) * v, y0 + (y1 - y0) * v
            if outward:
                angle[at + i] += spots[SIDE * side + 5]
    for i in range(m):
        sin, cos = quick_sincos(angle[at + i])
        speed = vx[at + i]
        vx[at + i], vy[at + i] = speed * cos, speed * sin
    per_tick = one / np.float32(dt) if dt > 0 else np.float32(0)
    # Emitted `age` seconds ago at o - (d/dt)·age, where the emitter was then, and moved by its own velocity since.
    for i in range(m):
        remaining = age[at + i]
        px, py, u, v = x[at + i] + at_x, y[at + i] + at_y, vx[at + i], vy[at + i]
        u, v = a * u + c * v + inherit_x, b * u + d * v + inherit_y
        vx[at + i], vy[at + i] = u, v
        x[at + i] = a * px + c * py + ox + (u - dx * per_tick) * remaining
        y[at + i] = b * px + d * py + oy + (v - dy * per_tick) * remaining


@njit(inline="always")
def paint(rgba: Array, at: Any, m: Any, words: Array, tints: Array, blended: bool, tint: Any) -> None:
    """Set the initial color: one of the tints, or a blend of the first two, multiplied by that of the order."""
    word, count = np.uint64(7 * CHUNK), len(tints)
    if count == 1:
        for i in range(m):
            rgba[at + i] = tints[0]
    elif blended:
        for i in range(m):
            rgba[at + i] = mixed(tints[0], tints[1], lower(words[word + i]))
    else:
        for i in range(m):
            rgba[at + i] = tints[min(np.int64(upper(words[word + i]) * np.float32(count)), count - 1)]
    if tint != np.int32(-1):
        for i in range(m):
            rgba[at + i] = times(rgba[at + i], tint)


@njit(inline="always")
def mixed(first: Any, other: Any, share: Any) -> Any:
    """Return two colors mixed, byte by byte."""
    color = np.uint32(0)
    for byte in range(4):
        bits = np.uint32(8 * byte)
        a = np.float32((np.uint32(first) >> bits) & np.uint32(255))
        b = np.float32((np.uint32(other) >> bits) & np.uint32(255))
        color |= np.uint32(a + (b - a) * share + np.float32(0.5)) << bits
    return np.int32(color)


@njit(inline="always")
def times(first: Any, other: Any) -> Any:
    """Return two colors multiplied, byte by byte, rounded half up."""
    color = np.uint32(0)
    for byte in range(4):
        bits = np.uint32(8 * byte)
        product = ((np.uint32(first) >> bits) & np.uint32(255)) * ((np.uint32(other) >> bits) & np.uint32(255))
        color |= (np.uint32(product + np.uint32(127)) // np.uint32(255)) << bits
    return np.int32(color)


@njit(borrows=True)
def vary(
    first: Array, last: Array, last_size: Array, pick: Array, vx: Array, at: Any, m: Any, words: Array, numbers: Array,
    scale: Any,
) -> None:  # fmt: skip
    """Set the variations: the final speed and size of each particle, and a random number.

    A particle that starts at rest stores its final speed as velocity; its first factor of 0 makes it start at rest.
    """
    a, b, c = np.uint64(8 * CHUNK), np.uint64(9 * CHUNK), np.uint64(10 * CHUNK)
    one, nothing = np.float32(1), np.float32(0)
    for i in range(m):
        start, end = vx[at + i], numbers[END_SPEED] + numbers[END_SPEED_MORE] * unit(words[a + i])
        rests = start == nothing
        first[at + i] = nothing if rests else one
        last[at + i] = one if rests else end / start
        vx[at + i] = end if rests else start
        pick[at + i] = np.int32(words[c + i] >> np.uint32(1))
        last_size[at + i] = (numbers[END_SIZE] + numbers[END_SIZE_MORE] * unit(words[b + i])) * scale
