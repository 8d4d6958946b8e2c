"""Targets: the textures that are drawn onto, and their framebuffers.

As everywhere in OpenGL, the bottom row comes first. A framebuffer writes some of a target's attachments: all of them
for a drawer, only the first for most kinds, the first and the channels for sprites.
"""

from __future__ import annotations

from collections.abc import Sequence
from ctypes import c_float
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rish_frame import BackendError, Target
from rish_frame.frame import FORMATS

from .device import Device

_DTYPES = {"rgba8": "f1", "rgba16f": "f2", "r32f": "f4"}
_FAR = c_float(1.0)


@dataclass
class Picture:
    """One attachment: its texture, its format, and its size in pixels."""

    texture: Any
    form: str
    size: tuple[int, int]


class Canvas:
    """The canvas of a pass: its attachments, its depth texture or None, and the framebuffers created so far."""

    def __init__(self, device: Device, size: tuple[int, int], pictures: list[Picture], depth: Any) -> None:
        self.size, self.pictures, self.depth = size, pictures, depth
        self.channels: tuple[str, ...] = ()
        self._device = device
        self._framebuffers: dict[tuple[int, ...], Any] = {}

    @property
    def levels(self) -> float:
        """The number of levels of a color channel, for shaders: 255 for 8 bits, and more than a half float has
        otherwise.
        """
        return 255.0 if self.pictures[0].form == "rgba8" else 65536.0

    def input(self, attachment: str) -> Picture:
        """Return an attachment by its name in an input of a pass: "" is the first, "depth" the depth."""
        return Picture(self.depth, "depth", self.size) if attachment == "depth" else self.pictures[int(attachment or 0)]

    def framebuffer(self, numbers: Sequence[int] = (0,)) -> Any:
        """Return the framebuffer that writes these attachments."""
        key = tuple(numbers)
        framebuffer = self._framebuffers.get(key)
        if framebuffer is None:
            textures = [self.pictures[number].texture for number in key]
            framebuffer = self._device.framebuffer(textures, self.depth)
            self._framebuffers[key] = framebuffer
        return framebuffer

    @property
    def everything(self) -> Any:
        """The framebuffer that writes all attachments."""
        return self.framebuffer(range(len(self.pictures)))

    def read(self, number: int) -> npt.NDArray[Any]:
        """Return a copy of an attachment, top row first: uint8 or float32 (h, w, channels)."""
        width, height = self.size
        form = self.pictures[number].form
        parts = FORMATS[form]
        dtype = ("f1", np.uint8) if form == "rgba8" else ("f4", np.float32)
        data = self.framebuffer((number,)).read(components=parts, dtype=dtype[0])
        return np.frombuffer(data, dtype[1]).reshape(height, width, parts)[::-1].copy()


class Surface(Canvas):
    """The canvas of a declared target."""

    def __init__(self, device: Device, target: Target, size: tuple[int, int], *, opaque: bool = False) -> None:
        if max(size) > device.limit:
            raise BackendError(
                f"the target '{target.name}' of {size[0]}x{size[1]} is too large for this graphics card",
                hint=f"The greatest side is {device.limit} pixels",
            )
        pictures = [Picture(_texture(device, target, form, size), form, size) for form in target.formats]
        super().__init__(device, size, pictures, device.ctx.depth_texture(size) if target.depth else None)
        self.target, self.opaque, self.channels = target, opaque, target.channels
        self.key = surface_key(target, size)
        self._clear: tuple[Any, list[Any]] = (None, [])
        try:
            self.framebuffer(range(len(pictures)))
        except (ValueError, RuntimeError) as error:
            raise BackendError(
                f"this graphics card can't make the target '{target.name}' of {size[0]}x{size[1]}: {error}"
            ) from error

    def clear(self) -> None:
        """Fill the colors and the depth with the target's clear values."""
        if self._clear[0] != self.target.clear:
            self._clear = (self.target.clear, self._colors())
        depth = _FAR if self.depth is not None else None
        self._device.clear(self.everything, (0, 0, *self.size), self._clear[1], depth)

    def _colors(self) -> list[Any]:
        """Return the clear colors as C arrays; for 8-bit formats they are rounded to levels."""
        colors: list[Any] = []
        for number, picture in enumerate(self.pictures):
            color = np.array(self.target.clear_color(number), np.float64)
            if self.opaque and number == 0:
                color[3] = 1.0
            if picture.form == "rgba8":
                color = np.floor(np.clip(color, 0, 1) * 255 + 0.5) / 255
            colors.append((c_float * 4)(*color.tolist()))
        return colors

    def copy(self, device: Device, former: Canvas | None, *, depth: bool = False) -> Canvas:
        """Return another canvas with the same contents; `former` is used again if it has the right formats and sizes.

        depth: copy the depth too.
        """
        if (
            former is None
            or (depth and former.depth is None)
            or [(p.form, p.size) for p in former.pictures] != [(p.form, p.size) for p in self.pictures]
        ):
            pictures = [Picture(_texture(device, self.target, p.form, p.size), p.form, p.size) for p in self.pictures]
            former = Canvas(device, self.size, pictures, device.ctx.depth_texture(self.size) if depth else None)
        for number in range(len(self.pictures)):
            device.copy(self.framebuffer((number,)), former.framebuffer((number,)), self.size)
        if depth:
            device.copy(self.framebuffer(), former.framebuffer(), self.size, depth=True)
        return former


def surface_key(target: Target, size: tuple[int, int]) -> tuple[Any, ...]:
    """Return a key that changes if the target needs a new surface."""
    return size, target.formats, target.depth, target.filter


def joined(device: Device, surfaces: Sequence[Surface]) -> Canvas:
    """Return the canvas of a pass: its target, or the attachments of several targets one after another."""
    if len(surfaces) == 1:
        return surfaces[0]
    pictures = [picture for surface in surfaces for picture in surface.pictures]
    depth = next((surface.depth for surface in surfaces if surface.depth is not None), None)
    return Canvas(device, surfaces[0].size, pictures, depth)


def _texture(device: Device, target: Target, form: str, size: tuple[int, int]) -> Any:
    ctx = device.ctx
    smooth = ctx.LINEAR if target.filter == "linear" else ctx.NEAREST
    return ctx.texture(
        size,
        components=FORMATS[form],
        dtype=_DTYPES[form],
        filter=(smooth, smooth),
        wrap_x=ctx.CLAMP_TO_EDGE,
        wrap_y=ctx.CLAMP_TO_EDGE,
    )
