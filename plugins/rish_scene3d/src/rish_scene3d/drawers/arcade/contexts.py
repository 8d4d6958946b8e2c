"""Shared by the drawers with OpenGL: the camera of a pass, and the state around a drawing."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import numpy as np

from rish_frame import DrawTarget, Pass
from rish_frame.frame import pixel_rect

from .programs import VIEW, raw


class View:
    """The uniform block `View` of one context: the camera of a pass."""

    def __init__(self, ctx: Any) -> None:
        self._block = ctx.buffer(reserve=4 * 64 + 16)

    def aim(self, pass_: Pass, size: tuple[int, int]) -> None:
        """Write the camera of a pass and its viewport, and bind the block."""
        view, projection = pass_.view.astype(np.float64), pass_.projection.astype(np.float64)
        matrices = projection @ view, view, projection, np.linalg.inv(view)
        numbers = [np.ascontiguousarray(matrix.T, np.float32).tobytes() for matrix in matrices]
        viewport = np.array(pixel_rect(pass_.viewport, size), np.float32).tobytes()
        self._block.write(b"".join((*numbers, viewport)))
        self._block.bind_to_uniform_block(VIEW)


@contextmanager
def drawing(
    ctx: Any, target: DrawTarget, pass_: Pass, *, depth: bool, blend: bool, always: bool = False
) -> Generator[None]:
    """Draw into the viewport of a pass, with the depth tested and written if the target has one; then restore all.

    depth: test and write the depth. blend: blend premultiplied colors over the target. always: draw in front of
    everything.
    """
    framebuffer = target.native
    framebuffer.viewport = pixel_rect(pass_.viewport, target.size)
    if depth and target.depth is not None:
        ctx.enable(ctx.DEPTH_TEST)
    if always:
        raw().glDepthFunc(raw().GL_ALWAYS)
    if not blend:
        ctx.disable(ctx.BLEND)
    try:
        yield
    finally:
        framebuffer.viewport = (0, 0, *target.size)
        framebuffer.depth_mask = True
        ctx.disable(ctx.DEPTH_TEST, ctx.CULL_FACE)
        ctx.enable(ctx.BLEND)
        ctx.front_face = "ccw"
        raw().glDepthFunc(raw().GL_LESS)
