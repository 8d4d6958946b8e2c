"""The broad phase: finds the pairs of shapes that are near each other.

A tree has a box with a margin for each shape. Only shapes that left their box are looked up again. The pairs of boxes
that touch are candidates; a pair is near if the boxes without the margin, but with the distance of speculative
contacts, touch. So the result depends on where the shapes are, not on where they were.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import Array, njit
from rish_space3d import Bvh

from ..components.bodies import DYNAMIC, STATIC
from ..components.filters import may_meet
from ..contacts.shapes import BOX, CAPSULE, FORM, HULL, MESH, PLANE, place_shape

_0, _1, _2 = np.float32(0), np.float32(1), np.float32(2)
_far = np.float32(3e38)


@njit(borrows=True)
def fit_shapes(
    moved: Array, form: Array, size: Array, place: Array, hulls: Any, pose: Array, frame: Array, boxes: Array
) -> None:
    """Write the boxes of the shapes of moved bodies in the world: the lowest x, y, z and the highest.

    moved: bool, by body. frame: working memory, 8.
    """
    heads, points, _, _ = hulls
    for s in range(len(form) // FORM):
        body, kind = np.int64(form[FORM * s + 1]), form[FORM * s]
        if not moved[body]:
            continue
        o, p = 6 * s, 4 * s
        if kind == PLANE:
            for c in range(3):
                boxes[o + c], boxes[o + 3 + c] = -_far, _far
            continue
        place_shape(s, body, place, pose, frame)
        x, y, z = pose[8 * body] + frame[0], pose[8 * body + 1] + frame[1], pose[8 * body + 2] + frame[2]
        qx, qy, qz, qw = frame[4], frame[5], frame[6], frame[7]
        ax, ay, az = _1 - _2 * (qy * qy + qz * qz), _2 * (qx * qy + qz * qw), _2 * (qx * qz - qy * qw)
        bx, by, bz = _2 * (qx * qy - qz * qw), _1 - _2 * (qx * qx + qz * qz), _2 * (qy * qz + qx * qw)
        cx, cy, cz = _2 * (qx * qz + qy * qw), _2 * (qy * qz - qx * qw), _1 - _2 * (qx * qx + qy * qy)
        if kind == HULL:
            low_x = low_y = low_z = _far
            high_x = high_y = high_z = -_far
            head = 8 * np.int64(form[FORM * s + 2])
            for k in range(heads[head + 1]):
                i = 4 * (heads[head] + k)
                u, v, w = points[i], points[i + 1], points[i + 2]
                px, py, pz = ax * u + bx * v + cx * w, ay * u + by * v + cy * w, az * u + bz * v + cz * w
                low_x, low_y, low_z = min(low_x, px), min(low_y, py), min(low_z, pz)
                high_x, high_y, high_z = max(high_x, px), max(high_y, py), max(high_z, pz)
            boxes[o], boxes[o + 1], boxes[o + 2] = x + low_x, y + low_y, z + low_z
            boxes[o + 3], boxes[o + 4], boxes[o + 5] = x + high_x, y + high_y, z + high_z
            continue
        if kind in (BOX, MESH):
            i, j, k = size[p], size[p + 1], size[p + 2]
            ex = abs(ax) * i + abs(bx) * j + abs(cx) * k
            ey = abs(ay) * i + abs(by) * j + abs(cy) * k
            ez = abs(az) * i + abs(bz) * j + abs(cz) * k
        else:
            half = size[p + 1] if kind == CAPSULE else _0
            ex, ey, ez = abs(bx) * half + size[p], abs(by) * half + size[p], abs(bz) * half + size[p]
        boxes[o], boxes[o + 1], boxes[o + 2] = x - ex, y - ey, z - ez
        boxes[o + 3], boxes[o + 4], boxes[o + 5] = x + ex, y + ey, z + ez


@njit(borrows=True)
def list_left(boxes: Array, fat: Array, margin: Any, left: Array) -> Any:
    """List the shapes whose box is not inside their fat one, and write new fat boxes for them; return how many."""
    n = 0
    for s in range(len(boxes) // 6):
        o = 6 * s
        inside = True
        for c in range(3):
            inside &= boxes[o + c] >= fat[o + c] and boxes[o + 3 + c] <= fat[o + 3 + c]
        if not inside:
            for c in range(3):
                fat[o + c], fat[o + 3 + c] = boxes[o + c] - margin, boxes[o + 3 + c] + margin
            left[n] = s
            n += 1
    return n


@njit(borrows=True)
def list_near(candidates: Array, boxes: Array, limit: Any, near: Array) -> Any:
    """List the candidates whose boxes are at most `limit` apart; return how many. candidates: int32, 2 a pair."""
    n = 0
    for k in range(len(candidates) // 2):
        a, b = 6 * np.int64(candidates[2 * k]), 6 * np.int64(candidates[2 * k + 1])
        touches = True
        for c in range(3):
            touches &= boxes[a + c] - limit <= boxes[b + 3 + c] and boxes[b + c] - limit <= boxes[a + 3 + c]
        near[n] = k
        n += 1 if touches else 0
    return n


class BroadPhase:
    """The boxes of the shapes of one layout, and the candidates. boxes: float32, 6 a shape, as `fit` wrote them."""

    def __init__(self, layout: Any) -> None:
        self._layout = layout
        count = len(layout.shape_entities)
        self.boxes = np.zeros(6 * count, np.float32)
        self._fat = np.zeros(6 * count, np.float32)
        self._fat.reshape(-1, 6)[:, :3] = np.inf  # no box is inside of these
        self._left = np.zeros(count, np.int32)
        self._frame = np.zeros(8, np.float32)
        self._poses = np.full((len(layout.entities), 8), np.nan, np.float32)  # nothing equals these
        self._tree: Bvh | None = None
        self._candidates = np.zeros((0, 2), np.int32)
        self._near: tuple[Array, Array, Array] | None = None
        types = layout.types[layout.form[:, 1]]
        self._moves, self._dynamic = types != STATIC, types == DYNAMIC
        self._endless = layout.form[:, 0] >= PLANE

    def fit(self, pose: Array) -> None:
        """Compute the boxes of all shapes for these poses of the bodies, float32 flat, 8 a body."""
        layout, poses = self._layout, pose.reshape(-1, 8)
        moved = (poses != self._poses).any(axis=1)
        self._poses[:] = poses
        fit_shapes(
            moved,
            layout.form.ravel(),
            layout.size.ravel(),
            layout.place.ravel(),
            layout.hulls,
            pose,
            self._frame,
            self.boxes,
        )

    def near(self, margin: float, limit: float) -> Array:
        """Return the pairs of shapes (k, 2) that are at most `limit` apart, int32, sorted, the lower one first.

        Two shapes of the same body, of two bodies of which none is dynamic, or whose filters exclude each other are no
        pair, and neither are two planes or meshes. A sensor is also one with a kinematic body, unless both are static.
        While the pairs stay, the result is the same object. margin: of the boxes, m.
        """
        count = len(self._left)
        n = int(list_left(self.boxes, self._fat, np.float32(margin), self._left))
        if n:
            self._look_up(self._left[:n], count)
        near = np.zeros(len(self._candidates), np.int32)
        n = int(list_near(self._candidates.ravel(), self.boxes, np.float32(limit), near))
        chosen = near[:n]
        if self._near is None or self._near[0] is not self._candidates or not np.array_equal(self._near[1], chosen):
            self._near = self._candidates, chosen, self._candidates[chosen]
        return self._near[2]

    def _look_up(self, left: Array, count: int) -> None:
        """Find the candidates of the shapes that left their boxes."""
        fat = self._fat.reshape(-1, 6)
        if self._tree is None:
            self._tree = Bvh(fat)
        else:
            self._tree.refit(fat)
        which, others = self._tree.touching(fat[left])
        first, second = left[which], others
        keys = np.minimum(first, second).astype(np.int64) * count + np.maximum(first, second)
        bodies = self._layout.form[:, 1]
        sensors = self._layout.sensors
        noticed = (sensors[first] | sensors[second]) & (self._moves[first] | self._moves[second])
        meets = (bodies[first] != bodies[second]) & (self._dynamic[first] | self._dynamic[second] | noticed)
        meets &= ~(self._endless[first] & self._endless[second])
        keys = keys[meets & may_meet(self._layout.filters[first], self._layout.filters[second])]
        gone = np.zeros(count, np.bool_)
        gone[left] = True
        old = self._candidates
        old = old[~(gone[old[:, 0]] | gone[old[:, 1]])]
        keys = np.unique(np.concatenate([old[:, 0].astype(np.int64) * count + old[:, 1], keys]))
        self._candidates = np.stack([keys // count, keys % count], axis=1).astype(np.int32)
