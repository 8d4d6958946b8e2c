"""Picking: which of the things that this package draws a region touches."""

from __future__ import annotations

from .regions import region_at

__all__ = ["region_at"]
