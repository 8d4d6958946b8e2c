"""Holographic radiance cascades with OpenGL: a pass for each level of rays and of cones, and one for all texels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..drawers.arcade.programs import Screen
from .cascades import inner_of, levels_of


@dataclass
class _Pair:
    """The textures of two opposite quadrants, which are stored one above the other. rays, cones: framebuffers by
    level, from 1.
    """

    upright: int
    top: int
    rays: dict[int, Any]
    cones: dict[int, Any]


class CascadePasses:
    """Computes the light of grids of one size on one context.

    It draws onto its own framebuffers, and afterwards binds the framebuffer that was bound before.
    """

    def __init__(self, ctx: Any, size: tuple[int, int]) -> None:
        self.ctx, self.size = ctx, size
        self._screen = Screen(ctx, "gi.frag")
        self._thrown, self._nothing, self._light = (self._buffer(size) for _ in range(3))
        self._nothing.clear(color=(0, 0, 0, 0))
        self._pairs = [self._pair(upright) for upright in (0, 1)]

    def illuminate(self, scene: Any, albedo: Any, lamps: Any = None, *, glows: bool = True, bounces: int = 1) -> Any:
        """Return the texture (w, h, rgba16f) with the mean radiance at each free texel; its alpha is 1.

        scene: a texture with the linear color that each texel emits, and alpha 1 for solid texels. albedo: a texture,
        of solid texels. lamps: a texture, as in `cascades.illuminate`. All have the size of the grid. glows: whether
        any texel emits light.
        """
        bound = self.ctx.active_framebuffer
        self.ctx.disable(self.ctx.BLEND)
        fallen = lamps or self._nothing.color_attachments[0]
        thrown = None
        for bounce in range(bounces):
            if glows or bounce:
                self._run(scene, albedo, thrown, self._thrown, ["GATHER", "THROW"], lamps=fallen)
                thrown = self._thrown.color_attachments[0]
            else:
                thrown = fallen
        self._run(scene, albedo, thrown, self._light, ["GATHER"])
        self.ctx.enable(self.ctx.BLEND)
        bound.use(force=True)
        return self._light.color_attachments[0]

    def _run(self, scene: Any, albedo: Any, thrown: Any, onto: Any, defines: list[str], **more: Any) -> None:
        """Compute the rays and cones of both pairs, and draw the light of each texel onto `onto`."""
        textures = {"scene": scene} if thrown is None else {"scene": scene, "albedo": albedo, "thrown": thrown}
        back = [] if thrown is None else ["BACK"]
        for pair in self._pairs:
            self._draw(pair.rays[1], ["PAIR", *back], {"upright": pair.upright}, **textures)
            for level in range(1, pair.top - 1):
                numbers = {"upright": pair.upright, "level": level}
                self._draw(pair.rays[level + 1], ["GROW"], numbers, rays=pair.rays[level].color_attachments[0])
            for level in range(pair.top - 1, 0, -1):
                self._merge(pair, level)
        flat, upright = (pair.cones[1].color_attachments[0] for pair in self._pairs)
        self._draw(onto, [*defines, *back], {}, **textures, level_cones=flat, upright_cones=upright, **more)

    def _merge(self, pair: _Pair, level: int) -> None:
        """Compute the cones of a level: first in the even columns, then in the odd columns."""
        last = level == pair.top - 1
        buffers = {"rays": pair.rays[level]}
        if not last:
            buffers |= {"longer": pair.rays[level + 1], "cones": pair.cones[level + 1]}
        inner = 0.0 if last else float(inner_of(level))
        numbers = {"upright": pair.upright, "level": level, "inner": inner}
        defines = ["MERGE", *(["LAST"] if last else []), *(["INNER"] if inner else [])]
        textures = {name: buffer.color_attachments[0] for name, buffer in buffers.items()}
        onto, columns = pair.cones[level], pair.cones[level].width >> level
        middle = (columns + 1) // 2 << level
        for name, begin, end in (("EVEN", 0, middle), ("ODD", middle, onto.width)):
            if begin < end:
                onto.viewport = (begin, 0, end - begin, onto.height)
                self._draw(onto, [*defines, name], numbers, **textures)

    def _draw(self, onto: Any, defines: list[str], numbers: dict[str, Any], **textures: Any) -> None:
        onto.use()
        self._screen.render(defines, textures, size=self.size, **numbers)

    def _pair(self, upright: int) -> _Pair:
        length, width = self.size[::-1] if upright else self.size
        top = levels_of(length)

        def made(level: int, each: int) -> Any:
            return self._buffer((-(-length >> level) * each, 2 * width))

        rays = {level: made(level, (1 << level) + 1) for level in range(1, top)}
        cones = {level: made(level, 1 << level) for level in range(1, top)}
        return _Pair(upright, top, rays, cones)

    def _buffer(self, size: tuple[int, int]) -> Any:
        nearest = (self.ctx.NEAREST, self.ctx.NEAREST)
        return self.ctx.framebuffer(
            color_attachments=[self.ctx.texture(size, components=4, dtype="f2", filter=nearest)]
        )
