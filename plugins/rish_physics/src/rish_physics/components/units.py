"""Converts the settings from metres to world units, once, for the kernels.

Multiplying by a power of two does not change the mantissa of a float. So a scene whose lengths are all multiplied by
64, at 64 units per metre, moves exactly as the original scene at one unit per metre. For this reason only this file
multiplies by `units_per_meter`, and no kernel contains a constant length.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .settings import Correction, FrictionMix, PhysicsSettings, RestitutionMix


@dataclass(frozen=True, slots=True)
class Scaled:
    """The settings in world units; every float is a float32.

    unit: units per metre. gravity_x, gravity_y: units/s². density: kg/units². *_speed, restitution_threshold: units/s.
    slop, speculative, margin, recycle, reach: units. *_hertz: 1/s. sleep_time: s. *_damping, baumgarte: no unit.
    friction_mix, restitution_mix, correction: the index of the member in its enum. time_scale: seconds of a step for
    one second of the tick.
    """

    unit: Any
    gravity_x: Any
    gravity_y: Any
    density: Any
    restitution_threshold: Any
    hit_speed: Any
    max_speed: Any
    reach: Any
    push_speed: Any
    slop: Any
    speculative: Any
    margin: Any
    recycle: Any
    sleep_speed: Any
    sleep_time: Any
    contact_hertz: Any
    contact_damping: Any
    static_hertz: Any
    joint_hertz: Any
    joint_damping: Any
    baumgarte: Any
    time_scale: float
    substeps: int
    iterations: int
    relaxations: int
    friction_mix: int
    restitution_mix: int
    correction: int
    sleeping: bool
    continuous: bool
    warm_starting: bool


_LENGTHS = (
    "restitution_threshold", "hit_speed", "max_speed", "reach", "push_speed", "slop", "speculative", "margin",
    "recycle", "sleep_speed",
)  # fmt: skip
_NUMBERS = (
    "sleep_time", "contact_hertz", "contact_damping", "static_hertz", "joint_hertz", "joint_damping", "baumgarte",
)  # fmt: skip
_PLAIN = ("time_scale", "substeps", "iterations", "relaxations", "sleeping", "continuous", "warm_starting")


def scaled(settings: PhysicsSettings) -> Scaled:
    """Return the settings in world units. Each length is rounded to float32 first and then multiplied."""
    unit = np.float32(settings.units_per_meter)
    x, y = (np.float32(part) * unit for part in settings.gravity)
    return Scaled(
        unit=unit,
        gravity_x=x,
        gravity_y=y,
        density=np.float32(settings.density) / (unit * unit),
        friction_mix=list(FrictionMix).index(settings.friction_mix),
        restitution_mix=list(RestitutionMix).index(settings.restitution_mix),
        correction=list(Correction).index(settings.correction),
        **{name: np.float32(getattr(settings, name)) * unit for name in _LENGTHS},
        **{name: np.float32(getattr(settings, name)) for name in _NUMBERS},
        **{name: getattr(settings, name) for name in _PLAIN},
    )


def scaled_of(settings: PhysicsSettings) -> Scaled:
    """Return the settings in world units, as one cached object that is replaced only after a setting has changed."""
    kept = settings.__dict__
    gravity: Any = settings.gravity  # often an array, which may be modified in place
    now = (kept["changes"], gravity.tobytes() if isinstance(gravity, np.ndarray) else gravity)
    found = kept.get("scaled")
    if found is None or found[0] != now:
        found = kept["scaled"] = (now, scaled(settings))
    return found[1]
