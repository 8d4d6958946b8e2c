"""The suns and lamps of the world as rows of the tables of `layout`, without their shadow maps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rish_jit import Array
from rish_space3d import Transform3D, WorldMatrices3D, world_matrices_3d

from .. import layout as at
from ..components.lights import Lamp3D, Sun3D
from ..models.materials import decoded
from .shadows import SunPlan

if TYPE_CHECKING:
    from rish_core import World

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Suns:
    """rows: float32 (s, SUN). plans: the settings of each sun's shadows."""

    rows: Floats
    plans: tuple[SunPlan, ...]

    def same(self, other: Suns) -> bool:
        """Return True if both have the same values."""
        return self.plans == other.plans and np.array_equal(self.rows, other.rows)


@dataclass(frozen=True, eq=False)
class Lamps:
    """rows: float32 (l, LAMP), by entity. entities: int64 (l,). sides: int64 (l,), pixels of a shadow map, 0: none."""

    rows: Floats
    entities: npt.NDArray[np.int64]
    sides: npt.NDArray[np.int64]

    def same(self, other: Lamps) -> bool:
        """Return True if both have the same values."""
        return all(np.array_equal(getattr(self, name), getattr(other, name)) for name in ("rows", "entities", "sides"))


def collect_suns(world: World) -> Suns:
    """Return the first MAX_SUNS suns that shine, by entity."""
    rows, _, matrices = _shining(world, Sun3D)
    rows, matrices = rows[: at.MAX_SUNS], matrices[: at.MAX_SUNS]
    table, suns = world.table(Sun3D), np.zeros((len(rows), at.SUN), np.float32)
    suns[:, at.SUN_AXIS : at.SUN_AXIS + 3] = _forward(matrices)
    suns[:, at.SUN_COLOR : at.SUN_COLOR + 3] = _light(table, rows)
    suns[:, at.SUN_MAP], suns[:, at.SUN_BIAS] = -1, table.column("bias")[rows]
    columns = [table.column(name)[rows].tolist() for name in ("shadows", "cascades", "reach", "split", "map_size")]
    return Suns(suns, tuple(SunPlan(*values) for values in zip(*columns, strict=True)))


def collect_lamps(world: World) -> Lamps:
    """Return all lamps that shine, by entity."""
    rows, entities, matrices = _shining(world, Lamp3D)
    table, lamps = world.table(Lamp3D), np.zeros((len(rows), at.LAMP), np.float32)
    lamps[:, at.LAMP_PLACE : at.LAMP_PLACE + 3] = matrices[:, :, 3]
    lamps[:, at.LAMP_RANGE] = table.column("range")[rows]
    lamps[:, at.LAMP_COLOR : at.LAMP_COLOR + 3] = _light(table, rows)
    lamps[:, at.LAMP_AXIS : at.LAMP_AXIS + 3] = _forward(matrices)
    half, edge = table.column("angle")[rows] / 2, table.column("edge")[rows]
    outer, inner = np.cos(half), np.cos(half * (1 - edge))
    lamps[:, at.LAMP_ANGLE] = np.where(half > 0, outer, -1)
    # The inner angle stays a little smaller, so that nothing is divided by 0 where the edge is sharp.
    lamps[:, at.LAMP_INNER] = np.where(half > 0, np.maximum(inner, outer + 1e-4), 1)
    lamps[:, at.LAMP_MAP], lamps[:, at.LAMP_BIAS] = -1, table.column("bias")[rows]
    sides = np.where(table.column("shadows")[rows], table.column("map_size")[rows], 0)
    return Lamps(lamps, entities, sides.astype(np.int64))


def _shining(world: World, kind: type) -> tuple[Array, Array, Array]:
    """Return the rows of the component, the entities and the world matrices (n, 3, 4) of all that shine, by entity."""
    query, table = world.query(kind, Transform3D), world.table(kind)
    rows, poses, entities = query.rows(kind), query.rows(Transform3D), query.entities.astype(np.int64)
    shining = table.column("enabled")[rows] & (table.column("intensity")[rows] > 0)
    indices = np.flatnonzero(shining)
    indices = indices[np.argsort(entities[indices], kind="stable")]
    matrices_drawn = world[WorldMatrices3D]  # it has no rows of a scene that is only warmed up
    matrices = (matrices_drawn.matrix if matrices_drawn.knows(poses) else world_matrices_3d(world))[poses[indices]]
    fine = np.isfinite(matrices).all(axis=(1, 2))
    return rows[indices[fine]], entities[indices[fine]], matrices[fine].astype(np.float64)


def _forward(matrices: Array) -> Array:
    """Return the unit vectors (n, 3) along -z of matrices (n, 3, 4); down for a matrix that has no z axis."""
    ahead = -matrices[:, :, 2]
    length = np.sqrt((ahead**2).sum(axis=1, keepdims=True))
    return np.where(length > 1e-12, ahead / np.maximum(length, 1e-12), [0.0, -1.0, 0.0])


def _light(table: Any, rows: Array) -> Array:
    """Return linear colors (n, 3) times opacity and intensity."""
    color, intensity = table.column("color")[rows], table.column("intensity")[rows]
    return decoded(color[:, :3]) * (color[:, 3] * intensity)[:, None]
