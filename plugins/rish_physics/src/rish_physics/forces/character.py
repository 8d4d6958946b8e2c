"""A character: a kinematic body that walks with its requested velocity.

It is moved before the step, by casting its shape. It slides along the ground and along walls and climbs low steps.
Slopes that are too steep to walk on act as walls, and one-way ground lets it through from below. Moving ground carries
it. If it overlaps a shape, at the start or because a wall moved into it, it leaves by the shortest path. Gravity, jumps
and their timing belong to the game: it writes `velocity` in each tick, and reads `grounded`. The method is the common
collide-and-slide (Fauerby 2003); ground is recognised by its normal.

Its Body is kinematic, so the step derives its velocity from the new position, and it pushes the bodies it meets.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rish_core import Stage, Transform, World, system
from rish_ecs import Entity, Vec2, component, field, maths

from ..components.bodies import Body, Collider
from ..components.links import Links
from ..components.notices import notify
from ..components.tables import CHAIN, DYNAMIC, KINEMATIC, ONE_WAY, POINTS, TYPE
from ..contacts.state import State
from ..geometry.way_out import way_out
from ..queries.queries import shape_cast_all, shapes_at

Array = npt.NDArray[Any]
_TURNS = 4
"""The number of surfaces along which a character slides in one tick."""
_SKIN = 0.25
"""The gap that a character keeps from surfaces, as a share of the slop."""


@component
class Character:
    """Walks with `velocity`; needs a kinematic Body and one convex Collider beside it. Its rotation never changes."""

    velocity: Vec2 = field((0, 0), unit="units/s", doc="where it wants to go; what stops it is taken out of it")
    up: Vec2 = field((0, 0), doc="direction away from the ground; 0 0: against gravity")
    max_slope: float = field(0.8726646, unit="rad", angle=True, low=0, high=1.5, doc="steepest ground that it walks on")
    step_height: float = field(0.0, unit="units", low=0, doc="of steps that it climbs, and walks down without a jump")
    mask: int = field(-1, doc="categories that stop it")
    drop: bool = field(False, transient=True, doc="whether it falls through one-way ground in this tick")
    grounded: bool = field(False, hidden=True, doc="whether it stands")
    ground: Entity = field(0, hidden=True, doc="on what it stands")
    normal: Vec2 = field((0, 0), hidden=True, doc="of the ground")
    on_wall: bool = field(False, hidden=True, doc="whether something steep stopped it")
    on_ceiling: bool = field(False, hidden=True, doc="whether something above stopped it")


class Hit(NamedTuple):
    """The first thing that a shape meets on a path.

    share: the fraction of the path to it, less the gap that is kept. normal: float64 (2,).
    """

    share: float
    normal: Array
    entity: int


@system(Stage.FORCES, writes=(Character, Transform, Links), marks=True, name="characters")
def move_characters(world: World, dt: float) -> None:
    """The system `physics.characters`: move all characters, in the order of their table."""
    if not world.tables[Character].used:
        return
    state = State.of(world)
    query = world.query(Character, Transform, Body, Collider)
    for entity in query.entities.tolist():
        slot = int(world[Links].body_slots(np.array([entity]))[0])
        if slot and state.bodies.entity[slot] == entity:
            if (state.bodies.flags[slot] & TYPE) != KINEMATIC:
                notify(world, f"character {entity}", "a Character needs a Body of type kinematic", entity)
                continue
            Walk(world, state, entity, slot).go(dt)


class Walk:
    """The movement of one character in one tick."""

    def __init__(self, world: World, state: State, entity: int, slot: int) -> None:
        self.world, self.state, self.entity, self.slot = world, state, entity, slot
        table = self.table = world.tables[Character]
        row = self.row = table.row_of(entity)
        self.places = world.tables[Transform]
        self.place_row = self.places.row_of(entity)
        self.start = self.places.position[self.place_row].astype(np.float64)
        hung = self.places.parent[self.place_row] != 0
        self.place: Array = state.bodies.seen[slot, :2].astype(np.float64) if hung else self.start.copy()
        self.up = self._up(table.up[row].astype(np.float64))
        self.minimum = float(maths.cos(float(table.max_slope[row])))
        self.step, self.mask, self.drop = float(table.step_height[row]), int(table.mask[row]), bool(table.drop[row])
        self.skin = _SKIN * float(state.scaled.slop)
        self.grounded, self.ground = False, 0
        self.normal: Array = np.zeros(2)
        self.on_wall = self.on_ceiling = False
        self._form()

    def _up(self, given: Array) -> Array:
        x, y = -float(self.state.scaled.gravity_x), -float(self.state.scaled.gravity_y)
        up = given if given.any() else np.array([x, y]) if x or y else np.array([0.0, 1.0])
        return up / np.sqrt((up**2).sum())

    def _form(self) -> None:
        """Compute the points of its first shape relative to its position, and their radius."""
        shapes, bodies = self.state.shapes, self.state.bodies
        shape = int(bodies.first_shape[self.slot])
        count = int(shapes.flags[shape] & POINTS) if shape >= 0 and not shapes.flags[shape] & CHAIN else 0
        points = shapes.hull[shape, : 2 * count].reshape(-1, 2).astype(np.float64) + bodies.extent[self.slot, :2]
        c, s = bodies.pose[self.slot, 2:].astype(np.float64)
        self.points = np.column_stack([c * points[:, 0] - s * points[:, 1], s * points[:, 0] + c * points[:, 1]])
        self.radius = float(shapes.size[shape, 2]) if count else 0.0

    def go(self, dt: float) -> None:
        """Move with the ground, slide, and stick to the ground; then write the results."""
        if not len(self.points):
            notify(self.world, f"form {self.entity}", "a Character needs a convex Collider", self.entity)
            return
        velocity = self.table.velocity[self.row].astype(np.float64)
        standing, rising = bool(self.table.grounded[self.row]), float(velocity @ self.up) > 0
        before = self.place.copy()
        if standing:
            self._slide(self._carried(dt), climb=False)
        self._come_out()
        velocity = self._slide(velocity * dt, climb=standing and not rising) / dt
        if not rising:
            self._stand(standing, before)
        if self.grounded:
            velocity -= min(float(velocity @ self.up), 0.0) * self.up
        self._write(self.place - before, velocity)

    def _come_out(self) -> None:
        """Move out of overlapping shapes, the deepest first; repeat for shapes entered by that. Dynamic bodies are left
        to the step, which pushes them away, and one-way ground is ignored.
        """
        for _ in range(_TURNS):
            deepest, out = 0.0, np.zeros(2)
            shapes = shapes_at(self.world, self.points, self.place, self.radius, self.mask, self.entity)
            for shape in shapes.tolist():
                depth, normal = self._depth(shape)
                if depth > deepest:
                    deepest, out = depth, normal
            if not deepest:
                return
            self.place = self.place + out * (deepest + self.skin)

    def _depth(self, shape: int) -> tuple[float, Array]:
        """Return the distance and direction (float64, (2,)) in which it must move to leave a shape."""
        shapes, bodies = self.state.shapes, self.state.bodies
        body, flags = int(shapes.body[shape]), int(shapes.flags[shape])
        if flags & ONE_WAY or (bodies.flags[body] & TYPE) == DYNAMIC:
            return 0.0, np.zeros(2)
        x, y, c, s = bodies.pose[body].astype(np.float64)
        first, count = (1, 2) if flags & CHAIN else (0, flags & POINTS)
        hull = shapes.hull[shape, 2 * first : 2 * (first + count)].reshape(-1, 2).astype(np.float64)
        hull = np.column_stack([x + c * hull[:, 0] - s * hull[:, 1], y + s * hull[:, 0] + c * hull[:, 1]])
        other = float(shapes.size[shape, 2])
        return way_out(self.place + self.points, self.radius, hull, other, one_sided=bool(flags & CHAIN))

    def _first(self, way: Array) -> Hit | None:
        """Return the first thing that stops it on a path from its position, None if nothing does."""
        length = float(np.sqrt((way**2).sum()))
        if length < 1e-9:
            return None
        hits = shape_cast_all(
            self.world, self.points, self.place, self.place + way * ((length + self.skin) / length),
            radius=self.radius, mask=self.mask, ignore=self.entity,
        )  # fmt: skip
        for k in range(len(hits)):
            normal, entity = hits.normal[k].astype(np.float64), int(hits.entity[k])
            fraction = float(hits.fraction[k])
            if not normal.any() or float(normal @ way) >= 0 or self._lets_pass(entity, normal, fraction):
                continue
            reached = fraction * (length + self.skin)
            gap = self.skin * length / max(-float(normal @ way), 0.1 * length)
            return Hit(max(0.0, min(1.0, (reached - gap) / length)), normal, entity)
        return None

    def _lets_pass(self, entity: int, normal: Array, fraction: float) -> bool:
        """Return True if one-way ground lets it through: from below, from the side, from inside, and while `drop` is
        set.
        """
        table = self.world.tables[Collider]
        row = table.row_of(entity)
        way = table.one_way[row].astype(np.float64) if row >= 0 else np.zeros(2)
        if not way.any():
            return False
        return self.drop or fraction == 0 or float(normal @ way) < 0.7 * float(np.sqrt((way**2).sum()))

    def _slide(self, way: Array, *, climb: bool) -> Array:
        """Move along a path, and along the surfaces it meets; return the path without the parts that were blocked."""
        wanted = way.copy()
        for _ in range(_TURNS):
            hit = self._first(way)
            if hit is None:
                self.place += way
                break
            self.place += way * hit.share
            way = way * (1 - hit.share)
            slope = float(hit.normal @ self.up)
            if slope >= self.minimum:
                self._land(hit)
            elif climb and slope > -0.1 and self._climb(way):
                break
            else:
                self.on_ceiling |= slope < -0.5
                self.on_wall |= slope >= -0.5
            way, wanted = self._along(way, hit.normal, slope), self._along(wanted, hit.normal, slope)
        return wanted

    def _along(self, way: Array, normal: Array, slope: float) -> Array:
        """Return the rest of a path after it meets a surface: ground does not make it slide down, a steep slope does
        not lift it.
        """
        if slope >= self.minimum:
            way = way - self.up * min(float(way @ self.up), 0.0)
        left = way - normal * min(float(way @ normal), 0.0)
        if 0 < slope < self.minimum and float(left @ self.up) > max(float(way @ self.up), 0.0):
            level = normal - slope * self.up
            level = level / np.sqrt((level**2).sum())
            left = way - level * min(float(way @ level), 0.0)
        return left

    def _climb(self, way: Array) -> bool:
        """Move up by a step, forward, and down again; return True if that led onto ground."""
        if not self.step:
            return False
        level = way - float(way @ self.up) * self.up
        length = float(np.sqrt((level**2).sum()))
        if length < 1e-9:
            return False
        before = self.place.copy()
        half = float(np.abs(self.points @ (level / length)).max()) + self.radius
        found = self._over(before, level * (max(length, half) / length))
        climbs = found is not None and float(found.normal @ self.up) >= self.minimum
        hit = self._over(before, level) if climbs else None
        if hit is None or float((self.place - before) @ level) < 0.1 * length * length:
            self.place = before
            return False
        self._land(hit)
        return True

    def _over(self, start: Array, on: Array) -> Hit | None:
        """Move up by a step, forward, and down onto the ground; return the ground hit. The edge of a step may support a
        round shape.
        """
        self.place = start.copy()
        for move in (self.up * self.step, on):
            hit = self._first(move)
            self.place = self.place + move * (1.0 if hit is None else hit.share)
        down = -self.up * (2 * self.step)
        hit = self._first(down)
        self.place = self.place + down * (hit.share if hit is not None else 0.0)
        return hit

    def _stand(self, standing: bool, before: Array) -> None:
        """Search for ground directly below; a character that was grounded follows it down, at most by a step or along a
        slope.
        """
        reach = 4 * self.skin
        if standing:
            way = self.place - before
            level = np.sqrt(max(float((way**2).sum() - (way @ self.up) ** 2), 0.0))
            reach += self.step + float(level) * np.sqrt(1 - self.minimum**2) / self.minimum
        hit = self._first(-self.up * reach)
        if hit is not None and float(hit.normal @ self.up) >= self.minimum:
            self.place -= self.up * reach * hit.share
            self._land(hit)

    def _land(self, hit: Hit) -> None:
        self.grounded, self.ground, self.normal = True, hit.entity, hit.normal

    def _carried(self, dt: float) -> Array:
        """Return the displacement by which the moving ground carries it in this tick."""
        links, bodies = self.world[Links], self.state.bodies
        ground = int(self.table.ground[self.row])
        slot = int(links.body_slots(np.array([ground]))[0]) if self.world.alive(ground) else 0
        if not slot or bodies.entity[slot] != ground:
            return np.zeros(2)
        seen, now = bodies.seen[slot].astype(np.float64), self._pose_of(ground)
        if now is not None and (now != seen[:3]).any():
            # The ground was moved by its columns: rotate the arm about the new position.
            turn = float(now[2] - seen[2])
            s, c = maths.sincos(turn)
            arm = self.place - seen[:2]
            return now[:2] + np.array([c * arm[0] - s * arm[1], s * arm[0] + c * arm[1]]) - self.place
        vx, vy, spin = bodies.state[slot, :3].astype(np.float64)
        # The ground is moved by the solver: velocity of its point, v + w x r.
        arm = self.place - bodies.pose[slot, :2]
        return np.array([vx - spin * arm[1], vy + spin * arm[0]]) * dt

    def _pose_of(self, entity: int) -> Array | None:
        """Return x, y, angle of an entity from its columns; None if it has a parent or no Transform."""
        row = self.places.row_of(entity)
        if row < 0 or self.places.parent[row]:
            return None
        return np.array([*self.places.position[row], self.places.rotation[row]], np.float64)

    def _write(self, way: Array, velocity: Array) -> None:
        if way.any():
            self.places.position[self.place_row] = self.start + way
            self.places.mark(self.place_row)
        table, row = self.table, self.row
        table.velocity[row] = velocity
        table.grounded[row], table.ground[row], table.normal[row] = self.grounded, self.ground, self.normal
        table.on_wall[row], table.on_ceiling[row] = self.on_wall, self.on_ceiling
        table.mark(row)
