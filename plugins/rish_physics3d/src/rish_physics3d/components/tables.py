"""The state of the solver that is in no component: the contacts."""

from __future__ import annotations

from rish_core import Entity
from rish_ecs import Array, field, table


@table
class Contacts3D:
    """Pairs of shapes that are near each other, sorted by their entities.

    a, b: the entities of the colliders, a < b. manifold: see `components.manifold`. info: the number of points, and 1
    if the pair touched in the last step.
    """

    a: Entity = field(hidden=True)
    b: Entity = field(hidden=True)
    manifold: Array[float, 56] = field(hidden=True)
    info: Array[int, 2] = field(hidden=True)


@table
class Joints3D:
    """The joints of the last step, sorted by their entities, and their impulses.

    joint: its entity. impulses: see `joint_kinds`.
    """

    joint: Entity = field(hidden=True)
    impulses: Array[float, 12] = field(hidden=True)
