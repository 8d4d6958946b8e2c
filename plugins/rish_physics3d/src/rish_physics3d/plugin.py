"""The hooks of rish_physics3d."""

from __future__ import annotations

from collections.abc import Callable

from rish_core import About
from rish_ecs import add_engine

from .components.bodies import Body3D, Collider3D
from .components.events import ContactBegin3D, ContactEnd3D, JointBroke3D
from .components.joints import READERS
from .components.settings import Physics3DSettings
from .components.tables import Contacts3D, Joints3D
from .step import Stepper, step_physics3d

add_engine("rish_physics3d")


def rish_about() -> About:
    """Describe the plugin; it needs the transforms of space3d."""
    return About(requires=["space3d"], description="rigid bodies in three dimensions")


def rish_settings() -> type:
    """Return the class of `settings: physics3d:` in a manifest."""
    return Physics3DSettings


def rish_components() -> list[type]:
    """Return the components of the plugin."""
    return [Body3D, Collider3D, *READERS]


def rish_resources() -> list[type]:
    """Return contacts and joints, and the memory of the solver."""
    return [Contacts3D, Joints3D, Stepper]


def rish_events() -> list[type]:
    """Return the events of a step."""
    return [ContactBegin3D, ContactEnd3D, JointBroke3D]


def rish_systems() -> list[Callable[..., None]]:
    """Return the system that advances physics."""
    return [step_physics3d]
