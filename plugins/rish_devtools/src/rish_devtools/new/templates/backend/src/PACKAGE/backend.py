"""A backend that draws a game as an SVG document.

A backend gets a `Frame`: passes, each with a camera, and batches of arrays in drawing order. It
gets no entities and can't change the game. `NullBackend` keeps all rules of the contract and draws
nothing; this class adds the drawing.
"""

from pathlib import Path
from typing import Any

import numpy as np
from rish_frame import DrawStats, Frame, NullBackend

from .svg import ELEMENTS, number, numbers, paint


class CLASS(NullBackend):
    """Draws shapes, lines and polygons, and sprites as boxes of their tint.

    path: the file that `close` writes; None: no file. document: the last picture as a text.
    """

    name = "PLUGIN"
    capabilities = frozenset()

    def __init__(self, path: str | Path | None = None) -> None:
        super().__init__(keep=0)
        self.path = path
        self.document = ""

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds that are drawn, and those that plugins draw by themselves."""
        return frozenset({*ELEMENTS, *self.drawers})

    def draw(self, frame: Frame) -> DrawStats:
        """Write the frame into `document`; kinds without a function are reported as skipped."""
        stats = super().draw(frame)
        parts = []
        for step in frame.steps():
            elements = []
            for batch in step.batches:
                if batch.kind in ELEMENTS:
                    elements += ELEMENTS[batch.kind](batch)
                elif batch.kind not in self.kinds:
                    stats.skip(batch.kind, "PLUGIN can't draw it")
            if elements and "screen" in step.pass_.targets:
                place = self._placed(step.pass_.camera)
                parts += [f"<g {place}>", *elements, "</g>"]
        self.document = self._document(frame, parts)
        return stats

    def _document(self, frame: Frame, parts: list[str]) -> str:
        width, height = self.size
        ground = np.multiply(frame.target("screen").clear_color(0), 255).clip(0, 255)
        head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">'
        ground_box = f'<rect width="100%" height="100%" {paint("fill", ground)}/>'
        return "\n".join([head, ground_box, *parts, "</svg>", ""])

    def _placed(self, camera: Any) -> str:
        """Return the camera, clip space from -1 to 1 with y up, as a matrix of SVG with y down."""
        width, height = self.size
        (a, c, _, x), (b, d, _, y) = np.asarray(camera, float)[:2]
        right = np.array([a, c, x]) * width / 2 + [0, 0, width / 2]
        down = np.array([-b, -d, -y]) * height / 2 + [0, 0, height / 2]
        values = [right[0], down[0], right[1], down[1], right[2], down[2]]
        return f'transform="matrix({numbers(values[:4])} {" ".join(map(number, values[4:]))})"'

    def close(self) -> None:
        """Write the last picture to the file, and release everything."""
        if self.is_open and self.path is not None and self.document:
            Path(self.path).write_text(self.document, encoding="utf-8")
        super().close()
