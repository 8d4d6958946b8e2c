"""Rewind's own plugin: its declarations, and the limit of the rewind at the start of a level.

`walking.py` moves the hero, `amber.py` has the puzzles, `veil.py` draws the effect shown during a rewind,
`autopilot.py` plays.
"""

from __future__ import annotations

from collections.abc import Callable

from rish_core import About, World
from rish_history import History

from . import amber, autopilot, components, veil, walking


def rish_about() -> About:
    """Rewind needs drawing, history and the interface of players."""
    return About(requires=["render", "history", "ui"], description="a puzzle about time")


def rish_components() -> list[type]:
    """The components of everything in the game."""
    return [
        components.Hero,
        components.Eye,
        components.Block,
        components.Key,
        components.Gate,
        components.Plate,
        components.Door,
        components.Drift,
        components.Pilot,
    ]


def rish_resources() -> list[type]:
    """The resource that says who plays."""
    return [components.Visit]


def rish_events() -> list[type]:
    """The events, for sounds."""
    return [components.Opened, components.Noise]


def rish_systems() -> list[Callable[..., None]]:
    """The systems, in the order in which they run in a tick; the last one only draws."""
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
    """Forget the history at the start of a level, so that a rewind stops there."""
    world[History].forget()
