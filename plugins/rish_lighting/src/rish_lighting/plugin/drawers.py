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

_DRAWERS = {
    LIGHTS: ("drawers.{}.lights", "Lights"), LAY: ("drawers.{}.composite", "Lay"),
    GROUND: ("drawers.{}.composite", "Ground"), FOG: ("sight.drawers.{}", "Fog"),
    SCENE: ("gi.drawers.{}", "Scene"), FACES: ("gi.drawers.{}", "Faces"), GLOW: ("gi.drawers.{}", "Glow"),
    EFFECT: ("post.drawers.{}", "Effects"),
}  # fmt: skip
"""For each kind of batch, the module of its drawer, where the braces stand for the backend, and the name of its class
without the prefix of the backend.
"""


def _make(backend: str, module: str, name: str) -> Any:
    """Import the module of a drawer, and return a new drawer. So a game imports only the drawers of its backend."""
    return getattr(import_module(f"rish_lighting.{module.format(backend)}"), f"{backend.title()}{name}")()


MAKERS: Mapping[str, Mapping[str, Callable[[], Any]]] = {
    backend: {kind: partial(_make, backend, *place) for kind, place in _DRAWERS.items()}
    for backend in ("arcade", "software")
}
"""The functions that create the drawer of each kind on a backend."""
