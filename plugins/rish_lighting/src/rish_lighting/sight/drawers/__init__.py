"""The drawers of fog of war, one for each backend."""

from __future__ import annotations

from typing import Any


def make_arcade() -> Any:
    """Return the drawer of the backend `arcade`."""
    from .arcade import ArcadeFog

    return ArcadeFog()


def make_software() -> Any:
    """Return the drawer of the backend `software`."""
    from .software import SoftwareFog

    return SoftwareFog()
