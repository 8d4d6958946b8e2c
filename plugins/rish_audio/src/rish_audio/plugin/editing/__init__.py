"""The part of rish_audio in the editor: inspectors, gizmos, the panels Mixer and Sounds, and previews."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...components.source import AudioListener, AudioSource
from .gizmos import draw_listeners, draw_sources
from .inspectors import draw_listener, draw_source
from .mixer import MixerPanel
from .sounds import SoundsPanel

__all__ = ["GIZMOS", "INSPECTORS", "PANELS"]

INSPECTORS: Mapping[type, Callable[..., None]] = {AudioSource: draw_source, AudioListener: draw_listener}
GIZMOS: Mapping[type, Callable[..., None]] = {AudioSource: draw_sources, AudioListener: draw_listeners}
PANELS: list[type] = [MixerPanel, SoundsPanel]
