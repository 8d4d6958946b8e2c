"""The kinds of new assets that the plugin declares for editors: clips of sprites, and materials."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_CLIPS = """# NAME: clips, each a row of cells of the sheet beside the sprite.
fps: 8
clips:
  idle: {frames: 0}
"""
_SHADER = """// NAME: the color of each pixel of the sprite; p.uv is 0 to 1 across its picture.
uniform float strength = 0.02;

vec4 shade(Pixel p) {
    float wave = sin(p.uv.y * 40.0 + time * 4.0) * strength;
    return picture(p.uv + vec2(wave, 0.0));
}
"""
TEMPLATES: Mapping[str, Mapping[str, Any]] = {
    "render.clips": {
        "title": "Sprite Animation", "about": "Clips that show cells of a sprite sheet",
        "icon": "animation", "file": "NAME.anim.yaml", "text": _CLIPS, "name": "frames",
        "add": {"SpriteSheet": {}, "Animation": {"clips": "PATH", "clip": "idle"}},
    },
    "render.material": {
        "title": "Material", "about": "A fragment shader for sprites",
        "icon": "color", "file": "NAME.frag", "text": _SHADER, "name": "ripple", "names": "key",
        "set": {"render.materials.NAME": {"shader": "PATH"}}, "add": {"Sprite": {"material": "NAME"}},
    },
}  # fmt: skip
"""Clips of sprites, and a fragment shader with its material."""
