"""The settings under `settings: physics3d:` of a manifest."""

from __future__ import annotations

from dataclasses import field as dataclass_field
from enum import Enum
from typing import Any, Literal

from rish_core import Vec3, field, resource


class Method3D(Enum):
    """The methods of solving contacts, from the simplest to the final one; see `rish_teach.teach3d.solver`."""

    NAIVE = "naive"
    ACCUMULATED = "accumulated"
    WARM = "warm"
    SOFT = "soft"


@resource
class Physics3DSettings:
    """The settings of physics in space; lengths are meters.

    layers: the named collision layers; each has a list of the layers it collides with, `all` or `none`. Two layers
    collide if each lists the other. Colliders that name no layer are in `default`, which has `all` unless it is written
    too. debug: the parts of the simulation that physics3d draws into the scene, see `DebugView3D`.
    """

    gravity: Vec3 = field((0, -9.81, 0), unit="m/s²", low=-10_000, high=10_000, doc="what everything falls with")
    time_scale: float = field(1.0, low=0, high=10, doc="how fast time passes: below 1 slow motion, 0 stands still")
    substeps: int = field(4, low=1, high=64, doc="into which a tick is divided; more is stiffer and slower")
    restitution_threshold: float = field(1.0, unit="m/s", low=0, high=1000, doc="slower impacts do not bounce")
    max_speed: float = field(400.0, unit="m/s", low=0.1, high=10_000, doc="nothing moves faster")
    reach: float = field(10_000.0, unit="m", low=1, high=1e6, doc="bodies further from the origin are stopped")
    contact_hertz: float = field(30.0, unit="Hz", low=1, high=1000, doc="stiffness of contacts")
    contact_damping: float = field(10.0, low=0, high=1000, doc="damping ratio of contacts; 1 does not overshoot")
    static_hertz: float = field(60.0, unit="Hz", low=1, high=1000, doc="stiffness of contacts with immovable bodies")
    joint_hertz: float = field(60.0, unit="Hz", low=1, high=1000, doc="stiffness of what joints lock")
    joint_damping: float = field(5.0, low=0, high=1000, doc="damping ratio of what joints lock")
    push_speed: float = field(3.0, unit="m/s", low=0, high=1000, doc="overlap is undone no faster")
    speculative: float = field(0.02, unit="m", low=0, high=10, doc="gap at which contacts are made ahead of time")
    margin: float = field(0.1, unit="m", low=0, high=10, doc="of the boxes around shapes")
    recycle: float = field(0.05, unit="m", low=0, high=1, doc="movement within which a contact's points are kept")
    continuous: bool = field(True, doc="whether fast bodies are kept from passing through thin ones")
    warm_starting: bool = field(True, doc="whether impulses start from those of the tick before")
    sleeping: bool = field(True, doc="whether what rests falls asleep and costs nothing")
    sleep_speed: float = field(0.05, unit="m/s", low=0, high=100, doc="slower counts as rest")
    sleep_time: float = field(0.5, unit="s", low=0, high=1000, doc="at rest, until it falls asleep")
    layers: dict[str, str | list[str]] = dataclass_field(default_factory=dict[str, "str | list[str]"])
    debug: list[
        Literal["all", "shapes", "contacts", "normals", "impulses", "joints", "islands", "boxes", "centers", "axes"]
    ] = dataclass_field(default_factory=list[Any])
    method: Method3D = field(Method3D.SOFT, doc="how teach3d solves contacts; physics3d has the last one only")
    iterations: int = field(10, low=1, high=64, doc="passes over all contacts a tick, with the other methods than soft")
    baumgarte: float = field(0.2, low=0, high=1, doc="share of overlap undone in a tick, with these methods")


def numbers_key(settings: Physics3DSettings) -> tuple[Any, ...]:
    """Return the values that `solver.soft.step_numbers` depends on."""
    return (
        settings.substeps, *settings.gravity, settings.contact_hertz, settings.contact_damping, settings.static_hertz,
        settings.joint_hertz, settings.joint_damping, settings.push_speed, settings.max_speed, settings.reach,
    )  # fmt: skip


def settings_key(settings: Physics3DSettings) -> tuple[Any, ...]:
    """Return the values of all settings, to notice a change."""
    return (
        *map(float, numbers_key(settings)), settings.restitution_threshold, settings.speculative, settings.margin,
        settings.recycle, settings.continuous, settings.warm_starting, settings.sleeping, settings.sleep_speed,
        settings.sleep_time, repr(settings.layers),
    )  # fmt: skip
