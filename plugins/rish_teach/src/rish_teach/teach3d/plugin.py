"""The hooks of teach3d: the declarations of `rigid3d`, and one system."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rish_core import About
from rish_physics3d import (
    NAMESPACE,
    PHYSICS3D_COMPONENTS,
    PHYSICS3D_EVENTS,
    ColliderModels3D,
    Notices3D,
    Physics3DSettings,
    layer_names,
    provides,
)

from .contacts import TeachPoints3D
from .step import CAPABILITIES, step_teach3d


def rish_about() -> About:
    """Describe the plugin: it provides the contract `rigid3d` with few capabilities."""
    return About(
        provides=[provides(*CAPABILITIES)],
        namespace=NAMESPACE,
        requires=["space3d"],
        description="rigid bodies in space in plain Python, to be read",
    )


def rish_settings() -> type:
    """Return the class of `settings: physics3d:` in a manifest."""
    return Physics3DSettings


def rish_components() -> list[type]:
    """Return the components of the contract."""
    return list(PHYSICS3D_COMPONENTS)


def rish_names() -> dict[str, Callable[[Any], list[str]]]:
    """Return the list of collision layers."""
    return {"collision_layers_3d": layer_names}


def rish_resources() -> list[type]:
    """Return the points of the last tick, models, and what was logged."""
    return [TeachPoints3D, ColliderModels3D, Notices3D]


def rish_events() -> list[type]:
    """Return the events of the contract."""
    return list(PHYSICS3D_EVENTS)


def rish_systems() -> list[Callable[..., None]]:
    """Return the system `physics3d.step`."""
    return [step_teach3d]
