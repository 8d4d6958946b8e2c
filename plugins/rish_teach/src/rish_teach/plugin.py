"""The plugin hooks of rish_teach: the declarations of `physics2d`, and one system."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rish_core import About
from rish_physics import (
    NAMESPACE,
    PHYSICS_COMPONENTS,
    PHYSICS_EVENTS,
    Jumps,
    Notices,
    PhysicsSettings,
    check_physics,
    layer_names,
    provides,
)

from .step import CAPABILITIES, step_teach
from .tables import TeachGround, TeachImpulses, TeachPoses, TeachTouching


def rish_about() -> About:
    """Describe the plugin: it provides the contract `physics2d` with few capabilities."""
    return About(
        provides=[provides(*CAPABILITIES)], namespace=NAMESPACE, description="rigid bodies in plain Python, to be read"
    )


def rish_settings() -> type:
    """Return the class of `settings: physics:` in a manifest."""
    return PhysicsSettings


def rish_components() -> list[type]:
    """Return the components of the contract."""
    return list(PHYSICS_COMPONENTS)


def rish_names() -> dict[str, Callable[[Any], list[str]]]:
    """Return the list of collision layers."""
    return {"collision_layers": layer_names}


def rish_manifest(manifest: Any) -> None:
    """Report mistakes in the manifest with their lines, and its use of capabilities that this provider does not
    have.
    """
    check_physics(manifest, CAPABILITIES, "teach")


def rish_resources() -> list[type]:
    """Return the tables of the solver."""
    return [TeachImpulses, TeachTouching, TeachPoses, TeachGround, Jumps, Notices]


def rish_events() -> list[type]:
    """Return the events of the contract."""
    return list(PHYSICS_EVENTS)


def rish_systems() -> list[Callable[..., None]]:
    """Return the system `physics.step`."""
    return [step_teach]
