"""The scene view: the world as the person arranges it, on the plane or in space."""

from __future__ import annotations

from .panel import ScenePanel

__all__ = ["ScenePanel"]
