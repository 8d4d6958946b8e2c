"""Hoppers: a crowd of sprites that grows with every click, to see what this machine can do.

Each hopper is an entity like any other: a Transform, a Sprite, a Hopper. `crowd.py` makes, moves and takes them,
`readouts.py` says how many there are and how fast that goes, `autopilot.py` plays when nobody does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rish_core import About

from . import autopilot, components, crowd, readouts
from .components import Choice, Meter, Pilot, Settings


def rish_about() -> About:
    """It draws."""
    return About(requires=["render"], description="a crowd of sprites")


def rish_settings() -> type:
    """How many come at once, and how many at most."""
    return Settings


def rish_components() -> list[type]:
    """Hoppers and readouts."""
    return [components.Hopper, components.Readout]


def rish_resources() -> list[type]:
    """What is switched on, who plays, and what is measured."""
    return [Choice, Pilot, Meter]


def rish_systems() -> list[Callable[..., None]]:
    """In the order of a tick."""
    return [
        autopilot.autopilot,
        crowd.choose,
        crowd.come_and_go,
        crowd.move,
        crowd.line_up,
        crowd.swing_camera,
        readouts.write_readouts,
        readouts.show_speed,
    ]


def rish_ready(app: Any) -> None:
    """Pictures a second are measured where a person looks."""
    app.world[Meter].app = app
