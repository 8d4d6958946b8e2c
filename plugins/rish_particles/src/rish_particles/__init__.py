"""Particles for Rish: emitters described by data, a million particles in columns of the World.

    from rish_particles import Emitter, emit

`Emitter` runs a preset where its Transform is; `emit` lets one be born at one place or thousands.
"""

from __future__ import annotations

from . import curves, preset
from .components import Emitter
from .emission import emit
from .library import PresetLibrary
from .preset import Effect, Preset
from .reading import load_effect, read_effect, shipped
from .seed_format import effect_of_seed, load_seed
from .settings import ParticleSettings
from .tables import EmitRequest, Particles, Pools, ViewParticles, ViewPools
from .writing import write_effect

__all__ = [
    "Effect",
    "EmitRequest",
    "Emitter",
    "ParticleSettings",
    "Particles",
    "Pools",
    "Preset",
    "PresetLibrary",
    "ViewParticles",
    "ViewPools",
    "curves",
    "effect_of_seed",
    "emit",
    "load_effect",
    "load_seed",
    "preset",
    "read_effect",
    "shipped",
    "write_effect",
]
