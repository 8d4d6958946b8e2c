"""The visible areas of the cameras, computed from the passes of the frame."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from rish_frame import Frame
from rish_jit import Array

if TYPE_CHECKING:
    from rish_core import World
    from rish_frame import Pass

_CORNERS = np.array([[-1, -1, 0, 1], [1, -1, 0, 1], [-1, 1, 0, 1], [1, 1, 0, 1]], np.float64).T


def box_of(pass_: Pass) -> Array | None:
    """Return the part of the plane in a pass's view, float64 x0, y0, x1, y1; None if its camera has none."""
    return _visible_box(pass_.camera.tobytes())


@lru_cache(16)
def _visible_box(camera: bytes) -> Array | None:
    """Return the part of the plane that a camera shows, given by the float32 (4, 4) of its matrix."""
    matrix = np.frombuffer(camera, np.float32).reshape(4, 4)
    try:
        corners = np.linalg.inv(matrix.astype(np.float64)) @ _CORNERS
    except np.linalg.LinAlgError:
        return None
    if not np.isfinite(corners).all() or (corners[3] == 0).any():
        return None
    places = corners[:2] / corners[3]
    box = np.concatenate([places.min(axis=1), places.max(axis=1)])
    box.flags.writeable = False
    return box


def boxes(world: World) -> Array:
    """Return the visible boxes of the passes that draw the world, float64 (k, 4)."""
    if Frame not in world:
        return np.zeros((0, 4))
    view_boxes = [box_of(pass_) for pass_ in world[Frame].passes.values()]
    return np.array([box for box in view_boxes if box is not None]).reshape(-1, 4)


def distance_to_cameras(world: World, places: Array) -> Array:
    """Return the distance of places (k, 2) to the nearest visible box, float64 k; infinity without cameras."""
    view_boxes = boxes(world)
    if not len(view_boxes):
        return np.full(len(places), np.inf)
    nearest = np.clip(places[:, None, :], view_boxes[None, :, :2], view_boxes[None, :, 2:])
    way = places[:, None, :] - nearest
    return np.sqrt((way**2).sum(axis=2).min(axis=1))
