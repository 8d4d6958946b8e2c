"""The movement of characters in one tick: several with the same form at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rish_jit import Array, maths
from rish_space3d import Transform3D, local_poses, quaternions

from ...bodies.driven import are_forgotten
from ...components.characters import Character3D
from ...components.settings import Physics3DSettings
from .obstacles import SKIN, Hits, Obstacles
from .planes import dot, length, within

if TYPE_CHECKING:
    from rish_core import World

F32 = np.float32
_MAX_SURFACES = 6
"""The number of surfaces along which a character slides in one tick."""
_MAX_OVERLAPS = 8
"""The number of overlaps that a character leaves in one tick."""
_ROUNDING = 1e-4
"""The amount by which the cosine of a slope may be below that of `max_slope`."""
_CEILING, _OVERHANG = -0.5, -0.1
"""The cosine of a slope below which it is a ceiling, and above which it may be the side of a step."""
_SHORT = 1e-7
"""A path that is shorter has ended, m."""


class Walkers:
    """Characters that have the same number of points, radius and mask.

    entities: int64 (n,). rows: of Character3D. place: their positions in the world, float64 (n, 3). standing: whether
    they stood at the end of the last tick. The results: grounded, ground (entities), normal, on_wall, on_ceiling.
    stopped: the characters, shapes and normals that `first` found on the way.
    """

    def __init__(self, world: World, entities: Array, place: Array, obstacles: Obstacles) -> None:
        self.world, self.entities, self.place, self.obstacles = world, entities, place, obstacles
        table = self.table = world.table(Character3D)
        rows = self.rows = table.rows_of(entities)
        self.places = world.table(Transform3D)
        self.place_rows = self.places.rows_of(entities)
        self._before = self.place.copy()
        self.up = _up(world, table.up[rows].astype(np.float64))
        self.minimum = maths.cos(table.max_slope[rows].astype(np.float64)) - _ROUNDING
        self.step = table.step_height[rows].astype(np.float64)
        self.standing = table.grounded[rows].copy()
        count = len(entities)
        self.grounded, self.ground = np.zeros(count, np.bool_), np.zeros(count, np.int64)
        self.normal = np.zeros((count, 3))
        self.on_wall, self.on_ceiling = self.grounded.copy(), self.grounded.copy()
        self._planes, self._count = np.zeros((count, _MAX_SURFACES, 3)), np.zeros(count, np.int64)
        self._is_ground = np.zeros((count, _MAX_SURFACES), np.bool_)
        self.stopped: list[tuple[Array, Array, Array, Array]] = []
        self.everyone = np.arange(count)

    def carry(self, furthest: float) -> bool:
        """Move those that stand as their ground has moved since the last tick; return whether any was carried.

        furthest: a ground that moved further was teleported, m.
        """
        table, rows, index = self.table, self.rows, self.obstacles.index
        here = (self.places.position[self.place_rows] == table.seen[rows]).all(axis=1)
        shapes = index.shapes_of(table.ground[rows])
        self.standing &= here & (shapes >= 0)
        poses = index.shapes[2].reshape(-1, 8)[shapes].astype(F32)
        old, turn = table.ground_position[rows], table.ground_rotation[rows]
        moved = self.standing & ((poses[:, :3] != old) | (poses[:, 4:] != turn)[:, :3]).any(axis=1)
        moved |= self.standing & (poses[:, 7] != turn[:, 3])
        if not moved.any():
            return False
        who = np.flatnonzero(moved)
        by = quaternions.product(poses[who, 4:].astype(np.float64), quaternions.inverse(turn[who].astype(np.float64)))
        goal = poses[who, :3] + quaternions.turned(by, self.place[who] - old[who])
        way = goal - self.place[who]
        near = (dot(way, way) <= furthest * furthest) & ~are_forgotten(self.world, index.bodies[shapes[who]])
        obstacles, usual = self.obstacles, self.obstacles.through
        obstacles.through = np.concatenate([usual, np.stack([who, index.entities[shapes[who]]], axis=1)])
        path = np.zeros_like(self.place)
        path[who[near]] = way[near]
        self._slide(path, np.zeros(len(path), np.bool_))
        obstacles.through = usual
        self._forget()
        return True

    def walk(self, dt: float) -> None:
        """Walk with their velocities, and stand on what is below."""
        table, rows = self.table, self.rows
        velocity = table.velocity[rows].astype(np.float64)
        rising = dot(velocity, self.up) > 0
        path = velocity * dt
        follows = self.standing & ~rising
        path[follows] = self._along_ground(follows, path[follows], table.normal[rows[follows]].astype(np.float64))
        level = length(path - self.up * dot(path, self.up)[:, None])
        self._slide(path, follows)
        who = np.flatnonzero(self.grounded | ~rising)
        if len(who):
            self._stand(who, level[who])
        planes = np.where(self._is_ground[..., None], 0, self._planes)
        velocity = within(velocity, planes)
        falls = np.minimum(dot(velocity, self.up), 0) * self.grounded
        self.velocity = velocity - falls[:, None] * self.up

    def _forget(self) -> None:
        """Forget the surfaces that were hit."""
        self._planes[:], self._count[:], self._is_ground[:] = 0, 0, False
        self.grounded[:] = self.on_wall[:] = self.on_ceiling[:] = False
        self.stopped.clear()

    def come_out(self) -> None:
        """Move out of what they overlap, the deepest first; again, because that may lead into something else."""
        who = self.everyone
        for _ in range(_MAX_OVERLAPS):
            depth, out = self.obstacles.deepest(who, self.place[who], self._before)
            inside = depth > 0
            if not inside.any():
                return
            who, depth, out = who[inside], depth[inside], out[inside]
            self.place[who] += out * (depth + SKIN)[:, None]
            slope = dot(out, self.up[who])
            self.on_ceiling[who] |= slope < _CEILING
            self.on_wall[who] |= (slope >= _CEILING) & (slope < self.minimum[who])

    def _along_ground(self, who: Array, path: Array, normal: Array) -> Array:
        """Return paths that are raised or lowered along the ground with these normals; their level part stays."""
        up = self.up[who]
        path = path - up * np.minimum(dot(path, up), 0)[:, None]
        slope = dot(normal, up)
        lift = np.where(slope > 0.05, -dot(path, normal) / np.maximum(slope, 0.05), 0)
        return path + up * lift[:, None]

    def _slide(self, wish: Array, climbs: Array) -> None:
        """Move along paths, and along the surfaces that are hit. climbs: bool, who may climb steps.

        After each hit the rest of the whole wish is limited by all surfaces: limited one after the other, a path in a
        wide corner would lead out of it again.
        """
        path, left = wish, np.ones(len(wish))
        who = np.flatnonzero(length(wish) > _SHORT)
        for _ in range(_MAX_SURFACES):
            if not len(who):
                return
            start, way = self.place[who], path[who]
            hits = self.obstacles.first(who, start, way)
            self.place[who] = start + way * hits.share[:, None]
            left[who] *= 1 - hits.share
            hit = hits.shape >= 0
            who, way = who[hit], way[hit] * (1 - hits.share[hit])[:, None]
            if not len(who):
                return
            hits = Hits(*(column[hit] for column in hits))
            slope = dot(hits.normal, self.up[who])
            steep = (slope < self.minimum[who]) & (slope > _OVERHANG)
            stays = np.ones(len(who), np.bool_)
            tries = np.flatnonzero(steep & climbs[who] & (self.step[who] > 0))
            if len(tries):
                stays[tries] = ~self._climb(who[tries], way[tries])
            who, way, slope = who[stays], way[stays], slope[stays]
            self._meet(who, way, slope, Hits(*(column[stays] for column in hits)))
            path = np.zeros_like(wish)
            path[who] = self._limited(who, wish[who] * left[who, None])
            who = who[length(path[who]) > _SHORT]

    def _meet(self, who: Array, way: Array, slope: Array, hits: Hits) -> None:
        """Note surfaces that stop characters. Steep ground that would lift them is a wall."""
        up, plane = self.up[who], hits.normal.copy()
        walks = slope >= self.minimum[who]
        self.on_ceiling[who] |= slope < _CEILING
        self.on_wall[who] |= (slope >= _CEILING) & ~walks
        along = way - plane * np.minimum(dot(way, plane), 0)[:, None]
        lifts = (slope > 0) & ~walks & (dot(along, up) > np.maximum(dot(way, up), 0))
        level = plane - up * slope[:, None]
        plane[lifts] = (level / np.maximum(length(level), 1e-9)[:, None])[lifts]
        k = self._count[who]
        room = k < _MAX_SURFACES
        self._planes[who[room], k[room]], self._is_ground[who[room], k[room]] = plane[room], walks[room]
        self._count[who[room]] += 1
        self._land(who[walks], hits.shape[walks], hits.normal[walks])
        self.stopped.append((who, hits.shape, hits.normal, slope))

    def _limited(self, who: Array, way: Array) -> Array:
        """Return the rest of paths, limited by all surfaces that were hit."""
        ground = self.grounded[who]
        way[ground] = self._along_ground(who[ground], way[ground], self.normal[who[ground]])
        return within(way, self._planes[who])

    def _climb(self, who: Array, way: Array) -> Array:
        """Try to climb a step: move up, forward, and down onto it; return who stands on it, bool."""
        up, obstacles = self.up[who], self.obstacles
        level = way - up * dot(way, up)[:, None]
        rise = up * self.step[who][:, None]
        lifted = rise * obstacles.first(who, self.place[who], rise).share[:, None]
        place = self.place[who] + lifted
        forward = level * obstacles.first(who, place, level).share[:, None]
        place += forward
        down = -lifted - 2 * SKIN * up
        hits = obstacles.first(who, place, down)
        place += down * hits.share[:, None]
        normal = self._walked_on(who, place, hits)
        feet = self.place[who] + obstacles.support(who, up)
        high = dot(place + obstacles.support(who, hits.normal) - feet, up) - 3 * SKIN
        far = length(level)
        climbs = (far > _SHORT) & (length(forward) >= 0.1 * far) & (high <= self.step[who])
        climbs &= dot(normal, up) >= self.minimum[who]
        self.place[who[climbs]] = place[climbs]
        self._land(who[climbs], hits.shape[climbs], normal[climbs])
        return climbs

    def _stand(self, who: Array, level: Array) -> None:
        """Search for ground below. Those that stood move down onto it, at most by a step or along a slope.

        level: the horizontal length of their paths.
        """
        up, stood = self.up[who], self.standing[who]
        cosine = self.minimum[who]
        reach = 2 * SKIN + stood * (self.step[who] + level * np.sqrt(1 - cosine * cosine) / cosine)
        start = self.place[who] + up * SKIN
        down = -up * (reach + SKIN)[:, None]
        hits = self.obstacles.first(who, start, down)
        place = start + down * hits.share[:, None]
        normal = self._walked_on(who, place, hits)
        stands = (hits.shape >= 0) & (dot(normal, up) >= cosine)
        self.place[who[stands]] = place[stands]
        self._land(who[stands], hits.shape[stands], normal[stands])

    def _walked_on(self, who: Array, place: Array, hits: Hits) -> Array:
        """Return the normals of what is below characters, 0 for nothing. The edge of a step supports a round shape, so
        it has the normal of the step.
        """
        up, normal = self.up[who], np.where((hits.shape >= 0)[:, None], hits.normal, 0)
        slope = dot(normal, up)
        high = self.obstacles.radius * (1 - slope)
        edges = np.flatnonzero((slope > 0.05) & (slope < self.minimum[who]) & (high <= self.step[who]))
        if len(edges):
            those = Hits(*(column[edges] for column in hits))
            normal[edges] = self.obstacles.surface(who[edges], place[edges], those, up[edges])
        return normal

    def _land(self, who: Array, shape: Array, normal: Array) -> None:
        self.grounded[who] = True
        self.ground[who] = self.obstacles.index.entities[shape]
        self.normal[who] = normal

    def write(self, dt: float) -> None:
        """Write the results of a walk."""
        table, rows, grounded = self.table, self.rows, self.grounded
        table.velocity[rows] = self.velocity
        table.grounded[rows], table.on_wall[rows], table.on_ceiling[rows] = grounded, self.on_wall, self.on_ceiling
        table.ground[rows] = np.where(grounded, self.ground, 0)
        table.normal[rows] = np.where(grounded[:, None], self.normal, 0)
        table.air_time[rows] = np.where(grounded, 0, table.air_time[rows] + dt)
        self.write_place()

    def write_place(self) -> None:
        """Write the positions of those that moved, and what `carry` compares."""
        table, rows = self.table, self.rows
        moved: Array = (self.place != self._before).any(axis=1)
        moved &= np.isfinite(self.place).all(axis=1)
        if moved.any():
            those = self.place_rows[moved]
            turns = np.tile([0.0, 0, 0, 1], (len(those), 1))
            self.places.position[those] = local_poses(self.world, those, self.place[moved], turns)[0]
            self.places.mark(those)
        index = self.obstacles.index
        shapes = index.shapes_of(table.ground[rows])
        poses = np.where((shapes >= 0)[:, None], index.shapes[2].reshape(-1, 8)[shapes], _NOWHERE)
        table.on_wall[rows] |= self.on_wall
        table.on_ceiling[rows] |= self.on_ceiling
        table.ground_position[rows], table.ground_rotation[rows] = poses[:, :3], poses[:, 4:]
        table.seen[rows] = self.places.position[self.place_rows]
        table.mark(rows)


_NOWHERE = np.array([0.0, 0, 0, 0, 0, 0, 0, 1])


def _up(world: World, given: Array) -> Array:
    """Return the directions away from the ground, float64 (n, 3). given: those of the components, 0 for none."""
    down: Array = -np.array(world[Physics3DSettings].gravity, np.float64)
    usual = down if down.any() else np.array([0.0, 1.0, 0.0])
    up = np.where(np.any(given != 0, axis=1, keepdims=True), given, usual)
    return up / length(up)[:, None]
