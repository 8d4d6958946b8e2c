"""Drawers of global illumination, one for each backend."""

from __future__ import annotations

from typing import Any


def make_arcade() -> Any:
    """The drawer of the backend `arcade`."""
    from .arcade import ArcadeGlow

    return ArcadeGlow()


def make_software() -> Any:
    """The drawer of the backend `software`."""
    from .software import SoftwareGlow

    return SoftwareGlow()
