"""Trail: the path of a moving entity as a ribbon that becomes thin and fades.

Past positions are needed only for drawing, so they are in a view resource: sampled from the interpolated matrices in
each frame, at times that don't depend on the frame rate, and cleared when the World is restored. A ribbon is broken
where the entity jumped instead of moving: where `teleport` moved it, or where it moved too far in one frame.
"""

from __future__ import annotations

from dataclasses import field as dataclass_field
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import Transform
from rish_ecs import Color, Stage, Str, Vec2, component, field, resource, system
from rish_frame import Batch, WorldMatrices
from rish_jit import Array

from ...components.visible import Blend
from ...drawables.drawables import BLENDS, Drawables

if TYPE_CHECKING:
    from rish_ecs import World

    from ...drawables.extraction import Extraction, Seen


PLACES = 64
"""The most positions of a trail that are stored."""


@component
class Trail:
    """A ribbon behind a moving entity."""

    seconds: float = field(0.5, unit="s", low=0.02, high=60, doc="how long a position is part of the trail")
    width: float = field(8.0, unit="units", low=0, doc="at the entity")
    width_end: float = field(0.0, unit="units", low=0, doc="at the end")
    color: Color = field((1, 1, 1, 0.8), low=0, high=1, doc="at the entity")
    color_end: Color = field((1, 1, 1, 0), low=0, high=1, doc="at the end")
    offset: Vec2 = field((0, 0), unit="units", doc="where it begins, relative to the entity")
    jump: float = field(
        0.0,
        unit="units",
        low=0,
        doc="distance in one frame above which the trail is interrupted",
        meanings={0: "never"},
    )
    opacity: float = field(1.0, low=0, high=1, doc="multiplies the colors' own opacity")
    layer: Str = field("", names="layers", doc="name of the layer; the first one where empty")
    z: float = field(0.0, doc="within the layer, greater is nearer")
    blend: Blend = field(Blend.ALPHA, doc="how it is blended with the pixels below")
    visible: bool = field(True, doc="whether it is drawn")


@resource(view=True)
class TrailPlaces:
    """The past positions of entities with trails, newest first.

    entities: int64 n. count: int64 n, the number of known places. place: float32 (n, PLACES, 2), world. time: float64
    (n, PLACES), seconds. broken: bool (n, PLACES), whether the ribbon is not connected to the next older place. last:
    float32 (n, 2), the local position in the last frame. now: seconds, the time that is shown. tick: the last tick.
    """

    entities: Array = dataclass_field(default_factory=lambda: np.zeros(0, np.int64))
    count: Array = dataclass_field(default_factory=lambda: np.zeros(0, np.int64))
    place: Array = dataclass_field(default_factory=lambda: np.zeros((0, PLACES, 2), np.float32))
    time: Array = dataclass_field(default_factory=lambda: np.zeros((0, PLACES)))
    broken: Array = dataclass_field(default_factory=lambda: np.zeros((0, PLACES), np.bool_))
    last: Array = dataclass_field(default_factory=lambda: np.zeros((0, 2), np.float32))
    now: float = 0.0
    tick: int = 0

    def match(self, entities: Array) -> None:
        """Set the entities to exactly these, in this order; the data of known entities is kept."""
        if np.array_equal(entities, self.entities):
            return
        order = np.argsort(self.entities)
        at = np.searchsorted(self.entities[order], entities)
        old = order[np.minimum(at, len(order) - 1)] if len(order) else np.zeros(len(entities), np.int64)
        continued = np.isin(entities, self.entities)
        for name in ("count", "place", "time", "broken", "last"):
            column = getattr(self, name)
            fresh = np.zeros((len(entities), *column.shape[1:]), column.dtype)
            fresh[continued] = column[old[continued]]
            setattr(self, name, fresh)
        self.entities = entities.copy()

    def push(self, rows: Array, place: Array, broken: bool) -> None:
        """Add a place (k, 2) at the current time to some trails."""
        self.place[rows, 1:], self.time[rows, 1:] = self.place[rows, :-1], self.time[rows, :-1]
        self.broken[rows, 1:] = self.broken[rows, :-1]
        self.place[rows, 0], self.time[rows, 0], self.broken[rows, 0] = place, self.now, broken
        self.count[rows] = np.minimum(self.count[rows] + 1, PLACES)


@system(Stage.LATE, reads=(Trail, Transform, WorldMatrices), writes=TrailPlaces, after="frame.interpolate_poses")
def follow_trails(world: World, dt: float) -> None:
    """Append the positions of entities with a Trail to their trails."""
    places: TrailPlaces = world[TrailPlaces]
    if not len(world.table(Trail)) and not len(places.entities):
        return
    query = world.query(Trail, Transform)
    entities = query.entities
    places.match(entities)
    before, ticks = places.now, world.tick - places.tick
    places.now, places.tick = (world.tick - 1 + world.alpha) * world.dt, world.tick
    if not len(entities):
        return
    if places.now < before:
        places.count[:] = 0
    head = heads(world, query)
    local, was = query[Transform.position], query[Transform.last_position]
    placed = places.count > 0
    far = np.hypot(*(head - places.place[:, 0]).T)
    limit = query[Trail.jump]
    jumped = placed & (limit > 0) & (far > limit)
    if ticks == 1:  # with several ticks in a frame, an entity may have moved and stopped
        jumped |= placed & (local == was).all(axis=1) & (local != places.last).any(axis=1)
    if jumped.any():
        places.push(np.flatnonzero(jumped), head[jumped], True)
    spacing = query[Trail.seconds] / (PLACES - 2)
    due = ~jumped & ((places.count < 2) | places.broken[:, 0] | (places.time[:, 0] - places.time[:, 1] >= spacing))
    places.push(np.flatnonzero(due), head[due], False)
    moved = ~jumped & ~due
    places.place[moved, 0], places.time[moved, 0] = head[moved], places.now
    places.last = local.copy()


def heads(world: World, query: Any) -> Array:
    """Return the world positions at which the trails of a query begin, float32 (n, 2)."""
    matrix = world[WorldMatrices].rows(query.rows(Transform))
    offset = query[Trail.offset]
    x = matrix[:, 0] * offset[:, 0] + matrix[:, 2] * offset[:, 1] + matrix[:, 4]
    y = matrix[:, 1] * offset[:, 0] + matrix[:, 3] * offset[:, 1] + matrix[:, 5]
    return np.stack([x, y], axis=1)


def extract_trails(scene: Extraction, seen: Seen) -> list[Drawables]:
    """Return the drawables of all visible trails; they change in every frame."""
    rows, matrix, numbers = seen
    world, table, places = scene.world, scene.world.table(Trail), scene.world[TrailPlaces]
    if not len(rows) or not len(places.entities):
        return []
    from .ribbon import make_ribbons

    at = np.searchsorted(places.entities, table.entities[rows], sorter=(order := np.argsort(places.entities)))
    at = order[np.minimum(at, len(order) - 1)]
    visible = (places.entities[at] == table.entities[rows]) & (places.count[at] > 1)
    rows, matrix, numbers, at = rows[visible], matrix[visible], numbers[visible], at[visible]
    if not len(rows):
        return []
    own = world[WorldMatrices].rows(world.table(Transform).rows_of(table.entities[rows]))
    shift = matrix[:, 4:] - own[:, 4:]
    scale = np.sqrt(np.abs(matrix[:, 0] * matrix[:, 3] - matrix[:, 1] * matrix[:, 2]))
    colors = np.stack([table.color[rows], table.color_end[rows]], axis=1)
    colors[:, :, 3] *= table.opacity[rows][:, None]
    ribbons = make_ribbons(
        places.place[at] + shift[:, None], places.now - places.time[at], places.broken[at], places.count[at],
        table.seconds[rows], np.stack([table.width[rows], table.width_end[rows]], axis=1) * scale[:, None] / 2,
        colors, 1 / np.maximum(scene.density(numbers), np.float32(1e-6)),
    )  # fmt: skip
    low, high = ribbons.bounds
    low, high = np.where(ribbons.sizes[:, None] > 0, low, 0), np.where(ribbons.sizes[:, None] > 0, high, 0)
    shown = scene.seen((low + high) / 2, (high - low) / 2, numbers) & (ribbons.sizes > 0)
    which = np.flatnonzero(shown)

    def make(some: Array | slice, state: int) -> Batch:
        return Batch("mesh", ribbons.arrays(which[some]), blend=BLENDS[state], source="render")

    trails = rows[which]
    blend = table.blend[trails].astype(np.int64)
    return [Drawables(numbers[which], table.z[trails], matrix[which, 5], blend, make)]
