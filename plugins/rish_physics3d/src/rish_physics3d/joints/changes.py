"""What happens to joint components outside of the solver: what the first step writes, and joints that break."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_jit import Array
from rish_space3d import Transform3D, quaternions, world_poses

from ..components.events import JointBroke3D
from ..components.joints import READERS, DistanceJoint3D

if TYPE_CHECKING:
    from rish_core import World

    from .layout import JointLayout

_MAX_FLOAT32 = float(np.finfo(np.float32).max)


def has_joints(world: World) -> bool:
    """Return whether any entity has a joint."""
    return any(map(len, map(world.table, READERS)))


def remove_orphans(world: World) -> None:
    """Despawn joints of despawned bodies, and emit `JointBroke3D` for them."""
    for cls in READERS:
        table = world.table(cls)
        if not len(table):
            continue
        handles = np.column_stack([table.a, table.b])
        orphans = ((handles != 0) & ~world.alive(handles.ravel()).reshape(handles.shape)).any(axis=1)
        if orphans.any():
            none = np.zeros(int(orphans.sum()))
            _break(world, table.entities[orphans], handles[orphans], none, none)


def break_overloaded(world: World, entities: Array, limits: Array, load: Array) -> None:
    """Despawn joints whose load in the last step exceeded their limits, and emit `JointBroke3D`.

    limits: float64 (n, 2), N and N·m. load: float32 (n, 2), the squares of the greatest force and torque.
    """
    strength = np.sqrt(np.nan_to_num(load.astype(np.float64), nan=_MAX_FLOAT32, posinf=_MAX_FLOAT32))
    broken = np.flatnonzero((strength > limits).any(axis=1))
    if len(broken):
        pairs = np.zeros((len(broken), 2), np.int64)
        for cls in READERS:
            table = world.table(cls)
            rows = table.rows_of(entities[broken])
            here = rows >= 0
            pairs[here, 0], pairs[here, 1] = table.a[rows[here]], table.b[rows[here]]
        _break(world, entities[broken], pairs, strength[broken, 0], strength[broken, 1])


def _break(world: World, joints: Array, pairs: Array, force: Array, torque: Array) -> None:
    world.emit(
        JointBroke3D, joint=joints.copy(), a=pairs[:, 0].copy(), b=pairs[:, 1].copy(),
        force=np.minimum(force, _MAX_FLOAT32).astype(np.float32),
        torque=np.minimum(torque, _MAX_FLOAT32).astype(np.float32),
    )  # fmt: skip
    world.despawn(joints.copy())


def write_rests(world: World) -> None:
    """Write how the bodies of new joints stand: their rotation to each other, and the distance of the anchors."""
    poses: tuple[Array, Array, Array] | None = None
    for cls, reader in READERS.items():
        table = world.table(cls)
        if not len(table):
            continue
        waits = ~table.rotation_given if reader.turns else np.zeros(len(table), np.bool_)
        if cls is DistanceJoint3D:
            waits = table.length == 0
        rows = np.flatnonzero(waits)
        if not len(rows):
            continue
        poses = poses or world_poses(world)
        (place_a, turn_a), (place_b, turn_b) = (
            _poses_of(world, poses, table.column(side)[rows]) for side in ("a", "b")
        )
        if reader.turns:
            table.rotation[rows] = quaternions.product(quaternions.inverse(turn_a), turn_b)
            table.rotation_given[rows] = True
        else:
            ends = [
                place + quaternions.turned(turn, np.asarray(table.column(name)[rows], np.float64))
                for place, turn, name in ((place_a, turn_a, "anchor_a"), (place_b, turn_b, "anchor_b"))
            ]
            table.length[rows] = np.sqrt(((ends[1] - ends[0]) ** 2).sum(axis=1))
        table.mark(rows)


def _poses_of(world: World, poses: tuple[Array, ...], handles: Array) -> tuple[Array, Array]:
    """Return positions and rotations of entities; those of the world for 0 and for entities without a place."""
    rows: Any = world.table(Transform3D).rows_of(handles)
    position, rotation = np.zeros((len(handles), 3)), np.tile([0.0, 0, 0, 1], (len(handles), 1))
    here = rows >= 0
    position[here], rotation[here] = poses[0][rows[here]], poses[1][rows[here]]
    return position, rotation


def forget_impulses(table: Any, layout: JointLayout, bodies: Array) -> None:
    """Set the impulses of joints of these bodies to 0, and those that are not finite."""
    lost = np.isin(layout.form[:, 1:3], bodies).any(axis=1) | ~np.isfinite(table.impulses).all(axis=1)
    table.impulses[lost] = 0
