"""The settings under `settings: physics:` of a manifest: the world in metric units, and the precision of the solver.

Lengths, speeds and accelerations are in meters and seconds here, so that they match textbook values and mean the same
in a game of any scale. The columns of components are in world units; `units` converts the settings once, with
`units_per_meter`. Most games change only gravity: the default solver parameters are those of Box2D v3.
"""

from __future__ import annotations

from dataclasses import field as dataclass_field
from enum import Enum
from typing import Any, Literal

from rish_ecs import Vec2, field, resource


class FrictionMix(Enum):
    """How the friction coefficients of two surfaces are combined."""

    GEOMETRIC = "geometric"
    AVERAGE = "average"
    MIN = "min"
    MAX = "max"
    MULTIPLY = "multiply"


class RestitutionMix(Enum):
    """How the restitutions of two surfaces are combined."""

    MAX = "max"
    MIN = "min"


class Correction(Enum):
    """How overlap is corrected: with soft constraints (damped springs), or by a share of it per step (Baumgarte)."""

    SOFT = "soft"
    BAUMGARTE = "baumgarte"


@resource
class SolvedSettings:
    """Fingerprints of the settings of the last step, by which the next step notices a change.

    motion: fingerprint of all settings that may move a body at rest. shapes: fingerprint of the settings that shapes
    and masses depend on. Both are 0 before the first step.
    """

    motion: int = field(0, hidden=True)
    shapes: int = field(0, hidden=True)


@resource
class PhysicsSettings:
    """The settings that an author can write under `settings: physics:`.

    layers: the named collision layers; each has a list of the layers it collides with, `all` or `none`. Two layers
    collide if each lists the other. Colliders that name no layer are in `default`, which has `all` unless it is written
    too. debug: the parts that are drawn over the picture.
    """

    gravity: Vec2 = field((0, -9.81), unit="m/s²", low=-10_000, high=10_000, doc="what everything falls with")
    units_per_meter: float = field(64.0, unit="units/m", low=1e-3, high=1e5, doc="world units that make a meter")
    density: float = field(1.0, unit="kg/m²", low=1e-6, high=1e6, doc="of colliders that name none")
    friction_mix: FrictionMix = field(FrictionMix.GEOMETRIC, doc="how the frictions of two surfaces become one")
    restitution_mix: RestitutionMix = field(RestitutionMix.MAX, doc="how the restitutions of two surfaces become one")
    restitution_threshold: float = field(1.0, unit="m/s", low=0, high=1000, doc="slower impacts do not bounce")
    hit_speed: float = field(1.0, unit="m/s", low=0, high=1000, doc="slower impacts emit no `Hit`")
    max_speed: float = field(400.0, unit="m/s", low=0.1, high=10_000, doc="nothing moves faster")
    reach: float = field(8000.0, unit="m", low=1, high=1e6, doc="bodies further from the origin are not simulated")
    time_scale: float = field(1.0, low=0, high=10, doc="how fast time passes: below 1 slow motion, 0 stands still")
    substeps: int = field(4, low=1, high=64, doc="into which a tick is divided; more is stiffer and slower")
    iterations: int = field(1, low=1, high=64, doc="passes over all constraints a sub-step")
    relaxations: int = field(
        1, low=0, high=64, doc="relaxing passes per sub-step, which remove the velocity added by overlap correction"
    )
    correction: Correction = field(Correction.SOFT, doc="how overlap is undone")
    baumgarte: float = field(
        0.2, low=0, high=1, doc="share of the overlap that is undone in a sub-step, with baumgarte"
    )
    contact_hertz: float = field(
        30.0,
        unit="Hz",
        low=1,
        high=1000,
        doc="stiffness of contacts, in sub-steps of 1/240 s; shorter ones are stiffer",
    )
    contact_damping: float = field(10.0, low=0, high=1000, doc="damping ratio of contacts; 1 does not overshoot")
    static_hertz: float = field(
        60.0, unit="Hz", low=1, high=1000, doc="stiffness of contacts with bodies that are not dynamic"
    )
    joint_hertz: float = field(60.0, unit="Hz", low=1, high=1000, doc="stiffness of joints")
    joint_damping: float = field(2.0, low=0, high=1000, doc="damping ratio of joints")
    push_speed: float = field(3.0, unit="m/s", low=0, high=1000, doc="overlap is undone no faster")
    slop: float = field(0.005, unit="m", low=0, high=1, doc="overlap that is left, so that contacts last")
    speculative: float = field(0.02, unit="m", low=0, high=10, doc="gap at which contacts are made ahead of time")
    margin: float = field(0.1, unit="m", low=0, high=10, doc="of the boxes around shapes; less for small ones")
    recycle: float = field(0.05, unit="m", low=0, high=1, doc="movement within which a contact's points are kept")
    sleeping: bool = field(True, doc="whether what rests falls asleep and costs nothing")
    sleep_speed: float = field(0.05, unit="m/s", low=0, high=100, doc="slower counts as rest")
    sleep_time: float = field(0.5, unit="s", low=0, high=1000, doc="at rest, until it falls asleep")
    continuous: bool = field(True, doc="whether fast bodies are kept from passing through thin ones")
    warm_starting: bool = field(True, doc="whether impulses start from those of the tick before")
    debug: list[Literal["all", "shapes", "contacts", "normals", "joints", "islands", "boxes", "centers"]] = (
        dataclass_field(default_factory=list[Any])
    )
    layers: dict[str, str | list[str]] = dataclass_field(default_factory=dict[str, "str | list[str]"])

    def __setattr__(self, name: str, value: object) -> None:
        """Count the changes, so that `units` can detect a change without comparing every value in each tick."""
        object.__setattr__(self, name, value)
        self.__dict__["changes"] = self.__dict__.get("changes", 0) + 1
