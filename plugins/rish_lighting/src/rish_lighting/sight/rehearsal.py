"""The kernels of sight, called once with next to nothing, so that none compiles while the game is played."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rish_core import Transform

from .components import FogOfWar, Sight
from .queries import SIDES, unit_circle

if TYPE_CHECKING:
    from rish_core import World


def rehearse_sight(world: World) -> None:
    """Compile what the scene's viewers and its fog need; nothing where it has neither."""
    if not len(world.query(Sight, Transform)) and not len(world.query(FogOfWar)):
        return
    from . import fog_kernels
    from .kernels import free_lines, polygons

    one, edge = np.ones(1, np.int64), np.array([1.0, 1, 2, 1])
    points, starts = polygons(edge, one, one, np.zeros(2), np.ones(1), one, one, unit_circle(SIDES).ravel())
    free_lines(edge, one, one, edge, one, one, one, np.empty(1, np.bool_))
    squares, shown = np.zeros((2, 2), np.uint8), np.zeros((2, 2, 2), np.float32)
    fog_kernels.fill(points, starts, squares)
    fog_kernels.goal(squares, squares, 1, 1, shown)
    fog_kernels.approach(shown.reshape(-1), shown.reshape(-1), np.float32(1))
