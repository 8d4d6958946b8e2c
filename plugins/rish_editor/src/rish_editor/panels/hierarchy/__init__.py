"""The hierarchy: all entities of the scene as a tree, or by their tags."""

from __future__ import annotations

from .panel import HierarchyPanel

__all__ = ["HierarchyPanel"]
