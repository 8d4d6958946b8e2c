"""The factories of the drawers for each kind of batch on each backend."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from typing import Any

from ..passes.kinds import DEPTHS, DEVELOP, GBUFFER, LINES, SHADE, SKY, SURFACES

_PLACES = {
    "arcade": {
        SURFACES: ("surfaces", "ArcadeSurfaces"), DEPTHS: ("surfaces", "ArcadeDepths"),
        GBUFFER: ("surfaces", "ArcadeGbuffer"), SHADE: ("screens", "ArcadeShade"), SKY: ("screens", "ArcadeSky"),
        DEVELOP: ("screens", "ArcadeDevelop"), LINES: ("lines", "ArcadeLines"),
    },
    "software": {
        SURFACES: ("surfaces", "SoftwareSurfaces"), DEPTHS: ("depths", "SoftwareDepths"),
        GBUFFER: ("surfaces", "SoftwareGbuffer"), SHADE: ("surfaces", "SoftwareShade"),
        SKY: ("screens", "SoftwareSky"), DEVELOP: ("screens", "SoftwareDevelop"), LINES: ("screens", "SoftwareLines"),
    },
}  # fmt: skip
"""For each backend the module of each kind's drawer in the backend's folder, and the class."""


def _make(backend: str, module: str, name: str) -> Any:
    """Return a new drawer; its module is imported now, so that a game imports only those of its backend."""
    return getattr(import_module(f"rish_scene3d.drawers.{backend}.{module}"), name)()


DRAWERS: Mapping[str, Mapping[str, Callable[[], Any]]] = {
    backend: {kind: partial(_make, backend, *place) for kind, place in places.items()}
    for backend, places in _PLACES.items()
}
"""The functions that create the drawer of each kind on a backend."""
