"""Picking of billboards: where their pictures are, as they turn to a camera."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rish_frame import Hits
from rish_jit import Array
from rish_space3d import Transform3D, interpolate_poses_3d

from ..components.billboards import Billboard3D
from ..models.store import Models3D
from ..scene.drawlist import DrawList
from .cameras import eye_of_region
from .opacity import FAINT, map_opacities

if TYPE_CHECKING:
    from rish_core import World
    from rish_frame import Region

    from ..models.model_library import Library
    from .cameras import Eye

BELOW = -(2**31)
"""The number of a layer below all layers of the game."""
_CORNERS = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])


def pick_billboards(world: World, region: Region) -> list[Hits]:
    """Return the billboards that a region touches; see the hook `rish_pickers`.

    A point does not hit where a picture is almost transparent; a box touches all billboards that reach into it.
    """
    interpolate_poses_3d(world, 0.0)
    eye, draw = eye_of_region(world, region), world[DrawList]
    draw.update(world)
    boards = draw.boards
    if eye is None or not len(boards.row):
        return []
    matrices = boards.placed(eye.axes, eye.point).astype(np.float64)
    if region.is_point:
        touched, distances = _at_point(world[Models3D].library, draw, eye.rays(region.screen), matrices)
    else:
        touched, distances = _in_box(eye, region.screen, matrices)
    if eye.layers is not None:
        touched &= (boards.bits & draw.layers.of(eye.layers)) != 0
    rows = np.flatnonzero(touched)
    rows = rows[np.argsort(-distances[rows], kind="stable")]
    count, entities = len(rows), world.table(Transform3D).entities[boards.row[rows]]
    zeros, within = np.zeros(count), np.zeros(count, np.int64)
    return [Hits(Billboard3D, entities, np.full(count, BELOW), -distances[rows], zeros, within)]


pick_billboards.in_space = True  # pyright: ignore[reportFunctionMemberAccess]


def _at_point(library: Library, draw: DrawList, ray: tuple[Array, Array], matrices: Array) -> tuple[Array, Array]:
    """Return which billboards a ray hits at a visible point, bool (n,), and the distances."""
    (origin,), (direction,) = ray
    arm, normals = matrices[:, :, 3] - origin, matrices[:, :, 2]
    with np.errstate(all="ignore"):
        distances = (arm * normals).sum(axis=1) / (normals @ direction)
        offsets = direction * distances[:, None] - arm
        x, y = ((offsets * matrices[:, :, k]).sum(axis=1) / (matrices[:, :, k] ** 2).sum(axis=1) for k in range(2))
    touched = (np.abs(x) <= 0.5) & (np.abs(y) <= 0.5) & (distances > 0)
    rows = np.flatnonzero(touched)
    instances, uv = draw.boards.instances[rows], np.stack([x[rows] + 0.5, 0.5 - y[rows]], axis=1)
    materials = draw.models.materials.table[instances["material"]]
    opacity = map_opacities(library, materials, uv) * instances["tint"][:, 3] / 255
    touched[rows] = opacity >= FAINT
    return touched, distances


def _in_box(eye: Eye, corners: Array, matrices: Array) -> tuple[Array, Array]:
    """Return the billboards whose rectangles on the screen reach into a box, and their distances."""
    ends = matrices[:, None, :, :2] * _CORNERS[:, None]
    corners_in_world = ends.sum(axis=-1) + matrices[:, None, :, 3]
    weight = corners_in_world @ eye.pixels[3, :3] + eye.pixels[3, 3]
    with np.errstate(all="ignore"):
        placed = (corners_in_world @ eye.pixels[:2, :3].T + eye.pixels[:2, 3]) / weight[..., None]
    touched = (placed.min(axis=1) <= corners.max(axis=0)).all(axis=1)
    touched &= (placed.max(axis=1) >= corners.min(axis=0)).all(axis=1) & (weight > 0).all(axis=1)
    middle = np.where(touched[:, None], placed.mean(axis=1), 0.0)
    return touched, np.linalg.norm(matrices[:, :, 3] - eye.rays(middle)[0], axis=1)


def billboard_bounds(world: World, entities: Array) -> Array:
    """Return the boxes of billboards in the space of their entities, float64 (n, 2, 3); NaN for none."""
    table = world.table(Billboard3D)
    bounds = np.full((len(entities), 2, 3), np.nan)
    rows = table.rows_of(np.asarray(entities, np.int64))
    has_billboard = rows >= 0
    sizes, anchors = (table.column(name)[rows[has_billboard]].astype(np.float64) for name in ("size", "anchor"))
    bounds[has_billboard, :, 2] = 0.0
    bounds[has_billboard, 0, :2], bounds[has_billboard, 1, :2] = -sizes * anchors, sizes * (1 - anchors)
    return bounds
