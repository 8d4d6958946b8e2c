"""Makes regions for picking from points of the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rish_ecs import UsageError
from rish_frame import Region
from rish_frame.frame import REACH

from ..scene.camera import camera_at, view_of

if TYPE_CHECKING:
    from rish_ecs import World

    from ..scene.view import View


def region_at(
    world: World, point: tuple[float, float], to: tuple[float, float] | None = None, *, camera: int | None = None,
    view: View | None = None, reach: float = REACH,
) -> Region:  # fmt: skip
    """Return the region of a point of the screen, or of the box between two of its corners, for `rish_frame.pick`.

    point, to: logical pixels, y up, as the pointer's. camera: the entity of the camera that it is seen through; None
    means the uppermost one at `point`. view: a view of a tool that it is seen through instead; nothing on a layer in
    screen space is picked then. reach: logical pixels, how far a thin line may be away. Raises UsageError if `camera`
    is not a camera, if both are given, and for infinite numbers.
    """
    if view is not None and camera is not None:
        raise UsageError("a region is seen through a camera or through a view; give one of them")
    flat = view is None
    if view is None:
        view = view_of(world, camera_at(world, point) if camera is None else camera, interpolated=True)
    (x0, y0), (x1, y1) = point, point if to is None else to
    corners = [(x0, y0)] if to is None else [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
    screen = np.array(corners, np.float64)
    return Region(screen, view.to_world(screen), view.center, view.density, view.layers, reach, flat)
