"""Draws `scene3d.surfaces`, `scene3d.depths` and `scene3d.gbuffer` with OpenGL: things with their materials."""

from __future__ import annotations

from typing import Any
from weakref import WeakValueDictionary

from rish_frame import Batch, DrawTarget, Pass, PerContext

from .contexts import View, drawing
from .light import Light
from .programs import LIT, SOURCES
from .things import Look, Things

_MAPS = frozenset({"MAPS", "MAP_BASE", "MASKED", "SECOND_UV", "PICTURES", "PAGED", "ONE_MATERIAL"})
_ALL_MAPS = _MAPS | {"MAP_METALLIC_ROUGHNESS", "MAP_NORMAL", "MAP_OCCLUSION", "MAP_EMISSIVE"}
_SURFACE = _ALL_MAPS | {"PBR", "PHONG", "UNLIT", "DOUBLE_SIDED", "BRIGHT", "COLOR"}
_MATERIAL = ("tables", "colors", "view", SOURCES, "surface", "material")


class _Kit:
    """The data that these drawers share in one context, so that meshes and pictures are uploaded once."""

    def __init__(self, ctx: Any) -> None:
        self.things, self.light, self.view = Things(ctx), Light(ctx), View(ctx)


_shared: WeakValueDictionary[int, _Kit] = WeakValueDictionary()
"""The kits that drawers hold, by the id of their context, which a kit keeps alive."""


def _kit_of(ctx: Any) -> _Kit:
    kit = _shared.get(id(ctx))
    if kit is None:
        kit = _shared[id(ctx)] = _Kit(ctx)
    return kit


class _Drawer:
    """A drawer of things."""

    needs = frozenset({"targets", "float", "depth"})
    steady = True

    def __init__(self) -> None:
        self._kits = PerContext(_kit_of)


class ArcadeSurfaces(_Drawer):
    """Draws `scene3d.surfaces`."""

    def draw(self, device: Any, target: DrawTarget, batch: Batch, pass_: Pass) -> None:
        """Draw lit surfaces onto the target."""
        kit = self._kits(device)
        lit = kit.light.use(batch)
        look = Look(
            (*_MATERIAL, *LIT, "surfaces.frag"), _SURFACE | {"BLENDED"}, lit.defines, lit.lamp_maps, lit.sun_maps
        )
        kit.view.aim(pass_, target.size)
        with drawing(device, target, pass_, depth=True, blend=True):
            kit.things.draw(batch, target, look)


class ArcadeDepths(_Drawer):
    """Draws `scene3d.depths`."""

    def draw(self, device: Any, target: DrawTarget, batch: Batch, pass_: Pass) -> None:
        """Draw depths, or distances from a lamp, onto the target."""
        kit = self._kits(device)
        values = {"eye": tuple(batch.arrays["eye"].tolist()), "reach": float(batch.arrays["reach"][0])}
        look = Look((*_MATERIAL, "depths.frag"), _MAPS, cuts=True, values=values)
        kit.view.aim(pass_, target.size)
        with drawing(device, target, pass_, depth=True, blend=False):
            kit.things.draw(batch, target, look)


class ArcadeGbuffer(_Drawer):
    """Draws `scene3d.gbuffer`."""

    needs = frozenset({"targets", "float", "depth", "mrt"})

    def draw(self, device: Any, target: DrawTarget, batch: Batch, pass_: Pass) -> None:
        """Draw the inputs of deferred light for each pixel onto the five attachments."""
        kit = self._kits(device)
        kit.view.aim(pass_, target.size)
        with drawing(device, target, pass_, depth=True, blend=False):
            kit.things.draw(batch, target, Look((*_MATERIAL, "octahedral", "gbuffer.frag"), _SURFACE))
