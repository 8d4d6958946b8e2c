"""Undo and redo: named steps of changes of the World."""

from __future__ import annotations

from .history import Entry, History

__all__ = ["Entry", "History"]
