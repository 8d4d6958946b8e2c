"""Hoppers: a crowd of sprites that grows with every click, to measure how many a computer can draw.

Each hopper is an ordinary entity: a Transform, a Sprite, a Hopper. `crowd.py` adds, moves and removes them,
`speed.py` shows the frame rate, `sounds.py` lets them be heard, and `autopilot.py` plays when there is no player. The
bar with their number is in `game.yaml`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rish_core import About, World

from . import autopilot, components, crowd, sounds, speed
from .components import Choice, Meter, Pilot, Settings


def rish_about() -> About:
    """The game needs drawing and widgets."""
    return About(requires=["render", "ui"], description="a crowd of sprites")


def rish_settings() -> type:
    """The number of hoppers added at a time, and their maximum."""
    return Settings


def rish_components() -> list[type]:
    """The component of hoppers."""
    return [components.Hopper]


def rish_resources() -> list[type]:
    """The modes, the autopilot, and the app that is measured."""
    return [Choice, Pilot, Meter]


def rish_systems() -> list[Callable[..., None]]:
    """The systems, in the order in which they run in a tick."""
    return [
        autopilot.autopilot,
        crowd.hold_buttons,
        crowd.choose,
        crowd.come_and_go,
        crowd.move,
        crowd.line_up,
        crowd.swing_camera,
        speed.show_speed,
        sounds.hear_keys,
        sounds.murmur,
    ]


def rish_warm_up(world: World) -> dict[str, Callable[[], object]]:
    """The kernel that moves hoppers."""
    return {"hop": lambda: crowd.move(world.private(Settings, Choice), world.dt)}


def rish_ready(app: Any) -> None:
    """Store the app, whose frame rate is shown."""
    app.world[Meter].app = app
