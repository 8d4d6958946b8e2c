"""The kinds of new assets that the plugin declares for editors: presets of particles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_PRESET = """# NAME: say here what it looks like.
picture: rish_particles:pictures/glow.png
blend: add
capacity: 200
life: [1, 2]
emit: {rate: 30}
shape: {kind: circle, radius: 20}
direction: [70, 110]
speed: [20, 60]
size: [4, 9]
over_life:
  color: {0: "#ffe0a0", 0.5: "#ff8a2a", 1: "#a02808"}
  opacity: {0: 0, 0.2: [1, quad_out], 1: 0}
forces: {turbulence: 120, drag: 0.5}
"""
TEMPLATES: Mapping[str, Mapping[str, Any]] = {
    "particles.preset": {
        "title": "Particle Preset", "about": "Particles for emitters, in a file",
        "icon": "emitter", "file": "NAME.particles.yaml", "text": _PRESET,
        "name": "embers", "add": {"Emitter": {"preset": "PATH"}},
    },
}  # fmt: skip
"""The templates by name: a preset of rising embers."""
