"""The kernels of global illumination, called once on a grid of a few texels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..settings import Settings
from .extract import Glow
from .grades import GRADES

if TYPE_CHECKING:
    from rish_core import World


def rehearse_glow(world: World) -> None:
    """Compile what the setting `gi` needs: on a card the walls, in memory all of it."""
    if str(world[Settings].gi) not in GRADES:
        return
    from . import walls_kernels as kernels
    from .cascades import Quality, illuminate

    solid, light = np.zeros((4, 4), np.uint8), np.zeros((4, 4, 3), np.float32)
    kernels.rasterise(np.zeros(4), np.zeros(1, np.bool_), solid)
    if not world[Glow].card:
        one = np.float32(1)
        kernels.shrink(np.zeros((4, 4, 4), np.uint8), np.zeros(256, np.float32), one, solid, light)
        kernels.fill(solid, illuminate(solid, light, light, Quality()), 2, light)
        kernels.add(light, one, np.zeros((4, 4, 4), np.float32))
