"""The panels of the editor."""

from __future__ import annotations

from .hierarchy import HierarchyPanel

PANELS: tuple[type, ...] = (HierarchyPanel,)
