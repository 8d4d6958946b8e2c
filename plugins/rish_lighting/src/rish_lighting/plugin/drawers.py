"""The factories of the drawers for each kind of batch on each backend."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from typing import Any

from ..gi.kinds import FACES, GLOW, SCENE
from ..passes.kinds import GROUND, LAY, LIGHTS
from ..post.passes import KIND as EFFECT
from ..sight.kinds import FOG

_PLACES = {
    LIGHTS: ("drawers.{}.lights", "Lights"), LAY: ("drawers.{}.composite", "Lay"),
    GROUND: ("drawers.{}.composite", "Ground"), FOG: ("sight.drawers.{}", "Fog"),
    SCENE: ("gi.drawers.{}", "Scene"), FACES: ("gi.drawers.{}", "Faces"), GLOW: ("gi.drawers.{}", "Glow"),
    EFFECT: ("post.drawers.{}", "Effects"),
}  # fmt: skip
"""The module of each kind's drawer, with the backend in place of the braces, and its class without the backend."""


def _make(backend: str, module: str, name: str) -> Any:
    """Return a new drawer; its module is imported now, so that a game imports only those of its backend."""
    return getattr(import_module(f"rish_lighting.{module.format(backend)}"), f"{backend.title()}{name}")()


MAKERS: Mapping[str, Mapping[str, Callable[[], Any]]] = {
    backend: {kind: partial(_make, backend, *place) for kind, place in _PLACES.items()}
    for backend in ("arcade", "software")
}
"""The functions that create the drawer of each kind on a backend."""
