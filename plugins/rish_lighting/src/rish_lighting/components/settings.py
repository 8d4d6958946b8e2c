"""The settings `settings: lighting:` of a manifest."""

from __future__ import annotations

from dataclasses import field as dataclass_field
from typing import Any

from rish_core import Color, Str, field, resource

GRADES = {"low": 128, "medium": 256, "high": 384}
"""The number of texels of global illumination along the longer side of the frame, by quality."""


@resource
class LightingSettings:
    """The settings of the plugin, `settings: lighting:`.

    post: post-processing effects in order: names, or a name with its parameters, as `{vignette: {strength: 0.4}}`.
    transition: the transition between scenes, as `{dissolve: {seconds: 1.5}}`; "" for no transition.
    """

    ambient: Color = field((0.25, 0.27, 0.35, 1), doc="light that is everywhere, in scenes with lights but no Ambient")
    resolution: float = field(0.5, low=0.05, high=1, doc="of light, as a share of the picture's")
    shadows: bool = field(True, doc="whether anything casts shadows")
    rows: int = field(8, low=8, high=64, doc="points of an area light from which shadows are cast")
    emission: float = field(1.0, low=0, high=1000, doc="how bright emission maps are")
    gi: Str = field("off", choices=("off", *GRADES), doc="global illumination: light of what glows and of walls")
    gi_strength: float = field(2.0, low=0, high=1000, doc="how bright global illumination is")
    gi_albedo: float = field(0.6, low=0, high=1, doc="share of the light that walls reflect")
    dither: float = field(
        0.9, unit="levels", low=0, high=8, doc="noise that hides bands; below 1 it keeps exact colors"
    )
    post: list[Any] = dataclass_field(default_factory=list[Any])
    transition: Any = ""
