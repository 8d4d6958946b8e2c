"""The movement of one character in one tick."""

from __future__ import annotations

import numpy as np

from rish_core import Transform, World
from rish_core.common import hierarchy_of
from rish_jit import Array, maths

from ...bodies.assembly import first_shapes
from ...bodies.frames import inverse, through, world_frames
from ...components.links import Links
from ...components.notices import notify
from ...contacts.state import State
from .component import Character
from .motions import Motion, Motions
from .obstacles import Hit, Surroundings

_MAX_SURFACES = 4
"""The number of surfaces along which a character slides in one tick."""
_ROUNDING = 1e-4
"""The amount by which the cosine of a slope may be below that of `max_slope`."""


class Walk:
    """The movement of one character in one tick.

    place: the position of the character in the world, float64 (2,). carrier: the motion of its ground, None if the
    ground does not move. since, until: the times of the motions, see `Motion`.
    """

    def __init__(self, world: World, state: State, entity: int, slot: int) -> None:
        self.world, self.state, self.entity, self.slot = world, state, entity, slot
        table = self.table = world.tables[Character]
        row = self.row = table.row_of(entity)
        self.places = world.tables[Transform]
        self.place_row = self.places.row_of(entity)
        self.hung = bool(self.places.parent[self.place_row])
        self.written = self._column_place()
        self.place: Array = self.written.copy()
        self.up = _up(state, table.up[row].astype(np.float64))
        self.minimum = float(maths.cos(float(table.max_slope[row]))) - _ROUNDING
        self.step = float(table.step_height[row])
        self.standing = bool(table.grounded[row])
        self.carrier: Motion | None = None
        self.since, self.until = 0.0, 1.0
        self.grounded, self.ground = False, 0
        self.normal: Array = np.zeros(2)
        self.on_wall = self.on_ceiling = False
        self.around = Surroundings(world, state, entity, slot, int(table.mask[row]))
        self.skin = self.around.skin

    def go(self, dt: float, motions: Motions, passing: frozenset[int]) -> None:
        """Move with the ground, slide, and stick to the ground; then write the results.

        passing: entities that are no obstacles.
        """
        if not len(self.around.points):
            notify(self.world, f"form {self.entity}", "a Character needs a convex Collider", self.entity)
            return
        velocity = self.table.velocity[self.row].astype(np.float64)
        path = velocity * dt
        shape = self._ground_shape()
        if shape >= 0:
            path = path + self._belt(shape, dt)
            self.carrier = motions.get(int(self.state.shapes.body[shape]))
            if self.hung:  # the place that it had on its ground, before its parent was moved
                self.place = self._seen()
        self._look_around(motions, path, passing)
        rising, before = float(velocity @ self.up) > 0, self.place.copy()
        self._come_out(0.0)
        velocity = self._slide(path, velocity, climb=self.standing and not rising)
        if self.grounded or not rising:
            self._stand(before)
        if self.around.near:
            self._come_out(1.0)
        self._write(velocity)

    def correct(self, errors: Motions, passing: frozenset[int]) -> bool:
        """Correct the position after the step, for bodies that ended elsewhere than predicted: move with the ground,
        and away from bodies that are not dynamic. Return True if anything was changed.

        errors: the motions from the predicted poses.
        """
        if not len(self.around.points):  # its collider was removed or changed since it walked
            return False
        self.since, self.until, self.place = -1.0, 0.0, self._seen()
        shape = self._ground_shape()
        self.carrier = errors.get(int(self.state.shapes.body[shape])) if shape >= 0 else None
        self._look_around(errors, np.zeros(2), passing)
        self.around.near = [each for each in self.around.near if not each.dynamic or each == self.carrier]
        if not self.around.near:
            return False
        before = self.place if self.carrier is None else self.carrier.back(self.since, self.place)
        velocity = self._slide(np.zeros(2), self.table.velocity[self.row].astype(np.float64), climb=False)
        if self.grounded or self.standing:
            self._stand(before)
        self._come_out(self.until)
        if self.grounded:
            self.on_wall |= bool(self.table.on_wall[self.row])
            self.on_ceiling |= bool(self.table.on_ceiling[self.row])
            self._write(velocity)
        else:
            self._write_place()
        return True

    def _seen(self) -> Array:
        """Return the position of the character in the world after the last step, float64 (2,)."""
        return self.state.bodies.seen[self.slot, :2].astype(np.float64)

    def _ground_shape(self) -> int:
        """Return the first shape of the collider on which the character stood, -1 if that collider no longer has
        shapes.
        """
        ground = int(self.table.ground[self.row])
        if not self.standing or not self.world.alive(ground):
            return -1
        return int(first_shapes(self.state, self.world[Links], np.array([ground]))[0])

    def _column_place(self) -> Array:
        """Return the position of the character in the world that its columns give, float64 (2,)."""
        if not self.hung:
            return self.places.position[self.place_row].astype(np.float64)
        return world_frames(self.world, np.array([self.place_row]))[0, 4:]

    def _look_around(self, motions: Motions, path: Array, passing: frozenset[int]) -> None:
        """Select the obstacles and motions that may affect the character on a path."""
        around = self.around
        around.passing, around.drop = passing, bool(self.table.drop[self.row])
        if not motions:
            return
        end = self._end(path, self.since, self.until)
        reach = self._reach(float(np.sqrt((path**2).sum()))) + around.radius
        low = np.minimum(self.place, end) + around.points.min(axis=0) - reach
        high = np.maximum(self.place, end) + around.points.max(axis=0) + reach
        around.near = [each for each in motions.near(low, high) if each.slot != self.slot]
        if self.carrier is not None and self.carrier not in around.near:
            around.near.append(self.carrier)

    def _belt(self, shape: int, dt: float) -> Array:
        """Return the displacement by the moving surface of the ground, clockwise around its shape. With `drop`, add a
        small displacement into one-way ground, so that the character falls through.
        """
        x, y = self.table.normal[self.row].tolist()
        along = float(self.state.shapes.surface[shape, 4]) * dt
        down = 2 * self.around.slop if self.table.drop[self.row] else 0.0
        return along * np.array([y, -x]) - down * self.up

    def _come_out(self, until: float) -> None:
        """Move out of overlapping shapes, the deepest first; repeat, because that may lead into other shapes."""
        for _ in range(_MAX_SURFACES):
            depth, out = self.around.deepest(self.place, until)
            if not depth:
                return
            self.place = self.place + out * (depth + self.skin)

    def _end(self, path: Array, since: float, until: float) -> Array:
        """Return the position to which the character's own path and its ground bring it during a part of the tick."""
        if self.carrier is None:
            return self.place + path
        return self.carrier.at(until, self.carrier.back(since, self.place) + path)

    def _slide(self, path: Array, velocity: Array, *, climb: bool) -> Array:
        """Move along `path` while the ground carries the character, and along the surfaces that it hits; return the
        velocity without the parts that were blocked.
        """
        time = self.since
        for _ in range(_MAX_SURFACES):
            end = self._end(path, time, self.until)
            hit = self.around.first(self.place, end, time, self.until)
            if hit is None:
                self.place = end
                break
            hit_time = time + (self.until - time) * hit.share
            self.place = self._end(path * hit.share, time, hit_time)
            path, time = path * (1 - hit.share), hit_time
            slope = float(hit.normal @ self.up)
            if slope < self.minimum and climb and slope > -0.1 and self._climb(path, time):
                path = np.zeros(2)
                continue
            if slope >= self.minimum:
                self._land(hit)
                path, velocity = (way - hit.normal * max(float(way @ hit.normal), 0.0) for way in (path, velocity))
            else:
                self.on_ceiling |= slope < -0.5
                self.on_wall |= slope >= -0.5
            velocity = self._along(velocity, hit.normal, slope)
            relative = path + self._end(np.zeros(2), time, self.until) - self.place - self._push(hit, time, slope)
            path = path + self._along(relative, hit.normal, slope) - relative
        return velocity

    def _push(self, hit: Hit, time: float, slope: float) -> Array:
        """Return the displacement that an obstacle gives the character in the rest of the tick. A dynamic body does
        not push it, but may carry it as its ground.
        """
        if hit.motion is None:
            return np.zeros(2)
        push = hit.motion.at(self.until, hit.motion.back(time, self.place)) - self.place
        if hit.motion.dynamic and slope < self.minimum:
            push = push - hit.normal * max(float(push @ hit.normal), 0.0)
        return push

    def _along(self, way: Array, normal: Array, slope: float) -> Array:
        """Return the path after the hit of a surface: its part along the surface. On ground the character does not
        slide down; a steep slope does not lift it.
        """
        if slope >= self.minimum:
            way = way - self.up * min(float(way @ self.up), 0.0)
        remaining = way - normal * min(float(way @ normal), 0.0)
        if 0 < slope < self.minimum and float(remaining @ self.up) > max(float(way @ self.up), 0.0):
            level = normal - slope * self.up
            level = level / np.sqrt((level**2).sum())
            remaining = way - level * min(float(way @ level), 0.0)
        return remaining

    def _climb(self, way: Array, time: float) -> bool:
        """Try to climb a step: move up, forward and down again. Return True if the character then stands on ground."""
        if not self.step:
            return False
        level = way - float(way @ self.up) * self.up
        length = float(np.sqrt((level**2).sum()))
        if length < 1e-9:
            return False
        before = self.place.copy()
        half = float(np.abs(self.around.points @ (level / length)).max()) + self.around.radius
        ground = self._over(before, level * (max(length, half) / length), time)
        climbs = ground is not None and float(ground.normal @ self.up) >= self.minimum
        hit = self._over(before, level, time) if climbs else None
        if hit is None or float((self.place - before) @ level) < 0.1 * length * length:
            self.place = before
            return False
        self._land(hit)
        return True

    def _over(self, start: Array, on: Array, time: float) -> Hit | None:
        """Move up by the height of a step, forward, and down onto the ground; return the hit of the ground, None
        without ground. The edge of a step may support a round shape.
        """
        self.place = start.copy()
        hit = None
        for move, misses in ((self.up * self.step, 1.0), (on, 1.0), (-self.up * (2 * self.step), 0.0)):
            hit = self.around.first(self.place, self.place + move, time, time)
            self.place = self.place + move * (misses if hit is None else hit.share)
        return hit

    def _stand(self, before: Array) -> None:
        """Search for ground directly below at the end of the tick. A character that was grounded moves down onto it,
        at most by the height of a step or along a slope. before: its position on its ground at the start of the tick.
        """
        around, lift, reach = self.around, 0.0, self.around.slop
        if self.standing:
            way = (self.place if self.carrier is None else self.carrier.back(self.until, self.place)) - before
            level = np.sqrt(max(float((way**2).sum() - (way @ self.up) ** 2), 0.0))
            reach = self._reach(float(level))
        if self.standing or self.grounded:
            # It may be in its ground by rounding, or by the turn of the ground below its edge.
            turn = 0.0 if self.carrier is None else abs(self.carrier.turn)
            lift = around.slop + turn * (float(np.abs(around.points).max()) + around.radius)
        start = self.place + self.up * lift
        hit = around.first(start, self.place - self.up * reach, self.until, self.until)
        if hit is not None and float(hit.normal @ self.up) >= self.minimum:
            self.place = start - self.up * ((lift + reach) * hit.share)
            self._land(hit)

    def _reach(self, level: float) -> float:
        """Return the distance below the character's feet in which ground is searched. level: the horizontal length of
        the path.
        """
        return self.around.slop + self.step + level * float(np.sqrt(1 - self.minimum**2)) / self.minimum

    def _land(self, hit: Hit) -> None:
        self.grounded, self.ground = True, int(self.state.shapes.entity[hit.shape])
        self.normal, self.carrier = hit.normal, hit.motion

    def _write(self, velocity: Array) -> None:
        if self.grounded:
            velocity = velocity - min(float(velocity @ self.up), 0.0) * self.up
        self._write_place()
        table, row = self.table, self.row
        table.velocity[row] = velocity
        table.grounded[row], table.ground[row], table.normal[row] = self.grounded, self.ground, self.normal
        table.on_wall[row], table.on_ceiling[row] = self.on_wall, self.on_ceiling
        table.mark(row)

    def _write_place(self) -> None:
        """Write the Transform of the character, relative to its parent, if the character has moved."""
        if (self.place == self.written).all():
            return
        place = self.place
        if self.hung:
            above = hierarchy_of(self.world).parents[np.array([self.place_row])]
            place = through(inverse(world_frames(self.world, above))[0], place)
        if np.isfinite(place).all():
            self.places.position[self.place_row] = place
            self.places.mark(self.place_row)


def _up(state: State, up_field: Array) -> Array:
    """Return the direction away from the ground, float64 (2,)."""
    x, y = -float(state.scaled.gravity_x), -float(state.scaled.gravity_y)
    up = up_field if up_field.any() else np.array([x, y]) if x or y else np.array([0.0, 1.0])
    return up / np.sqrt((up**2).sum())
