"""The components of a physical object in space: a `Body3D`, which moves, and a `Collider3D`, which gives it a shape.

Both need a `Transform3D` on the same entity. A child entity with a `Collider3D` and no `Body3D` adds a shape to the
nearest ancestor that has a `Body3D`. A `Collider3D` without a `Body3D` on itself or an ancestor is static. Lengths are
meters, masses kilograms.

The columns are the source of truth: the step reads them before it solves and writes them afterwards. Writing the
position of a dynamic body teleports it. Writing the pose of a kinematic body sets the target that it reaches at the end
of the tick.
"""

from __future__ import annotations

from enum import Enum

from rish_core import Asset, Quat, Str, Vec3, component, field
from rish_space3d import MODEL_SHAPES


class BodyType3D(Enum):
    """How a body moves."""

    STATIC = "static"
    KINEMATIC = "kinematic"
    DYNAMIC = "dynamic"


STATIC, KINEMATIC, DYNAMIC = range(len(BodyType3D))
"""The numbers of the types in columns."""


class ColliderShape3D(Enum):
    """The shapes of a `Collider3D`."""

    BOX = "box"
    SPHERE = "sphere"
    CAPSULE = "capsule"
    HULL = "hull"
    PLANE = "plane"
    MESH = "mesh"
    HEIGHTFIELD = "heightfield"


@component
class Body3D:
    """A rigid body. Its mass, inertia and center of mass are computed from its colliders."""

    type: BodyType3D = field(
        BodyType3D.DYNAMIC, doc="static never moves, kinematic moves with its set velocity, dynamic is moved by forces"
    )
    velocity: Vec3 = field((0, 0, 0), unit="m/s", doc="of the center of mass")
    angular_velocity: Vec3 = field((0, 0, 0), unit="rad/s", doc="in the world's axes")
    force: Vec3 = field((0, 0, 0), unit="N", transient=True, doc="on the center of mass, in this tick")
    torque: Vec3 = field((0, 0, 0), unit="N·m", transient=True, doc="in this tick, in the world's axes")
    mass: float = field(0.0, unit="kg", low=0, high=1e12, meanings={0: "from the volumes and densities of its shapes"})
    linear_damping: float = field(0.0, unit="1/s", low=0, doc="velocity that is lost, relative to itself")
    angular_damping: float = field(0.0, unit="1/s", low=0, doc="angular velocity that is lost, relative to itself")
    gravity_scale: float = field(1.0, step=0.05, low=-1000, high=1000, doc="how much of gravity acts on it")
    bullet: bool = field(False, doc="whether it is kept from passing through moving bodies as well")
    allow_sleep: bool = field(True, doc="whether it falls asleep at rest")
    sleep_speed: float = field(0.0, unit="m/s", low=0, doc="slower counts as rest", meanings={0: "as the settings say"})
    asleep: bool = field(False, doc="whether it sleeps; written by the step, and writing it wakes or puts to sleep")


@component
class Collider3D:
    """A shape that collides with other shapes.

    Meshes and heightfields are parts of static and kinematic bodies, and solid on one side: that from which their
    triangles are counter-clockwise, the upper one of a heightfield. With an `asset`, a box, sphere or capsule is the
    smallest around that model, a hull is its convex hull, and a mesh its triangles; then `size`, `radius`, `points` and
    `triangles` are not used.
    """

    shape: ColliderShape3D = field(ColliderShape3D.BOX, doc="the form; a plane is its local y = 0, solid below")
    size: Vec3 = field((1, 1, 1), unit="m", low=0, doc="of a box; the y of a capsule is its whole height")
    radius: float = field(0.5, unit="m", low=0, doc="of a sphere or capsule")
    offset: Vec3 = field((0, 0, 0), unit="m", doc="from the entity's position")
    rotation: Quat = field((0, 0, 0, 1), doc="relative to the entity")
    points: list[Vec3] = field((), unit="m", doc="of a hull, 4 or more; of a mesh, its corners")
    density: float = field(1000.0, unit="kg/m³", low=0, meanings={0: "without mass"})
    friction: float = field(0.6, step=0.01, low=0, high=100, doc="resistance to sliding")
    restitution: float = field(0.0, low=0, high=1, doc="how much it bounces")
    rolling_resistance: float = field(0.0, low=0, high=100, doc="resistance to rolling, of spheres and capsules")
    collision_layer: Str = field(
        "", names="collision_layers_3d", doc="name of its layer in the settings; empty: the default one"
    )
    category: int = field(0, doc="category bits", meanings={0: "those of its layer"})
    mask: int = field(-1, doc="bits of what it collides with, among those that its layer collides with")
    group: int = field(0, doc="equal in both: above 0 they always collide, below 0 never")
    sensor: bool = field(False, doc="whether it only notices what overlaps it")
    triangles: list[int] = field((), doc="of a mesh: three indices of points each, counter-clockwise seen from outside")
    heights: list[float] = field((), unit="m", doc="of a heightfield, row after row; rows follow each other along z")
    columns: int = field(0, low=0, doc="of a heightfield: the number of heights in a row, which goes along x")
    cell: float = field(1.0, unit="m", low=0, doc="of a heightfield: the distance of neighboring heights")
    asset: Asset = field(
        "", names="models", also=MODEL_SHAPES,
        doc="model of which the shape is made: path of a .gltf or .glb file, or the name of a shape of Model3D",
    )  # fmt: skip
    part: Str = field("", doc="name of one node of the model that is used, with those below it; empty: all")
    oriented: bool = field(False, doc="whether a box around a model may be turned to become smaller")
