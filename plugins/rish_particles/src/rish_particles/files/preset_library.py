"""The library of presets: each is loaded once, and converted into the tables that kernels read. The library is derived
data.

A preset is identified by its *full name*: the asset of its file, followed by `#` and the inner name for an inner
preset. When a file changes on disk, a new page replaces the old one while its particles stay alive.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_assets import AssetLibrary, AssetReader
from rish_core import resource
from rish_jit import Array

from ..components.notices import Notices
from ..curves import color_table
from ..preset import CHILDREN, Child, Effect, Preset, Vortex
from .reading import asset_of

if TYPE_CHECKING:
    from rish_core import World


def packed(color: Any) -> int:
    """Pack a straight color 0..1 into four bytes, red lowest, in an int32."""
    red, green, blue, alpha = (int(min(max(float(part), 0.0), 1.0) * 255 + 0.5) for part in color)
    value = red | green << 8 | blue << 16 | alpha << 24
    return value - (1 << 32) if value >= 1 << 31 else value


@dataclass(eq=False)
class Page:
    """A preset with its tables.

    speed, spin, size: over life, see `Curve.stepped`. color: int32 COLORS, four bytes each. tints: int32, the tints to
    draw from. straight: the bits of speed and spin if their curves are straight lines, see `kernels.update`.
    """

    preset: Preset
    speed: Array
    spin: Array
    size: Array
    color: Array
    tints: Array
    straight: int


def page_of(preset: Preset) -> Page:
    """Return the page of a preset, with its curves sampled."""
    speed, spin, size = (
        curve.stepped() for curve in (preset.speed_over_life, preset.spin_over_life, preset.size_over_life)
    )
    color = color_table(preset.color_over_life, preset.opacity_over_life)
    tints = np.array([packed(each) for each in preset.colors], np.int32)
    straight = int(preset.speed_over_life.straight) + 2 * int(preset.spin_over_life.straight)
    return Page(preset, speed, spin, size, color.view(np.int32)[:, 0].copy(), tints, straight)


def _full(effect: Effect, asset: str) -> Effect:
    """Return an effect in which the names of presets and children are full names."""

    def full(name: str) -> str:
        return f"{asset}{name}" if name.startswith("#") or not name else asset_of(name)

    def child(each: Child | None) -> Child | None:
        return None if each is None else replace(each, preset=full(each.preset))

    def vortex(each: Vortex) -> Vortex:
        return replace(each, emitted=full(each.emitted)) if each.emitted else each

    presets: dict[str, Preset] = {}
    for name, preset in effect.presets.items():
        presets[full(name)] = replace(
            preset,
            name=full(name),
            **{key: child(getattr(preset, key)) for key in CHILDREN},
            forces=replace(preset.forces, vortices=tuple(vortex(each) for each in preset.forces.vortices)),
        )
    return Effect(asset, presets, tuple(full(name) for name in effect.run))


@dataclass(eq=False)
class Presets:
    """The content of a file: the effect, None if it can't be loaded, and the pages of its presets by full name."""

    effect: Effect | None = None
    pages: dict[str, Page] = dataclass_field(default_factory=dict[str, Page])


def _with_pages(effect: Effect) -> Presets:
    return Presets(effect, {name: page_of(preset) for name, preset in effect.presets.items()})


@resource(derived=True)
class PresetLibrary(AssetLibrary[Presets]):
    """The presets of this world: `effect` and `page` by name; None for those that can't be loaded, logged once."""

    def __init__(self) -> None:
        super().__init__("preset", self._read, placeholder=Presets, log="rish.particles")

    def effect(self, world: World, name: str) -> Effect | None:
        """Return the effect of a name as an author writes it, such as `fire` or an asset; None if it cannot be
        loaded.
        """
        return self.get(world, asset_of(name)).effect

    def page(self, world: World, full: str) -> Page | None:
        """Return the page of a full name; None if the preset cannot be loaded."""
        page = self.get(world, full.partition("#")[0]).pages.get(full)
        if page is None:
            world[Notices].error(f"there is no preset {full}, so its particles are left out")
        return page

    def add(self, effect: Effect, asset: str) -> Effect:
        """Add an effect under the name of an asset, replacing an existing one; return it with full names."""
        complete = _full(effect, asset)
        self.put(asset, _with_pages(complete))
        return complete

    def _read(self, asset: str, read: AssetReader) -> Presets:
        """Return the presets of a file, also of the seed's format."""
        effect = read()
        if not isinstance(effect, Effect):
            from .seed_format import effect_of_seed

            effect = effect_of_seed(effect, asset)
        return _with_pages(_full(effect, asset))
