"""Drawers of `light.effect`: how a run is drawn by OpenGL, and how by arrays."""

from __future__ import annotations

from typing import Any


def make_arcade() -> Any:
    """The drawer of the backend `arcade`."""
    from .arcade import ArcadeEffects

    return ArcadeEffects()


def make_software() -> Any:
    """The drawer of the backend `software`."""
    from .software import SoftwareEffects

    return SoftwareEffects()
