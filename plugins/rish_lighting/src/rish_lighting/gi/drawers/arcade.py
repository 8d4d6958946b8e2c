"""Global illumination by OpenGL."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from rish_core.frame.backend import DrawTarget
from rish_core.frame.batches import Batch
from rish_core.frame.passes import Pass

from ...drawers.arcade.programs import Programs, put
from ..cascades import Quality, depth_of
from ..passes import CascadePasses


class ArcadeGlow:
    """Draws `light.gi`."""

    needs = frozenset({"targets", "float", "mrt"})

    def __init__(self) -> None:
        self._contexts: WeakKeyDictionary[Any, dict[Any, _Grid]] = WeakKeyDictionary()

    def draw(self, device: Any, target: DrawTarget, batch: Batch, pass_: Pass) -> None:
        """Add light to the target."""
        grids = self._contexts.setdefault(device, {})
        solid, directions = batch.arrays["solid"], int(batch.arrays["numbers"][3])
        key = (pass_.name, solid.shape, directions)
        if key not in grids:
            for old in [old for old in grids if old[0] == pass_.name]:
                del grids[old]
            grids[key] = _Grid(device, (solid.shape[1], solid.shape[0]), Quality(directions))
        grids[key].draw(target, batch)


class _Grid:
    """The textures and passes of one size on one context."""

    def __init__(self, ctx: Any, size: tuple[int, int], quality: Quality) -> None:
        self.ctx, self.size = ctx, size
        self._programs = Programs(ctx)
        self._triangle = ctx.geometry([], mode=ctx.TRIANGLES)
        nearest = (ctx.NEAREST, ctx.NEAREST)
        self._solid = ctx.texture(size, components=1, filter=nearest)
        self._seen = -1
        self._scene, self._albedo, self._filled = (
            ctx.framebuffer(color_attachments=[ctx.texture(size, components=4, dtype="f2", filter=nearest)])
            for _ in range(3)
        )
        filled = self._filled.color_attachments[0]
        filled.filter = ctx.LINEAR, ctx.LINEAR
        filled.wrap_x = filled.wrap_y = ctx.CLAMP_TO_EDGE
        self._cascades = CascadePasses(ctx, size, quality)

    def draw(self, target: DrawTarget, batch: Batch) -> None:
        """Make the scene, light it, and add the light."""
        ctx = self.ctx
        factor, strength, albedo, _ = (float(number) for number in batch.arrays["numbers"])
        version = int(batch.arrays["version"][0])
        if version != self._seen:
            self._solid.write(np.ascontiguousarray(batch.arrays["solid"] * np.uint8(255)))
            self._seen = version
        bound = ctx.active_framebuffer
        scissor = bound.scissor
        ctx.disable(ctx.BLEND)
        (glowing,) = target.inputs.values()
        self._render(self._scene, ["SHRINK"], {"emission": glowing, "solid": self._solid}, factor=factor)
        self._albedo.clear(color_normalized=(albedo, albedo, albedo, 1.0))
        scene = self._scene.color_attachments[0]
        light = self._cascades.illuminate(scene, self._albedo.color_attachments[0])
        ctx.disable(ctx.BLEND)
        self._render(self._filled, ["FILL"], {"light": light, "scene": scene}, reach=depth_of(self.size))
        ctx.enable(ctx.BLEND)
        ctx.blend_func = ctx.ONE, ctx.ONE
        bound.use(force=True)
        bound.scissor = scissor
        scale = (1 / target.size[0], 1 / target.size[1])
        self._render(None, ["ADD"], {"light": self._filled.color_attachments[0]}, strength=strength, scale=scale)

    def _render(self, onto: Any, defines: list[str], textures: dict[str, Any], **numbers: Any) -> None:
        if onto is not None:
            onto.use()
        program = self._programs.program("", "gi.frag", defines)
        put(program, size=self.size, **numbers)
        for unit, (name, texture) in enumerate(textures.items()):
            texture.use(unit)
            put(program, **{name: unit})
        self._triangle.render(program, vertices=3)
