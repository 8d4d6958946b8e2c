"""Rays through a scene: from the boxes of things to the nearest triangle."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rish_jit import Array

from .opacity import mixed
from .skins import meet_capsules

if TYPE_CHECKING:
    from .ray_targets import Things

MAX_POSED_TRIANGLES = 30_000
"""The greatest number of triangles of a posed mesh that is tested triangle by triangle; larger ones by their
capsules."""


class Hit3D(NamedTuple):
    """The hit of one ray. entity: the one with the Model3D. piece: its number in the model. triangle: its number in the
    mesh of the piece, -1 for a character that is tested by its capsules. distance: meters. point: (3,) in the world.
    normal: (3,) of the triangle, length 1, towards the ray. uv: (2,), the texture coordinates there; 0 without any."""

    entity: int
    piece: int
    triangle: int
    distance: float
    point: Array
    normal: Array
    uv: Array


@dataclass(frozen=True, eq=False)
class RayHits:
    """The hits of many rays, a row for each ray; see `Hit3D`.

    entities, pieces, triangles: int64 (n,), -1 for none. distances: float64 (n,), infinite for none. points, normals:
    float64 (n, 3). uvs: float64 (n, 2). Rows without a hit are 0.
    """

    entities: Array
    pieces: Array
    triangles: Array
    distances: Array
    points: Array
    normals: Array
    uvs: Array

    def __len__(self) -> int:
        return len(self.entities)

    def one(self, row: int) -> Hit3D | None:
        """Return the hit of one ray, None if it has none."""
        if self.entities[row] < 0:
            return None
        numbers = int(self.entities[row]), int(self.pieces[row]), int(self.triangles[row])
        return Hit3D(*numbers, float(self.distances[row]), self.points[row], self.normals[row], self.uvs[row])


@dataclass(eq=False)
class _Best:
    """The nearest hits so far: rows of things, distances, triangles and weights of each ray; normals of capsules."""

    rows: Array
    distances: Array
    triangles: Array
    weights: Array
    normals: Array


def cast(things: Things, origins: Array, directions: Array, reach: Array, counted: Array | None = None) -> RayHits:
    """Return the nearest triangles that rays hit.

    origins, directions: float64 (n, 3), of length 1. reach: float64 (n,), meters. counted: bool (k,), the things that
    can be hit; None: all.
    """
    count = len(origins)
    best = _Best(np.full(count, -1), reach.astype(np.float64), np.full(count, -1), np.zeros((count, 2)),
                 np.zeros((count, 3)))  # fmt: skip
    pairs = things.tree.all_hits(origins, directions, reach)
    rays, rows, near = pairs.rays.astype(np.int64), pairs.boxes.astype(np.int64), pairs.distances
    if counted is not None:
        rays, rows, near = (part[counted[pairs.boxes]] for part in (rays, rows, near))
    starts = np.flatnonzero(np.diff(rays, prepend=-1))
    turn = np.arange(len(rays)) - np.repeat(starts, np.diff(np.append(starts, len(rays))))
    order = np.argsort(turn, kind="stable")
    ends = np.append(np.flatnonzero(np.diff(turn[order], prepend=-1)), len(rays))
    for low, high in itertools.pairwise(ends.tolist()):
        # the next nearest box of each ray; boxes behind the best hit so far are left out
        candidates = order[low:high]
        candidates = candidates[near[candidates] <= best.distances[rays[candidates]] * (1 + 1e-6)]
        if len(candidates):
            _test(things, best, origins, directions, rays[candidates], rows[candidates])
    return _finished(things, best, origins, directions)


def _test(things: Things, best: _Best, origins: Array, directions: Array, rays: Array, rows: Array) -> None:
    """Test one thing for each of some rays, mesh by mesh."""
    keys = _keys(things, rows)
    for key in np.unique(keys).tolist():
        is_mesh = keys == key
        ray_numbers, row = rays[is_mesh], rows[is_mesh]
        tree = things.triangles(int(row[0])) if key >= 0 or _is_cheap(things, int(row[0])) else None
        if tree is None:
            _test_capsules(things, best, origins, directions, ray_numbers, int(row[0]))
            continue
        matrices = things.matrices(row)
        with np.errstate(all="ignore"):
            back = _inverse(matrices)
            starts = np.einsum("nrc,nc->nr", back, origins[ray_numbers] - matrices[:, :, 3])
            turned = np.einsum("nrc,nc->nr", back, directions[ray_numbers])
        found = tree.cast(starts, turned, best.distances[ray_numbers], things.sides[row], things.showing(row))
        better = (found.triangles >= 0) & (
            found.distances < np.where(best.rows[ray_numbers] < 0, np.inf, best.distances[ray_numbers])
        )
        hit = ray_numbers[better]
        best.rows[hit], best.triangles[hit] = row[better], found.triangles[better]
        best.distances[hit], best.weights[hit] = found.distances[better], found.weights[better]


def _keys(things: Things, rows: Array) -> Array:
    """Return a key for each row, int64 (n,); rows with the same triangles have the same key."""
    return np.where(things.bent[rows], -1 - rows, things.meshes[rows])


def _is_cheap(things: Things, row: int) -> bool:
    return len(things.shapes.mesh(int(things.meshes[row])).indices) <= MAX_POSED_TRIANGLES


def _test_capsules(things: Things, best: _Best, origins: Array, directions: Array, rays: Array, row: int) -> None:
    """Test the capsules of one large character."""
    parts, matrices = things.capsules(row)
    with np.errstate(all="ignore"):
        back = _inverse(matrices)
    for ray in rays.tolist():
        starts = np.einsum("nrc,nc->nr", back, origins[ray] - matrices[:, :, 3])
        distances = meet_capsules(starts, back @ directions[ray], parts.ends, parts.radii)
        nearest = int(np.argmin(distances))
        if distances[nearest] < best.distances[ray]:
            best.rows[ray], best.triangles[ray], best.distances[ray] = row, -1, distances[nearest]
            best.normals[ray] = -directions[ray]


def _finished(things: Things, best: _Best, origins: Array, directions: Array) -> RayHits:
    """Return the hits with points, normals and texture coordinates."""
    count, hit = len(origins), np.flatnonzero(best.rows >= 0)
    rows = best.rows[hit]
    points, normals, uvs = np.zeros((count, 3)), np.zeros((count, 3)), np.zeros((count, 2))
    points[hit] = origins[hit] + directions[hit] * best.distances[hit, None]
    keys = _keys(things, rows)
    for key in np.unique(keys).tolist():
        hits_of_mesh, row = hit[keys == key], rows[keys == key]
        triangles, weights = best.triangles[hits_of_mesh], best.weights[hits_of_mesh]
        if triangles[0] < 0:
            normals[hits_of_mesh] = best.normals[hits_of_mesh]
            continue
        corners = things.triangles(int(row[0])).corners(triangles)
        sides = np.einsum("nrc,nkc->nkr", things.matrices(row)[:, :, :3], corners[:, 1:] - corners[:, :1])
        normals[hits_of_mesh] = _towards(directions[hits_of_mesh], np.cross(sides[:, 0], sides[:, 1]))
        mesh = things.shapes.mesh(int(things.meshes[row[0]]))
        if mesh.uv0 is not None:
            uvs[hits_of_mesh] = mixed(mesh.uv0, mesh, triangles, weights)
    found = best.rows >= 0
    entities, pieces = (np.full(count, -1, np.int64) for _ in range(2))
    entities[hit], pieces[hit] = things.entities[rows], things.pieces[rows]
    return RayHits(entities, pieces, best.triangles, np.where(found, best.distances, np.inf), points, normals, uvs)


def _towards(directions: Array, normals: Array) -> Array:
    """Return normals of length 1 that face against the directions of the rays."""
    length = np.linalg.norm(normals, axis=1, keepdims=True)
    units = normals / np.where(length > 0, length, 1.0)
    return np.where((units * directions).sum(axis=1, keepdims=True) > 0, -units, units)


def _inverse(matrices: Array) -> Array:
    """Return the inverses (n, 3, 3) of the linear parts; NaN, which hits nothing, where there is none."""
    linear = matrices[:, :, :3]
    flat = ~(np.abs(np.linalg.det(linear)) > 0)
    inverses = np.linalg.inv(np.where(flat[:, None, None], np.eye(3), linear))
    inverses[flat] = np.nan
    return inverses
