"""Rewind's own plugin: what it declares, and where the way back ends.

`walking.py` moves the hero, `amber.py` has the puzzles, `veil.py` is seen while time runs back, `autopilot.py` plays.
"""

from __future__ import annotations

from collections.abc import Callable

from rish_core import About, World
from rish_history import History

from . import amber, autopilot, components, veil, walking


def rish_about() -> About:
    """Draws, and goes back in time."""
    return About(requires=["render", "history"], description="a puzzle about time")


def rish_components() -> list[type]:
    """What is in play."""
    return [
        components.Hero,
        components.Eye,
        components.Block,
        components.Key,
        components.Gate,
        components.Button,
        components.Door,
        components.Drift,
        components.Pilot,
    ]


def rish_events() -> list[type]:
    """What happens, for sounds to come."""
    return [components.Opened]


def rish_systems() -> list[Callable[..., None]]:
    """A tick, in order; the last is for the eye."""
    return [
        autopilot.autopilot,
        amber.open_gates,
        walking.walk,
        amber.carry,
        amber.leave,
        amber.look,
        veil.veil,
    ]


def rish_scene_loaded(world: World, scene: str) -> None:
    """A level begins: time does not run back beyond this."""
    world[History].forget()
