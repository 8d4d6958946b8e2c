"""The generated shapes: one meter wide, around the origin, with texture coordinates and tangents.

Texture coordinates have v down. Around the axis, u grows to the right as seen from outside.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rish_jit import Array

Floats = npt.NDArray[np.float32]

_SIDES = 32
_TUBE = 0.15
"""The radius of the torus's tube, meters."""


@dataclass(frozen=True, eq=False)
class ShapeMesh:
    """The triangles of a generated shape; the arrays can't be written.

    indices: uint32 (t, 3), counter-clockwise seen from outside. positions, normals: (n, 3). tangents: (n, 4), the sign
    of the bitangent last. uv0: (n, 2). bounds: (2, 3), the least and the largest corner.
    """

    indices: npt.NDArray[np.uint32]
    positions: Floats
    normals: Floats
    tangents: Floats
    uv0: Floats
    bounds: Floats


@functools.cache
def shape_mesh(name: str) -> ShapeMesh:
    """Return the mesh of one of `MODEL_SHAPES`, for "" a square that faces +z. Raises KeyError for another name."""
    parts = _MAKERS[name]()
    counts = np.cumsum([0, *(len(part[0]) for part in parts[:-1])])
    joined = [np.concatenate([part[k] for part in parts]).astype(np.float32) for k in range(4)]
    faces = np.concatenate([part[4] + first for part, first in zip(parts, counts, strict=True)]).astype(np.uint32)
    positions, normals, tangents, uv0 = joined
    bounds = np.stack([positions.min(0), positions.max(0)])
    for array in (faces, *joined, bounds):
        array.flags.writeable = False
    return ShapeMesh(faces, positions, normals, tangents, uv0, bounds)


Part = tuple[Array, Array, Array, Array, Array]
"""Positions, normals, tangents, texture coordinates, triangles."""


def _square(normal: Any, right: Any, middle: Any) -> Part:
    """Return a square of side 1 that faces along a normal; `right` is the direction in which u grows."""
    n, r = np.array(normal, np.float64), np.array(right, np.float64)
    up = np.cross(n, r)
    uv = np.array([[0, 0], [0, 1], [1, 1], [1, 0]], np.float64)
    positions = np.array(middle) + (uv[:, :1] - 0.5) * r + (0.5 - uv[:, 1:]) * up
    return positions, np.tile(n, (4, 1)), np.tile([*r, 1.0], (4, 1)), uv, np.array([[0, 1, 2], [0, 2, 3]])


def _box() -> list[Part]:
    sides = [
        ((0, 0, 1), (1, 0, 0)), ((0, 0, -1), (-1, 0, 0)), ((1, 0, 0), (0, 0, -1)), ((-1, 0, 0), (0, 0, 1)),
        ((0, 1, 0), (1, 0, 0)), ((0, -1, 0), (1, 0, 0)),
    ]  # fmt: skip
    return [_square(n, r, np.array(n) / 2) for n, r in sides]


def _plane() -> list[Part]:
    return [_square((0, 1, 0), (1, 0, 0), (0, 0, 0))]


def _turned(profile: Array, normals: Array, v: Array) -> Part:
    """Return the surface of a profile that is turned around y. profile, normals: (k, 2), radius and height, from the
    top."""
    u = np.arange(_SIDES + 1) / _SIDES
    sine, cosine = np.sin(2 * math.pi * u), np.cos(2 * math.pi * u)
    sine[-1], cosine[-1] = sine[0], cosine[0]
    k, s = len(profile), len(u)

    def around(pairs: Array) -> Array:
        flat = np.repeat(pairs[:, None], s, axis=1)
        return np.stack([flat[..., 0] * sine, flat[..., 1], flat[..., 0] * cosine], axis=-1).reshape(-1, 3)

    tangents = np.stack([cosine, 0 * u, -sine, 0 * u + 1], axis=-1)
    uv = np.stack(np.broadcast_arrays(u[None], v[:, None]), axis=-1).reshape(-1, 2)
    row, side = np.divmod(np.arange((k - 1) * (s - 1)), s - 1)
    first = row * s + side
    faces = np.stack([first, first + s, first + s + 1, first, first + s + 1, first + 1], axis=-1).reshape(-1, 3)
    positions = around(profile)
    a, b, c = (positions[faces[:, corner]] for corner in range(3))
    has_area = (np.cross(b - a, c - a) ** 2).sum(1) > 1e-16
    return positions, around(normals), np.tile(tangents, (k, 1)), uv, faces[has_area]


def _disc(height: float, side: int) -> Part:
    """Return a disc of radius 0.5 that faces up (side 1) or down (-1)."""
    turn = 2 * math.pi * np.arange(_SIDES) / _SIDES
    x, z = 0.5 * np.sin(turn), 0.5 * np.cos(turn)
    positions = np.stack([x, np.full(_SIDES, height), z], axis=-1)
    uv = np.stack([x + 0.5, 0.5 + side * z], axis=-1)
    fan = np.stack([np.zeros(_SIDES - 2, int), np.arange(1, _SIDES - 1), np.arange(2, _SIDES)], axis=-1)
    faces = fan if side > 0 else fan[:, ::-1]
    return positions, np.tile([0.0, side, 0.0], (_SIDES, 1)), np.tile([1.0, 0, 0, 1], (_SIDES, 1)), uv, faces


def _ball(rings: int, middle: float = 0.0) -> Part:
    """Return a sphere; with a middle above 0 it is cut at the equator and drawn out to a capsule."""
    turn = math.pi * np.arange(rings + 1) / rings
    across, up = np.sin(turn), np.cos(turn)
    across[[0, -1]] = 0.0
    normals = np.stack([across, up], axis=-1)
    profile = normals / 2
    if middle:
        half = rings // 2
        normals = np.concatenate([normals[: half + 1], normals[half:]])
        drawn = np.array([0.0, middle])
        profile = np.concatenate([profile[: half + 1] + drawn, profile[half:] - drawn])
    v = (profile[0, 1] - profile[:, 1]) / (profile[0, 1] - profile[-1, 1]) if middle else turn / math.pi
    return _turned(profile, normals, v)


def _side(top: float) -> Part:
    """Return the side of a cylinder (top radius 0.5) or cone (0), one meter high."""
    slope = np.array([1.0, 0.5 - top]) / math.hypot(1.0, 0.5 - top)
    return _turned(np.array([[top, 0.5], [0.5, -0.5]]), np.tile(slope, (2, 1)), np.array([0.0, 1.0]))


def _torus() -> list[Part]:
    turn = math.pi / 2 - 2 * math.pi * np.arange(17) / 16
    normals = np.stack([np.cos(turn), np.sin(turn)], axis=-1)
    normals[-1] = normals[0]
    return [_turned(normals * _TUBE + [0.5 - _TUBE, 0], normals, np.arange(17) / 16)]


_MAKERS: dict[str, Any] = {
    "": lambda: [_square((0, 0, 1), (1, 0, 0), (0, 0, 0))],
    "box": _box,
    "sphere": lambda: [_ball(16)],
    "plane": _plane,
    "cylinder": lambda: [_side(0.5), _disc(0.5, 1), _disc(-0.5, -1)],
    "cone": lambda: [_side(0.0), _disc(-0.5, -1)],
    "capsule": lambda: [_ball(16, 0.5)],
    "torus": _torus,
}
"""The makers of the shapes, by name. The capsule is two meters high; the nameless one is the square of billboards."""
