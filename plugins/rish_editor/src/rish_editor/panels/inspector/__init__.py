"""The inspector: the components of the selected entities, with all their fields."""

from __future__ import annotations

from .panel import InspectorPanel

__all__ = ["InspectorPanel"]
