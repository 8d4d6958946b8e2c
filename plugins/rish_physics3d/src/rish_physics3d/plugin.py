"""The hooks of rish_physics3d."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rish_core import About
from rish_ecs import add_engine

from .components.bodies import Body3D, Collider3D
from .components.events import ContactBegin3D, ContactEnd3D, JointBroke3D, SensorBegin3D, SensorEnd3D
from .components.filters import layer_names
from .components.joints import READERS
from .components.layers_check import check_layers
from .components.settings import Physics3DSettings
from .components.tables import Contacts3D, Joints3D
from .queries.index import ShapeIndex
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


def rish_names() -> dict[str, Callable[[Any], list[str]]]:
    """Return the list of collision layers."""
    return {"collision_layers_3d": layer_names}


def rish_manifest(manifest: Any) -> None:
    """Report mistakes in the collision layers with their line."""
    check_layers(manifest)


def rish_resources() -> list[type]:
    """Return contacts and joints, and the memory of the solver and of queries."""
    return [Contacts3D, Joints3D, Stepper, ShapeIndex]


def rish_events() -> list[type]:
    """Return the events of a step."""
    return [ContactBegin3D, ContactEnd3D, JointBroke3D, SensorBegin3D, SensorEnd3D]


def rish_systems() -> list[Callable[..., None]]:
    """Return the system that advances physics."""
    return [step_physics3d]
