"""The shapes of a layout as objects: what other solvers and tools read, instead of the arrays for the kernels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rish_jit import Array, njit
from rish_space3d import poses_at, quaternion_product, quaternion_turned, quaternion_unit

from ..components.bodies import ColliderShape3D
from ..geometry.hulls import Hull
from .layout import Layout
from .solids import KINDS

if TYPE_CHECKING:
    from rish_core import World


AWAY = np.float32(1e9)
"""Coordinates beyond this one are not simulated, m. Bodies without a place are there."""


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


@njit(borrows=True)
def place_shapes(
    position: Array, rotation: Array, layout: Any, away: Any, centers: Array, pose: Array, poses: Array
) -> None:
    """Write the poses of shapes in the world, float64 (8 each: x, y, z, 0, quaternion).

    position, rotation: of the entities of all bodies but body 0. layout: frames of the bodies, forms and places of the
    shapes, flat. away: see `AWAY`. centers: working memory, float64, 8 a body: their poses. pose: float32, as the
    kernels of the step have them.
    """
    frames, form, place = layout
    for n in range(len(centers) // 8):
        o, p, q = 8 * n, 3 * (n - 1), 4 * (n - 1)
        for k in range(8):
            centers[o + k] = 0.0
        centers[o + 7] = 1.0
        if n > 0:
            x, y, z, w = rotation[q], rotation[q + 1], rotation[q + 2], rotation[q + 3]
            a, b, c = quaternion_turned(
                x, y, z, w, np.float64(frames[o]), np.float64(frames[o + 1]), np.float64(frames[o + 2])
            )
            centers[o], centers[o + 1], centers[o + 2] = position[p] + a, position[p + 1] + b, position[p + 2] + c
            for k in range(3):
                if not abs(centers[o + k]) <= away:  # also where it is not finite
                    centers[o + k] = away
            centers[o + 4], centers[o + 5], centers[o + 6], centers[o + 7] = quaternion_product(
                x, y, z, w, np.float64(frames[o + 4]), np.float64(frames[o + 5]), np.float64(frames[o + 6]),
                np.float64(frames[o + 7]),
            )  # fmt: skip
        for k in range(8):
            pose[o + k] = centers[o + k]
    for s in range(len(form) // 3):
        o, b = 8 * s, 8 * np.int64(form[3 * s + 1])
        x, y, z, w = centers[b + 4], centers[b + 5], centers[b + 6], centers[b + 7]
        u, v, t = quaternion_turned(
            x, y, z, w, np.float64(place[o]), np.float64(place[o + 1]), np.float64(place[o + 2])
        )
        poses[o], poses[o + 1], poses[o + 2], poses[o + 3] = centers[b] + u, centers[b + 1] + v, centers[b + 2] + t, 0.0
        x, y, z, w = quaternion_product(
            x, y, z, w, np.float64(place[o + 4]), np.float64(place[o + 5]), np.float64(place[o + 6]),
            np.float64(place[o + 7]),
        )  # fmt: skip
        poses[o + 4], poses[o + 5], poses[o + 6], poses[o + 7] = quaternion_unit(x, y, z, w)
