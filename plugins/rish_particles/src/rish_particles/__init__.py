"""Particles for Rish: emitters described by data, a million particles in columns of the World.

    from rish_particles import Emitter, emit

`Emitter` runs a preset where its Transform is; `emit` lets one be born at one place or thousands.
"""

from __future__ import annotations

from .components import Emitter
from .emission import emit
from .preset import Effect, Preset
from .reading import load_effect, read_effect, shipped
from .seed_format import effect_of_seed, load_seed
from .settings import Settings
from .tables import Emission, Particles, Pools, ViewParticles, ViewPools
from .writing import write_effect

__all__ = [
    "Effect",
    "Emission",
    "Emitter",
    "Particles",
    "Pools",
    "Preset",
    "Settings",
    "ViewParticles",
    "ViewPools",
    "effect_of_seed",
    "emit",
    "load_effect",
    "load_seed",
    "read_effect",
    "shipped",
    "write_effect",
]
