"""The surfaces of all targets, and what the passes draw onto and read: joined and copied surfaces."""

from __future__ import annotations

from typing import Any

from rish_frame import Pass, Target

from .device import Device
from .targets import Canvas, Picture, Surface, joined, surface_key


class Surfaces:
    """The surfaces by name of target, in an opened device. They are made when they are first needed."""

    def __init__(self, device: Device) -> None:
        self.by_name: dict[str, Surface] = {}
        self._device = device
        self._joins: dict[tuple[str, ...], tuple[list[Surface], Canvas]] = {}
        self._copies: dict[str, Canvas] = {}

    def of(self, target: Target, size: tuple[int, int]) -> Surface:
        """Return the surface of a target of this size in pixels; a new one if its size or formats have changed."""
        surface = self.by_name.get(target.name)
        if surface is None or surface.key != surface_key(target, size):
            self._device.use()
            surface = Surface(self._device, target, size, opaque=target.name == "screen")
            self.by_name[target.name] = surface
            surface.clear()
        surface.target, surface.channels = target, target.channels
        return surface

    def canvas(self, pass_: Pass) -> Canvas:
        """Return the canvas of a pass; the attachments of several targets are joined once and cached."""
        surfaces = [self.by_name[name] for name in pass_.targets]
        join = self._joins.get(pass_.targets)
        if join is None or join[0] != surfaces:
            join = self._joins[pass_.targets] = (surfaces, joined(self._device, surfaces))
        join[1].channels = surfaces[0].target.channels
        return join[1]

    def inputs(self, pass_: Pass) -> tuple[dict[str, Picture], Any]:
        """Return the inputs of a pass by name, and a copy of its first target or None.

        An input that the pass also draws onto is a copy of the target.
        """
        inputs: dict[str, Picture] = {}
        copies: dict[str, Canvas] = {}
        for name in pass_.inputs:
            base, _, attachment = name.partition(":")
            canvas: Canvas = self.by_name[base]
            if base in pass_.targets:
                if base not in copies:
                    depth = f"{base}:depth" in pass_.inputs
                    copy = self.by_name[base].copy(self._device, self._copies.get(base), depth=depth)
                    copies[base] = self._copies[base] = copy
                canvas = copies[base]
            inputs[name] = canvas.input(attachment)
        before = copies.get(pass_.targets[0])
        return inputs, before.pictures[0].texture if before is not None else None
