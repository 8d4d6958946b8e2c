"""The broad phase: finds the pairs of shapes that are near each other.

A tree has a box with a margin for each shape. Only shapes that left their box are looked up again. The pairs of boxes
that touch are candidates; a pair is near if the boxes without the margin, but with the distance of speculative
contacts, touch. So the result depends on where the shapes are, not on where they were.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import Array, njit
from rish_jit.simd import LANES, bits, load, splat
from rish_space3d import Bvh

from ..components.bodies import DYNAMIC, STATIC
from ..components.filters import CATEGORY, GROUP, MASK
from ..contacts.shapes import BOX, CAPSULE, FORM, HULL, MESH, PLANE, place_shape

_0, _1, _2 = np.float32(0), np.float32(1), np.float32(2)
_far = np.float32(3e38)
_DYNAMIC, _MOVES, _SENSOR, _ENDLESS = (np.uint8(1 << k) for k in range(4))
"""What a shape is, as bits: of a dynamic body, of one that is not static, a sensor, a plane or mesh."""
_AHEAD = np.float32(8)
"""The steps for which the fat box of a moving shape is large enough, up to the size of the shape."""
_SPARE = np.float32(5)
"""How much larger than its shape a fat box stays, in margins, beyond twice what the movement needs."""


@njit(borrows=True)
def fit_shapes(
    before: Array, form: Array, size: Array, place: Array, hulls: Any, pose: Array, frame: Array, boxes: Array
) -> None:
    """Write the boxes of the shapes of moved bodies in the world: the lowest x, y, z and the highest.

    before: the poses of the last call; NaN moves. frame: working memory, 8.
    """
    heads, points, _, _ = hulls
    for s in range(len(form) // FORM):
        body, kind = np.int64(form[FORM * s + 1]), form[FORM * s]
        moved = False
        for k in range(8 * body, 8 * body + 8):
            moved |= pose[k] != before[k]
        if not moved:
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
def list_left(form: Array, pose: Array, before: Array, boxes: Array, fat: Array, margin: Any, left: Array) -> Any:
    """List the shapes whose box is not inside their fat one, or much smaller, and write new fat boxes for them; return
    how many.

    pose, before: of the bodies in this step and in the one before, NaN if there was none. A fat box extends by the
    margin, and in the direction of the movement.
    """
    n = 0
    for s in range(len(boxes) // 6):
        o, p = 6 * s, 8 * np.int64(form[FORM * s + 1])
        inside = True
        for c in range(3):
            low, high = boxes[o + c], boxes[o + 3 + c]
            ahead = min(_AHEAD * abs(pose[p + c] - before[p + c]), high - low)
            spare = (low - fat[o + c]) + (fat[o + 3 + c] - high)
            inside &= low >= fat[o + c] and high <= fat[o + 3 + c] and not spare > _SPARE * margin + _2 * ahead
        if inside:
            continue
        for c in range(3):
            low, high = boxes[o + c], boxes[o + 3 + c]
            way = _AHEAD * (pose[p + c] - before[p + c])
            fat[o + c], fat[o + 3 + c] = low - margin, high + margin
            if way > _0:
                fat[o + 3 + c] += min(way, high - low)
            elif way < _0:
                fat[o + c] += max(way, low - high)
        left[n] = s
        n += 1
    return n


@njit(borrows=True)
def list_near(candidates: Array, boxes: Array, limit: Any, near: Array) -> Any:
    """Write the candidates whose boxes are at most `limit` apart; return how many. Pairs are int32, 2 numbers each."""
    n = 0
    for k in range(len(candidates) // 2):
        s, t = candidates[2 * k], candidates[2 * k + 1]
        a, b = 6 * np.int64(s), 6 * np.int64(t)
        touches = True
        for c in range(3):
            touches &= boxes[a + c] - limit <= boxes[b + 3 + c] and boxes[b + c] - limit <= boxes[a + 3 + c]
        near[2 * n], near[2 * n + 1] = s, t
        n += 1 if touches else 0
    return n


@njit(borrows=True)
def may_meet(s: Any, t: Any, form: Array, kinds: Array, filters: Array) -> Any:
    """Return whether two shapes are a pair, see `BroadPhase.near`. kinds: uint8, see `_DYNAMIC`. filters: see
    `components.filters`. If both have the same group other than 0, its sign decides; otherwise each mask must contain a
    bit of the other's category.
    """
    either, both = kinds[s] | kinds[t], kinds[s] & kinds[t]
    if form[FORM * s + 1] == form[FORM * t + 1] or both & _ENDLESS:
        return False
    if not (either & _DYNAMIC or (either & _SENSOR and either & _MOVES)):
        return False
    p, q = 3 * s, 3 * t
    if filters[p + GROUP] != 0 and filters[p + GROUP] == filters[q + GROUP]:
        return filters[p + GROUP] > 0
    return filters[p + CATEGORY] & filters[q + MASK] != 0 and filters[q + CATEGORY] & filters[p + MASK] != 0


@njit(borrows=True)
def list_pairs(left: Array, fat: Array, tree: Any, form: Array, kinds: Array, filters: Array, keys: Array) -> Any:
    """List the pairs of these shapes with those whose fat boxes touch theirs, as `a * shapes + b` with a < b; return
    how many, which may be more than there is room for.

    tree: links and boxes of the nodes of the fat boxes, see `Bvh.nodes`, and int32 memory for 192 nodes. kinds,
    filters: see `may_meet`. keys: int64.
    """
    links, boxes, stack = tree
    n, shapes = 0, len(kinds)
    for k in range(len(left)):
        s = np.int64(left[k])
        x, y, z = splat(fat[6 * s]), splat(fat[6 * s + 1]), splat(fat[6 * s + 2])
        u, v, w = splat(fat[6 * s + 3]), splat(fat[6 * s + 4]), splat(fat[6 * s + 5])
        stack[0], top = 0, 1
        while top > 0:
            top -= 1
            node = np.int64(stack[top])
            o = 48 * node
            touches = (load(boxes, o) <= u) & (load(boxes, o + 8) <= v) & (load(boxes, o + 16) <= w)
            touches = touches & (load(boxes, o + 24) >= x) & (load(boxes, o + 32) >= y) & (load(boxes, o + 40) >= z)
            touched = bits(touches)
            for slot in range(LANES):
                if not touched >> slot & 1:
                    continue
                link = links[8 * node + slot]
                if link >= 0:
                    stack[top] = link
                    top += 1
                    continue
                t = np.int64(-1 - link)
                if may_meet(s, t, form, kinds, filters):
                    if n < len(keys):
                        keys[n] = min(s, t) * shapes + max(s, t)
                    n += 1
    return n


@njit(borrows=True)
def merge_candidates(old: Array, gone: Array, new: Array, shapes: Any, out: Array) -> Any:
    """Merge the old candidates without those of shapes that are gone (bool) with new ones; return how many.

    old: int32, 2 a pair. new: int64, `a * shapes + b`. Both are sorted, and `new` may repeat itself. out: int32.
    """
    n, k = 0, 0
    for q in range(len(old) // 2 + 1):
        if q < len(old) // 2:
            a, b = np.int64(old[2 * q]), np.int64(old[2 * q + 1])
            if gone[a] or gone[b]:
                continue
            key = a * shapes + b
        else:
            a, b, key = 0, 0, shapes * shapes
        while k < len(new) and new[k] < key:
            if k == 0 or new[k] != new[k - 1]:
                out[2 * n], out[2 * n + 1] = new[k] // shapes, new[k] % shapes
                n += 1
            k += 1
        if key < shapes * shapes:
            out[2 * n], out[2 * n + 1] = a, b
            n += 1
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
        self._pose = np.full(8 * len(layout.entities), np.nan, np.float32)  # nothing equals these
        self._before = self._pose.copy()
        self._tree: Bvh | None = None
        self._stack, self._room = np.zeros(192, np.int32), 16 * count
        self._candidates = np.zeros((0, 2), np.int32)
        self._near = self._candidates
        types = layout.types[layout.form[:, 1]]
        self._still = np.flatnonzero(types != DYNAMIC).astype(np.int32)
        self._still_tree: Bvh | None = None
        self._still_links, self._still_boxes = self._left[:0], self.boxes[:0]
        flags = (types == DYNAMIC, _DYNAMIC), (types != STATIC, _MOVES), (layout.sensors, _SENSOR)
        self._kinds = np.where(layout.form[:, 0] >= PLANE, _ENDLESS, np.uint8(0))
        for holds, bit in flags:
            self._kinds[holds] |= bit

    def fit(self, pose: Array) -> None:
        """Compute the boxes of all shapes for these poses of the bodies, float32 flat, 8 a body."""
        layout = self._layout
        forms = layout.form.ravel(), layout.size.ravel(), layout.place.ravel()
        self._before, self._pose = self._pose, self._before
        fit_shapes(self._before, *forms, layout.hulls, pose, self._frame, self.boxes)
        self._pose[:] = pose

    def near(self, margin: float, limit: float) -> Array:
        """Return the pairs of shapes (k, 2) that are at most `limit` apart, int32, sorted, the lower one first.

        Two shapes of the same body, of two bodies of which none is dynamic, or whose filters exclude each other are no
        pair, and neither are two planes or meshes. A sensor is also one with a kinematic body, unless both are static.
        While the pairs stay, the result is the same object. margin: of the boxes, m.
        """
        count = len(self._left)
        form, spare = self._layout.form.ravel(), np.float32(margin)
        n = int(list_left(form, self._pose, self._before, self.boxes, self._fat, spare, self._left))
        if n:
            self._look_up(self._left[:n], count)
        near = np.empty_like(self._candidates)
        n = int(list_near(self._candidates.ravel(), self.boxes, np.float32(limit), near.ravel()))
        if not np.array_equal(self._near, near[:n]):
            self._near = near[:n]
        return self._near

    @property
    def pose(self) -> Array:
        """The poses of the bodies in the last call of `fit`, float32 flat."""
        return self._pose

    def touching(self, regions: Array) -> tuple[Array, Array]:
        """Return the pairs of a region, float32 (n, 6), and a shape whose box touches it, int32."""
        return (self._left[:0], self._left[:0]) if self._tree is None else self._tree.touching(regions)

    def meeting(self, shapes: Array, regions: Array, *, still: bool) -> Array:
        """Return the pairs (k, 2) of shapes (int32) and others in their regions that may meet, int32, sorted, the lower
        one first; see `near`.

        regions: float32 (s, 6), of all shapes. still: only others of static and kinematic bodies.
        """
        if self._tree is None or (still and not len(self._still)):
            return self._candidates[:0]
        keys = np.unique(self._keys(shapes, regions.ravel(), self._still_nodes() if still else self._tree.nodes()))
        return np.stack(np.divmod(keys, len(self._kinds)), axis=1).astype(np.int32)

    def _still_nodes(self) -> tuple[Array, Array]:
        """Return the tree of the boxes of static and kinematic shapes, with the numbers that these have among all."""
        boxes = self.boxes.reshape(-1, 6)[self._still]
        if self._still_tree is None:
            self._still_tree = Bvh(boxes)
            links = self._still_tree.nodes()[0]
            self._still_links = np.where(links < 0, -1 - self._still[np.minimum(-1 - links, len(boxes) - 1)], links)
        elif not np.array_equal(boxes, self._still_boxes):
            self._still_tree.refit(boxes)
        self._still_boxes = boxes
        return self._still_links, self._still_tree.nodes()[1]

    def _keys(self, shapes: Array, boxes: Array, nodes: tuple[Array, Array]) -> Array:
        """Return the pairs of some shapes and others of a tree that may meet as numbers, see `list_pairs`."""
        form, tree = self._layout.form.ravel(), (*nodes, self._stack)
        while True:
            keys = np.empty(self._room, np.int64)
            n = list_pairs(shapes, boxes, tree, form, self._kinds, self._layout.filters.ravel(), keys)
            if n <= self._room:
                return keys[: int(n)]
            self._room = 2 * int(n)

    def _look_up(self, left: Array, count: int) -> None:
        """Find the candidates of the shapes that left their boxes."""
        fat = self._fat.reshape(-1, 6)
        if self._tree is None:
            self._tree = Bvh(fat)
        else:
            self._tree.refit(fat)
        keys = np.sort(self._keys(left, self._fat, self._tree.nodes()))
        gone = np.zeros(count, np.bool_)
        gone[left] = True
        pairs = np.zeros((len(self._candidates) + len(keys), 2), np.int32)
        n = int(merge_candidates(self._candidates.ravel(), gone, keys, count, pairs.ravel()))
        self._candidates = pairs[:n]
