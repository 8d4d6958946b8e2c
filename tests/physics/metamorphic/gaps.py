"""The gaps between colliders, computed from the columns alone, in float64: what touches whom, without the engine.

`Forms(world)` reads the convex pieces of all colliders (`read_solids`) and their poses. The gap of two rounded convex
pieces is the distance of their cores less their radii. Cores that overlap have the separating-axis depth, which is
below 0; it is exact for the sign and a lower bound for the depth.
"""

from __future__ import annotations

import numpy as np

from rish_core import World
from rish_jit import Array
from rish_physics import BodyType, Collider, read_solids, world_poses

Pair = tuple[int, int]
POINTS = 8
"""The greatest number of corners of a piece."""
_KINDS = list(BodyType)
_DYNAMIC, _STATIC = _KINDS.index(BodyType.DYNAMIC), _KINDS.index(BodyType.STATIC)


class Forms:
    """The pieces of all active colliders in the world, one row each.

    entity: of the collider. body: index of the body in `solids`. corners: float64 (m, 8, 2), the last one repeated.
    count: of the corners. radius. sensor, told, one_sided: bool, of the collider; a chain or a one-way shape is
    one-sided, and `told` is `contact_events`.
    """

    def __init__(self, world: World) -> None:
        solids = self.solids = read_solids(world)
        table = world.table(Collider)
        rows = solids.collider_rows
        self.entity, self.body, self.radius = solids.colliders, solids.bodies, solids.radii
        cores = [c[1:3] if chain else c for c, chain in zip(solids.corners, solids.chain.tolist(), strict=True)]
        self.count = np.array([len(core) for core in cores], np.int64)
        local = np.array([np.concatenate([core, np.repeat(core[-1:], POINTS - len(core), 0)]) for core in cores])
        self.local = local.reshape(-1, POINTS, 2)
        self.move(world)
        self.sensor, self.told = table.sensor[rows], table.contact_events[rows]
        self.one_sided = solids.chain | table.one_way[rows].any(axis=1)

    def move(self, world: World) -> None:
        """Read the poses of the bodies again, after ticks in which no body or collider changed or came."""
        poses = world_poses(world, self.solids.entities)[self.body]
        cos, sin = np.cos(poses[:, 2])[:, None], np.sin(poses[:, 2])[:, None]
        x, y = self.local[..., 0], self.local[..., 1]
        self.corners = np.stack([cos * x - sin * y, sin * x + cos * y], axis=-1) + poses[:, None, :2]

    def pairs_within(self, margin: float) -> tuple[Array, Array]:
        """Return the rows (i, j), i < j, of pieces of different bodies whose boxes are nearer than a margin."""
        low = self.corners.min(axis=1) - self.radius[:, None] - 0.5 * margin
        high = self.corners.max(axis=1) + self.radius[:, None] + 0.5 * margin
        near = (low[:, None] <= high[None]).all(axis=2) & (low[None] <= high[:, None]).all(axis=2)
        near &= self.body[:, None] != self.body[None]
        return np.nonzero(np.triu(near, 1))

    def let(self, i: Array, j: Array) -> Array:
        """Return whether the filters of pieces let them collide or be noticed, bool."""
        a, b = self.solids.filters[i], self.solids.filters[j]
        grouped = (a[:, 2] != 0) & (a[:, 2] == b[:, 2])
        masked = ((a[:, 0] & b[:, 1]) != 0) & ((b[:, 0] & a[:, 1]) != 0)
        sound = self.solids.sound[self.body[i]] & self.solids.sound[self.body[j]]
        return sound & np.where(grouped, a[:, 2] > 0, masked)

    def gaps(self, i: Array, j: Array) -> Array:
        """Return the gap of each pair of pieces, float64, units."""
        a, b = self.corners[i], self.corners[j]
        depth = np.maximum(_separation(a, b, self.count[i]), _separation(b, a, self.count[j]))
        apart = np.minimum(_distance(a, b), _distance(b, a))
        none = (self.count[i] == 1) & (self.count[j] == 1)
        return np.where((depth < 0) & ~none, depth, apart) - self.radius[i] - self.radius[j]

    def contacts(self, margin: float, joined: set[Pair]) -> dict[Pair, tuple[float, bool]]:
        """Return the smallest gap of each pair of colliders that may touch, and whether overlap must mean touching.

        Pairs are (lower entity, higher entity). joined: pairs of bodies (lower, higher) that a joint keeps apart.
        """
        i, j = self.pairs_within(margin)
        types = self.solids.types
        moving = (types[self.body[i]] == _DYNAMIC) | (types[self.body[j]] == _DYNAMIC)
        keep = moving & ~self.sensor[i] & ~self.sensor[j] & self.let(i, j) & (self.told[i] | self.told[j])
        i, j = i[keep], j[keep]
        owners, found = self.solids.entities, dict[Pair, tuple[float, bool]]()
        sides = self.one_sided[i] | self.one_sided[j]
        for p, q, gap, one_sided in zip(i.tolist(), j.tolist(), self.gaps(i, j).tolist(), sides.tolist(), strict=True):
            if ordered(int(owners[self.body[p]]), int(owners[self.body[q]])) in joined:
                continue
            pair = ordered(int(self.entity[p]), int(self.entity[q]))
            least, must = found.get(pair, (np.inf, True))
            found[pair] = min(least, gap), must and not one_sided
        return found

    def visits(self, margin: float) -> dict[Pair, float]:
        """Return the smallest gap of each pair (sensor, visitor) that the sensor notices when they overlap."""
        i, j = self.pairs_within(margin)
        types = self.solids.types
        keep = (self.sensor[i] != self.sensor[j]) & self.let(i, j)
        keep &= (types[self.body[i]] != _STATIC) | (types[self.body[j]] != _STATIC)
        i, j = i[keep], j[keep]
        found: dict[Pair, float] = {}
        for p, q, gap in zip(i.tolist(), j.tolist(), self.gaps(i, j).tolist(), strict=True):
            p, q = (p, q) if self.sensor[p] else (q, p)
            pair = int(self.entity[p]), int(self.entity[q])
            found[pair] = min(found.get(pair, np.inf), gap)
        return found

    def near_sensors(self, margin: float) -> dict[Pair, float]:
        """Return the smallest gap of each row of a sensor's piece and each collider of another body, whatever the
        filters.
        """
        i, j = self.pairs_within(margin)
        found: dict[Pair, float] = {}
        for p, q, gap in zip(i.tolist(), j.tolist(), self.gaps(i, j).tolist(), strict=True):
            for piece, other in ((p, q), (q, p)):
                if self.sensor[piece] and not self.sensor[other]:
                    pair = piece, int(self.entity[other])
                    found[pair] = min(found.get(pair, np.inf), gap)
        return found


def ordered(a: int, b: int) -> Pair:
    """Return two handles, the lower first."""
    return (a, b) if a < b else (b, a)


def _separation(a: Array, b: Array, count: Array) -> Array:
    """Return the greatest separation of b along the outward normals of the edges of a, float64 (n,)."""
    used = np.arange(POINTS) < count[:, None]
    after = np.where((np.arange(POINTS) == count[:, None] - 1)[..., None], a[:, :1], np.roll(a, -1, axis=1))
    edge = after - a
    normal = np.stack([edge[..., 1], -edge[..., 0]], axis=-1)
    length = np.sqrt((normal**2).sum(axis=-1))
    used &= length > 0
    normal = normal / np.where(used, length, 1.0)[..., None]
    along = ((b[:, None] - a[:, :, None]) * normal[:, :, None]).sum(axis=-1).min(axis=2)
    return np.where(used, along, -np.inf).max(axis=1)


def _distance(a: Array, b: Array) -> Array:
    """Return the smallest distance of the corners of a to the edges of b, float64 (n,)."""
    after = np.roll(b, -1, axis=1)  # the repeated corners are edges of length 0
    way = (after - b)[:, None]
    start = a[:, :, None] - b[:, None]
    square = (way**2).sum(axis=-1)
    share = np.clip((start * way).sum(axis=-1) / np.where(square > 0, square, 1.0), 0.0, 1.0)
    return np.sqrt(((start - share[..., None] * way) ** 2).sum(axis=-1).min(axis=(1, 2)))
