"""Sprites to batches: sixteen bytes a sprite where they fit, a matrix where they don't.

An anchor is folded into the centre, a mirrored picture into the frame. Sheared, huge or far sprites become
`sprites_wide`, and so does everything when a unit is many pixels, where an eighth of a unit would show as a step.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rish_core.frame.batches import Batch, fits, pack_sprites

from .components import Sprite
from .drawables import BLENDS, FILTERS, Drawables, rgba_bytes

if TYPE_CHECKING:
    from .extract import Scene, Seen

Array = npt.NDArray[Any]

FINEST = 2.0
"""Pixels a unit up to which the fixed point of an instance is fine enough."""
_SHEAR = 1e-3


def quads(matrix: Array, size: Array, anchor: Array) -> Array:
    """float32 (n, 6): the unit square around 0 to boxes of a size, with their anchors at the matrices' origins."""
    out = np.empty_like(matrix)
    out[:, 0:2] = matrix[:, 0:2] * size[:, :1]
    out[:, 2:4] = matrix[:, 2:4] * size[:, 1:]
    shift = np.float32(0.5) - anchor
    out[:, 4:6] = matrix[:, 4:6] + out[:, 0:2] * shift[:, :1] + out[:, 2:4] * shift[:, 1:]
    return out


def reach_of(quad: Array) -> Array:
    """float32 (n, 2): how far a quad reaches from its centre along x and y."""
    return (np.abs(quad[:, 0:2]) + np.abs(quad[:, 2:4])) * np.float32(0.5)


def extract_sprites(scene: Scene, seen: Seen) -> list[Drawables]:
    """The drawables of all sprites that are seen."""
    world, table = scene.world, scene.world[Sprite]
    rows, matrix, numbers = seen
    frames, texels = scene.pictures.frames_of(world, table.image, table.region, "sprites")
    size = table.size[rows]
    size = np.where(size > 0, size, texels[rows])
    quad = quads(matrix, size, table.anchor[rows])
    shown = scene.seen(quad[:, 4:], reach_of(quad), numbers)
    if not shown.all():
        rows, numbers, quad = rows[shown], numbers[shown], quad[shown]
        matrix = matrix[shown]
    flips = table.flip_x[rows] + 2 * table.flip_y[rows]
    frame = frames[rows] + flips
    state = table.blend[rows].astype(np.int64) * 4 + table.sampling[rows] * 2
    rgba = rgba_bytes(table.tint[rows].copy(), table.opacity[rows])
    parts = _Packed(quad, frame, rgba, scene.density(numbers), scene.view.centre)
    state += parts.wide
    return [Drawables(numbers, table.z[rows], matrix[:, 5], state, parts.batch)]


class _Packed:
    """Sprites in both forms, as far as each is needed. wide: bool n, which need the wide one."""

    def __init__(self, quad: Array, frame: Array, rgba: Array, density: Array, centre: tuple[float, float]) -> None:
        self.quad, self.frame, self.rgba = quad, frame, rgba
        self.origin = (float(np.floor(centre[0])), float(np.floor(centre[1])))
        a, b, c, d = (quad[:, k] for k in range(4))
        mirrored = a * d - b * c < 0
        w, h = np.hypot(a, b), np.hypot(c, d)
        flat = np.abs(a * c + b * d) <= np.float32(_SHEAR) * w * h
        near = fits(quad[:, 4], quad[:, 5], w, h, frame, self.origin)
        self.wide = ~(flat & near & (density <= FINEST))
        self.packed = None
        if not self.wide.all():
            turned = np.where(mirrored, np.arctan2(-b, -a), np.arctan2(b, a))
            self.packed = pack_sprites(
                quad[:, 4], quad[:, 5], w, h, turned, np.where(mirrored, frame ^ 1, frame), rgba, self.origin
            )

    def batch(self, rows: Array | slice, state: int) -> Batch:
        """The batch of some sprites, all wide or none of them."""
        if state & 1 or self.packed is None:
            arrays = {
                "matrix": np.ascontiguousarray(self.quad[rows]),
                "frame": self.frame[rows].astype(np.uint16),
                "rgba": np.ascontiguousarray(self.rgba[rows]),
            }
            batch = Batch("sprites_wide", arrays, source="render")
        else:
            batch = Batch("sprites", {"instances": self.packed[rows]}, origin=self.origin, source="render")
        batch.blend, batch.filter = BLENDS[state >> 2], FILTERS[state >> 1 & 1]
        return batch
