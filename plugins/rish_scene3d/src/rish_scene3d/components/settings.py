"""The settings `settings: scene3d:` of a manifest."""

from __future__ import annotations

from dataclasses import field as dataclass_field
from typing import Any, Literal

from rish_core import Str, field, resource

PIPELINES = ("forward", "deferred")
TONES = ("aces", "none")
SHADOWS = {"off": 0.0, "low": 0.5, "medium": 1.0, "high": 2.0}
"""Factors of the sides of all shadow maps, by quality."""

DEBUG_PARTS = ("axes", "boxes", "normals", "lights", "cameras", "bones")
"""The parts of the debug view."""


@resource
class Scene3DSettings:
    """The settings of the plugin, `settings: scene3d:`.

    debug: the parts that are drawn over the picture.
    """

    pipeline: Str = field(
        "forward", choices=PIPELINES, doc="forward: light is computed while models are drawn; deferred: afterwards"
    )
    shadows: Str = field("medium", choices=tuple(SHADOWS), doc="size of all shadow maps: half, as given, double")
    tone: Str = field(
        "aces", choices=TONES, doc="curve of bright light in games without rish_lighting, and in pictures"
    )
    texture_size: int = field(1024, low=16, high=4096, unit="px", doc="largest side of a texture; larger ones shrink")
    debug: list[Literal["all", "axes", "boxes", "normals", "lights", "cameras", "bones"]] = dataclass_field(
        default_factory=list[Any]
    )
