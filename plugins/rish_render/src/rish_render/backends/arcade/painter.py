"""The painter: what every kind of batch is drawn with, and the state that OpenGL is in.

Changing state costs more than drawing, so it is changed only where it differs; what stays on the graphics card is kept
under the batch that it belongs to, weakly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from rish_core.frame.backend import DrawStats
from rish_core.frame.batches import Batch
from rish_core.frame.shaders import Shader

from .buffers import Form, Rows, Streams, keep_rows
from .gl import Device
from .materials import Materials
from .programs import BEFORE, COVERS, PAGES, TABLES, Program, Programs, Variant
from .scene import Scene

WHOLE_PIXELS = frozenset({"replace", "mask"})
"""Blend modes that change a pixel even where the source is clear: they take those that are covered by half or more."""


class Painter:
    """A device with its programs, its buffers and its state."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self.programs = Programs(device)
        self.materials = Materials(device)
        self.streams = Streams(device)
        self.stats = DrawStats()
        self._kept: WeakKeyDictionary[Batch, tuple[Any, Any]] = WeakKeyDictionary()
        self._blends = _blends(device.ctx)
        self._state: list[Any] = [None] * 4
        self._clear: Any = None

    # State

    def forget_state(self) -> None:
        """Somebody else has used OpenGL: set everything anew."""
        self._state = [None] * 4

    def onto(self, framebuffer: Any, clip: tuple[int, int, int, int], blend: str, *, depth: bool = False) -> None:
        """Draw from now on onto these attachments, inside the clip, with a blend mode, and with depth or without."""
        ctx, state = self.device.ctx, self._state
        if state[0] is not framebuffer:
            framebuffer.use(force=state[0] is None)
            state[0], state[1] = framebuffer, None
        if state[1] != clip:
            framebuffer.scissor = state[1] = clip
        if state[2] != blend:
            ctx.enable(ctx.BLEND)
            ctx.blend_func, state[2] = self._blends[blend], blend
        if state[3] is not depth:
            (ctx.enable if depth else ctx.disable)(ctx.DEPTH_TEST)
            framebuffer.depth_mask, state[3] = True, depth

    # What is kept

    def kept(self, batch: Batch, key: Any, make: Callable[[], Any]) -> Any:
        """What `make` makes of a batch; for one that has a version, what it made last time, as long as `key` holds."""
        if batch.version is None:
            return make()
        stamp = (batch.version, key)
        known = self._kept.get(batch)
        if known is not None and known[0] == stamp:
            self.stats.static_batches += 1
            return known[1]
        made = make()
        self._kept[batch] = (stamp, made)
        return made

    def upload(self, form: Form, arrays: Sequence[npt.NDArray[Any]], *, keep: bool) -> Rows:
        """Rows on the card: in a buffer of their own, or in a stream that the next upload writes over."""
        self.stats.bytes_uploaded += sum(array.nbytes for array in arrays)
        return keep_rows(self.device, form, arrays) if keep else self.streams.upload(form, arrays)

    # Drawing

    def strips(self, rows: Rows, program: Program) -> None:
        """Draw each row on four corners."""
        rows.geometry.render(program.native, vertices=4, instances=rows.count)
        self.stats.draw_calls += 1

    def picture_program(self, scene: Scene, batch: Batch, variant: Variant) -> Program:
        """The program for a batch with pictures: with its material where that runs, and plain where it does not."""
        material = batch.material
        if material is not None:
            shader: Shader | None = scene.frame.shaders.get(material.name)
            if shader is None:
                self.stats.skip(f"material:{material.name}", "no shader of that name; the plain thing is drawn")
            else:
                program = self.materials.program(shader, variant, material.parameters, self.stats)
                if program is not None:
                    program.set(time=float(scene.frame.time))
                    self.bind_before(scene)
                    return program
        return self.programs.picture(variant)

    def plain_only(self, batch: Batch) -> None:
        """Report the material of a kind that has none on this backend."""
        if batch.material is not None:
            name = batch.material.name
            self.stats.skip(f"material:{name}", f"'{batch.kind}' has no materials here; the plain thing is drawn")

    def bind_pictures(self, scene: Scene, batch: Batch) -> bool:
        """Bind what pictures are cut from; True where that is a target. The tables are bound by `bind_table`."""
        if isinstance(batch.texture, str):
            scene.input(batch.texture).texture.use(PAGES)
            return True
        scene.pages.texture.use(PAGES)
        return False

    def bind_table(self, scene: Scene, batch: Batch, number: int = 0, channel: str = "") -> None:
        """Bind the frame table, or that of a channel."""
        frame, pages = scene.frame, scene.pages
        if channel:
            table = pages.table(frame.channels[channel], frame.frames_version, channel)
        elif isinstance(batch.texture, str):
            size = scene.input(batch.texture).size
            table = pages.table_of_target(frame.frames, frame.frames_version, size)
        else:
            table = pages.table(frame.frames, frame.frames_version)
        table.use(TABLES + number)

    def bind_before(self, scene: Scene) -> None:
        """Bind the target as it was before the pass; a clear texel where the pass does not read it."""
        if scene.before is None and self._clear is None:
            self._clear = self.device.ctx.texture((1, 1), components=4, data=bytes(4))
        (scene.before if scene.before is not None else self._clear).use(BEFORE)

    def bind_covers(self, texture: Any) -> None:
        """Bind the covers of polygons."""
        texture.use(COVERS)


def sane_origin(points: npt.NDArray[Any]) -> tuple[float, float]:
    """A point in the midst of others, float (n, 2), to which they can be relative without loss; NaN is passed over."""
    fine = points[np.isfinite(points).all(axis=1)]
    if not len(fine):
        return 0.0, 0.0
    x, y = np.median(fine, axis=0).tolist()
    return x, y


def _blends(ctx: Any) -> dict[str, tuple[int, int, int, int]]:
    """The factors of each mode, see rish_core.frame.batches: for colour and for alpha, of source and of target."""
    rest, back = ctx.ONE_MINUS_SRC_ALPHA, ctx.SRC_ALPHA

    def both(source: int, target: int) -> tuple[int, int, int, int]:
        return source, target, source, target

    return {
        "alpha": both(ctx.ONE, rest),
        "add": (ctx.ONE, ctx.ONE, ctx.ZERO, ctx.ONE),
        "multiply": both(ctx.DST_COLOR, rest),
        "screen": both(ctx.ONE, ctx.ONE_MINUS_SRC_COLOR),
        "replace": both(ctx.ONE, ctx.ZERO),
        "mask": both(ctx.ZERO, back),
        "erase": both(ctx.ZERO, rest),
        "sum": both(ctx.ONE, ctx.ONE),
    }
