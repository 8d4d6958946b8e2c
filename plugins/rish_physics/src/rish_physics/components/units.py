"""Converts the settings from meters to world units, once, for the kernels.

Multiplying by a power of two does not change the mantissa of a float. So a scene whose lengths are all multiplied by
64, at 64 units per meter, moves exactly as the original scene at one unit per meter. For this reason only this file
multiplies by `units_per_meter`, and no kernel contains a constant length.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from enum import Enum
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import UsageError

from .settings import Correction, FrictionMix, PhysicsSettings, RestitutionMix

_LENGTHS = (
    "restitution_threshold", "hit_speed", "max_speed", "reach", "push_speed", "slop", "speculative", "margin",
    "recycle", "sleep_speed",
)  # fmt: skip
_NUMBERS = (
    "sleep_time", "contact_hertz", "contact_damping", "static_hertz", "joint_hertz", "joint_damping", "baumgarte",
)  # fmt: skip
_NO_MOTION = frozenset({"time_scale", "hit_speed", "density", "unit"})
"""The settings that cannot move a body at rest, except through its shape."""
_UNCONVERTED = ("time_scale", "substeps", "iterations", "relaxations", "sleeping", "continuous", "warm_starting")
_CHOICES = {"friction_mix": FrictionMix, "restitution_mix": RestitutionMix, "correction": Correction}


class Scaled:
    """The settings in world units; every float is a float32. Each length is rounded first and then multiplied.

    unit: units per meter. gravity_x, gravity_y: units/s². density: kg/units². *_speed, restitution_threshold: units/s.
    slop, speculative, margin, recycle, reach: units. *_hertz: 1/s. sleep_time: s. *_damping, baumgarte: no unit.
    friction_mix, restitution_mix, correction: the index of the member in its enum. time_scale: seconds of a step for
    one second of the tick.
    """

    def __init__(self, settings: PhysicsSettings) -> None:
        unit = self.unit = np.float32(settings.units_per_meter)
        self.gravity_x, self.gravity_y = (np.float32(part) * unit for part in settings.gravity)
        self.density = np.float32(settings.density) / (unit * unit)
        values = settings.__dict__
        self.__dict__.update({name: np.float32(values[name]) * unit for name in _LENGTHS})
        self.__dict__.update({name: np.float32(values[name]) for name in _NUMBERS})
        self.__dict__.update({name: values[name] for name in _UNCONVERTED})
        self.__dict__.update({name: _index_of(name, kind, values[name]) for name, kind in _CHOICES.items()})

    def motion(self) -> int:
        """Return a fingerprint (31 bits, not 0) of the settings that may move a body at rest."""
        return _fingerprint({name: value for name, value in vars(self).items() if name not in _NO_MOTION})

    def shapes(self, layers: Mapping[str, Any]) -> int:
        """Return a fingerprint of the settings that shapes and masses depend on, including the collision layers."""
        return _fingerprint({"density": self.density, "unit": self.unit, "layers": dict(layers)})

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...


def _index_of(name: str, kind: type[Enum], value: Any) -> int:
    """Return the index of a member of an enum, or of its value. Raises UsageError if there is none."""
    try:
        return list(kind).index(kind(value))
    except ValueError:
        choices = [member.value for member in kind]
        raise UsageError(f"PhysicsSettings.{name}: there is no {value!r}", choices=choices) from None


def _fingerprint(values: Mapping[str, Any]) -> int:
    """Return a hash of values, 31 bits, not 0, which is the same in every process."""
    text = repr([(name, float(value) if isinstance(value, np.number) else value) for name, value in values.items()])
    return (zlib.crc32(text.encode()) & 0x7FFFFFFF) or 1


def scaled_of(settings: PhysicsSettings) -> Scaled:
    """Return the settings in world units, as one cached object that is replaced only if a value has changed."""
    memory = settings.__dict__
    gravity: Any = settings.gravity  # often an array, which may be modified in place
    key = (memory["changes"], gravity.tobytes() if isinstance(gravity, np.ndarray) else gravity)
    cached = memory.get("scaled")
    if cached is None or cached[0] != key:
        scaled = Scaled(settings)
        if cached is not None and vars(cached[1]) == vars(scaled):
            scaled = cached[1]
        cached = memory["scaled"] = (key, scaled)
    return cached[1]
