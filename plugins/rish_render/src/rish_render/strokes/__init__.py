"""Strokes: lines with a width, joints, caps and dashes, as triangles with smooth edges."""

from __future__ import annotations

from .line import Cap, Joint, Line

__all__ = ["Cap", "Joint", "Line"]
