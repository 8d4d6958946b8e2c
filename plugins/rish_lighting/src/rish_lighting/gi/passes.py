"""Radiance cascades by OpenGL: one pass for each cascade, then one for the light of each texel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..drawers.arcade.programs import Programs, put
from .cascades import Quality

REACH = 32
"""Texels up to which distances are known; rays leap no further at once."""


@dataclass
class _Cascade:
    """One cascade's numbers and its texture: means over four directions, a tile of probes for each."""

    number: int
    spacing: int
    directions: int
    stretch: tuple[float, float]
    probes: tuple[int, int]
    across: int
    buffer: Any


class CascadePasses:
    """Lights grids of one size on one context. It draws onto targets of its own, and leaves the bound one bound."""

    def __init__(self, ctx: Any, size: tuple[int, int], quality: Quality) -> None:
        self.ctx, self.size, self.quality = ctx, size, quality
        self._programs = Programs(ctx)
        self._triangle = ctx.geometry([], mode=ctx.TRIANGLES)
        self._columns, self._distances = self._buffer(size, 1), self._buffer(size, 1)
        self._thrown, self._nothing, self._light = (self._buffer(size, 4) for _ in range(3))
        self._fine, self._rough = (self._all(each) for each in (quality, quality.rough()))

    def illuminate(self, scene: Any, albedo: Any) -> Any:
        """The texture (w, h, rgba16f) with the mean radiance at each texel; its alpha is 1.

        scene: a texture, linear colour that a texel emits, and 1 in its alpha where it is solid. albedo: a texture, of
        solid texels. Both of the size of the grid.
        """
        bound = self.ctx.active_framebuffer
        self.ctx.disable(self.ctx.BLEND)
        self._draw(self._columns, ["COLUMN", f"REACH {REACH}.0"], scene=scene)
        self._draw(self._distances, ["ROW", f"REACH {REACH}.0"], scene=self._columns.color_attachments[0])
        self._nothing.clear(color=(0, 0, 0, 0))
        thrown = self._nothing
        for bounce in range(self.quality.bounces + 1):
            if bounce == self.quality.bounces:
                self._run(self._fine, scene, albedo, thrown, [], self._light)
            else:
                self._run(self._rough, scene, albedo, thrown, ["THROW"], self._thrown)
            thrown = self._thrown
        self.ctx.enable(self.ctx.BLEND)
        bound.use(force=True)
        return self._light.color_attachments[0]

    def _run(
        self, cascades: list[_Cascade], scene: Any, albedo: Any, thrown: Any, defines: list[str], onto: Any
    ) -> None:
        """All cascades from the widest down, and the light of each texel."""
        upper: _Cascade | None = None
        textures = {
            "scene": scene, "distances": self._distances.color_attachments[0], "albedo": albedo,
            "thrown": thrown.color_attachments[0],
        }  # fmt: skip
        for cascade in reversed(cascades):
            names = [*(["CASCADE"] if cascade.number else ["GATHER", *defines]), *([] if upper else ["LAST"])]
            self._draw(cascade.buffer or onto, names, self._numbers(cascade, upper), **textures, **self._above(upper))
            upper = cascade

    @staticmethod
    def _numbers(cascade: _Cascade, upper: _Cascade | None) -> dict[str, Any]:
        found = {
            "spacing": float(cascade.spacing), "directions": cascade.directions, "stretch": cascade.stretch,
            "probes": cascade.probes, "across": cascade.across,
        }  # fmt: skip
        if upper is not None:
            found |= {"upper_probes": upper.probes, "upper_across": upper.across, "upper_spacing": float(upper.spacing)}
        return found

    @staticmethod
    def _above(upper: _Cascade | None) -> dict[str, Any]:
        return {} if upper is None else {"upper": upper.buffer.color_attachments[0]}

    def _draw(self, onto: Any, defines: list[str], numbers: Any = None, **textures: Any) -> None:
        onto.use()
        program = self._programs.program("", "gi.frag", defines)
        put(program, size=self.size, **(numbers or {}))
        for unit, (name, texture) in enumerate(textures.items()):
            texture.use(unit)
            put(program, **{name: unit})
        self._triangle.render(program, vertices=3)

    def _all(self, quality: Quality) -> list[_Cascade]:
        """The cascades of a quality; the first has no texture of its own."""
        return [self._cascade(quality, number) for number in range(quality.count(self.size))]

    def _cascade(self, quality: Quality, number: int) -> _Cascade:
        spacing, directions = quality.spacing_of(number), quality.directions << 2 * number
        probes = (-(-self.size[0] // spacing), -(-self.size[1] // spacing))
        tiles = directions // 4
        across = 1
        while across < tiles and across * probes[0] < tiles // across * probes[1]:
            across *= 2
        whole = (across * probes[0], -(-tiles // across) * probes[1])
        buffer = self._buffer(whole, 4) if number else None
        return _Cascade(number, spacing, directions, quality.stretch(number, self.size), probes, across, buffer)

    def _buffer(self, size: tuple[int, int], components: int) -> Any:
        nearest = (self.ctx.NEAREST, self.ctx.NEAREST)
        texture = self.ctx.texture(size, components=components, dtype="f2", filter=nearest)
        return self.ctx.framebuffer(color_attachments=[texture])
