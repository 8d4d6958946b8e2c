"""Draws global illumination with OpenGL."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from rish_frame import Batch, DrawTarget, Pass
from rish_frame.frame import pixel_rect

from ...drawers.arcade.programs import Programs, put
from ..cascades import depth_of
from ..passes import CascadePasses


class _Screen:
    """The programs of one context, and a triangle that covers the target."""

    def __init__(self, ctx: Any) -> None:
        self.ctx = ctx
        self.programs = Programs(ctx)
        self._triangle = ctx.geometry([], mode=ctx.TRIANGLES)

    def render(self, defines: list[str], textures: dict[str, Any], **numbers: Any) -> None:
        """Draw over the complete bound framebuffer."""
        program = self.programs.program("", "gi.frag", defines)
        put(program, **numbers)
        for unit, (name, texture) in enumerate(textures.items()):
            texture.use(unit)
            put(program, **{name: unit})
        self._triangle.render(program, vertices=3)

    def replace(self, defines: list[str], textures: dict[str, Any], **numbers: Any) -> None:
        """Draw over the complete bound framebuffer without blending."""
        self.ctx.disable(self.ctx.BLEND)
        self.render(defines, textures, **numbers)
        self.ctx.enable(self.ctx.BLEND)


class ArcadeScene:
    """Draws `light.gi.scene`."""

    needs = frozenset({"targets", "float"})
    steady = True

    def __init__(self) -> None:
        self._contexts: WeakKeyDictionary[Any, _Screen] = WeakKeyDictionary()
        self._walls: WeakKeyDictionary[Any, dict[str, tuple[Any, Any]]] = WeakKeyDictionary()

    def draw(self, device: Any, target: DrawTarget, batch: Batch, pass_: Pass) -> None:
        """Fill the target."""
        screen = _screen(self._contexts, device)
        numbers = batch.arrays["numbers"]
        textures = {"solid": self._upload(device, pass_.name, batch)}
        window = (0, 0, 0, 0)
        for glowing in target.inputs.values():
            textures["emission"] = glowing
            window = pixel_rect(tuple(numbers[1:].tolist()), glowing.size)
        defines = ["SHRINK", *(["GLOWS"] if target.inputs else [])]
        screen.replace(defines, textures, size=target.size, factor=float(numbers[0]), window=window)

    def _upload(self, device: Any, name: str, batch: Batch) -> Any:
        """Return the walls as a texture; they are uploaded only if their version changed."""
        kept = self._walls.setdefault(device, {})
        solid, version = batch.arrays["solid"], int(batch.arrays["version"][0])
        seen, texture = kept.get(name, (None, None))
        if seen == version:
            return texture
        size = (solid.shape[1], solid.shape[0])
        if texture is None or texture.size != size:
            nearest = (device.NEAREST, device.NEAREST)
            texture = device.texture(size, components=1, filter=nearest)
        texture.write(np.ascontiguousarray(solid * np.uint8(255)))
        kept[name] = (version, texture)
        return texture


class ArcadeFaces:
    """Draws `light.gi.faces`."""

    needs = frozenset({"targets", "float"})
    steady = True

    def __init__(self) -> None:
        self._contexts: WeakKeyDictionary[Any, _Screen] = WeakKeyDictionary()

    def draw(self, device: Any, target: DrawTarget, batch: Batch, pass_: Pass) -> None:
        """Fill the target."""
        (scene,) = target.inputs.values()
        a, b, c, d = batch.arrays["turn"].tolist()
        _screen(self._contexts, device).replace(["FACE"], {"scene": scene}, size=target.size, turn=(a, c, b, d))


class ArcadeGlow:
    """Draws `light.gi`."""

    needs = frozenset({"targets", "float"})
    steady = True

    def __init__(self) -> None:
        self._contexts: WeakKeyDictionary[Any, dict[tuple[int, int], _Grid]] = WeakKeyDictionary()

    def draw(self, device: Any, target: DrawTarget, batch: Batch, pass_: Pass) -> None:
        """Add the global illumination to the target."""
        scene, *lamps = target.inputs.values()
        grids = self._contexts.setdefault(device, {})
        if scene.size not in grids:
            if len(grids) >= 4:
                grids.clear()
            grids[scene.size] = _Grid(device, scene.size)
        grids[scene.size].draw(target, batch, pass_, scene, lamps[0] if lamps else None)


def _screen(contexts: WeakKeyDictionary[Any, _Screen], device: Any) -> _Screen:
    known = contexts.get(device)
    if known is None:
        known = contexts[device] = _Screen(device)
    return known


class _Grid:
    """The textures and passes of one size on one context."""

    def __init__(self, ctx: Any, size: tuple[int, int]) -> None:
        self.ctx, self.size = ctx, size
        self.screen = _Screen(ctx)
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
