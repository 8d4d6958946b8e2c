"""What rish_physics tells the kernel; importing this does not load numba."""

from __future__ import annotations

from collections.abc import Callable

from rish_core import About

from .components import Body, Collider
from .events import EVENTS
from .joints.components import READERS
from .links import Links
from .naming import Told
from .scratch import Scratch
from .settings import Settings
from .systems import step_physics
from .tables import Bodies, Contacts, Free, Joints, Shapes
from .timings import Timings


def rish_about() -> About:
    """Needs nothing but the kernel."""
    return About(description="rigid bodies, joints, queries and events")


def rish_settings() -> type:
    """`settings: physics:` in a manifest."""
    return Settings


def rish_components() -> list[type]:
    """What takes part."""
    return [Body, Collider, *READERS]


def rish_resources() -> list[type]:
    """What the solver remembers, and what it can make again."""
    return [Bodies, Shapes, Contacts, Joints, Free, Links, Scratch, Timings, Told]


def rish_events() -> list[type]:
    """What is told after a step."""
    return list(EVENTS)


def rish_systems() -> list[Callable[..., None]]:
    """One system moves everything on."""
    return [step_physics]
