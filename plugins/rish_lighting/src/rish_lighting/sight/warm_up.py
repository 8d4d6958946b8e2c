"""Runs the kernels and programs of sight once with tiny input, so that none compiles during the game."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rish_core import Transform
from rish_frame import Batch, Frame, Pass, Target

from ..passes.extract import Lighting
from .components import FogOfWar, Sight
from .kinds import FOG
from .queries import SIDES, unit_circle

if TYPE_CHECKING:
    from rish_core import World


def needs_sight(world: World) -> bool:
    """Return True if the scene has viewers or fog."""
    return len(world.query(Sight, Transform)) > 0 or len(world.query(FogOfWar)) > 0


def call_kernels() -> None:
    """Call each kernel of sight and fog once, with the smallest arrays."""
    from ..gi.walls_kernels import rasterize
    from . import fog_kernels
    from .kernels import free_lines, polygons

    one, edge = np.ones(1, np.int64), np.array([1.0, 1, 2, 1])
    points, starts = polygons(edge, one, one, np.zeros(2), np.ones(1), one, one, unit_circle(SIDES).ravel())
    free_lines(edge, one, one, edge, one, one, one, np.empty(1, np.bool_))
    squares, shown = np.zeros((2, 2), np.uint8), np.zeros((2, 2, 2), np.float32)
    fog_kernels.fill(points, starts, squares)
    fog_kernels.goal(squares, squares, squares, 1, 1, shown)
    rasterize(np.zeros(4), np.zeros(1, np.bool_), squares)
    fog_kernels.approach(shown.reshape(-1), shown.reshape(-1), np.float32(1))


def warm_up_sight(world: World, frame: Frame) -> None:
    """Add passes that draw the scene's fog over an encoded image, and over one in linear light."""
    if not len(world.query(FogOfWar)) or not world[Lighting].able:
        return
    shown = np.zeros((2, 2, 2), np.float32)
    for encoded, format_ in ((1, "rgba8"), (0, "rgba16f")):
        name = f"{FOG}.warm-up.{format_}"
        frame.add_target(Target(name, (16, 16), (format_,)))
        arrays = {
            "squares": shown,
            "numbers": np.array([0, 0, 0, 1, 1, 1, 8, encoded], np.float32),
        }
        batch = Batch(FOG, arrays, blend="replace", count=1, source="lighting.fog")
        frame.add_pass(Pass(name, (name,), (name,), batches=[batch]))
