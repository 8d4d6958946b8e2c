"""The shapes of a layout as objects: what other solvers and tools read, instead of the arrays for the kernels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rish_jit import Array

from ..components.bodies import ColliderShape3D
from ..geometry.hulls import Hull
from .layout import Layout
from .placing import place_shapes
from .poses import AWAY, poses_at
from .solids import KINDS

if TYPE_CHECKING:
    from rish_core import World


@dataclass(frozen=True, slots=True, eq=False)
class PlacedShape:
    """A shape of a body.

    entity: of the collider. body: its number in the layout. size: of a box its half extents, of a sphere its radius, of
    a capsule its radius and the half length of its core. hull: of boxes and hulls, relative to the position, else None.
    position, rotation: in the frame of the body, float64 (3,) and a quaternion.
    """

    entity: int
    body: int
    shape: ColliderShape3D
    size: tuple[float, float, float]
    hull: Hull | None
    position: npt.NDArray[np.float64]
    rotation: npt.NDArray[np.float64]
    friction: float
    restitution: float
    sensor: bool


def placed_shapes(layout: Layout) -> list[PlacedShape]:
    """Return the shapes of a layout, sorted by their entities."""
    names = dict(zip(KINDS, ColliderShape3D, strict=True))
    columns: Any = zip(
        layout.shape_entities.tolist(), layout.form.tolist(), layout.size.tolist(), layout.place.astype(np.float64),
        layout.friction.tolist(), layout.restitution.tolist(), layout.sensors.tolist(), strict=True,
    )  # fmt: skip
    shapes: list[PlacedShape] = []
    for entity, (kind, body, hull), size, place, friction, restitution, sensor in columns:
        shape = names[kind]
        solid = layout.pool[hull] if shape in (ColliderShape3D.BOX, ColliderShape3D.HULL) else None
        shapes.append(
            PlacedShape(
                entity, body, shape, tuple(size[:3]), solid, place[:3], place[4:], friction, restitution, sensor
            )
        )
    return shapes


def shape_poses(world: World, layout: Layout) -> tuple[Array, Array]:
    """Return the poses of the shapes in the world, float64 (n, 8): x, y, z, 0, quaternion, and those of the bodies as
    the kernels of the step have them, float32 flat.
    """
    position, rotation, _ = poses_at(world, layout.places[1:])
    pose, poses = np.empty(8 * len(layout.entities), np.float32), np.empty((len(layout.form), 8))
    flat = layout.frames.ravel(), layout.form.ravel(), layout.place.ravel()
    centers = np.empty(len(pose))
    place_shapes(position.ravel(), rotation.ravel(), flat, float(AWAY), centers, pose, poses.ravel())
    return poses, pose
