"""Sketches of joints in the world, for tools that draw and edit them.

Sketches are computed from the columns, so they are available between two ticks, before the first step, and for joints
that the solver refuses. Nothing here is state.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import UsageError
from rish_ecs.declarations import current
from rish_ecs.storage import as_handles
from rish_jit import Array, maths
from rish_space3d import Transform3D, quaternions, unit_quaternions, world_poses

from ..components.joints import READERS, Reader
from .layout import frame_along

if TYPE_CHECKING:
    from rish_core import World

_NONE = (0.0, 0.0, 0.0, 1.0)


@dataclass(frozen=True, eq=False)
class JointSketch3D:
    """A joint in the world, meters and radians.

    joint: its entity. cls: its component. a, b: the bodies, 0 for the world. anchors: float64 (2, 3), the points in a
    and b. centers: float64 (2, 3), the positions of a and b. fields: the names of the fields that hold the anchors.
    axes: float64 (2, 3, 3), the frame of the joint on a and on b, one axis a row: the first is the main axis, the third
    of a wheel its axle. position: of b now: along the main axis, about it, or for a `DistanceJoint3D` the distance.
    lower, upper: its limits; None without limits. cone: the greatest angle between both main axes of a ball joint; None
    without one.
    """

    joint: int
    cls: type
    a: int
    b: int
    anchors: Array
    centers: Array
    fields: tuple[str, str]
    axes: Array
    position: float
    lower: float | None = None
    upper: float | None = None
    cone: float | None = None


def joint_sketches_3d(world: World, entities: Any = None) -> list[JointSketch3D]:
    """Return the joints of these entities (one handle or an array; None: all), kind by kind.

    Joints that refer to despawned entities are left out.
    """
    poses = world_poses(world)[:2]
    sketches: list[JointSketch3D] = []
    for cls, reader in READERS.items():
        table = world.table(cls)
        rows = np.arange(len(table))
        if entities is not None:
            rows = table.rows_of(as_handles(np.atleast_1d(np.asarray(entities))))
        rows = rows[rows >= 0]
        pairs = np.column_stack([table.a[rows], table.b[rows]])
        is_alive = ((pairs == 0) | world.alive(pairs.ravel()).reshape(pairs.shape)).all(axis=1)
        sketches += [_sketch(world, reader, table, int(row), poses) for row in rows[is_alive]]
    return sketches


def move_anchor_3d(world: World, joint: int, cls: type, side: int, point: Any) -> None:
    """Move an anchor of a joint to a point of the world, meters: the one in a (side 0) or in b (side 1).

    Writes the field that `JointSketch3D.fields` names. Raises UsageError if the point is not three numbers, and
    UnknownName if the entity has no such joint.
    """
    reader = READERS.get(current(cls))
    if reader is None:
        raise UsageError(f"{cls.__name__} is no joint", choices=[each.__name__ for each in READERS])
    place = np.asarray(point, np.float64)
    if place.shape != (3,) or not np.isfinite(place).all():
        raise UsageError(f"point: expected three numbers, got {point!r:.60}")
    table, row = world.locate(joint, cls)
    position, rotation = _pose(world, int(table.column("ab"[side])[row]), world_poses(world)[:2])
    local = quaternions.turned(quaternions.inverse(rotation), place - position)
    world.set(joint, cls(**{reader.anchors[side]: tuple(local.tolist())}))


def _pose(world: World, body: int, poses: tuple[Array, Array]) -> tuple[Array, Array]:
    """Return the position and rotation of a body; those of the world for 0 and for one without a Transform3D."""
    row = world.table(Transform3D).row_of(body) if body else -1
    return (poses[0][row], poses[1][row]) if row >= 0 else (np.zeros(3), np.array(_NONE))


def _sketch(world: World, reader: Reader, table: Any, row: int, poses: tuple[Array, Array]) -> JointSketch3D:
    """Return the sketch of a row. poses: positions and rotations of all rows of Transform3D."""
    bodies = int(table.a[row]), int(table.b[row])
    places = [_pose(world, body, poses) for body in bodies]
    anchors = np.stack(
        [
            position + quaternions.turned(rotation, table.column(name)[row].astype(np.float64))
            for name, (position, rotation) in zip(reader.anchors, places, strict=True)
        ]
    )
    first = quaternions.product(places[0][1], _frame(reader, table, row))
    second = first
    if reader.turns and table.rotation_given[row]:
        rest = unit_quaternions(table.rotation[row][None])[0]
        local = quaternions.product(quaternions.inverse(rest), _frame(reader, table, row))
        second = quaternions.product(places[1][1], local)
    axes = np.stack([quaternions.to_matrix(frame).T for frame in (first, second)])
    way = anchors[1] - anchors[0]
    position = float(way @ axes[0, 0])
    if not reader.axis:
        position = maths.sqrt(float(way @ way))
    elif reader.angular:
        position = float(maths.atan2(axes[1, 1] @ axes[0, 2], axes[1, 1] @ axes[0, 1]))
    fields = table.schema.fields
    limited = "limited" in fields and bool(table.limited[row])
    limits = (float(table.lower[row]), float(table.upper[row])) if limited else (None, None)
    cone = float(table.cone[row]) if "cone" in fields and table.cone_limited[row] else None
    entity = int(table.entities[row])
    centers = np.stack([place for place, _ in places])
    return JointSketch3D(
        entity, table.schema.cls, *bodies, anchors, centers, reader.anchors, axes, position, *limits, cone
    )  # fmt: skip


def _frame(reader: Reader, table: Any, row: int) -> Array:
    """Return the frame of a joint in that of a, as a quaternion; that of a if its axes have no direction."""
    if not reader.axis:
        return np.array(_NONE)
    main = table.column(reader.axis)[row].astype(np.float64)
    side = table.column(reader.axle)[row].astype(np.float64) if reader.axle else None
    crossed = 1.0 if side is None else float((np.cross(main, side) ** 2).sum())
    if not np.isfinite(main).all() or not main.any() or not crossed > 0:
        return np.array(_NONE)
    return frame_along(main[None], None if side is None else side[None])[0]
