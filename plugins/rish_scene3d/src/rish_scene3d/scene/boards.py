"""Billboards: pictures that turn to each camera, drawn among the blended instances."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_jit import Array
from rish_space3d import Transform3D, WorldMatrices3D, frustum_planes

from .. import layout as at
from ..components.billboards import Billboard3D, Turning
from ..models.materials import plain_row
from ..models.store import Models3D
from .listing.layers import LayerBits
from .listing.packing import inside
from .views import View3D

if TYPE_CHECKING:
    from rish_core import World


@dataclass(eq=False)
class Boards:
    """n billboards. row: int32, of Transform3D. size, anchor: (n, 2). upright: bool. bits: int32.

    instances: `layout.INSTANCE`, whose matrices are written for each camera. mesh: of a square. materials: rows of the
    table of materials. matrices: (n, 3, 4), in the world.
    """

    row: Array = field(default_factory=lambda: np.zeros(0, np.int32))
    size: Array = field(default_factory=lambda: np.zeros((0, 2), np.float32))
    anchor: Array = field(default_factory=lambda: np.zeros((0, 2), np.float32))
    upright: Array = field(default_factory=lambda: np.zeros(0, np.bool_))
    bits: Array = field(default_factory=lambda: np.zeros(0, np.int32))
    instances: Array = field(default_factory=lambda: np.zeros(0, at.INSTANCE))
    materials: Array = field(default_factory=lambda: np.zeros((0, at.MATERIAL), np.float32))
    mesh: int = 0
    matrices: Array = field(default_factory=lambda: np.zeros((0, 3, 4), np.float32))

    def seen(self, view: View3D) -> Array:
        """Return the instances that a camera sees, turned to it."""
        if not len(self.row):
            return self.instances
        matrix = self.placed(view.view[:3, :3], None if view.orthographic else view.eye)
        radius = np.sqrt((matrix[:, :, :2] ** 2).sum((1, 2)))[:, None] / 2
        spheres = np.concatenate([matrix[:, :, 3], radius], axis=1).astype(np.float32)
        planes = frustum_planes(view.projection @ view.view)
        indices = np.flatnonzero(inside(spheres, self.bits, planes, view.bits))
        instances = self.instances[indices]
        instances["matrix"] = matrix[indices]
        return instances

    def placed(self, axes: Array, eye: Array | None) -> Array:
        """Return the matrices of all billboards as they turn to a camera, float32 (n, 3, 4), of a square of side 1.

        axes: right, up and back of the camera, (3, 3). eye: its place; None if it has no perspective.
        """
        scale = np.sqrt((self.matrices[:, :, :3] ** 2).sum(1))[:, :2] * self.size
        right, up, back = self._axes(axes, eye)
        matrix = np.empty((len(self.row), 3, 4), np.float32)
        matrix[:, :, 0], matrix[:, :, 1], matrix[:, :, 2] = right * scale[:, :1], up * scale[:, 1:], back
        shift = np.float32(0.5) - self.anchor
        matrix[:, :, 3] = self.matrices[:, :, 3] + matrix[:, :, 0] * shift[:, :1] + matrix[:, :, 1] * shift[:, 1:]
        return matrix

    def _axes(self, camera: Array, eye: Array | None) -> tuple[Array, Array, Array]:
        """Return right, up and back of each billboard, (n, 3) each; upright ones turn only around y."""
        axes = np.broadcast_to(camera, (len(self.row), 3, 3)).astype(np.float32)
        if not self.upright.any():
            return axes[:, 0], axes[:, 1], axes[:, 2]
        to_eye = np.broadcast_to(camera[2], (len(self.row), 3)) if eye is None else eye - self.matrices[:, :, 3]
        flat = np.stack([to_eye[:, 0], 0 * to_eye[:, 1], to_eye[:, 2]], axis=-1)
        length = np.sqrt((flat**2).sum(1, keepdims=True))
        back = np.where(length > 1e-6, flat / np.maximum(length, 1e-6), [0.0, 0, 1])
        right = np.stack([back[:, 2], 0 * back[:, 1], -back[:, 0]], axis=-1)
        turned = np.stack([right, np.broadcast_to([0.0, 1, 0], right.shape), back], axis=1)
        axes = np.where(self.upright[:, None, None], turned, axes).astype(np.float32)
        return axes[:, 0], axes[:, 1], axes[:, 2]


def make_boards(world: World, store: Models3D, layers: LayerBits, first: int) -> Boards:
    """Return all visible billboards with a Transform3D. first: number of their first row among all materials."""
    table = world.table(Billboard3D)
    if not len(table):
        return Boards()
    query = world.query(Billboard3D, Transform3D)
    rows, poses = query.rows(Billboard3D), query.rows(Transform3D)
    is_shown = table.column("visible")[rows] & (poses < len(world[WorldMatrices3D].matrix))
    rows, poses = rows[is_shown], poses[is_shown]
    looks = np.stack([table.column("image")[rows], table.column("strength")[rows].view(np.int32)], axis=-1)
    distinct, look_numbers = np.unique(looks, axis=0, return_inverse=True)
    materials = [_row(world, store, int(image), strength) for image, strength in distinct]
    instances = np.zeros(len(rows), at.INSTANCE)
    instances["material"] = look_numbers.reshape(-1) + first
    instances["tint"] = np.rint(np.clip(table.column("color")[rows], 0, 1) * 255)
    instances["palette"] = instances["morph"] = -1
    upright = table.column("turning")[rows] == [*Turning].index(Turning.UPRIGHT)
    return Boards(
        poses.astype(np.int32), table.column("size")[rows], table.column("anchor")[rows], upright,
        layers.of_models(table, rows), instances, np.array(materials, np.float32).reshape(-1, at.MATERIAL),
        store.square(), world[WorldMatrices3D].matrix[poses],
    )  # fmt: skip


def _row(world: World, store: Models3D, image: int, strength: Any) -> Array:
    row = plain_row()
    row[at.BASE : at.BASE + 3] = strength.view(np.float32)
    row[at.MODEL], row[at.ALPHA_MODE] = at.UNLIT, at.BLEND
    row[at.MAPS + at.MAP_PAGE] = store.picture(world, world.text(image), encoded=True)
    row[at.MAPS + at.MAP_UV_WRAP] = at.WRAP_CLAMP + 16 * at.WRAP_CLAMP
    return row
