"""Finds the obstacles of characters: what they hit on a path, what they overlap, and the surface under their feet."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rish_jit import Array

from ...bodies.layout import Layout
from ...broad.triangles import NearTriangles
from ...components.bodies import DYNAMIC
from ...components.manifold import FIRST, MANIFOLD, POINT, SEPARATION
from ...contacts.narrow import meet, working_memory
from ...queries.index import ShapeIndex
from ...queries.queries import find_hits
from .planes import dot, length

if TYPE_CHECKING:
    from rish_core import World

F32 = np.float32
SKIN = 1e-3
"""The gap that a character keeps from surfaces, m."""
_LEAST = 0.1
"""The least cosine between a path and a normal for which the whole gap is kept."""
_BESIDE, _ABOVE = 0.01, 0.05
"""Where a surface is looked for behind an edge: so far beside it, from so far above it to as far below it, m."""
_RAY = np.zeros((0, 3))


class Hits(NamedTuple):
    """What characters hit first: the share of the path until then, less the gap that is kept; the normal, float64
    (n, 3); the shape, -1 for none.
    """

    share: Array
    normal: Array
    shape: Array


class Obstacles:
    """The obstacles of characters that have the same number of points, radius and mask.

    points: float64 (n, k, 3), relative to their positions. own, entity: the shapes of the characters and their
    entities. through: int64 (m, 2), the characters, by number, that pass through a body, and its entity.
    """

    def __init__(self, world: World, own: Array, points: Array, radius: float, mask: int) -> None:
        self._world, self.index = world, world[ShapeIndex]
        self.own, self.points, self.radius, self._mask = own, points, radius, mask
        self.entity = self.index.entities[own]
        self.through = np.zeros((0, 2), np.int64)

    def first(self, who: Array, start: Array, way: Array) -> Hits:
        """Return what stops characters on straight paths. who: their numbers. Shapes that they overlap do not count."""
        far = np.maximum(length(way), 1e-12)
        longer = 1 + SKIN / (_LEAST * far)
        share, normal, shape = self._cast(who, self.points[who], self.radius, start, way * longer[:, None])
        # The path ends where the gap is left, measured along the normal.
        share = share * longer - SKIN / np.maximum(-dot(normal, way), _LEAST * far)
        shape = np.where(share < 1, shape, -1)
        return Hits(np.where(shape >= 0, np.maximum(share, 0), 1.0), normal, shape)

    def _cast(self, who: Array, form: Array, radius: float, start: Array, way: Array) -> tuple[Array, Array, Array]:
        """Return the first hits: shares, normals, shapes. A character passes through itself and what `through` says."""
        apart = np.isin(who, self.through[:, 0]).any() if len(self.through) else False
        asked = self._mask, False, self.entity[who]
        share, shape, normal, query = find_hits(
            self._world, self.index, "characters", form, radius, start, way, asked, (False, bool(apart))
        )
        if not apart:
            return share, normal, shape
        counts = np.ones(len(query), np.bool_)
        for number, body in self.through.tolist():
            counts &= (who[query] != number) | (
                (self.index.bodies[shape] != body) & (self.index.entities[shape] != body)
            )
        share, shape, normal, query = share[counts], shape[counts], normal[counts], query[counts]
        order = np.lexsort((shape, share, query))
        nearest, rows = np.unique(query[order], return_index=True)
        rows = order[rows]
        out = np.ones(len(who)), np.zeros((len(who), 3)), np.full(len(who), -1, np.int32)
        out[0][nearest], out[1][nearest], out[2][nearest] = share[rows], normal[rows], shape[rows]
        return out

    def surface(self, who: Array, place: Array, hits: Hits, up: Array) -> Array:
        """Return the normals of the surfaces behind the edges that were hit, float64 (n, 3); those of the hits where
        there is none.

        place: of the characters when they hit.
        """
        contact = place + self.support(who, hits.normal)
        level = hits.normal - up * dot(hits.normal, up)[:, None]
        level /= np.maximum(length(level), 1e-9)[:, None]
        start = contact + _ABOVE * up - _BESIDE * level
        _, normal, shape = self._cast(who, _RAY, 0.0, start, -2 * _ABOVE * up)
        same = (shape >= 0) & (shape == hits.shape)
        return np.where(same[:, None], normal, hits.normal)

    def support(self, who: Array, normal: Array) -> Array:
        """Return the points of characters that are farthest against a normal, relative to their positions."""
        points = self.points[who]
        lowest = np.argmin(dot(points, normal[:, None]), axis=1)
        return points[np.arange(len(who)), lowest] - self.radius * normal

    def deepest(self, who: Array, place: Array, places: Array) -> tuple[Array, Array]:
        """Return by how far characters overlap what is not dynamic, 0 for nothing, and the normals of the surfaces.

        place: of these characters. places: of all, from which `points` were made.
        """
        depth, out = np.zeros(len(who)), np.zeros((len(who), 3))
        index, layout = self.index, self.index.layout
        assert layout is not None
        points = self.points[who] + place[:, None]
        boxes = np.concatenate([points.min(axis=1) - self.radius, points.max(axis=1) + self.radius], axis=1)
        query, shape = index.touching(boxes.astype(F32))
        query, shape = query.astype(np.int64), shape.astype(np.int64)
        owner = layout.form[shape, 1]
        counts = (layout.form[self.own[who][query], 1] != owner) & (layout.types[owner] != DYNAMIC)
        counts &= ~layout.sensors[shape] & ((index.shapes[3][shape] & self._mask) != 0)
        for number, body in self.through.tolist():
            counts &= (who[query] != number) | (index.bodies[shape] != body)
        if not counts.any():
            return depth, out
        query, shape = query[counts], shape[counts]
        pose, fitted = index.body_poses.reshape(-1, 8).copy(), index.boxes.copy()
        pose[layout.form[self.own[who], 1], :3] += (place - places[who]).astype(F32)
        fitted[self.own[who]] = boxes
        near = np.stack([self.own[who][query], shape], axis=1).astype(np.int32)
        near, child = NearTriangles(layout).expand(near, fitted.ravel(), pose.ravel(), 0.0)
        gaps, normals = _gaps(layout, near, child, pose.ravel())
        number = np.full(len(layout.form), -1)
        number[self.own[who]] = np.arange(len(who))
        for k in np.flatnonzero(gaps < 0).tolist():
            n = number[near[k, 0]]
            if -gaps[k] > depth[n]:
                depth[n], out[n] = -gaps[k], -normals[k]
        return depth, out


def _gaps(layout: Layout, near: Array, child: Array, pose: Array) -> tuple[Array, Array]:
    """Return the separations of pairs of shapes, above 0 where they are apart, and their normals from the first to the
    second, float64.
    """
    count = len(near)
    if not count:
        return np.zeros(0), np.zeros((0, 3))
    pair = np.ascontiguousarray(layout.form[near, 1])
    manifold, info = np.zeros(MANIFOLD * count, F32), np.zeros(2 * count, np.int32)
    contacts = pair.ravel(), np.ascontiguousarray(near).ravel(), child, manifold, info
    shapes = layout.form.ravel(), layout.size.ravel(), layout.place.ravel()
    everyone = np.arange(count, dtype=np.int32)
    meet(everyone, contacts, pose, shapes, layout.hulls, layout.meshes, F32(0), F32(0), working_memory(count))
    rows = manifold.reshape(-1, MANIFOLD).astype(np.float64)
    gaps = rows[:, [FIRST + POINT * k + SEPARATION for k in range(4)]]
    used = np.arange(4) < info[::2, None]
    return np.where(used, gaps, np.inf).min(axis=1), rows[:, :3]
