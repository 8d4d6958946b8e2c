"""The factories of the drawers for each kind of batch on each backend."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..gi.drawers import MAKERS as _GI
from ..passes.kinds import LAY, LIGHTS
from ..sight.drawers import make_arcade as _arcade_fog
from ..sight.drawers import make_software as _software_fog
from ..sight.kinds import FOG


def _arcade_lights() -> Any:
    from ..drawers.arcade.lights import ArcadeLights

    return ArcadeLights()


def _arcade_lay() -> Any:
    from ..drawers.arcade.lay import ArcadeLay

    return ArcadeLay()


def _software_lights() -> Any:
    from ..drawers.software.lights import SoftwareLights

    return SoftwareLights()


def _software_lay() -> Any:
    from ..drawers.software.lay import SoftwareLay

    return SoftwareLay()


MAKERS: Mapping[str, Mapping[str, Callable[[], Any]]] = {
    "arcade": {LIGHTS: _arcade_lights, LAY: _arcade_lay, FOG: _arcade_fog, **_GI["arcade"]},
    "software": {LIGHTS: _software_lights, LAY: _software_lay, FOG: _software_fog, **_GI["software"]},
}
"""The functions that create the drawer of each kind on a backend. They import its module when they are called."""
