"""The painter: what every kind of batch is drawn with.

What stays on the graphics card is kept under the batch that it belongs to, weakly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from rish_frame import Batch, DrawStats, Shader

from ..device import Clip, Device
from ..programs import TABLES, Program, Programs, Variant
from ..scene import DrawCall, PassContext
from .buffers import Form, Rows, Streams, keep_rows
from .materials import Materials

WHOLE_PIXELS = frozenset({"replace", "mask"})
"""Blend modes that change a pixel even where the source is clear: they take those that are covered by half or more."""


LEAVES_CHANNELS = frozenset({"add", "multiply", "screen"})
"""Blend modes in which a thing that has nothing for a channel writes nothing there; in the others it covers."""


class Painter:
    """A device with its programs and its buffers."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self.programs = Programs(device)
        self.materials = Materials(device)
        self.streams = Streams(device)
        self.stats = DrawStats()
        self._kept: WeakKeyDictionary[Batch, tuple[Any, Any]] = WeakKeyDictionary()
        self._clear: Any = None

    def onto(self, framebuffer: Any, clip: Clip, blend: str, *, depth: bool = False) -> None:
        """Draw from now on onto these attachments, inside the clip, with a blend mode, and with depth or without."""
        device = self.device
        device.bind(framebuffer, clip)
        device.blend(blend)
        device.test_depth(depth)

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

    # What is written

    def channels(self, scene: PassContext) -> list[tuple[int, str]]:
        """The attachments besides the first that are written, each with the name of its channel."""
        names = scene.canvas.channels
        return [
            (number, names[number])
            for number in range(1, len(scene.canvas.pictures))
            if number < len(names) and names[number] and names[number] in scene.frame.channels
        ]

    def framebuffer(self, scene: PassContext, channels: Sequence[tuple[int, str]]) -> Any:
        """The framebuffer that writes the picture and these channels."""
        return scene.canvas.framebuffer((0, *(attachment for attachment, _ in channels)))

    def values(self, scene: PassContext, batch: Batch, **more: Any) -> dict[str, Any]:
        """The uniforms that every program has, and more."""
        width, height = scene.canvas.size
        return {
            "resolution": (float(width), float(height)),
            "rish_levels": scene.canvas.levels,
            "rish_covers": 0.0 if batch.blend in LEAVES_CHANNELS else 1.0,
            "keep_alpha": 0.0 if batch.blend == "add" else 1.0,
            **more,
        }

    # Drawing

    def rows(
        self, rows: Rows, order: DrawCall, scene: PassContext, origin: tuple[float, float], unit: float = 1.0
    ) -> None:
        """Draw each row on four corners, at its place from the origin, in units."""
        device, program = self.device, order.program
        for number, texture in order.textures:
            device.texture(number, texture)
        program.use(order.values)
        program.place(scene.numbers, origin, unit)
        self.onto(order.framebuffer, order.clip, order.blend)
        device.strips(program.native, rows.geometry, rows.count)
        self.stats.draw_calls += 1

    def strips(self, rows: Rows, program: Program) -> None:
        """Draw each row on four corners."""
        rows.geometry.render(program.native, vertices=4, instances=rows.count)
        self.stats.draw_calls += 1

    def picture_program(self, scene: PassContext, batch: Batch, variant: Variant) -> Program:
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
                    return program
        return self.programs.picture(variant)

    def plain_only(self, batch: Batch) -> None:
        """Report the material of a kind that has none on this backend."""
        if batch.material is not None:
            name = batch.material.name
            self.stats.skip(f"material:{name}", f"'{batch.kind}' has no materials here; the plain thing is drawn")

    def pictures(self, scene: PassContext, batch: Batch) -> Any:
        """The texture that pictures are cut from: the pages, or a target."""
        return scene.input(batch.texture).texture if isinstance(batch.texture, str) else scene.pages.texture

    def table(self, scene: PassContext, batch: Batch, channel: str = "") -> Any:
        """The texture of the frame table, or of that of a channel."""
        frame, pages = scene.frame, scene.pages
        if channel:
            return pages.table(frame.channels[channel], frame.frames_version, channel)
        if isinstance(batch.texture, str):
            return pages.table_of_target(frame.frames, frame.frames_version, scene.input(batch.texture).size)
        return pages.table(frame.frames, frame.frames_version)

    def tables(self, scene: PassContext, batch: Batch, channels: Sequence[tuple[int, str]]) -> list[tuple[int, Any]]:
        """Texture units with the frame table, and with that of each channel."""
        names = ["", *(name for _, name in channels)]
        return [(TABLES + k, self.table(scene, batch, name)) for k, name in enumerate(names)]

    def before(self, scene: PassContext) -> Any:
        """The target as it was before the pass; a clear texel where the pass does not read it."""
        if scene.before is not None:
            return scene.before
        if self._clear is None:
            self._clear = self.device.ctx.texture((1, 1), components=4, data=bytes(4))
        return self._clear


def sane_origin(points: npt.NDArray[Any]) -> tuple[float, float]:
    """A point in the midst of others, float (n, 2), to which they can be relative without loss; NaN is passed over."""
    fine = points[np.isfinite(points).all(axis=1)]
    if not len(fine):
        return 0.0, 0.0
    middle = len(fine) // 2
    x, y = np.partition(fine, middle, axis=0)[middle].tolist()
    return x, y
