"""Light from all around, in plain numpy: pictures of the sky, its light on surfaces, stars and discs of suns.

The drawers follow it line by line. Directions are unit vectors (n, 3). Sources: Ramamoorthi and Hanrahan 2001 (nine
numbers of spherical harmonics); Cigolle 2014 (octahedral map); Jarzynski and Olano 2020 (hash of the stars).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from .. import layout as at
from .formulas import Array, dot, unit
from .shadowing import face_of

STAR_CELLS = 64
"""Cells across a face of the cube of stars."""
STAR_SHARE = 40
"""The number of cells, of 256, that have a star."""
STAR_RADIUS, MAX_STAR_RADIUS = 0.0012, 0.003
"""The radius of a star, and its greatest radius in coarse pictures, radians."""
DISC_LIGHT = 64.0
"""The greatest brightness of the disc of a sun, as a multiple of its color times intensity."""


def turned(direction: Array, angle: float) -> Array:
    """Return directions (n, 3) in the axes of a sky that is turned by an angle around y, radians."""
    c, s = np.cos(angle), np.sin(angle)
    x, y, z = direction[..., 0], direction[..., 1], direction[..., 2]
    return np.stack([c * x - s * z, y, s * x + c * z], axis=-1)


def picture_light(picture: Array, direction: Array) -> Array:
    """Return the light (n, 3) of a picture (h, w, 3) all around: its middle is -z, its right half +x, its top +y.

    Four texels are mixed; the picture is repeated across, and ends up and down.
    """
    high, wide = picture.shape[:2]
    u = np.arctan2(direction[..., 0], -direction[..., 2]) / (2 * np.pi) + 0.5
    v = np.arccos(np.clip(direction[..., 1], -1, 1)) / np.pi
    x, y = u * wide - 0.5, np.clip(v * high - 0.5, 0, high - 1)
    left, top = np.floor(x).astype(np.int64), np.minimum(np.floor(y).astype(np.int64), high - 1)
    a, b = (x - left)[..., None], (y - top)[..., None]
    left, right, below = left % wide, (left + 1) % wide, np.minimum(top + 1, high - 1)
    upper = picture[top, left] * (1 - a) + picture[top, right] * a
    lower = picture[below, left] * (1 - a) + picture[below, right] * a
    return upper * (1 - b) + lower * b


def harmonics(direction: Array) -> Array:
    """Return the nine polynomials (n, 9) that `ambient` multiplies."""
    x, y, z = direction[..., 0], direction[..., 1], direction[..., 2]
    return np.stack([np.ones_like(x), y, z, x, x * y, y * z, 3 * z * z - 1, x * z, x * x - y * y], axis=-1)


def ambient_light(ambient: Array, normal: Array) -> Array:
    """Return the light of the sky (n, 3) that a white matt surface reflects; `ambient` (9, 3) is already turned."""
    return np.maximum(harmonics(normal) @ ambient, 0)


def octahedral(direction: Array) -> Array:
    """Return places (n, 2), 0 to 1, in a square: the upper half of all directions is its inner diamond."""
    x, y, z = direction[..., 0], direction[..., 1], direction[..., 2]
    size = np.abs(x) + np.abs(y) + np.abs(z)
    p, q = x / size, z / size
    outer_p = (1 - np.abs(q)) * np.where(p >= 0, 1, -1)
    outer_q = (1 - np.abs(p)) * np.where(q >= 0, 1, -1)
    return np.stack([np.where(y >= 0, p, outer_p), np.where(y >= 0, q, outer_q)], axis=-1) * 0.5 + 0.5


def octahedral_direction(place: Array) -> Array:
    """Return the unit vectors (n, 3) of places (n, 2) in the square."""
    p, q = place[..., 0] * 2 - 1, place[..., 1] * 2 - 1
    y = 1 - np.abs(p) - np.abs(q)
    x = np.where(y >= 0, p, (1 - np.abs(q)) * np.where(p >= 0, 1, -1))
    z = np.where(y >= 0, q, (1 - np.abs(p)) * np.where(q >= 0, 1, -1))
    return unit(np.stack([x, y, z], axis=-1))


def atlas_light(atlas: Array, direction: Array, roughness: Array) -> Array:
    """Return the mirrored light (n, 3): four texels of two levels are mixed. `direction` is `turned` by SKY_TURN.

    The middles of the outermost texels lie on the edge of the square, so that nothing needs to be repeated there.
    """
    level = np.clip(roughness, 0, 1) * (at.ATLAS_LEVELS - 1)
    lower = np.minimum(level.astype(np.int64), at.ATLAS_LEVELS - 2)
    part = (level - lower)[..., None]
    place = octahedral(direction) * (at.ATLAS_SIDE - 1)
    corner = np.minimum(place.astype(np.int64), at.ATLAS_SIDE - 2)
    x, y = corner[..., 0], corner[..., 1]
    a, b = (place[..., 0] - x)[..., None], (place[..., 1] - y)[..., None]

    def texels(number: npt.NDArray[np.int64]) -> Array:
        top = atlas[number, y, x] * (1 - a) + atlas[number, y, x + 1] * a
        bottom = atlas[number, y + 1, x] * (1 - a) + atlas[number, y + 1, x + 1] * a
        return top * (1 - b) + bottom * b

    return texels(lower) * (1 - part) + texels(lower + 1) * part


def cell_hash(number: npt.NDArray[np.int64]) -> npt.NDArray[np.uint32]:
    """Return 32 random bits of each number: PCG."""
    state = number.astype(np.uint32) * np.uint32(747796405) + np.uint32(2891336453)
    word = ((state >> ((state >> np.uint32(28)) + np.uint32(4))) ^ state) * np.uint32(277803737)
    return (word >> np.uint32(22)) ^ word


def star_light(direction: Array, brightness: float, pixel: float) -> Array:
    """Return the light (n,) of the stars. `direction` is `turned`; pixel: radians of a pixel in the middle.

    Each cell of a cube has one star or none. Coarse pictures get larger, dimmer stars. They fade at the horizon.
    """
    face, right, up, _ = face_of(direction)
    column = np.clip((right * 0.5 + 0.5) * STAR_CELLS, 0, STAR_CELLS - 1).astype(np.int64)
    row = np.clip((up * 0.5 + 0.5) * STAR_CELLS, 0, STAR_CELLS - 1).astype(np.int64)
    bits = cell_hash((face * STAR_CELLS + row) * STAR_CELLS + column).astype(np.int64)
    cell_x = column + 0.25 + ((bits >> 8) & 255) / 512
    cell_y = row + 0.25 + ((bits >> 16) & 255) / 512
    a, b = cell_x / STAR_CELLS * 2 - 1 - right, cell_y / STAR_CELLS * 2 - 1 - up
    stretch = 1 + right * right + up * up
    across = (a * a + b * b - (a * right + b * up) ** 2 / stretch) / stretch
    radius = min(max(STAR_RADIUS, pixel), MAX_STAR_RADIUS)
    power = ((bits >> 24) & 255) / 255
    spot = np.clip(1 - across / (radius * radius), 0, 1)
    fade = np.clip(direction[..., 1] * 6, 0, 1)
    light = power * power * power * (STAR_RADIUS / radius) ** 2 * spot * spot * fade * brightness
    return np.where((bits & 255) < STAR_SHARE, light, 0)


def disc_light(direction: Array, suns: Array, scene: Array, pixel: float) -> Array:
    """Return the light (n, 3) of the discs of suns; `pixel` as in `star_light`."""
    total = np.zeros_like(direction)
    radius = scene[at.DISC]
    if radius <= 0:
        return total
    power = min(1 / (radius * radius), DISC_LIGHT)
    for sun in suns:
        way = direction + sun[at.SUN_AXIS : at.SUN_AXIS + 3]
        inside = np.clip((radius - np.sqrt(dot(way, way))) / pixel + 0.5, 0, 1)
        total = total + (inside * power)[..., None] * sun[at.SUN_COLOR : at.SUN_COLOR + 3]
    return total
