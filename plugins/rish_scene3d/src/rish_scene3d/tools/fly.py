"""The system that flies cameras."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_core import Input, Stage, World, system
from rish_frame import DeviceRequests
from rish_jit import maths
from rish_space3d import Transform3D, quaternions

from ..components.fly import FlyCamera3D

STEEPEST = 1.55
"""The greatest angle up or down, radians; straight up a camera would have no left and right."""
_Z = np.array([0.0, 0.0, -1.0])


def any_fly_camera(world: World) -> bool:
    """Return whether any entity has a FlyCamera3D."""
    return len(world.table(FlyCamera3D)) > 0


@system(
    Stage.UPDATE, reads=Input, writes=(Transform3D, FlyCamera3D, DeviceRequests), run_if=any_fly_camera, marks=True
)  # fmt: skip
def fly(world: World, dt: float) -> None:
    """Move and turn the entities with an enabled `FlyCamera3D`; rows that stay as they are count as not written."""
    table, poses, keys = world.table(FlyCamera3D), world.table(Transform3D), world[Input]
    is_holding, before = False, bool(table.holding.any())
    for row, handle in enumerate(table.entities.tolist()):
        pose = poses.row_of(handle)
        if pose < 0 or not table.enabled[row]:
            if table.holding[row]:
                table.holding[row] = False
                table.mark(row)
            continue
        hold = str(table.read_row("hold", row))
        holding = not hold or keys.down(hold)
        is_holding |= holding
        if holding != bool(table.holding[row]):
            table.holding[row] = holding
            table.mark(row)
        turned = turn_of(poses.rotation[pose], keys, float(table.turn[row])) if holding else None
        direction = _way(keys, list(table.read_row("keys", row)))
        if turned is not None:
            poses.rotation[pose] = turned.astype(np.float32)
        if direction.any():
            fast = _down(keys, list(table.read_row("keys", row)), 6)
            pace = float(table.speed[row]) * (float(table.boost[row]) if fast else 1.0) * dt
            poses.position[pose] += (quaternions.turned(poses.rotation[pose], direction) * pace).astype(np.float32)
        if turned is not None or direction.any():
            poses.mark(pose)
    if is_holding != before:
        world[DeviceRequests].lock(is_holding)


def turn_of(rotation: Any, keys: Input, radians: float) -> Any:
    """Return the rotation (4,) after the motion of the mouse, upright; None if the mouse did not move.

    share: radians for each pixel.
    """
    if not (keys.moved_x or keys.moved_y):
        return None
    x, y, z = quaternions.turned(quaternions.normalized(rotation), _Z).tolist()
    yaw = float(maths.atan2(-x, -z)) - keys.moved_x * radians
    pitch = float(maths.atan2(y, float(np.sqrt(x * x + z * z)))) + keys.moved_y * radians
    pitch = min(max(pitch, -STEEPEST), STEEPEST)
    return quaternions.product(quaternions.from_axis((0, 1, 0), yaw), quaternions.from_axis((1, 0, 0), pitch))


def _down(keys: Input, names: list[str], k: int) -> bool:
    return k < len(names) and bool(names[k]) and keys.down(names[k])


def _way(keys: Input, names: list[str]) -> Any:
    """Return the direction of flight in the view of the camera, of length 1, or 0."""
    forward, backward, left, right, up, down = (float(_down(keys, names, k)) for k in range(6))
    return quaternions.normalized([right - left, up - down, backward - forward])
