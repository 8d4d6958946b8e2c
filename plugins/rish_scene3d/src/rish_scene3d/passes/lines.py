"""Lines3D: lines in space that systems draw for debugging, over the picture of all cameras."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from rish_core import Stage, resource, system
from rish_frame import Batch
from rish_jit import Array
from rish_space3d import outlines

if TYPE_CHECKING:
    from rish_core import World

Color = tuple[float, ...]
AXES: tuple[Color, ...] = ((0.95, 0.3, 0.3, 1), (0.45, 0.85, 0.35, 1), (0.35, 0.55, 1, 1))
"""The colors of the axes x, y and z."""


@resource(derived=True)
class Lines3D:
    """Lines in space; any system may add some. Those of a tick are drawn until the next one, those of EXTRACT once.

    Colors are red, green, blue and opacity from 0 to 1, widths are pixels. `hidden`: whether nearer surfaces hide the
    line; if not, they dim it. version: rises with each change.
    """

    def __init__(self) -> None:
        self._parts: list[tuple[Array, Array, float, bool]] = []
        self._kept: int | None = None
        self._batch: Batch | None = None
        self.version = 0

    def __len__(self) -> int:
        return sum(len(part[0]) for part in self._parts)

    def add(self, ends: npt.ArrayLike, color: npt.ArrayLike, width: float = 1.5, *, hidden: bool = True) -> None:
        """Draw lines. ends: (n, 2, 3), meters. color: one, or (n, 4). Lines with NaN or infinite ends are left out."""
        lines = np.asarray(ends, np.float64).reshape(-1, 2, 3)
        rgba = np.broadcast_to(np.clip(np.asarray(color, np.float64) * 255 + 0.5, 0, 255), (len(lines), 4))
        sound = np.isfinite(lines).all(axis=(1, 2))
        if sound.any():
            part = lines[sound].astype(np.float32), rgba[sound].astype(np.uint8), float(width), bool(hidden)
            self._parts.append(part)
            self._change()

    def _change(self) -> None:
        self._batch = None
        self.version += 1

    def path(self, points: npt.ArrayLike, color: Color, width: float = 1.5, **options: bool) -> None:
        """Draw lines from point to point (n, 3). options: `closed`, back to the first as well; `hidden`."""
        closed = options.pop("closed", False)
        self.add(outlines.path_lines(points, closed=closed), color, width, **options)

    def axes(self, matrix: npt.ArrayLike, size: float = 1.0, width: float = 2.0) -> None:
        """Draw the axes of a matrix (3, 4) in red, green and blue. size: meters along an axis that is not stretched."""
        rows = np.asarray(matrix, np.float64)
        for k, color in enumerate(AXES):
            self.add([[rows[:, 3], rows[:, 3] + size * rows[:, k]]], color, width, hidden=False)

    def box(self, low: npt.ArrayLike, high: npt.ArrayLike, color: Color, matrix: npt.ArrayLike | None = None) -> None:
        """Draw the edges of a box between two corners. matrix: (3, 4) that moves it, None: it lies in the world."""
        lines = outlines.box_lines(low, high)
        self.add(lines if matrix is None else outlines.moved(lines, matrix), color)

    def sphere(self, center: npt.ArrayLike, radius: float, color: Color) -> None:
        """Draw three circles of a ball."""
        self.add(outlines.sphere_lines(center, radius), color)

    def cone(self, apex: npt.ArrayLike, axis: npt.ArrayLike, length: float, angle: float, color: Color) -> None:
        """Draw a cone with a round end. angle: from side to side, radians."""
        self.add(outlines.cone_lines(apex, axis, length, angle), color)

    def frustum(self, matrix: npt.ArrayLike, color: Color) -> None:
        """Draw the edges of a camera's frustum. matrix: (4, 4), `projection @ view`."""
        self.add(outlines.frustum_lines(matrix), color)

    def arrow(self, start: npt.ArrayLike, end: npt.ArrayLike, color: Color) -> None:
        """Draw an arrow."""
        self.add(outlines.arrow_lines(start, end), color)

    def normals(self, starts: npt.ArrayLike, normals: npt.ArrayLike, length: float, color: Color) -> None:
        """Draw directions (n, 3) at positions (n, 3). length: meters."""
        start = np.asarray(starts, np.float64)
        self.add(np.stack([start, start + length * np.asarray(normals, np.float64)], axis=1), color, 1.0)

    def batch(self) -> Batch | None:
        """Return all lines for a pass, None without any; the same batch until lines change."""
        if self._batch is None and self._parts:
            counts = [len(part[0]) for part in self._parts]
            arrays = {
                "ends": np.concatenate([part[0] for part in self._parts]),
                "width": np.repeat(np.array([part[2] for part in self._parts], np.float32), counts),
                "rgba": np.concatenate([part[1] for part in self._parts]),
                "hidden": np.repeat(np.array([part[3] for part in self._parts], np.uint8), counts),
            }
            self._batch = Batch("scene3d.lines", arrays, z=3.0, source="scene3d.lines")
        return self._batch

    def begin_tick(self) -> None:
        """Remove all lines, at the start of a tick."""
        if self._parts:
            self._parts = []
            self._change()
        self._kept = None

    def begin_frame(self) -> None:
        """Remove the lines of the last frame; those of the tick stay."""
        if self._kept is None:
            self._kept = len(self._parts)
        elif len(self._parts) > self._kept:
            del self._parts[self._kept :]
            self._change()

    def rebuild(self, world: World) -> None:
        """Forget all lines after a restore."""
        self.begin_tick()


@system(Stage.INPUT, writes=Lines3D, view=True, before="*.*")
def clear_lines(world: World, dt: float) -> None:
    """Forget the lines of the last tick."""
    world[Lines3D].begin_tick()


@system(Stage.EXTRACT, writes=Lines3D, before="*.*")
def clear_frame_lines(world: World, dt: float) -> None:
    """Forget the lines of the last frame."""
    world[Lines3D].begin_frame()
