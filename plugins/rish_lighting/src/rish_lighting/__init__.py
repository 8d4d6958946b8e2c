"""Light for Rish: lights, ambience and shadows, and a chain of effects over the whole picture.

    from rish_lighting import Ambient, Light, Occluder, effect, set_effect

A `Light` shines where its Transform is, an `Ambient` everywhere, an `Occluder` casts shadows; so do the `Edges` that
physics and tile maps publish. `effect` declares an effect over the whole picture, `set_effect` changes one.
"""

from __future__ import annotations

from .components import Ambient, Falloff, Light, LightKind, Occluder, OccluderShape
from .post.chain import set_effect, set_post, transition
from .post.effect import Block, effect
from .post.effect import Stage as EffectStage
from .settings import Settings
from .sight.components import FogOfWar, Sight
from .sight.fog import Fog
from .sight.queries import Sights, can_see, visible_from

__all__ = [
    "Ambient",
    "Block",
    "EffectStage",
    "Falloff",
    "Fog",
    "FogOfWar",
    "Light",
    "LightKind",
    "Occluder",
    "OccluderShape",
    "Settings",
    "Sight",
    "Sights",
    "can_see",
    "effect",
    "set_effect",
    "set_post",
    "transition",
    "visible_from",
]
