"""The painter: the programs, buffers and caches that the drawing code of every kind of batch shares."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from rish_frame import Batch, DrawStats, PerVersion, Shader

from ...shared import LEAVES_CHANNELS
from ..device import Clip, Device
from ..programs import BEFORE, PAGES, TABLES, Program, Programs, Variant
from ..scene import DrawCall, PassContext
from .buffers import Form, PatchedRows, Rows, Streams
from .compute import ComputeRunner
from .materials import Materials

_WHOLE_PIXELS = frozenset({"replace", "mask"})
"""Blend modes that change a pixel even if the source is clear. They change pixels that are covered by half or more."""


class Painter:
    """The device together with its programs, its materials and its buffers."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self.compute = ComputeRunner(device)
        self.programs = Programs(device)
        self.materials = Materials(device)
        self.streams = Streams(device)
        self.stats = DrawStats()
        self._prepared = PerVersion[Any]()
        self._clear: Any = None

    def onto(self, framebuffer: Any, clip: Clip, blend: str, *, depth: bool = False) -> None:
        """Set where and how to draw from now on: these attachments, the clip, the blend mode, and depth testing on or
        off.
        """
        device = self.device
        device.bind(framebuffer, clip)
        device.blend(blend)
        device.test_depth(depth)

    # Cached data

    def cached(self, batch: Batch, key: Any, make: Callable[[], Any]) -> Any:
        """Return the result of `make` for a batch; it is cached if the batch has a version, until that or `key`
        changes.
        """
        data = self._prepared.get(batch, key)
        if data is None:
            return self._prepared.put(batch, make(), key)
        self.stats.static_batches += 1
        return data

    def patched(self, form: Form, batch: Batch, name: str) -> Rows:
        """Return an array of a batch that has a version as rows; only what changed is uploaded, if that is known."""
        held = self._prepared.get(batch)
        if held is None:
            held = self._prepared.written(
                batch, lambda: PatchedRows(self.streams, form), lambda rows, batch: self._write(rows, batch, name)
            )
        else:
            self.stats.static_batches += 1
        return held.rows

    def _write(self, rows: PatchedRows, batch: Batch, name: str) -> None:
        self.stats.bytes_uploaded += rows.write(batch.arrays[name], batch)

    def upload(self, form: Form, arrays: Sequence[npt.NDArray[Any]], *, keep: bool) -> Rows:
        """Upload rows and return them: in a buffer of their own if `keep`, otherwise in a reused stream buffer."""
        self.stats.bytes_uploaded += sum(array.nbytes for array in arrays)
        return self.streams.upload(form, arrays, keep=keep)

    # Attachments and uniforms

    def channels(self, scene: PassContext) -> list[tuple[int, str]]:
        """Return the attachments that are written besides the first, each with the name of its channel."""
        names = scene.canvas.channels
        return [
            (number, names[number])
            for number in range(1, len(scene.canvas.pictures))
            if number < len(names) and names[number] and names[number] in scene.frame.channels
        ]

    def framebuffer(self, scene: PassContext, channels: Sequence[tuple[int, str]]) -> Any:
        """Return the framebuffer that writes the first attachment and these channels."""
        return scene.canvas.framebuffer((0, *(attachment for attachment, _ in channels)))

    def values(self, scene: PassContext, batch: Batch, **more: Any) -> dict[str, Any]:
        """Return the uniforms that every program has, together with `more`."""
        width, height = scene.canvas.size
        return {
            "resolution": (float(width), float(height)),
            "rish_levels": scene.canvas.levels,
            "rish_covers": 0.0 if batch.blend in LEAVES_CHANNELS else 1.0,
            "whole": int(batch.blend in _WHOLE_PIXELS),
            "keep_alpha": 0.0 if batch.blend == "add" else 1.0,
            **more,
        }

    # Drawing

    def rows(
        self, rows: Rows, order: DrawCall, scene: PassContext, origin: tuple[float, float], unit: float = 1.0
    ) -> None:
        """Draw each row as a strip of four corners. origin, unit: the row's positions count from `origin`, in these
        units.
        """
        device, program = self.device, order.program
        for number, texture in order.textures:
            device.texture(number, texture)
        program.use(order.values)
        program.place(scene.numbers, origin, unit)
        self.onto(order.framebuffer, order.clip, order.blend)
        device.strips(program.native, rows.geometry, rows.count)
        self.stats.draw_calls += 1

    def strips(self, rows: Rows, program: Program) -> None:
        """Draw each row as a strip of four corners."""
        rows.geometry.render(program.native, vertices=4, instances=rows.count)
        self.stats.draw_calls += 1

    def picture_call(self, scene: PassContext, batch: Batch, kind: str) -> DrawCall:
        """Return the draw call of a batch that is cut from images, with its material if that compiled."""
        from_target = isinstance(batch.texture, str)
        channels = self.channels(scene)
        variant = Variant(kind, batch.filter == "linear", from_target, len(channels))
        program = self._material_program(scene, batch, variant) if kind != "tiles" else None
        pictures = scene.input(batch.texture).texture if isinstance(batch.texture, str) else scene.pages.texture
        names = ["", *(name for _, name in channels)]
        textures = [(PAGES, pictures), *((TABLES + k, self._table(scene, batch, name)) for k, name in enumerate(names))]
        if batch.material is not None:
            textures.append((BEFORE, self._before(scene)))
        values = self.values(scene, batch, rish_frames=len(scene.frame.frames))
        framebuffer = self.framebuffer(scene, channels)
        program = program or self.programs.picture(variant)
        return DrawCall(program, framebuffer, scene.clip(batch), batch.blend, textures, values)

    def _material_program(self, scene: PassContext, batch: Batch, variant: Variant) -> Program | None:
        """Return the program with the batch's material; None if there is no material, or it did not compile."""
        material = batch.material
        if material is None:
            return None
        shader: Shader | None = scene.frame.shaders.get(material.name)
        if shader is None:
            self.stats.skip(
                f"material:{material.name}", "there is no shader with this name; it is drawn without the material"
            )
            return None
        program = self.materials.program(shader, variant, material.parameters, self.stats)
        if program is not None:
            program.set(time=float(scene.frame.time))
        return program

    def plain_only(self, batch: Batch) -> None:
        """Report a batch that has a material, if this backend has no materials for its kind."""
        if batch.material is not None:
            why = f"the arcade backend has no materials for '{batch.kind}'; it is drawn without the material"
            self.stats.skip(f"material:{batch.material.name}", why)

    def _table(self, scene: PassContext, batch: Batch, channel: str) -> Any:
        """Return the texture of the frame table, or of the table of a channel if it has a name."""
        frame, pages = scene.frame, scene.pages
        if channel:
            return pages.table(frame.channels[channel], frame.frames_version, channel)
        size = scene.input(batch.texture).size if isinstance(batch.texture, str) else None
        return pages.table(frame.frames, frame.frames_version, size=size)

    def _before(self, scene: PassContext) -> Any:
        """Return a copy of the target from before the pass; a transparent texel if the pass does not read it."""
        if scene.before is not None:
            return scene.before
        if self._clear is None:
            self._clear = self.device.ctx.texture((1, 1), components=4, data=bytes(4))
        return self._clear


def sane_origin(points: npt.NDArray[Any]) -> tuple[float, float]:
    """Return a central one of the points, float (n, 2), so that offsets from it lose no precision.

    The point is made of the medians of x and of y. Points with NaN or infinity are ignored.
    """
    fine = points[np.isfinite(points).all(axis=1)]
    if not len(fine):
        return 0.0, 0.0
    middle = len(fine) // 2
    x, y = np.partition(fine, middle, axis=0)[middle].tolist()
    return x, y
