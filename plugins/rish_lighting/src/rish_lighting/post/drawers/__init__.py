"""The drawers of `light.effect`, which draw a run with OpenGL or on arrays."""

from __future__ import annotations

from typing import Any


def make_arcade() -> Any:
    """Return the drawer of the backend `arcade`."""
    from .arcade import ArcadeEffects

    return ArcadeEffects()


def make_software() -> Any:
    """Return the drawer of the backend `software`."""
    from .software import SoftwareEffects

    return SoftwareEffects()
