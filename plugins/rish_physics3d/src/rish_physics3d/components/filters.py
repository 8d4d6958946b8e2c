"""Which colliders meet: the bits of their layers, and their groups."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rish_core import UnknownName
from rish_dynamics import DEFAULT, layer_bits
from rish_jit import Array

from .bodies import Collider3D
from .settings import Physics3DSettings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rish_core import World

CATEGORY, MASK, GROUP = range(3)
"""The numbers of a filter."""


def layer_names(world: World) -> list[str]:
    """Return the names of the collision layers, for tools."""
    return list(dict.fromkeys([DEFAULT, *world[Physics3DSettings].layers]))


def filters_of(world: World) -> tuple[Array, list[str]]:
    """Return category, mask and group of all colliders, int32 (n, 3), and the names of unknown layers.

    Bits in the columns `category` and `mask` replace those of the collision layer. Colliders of an unknown layer are in
    the default one.
    """
    table = world.table(Collider3D)
    bits = layer_bits(world[Physics3DSettings].layers, "settings.physics3d.layers")
    filters = np.empty((len(table), 3), np.int32)
    unknown: list[str] = []
    layers = table.collision_layer
    for number in np.unique(layers).tolist():
        name = world.text(number)
        if name not in bits:
            unknown.append(name)
        filters[layers == number, :GROUP] = bits.get(name, bits[""])
    filters[:, CATEGORY] = np.where(table.category != 0, table.category, filters[:, CATEGORY])
    filters[:, MASK] &= table.mask
    filters[:, GROUP] = table.group
    return filters, unknown


def mask_bits(world: World, mask: int | str | Sequence[str]) -> int:
    """Return category bits, int32, of a number, or of one or several names of layers. Raises UnknownName."""
    if isinstance(mask, (int, np.integer)):
        return (int(mask) + (1 << 31)) % (1 << 32) - (1 << 31)
    bits = layer_bits(world[Physics3DSettings].layers, "settings.physics3d.layers")
    total = 0
    for name in [mask] if isinstance(mask, str) else mask:
        if name not in bits:
            raise UnknownName(f"there is no collision layer {name!r}", given=name, choices=[n for n in bits if n])
        total |= bits[name][0]
    return total
