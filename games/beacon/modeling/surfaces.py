"""Pictures of surfaces that repeat without a seam: wet stone, planks, plaster, water, and their normal maps."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[Any]
Bytes = npt.NDArray[np.uint8]
SIDE = 512


def noise(cells: int, seed: int, octaves: int = 4, stretch: tuple[int, int] = (1, 1)) -> Floats:
    """Return noise (SIDE, SIDE) from 0 to 1 that repeats. cells: of the coarsest octave across the picture."""
    rng = np.random.default_rng(seed)
    total, weight = np.zeros((SIDE, SIDE)), 0.0
    for octave in range(octaves):
        down, across = (cells * side << octave for side in stretch)
        lattice = rng.random((down, across))
        share = 0.5**octave
        total += share * _smooth(lattice)
        weight += share
    total /= weight
    return (total - total.min()) / (total.max() - total.min())


def _smooth(lattice: Floats) -> Floats:
    """Return the values of a lattice between its points, (SIDE, SIDE), repeated at the borders."""
    rows, columns = lattice.shape
    y, x = (np.arange(SIDE) * count / SIDE for count in (rows, columns))
    top, left = y.astype(int), x.astype(int)
    down, across = ((3 - 2 * t) * t * t for t in (y - top, x - left))
    corner = lattice[np.ix_(top % rows, left % columns)], lattice[np.ix_(top % rows, (left + 1) % columns)]
    below = lattice[np.ix_((top + 1) % rows, left % columns)], lattice[np.ix_((top + 1) % rows, (left + 1) % columns)]
    upper = corner[0] + (corner[1] - corner[0]) * across
    lower = below[0] + (below[1] - below[0]) * across
    return upper + (lower - upper) * down[:, None]


def blocks(rows: int, columns: int, gap: float, seed: int) -> tuple[Floats, Floats, Floats]:
    """Return a bond of blocks: 0 in the joints to 1 on the blocks, a tone and a tilt for each block."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[0:SIDE, 0:SIDE] / SIDE
    row = np.floor(y * rows).astype(int)
    along = x * columns + (row % 2) * 0.5
    column = np.floor(along).astype(int) % columns
    edge = np.minimum.reduce([y * rows % 1, 1 - y * rows % 1]) / rows
    side = np.minimum.reduce([along % 1, 1 - along % 1]) / columns
    wander = (noise(12, seed + 1) - 0.5) * gap
    high = np.clip((np.minimum(edge, side) + wander) / gap, 0, 1)
    tone, tilt = rng.random((rows, columns)), rng.random((rows, columns))
    return high * high * (3 - 2 * high), tone[row, column], tilt[row, column]


def normals(height: Floats, strength: float) -> Bytes:
    """Return the normal map of a height, y of the picture up; strength: height of 1 in texels."""
    dx = (np.roll(height, -1, 1) - np.roll(height, 1, 1)) / 2 * strength
    dy = (np.roll(height, 1, 0) - np.roll(height, -1, 0)) / 2 * strength
    vectors = np.dstack([-dx, -dy, np.ones_like(height)])
    vectors /= np.linalg.norm(vectors, axis=2, keepdims=True)
    return to_bytes(vectors * 0.5 + 0.5)


def to_bytes(values: Floats) -> Bytes:
    """Return values from 0 to 1 as bytes."""
    return (np.clip(values, 0, 1) * 255 + 0.5).astype(np.uint8)


def _colored(dark: tuple[int, ...], bright: tuple[int, ...], share: Floats) -> Floats:
    return (np.array(dark) + (np.array(bright) - np.array(dark)) * share[..., None]) / 255


def _surface(roughness: Floats, metallic: float | Floats = 0.0) -> Bytes:
    return to_bytes(np.dstack(np.broadcast_arrays(np.ones_like(roughness), roughness, metallic)))


def quay() -> dict[str, Bytes]:
    """Wet paving: rough blocks, with water in the joints and in hollows, which is smooth and dark."""
    high, tone, tilt = blocks(4, 3, 0.016, 3)
    grain, wide = noise(48, 5, 3), noise(3, 6, 3)
    height = high * (0.72 + 0.28 * tilt) + 0.12 * grain
    water = np.clip((0.62 - height * 0.55 - wide * 0.62) * 4.5 + (1 - high) * 0.6, 0, 1)
    color = _colored((44, 47, 52), (104, 104, 102), 0.2 + 0.5 * tone * high + 0.3 * grain * high)
    color *= (1 - 0.5 * water)[..., None]
    rough = 0.58 + 0.2 * grain - 0.1 * tone
    rough = rough * (1 - water) + 0.07 * water
    flat = height * (1 - water) + 0.5 * water
    return {"color": to_bytes(color), "surface": _surface(rough), "normal": normals(flat, 7.0)}


def wall() -> dict[str, Bytes]:
    """Large worn blocks of a sea wall, with weed near the joints."""
    high, tone, tilt = blocks(6, 3, 0.02, 17)
    grain, weed = noise(40, 18, 3), noise(5, 19, 4)
    height = high * (0.6 + 0.4 * tilt) + 0.18 * grain
    color = _colored((38, 40, 44), (112, 106, 98), 0.15 + 0.55 * tone * high + 0.3 * grain)
    green = np.clip((weed - 0.55) * 3, 0, 1)[..., None] * 0.6
    color = color * (1 - green) + green * np.array([30, 46, 30]) / 255
    return {"color": to_bytes(color), "surface": _surface(0.5 + 0.3 * grain), "normal": normals(height, 9.0)}


def planks(dark: tuple[int, ...] = (58, 38, 24), bright: tuple[int, ...] = (150, 108, 68)) -> dict[str, Bytes]:
    """Sawn planks side by side, four across the picture."""
    y, x = np.mgrid[0:SIDE, 0:SIDE] / SIDE
    plank = np.floor(y * 4).astype(int)
    rng = np.random.default_rng(23)
    tone = rng.random(4)[plank]
    grain = noise(2, 24, 4, (16, 1))
    fine = noise(4, 25, 3, (24, 1))
    edge = np.minimum(y * 4 % 1, 1 - y * 4 % 1)
    gap = np.clip(edge / 0.03, 0, 1)
    nail = sum(
        np.exp(-(((x - px) ** 2) + ((y - (k + 0.5) / 4) ** 2)) / 0.00005) for k in range(4) for px in (0.06, 0.94)
    )
    share = np.clip(0.15 + 0.45 * tone + 0.35 * grain + 0.2 * (fine - 0.5), 0, 1)
    color = _colored(dark, bright, share) * (0.25 + 0.75 * gap)[..., None] * (1 - 0.7 * np.clip(nail, 0, 1))[..., None]
    height = gap * (0.8 + 0.2 * tone) + 0.12 * fine - 0.1 * np.clip(nail, 0, 1)
    rough = 0.62 + 0.2 * (1 - fine)
    return {"color": to_bytes(color), "surface": _surface(rough), "normal": normals(height, 6.0)}


def plaster() -> dict[str, Bytes]:
    """White plaster with streaks of rain and rust."""
    streak, spots, fine = noise(4, 31, 4, (1, 6)), noise(6, 32, 4), noise(40, 33, 3)
    share = np.clip(0.62 + 0.3 * spots - 0.35 * streak * streak, 0, 1)
    color = _colored((120, 112, 104), (226, 222, 214), share)
    return {"color": to_bytes(color), "surface": _surface(0.55 + 0.25 * fine), "normal": normals(spots + fine, 2.0)}


def metal(tone: tuple[int, ...], worn: tuple[int, ...], seed: int) -> dict[str, Bytes]:
    """Painted metal that is scratched down to the bare metal in places."""
    spots, fine = noise(5, seed, 5), noise(32, seed + 1, 3)
    bare = np.clip((spots + 0.25 * fine - 0.78) * 14, 0, 1)
    paint = _colored(tuple(int(c * 0.8) for c in tone), tone, 0.4 + 0.6 * fine)
    color = paint * (1 - bare)[..., None] + np.array(worn) / 255 * bare[..., None]
    rough = (0.42 + 0.12 * fine) * (1 - bare) + 0.3 * bare
    return {
        "color": to_bytes(color),
        "surface": _surface(rough, bare),
        "normal": normals(0.6 * (1 - bare) + 0.3 * fine, 2.0),
    }


def sea() -> dict[str, Bytes]:
    """The normal map of small waves."""
    height = 0.6 * noise(7, 41, 4, (2, 1)) + 0.4 * noise(11, 42, 4)
    return {"normal": normals(height, 26.0)}


def windows(columns: int, rows: int, seed: int) -> dict[str, Bytes]:
    """The front of a warehouse: bricks, and windows of which some are lit."""
    high, tone, _ = blocks(24, 10, 0.006, seed)
    color = _colored((40, 26, 24), (96, 56, 46), 0.3 + 0.5 * tone * high)
    y, x = np.mgrid[0:SIDE, 0:SIDE] / SIDE
    inside = (abs(x * columns % 1 - 0.5) < 0.24) & (abs(y * rows % 1 - 0.52) < 0.27)
    bars = (abs(x * columns % 1 - 0.5) < 0.014) | (abs(y * rows % 1 - 0.52) < 0.014)
    lit = np.random.default_rng(seed).random((rows, columns)) < 0.4
    shines = lit[np.floor(y * rows).astype(int), np.floor(x * columns).astype(int)] & inside & ~bars
    color[inside] = (0.06, 0.07, 0.09)
    fade = 0.55 + 0.45 * (y * rows % 1)
    glow = shines[..., None] * np.array([1.0, 0.66, 0.3]) * fade[..., None]
    rough = np.where(inside, 0.15, 0.8)
    height = np.where(inside, 0.0, 0.5 + 0.4 * high)
    return {
        "color": to_bytes(color), "surface": _surface(rough), "normal": normals(height, 5.0), "glow": to_bytes(glow),
    }  # fmt: skip
