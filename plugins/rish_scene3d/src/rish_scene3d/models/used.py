"""The names of the models and pictures in use: those that entities have, and those that prefabs name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rish_core import Prefabs

from ..components.billboards import Billboard3D
from ..components.models import Material3D, Model3D
from .materials import MAP_FIELDS

if TYPE_CHECKING:
    from rish_core import World

_FIELDS: dict[type, tuple[str, ...]] = {Model3D: ("asset",), Material3D: MAP_FIELDS, Billboard3D: ("image",)}


def names_in_use(world: World) -> set[str]:
    """Return the paths, shapes and `camera:NAME` of all entities, and of prefabs, which may be spawned at any time."""
    columns = [world.table(cls).column(name) for cls, names in _FIELDS.items() for name in names]
    found = {world.text(number) for number in np.unique(np.concatenate(columns)).tolist() if number}
    plans = world[Prefabs].plans.values() if Prefabs in world else ()
    parts = [
        (names, step.parts.get(cls, {})) for plan in plans for step in plan.steps for cls, names in _FIELDS.items()
    ]
    return found | {str(part[name]) for names, part in parts for name in names if part.get(name)}
