"""The drawer of fog for the backend `software`."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_frame import Batch, DrawTarget, Pass

from ...drawers.matrices import backwards, drawn_box, matrices
from ...drawers.software.composite_kernels import DECODE, ENCODE
from .. import fog_kernels as kernels


class SoftwareFog:
    """Draws `light.fog`."""

    needs = frozenset({"targets"})
    steady = True

    def draw(self, device: Any, target: DrawTarget, batch: Batch, pass_: Pass) -> None:
        """Draw fog onto the target."""
        numbers = batch.arrays["numbers"]
        linear, shift = matrices(pass_, target.size, batch.origin)
        back, start = backwards(linear, shift, target.size)
        at = (np.concatenate([back.ravel(), start]) / float(numbers[6])).astype(np.float32)
        clip = drawn_box(pass_, batch, target.size)
        picture, squares = target.colors[0], batch.arrays["squares"]
        if numbers[7]:
            kernels.veil_encoded(picture, squares, at, numbers, clip, DECODE, ENCODE)
        else:
            kernels.veil_linear(picture, squares, at, numbers, clip)
