"""Beacon's own plugin: a robot carries its lantern up a pile of crates and lights the beacon of a harbour.

`walking.py` moves the robot, `story.py` has its oil and its goal, `night.py` the gulls, the beam and the sea,
`autopilot.py` plays. The models are made by `make_models.py`.
"""

from __future__ import annotations

from collections.abc import Callable

from rish_core import About

from . import autopilot, components, night, story, walking


def rish_about() -> About:
    """Beacon needs 3D scenes, bodies in space, 2D layers over them, and widgets."""
    return About(requires=["scene3d", "physics3d", "render", "ui"], description="a robot lights a beacon")


def rish_components() -> list[type]:
    """The components of everything in the game."""
    return [
        components.Robot,
        components.Pile,
        components.Flask,
        components.Gull,
        components.Beam,
        components.Hanging,
        components.Goal,
        components.Follow3D,
        components.Afloat,
        components.Pilot,
    ]


def rish_events() -> list[type]:
    """The event for sounds."""
    return [components.Noise]


def rish_systems() -> list[Callable[..., None]]:
    """The systems, in the order in which they run in a tick."""
    return [
        autopilot.autopilot,
        night.build_piles,
        night.gather_gulls,
        walking.walk,
        walking.land,
        story.carry,
        night.fly,
        night.turn_beam,
        night.float_on_sea,
        walking.gesture,
        walking.hang,
        story.shine,
        night.follow,
    ]
