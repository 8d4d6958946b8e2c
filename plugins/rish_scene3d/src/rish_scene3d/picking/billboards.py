"""Picking of billboards: where on the screen their pictures are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rish_frame import Hits
from rish_space3d import Transform3D, WorldMatrices3D, interpolate_poses_3d

from ..components.billboards import Billboard3D
from .cameras import eye_of_region

if TYPE_CHECKING:
    from rish_core import World
    from rish_frame import Region

    from .cameras import Eye

Array = npt.NDArray[Any]
BELOW = -(2**31)
"""The number of a layer below all layers of the game."""


def pick_billboards(world: World, region: Region) -> list[Hits]:
    """Return the billboards whose rectangles a region touches; see the hook `rish_pickers`.

    Layers are not regarded, transparent parts of pictures count, and upright ones count as if they faced the camera.
    """
    query = world.query(Billboard3D, Transform3D)
    if not len(query):
        return []
    interpolate_poses_3d(world, 0.0)
    eye = eye_of_region(world, region)
    if eye is None:
        return []
    table, matrices = world.table(Billboard3D), world[WorldMatrices3D].matrix
    rows, places = query.rows(Billboard3D), query.rows(Transform3D)
    shown = table.column("visible")[rows] & (places < len(matrices))
    rows, matrix, entities = rows[shown], matrices[places[shown]].astype(np.float64), query.entities[shown]
    size = table.column("size")[rows] * np.linalg.norm(matrix[:, :, :2], axis=1)
    low, high, depth = rectangles(eye, matrix[:, :, 3], size, table.column("anchor")[rows])
    (x0, y0), (x1, y1) = region.screen.min(axis=0), region.screen.max(axis=0)
    with np.errstate(invalid="ignore"):
        touched = (low <= (x1, y1)).all(axis=1) & (high >= (x0, y0)).all(axis=1) & (depth > 0)
    order = np.argsort(-depth[touched], kind="stable")
    count = int(touched.sum())
    still, within = np.zeros(count), np.zeros(count, np.int64)
    found = entities[touched][order]
    return [Hits(Billboard3D, found, np.full(count, BELOW), -depth[touched][order], still, within)]


pick_billboards.in_space = True  # pyright: ignore[reportFunctionMemberAccess]


def rectangles(eye: Eye, places: Array, sizes: Array, anchors: Array) -> tuple[Array, Array, Array]:
    """Return the lowest and highest corners of billboards on the screen, logical pixels (n, 2) each, and their
    distances in metres, (n,); 0 for those behind the camera.

    places: (n, 3). sizes, anchors: (n, 2), metres, and shares from the bottom left.
    """
    linear, row = eye.pixels[:, :3], eye.pixels[3]
    weight = places @ row[:3] + row[3]
    with np.errstate(all="ignore"):
        at = (places @ linear[:2].T + eye.pixels[:2, 3]) / weight[:, None]
        ahead = row[:3] / max(float(np.linalg.norm(row[:3])), 1e-12)
        scales = []
        for k in range(2):
            side = linear[k] - ahead * float(ahead @ linear[k])
            slope = (linear[k] - at[:, k, None] * row[:3]) / weight[:, None]
            scales.append(slope @ (side / np.linalg.norm(side)))
    extent = sizes * np.stack(scales, axis=1)
    low = at - extent * anchors
    origins, _ = eye.rays(np.where(np.isfinite(at), at, 0.0))
    depth = np.where(weight > 0, np.linalg.norm(places - origins, axis=1), 0.0)
    return low, low + extent, depth


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
