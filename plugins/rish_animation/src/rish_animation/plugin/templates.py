"""The kinds of new assets that the plugin declares for editors: clips of tracks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_CLIPS = """# NAME: clips, each with the keys of fields: [time, value] or [time, value, easing].
clips:
  pulse:
    mode: loop
    tracks:
      Transform.scale: [[0, [1, 1]], [0.5, [1.2, 1.2], sine_in_out], [1, [1, 1]]]
"""
TEMPLATES: Mapping[str, Mapping[str, Any]] = {
    "animation.clips": {
        "title": "Animation", "about": "Clips that move fields of components over time",
        "icon": "animation", "file": "NAME.anim.yaml", "text": _CLIPS, "name": "moves",
        "add": {"Animator": {"clips": "PATH", "clip": "pulse"}},
    },
}  # fmt: skip
"""Clips of tracks, with one that grows and shrinks its entity."""
