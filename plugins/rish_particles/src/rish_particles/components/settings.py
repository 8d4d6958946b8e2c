"""The settings in the section `settings: particles:` of a manifest."""

from __future__ import annotations

from dataclasses import field as dataclass_field
from typing import Any

from rish_core import field, resource


@resource
class ParticleSettings:
    """The settings of the plugin, `settings: particles:`.

    on: particles at events, by the event's name: `{physics.Hit: {preset: sparks, at: point}}`, see `reactions`;
    several reactions are a list.
    """

    quality: float = field(1.0, low=0, high=1, doc="share of the particles that presets with `view: true` emit")
    time_scale: float = field(
        1.0, low=0, high=10, doc="how fast the particles' time passes: below 1 slow motion, 0 stands still"
    )
    on: dict[str, Any] = dataclass_field(default_factory=dict[str, Any])
