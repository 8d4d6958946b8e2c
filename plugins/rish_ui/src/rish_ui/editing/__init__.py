"""The plugin's part of the editor: anchors in the inspector, and handles over widgets."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..components.layout import Layout
from .gizmos import draw_layouts
from .inspectors import draw_layout

__all__ = ["GIZMOS", "INSPECTORS"]

INSPECTORS: Mapping[type, Callable[..., None]] = {Layout: draw_layout}
GIZMOS: Mapping[type, Callable[..., None]] = {Layout: draw_layouts}
