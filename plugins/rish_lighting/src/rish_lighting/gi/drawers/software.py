"""Global illumination in memory, on a coarse grid."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_core.frame.backend import DrawTarget
from rish_core.frame.batches import Batch
from rish_core.frame.passes import Pass

from ...formulas import decode
from .. import walls_kernels as kernels
from ..cascades import Quality, depth_of, illuminate

_DECODE = decode(np.arange(256) / 255).astype(np.float32)


class SoftwareGlow:
    """Draws `light.gi`. What glows and what blocks as it did in the last picture is not worked out again."""

    needs = frozenset({"targets", "float", "mrt"})

    def __init__(self) -> None:
        self._known: tuple[Any, ...] = ()
        self._light = np.zeros((0, 0, 3), np.float32)

    def draw(self, device: Any, target: DrawTarget, batch: Batch, pass_: Pass) -> None:
        """Add light to the target."""
        factor, strength, albedo, directions = batch.arrays["numbers"]
        (glowing,) = target.inputs.values()
        solid = batch.arrays["solid"].copy()
        emission = np.empty((*solid.shape, 3), np.float32)
        kernels.shrink(glowing, _DECODE, factor, solid, emission)
        stamp = solid.tobytes(), emission.tobytes(), solid.shape, float(albedo), int(directions)
        if stamp != self._known:
            light = illuminate(solid, emission, np.full_like(emission, albedo), Quality(int(directions)))
            self._light = np.empty_like(light)
            kernels.fill(solid, light, depth_of(solid.shape), self._light)
            self._known = stamp
        kernels.add(self._light, strength, target.colors[0])
