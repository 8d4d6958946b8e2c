"""Draws global illumination with OpenGL."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from rish_frame import Batch, DrawTarget, Pass, PerContext
from rish_frame.frame import pixel_rect

from ...drawers.arcade.programs import CachedTexture, Screen
from ..cascades import depth_of
from ..passes import CascadePasses

_screen = partial(Screen, fragment="gi.frag")


def _no_walls(_: Any) -> dict[str, CachedTexture]:
    return {}


def _no_grids(_: Any) -> dict[tuple[int, int], _Grid]:
    return {}


class ArcadeScene:
    """Draws `light.gi.scene`."""

    needs = frozenset({"targets", "float"})
    steady = True

    def __init__(self) -> None:
        self._screen = PerContext(_screen)
        self._walls = PerContext(_no_walls)

    def draw(self, device: Any, target: DrawTarget, batch: Batch, pass_: Pass) -> None:
        """Fill the target."""
        screen = self._screen(device)
        numbers = batch.arrays["numbers"]
        walls = self._walls(device)
        if pass_.name not in walls:
            walls[pass_.name] = CachedTexture(device, components=1, filter=(device.NEAREST, device.NEAREST))
        solid = walls[pass_.name].shown(batch.arrays["solid"], np.uint8(255))
        textures = {"solid": solid}
        window = (0, 0, 0, 0)
        for glowing in target.inputs.values():
            textures["emission"] = glowing
            window = pixel_rect(tuple(numbers[1:].tolist()), glowing.size)
        defines = ["SHRINK", *(["GLOWS"] if target.inputs else [])]
        screen.replace(defines, textures, size=target.size, factor=float(numbers[0]), window=window)


class ArcadeFaces:
    """Draws `light.gi.faces`."""

    needs = frozenset({"targets", "float"})
    steady = True

    def __init__(self) -> None:
        self._screen = PerContext(_screen)

    def draw(self, device: Any, target: DrawTarget, batch: Batch, pass_: Pass) -> None:
        """Fill the target."""
        (scene,) = target.inputs.values()
        a, b, c, d = batch.arrays["turn"].tolist()
        self._screen(device).replace(["FACE"], {"scene": scene}, size=target.size, turn=(a, c, b, d))


class ArcadeGlow:
    """Draws `light.gi`."""

    needs = frozenset({"targets", "float"})
    steady = True

    def __init__(self) -> None:
        self._grids = PerContext(_no_grids)

    def draw(self, device: Any, target: DrawTarget, batch: Batch, pass_: Pass) -> None:
        """Add the global illumination to the target."""
        scene, *lamps = target.inputs.values()
        grids = self._grids(device)
        if scene.size not in grids:
            if len(grids) >= 4:
                grids.clear()
            grids[scene.size] = _Grid(device, scene.size)
        grids[scene.size].draw(target, batch, pass_, scene, lamps[0] if lamps else None)


class _Grid:
    """The textures and passes of one size on one context."""

    def __init__(self, ctx: Any, size: tuple[int, int]) -> None:
        self.ctx, self.size = ctx, size
        self.screen = _screen(ctx)
        self._albedo, self._filled = (
            ctx.framebuffer(color_attachments=[ctx.texture(size, components=4, dtype="f2")]) for _ in range(2)
        )
        filled = self._filled.color_attachments[0]
        filled.filter = ctx.LINEAR, ctx.LINEAR
        filled.wrap_x = filled.wrap_y = ctx.CLAMP_TO_EDGE
        self.cascades = CascadePasses(ctx, size)

    def draw(self, target: DrawTarget, batch: Batch, pass_: Pass, scene: Any, lamps: Any) -> None:
        """Compute the light of the scene, and add it to the target."""
        ctx = self.ctx
        strength, albedo, glows = (float(number) for number in batch.arrays["numbers"])
        bound = ctx.active_framebuffer
        scissor, viewport = bound.scissor, bound.viewport
        self._albedo.clear(color_normalized=(albedo, albedo, albedo, 1.0))
        light = self.cascades.illuminate(scene, self._albedo.color_attachments[0], lamps, glows=bool(glows))
        self._filled.use()
        self.screen.replace(["FILL"], {"light": light, "scene": scene}, size=self.size, reach=depth_of(self.size))
        ctx.blend_func = ctx.ONE, ctx.ONE
        bound.use(force=True)
        bound.viewport, bound.scissor = viewport, scissor
        x, y, w, h = pixel_rect(pass_.viewport, target.size)
        numbers = {"strength": strength, "scale": (1 / max(w, 1), 1 / max(h, 1)), "corner": (x, y)}
        self.screen.render(["ADD"], {"light": self._filled.color_attachments[0]}, **numbers)
