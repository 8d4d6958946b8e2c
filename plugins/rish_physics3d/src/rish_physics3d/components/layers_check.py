"""Checks the collision layers of a manifest before anything is created."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from rish_core.manifest import YamlMap, place_at
from rish_dynamics import contradictions, layer_bits
from rish_ecs import Problem, RishError

if TYPE_CHECKING:
    from rish_core import Manifest

_log = logging.getLogger("rish.physics3d")
_PLACE = "settings.physics3d.layers"


def check_layers(manifest: Manifest) -> None:
    """Add a problem for each layer that lists an unknown one; warn of one that lists another which does not list it."""
    section = manifest.settings.get("physics3d")
    layers: Any = section.get("layers") if isinstance(section, YamlMap) else None
    if not isinstance(layers, YamlMap) or not all(map(_is_names, layers.values())):
        return  # the kernel reports values of other types
    is_sound = True
    for name, partners in layers.items():
        try:
            layer_bits({**dict.fromkeys(layers, "none"), name: partners}, _PLACE)
        except RishError as error:
            is_sound = False
            manifest.problems.append(Problem(place_at(layers.values_at[name]), f"{_PLACE}.{name}", error.what))
    for name, what in contradictions(layers) if is_sound else ():
        _log.warning("%s", Problem(place_at(layers.values_at[name]), f"{_PLACE}.{name}", what))


def _is_names(value: Any) -> bool:
    """Return True if an entry is a name or a list of names."""
    return isinstance(value, str) or (isinstance(value, list) and all(isinstance(item, str) for item in value))
