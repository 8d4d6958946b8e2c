"""Meshes built from numbers: boxes with bevels, bodies of revolution, tubes, sheets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[Any]


@dataclass(frozen=True, eq=False)
class Shape:
    """Triangles. places, normals: (n, 3). uvs: (n, 2), meters. triangles: (t, 3). Others: (n, 4) or None."""

    places: Floats
    normals: Floats
    uvs: Floats
    triangles: npt.NDArray[Any]
    joints: npt.NDArray[Any] | None = None
    weights: Floats | None = None
    colors: Floats | None = None

    def moved(self, x: float = 0, y: float = 0, z: float = 0) -> Shape:
        """Return the shape at another place."""
        return replace(self, places=self.places + np.array((x, y, z)))

    def scaled(self, x: float, y: float, z: float) -> Shape:
        """Return the shape stretched along the axes by factors above 0."""
        normals = self.normals / (x, y, z)
        return replace(self, places=self.places * (x, y, z), normals=_unit(normals))

    def turned(self, axis: str, degrees: float) -> Shape:
        """Return the shape turned around an axis, counter-clockwise seen against it."""
        turn = rotation(axis, degrees)
        return replace(self, places=self.places @ turn.T, normals=self.normals @ turn.T)

    def held(self, joint: int) -> Shape:
        """Return the shape moved by one joint of a skeleton."""
        count = len(self.places)
        joints, weights = np.zeros((count, 4), np.uint16), np.zeros((count, 4), np.float32)
        joints[:, 0], weights[:, 0] = joint, 1
        return replace(self, joints=joints, weights=weights)

    def mapped(self, scale: float) -> Shape:
        """Return the shape with texture coordinates multiplied by a factor."""
        return replace(self, uvs=self.uvs * scale)


def rotation(axis: str, degrees: float) -> Floats:
    """Return the matrix (3, 3) of a turn around x, y or z."""
    cosine, sine = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    one, two = {"x": (1, 2), "y": (2, 0), "z": (0, 1)}[axis]
    matrix = np.eye(3)
    matrix[one, one] = matrix[two, two] = cosine
    matrix[one, two], matrix[two, one] = -sine, sine
    return matrix


def joined(*shapes: Shape) -> Shape:
    """Return several shapes as one. All of them are held by joints, or none."""
    starts = np.cumsum([0, *(len(shape.places) for shape in shapes)])
    parts: dict[str, Any] = {
        name: np.concatenate([getattr(shape, name) for shape in shapes])
        for name in ("places", "normals", "uvs", "joints", "weights", "colors")
        if all(getattr(shape, name) is not None for shape in shapes)
    }
    triangles = np.concatenate([shape.triangles + start for shape, start in zip(shapes, starts[:-1], strict=True)])
    return Shape(triangles=triangles, **parts)


def box(wide: float, high: float, deep: float, bevel: float = 0.02) -> Shape:
    """Return a box around the origin. Its edges are cut by `bevel` meters and look round."""
    half = np.array([wide, high, deep]) / 2
    bevel = min(bevel, *(half * 0.9))
    places, normals, uvs = np.zeros((24, 3)), np.zeros((24, 3)), np.zeros((24, 2))
    triangles: list[tuple[int, ...]] = []
    index: dict[tuple[int, int, int, int], int] = {}
    for axis in range(3):
        for sign in (-1, 1):
            one, two = (axis + 1) % 3, (axis + 2) % 3
            corners: list[int] = []
            for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
                row = len(index)
                at = np.zeros(3)
                at[axis], at[one], at[two] = sign * half[axis], a * (half[one] - bevel), b * (half[two] - bevel)
                places[row], normals[row, axis] = at, sign
                across, up = (2, 1) if axis == 0 else (0, 2) if axis == 1 else (0, 1)
                uvs[row] = at[across] + half[across], half[up] - at[up]
                signs = [0, 0, 0]
                signs[axis], signs[one], signs[two] = sign, a, b
                index[axis, signs[0], signs[1], signs[2]] = row
                corners.append(row)
            if sign < 0:
                corners.reverse()
            triangles += [(corners[0], corners[1], corners[2]), (corners[0], corners[2], corners[3])]
    for axis in range(3):
        one, two = (axis + 1) % 3, (axis + 2) % 3
        for a in (-1, 1):
            for b in (-1, 1):
                ends: list[list[int]] = []
                for c in (-1, 1):
                    signs = [0, 0, 0]
                    signs[one], signs[two], signs[axis] = a, b, c
                    ends.append([index[one, *signs], index[two, *signs]])  # type: ignore[index]
                (p, q), (r, s) = ends
                triangles += [(p, q, s), (p, s, r)]
    for a in (-1, 1):
        for b in (-1, 1):
            for c in (-1, 1):
                triangles.append((index[0, a, b, c], index[1, a, b, c], index[2, a, b, c]))
    return _outward(Shape(places, normals, uvs, np.array(triangles)))


def _outward(shape: Shape) -> Shape:
    """Return the shape with each triangle in the order that agrees with its normals."""
    a, b, c = (shape.places[shape.triangles[:, k]] for k in range(3))
    facing = np.einsum("ij,ij->i", np.cross(b - a, c - a), shape.normals[shape.triangles].sum(axis=1))
    triangles = shape.triangles.copy()
    triangles[facing < 0] = triangles[facing < 0][:, [0, 2, 1]]
    return replace(shape, triangles=triangles)


def lathe(profile: Sequence[tuple[float, float]], sides: int = 24, sharp: float = 40.0) -> Shape:
    """Return a body of revolution around y. profile: radius and height, from below to above.

    sharp: degrees between two parts of the profile from which their edge is not rounded.
    """
    points = np.array(profile, float)
    steps = np.diff(points, axis=0)
    slopes = _unit(np.column_stack([steps[:, 1], -steps[:, 0]]))
    lengths = np.concatenate([[0], np.cumsum(np.hypot(*steps.T))])
    angles = np.linspace(0, 2 * np.pi, sides + 1)
    parts: list[Shape] = []
    for k in range(len(steps)):
        ends = [slopes[k], slopes[k]]
        for end, other in ((0, k - 1), (1, k + 1)):
            if 0 <= other < len(steps) and slopes[k] @ slopes[other] > np.cos(np.radians(sharp)):
                ends[end] = _unit(slopes[k] + slopes[other])
        parts.append(_band(points[k : k + 2], np.array(ends), lengths[k : k + 2], angles, points[:, 0].max()))
    return joined(*parts)


def _band(points: Floats, slopes: Floats, lengths: Floats, angles: Floats, widest: float) -> Shape:
    cosine, sine = np.cos(angles), np.sin(angles)
    places = np.concatenate([np.column_stack([r * cosine, np.full_like(angles, y), -r * sine]) for r, y in points])
    normals = np.concatenate([np.column_stack([r * cosine, np.full_like(angles, y), -r * sine]) for r, y in slopes])
    uvs = np.concatenate([np.column_stack([angles * widest, np.full_like(angles, -length)]) for length in lengths])
    first = np.arange(len(angles) - 1)
    above = first + len(angles)
    triangles = np.concatenate(
        [np.column_stack([first, first + 1, above + 1]), np.column_stack([first, above + 1, above])]
    )
    shape = Shape(places, normals, uvs, triangles)
    a, b, c = (places[triangles[:, k]] for k in range(3))
    solid = np.linalg.norm(np.cross(b - a, c - a), axis=1) > 1e-9
    return replace(shape, triangles=triangles[solid])


def ball(radius: float, sides: int = 20, rings: int = 10) -> Shape:
    """Return a sphere."""
    around = np.linspace(-np.pi / 2, np.pi / 2, rings + 1)
    return lathe([(max(radius * np.cos(a), 0.0), radius * np.sin(a)) for a in around], sides, sharp=180)


def tube(points: Sequence[Sequence[float]], radius: float, sides: int = 8) -> Shape:
    """Return a round rod along points, with flat ends."""
    path = np.array(points, float)
    ahead = _unit(np.gradient(path, axis=0))
    guide = np.array([0.0, 1.0, 0.0]) if abs(ahead[0, 1]) < 0.9 else np.array([1.0, 0.0, 0.0])
    side = _unit(np.cross(ahead, guide))
    up = np.cross(side, ahead)
    angles = np.linspace(0, 2 * np.pi, sides + 1)
    rim = np.cos(angles)[None, :, None] * side[:, None] + np.sin(angles)[None, :, None] * up[:, None]
    places = (path[:, None] + radius * rim).reshape(-1, 3)
    far = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(path, axis=0), axis=1))])
    uvs = np.stack(np.broadcast_arrays(angles[None] * radius, far[:, None]), axis=-1).reshape(-1, 2)
    row = sides + 1
    first = (np.arange(len(path) - 1)[:, None] * row + np.arange(sides)).ravel()
    walls = np.concatenate(
        [np.column_stack([first, first + row, first + 1]), np.column_stack([first + 1, first + row, first + row + 1])]
    )
    body = _outward(Shape(places, rim.reshape(-1, 3), uvs, walls))
    return joined(body, *(_cap(path[k] + radius * rim[k, :-1], sign * ahead[k]) for k, sign in ((0, -1), (-1, 1))))


def _cap(rim: Floats, normal: Floats) -> Shape:
    count = len(rim)
    fan = np.column_stack([np.zeros(count - 2, int), np.arange(1, count - 1), np.arange(2, count)])
    return _outward(Shape(rim, np.tile(normal, (count, 1)), np.zeros((count, 2)), fan))


def sheet(places: Floats, uvs: Floats) -> Shape:
    """Return a surface through a grid of places (h, w, 3), smooth, seen from both sides' front by its order."""
    high, wide = places.shape[:2]
    across, down = np.gradient(places, axis=1), np.gradient(places, axis=0)
    normals = _unit(np.cross(down, across)).reshape(-1, 3)
    first = (np.arange(high - 1)[:, None] * wide + np.arange(wide - 1)).ravel()
    triangles = np.concatenate(
        [
            np.column_stack([first, first + wide, first + 1]),
            np.column_stack([first + 1, first + wide, first + wide + 1]),
        ]
    )
    return _outward(Shape(places.reshape(-1, 3), normals, uvs.reshape(-1, 2), triangles))


def _unit(vectors: Floats) -> Floats:
    return vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-12)
