"""Draws `scene3d.shade`, `scene3d.sky` and `scene3d.develop` with OpenGL: one triangle over the viewport."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_frame import Batch, DrawTarget, Pass, PerContext, PerVersion

from ... import layout as at
from .contexts import View, drawing
from .light import Light
from .programs import COVER, FIRST_UNIT, LIT, SOURCES, Programs, Shader
from .sources import Sources, text_of


class _Screen:
    """The programs of one context that cover the viewport."""

    def __init__(self, ctx: Any) -> None:
        self.ctx, self.light, self.view = ctx, Light(ctx), View(ctx)
        self._programs = Programs(ctx)
        self._triangle = ctx.geometry([], mode=ctx.TRIANGLES)

    def render(
        self, target: DrawTarget, files: tuple[str, ...], sources: Sources, defines: frozenset[str], **values: Any
    ) -> None:
        """Draw over the viewport. values: uniforms."""
        samplers, linear = sources.use(target)
        program = self._programs(Shader(COVER, files, defines, text_of(sources, linear), samplers))
        program.set(**values)
        self._triangle.render(program.native, vertices=3)


class ArcadeShade:
    """Draws `scene3d.shade`."""

    needs = frozenset({"targets", "float", "depth", "mrt"})
    steady = True
    FILES = ("tables", "view", SOURCES, "surface", *LIT, "shade.frag")
    _MODELS = frozenset({"PBR", "PHONG", "UNLIT"})

    def __init__(self) -> None:
        self._screens = PerContext(_Screen)

    def draw(self, device: Any, target: DrawTarget, batch: Batch, pass_: Pass) -> None:
        """Light the pixels that the attachments describe, and write their depth."""
        screen = self._screens(device)
        lit = screen.light.use(batch)
        screen.view.aim(pass_, target.size)
        with drawing(device, target, pass_, depth=True, blend=False):
            screen.render(
                target,
                self.FILES,
                Sources(0, (), lit.lamp_maps, lit.sun_maps, (0, 1, 2, 3, 4)),
                lit.defines | self._MODELS,
            )


class _Sky(_Screen):
    """The pictures of the sky of one context."""

    def __init__(self, ctx: Any) -> None:
        super().__init__(ctx)
        self.pictures = PerVersion[_Picture]()


class _Picture:
    """The picture of a sky on the graphics card."""

    def __init__(self, ctx: Any) -> None:
        self._ctx = ctx
        self.texture: Any = None

    def write(self, batch: Batch) -> None:
        """Write the picture of a batch."""
        picture = batch.arrays["picture"]
        size = picture.shape[1], picture.shape[0]
        if self.texture is None or self.texture.size != size:
            nearest = self._ctx.NEAREST, self._ctx.NEAREST
            self.texture = self._ctx.texture(size, components=3, dtype="f4", filter=nearest)
        self.texture.write(np.ascontiguousarray(picture, np.float32))


class ArcadeSky:
    """Draws `scene3d.sky`."""

    needs = frozenset({"targets", "float"})
    steady = True

    def __init__(self) -> None:
        self._skies = PerContext(_Sky)

    def draw(self, device: Any, target: DrawTarget, batch: Batch, pass_: Pass) -> None:
        """Draw the sky over the viewport, and make its depth far."""
        sky = self._skies(device)
        sky.light.use(batch)
        sky.view.aim(pass_, target.size)
        sky.pictures.written(batch, lambda: _Picture(device), _Picture.write).texture.use(FIRST_UNIT)
        starry = frozenset({"STARRY"} if batch.arrays["scene"][at.STARS] > 0 else ())
        suns = min(len(batch.arrays["suns"]), at.MAX_SUNS)
        with drawing(device, target, pass_, depth=True, blend=False, always=True):
            values = {"picture": FIRST_UNIT, "sun_count": suns}
            sky.render(target, ("view", "scene", "cube", "sky.frag"), Sources(), starry, **values)


class ArcadeDevelop:
    """Draws `scene3d.develop`."""

    needs = frozenset({"targets", "float"})
    steady = True

    def __init__(self) -> None:
        self._screens = PerContext(_Screen)

    def draw(self, device: Any, target: DrawTarget, batch: Batch, pass_: Pass) -> None:
        """Draw the first input of the pass over the viewport, tone mapped and encoded."""
        screen = self._screens(device)
        screen.view.aim(pass_, target.size)
        values = {"exposure": float(batch.arrays["exposure"][0]), "tone": int(batch.arrays["tone"][0])}
        with drawing(device, target, pass_, depth=False, blend=True):
            files = ("colors", "view", SOURCES, "develop.frag")
            screen.render(target, files, Sources(whole=(0,)), frozenset(), **values)
