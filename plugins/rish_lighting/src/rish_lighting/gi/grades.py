"""Grades of global illumination: how fine the grid is."""

from __future__ import annotations

GRADES = {"low": 128, "medium": 256, "high": 384}
"""Texels along the longer side of the picture."""
