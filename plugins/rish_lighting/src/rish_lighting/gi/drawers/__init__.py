"""The drawers of global illumination, by backend and kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..kinds import FACES, GLOW, SCENE


def _arcade(name: str) -> Callable[[], Any]:
    def make() -> Any:
        from . import arcade

        return getattr(arcade, name)()

    return make


def _software(name: str) -> Callable[[], Any]:
    def make() -> Any:
        from . import software

        return getattr(software, name)()

    return make


MAKERS: Mapping[str, Mapping[str, Callable[[], Any]]] = {
    "arcade": {SCENE: _arcade("ArcadeScene"), FACES: _arcade("ArcadeFaces"), GLOW: _arcade("ArcadeGlow")},
    "software": {SCENE: _software("SoftwareScene"), FACES: _software("SoftwareFaces"), GLOW: _software("SoftwareGlow")},
}
"""The functions that create the drawer of each kind on a backend. They import its module when they are called."""
