"""Sketches of colliders and joints in the world, for tools that draw and edit them.

Sketches are computed from the columns, so they are available between two ticks, before the first step, and for shapes
that the solver refuses. Nothing here is state.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rish_core import Transform, UsageError, World
from rish_ecs.declarations import current
from rish_ecs.storage import as_handles
from rish_jit import Array, maths

from ..components.bodies import Collider, ColliderShape
from ..components.joints import READERS, Reader
from .collider_pieces import cores_of
from .frames import poses_in, world_frames

_MAX_ARC_STEP = maths.TAU / 48
"""The greatest angle between two points of an arc."""
_KINDS = list(ColliderShape)


def collider_outlines(world: World, entities: Any) -> list[Array]:
    """Return the outlines of the colliders of entities, one array float32 (n, 2) for each entity, in world units.

    entities: one handle or an array. An outline is a line through its points; a closed one ends at its first point and
    runs counter-clockwise. Arcs have a point at least every 7.5 degrees. The outline of an open chain is the chain
    itself. The outline of an entity without a `Collider` or `Transform` has no points.
    """
    handles = as_handles(np.atleast_1d(np.asarray(entities)))
    table, places = world.table(Collider), world.table(Transform)
    rows, places_rows = table.rows_of(handles), places.rows_of(handles)
    has_pose = (rows >= 0) & (places_rows >= 0)
    outlines = [np.zeros((0, 2), np.float32)] * len(handles)
    cores = cores_of(table, rows[has_pose], world_frames(world, places_rows[has_pose]))
    for k, (points, radius) in zip(np.flatnonzero(has_pose).tolist(), cores, strict=True):
        outlines[k] = _outline(table, int(rows[k]), points, radius).astype(np.float32)
    return outlines


@dataclass(frozen=True)
class JointSketch:
    """A joint in the world, in world units.

    joint: its entity. cls: its component. a, b: the bodies, 0 for the world. anchors: float64 (2, 2), the points in a
    and b. fields: the names of the fields that hold the anchors; "" if the anchor can't be moved. direction: float64
    (2,), of length 1: the axis of joints that have one; for joints with an angle, the direction of angle 0; otherwise
    from anchor to anchor. lower, upper: the limits as positions along the direction, as angles from it (radians), or
    for a `DistanceJoint` as distances; None without limits.
    """

    joint: int
    cls: type
    a: int
    b: int
    anchors: Array
    fields: tuple[str, str]
    direction: Array
    lower: float | None = None
    upper: float | None = None


def joint_sketches(world: World, entities: Any = None) -> list[JointSketch]:
    """Return the joints of these entities (one handle or an array; None: all), kind by kind.

    Joints that refer to despawned entities are left out.
    """
    sketches: list[JointSketch] = []
    for cls, reader in READERS.items():
        table = world.table(cls)
        rows = np.arange(len(table))
        if entities is not None:
            rows = table.rows_of(as_handles(np.atleast_1d(np.asarray(entities))))
        rows = rows[rows >= 0]
        pairs = np.column_stack([table.a[rows], table.b[rows]])
        is_alive = ((pairs == 0) | world.alive(pairs.ravel()).reshape(pairs.shape)).all(axis=1)
        poses = _poses(world, pairs.ravel()).reshape(-1, 2, 3)
        sketches += [_sketch(reader, table, int(rows[k]), poses[k]) for k in np.flatnonzero(is_alive).tolist()]
    return sketches


def move_anchor(world: World, joint: int, cls: type, side: int, point: Any) -> None:
    """Move an anchor of a joint to a point of the world, in world units: the one in a (side 0) or in b (side 1).

    Writes the field that `JointSketch.fields` names. Raises UsageError if this side has none, or if the point is not a
    pair of numbers, and UnknownName if the entity has no such joint.
    """
    reader = READERS.get(current(cls))
    if reader is None:
        raise UsageError(f"{cls.__name__} is no joint", choices=[each.__name__ for each in READERS])
    name = reader.anchors[side]
    if not name:
        raise UsageError(f"{cls.__name__} has no anchor in {'ab'[side]}", hint="Move the body instead")
    place = np.asarray(point, np.float64)
    if place.shape != (2,) or not np.isfinite(place).all():
        raise UsageError(f"point: expected a pair of numbers, got {point!r:.60}")
    table, row = world.locate(joint, cls)
    [(x, y, angle)] = _poses(world, table.column("ab"[side])[row : row + 1]).tolist()
    sin, cos = maths.sincos(angle)
    dx, dy = place[0] - x, place[1] - y
    world.set(joint, cls(**{name: (cos * dx + sin * dy, cos * dy - sin * dx)}))


def _outline(table: Any, row: int, points: Array, radius: float) -> Array:
    kind = _KINDS[int(table.shape[row])]
    if len(points) < 2 and not radius:
        return points
    if kind is ColliderShape.CHAIN:
        return np.append(points, points[:1], axis=0) if table.closed[row] else points
    if len(points) > 2 and _doubled_area(points) < 0:
        points = points[::-1]
    outline = points if radius <= 0 else _rounded(points, radius)
    return np.append(outline, outline[:1], axis=0)


def _doubled_area(points: Array) -> float:
    after = np.roll(points, -1, axis=0)
    return float((points[:, 0] * after[:, 1] - points[:, 1] * after[:, 0]).sum())


def _rounded(points: Array, radius: float) -> Array:
    """Return the outline of a counter-clockwise polygon (n, 2), grown by a radius: arcs at its convex corners.

    At a corner to the inside, the two sides that were moved out meet in one point.
    """
    if len(points) == 1:
        return points + radius * _CIRCLE
    points = points[(points != np.roll(points, 1, axis=0)).any(axis=1)]
    sides = np.roll(points, -1, axis=0) - points
    sides /= maths.sqrt((sides**2).sum(axis=1, keepdims=True))
    normals = np.column_stack([sides[:, 1], -sides[:, 0]])
    parts: list[Array] = []
    for point, before, after in zip(points, np.roll(normals, 1, axis=0), normals, strict=True):
        cross, dot = before[0] * after[1] - before[1] * after[0], float(before @ after)
        turn = float(maths.atan2(cross, dot))
        if turn < 0 and dot > -0.999:
            parts.append(point + (before + after)[None] * (radius / (1 + dot)))
        else:
            parts.append(point + radius * _arc(float(maths.atan2(before[1], before[0])), abs(turn)))
    return np.concatenate(parts)


def _arc(begin: float, turn: float) -> Array:
    """Return unit vectors from the angle `begin`, through `turn` (both radians), counter-clockwise, float64 (n, 2)."""
    angles = begin + np.linspace(0.0, turn, 1 + max(1, int(np.ceil(turn / _MAX_ARC_STEP - 1e-9))))
    sin, cos = maths.sincos(angles)
    return np.column_stack([cos, sin])


_CIRCLE = _arc(0.0, maths.TAU)[:-1]


def _poses(world: World, bodies: Array) -> Array:
    """Return x, y and angle of bodies, float64 (n, 3); zeros for the world and for entities without a `Transform`."""
    rows = world.table(Transform).rows_of(bodies)
    poses = np.zeros((len(rows), 3))
    poses[rows >= 0] = poses_in(world_frames(world, rows[rows >= 0]))[:, :3]
    return poses


def _sketch(reader: Reader, table: Any, row: int, poses: Array) -> JointSketch:
    """Return the sketch of a row. poses: positions and angles of a and b, (2, 3)."""
    bodies = (int(table.a[row]), int(table.b[row]))
    anchors = np.zeros((2, 2))
    for k, name in enumerate(reader.anchors):
        local = table.column(name)[row].astype(np.float64) if name else np.zeros(2)
        anchors[k] = poses[k][:2] + _turned(local, poses[k][2])
    if not any(reader.anchors):  # the world has no place for a wheel
        anchors = np.where(np.array(bodies)[:, None] != 0, anchors, anchors[::-1])
    direction = anchors[1] - anchors[0]
    if reader.axis:
        direction = _turned(table.column(reader.axis)[row].astype(np.float64), poses[0][2])
    elif reader.turn:
        direction = _turned(np.array([1.0, 0.0]), float(poses[0][2]) + float(table.column(reader.turn)[row]))
    length = maths.sqrt(float(direction @ direction))
    direction = direction / length if length > 0 else np.array([1.0, 0.0])
    limited = "limited" in table.schema.fields and bool(table.limited[row])
    limits = (float(table.lower[row]), float(table.upper[row])) if limited else (None, None)
    return JointSketch(
        int(table.entities[row]), table.schema.cls, *bodies, anchors, reader.anchors, direction,
        *limits,
    )  # fmt: skip


def _turned(vector: Array, angle: Any) -> Array:
    sin, cos = maths.sincos(float(angle))
    return np.array([cos * vector[0] - sin * vector[1], sin * vector[0] + cos * vector[1]])
