"""The state that the solver keeps between ticks: bodies, shapes, contacts and joints as tables of the World.

These tables hold everything that the next step reads, so a simulation that is restored from a snapshot continues with
the same bits, even in the middle of a collapse. The tables are packed for the kernels: a row of eight float32 is one
vector load, and numbers that are used together are stored together.

**Slots.** A row of `Bodies`, `Shapes` and `Joints` is a slot: it keeps its index as long as its entity exists, and is
reused afterwards (`Free` lists the free slots). Kernels refer to bodies and shapes by slot, never by the row of a
component. Slot 0 of `Bodies` is a dummy body: it never moves, has no mass, and is the other body in vector code where
there is no second body. Contacts are packed: the last one moves into a gap.

**Units.** Lengths are in world units. Masses are in kilograms: a density is the mass of one square unit. Settings in
meters are converted before they are stored here (`units`). Rotations are stored as cosine and sine; the only angle is
the rotation within one step.
"""

from __future__ import annotations

from rish_core import Array, Entity, field
from rish_ecs import table

# The flags of Bodies
STATIC, KINEMATIC, DYNAMIC = 0, 1, 2
"""Bits 0 and 1 of a body's flags: its type."""
TYPE = 3
USED = 4
ENABLED = 8
AWAKE = 16
FIXED_ROTATION = 32
BULLET = 64
ALLOW_SLEEP = 128
QUARANTINED = 256
"""The body left the supported range or its numbers were not finite. It does not move or collide until the game moves
it.
"""
FAST = 512
"""The body moved further than half its inner radius in this step. Continuous collision tests it, or its obstacles."""
DRIVEN = 1024
"""A force, damping, drag or its own gravity scale acts on the body: its `drive` is read."""
HAS_JOINT = 2048
CENTER_GIVEN = 4096
"""The body's center of mass is that of the column, not that of its shapes."""
IMPLICIT = 8192
"""The entity has no Body: its collider does not move."""
HAS_PARENT = 16384
"""The Transform has a parent: poses are converted to and from its frame."""
PUT_TO_SLEEP = 32768
"""The game put the body to sleep since the last step, which stores its `rest_force`."""

# The flags of Shapes
POINTS = 15
"""Bits 0 to 3 of a shape's flags: the number of points of its hull, 1 to 8."""
BOX = 16
"""A box without radius or rotation, centered on the body's center of mass; hx and hy in `size` describe it
completely.
"""
BALL = 32
"""A circle centered on the body's center of mass: the radius in `size` describes it completely."""
CHAIN = 64
"""One segment of a chain, solid on one side. Its points are ghost, first, second, ghost."""
SENSOR = 128
ONE_WAY = 256
SHAPE_USED = 512
SHAPE_ENABLED = 1024
MOVED = 2048
"""The shape has a new fat box: the next broad phase searches for pairs."""
CONTACT_EVENTS = 4096
HIT_EVENTS = 8192
STAY_EVENTS = 65536
COLD = 32768
"""The surface has restitution, rolling resistance, surface speed or two coefficients of friction."""
PIECE = 131072
"""The collider of this shape has other shapes too: it is an outline or a chain that was cut into convex pieces. The
pieces of a collider follow each other in the list of their body."""

# Joints.flags
JOINT_USED = 1
COLLIDE_CONNECTED = 2
"""The two bodies of the joint can collide with each other."""
BREAK_TORQUE = 15
"""The index of the torque beyond which a joint breaks in `Joints.numbers`; 0 for none."""

# The flags of Contacts.info
TOUCHING = 1
IS_SENSOR = 2
IS_COLD = 4
PASSES_THROUGH = 8
"""A contact with a one-way shape that lets the other shape pass through. It is decided at the first touch and holds
until the shapes separate.
"""
BEGAN = 16
ENDED = 32
NEEDS_UPDATE = 64
"""The next step evaluates the contact even if neither body is awake, because the contact is new or one of its bodies
has come to rest.
"""
SILENT = 128
"""No event was emitted when the contact began, so none is emitted when it ends."""


@table
class Bodies:
    """One body per slot, see the module.

    pose: x, y of the center of mass, cosine, sine. state: velocity x, y, angular velocity, inverse mass | displacement
    since the pose was written dx, dy, rotation (all 0 between steps), inverse inertia. extent: center of mass in the
    body's own frame x, y, the greatest distance of a point of its shapes from it, the smallest inner radius. drive:
    gravity scale, linear damping, angular damping, quadratic drag, force x, y, torque, unused. seen: the columns as
    they were last written or read: position x, y and rotation in the world, velocity x, y (of the center of mass),
    angular velocity, scale x, y in the world. given: mass, inertia, center x, y as the columns give them. rest: seconds
    at rest, the speed below which the body is at rest. rest_force: force x, y and torque of the areas under which the
    body fell asleep.
    """

    entity: Entity = field(hidden=True)
    pose: Array[float, 4] = field(hidden=True)
    state: Array[float, 8] = field(hidden=True)
    extent: Array[float, 4] = field(hidden=True)
    drive: Array[float, 8] = field(hidden=True)
    seen: Array[float, 8] = field(hidden=True)
    given: Array[float, 4] = field(hidden=True)
    rest: Array[float, 2] = field(hidden=True)
    rest_force: Array[float, 3] = field(hidden=True)
    flags: int = field(hidden=True)
    island: int = field(hidden=True)
    first_shape: int = field(-1, hidden=True, doc="its shapes are a list: Shapes.next")


@table
class Shapes:
    """One convex shape per slot: the hull of 1 to 8 points, rounded by a radius.

    hull: 8 points x, y relative to the body's center of mass in its frame, counter-clockwise; then the 8 outward
    normals of the edges that begin at these points. size: half width, half height (of a BOX), radius, greatest distance
    from the body's center of mass. middle: centroid x, y. surface: friction, dynamic friction (-1: the same),
    restitution, rolling resistance, surface speed, density, one-way direction x, y (in the body's frame). tight, fat:
    AABBs x0, y0, x1, y1 in the world; `fat` includes the margin. filter: category bits, mask bits, group. known: a
    fingerprint of the columns from which the shape was computed.
    """

    entity: Entity = field(hidden=True)
    body: int = field(hidden=True)
    next: int = field(-1, hidden=True)
    flags: int = field(hidden=True)
    hull: Array[float, 32] = field(hidden=True)
    size: Array[float, 4] = field(hidden=True)
    middle: Array[float, 2] = field(hidden=True)
    surface: Array[float, 8] = field(hidden=True)
    filter: Array[int, 3] = field(hidden=True)
    known: Array[int, 2] = field(hidden=True)
    tight: Array[float, 4] = field(hidden=True)
    fat: Array[float, 4] = field(hidden=True)


MANIFOLD = 24
"""The size of a manifold in float32: normal x, y | cosine, sine of both bodies when it was made, position of center B
relative to center A in A's frame x, y | for each of two points: anchor A x, y, anchor B x, y (relative to the centers,
in world axes, when it was made), separation now, separation when made, normal impulse, tangent impulse.
"""
POINT0, POINT1 = 8, 16


@table
class Contacts:
    """Pairs of shapes whose fat AABBs overlap, packed.

    pair: shape A, shape B, body A, body B (A's slot is the lower one). manifold: see MANIFOLD; the normal points from A
    to B. ids: the feature ids of each point. info: number of points, flags. cold: rolling impulse, the greatest normal
    impulse of this step for each of two points, approach speed of each of two points before the step, unused x 3; used
    only by contacts that are IS_COLD or have hit events.
    """

    pair: Array[int, 4] = field(hidden=True)
    manifold: Array[float, 24] = field(hidden=True)
    ids: Array[int, 2] = field(hidden=True)
    info: Array[int, 2] = field(hidden=True)
    cold: Array[float, 8] = field(hidden=True)


@table
class Joints:
    """One joint per slot.

    kind: a number of `joint_kinds`. pair: body A, body B. frames: anchor A x, y (from A's center of mass, in its
    frame), its axis cosine, sine; the same of B. numbers: the parameters of the kind (limits, motor, spring, lengths;
    see its file; BREAK_TORQUE is the same for all). impulses: the impulses of the last step, for warm starting. load:
    force x, y and torque of the last step, break force.
    """

    entity: Entity = field(hidden=True)
    kind: int = field(hidden=True)
    flags: int = field(hidden=True)
    pair: Array[int, 2] = field(hidden=True)
    frames: Array[float, 8] = field(hidden=True)
    numbers: Array[float, 16] = field(hidden=True)
    impulses: Array[float, 8] = field(hidden=True)
    load: Array[float, 4] = field(hidden=True)


@table
class Free:
    """Free slots, reused last in first out."""

    table: int = field(hidden=True, doc="0 bodies, 1 shapes, 2 joints")
    slot: int = field(hidden=True)


@table
class Ended:
    """Contacts that were removed while they touched. The step emits an event for those whose colliders no longer
    touch.

    flags: the combined flags of both shapes. sensors: 1 if a is a sensor, plus 2 if b is one. silent: no event was
    emitted when the contact began.
    """

    a: Entity = field(hidden=True)
    b: Entity = field(hidden=True)
    body_a: Entity = field(hidden=True)
    body_b: Entity = field(hidden=True)
    flags: int = field(hidden=True)
    sensors: int = field(hidden=True)
    silent: bool = field(hidden=True)


@table
class Woken:
    """Bodies that woke up since the last step; the next step emits a `WokeUp` event for each."""

    slot: int = field(hidden=True)
