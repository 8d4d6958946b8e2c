"""The state of the solver that is in no component: the contacts, and what the last step knew of bodies and joints."""

from __future__ import annotations

from rish_core import Entity, resource
from rish_ecs import Array, field, table


@table
class Contacts3D:
    """Pairs of shapes that are near each other, sorted by their entities.

    a, b: the entities of the colliders, a < b. child: 0, or 1 + the triangle of a mesh; a pair with a mesh has a row
    for each triangle that is near. manifold: see `components.manifold`. info: the number of points, and bits, see
    `contacts.matching`.
    """

    a: Entity = field(hidden=True)
    b: Entity = field(hidden=True)
    manifold: Array[float, 56] = field(hidden=True)
    info: Array[int, 2] = field(hidden=True)
    child: int = field(hidden=True)


@table
class Bodies3D:
    """What the last step knew of each body, sorted by entity; the first row is that of the world.

    body: its entity. island: that of its island's first body while it sleeps, else 0. rest: seconds for which it has
    been slow; below 0 if it must not sleep. fresh: 1 if it fell asleep in the last step, or is kinematic and moved, so
    that its contacts are those of the pose before. seen: its pose in the solver, with the gravity scale at 3; NaN if a
    written position is a jump. digest: of its type, mass and shapes. areas: the force and torque of areas on it when it
    fell asleep.
    """

    body: Entity = field(hidden=True)
    island: Entity = field(hidden=True)
    rest: float = field(hidden=True)
    fresh: int = field(hidden=True)
    seen: Array[float, 8] = field(hidden=True)
    digest: Entity = field(hidden=True)
    areas: Array[float, 6] = field(hidden=True)


@table
class Joints3D:
    """The joints of the last step, sorted by their entities, and their impulses.

    joint: its entity. a, b: its bodies. digest: of what it connects and of its numbers. impulses: see `joint_kinds`.
    """

    joint: Entity = field(hidden=True)
    a: Entity = field(hidden=True)
    b: Entity = field(hidden=True)
    digest: Entity = field(hidden=True)
    impulses: Array[float, 12] = field(hidden=True)


@resource
class Solved3D:
    """Digests of the settings of the last step, 0 before the first, and of its areas, 0 for none."""

    digest: int = field(0, hidden=True)
    areas: int = field(0, hidden=True)
