"""The frame rate. It depends on the machine, so it is not stored in the World, which is the same on every run.

It is added from the profiler directly to the frame, as the lines of a seven-segment display.
"""

from __future__ import annotations

import numpy as np

from rish_core import Layers, Profiler, Stage, World, system
from rish_frame import Batch, Frame
from rish_render import Camera, main_view

from .components import Meter

_STROKES = {
    "a": (0, 2, 1, 2), "b": (1, 1, 1, 2), "c": (1, 0, 1, 1), "d": (0, 0, 1, 0), "e": (0, 0, 0, 1), "f": (0, 1, 0, 2),
    "g": (0, 1, 1, 1),
}  # fmt: skip
"""The seven segments, as lines in a box of 1 by 2."""
_LIT = {
    "0": "abcdef", "1": "bc", "2": "abged", "3": "abgcd", "4": "fgbc", "5": "afgcd", "6": "afgedc", "7": "abc",
    "8": "abcdefg", "9": "abcdfg", "F": "aefg", "P": "abefg", "S": "afgcd", " ": "",
}  # fmt: skip
_SIZE, _STEP, _WIDTH = 11.0, 19.0, 2.6
"""Pixels: the width of a digit, the distance between digits, and the width of a stroke."""
_GLOW, _INK = (120, 255, 190, 70), (196, 255, 226, 255)
_BACK = (16, 32, 56, 200)
_SHOWN = 45
"""The number of frames of which the average is shown."""


@system(Stage.EXTRACT, reads=(Profiler, Meter, Camera, Layers), writes=Frame, before="render.extract")
def show_speed(world: World, dt: float) -> None:
    """Draw the frame rate in the corner, except in headless mode, where there is no clock to measure it by."""
    app, frames = world[Meter].app, world[Profiler].frames
    if app is None or app.headless or len(frames) < 2:
        return
    last = list(frames)[-_SHOWN:]
    rate = (len(last) - 1) / max(last[-1].begin - last[0].begin, 1e-6)
    view, frame = main_view(world, interpolated=True), world[Frame]
    corner = np.array([view.size[0] - 24.0, view.size[1] - 80.0])
    strokes, layer = _strokes(f"{min(rate, 9999):.0f} FPS"), world[Layers].index("front")
    for number, (width, color) in enumerate(((_WIDTH + 5, _BACK), (_WIDTH + 2, _GLOW), (_WIDTH, _INK))):
        points = view.to_world(strokes + corner).reshape(-1, 4).astype(np.float32)
        arrays = {
            "points": points,
            "width": np.full(len(points), width / view.density, np.float32),
            "rgba": np.tile(np.array(color, np.uint8), (len(points), 1)),
        }
        frame.add(Batch("lines", arrays, layer=layer, z=number))


def _strokes(words: str) -> np.ndarray:
    """Return both ends of each stroke of these words in pixels, float64 (n, 2, 2); the text ends at the origin."""
    begin = -_STEP * len(words)
    found = [
        [[begin + _STEP * k + _SIZE * x, _SIZE * y] for x, y in (stroke[:2], stroke[2:])]
        for k, letter in enumerate(words)
        for stroke in (_STROKES[name] for name in _LIT[letter])
    ]
    return np.array(found, np.float64).reshape(-1, 2, 2)
