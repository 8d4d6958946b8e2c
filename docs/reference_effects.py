"""The page of docs/reference about effects over the frame, from their declarations."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from reference_text import code, fields_table, first_sentence, prose, table

from rish_lighting.post import EFFECTS, Effect, effect_of, uniforms

SIZE = (1280, 720)
NO_IMAGE = np.ones((4, 16, 4), np.float32)
INTRO = """# Effects over the picture

What `settings: lighting: post:` may list, and how scenes turn into one another; see
[post-processing](../how-to/post-processing.md). Lengths are logical pixels; an angle is written `90deg` in manifests (a
plain number is degrees), and is radians in code. Colors are those of manifests; all is mixed in linear light.
"""
CHAIN = """Each also has `enabled` (bool, `true`): whether it is seen, and `over` (`world` or `game`): whether it lies
over the layers of the world, or over those in screen space as well.
"""
CROSSINGS = """For `transition:` in the settings and `transition()` in code. Each also has `seconds` (`1`); `progress`
is set for them.
"""


def effects_page() -> str:
    """Return the page of all effects of `lighting` with their parameters, those of a chain first."""
    effects = [made for made in map(effect_of, EFFECTS) if made is not None]
    chain = [effect for effect in effects if not effect.transition]
    crossings = [effect for effect in effects if effect.transition]
    parts = [INTRO, "## In a chain\n", CHAIN, _index(chain), "## From scene to scene\n", CROSSINGS, _index(crossings)]
    for effect in (*chain, *crossings):
        fields = {name: spec for name, spec in effect.fields.items() if name != "progress"}
        parts.append(f"### {effect.name}\n\n{prose(effect.doc)} {_where(effect)}\n")
        parts.append(fields_table(fields, {}) if fields else "It has no parameters of its own.\n")
    return "\n".join(parts)


def _index(effects: Iterable[Effect]) -> str:
    rows = ((f"[`{effect.name}`](#{effect.name})", first_sentence(effect.doc), _backends(effect)) for effect in effects)
    return table(("effect", "what", "backends"), rows)


def _backends(effect: Effect) -> str:
    """Return the backends that draw an effect: `arcade` always, `software` if each of its stages has a fallback."""
    images = {name: NO_IMAGE for name, spec in effect.fields.items() if spec.type.special == "asset"}
    stages = effect.stages(uniforms(effect, effect.defaults()) | images, SIZE, 1.0)
    return "arcade, software" if all(stage.fallback is not None for stage in stages) else "arcade"


def _where(effect: Effect) -> str:
    return f"On {code(_backends(effect).replace(', ', '` and `'))}."
