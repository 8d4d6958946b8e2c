"""Lighting for Rish: lights, ambient light and shadows, and a chain of post-processing effects.

    from rish_lighting import Ambient, Light, Occluder, effect, set_effect

A `Light` shines at its Transform, an `Ambient` everywhere. An `Occluder` casts shadows, and so do the `Edges` that
physics and tile maps publish. `effect` declares a post-processing effect, `set_effect` changes one.
"""

from __future__ import annotations

from . import formulas, gi, post, shadows
from .components.light import Ambient, Light, LightFalloff, LightKind, Occluder, OccluderShape
from .components.settings import LightingSettings
from .passes.extract import Lighting
from .post.chain import set_effect, set_post, transition
from .post.effect import Block, effect
from .post.effect import Stage as EffectStage
from .sight.components import FogOfWar, Sight
from .sight.fog import Fog
from .sight.queries import Sights, can_see, visible_from

__all__ = [
    "Ambient",
    "Block",
    "EffectStage",
    "Fog",
    "FogOfWar",
    "Light",
    "LightFalloff",
    "LightKind",
    "Lighting",
    "LightingSettings",
    "Occluder",
    "OccluderShape",
    "Sight",
    "Sights",
    "can_see",
    "effect",
    "formulas",
    "gi",
    "post",
    "set_effect",
    "set_post",
    "shadows",
    "transition",
    "visible_from",
]
