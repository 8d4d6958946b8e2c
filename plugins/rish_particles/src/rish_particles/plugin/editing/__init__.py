"""The part of rish_particles in the editor: a panel that tunes presets, gizmos, and the inspector of emitters."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...components.emitter import Emitter
from .gizmos import draw_emitters
from .inspector import draw_emitter
from .panel import PresetPanel

__all__ = ["GIZMOS", "INSPECTORS", "PANELS"]

INSPECTORS: Mapping[type, Callable[..., None]] = {Emitter: draw_emitter}
GIZMOS: Mapping[type, Callable[..., None]] = {Emitter: draw_emitters}
PANELS: list[type] = [PresetPanel]
