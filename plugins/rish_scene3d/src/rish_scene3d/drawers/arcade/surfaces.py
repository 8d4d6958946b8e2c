"""Draws `scene3d.surfaces`, `scene3d.depths` and `scene3d.gbuffer` with OpenGL: things with their materials."""

from __future__ import annotations

from typing import Any

from rish_frame import Batch, DrawTarget, Pass

from .contexts import PerContext, View, drawing
from .light import Light
from .programs import LIT, SOURCES
from .things import Look, Things

_MAPS = frozenset({"MAPS", "MAP_BASE", "MASKED", "SECOND_UV", "PICTURES"})
_ALL_MAPS = _MAPS | {"MAP_METALLIC_ROUGHNESS", "MAP_NORMAL", "MAP_OCCLUSION", "MAP_EMISSIVE"}
_SURFACE = _ALL_MAPS | {"PBR", "PHONG", "UNLIT", "DOUBLE_SIDED", "BRIGHT", "COLOR"}
_MATERIAL = ("tables", "colours", "view", SOURCES, "surface", "material")


class _Kit:
    """What these drawers share in one context."""

    def __init__(self, ctx: Any) -> None:
        self.things, self.light, self.view = Things(ctx), Light(ctx), View(ctx)


_kits = PerContext(_Kit)
"""Meshes and pictures are uploaded once for all three kinds."""


class ArcadeSurfaces:
    """Draws `scene3d.surfaces`."""

    needs = frozenset({"targets", "float", "depth"})
    steady = True

    def draw(self, device: Any, target: DrawTarget, batch: Batch, pass_: Pass) -> None:
        """Draw lit surfaces onto the target."""
        kit = _kits(device)
        lit = kit.light.use(batch)
        look = Look((*_MATERIAL, *LIT, "surfaces.frag"), _SURFACE | {"BLENDED"}, lit.defines, lit.maps)
        kit.view.aim(pass_, target.size)
        with drawing(device, target, pass_, depth=True, blend=True):
            kit.things.draw(batch, target, look)


class ArcadeDepths:
    """Draws `scene3d.depths`."""

    needs = frozenset({"targets", "float", "depth"})
    steady = True

    def draw(self, device: Any, target: DrawTarget, batch: Batch, pass_: Pass) -> None:
        """Draw depths, or distances from a lamp, onto the target."""
        kit = _kits(device)
        values = {"eye": tuple(batch.arrays["eye"].tolist()), "reach": float(batch.arrays["reach"][0])}
        look = Look((*_MATERIAL, "depths.frag"), _MAPS, values=values)
        kit.view.aim(pass_, target.size)
        with drawing(device, target, pass_, depth=True, blend=False):
            kit.things.draw(batch, target, look)


class ArcadeGbuffer:
    """Draws `scene3d.gbuffer`."""

    needs = frozenset({"targets", "float", "depth", "mrt"})
    steady = True

    def draw(self, device: Any, target: DrawTarget, batch: Batch, pass_: Pass) -> None:
        """Draw what light needs to know of each pixel onto the five attachments."""
        kit = _kits(device)
        kit.view.aim(pass_, target.size)
        with drawing(device, target, pass_, depth=True, blend=False):
            kit.things.draw(batch, target, Look((*_MATERIAL, "octahedral", "gbuffer.frag"), _SURFACE))
