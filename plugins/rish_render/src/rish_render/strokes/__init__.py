"""Strokes: lines with a width, joints, caps and dashes, as triangles with smooth edges."""

from __future__ import annotations

from .line import Along, Cap, Joint, Line

__all__ = ["Along", "Cap", "Joint", "Line"]
