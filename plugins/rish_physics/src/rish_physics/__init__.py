"""Physics for Rish: rigid bodies, joints, queries and events in 2D.

Every public name stands here; a module is imported when one of its names is first used::

    from rish_physics import Body, Collider, apply_impulse, cast_rays
"""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .components import Body, BodyType, Collider, ColliderShape
    from .events import (
        ContactBegin,
        ContactEnd,
        ContactStay,
        FellAsleep,
        Hit,
        JointBroke,
        SensorBegin,
        SensorEnd,
        SensorStay,
        WokeUp,
    )
    from .forces import apply_angular_impulse, apply_force, apply_impulse, apply_torque, explode
    from .joints.components import Revolute
    from .settings import Correction, FrictionMix, RestitutionMix, Settings
    from .timings import Timings

_WHERE = {
    "components": "Body BodyType Collider ColliderShape",
    "events": "ContactBegin ContactEnd ContactStay FellAsleep Hit JointBroke SensorBegin SensorEnd SensorStay WokeUp",
    "forces": "apply_angular_impulse apply_force apply_impulse apply_torque explode",
    "joints.components": "Revolute",
    "settings": "Correction FrictionMix RestitutionMix Settings",
    "timings": "Timings",
}
_MODULE_OF = {name: module for module, names in _WHERE.items() for name in names.split()}

__all__ = sorted(_MODULE_OF)  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> Any:
    """A public name, fetched from its module at first use."""
    module = _MODULE_OF.get(name)
    if module is None:
        from rish_core.errors import did_you_mean

        raise AttributeError(f"rish_physics has no {name!r}{did_you_mean(name, __all__)}", name=name, obj=None)
    found = getattr(importlib.import_module(f".{module}", __name__), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    """Every public name."""
    return __all__
