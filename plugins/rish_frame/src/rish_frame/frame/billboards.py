"""Billboards: pictures in space that turn to the camera, written by plugins with many of them, such as particles.

They are for drawing only. LATE begins without any. Plugins add sets in LATE, by systems that derive if they need no
time; plugins that draw space read them in EXTRACT.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rish_core import Stage, World, resource, system
from rish_ecs import UsageError


@dataclass(frozen=True, eq=False)
class BillboardSet:
    """n billboards that show one picture; arrays must not be written again.

    picture: an asset. places: float32 (n, 3), the middles, meters. sizes: float32 (n,), the longer side, meters. turns:
    float32 (n,), rad, counter-clockwise on the screen. colors: uint8 (n, 4), tints, encoded sRGB with opacity. cells:
    columns and rows of the sheet in the picture. cell: int32 (n,), row by row from the top. along: float32 (n, 3),
    velocities in m/s to which their x axes point, None: they are upright. stretch: seconds of these by which they are
    longer. additive: whether their light is added to what is behind. lit: whether the light of the scene falls on them.
    """

    picture: str
    places: npt.NDArray[np.float32]
    sizes: npt.NDArray[np.float32]
    turns: npt.NDArray[np.float32]
    colors: npt.NDArray[np.uint8]
    cells: tuple[int, int] = (1, 1)
    cell: npt.NDArray[np.int32] | None = None
    along: npt.NDArray[np.float32] | None = None
    stretch: float = 0.0
    additive: bool = False
    lit: bool = False

    def __len__(self) -> int:
        return len(self.places)


@resource(derived=True)
class Billboards:
    """The billboards of all plugins, added in LATE of each frame. sets: in the order in which they were added. version:
    rises with each change.
    """

    def __init__(self) -> None:
        self.sets: list[BillboardSet] = []
        self.version = 0

    def add(
        self, picture: str, places: npt.ArrayLike, sizes: npt.ArrayLike, turns: npt.ArrayLike, colors: npt.ArrayLike,
        **options: Any,
    ) -> BillboardSet:  # fmt: skip
        """Show billboards until the next frame; see `BillboardSet`. sizes, turns: one number, or (n,). colors: (4,) or
        (n, 4). options: its other fields. Raises UsageError for places of another shape.
        """
        points = np.asarray(places, np.float32)
        if points.ndim != 2 or points.shape[1] != 3:
            raise UsageError(f"places of billboards have the shape (n, 3), not {points.shape}")
        count = len(points)
        longs, angles = (np.broadcast_to(np.asarray(each, np.float32), count) for each in (sizes, turns))
        tints = np.broadcast_to(np.asarray(colors, np.uint8), (count, 4))
        added = BillboardSet(picture, points, longs, angles, tints, **options)
        self.sets.append(added)
        self.version += 1
        return added

    def clear(self) -> None:
        """Remove all billboards."""
        if self.sets:
            self.sets = []
            self.version += 1

    def rebuild(self, world: World) -> None:
        """Remove all billboards after a restore; the next frame has its own."""
        self.clear()


@system(Stage.LATE, writes=Billboards, derive=True, before="*.*")
def clear_billboards(world: World, dt: float) -> None:
    """Remove the billboards that were drawn last (system `frame.clear_billboards`)."""
    world[Billboards].clear()
