"""Particles for Rish: emitters described by data, a million particles in columns of the World.

    from rish_particles import Emitter, emit

`Emitter` runs a preset at its Transform; `emit` emits particles of a preset at one position or at thousands, and
`emit_3d` in space.
"""

from __future__ import annotations

from . import curves, preset
from .births.emission import emit
from .components.emitter import Emitter
from .components.settings import ParticleSettings
from .components.tables import EmitRequest, EmitRequest3D, Particles, Pools, ViewParticles, ViewPools
from .files.preset_library import PresetLibrary
from .files.reading import load_effect, read_effect, shipped
from .files.seed_format import effect_of_seed, load_seed
from .files.writing import write_effect
from .preset import Effect, Preset
from .space.emission import emit_3d

__all__ = [
    "Effect",
    "EmitRequest",
    "EmitRequest3D",
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
    "emit_3d",
    "load_effect",
    "load_seed",
    "preset",
    "read_effect",
    "shipped",
    "write_effect",
]
