"""Picking of billboards: where their pictures are, as they turn to a camera."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rish_frame import Hits
from rish_space3d import Transform3D, interpolate_poses_3d

from ..components.billboards import Billboard3D
from ..models.store import Models3D
from ..scene.drawlist import DrawList
from .cameras import eye_of_region
from .opacity import FAINT, map_opacities

if TYPE_CHECKING:
    from rish_core import World
    from rish_frame import Region

    from ..models.library import Library
    from .cameras import Eye

Array = npt.NDArray[Any]
BELOW = -(2**31)
"""The number of a layer below all layers of the game."""
_CORNERS = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])


def pick_billboards(world: World, region: Region) -> list[Hits]:
    """Return the billboards that a region touches; see the hook `rish_pickers`.

    A point passes where a picture has next to no opacity; a box takes what reaches into it.
    """
    interpolate_poses_3d(world, 0.0)
    eye, draw = eye_of_region(world, region), world[DrawList]
    draw.update(world)
    boards = draw.boards
    if eye is None or not len(boards.row):
        return []
    matrices = boards.placed(eye.axes, eye.point).astype(np.float64)
    touched, distances = (_at_point if region.is_point else _in_box)(eye, region.screen, matrices)
    if eye.layers is not None:
        touched &= (boards.bits & draw.layers.of(eye.layers)) != 0
    rows = np.flatnonzero(touched)
    if region.is_point:
        library = world[Models3D].library
        rows = rows[_opacities(library, draw, rows, *_local(eye, region.screen, matrices[rows])[:2]) >= FAINT]
    rows = rows[np.argsort(-distances[rows], kind="stable")]
    count, entities = len(rows), world.table(Transform3D).entities[boards.row[rows]]
    still, within = np.zeros(count), np.zeros(count, np.int64)
    return [Hits(Billboard3D, entities, np.full(count, BELOW), -distances[rows], still, within)]


pick_billboards.in_space = True  # pyright: ignore[reportFunctionMemberAccess]


def _local(eye: Eye, point: Array, matrices: Array) -> tuple[Array, Array, Array]:
    """Return where the ray of a point (1, 2) meets billboards: x and y, -0.5 to 0.5 inside, and the distance."""
    (origin,), (way,) = eye.rays(point)
    arm, back = matrices[:, :, 3] - origin, matrices[:, :, 2]
    with np.errstate(all="ignore"):
        distance = (arm * back).sum(axis=1) / (back @ way)
        met = way * distance[:, None] - arm
        x, y = ((met * matrices[:, :, k]).sum(axis=1) / (matrices[:, :, k] ** 2).sum(axis=1) for k in range(2))
    return x, y, distance


def _at_point(eye: Eye, point: Array, matrices: Array) -> tuple[Array, Array]:
    """Return which billboards the ray of a point meets, and at which distances."""
    x, y, distance = _local(eye, point, matrices)
    return (np.abs(x) <= 0.5) & (np.abs(y) <= 0.5) & (distance > 0), distance


def _in_box(eye: Eye, corners: Array, matrices: Array) -> tuple[Array, Array]:
    """Return the billboards whose rectangles on the screen reach into a box, and their distances."""
    ends = matrices[:, None, :, :2] * _CORNERS[:, None]
    places = ends.sum(axis=-1) + matrices[:, None, :, 3]
    weight = places @ eye.pixels[3, :3] + eye.pixels[3, 3]
    with np.errstate(all="ignore"):
        placed = (places @ eye.pixels[:2, :3].T + eye.pixels[:2, 3]) / weight[..., None]
    touched = (placed.min(axis=1) <= corners.max(axis=0)).all(axis=1)
    touched &= (placed.max(axis=1) >= corners.min(axis=0)).all(axis=1) & (weight > 0).all(axis=1)
    middle = np.where(touched[:, None], placed.mean(axis=1), 0.0)
    return touched, np.linalg.norm(matrices[:, :, 3] - eye.rays(middle)[0], axis=1)


def _opacities(library: Library, draw: DrawList, rows: Array, x: Array, y: Array) -> Array:
    """Return the opacities of points of billboards, x to the right and y up."""
    instances = draw.boards.instances[rows]
    materials = draw.items.materials[instances["material"]]
    uv = np.stack([x + 0.5, 0.5 - y], axis=1)
    return map_opacities(library, materials, uv) * instances["tint"][:, 3] / 255


def billboard_bounds(world: World, entities: Array) -> Array:
    """Return the boxes of billboards in the space of their entities, float64 (n, 2, 3); NaN for none."""
    table = world.table(Billboard3D)
    found = np.full((len(entities), 2, 3), np.nan)
    rows = table.rows_of(np.asarray(entities, np.int64))
    some = rows >= 0
    sizes, anchors = (table.column(name)[rows[some]].astype(np.float64) for name in ("size", "anchor"))
    found[some, :, 2] = 0.0
    found[some, 0, :2], found[some, 1, :2] = -sizes * anchors, sizes * (1 - anchors)
    return found
