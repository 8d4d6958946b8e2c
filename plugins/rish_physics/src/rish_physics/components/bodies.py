"""The components of a physical object: a `Body`, which moves, and `Collider`s, which give it a shape.

Both need a `Transform` on the same entity. A child entity with a `Collider` and no `Body` adds a shape to the nearest
ancestor that has a `Body`. A `Collider` without a `Body` on itself or an ancestor is static. Lengths are in world
units, masses in kilograms, a collider's density in kilograms per square meter. Angles are radians in the columns and
degrees in manifests.

The columns are the source of truth: the step reads them before it solves and writes them afterwards. Writing the
position of a dynamic body teleports it. Writing the position of a kinematic body sets the target that it reaches at the
end of the tick.
"""

from __future__ import annotations

from enum import Enum

from rish_ecs import Str, Vec2, component, field


class BodyType(Enum):
    """How a body moves. The members are in the order of the type numbers in `tables`."""

    STATIC = "static"
    KINEMATIC = "kinematic"
    DYNAMIC = "dynamic"


class ColliderShape(Enum):
    """The shapes of a `Collider`."""

    BOX = "box"
    CIRCLE = "circle"
    CAPSULE = "capsule"
    POLYGON = "polygon"
    SEGMENT = "segment"
    CHAIN = "chain"
    OUTLINE = "outline"


@component
class Body:
    """A rigid body. Its mass, inertia and center of mass are computed from its colliders unless they are given."""

    type: BodyType = field(
        BodyType.DYNAMIC, doc="static never moves, kinematic moves with its set velocity, dynamic is moved by forces"
    )
    velocity: Vec2 = field((0, 0), unit="units/s", doc="of the center of mass")
    angular_velocity: float = field(0.0, unit="rad/s", angle=True, doc="counter-clockwise")
    force: Vec2 = field((0, 0), unit="kg·units/s²", transient=True, doc="on the center of mass, in this tick")
    torque: float = field(0.0, unit="kg·units²/s²", transient=True, doc="in this tick")
    mass: float = field(0.0, unit="kg", low=0, high=1e12, meanings={0: "from the colliders' areas and densities"})
    inertia: float = field(
        0.0, unit="kg·units²", low=0, high=1e24, doc="about the center of mass", meanings={0: "from the colliders"}
    )
    center_of_mass: Vec2 = field(
        (0, 0), unit="units", doc="relative to the position; used if `center_of_mass_given` is set"
    )
    center_of_mass_given: bool = field(False, doc="whether `center_of_mass` counts, instead of that of the colliders")
    linear_damping: float = field(0.0, unit="1/s", low=0, doc="velocity that is lost, relative to itself")
    angular_damping: float = field(0.0, unit="1/s", low=0, doc="angular velocity that is lost, relative to itself")
    drag: float = field(0.0, unit="kg/units", low=0, doc="quadratic drag: force per square of the velocity")
    gravity_scale: float = field(1.0, step=0.05, low=-1000, high=1000, doc="how much of gravity acts on it")
    fixed_rotation: bool = field(False, doc="whether it never turns")
    bullet: bool = field(False, doc="whether it is kept from passing through moving bodies as well")
    allow_sleep: bool = field(True, doc="whether it falls asleep at rest")
    sleep_speed: float = field(
        0.0, unit="units/s", low=0, doc="slower counts as rest", meanings={0: "as the settings say"}
    )
    asleep: bool = field(False, doc="whether it sleeps; written by the step, and writing it wakes or puts to sleep")
    enabled: bool = field(True, doc="whether it takes part at all")


@component
class Collider:
    """A shape that collides with other shapes, with one set of surface properties.

    Every convex shape is the hull of some points, rounded by a radius. `points` are the points of a polygon, segment,
    chain or outline, relative to the position; for a capsule they may be its two centers. The solid side of a chain is
    on its left, as for `Edges`, and it collides with shapes on its right: a floor runs from right to left, and a closed
    chain that runs counter-clockwise is an island.
    """

    shape: ColliderShape = field(ColliderShape.BOX, doc="the form")
    size: Vec2 = field((32, 32), unit="units", low=0, doc="width and height of a box, circle or capsule")
    radius: float = field(0.0, unit="units", low=0, doc="of a circle or capsule (0: half its width); rounds others")
    offset: Vec2 = field((0, 0), unit="units", doc="from the entity's position")
    rotation: float = field(0.0, unit="rad", angle=True, doc="relative to the entity, counter-clockwise")
    points: list[Vec2] = field((), unit="units", doc="3 to 8 of a convex polygon, 2 of a segment, any of the others")
    closed: bool = field(False, doc="of a chain: whether its end meets its beginning")
    density: float = field(-1.0, unit="kg/m²", low=-1, meanings={-1: "as the settings say", 0: "without mass"})
    friction: float = field(0.6, step=0.01, low=0, high=100, doc="resistance to sliding")
    dynamic_friction: float = field(-1.0, low=-1, high=100, doc="once it slides", meanings={-1: "the same"})
    restitution: float = field(0.0, low=0, high=1, doc="how much it bounces")
    rolling_resistance: float = field(0.0, low=0, high=100, doc="resistance to rolling")
    surface_speed: float = field(0.0, unit="units/s", doc="speed of its surface, like a conveyor belt")
    collision_layer: Str = field(
        "", names="collision_layers", doc="name of its layer in the settings; empty: the default one"
    )
    category: int = field(0, doc="category bits", meanings={0: "those of its layer"})
    mask: int = field(-1, doc="bits of what it collides with, among those that its layer collides with")
    group: int = field(0, doc="equal in both: above 0 they always collide, below 0 never")
    sensor: bool = field(False, doc="whether it only notices what overlaps it")
    one_way: Vec2 = field((0, 0), low=-1, high=1, doc="direction in which others pass through it", meanings={0: "none"})
    contact_events: bool = field(True, doc="whether contacts that begin and end emit events")
    stay_events: bool = field(False, doc="whether contacts that last emit an event in each tick")
    hit_events: bool = field(False, doc="whether hits emit an event with their speed")
    enabled: bool = field(True, doc="whether it takes part at all")
