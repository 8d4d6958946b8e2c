"""Detects that the settings have changed since the last step.

If a setting that may move a body at rest has changed, all bodies wake. If a setting that shapes and masses depend on
has changed, these are computed again. The settings of the last step are state (`SolvedSettings`), so a restored World
notices a change as well.
"""

from __future__ import annotations

import numpy as np

from ..bodies.waking import wake
from ..components.links import Links
from ..components.settings import PhysicsSettings, SolvedSettings
from ..contacts.state import State


def settings_differ(state: State, links: Links) -> bool:
    """Return True if a setting may have been written since the last step."""
    return links.read.scaled is not state.scaled or links.read.layers != state.world[PhysicsSettings].layers


def notice_settings(state: State, links: Links) -> tuple[bool, bool]:
    """Wake all bodies if a setting changed that may move them; return whether one did, and whether shapes changed."""
    layers, solved = state.world[PhysicsSettings].layers, state.world[SolvedSettings]
    links.read.scaled, links.read.layers = state.scaled, {name: _copied(value) for name, value in layers.items()}
    before = solved.motion, solved.shapes
    solved.motion, solved.shapes = state.scaled.motion(), state.scaled.shapes(layers)
    moves, reshapes = before[0] not in (0, solved.motion), before[1] not in (0, solved.shapes)
    if moves:
        wake(state, np.flatnonzero(state.bodies.entity).astype(np.int32))
    return moves, reshapes


def _copied(value: str | list[str]) -> str | list[str]:
    return list(value) if isinstance(value, list) else value
