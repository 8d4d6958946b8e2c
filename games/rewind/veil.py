"""The effect shown while time runs backwards: lines across the frame, as on a tape that is rewound.

It is added to the frame only and not stored in the world: no tick runs during a rewind, so no state could be written.
"""

from __future__ import annotations

import numpy as np

from rish_core import Stage, World, system
from rish_frame import Batch, Frame
from rish_history import History

ON_TOP = 1_000_000
_TINT, _BRIGHT, _ARROW = (150, 120, 255, 34), (230, 220, 255, 70), (255, 255, 255, 235)


@system(Stage.EXTRACT, before="render.extract", writes=Frame)
def veil(world: World, dt: float) -> None:
    """Draw lines across the frame and the rewind sign, two arrowheads."""
    if not world[History].rewinding:
        return
    width, height = 960.0, 540.0
    rows = np.arange(0.0, height, 9.0)
    lines = np.column_stack([np.zeros_like(rows), rows, np.full_like(rows, width), rows])
    thick = np.full(len(rows), 4.0)
    colors = np.tile(np.array(_TINT, np.uint8), (len(rows), 1))
    roll = (world.tick * 23) % 540
    bands = np.array([[0, (roll + d) % 540, width, (roll + d) % 540] for d in (0, 14, 190)], np.float64)
    arrows, turn = [], np.linspace(-15, 15, 16)
    for left in (40.0, 68.0):
        arrows += [[left + abs(y) * 0.2 + 15 - (15 - abs(y)), 500 + y, left + 27, 500 + y] for y in turn]
    points = np.concatenate([lines, bands, np.array(arrows)]).astype(np.float32)
    widths = np.concatenate([thick, [10.0, 4.0, 7.0], np.full(len(arrows), 2.4)]).astype(np.float32)
    rgba = np.concatenate([colors, np.tile(np.array(_BRIGHT, np.uint8), (3, 1)),
                           np.tile(np.array(_ARROW, np.uint8), (len(arrows), 1))])  # fmt: skip
    arrays = {"points": points, "width": widths, "rgba": np.ascontiguousarray(rgba)}
    world[Frame].add(Batch("lines", arrays, layer=ON_TOP, source="game.veil"))
