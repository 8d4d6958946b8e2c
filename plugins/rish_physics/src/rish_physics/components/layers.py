"""Collision layers of colliders: the bits of `settings: physics: layers`, see `rish_dynamics.layers`."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rish_core import World
from rish_dynamics import layer_bits
from rish_ecs.declarations import distinct

from .bodies import Collider
from .notices import notify
from .settings import PhysicsSettings

PLACE = "settings.physics.layers"
"""Where layers are written in a manifest."""


def filters_of(world: World, rows: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return category and mask of colliders (rows), int32 (m, 2). Bits in the columns `category` and `mask` replace
    those of the collision layer.
    """
    table = world.table(Collider)
    bits = layer_bits(world[PhysicsSettings].layers, PLACE)
    filters = np.empty((len(rows), 2), np.int32)
    layers = table.collision_layer[rows]
    for number in distinct(layers).tolist():
        name = world.text(number)
        if name not in bits:
            notify(world, f"layer {name}", f"there is no collision layer {name!r}; its colliders use the default layer")
        filters[layers == number] = bits.get(name, bits[""])
    category = table.category[rows]
    filters[:, 0] = np.where(category != 0, category, filters[:, 0])
    filters[:, 1] &= table.mask[rows]
    return filters
