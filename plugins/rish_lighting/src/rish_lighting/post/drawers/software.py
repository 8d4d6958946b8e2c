"""Draws a run on arrays, in bands of rows, so that the data between its stages stays in the processor's cache."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_assets import LogOnce
from rish_frame import Batch, DrawTarget, Pass

from ...bands import bands_of
from ..effect import Array, Block
from ..formulas import decoding, encoding
from ..fused_passes import Call, Run, run_of


class SoftwareEffects:
    """Draws runs with the fallbacks of their stages. log: reports effects without fallbacks once."""

    needs = frozenset({"targets", "float", "copy"})
    steady = True

    def __init__(self) -> None:
        self.log = LogOnce("rish.lighting")

    def draw(self, device: Any, target: DrawTarget, batch: Batch, pass_: Pass) -> None:
        """Draw the run of a batch."""
        run = run_of(batch)
        width, height = run.size
        onto = _part(target.colors[0], run.drawn_at, run.size)
        source = target.inputs.get(run.source)
        if source is not None and not run.samples:
            source = _part(source, run.read_at, run.size)

        def draw_band(first: int, last: int) -> None:
            band = onto[first:last]
            colors = np.empty((last - first, width, 4), np.float32) if run.develop else band
            self._begin(run, source, first, colors)
            for call in run.calls:
                self._call(run, call, target, source, first, colors)
            if run.develop:
                kernels().encode_rows(colors, encoding(), first, np.float32(run.dither), band)

        target.run(bands_of(0, height, width), draw_band)

    def _begin(self, run: Run, source: Any, first: int, colors: Array) -> None:
        """Fill a band with the run's source, decoded to linear light."""
        if run.samples:
            return
        rows = source[first : first + len(colors)]
        if run.encoded:
            kernels().decode_rows(rows, decoding(), colors)
        else:
            colors[...] = rows

    def _call(self, run: Run, call: Call, target: DrawTarget, source: Any, first: int, colors: Array) -> None:
        """Run the fallback of one stage on a band."""
        pictures = {name: target.inputs[input_index] for name, input_index in call.inputs.items()}
        pictures.update(call.images)
        if call.stage.samples and source is not None:
            pictures["picture"] = source
        block = Block(colors, first, run.size, pictures, call.values, run.time, run.unit)
        if call.stage.fallback is not None:
            call.stage.fallback(block)
            return
        self.log(f"the effect '{call.effect}' has only GLSL and no fallback, so it is not drawn on 'software'")
        if call.stage.samples and source is not None:
            colors[...] = block.sample(block.at())


def kernels() -> Any:
    """Return the module of the kernels, imported at the first frame."""
    from .. import kernels

    return kernels


def _part(picture: Array, at: tuple[int, int], size: tuple[int, int]) -> Array:
    """Return a rectangle of an image with the top row first. at: its lower left corner, pixels from the bottom left."""
    top = picture.shape[0] - at[1] - size[1]
    return picture[max(top, 0) : max(top, 0) + size[1], at[0] : at[0] + size[0]]
